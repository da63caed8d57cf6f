"""The document of a finished shoe, made from the log of its table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from holecard.deck import Card
from holecard.errors import shortly
from holecard.server.errors import NotFound
from holecard.server.fairness.construction import NAME
from holecard.server.fairness.shoe_document import DealtCards, Restock, ShoeDocument
from holecard.server.game.entries import Moved, ShoeCommitted, ShoeRevealed, TableOpened, read_entry
from holecard.server.game.folded_table import CommittedShoe, FoldedTable
from holecard.server.store.chain import LogRow
from holecard.sheets.schema import RuleSheet


def shoe_document(rows: Iterable[LogRow], sheet: RuleSheet, shoe_id: str) -> ShoeDocument:
    """Return a shoe that has ended; one that is still dealt is not found."""
    found = next(shoe_documents(rows, sheet, shoe_id), None)
    if found is None:
        raise NotFound(f"no finished shoe is called {shortly(shoe_id)}; a shoe is public when it has ended")
    return found


def shoe_documents(rows: Iterable[LogRow], sheet: RuleSheet, wanted: str | None = None) -> Iterator[ShoeDocument]:
    """Yield every shoe of a log that has ended, or the wanted one."""
    table: FoldedTable | None = None
    rounds: dict[int, DealtCards] = {}
    burned = ""
    for row in rows:
        entry = read_entry(row.body)
        if table is None:
            assert isinstance(entry, TableOpened)
            table = FoldedTable(entry, sheet, row.at)
            continue
        shoe = table.shoe
        if isinstance(entry, ShoeRevealed) and shoe is not None and wanted in (None, entry.shoe):
            yield _document(table, shoe, entry, burned, rounds)
        table.apply(entry, row.at)
        if isinstance(entry, ShoeCommitted):
            rounds, burned = {}, ""
        if table.shoe is None or wanted not in (None, table.shoe.id):
            continue
        if isinstance(entry, Moved):
            burned = burned or entry.burned
        if table.dealt.cards and table.dealt.shoe is table.shoe.cards:
            rounds[table.rounds] = _dealt(table, table.shoe)


def _dealt(table: FoldedTable, shoe: CommittedShoe) -> DealtCards:
    dealt = table.dealt
    first = shoe.cards.drawn - len(dealt.cards)
    restocked = [Restock(after=drawn - first, cards=_text(put)) for drawn, put in shoe.cards.restocks if drawn >= first]
    is_recorded = table.state.phase == "done" and not table.was_voided
    return DealtCards(
        number=table.rounds,
        cards=_text(dealt.cards),
        restocked=tuple(restocked),
        record=str(table.record()) if is_recorded else None,
    )


def _document(
    table: FoldedTable, shoe: CommittedShoe, revealed: ShoeRevealed, burned: str, rounds: dict[int, DealtCards]
) -> ShoeDocument:
    return ShoeDocument(
        construction=NAME,
        shoe=shoe.id,
        sheet=table.opened.sheet,
        decks=table.sheet.shoe.decks,
        commitment=shoe.commitment,
        seed=revealed.seed,
        player_seeds=tuple(seed for _, seed in shoe.player_seeds),
        burned=burned,
        cut_short=revealed.cut_short,
        rounds=tuple(rounds[number] for number in sorted(rounds)),
    )


def _text(cards: Iterable[Card]) -> str:
    return " ".join(map(str, cards))

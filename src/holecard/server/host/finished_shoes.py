"""The document of a finished shoe, made from the log of its table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from holecard.errors import shortly
from holecard.server.errors import NotFound
from holecard.server.fairness.construction import NAME
from holecard.server.fairness.shoe_document import (
    ShoeDocument,
    ShoeRound,
    card_text,
    cut_card_place,
    restocks_since,
    settled_wagers,
)
from holecard.server.game.entries import Moved, RoundVoided, ShoeCommitted, ShoeRevealed, TableOpened, read_entry
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
    rounds: list[ShoeRound] = []
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
            rounds, burned = [], ""
        elif table.shoe is not None and wanted in (None, table.shoe.id):
            if isinstance(entry, Moved):
                burned = burned or entry.burned
            if isinstance(entry, Moved | RoundVoided) and table.state.phase == "done":
                rounds.append(_round(table, table.shoe))


def _round(table: FoldedTable, shoe: CommittedShoe) -> ShoeRound:
    """Return the round that has just ended."""
    record = table.record()
    return ShoeRound(
        number=table.rounds,
        bets=record.bets,
        play=record.play,
        cards=card_text(record.cards),
        restocked=restocks_since(shoe.cards, shoe.cards.drawn - len(record.cards)),
        paid=() if table.was_voided else settled_wagers(record.paid),
        voided=table.was_voided,
    )


def _document(
    table: FoldedTable, shoe: CommittedShoe, revealed: ShoeRevealed, burned: str, rounds: Iterable[ShoeRound]
) -> ShoeDocument:
    return ShoeDocument(
        construction=NAME,
        shoe=shoe.id,
        sheet=table.opened.sheet,
        commitment=shoe.commitment,
        seed=revealed.seed,
        player_seeds=tuple(seed for _, seed in shoe.player_seeds),
        rules=table.sheet.content,
        decks=table.sheet.shoe.decks,
        cut_card=cut_card_place(table.sheet.shoe),
        burned=burned,
        cut_short=revealed.cut_short,
        rounds=tuple(rounds),
    )

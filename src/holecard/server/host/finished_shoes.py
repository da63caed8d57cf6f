"""The documents of finished shoes, made from the log of their table."""

from __future__ import annotations

from collections.abc import Iterable

from holecard.server.fairness.construction import NAME
from holecard.server.fairness.shoe_document import (
    ShoeDocument,
    ShoeRound,
    card_text,
    cut_card_place,
    restocks_since,
    settled_wagers,
)
from holecard.server.game.entries import Moved, RoundVoided, ShoeCommitted, ShoeRevealed, TableEntry
from holecard.server.game.folded_table import CommittedShoe, FoldedTable


class ShoeCollector:
    """Makes the document of each shoe, or of the wanted one, while a table is folded from its log.

    The table may come from the start of a shoe: what was dealt before belongs to other shoes.
    """

    def __init__(self, wanted: str | None = None) -> None:
        self._wanted = wanted
        self._rounds: list[ShoeRound] = []
        self._burned = ""

    def apply(self, table: FoldedTable, entry: TableEntry, at: int) -> ShoeDocument | None:
        """Fold the next entry; return the document of the shoe that it reveals."""
        shoe, found = table.shoe, None
        if isinstance(entry, ShoeRevealed) and shoe is not None and self._wanted in (None, entry.shoe):
            found = _document(table, shoe, entry, self._burned, self._rounds)
        table.apply(entry, at)
        if isinstance(entry, ShoeCommitted):
            self._rounds, self._burned = [], ""
        elif table.shoe is not None and self._wanted in (None, table.shoe.id):
            if isinstance(entry, Moved):
                self._burned = self._burned or entry.burned
            if isinstance(entry, Moved | RoundVoided) and table.state.phase == "done":
                self._rounds.append(_round(table, table.shoe))
        return found


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

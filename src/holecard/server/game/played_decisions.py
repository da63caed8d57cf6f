"""The decisions of the round on a table, each with what its player saw before it."""

from __future__ import annotations

from typing import NamedTuple

from holecard.coach.player_view import player_view
from holecard.money import Money
from holecard.server.game.folded_table import FoldedTable
from holecard.table.advance import advance, start
from holecard.table.events import Act, Deal
from holecard.table.prices import free_before
from holecard.table.state import State
from holecard.table.views import View


class PlayedDecision(NamedTuple):
    """A decision, and what its player saw and could pay for before it."""

    seen: View
    act: Act


def last_decision(table: FoldedTable, seats: tuple[int, ...], free: Money | None = None) -> PlayedDecision | None:
    """Return the last decision that one of these seats, all of one player, made in this round.

    The choices seen are those that the player could pay for, by what is free now; all that are legal where that is not
    given, and in a voided round, which gives back what was lost.
    """
    own = [place for place, move in enumerate(table.moves) if isinstance(move, Act) and move.seat in seats]
    if not own:
        return None
    act = table.moves[own[-1]]
    assert isinstance(act, Act)
    before = _state_before(table, own[-1])
    if free is not None:
        free = None if table.was_voided else free_before(before, act, seats, table.state, free)
    return PlayedDecision(player_view(before, seats, act.seat, free), act)


def _state_before(table: FoldedTable, place: int) -> State:
    """Return the state in which the move at this place of the round was made."""
    cards = iter(table.record().cards)
    state = start(table.tables)
    for move in table.moves[:place]:
        state = advance(state, move)
        while state.wants_card:
            state = advance(state, Deal(next(cards)))
    return state

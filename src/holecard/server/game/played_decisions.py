"""The decisions of the round on a table, each with what its player saw before it."""

from __future__ import annotations

from typing import NamedTuple

from holecard.coach.player_view import player_view
from holecard.server.game.folded_table import FoldedTable
from holecard.table.advance import advance, start
from holecard.table.events import Act, Deal
from holecard.table.state import State
from holecard.table.views import View


class PlayedDecision(NamedTuple):
    """A decision, and what its player saw before it."""

    seen: View
    act: Act


def last_decision(table: FoldedTable, seats: tuple[int, ...]) -> PlayedDecision | None:
    """Return the last decision that one of these seats made in this round."""
    own = [place for place, move in enumerate(table.moves) if isinstance(move, Act) and move.seat in seats]
    if not own:
        return None
    act = table.moves[own[-1]]
    assert isinstance(act, Act)
    before = _state_before(table, own[-1])
    return PlayedDecision(player_view(before, seats, act.seat), act)


def _state_before(table: FoldedTable, place: int) -> State:
    """Return the state in which the move at this place of the round was made."""
    cards = iter(table.record().cards)
    state = start(table.tables)
    for move in table.moves[:place]:
        state = advance(state, move)
        while state.wants_card:
            state = advance(state, Deal(next(cards)))
    return state

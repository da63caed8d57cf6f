"""How long a table waits, and what it does for a player who does not answer. Times are milliseconds since 1970."""

from __future__ import annotations

from holecard.server.game.folded_table import FoldedTable
from holecard.table.events import Act, Action, Place
from holecard.table.late_wagers import ASKING
from holecard.table.legal import legal

#: What the clock answers with, in order: an answer that costs nothing.
_DEFAULTS = (Action.STAND, Action.NO_INSURANCE, Action.NO_SURRENDER)


def deadline(table: FoldedTable) -> int | None:
    """Return when the clock decides; None at a closed table."""
    if table.closed is not None:
        return None
    state = table.state
    if state.asked is not None:
        return table.asked_at + time_given(table)
    if state.phase == "betting" and state.seats:
        return table.first_bet_at + time_given(table)
    return table.active_at + 1000 * table.opened.pace.idle


def time_given(table: FoldedTable) -> int:
    """Return how long the table waits for a decision or for more bets; not at all for a player who has left."""
    pace, asked = table.opened.pace, table.state.asked
    if asked is not None:
        return 1000 * pace.act if asked.number in table.seats else 0
    return 1000 * pace.bet if table.next_state.seats else 0


def default_move(table: FoldedTable) -> Act | Place:
    """Return the move that the clock makes for the seat that is asked."""
    state = table.state
    asked = state.asked
    assert asked is not None
    if state.phase in ASKING:
        return Place(asked.number)
    possible = {choice.action for choice in legal(state)}
    return Act(asked.number, next(action for action in _DEFAULTS if action in possible))

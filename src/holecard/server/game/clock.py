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
    pace, state = table.opened.pace, table.state
    if state.asked is not None:
        # Nobody waits for a player who has left.
        is_there = state.asked.number in table.seats
        return table.asked_at + (1000 * pace.act if is_there else 0)
    if state.phase == "betting" and state.seats:
        return table.first_bet_at + 1000 * pace.bet
    return table.active_at + 1000 * pace.idle


def default_move(table: FoldedTable) -> Act | Place:
    """Return the move that the clock makes for the seat that is asked."""
    state = table.state
    asked = state.asked
    assert asked is not None
    if state.phase in ASKING:
        return Place(asked.number)
    possible = {choice.action for choice in legal(state)}
    return Act(asked.number, next(action for action in _DEFAULTS if action in possible))

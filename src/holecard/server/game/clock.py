"""How long a table waits, and what it does for a player who does not answer. Times are milliseconds since 1970."""

from __future__ import annotations

from holecard.server.game.folded_table import FoldedTable
from holecard.table.events import Act, Action, Place
from holecard.table.late_wagers import ASKING
from holecard.table.legal import legal

#: What the clock answers with, in order: an answer that costs nothing.
_DEFAULTS = (Action.STAND, Action.NO_INSURANCE, Action.NO_SURRENDER)


def deadline(table: FoldedTable, up_since: int = 0) -> int | None:
    """Return when the clock decides; None at a closed table.

    Nobody could answer before `up_since`, when the server came back, so the time for an earlier question begins then.
    Without it, this is what follows from the log alone.
    """
    if table.closed is not None:
        return None
    since = waits_since(table)
    return (max(table.noticed.get(since, since), up_since) if up_since else since) + _time_given(table)


def waits_since(table: FoldedTable) -> int:
    """Return when the table began to wait for a decision, for more bets, or for the first one."""
    if table.state.asked is not None:
        return table.asked_at
    return table.first_bet_at if table.next_state.seats else table.active_at


def _time_given(table: FoldedTable) -> int:
    """Return how long the table waits; not at all for a player who has left."""
    pace, asked = table.opened.pace, table.state.asked
    if asked is not None:
        return 1000 * pace.act if asked.number in table.seats else 0
    return 1000 * (pace.bet if table.next_state.seats else pace.idle)


def default_move(table: FoldedTable) -> Act | Place:
    """Return the move that the clock makes for the seat that is asked."""
    state = table.state
    asked = state.asked
    assert asked is not None
    if state.phase in ASKING:
        return Place(asked.number)
    possible = {choice.action for choice in legal(state)}
    return Act(asked.number, next(action for action in _DEFAULTS if action in possible))

"""Checks of the options that an environment is made with."""

from __future__ import annotations

from holecard.errors import Refusal, shortly


def check_options(betting: bool, bet: object, bets: object, illegal_action: str, render_mode: str | None) -> None:
    """Refuse options that contradict each other or do not exist."""
    if bets is not None and not betting:
        raise Refusal("bets: fixed bets have one amount; write bet=..., or betting=True to let the agent choose")
    if bet is not None and bets is not None:
        raise Refusal("bet: the agent chooses among bets; leave bet out, or bets")
    if illegal_action not in ("penalty", "raise"):
        raise Refusal(f"illegal_action: it can be 'penalty' or 'raise', not {shortly(illegal_action)}")
    if render_mode not in (None, "ansi"):
        raise Refusal(f"render_mode: it can be 'ansi' or None, not {shortly(render_mode)}")

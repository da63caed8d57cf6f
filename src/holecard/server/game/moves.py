"""Moves in words, as a log writes them: those of a record, and "no more bets"."""

from __future__ import annotations

from typing import TypeAlias

from holecard.table.events import Act, Bet, NoMoreBets, Place
from holecard.table.notation.moves import format_move, read_bet, read_play

LoggedMove: TypeAlias = Bet | Act | Place | NoMoreBets
NO_MORE_BETS = "no more bets"


def write_move(move: LoggedMove) -> str:
    """Return a move in words."""
    return NO_MORE_BETS if isinstance(move, NoMoreBets) else format_move(move)


def read_move(words: str, *, betting: bool) -> LoggedMove:
    """Return the move that `write_move` wrote; while bets are placed, an amount alone is a bet."""
    if words == NO_MORE_BETS:
        return NoMoreBets()
    return read_bet(words) if betting else read_play(words)

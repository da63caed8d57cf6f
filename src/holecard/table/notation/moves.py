"""Moves and amounts in words, as a record writes them, and back.

seat 1: $10, Pairs $5        a bet
seat 2: double $7            a decision, with an amount where there is one to choose
seat 1: place Hedge 18 $5    wagers after the check, at any moment at which they are open
seat 1: pass                 none of them, when asked
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from holecard.errors import RecordError, Unreadable, did_you_mean, shortly
from holecard.money import Money, dollars, money
from holecard.table.events import Act, Action, Bet, Place

_SEAT = re.compile(r"seat ([0-9]{1,3}): (.+)", re.DOTALL)
_STAKES = re.compile(r"(.+?) (\$[0-9][0-9,]*(?:\.[0-9][0-9]?)?)(?:, |\Z)", re.DOTALL)
_AMOUNT = re.compile(r"(.+?)\s+(\$[0-9,.]+)")
#: Python refuses to read numbers of thousands of digits; no table takes such a wager.
_LONGEST_AMOUNT = 40


def format_move(move: Bet | Act | Place) -> str:
    """Return a move in words."""
    if isinstance(move, Bet):
        words = ", ".join([dollars(move.main), *_stakes(move.sides)])
    elif isinstance(move, Place):
        words = "place " + ", ".join(_stakes(move.sides)) if _stakes(move.sides) else "pass"
    else:
        words = move.action if move.amount is None else f"{move.action} {dollars(move.amount)}"
    return f"seat {move.seat}: {words}"


def _stakes(sides: Mapping[str, Money]) -> list[str]:
    return [f"{name} {dollars(stake)}" for name, stake in sides.items() if stake]


def read_bet(words: str) -> Bet:
    """Read a bet."""
    seat, rest = _seat(words, "seat 1: $10")
    main, _, sides = rest.partition(", ")
    return Bet(seat, read_amount(main), _read_stakes(sides))


def read_play(words: str) -> Act | Place:
    """Read a decision."""
    seat, rest = _seat(words, "seat 1: hit")
    if rest == "pass":
        return Place(seat, {})
    if rest.startswith("place "):
        return Place(seat, _read_stakes(rest.removeprefix("place ")))
    match = _AMOUNT.fullmatch(rest)
    said, amount = (match[1], read_amount(match[2])) if match else (rest, None)
    if said in list(Action):
        return Act(seat, said, amount)
    raise RecordError(f"{shortly(said)} is not an action; {did_you_mean(said, Action)}")


def _seat(words: str, example: str) -> tuple[int, str]:
    match = _SEAT.fullmatch(words)
    if not match:
        raise RecordError(f"{shortly(words)} is not a move; write a seat and what it does, as in {example!r}")
    return int(match[1]), match[2]


def _read_stakes(words: str) -> dict[str, Money]:
    found = [(match[1], read_amount(match[2])) for match in _STAKES.finditer(words)]
    stakes = dict(found)
    if twice := next((name for name, _ in found if [other for other, _ in found].count(name) > 1), None):
        raise RecordError(f"{shortly(twice)} is named twice; write one amount for each wager")
    if words and ", ".join(_stakes(stakes)) != words:
        raise RecordError(f"{shortly(words)} does not name wagers; write them as in 'Pairs $5, Any 20 $2.50'")
    return stakes


def read_amount(words: object) -> Money:
    """Return an amount in words, such as "$2.50"."""
    if isinstance(words, str) and len(words) <= _LONGEST_AMOUNT:
        return money(words)
    raise Unreadable(f"{shortly(words)} is not an amount of money; write dollars in quotes, such as '$5' or '$2.50'")


def read_net(words: object) -> Money:
    """Return a result in words, such as "+$15", "-$10" or "$0"."""
    if isinstance(words, str) and words.startswith(("+", "-")):
        return read_amount(words[1:]) * (-1 if words[0] == "-" else 1)
    return read_amount(words)

"""Rounds for a browser: recorded ones that together place every wager of a game and take every decision."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

from holecard import Record, replay, rules
from holecard.errors import RecordError
from holecard.table.events import Act
from holecard.table.notation.moves import read_bet, read_play
from tests.rounds.test_rounds import read as read_round

ROUNDS = Path(__file__).parents[1] / "rounds"
#: The five games; each has its folder of rounds.
GAMES = sorted({path.parent.name for path in ROUNDS.glob("*/*.toml")} - {"all-games"})
_INSURED = ("insurance", "no insurance")


@cache
def rounds_of(game: str) -> dict[str, Record]:
    """All rounds of a game that were played to the end by its own rules, by their names."""
    found = {}
    for path in sorted((ROUNDS / game).glob("*.toml")):
        try:
            record = read_round(f"{game}/{path.name}").record
            is_whole = bool(record.paid) and not record.settings and not record.sheet and not record.misdeal
        except RecordError:  # it asserts a refusal
            continue
        if is_whole and not record.reshuffled:
            found[path.stem] = record
    return found


def wanted(game: str) -> set[str]:
    """What a player of this game can do, in words: every wager, every action, and to decline what is offered."""
    tables = rules(game).tables
    found = {f"wager {wager.name}" for wager in tables.wagers} | {f"action {action}" for action in tables.actions}
    if tables.insurance is not None:
        found |= {f"action {action}" for action in _INSURED}
    if any(wager.after_check for wager in tables.wagers):
        found.add("pass")
    return found


def does(record: Record) -> Iterator[str]:
    """Yield what the players of a round do, in the same words."""
    for bet in map(read_bet, record.bets):
        yield from (f"wager {name}" for name in bet.sides)
    for move in map(read_play, record.play):
        if isinstance(move, Act):
            yield f"action {move.action}"
            if move.action == "insurance" and _has_natural(record, move.seat):
                yield "even money"
        else:
            yield from (f"wager {name}" for name in move.sides)
            if not move.sides:
                yield "pass"
    yield from ("tax" for paid in record.paid if "tax" in paid.line)


def _has_natural(record: Record, seat: int) -> bool:
    first = next(state for state in replay(record) if state.asked is not None and state.asked.number == seat)
    return first.asked is not None and first.asked.hands[0].total == 21


@cache
def chosen(game: str) -> dict[str, Record]:
    """A few rounds that together do everything that the rounds of a game do; the shortest first."""
    left = rounds_of(game)
    missing = {one for record in left.values() for one in does(record)}
    found: dict[str, Record] = {}
    while missing:
        name = max(left, key=lambda one: (len(missing & set(does(left[one]))), -len(left[one].play), one))
        found[name] = left[name]
        missing -= set(does(left[name]))
    return found

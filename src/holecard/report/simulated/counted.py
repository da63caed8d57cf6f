"""A simulation with a player who counts: what the player wins, and every wager by count."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import astuple
from typing import Any

from holecard.counts.count_player import CountPlayer
from holecard.errors import plural
from holecard.payoffs.wager_payoffs import WagerPayoffs
from holecard.report.document import QUIET, Block, Document, Heading, Paragraph, facts, table
from holecard.report.numbers import (
    UNKNOWN,
    confidence,
    decimals,
    exact_decimal,
    known,
    percent,
    probability,
    signed,
    signed_whole,
)
from holecard.report.parts import ev_text
from holecard.report.sheet import origin, settings
from holecard.report.simulated.estimates import error_note, estimate_data
from holecard.report.simulated.simulation import NO_ROUND, run_data, run_heading, unit_note
from holecard.simulation.count_results import CountedBet, CountRow, CountSimulation
from holecard.simulation.statistics.estimates import Estimate
from holecard.simulation.win_rates import Derived

_PER = 100
_NOTE = "Errors by count treat rounds as independent; those of all rounds come from whole shoes."
#: An edge is shown for readings with at least this many rounds.
_FEW = 30
#: The end of an interval at this multiple of the number, or beyond, has two digits.
_FAR = 10


def summary(found: CountSimulation) -> str:
    """Return a line such as `CountSimulation(classic, hi-lo, 1,000,000 rounds: ev 0.0046, standard error 0.0011)`."""
    played = plural(found.rounds, "round")
    return f"CountSimulation({origin(found.rules)}, {found.player.name}, {played}: {ev_text(found.total.won)})"


# For programs


def data(found: CountSimulation) -> dict[str, Any]:
    """Return the data of `holecard simulate --count --json`."""
    ruin = None if found.bankroll is None or not found.rounds else found.total.risk_of_ruin(found.bankroll)
    return {
        **run_data(found),
        "count": found.player.name,
        "strategy": found.strategy,
        "seats": found.seats,
        "seat": found.player.seat,
        "level": found.main.won.level,
        "main": _bet_data(found.main),
        "insurance": _insurance_data(found),
        "wagers": {bet.name: _bet_data(bet) for bet in found.wagers},
        "bankroll": found.bankroll,
        "risk_of_ruin": None
        if ruin is None
        else {"low": ruin.low, "high": ruin.high, "estimate": ruin.value, "standard_error": ruin.standard_error},
        "settings": settings(found.rules),
        "insurance_won": estimate_data(found.insurance_won),
        "total": {
            "of": ["main", "insurance"],
            "won": estimate_data(found.total.won),
            "standard_deviation": found.total.standard_deviation,
            "n0": found.total.n0.value,
            "score": found.total.score.value,
            **_errors(found.total),
        },
    }


def _bet_data(bet: CountedBet) -> dict[str, Any]:
    return {
        "count": bet.count,
        "won": estimate_data(bet.won),
        "standard_deviation": bet.standard_deviation,
        "average_bet": bet.average_bet,
        "rounds_played": bet.played,
        "n0": bet.n0.value,
        "score": bet.score.value,
        "by_count": [_row_data(row) for row in bet.rows],
        **_errors(bet),
    }


def _errors(bet: CountedBet) -> dict[str, Any]:
    """Return the errors and intervals of N0 and SCORE; an N0 without end is null."""
    return {
        f"{name}_{what}": getattr(found, what)
        for name, found in (("n0", bet.n0), ("score", bet.score))
        for what in ("standard_error", "low", "high")
    }


def _row_data(row: CountRow) -> dict[str, Any]:
    return {
        "reading": row.reading,
        "ends": row.ends or None,
        "frequency": row.frequency,
        "bet": float(row.bet),
        **estimate_data(row.estimate),
    }


def _insurance_data(found: CountSimulation) -> list[dict[str, Any]]:
    """Return insurance by count; `bet` is None where a side count decides whether it is taken."""
    by_side = bool(_insuring(found.player))
    return [{**_row_data(row), "bet": None if by_side and not row.bet else float(row.bet)} for row in found.insurance]


def rows(found: CountSimulation) -> list[dict[str, Any]]:
    """Return one row for each reading of each wager."""
    start = {"game": origin(found.rules), "count": found.player.name}
    by_count = [(bet.name, _row_data(row)) for bet in (found.main, *found.wagers) for row in bet.rows]
    by_count += [("insurance", row) for row in _insurance_data(found)]
    return [{**start, "wager": name, **row} for name, row in by_count]


# For people


def document(found: CountSimulation) -> Document:
    """Return what the player wins, and the results by count."""
    return Document(f"{found.rules.name}: {found.player.name}", tuple(_blocks(found)))


def _blocks(found: CountSimulation) -> Iterator[Block]:
    yield from run_heading(found, *_player(found))
    if not found.rounds:
        yield Paragraph(NO_ROUND)
        return
    yield Heading("The counter", _what_is_won(found))
    yield facts([*_won(found.total, parts=_parts(found)), *_risk(found)])
    apart = " Without insurance." if found.insurance else ""
    yield Heading("Main wager by count", f"{unit_note(found.rules)}{apart} The count is that before the deal.")
    yield _by_count(found.main.rows)
    if found.insurance:
        yield Heading("Insurance by count", "Per unit of insurance. The count is that after the first cards.")
        yield _by_count(found.insurance, "taken", _otherwise(found.player))
    for bet in found.wagers:
        yield Heading(bet.name, _side_note(found, bet))
        yield facts(_won(bet, unit="dollars" if _in_dollars(found, bet) else "units"))
        yield _by_count(bet.rows)
    yield Paragraph(_NOTE, QUIET)


def _player(found: CountSimulation) -> list[tuple[str, str]]:
    player = found.player
    seat = f"seat {player.seat} of {found.seats}" if found.seats > 1 else "alone at the table"
    return [("strategy", found.strategy), ("count", f"{player.name}, {seat}"), ("bets", _bets(player))]


def _what_is_won(found: CountSimulation) -> str:
    """Return what the results of the player are about."""
    wagers = "Main wager"
    if found.rules.tables.insurance is not None:
        wagers += " and insurance" if found.player.insurance else " and insurance (never taken)"
    sides = " Side wagers are listed below; they are not part of these numbers." if found.wagers else ""
    return f"{wagers}, in units per round dealt, whether the player bets or not.{sides}"


def _side_note(found: CountSimulation, bet: CountedBet) -> str:
    unit = "Dollars" if _in_dollars(found, bet) else "Units"
    return (
        f"{unit} per round dealt, by the count {bet.count!r} before the deal, where the player bets on the main wager."
    )


def _in_dollars(found: CountSimulation, bet: CountedBet) -> bool:
    """Return whether a wager pays fixed amounts."""
    return any(WagerPayoffs(wager).in_dollars for wager in found.rules.tables.wagers if wager.name == bet.name)


def _bets(player: CountPlayer) -> str:
    low, high = min(player.ramp.bets), max(player.ramp.bets)
    spread = f"{exact_decimal(low)} to {exact_decimal(high)} units"
    if low == high:
        spread = f"always {exact_decimal(high)} {'unit' if high == 1 else 'units'}" if high else "nothing"
    plays = plural(len(player.plays), "index play") if player.plays else "no index plays"
    moves = [f"sits down at {signed_whole(player.enter)}"] if player.enter is not None else []
    moves += [f"leaves below {signed_whole(player.leave)}"] if player.leave is not None else []
    return ", ".join([spread, plays, *moves])


def _parts(found: CountSimulation) -> list[tuple[str, Estimate]]:
    """Return what the main wager and insurance won, where the player takes insurance."""
    if not found.insurance or not found.player.insurance:
        return []
    return [("  main wager", found.main.won), ("  insurance", found.insurance_won)]


def _won(
    bet: CountedBet, *, unit: str = "units", parts: Sequence[tuple[str, Estimate]] = ()
) -> list[tuple[str, str, str]]:
    """Return win rate, deviation, and what they say together."""
    won, places = bet.won, decimals(bet.won.standard_error)
    hundred = max(places - 2, 0)
    return [
        *(_mean(name, one) for name, one in (("won per round", won), *parts)),
        (f"per {_PER} rounds", signed(_PER * won.ev, hundred), unit),
        ("standard deviation", known(bet.standard_deviation, 4), "of a round"),
        ("average bet", f"{bet.average_bet:.4f}", f"{percent(bet.played / bet.rounds, 1)} of the rounds are played"),
        ("N0", _about(bet.n0), _range(bet.n0, won.level, "rounds until the win equals its deviation")),
        (
            "SCORE",
            _about(bet.score),
            _range(bet.score, won.level, f"dollars per {_PER} rounds with $10,000, at 13.5% risk of ruin"),
        ),
    ]


def _mean(name: str, won: Estimate) -> tuple[str, str, str]:
    places = decimals(won.standard_error)
    return name, signed(won.ev, places), error_note(won.standard_error, places, "shoe")


def _risk(found: CountSimulation) -> list[tuple[str, str, str]]:
    if found.bankroll is None:
        return []
    ruin = found.total.risk_of_ruin(found.bankroll)
    in_percent = Derived(*(100 * number for number in astuple(ruin)))
    note = f"with {found.bankroll:,} units, endless play, and rounds taken as independent"
    return [("risk of ruin", _about(in_percent, "%"), _range(in_percent, found.total.won.level, note, "%"))]


def _about(found: Derived, unit: str = "") -> str:
    """Return a number with the digits that its error leaves certain, and one more."""
    if not math.isfinite(found.value):
        return "none"
    certain = _certain(found.value, found, unit)
    return certain if found.low == found.high else f"about {certain}"


def _range(found: Derived, level: float, note: str, unit: str = "") -> str:
    """Return what a number is, and its interval."""
    if not math.isfinite(found.low) or found.low == found.high:
        return note
    low, high = (_certain(end, found, unit) for end in (found.low, found.high))
    ends = f"{low} to {high}" if math.isfinite(found.high) else f"{low} or more"
    return f"{confidence(level)} interval {ends}; {note}"


def _certain(number: float, found: Derived, unit: str) -> str:
    """Return a number rounded to the second digit of the standard error; of itself without one, or far away."""
    if not math.isfinite(number):
        return UNKNOWN
    has_error = found.standard_error > 0 and number < _FAR * found.value
    step = found.standard_error if has_error else abs(number)
    places = 1 - math.floor(math.log10(step)) if step else 0
    return f"{round(number, places):,.{max(places, 0)}f}{unit}"


def _by_count(rows: tuple[CountRow, ...], last: str = "bet", otherwise: str = "no") -> Block:
    """Return a table of readings; `otherwise` is the word for insurance that the main count does not take."""
    lines = []
    for row in rows:
        found = row.estimate
        places = max(decimals(found.standard_error) - 2, 0)
        edge, error = "", ""
        if found.rounds >= _FEW:
            edge, error = percent(found.ev, places), percent(found.standard_error, places)
        bet = exact_decimal(row.bet) if found.rounds else "none"
        if last == "taken":
            bet = "yes" if row.bet else otherwise
        lines.append(
            (f"{signed_whole(row.reading)} {row.ends}".strip(), probability(row.frequency, 6), edge, error, bet)
        )
    return table(("count", "frequency", "player's edge", "standard error", last), lines)


def _insuring(player: CountPlayer) -> list[str]:
    """Return the side counts that decide about insurance."""
    return list(dict.fromkeys(play.count for play in player.insurance if play.count is not None))


def _otherwise(player: CountPlayer) -> str:
    return f"by {' or '.join(side)}" if (side := _insuring(player)) else "no"

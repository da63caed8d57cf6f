"""Tables with different numbers of decks and seats side by side: what a counter can take from each wager."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from holecard.advantage.compare_counting import CountingComparison
from holecard.advantage.counting_result import Counting, SampleMean, WagerCounting
from holecard.advantage.verdict import hourly_gains, target_title
from holecard.errors import plural
from holecard.report.counting.bets import bets_text, limits_text, rough_errors, sample_text, stake_text, unit_text
from holecard.report.counting.counting import gain_text, mean_text, wager_ev
from holecard.report.counting.counting_data import cut_data, mean_columns, plan_data, verdict_data
from holecard.report.document import QUIET, Block, Document, Heading, Paragraph, table
from holecard.report.numbers import UNKNOWN, decimals, known
from holecard.report.sheet import identity, origin, settings, settings_text, sheet_identity, title_and_facts

#: The cut cards that are shown next to the plan's.
_ENDS = (50, 90)


class _Player(NamedTuple):
    """What one player gains from a wager at one table; None where it is not known, or no card changes the wager."""

    gain: SampleMean | None
    hourly: SampleMean | None
    name: str | None
    """the best count's"""


def summary(found: CountingComparison) -> str:
    """Return a line such as `CountingComparison(classic, 1, 6 decks, 1, 3 seats: main 0.25 to 1.18 per 100 rounds)`."""
    parts = []
    for wager in found.tables[0].wagers[:3]:
        gains = [at.gain.mean for one in found.wager(wager.target.name) if (at := one.at_cut(found.plan.cut))]
        between = dict.fromkeys(known(gain, 2) for gain in (min(gains), max(gains))) if gains else ()
        parts.append(f"{wager.target.name} {' to '.join(between) or 'unknown'}")
    asked = f"{_listed(found.decks)} decks, {_listed(found.seats)} seats"
    return f"CountingComparison({origin(found.rules)}, {asked}: {', '.join(parts)} per 100 rounds)"


def data(found: CountingComparison) -> dict[str, Any]:
    """Return the data of `holecard counting --json` with several numbers of decks or seats."""
    plan = found.plan
    return {
        **identity(found.rules),
        "settings": settings(found.rules),
        "decks": list(found.decks),
        "seats": list(found.seats),
        **plan_data(plan),
        "complete": found.complete,
        "wagers": [_wager_data(found, wager) for wager in found.tables[0].wagers],
    }


def _wager_data(found: CountingComparison, first: WagerCounting) -> dict[str, Any]:
    target = first.target
    pairs = zip(found.tables, found.wager(target.name), strict=True)
    return {
        "name": target.name,
        "kind": target.kind,
        "unit": target.unit,
        "given": target.given,
        "tables": [_table_data(one, wager) for one, wager in pairs],
    }


def _table_data(one: Counting, wager: WagerCounting) -> dict[str, Any]:
    return {
        "decks": one.rules.shoe.decks,
        "seats": one.plan.seats,
        "sheet": sheet_identity(one.rules),
        "full_shoe_ev": wager.full_shoe.ev,
        **verdict_data(wager, one.plan),
        "by_cut": [cut_data(gains) for gains in wager.gains],
    }


def rows(found: CountingComparison) -> list[dict[str, Any]]:
    """Return one row for each wager and table."""
    return [
        _row(one, one.wager(first.target.name), origin(found.rules))
        for first in found.tables[0].wagers
        for one in found.tables
    ]


def _row(one: Counting, wager: WagerCounting, game: str) -> dict[str, Any]:
    at = wager.at_cut(one.plan.cut)
    perfect, counter = _players(one, wager, one.plan.cut)
    row: dict[str, Any] = {
        "game": game,
        "wager": wager.target.name,
        "unit": wager.target.unit,
        "decks": one.rules.shoe.decks,
        "seats": one.plan.seats,
        "cut": one.plan.cut,
        "rounds": None if at is None else at.rounds,
        "rounds_approximated": None if at is None else at.rounds_approximated,
        "rounds_left_out": None if at is None else at.rounds_left_out,
        "full_shoe_ev": wager.full_shoe.ev,
        **mean_columns("favorable", None if at is None else at.favorable),
        **mean_columns("perfect_gain", perfect.gain),
        "best_count": counter.name,
        **mean_columns("count_gain", counter.gain),
    }
    for cut in _ENDS:
        perfect_there, counter_there = _players(one, wager, cut)
        row |= mean_columns(f"perfect_gain_at_{cut}", perfect_there.gain)
        row |= mean_columns(f"count_gain_at_{cut}", counter_there.gain)
    row |= mean_columns("perfect_dollars_per_hour", perfect.hourly)
    return row | mean_columns("count_dollars_per_hour", counter.hourly)


def _players(one: Counting, wager: WagerCounting, cut: int) -> tuple[_Player, _Player]:
    """Return the perfect player and the best counter with a cut card."""
    at = wager.at_cut(cut)
    if at is None:
        return _Player(None, None, None), _Player(None, None, None)
    perfect, counted = hourly_gains(at, wager.target, wager.stake, one.plan)
    best = at.best_count
    counter = _Player(None, None, None) if best is None else _Player(best.gain, counted, best.count.name)
    return _Player(at.gain, perfect, None), counter


def document(found: CountingComparison) -> Document:
    """Return a table for each wager, with a row for each number of decks and seats."""
    return Document(f"{found.rules.name}: counting by decks and seats", tuple(_blocks(found)))


def _blocks(found: CountingComparison) -> Iterator[Block]:
    plan = found.plan
    yield from title_and_facts(
        found.rules,
        ("decks", _listed(found.decks)),
        ("seats", _listed(found.seats)),
        ("cut card", f"{plan.cut}%, compared with {_ENDS[0]}% and {_ENDS[1]}%"),
        ("settings", settings_text(found.rules)),
        ("count", plan.count.name),
        ("bets", bets_text(found.rules, plan)),
        ("limits", limits_text(found.rules, plan)),
        ("sample", f"for each table, {sample_text(found.tables[0].wagers, plan)}"),
    )
    yield Paragraph(
        "EV: from the full shoe. Favorable: percent of the rounds. Perfect and count: gain per 100 rounds of a perfect "
        "player and of the best counter, one unit bet where it pays and nothing elsewhere, with standard errors, "
        f"at {plan.cut}% unless another cut card is named. $/hour: the gain at the bets and the pace above, with the "
        "spread on the main wager.",
        QUIET,
    )
    yield from rough_errors(found.tables[0].wagers, plan)
    for wager in found.tables[0].wagers:
        yield from _wager(found, wager)
    if not found.complete:
        asked = plural(len(found.decks) * len(found.seats), "table")
        yield Paragraph(f"Stopped early: {len(found.tables)} of {asked} are done.", QUIET)


def _wager(found: CountingComparison, first: WagerCounting) -> Iterator[Block]:
    target = first.target
    given = f", {target.given}" if target.given else ""
    unit = "dollars" if target.in_dollars else "units"
    stake = stake_text(found.rules, first, found.plan)
    yield Heading(target_title(target), f"EV per {unit_text(target)}{given}; gains in {unit}.{stake}")
    ends = [f"{player} {cut}%" for cut in _ENDS for player in ("perfect", "count")]
    headings = ("decks", "seats", "EV", "favorable", "perfect", "count", "by", *ends, "perfect $/hour", "count $/hour")
    wagers = found.wager(target.name)
    lines = [_line(one, wager) for one, wager in zip(found.tables, wagers, strict=True)]
    yield table(headings, lines, gap=2, repeat=2)
    yield from _small_shoes(found, wagers)


def _line(one: Counting, wager: WagerCounting) -> tuple[str, ...]:
    at = wager.at_cut(one.plan.cut)
    favorable = None if at is None else SampleMean(100 * at.favorable.mean, 100 * at.favorable.standard_error)
    perfect, counter = _players(one, wager, one.plan.cut)
    ends = [_gain(player.gain) for cut in _ENDS for player in _players(one, wager, cut)]
    return (
        str(one.rules.shoe.decks),
        str(one.plan.seats),
        wager_ev(wager, wager.full_shoe.ev),
        _gain(favorable),
        _gain(perfect.gain),
        _gain(counter.gain),
        counter.name or UNKNOWN,
        *ends,
        _amount(perfect.hourly),
        _amount(counter.hourly),
    )


def _small_shoes(found: CountingComparison, wagers: tuple[WagerCounting, ...]) -> Iterator[Block]:
    """Yield which share of rounds has approximate EVs, or none, with the deepest cut card: the most at any seats."""
    approximate: dict[int, float] = {}
    left_out: dict[int, float] = {}
    for one, wager in zip(found.tables, wagers, strict=True):
        if wager.gains:
            decks, deepest = one.rules.shoe.decks, wager.gains[-1]
            sampled = deepest.rounds + deepest.rounds_left_out
            approximate[decks] = max(approximate.get(decks, 0.0), deepest.rounds_approximated / sampled)
            left_out[decks] = max(left_out.get(decks, 0.0), deepest.rounds_left_out / sampled)
    if shares := _shares(approximate):
        yield Paragraph(
            f"Approximate, because the rounds had too few cards for the longest one: the EVs of up to {shares} of the "
            "sampled rounds, the last ones of a shoe.",
            QUIET,
        )
    if shares := _shares(left_out):
        yield Paragraph(f"Left out, because they had too few cards: up to {shares} of the sampled rounds.", QUIET)


def _shares(by_decks: dict[int, float]) -> str:
    return ", ".join(f"{share:.1%} with {plural(decks, 'deck')}" for decks, share in by_decks.items() if share)


def _gain(found: SampleMean | None) -> str:
    return UNKNOWN if found is None else gain_text(found)


def _amount(found: SampleMean | None) -> str:
    """Return dollars with a standard error."""
    if found is None:
        return UNKNOWN
    return mean_text(found, min(decimals(found.standard_error), 2))


def _listed(numbers: tuple[int, ...]) -> str:
    return ", ".join(map(str, numbers))

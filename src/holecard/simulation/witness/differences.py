"""Describe where a round at the table, or as the kernels report it, differs from the referee's ruling.

The table must pay what the referee rules, wager by wager, to the cent. The kernels must report the same net result as
an exact fraction, because they do not round.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from holecard.deck import Card
from holecard.kernels.play.lookup import DEALER_CARDS
from holecard.money import dollars, signed_dollars
from holecard.sheets.tables import Tables
from holecard.simulation.results import InsuranceSample, SeatResult, WagerSample
from holecard.simulation.witness.plain_hands import counts, value
from holecard.simulation.witness.referee import PaidWager, RefereeRuling, SeatStakes
from holecard.table.events import Result
from holecard.wagers.pay_table import SideWager


@dataclass(frozen=True, slots=True)
class AtTable:
    """A round played at a table."""

    actions: tuple[tuple[int, str], ...]
    """(seat, action) as the charts chose"""
    open: tuple[frozenset[str], ...]
    """[action] what the table offered"""
    dealer: tuple[Card, ...]
    results: tuple[Result, ...]
    gained: tuple[int, ...]
    """[seat] change of the bankroll in cents"""


@dataclass(frozen=True, slots=True)
class Simulated:
    """The kernels' counts, reported like any run."""

    tables: Tables
    seats: tuple[SeatResult, ...]
    insurance: InsuranceSample | None
    dealers: Mapping[tuple[int, ...], int]
    endings: Mapping[tuple[int, ...], int]


def table_differs(played: AtTable, ruling: RefereeRuling) -> Iterator[str]:
    """Yield each difference between a round at the table and the ruling, as text."""
    if played.actions != ruling.actions:
        by_rules = _format_actions(ruling.actions)
        yield f"the table: {_format_actions(played.actions)}; by the chart and the rules: {by_rules}"
    for (seat, _), offered, allowed in zip(ruling.actions, played.open, ruling.open, strict=False):
        if offered != allowed:
            yield f"the table: seat {seat} may {_format_open(offered)}; by the rules {_format_open(allowed)}"
            break
    dealer = played.dealer
    if dealer != ruling.dealer[: len(dealer)] or (ruling.waits and len(dealer) < len(ruling.dealer)):
        yield f"the table: the dealer has {_format_cards(dealer)}; by the rules {_format_cards(ruling.dealer)}"
    paid = {(result.seat, result.hand, result.wager): result for result in played.results}
    due = {(one.seat, one.hand, one.wager): one for one in ruling.paid}
    for key in dict.fromkeys([*due, *paid]):
        yield from _wager_differs(paid.get(key), due.get(key))
    for seat, gained in enumerate(played.gained, start=1):
        owed = sum(one.net for one in ruling.paid if one.seat == seat)
        if gained != owed:
            yield f"the table: seat {seat} gains {signed_dollars(gained)}; by the rules {signed_dollars(owed)}"


def _wager_differs(paid: Result | None, due: PaidWager | None) -> Iterator[str]:
    """Yield the difference for one wager."""
    if due is None:
        yield f"the table: {paid}; by the rules, this wager does not exist"
    elif paid is None:
        yield f"the table: {_format_wager(due)} is not settled; by the rules {signed_dollars(due.net)}"
    elif (paid.stake, paid.net) != (due.stake, due.net):
        yield f"the table: {paid}; by the rules {signed_dollars(due.net)} on {dollars(due.stake)}"
    elif due.line is not None and due.line.name not in paid.line:
        yield f"the table: {paid}; by the rules the line is {due.line.name}"


def simulation_differs(found: Simulated, ruling: RefereeRuling, stakes: SeatStakes) -> Iterator[str]:
    """Yield each difference between one simulated round and the ruling, as text."""
    for number, seat in enumerate(found.seats, start=1):
        due = [one for one in ruling.paid if one.seat == number]
        for words in (*_main_differs(found.tables, seat, due, stakes), *_sides_differ(found.tables, seat, due)):
            yield f"simulated: seat {number} {words}"
    first_two = tuple(value(card) for card in ruling.dealer[:2])
    if found.dealers != {first_two: 1}:
        yield f"simulated: the dealer's first cards are {_keys(found.dealers)}; by the rules {first_two}"
    ending = min(counts(ruling.dealer)[0], 22), min(len(ruling.dealer), DEALER_CARDS)
    if found.endings != {ending: 1}:
        yield f"simulated: the dealer's total and cards are {_keys(found.endings)}; by the rules {ending}"
    won = {} if found.insurance is None else _occurred(found.insurance.histogram)
    if won != ({} if ruling.insurance is None else {ruling.insurance: 1}):
        due_words = "it is not offered" if ruling.insurance is None else str(ruling.insurance)
        yield f"simulated: insurance wins {_keys(won)} per unit; by the rules {due_words}"


def _main_differs(tables: Tables, seat: SeatResult, due: list[PaidWager], stakes: SeatStakes) -> Iterator[str]:
    """Compare the net result of all hands and the total stake, per unit of initial stake."""
    unit = stakes.main * (2 if tables.has_companion else 1)
    on_hands = [one for one in due if one.hand]
    net = sum((one.exact for one in on_hands), Fraction(0)) / unit
    if _occurred(seat.histogram) != {net: 1}:
        yield f"has a net result of {_keys(seat.histogram)} initial stakes; by the rules {net}"
    staked = Fraction(sum(one.stake for one in on_hands), unit)
    if seat.staked != staked:
        yield f"has {seat.staked} initial stakes at risk; by the rules {staked}"


def _sides_differ(tables: Tables, seat: SeatResult, due: list[PaidWager]) -> Iterator[str]:
    wagers = {wager.name: wager for wager in tables.wagers}
    for sample in seat.wagers:
        wager = wagers[sample.name]
        paid = [one for one in due if one.wager == wager.name and not one.hand]
        taxed = [one for one in due if one.wager == f"{wager.name} tax"]
        for words in _side_differs(wager, sample, paid, taxed):
            yield f"{wager.name}: {words}"


def _side_differs(
    wager: SideWager, sample: WagerSample, paid: list[PaidWager], taxed: list[PaidWager]
) -> Iterator[str]:
    """Compare the net result after tax, the line and the tax; `paid` is empty if the wager could not be placed."""
    in_dollars = wager.token or any(line.pays.fixed is not None for line in wager.lines)
    net: dict[Fraction, int] = {}
    if paid:
        unit = 100 if in_dollars else paid[0].stake
        net = {sum((one.exact for one in [*paid, *taxed]), Fraction(0)) / unit: 1}
    occurred = _occurred(sample.histogram)
    if occurred != net:
        yield f"a net result of {_keys(occurred)} per {sample.unit}; by the rules {_keys(net)}"
    names = [line.name for line in wager.lines]
    due_lines = [len(names) if one.line is None else wager.lines.index(one.line) for one in paid]
    lines = [index for index, line in enumerate(sample.lines) for _ in range(line.count)]
    if lines != due_lines:
        names_of = [[(*names, "none")[index] for index in which] for which in (lines, due_lines)]
        yield f"line {_keys(names_of[0])}; by the rules {_keys(names_of[1])}"
    taxes = [line.line for line in sample.taxes for _ in range(line.count)]
    due_taxes = [one.line.name for one in taxed if one.line]
    if taxes != due_taxes:
        yield f"tax on {_keys(taxes)}; by the rules {_keys(due_taxes)}"


def _occurred(histogram: Mapping[Fraction, int]) -> dict[Fraction, int]:
    return {net: count for net, count in histogram.items() if count}


def _keys(occurred: Iterable[object]) -> str:
    return " and ".join(map(str, occurred)) or "none"


def _format_cards(cards: Sequence[Card]) -> str:
    return " ".join(map(str, cards))


def _format_actions(actions: Iterable[tuple[int, str]]) -> str:
    return ", ".join(f"seat {seat} {action}" for seat, action in actions) or "no seat acts"


def _format_open(actions: frozenset[str]) -> str:
    return ", ".join(sorted(actions))


def _format_wager(one: PaidWager) -> str:
    return f"seat {one.seat}" + (f" hand {one.hand}" if one.hand else "") + f" {one.wager} {dollars(one.stake)}"

"""The EV of a side wager from many shoes: `wager_values`, and by upcard `wager_values_by_upcard`."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from holecard.composition import Composition
from holecard.errors import Refusal
from holecard.exact.main.batches import map_threads
from holecard.exact.shoe_values.dealer_wagers import dealer_wager, per_placed
from holecard.exact.shoe_values.first_cards import first_cards
from holecard.exact.shoe_values.shoe_counts import CARD_COUNTS, OnShoes, by_value, composition_of, shoe_counts
from holecard.exact.wagers.wager_outcomes import wager_outcomes
from holecard.exact.wagers.wager_values import reason_not_computed, wager_result
from holecard.kernels.arrays import Floats, Integers
from holecard.payoffs.wager_terms import BY_VALUE, wager_terms
from holecard.sheets.read import RulesLike, rules
from holecard.sheets.tables import Tables
from holecard.wagers.pay_table import SideWager

#: [shoe] or [shoe, column] values from [shoe, type] counts.
_Values: TypeAlias = Callable[[Integers], Floats]
_CHUNK = 256
#: Smaller shoes may hold too few cards for a round; they are valued one by one.
_FEW_CARDS = 8


def wager_values(
    game: RulesLike,
    wager_name: str,
    shoes: NDArray[Any],
    *,
    threads: int | None = None,
    on_progress: OnShoes | None = None,
) -> Floats:
    """Return [shoe] the EV of a side wager, as `analyze` gives it: per unit staked, or in dollars for fixed payouts.

    A wager placed before the deal is valued before the deal. One placed after the check is valued as if it were placed
    in each round in which neither side has a natural, whatever the cards are. NaN where a shoe cannot decide the wager.
    `threads` are all cores unless given. `on_progress` is called with the number of shoes done and the number of all.
    """
    tables = rules(game).tables
    wager = wager_of(tables, wager_name)
    values, fewest = _side_by_side(tables, wager)

    def alone(cards: Integers) -> float:
        return value_alone(tables, wager, composition_of(cards))

    return _in_chunks(shoes, values, fewest, alone, threads, on_progress)[:, 0]


def wager_values_by_upcard(
    game: RulesLike,
    wager_name: str,
    shoes: NDArray[Any],
    *,
    threads: int | None = None,
    on_progress: OnShoes | None = None,
) -> tuple[Floats, Floats]:
    """Return [shoe, v] the EV of a wager placed after the check given the upcard, and P(that upcard, and it is placed).

    EVs are given that the wager can be placed. Probabilities are per round: those of a shoe sum to the share of rounds
    in which it can be placed. The EV is NaN where it cannot be placed with an upcard; both are NaN where a shoe cannot
    decide the wager. The player's own cards are not looked at.
    """
    tables = rules(game).tables
    wager = wager_of(tables, wager_name)
    if not wager.after_check:
        raise Refusal(f"{wager.name} is placed before an upcard is seen; wager_values has its EV")
    by_upcard = [dealer_wager(tables, wager, upcard) for upcard in BY_VALUE]
    ready = [one for one in by_upcard if one is not None]

    def values(cards: Integers) -> Floats:
        of_values = by_value(cards)
        sums = np.array([one.sums(cards, of_values) for one in ready])
        net, placed = sums[:, 0].T, sums[:, 1].T
        evs = per_placed(net, placed)
        return np.concatenate([evs, np.where(np.isnan(evs), 0.0, placed)], axis=1)

    def alone(cards: Integers) -> Floats:
        return _alone_by_upcard(tables, wager, composition_of(cards))

    fewest = max((one.fewest for one in ready), default=np.inf)
    found = _in_chunks(shoes, values, max(fewest, _FEW_CARDS), alone, threads, on_progress, 2 * len(BY_VALUE))
    return found[:, : len(BY_VALUE)], found[:, len(BY_VALUE) :]


def _in_chunks(
    shoes: NDArray[Any],
    values: _Values,
    fewest: float,
    alone: Callable[[Integers], float | Floats],
    threads: int | None,
    on_progress: OnShoes | None,
    columns: int = 1,
) -> Floats:
    """Return [shoe, column] values: those of shoes with `fewest` cards or more side by side, others one by one."""
    counts = shoe_counts(shoes, CARD_COUNTS)
    every: Floats = np.full((len(counts), columns), np.nan)

    def value_chunk(rows: range) -> None:
        cards, found = counts[rows.start : rows.stop], every[rows.start : rows.stop]
        large = cards.sum(axis=1) >= fewest
        if large.any():
            found[large] = values(cards[large]).reshape(-1, columns)
        for row in np.flatnonzero(~large):
            found[row] = alone(cards[row])

    workers = threads or os.cpu_count() or 1
    chunks = [range(begin, min(begin + _CHUNK, len(counts))) for begin in range(0, len(counts), _CHUNK)]
    for begin in range(0, len(chunks), 4 * workers):
        group = chunks[begin : begin + 4 * workers]
        map_threads(value_chunk, group, workers)
        if on_progress is not None:
            on_progress(group[-1].stop, len(counts))
    return every


def value_alone(tables: Tables, wager: SideWager, shoe: Composition) -> float:
    """Return the EV of a wager from one shoe, counted exactly; NaN where the shoe cannot decide it."""
    try:
        if reason_not_computed(tables, wager, shoe) is None:
            return float(wager_result(tables, wager, shoe).exact)
    except (Refusal, ZeroDivisionError):  # too few cards for the dealer, or for any deal
        pass
    return float("nan")


def _alone_by_upcard(tables: Tables, wager: SideWager, shoe: Composition) -> Floats:
    """Return the EVs by upcard, then the probabilities, from one shoe, counted exactly."""
    found: Floats = np.full((2, len(BY_VALUE)), np.nan)
    try:
        if reason_not_computed(tables, wager, shoe) is None:
            outcomes = wager_outcomes(wager_terms(wager), tables, shoe)
            ways = Counter[int]()
            for (upcard, _), number in outcomes.ways.items():
                ways[upcard] += number
            for upcard, ev in wager_result(tables, wager, shoe).by_upcard:
                found[0, upcard - 1] = float(ev)
            found[1] = [ways[upcard] / (outcomes.total + outcomes.not_placed) for upcard in BY_VALUE]
    except (Refusal, ZeroDivisionError):  # too few cards for the dealer, or for any deal
        found[:] = np.nan
    return found.ravel()


def _side_by_side(tables: Tables, wager: SideWager) -> tuple[_Values, float]:
    """Return what values many shoes at once, and how many cards each of them must have."""
    if not wager_terms(wager).dealer_hands:
        return first_cards(wager).values, _FEW_CARDS
    on_dealer = dealer_wager(tables, wager)
    if on_dealer is None:
        return lambda cards: np.zeros(len(cards)), np.inf
    return lambda cards: on_dealer.values(cards, by_value(cards)), max(on_dealer.fewest, _FEW_CARDS)


def wager_of(tables: Tables, name: str) -> SideWager:
    """Return a side wager of a sheet by its name."""
    for wager in tables.wagers:
        if wager.name == name:
            return wager
    known = ", ".join(wager.name for wager in tables.wagers) or "none"
    raise Refusal(f"no side wager {name!r}; this game has: {known}")

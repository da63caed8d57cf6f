"""Compile side wagers into lookup tables, from the same terms as the exact mathematics."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from holecard.kernels.arrays import Integers
from holecard.kernels.play.lookup import CLASS_COUNT, DEALER_CARDS, RANK_COUNT
from holecard.kernels.play.side_wagers import SUIT_COUNT
from holecard.payoffs.made_hands import (
    CardQuery,
    CardTypes,
    depends_on_suits,
    hand_bits_of,
    number_of,
    renamings_for,
    suit_patterns,
)
from holecard.payoffs.wager_payoffs import WagerPayoffs
from holecard.payoffs.wager_terms import BY_VALUE, PlacedOutcome, Resolution, wager_terms
from holecard.sheets.tables import DEALER_NATURAL, Tables
from holecard.wagers.dealer_hands import DealerHand, Finished
from holecard.wagers.pay_table import SideWager


@dataclass(frozen=True)
class WagerTable:
    """One wager: first cards to a pattern of named hands, then pattern, upcard and dealer hand to an outcome."""

    wager: SideWager
    looks_at: int
    suits: Integers
    """[suits of the first cards] suit class"""
    made: Integers
    """[ranks of the first cards, suit class] pattern"""
    finishes: Integers
    """[ending of the dealer] finish class; all 0 if the final hand does not matter"""
    outcomes: Integers
    """[pattern, upcard, finish class] cell"""
    awaited: tuple[tuple[tuple[DealerHand, ...], ...], ...]
    """[pattern, upcard] the dealer hands that can still pay it"""
    cells: tuple[PlacedOutcome, ...]
    """[cell] its outcome; None if the wager cannot be placed"""

    @property
    def needs_dealer(self) -> bool:
        """Whether the dealer's final hand matters."""
        return bool(self.finishes.max())

    @cached_property
    def payoffs(self) -> WagerPayoffs:
        """The payoffs of the wager."""
        return WagerPayoffs(self.wager)

    @cached_property
    def nets(self) -> tuple[Fraction, ...]:
        """Every possible net result after tax, ascending."""
        return tuple(sorted({self.payoffs.net(outcome) for outcome in self.cells if outcome is not None}))

    @cached_property
    def net_of_cell(self) -> tuple[int | None, ...]:
        """[cell] index into `nets`; None if the wager cannot be placed."""
        return tuple(None if outcome is None else self.nets.index(self.payoffs.net(outcome)) for outcome in self.cells)

    @cached_property
    def lines(self) -> tuple[tuple[str, str, Fraction], ...]:
        """[line] name, odds as text, net result; the last entry is for a wager that no line pays."""
        lost = ("token kept", "nothing") if self.wager.token else ("loses", "lose")
        paid = [(line.name, str(line.pays), self.payoffs.paid(i)) for i, line in enumerate(self.wager.lines)]
        return (*paid, (*lost, self.payoffs.paid(None)))

    @cached_property
    def taxes(self) -> tuple[tuple[str, str, Fraction], ...]:
        """[tax line] name, tax as text, net result (negative)."""
        return tuple((line.name, str(line.pays), -self.payoffs.taxed(i)) for i, line in enumerate(self.wager.tax))


@lru_cache(maxsize=64)
def wager_table(tables: Tables, wager: SideWager) -> WagerTable:
    """Compile one wager of a sheet; programs for other charts share it."""
    terms = wager_terms(wager)
    query = terms.card_query(BY_VALUE)
    suits, cards = _every_hand(query)
    patterns, made = np.unique(_made(query, cards), return_inverse=True)
    resolutions = [
        [terms.resolve(pattern, upcard, peeked=upcard in tables.peeks_under) for upcard in BY_VALUE]
        for pattern in patterns.tolist()
    ]
    awaited = tuple(tuple(tuple(hand for hand, _ in resolution.cases) for resolution in row) for row in resolutions)
    finishes = _finishes(tuple(dict.fromkeys(hand for row in awaited for hands in row for hand in hands)))
    examples = {int(finish): _finished(ending) for ending, finish in reversed(list(enumerate(finishes)))}
    cells: dict[PlacedOutcome, int] = {}
    outcomes = [
        [
            [cells.setdefault(_outcome(resolution, examples[finish]), len(cells)) for finish in sorted(examples)]
            for resolution in row
        ]
        for row in resolutions
    ]
    return WagerTable(
        wager=wager,
        looks_at=query.size,
        suits=suits,
        made=made.reshape(RANK_COUNT**query.size, -1),
        finishes=finishes,
        outcomes=np.array(outcomes),
        awaited=awaited,
        cells=tuple(cells),
    )


def _every_hand(query: CardQuery) -> tuple[Integers, CardTypes]:
    """Return the suit classes, and [position, hand] all rank sequences with one example of every suit class."""
    hands = (*query.hands, *query.own)
    if any(map(depends_on_suits, hands)):
        classes = suit_patterns(query.size, renamings_for(hands))
    else:
        classes = np.zeros(SUIT_COUNT**query.size, np.int64)
    _, examples = np.unique(classes, return_index=True)
    ranks, suits = (
        _digits(np.arange(RANK_COUNT**query.size), RANK_COUNT, query.size),
        _digits(examples, SUIT_COUNT, query.size),
    )
    return classes, (4 * ranks[:, :, None] + suits[:, None, :]).reshape(query.size, -1).astype(np.int16)


def _digits(numbers: NDArray[np.intp], base: int, size: int) -> NDArray[np.intp]:
    """Return [position, number], the digits with the most significant first."""
    return np.array([numbers // base ** (size - 1 - place) % base for place in range(size)])


def _made(query: CardQuery, cards: CardTypes) -> Integers:
    """Return [hand] its pattern; hands that differ only in an irrelevant order are evaluated once."""
    ordered = cards.copy()
    ordered[: 2 if query.needs_seats else query.size].sort(axis=0)
    _, examples, alike = np.unique(number_of(ordered, 52), return_index=True, return_inverse=True)
    made: Integers = hand_bits_of(query, ordered[:, examples])[alike]
    return made


def _finishes(asked: tuple[DealerHand, ...]) -> Integers:
    """Return [ending] a class: endings in one class match the same dealer hands."""
    known: dict[tuple[bool, ...], int] = {}
    found = []
    for ending in range(CLASS_COUNT * (DEALER_CARDS + 1)):
        fits = tuple(hand.fits(_finished(ending)) for hand in asked)
        found.append(known.setdefault(fits, len(known)))
    return np.array(found)


def _finished(ending: int) -> Finished:
    """Return the dealer hand that an ending stands for."""
    dealer, cards = divmod(ending, DEALER_CARDS + 1)
    natural = dealer == DEALER_NATURAL
    return Finished(21 if natural else dealer, cards, natural)


def _outcome(resolution: Resolution, finished: Finished) -> PlacedOutcome:
    return next((outcome for hand, outcome in resolution.cases if hand.fits(finished)), resolution.otherwise)

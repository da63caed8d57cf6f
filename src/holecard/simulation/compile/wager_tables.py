"""Compile side wagers into lookup tables, from the same terms as the exact mathematics."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from holecard.exact.wagers.wager_values import Money
from holecard.kernels.play.lookup import CLASSES, DEALER_CARDS, RANKS
from holecard.kernels.play.side_wagers import SUITS
from holecard.payoffs.card_counts import (
    Cards,
    Look,
    hands_made,
    minds_suits,
    number_of,
    renamings_for,
    suit_patterns,
)
from holecard.payoffs.wager_terms import BY_VALUE, Placed, Settling, terms_of
from holecard.sheets.tables import DEALER_NATURAL, Tables
from holecard.wagers.dealer_hands import DealerHand, Finished
from holecard.wagers.pay_table import SideWager

Integers = NDArray[np.int64]


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
    cells: tuple[Placed, ...]
    """[cell] its outcome; None if the wager cannot be placed"""

    @property
    def needs_dealer(self) -> bool:
        """Whether the dealer's final hand matters."""
        return bool(self.finishes.max())

    @cached_property
    def money(self) -> Money:
        """The payoffs of the wager."""
        return Money(self.wager)

    @cached_property
    def nets(self) -> tuple[Fraction, ...]:
        """Every possible net result after tax, ascending."""
        return tuple(sorted({self.money.of(outcome) for outcome in self.cells if outcome is not None}))

    @cached_property
    def net_of_cell(self) -> tuple[int | None, ...]:
        """[cell] index into `nets`; None if the wager cannot be placed."""
        return tuple(None if outcome is None else self.nets.index(self.money.of(outcome)) for outcome in self.cells)

    @cached_property
    def lines(self) -> tuple[tuple[str, str, Fraction], ...]:
        """[line] name, odds as text, net result; the last entry is for a wager that no line pays."""
        lost = ("token kept", "nothing") if self.wager.token else ("loses", "lose")
        paid = [(line.name, str(line.pays), self.money.paid(i)) for i, line in enumerate(self.wager.lines)]
        return (*paid, (*lost, self.money.paid(None)))

    @cached_property
    def taxes(self) -> tuple[tuple[str, str, Fraction], ...]:
        """[tax line] name, tax as text, net result (negative)."""
        return tuple((line.name, str(line.pays), -self.money.taxed(i)) for i, line in enumerate(self.wager.tax))


def wager_table(tables: Tables, wager: SideWager) -> WagerTable:
    """Compile one wager of a sheet."""
    terms = terms_of(wager)
    look = terms.look(BY_VALUE)
    suits, cards = _every_hand(look)
    patterns, made = np.unique(_made(look, cards), return_inverse=True)
    settlings = [
        [terms.settling(pattern, upcard, looked=upcard in tables.peeks_under) for upcard in BY_VALUE]
        for pattern in patterns.tolist()
    ]
    awaited = tuple(tuple(tuple(hand for hand, _ in settling.cases) for settling in row) for row in settlings)
    finishes = _finishes(tuple(dict.fromkeys(hand for row in awaited for hands in row for hand in hands)))
    examples = {int(finish): _finished(ending) for ending, finish in reversed(list(enumerate(finishes)))}
    cells: dict[Placed, int] = {}
    outcomes = [
        [
            [cells.setdefault(_outcome(settling, examples[finish]), len(cells)) for finish in sorted(examples)]
            for settling in row
        ]
        for row in settlings
    ]
    return WagerTable(
        wager=wager,
        looks_at=look.size,
        suits=suits,
        made=made.reshape(RANKS**look.size, -1),
        finishes=finishes,
        outcomes=np.array(outcomes),
        awaited=awaited,
        cells=tuple(cells),
    )


def _every_hand(look: Look) -> tuple[Integers, Cards]:
    """Return the suit classes, and [position, hand] all rank sequences with one example of every suit class."""
    hands = (*look.hands, *look.own)
    if any(map(minds_suits, hands)):
        classes = suit_patterns(look.size, renamings_for(hands))
    else:
        classes = np.zeros(SUITS**look.size, np.int64)
    _, examples = np.unique(classes, return_index=True)
    ranks, suits = _digits(np.arange(RANKS**look.size), RANKS, look.size), _digits(examples, SUITS, look.size)
    return classes, (4 * ranks[:, :, None] + suits[:, None, :]).reshape(look.size, -1).astype(np.int16)


def _digits(numbers: NDArray[np.intp], base: int, size: int) -> NDArray[np.intp]:
    """Return [position, number], the digits with the most significant first."""
    return np.array([numbers // base ** (size - 1 - place) % base for place in range(size)])


def _made(look: Look, cards: Cards) -> Integers:
    """Return [hand] its pattern; hands that differ only in an irrelevant order are evaluated once."""
    ordered = cards.copy()
    ordered[: 2 if look.asks_seats else look.size].sort(axis=0)
    _, examples, alike = np.unique(number_of(ordered, 52), return_index=True, return_inverse=True)
    made: Integers = hands_made(look, ordered[:, examples])[alike]
    return made


def _finishes(asked: tuple[DealerHand, ...]) -> Integers:
    """Return [ending] a class: endings in one class match the same dealer hands."""
    known: dict[tuple[bool, ...], int] = {}
    found = []
    for ending in range(CLASSES * (DEALER_CARDS + 1)):
        fits = tuple(hand.fits(_finished(ending)) for hand in asked)
        found.append(known.setdefault(fits, len(known)))
    return np.array(found)


def _finished(ending: int) -> Finished:
    """Return the dealer hand that an ending stands for."""
    dealer, cards = divmod(ending, DEALER_CARDS + 1)
    natural = dealer == DEALER_NATURAL
    return Finished(21 if natural else dealer, cards, natural)


def _outcome(settling: Settling, finished: Finished) -> Placed:
    return next((outcome for hand, outcome in settling.cases if hand.fits(finished)), settling.otherwise)

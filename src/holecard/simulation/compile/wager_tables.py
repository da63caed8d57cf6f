"""Side wagers made ready to be looked up. Words are asked where the exact mathematics asks them."""

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
    """One wager: from the cards looked at to a pattern, from there to an outcome."""

    wager: SideWager
    looks_at: int
    suits: Integers
    """[suits] their class"""
    made: Integers
    """[ranks, class of suits] the pattern of hands made"""
    finishes: Integers
    """[dealer's ending] its class, one for all where none matters"""
    outcomes: Integers
    """[pattern, upcard, class of ending] the cell"""
    awaited: tuple[tuple[tuple[DealerHand, ...], ...], ...]
    """[pattern, upcard] the dealer's hands that it may still be paid for"""
    cells: tuple[Placed, ...]
    """what each cell stands for; None: the wager could not be placed"""

    @property
    def needs_dealer(self) -> bool:
        """The dealer's finished hand matters."""
        return bool(self.finishes.max())

    @cached_property
    def money(self) -> Money:
        """What the wager wins."""
        return Money(self.wager)

    @cached_property
    def nets(self) -> tuple[Fraction, ...]:
        """Every net result there can be, tax included, in order."""
        return tuple(sorted({self.money.of(outcome) for outcome in self.cells if outcome is not None}))

    @cached_property
    def net_of_cell(self) -> tuple[int | None, ...]:
        """[cell] its place among `nets`; None where the wager could not be placed."""
        return tuple(None if outcome is None else self.nets.index(self.money.of(outcome)) for outcome in self.cells)

    @cached_property
    def lines(self) -> tuple[tuple[str, str, Fraction], ...]:
        """[line] its name, what it pays in words, and its net result; the last is for a wager that no line pays."""
        lost = ("token kept", "nothing") if self.wager.token else ("loses", "lose")
        paid = [(line.name, str(line.pays), self.money.paid(i)) for i, line in enumerate(self.wager.lines)]
        return (*paid, (*lost, self.money.paid(None)))

    @cached_property
    def taxes(self) -> tuple[tuple[str, str, Fraction], ...]:
        """[tax line] the same; a tax is a negative net result."""
        return tuple((line.name, str(line.pays), -self.money.taxed(i)) for i, line in enumerate(self.wager.tax))


def wager_table(tables: Tables, wager: SideWager) -> WagerTable:
    """The table of one wager of a sheet."""
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
    """The classes of suits, and [place, hand] all ranks in order, each with one example of every class."""
    hands = (*look.hands, *look.own)
    if any(map(minds_suits, hands)):
        classes = suit_patterns(look.size, renamings_for(hands))
    else:
        classes = np.zeros(SUITS**look.size, np.int64)
    _, examples = np.unique(classes, return_index=True)
    ranks, suits = _digits(np.arange(RANKS**look.size), RANKS, look.size), _digits(examples, SUITS, look.size)
    return classes, (4 * ranks[:, :, None] + suits[:, None, :]).reshape(look.size, -1).astype(np.int16)


def _digits(numbers: NDArray[np.intp], base: int, size: int) -> NDArray[np.intp]:
    """[place, number] the digits, the first one first."""
    return np.array([numbers // base ** (size - 1 - place) % base for place in range(size)])


def _made(look: Look, cards: Cards) -> Integers:
    """[hand] the hands it makes; those that differ only in an order nobody minds are tried once."""
    ordered = cards.copy()
    ordered[: 2 if look.asks_seats else look.size].sort(axis=0)
    _, examples, alike = np.unique(number_of(ordered, 52), return_index=True, return_inverse=True)
    made: Integers = hands_made(look, ordered[:, examples])[alike]
    return made


def _finishes(asked: tuple[DealerHand, ...]) -> Integers:
    """[ending] numbered so that those of one number are alike for all hands asked for."""
    known: dict[tuple[bool, ...], int] = {}
    found = []
    for ending in range(CLASSES * (DEALER_CARDS + 1)):
        fits = tuple(hand.fits(_finished(ending)) for hand in asked)
        found.append(known.setdefault(fits, len(known)))
    return np.array(found)


def _finished(ending: int) -> Finished:
    """The dealer's hand that an ending counts."""
    dealer, cards = divmod(ending, DEALER_CARDS + 1)
    natural = dealer == DEALER_NATURAL
    return Finished(21 if natural else dealer, cards, natural)


def _outcome(settling: Settling, finished: Finished) -> Placed:
    return next((outcome for hand, outcome in settling.cases if hand.fits(finished)), settling.otherwise)

"""Side wagers on the dealer's finished hand, from many shoes.

Let r[u, f] be what a wager pays against upcard u and finish f, and E(r; cards) its expected value when the dealer draws
from those cards. Most deals resolve a wager in the same way, the *usual* one. The player's two cards are unseen in that
way, so their sum is E(r; whole shoe), and the other deals correct it:

    EV = E(usual; shoe) + sum over the player's two of P(two) * E(r of the two - usual; shoe without them)

A wager placed after the check is not placed in some deals. The same sum of 1 where it is placed divides its EV.
A correction that is the same for every finish needs no walk over the dealer's hands.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from holecard.deck import VALUES
from holecard.exact.shoe_values.first_cards import hand_table
from holecard.exact.wagers.dealer_counts import DrawingRule, Finish, drawing_rule
from holecard.kernels.arrays import Floats, Integers
from holecard.kernels.shoe_values.dealer_sums import FinishTree, sum_finishes
from holecard.payoffs.made_hands import HandBits
from holecard.payoffs.wager_payoffs import WagerPayoffs
from holecard.payoffs.wager_terms import BY_VALUE, DEALER_NATURAL_HAND, PlacedOutcome, WagerTerms, wager_terms
from holecard.sheets.tables import Tables
from holecard.wagers.dealer_hands import DealerHand
from holecard.wagers.pay_table import SideWager

#: A smaller probability of placing a wager is a rounded 0.
_ROUNDING = 1e-13


@dataclass(frozen=True)
class _Row:
    """What a wager pays, split into a part for the upcard alone and what finished hands pay beyond it."""

    by_upcard: Floats
    """[v]"""
    pay: Floats | None
    """[entry] for `sum_finishes`; None where no finish matters"""

    def expected(self, tree: FinishTree, left: Floats) -> Floats:
        """Return [lane] E(row; left), for `left[v, lane]`."""
        found = self.by_upcard @ left / np.maximum(left.sum(axis=0), 1.0)
        if self.pay is not None:
            drawn = np.empty(left.shape[1])
            sum_finishes(left, tree, self.pay, drawn)
            found += drawn
        return np.asarray(found)


@dataclass(frozen=True)
class _Correction:
    """Deals that do not resolve the wager in the usual way: the player's two cards by value, and the difference."""

    own: Floats
    """[v] the player's cards"""
    first: Integers
    second: Integers
    """[two cards] their types"""
    net: _Row
    placed: _Row

    def probability(self, left: Integers) -> Floats:
        """Return [shoe] P(the player gets two such cards)."""
        cards = left.sum(axis=1)
        alike = self.first == self.second
        two = left[:, self.first] * (left[:, self.second] - alike) / np.where(alike, 2, 1)
        return np.asarray(two.sum(axis=1) / (cards * (cards - 1) / 2))


@dataclass(frozen=True)
class DealerWager:
    """A wager on the dealer's finished hand, ready to be valued."""

    tree: FinishTree
    net: _Row
    placed: _Row
    corrections: tuple[_Correction, ...]
    fewest: int
    """From a shoe with fewer cards, a dealer could run out of them."""

    def values(self, left: Integers, values: Integers) -> Floats:
        """Return [shoe] the EV from `left[shoe, type]` and `values[shoe, v]`; NaN where it cannot be placed."""
        return per_placed(*self.sums(left, values))

    def sums(self, left: Integers, values: Integers) -> tuple[Floats, Floats]:
        """Return [shoe] the average net result of all deals, and P(it is placed): 0 counts where it is not placed."""
        whole = np.ascontiguousarray(values.T, np.float64)
        net, placed = (row.expected(self.tree, whole) for row in (self.net, self.placed))
        for one in self.corrections:
            probability, without = one.probability(left), whole - one.own[:, None]
            net += probability * one.net.expected(self.tree, without)
            placed += probability * one.placed.expected(self.tree, without)
        return net, placed


def per_placed(net: Floats, placed: Floats) -> Floats:
    """Return the EV given that a wager is placed; NaN where it cannot be."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(placed > _ROUNDING, net / placed, np.nan)


@lru_cache(maxsize=256)
def dealer_wager(tables: Tables, wager: SideWager, upcard: int | None = None) -> DealerWager | None:
    """Return a wager, ready to be valued; None where its named hands look at more than the player's two cards.

    With an `upcard`, by value, the wager is not placed against any other.
    """
    terms = wager_terms(wager)
    if terms.size > 2:
        return None
    asked = tuple(dict.fromkeys([DEALER_NATURAL_HAND, *terms.dealer_hands]))
    rule = drawing_rule(tables.dealer_draws, asked, 1)
    made, hand_bits = hand_table(terms.card_query(BY_VALUE))
    usual = Counter(made.ravel().tolist()).most_common(1)[0][0]
    tree, closing = _finish_tree(rule)
    finishes = list(dict.fromkeys(finish for _, finish in rule.ways))
    links = _links(rule, finishes)
    resolved = [_payoffs(terms, tables, bits, finishes, asked) for bits in hand_bits]
    if upcard is not None:
        only = np.equal(BY_VALUE, upcard)[:, None]
        resolved = [(net * only, placed * only) for net, placed in resolved]

    def row(amounts: Floats) -> _Row:
        return _row(amounts, links, closing, len(rule.closings))

    corrections = []
    for own, number, first, second in _deals(made):
        other = [some - as_usual for some, as_usual in zip(resolved[number], resolved[usual], strict=True)]
        if any(amounts.any() for amounts in other):
            corrections.append(_Correction(own, first, second, *map(row, other)))
    net, placed = map(row, resolved[usual])
    return DealerWager(tree, net, placed, tuple(corrections), rule.longest + 2)


def _payoffs(
    terms: WagerTerms, tables: Tables, bits: HandBits, finishes: list[Finish], asked: tuple[DealerHand, ...]
) -> tuple[Floats, Floats]:
    """Return [v of the upcard, finish] the net result, 0 where it is not placed, and 1 where it is placed.

    The first finish, 0, stands for every hand that nothing asks for.
    """
    payoffs, numbers = WagerPayoffs(terms.wager), {hand: number for number, hand in enumerate(asked)}

    def outcome(upcard: int, finish: Finish) -> PlacedOutcome:
        resolution = terms.resolve(bits, upcard, peeked=upcard in tables.peeks_under)
        return next((end for hand, end in resolution.cases if numbers[hand] in finish), resolution.otherwise)

    ends = [[outcome(upcard, finish) for finish in ((), *finishes)] for upcard in BY_VALUE]
    net = [[0.0 if end is None else float(payoffs.net(end)) for end in row] for row in ends]
    return np.array(net), np.array([[float(end is not None) for end in row] for row in ends])


def _deals(made: Integers) -> list[tuple[Floats, int, Integers, Integers]]:
    """Return the player's two cards by value and number of hands made: [v] cards, the number, [two cards] types."""
    first, second = np.triu_indices(len(VALUES))
    values = np.array(VALUES) - 1
    own = np.eye(10)[values[first]] + np.eye(10)[values[second]]
    keys = np.column_stack([own.astype(np.int64), made[first, second]])
    distinct, of = np.unique(keys, axis=0, return_inverse=True)
    of = of.ravel()
    return [
        (key[:-1].astype(np.float64), int(key[-1]), first[of == at], second[of == at])
        for at, key in enumerate(distinct)
    ]


# The dealer's hands


def _finish_tree(rule: DrawingRule) -> tuple[FinishTree, Integers]:
    """Return the unfinished hands as a tree, and [entry] the closing that it belongs to."""
    path_of = [
        tuple(value for value, number in sorted(hand.held, reverse=True) for _ in range(number)) for hand in rule.hands
    ]
    closings: dict[tuple[int, ...], list[int]] = {path[:size]: [] for path in path_of for size in range(1, len(path))}
    closings |= {path: [] for path in path_of}
    for number, closing in enumerate(rule.closings):
        closings[path_of[closing.hand]].append(number)
    paths = sorted(closings)
    entries = [
        [(value - 1, path.count(value), number) for number in closings[path] for value in rule.closings[number].values]
        for path in paths
    ]
    flat = np.array([entry for of_node in entries for entry in of_node], np.int64).reshape(-1, 3)
    tree = FinishTree(
        size=np.array([len(path) for path in paths], np.int64),
        card=np.array([path[-1] - 1 for path in paths], np.int64),
        used=np.array([path.count(path[-1]) - 1 for path in paths], np.float64),
        entries=np.cumsum([0, *map(len, entries)], dtype=np.int64),
        last=flat[:, 0].copy(),
        own=flat[:, 1].astype(np.float64),
    )
    return tree, flat[:, 2].copy()


def _links(rule: DrawingRule, finishes: list[Finish]) -> Integers:
    """Return [link] (closing, v of the upcard, number of the finish, orders): every way from an upcard to a finish."""
    number = {finish: at for at, finish in enumerate(finishes, start=1)}
    return np.array(
        [
            (closing, start[0] - 1, number[finish], orders)
            for (start, finish), adds in rule.ways.items()
            for closing, orders in adds
        ],
        np.int64,
    ).reshape(-1, 4)


def _row(amounts: Floats, links: Integers, closing: Integers, closings: int) -> _Row:
    """Return what `amounts[v of the upcard, finish]` pay, for the kernel."""
    which, upcard, finish, orders = links.T
    beyond = (amounts[upcard, finish] - amounts[upcard, 0]) * orders
    pay: Floats = np.bincount(which, beyond, closings).astype(np.float64)[closing]
    return _Row(np.ascontiguousarray(amounts[:, 0]), pay if pay.any() else None)

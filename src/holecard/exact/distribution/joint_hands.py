"""How several hands of one split pair end together, summed exactly against every ending of the dealer.

Hands that end in a plain bust are left out: how often a hand busts is what is left of the whole. All other ends are
combined hand by hand, and ways that draw the same cards with the same results are merged before the dealer is summed.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import factorial

import numpy as np
from numpy.typing import NDArray

from holecard.exact.main.dealer_outcomes import DealerEndings
from holecard.exact.main.prepared_game import TEN, Game
from holecard.exact.main.solve import Plans
from holecard.kernels.exact.actions import DOUBLE_UP, Plan
from holecard.kernels.exact.forward import paths
from holecard.kernels.exact.joint_states import joint_states, numbered
from holecard.kernels.exact.level_outcomes import sum_joint
from holecard.kernels.exact.stand import chances_of_orders
from holecard.payoffs.stakes import StakesOnHand
from holecard.sheets.tables import BUST, CLASSES

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Words = NDArray[np.uint64]

#: Most hands combined exactly, whatever it costs: more do not fit the packed words.
MOST_JOINT = 4
#: Bits for the cards of each rank that `MOST_JOINT` hands can draw, and a guard bit on top.
_WIDTHS = (8, 7, 6, 6, 6, 6, 5, 5, 5, 5)
_SHIFTS = np.cumsum([0, *_WIDTHS[:-1]]).astype(np.uint64)
_FIELDS = np.array([(1 << (width - 1)) - 1 for width in _WIDTHS], np.uint64)
_GUARDS = np.uint64(sum(1 << (int(shift) + width - 1) for shift, width in zip(_SHIFTS, _WIDTHS, strict=True)))
_PAIRED = 8
"""More than the most hands that are counted as paired again."""

#: The first card drawn is of another value than the pair's, or of the pair's value. Where two tens of the rank that was
#: split are played differently from other tens, PAIRED means only those, and OTHER_TEN a ten of another rank.
UNPAIRED, PAIRED, OTHER_TEN = range(3)


@dataclass(frozen=True)
class Ends:
    """The ways one hand of the pair can end, a plain bust left out: [end] arrays."""

    cards: Floats
    """[rank, end] drawn to the card of the pair"""
    of_class: Integers
    """[end] its class below"""
    ways: Floats
    """[end] orders of its cards"""
    paired: Integers
    """[end] what the first card drawn is: UNPAIRED, PAIRED or OTHER_TEN"""
    carries: Integers
    """[class] 0 plain, 1 doubled, 2 doubled up"""
    player: Integers
    """[class] a settlement class; others may settle alike"""


@dataclass(frozen=True)
class Joint:
    """Probabilities of some hands' results. The original hand is the first class of a group where it settles apart."""

    classes: Integers
    """[group, hand] class of each hand"""
    paired: Integers
    """[group] how many hands, the original not counted where it is apart, are PAIRED"""
    other_tens: Integers
    """[group] how many of them are OTHER_TEN"""
    original_paired: Integers
    """[group] what the original is, where it is apart, else 0"""
    levels: Integers
    sums: Floats
    """[level, group, ending] for that many cards of the pair out; hands in order"""


def tens_apart(game: Game, plans: Plans, rank: int, start: int) -> bool:
    """Two tens of the rank that was split are played differently from other tens."""
    tens = plans.tens if rank == TEN else None
    return tens is not None and bool(tens[start] != plans.after[game.hands.two[TEN, TEN], start])


def ends_of(game: Game, endings: DealerEndings, plans: Plans, rank: int, start: int, *, by_pairing: bool) -> Ends:
    """How a hand made by splitting ends; `by_pairing` keeps apart whether its next card is of the pair's value."""
    hands = game.hands
    plan = plans.lone if game.is_lone(rank) else plans.after
    one = hands.number[tuple(int(r == rank) for r in range(len(hands.cards[0])))]
    two = int(hands.longer[one, rank])
    begun = _orders(game, plan, one, start)
    sorts = [(UNPAIRED, plan, begun)]
    if by_pairing or tens_apart(game, plans, rank, start):
        again = _orders(game, plan, two, start)
        sorts = [(UNPAIRED, plan, begun - again), (PAIRED, plan, again)]
        if tens_apart(game, plans, rank, start):
            assert plans.tens is not None
            by_rank = plan.copy()
            by_rank[two] = plans.tens
            sorts = [sorts[0], (PAIRED, by_rank, _orders(game, by_rank, two, start)), (OTHER_TEN, plan, again)]
    found = [_of_sort(game, plan, start, orders) for _, plan, orders in sorts]
    cards, carries, player, ways = (np.concatenate(parts) for parts in zip(*found, strict=True))
    cards[:, rank] -= 1
    classes, of_class = _classes(game, endings, carries, player)
    return Ends(
        cards=cards.T.copy(),
        of_class=of_class,
        ways=ways,
        paired=np.concatenate(
            [np.full(of_sort[3].size, paired) for (paired, _, _), of_sort in zip(sorts, found, strict=True)]
        ),
        carries=carries[classes],
        player=player[classes],
    )


def _orders(game: Game, plan: Plan, first: int, start: int) -> Floats:
    """[stands, stands with a doubling card, doubles; hand] orders of cards that lead there from a first hand."""
    found = np.zeros((3, game.hands.size.size))
    paths(first, game.arrays, plan, start, *found)
    return found


def _of_sort(game: Game, plan: Plan, start: int, orders: Floats) -> tuple[Floats, Integers, Integers, Floats]:
    """[end, rank] cards, then [end] what it carries, its settlement class and its orders."""
    hands = game.hands
    stands, doubled, doubles = (np.flatnonzero(ways) for ways in orders)
    busts = [(hand, card) for hand in doubles for card in np.flatnonzero(hands.longer[hand] < 0)]
    bust_hand = np.array([hand for hand, _ in busts], np.int64)
    bust_card = np.eye(hands.cards.shape[1])[[card for _, card in busts]].reshape(-1, hands.cards.shape[1])
    raised = plan[stands, start] == DOUBLE_UP
    return (
        np.concatenate([hands.cards[stands], hands.cards[doubled], hands.cards[bust_hand] + bust_card]),
        np.concatenate([np.where(raised, 2, 0), np.ones(doubled.size + bust_hand.size, np.int64)]),
        np.concatenate([game.classes[stands], game.classes[doubled], np.full(bust_hand.size, BUST)]),
        np.concatenate([ways[hand] for ways, hand in zip(orders, (stands, doubled, bust_hand), strict=True)]),
    )


def _classes(game: Game, endings: DealerEndings, carries: Integers, player: Integers) -> tuple[Integers, Integers]:
    """([class] an end of it, [end] its class): ends with one stake that settle alike are one."""
    kind = carries * CLASSES + player
    kinds, first, of_kind = np.unique(kind, return_index=True, return_inverse=True)
    dealers = list(endings.classes)
    known: dict[tuple[float, ...], int] = {}
    number = np.empty(kinds.size, np.int64)
    found: list[int] = []
    for k, at in enumerate(first):
        rows = [
            game.rows.every[by + carries[at], player[at]][dealers] for by in (StakesOnHand.ORIGINAL, StakesOnHand.ADDED)
        ]
        key = (float(carries[at] > 0), *rows[0], *rows[1])
        if key not in known:
            known[key] = len(found)
            found.append(int(at))
        number[k] = known[key]
    return np.array(found, np.int64), number[of_kind.ravel()]


class JointStates:
    """The states of one hand, two hands and more of a pair."""

    def __init__(self, ends: Ends, left: Floats, rank: int, *, original_apart: bool) -> None:
        self.ends, self.left, self.rank, self.original_apart = ends, left, rank, original_apart
        self.most = MOST_JOINT
        #: Of the lowest digits of a word: one for hands that are PAIRED, another for OTHER_TEN where there are any.
        self.lowest = _PAIRED ** max(int(ends.paired.max(initial=PAIRED)), PAIRED)
        while self._largest_word() >= 1 << 63:
            self.most -= 1
        self.cards: Words = (ends.cards.astype(np.uint64) << _SHIFTS[:, None]).sum(axis=0, dtype=np.uint64)
        room = np.minimum(left, _FIELDS.astype(np.float64)).astype(np.uint64)
        self.room = np.uint64((room << _SHIFTS).sum(dtype=np.uint64))
        self.states: list[tuple[Words, Words, Floats]] = []
        self.find(2)

    @property
    def base(self) -> int:
        return self.most + 1

    def _largest_word(self) -> int:
        classes = len(self.ends.carries)
        return int(self.lowest * (self.most + 1) ** classes * (3 * (classes + 1) if self.original_apart else 1))

    def _words(self) -> Words:
        powers = np.array([self.lowest * self.base**c for c in range(len(self.ends.carries))], np.uint64)
        return powers[self.ends.of_class] + np.array([0, 1, _PAIRED], np.uint64)[self.ends.paired]

    def find(self, hands: int) -> None:
        """Combine up to so many hands."""
        size, cards, ends, ways = joint_states(self.cards, self._words(), self.ends.ways, hands, self.room, _GUARDS)
        self.states = [(cards[n, : size[n]], ends[n, : size[n]], ways[n, : size[n]]) for n in range(hands + 1)]

    def size(self, hands: int) -> int:
        return int(self.states[hands][0].size)

    def joint(self, endings: DealerEndings, start: int, hands: int, levels: Integers, *, original: bool) -> Joint:
        """The chances of so many hands, the original among them where it is apart."""
        cards, ends, ways = self._with_original(hands) if original else self.states[hands]
        ways = ways * float(factorial(hands - 1 if original else hands))
        number, different = numbered(cards)
        group, words = numbered(ends)
        sums = np.zeros((levels.size, words.size, len(endings.classes)))
        dealer = endings.dealer
        sum_joint(
            self.left,
            self.rank,
            levels,
            different,
            _SHIFTS,
            _FIELDS,
            number,
            group,
            ways,
            start,
            int(dealer.starts.natural[start]),
            dealer.tree,
            endings.arrays,
            chances_of_orders(np.int64(self.left.sum()), np.int64(dealer.tree.deepest[start])),
            sums,
        )
        return self._read(words, hands, levels, sums, original=original)

    def _with_original(self, hands: int) -> tuple[Words, Words, Floats]:
        """Every end of the original with every state of the other hands."""
        cards, ends, ways = self.states[hands - 1]
        top = self.lowest * self.base ** len(self.ends.carries)
        own = (3 * (self.ends.of_class + 1) + self.ends.paired).astype(np.uint64) * np.uint64(top)
        all_cards = (self.cards[:, None] + cards[None, :]).ravel()
        fits = ((self.room | _GUARDS) - all_cards) & _GUARDS == _GUARDS
        all_ends = (own[:, None] + ends[None, :]).ravel()
        all_ways = (self.ends.ways[:, None] * ways[None, :]).ravel()
        return all_cards[fits], all_ends[fits], all_ways[fits]

    def _read(self, words: Words, hands: int, levels: Integers, sums: Floats, *, original: bool) -> Joint:
        """The groups' words taken apart."""
        rest, paired = (words // np.uint64(self.lowest)).astype(np.int64), words % np.uint64(self.lowest)
        n_classes, classes = len(self.ends.carries), []
        original_paired = np.zeros(words.size, np.int64)
        if original:
            rest, own = rest % self.base**n_classes, rest // self.base**n_classes
            classes.append(own // 3 - 1)
            original_paired = own % 3
        counts = np.array([(rest // self.base**c) % self.base for c in range(n_classes)])
        others = hands - len(classes)
        if others:
            which = np.repeat(np.tile(np.arange(n_classes), words.size), counts.T.ravel())
            classes.extend(which.reshape(words.size, others).T)
        return Joint(
            classes=np.array(classes).reshape(hands, words.size).T,
            paired=(paired % np.uint64(_PAIRED)).astype(np.int64),
            other_tens=(paired // np.uint64(_PAIRED)).astype(np.int64),
            original_paired=original_paired,
            levels=levels,
            sums=sums,
        )

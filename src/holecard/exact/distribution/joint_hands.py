"""How several hands of one split pair end together, summed exactly against every dealer outcome.

Hands that end in a plain bust are left out: the probability of a bust is what the others leave. All other ends are
combined hand by hand, and combinations that draw the same cards with the same results are merged before the dealer is
summed.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import factorial

import numpy as np

from holecard.exact.main.dealer_outcomes import DealerOutcomes
from holecard.exact.main.prepared_game import TEN, PreparedGame
from holecard.exact.main.solve import Policies
from holecard.kernels.arrays import Floats, Integers, UInt64s
from holecard.kernels.exact.actions import DOUBLE_UP_CODE, ActionCodes
from holecard.kernels.exact.forward import paths
from holecard.kernels.exact.joint_states import joint_states, numbered
from holecard.kernels.exact.level_outcomes import sum_joint
from holecard.kernels.exact.stand import order_probabilities
from holecard.payoffs.stakes import StakesOnHand
from holecard.sheets.tables import BUST, CLASSES

#: The most hands that are combined exactly: more do not fit the packed words.
MOST_JOINT = 4
#: Bits for the cards of each value that `MOST_JOINT` hands can draw, and a guard bit on top.
_WIDTHS = (8, 7, 6, 6, 6, 6, 5, 5, 5, 5)
_SHIFTS = np.cumsum([0, *_WIDTHS[:-1]]).astype(np.uint64)
_FIELDS = np.array([(1 << (width - 1)) - 1 for width in _WIDTHS], np.uint64)
_GUARDS = np.uint64(sum(1 << (int(shift) + width - 1) for shift, width in zip(_SHIFTS, _WIDTHS, strict=True)))
_PAIRED = 8
"""A number above the hands that can be counted as paired again."""

#: The first card drawn has another value than the pair (UNPAIRED) or the pair's value (PAIRED). Where two tens of the
#: rank that was split are played differently from other tens, PAIRED means only those, and OTHER_TEN other ranks.
UNPAIRED, PAIRED, OTHER_TEN = range(3)


@dataclass(frozen=True)
class Ends:
    """The ways one hand of the pair can end, without a plain bust: [end] arrays."""

    cards: Floats
    """[v, end] cards drawn to the card of the pair"""
    of_class: Integers
    """[end] its class below"""
    ways: Floats
    """[end] orders of its cards"""
    paired: Integers
    """[end] the first card drawn: UNPAIRED, PAIRED or OTHER_TEN"""
    stakes: Integers
    """[class] 0 plain, 1 doubled, 2 doubled up"""
    player: Integers
    """[class] a settlement class; others may settle the same way"""


@dataclass(frozen=True)
class Joint:
    """Probabilities of some hands' results. Where the original hand settles apart, it is the first class of a group."""

    classes: Integers
    """[group, hand] class of each hand"""
    paired: Integers
    """[group] how many hands are PAIRED, not counting the original where it is apart"""
    other_tens: Integers
    """[group] how many of them are OTHER_TEN"""
    original_paired: Integers
    """[group] what the original is, where it is apart, else 0"""
    levels: Integers
    sums: Floats
    """[level, group, outcome] for that many cards of the pair out; hands in order"""


def tens_apart(game: PreparedGame, policies: Policies, v: int, start: int) -> bool:
    """Return whether two tens of the rank that was split are played differently from other tens."""
    tens = policies.tens if v == TEN else None
    return tens is not None and bool(tens[start] != policies.split_hand[game.hands.two[TEN, TEN], start])


def ends_of(
    game: PreparedGame, outcomes: DealerOutcomes, policies: Policies, v: int, start: int, *, by_pairing: bool
) -> Ends:
    """Return how a split hand can end; `by_pairing` distinguishes whether its next card has the pair's value."""
    hands = game.hands
    policy = policies.one_card_ace if game.gets_one_card(v) else policies.split_hand
    one = hands.number[tuple(int(r == v) for r in range(len(hands.cards[0])))]
    two = int(hands.longer[one, v])
    begun = _orders(game, policy, one, start)
    sorts = [(UNPAIRED, policy, begun)]
    if by_pairing or tens_apart(game, policies, v, start):
        again = _orders(game, policy, two, start)
        sorts = [(UNPAIRED, policy, begun - again), (PAIRED, policy, again)]
        if tens_apart(game, policies, v, start):
            assert policies.tens is not None
            by_rank = policy.copy()
            by_rank[two] = policies.tens
            sorts = [sorts[0], (PAIRED, by_rank, _orders(game, by_rank, two, start)), (OTHER_TEN, policy, again)]
    found = [_of_sort(game, policy, start, orders) for _, policy, orders in sorts]
    cards, stakes, player, ways = (np.concatenate(parts) for parts in zip(*found, strict=True))
    cards[:, v] -= 1
    classes, of_class = _classes(game, outcomes, stakes, player)
    return Ends(
        cards=cards.T.copy(),
        of_class=of_class,
        ways=ways,
        paired=np.concatenate(
            [np.full(of_sort[3].size, paired) for (paired, _, _), of_sort in zip(sorts, found, strict=True)]
        ),
        stakes=stakes[classes],
        player=player[classes],
    )


def _orders(game: PreparedGame, policy: ActionCodes, first: int, start: int) -> Floats:
    """Return [stands, stands with a doubling card, doubles; hand] the orders of cards that lead there."""
    found = np.zeros((3, game.hands.size.size))
    paths(first, game.arrays, policy, start, *found)
    return found


def _of_sort(
    game: PreparedGame, policy: ActionCodes, start: int, orders: Floats
) -> tuple[Floats, Integers, Integers, Floats]:
    """Return [end, v] cards, then [end] its stakes, settlement class and orders."""
    hands = game.hands
    stands, doubled, doubles = (np.flatnonzero(ways) for ways in orders)
    busts = [(hand, card) for hand in doubles for card in np.flatnonzero(hands.longer[hand] < 0)]
    bust_hand = np.array([hand for hand, _ in busts], np.int64)
    bust_card = np.eye(hands.cards.shape[1])[[card for _, card in busts]].reshape(-1, hands.cards.shape[1])
    raised = policy[stands, start] == DOUBLE_UP_CODE
    return (
        np.concatenate([hands.cards[stands], hands.cards[doubled], hands.cards[bust_hand] + bust_card]),
        np.concatenate([np.where(raised, 2, 0), np.ones(doubled.size + bust_hand.size, np.int64)]),
        np.concatenate([game.classes[stands], game.classes[doubled], np.full(bust_hand.size, BUST)]),
        np.concatenate([ways[hand] for ways, hand in zip(orders, (stands, doubled, bust_hand), strict=True)]),
    )


def _classes(
    game: PreparedGame, outcomes: DealerOutcomes, stakes: Integers, player: Integers
) -> tuple[Integers, Integers]:
    """Return ([class] an end of it, [end] its class): ends with the same stakes and settlement are one class."""
    kind = stakes * CLASSES + player
    kinds, first, of_kind = np.unique(kind, return_index=True, return_inverse=True)
    dealers = list(outcomes.classes)
    known: dict[tuple[float, ...], int] = {}
    number = np.empty(kinds.size, np.int64)
    found: list[int] = []
    for k, at in enumerate(first):
        rows = [
            game.rows.every[by + stakes[at], player[at]][dealers] for by in (StakesOnHand.ORIGINAL, StakesOnHand.ADDED)
        ]
        key = (float(stakes[at] > 0), *rows[0], *rows[1])
        if key not in known:
            known[key] = len(found)
            found.append(int(at))
        number[k] = known[key]
    return np.array(found, np.int64), number[of_kind.ravel()]


class JointStates:
    """The states of one, two and more hands of a pair."""

    def __init__(self, ends: Ends, left: Floats, v: int, *, original_apart: bool) -> None:
        self.ends, self.left, self.card, self.original_apart = ends, left, v, original_apart
        self.most = MOST_JOINT
        #: The size of a word's lowest digits: one for hands that are PAIRED, another for OTHER_TEN where there are any.
        self.lowest = _PAIRED ** max(int(ends.paired.max(initial=PAIRED)), PAIRED)
        while self._largest_word() >= 1 << 63:
            self.most -= 1
        self.cards: UInt64s = (ends.cards.astype(np.uint64) << _SHIFTS[:, None]).sum(axis=0, dtype=np.uint64)
        room = np.minimum(left, _FIELDS.astype(np.float64)).astype(np.uint64)
        self.room = np.uint64((room << _SHIFTS).sum(dtype=np.uint64))
        self.states: list[tuple[UInt64s, UInt64s, Floats]] = []
        self.find(2)

    @property
    def base(self) -> int:
        return self.most + 1

    def _largest_word(self) -> int:
        classes = len(self.ends.stakes)
        return int(self.lowest * (self.most + 1) ** classes * (3 * (classes + 1) if self.original_apart else 1))

    def _words(self) -> UInt64s:
        powers = np.array([self.lowest * self.base**c for c in range(len(self.ends.stakes))], np.uint64)
        return powers[self.ends.of_class] + np.array([0, 1, _PAIRED], np.uint64)[self.ends.paired]

    def find(self, hands: int) -> None:
        """Combine up to `hands` hands."""
        size, cards, ends, ways = joint_states(self.cards, self._words(), self.ends.ways, hands, self.room, _GUARDS)
        self.states = [(cards[n, : size[n]], ends[n, : size[n]], ways[n, : size[n]]) for n in range(hands + 1)]

    def size(self, hands: int) -> int:
        return int(self.states[hands][0].size)

    def joint(self, outcomes: DealerOutcomes, start: int, hands: int, levels: Integers, *, original: bool) -> Joint:
        """Return the probabilities of `hands` hands, the original among them where it is apart."""
        cards, ends, ways = self._with_original(hands) if original else self.states[hands]
        ways = ways * float(factorial(hands - 1 if original else hands))
        number, different = numbered(cards)
        group, words = numbered(ends)
        sums = np.zeros((levels.size, words.size, len(outcomes.classes)))
        dealer = outcomes.dealer
        sum_joint(
            self.left,
            self.card,
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
            outcomes.arrays,
            order_probabilities(np.int64(self.left.sum()), np.int64(dealer.tree.deepest[start])),
            sums,
        )
        return self._read(words, hands, levels, sums, original=original)

    def _with_original(self, hands: int) -> tuple[UInt64s, UInt64s, Floats]:
        """Return every end of the original with every state of the other hands."""
        cards, ends, ways = self.states[hands - 1]
        top = self.lowest * self.base ** len(self.ends.stakes)
        own = (3 * (self.ends.of_class + 1) + self.ends.paired).astype(np.uint64) * np.uint64(top)
        all_cards = (self.cards[:, None] + cards[None, :]).ravel()
        fits = ((self.room | _GUARDS) - all_cards) & _GUARDS == _GUARDS
        all_ends = (own[:, None] + ends[None, :]).ravel()
        all_ways = (self.ends.ways[:, None] * ways[None, :]).ravel()
        return all_cards[fits], all_ends[fits], all_ways[fits]

    def _read(self, words: UInt64s, hands: int, levels: Integers, sums: Floats, *, original: bool) -> Joint:
        """Return the groups' words, unpacked."""
        rest, paired = (words // np.uint64(self.lowest)).astype(np.int64), words % np.uint64(self.lowest)
        n_classes, classes = len(self.ends.stakes), []
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

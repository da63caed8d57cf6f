"""How a split pair can end, all its hands together.

Two hands are summed exactly: every way both can end, against every ending of the dealer. With three hands and more,
each hand's own chances are exact given the dealer's ending and what the splits told; only the hands' dependence on each
other beyond that is left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb, prod

import numpy as np
from numpy.typing import NDArray

from holecard.exact.dealer_endings import DealerEndings
from holecard.exact.game import Game
from holecard.exact.nets import Nets
from holecard.exact.solve import Plans
from holecard.exact.splits import levels, none_pairs, pair_chances, ways_to_end
from holecard.exact.stakes import Carries
from holecard.kernels.flowing import paths
from holecard.kernels.pairing import two_hands
from holecard.sheets.tables import BUST, CLASSES

Floats = NDArray[np.float64]

_PLAIN_BUST = BUST
_KINDS = 3 * CLASSES
#: Chances below this are sums that should be nothing.
_NOTHING = 1e-14


@dataclass(frozen=True)
class SplitPair:
    """A pair to be split against a start."""

    rank: int
    start: int
    chance: float
    """of the deal"""
    pair_left: float
    """cards that pair again, the player's two among them, the dealer's cards out"""


@dataclass(frozen=True)
class _Ends:
    """The ways a hand of the pair can end, a plain bust left out: [end] arrays."""

    cards: Floats
    """[rank, end]"""
    kind: NDArray[np.int64]
    """[end] CLASSES times (0 plain, 1 doubled, 2 doubled up) plus the player's class"""
    ways: Floats
    paired: Floats
    """[end] orders of its cards in which the first is of the pair again"""


@dataclass(frozen=True)
class SplitSpread:
    """How a split pair ends, all times the chance of its deal."""

    nets: Nets
    stake: float
    """expected"""
    variance_error: float
    """how far the variance may be off for leaving out how three hands and more depend on each other"""


def split_spread(game: Game, endings: DealerEndings, counts: Floats, plans: Plans, pair: SplitPair) -> SplitSpread:
    """The net results of a split pair."""
    nets = Nets(game)
    rank, start = pair.rank, pair.start
    left = counts - game.dealer.starts.cards[start]
    ends = _ends(game, plans, rank, start)
    most = game.most_hands(rank)
    chances = [float(r[0]) for r in pair_chances(np.array([pair.pair_left]), np.array([left.sum()]), levels(most))]
    outs = range(1, levels(most) + 1)
    open_ = [_one_hand(endings, ends, left, rank, start, out, paired=False) for out in outs]
    again = [_one_hand(endings, ends, left, rank, start, out, paired=True) for out in outs]
    unpaired = [one - r * other for one, other, r in zip(open_, again, chances[2:], strict=True)]
    stake, left_out, error = 0.0, 0.0, 0.0
    for hands, others, orders in ways_to_end(most):
        chance = pair.chance * orders * prod(chances[2:hands])
        if chance == 0.0:
            continue
        served = [_weighed(unpaired, chances, hands - 1, others - 1)] * others
        waiting = [_weighed(open_, chances, hands - 1, others)] * (hands - others)
        each = served + waiting
        stake += chance * sum(_stake(one) for one in each)
        if hands == 2:
            joint = _both(game, endings, ends, left, rank, start, each[0], _excluded(chances, left, rank, most))
            _add_pairs(endings, joint, chance, nets)
            error = abs(_product_gap(nets, endings, joint, each[0]))
        else:
            _add_apart(endings, each, chance, nets)
            left_out += chance * comb(hands, 2) * float(each[0].sum())
    # Three times what two hands tell: on shoes small enough to be enumerated no more was ever seen.
    return SplitSpread(nets, stake, 3 * left_out * error)


def _ends(game: Game, plans: Plans, rank: int, start: int) -> _Ends:
    hands = game.hands
    plan = plans.lone if game.is_lone(rank) else plans.after
    one = hands.number[tuple(int(r == rank) for r in range(len(hands.cards[0])))]
    two = int(hands.longer[one, rank])
    begun, paired = ([np.zeros(hands.size.size) for _ in range(3)] for _ in range(2))
    paths(one, game.arrays, plan, start, *begun)
    paths(two, game.arrays, plan, start, *paired)
    cards, kind, ways, again = [], [], [], []
    up = plan[:, start] == 3
    for hand in np.flatnonzero(begun[0] + begun[1]):
        for raised, orders, pairs in ((2 if up[hand] else 0, begun[0], paired[0]), (1, begun[1], paired[1])):
            if orders[hand]:
                cards.append(hands.cards[hand])
                kind.append(raised * CLASSES + game.classes[hand])
                ways.append(orders[hand])
                again.append(pairs[hand])
    for hand in np.flatnonzero(begun[2]):
        for card in np.flatnonzero(hands.longer[hand] < 0):
            cards.append(hands.cards[hand] + np.eye(len(hands.cards[0]))[card])
            kind.append(CLASSES + BUST)
            ways.append(begun[2][hand])
            again.append(paired[2][hand])
    return _Ends(np.array(cards).T.copy(), np.array(kind), np.array(ways), np.array(again))


def _one_hand(
    endings: DealerEndings,
    ends: _Ends,
    left: Floats,
    rank: int,
    start: int,
    out: int,
    *,
    paired: bool,
) -> Floats:
    """[kind, ending] of one hand when `out` other cards of the pair are out; `paired`: its next card is one more."""
    own = np.zeros(left.size)
    own[rank] = 2.0 if paired else 1.0
    shoe = left - own
    shoe[rank] -= out
    ways = ends.paired if paired else ends.ways
    drawn = ends.cards - own[:, None]
    possible = (ways > 0) & (drawn <= shoe[:, None]).all(axis=0) & (shoe >= 0).all()
    chance = np.where(possible, ways * _draw_chances(shoe, np.where(possible, drawn, 0.0)), 0.0)
    found = np.zeros((_KINDS, len(endings.classes)))
    lanes = np.flatnonzero(possible)
    if lanes.size:
        share = endings.chances(start, shoe[:, None] - drawn[:, lanes]) * chance[lanes]
        np.add.at(found, ends.kind[lanes], share.T)
    whole = endings.chances(start, shoe[:, None])[:, 0] if (shoe >= 0).all() else np.zeros(len(endings.classes))
    found[_PLAIN_BUST] += whole - found.sum(axis=0)
    return found


def _draw_chances(shoe: Floats, drawn: Floats) -> Floats:
    """[lane] chance to draw these cards in one given order."""
    chance = np.ones(drawn.shape[1])
    for of_rank, wanted in zip(shoe, drawn, strict=True):
        for k in range(int(wanted.max(initial=0.0))):
            chance *= np.where(wanted > k, of_rank - k, 1.0)
    cards = drawn.sum(axis=0)
    for k in range(int(cards.max(initial=0.0))):
        chance /= np.where(cards > k, shoe.sum() - k, 1.0)
    return chance


def _weighed(by_level: Sequence[Floats], chances: Sequence[float], out: int, cards: int) -> Floats:
    """One hand's ends together with `cards` others known not to pair."""
    terms = none_pairs([np.array(r) for r in chances], out, cards)
    return np.asarray(sum(weight * by_level[level - 1] for level, weight in terms))


def _excluded(chances: Sequence[float], left: Floats, rank: int, most: int) -> tuple[float, float]:
    """Which share of the orders that pair by value is split again, for one hand and for both; none where two is all."""
    if most == 2:
        return 0.0, 0.0
    cards = left.sum()
    by_value = [max(left[rank] - k, 0.0) / (cards - k) for k in (2, 3)]
    once = chances[2] / by_value[0] if by_value[0] else 0.0
    return once, once * (chances[3] / by_value[1] if by_value[1] else 0.0)


def _both(
    game: Game,
    endings: DealerEndings,
    ends: _Ends,
    left: Floats,
    rank: int,
    start: int,
    each: Floats,
    excluded: tuple[float, float],
) -> Floats:
    """[kind, kind, ending] of two hands; what involves a plain bust is what is left of each hand's own chances."""
    joint = np.zeros((_KINDS, _KINDS, len(endings.classes)))
    natural = int(game.dealer.starts.natural[start])
    two_hands(
        left,
        rank,
        ends.cards,
        ends.ways,
        ends.paired,
        *excluded,
        ends.kind,
        start,
        natural,
        game.dealer.tree,
        endings.arrays,
        joint,
    )
    one_bust = each - joint.sum(axis=1)
    one_bust[_PLAIN_BUST] = 0.0
    joint[:, _PLAIN_BUST] += one_bust
    joint[_PLAIN_BUST, :] += one_bust
    joint[_PLAIN_BUST, _PLAIN_BUST] = each.sum(axis=0) - joint.sum(axis=(0, 1))
    return joint


def _worth(nets: Nets, first: int, kinds: NDArray[np.int64], dealer: int) -> NDArray[np.int64]:
    """[kind] net results against a dealer class, in parts of a unit."""
    parts: NDArray[np.int64] = nets.worth[first + kinds // CLASSES, kinds % CLASSES, dealer]
    return parts


def _add_pairs(endings: DealerEndings, joint: Floats, chance: float, nets: Nets) -> None:
    kinds = np.flatnonzero(joint.any(axis=(1, 2)))
    for ending, dealer in enumerate(endings.classes):
        original, added = (_worth(nets, first, kinds, dealer) for first in (Carries.ORIGINAL, Carries.ADDED))
        nets.add(original[:, None] + added[None, :], chance * joint[kinds][:, kinds, ending])


def _add_apart(endings: DealerEndings, each: Sequence[Floats], chance: float, nets: Nets) -> None:
    """Hands that are independent once the dealer's ending is known."""
    for ending, dealer in enumerate(endings.classes):
        whole = float(each[0][:, ending].sum())
        if whole < _NOTHING:
            continue
        hands = []
        for number, one in enumerate(each):
            kinds = np.flatnonzero(one[:, ending])
            first = Carries.ORIGINAL if number == 0 else Carries.ADDED
            hands.append((_worth(nets, first, kinds, dealer), one[kinds, ending] / whole))
        parts, chances = nets.sums_of(hands)
        nets.add(parts, chance * whole * chances)


def _product_gap(nets: Nets, endings: DealerEndings, joint: Floats, each: Floats) -> float:
    """E[xy] of two hands as it is, less what it would be were they independent given the dealer's ending."""
    gap = 0.0
    kinds = np.flatnonzero(each.any(axis=1))
    for ending, dealer in enumerate(endings.classes):
        worth = _worth(nets, Carries.ADDED, kinds, dealer) / nets.scale
        of_ending = float(each[:, ending].sum())
        if of_ending > _NOTHING:
            together = worth @ joint[kinds][:, kinds, ending] @ worth
            gap += float(together) - float(worth @ each[kinds, ending]) ** 2 / of_ending
    whole = float(each.sum())
    return gap / whole if whole else 0.0


def _stake(one: Floats) -> float:
    """Expected stake on a hand: one unit, and one more where it was doubled or doubled up."""
    return float(one.sum() + one[CLASSES:].sum())

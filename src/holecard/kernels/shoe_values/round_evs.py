"""EVs of rounds, before the deal, from the EVs of the initial hands: every deal with its best first action.

The notation is that of `stand`; a *deal* is the player's two cards by value, the lower first. All EVs are U but those
returned: these add what the dealer's known naturals do. The EV of splitting is that of `exact.splits.pair_weights`,
where its formula is explained; a *level* is one more card of the pair out of the shoe.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from holecard.kernels.arrays import Flags, Floats, Integers
from holecard.kernels.exact.stand import DealerStarts
from holecard.kernels.jit import kernel, lean

_ACE, _TEN = 0, 9
#: Which hands of a split are summed: all of them, the original one, or those added by splitting.
ALL_HANDS, ORIGINAL_HAND, ADDED_HANDS = range(3)


class Deals(NamedTuple):
    """Every deal, and what the rules offer for it besides playing on."""

    low: Integers
    high: Integers
    """[deal] v of the player's cards"""
    is_natural: Flags
    """[deal]"""
    against_natural: Floats
    """[deal] payoff against a known dealer's natural"""
    cashed: Floats
    """[deal] payoff of Quick Pay, or NaN"""
    surrendered: Floats
    """[start] payoff of surrender after the check, or NaN"""
    surrendered_early: Floats
    """[start] payoff of surrender before the check, or NaN"""
    seen_naturals: Floats
    """payoffs where both dealer's cards are a visible natural: of a player's natural, and of other hands; or nothing"""
    most_hands: Integers
    """[v] hands a pair may become; 1 where it cannot be split"""
    by_rank: bool
    """Two tens of different rank are not a pair."""


class SplitEnds(NamedTuple):
    """Every way in which splitting can end: see `pair_weights.ways_to_end`."""

    ends: Integers
    """[most hands, most hands + 1] range of its ways"""
    hands: Integers
    """[way] hands made"""
    others: Integers
    """[way] second cards known not to pair"""
    orders: Floats
    """[way] in how many orders"""
    choose: Floats
    """[n, k] n over k"""


class InitialEVs(NamedTuple):
    """EVs of the initial hands of many shoes; `stakes` has one entry where hands added by splitting pay like others."""

    first: Floats
    """[shoe, deal, start] the best of standing, hitting, doubling and doubling up"""
    natural: Floats
    """[shoe, start] a player's natural"""
    begun: Floats
    """[shoe, stakes, v, level, start] a split hand begun with one card of the pair"""
    paired: Floats
    """the same with two"""


@kernel
def fill_round_evs(
    counts: Floats, tens: Floats, deals: Deals, starts: DealerStarts, ends: SplitEnds, evs: InitialEVs, out: Floats
) -> None:
    """Fill `out[shoe]` for shoes `counts[shoe, v]`, with `tens[shoe, rank]` cards of each rank that counts ten."""
    r = np.zeros(evs.begun.shape[3] + 2)
    for shoe in range(counts.shape[0]):
        left, cards = counts[shoe], counts[shoe].sum()
        found = 0.0
        if deals.seen_naturals.size:
            dealer = 2.0 * left[_ACE] * left[_TEN] / (cards * (cards - 1.0))
            both = dealer * 2.0 * (left[_ACE] - 1.0) * (left[_TEN] - 1.0) / ((cards - 2.0) * (cards - 3.0))
            found = both * deals.seen_naturals[0] + (dealer - both) * deals.seen_naturals[1]
        for start in range(starts.natural.size):
            for deal in range(deals.low.size):
                found += _deal_ev(shoe, left, tens[shoe], cards, deal, start, deals, starts, ends, evs, r)
        out[shoe] = found


@lean
def _deal_ev(
    shoe: int,
    counts: Floats,
    tens: Floats,
    cards: float,
    deal: int,
    start: int,
    deals: Deals,
    starts: DealerStarts,
    ends: SplitEnds,
    evs: InitialEVs,
    r: Floats,
) -> float:
    """Return the probability of a deal against a start, times its EV; `r` is scratch."""
    low, high = deals.low[deal], deals.high[deal]
    probability = _probability(counts, cards, low, high, starts.cards[start])
    if probability <= 0.0:
        return 0.0
    partner, no_natural = starts.natural[start], 1.0
    if partner >= 0:
        of_partner = counts[partner] - (1.0 if low == partner else 0.0) - (1.0 if high == partner else 0.0)
        no_natural = 1.0 - of_partner / (cards - 3.0)
    known = (1.0 - no_natural) * deals.against_natural[deal]
    if deals.is_natural[deal]:
        return float(probability * (evs.natural[shoe, start] + known))
    best = evs.first[shoe, deal, start]
    for offered in (deals.cashed[deal], deals.surrendered[start]):
        if offered == offered:
            best = max(best, offered * no_natural)
    early = deals.surrendered_early[start]
    if low != high or deals.most_hands[low] < 2:
        return probability * _with_early(best + known, early)
    shown, all_shown = starts.cards[start, low], starts.cards[start].sum()
    if low != _TEN or not deals.by_rank:
        split = _split_ev(shoe, low, start, counts[low] - shown, cards - all_shown, deals, ends, evs, r)
        return probability * _with_early(max(best, split) + known, early)
    same, split = 0.0, 0.0
    for rank in range(tens.size):
        for used in range(int(shown) + 1):
            of_case = _probability_of_tens(counts, tens[rank], cards, float(used), starts.cards[start])
            if of_case > 0.0:
                same += of_case
                split += of_case * _split_ev(
                    shoe, low, start, tens[rank] - used, cards - all_shown, deals, ends, evs, r
                )
    paired = same * _with_early(max(best, split / same) + known, early) if same > 0.0 else 0.0
    return paired + (probability - same) * _with_early(best + known, early)


@lean
def _with_early(ev: float, early: float) -> float:
    """Return the better of playing on and surrendering before the check; `early` may be NaN."""
    return early if early > ev else ev


@lean
def _probability(counts: Floats, cards: float, low: int, high: int, shown: Floats) -> float:
    """Return P(the player gets these two values and the dealer shows these cards)."""
    probability = counts[low] * counts[high] * 2.0
    if low == high:
        probability = counts[low] * (counts[low] - 1.0)
    probability /= cards * (cards - 1.0)
    drawn, kinds = 2.0, 0.0
    for v in range(counts.size):
        left = counts[v] - (1.0 if v == low else 0.0) - (1.0 if v == high else 0.0)
        for taken in range(int(shown[v])):
            probability *= max(left - taken, 0.0) / (cards - drawn)
            drawn += 1.0
        kinds += 1.0 if shown[v] > 0.0 else 0.0
    return float(max(probability, 0.0) * (2.0 if kinds == 2.0 else 1.0))


@lean
def _probability_of_tens(counts: Floats, of_rank: float, cards: float, used: float, shown: Floats) -> float:
    """Return P(the player has two tens of a rank of `of_rank` cards, and the dealer shows `used` more of them)."""
    probability = max(of_rank * (of_rank - 1.0), 0.0) / (cards * (cards - 1.0))
    drawn, kinds = 2.0, 0.0
    for v in range(counts.size):
        apart = shown[v] - used if v == _TEN else shown[v]
        left = counts[v] - of_rank if v == _TEN else counts[v]
        for taken in range(int(apart)):
            probability *= max(left - taken, 0.0) / (cards - drawn)
            drawn += 1.0
        kinds += 1.0 if apart > 0.0 else 0.0
    for taken in range(int(used)):
        probability *= max(of_rank - 2.0 - taken, 0.0) / (cards - drawn)
        drawn += 1.0
    kinds += 1.0 if used > 0.0 else 0.0
    return probability * (2.0 if kinds == 2.0 else 1.0)


@lean
def _split_ev(
    shoe: int,
    v: int,
    start: int,
    pair_left: float,
    cards_left: float,
    deals: Deals,
    ends: SplitEnds,
    evs: InitialEVs,
    r: Floats,
) -> float:
    """Return U of splitting a pair; `pair_left` and `cards_left` count the shoe with the pair, without the start."""
    most = deals.most_hands[v]
    for k in range(2 * most - 1):
        r[k] = max(pair_left - k, 0.0) / (cards_left - k)
    if evs.begun.shape[1] == 1:
        return _weighted(evs.begun[shoe, 0, v], evs.paired[shoe, 0, v], start, most, ALL_HANDS, ends, r)
    original = _weighted(evs.begun[shoe, 0, v], evs.paired[shoe, 0, v], start, most, ORIGINAL_HAND, ends, r)
    return original + _weighted(evs.begun[shoe, 1, v], evs.paired[shoe, 1, v], start, most, ADDED_HANDS, ends, r)


@lean
def _weighted(begun: Floats, paired: Floats, start: int, most: int, share: int, ends: SplitEnds, r: Floats) -> float:
    """Return the sum of the hands' EVs with their weights: see `pair_weights.weights`."""
    found = 0.0
    for way in range(ends.ends[most], ends.ends[most + 1]):
        hands, others = ends.hands[way], ends.others[way]
        probability = ends.orders[way]
        for k in range(2, hands):
            probability *= r[k]
        if probability == 0.0:
            continue
        # The original hand is served first.
        unpaired, open_ = float(others), float(hands - others)
        if share != ALL_HANDS:
            first = 1.0 if others else 0.0
            unpaired = first if share == ORIGINAL_HAND else unpaired - first
            open_ = 1.0 - first if share == ORIGINAL_HAND else open_ - (1.0 - first)
        if unpaired > 0.0:
            weight = probability * unpaired
            for more in range(others):
                level = hands - 1 + more
                of_level = weight * ends.choose[others - 1, more]
                found += of_level * (begun[level - 1, start] - r[level + 1] * paired[level - 1, start])
                weight *= -r[level + 1]
        if open_ > 0.0:
            weight = probability * open_
            for more in range(others + 1):
                level = hands - 1 + more
                found += weight * ends.choose[others, more] * begun[level - 1, start]
                weight *= -r[level + 1]
    return found

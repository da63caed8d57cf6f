"""EV of the best play of two hands made by splitting, where every card seen may be used.

A pair is split into two hands that each begin with one card of it. The first hand is played out before the second gets
a card.

    hand        number of a hand that can be played; 0 is the single card, one more card leads to a higher number
    end         number of a set of cards with which a hand can end, busted or not
    seen        number of a multiset of the player's cards in sight: of the first hand at its end and the second so far
    lane        one of _LANES ends of the first hand that are computed side by side; a *block* is _LANES ends

v, start and U are those of `stand`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from holecard.kernels.arrays import Flags, Floats, Int32s, Integers, UInt64s
from holecard.kernels.exact.actions import BUSTED
from holecard.kernels.jit import kernel, lean

#: Ends computed side by side: few enough for the EVs of all second hands to stay in a fast cache.
_LANES = 32
_SCATTER = np.uint64(0x9E3779B97F4A7C15)


class SplitHand(NamedTuple):
    """[hand] the hands that can be made of one card of the pair, and what may be done with them."""

    cards: Floats
    """[hand, v]"""
    size: Floats
    longer: Integers
    """[hand, v] the hand with one more card, or BUSTED"""
    safe: Integers
    """[hand] how many values do not bust it, counted from the ace"""
    safe_held: Floats
    """[hand] cards of these values that it holds"""
    ended: Integers
    """[hand, v] the end if one more card is its last"""
    ends: Integers
    """[hand] the end if it takes no more cards; -1 for the single card, which must be drawn to"""
    hit: Flags
    double: Flags
    double_up: Flags


class SplitPays(NamedTuple):
    """Payoffs of one of the two hands, [hand]: rows of `stand_ev` in `best_split`, and factors to multiply them by."""

    plain: Integers
    doubled: Integers
    doubled_up: Integers
    plain_times: Floats
    doubled_times: Floats
    doubled_up_times: Floats
    bust: float
    doubled_bust: float
    most: float
    """the most a hand of three or more cards can win"""


@kernel
def number_seen(ends: UInt64s, hands: UInt64s, limits: UInt64s, most: int) -> tuple[Int32s, UInt64s]:
    """Return ([block, hand, lane] number of the cards seen, [seen] their code).

    A code has a field for each v with an empty bit above it. `limits` holds the shoe's code with all these bits set,
    and the bits alone: the shoe has enough cards where subtracting leaves every bit in place. Impossible cards and
    lanes without an end get the number 0, which nothing leads to. `most` is a power of two above the number of
    multisets.
    """
    enough, bits = limits
    mask = np.uint64(most - 1)
    keys = np.zeros(most, np.uint64)
    numbers = np.zeros(most, np.int32)
    seen = np.zeros(((ends.size + _LANES - 1) // _LANES, hands.size, _LANES), np.int32)
    codes = np.empty(most, np.uint64)
    size = 0
    # Lane after lane, so that the lookups of a block are close together in memory.
    for block in range(seen.shape[0]):
        for hand in range(hands.size):
            for lane in range(min(_LANES, ends.size - block * _LANES)):
                code = ends[block * _LANES + lane] + hands[hand]
                if (enough - code) & bits != bits:
                    continue
                place = (code * _SCATTER) >> np.uint64(20) & mask
                while keys[place] != code:
                    if keys[place] == 0:
                        keys[place], numbers[place], codes[size] = code, size, code
                        size += 1
                        break
                    place = (place + np.uint64(1)) & mask
                seen[block, hand, lane] = numbers[place]
    return seen, codes[:size].copy()


@kernel
def best_split(
    left: Floats,
    pair: int,
    natural: int,
    hand: SplitHand,
    pays: tuple[SplitPays, SplitPays],
    end_cards: Floats,
    seen: Int32s,
    stand_ev: Floats,
) -> float:
    """Return the EV of both hands together, the first played out before the second gets a card.

    `left[v]` is the shoe without the dealer's cards but with the player's pair, `natural` the v that would give the
    dealer a known natural, or -1. `end_cards[end, v]` are the cards with which the first hand may end, `stand_ev[row,
    seen]` is the EV of standing.
    """
    n_hands, n_ends = hand.hit.size, end_cards.shape[0]
    second_ev = np.zeros(n_ends)
    evs = np.zeros((n_hands, _LANES))
    scratch = np.empty((4, _LANES))
    block = np.zeros((left.size, _LANES))
    below = np.zeros((left.size + 1, _LANES))
    for begin in range(0, n_ends, _LANES):
        used = min(_LANES, n_ends - begin)
        for v in range(left.size):
            for i in range(_LANES):
                block[v, i] = left[v] - end_cards[min(begin + i, n_ends - 1), v]
                below[v + 1, i] = below[v, i] + block[v, i]
        _play(block, below, natural, hand, pays[1], seen[begin // _LANES], stand_ev, second_ev, False, scratch, evs)
        for i in range(used):
            second_ev[begin + i] = evs[0, i]
    # The first hand is the same in all lanes.
    alone = np.zeros((n_hands, _LANES), np.int32)
    for h in range(n_hands):
        if hand.ends[h] >= 0:
            alone[h, :] = seen[hand.ends[h] // _LANES, 0, hand.ends[h] % _LANES]
    for v in range(left.size):
        for i in range(_LANES):
            block[v, i] = left[v] - (1.0 if v == pair else 0.0)
            below[v + 1, i] = below[v, i] + block[v, i]
    _play(block, below, natural, hand, pays[0], alone, stand_ev, second_ev, True, scratch, evs)
    return float(evs[0, 0])


@lean
def _play(
    left: Floats,
    below: Floats,
    natural: int,
    hand: SplitHand,
    pays: SplitPays,
    seen: Int32s,
    stand_ev: Floats,
    second_ev: Floats,
    is_first: bool,
    scratch: Floats,
    evs: Floats,
) -> None:
    """Fill `evs[hand, lane]`, longest hands first.

    `left[v, lane]` is the shoe without the other hand's cards, `below[v, lane]` its cards of lower values, `seen[hand,
    lane]` the number of the cards then seen. `second_ev[end]` is the EV of the second hand once the first has ended. A
    card that is not left has weight 0, so the EV it would lead to is never used.
    """
    hit, double, bust, draws = scratch[0], scratch[1], scratch[2], scratch[3]
    all_cards = below[left.shape[0]]
    for h in range(hand.hit.size - 1, -1, -1):
        here, ends = evs[h], hand.ends[h]
        if ends >= 0:
            _stand(pays, h, hand.double_up[h], seen[h], stand_ev, here)
            if is_first:
                for i in range(_LANES):
                    here[i] += second_ev[ends]
        if not (hand.hit[h] or hand.double[h]):
            continue
        size, safe, safe_held = hand.size[h], below[hand.safe[h]], hand.safe_held[h]
        for i in range(_LANES):
            draws[i] = all_cards[i] - size
            bust[i] = draws[i] - (safe[i] - safe_held)
        if natural >= 0:
            _without_natural(left[natural], hand, h, natural, draws, bust)
        may_skip = ends >= 0 and not is_first and not hand.double[h]
        if may_skip and _is_hopeless(safe, safe_held, pays, bust, draws, here):
            continue
        for i in range(_LANES):
            hit[i] = double[i] = 0.0
        for v in range(left.shape[0]):
            then, held, of_value = hand.longer[h, v], hand.cards[h, v], left[v]
            if then == BUSTED:
                if is_first:
                    after = second_ev[hand.ended[h, v]]
                    for i in range(_LANES):
                        hit[i] += (of_value[i] - held) * after
                        double[i] += (of_value[i] - held) * after
                continue
            best = evs[then]
            for i in range(_LANES):
                hit[i] += (of_value[i] - held) * best[i]
            if hand.double[h]:
                at, times, numbers = stand_ev[pays.doubled[then]], pays.doubled_times[then], seen[then]
                after = second_ev[hand.ends[then]] if is_first else 0.0
                for i in range(_LANES):
                    double[i] += (of_value[i] - held) * (times * at[numbers[i]] + after)
        _raise_to_best(hand, h, pays, hit, double, bust, draws, here)


@lean
def _stand(pays: SplitPays, h: int, may_double_up: bool, seen: Int32s, stand_ev: Floats, here: Floats) -> None:
    """Fill `here[lane]` with the EV of taking no card."""
    at, times = stand_ev[pays.plain[h]], pays.plain_times[h]
    for i in range(_LANES):
        here[i] = times * at[seen[i]]
    if may_double_up:
        at, times = stand_ev[pays.doubled_up[h]], pays.doubled_up_times[h]
        for i in range(_LANES):
            here[i] = max(here[i], times * at[seen[i]])


@lean
def _without_natural(partners: Floats, hand: SplitHand, h: int, natural: int, draws: Floats, bust: Floats) -> None:
    """Multiply `bust`, the number of cards that bust the hand, by P(no known natural) with the card out."""
    held = hand.cards[h, natural]
    busts = hand.longer[h, natural] == BUSTED
    for i in range(_LANES):
        of_partner = (partners[i] - held) / max(draws[i] - 1.0, 1.0)
        bust[i] += (of_partner if busts else 0.0) - bust[i] * of_partner


@lean
def _is_hopeless(safe: Floats, safe_held: float, pays: SplitPays, bust: Floats, draws: Floats, here: Floats) -> bool:
    """Return whether, in every lane, standing beats a hit that wins the most with every card that does not bust."""
    better = 0
    for i in range(_LANES):
        better += 1 if pays.most * (safe[i] - safe_held) + pays.bust * bust[i] <= here[i] * draws[i] else 0
    return better == _LANES


@lean
def _raise_to_best(
    hand: SplitHand, h: int, pays: SplitPays, hit: Floats, double: Floats, bust: Floats, draws: Floats, here: Floats
) -> None:
    """Raise `here` from the EV of standing to the best of standing, hitting and doubling; a single card must be hit."""
    if hand.ends[h] < 0:
        for i in range(_LANES):
            here[i] = (hit[i] + pays.bust * bust[i]) / max(draws[i], 1.0)
        return
    if hand.hit[h]:
        for i in range(_LANES):
            here[i] = max(here[i], (hit[i] + pays.bust * bust[i]) / max(draws[i], 1.0))
    if hand.double[h]:
        for i in range(_LANES):
            here[i] = max(here[i], (double[i] + pays.doubled_bust * bust[i]) / max(draws[i], 1.0))

"""The best play of two hands made by splitting, where every card seen may be used.

Notation: a pair of rank p is split, and hands begin with one card of it. `hand` numbers the hands that can be played
(0 is the lone card of the pair; one more card leads to a higher number), `end` the cards with which a hand can end,
busted or not. `seen` numbers the multisets of all the player's cards in sight: those of the first hand when it has
ended, and of the second hand as far as it is dealt. All values are U, as in `deciding`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holecard.kernels.exact.actions import Flags
from holecard.kernels.exact.stand import Floats
from holecard.kernels.jit import kernel, lean

Integers = NDArray[np.int64]
Numbers = NDArray[np.int32]
Codes = NDArray[np.uint64]

#: Ends of the first hand side by side: few enough for the values of all second hands to stay in a fast cache.
LANES = 32
BUSTED = -1
_SCATTER = np.uint64(0x9E3779B97F4A7C15)


class SplitHand(NamedTuple):
    """[hand] the hands that can be made of one card of the pair, and what may be done with them."""

    cards: Floats
    """[hand, rank]"""
    size: Floats
    longer: Integers
    """[hand, rank] the hand with one more card; BUSTED"""
    safe: Integers
    """[hand] how many ranks do not bust it, aces first"""
    safe_held: Floats
    """[hand] how many cards of these ranks it has"""
    ended: Integers
    """[hand, rank] with which cards it ends if one more card is its last"""
    ends: Integers
    """[hand] with which cards it ends if it takes no more; -1 for the lone card, which has to be drawn to"""
    hit: Flags
    double: Flags
    double_up: Flags


class SplitPays(NamedTuple):
    """What one of the two hands is paid, as rows of `worth` in `best_split` and factors of them."""

    plain: Integers
    doubled: Integers
    """[hand] rows"""
    doubled_up: Integers
    plain_times: Floats
    doubled_times: Floats
    """[hand] what the row is multiplied by"""
    doubled_up_times: Floats
    bust: float
    doubled_bust: float
    most: float
    """The most a hand of three cards or more can win"""


@kernel
def number_seen(ends: Codes, hands: Codes, limits: Codes, most: int) -> tuple[Numbers, Codes]:
    """([block, hand, lane] number of the cards seen, [seen] their code). LANES ends make a block.

    A code has a field for every rank, each with an empty bit above it. `limits` has the shoe's own code with all these
    bits set, and the bits alone: the shoe has enough cards where subtracting leaves every bit in place. Cards that it
    does not have, and lanes without an end, get the number 0: nothing leads there. `most` is a power of two, more than
    the multisets there can be.
    """
    enough, bits = limits
    mask = np.uint64(most - 1)
    keys = np.zeros(most, np.uint64)
    numbers = np.zeros(most, np.int32)
    seen = np.zeros(((ends.size + LANES - 1) // LANES, hands.size, LANES), np.int32)
    codes = np.empty(most, np.uint64)
    size = 0
    # Lane after lane, so that what a block looks up lies close together.
    for block in range(seen.shape[0]):
        for hand in range(hands.size):
            for lane in range(min(LANES, ends.size - block * LANES)):
                code = ends[block * LANES + lane] + hands[hand]
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
    seen: Numbers,
    worth: Floats,
) -> float:
    """What both hands are worth together, the first played out before the second is dealt to.

    `left[rank]` is the shoe without the dealer's cards but with the player's pair, `natural` the rank that would give
    the dealer a natural the players know of, or -1. `end_cards[end, rank]` is what the first hand may end with,
    `worth[row, seen]` what standing is worth.
    """
    n_hands, n_ends = hand.hit.size, end_cards.shape[0]
    later = np.zeros(n_ends)
    values = np.zeros((n_hands, LANES))
    scratch = np.empty((4, LANES))
    block = np.zeros((left.size, LANES))
    below = np.zeros((left.size + 1, LANES))
    for begin in range(0, n_ends, LANES):
        used = min(LANES, n_ends - begin)
        for rank in range(left.size):
            for i in range(LANES):
                block[rank, i] = left[rank] - end_cards[min(begin + i, n_ends - 1), rank]
                below[rank + 1, i] = below[rank, i] + block[rank, i]
        _play(block, below, natural, hand, pays[1], seen[begin // LANES], worth, later, False, scratch, values)
        for i in range(used):
            later[begin + i] = values[0, i]
    # The first hand is in all lanes alike.
    alone = np.zeros((n_hands, LANES), np.int32)
    for h in range(n_hands):
        if hand.ends[h] >= 0:
            alone[h, :] = seen[hand.ends[h] // LANES, 0, hand.ends[h] % LANES]
    for rank in range(left.size):
        for i in range(LANES):
            block[rank, i] = left[rank] - (1.0 if rank == pair else 0.0)
            below[rank + 1, i] = below[rank, i] + block[rank, i]
    _play(block, below, natural, hand, pays[0], alone, worth, later, True, scratch, values)
    return float(values[0, 0])


@lean
def _play(
    left: Floats,
    below: Floats,
    natural: int,
    hand: SplitHand,
    pays: SplitPays,
    seen: Numbers,
    worth: Floats,
    later: Floats,
    is_first: bool,
    scratch: Floats,
    values: Floats,
) -> None:
    """Fill `values[hand, lane]`, longest hands first.

    `left[rank, lane]` is the shoe without the other hand's cards, `below[rank, lane]` its cards of lower ranks,
    `seen[hand, lane]` numbers the cards then seen. After the first hand comes the second: `later[end]` is its worth. A
    card that is not left weighs nothing, so what is found where it would lead is never used.
    """
    hit, double, bust, draws = scratch[0], scratch[1], scratch[2], scratch[3]
    all_cards = below[left.shape[0]]
    for h in range(hand.hit.size - 1, -1, -1):
        here, ends = values[h], hand.ends[h]
        if ends >= 0:
            _stand(pays, h, hand.double_up[h], seen[h], worth, here)
            if is_first:
                for i in range(LANES):
                    here[i] += later[ends]
        if not (hand.hit[h] or hand.double[h]):
            continue
        size, safe, safe_held = hand.size[h], below[hand.safe[h]], hand.safe_held[h]
        for i in range(LANES):
            draws[i] = all_cards[i] - size
            bust[i] = draws[i] - (safe[i] - safe_held)
        if natural >= 0:
            _without_natural(left[natural], hand, h, natural, draws, bust)
        may_skip = ends >= 0 and not is_first and not hand.double[h]
        if may_skip and _is_hopeless(safe, safe_held, pays, bust, draws, here):
            continue
        for i in range(LANES):
            hit[i] = double[i] = 0.0
        for rank in range(left.shape[0]):
            then, held, of_rank = hand.longer[h, rank], hand.cards[h, rank], left[rank]
            if then == BUSTED:
                if is_first:
                    after = later[hand.ended[h, rank]]
                    for i in range(LANES):
                        hit[i] += (of_rank[i] - held) * after
                        double[i] += (of_rank[i] - held) * after
                continue
            best = values[then]
            for i in range(LANES):
                hit[i] += (of_rank[i] - held) * best[i]
            if hand.double[h]:
                at, times, numbers = worth[pays.doubled[then]], pays.doubled_times[then], seen[then]
                after = later[hand.ends[then]] if is_first else 0.0
                for i in range(LANES):
                    double[i] += (of_rank[i] - held) * (times * at[numbers[i]] + after)
        _decide(hand, h, pays, hit, double, bust, draws, here)


@lean
def _stand(pays: SplitPays, h: int, may_double_up: bool, seen: Numbers, worth: Floats, here: Floats) -> None:
    """What taking no card is worth."""
    at, times = worth[pays.plain[h]], pays.plain_times[h]
    for i in range(LANES):
        here[i] = times * at[seen[i]]
    if may_double_up:
        at, times = worth[pays.doubled_up[h]], pays.doubled_up_times[h]
        for i in range(LANES):
            here[i] = max(here[i], times * at[seen[i]])


@lean
def _without_natural(partners: Floats, hand: SplitHand, h: int, natural: int, draws: Floats, bust: Floats) -> None:
    """Weigh `bust`, the cards that bust the hand, by the chance that the dealer has no natural with them out."""
    held = hand.cards[h, natural]
    busts = hand.longer[h, natural] == BUSTED
    for i in range(LANES):
        of_partner = (partners[i] - held) / max(draws[i] - 1.0, 1.0)
        bust[i] += (of_partner if busts else 0.0) - bust[i] * of_partner


@lean
def _is_hopeless(safe: Floats, safe_held: float, pays: SplitPays, bust: Floats, draws: Floats, here: Floats) -> bool:
    """Whether standing is better in all lanes than a hit that wins the most with every card that does not bust."""
    better = 0
    for i in range(LANES):
        better += 1 if pays.most * (safe[i] - safe_held) + pays.bust * bust[i] <= here[i] * draws[i] else 0
    return better == LANES


@lean
def _decide(
    hand: SplitHand, h: int, pays: SplitPays, hit: Floats, double: Floats, bust: Floats, draws: Floats, here: Floats
) -> None:
    """The best of standing (`here`), hitting and doubling; a lone card is drawn to."""
    if hand.ends[h] < 0:
        for i in range(LANES):
            here[i] = (hit[i] + pays.bust * bust[i]) / max(draws[i], 1.0)
        return
    if hand.hit[h]:
        for i in range(LANES):
            here[i] = max(here[i], (hit[i] + pays.bust * bust[i]) / max(draws[i], 1.0))
    if hand.double[h]:
        for i in range(LANES):
            here[i] = max(here[i], (double[i] + pays.doubled_bust * bust[i]) / max(draws[i], 1.0))

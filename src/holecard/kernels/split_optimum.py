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

from holecard.kernels.compiled import kernel, lean
from holecard.kernels.deciding import Flags
from holecard.kernels.standing import Floats

Integers = NDArray[np.int64]
Numbers = NDArray[np.int32]
Codes = NDArray[np.uint64]

#: Cards that the shoe does not have.
NOWHERE = -1
BUSTED = -1


class SplitHand(NamedTuple):
    """[hand] the hands that can be made of one card of the pair, and what may be done with them."""

    cards: Floats
    """[hand, rank]"""
    longer: Integers
    """[hand, rank] the hand with one more card; BUSTED"""
    ended: Integers
    """[hand, rank] with which cards the hand ends if it takes one more card and no other; -1 if it cannot"""
    ends: Integers
    """[hand] with which cards it ends if it takes no more; -1 for the lone card, which has to be drawn to"""
    hit: Flags
    double: Flags
    double_up: Flags


class SplitPays(NamedTuple):
    """What one of the two hands is paid, as rows of `worth` in `best_splits` and factors of them."""

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


class Shown(NamedTuple):
    """Several starts of the dealer, side by side."""

    cards: Floats
    """[rank, start]"""
    total: Floats
    """[start] how many cards these are"""
    natural: Integers
    """[start] rank that would make a natural the players know of; -1 if none"""


@kernel
def number_seen(ends: Codes, hands: Codes, limits: Codes, most: int) -> tuple[Numbers, Codes]:
    """([end, hand] number of the cards seen or NOWHERE, [seen] their code).

    A code has a field for every rank, each with an empty bit above it. `limits` has the shoe's own code with all these
    bits set, and the bits alone: the shoe has enough cards where subtracting leaves every bit in place. `most` is a
    power of two, more than the multisets there can be.
    """
    enough, bits = limits
    mask = np.uint64(most - 1)
    keys = np.zeros(most, np.uint64)
    numbers = np.zeros(most, np.int32)
    seen = np.empty((ends.size, hands.size), np.int32)
    codes = np.empty(most, np.uint64)
    size = 0
    for end in range(ends.size):
        for hand in range(hands.size):
            code = ends[end] + hands[hand]
            if (enough - code) & bits != bits:
                seen[end, hand] = NOWHERE
                continue
            place = (code * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(20) & mask
            while keys[place] != code:
                if keys[place] == 0:
                    keys[place], numbers[place], codes[size] = code, size, code
                    size += 1
                    break
                place = (place + np.uint64(1)) & mask
            seen[end, hand] = numbers[place]
    return seen, codes[:size].copy()


@kernel
def best_splits(
    left: Floats,
    pair: int,
    hand: SplitHand,
    pays: tuple[SplitPays, SplitPays],
    shown: Shown,
    end_cards: Floats,
    seen: Numbers,
    worth: Floats,
) -> Floats:
    """[start] what both hands are worth together, the first played out before the second is dealt to.

    `left[rank]` is the shoe with the player's pair still in it and the dealer's cards too, `end_cards[end, rank]` what
    the first hand may end with, `worth[seen, row, start]` the worth of standing.
    """
    n_hands, n_starts = hand.hit.size, shown.natural.size
    later = np.zeros((seen.shape[0], n_starts))
    values = np.zeros((n_hands, n_starts))
    scratch = np.empty((4, n_starts))
    nothing = np.zeros((1, n_starts))
    out = np.empty(left.size)
    for end in range(seen.shape[0]):
        if seen[end, 0] != NOWHERE:
            for rank in range(left.size):
                out[rank] = left[rank] - end_cards[end, rank]
            _play(out, hand, pays[1], shown, seen[end], worth, nothing, False, scratch, values)
            for s in range(n_starts):
                later[end, s] = values[0, s]
    alone = np.empty(n_hands, np.int32)
    for h in range(n_hands):
        alone[h] = seen[hand.ends[h], 0] if hand.ends[h] >= 0 else 0
    for rank in range(left.size):
        out[rank] = left[rank]
    out[pair] -= 1.0
    _play(out, hand, pays[0], shown, alone, worth, later, True, scratch, values)
    return values[0].copy()


@lean
def _play(
    left: Floats,
    hand: SplitHand,
    pays: SplitPays,
    shown: Shown,
    seen: Numbers,
    worth: Floats,
    later: Floats,
    is_first: bool,
    scratch: Floats,
    values: Floats,
) -> None:
    """Fill `values[hand, start]`, longest hands first.

    `left[rank]` is the shoe without the other hand's cards, `seen[hand]` numbers all the cards then seen. After the
    first hand comes the second: `later[end, start]` is its worth.
    """
    starts = shown.natural.size
    hit, double, gone, lost = scratch[0], scratch[1], scratch[2], scratch[3]
    cards_left = left.sum()
    for h in range(hand.hit.size - 1, -1, -1):
        here = values[h]
        if seen[h] == NOWHERE:
            for s in range(starts):
                here[s] = 0.0
            continue
        ends = hand.ends[h]
        if ends >= 0:
            at, times = worth[seen[h], pays.plain[h]], pays.plain_times[h]
            for s in range(starts):
                here[s] = times * at[s]
            if hand.double_up[h]:
                at, times = worth[seen[h], pays.doubled_up[h]], pays.doubled_up_times[h]
                for s in range(starts):
                    here[s] = max(here[s], times * at[s])
            if is_first:
                for s in range(starts):
                    here[s] += later[ends, s]
        if not (hand.hit[h] or hand.double[h]):
            continue
        held = 0.0
        for rank in range(left.size):
            held += hand.cards[h, rank]
        for s in range(starts):
            hit[s] = double[s] = gone[s] = 0.0
        for rank in range(left.size):
            of_rank = left[rank] - hand.cards[h, rank]
            if of_rank <= 0.0:
                continue
            then, cards = hand.longer[h, rank], shown.cards[rank]
            if then == BUSTED:
                _no_natural(left, hand.cards[h], cards_left - held, rank, shown, lost)
                for s in range(starts):
                    gone[s] += max(of_rank - cards[s], 0.0) * lost[s]
                if is_first:
                    after = later[hand.ended[h, rank]]
                    for s in range(starts):
                        hit[s] += max(of_rank - cards[s], 0.0) * after[s]
                        double[s] += max(of_rank - cards[s], 0.0) * after[s]
            else:
                best = values[then]
                if hand.hit[h]:
                    for s in range(starts):
                        hit[s] += max(of_rank - cards[s], 0.0) * best[s]
                if hand.double[h] and seen[then] != NOWHERE:
                    at, times = worth[seen[then], pays.doubled[then]], pays.doubled_times[then]
                    for s in range(starts):
                        double[s] += max(of_rank - cards[s], 0.0) * times * at[s]
                    if is_first:
                        after = later[hand.ends[then]]
                        for s in range(starts):
                            double[s] += max(of_rank - cards[s], 0.0) * after[s]
        for s in range(starts):
            draws = cards_left - held - shown.total[s]
            hit[s] = (hit[s] + pays.bust * gone[s]) / max(draws, 1.0)
            double[s] = (double[s] + pays.doubled_bust * gone[s]) / max(draws, 1.0)
        if ends < 0:
            for s in range(starts):
                here[s] = hit[s]
            continue
        if hand.hit[h]:
            for s in range(starts):
                here[s] = max(here[s], hit[s])
        if hand.double[h]:
            for s in range(starts):
                here[s] = max(here[s], double[s])


@lean
def _no_natural(left: Floats, held: Floats, cards_left: float, rank: int, shown: Shown, chance: Floats) -> None:
    """`chance[start]` that the dealer has no known natural once one more card, of `rank`, is out."""
    for s in range(chance.size):
        partner = shown.natural[s]
        chance[s] = 1.0
        if partner >= 0:
            of_partner = left[partner] - held[partner] - shown.cards[partner, s] - (1.0 if partner == rank else 0.0)
            chance[s] -= of_partner / max(cards_left - shown.total[s] - 1.0, 1.0)

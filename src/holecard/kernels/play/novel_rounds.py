"""Find rounds that show something for the first time, so that a small sample of rounds covers everything.

The features of a round are numbered, one kind after the other:

    hands      the end of a hand and the dealer's class: unsplit hand, first hand of a split, or added hand
    splits     the pair, the number of hands, and how many cards of its rank were dealt (up to `SAME`)
    endings    the dealer's final hand by class and number of cards
    openings   the dealer's first two cards by value
    firsts     the values of a seat's first two cards, and whether its hand finished before the dealer's
    wagers     every cell of every side wager
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from holecard.kernels.jit import lean
from holecard.kernels.play.dealing import Dealt, begin, dealt_card
from holecard.kernels.play.lookup import (
    ANY_CLASS,
    CLASS_COUNT,
    DEALER_CARDS,
    ENDING,
    OPENING,
    RANK_COUNT,
    RESULT,
    VALUE_COUNT,
    Lut,
    Numbers,
    Offsets,
    Results,
    ShoeKey,
)
from holecard.kernels.play.play_round import play_round
from holecard.kernels.play.side_wagers import wager_cell_of

SAME = 8
_ALONE, _FIRST, _ADDED = 0, 1, 2
_KINDS_OF_HANDS = 3


def feature_count(at: Offsets, wager_cells: int) -> int:
    """Return the number of features."""
    hands = _KINDS_OF_HANDS * at.ends * CLASS_COUNT
    splits = RANK_COUNT * (at.hands + 1) * (SAME + 1)
    return hands + splits + CLASS_COUNT * (DEALER_CARDS + 1) + 3 * VALUE_COUNT * VALUE_COUNT + wager_cells


@lean
def find_novel_rounds(
    lut: Lut,
    at: Offsets,
    charts: NDArray[np.uint8],
    key: np.uint64,
    rounds: int,
    dealt: Dealt,
    ends: Numbers,
    hands: Numbers,
    results: Results,
    seen: NDArray[np.bool_],
    found: NDArray[np.int64],
) -> int:
    """Play rounds from fresh shoes, numbered from 0; list those that show a new feature, and return how many.

    `seen` (all False) and `found` have length `feature_count`; `dealt`, `ends`, `hands` and `results` are scratch for
    `play_round`.
    """
    seats, n = charts.size, 0
    for number in range(rounds):
        begin(dealt)
        cards = play_round(lut, at, charts, ShoeKey(np.uint64(number), key), dealt, ends, hands, results)
        new = _is_new(lut, at, seats, cards, dealt, ends, hands, results, seen)
        if new:
            found[n] = number
            n += 1
    return n


@lean
def _is_new(
    lut: Lut,
    at: Offsets,
    seats: int,
    cards: int,
    dealt: Dealt,
    ends: Numbers,
    hands: Numbers,
    results: Results,
    seen: NDArray[np.bool_],
) -> bool:
    ending, opening = results[RESULT * seats + ENDING], results[RESULT * seats + OPENING]
    dealer = ending // (DEALER_CARDS + 1)
    new = False
    for seat in range(seats):
        for hand in range(hands[seat]):
            kind = _ALONE if hands[seat] == 1 else (_ADDED if hand else _FIRST)
            end = ends[at.hands * seat + hand]
            against = dealer if end >= at.settled else ANY_CLASS
            new |= _see(seen, (kind * at.ends + end) * CLASS_COUNT + against)
    base = _KINDS_OF_HANDS * at.ends * CLASS_COUNT
    for seat in range(seats):
        if hands[seat] > 1:
            rank, same = lut[at.rank + dealt_card(dealt, seat)], 0
            for n in range(cards):
                same += int(lut[at.rank + dealt_card(dealt, n)] == rank)
            new |= _see(seen, base + (rank * (at.hands + 1) + hands[seat]) * (SAME + 1) + min(same, SAME))
    base += RANK_COUNT * (at.hands + 1) * (SAME + 1)
    new |= _see(seen, base + ending)
    base += CLASS_COUNT * (DEALER_CARDS + 1)
    new |= _see(seen, base + opening)
    base += VALUE_COUNT * VALUE_COUNT
    for seat in range(seats):
        one, two = lut[at.value + dealt_card(dealt, seat)], lut[at.value + dealt_card(dealt, seats + 1 + seat)]
        over = int(hands[seat] == 1 and ends[at.hands * seat] < at.settled)
        new |= _see(seen, base + (over * VALUE_COUNT + one) * VALUE_COUNT + two)
    base += 2 * VALUE_COUNT * VALUE_COUNT
    for seat in range(seats):
        for wager in range(at.wagers):
            new |= _see(seen, base + wager_cell_of(lut, at, wager, seat, seats, dealt, results))
    return new


@lean
def _see(seen: NDArray[np.bool_], what: int) -> bool:
    """Mark a feature as seen; return whether it is new."""
    new = not seen[what]
    seen[what] = True
    return new

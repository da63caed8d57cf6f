"""Rounds in which something happens for the first time, so that a sample of rounds has everything in it.

What can happen in a round is numbered, one kind after the other:

    hands      how a hand ends against which dealer's hand: alone, first of a split, or added by one
    splits     which pair is split, to how many hands, how many cards of its rank the round took (up to `SAME`)
    endings    the dealer's finished hand by class and number of cards
    openings   the dealer's first two cards by value
    firsts     the values of a seat's first two cards, and whether its hand was over before the dealer's
    wagers     every cell of every side wager
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from holecard.kernels.jit import lean
from holecard.kernels.play.dealing import Dealt, begin, lying
from holecard.kernels.play.lookup import (
    ANY_CLASS,
    CLASSES,
    DEALER_CARDS,
    ENDING,
    OPENING,
    RANKS,
    RESULT,
    VALUES,
    Book,
    Numbers,
    Places,
    Results,
    Shoe,
)
from holecard.kernels.play.play_round import play_round
from holecard.kernels.play.side_wagers import wager_cell_of

SAME = 8
_ALONE, _FIRST, _ADDED = 0, 1, 2
_KINDS_OF_HANDS = 3


def happenings(at: Places, wager_cells: int) -> int:
    """How many different things can happen."""
    hands = _KINDS_OF_HANDS * at.ends * CLASSES
    splits = RANKS * (at.hands + 1) * (SAME + 1)
    return hands + splits + CLASSES * (DEALER_CARDS + 1) + 3 * VALUES * VALUES + wager_cells


@lean
def find_new(
    book: Book,
    at: Places,
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
    """Play rounds from fresh shoes, from number 0 on; write down those with something new, and return how many.

    `seen` ([happening], all False) and `found` ([happening]) are as long as `happenings` says; `dealt`, `ends`, `hands`
    and `results` are what `play_round` works in.
    """
    seats, n = charts.size, 0
    for number in range(rounds):
        begin(dealt)
        cards = play_round(book, at, charts, Shoe(np.uint64(number), key), dealt, ends, hands, results, True)
        new = _is_new(book, at, seats, cards, dealt, ends, hands, results, seen)
        if new:
            found[n] = number
            n += 1
    return n


@lean
def _is_new(
    book: Book,
    at: Places,
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
            new |= _see(seen, (kind * at.ends + end) * CLASSES + against)
    base = _KINDS_OF_HANDS * at.ends * CLASSES
    for seat in range(seats):
        if hands[seat] > 1:
            rank, same = book[at.rank + lying(dealt, seat)], 0
            for n in range(cards):
                same += int(book[at.rank + lying(dealt, n)] == rank)
            new |= _see(seen, base + (rank * (at.hands + 1) + hands[seat]) * (SAME + 1) + min(same, SAME))
    base += RANKS * (at.hands + 1) * (SAME + 1)
    new |= _see(seen, base + ending)
    base += CLASSES * (DEALER_CARDS + 1)
    new |= _see(seen, base + opening)
    base += VALUES * VALUES
    for seat in range(seats):
        one, two = book[at.value + lying(dealt, seat)], book[at.value + lying(dealt, seats + 1 + seat)]
        over = int(hands[seat] == 1 and ends[at.hands * seat] < at.settled)
        new |= _see(seen, base + (over * VALUES + one) * VALUES + two)
    base += 2 * VALUES * VALUES
    for seat in range(seats):
        for wager in range(at.wagers):
            new |= _see(seen, base + wager_cell_of(book, at, wager, seat, seats, dealt, results))
    return new


@lean
def _see(seen: NDArray[np.bool_], what: int) -> bool:
    """Note it; True the first time."""
    new = not seen[what]
    seen[what] = True
    return new

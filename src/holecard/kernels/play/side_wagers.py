"""Side wagers by look-up: what the first cards make, then what that and the dealer's hand come to."""

from __future__ import annotations

from holecard.kernels.jit import lean
from holecard.kernels.play.dealing import Dealt, lying
from holecard.kernels.play.lookup import ENDING, RANKS, RESULT, VALUES, Book, Places, Results

SUITS = 4
#: What the book says of a wager: how many cards it looks at, where its tables begin, how wide they are.
LOOKS_AT, SUIT_CLASSES, N_CLASSES, MADE, FINISHES, N_FINISHES, OUTCOMES, HOPES, CELLS = range(9)
WAGER = 9


@lean
def wager_cell(book: Book, at: Places, wager: int, first: int, second: int, up: int, hole: int, ending: int) -> int:
    """Where a wager's outcome is counted; cards go by their place in the shoe, the dealer's hand by its ending."""
    its = at.wager + WAGER * wager
    finish = book[book[its + FINISHES] + ending] if book[its + N_FINISHES] > 1 else 0
    row = _row(book, at, its, first, second, up, hole)
    return int(book[its + CELLS] + book[book[its + OUTCOMES] + book[its + N_FINISHES] * row + finish])


@lean
def _row(book: Book, at: Places, its: int, first: int, second: int, up: int, hole: int) -> int:
    """The pattern that the first cards make, and the upcard."""
    looks_at = book[its + LOOKS_AT]
    ranks = RANKS * book[at.rank + first] + book[at.rank + second]
    suits = SUITS * book[at.suit + first] + book[at.suit + second]
    if looks_at > 2:
        ranks, suits = RANKS * ranks + book[at.rank + up], SUITS * suits + book[at.suit + up]
    if looks_at > 3:
        ranks, suits = RANKS * ranks + book[at.rank + hole], SUITS * suits + book[at.suit + hole]
    of_suits = book[book[its + SUIT_CLASSES] + suits]
    made = book[book[its + MADE] + book[its + N_CLASSES] * ranks + of_suits]
    return int(VALUES * made + book[at.value + up])


@lean
def hopes_of(book: Book, at: Places, seats: int, dealt: Dealt) -> int:
    """What all seats' wagers hope for, as bits, once the first cards are dealt."""
    up, hole = lying(dealt, seats), lying(dealt, 2 * seats + at.has_hole)
    hopes = 0
    for wager in range(at.wagers):
        its = at.wager + WAGER * wager
        for seat in range(seats):
            row = _row(book, at, its, lying(dealt, seat), lying(dealt, seats + 1 + seat), up, hole)
            hopes |= book[book[its + HOPES] + row]
    return hopes


@lean
def wager_cell_of(book: Book, at: Places, wager: int, seat: int, seats: int, dealt: Dealt, results: Results) -> int:
    """The same for a seat of a round that `play_round` played."""
    first, second = lying(dealt, seat), lying(dealt, seats + 1 + seat)
    up, hole = lying(dealt, seats), lying(dealt, 2 * seats + at.has_hole)
    return wager_cell(book, at, wager, first, second, up, hole, int(results[RESULT * seats + ENDING]))

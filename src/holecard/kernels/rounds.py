"""One round from a fresh shoe, card by card: the same function for processors and graphics cards.

Everything a rule or a chart can say lies in one table of numbers, the *book*; here is only the order in which cards
fall. A *node* is where a hand stands. Ends come first, those that do not wait for the dealer before those that do, then
open hands, which get a card, then splits: comparing numbers tells them apart.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holecard.kernels.compiled import index, lean
from holecard.kernels.dealing import Dealt, card, lying

RANKS, VALUES = 13, 10
PAIRS = RANKS * RANKS
#: Dealer's hands: the classes of the settlement, then unfinished ones.
CLASSES = DEALER_OPEN = 25
#: An unfinished hand is a total, hard or soft, or an upcard alone. After them the one that lacks a card.
DEALER_ALONE = DEALER_OPEN + 2 * 22
DEALER_SHORT = DEALER_ALONE + VALUES
#: Where a card leads is written down for every value, and for the card that there is not.
ROW = VALUES + 1
#: The class in which a hand is counted that did not wait for the dealer.
ANY_CLASS = 17
#: A seat's result: where it is counted (NO_CELL after a split), its net result in parts, its stake in units.
CELL, NET, STAKE = range(3)
RESULT = 3
NO_CELL = -1
#: After the seats' results: where the dealer's finished hand is counted, and where its first two cards are.
ENDING, OPENING = range(2)
OF_DEALER = 2
#: A dealer's hand is counted by its class and its cards, up to this many.
DEALER_CARDS = 12

Book = NDArray[np.int32]
Numbers = NDArray[np.int32]
Results = NDArray[np.int64]


class Places(NamedTuple):
    """Where in the book each table begins, and how large things are."""

    cards: int
    """in the shoe"""
    unfair: int
    """see `dealing.card`"""
    value: int
    """[card of the shoe] 0 for an ace to 9 for a ten; one more, which there is not"""
    rank: int
    """[card of the shoe] 0 for an ace to 12 for a king"""
    suit: int
    """[card of the shoe] 0 to 3"""
    sight: int
    """[upcard, hole card] what the players know of them"""
    sights: int
    first: int
    """[chart, sight, rank, rank] the node of the first two cards"""
    second: int
    """[chart, sight, rank, rank] the node of a split card and its next, if it is not split again"""
    again: int
    """[chart, sight, rank, rank] whether it is split again as long as that is allowed"""
    most: int
    """[rank] hands a pair may become"""
    after: int
    """[node, value or no card] where one more card leads; without one to a node above all splits"""
    settled: int
    """ends below this do not wait for the dealer"""
    ends: int
    """nodes below this are ends"""
    splits: int
    """nodes from this on are splits"""
    dealer: int
    """[upcard, hole card] the dealer's hand"""
    dealer_after: int
    """[unfinished hand, value or no card] where one more card leads"""
    has_hole: int
    """1 where the dealer's second card is dealt before the players act"""
    net: int
    """[original or added stakes, end, dealer class] in parts"""
    stake: int
    """[end] in units"""
    hands: int
    """most hands of a seat"""
    draws_out: int
    """1 where the dealer plays even if no hand waits"""
    wagers: int
    """how many side wagers are placed"""
    wager: int
    """[wager] what the book says of it, see `side_wagers`"""


class Shoe(NamedTuple):
    """Which shoe is dealt from, see `dealing`."""

    number: np.uint64
    key: np.uint64


@lean
def play_round(
    book: Book,
    at: Places,
    charts: NDArray[np.uint8],
    shoe: Shoe,
    dealt: Dealt,
    ends: Numbers,
    hands: Numbers,
    results: Results,
    with_split: bool,
) -> int:
    """Play one round for as many seats as there are `charts`; returns how many cards it took.

    A round that comes to a split is given up, and none returned, unless it is to be played `with_split`.

    `dealt` (begun), `ends` ([seat, hand]) and `hands` ([seat]) are room to work in; `results[seat]` says how it went.
    After the seats' results comes where the dealer's cards are counted: the hand if it is finished, and the first two
    of them. Without a hole card the second is the one behind the players' cards, whether it is taken or not.
    """
    seats = charts.size
    n = 2 * seats + 1 + at.has_hole
    last = _value(book, at, shoe, dealt, n - 1)
    cell = VALUES * book[at.value + lying(dealt, seats)] + (last if at.has_hole else 0)
    sight, dealer = book[at.sight + cell], book[at.dealer + cell]
    waits = False
    for seat in range(seats):
        first, second = book[at.rank + lying(dealt, seat)], book[at.rank + lying(dealt, seats + 1 + seat)]
        row = (charts[seat] * at.sights + sight) * PAIRS + RANKS * first
        node = book[at.first + row + second]
        begin = at.hands * seat
        if node >= at.splits:
            if not with_split:
                return 0
            hands[seat], n = _split(book, at, row, first, shoe, dealt, n, ends, begin)
        else:
            while node >= at.ends:
                node = book[index(at.after + ROW * node + _value(book, at, shoe, dealt, n))]
                n += 1
            hands[seat], ends[begin] = 1, node
        for hand in range(hands[seat]):
            waits |= ends[begin + hand] >= at.settled
    drawn = 1 + at.has_hole - n
    if not at.has_hole:
        cell += _value(book, at, shoe, dealt, n)
    while (waits or at.draws_out) and dealer >= DEALER_OPEN:
        dealer = book[index(at.dealer_after + ROW * (dealer - DEALER_OPEN) + _value(book, at, shoe, dealt, n))]
        n += 1
    for seat in range(seats):
        _settle(book, at, dealer, ends, at.hands * seat, hands[seat], results, RESULT * seat)
    results[RESULT * seats + ENDING] = ending(dealer, drawn + n)
    results[RESULT * seats + OPENING] = cell
    return n


@lean
def ending(dealer: int, cards: int) -> int:
    """Where a dealer's finished hand is counted."""
    return (DEALER_CARDS + 1) * dealer + min(cards, DEALER_CARDS)


@lean
def _value(book: Book, at: Places, shoe: Shoe, dealt: Dealt, n: int) -> int:
    """The value of the n-th card."""
    return int(book[index(at.value + card(shoe.number, shoe.key, at.cards, at.unfair, dealt, n))])


@lean
def _split(
    book: Book, at: Places, row: int, pair: int, shoe: Shoe, dealt: Dealt, n: int, ends: Numbers, begin: int
) -> tuple[int, int]:
    """Each hand in turn gets its second card, is split again or played on: how many hands, the cards dealt so far."""
    hands, over = 2, 0
    while over < hands:
        second = book[at.rank + card(shoe.number, shoe.key, at.cards, at.unfair, dealt, n)]
        n += 1
        if book[at.again + row + second] and hands < book[at.most + pair]:
            hands += 1
            continue
        node = book[at.second + row + second]
        while node >= at.ends:
            node = book[index(at.after + ROW * node + _value(book, at, shoe, dealt, n))]
            n += 1
        ends[begin + over] = node
        over += 1
    return hands, n


@lean
def _settle(
    book: Book, at: Places, dealer: int, ends: Numbers, begin: int, hands: int, results: Results, to: int
) -> None:
    """Write down a seat's result."""
    net, stake, cell = 0, 0, 0
    for hand in range(hands):
        end = ends[begin + hand]
        against = dealer if end >= at.settled else ANY_CLASS
        cell = CLASSES * end + against
        net += book[index(at.net + (CLASSES * at.ends if hand else 0) + cell)]
        stake += book[at.stake + end]
    results[to + CELL] = cell if hands == 1 else NO_CELL
    results[to + NET], results[to + STAKE] = net, stake

"""The *book*: everything a rule or a chart can say, as one table of numbers, and where in it what is to be found.

A *node* is where a hand stands. Ends come first, those that do not wait for the dealer before those that do, then open
hands, which get a card, then splits: comparing numbers tells them apart.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

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
#: A seat's result: where it is counted, its net result in parts, its stake in units. A round with a split is counted by
#: the sum of its hands: CELL is then -1 - sum, below zero.
CELL, NET, STAKE = range(3)
RESULT = 3
#: After the seats' results: where the dealer's finished hand is counted, and where its first two cards are.
ENDING, OPENING = range(2)
OF_DEALER = 2
#: A dealer's hand is counted by its class and its cards, up to this many.
DEALER_CARDS = 12
#: The ending of a hand that nobody needed finished, so that it fits nothing a wager asks for: no cards.
UNFINISHED = 0

Book = NDArray[np.int32]
Numbers = NDArray[np.int32]
Results = NDArray[np.int64]


class Places(NamedTuple):
    """Where in the book each table begins, and how large things are."""

    cards: int
    """in the shoe"""
    dealt_down: int
    """1 where the next round is dealt from the same shoe, so that the dealer draws no card that nobody needs"""
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
    """[original or added stakes, end, dealer class] in parts, rounded where odds are finer than these"""
    kind: int
    """[original or added stakes, end, dealer class] the kind of the net result, one number for all that are equal"""
    kinds: int
    sum_after: int
    """[sum of hands, kind] the sum with one more hand; sum 0 is that of no hand"""
    sums: int
    sum_net: int
    """[sum of hands] in parts, rounded as `net`"""
    stake: int
    """[end] in units"""
    hands: int
    """most hands of a seat"""
    draws_out: int
    """1 where the dealer plays even if no hand waits"""
    awaiting: int
    """[unfinished hand, its cards] the hopes that one more card may decide, as bits"""
    wagers: int
    """how many side wagers are placed"""
    wager: int
    """[wager] what the book says of it, see `side_wagers`"""


class Shoe(NamedTuple):
    """Which shoe is dealt from, see `dealing`."""

    number: np.uint64
    key: np.uint64

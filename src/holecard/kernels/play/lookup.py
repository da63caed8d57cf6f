"""The lookup table `lut`: rules and charts as one array of integers, and the offset of each table in it.

Notation used by all kernels that play rounds: `lut` is the array, `at` holds the offsets, so `lut[at.value + card]` is
the value of a card. A *node* is the situation of one hand. Nodes are numbered so that comparisons tell them apart:
finished hands that do not wait for the dealer, finished hands that do, open hands that take another card, and splits.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

RANK_COUNT, VALUE_COUNT = 13, 10
PAIRS = RANK_COUNT * RANK_COUNT
#: Dealer hands: the settlement classes, then unfinished hands.
CLASS_COUNT = DEALER_OPEN = 25
#: An unfinished hand is a hard or soft total, or an upcard alone. The last number means the batch ran out of cards.
DEALER_ALONE = DEALER_OPEN + 2 * 22
DEALER_SHORT = DEALER_ALONE + VALUE_COUNT
#: A transition row has a column for every card value and one for "no card left".
ROW = VALUE_COUNT + 1
#: The dealer class under which a hand that did not wait for the dealer is counted.
ANY_CLASS = 17
#: A seat's result: the cell it is counted in, its net result in parts, its stake in units. A round with a split is
#: counted by the sum of its hands: CELL is then -1 - sum.
CELL, NET, STAKE = range(3)
RESULT = 3
#: After the seats' results: the cells of the dealer's final hand and of the dealer's first two cards.
ENDING, OPENING = range(2)
OF_DEALER = 2
#: A dealer hand is counted by its class and its number of cards, up to this many.
DEALER_CARDS = 12
#: The ending of a hand that the dealer did not finish: it has no cards, so no pay line matches it.
UNFINISHED = 0

Lut = NDArray[np.int32]
Numbers = NDArray[np.int32]
Results = NDArray[np.int64]


class Offsets(NamedTuple):
    """The offset of each table in `lut`, and sizes."""

    cards: int
    """cards in the shoe"""
    dealt_down: int
    """1 if the next round uses the same shoe: the dealer then draws only cards that some wager needs"""
    value: int
    """[card of the shoe] 0 for an ace to 9 for a ten; one more entry for "no card left\""""
    rank: int
    """[card of the shoe] 0 for an ace to 12 for a king"""
    suit: int
    """[card of the shoe] 0 to 3"""
    dealer_view: int
    """[upcard, hole card] what the players know about the dealer: a number per `DealerView`"""
    dealer_views: int
    first: int
    """[chart, view, rank, rank] node of the first two cards"""
    second: int
    """[chart, view, rank, rank] node of a split card and its second card if it is not resplit"""
    again: int
    """[chart, view, rank, rank] 1 if the chart resplits it while that is allowed"""
    most: int
    """[rank] the most hands a pair may become"""
    after: int
    """[node, value or no card] next node; without a card, a node above all splits"""
    settled: int
    """nodes below this are finished and do not wait for the dealer"""
    ends: int
    """nodes below this are finished hands ("ends")"""
    splits: int
    """nodes from here on are splits"""
    dealer: int
    """[upcard, hole card] the dealer hand"""
    dealer_after: int
    """[unfinished hand, value or no card] next dealer hand"""
    has_hole: int
    """1 if the dealer's second card is dealt before the players act"""
    net: int
    """[original or added stakes, end, dealer class] net result in parts, rounded where the odds are finer"""
    kind: int
    """[original or added stakes, end, dealer class] number of the net result; equal results share one"""
    kinds: int
    sum_after: int
    """[sum of hands, kind] the sum with one more hand; sum 0 means no hands"""
    sums: int
    sum_net: int
    """[sum of hands] net result in parts, rounded like `net`"""
    stake: int
    """[end] stake in units"""
    hands: int
    """the most hands a seat may have"""
    draws_out: int
    """1 if the dealer plays even when no hand waits"""
    decidable: int
    """[unfinished hand, its cards] bits of the live pay lines that another dealer card can still decide"""
    wagers: int
    """number of side wagers placed"""
    wager: int
    """[wager] its record, see `side_wagers`"""


class ShoeKey(NamedTuple):
    """Seed and number of a shoe, which determine its cards; see `dealing`."""

    number: np.uint64
    key: np.uint64

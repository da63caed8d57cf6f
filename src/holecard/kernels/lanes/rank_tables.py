"""Small lookup tables by rank, for loops that play many rounds in lockstep.

They hold what `lut` holds (see `kernels.play.lookup`), but are read with a card's rank (`card >> SUIT_BITS`) instead of
its index in the shoe, and fit the first level of a CPU's cache: 16 bits per entry, 16 entries per rank.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

#: A card type is 4 * rank + suit; tables have 16 columns for 13 ranks.
SUIT_BITS, RANK_BITS = 2, 4
RANK_COLUMNS = 1 << RANK_BITS

Small = NDArray[np.uint16]


class RankTables(NamedTuple):
    """Tables by rank; two ranks together are `first << RANK_BITS | second`."""

    first: Small
    """[chart and view, two ranks] node of the first two cards; the row of a chart and a view is chart * views + view"""
    after: Small
    """[node, rank] next node"""
    dealer_view: Small
    """[upcard and hole card] what the players know about the dealer"""
    dealer: Small
    """[upcard and hole card] the dealer hand"""
    dealer_after: Small
    """[dealer hand - DEALER_OPEN, rank] next dealer hand"""
    opening: Small
    """[upcard and hole card] the cell of the dealer's first two cards"""

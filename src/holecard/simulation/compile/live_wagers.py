"""Which side wagers another dealer card can still decide.

Where rounds share a shoe, the dealer draws only cards that some wager needs. Each bit stands for the pay lines that the
same dealer cards decide.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from operator import or_

import numpy as np
from numpy.typing import NDArray

from holecard.errors import Refusal
from holecard.kernels.play.lookup import DEALER_ALONE, DEALER_CARDS, DEALER_OPEN, VALUE_COUNT
from holecard.sheets.tables import Tables
from holecard.simulation.compile.wager_tables import WagerTable
from holecard.wagers.dealer_hands import DealerHand, Finished

#: Bits that fit an entry of `lut`.
_MOST = 31


@dataclass(frozen=True)
class LiveLines:
    """The live pay lines of wagers, and how long they stay live."""

    wagers: tuple[NDArray[np.int32], ...]
    """for each wager: [pattern, upcard] bits of the dealer hands that could still pay it"""
    decidable: NDArray[np.int32]
    """[unfinished dealer hand, its cards] bits of the dealer hands that one more card can decide"""


def live_lines_of(tables: Tables, wagers: Sequence[WagerTable]) -> LiveLines:
    """Return the live pay lines of the wagers placed."""
    bits: dict[bytes, int] = {}
    unfinished = _unfinished(tables)
    decidable = np.zeros((len(unfinished), DEALER_CARDS + 1), np.int32)

    def bit(hand: DealerHand) -> int:
        """Return the bit of a dealer hand; hands that are decided in the same situations share it."""
        decides = np.array([[end is not None and hand.can_still_hit(end) for end in row] for row in unfinished])
        found = bits.setdefault(decides.tobytes(), 1 << len(bits))
        if len(bits) > _MOST:
            raise Refusal(f"the side wagers depend on the dealer's hand in more than {_MOST} ways; place fewer of them")
        decidable[decides] |= found
        return found

    of_hand = {hand: bit(hand) for wager in wagers for row in wager.awaited for hands in row for hand in hands}
    return LiveLines(
        tuple(
            np.array([[sum({of_hand[hand] for hand in hands}) for hands in row] for row in wager.awaited], np.int32)
            for wager in wagers
        ),
        decidable,
    )


def _unfinished(tables: Tables) -> list[list[Finished | None]]:
    """Return [hand, cards], the unfinished dealer hands as numbered in `lut`; None for impossible ones."""
    drawn = [
        [Finished(total, cards, natural=False) if draws and cards > 1 else None for cards in range(DEALER_CARDS + 1)]
        for total in range(22)
        for draws in map(or_, tables.dealer_draws.usual[total], tables.dealer_draws.committed[total])
    ]
    assert len(drawn) == DEALER_ALONE - DEALER_OPEN
    alone = [Finished(0, cards, natural=False) if cards == 1 else None for cards in range(DEALER_CARDS + 1)]
    return drawn + [alone] * VALUE_COUNT

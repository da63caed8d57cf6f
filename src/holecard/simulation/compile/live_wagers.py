"""Which side wagers still hope for a card of the dealer's: where rounds share a shoe, nobody draws one for nothing.

A hope is a bit, the same for all dealer's hands that are awaited alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from holecard.errors import Refusal
from holecard.kernels.play.lookup import DEALER_ALONE, DEALER_CARDS, DEALER_OPEN, VALUES
from holecard.sheets.tables import Tables
from holecard.simulation.compile.wager_tables import WagerTable
from holecard.wagers.dealer_hands import DealerHand, Finished

#: Hopes that fit a number of the book.
_MOST = 31


@dataclass(frozen=True)
class Hopes:
    """What wagers hope for, and until when they do."""

    wagers: tuple[NDArray[np.int32], ...]
    """of each: [pattern, upcard] the bits of the hands it may still be paid for"""
    awaiting: NDArray[np.int32]
    """[unfinished hand of the dealer, its cards] the bits of the hands that one more card may decide"""


def hopes_of(tables: Tables, wagers: Sequence[WagerTable]) -> Hopes:
    """The hopes of the wagers that are placed."""
    bits: dict[bytes, int] = {}
    unfinished = _unfinished(tables)
    awaiting = np.zeros((len(unfinished), DEALER_CARDS + 1), np.int32)

    def bit(hand: DealerHand) -> int:
        """One more card decides it here, and there."""
        decides = np.array([[end is not None and hand.awaits(end) for end in row] for row in unfinished])
        found = bits.setdefault(decides.tobytes(), 1 << len(bits))
        if len(bits) > _MOST:
            raise Refusal(f"side wagers await the dealer's hand in more than {_MOST} ways; place fewer, or none")
        awaiting[decides] |= found
        return found

    of_hand = {hand: bit(hand) for wager in wagers for row in wager.awaited for hands in row for hand in hands}
    return Hopes(
        tuple(
            np.array([[sum({of_hand[hand] for hand in hands}) for hands in row] for row in wager.awaited], np.int32)
            for wager in wagers
        ),
        awaiting,
    )


def _unfinished(tables: Tables) -> list[list[Finished | None]]:
    """[hand, cards] the dealer's unfinished hands as the book numbers them; None: there is no such hand."""
    drawn = [
        [Finished(total, cards, natural=False) if draws and cards > 1 else None for cards in range(DEALER_CARDS + 1)]
        for total in range(22)
        for draws in tables.dealer_draws[total]
    ]
    assert len(drawn) == DEALER_ALONE - DEALER_OPEN
    alone = [Finished(0, cards, natural=False) if cards == 1 else None for cards in range(DEALER_CARDS + 1)]
    return drawn + [alone] * VALUES

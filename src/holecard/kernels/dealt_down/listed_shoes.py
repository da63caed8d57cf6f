"""List the cards that have not been seen before the rounds of dealt-down shoes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from holecard.kernels.dealt_down.dealing_rule import DealingRule
from holecard.kernels.jit import lean
from holecard.kernels.play.dealing import SHOE, START, Dealt, begin_whole_shoe, dealt_card, nth_card
from holecard.kernels.play.lookup import RANK_COUNT, Lut, Offsets, ShoeKey
from holecard.kernels.play.play_round import play_round
from holecard.kernels.play.side_wagers import SUIT_COUNT, card_type
from holecard.kernels.play.workspace import Workspace

CARD_TYPES = RANK_COUNT * SUIT_COUNT


@lean
def list_shoes(
    lut: Lut,
    at: Offsets,
    charts: NDArray[np.uint8],
    key: np.uint64,
    first: np.uint64,
    shoes: int,
    every: int,
    rule: DealingRule,
    work: Workspace,
    unseen: NDArray[np.uint8],
    out: NDArray[np.uint16],
    of_shoe: NDArray[np.uint32],
    of_round: NDArray[np.uint16],
) -> int:
    """Play shoes numbered from `first`; describe every `every`-th round of each, and return how many.

    `unseen` gets [round, card type] cards not seen before the round: burned cards are among them. `out` gets the cards
    out of the shoe, `of_shoe` the shoe's number from `first` on, and `of_round` the number of the round in its shoe.
    The first round listed of a shoe varies with the shoe's number, so that rounds of all numbers are listed alike.
    """
    dealt, listed = work.dealt, 0
    for number in range(shoes):
        shoe = ShoeKey(first + np.uint64(number), key)
        begin_whole_shoe(dealt, at.cards)
        if rule.burn:
            nth_card(shoe.number, key, at.cards, at.dealt_down, dealt, rule.burn - 1)
            dealt[START] = rule.burn
        skip = int(shoe.number % np.uint64(every))
        seen, rounds = rule.burn, 0
        while rounds < rule.rounds and dealt[START] < rule.cut:
            if rounds % every == skip:
                _count_unseen(lut, at, rule.burn, seen, dealt, unseen[listed])
                out[listed], of_shoe[listed], of_round[listed] = seen, number, rounds
                listed += 1
            n = play_round(lut, at, charts, shoe, dealt, work.ends, work.hands, work.results)
            rounds += 1
            if dealt[SHOE] > 0 or dealt[START] < seen:  # the shoe ran out: discards were shuffled in
                break
            seen += n
            dealt[START] = seen
    return listed


@lean
def _count_unseen(lut: Lut, at: Offsets, burn: int, seen: int, dealt: Dealt, unseen: NDArray[np.uint8]) -> None:
    """Count the cards of a full shoe by type, less those dealt after the burned ones."""
    for kind in range(CARD_TYPES):
        unseen[kind] = at.cards // CARD_TYPES
    start = dealt[START]
    dealt[START] = 0
    for n in range(burn, seen):
        unseen[card_type(lut, at, dealt_card(dealt, n))] -= 1
    dealt[START] = start

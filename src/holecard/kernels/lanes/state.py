"""What is known of rounds that are played in lockstep: one *lane* per round.

`cards` holds the cards of all lanes as types (4 * rank + suit). A lane's next card is at `next[lane]`, the one after it
`step` further on. Lanes of dealt-down shoes own a row of `cards` each (`step` is 1), lanes of fresh shoes a column.

A round takes these steps, each a loop over lanes: `open_round`, `play_seat` for each seat, `draw_dealers`, then the
counts. Between them, and after the round:

- `start[lane]` and `next[lane]` enclose the cards of the round;
- `nodes[seat, lane]` is how the seat's hand ended (of a split pair, the split);
- `dealers[lane]` is the dealer's hand, `openings[lane]` the ranks of upcard and hole card.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holecard.kernels.jit import inlined
from holecard.kernels.play.lookup import Numbers, Offsets, Results

#: The most tens that a hand takes.
_TENS = 3

Types = NDArray[np.uint8]
PerLane = NDArray[np.uint32]


class RoundLanes(NamedTuple):
    """Arrays by [lane], and the splits of the current round."""

    cards: Types
    step: int
    """from a card of a lane to its next one"""
    next: PerLane
    start: PerLane
    charts: PerLane
    """[seat, lane] number of the seat's chart"""
    openings: PerLane
    dealers: PerLane
    players: PerLane
    """index of the card after the players' last one"""
    nodes: PerLane
    """[seat, lane]"""
    waiting: PerLane
    """scratch: hands that take a card, node and lane packed"""
    splitting: PerLane
    """scratch: lanes of one seat with a split"""
    alone: PerLane
    """1 if the round has to be played alone: it needs more cards than the lane was dealt"""
    cells: Numbers
    """[seat, lane] the cell that the round is counted in; -1 - sum of a round with a split"""
    nets: Results
    """[seat, lane] net result of the round in parts"""
    rows: PerLane
    """[wager, seat, lane] the row of the first cards in the wager's outcomes"""
    endings: PerLane
    """cell of the dealer's final hand, where it is counted or a side wager needs it"""
    needs: PerLane
    """bits of what the dealer's next card may decide: live pay lines, and HANDS if a hand waits"""
    splits: PerLane
    """[split, SPLIT_LANE or SPLIT_SEAT] the splits of the round"""
    split_hands: Numbers
    """[split] number of hands"""
    split_ends: Numbers
    """[split, hand] how they ended"""


def rows_beyond(at: Offsets, seats: int) -> int:
    """Return how many tens must follow a lane's cards, so that hands that read on end before the cards do."""
    return 2 * seats + 2 + _TENS * (seats * at.hands + 1)


def new_round_lanes(at: Offsets, charts: NDArray[np.uint8], width: int, cards: Types, *, step: int) -> RoundLanes:
    """Return lanes for a table with one chart per seat."""
    seats = charts.size

    def lane() -> PerLane:
        return np.zeros(width, np.uint32)

    return RoundLanes(
        cards=cards,
        step=step,
        next=lane(),
        start=lane(),
        charts=np.repeat(charts.astype(np.uint32), width).reshape(seats, width),
        openings=lane(),
        dealers=lane(),
        players=lane(),
        nodes=np.zeros((seats, width), np.uint32),
        waiting=np.zeros(width + 1, np.uint32),
        splitting=np.zeros(width + 1, np.uint32),
        alone=lane(),
        cells=np.zeros((seats, width), np.int32),
        nets=np.zeros((seats, width), np.int64),
        rows=np.zeros((max(1, at.wagers), seats, width), np.uint32),
        endings=lane(),
        needs=lane(),
        splits=np.zeros((seats * width, 2), np.uint32),
        split_hands=np.zeros(seats * width, np.int32),
        split_ends=np.zeros((seats * width, at.hands), np.int32),
    )


@inlined
def used_until(at: Offsets, lanes: RoundLanes, lane: int) -> np.uint32:
    """Return the index after the last card that the round looked at: without a hole card, also one for the dealer."""
    after, players = lanes.next[lane], lanes.players[lane]
    return after if at.has_hole else max(after, players + np.uint32(lanes.step))

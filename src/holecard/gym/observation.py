"""What the agent sees: a vector of small whole numbers, made of what the seat can see and nothing else.

The hole card counts as unseen until the dealer turns it. `docs/gym.md` explains every field.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final

import numpy as np
from gymnasium.spaces import Box
from numpy.typing import NDArray

from holecard.deck import RANKS, VALUES, Card
from holecard.sheets.tables import Tables
from holecard.table.dealing.dealt_round import DealtRound
from holecard.table.round import Round
from holecard.table.state import Phase, Seat

Observation = NDArray[np.uint8]

#: Numbers of the phases.
OBSERVED_PHASES: Final[tuple[Phase, ...]] = (
    "betting",
    "insurance",
    "early surrender",
    "after the check",
    "acting",
    "last call",
    "done",
)
_CODE = {phase: code for code, phase in enumerate(OBSERVED_PHASES)}
#: Field and highest number.
_HEAD: Final = {
    "phase": len(OBSERVED_PHASES) - 1,
    "total": 31,
    "soft": 1,
    "cards": 22,
    "pair": 1,
    "from_split": 1,
    "hand": 8,
    "hands": 8,
    "upcard": 10,
    "hole": 10,
    "dealer_total": 31,
    "insured": 1,
}
_MOST_OF_A_RANK = 22
_NO_CARDS = bytes(len(RANKS))
#: Where fields begin.
_BET: Final = len(_HEAD)
_HAND: Final = _BET + 1
_UNSEEN: Final = _HAND + len(RANKS)
_WAGERS: Final = _UNSEEN + len(RANKS)


class Observer:
    """Follows the cards of a shoe and describes a round. `wagers` have fields, and those `offered` fill them.

    The vector is kept from step to step, and only what has changed is written.
    """

    def __init__(self, tables: Tables, wagers: tuple[int, ...], offered: Collection[int], bets: int) -> None:
        self._tables = tables
        self._wagers = wagers
        self._offered = offered
        self._pair_key = tables.split_key
        self._full = bytes([4 * tables.decks] * len(RANKS))
        highest = _HEAD | {"bet": bets}
        highest |= {f"hand_{rank}": _MOST_OF_A_RANK for rank in RANKS}
        highest |= {f"unseen_{rank}": 4 * tables.decks for rank in RANKS}
        for index in wagers:
            wager = tables.wagers[index]
            highest |= {f"placed {wager.name}": 1, f"line {wager.name}": len(wager.lines)}
        self.fields: tuple[str, ...] = tuple(highest)
        high = np.array(list(highest.values()), np.uint8)
        self.space = Box(np.zeros_like(high), high, dtype=np.uint8)
        self._vector = bytearray(len(highest))
        self._array = np.frombuffer(self._vector, np.uint8)
        self.new_shoe()
        self.new_round(0)

    def __getstate__(self) -> dict[str, Any]:
        """Leave out the array, which shares the memory of the vector."""
        return {name: value for name, value in self.__dict__.items() if name != "_array"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._array = np.frombuffer(self._vector, np.uint8)

    # The cards seen

    def new_shoe(self) -> None:
        """Forget all cards: they have been shuffled."""
        self._vector[_UNSEEN:_WAGERS] = self._full

    def new_round(self, bet: int) -> None:
        """Begin a round without cards; `bet` is the number of the bet, 0 before it is made."""
        self._seen = self._reshuffled = 0
        self._hole_hidden = False
        self._dealer: tuple[Card, ...] = ()
        self._vector[_BET] = bet

    def _see_restocked(self, dealt: DealtRound) -> None:
        """Forget the discards that went back: only cards still on the table count as seen."""
        if len(dealt.reshuffled) == self._reshuffled:
            return
        self._reshuffled = len(dealt.reshuffled)
        self._seen = dealt.reshuffled[-1]
        self.new_shoe()
        for card in dealt.out[: len(dealt.out) - (len(dealt.cards) - self._seen)]:
            self._vector[_UNSEEN + (card >> 2)] -= 1
        if self._hole_hidden:
            self._vector[_UNSEEN + (dealt.round.dealer[1] >> 2)] += 1

    # The vector

    def before_the_deal(self, placed: Collection[int]) -> Observation:
        """Return the table before a bet, with the side wagers chosen so far."""
        self._vector[:_UNSEEN] = bytes(_UNSEEN)
        for place, index in enumerate(self._wagers):
            self._vector[_WAGERS + 2 * place : _WAGERS + 2 * place + 2] = bytes((index in placed, 0))
        return self._array.copy()

    def observe(self, dealt: DealtRound, placed: Collection[int] = ()) -> Observation:
        """Return the round from the seat; `placed` are the side wagers on the table."""
        vector, round_ = self._vector, dealt.round
        if dealt.reshuffled:
            self._see_restocked(dealt)
        for card in dealt.cards[self._seen :]:
            vector[_UNSEEN + (card >> 2)] -= 1
        self._seen = len(dealt.cards)
        seat = round_.seats[0]
        hand = seat.hands[round_.hand]
        vector[0] = _CODE[round_.phase]
        cards = hand.cards
        vector[1] = hand.total
        vector[2] = hand.soft
        vector[3] = len(cards)
        vector[4] = len(cards) == 2 and self._pair_key[cards[0]] == self._pair_key[cards[1]]
        vector[5] = hand.from_split
        vector[_HAND:_UNSEEN] = _NO_CARDS
        for card in cards:
            vector[_HAND + (card >> 2)] += 1
        vector[6] = round_.hand + 1
        vector[7] = len(seat.hands)
        hidden = not round_.hole_seen and len(round_.dealer) > 1
        if round_.dealer is not self._dealer or hidden is not self._hole_hidden:
            self._see_dealer(round_, hidden)
        vector[11] = seat.insurance > 0
        if self._offered:
            self._see_wagers(seat, placed)
        return self._array.copy()

    def _see_dealer(self, round_: Round, hidden: bool) -> None:
        vector, dealer = self._vector, round_.dealer
        if hidden is not self._hole_hidden:
            vector[_UNSEEN + (dealer[1] >> 2)] += 1 if hidden else -1
            self._hole_hidden = hidden
        self._dealer = dealer
        upcard = VALUES[dealer[0]]
        vector[8] = upcard
        vector[9] = VALUES[dealer[1]] if len(dealer) > 1 and not hidden else 0
        vector[10] = round_.dealer_total if not hidden else 11 if upcard == 1 else upcard

    def _see_wagers(self, seat: Seat, placed: Collection[int]) -> None:
        """Write for each wager whether it is placed, and its first pay line that can still pay (0: none)."""
        hole = () if self._hole_hidden else self._dealer[1:2]
        seen = (*seat.first_two, self._dealer[0], *hole)
        for place, index in enumerate(self._wagers):
            if index in self._offered:
                wager = self._tables.wagers[index]
                live = wager.live_lines(seen) if len(seen) >= wager.looks_at else wager.lines
                self._vector[_WAGERS + 2 * place] = index in placed
                self._vector[_WAGERS + 2 * place + 1] = 1 + wager.lines.index(live[0]) if live else 0

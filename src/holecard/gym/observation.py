"""What the agent sees: a vector of small whole numbers, made of what the seat can see and nothing else.

The hole card counts as unseen until the dealer turns it. `docs/gym.md` explains every field.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from gymnasium.spaces import Box
from numpy.typing import NDArray

from holecard.deck import RANKS, VALUES, Card
from holecard.sheets.tables import Tables
from holecard.table.dealing import DealtRound
from holecard.table.round import Round
from holecard.table.state import Phase, Seat

Observation = NDArray[np.uint8]

#: Numbers of the phases.
PHASES: Final[tuple[Phase, ...]] = (
    "betting",
    "insurance",
    "early surrender",
    "after the check",
    "acting",
    "last call",
    "done",
)
_CODE = {phase: code for code, phase in enumerate(PHASES)}
#: Field and highest number.
_HEAD: Final = {
    "phase": len(PHASES) - 1,
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
_BETTING = bytes(len(_HEAD))
_NO_CARDS = bytes(len(RANKS))


class Observer:
    """Follows the cards of a shoe and describes a round. `wagers` are those the agent may place."""

    def __init__(self, tables: Tables, wagers: tuple[int, ...], bets: int) -> None:
        self._tables = tables
        self._wagers = wagers
        self._full = bytes([4 * tables.decks] * len(RANKS))
        self._unseen = bytearray(self._full)
        self._seen = 0
        self._reshuffled = 0
        self._hole_hidden = False
        highest = _HEAD | {"bet": bets}
        highest |= {f"hand_{rank}": _MOST_OF_A_RANK for rank in RANKS}
        highest |= {f"unseen_{rank}": 4 * tables.decks for rank in RANKS}
        for index in wagers:
            wager = tables.wagers[index]
            highest |= {f"placed {wager.name}": 1, f"line {wager.name}": len(wager.lines)}
        self.fields: tuple[str, ...] = tuple(highest)
        high = np.array(list(highest.values()), np.uint8)
        self.space = Box(np.zeros_like(high), high, dtype=np.uint8)

    # The cards seen

    def new_shoe(self) -> None:
        """All cards have been shuffled."""
        self._unseen[:] = self._full

    def new_round(self) -> None:
        """No card of the round has been dealt."""
        self._seen = self._reshuffled = 0
        self._hole_hidden = False

    def follow(self, dealt: DealtRound) -> None:
        """See the cards dealt since the last call, and the hole card once it is turned."""
        if len(dealt.reshuffled) > self._reshuffled:
            self._see_restocked(dealt)
        unseen = self._unseen
        for card in dealt.cards[self._seen :]:
            unseen[card >> 2] -= 1
        self._seen = len(dealt.cards)
        hidden = not dealt.round.hole_seen and len(dealt.round.dealer) > 1
        if hidden is not self._hole_hidden:
            self._hole_hidden = hidden
            unseen[dealt.round.dealer[1] >> 2] += 1 if hidden else -1

    def _see_restocked(self, dealt: DealtRound) -> None:
        """The discards went back: of the cards up to the last shuffle only those still on the table are seen."""
        self._reshuffled = len(dealt.reshuffled)
        self._seen = dealt.reshuffled[-1]
        self.new_shoe()
        kept = dealt.out[: len(dealt.out) - (len(dealt.cards) - self._seen)]
        for card in kept:
            self._unseen[card >> 2] -= 1
        if self._hole_hidden:
            self._unseen[dealt.round.dealer[1] >> 2] += 1

    # The vector

    def betting(self, placed: set[int]) -> Observation:
        """The table before a bet."""
        tail = bytes(number for index in self._wagers for number in (index in placed, 0))
        return np.frombuffer(bytearray(_BETTING + b"\0" + _NO_CARDS) + self._unseen + tail, np.uint8)

    def observe(self, round_: Round, bet: int, placed: set[int] | None) -> Observation:
        """The round from the seat; `bet` is the number of the bet, `placed` the side wagers on the table."""
        seat = round_.seats[0]
        hand = seat.hands[round_.hand]
        cards, dealer = hand.cards, round_.dealer
        key = self._tables.split_key
        upcard = VALUES[dealer[0]]
        if round_.hole_seen and len(dealer) > 1:
            hole, dealer_total = VALUES[dealer[1]], round_.dealer_total
        else:
            hole, dealer_total = 0, 11 if upcard == 1 else upcard
        ranks = bytearray(_NO_CARDS)
        for card in cards:
            ranks[card >> 2] += 1
        head = (
            _CODE[round_.phase],
            hand.total,
            hand.soft,
            len(cards),
            len(cards) == 2 and key[cards[0]] == key[cards[1]],
            hand.from_split,
            round_.hand + 1,
            len(seat.hands),
            upcard,
            hole,
            dealer_total,
            seat.insurance > 0,
            bet,
        )
        vector = bytearray(head) + ranks + self._unseen
        if placed is not None:
            vector += self._tail(seat, dealer, round_.hole_seen, placed)
        return np.frombuffer(vector, np.uint8)

    def _tail(self, seat: Seat, dealer: tuple[Card, ...], hole_seen: bool, placed: set[int]) -> bytes:
        """For each wager whether it is placed, and the first of its pay lines that can still pay (0: none)."""
        seen = (*seat.first_two, *dealer[: 2 if hole_seen else 1])
        found = []
        for index in self._wagers:
            wager = self._tables.wagers[index]
            live = wager.hopes(seen) if len(seen) >= wager.looks_at else wager.lines
            found += [index in placed, 1 + wager.lines.index(live[0]) if live else 0]
        return bytes(found)

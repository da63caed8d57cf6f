"""A compiled side wager: limits, pay lines, and when it is decided.

Only the first line that matches pays. A wager on the first cards is settled right after the deal, a wager on the
dealer's finished hand at the end of the round.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction

from holecard.deck import VALUES, Card, value_name
from holecard.errors import plural
from holecard.money import Money, Rounding, dollars, net_win
from holecard.odds import spell
from holecard.wagers.dealer_hands import DealerHand, Finished
from holecard.wagers.named_hands import NamedHand

HOUSE_TABLE = "house table, not printed on the sheet"
EVERY_UPCARD = frozenset(range(1, 11))


@dataclass(frozen=True, slots=True)
class Limits:
    """What may be staked: from `low` to `high` in steps counted from `low`."""

    low: Money
    high: Money
    step: Money

    def allows(self, stake: int) -> bool:
        return self.low <= stake <= self.high and (int(stake) - int(self.low)) % int(self.step) == 0

    def __str__(self) -> str:
        if self.low == self.high:
            return f"exactly {dollars(self.low)}"
        steps = f" in steps of {dollars(self.step)}" if self.step > 1 else ""
        return f"{dollars(self.low)} to {dollars(self.high)}{steps}"


@dataclass(frozen=True, slots=True)
class Payout:
    """What a line pays: odds on the stake, or a fixed amount."""

    odds: Fraction = Fraction(0)
    fixed: Money | None = None

    def net(self, stake: int, rounding: Rounding) -> Money:
        return net_win(stake, self.odds, rounding) if self.fixed is None else self.fixed

    @property
    def is_push(self) -> bool:
        return self.fixed is None and self.odds == 0

    def __str__(self) -> str:
        return spell(self.odds) if self.fixed is None else dollars(self.fixed)


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a pay table: a named hand, a dealer's hand or both, and what they pay."""

    name: str
    pays: Payout
    hand: NamedHand | None = None
    dealer: DealerHand | None = None
    upcards: frozenset[int] = EVERY_UPCARD

    def can_pay(self, upcard: int, looked_at: tuple[Card, ...]) -> bool:
        """Return whether the line can pay, given the value of the upcard and the first cards."""
        return (
            upcard in self.upcards
            and (self.hand is None or self.hand.fits(looked_at))
            and (self.dealer is None or self.dealer.possible_with(upcard))
        )

    def __str__(self) -> str:
        return f"{self.name}: {'push' if self.pays.is_push else f'pays {self.pays}'}"


@dataclass(frozen=True, slots=True, repr=False)
class SideWager:
    """A side wager, compiled from the sheet."""

    name: str
    looks_at: int
    lines: tuple[Line, ...]
    limits: Limits
    at_most_main: bool = False
    needs: str | None = None
    after_check: bool = False
    """placed after the check, if neither the player nor the dealer has a natural"""
    until_turned: bool = False
    """open from the check until the dealer turns the hole card, not only before anybody acts"""
    settled_at_end: bool = False
    upcards: frozenset[int] = EVERY_UPCARD
    needs_upcards: frozenset[int] = EVERY_UPCARD
    """upcards with which the wagers it needs can be placed"""
    token: bool = False
    tax: tuple[Line, ...] = ()
    tax_upcards: frozenset[int] = EVERY_UPCARD
    printed: bool = True
    offered_upcards: frozenset[int] = field(init=False, compare=False)
    """upcards with which it can be placed: all, unless it is placed after the check"""

    def __post_init__(self) -> None:
        object.__setattr__(self, "offered_upcards", self._offered_upcards())

    def _offered_upcards(self) -> frozenset[int]:
        """Return the upcards with which it can be placed; after the check, those on which a line can pay.

        By then there is no dealer's natural, so that a line on one cannot pay.
        """
        if not self.after_check:
            return EVERY_UPCARD
        paid = (line for line in self.lines if not (line.dealer and line.dealer.natural))
        return self.needs_upcards & self._paid_upcards(paid)

    def _paid_upcards(self, lines: Iterable[Line]) -> frozenset[int]:
        return self.upcards & frozenset[int]().union(*(line.upcards for line in lines))

    @property
    def winning_upcards(self) -> frozenset[int]:
        """The upcards with which it can be placed and a line pays; with any other it wins nothing."""
        return self.offered_upcards if self.after_check else self._paid_upcards(self.lines)

    def __repr__(self) -> str:
        return f"SideWager({self.name}: {plural(len(self.lines), 'line')})"

    @property
    def on_dealers_hand(self) -> bool:
        """Whether the dealer must complete the hand for it, because a line depends on cards that the dealer draws."""
        return any(line.dealer and line.dealer.drawn_to(2) for line in self.lines)

    def live_lines(self, cards: tuple[Card, ...]) -> tuple[Line, ...]:
        """Return the lines that can still pay, given the player's two cards, the upcard, and the hole card if up."""
        upcard = VALUES[cards[2]]
        if upcard not in self.upcards:
            return ()
        looked_at = cards[: self.looks_at]
        return tuple(line for line in self.lines if line.can_pay(upcard, looked_at))

    def is_pending(self, cards: tuple[Card, ...]) -> bool:
        """Return whether the wager still depends on a card that has not been seen."""
        if len(cards) < self.looks_at:
            return True
        live = self.live_lines(cards)
        return bool(live) and live[0].dealer is not None

    def decided_line(self, cards: tuple[Card, ...]) -> Line | None:
        """Return the line that pays a wager that is no longer pending; None: the stake is lost."""
        return next(iter(self.live_lines(cards)), None)

    def final_line(self, cards: tuple[Card, ...], dealer: Finished) -> Line | None:
        """Return the line that pays when the dealer's hand is finished; None: the stake is lost."""
        for line in self.live_lines(cards):
            if line.dealer is None or line.dealer.fits(dealer):
                return line
        return None

    def tax_due(self, cards: tuple[Card, ...]) -> Line | None:
        """Return the tax line that the first two cards match; None: no tax."""
        if VALUES[cards[2]] not in self.tax_upcards:
            return None
        return next((line for line in self.tax if line.hand and line.hand.fits(cards[:2])), None)


def format_upcards(values: frozenset[int]) -> str:
    """Return upcards as text: "2 to 7", "A" or "A, T"."""
    if len(values) > 2 and max(values) - min(values) == len(values) - 1:
        return f"{value_name(min(values))} to {value_name(max(values))}"
    return ", ".join(value_name(v) for v in sorted(values))

"""An independent referee: replays one round from the compiled tables, slowly and simply, and says what each wager pays.

The table, the exact mathematics and the kernels share code: totals, legal actions, pay lines, payoffs. Comparing them
cannot show an error in shared code. The referee shares none of it. It reads only data of the compiled tables and of the
chart (masks, matrices, pay lines, cells); `plain_hands` has its own totals, classes and lines.

It simplifies one thing: it always finishes the dealer's hand and settles everything at the end. A hand that a table
settles earlier (a bust, a natural that does not wait, a decided line) is paid the same against any hand the dealer can
still get.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from holecard.charts.chart import Chart
from holecard.deck import Card
from holecard.sheets.tables import BET, COMPANION, DOUBLE, DOUBLE_UP, SPLIT, SettlementRow, Tables
from holecard.simulation.witness.plain_charts import PlainChart
from holecard.simulation.witness.plain_hands import (
    counts,
    dealer_class,
    dealer_draws,
    first_line,
    is_natural,
    is_taken,
    player_class,
    rounded,
    tax_line,
    value,
)
from holecard.wagers.pay_table import Line, SideWager

ACE_OR_TEN = (1, 10)


@dataclass(frozen=True, slots=True)
class SeatStakes:
    """The wagers of every seat in cents: main wager, side wagers by name, insurance (0 for none)."""

    main: int
    sides: Mapping[str, int]
    insurance: int


class PaidWager(NamedTuple):
    """One settled wager; `exact` is the net result in cents before rounding, `net` after."""

    seat: int
    hand: int
    wager: str
    stake: int
    exact: Fraction
    net: int
    line: Line | None = None


@dataclass(frozen=True, slots=True)
class RefereeRuling:
    """The correct outcome of a round."""

    paid: tuple[PaidWager, ...]
    actions: tuple[tuple[int, str], ...]
    """(seat, action) in order; a forced stand is not listed"""
    open: tuple[frozenset[str], ...]
    """[action] all legal actions at that point"""
    dealer: tuple[Card, ...]
    """the finished hand"""
    waits: bool
    """whether a hand is settled against the dealer's final hand"""
    insurance: Fraction | None
    """what a unit of insurance wins; None if not offered"""


@dataclass
class _Hand:
    cards: list[Card]
    stakes: dict[int, int]
    from_split: bool = False
    doubled: bool = False
    cashed: SettlementRow | None = None
    """the terms, if surrendered or cashed by Quick Pay"""


@dataclass
class _Seat:
    number: int
    chart: PlainChart
    hands: list[_Hand]
    first_two: tuple[Card, Card]
    asked_after_check: bool = False


@dataclass
class Referee:
    """Judges rounds of one game with these stakes, one seat per chart."""

    tables: Tables
    charts: Sequence[Chart]
    stakes: SeatStakes
    _actions: list[tuple[int, str]] = field(default_factory=list)
    _open: list[frozenset[str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._read = [PlainChart(chart) for chart in self.charts]
        self._dealer = self.tables.sheet.dealer.model_dump()

    def judge(self, draw: Callable[[], Card]) -> RefereeRuling:
        """Play the round with the cards that `draw` returns."""
        tables = self.tables
        self._actions, self._open = [], []
        seats, dealer = self._deal(draw)
        self._early_surrender(seats, dealer)
        found = value(dealer[0]) in tables.peeks_under and is_natural(dealer[:2])
        if not found:
            for seat in seats:
                seat.asked_after_check = not is_natural(seat.first_two) and seat.hands[0].cashed is None
            for seat in seats:
                self._play_seat(seat, dealer, draw)
        while dealer_draws(self._dealer, dealer):
            dealer.append(draw())
        return RefereeRuling(
            tuple(paid for seat in seats for paid in self._settle(seat, dealer)),
            tuple(self._actions),
            tuple(self._open),
            tuple(dealer),
            any(self._waits(hand) for seat in seats for hand in seat.hands),
            self._insurance(dealer),
        )

    def _waits(self, hand: _Hand) -> bool:
        """Return whether the hand is compared with the dealer's; busts are not, naturals and charlies need not be."""
        row = player_class(hand.cards, hand.from_split, self.tables.charlie)
        return hand.cashed is None and row <= 21

    # Playing

    def _deal(self, draw: Callable[[], Card]) -> tuple[list[_Seat], list[Card]]:
        """Deal a card to each seat, the upcard, a second card to each seat, and the hole card if there is one."""
        first = [draw() for _ in self.charts]
        dealer = [draw()]
        second = [draw() for _ in self.charts]
        if self.tables.hole_card != "none":
            dealer.append(draw())
        opening = {BET: self.stakes.main}
        if self.tables.has_companion:
            opening[COMPANION] = self.stakes.main
        seats = [
            _Seat(number, chart, [_Hand([one, two], dict(opening))], (one, two))
            for number, (chart, one, two) in enumerate(zip(self._read, first, second, strict=True), start=1)
        ]
        return seats, dealer

    def _early_surrender(self, seats: list[_Seat], dealer: list[Card]) -> None:
        """Offer early surrender before the dealer peeks; a chart takes it only if that is its first letter."""
        if self.tables.surrenders != "early" or value(dealer[0]) not in ACE_OR_TEN:
            return
        for seat in seats:
            if not is_natural(seat.first_two):
                hand = seat.hands[0]
                surrenders = seat.chart.letters(hand.cards, hand.from_split, dealer)[:1] == "R"
                self._actions.append((seat.number, "surrender" if surrenders else "no surrender"))
                self._open.append(frozenset({"surrender", "no surrender"}))
                if surrenders:
                    hand.cashed = self.tables.surrender

    def _play_seat(self, seat: _Seat, dealer: list[Card], draw: Callable[[], Card]) -> None:
        """Play each hand to its end; a split inserts a new hand after the current one."""
        if not seat.asked_after_check:
            return
        number = 0
        while number < len(seat.hands):
            while self._step(seat, number, dealer, draw):
                pass
            number += 1

    def _step(self, seat: _Seat, number: int, dealer: list[Card], draw: Callable[[], Card]) -> bool:
        """Take one step of a hand, a card or a decision; return False when it is finished."""
        hand = seat.hands[number]
        if len(hand.cards) == 1:
            hand.cards.append(draw())
            return True
        total, _ = counts(hand.cards)
        if hand.doubled or total > 21 or len(hand.cards) >= self.tables.charlie:
            return False
        legal = self._legal(hand, len(seat.hands), dealer)
        if legal == "S":
            return False
        letter = next(
            (letter for letter in seat.chart.letters(hand.cards, hand.from_split, dealer) if letter in legal), "S"
        )
        self._actions.append((seat.number, _ACTIONS[letter]))
        self._open.append(frozenset(_ACTIONS[other] for other in legal))
        return self._act(seat, number, letter, draw)

    def _act(self, seat: _Seat, number: int, letter: str, draw: Callable[[], Card]) -> bool:
        """Carry out a letter; return False if that finishes the hand."""
        hand, tables = seat.hands[number], self.tables
        wagered = sum(hand.stakes.values())
        if letter == "D":
            hand.stakes[DOUBLE] = wagered
            hand.doubled = True
        if letter in "HD":
            hand.cards.append(draw())
        elif letter == "P":
            hand.from_split = True
            seat.hands.insert(number + 1, _Hand([hand.cards.pop()], {SPLIT: wagered}, from_split=True))
        elif letter == "U":
            hand.stakes[DOUBLE_UP] = wagered
        elif letter == "R":
            hand.cashed = tables.surrender
        elif letter == "Q":
            hand.cashed = tables.quick_pay[counts(hand.cards)[0]]
        return letter in "HDP"

    def _legal(self, hand: _Hand, hands: int, dealer: list[Card]) -> str:
        """Return the letters of the legal actions; standing always is."""
        tables = self.tables
        total, soft = counts(hand.cards)
        two, first = len(hand.cards) == 2, not hand.from_split
        lone_ace = hand.from_split and value(hand.cards[0]) == 1 and not tables.split_aces_play_on
        may_surrender = tables.surrenders == "late" or (
            tables.surrenders == "early" and value(dealer[0]) not in ACE_OR_TEN
        )
        few_cards = len(hand.cards) <= tables.double_cards
        is_open = {
            "S": True,
            "H": total < 21 and not lone_ace,
            "D": tables.may_double[total][soft]
            and few_cards
            and (first or (tables.double_after_split and not lone_ace)),
            "P": two and hands < tables.split_hands and self._is_pair(hand),
            "U": two and tables.may_double_up[total][soft] and (first or tables.double_up_after_split),
            "Q": two and first and tables.quick_pay[total] is not None,
            "R": two and first and may_surrender,
        }
        return "".join(letter for letter, yes in is_open.items() if yes)

    def _is_pair(self, hand: _Hand) -> bool:
        """Return whether the two cards may be split, apart from the number of hands."""
        tables, (one, two) = self.tables, hand.cards
        if tables.split_key[one] != tables.split_key[two]:
            return False
        if value(one) != 1:
            return True
        return tables.split_aces == "again" or (tables.split_aces == "once" and not hand.from_split)

    # Paying

    def _settle(self, seat: _Seat, dealer: list[Card]) -> Iterator[PaidWager]:
        """Yield every settled wager of a seat."""
        tables = self.tables
        column = dealer_class(dealer)
        for number, hand in enumerate(seat.hands, start=1):
            row = player_class(hand.cards, hand.from_split, tables.charlie)
            for kind, stake in sorted(hand.stakes.items()):
                cell = tables.settlement[kind][row][column] if hand.cashed is None else hand.cashed[kind]
                yield self._paid(seat, number, tables.stakes[kind], stake, cell.net)
        won = self._insurance(dealer)
        if won is not None and self.stakes.insurance:
            yield self._paid(seat, 0, "Insurance", self.stakes.insurance, won)
        for wager in tables.wagers:
            asked = seat.asked_after_check and is_taken(wager, tables.wagers, dealer[0])
            if wager.name in self.stakes.sides and (asked or not wager.after_check):
                yield from self._settle_side(seat, wager, dealer)

    def _insurance(self, dealer: list[Card]) -> Fraction | None:
        """Return what insurance wins: offered against an ace, it wins if the dealer has a natural."""
        if self.tables.insurance is None or value(dealer[0]) != 1:
            return None
        return self.tables.insurance if is_natural(dealer) else Fraction(-1)

    def _settle_side(self, seat: _Seat, wager: SideWager, dealer: list[Card]) -> Iterator[PaidWager]:
        """Yield the first matching line, or the lost stake, and the tax."""
        stake = self.stakes.sides[wager.name]
        line = first_line(wager, seat.first_two, dealer)
        if line is None:
            yield self._paid(seat, 0, wager.name, stake, Fraction(0 if wager.token else -1))
        elif line.pays.fixed is None:
            yield self._paid(seat, 0, wager.name, stake, line.pays.odds, line)
        else:
            fixed = line.pays.fixed
            yield PaidWager(seat.number, 0, wager.name, stake, Fraction(fixed), fixed, line)
        tax = tax_line(wager, seat.first_two, dealer)
        if tax is not None:
            due = tax.pays.fixed or 0
            yield PaidWager(seat.number, 0, f"{wager.name} tax", due, Fraction(-due), -due, tax)

    def _paid(
        self, seat: _Seat, hand: int, wager: str, stake: int, odds: Fraction, line: Line | None = None
    ) -> PaidWager:
        exact = int(stake) * odds
        return PaidWager(seat.number, hand, wager, stake, exact, rounded(exact, self.tables.rounding), line)


_ACTIONS = {
    "H": "hit",
    "S": "stand",
    "D": "double",
    "U": "double up",
    "P": "split",
    "Q": "quick pay",
    "R": "surrender",
}

"""A player that plays by itself, to watch a game being dealt. It reads the tables and its own view, nothing else.

It bets the minimum on every wager it is asked for before play, passes at the last call, never insures, cashes totals
that pay, doubles 10 and 11, splits aces and eights, stands on 17 and on small totals against a small upcard:
sensible, not best.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path

from holecard.cli.play.account import Account
from holecard.cli.play.archive import saved
from holecard.cli.play.betting import Stakes, least, put_down
from holecard.cli.play.card_art import faces
from holecard.cli.play.explain import asked_hand
from holecard.cli.play.ledger import show_closing, show_results, show_running, show_unfinished
from holecard.cli.play.table_view import WARNING, Felt, say_hand
from holecard.deck import VALUES
from holecard.errors import WagerRefused
from holecard.money import dollars
from holecard.sheets.tables import BET
from holecard.table.events import Action
from holecard.table.table import Table
from holecard.table.views import counted

_SMALL_UPCARDS = range(2, 7)
_ACE, _TEN = 1, 10


def smallest_bets(table: Table) -> Stakes:
    """The minimum on every wager placed before the deal."""
    wagers = (table.tables.wagers[index] for index in table.tables.early_wagers)
    return Stakes(table.tables.main.low, {wager.name: wager.limits.low for wager in wagers})


def bet_smallest(table: Table, seat: int) -> bool:
    """Bet on everything, on the main wager only when money is short, or not at all."""
    stakes = smallest_bets(table)
    for affordable in (stakes, Stakes(stakes.main)):
        try:
            put_down(table, seat, affordable)
        except WagerRefused:
            continue
        return True
    return False


def choose(table: Table) -> Action:
    """The first wish that is legal; standing and refusing always are."""
    legal = [choice.action for choice in table.legal()]
    return next((wish for wish in _wishes(table) if wish in legal), legal[-1])


def _wishes(table: Table) -> Iterator[Action]:
    if table.phase == "insurance":
        yield Action.NO_INSURANCE
    if table.phase == "early surrender":
        yield Action.NO_SURRENDER
    tables = table.tables
    _, hand = asked_hand(table)
    total, soft = counted(hand.cards)
    upcard = _upcard(table)
    cashed = tables.quick_pay[min(total, 21)]
    if cashed and cashed[BET].net > 0:
        yield Action.QUICK_PAY
    if {card.value for card in hand.cards if card is not None} in ({_ACE}, {8}):
        yield Action.SPLIT
    if total in (10, 11) and not soft and upcard not in (_ACE, _TEN):
        yield Action.DOUBLE
    if total >= 20 or (total >= 18 and upcard in _SMALL_UPCARDS):
        yield Action.DOUBLE_UP
    if total in (15, 16) and not soft and upcard in (9, _TEN, _ACE):
        yield Action.SURRENDER
    if _wants_card(table, total, soft, upcard):
        yield Action.HIT
    yield Action.STAND


def _upcard(table: Table) -> int:
    upcard = table.view().dealer[0]
    assert upcard is not None
    return VALUES[upcard]


def _wants_card(table: Table, total: int, soft: bool, upcard: int) -> bool:
    dealer = table.view().dealer_total
    if dealer is not None and not table.tables.dealer_draws[dealer][counted(table.view().dealer)[1]]:
        # Both cards lie open and the dealer will draw none: a hand that loses as it is has nothing to lose.
        return table.tables.settlement[BET][total][dealer].net < 0
    if soft:
        return total < 18
    return total < 12 if upcard in _SMALL_UPCARDS else total < 17


class Watch:
    """Rounds that play by themselves, told line by line."""

    def __init__(self, felt: Felt, table: Table, seats: int, pace: float = 0) -> None:
        self.felt = felt
        self.table = table
        self.seats = range(1, seats + 1)
        self.pace = pace
        self.account = Account(seats, table.bankroll() or 0)

    def run(self, rounds: int, record: Path | None = None) -> None:
        """So many rounds, or without end for 0; stops when nobody can bet, and at Ctrl-C."""
        try:
            for number in range(1, rounds + 1) if rounds else count(1):
                self.felt.say()
                self.felt.title(self.table, number)
                if not self.play_round():
                    self.felt.say(f"Nobody can pay the smallest wager, {dollars(least(self.table.tables))}.", WARNING)
                    break
                show_running(self.felt, self.table, self.account)
                if record is not None:
                    self.felt.say(saved(self.table, record))
                time.sleep(self.pace)
        except KeyboardInterrupt:
            self.felt.say()
            show_unfinished(self.felt, self.table)
        self.felt.say()
        show_closing(self.felt, self.account, self.table.tables)

    def play_round(self) -> bool:
        """Bet, deal, decide, and show what was paid; False when no seat can bet."""
        placed = [bet_smallest(self.table, seat) for seat in self.seats]
        if not any(placed):
            return False
        self.table.deal()
        while self.table.asked is not None:
            self._decide()
            time.sleep(self.pace)
        self.felt.draw(self.table)
        show_results(self.felt, self.table)
        self.account.enter(self.table.results)
        return True

    def _decide(self) -> None:
        table = self.table
        if table.phase == "after the check":
            self._place()
            return
        if table.phase == "last call":
            table.place()
            return
        action = choose(table)
        if action not in ("no insurance", "no surrender"):
            self._tell(action)
        table.act(action)

    def _place(self) -> None:
        table = self.table
        sides = {wager.name: wager.limits.low for wager in table.offered if not wager.until_turned}
        try:
            table.place({name: dollars(stake) for name, stake in sides.items()})
        except WagerRefused:
            table.place()

    def _tell(self, action: Action) -> None:
        """ "Seat 1  10♥ 4♣ (14) against 6♦: stand"."""
        seat, hand = asked_hand(self.table)
        signs = self.felt.signs
        against = faces(self.table.view().dealer, signs)
        cards = f"{faces(hand.cards, signs)} ({say_hand(seat, hand)})"
        self.felt.say(f"Seat {seat.number}  {cards} against {against}: {action}")

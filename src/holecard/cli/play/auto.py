"""Automatic play by a strategy chart with minimum bets, and a demonstration for where no one can play."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import count
from pathlib import Path

from rich.text import Text

from holecard.cli.play import summary
from holecard.cli.play.account import Account
from holecard.cli.play.betting import SeatBet, put_down, smallest_wager
from holecard.cli.play.explain import asked_hand
from holecard.cli.play.play_request import PlayRequest
from holecard.cli.play.results import result_lines, round_net, running_lines
from holecard.cli.play.saved_rounds import save_and_report
from holecard.cli.play.screen.card_art import faces
from holecard.cli.play.screen.hands import format_hand
from holecard.cli.play.screen.table_view import WARNING, TableView
from holecard.errors import WagerRefused
from holecard.exact.strategies import Strategy, StrategyLike, strategy_of
from holecard.money import NO_MONEY, signed_dollars
from holecard.sheets.catalog import games
from holecard.sheets.read import rules
from holecard.table.events import Action
from holecard.table.table import Table

#: The demonstration's first seed; with it the games show many of their rules.
_DEMO_SEED = 5020
#: Ctrl-C is noticed after this many seconds at most.
_LONGEST_PAUSE = 0.1


def smallest_bets(table: Table) -> SeatBet:
    """Return the minimum for every wager placed before the deal."""
    wagers = (table.tables.wagers[index] for index in table.tables.early_wagers)
    return SeatBet(table.tables.main.low, {wager.name: wager.limits.low for wager in wagers})


def bet_smallest(table: Table, seat: int) -> bool:
    """Bet the minimum on every wager, or on the main wager if money is short; return whether the seat could bet."""
    stakes = smallest_bets(table)
    for affordable in (stakes, SeatBet(stakes.main)):
        try:
            put_down(table, seat, affordable)
        except WagerRefused:
            continue
        return True
    return False


def format_strategy(strategy: Strategy) -> str:
    """Return how automatic play plays, as a sentence."""
    return f"Strategy: {strategy.name}. Bets: the minimum on every wager."


class AutoPlay:
    """Rounds that play automatically, with every decision shown in a line."""

    def __init__(self, view: TableView, table: Table, seats: int, strategy: StrategyLike, pace: float = 0) -> None:
        self.view = view
        self.table = table
        self.seats = range(1, seats + 1)
        self.given = strategy
        self.strategy = strategy_of(table.rules, strategy)
        self.pace = pace
        self.account = Account(seats, table.bankroll() or NO_MONEY)
        self.stopped = False

    def run(self, rounds: int, record: Path | None = None) -> None:
        """Play this number of rounds, or for 0 until Ctrl-C; stop when no seat can bet."""
        self.view.say(format_strategy(self.strategy))
        with self._ctrl_c_stops():
            self._play_rounds(rounds, record)
        self.view.say()
        self._show_summary()

    def _play_rounds(self, rounds: int, record: Path | None) -> None:
        for number in range(1, rounds + 1) if rounds else count(1):
            self.view.say()
            self.view.say(self.view.title(self.table, number))
            if not self.play_round():
                smallest = smallest_wager(self.table.tables)
                self.view.say(f"No seat can pay the smallest wager, {smallest}.", WARNING)
                break
            self.view.show(running_lines(self.view, self.table, self.account))
            if record is not None:
                self.view.say(save_and_report(self.table, record))
            self._wait()
            if self.stopped:
                break

    def play_round(self) -> bool:
        """Bet, deal, decide, and show the results; return False if no seat can bet."""
        placed = [bet_smallest(self.table, seat) for seat in self.seats]
        if not any(placed):
            return False
        self.table.deal()
        while self.table.asked is not None:
            self._decide()
            self._wait()
        self.view.show([*self.view.boxes(self.table), Text(), *result_lines(self.view, self.table)])
        self.account.enter(self.table.results, upcard_value(self.table))
        return True

    def _wait(self) -> None:
        """Pause between steps; Ctrl-C ends the pauses, and the session after this round."""
        end = time.monotonic() + self.pace
        while not self.stopped and (left := end - time.monotonic()) > 0:
            time.sleep(min(left, _LONGEST_PAUSE))

    @contextmanager
    def _ctrl_c_stops(self) -> Iterator[None]:
        """Note Ctrl-C instead of raising, so that it never cuts a round in two."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return

        def stop(*_: object) -> None:
            self.stopped = True

        before = signal.signal(signal.SIGINT, stop)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)

    def _show_summary(self) -> None:
        try:
            found = summary.benchmark(self.table.rules, self.account, self.given)
        except KeyboardInterrupt:
            found = None
        self.view.show(summary.summary_lines(self.view, self.table.tables, self.account, found, None))

    def _decide(self) -> None:
        table = self.table
        if table.phase == "after the check":
            self._place()
            return
        if table.phase == "last call":
            table.place()
            return
        choices = table.legal()
        action = self.strategy.chart.act(table.view(table.asked or 0)._replace(choices=choices))
        if action not in (Action.NO_INSURANCE, Action.NO_SURRENDER):
            self._describe(action)
        table.act(action, next(choice.high for choice in choices if choice.action == action))

    def _place(self) -> None:
        table = self.table
        sides = {wager.name: wager.limits.low for wager in table.offered if not wager.until_turned}
        try:
            table.place(sides)
        except WagerRefused:
            table.place()

    def _describe(self, action: Action) -> None:
        """Print a decision: "Seat 1  10♥ 4♣ (14) against 6♦: stand"."""
        seat, hand = asked_hand(self.table)
        self.view.say(
            f"Seat {seat.number}  {format_decision(self.table, self.view, format_hand(seat, hand))}: {action}"
        )


def format_decision(table: Table, view: TableView, total: str) -> str:
    """Return the hand whose turn it is and the dealer's cards: "10♥ 4♣ (14) against 6♦"."""
    _, hand = asked_hand(table)
    return f"{faces(hand.cards, view.signs)} ({total}) against {faces(table.view().dealer, view.signs)}"


def upcard_value(table: Table) -> int:
    """Return the value of the dealer's upcard (1 for an ace)."""
    upcard = table.view().dealer[0]
    assert upcard is not None
    return upcard.value


# The demonstration


def variants() -> list[str]:
    """Return the games that extend a base game."""
    return [game for game in games() if rules(game).extends]


def demonstrate(view: TableView, request: PlayRequest, strategy: StrategyLike, record: Path | None = None) -> None:
    """Play a round of the game that was named, or of every variant, each with its own practice seed."""
    first = _DEMO_SEED if request.seed is None else request.seed
    chosen = variants() if request.game is None else [request.game]
    tables = [replace(request, game=game, seed=seed).table() for seed, game in enumerate(chosen, start=first)]
    plays = [AutoPlay(view, table, request.seats or 1, strategy) for table in tables]
    view.say("The table plays automatically, with practice seeds: the cards are predictable.")
    view.say(format_strategy(plays[0].strategy))
    for play in plays:
        table = play.table
        view.say()
        view.rule(f"{table.rules.name} {view.signs.dot} seed {table.seed}")
        view.say(table.rules.about)
        play.play_round()
        view.say(f"This round {signed_dollars(round_net(table))}", "bold")
        if record is not None:
            view.say(save_and_report(table, record))
    view.say()
    view.say("In a terminal you can play yourself; see holecard play --help.")

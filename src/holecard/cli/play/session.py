"""One session at the table: bet, decide, see the results, bet again, until the player leaves."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from rich.text import Text

from holecard.cli.play import summary
from holecard.cli.play.account import Account, Decision
from holecard.cli.play.auto import format_decision, upcard_value
from holecard.cli.play.betting import SeatBet, ask_bet, put_down, smallest_wager
from holecard.cli.play.coaching import TerminalCoach
from holecard.cli.play.decisions import decide
from holecard.cli.play.explain import asked_hand, introduce, wager_lines
from holecard.cli.play.late_bets import ask_late, late_stakes
from holecard.cli.play.play_request import too_small
from holecard.cli.play.prompts import ENTER, Leaving, Prompts
from holecard.cli.play.results import (
    brief_lines,
    format_shoe,
    format_status,
    result_lines,
    running_lines,
    settled_lines,
)
from holecard.cli.play.saved_rounds import DEFAULT_FOLDER, save_and_report
from holecard.cli.play.screen.hands import format_hand
from holecard.cli.play.screen.table_view import WARNING, TableView, format_practice
from holecard.errors import Refusal
from holecard.exact.strategies import StrategyLike
from holecard.money import NO_MONEY, Money, sum_of
from holecard.table.events import Action
from holecard.table.table import Table

_KEYS = "bold cyan"
#: The phases in which a seat is asked for wagers, not for an action.
_PLACING = ("after the check", "last call")
#: Lines that a question takes below the table, with those that introduce it.
_QUESTION_LINES, _PLACING_LINES = 3, 6
#: What a seat does without a person: nothing that costs money.
_PASSIVE = (Action.NO_INSURANCE, Action.NO_SURRENDER, Action.STAND)


class Session:
    """A person who plays one or more seats of a table."""

    def __init__(
        self,
        table: Table,
        seats: int,
        prompts: Prompts,
        record: Path | None = None,
        strategy: StrategyLike = "basic",
        clock: Callable[[], float] = time.monotonic,
        *,
        coached: bool = False,
    ) -> None:
        self.table = table
        self.prompts = prompts
        self.view: TableView = prompts.view
        self.record = record
        self.strategy = strategy
        self.clock = clock
        self.opening = table.bankroll() or NO_MONEY
        self.account = Account(seats, self.opening)
        self.last: dict[int, SeatBet] = {}
        self.last_late: dict[int, Mapping[str, Money]] = {}
        self.change = True
        self.shuffles = table.shoe.shuffles
        self.coach = TerminalCoach(self.view, table, range(1, seats + 1)) if coached else None
        self.verdict: list[Text] = []  # on the decision that ended the round

    def sit(self) -> None:
        """Play until the player leaves, then show the summary."""
        started = self.clock()
        try:
            self.prompts.help = self._help
            introduce(self.view, self.table)
            if self.coach is not None:
                self.coach.prepare()
            self.view.say("Enter accepts the amount in brackets; ? explains each wager; q leaves.", "dim")
            while True:
                self._play_round()
                self._after_round()
        except KeyboardInterrupt:
            self.view.say()
            self._show_summary(self.clock() - started)

    def _show_summary(self, seconds: float) -> None:
        """Show the summary: with what the coach says, or else compared with the chart, which Ctrl-C skips."""
        if self.table.phase == "betting" and (placed := self._on_table()):
            self.view.say(f"The round was not dealt: {placed} goes back.")
        found, coached = None, [] if self.coach is None else self.coach.summary()
        if self.coach is None:
            self.view.show(summary.early_lines(self.view, self.account))
            with suppress(KeyboardInterrupt):
                found = summary.benchmark(self.table.rules, self.account, self.strategy)
        self.view.show(summary.summary_lines(self.view, self.table.tables, self.account, found, seconds, coached))

    def _help(self) -> list[Text]:
        return [*wager_lines(self.view, self.table), *([] if self.coach is None else self.coach.wagers())]

    # Betting

    def _play_round(self) -> None:
        self.shuffles = self.table.shoe.shuffles
        self._take_bets()
        self.table.deal()
        notes: list[Text] = []
        while self.table.asked is not None:
            try:
                self._show(notes)
                notes = self._answer()
            except KeyboardInterrupt:
                self._ask_to_leave()
                notes = []
        self.verdict = notes if self.coach is not None else []
        self._enter_round()

    def _enter_round(self) -> None:
        if self.coach is not None:
            self.coach.finish_round()
        placed = {seat: stakes for seat in self._seats() if (stakes := late_stakes(self.table, seat))}
        self.last_late |= placed
        self.account.enter(self.table.results, upcard_value(self.table))

    def _take_bets(self) -> None:
        """Take the bets of every seat that can pay the smallest wager; at least one must bet."""
        self.prompts.redraw = self.view.say
        if not self.change:
            again = [self._bets_again(seat) for seat in self._able()]
            self.change = not any(again)
        while self.change:
            placed = [self._asks(seat) for seat in self._able()]
            self.change = not any(placed)
            if self.change:
                self.prompts.refused("At least one seat must bet.")

    def _able(self) -> list[int]:
        return [seat for seat in self._seats() if self.account.owns(seat) >= smallest_wager(self.table.tables)]

    def _seats(self) -> range:
        return range(1, self.account.seats + 1)

    def _bets_again(self, seat: int) -> bool:
        stakes = self.last.get(seat)
        if stakes is None:
            return False
        try:
            put_down(self.table, seat, stakes)
        except Refusal as refused:
            self.prompts.refused(str(refused))
            return self._asks(seat)
        return True

    def _asks(self, seat: int) -> bool:
        stakes = ask_bet(self.prompts, self.table, seat, self.last.get(seat), several=self.account.seats > 1)
        if stakes is None:
            self.last.pop(seat, None)
            return False
        self.last[seat] = stakes
        return True

    # Playing

    def _answer(self) -> list[Text]:
        """Ask the seat whose turn it is once; return help or a message if it has not decided."""
        seat = self.table.asked
        assert seat is not None
        last = self.last_late.get(seat, {})
        if self.table.phase in _PLACING:
            return ask_late(self.prompts, self.table, last, self.coach)
        return decide(self.prompts, self.table, self._note, last, self.coach)

    def _note(self, action: Action, amount: Money | None) -> list[Text]:
        """Keep a decision for the summary; return what the coach says about it."""
        table = self.table
        seat, hand = asked_hand(table)
        seen = table.view(seat.number)._replace(choices=table.legal())
        described = format_decision(table, self.view, format_hand(seat, hand))
        self.account.decisions.append(Decision(described, seen, action))
        return [] if self.coach is None else self.coach.judge(action, amount)

    def _ask_to_leave(self) -> None:
        """Ask whether to leave in the middle of a round; if so, every hand stands and the round is settled."""
        self.view.say()
        self.view.say(f"The round is not over: {self._on_table()} is on the table.", WARNING)
        self.view.say("If you leave now, every hand stands and the round is settled.", WARNING)
        try:
            self.prompts.key(Text("[Enter] keep playing  [q]uit", _KEYS))
        except KeyboardInterrupt:
            self.view.say()
            stand_everywhere(self.table)
            self._enter_round()
            self._show([] if self.record is None else [save_and_report(self.table, self.record)])
            raise Leaving from None

    def _on_table(self) -> Money:
        return sum_of(self.table.at_risk(seat.number) for seat in self.table.state.seats)

    # The screen

    def _show(self, notes: Sequence[Text] = ()) -> None:
        """Show the table on an empty screen with notes below it; notes that do not fit get their own screen."""
        below = [line for note in notes for line in self.view.wrap(note)]
        lines = self._screen(below)
        if below and len(lines) + self._question_lines() > self.view.height:
            self.view.clear()
            self.prompts.page(below)
            self.prompts.key(Text("[Enter] back to the table", _KEYS))
            lines = self._screen([])

        def draw() -> None:
            self.view.clear()
            self.view.show(lines)

        draw()
        self.prompts.redraw = draw

    def _screen(self, below: list[Text]) -> list[Text]:
        """Return the table in the largest form that fits above the question."""
        view, table = self.view, self.table
        is_done = table.phase == "done"
        above = self._heading()
        below = [*(running_lines(view, table, self.account) if is_done else ()), *below]
        full = result_lines(view, table) if is_done else settled_lines(view, table)
        room = view.height - len(above) - len(below) - self._question_lines()
        for results in (full, brief_lines(view, table)):
            hands = view.fit(table, room - len(results))
            if len(hands) + len(results) <= room:
                return [*above, *hands, *results, *below]
        return [*above, *view.lines(table), *brief_lines(view, table), *below]

    def _heading(self) -> list[Text]:
        view, table = self.view, self.table
        lines = view.wrap(view.title(table, self.account.rounds + (table.phase != "done")))
        several = self.account.seats > 1
        status = format_status(table, table.asked, view.signs.dot, several=several) if table.asked else ""
        lines += view.wrap(status or f"Shoe: {format_shoe(table)}", "dim")
        if warning := format_practice(table):
            lines += view.wrap(warning, WARNING)
        if table.shoe.shuffles != self.shuffles:
            lines += view.wrap("The shoe has been shuffled.", "dim")
        return lines

    def _question_lines(self) -> int:
        return _PLACING_LINES if self.table.phase in _PLACING else _QUESTION_LINES

    # After the round

    def _after_round(self) -> None:
        notes = [*self.verdict, *([] if self.record is None else [save_and_report(self.table, self.record)])]
        able = self._able()
        for seat in self._seats():
            if able and seat not in able:
                notes.append(Text(f"Seat {seat} has {self.account.owns(seat)} and sits out.", WARNING))
        self._show(notes)
        if able:
            self._ask_next()
        else:
            self._buy_in()

    def _ask_next(self) -> None:
        """Ask whether to bet again; a key pressed before the results are shown does not bet."""
        question = Text("[Enter] same again  [c]hange bets  [w]rite record  [?] wagers  [q]uit", _KEYS)
        pressed = self.prompts.key(question, unseen_keys=False)
        while pressed not in (ENTER, "c"):
            if pressed == "?":
                self.view.clear()
                self.prompts.page(self._help())
            elif pressed == "w":
                self._show([save_and_report(self.table, self.record or DEFAULT_FOLDER)])
            else:
                self._show([Text("Press Enter to bet the same again, c to change your bets, or q to leave.", WARNING)])
            pressed = self.prompts.key(question)
        self.change = pressed == "c"

    def _buy_in(self) -> None:
        """Ask for a new bankroll for every seat, because none can pay the smallest wager."""
        tables = self.table.tables
        self.prompts.refused(f"You are out of money: the smallest wager takes {smallest_wager(tables)}.")
        amount = self.prompts.money("Buy in for, or q to leave", self.opening, lambda amount: too_small(tables, amount))
        for seat in self._seats():
            self.table.buy_in(amount, seat=seat)
        self.account.buy_in(amount)
        self.last.clear()
        self.change = True


def stand_everywhere(table: Table) -> None:
    """Finish a round without a person: every hand stands, and no wager is added."""
    while table.asked is not None:
        if table.phase in _PLACING:
            table.place()
        else:
            table.act(next(action for action in _PASSIVE if action in {choice.action for choice in table.legal()}))

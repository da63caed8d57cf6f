"""One sitting at the table: bet, decide, see what was paid, bet again, until the player leaves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from rich.text import Text

from holecard.cli.play.account import Account
from holecard.cli.play.archive import DEFAULT_FOLDER, saved
from holecard.cli.play.betting import Stakes, ask_bet, least, put_down
from holecard.cli.play.choose import too_small
from holecard.cli.play.deciding import decide
from holecard.cli.play.explain import placard
from holecard.cli.play.late import ask_late, late_stakes
from holecard.cli.play.ledger import (
    show_closing,
    show_results,
    show_running,
    show_settled,
    show_unfinished,
)
from holecard.cli.play.prompts import ENTER, Prompts
from holecard.cli.play.table_view import WARNING, Felt, practice
from holecard.errors import Refusal
from holecard.money import dollars
from holecard.sheets.descriptions.describe import describe
from holecard.table.table import Table


class Session:
    """A person on one or more seats of a table."""

    def __init__(self, table: Table, seats: int, prompts: Prompts, record: Path | None = None) -> None:
        self.table = table
        self.prompts = prompts
        self.felt: Felt = prompts.felt
        self.record = record
        self.opening = table.bankroll() or 0
        self.account = Account(seats, self.opening)
        self.last: dict[int, Stakes] = {}
        self.last_late: dict[int, Mapping[str, int]] = {}
        self.change = True
        self.shuffles = table.shoe.shuffles

    def sit(self) -> None:
        """Play until the player leaves; whatever way that is, the account is closed."""
        try:
            self.prompts.help = lambda: show_wagers(self.felt, self.table)
            introduce(self.felt, self.table)
            self.felt.say("Enter takes the amount in brackets; ? says what each wager pays; q leaves.", "dim")
            while True:
                self._play_round()
                self._after_round()
        except KeyboardInterrupt:
            self.felt.say()
            show_unfinished(self.felt, self.table)
            show_closing(self.felt, self.account, self.table.tables)

    # Betting

    def _play_round(self) -> None:
        self.shuffles = self.table.shoe.shuffles
        self._take_bets()
        self.table.deal()
        notes: list[Text] = []
        while self.table.asked is not None:
            self._show(notes)
            notes = self._answer()
        placed = {seat: stakes for seat in self._seats() if (stakes := late_stakes(self.table, seat))}
        self.last_late |= placed
        self.account.enter(self.table.results)

    def _take_bets(self) -> None:
        """Every seat that can pay the smallest wager bets; at least one has to."""
        if not self.change:
            again = [self._bets_again(seat) for seat in self._able()]
            self.change = not any(again)
        while self.change:
            placed = [self._asks(seat) for seat in self._able()]
            self.change = not any(placed)
            if self.change:
                self.prompts.refused("At least one seat has to bet.")

    def _able(self) -> list[int]:
        return [seat for seat in self._seats() if self.account.owns(seat) >= least(self.table.tables)]

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

    def _show(self, notes: Sequence[Text] = ()) -> None:
        """The felt on an empty screen, with what there is to say beneath it."""
        self.felt.clear()
        self.felt.title(self.table, self.account.rounds + (self.table.phase != "done"))
        if warning := practice(self.table):
            self.felt.say(warning, WARNING)
        if self.table.shoe.shuffles != self.shuffles:
            self.felt.say("The shoe has been shuffled.", "dim")
        self.felt.draw(self.table)
        if self.table.phase == "done":
            show_results(self.felt, self.table)
            show_running(self.felt, self.table, self.account)
        else:
            show_settled(self.felt, self.table)
        for note in notes:
            self.felt.say(note)

    def _answer(self) -> list[Text]:
        """One answer of the seat that is asked; what there is to say to it."""
        seat = self.table.asked
        assert seat is not None
        last = self.last_late.get(seat, {})
        if self.table.phase not in ("after the check", "last call"):
            return decide(self.prompts, self.table, last)
        ask_late(self.prompts, self.table, last)
        return []

    # After the round

    def _after_round(self) -> None:
        notes = [] if self.record is None else [saved(self.table, self.record)]
        able = self._able()
        for seat in self._seats():
            if able and seat not in able:
                notes.append(Text(f"Seat {seat} has {dollars(self.account.owns(seat))} and sits out.", WARNING))
        self._show(notes)
        if able:
            self._ask_next()
        else:
            self._buy_in()

    def _ask_next(self) -> None:
        question = Text("[Enter] same again  [c]hange bets  [w]rite record  [?] wagers  [q]uit", "bold cyan")
        while (pressed := self.prompts.key(question)) not in (ENTER, "c"):
            if pressed == "?":
                self.felt.clear()
                show_wagers(self.felt, self.table)
            elif pressed == "w":
                self._show([saved(self.table, self.record or DEFAULT_FOLDER)])
            else:
                self._show([Text("Press Enter to bet the same again, c to change your bets, or q to leave.", WARNING)])
        self.change = pressed == "c"

    def _buy_in(self) -> None:
        """Nobody can pay the smallest wager: every seat gets a new bankroll."""
        self.prompts.refused(f"Broke: the smallest wager takes {dollars(least(self.table.tables))}.")
        tables = self.table.tables
        amount = self.prompts.money("Buy in for, or q to leave", self.opening, lambda amount: too_small(tables, amount))
        for seat in self._seats():
            self.table.buy_in(dollars(amount), seat=seat)
        self.account.buy_in(amount)
        self.last.clear()
        self.change = True


def introduce(felt: Felt, table: Table) -> None:
    """What is played here, and where the cards come from."""
    sheet = table.rules
    felt.rule(sheet.name)
    if sheet.about:
        felt.say(sheet.about)
    if settings := sheet.origin[1]:
        felt.say("With " + ", ".join(f"{word} = {value}" for word, value in settings.items()) + ".")
    offered = sheet.shoe.decks_offered
    if offered and sheet.shoe.decks not in offered:
        felt.say(f"The printed sheet does not offer {sheet.shoe.decks} decks.", WARNING)
    if warning := practice(table):
        felt.say(f"{warning[0].upper()}{warning[1:]}.", WARNING)
    else:
        felt.say("The cards come from the operating system's random generator.", "dim")


def show_wagers(felt: Felt, table: Table) -> None:
    """Who wins, and the placard of every side wager."""
    for section in describe(table.rules).sections[-1:]:
        felt.say(Text.assemble((f"{section.title}: ", "bold"), " ".join(section.sentences)))
    for wager in table.tables.wagers:
        felt.say(Text.assemble((wager.name, "bold"), placard(wager).removeprefix(wager.name)))

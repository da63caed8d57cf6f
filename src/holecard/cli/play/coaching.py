"""The coach at the terminal: hints, what each decision cost, and the session split into house edge, play and luck."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from rich.text import Text

from holecard.cli.play.screen.card_art import LETTERS
from holecard.cli.play.screen.table_view import TableView
from holecard.coach.amounts import alike, cents_text, dollars_text
from holecard.coach.player_view import player_view
from holecard.coach.tally import SessionTally
from holecard.errors import Refusal
from holecard.kernels import cache
from holecard.money import Money
from holecard.report.house_tables import FOOTNOTE, any_marked, mark
from holecard.table.events import Action
from holecard.table.table import Table
from holecard.table.views import View

if TYPE_CHECKING:
    from holecard.coach.advice import ActionValue, Advice
    from holecard.coach.review import JudgedDecision
    from holecard.coach.wager_values import WagerValue

#: The key for a hint.
HINT_KEY = "e"
#: Decisions that cost something are listed up to this number.
_MOST_LISTED = 5
_HEADING = "bold green"
_INDENT = "  "


class TerminalCoach:
    """The coach of one person at a table; the modules that load kernels are imported when they are needed."""

    def __init__(self, view: TableView, table: Table, seats: Iterable[int]) -> None:
        self._view = view
        self._table = table
        self._seats = tuple(seats)
        self._in_round: list[JudgedDecision] = []
        self._costly: list[JudgedDecision] = []
        self.tally = SessionTally()
        """The rounds so far."""

    def prepare(self) -> None:
        """Load the kernels, with a word about the wait; the first use ever compiles them."""
        once = "" if cache.is_warm("coach") else " This takes up to a minute, once."
        self._view.say(f"The coach gets ready.{once}", "dim")
        with cache.compiling("coach"):
            from holecard.coach.wager_values import prepare_coach

            prepare_coach(self._table.rules)
        self._view.say(f"Press {HINT_KEY} at any decision to see what each action is worth.", "dim")

    def hint(self) -> list[Text]:
        """Return what everything that the seat asked can choose is worth."""
        from holecard.coach.advice import advise

        seat = self._table.asked
        if seat is None:
            return []
        try:
            return self._advice_lines(advise(self._table.rules, self._seen(seat), seat))
        except Refusal as refused:
            return [Text(f"Coach: {refused}", "yellow")]

    def wagers(self) -> list[Text]:
        """Return what each wager before the deal costs."""
        from holecard.coach.wager_values import early_values

        return [
            self._line("Coach: what each wager costs on average"),
            *self._wager_lines(early_values(self._table.rules)),
        ]

    def judge(self, action: Action, amount: Money | None) -> list[Text]:
        """Keep a decision that is about to be carried out; return what it costs, in words."""
        from holecard.coach.review import judged_decision

        assert self._table.asked is not None
        seen = self._seen(self._table.asked)
        try:
            judged = judged_decision(self._table.rules, seen, action, None if amount is None else int(amount))
        except Refusal as refused:
            return [Text(f"Coach: {refused}", "yellow")]
        self._in_round.append(judged)
        values = self._values(judged.values)
        if judged.is_right:
            return [Text.assemble(self._line(f"Coach: {action} is right"), (f" ({values})", "dim"))]
        self._costly.append(judged)
        cost = self._plain(cents_text(judged.cost, signed=False))
        return [Text.assemble((f"Coach: {action} cost {cost}", "bold yellow"), f": {values}")]

    def finish_round(self) -> None:
        """Add the finished round to the session."""
        from holecard.coach.review import review

        try:
            found = review(self._table.record(), self._seats, self._in_round)
        except Refusal:
            return  # a round that cannot be computed is not counted
        finally:
            self._in_round = []
        self.tally += found.tally

    def summary(self) -> list[Text]:
        """Return the session: what the result is made of, how many decisions were right, and the costly ones."""
        sums = self.tally
        if not sums.rounds:
            return []
        view = self._view
        parts = f"house {dollars_text(sums.house)}, play {dollars_text(sums.skill)}, luck {dollars_text(sums.luck)}"
        lines = view.wrap(Text.assemble(self._line("Coach: "), f"{dollars_text(sums.net)} = {parts}"))
        lines += view.wrap("House: the wagers with the best play. Play: what decisions cost. Luck: the rest.", "dim")
        if sums.accuracy is None:
            return lines
        lines += view.wrap(f"Decisions: {sums.right} of {sums.decisions} right ({sums.accuracy:.0%})")
        worst = sorted(self._costly, key=lambda one: -one.cost)
        for one in worst[:_MOST_LISTED]:
            cost = self._plain(cents_text(one.cost, signed=False))
            lines += view.wrap(f"  {one.spot}: {one.action} cost {cost}, best was {one.best}", "dim")
        if len(worst) > _MOST_LISTED:
            lines += view.wrap(f"  and {len(worst) - _MOST_LISTED} that cost less", "dim")
        return lines

    def _seen(self, seat: int) -> View:
        """Return what the person sees, with the choices that the seat can pay for."""
        return player_view(self._table.state, self._seats, seat)._replace(choices=self._table.legal())

    def _advice_lines(self, advice: Advice) -> list[Text]:
        lines = []
        if advice.actions:
            lines.append(Text.assemble(self._line("Coach: "), self._values(advice.actions)))
        if advice.insurance is not None:
            name = "even money" if advice.insurance.is_even_money else "insurance"
            per_dollar = self._plain(cents_text(advice.insurance.cents_per_dollar))
            lines.append(Text(f"  {name}: {per_dollar} per $1 of insurance"))
        lines += self._wager_lines(advice.late)
        return [*lines, *self._indented(f"exact, {advice.given}")]

    def _wager_lines(self, wagers: Sequence[WagerValue]) -> list[Text]:
        """Return what wagers cost, house tables marked."""
        tables = self._table.tables
        lines = [Text(self._plain(f"  {one.wager}{mark(one.wager, tables)}: {one.text}")) for one in wagers]
        house = any_marked((one.wager for one in wagers), tables)
        return [*lines, *([Text(f"  {FOOTNOTE}", "dim")] if house else [])]

    def _indented(self, text: str) -> list[Text]:
        """Return a text as dim lines that all start below the coach's heading."""
        margin = len(_INDENT)
        return [Text.assemble(_INDENT, line) for line in self._view.wrap(text, "dim", margin)]

    def _values(self, values: Sequence[ActionValue]) -> str:
        amounts = alike([value.cents for value in values])
        return self._plain(", ".join(f"{one.action} {text}" for one, text in zip(values, amounts, strict=True)))

    def _plain(self, text: str) -> str:
        """Return a text as a terminal without the sign for cents can show it."""
        return text.replace("\N{CENT SIGN}", "c") if self._view.signs is LETTERS else text

    def _line(self, text: str) -> Text:
        return Text(text, _HEADING)

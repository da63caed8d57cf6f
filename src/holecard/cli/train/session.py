"""A drill in the terminal: a question, a key, what each answer was worth, and a summary at the end."""

from __future__ import annotations

import json
import sys

from rich.text import Text

from holecard.cli.play.prompts import Prompts
from holecard.cli.play.screen.table_view import WARNING
from holecard.cli.train.screen import answer_lines, answers_explained, asked, keys, kind_lines, question_lines
from holecard.drills.progress import DrillProgress, with_answer
from holecard.drills.progress_file import save_progress
from holecard.drills.questions import Option, Question
from holecard.drills.schedule import next_question
from holecard.drills.spots import DrillSpots, drill_spots
from holecard.drills.summary import by_kind, summary_data
from holecard.errors import plural
from holecard.report.sheet import identity, settings
from holecard.sheets.schema import RuleSheet


class Training:
    """One session with one game."""

    def __init__(
        self, rules: RuleSheet, prompts: Prompts, progress: DrillProgress, seed: str, kind: str | None
    ) -> None:
        self.rules, self.prompts, self.seed, self.kind = rules, prompts, seed, kind
        self.spots = drill_spots(rules)
        self.progress = progress
        self.now = DrillProgress(sheet=progress.sheet)
        """The answers of this session alone."""

    def run(self, questions: int) -> None:
        """Ask until there were enough questions or the person leaves, then print the summary."""
        view = self.prompts.view
        kinds = "all kinds" if self.kind is None else self.kind
        view.rule(f"{self.rules.name} {view.signs.dot} drill: {kinds}")
        try:
            while not questions or self.now.answered < questions:
                self._ask(f"{self.now.answered + 1}" + (f" of {questions}" if questions else ""))
        except KeyboardInterrupt:  # also q and Ctrl-D
            view.say()
        self._summarize()

    def _ask(self, number: str) -> None:
        question = next_question(self.rules, self.progress, self.seed, self.kind)
        view = self.prompts.view

        def draw() -> None:
            view.show(question_lines(view, question, self.kind or question.kinds[0], number))

        self.prompts.redraw = draw
        view.say()
        draw()
        answer = self._answer(question)
        self.progress = with_answer(self.progress, question.key, answer.cost)
        self.now = with_answer(self.now, question.key, answer.cost)
        save_progress(self.rules, self.progress)
        view.show(answer_lines(view, question, answer, self.progress.streak))

    def _answer(self, question: Question) -> Option:
        """Return the answer to a key; other keys are explained and asked for again."""
        by_key = keys(question)
        while True:
            pressed = self.prompts.key(asked(self.rules, question))
            if pressed in by_key:
                return by_key[pressed]
            if pressed == "?":
                self.prompts.view.show(answers_explained(self.prompts.view, self.rules, question))
            else:
                self.prompts.view.say("That key does nothing here; press ? for help.", WARNING)

    def _summarize(self) -> None:
        view = self.prompts.view
        right = sum(found.right for found in self.now.spots.values())
        view.rule("Summary")
        if not self.now.answered:
            view.say("Nothing was answered.")
            return
        best = plural(self.progress.best_streak, "right answer")
        view.say(
            f"{right} of {self.now.answered} right. The longest streak with this game: {best} in a row.", style="bold"
        )
        now = {one.kind: one for one in by_kind(self.spots, self.now) if one.asked}
        view.show(
            kind_lines(view, [(now[one.kind], one) for one in by_kind(self.spots, self.progress) if one.kind in now])
        )
        wrong = sorted(key for key, found in self.progress.spots.items() if found.box == 0)
        if wrong:
            words = f"To be asked again: {'; '.join(wrong[:8])}" + (f" and {len(wrong) - 8} more" * (len(wrong) > 8))
            view.show(view.wrap(Text(f"{words}.")))


def print_progress(rules: RuleSheet, spots: DrillSpots, progress: DrillProgress) -> None:
    """Print what is known, for programs."""
    data = {**identity(rules), "settings": settings(rules), **summary_data(spots, progress)}
    sys.stdout.write(f"{json.dumps(data, indent=2, default=str)}\n")

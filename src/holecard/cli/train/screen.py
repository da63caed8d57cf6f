"""What a drill shows in the terminal: the cards, the keys, and what each answer is worth."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from holecard.cli.play.decisions import OFFERS, key_of
from holecard.cli.play.explain import format_odds
from holecard.cli.play.late_bets import LATE_KEY
from holecard.cli.play.screen.hands import Note, ShownHand, hands_in_boxes
from holecard.cli.play.screen.table_view import TableView
from holecard.deck import value_name
from holecard.drills.kinds import TITLES
from holecard.drills.questions import NO_WAGER, PLACE, Option, Question
from holecard.drills.summary import KindProgress
from holecard.hands import format_total, is_natural_total
from holecard.sheets.schema import RuleSheet
from holecard.table.events import Action
from holecard.table.views import counted

_MINUS = "\N{MINUS SIGN}"
_BAR = 24


def question_lines(view: TableView, question: Question, kind: str, number: str) -> list[Text]:
    """Return the number of the question and one kind, because the others would give hints, and the cards."""
    title = Text.assemble((f"Question {number}", "bold"), (f" {view.signs.dot} {TITLES[kind].lower()}", "dim"))
    total, soft = counted(question.player)
    is_natural = is_natural_total(total, len(question.player)) and not question.after_split
    notes = [Note(""), Note("blackjack" if is_natural else format_total(total, soft), "bold")]
    if question.after_split:
        notes.append(Note("after a split"))
    hands = [
        ShownHand(("", "Dealer"), question.dealer, [Note(""), Note(_dealer(question))], "bold"),
        ShownHand(("", "You"), question.player, notes, "bold yellow"),
    ]
    return [title, *hands_in_boxes(hands, view.width, view.signs)]


def _dealer(question: Question) -> str:
    seen = [card for card in question.dealer if card is not None]
    if len(seen) > 1:
        return format_total(*counted(question.dealer))
    return "shows an ace" if seen[0].value == 1 else f"shows {value_name(seen[0].value).replace('T', '10')}"


def keys(question: Question) -> dict[str, Option]:
    """Return the answer of each key."""
    return {_key(option.action): option for option in question.options}


def _key(action: str) -> str:
    return {PLACE: LATE_KEY, NO_WAGER: "n"}[action] if action in (PLACE, NO_WAGER) else key_of(Action(action))


def _offer(action: str) -> str:
    if action in (PLACE, NO_WAGER):
        return {PLACE: f"[{LATE_KEY}]et it", NO_WAGER: "[n]o"}[action]
    return OFFERS[Action(action)]


def asked(rules: RuleSheet, question: Question) -> Text:
    """Return the question and its keys."""
    words = _wager_words(rules, question) if question.wager else ""
    offered = "  ".join([*(_offer(option.action) for option in question.options), "[?] help", "[q]uit"])
    return Text.assemble((f"{words}\n" if words else "", "bold"), (offered, "bold cyan"))


def _wager_words(rules: RuleSheet, question: Question) -> str:
    wager = next(wager for wager in rules.tables.wagers if wager.name == question.wager)
    upcard = question.dealer[0]
    assert upcard is not None
    return f"{wager.name} pays {format_odds(wager, upcard.value)}. Place it?"


def answers_explained(view: TableView, rules: RuleSheet, question: Question) -> list[Text]:
    """Return what a drill asks for, and what values mean."""
    unit = question.unit if question.wager else "initial stake"
    lines = [
        "Press the key in brackets. The best answer is the one with the highest value on average.",
        f"Values are exact, in cents per dollar of the {unit}, {question.given}; {rules.name}, full decks less the "
        "cards that you see.",
    ]
    return [line for text in lines for line in view.wrap(text, "dim")]


def answer_lines(view: TableView, question: Question, answer: Option, streak: int) -> list[Text]:
    """Return whether the answer was right, and what every answer is worth, best first."""
    if answer.is_best:
        in_a_row = f"  {streak} in a row" if streak > 1 else ""
        first = Text.assemble(("Right", "bold green"), (in_a_row, "dim"))
    else:
        words = f": {question.best.action} is better by {cents(answer.cost, plus='')}. This hand comes back."
        first = Text.assemble(("Wrong", "bold red"), words)
    ordered = sorted(question.options, key=lambda option: -option.ev)
    rows = [_row(view, option, ordered, answer) for option in ordered]
    return [*view.wrap(first), *view.columns(rows, right=(1,))]


def _row(view: TableView, option: Option, ordered: Sequence[Option], answer: Option) -> list[Text]:
    best, worst = ordered[0].ev, min(ordered[-1].ev, 0.0)
    share = (option.ev - worst) / ((best - worst) or 1.0)
    bar = view.signs.rule * max(round(_BAR * share), 1)
    style = "green" if option.is_best else "red" if option == answer else "dim"
    mark = f"{view.signs.pointer} " if option == answer else "  "
    said = "best" if option.is_best else f"costs {cents(option.cost, plus='')}"
    return [Text(mark + option.action), Text(cents(option.ev)), Text.assemble((bar.ljust(_BAR), style), f" {said}")]


def cents(value: float, plus: str = "+") -> str:
    """Return a value per unit as cents per dollar, with a sign: "+4.9¢"."""
    text = f"{abs(100 * value):.1f}"
    if float(text) == 0.0:
        return f"{abs(100 * value):.2g}¢" if value else f"{text}¢"
    return f"{plus if value > 0 else _MINUS}{text}¢"


def kind_lines(view: TableView, kinds: Sequence[tuple[KindProgress, KindProgress]]) -> list[Text]:
    """Return a row for each kind: this session, and what is known since the beginning."""
    rows = [[Text(word, "dim") for word in ("Kind", "Right", "Cost per answer", "Known so far")]]
    for now, ever in kinds:
        rows.append(
            [
                Text(now.title),
                Text(f"{now.right} of {now.asked}"),
                Text(cents(now.cents / 100, plus="")),
                Text(f"{ever.mastery:.0%}"),
            ]
        )
    return view.columns(rows, right=(1, 2, 3))

"""Drills: the next question, and what an answer was worth."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, ConfigDict, Field

from holecard.drills.questions import Option, Question
from holecard.server.learning.drill_work import DrillTurn, drill_answer, drill_turn
from holecard.server.web.chosen_sheet import ChosenSheet
from holecard.server.web.identity import Service, SignedIn, while_connected
from holecard.server.web.messages import Message, PrintableText
from holecard.server.web.refusals import SIGNED_IN, refusals
from holecard.sheets.schema import RuleSheet

router = APIRouter(prefix="/api/v1/games/{name}", tags=["learning"], responses=SIGNED_IN)

_CENTS = 100
KindOption: TypeAlias = Annotated[
    PrintableText | None, Query(max_length=40, description="The kind of questions; without it, all kinds.")
]


class _Part(BaseModel):
    model_config = ConfigDict(use_attribute_docstrings=True)


class DrillQuestion(_Part):
    """A question: the cards, and what the table lets the player do."""

    number: int
    """Its number, for the answer."""
    kind: str
    """Its first kind, in words."""
    asked: Literal["action", "early surrender", "insurance", "wager"]
    """What is asked: an action with the hand, or one of the choices before that."""
    player: list[str]
    """Your cards, such as `As`."""
    dealer: list[str | None]
    """The dealer's cards; null is a card that is face down."""
    after_split: bool
    """Whether the hand was made by a split."""
    wager: str | None
    """The wager that may be placed, where that is the question."""
    pays: str | None
    """What that wager pays with this upcard."""
    printed: bool
    """False where that wager has a house table of our own, which the printed rules do not contain."""
    actions: list[str]
    """The answers, as a table offers them; for a wager, `place` and `pass`."""


class DrillKind(_Part):
    """What you know about one kind of questions."""

    kind: str
    """The kind, to ask for."""
    title: str
    """The kind in words."""
    spots: int
    """How many different questions there are."""
    seen: int
    """How many of them you were asked."""
    known: int
    """How many you know: answered right twice in a row, at least."""
    mastery: float
    """The share that you know, by how often the hands occur, from 0 to 1."""
    asked: int
    """How many questions you answered."""
    right: int
    """How many answers were right."""
    cents: float
    """What an answer cost on average, in cents per dollar."""


class DrillState(_Part):
    """The next question, and what you know so far."""

    game: str
    """The name of the game."""
    title: str
    """The name of the game, for people."""
    kind: str | None
    """The kind of questions that was asked for; null for all kinds."""
    question: DrillQuestion
    """The next question; it stays the same until it is answered."""
    answered: int
    """How many questions you have answered."""
    streak: int
    """How many right answers in a row you have given."""
    best_streak: int
    """The longest streak."""
    kinds: list[DrillKind]
    """What you know, by kind."""


class DrillValue(_Part):
    """What an answer is worth."""

    action: str
    """The answer."""
    cents: float
    """Its exact EV, in cents per dollar."""
    cost: float
    """How much less that is than the best answer, in cents per dollar."""
    best: bool
    """Whether it is the best answer, or one of several."""


class DrillResult(_Part):
    """Whether an answer was right, what every answer is worth, and the next question."""

    action: str
    """Your answer."""
    right: bool
    """Whether it was right."""
    cost: float
    """What it cost, in cents per dollar."""
    values: list[DrillValue]
    """Every answer, best first."""
    given: str
    """What the values are conditioned on, in words."""
    unit: str
    """What a dollar is counted of: the initial stake, or the stake on a wager."""
    next: DrillState
    """The next question."""


class AnswerQuestion(Message):
    """Answer a question of a drill."""

    number: Annotated[int, Field(ge=0, le=1_000_000_000)]
    """The number of the question."""
    action: Annotated[PrintableText, Field(max_length=40)]
    """One of the question's actions."""


@router.get("/drill", responses=refusals(404, 409))
async def drill_question(
    name: str, request: Request, service: Service, user: SignedIn, sheet: ChosenSheet, kind: KindOption = None
) -> DrillState:
    """Return the next question of a drill, and what you know so far."""
    document = await service.drills.read(user.id, sheet.sha256)
    turn = service.computing.drill(user.id, drill_turn, sheet, document, user.id, kind)
    return _state(name, sheet, await while_connected(request, turn))


@router.post("/drill", responses=refusals(404, 409))
async def answer_drill_question(
    name: str,
    answer: AnswerQuestion,
    request: Request,
    service: Service,
    user: SignedIn,
    sheet: ChosenSheet,
    kind: KindOption = None,
) -> DrillResult:
    """Answer a question: ask with the same kind and settings as for the question."""
    document = await service.drills.read(user.id, sheet.sha256)
    judged = service.computing.drill(
        user.id, drill_answer, sheet, document, user.id, kind, answer.number, answer.action
    )
    found = await while_connected(request, judged)
    await service.drills.write(user.id, sheet.sha256, answer.number, found.document, service.now())
    return DrillResult(
        action=found.chosen.action,
        right=found.chosen.is_best,
        cost=_CENTS * found.chosen.cost,
        values=[_value(option) for option in sorted(found.question.options, key=lambda option: -option.ev)],
        given=found.question.given,
        unit=found.question.unit,
        next=_state(name, sheet, found.next),
    )


def _state(name: str, sheet: RuleSheet, turn: DrillTurn) -> DrillState:
    return DrillState(
        game=name,
        title=sheet.name,
        kind=turn.kind,
        question=_question(sheet, turn),
        answered=turn.answered,
        streak=turn.streak,
        best_streak=turn.best_streak,
        kinds=[DrillKind.model_validate(kind, from_attributes=True) for kind in turn.kinds],
    )


def _question(sheet: RuleSheet, turn: DrillTurn) -> DrillQuestion:
    question, titles = turn.question, {kind.kind: kind.title for kind in turn.kinds}
    return DrillQuestion(
        number=turn.answered,
        # The other kinds would give hints.
        kind=titles[turn.kind or question.kinds[0]],
        asked=question.asked,
        player=[str(card) for card in question.player],
        dealer=[None if card is None else str(card) for card in question.dealer],
        after_split=question.after_split,
        wager=question.wager,
        pays=_pays(sheet, question),
        printed=all(wager.printed for wager in sheet.tables.wagers if wager.name == question.wager),
        actions=[option.action for option in question.options],
    )


def _pays(sheet: RuleSheet, question: Question) -> str | None:
    upcard = question.dealer[0]
    wager = next((wager for wager in sheet.tables.wagers if wager.name == question.wager), None)
    if wager is None or upcard is None:
        return None
    return ", ".join(str(line.pays) for line in wager.lines if upcard.value in line.upcards)


def _value(option: Option) -> DrillValue:
    return DrillValue(action=option.action, cents=_CENTS * option.ev, cost=_CENTS * option.cost, best=option.is_best)

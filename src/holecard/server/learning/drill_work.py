"""What the worker process computes for a drill: the next question, the values of an answer, and the progress."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass

from holecard.drills.kinds import read_kind
from holecard.drills.progress import DrillProgress, read_progress, with_answer
from holecard.drills.questions import Option, Question
from holecard.drills.schedule import next_question
from holecard.drills.spots import drill_spots
from holecard.drills.summary import KindProgress, by_kind
from holecard.errors import OutOfTurn
from holecard.sheets.schema import RuleSheet

_SHEETS: OrderedDict[str, RuleSheet] = OrderedDict()
_MOST_SHEETS = 32


@dataclass(frozen=True, slots=True)
class DrillTurn:
    """The next question, and what is known so far."""

    kind: str | None
    question: Question
    answered: int
    streak: int
    best_streak: int
    kinds: tuple[KindProgress, ...]


@dataclass(frozen=True, slots=True)
class DrillAnswer:
    """An answer with the values of its question, and the progress after it as a document."""

    question: Question
    chosen: Option
    document: str
    next: DrillTurn


def drill_turn(sheet: RuleSheet, document: str | None, seed: str, kind: str | None) -> DrillTurn:
    """Return the next question for somebody with this progress."""
    known = _known(sheet)
    return _turn(known, _progress(known, document), seed, _kind(known, kind))


def drill_answer(
    sheet: RuleSheet, document: str | None, seed: str, kind: str | None, number: int, action: str
) -> DrillAnswer:
    """Return what an answer to question `number` was worth, and the next question."""
    known = _known(sheet)
    progress, wanted = _progress(known, document), _kind(known, kind)
    refuse_old_question(progress.answered, number)
    question = next_question(known, progress, seed, wanted)
    chosen = question.answer(action)
    after = with_answer(progress, question.key, chosen.cost)
    return DrillAnswer(question, chosen, after.model_dump_json(), _turn(known, after, seed, wanted))


def refuse_old_question(answered: int, number: int) -> None:
    """Refuse an answer to another question than the next one: it was answered in another window, or sent twice."""
    if number != answered:
        raise OutOfTurn(f"question {number} is not the next one, which is question {answered}; ask for that one")


def _turn(sheet: RuleSheet, progress: DrillProgress, seed: str, kind: str | None) -> DrillTurn:
    return DrillTurn(
        kind=kind,
        question=next_question(sheet, progress, seed, kind),
        answered=progress.answered,
        streak=progress.streak,
        best_streak=progress.best_streak,
        kinds=by_kind(drill_spots(sheet), progress),
    )


def _kind(sheet: RuleSheet, kind: str | None) -> str | None:
    return None if kind is None else read_kind(kind, drill_spots(sheet).kinds)


def _progress(sheet: RuleSheet, document: str | None) -> DrillProgress:
    if document is None:
        return DrillProgress(sheet=sheet.sha256)
    return read_progress(document, sheet.sha256, "your progress with this game")


def _known(sheet: RuleSheet) -> RuleSheet:
    """Return the sheet with this content that came first: what was compiled and prepared for it is used again."""
    found = _SHEETS.setdefault(sheet.sha256, sheet)
    _SHEETS.move_to_end(sheet.sha256)
    while len(_SHEETS) > _MOST_SHEETS:
        _SHEETS.popitem(last=False)
    return found

"""What runs in the process of a job: compute, say how far it is, and send the result as data and text."""

from __future__ import annotations

import json
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, TypeAlias

from holecard.errors import Refusal, did_you_mean, shortly
from holecard.server.errors import code_of
from holecard.server.jobs.lifeline import limit_memory
from holecard.server.jobs.process import PROGRESS
from holecard.server.jobs.requests import AnalyzeGame, CheckSheet, EvaluateHand, FindStrategy
from holecard.sheets.catalog import games
from holecard.sheets.files.text_file import read_text_file
from holecard.sheets.read import read_sheet
from holecard.sheets.schema import RuleSheet

AnyRequest: TypeAlias = CheckSheet | AnalyzeGame | EvaluateHand | FindStrategy
#: The share of the work before the report, which also computes the distribution of net results.
_COMPUTED = 0.9
_COMPILING = " (kernels are compiled, once)"


class ProgressReport:
    """Tells the server which stage a computation is at, and how much of the work is done."""

    def __init__(self, out: Connection) -> None:
        self._out = out
        self._stage, self._share, self._more = "", 0.0, ""

    def say(self, stage: str, share: float) -> None:
        """Send the stage that begins, and the share of the work before it."""
        self._stage, self._share = stage, share
        self._out.send((PROGRESS, stage + self._more, _COMPUTED * share))

    def say_compiling(self, _notice: str) -> None:
        """Say that this stage and the next ones take longer."""
        self._more = _COMPILING
        self.say(self._stage, self._share)


def work(request: AnyRequest, sheet_file: str | None, megabytes: int, out: Connection) -> None:
    """Compute a request and send ("done", result as JSON) or ("refused", code, words)."""
    limit_memory(megabytes)
    from holecard.kernels import cache

    progress = ProgressReport(out)
    try:
        with cache.announcing(progress.say_compiling):
            answer: tuple[object, ...] = ("done", json.dumps(_computed(request, sheet_file, progress)))
    except Refusal as refused:
        answer = ("refused", code_of(refused), str(refused))
    except MemoryError:
        answer = ("refused", "too large", f"this takes more than the {megabytes:,} MB that a computation may use")
    except RecursionError:
        answer = ("refused", "too large", "this sheet has too many parts inside each other")
    out.send(answer)


def _computed(request: AnyRequest, sheet_file: str | None, progress: ProgressReport) -> dict[str, Any]:
    import holecard
    from holecard import report

    progress.say("rules", 0.0)
    sheet = holecard.rules(_game(request, sheet_file), request.settings)
    found: Any
    match request:
        case CheckSheet():
            progress.say("pay tables", 0.0)
            found = holecard.check(sheet)
        case AnalyzeGame():
            found = holecard.analyze(sheet, on_stage=progress.say)
        case EvaluateHand():
            progress.say("every action of the hand", 0.0)
            found = holecard.evaluate(sheet, request.hand)
        case FindStrategy():
            found = holecard.strategy(sheet, on_stage=progress.say)
    progress.say("report", 1.0)
    return {"data": report.data(found), "text": report.text(found)}


def _game(request: AnyRequest, sheet_file: str | None) -> str | RuleSheet:
    """Return the game that a request names, or the sheet it sends; such a sheet can extend no file."""
    if (request.game is None) == (request.sheet is None):
        raise Refusal("name a game or send the text of a sheet, one of them")
    if request.sheet is not None:
        return read_sheet(request.sheet)
    assert request.game is not None
    if sheet_file is not None:
        # Messages name the file without its folder, which concerns the operator alone.
        file = Path(sheet_file)
        return read_sheet(read_text_file(file), file.name, file.parent)
    if request.game not in games(examples=True):
        raise Refusal(f"no game is called {shortly(request.game)}; {did_you_mean(request.game, games(examples=True))}")
    return request.game

"""What runs in the process of a job: compute, and send the result as data and text."""

from __future__ import annotations

import os
from multiprocessing.connection import Connection
from typing import Any, TypeAlias

from holecard.errors import Refusal, did_you_mean
from holecard.server.errors import code_of
from holecard.server.jobs.requests import AnalyzeGame, CheckSheet, EvaluateHand, FindStrategy
from holecard.sheets.catalog import games
from holecard.sheets.read import read_sheet
from holecard.sheets.schema import RuleSheet

_GIGABYTE = 2**30
AnyRequest: TypeAlias = CheckSheet | AnalyzeGame | EvaluateHand | FindStrategy


def work(request: AnyRequest, sheet_file: str | None, out: Connection) -> None:
    """Compute a request and send ("done", result) or ("refused", code, words)."""
    _limit_memory()
    os.nice(5)
    try:
        answer: tuple[object, ...] = ("done", _computed(request, sheet_file))
    except Refusal as refused:
        answer = ("refused", code_of(refused), str(refused))
    except MemoryError:
        answer = ("refused", "too large", "this takes more memory than a computation may use")
    out.send(answer)
    out.close()


def _computed(request: AnyRequest, sheet_file: str | None) -> dict[str, Any]:
    import holecard
    from holecard import report

    sheet = holecard.rules(_game(request, sheet_file), request.settings)
    found: Any
    match request:
        case CheckSheet():
            found = holecard.check(sheet)
        case AnalyzeGame():
            found = holecard.analyze(sheet)
        case EvaluateHand():
            found = holecard.evaluate(sheet, request.hand)
        case FindStrategy():
            found = holecard.strategy(sheet)
    return {"data": report.data(found), "text": report.text(found)}


def _game(request: AnyRequest, sheet_file: str | None) -> str | RuleSheet:
    """Return the game that a request names, or the sheet it sends; such a sheet can extend no file."""
    if (request.game is None) == (request.sheet is None):
        raise Refusal("name a game or send the text of a sheet, one of them")
    if request.sheet is not None:
        return read_sheet(request.sheet)
    assert request.game is not None
    if sheet_file is None and request.game not in games(examples=True):
        raise Refusal(f"no game is called {request.game!r}; {did_you_mean(request.game, games(examples=True))}")
    return sheet_file or request.game


def _limit_memory() -> None:
    try:
        import resource
    except ImportError:  # not on Windows
        return
    resource.setrlimit(resource.RLIMIT_AS, (8 * _GIGABYTE, 8 * _GIGABYTE))

"""Best charts on disk, so that a chart found once need not be searched for again.

Charts are stored next to the compiled kernels, in a folder named after a hash of all sources of the program: any of
them may affect a chart, so an edited program finds no chart of another version. The file's name is a hash of the sheet
and the shoe. A file that is not a whole chart of this game, with its numbers, is ignored.
"""

from __future__ import annotations

import hashlib
from contextlib import suppress
from pathlib import Path

from pydantic import BaseModel, ConfigDict, FiniteFloat

from holecard.atomic_file import write_atomically
from holecard.charts.layout import Layout
from holecard.charts.text import read_chart_text, write_chart_text
from holecard.composition import Composition, ShoeLike, composition, full
from holecard.exact.charts.best_chart import BestChart, best_chart
from holecard.exact.results import OnStage
from holecard.kernels.cache import compiling, folder, hash_of_sources
from holecard.sheets.read import RulesLike, rules
from holecard.sheets.schema import RuleSheet

_PACKAGE = Path(__file__).parents[2]
#: Computed on import: sources edited later are not what runs.
_PROGRAM = hash_of_sources(_PACKAGE)


class _Written(BaseModel):
    """The contents of a file."""

    model_config = ConfigDict(strict=True, extra="forbid")

    ev: FiniteFloat
    optimum_ev: FiniteFloat
    error_bound: FiniteFloat
    convention: str
    chart: str


def cached_best_chart(game: RulesLike, shoe: ShoeLike | None = None, on_stage: OnStage | None = None) -> BestChart:
    """Return what `best_chart` finds, from the cache where it is there."""
    sheet = rules(game)
    cards = full(sheet.shoe.decks) if shoe is None else composition(shoe)
    file = _file(sheet, cards)
    found = _read(file, sheet)
    if found is None:
        with compiling("strategy"):
            found = best_chart(sheet, cards, on_stage)
        _keep(found, file)
    return found


def _file(sheet: RuleSheet, shoe: Composition) -> Path:
    key = hashlib.sha256(f"{sheet.model_dump_json()}\n{shoe!r}".encode()).hexdigest()
    return folder().parent / f"charts-{_PROGRAM}" / f"{key[:32]}.json"


def _read(file: Path, sheet: RuleSheet) -> BestChart | None:
    """Return the chart, if the file exists and is whole."""
    try:
        written = _Written.model_validate_json(file.read_bytes())
        chart = read_chart_text(written.chart, Layout.of(sheet.tables), str(file))
    except (OSError, ValueError):  # no file; not a record, not a chart, or a chart of another game
        return None
    return BestChart(sheet, chart, written.ev, written.optimum_ev, written.error_bound, written.convention)


def _keep(found: BestChart, file: Path) -> None:
    """Write the chart's file in one step, so that no other process reads half of it."""
    if hash_of_sources(_PACKAGE) != _PROGRAM:
        return  # the sources were edited while this ran, so the folder's name no longer fits
    written = _Written(
        ev=found.ev,
        optimum_ev=found.optimum_ev,
        error_bound=found.error_bound,
        convention=found.convention,
        chart=write_chart_text(found.chart),
    )
    # Where nothing can be written, the chart is searched again next time.
    with suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(file, written.model_dump_json(indent=1))

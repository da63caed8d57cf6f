"""Best charts on disk: one that was found before need not be searched for again.

They lie beside the compiled kernels, in a folder named after a hash of all sources of the program: any of them may have
a say in a chart, so an edited program finds none of another's. A chart's file is named after the sheet as written and
the shoe. A file that does not say a whole chart of this game, and its numbers, is as good as none.
"""

from __future__ import annotations

import hashlib
from contextlib import suppress
from pathlib import Path

from pydantic import BaseModel, ConfigDict, FiniteFloat

from holecard.atomic_file import write_atomically
from holecard.charts.layout import Layout
from holecard.charts.text import read_text, write_text
from holecard.composition import Composition, ShoeLike, composition, full
from holecard.exact.charts.best_chart import BestChart, best_chart
from holecard.kernels.cache import folder, hash_of_sources
from holecard.sheets.read import RulesLike, rules
from holecard.sheets.schema import RuleSheet

_PACKAGE = Path(__file__).parents[2]
#: Taken while the program is loaded: what is edited later is not what runs.
_PROGRAM = hash_of_sources(_PACKAGE)


class _Written(BaseModel):
    """What a file says."""

    model_config = ConfigDict(strict=True, extra="forbid")

    ev: FiniteFloat
    optimum_ev: FiniteFloat
    error_bound: FiniteFloat
    convention: str
    chart: str


def kept_best_chart(game: RulesLike, shoe: ShoeLike | None = None) -> BestChart:
    """As `best_chart` finds it, and found only once."""
    sheet = rules(game)
    cards = full(sheet.shoe.decks) if shoe is None else composition(shoe)
    file = _file(sheet, cards)
    found = _read(file, sheet)
    if found is None:
        found = best_chart(sheet, cards)
        _keep(found, file)
    return found


def _file(sheet: RuleSheet, shoe: Composition) -> Path:
    key = hashlib.sha256(f"{sheet.model_dump_json()}\n{shoe!r}".encode()).hexdigest()
    return folder().parent / f"charts-{_PROGRAM}" / f"{key[:32]}.json"


def _read(file: Path, sheet: RuleSheet) -> BestChart | None:
    """The chart, if the file is there and whole."""
    try:
        written = _Written.model_validate_json(file.read_bytes())
        chart = read_text(written.chart, Layout.of(sheet.tables), str(file))
    except (OSError, ValueError):  # no file; no such record, no chart, no chart of this game
        return None
    return BestChart(sheet, chart, written.ev, written.optimum_ev, written.error_bound, written.convention)


def _keep(found: BestChart, file: Path) -> None:
    """Write the chart's file, unless the sources were edited since they were loaded."""
    if hash_of_sources(_PACKAGE) != _PROGRAM:
        return  # edited while it ran: who finds the file would take it for a chart of the new sources
    written = _Written(
        ev=found.ev,
        optimum_ev=found.optimum_ev,
        error_bound=found.error_bound,
        convention=found.convention,
        chart=write_text(found.chart),
    )
    # Where nothing can be written, the chart is found again next time.
    with suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(file, written.model_dump_json(indent=1))

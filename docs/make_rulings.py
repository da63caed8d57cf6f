"""Write docs/rulings.md from the rulings of the sheets: how Holecard reads each printed rule, and why.

Run it with `make docs`; a test fails if the page differs from what this script writes.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from holecard.sheets.catalog import games
from holecard.sheets.descriptions.describe import as_typed
from holecard.sheets.read import rules
from holecard.sheets.schema import RuleSheet
from holecard.sheets.sections import Ruling

PAGE = Path(__file__).parent / "rulings.md"

INTRODUCTION = """\
# How the printed sheets are read

<!-- Written by docs/make_rulings.py from the [[ruling]] entries of the sheets; run `make docs` after a change. -->

The five printed rule sheets leave some points open. The sheet of each game decides its open points, and
`holecard rules GAME` prints these rulings. If another reading is reasonable, a setting of the sheet selects it. Every
ruling has a recorded round in `tests/rounds/`. The [glossary](glossary.md) explains the terms.

The rulings for all games are those of `classic`. Pairs, the check, and cents can be read otherwise in every game that
extends it and does not rule on them itself: `holecard rules face-up --set player.split_by=rank`.
"""


def page() -> str:
    """Return the whole page."""
    parts = [INTRODUCTION]
    for name in games():
        parts.extend(_game(name, rules(name)))
    return "\n".join(parts) + "\n"


def _game(name: str, sheet: RuleSheet) -> Iterator[str]:
    yield f"## {sheet.name if sheet.extends else 'All games'}\n"
    if sheet.source:
        yield f"Source: {sheet.source}. Sheet: `src/holecard/catalog/{name}.toml`.\n"
    inherited = rules(sheet.extends).ruling if sheet.extends else ()
    for ruling in sheet.ruling:
        if ruling not in inherited:
            yield _bullet(name, ruling)
    yield ""


def _bullet(name: str, ruling: Ruling) -> str:
    mark = "" if ruling.on.endswith("?") else "."
    text = f"- **{ruling.on}{mark}** {ruling.reading}"
    if ruling.why:
        text += f" *Why:* {ruling.why}"
    if ruling.switches:
        others = " or ".join(f"`holecard rules {name} {as_typed(switch)}`" for switch in ruling.switches)
        text += f" *The other reading{'s' if len(ruling.switches) > 1 else ''}:* {others}."
    return text


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")

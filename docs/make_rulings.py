"""Writes docs/rulings.md from the rulings of the sheets: how each printed sheet is read, and why.

Run it with `make docs`; a test refuses a page that is not what this writes.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from holecard.sheets.descriptions.describe import as_typed
from holecard.sheets.read import games, rules
from holecard.sheets.schema import RuleSheet, Ruling

PAGE = Path(__file__).parent / "rulings.md"

INTRODUCTION = """\
# How the printed sheets are read

<!-- Written by docs/make_rulings.py from the [[ruling]] entries of the sheets; run `make docs` after a change. -->

The five printed sheets leave things open. Each open point is settled in the sheet of its game, where
`holecard rules GAME` states it too, and where another reading is reasonable a word of the sheet chooses it. Every
ruling has a recorded round in `tests/rounds/`.
"""


def page() -> str:
    """The whole page."""
    parts = [INTRODUCTION]
    for name in games():
        parts.extend(_game(name, rules(name)))
    return "\n".join(parts) + "\n"


def _game(name: str, sheet: RuleSheet) -> Iterator[str]:
    yield f"## {sheet.name if sheet.extends else 'All games'}\n"
    if sheet.source:
        yield f"Source: {sheet.source}. Sheet: `src/holecard/catalog/{name}.toml`.\n"
    for ruling in sheet.ruling:
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

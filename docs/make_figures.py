"""Write the README's table of our numbers and published ones, and its strategy chart.

The published numbers are those that `tests/published/` compares with every digit; this script picks a dozen of them and
computes ours. `make docs` runs it, and a test compares the README and the chart with it.
"""

from __future__ import annotations

import contextlib
import copy
import io
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

import holecard
from holecard.cli import main
from holecard.sheets.read import find, from_data, merged

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
CHART = ROOT / "docs" / "images" / "double-up.svg"
BLOCK = re.compile(r"(<!-- figures -->\n).*?(<!-- end of figures -->)", re.DOTALL)
_PUBLISHED = ROOT / "tests" / "published"
#: Which side wagers the table shows, by their name in the data, and with how many decks.
_WAGERS = {
    "21+3": 6,
    "Match the Dealer, two decks": 2,
    "Royal Match": 1,
    "Upcard Luck, another house's table": 8,
    "Push 22": 6,
}
_SITUATIONS = ("A,7 v A", "6,4 v A")


class Figure(NamedTuple):
    """A number that was published, its source, and ours."""

    what: str
    ours: float
    published: str
    source: str

    @property
    def row(self) -> str:
        """A line of the table, with two more digits than were published."""
        decimals = len(self.published.partition(".")[2]) + 2
        return f"| {self.what} | {self.ours:.{decimals}f} | {self.published} | {self.source} |"


def figures() -> Iterator[Figure]:
    """The dozen: whole games by others' programs and publications, single situations, side wagers."""
    for entry in _read("main_game.toml")["value"]:
        source = entry["source"].partition(":")[0].partition(" (")[0].partition(", CDZ-")[0]
        if not source.startswith("reference") and "chart" not in entry:
            sheet = holecard.rules(entry.get("game", "classic"), entry.get("settings", {}))
            name = sheet.name if "game" in entry else _named(entry["settings"])
            yield Figure(f"EV, {name}", holecard.analyze(sheet, wagers=False).main.ev, entry["published"], source)
    table = _read("spots.toml")["table"][0]
    for line in table["rows"].strip().splitlines():
        situation, *numbers = re.split(r"  +", line)
        if situation in _SITUATIONS:
            published = dict(zip(table["actions"], numbers, strict=True))["hit"]
            found = holecard.evaluate(holecard.rules("classic", table["settings"]), situation)
            what = f"EV of hitting {situation}, {_named(table['settings'])}"
            yield Figure(what, _ev(found, "hit"), published, "Wizard of Odds, Blackjack Appendix 9")
    for entry in _read("side_wagers.toml")["published"]:
        if (decks := _WAGERS.get(entry["wager"]["name"])) is not None:
            yield _wager(entry, decks)


def _wager(entry: dict[str, Any], decks: int) -> Figure:
    data = copy.deepcopy(merged(find("classic")))
    data["shoe"] |= {"decks": decks}
    data["wager"] = [entry["wager"]]
    (result,) = holecard.analyze(from_data(data, "the published wager")).wagers
    name = entry["wager"]["name"].partition(",")[0]
    source = entry["source"].partition(";")[0].partition(", version")[0].partition(" (")[0]
    return Figure(f"EV of {name}, {_decks(decks)}", result.ev, entry["ev"][str(decks)], source)


def _ev(found: Any, action: str) -> float:
    return float(next(choice.ev for choice in found.choices if choice.action == action))


def _named(settings: dict[str, Any]) -> str:
    """The rules in which a figure differs from the base game."""
    decks = settings.get("shoe.decks", 6)
    verb = {"hit": "hits", "stand": "stands on"}[settings.get("dealer.soft_17", "hit")]
    return f"{_decks(decks)}, dealer {verb} soft 17"


def _decks(number: int) -> str:
    return "one deck" if number == 1 else f"{number} decks"


def _read(file: str) -> dict[str, Any]:
    return tomllib.loads((_PUBLISHED / file).read_text(encoding="utf-8"))


def with_figures(text: str) -> str:
    """Return the README with the table."""
    rows = ["| figure | Holecard | published | source |", "|---|---:|---:|---|", *(figure.row for figure in figures())]
    table = "".join(f"{row}\n" for row in rows)
    return BLOCK.sub(lambda block: f"{block[1]}\n{table}\n{block[2]}", text)


def chart() -> str:
    """The chart of the README, as `holecard strategy` prints it."""
    out = io.StringIO()
    words = ["holecard", "strategy", "double-up", "--format", "svg"]
    with patch.object(sys, "argv", words), contextlib.redirect_stdout(out), contextlib.suppress(SystemExit):
        main()
    return out.getvalue()


if __name__ == "__main__":
    README.write_text(with_figures(README.read_text(encoding="utf-8")), encoding="utf-8")
    CHART.parent.mkdir(exist_ok=True)
    CHART.write_text(chart(), encoding="utf-8")

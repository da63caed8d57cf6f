"""Write docs/verified.md: for each game, which independent evidence the tests compare it with.

Every number in the page is counted in the data that the tests read, so the page cannot claim a check that does not run.
`make docs` runs this script, and a test compares the page with it.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

from holecard.sheets.catalog import games
from holecard.sheets.read import rules
from holecard.sheets.schema import RuleSheet

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "verified.md"
TESTS = ROOT / "tests"
BASE = "classic"

HEAD = """\
# What is verified, and how

Each game is compared with evidence computed independently of Holecard's exact analysis. The table shows how much;
`docs/make_verified.py` counts it in the data files that the tests read.

"""

LEGEND = """
**Published figures** are numbers from the literature, from other people's programs, and from independent reference
computations, in `tests/published/`: the game's expected value, single situations, distributions. Every
printed digit is compared. Figures about counting are compared within the margins that
`tests/published/counting.toml` states, because many of them come from sampled shoes, theirs or ours.

**Recorded rounds** are rounds written by hand from the printed rules, paragraph by paragraph, in `tests/rounds/`: the
cards, the actions, and what each wager is paid, to the cent. The rounds of the base game apply to all games.

**Simulated rounds** are results of a GPU run in `tests/exact/data/`: every net result of the exact distribution is
compared with its count.

**Rational oracle** is a slow, separate solver in Python fractions, in `tests/exact/`, that plays out small shoes
completely. All games are compared with it, to 1e-12, on shoes chosen for their splits, naturals and soft hands.

**Status** is *verified* if published figures for the whole game, recorded rounds and simulated rounds all agree;
*partly verified* if the game has recorded or simulated rounds, but no published figure was found for it; *not verified*
if it has only the checks that every sheet gets: the oracle on small shoes, random rounds at the table, and `holecard
verify` (exact numbers compared with simulated rounds and with the table engine).

## Side wagers

The exact probabilities of pay lines are checked with published pay tables of the same kind of wager, dealt from the
same number of decks:

"""


class Evidence(NamedTuple):
    """What the tests compare a game with."""

    published: int
    rounds: int
    simulated: int

    @property
    def status(self) -> str:
        """The honesty mark of the table; the legend in the page defines it."""
        if self.published and self.rounds and self.simulated:
            return "verified"
        return "partly verified" if self.published or self.rounds or self.simulated else "not verified"


def evidence(game: str) -> Evidence:
    """Count the evidence for one game."""
    # The rounds of the base game are those that apply to all games.
    folder = TESTS / "rounds" / ("all-games" if game == BASE else game)
    return Evidence(
        published=_published()[game],
        rounds=len(list(folder.glob("*.toml"))),
        simulated=sum(
            case["rounds"] for case in _read("exact/data/simulated.toml")["simulated"] if case["game"] == game
        ),
    )


def page() -> str:
    """Return the whole page."""
    lines = ["| game | status | published figures | recorded rounds | simulated rounds | rational oracle |"]
    lines += ["|---|---|---:|---:|---:|---|"]
    lines += [_row(game) for game in games(examples=True)]
    return f"{HEAD}{_joined(lines)}{LEGEND}{_joined(_wagers())}"


def _row(game: str) -> str:
    found = evidence(game)
    simulated = f"{found.simulated / 1e9:,.0f} billion" if found.simulated else "none"
    counts = (f"{number:,}" if number else "none" for number in (found.published, found.rounds))
    return f"| {_title(rules(game))} (`{game}`) | {found.status} | {' | '.join(counts)} | {simulated} | yes |"


def _title(sheet: RuleSheet) -> str:
    return sheet.name.removesuffix(" (example)")


def _wagers() -> list[str]:
    published = _read("published/side_wagers.toml")["published"]
    names = Counter(entry["wager"]["name"].partition(",")[0] for entry in published)
    rows = ["| wager | published tables |", "|---|---:|"]
    return [*rows, *(f"| {name} | {number} |" for name, number in sorted(names.items()))]


def _published() -> Counter[str]:
    """Published numbers of main games by game; a value for other settings of a game counts for that game."""
    found: Counter[str] = Counter()
    for file in ("main_game", "spots", "distributions"):
        for entries in _read(f"published/{file}.toml").values():
            for entry in entries:
                found[entry.get("game", BASE)] += _numbers(entry)
    return found


def _numbers(entry: dict[str, Any]) -> int:
    """How many numbers one entry of a published file states: one, a table by action or net result, or rows."""
    published = entry.get("published")
    in_rows = len(re.findall(r"\d\.\d", entry.get("rows", "")))
    return in_rows + (len(published) if isinstance(published, dict) else int(published is not None)) + ("sd" in entry)


def _simulated() -> list[dict[str, Any]]:
    return list(_read("exact/data/simulated.toml")["simulated"])


def _read(file: str) -> dict[str, Any]:
    return tomllib.loads((TESTS / file).read_text(encoding="utf-8"))


def _joined(lines: list[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")

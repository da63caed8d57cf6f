"""Write docs/verified.md: for each game, which independent evidence the tests compare it with.

Every number in the page is counted in the data that the tests read, so the page cannot claim a check that does not run.
`make docs` runs this script, and a test compares the page with it.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from fnmatch import fnmatchcase
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

COMPARED = """
## What verify compares

`holecard verify` compares the numbers of a game with simulated rounds, its tables with a second reading of the sheet,
and rounds with the table ([simulation.md](simulation.md#verify)). These are all numbers that results show, by the keys
of their JSON:

- *simulated rounds*: compared with rounds, within their error;
- *worked out again*: follows from others that are compared, and must match;
- *bound*: a bound on an error, which is itself bounded;
- *given*: a setting;
- *not compared*: by `verify`.

The main wager is compared as the best chart plays it, or the chart that `--strategy` names, with one player. `analyze`
without a strategy shows optimal play instead, which no chart plays. Its EV must be that of the best choice with every
starting hand. It must not be below that of the chart, and not above it by more than 0.3% with one deck (0.05% with six,
2% with charlies). Its other numbers come from the same code as those of the chart. What a command prints as text or
CSV is its JSON in other words: tests of the reports compare them, `verify` does not.

"""


# What `verify` compares. A test takes the JSON of each command and looks up every number in it, so a new number fails
# until it is listed here. Keys are written with dots; `*` stands for any key or list entry.

ROUNDS = "simulated rounds"
SUM = "worked out again"
BOUND = "bound"
GIVEN = "given"
NOT = "not compared"


class Shown(NamedTuple):
    """Numbers of one command, by pattern; how they are compared, and with what or why not."""

    command: str
    keys: tuple[str, ...]
    how: str
    what: str


NUMBERS = (
    Shown("analyze", ("decks", "shoe.cards", "settings.*"), GIVEN, "the sheet, read a second time"),
    Shown("analyze", ("main.ev",), ROUNDS, "the mean, and the luck-adjusted mean"),
    Shown("analyze", ("main.standard_deviation", "main.average_stake"), ROUNDS, "the same of the rounds"),
    Shown("analyze", ("main.distribution.*",), ROUNDS, "how often each net result occurred"),
    Shown("analyze", ("main.house_edge", "main.element_of_risk"), SUM, "from the EV and the average stake"),
    Shown("analyze", ("main.win", "main.push", "main.loss"), SUM, "from the net results"),
    Shown("analyze", ("main.by_dealer.*",), SUM, "each group from its starting hands and the deals"),
    Shown(
        "analyze",
        ("main.probability_errors.*",),
        BOUND,
        "at most a hundredth of P(three or more hands); a bound that is too small is not noticed",
    ),
    Shown("analyze", ("main.error_bound", "main.standard_deviation_error"), BOUND, "of rounding, about 1e-11 and less"),
    Shown("analyze", ("main.fixed_ev",), NOT, "the EV under CDZ- is that of another analysis"),
    Shown("analyze", ("hands.*.probability",), SUM, "from the deals; not with pairs by rank"),
    Shown(
        "analyze",
        ("hands.*.choices.*.ev",),
        SUM,
        "the chosen actions must add up to the EV; other actions are compared with rounds only through the chart that "
        "tries every action",
    ),
    Shown("analyze", ("wagers.*.ev", "wagers.*.exact"), ROUNDS, "the mean"),
    Shown("analyze", ("wagers.*.standard_deviation",), ROUNDS, "the same of the rounds"),
    Shown(
        "analyze",
        ("wagers.*.lines.*.probability", "wagers.*.taxes.*.probability"),
        ROUNDS,
        "each line and tax; lines on two or three cards also with all deals, by the second reading of the sheet. "
        "Hands of four cards are looked up for varied deals, and compared with the second reading",
    ),
    Shown(
        "analyze",
        ("wagers.*.house_edge", "wagers.*.hit_frequency", "wagers.*.combinations", "wagers.*.return_of_tax"),
        SUM,
        "from the lines, and the number of combinations from the cards",
    ),
    Shown(
        "analyze",
        ("wagers.*.lines.*.return", "wagers.*.lines.*.combinations", "wagers.*.taxes.*.return"),
        SUM,
        "odds times probability",
    ),
    Shown("analyze", ("wagers.*.taxes.*.combinations",), SUM, "their share is the probability"),
    Shown("analyze", ("wagers.*.by_upcard.*",), SUM, "from the lines of each upcard and the deals"),
    Shown("analyze", ("insurance.ev", "insurance.exact"), ROUNDS, "how often it wins"),
    Shown("analyze", ("insurance.by_hand.*",), SUM, "from the tens and cards left"),
    Shown("analyze", ("favors_player.*",), SUM, "every EV above that is more than zero"),
    Shown("strategy", ("decks", "columns.*", "settings.*"), GIVEN, "the sheet"),
    Shown("strategy", ("ev",), ROUNDS, "the mean of the run by this chart"),
    Shown("strategy", ("house_edge", "optimum_ev", "cost"), SUM, "from an analysis of optimal play"),
    Shown("strategy", ("plain_ev",), NOT, "`verify --strategy basic` compares it"),
    Shown("strategy", ("error_bound",), BOUND, "of rounding"),
    Shown("evaluate", ("decks", "shoe.cards", "settings.*"), GIVEN, "the sheet"),
    Shown(
        "evaluate",
        ("choices.*.ev",),
        SUM,
        "for a sample of starting hands: the analysis says the same, and hitting is the average over the next card, "
        "as are hits and doubles after a split. Splitting a second time must be nearly that of a pair that makes one "
        "hand less, since hands are then played a little differently",
    ),
    Shown("evaluate", ("insurance.*",), SUM, "from the tens and cards left"),
    Shown(
        "evaluate",
        ("after_check.*",),
        SUM,
        "for one hand: wagers on the dealer's hand alone, card by card by the second reading of the sheet. Those that "
        "ask for the player's cards, too, are compared over all hands only",
    ),
    Shown("evaluate", ("error_bound",), BOUND, "of rounding"),
    Shown(
        "counting",
        ("*",),
        NOT,
        "counts, indices, gains and effects of removal: tests compare them with published figures, and counters with "
        "rounds at the table",
    ),
    Shown(
        "coach",
        ("*",),
        SUM,
        "a sample of hands: two and three cards against `evaluate`, with another seat's cards, too; insurance and "
        "early surrender from the cards left and the analysis; after a split hits over the next card, standing and "
        "doubling card by card by the second reading of the sheet, and splitting again against `evaluate`; wagers "
        "before the deal and after the check; and a review's hands, stakes, costs, house, net and luck, and sums. "
        "The second and more hands of a split are not compared: they have tests of their own",
    ),
    Shown(
        "simulate",
        ("*",),
        ROUNDS,
        "fresh shoes with one player, whose means, deviations, errors, intervals and shares are worked out again from "
        "their counts; some rounds with three players card by card; shoes of a fixed number of rounds by their mean; "
        "shoes to a cut card (75%) card by card, with a counter who bets and insures by hi-lo. Several players by "
        "their mean, rounds in which a shoe runs out, continuous shufflers, other counts, plays by count, the gain of "
        "luck adjustment, deviations and errors of other runs, N0, SCORE and risk of ruin are not compared: they have "
        "tests of their own",
    ),
)


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
    return f"{HEAD}{_joined(lines)}{LEGEND}{_joined(_wagers())}{COMPARED}{_joined(_compared())}"


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


def numbers_of(command: str) -> list[Shown]:
    """Return the entries of a command."""
    return [shown for shown in NUMBERS if shown.command == command]


def classified(command: str, key: str) -> Shown | None:
    """Return the entry of a number by its key, such as "main.ev"; None if it is not listed."""
    return next((shown for shown in numbers_of(command) if any(fnmatchcase(key, one) for one in shown.keys)), None)


def _compared() -> list[str]:
    """Return the table of what `verify` compares."""
    rows = [
        f"| `{shown.command}` | {', '.join(f'`{key}`' for key in shown.keys)} | {shown.how} | {shown.what} |"
        for shown in NUMBERS
    ]
    return ["| result | numbers | compared | with what, or why not |", "|---|---|---|---|", *rows]


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")

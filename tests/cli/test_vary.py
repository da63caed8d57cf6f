"""`holecard analyze GAME --vary`: how settings are read, the grid, its JSON, Ctrl-C, and what is refused.

The prices are made up, so that every cell is known; tests/cli/test_analyze.py computes real ones.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest

from holecard import report
from holecard.charts.chart import Chart
from holecard.cli import progress
from holecard.composition import Composition, full
from holecard.errors import Refusal
from holecard.exact import compare as module
from holecard.exact.compare import ComparedGame, compare
from holecard.exact.results import WagerResult
from holecard.kernels import cache
from holecard.sheets.grid import read_axis
from holecard.sheets.read import RulesLike, read_sheet, rules
from holecard.sheets.schema import RuleSheet
from tests.cli.shell import Shell, flat, read_json

DOCS = Path(__file__).parents[2] / "docs" / "json.md"


def wager(name: str, exact: Fraction, unit: str = "unit staked") -> WagerResult:
    return WagerResult(name, unit, "", exact, Fraction(1, 4), 1.0, 4, "a deal", ())


UP_TO_199 = ",".join(map(str, range(1, 200)))
asked: list[tuple[RuleSheet, Composition]] = []
marked: list[str] = []


def made_up_price(
    rules: RuleSheet, labels: tuple[str, ...], shoe: Composition, chart: Chart | None = None
) -> ComparedGame:
    """The edge is a hundredth per deck."""
    assert chart is None
    asked.append((rules, shoe))
    decks = rules.shoe.decks
    wagers = [wager(w.name, Fraction(-1, 8), "round, in dollars" if w.tax else "unit staked") for w in rules.wager]
    skipped = (("Lucky Suits", "it asks for suits"),) if shoe.suited is None else ()
    return ComparedGame(rules, labels, shoe, -0.01 * decks, decks * 1e-13, tuple(wagers), skipped)


@pytest.fixture(autouse=True)
def _prices(monkeypatch: pytest.MonkeyPatch) -> None:
    asked.clear()
    monkeypatch.setattr(module, "compared_game", made_up_price)
    monkeypatch.setattr(cache, "is_warm", lambda _: True)
    marked.clear()
    monkeypatch.setattr(cache, "mark_warm", marked.append)


# Reading


def test_a_word_and_its_values_are_read() -> None:
    """Numbers as numbers, text as text, with optional quotes."""
    assert read_axis("decks=1, 2").values == (1, 2)
    assert read_axis("settle.natural=6 to 5,3 to 2").values == ("6 to 5", "3 to 2")
    quoted = read_axis('settle.natural="6 to 5","3 to 2"')
    assert (quoted.values, quoted.labels) == (("6 to 5", "3 to 2"),) * 2
    assert read_axis("player.double_after_split=true,false").values == (True, False)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("shoe.decks_offered=[1,2],[6,8]", ([1, 2], [6, 8])),
        ("player.quick_pay={ 18 = 'push', 19 = 'push' }", ({"18": "push", "19": "push"},)),
        ('player.double="9,10,11",any', ("9,10,11", "any")),
        ("about='one, two',three", ("one, two", "three")),
    ],
)
def test_a_value_in_quotes_or_brackets_may_have_commas(text: str, values: tuple[object, ...]) -> None:
    """A comma inside does not end the value."""
    assert read_axis(text).values == values


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("decks", "write a setting and its values"),
        ("=1,2", "write a setting and its values"),
        ("decks=", "write a setting and its values"),
        ("decks=1,,2", "write a setting and its values"),
        ("shoe.decks_offered=[1,2", "is not closed"),
        ('about="one, two', "is not closed"),
        ("decks=6,8,6", "a value is given twice"),
    ],
)
def test_a_word_that_cannot_be_varied_is_refused(text: str, says: str) -> None:
    """The message quotes it."""
    with pytest.raises(Refusal, match=says):
        read_axis(text)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--vary", "natral=1,2"], "did you mean 'natural'"),
        (["--vary", "settle.natral=1,2"], "unknown key"),
        (["--vary", "min=$5,$10"], "several sections have this key"),
        (["--vary", "decks=6,x"], "it must be a whole number"),
        (["--vary", "decks=6,0"], "  decks: 0 is not valid; it must be at least 1"),
        (
            ["--vary", "decks=1,x", "--vary", "soft_17=hit,sit"],
            "  soft_17: 'sit' is not valid; it can be 'hit', 'stand'",
        ),
        (["--vary", "decks=1,x", "--vary", "soft_17=hit,sit"], "  decks: 'x' is not valid; it must be a whole number"),
        (["--vary", "foo=1,2", "--set", "bar=3"], "  foo: no section has this key"),
        (["--vary", "decks=1,2", "--vary", "shoe.decks=6,8"], "decks is the same setting; give it once"),
        (["--vary", "decks=1,2", "--set", "shoe.decks=6"], "shoe.decks is the same setting; give it once"),
        (["--vary", "decks=1,2", "--shoe", "A:20 T:40"], "decks cannot be varied with a given shoe"),
        (["--vary", "decks=1,2", "--hands"], "leave out --hands"),
        (["--vary", "decks=1,2", "--seen", "Z"], "'Z' is not a card"),
        (["--vary", "decks=1,2", "--seen", "A,A,A,A,A"], "cannot remove 5 cards 'A': the shoe holds only 4"),
        (
            ["--vary", "decks=1,2", "--strategy", "nowhere.txt"],
            "'nowhere.txt' is not a strategy's name",
        ),
        (["--vary", f"decks={UP_TO_199}", "--vary", f"cut_card={UP_TO_199}"], "39,601 games"),
    ],
)
def test_a_grid_that_cannot_be_made_is_refused(shell: Shell, words: list[str], says: str) -> None:
    """Before anything is computed; exit code 2."""
    ran = shell("analyze", "classic", *words)
    assert ran.code == 2
    assert says in ran.err
    assert ran.out == ""
    assert asked == []


# The grid


def test_the_grid_has_a_row_for_each_combination(shell: Shell) -> None:
    """The last setting changes fastest; each sheet has both settings."""
    out = shell("analyze", "classic", "--vary", "decks=1,8", "--vary", "dealer.soft_17=hit,stand").out
    assert "1 hit 1.00000% 1 stand 1.00000% 8 hit 8.00000% 8 stand 8.00000%" in flat(out)
    assert [(r.shoe.decks, r.dealer.soft_17) for r, _ in asked] == [(1, "hit"), (1, "stand"), (8, "hit"), (8, "stand")]
    assert [shoe for _, shoe in asked] == [full(1), full(1), full(8), full(8)]
    assert max(map(len, out.splitlines())) <= 80


def test_a_sheet_with_settings_is_named_with_them() -> None:
    """In the text, in its data and in tables; a sheet without settings by its name."""
    found = compare([rules("classic"), rules("classic", decks=1), rules("classic", decks=2)])
    named = ["Classic Blackjack", "classic, shoe.decks = 1", "classic, shoe.decks = 2"]
    assert [row["game"] for row in found.to_rows()] == named
    assert [point["game"] for point in found.to_dict()["grid"]] == named
    assert "classic, 1.00000% shoe.decks = 1 classic, 2.00000% shoe.decks = 2" in flat(str(found))


def test_a_name_leaves_out_settings_that_the_grid_changes() -> None:
    """The heading has the others where all rows are one game."""
    found = compare(rules("classic", decks=1, soft_17="stand"), {"decks": [4, 8]})
    assert str(found).startswith("Classic Blackjack, dealer.soft_17 = stand\n")
    assert "<h1>Classic Blackjack, dealer.soft_17 = stand</h1>" in found._repr_html_()
    assert {row["game"] for row in found.to_rows()} == {"classic, dealer.soft_17 = stand"}


def test_different_sheets_with_one_name_are_numbered() -> None:
    """They were made as data, so that nothing else tells them apart."""
    sheets = [read_sheet(f'name = "Home"\nshoe.decks = {decks}') for decks in (1, 2)]
    assert compare(sheets).grid.games == ("Home (1)", "Home (2)")


@pytest.mark.parametrize(
    ("games", "says"),
    [
        (["classic", "classic"], "classic is named twice"),
        (["classic", rules("classic", decks=6)], "classic and classic, shoe.decks = 6 are the same game"),
        ([rules("classic", decks=1), rules("classic", decks=2)], "Classic Blackjack is named twice"),
    ],
)
def test_the_same_game_is_compared_once(games: list[RulesLike], says: str) -> None:
    """Two sheets are the same if the grid gives them the settings that they differ in."""
    vary = {} if isinstance(games[0], str) else {"decks": [4, 8]}
    with pytest.raises(Refusal, match=f"{says}; name each game once"):
        compare(games, vary)
    assert asked == []


def test_what_was_compiled_is_remembered(shell: Shell) -> None:
    """After the grid is complete."""
    shell("analyze", "classic", "--vary", "decks=1,8")
    assert marked == ["compare"]


def test_seen_cards_are_out_of_every_shoe(shell: Shell) -> None:
    """Whatever its size."""
    out = flat(shell("analyze", "classic", "--vary", "decks=1,2", "--seen", "2,2,5").out)
    assert "Each round from full decks, without 2,2,5." in out
    assert "fresh" not in out
    assert [shoe.total for _, shoe in asked] == [49, 101]


def test_settings_hold_everywhere(shell: Shell) -> None:
    """--set together with --vary."""
    out = shell("analyze", "classic", "--vary", "decks=1,2", "--set", "settle.natural=6 to 5").out
    assert {r.settle.natural for r, _ in asked} == {"6 to 5"}
    assert "settle.natural = 6 to 5" in flat(out)


def test_side_wagers_have_columns_with_their_edges(shell: Shell) -> None:
    """In percent, or in dollars per round where amounts are fixed."""
    out = flat(shell("analyze", "upcard-luck-21", "--vary", "decks=6,8").out)
    assert "6 6.00000% 12.50000% $0.12500 8 8.00000% 12.50000% $0.12500" in out


def test_many_side_wagers_fit_80_columns(shell: Shell) -> None:
    """They continue in a second grid."""
    file = "side-bets"
    words = [
        "--vary",
        "decks=6,8",
        "--vary",
        "dealer.soft_17=hit,stand",
        "--vary",
        "player.double_after_split=true,false",
    ]
    out = shell("analyze", file, *words).out
    assert max(map(len, out.splitlines())) <= 80
    assert "…" not in out
    assert out.count("12.50000%") == 8 * 6


def test_the_grid_as_json(shell: Shell) -> None:
    """Keys as documented, values as typed."""
    data = read_json(shell("analyze", "upcard-luck-21", "--vary", "decks=6,8", "--json"))
    assert list(data) == ["version", "game", "convention", "settings", "complete", "grid", "strategy", "games"]
    assert data["complete"] is True
    assert data["strategy"] == "composition-dependent optimum"
    eighth = {"ev": -0.125, "exact": "-1/8", "house_edge": 0.125}
    assert data["grid"][1] == {
        "vary": {"decks": "8"},
        "sheet": {"name": "Upcard Luck 21", "game": "upcard-luck-21", "hash": asked[1][0].hash},
        "decks": 8,
        "main": {"ev": -0.08, "house_edge": 0.08, "error_bound": 8e-13},
        "wagers": {
            "Upcard Luck": {**eighth, "unit": "unit staked", "printed": True},
            "Taxpayer's Fortune": {**eighth, "unit": "round, in dollars", "printed": True},
        },
        "shoe": {"cards": 416, "counts": str(full(8)), "suits_known": True},
        "skipped": {},
        "game": "upcard-luck-21",
        "settings": {"shoe.decks": 8},
    }
    page = DOCS.read_text(encoding="utf-8").partition("--vary KEY")[2].partition("\n## ")[0]
    keys = [*data, *data["grid"][1], *data["grid"][1]["main"], *data["grid"][1]["wagers"]["Upcard Luck"]]
    assert [key for key in keys if f'"{key}"' not in page] == []


def test_the_grid_says_what_was_played_and_how_exactly(shell: Shell) -> None:
    """The largest error bound of all points; each wager that is left out, once."""
    out = flat(shell("analyze", "classic", "--vary", "decks=2,6,1", "--seen", "2,2").out)
    assert "Strategy: composition-dependent optimum." in out
    assert "The main wager's edges are exact to within 6e-13." in out
    assert out.count("Lucky Suits Not computed: it asks for suits.") == 1
    assert "Not computed" not in shell("analyze", "classic", "--vary", "decks=2,6").out


# Ctrl-C and the bar


def test_ctrl_c_ends_with_what_is_done(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    """The finished rows, a message on standard error, and the exit code of an interrupt."""

    def price(rules: RuleSheet, labels: tuple[str, ...], shoe: Composition, chart: Chart | None = None) -> ComparedGame:
        if rules.shoe.decks == 6:
            raise KeyboardInterrupt
        return made_up_price(rules, labels, shoe, chart)

    monkeypatch.setattr(module, "compared_game", price)
    ran = shell("analyze", "classic", "--vary", "decks=1,2,6,8")
    assert ran.code == 130
    assert marked == [], "what was interrupted may not have compiled everything"
    assert "1 1.00000% 2 2.00000%" in flat(ran.out)
    assert "8.00000%" not in ran.out
    assert "stopped early: 2 of 4 games are done" in ran.err
    ran = shell("analyze", "classic", "--vary", "decks=1,2,6,8", "--json")
    assert ran.code == 130
    assert json.loads(ran.out)["complete"] is False
    ran = shell("analyze", "classic", "--vary", "decks=6,8")
    assert (ran.code, "stopped early: 0 of 2 games are done" in ran.err) == (130, True)


def ticking(step: float) -> Iterator[float]:
    now = 0.0
    while True:
        yield now
        now += step


@pytest.mark.parametrize(("step", "shows"), [(0.01, False), (0.6, True)])
def test_a_bar_shows_only_when_it_takes_long(monkeypatch: pytest.MonkeyPatch, step: float, shows: bool) -> None:
    """After more than a second, and only on a terminal."""
    clock = ticking(step)
    monkeypatch.setattr(progress.time, "monotonic", lambda: next(clock))
    monkeypatch.setattr(progress.sys.stderr, "isatty", lambda: True, raising=False)
    started: list[bool] = []
    make = progress._bar
    monkeypatch.setattr(progress, "_bar", lambda total: (started.append(True), make(total))[1])
    with progress.ProgressBar(5) as bar:
        for _ in range(5):
            bar.advance()
    assert bool(started) is shows
    assert len(started) <= 1


# Several games


def test_every_row_of_several_games_has_its_own_game_and_settings() -> None:
    """In text, data, rows and HTML; one game alone has no column for its name."""
    found = compare(["classic", "double-up"], {"decks": [1, 2]}, settings={"soft_17": "stand"})
    names = ["classic", "classic", "double-up", "double-up"]
    assert [row["game"] for row in found.to_rows()] == names
    data = found.to_dict()
    assert (data["game"], data["games"]) == (None, ["classic", "double-up"])
    assert [entry["game"] for entry in data["grid"]] == names
    assert [entry["settings"]["shoe.decks"] for entry in data["grid"]] == [1, 2, 1, 2]
    assert {entry["settings"]["dealer.soft_17"] for entry in data["grid"]} == {"stand"}
    lines = [line.split() for line in str(found).splitlines()]
    assert [(line[0], line[1]) for line in lines if line[:1] and line[0] in names] == [
        ("classic", "1"),
        ("classic", "2"),
        ("double-up", "1"),
        ("double-up", "2"),
    ]
    assert str(found).startswith("Classic Blackjack, Double-Up Blackjack, soft_17 = stand")
    html = report.html(found)
    assert html.count(">classic<") == html.count(">double-up<") == 2
    alone = compare("double-up", {"decks": [1, 2]})
    assert (alone.to_dict()["game"], alone.to_dict()["games"]) == ("double-up", ["double-up"])
    assert "game" not in str(alone).partition("edges are exact")[2].split()


def test_games_are_compared_without_varying_anything() -> None:
    found = compare(["classic", "double-up"])
    assert [(row["game"], row["house_edge"]) for row in found.to_rows()] == [("classic", 0.06), ("double-up", 0.06)]

"""`holecard house-odds`: tables that a house can paste into a sheet."""

from __future__ import annotations

import tomllib
from fractions import Fraction
from pathlib import Path

import pytest

import holecard
from holecard.odds import odds
from tests.cli.shell import Shell, read_json
from tests.selection import quick

SHEET = Path(holecard.__file__).parent / "catalog" / "quick-pay.toml"


def tables_in(text: str) -> dict[str, object]:
    return {wager["name"]: wager["tables"] for wager in tomllib.loads(text)["wager"]}


@pytest.mark.slow
def test_the_shipped_tables_are_what_the_command_prints(shell: Shell) -> None:
    """All four wagers, all numbers of decks and both soft 17 rules, and every line as in the sheet."""
    printed = shell("house-odds", "quick-pay").out
    sheet = SHEET.read_text(encoding="utf-8")
    assert tables_in(printed) == tables_in(sheet)
    lines = [line for line in printed.splitlines() if line[:1].isdigit() or line[:1] == '"']
    assert len(lines) == 32
    assert all(line in sheet.splitlines() for line in lines)
    assert printed == shell("house-odds", "quick-pay").out


def test_the_figures_agree_with_the_analysis(shell: Shell) -> None:
    """The edge over all upcards is the exact one of `analyze`, and so are the edges by upcard."""
    (table, *_) = read_json(shell("house-odds", "quick-pay", "--decks", "6", "--json"))["tables"]
    wager = holecard.analyze("quick-pay").wagers[0]
    assert Fraction(table["house_edge"]["exact"]) == -wager.exact
    by_upcard = [Fraction(cell["house_edge"]["exact"]) for cell in table["upcards"].values()]
    assert by_upcard == [-value for _, value in wager.by_upcard]
    assert table["best"]["spot"] == "T,T v 6"
    exact = dict(holecard.evaluate("quick-pay", "T,T v 6").after_check)["Hedge 18"]
    assert Fraction(table["best"]["exact"]) == exact


def test_a_house_chooses_edge_decks_and_step(shell: Shell) -> None:
    """The sheet has no table for four decks; steps of a tenth bring the edge close to 10%, for both soft 17 rules."""
    words = ("--decks", "4", "--edge", "10%", "--within", "0.1%", "--step", "1/10", "--json")
    data = read_json(shell("house-odds", "quick-pay", *words))
    made = [(table["table"], table["decks"], table["soft_17"]) for table in data["tables"]]
    assert made == [("4", 4, "hit"), ("4 S17", 4, "stand")] * 4
    for table in data["tables"]:
        assert table["house_edge"]["value"] == pytest.approx(0.1, abs=0.001)
        assert all(10 % odds(cell["pays"]).denominator == 0 for cell in table["upcards"].values())
        assert all(cell["best_ev"]["value"] <= 0 for cell in table["upcards"].values())


@pytest.mark.parametrize("edge", quick(["1%", "0.001"], "0.001"))
def test_no_edge_makes_odds_that_favor_two_cards(shell: Shell, edge: str) -> None:
    """However small the requested edge is."""
    data = read_json(shell("house-odds", "quick-pay", "--decks", "1,6", "--edge", edge, "--within", "0", "--json"))
    cells = [cell for table in data["tables"] for cell in table["upcards"].values()]
    assert max(Fraction(cell["best_ev"]["exact"]) for cell in cells) <= 0


@pytest.mark.parametrize(("edge", "missed_by"), [(0.99, 24), (0.05, 14)])
def test_a_target_out_of_reach_is_said(shell: Shell, edge: float, missed_by: int) -> None:
    """Above each table that misses it, and above no other one."""
    words = ("house-odds", "quick-pay", "--decks", "1,2,6", "--edge", f"{edge}")
    edges = [table["house_edge"]["value"] for table in read_json(shell(*words, "--json"))["tables"]]
    assert sum(abs(one - edge) > 0.0075 for one in edges) == missed_by
    said = shell(*words).out
    assert said.count(f"# The target, {edge:.0%} within 0.75%, is out of reach.") == missed_by


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("classic",), "has no wager to make odds for"),
        (
            ("quick-pay", "--edge", "5"),
            "the edge must be between 0 and 1 (5% or 0.05), not 5; 5 means 500%, so write 5%",
        ),
        (("quick-pay", "--edge", "0"), "the edge must be between 0 and 1 (5% or 0.05), not 0"),
        (("quick-pay", "--edge", "much"), "'much' is not a percentage"),
        (("quick-pay", "--step", "0"), "the step of the odds must be above 0, such as 1/2, not 0"),
        (("quick-pay", "--step", "1/0"), "'1/0' is not a step of odds"),
        (("quick-pay", "--decks", "0"), "write numbers of decks from 1 to 16"),
        (("quick-pay", "--step", "20"), "choose a smaller step"),
    ],
)
def test_what_cannot_be_made_is_refused(shell: Shell, words: tuple[str, ...], why: str) -> None:
    ended = shell("house-odds", *words)
    assert ended.code == 2
    assert why in " ".join(ended.err.split())


def test_a_number_of_decks_without_a_table(shell: Shell) -> None:
    """The message names the wager and a way to proceed."""
    ended = shell("rules", "quick-pay", "--set", "decks=4")
    assert ended.code == 2
    assert "Hedge 18 has pay tables for 1, 2, 6, 8 decks, but not for 4" in ended.err
    chosen = [word for total in (18, 19, 20, 21) for word in ("--set", f'wager.Hedge {total}.table="2"')]
    assert shell("rules", "quick-pay", "--set", "decks=4", *chosen).code == 0

"""Impossible runs are refused before the first round, with a clear message; broken executors are replaced."""

from __future__ import annotations

import sys
from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import holecard
from holecard.errors import Refusal
from holecard.sheets.read import read_sheet
from holecard.simulation.compile import node_numbers
from holecard.simulation.plays import luck_adjusted
from holecard.simulation.simulate import simulate
from holecard.simulation.simulate_luck import simulate_luck
from holecard.simulation.verify import verify
from tests.simulation.fake_play import Breaking

PLAIN = "never bust"


@pytest.mark.parametrize(
    ("how", "says"),
    [
        ({"rounds": 1e6}, "rounds must be a whole number such as 1_000_000, not 1000000.0"),
        ({"rounds": True}, "rounds must be a whole number such as 1_000_000, not True"),
        ({"seed": 1.5}, "seed must be a whole number such as 1_000_000, not 1.5"),
        ({"level": 95}, "level must be between 0 and 1"),
        ({"strategy": None}, "None is not a strategy"),
    ],
)
@pytest.mark.parametrize("run", [simulate, simulate_luck])
def test_odd_arguments(run: Callable[..., object], how: dict[str, Any], says: str) -> None:
    with pytest.raises(Refusal, match=says):
        run("classic", **{"strategy": PLAIN, "rounds": 1000, **how})


def test_exact_numbers_are_of_fresh_shoes() -> None:
    with pytest.raises(Refusal, match="exact numbers assume fresh shoes"):
        verify("classic", PLAIN, 1000, procedure="cut:75")


def test_too_many_situations_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """The maximum is the number that fits 16 bits; here two strategies are one too many."""
    tables = holecard.rules("classic")
    simulate(tables, PLAIN, 100)
    monkeypatch.setattr(node_numbers, "_MOST_NODES", 500)
    with pytest.raises(
        Refusal, match=r"2 charts make [\d,]+ situations, but the limit is 500; use fewer different strategies"
    ):
        simulate(tables, [PLAIN, "mimic the dealer"], 100, seats=2)


def test_odds_that_are_too_fine_or_too_high() -> None:
    fine = holecard.rules("classic", {"settle.natural": "999999999 to 999999998"})
    assert Fraction(999999999, 999999998) in simulate(fine, PLAIN, 1000).main.histogram
    with pytest.raises(Refusal, match=r"the common denominator 999,999,998, too large to sum squares"):
        simulate_luck(fine, PLAIN, 100)
    less_fine = holecard.rules("classic", {"settle.natural": "1.0000001 to 1"})
    with pytest.raises(
        Refusal,
        match=r"the common denominator 10,000,000: the sums overflow after [\d,]+ rounds; ask for at most that many",
    ):
        simulate_luck(less_fine, PLAIN, 10**12)
    high = holecard.rules("classic", {"settle.natural": "5000 to 1"})
    assert simulate(high, PLAIN, 1000).main.histogram
    with pytest.raises(Refusal, match="luck adjustment allows at most 1,000 times"):
        simulate_luck(high, PLAIN, 1000)


@pytest.mark.parametrize("sheet", [{"main.max": "$1000"}, {"name": "Another House"}])
def test_luck_of_another_sheet_is_not_gone_on_with(tmp_path: Path, sheet: dict[str, str]) -> None:
    file = tmp_path / "luck.json"
    simulate_luck("classic", PLAIN, 2000, resume=file)
    with pytest.raises(Refusal, match=r"game|changed since"):
        simulate_luck(holecard.rules("classic", sheet), PLAIN, 3000, resume=file)
    assert simulate_luck("classic", PLAIN, 3000, resume=file).rounds == 3000


def test_nor_that_of_another_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "luck.json"
    simulate_luck("classic", PLAIN, 2000, resume=file)
    for module in (luck_adjusted, sys.modules["holecard.simulation.simulate_luck"]):
        monkeypatch.setattr(module, "__version__", "99.0")
    with pytest.raises(Refusal, match=rf"version: '{holecard.__version__}' there, '99.0' here"):
        simulate_luck("classic", PLAIN, 3000, resume=file)


def test_few_rounds_claim_nothing() -> None:
    few = simulate_luck("classic", PLAIN, 999).to_dict()
    assert few["gain"] is few["luck"]["z"] is None
    enough = simulate_luck("classic", PLAIN, 1000).to_dict()
    assert enough["gain"] > 1
    assert abs(enough["luck"]["z"]) < 5


def test_a_function_replaces_broken_executors() -> None:
    """One that breaks after its second call, then threads."""
    made: list[Executor] = []

    def make() -> Executor:
        made.append(ThreadPoolExecutor(1) if made else Breaking(2))
        return made[-1]

    found = simulate("classic", PLAIN, 1000, chunk=100, executor=make)
    assert len(made) == 2
    assert found.main.histogram == simulate("classic", PLAIN, 1000).main.histogram


def test_a_dealer_who_always_draws_is_reported() -> None:
    """Where it matters: it uses up a shoe dealt to a cut card sooner."""
    sparing = simulate("upcard-luck-21", "mimic the dealer", 20_000, procedure="cut:75")
    drawing = simulate("upcard-luck-21", "mimic the dealer", 20_000, procedure="cut:75", draws_out=True)
    assert drawing.procedure == f"{sparing.procedure}; the dealer always draws out"
    shoes = [found.main.shoes for found in (sparing, drawing)]
    assert shoes[0] is not None
    assert shoes[1] is not None
    assert shoes[0].rounds / shoes[0].shoes > 1.01 * shoes[1].rounds / shoes[1].shoes
    assert "draws out" not in simulate("upcard-luck-21", "mimic the dealer", 1000, draws_out=True).procedure


def test_too_many_open_lines_are_refused() -> None:
    """Each of these waits for the dealer's hand until a different card, or continues with a different total."""
    awaited = [f"{total} in {cards} cards" for total in range(12, 17) for cards in range(2, 9)]
    lines = ", ".join(f'{{ dealer = "{hand}", pays = "2 to 1" }}' for hand in awaited)
    wager = f'[[wager]]\nname = "Many"\non = "two cards"\nmin = "$1"\nmax = "$10"\nlines = [{lines}]'
    sheet = read_sheet(f'name = "Many"\nextends = "classic"\n{wager}')
    with pytest.raises(Refusal, match="depend on the dealer's hand in more than 31 ways; place fewer of them"):
        simulate(sheet, PLAIN, 1000, procedure="cut:75")
    assert simulate(sheet, PLAIN, 1000, procedure="cut:75", wagers=()).rounds > 900
    assert simulate(sheet, PLAIN, 1000).main.wagers[0].estimate.rounds == 1000


def test_a_wager_comes_with_what_it_needs() -> None:
    """As at the table, where it cannot be placed alone."""
    names = [wager.name for wager in simulate("upcard-luck-21", PLAIN, 1000, wagers=["Taxpayer's Fortune"]).main.wagers]
    assert names == ["Upcard Luck", "Taxpayer's Fortune"]
    names = [wager.name for wager in simulate("upcard-luck-21", PLAIN, 1000, wagers=["Upcard Luck"]).main.wagers]
    assert names == ["Upcard Luck"]

"""Side wagers and insurance agree with published values to the last printed digit."""

from __future__ import annotations

import copy
import tomllib
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from holecard.composition import full
from holecard.exact.results import WagerResult
from holecard.exact.wagers.wager_values import insurance, wager_results
from holecard.sheets.read import find, from_data, merged, rules

PUBLISHED: dict[str, Any] = tomllib.loads((Path(__file__).parent / "side_wagers.toml").read_text(encoding="utf-8"))


def by_decks(column: str, entries: str = "published") -> list[Any]:
    """One case for every deck count for which a column has a value."""
    return [
        pytest.param(entry, int(decks), id=f"{entry.get('wager', {}).get('name', 'insurance')}-{decks}")
        for entry in PUBLISHED[entries]
        for decks in entry.get(column, {})
    ]


def computed(entry: dict[str, Any], decks: int) -> WagerResult:
    data = copy.deepcopy(merged(find("classic")))
    data["shoe"] |= {"decks": decks}
    data["dealer"] |= {"soft_17": entry.get("soft_17", "hit")}
    data["wager"] = [entry["wager"]]
    tables = from_data(data, entry["wager"]["name"]).tables
    (result,) = wager_results(tables, full(decks))
    return result


def is_printed(value: Fraction | float, digits: str, unit: int = 1) -> bool:
    """Whether the value, rounded to the printed digits, is the published one."""
    decimals = len(digits.partition(".")[2])
    return abs(Fraction(value) * unit - Fraction(digits)) <= Fraction(1, 2 * 10**decimals)


@pytest.mark.parametrize(("entry", "decks"), by_decks("ev"))
def test_expected_value(entry: dict[str, Any], decks: int) -> None:
    assert is_printed(computed(entry, decks).exact, entry["ev"][str(decks)])


@pytest.mark.parametrize(("entry", "decks"), by_decks("edge_percent"))
def test_house_edge(entry: dict[str, Any], decks: int) -> None:
    assert is_printed(-computed(entry, decks).exact, entry["edge_percent"][str(decks)], 100)


@pytest.mark.parametrize(("entry", "decks"), by_decks("hit_percent"))
def test_hit_frequency(entry: dict[str, Any], decks: int) -> None:
    assert is_printed(computed(entry, decks).hit_frequency, entry["hit_percent"][str(decks)], 100)


@pytest.mark.parametrize(("entry", "decks"), by_decks("sd"))
def test_standard_deviation(entry: dict[str, Any], decks: int) -> None:
    assert is_printed(computed(entry, decks).standard_deviation, entry["sd"][str(decks)])


@pytest.mark.parametrize(("entry", "decks"), by_decks("probabilities"))
def test_probabilities_of_the_lines(entry: dict[str, Any], decks: int) -> None:
    printed = entry["probabilities"][str(decks)]
    found = [line.probability for line in computed(entry, decks).lines]
    for probability, digits in zip(found, printed, strict=False):
        assert is_printed(probability, digits), digits


@pytest.mark.parametrize(("entry", "decks"), by_decks("combinations"))
def test_combinations_of_the_lines(entry: dict[str, Any], decks: int) -> None:
    printed = entry["combinations"][str(decks)]
    upcards = entry.get("every", {}).get(str(decks), 1)
    result = computed(entry, decks)
    assert [line.combinations for line in result.lines] == [upcards * number for number in printed]
    assert result.combinations == upcards * sum(printed)


@pytest.mark.parametrize(("entry", "decks"), by_decks("edge_percent", "insurance"))
def test_insurance(entry: dict[str, Any], decks: int) -> None:
    found = insurance(rules("classic", {"insurance.pays": entry["pays"], "decks": decks}).tables, full(decks))
    assert found is not None
    assert is_printed(-found.overall, entry["edge_percent"][str(decks)], 100)


def test_every_entry_names_its_source() -> None:
    entries = PUBLISHED["published"] + PUBLISHED["insurance"]
    assert all(len(entry["source"]) > 20 for entry in entries)
    assert len(entries) > 20

"""A hand-made analysis as JSON."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.made_analysis import made

DOCS = Path(__file__).parents[2] / "docs" / "json.md"


# The JSON


def documented(section: str) -> str:
    return DOCS.read_text(encoding="utf-8").partition(f"## `holecard {section}")[2].partition("\n## ")[0]


def test_the_json_has_the_documented_keys_in_order() -> None:
    """The keys are a stable interface."""
    data = made().to_dict(hands=True)
    tail = ["settings", "shoe", "strategy", "insurance", "skipped", "favors_player", "hands"]
    assert list(data) == ["version", "sheet", "game", "decks", "convention", "main", "wagers", *tail]
    assert list(data["main"])[:5] == ["ev", "house_edge", "element_of_risk", "standard_deviation", "distribution"]
    assert list(data["wagers"]["Luck"])[:6] == [
        "ev",
        "exact",
        "house_edge",
        "hit_frequency",
        "standard_deviation",
        "lines",
    ]
    assert list(data["wagers"]["Luck"]["lines"][0]) == ["line", "pays", "combinations", "probability", "return"]
    assert "hands" not in made().to_dict()


def test_every_key_of_the_json_is_documented() -> None:
    """docs/json.md names each of them."""
    page = documented("analyze GAME --json`")
    data = made().to_dict(hands=True)
    parts = [data, data["main"], data["wagers"]["Luck"], data["shoe"], data["insurance"], data["hands"][0]]
    parts += [data["wagers"]["Luck"]["lines"][0], data["main"]["by_dealer"]["T"]]
    missing = [key for part in parts for key in part if f"`{key}`" not in page and f'"{key}"' not in page]
    assert missing == []


def test_the_json_says_what_the_analysis_says() -> None:
    """Numbers are numbers, and exact values are fractions next to them."""
    data = json.loads(json.dumps(made().to_dict(hands=True)))
    assert data["main"]["ev"] == -0.05
    assert data["main"]["house_edge"] == 0.05
    assert data["main"]["element_of_risk"] == pytest.approx(0.04)
    assert data["main"]["distribution"] == {"-2": 0.125, "-1": 0.375, "0": 0.0625, "1/3": 0.0625, "1.5": 0.375}
    assert (data["main"]["win"], data["main"]["push"], data["main"]["loss"]) == (0.4375, 0.0625, 0.5)
    luck = data["wagers"]["Luck"]
    assert luck["exact"] == "-202/4043"
    assert luck["ev"] == pytest.approx(-202 / 4043)
    assert luck["lines"][0] == {
        "line": "pair of aces",
        "pays": "30 to 1",
        "combinations": 1,
        "probability": 0.025,
        "return": 0.75,
    }
    assert data["wagers"]["Hedge"]["combinations"] == "100000000000000000000", "beyond what a double holds"
    assert data["wagers"]["Hedge"]["by_upcard"] == {
        "2": {"ev": pytest.approx(-1 / 18), "exact": "-1/18"},
        "A": {"ev": pytest.approx(-1 / 21), "exact": "-1/21"},
    }
    assert data["wagers"]["Fortune"]["taxes"][0]["return"] == -1.25
    assert data["insurance"]["by_hand"]["T,6"]["exact"] == "-1/13"
    assert data["skipped"] == {"Suits": "the shoe's suits are unknown"}
    assert data["hands"][0]["spot"] == "T,6 v T"
    assert data["hands"][0]["choices"][0] == {"action": "hit", "ev": -0.25}

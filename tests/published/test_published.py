"""Published values, stored next to this file with their rules and source, and computed again here.

Every number has the digits of its source; our value must agree within half a unit of the last digit.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from holecard.charts.layout import Layout
from holecard.charts.text import read_chart_text
from holecard.composition import composition, full
from holecard.exact.analysis import analyze
from holecard.exact.evaluate import evaluate
from holecard.exact.solved_game import main_ev
from holecard.exact.wagers.wager_values import wager_results
from holecard.report.numbers import exact_decimal
from holecard.sheets.read import rules
from holecard.sheets.schema import RuleSheet

HERE = Path(__file__).parent
UPCARDS = ("2", "3", "4", "5", "6", "7", "8", "9", "T", "A")
Entry = dict[str, Any]


def entries(file: str, kind: str) -> list[Entry]:
    found: list[Entry] = tomllib.loads((HERE / file).read_text(encoding="utf-8"))[kind]
    return found


def sheet(entry: Entry) -> RuleSheet:
    return rules(entry.get("game", "classic"), entry.get("settings", {}))


def as_published(number: str) -> Any:
    """Equal to the precision of the source; a number marked with ~ was rounded twice and may differ by a whole unit."""
    digits = number.removesuffix("~")
    # Slightly more, because a float may be on the other side of the half it was rounded from.
    units = 0.5000001 if digits == number else 1.0
    return pytest.approx(float(digits), rel=0, abs=units * 10.0 ** -len(digits.partition(".")[2]))


def named(entry: Entry) -> str:
    """The rules in short, to identify a failing entry."""
    words = [entry.get("game", "classic"), *(f"{value}" for value in entry.get("settings", {}).values())]
    return "-".join([*words, *([entry["spot"]] if "spot" in entry else [])]).replace(" ", "")


def rows(entry: Entry) -> Iterator[tuple[str, list[str]]]:
    """The first column of a table, and the other columns."""
    for line in entry["rows"].strip().splitlines():
        first, *numbers = line.split("  ")
        yield first.strip(), [number.strip() for number in numbers if number.strip()]


@pytest.mark.parametrize("entry", entries("main_game.toml", "value"), ids=named)
def test_the_whole_game(entry: Entry) -> None:
    """Expected net result per unit of initial stake."""
    game = sheet(entry)
    chart = None
    if "chart" in entry:
        chart = read_chart_text((HERE / entry["chart"]).read_text(encoding="utf-8"), Layout.of(game.tables))
    assert main_ev(game, strategy=chart) == as_published(entry["published"])


def spots() -> Iterator[Any]:
    for entry in entries("spots.toml", "value"):
        yield pytest.param(entry, entry["spot"], entry["published"], id=named(entry))
    for entry in entries("spots.toml", "table"):
        for spot, numbers in rows(entry):
            published = dict(zip(entry["actions"], numbers, strict=True))
            yield pytest.param(entry, spot, published, id=f"{named(entry)}-{spot}".replace(" ", ""))


@pytest.mark.parametrize(("entry", "spot", "published"), list(spots()))
def test_a_spot(entry: Entry, spot: str, published: dict[str, str]) -> None:
    """The EV of every published action."""
    shoe = composition(entry["shoe"]) if "shoe" in entry else None
    values = {choice.action: choice.ev for choice in evaluate(sheet(entry), spot, shoe).choices}
    assert {action: values[action] for action in published} == {
        action: as_published(number) for action, number in published.items()
    }


@pytest.mark.parametrize("entry", entries("distributions.toml", "net_result"), ids=named)
def test_the_net_result_of_a_round(entry: Entry) -> None:
    """Every possible net result, its probability, and the standard deviation."""
    main = analyze(sheet(entry), wagers=False).main
    probabilities = {exact_decimal(net): probability for net, probability in main.distribution}
    assert probabilities == {net: as_published(number) for net, number in entry["published"].items()}
    assert main.standard_deviation == as_published(entry["sd"])


def wager_on(name: str, upcard: str, finals: list[str]) -> Entry:
    """A wager that pays for each of these final hands of the dealer, so that the analysis gives their probabilities."""
    lines = [{"name": final, "dealer": final, "pays": "1 to 1"} for final in finals]
    return {"name": name, "upcard": upcard, "settled": "end of round", "lines": lines}


def probabilities(game: RuleSheet) -> dict[str, dict[str, Fraction]]:
    """Probabilities by wager and line."""
    found = wager_results(game.tables, full(game.shoe.decks))
    return {wager.name: {line.line: line.probability for line in wager.lines} for wager in found}


@pytest.mark.parametrize("entry", entries("distributions.toml", "busts"), ids=named)
def test_how_many_cards_the_dealer_busts_with(entry: Entry) -> None:
    """Probabilities over all rounds."""
    wagers = [wager_on("Busts", "any", list(entry["published"]))]
    found = probabilities(rules(sheet(entry), wager=wagers))["Busts"]
    for final, number in entry["published"].items():
        assert float(found[final]) == as_published(number)


def decks_and_22() -> Iterator[Any]:
    for entry in entries("distributions.toml", "twenty_two"):
        for decks, numbers in rows(entry):
            yield pytest.param(int(decks), entry["soft_17"], *numbers, id=decks)


@pytest.mark.parametrize(("decks", "soft_17", "published"), list(decks_and_22()))
def test_how_often_the_dealer_ends_on_22(decks: int, soft_17: str, published: str) -> None:
    """A bust with exactly 22, over all rounds."""
    settings = {"shoe.decks": decks, "dealer.soft_17": soft_17, "wager": [wager_on("22", "any", ["22"])]}
    assert float(probabilities(rules("classic", settings))["22"]["22"]) == as_published(published)


@cache
def finals_by_upcard(decks: int, soft_17: str) -> dict[str, dict[str, Fraction]]:
    """Probabilities of the dealer's final hands given the upcard, from ten wagers that each win with one upcard."""
    finals = ["natural", "17", "18", "19", "20", "21 in 3+ cards", "busts"]
    wagers = [wager_on(upcard, upcard, finals) for upcard in UPCARDS]
    settings = {"shoe.decks": decks, "dealer.soft_17": soft_17, "wager": wagers}
    found = probabilities(rules("classic", settings))
    dealt = {upcard: Fraction(4 if upcard == "T" else 1, 13) for upcard in UPCARDS}
    return {
        upcard: {final: probability / dealt[upcard] for final, probability in found[upcard].items()}
        for upcard in UPCARDS
    }


def dealers() -> Iterator[Any]:
    for entry in entries("distributions.toml", "dealer"):
        for upcard, numbers in rows(entry):
            published = dict(zip(entry["finals"], numbers, strict=True))
            yield pytest.param(entry, upcard, published, id=f"{named(entry)}-{entry['given']}-{upcard}")


@pytest.mark.parametrize(("entry", "upcard", "published"), list(dealers()))
def test_the_dealers_final_hand(entry: Entry, upcard: str, published: dict[str, str]) -> None:
    """Given the upcard, before or after the dealer has checked for a natural."""
    settings = entry["settings"]
    found = finals_by_upcard(settings["shoe.decks"], settings["dealer.soft_17"])[upcard]
    known = 1 - found["natural"] if entry["given"] == "upcard and no natural" else Fraction(1)
    given = {final: probability / known for final, probability in found.items()}
    given["no bust"] = 1 - given["busts"]
    for final, number in published.items():
        assert float(given[final]) == as_published(number), final

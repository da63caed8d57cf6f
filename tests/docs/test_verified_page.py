"""docs/verified.md counts the evidence that the tests read, and claims no more."""

from __future__ import annotations

import re
from collections.abc import Iterator

import holecard
from docs.make_verified import BOUND, GIVEN, NOT, PAGE, ROUNDS, SUM, Evidence, classified, evidence, numbers_of, page
from holecard.sheets.catalog import games
from tests.exact import test_against_oracle


def test_the_page_is_what_the_data_say() -> None:
    """Evidence that was added or removed without `make docs` is caught here."""
    assert PAGE.read_text(encoding="utf-8") == page()


def test_the_oracle_is_asked_about_every_game_of_the_page() -> None:
    assert set(test_against_oracle.EVERY_SHEET) == set(games(examples=True))


def test_only_a_game_with_every_kind_of_evidence_is_verified() -> None:
    assert Evidence(published=1, rounds=1, simulated=1).status == "verified"
    assert Evidence(published=1, rounds=1, simulated=0).status == "partly verified"
    assert Evidence(published=0, rounds=0, simulated=0).status == "not verified"


def test_double_up_has_one_published_figure() -> None:
    """The edge of 0.32% that the Wizard of Odds states; nothing else about it was found."""
    assert evidence("double-up").published == 1


# What verify compares


def _numbers(data: object, at: tuple[str, ...] = ()) -> Iterator[str]:
    """Yield the key of every number, also of those written as fractions; the name of a line can be a total."""
    if isinstance(data, dict):
        for key, value in ((key, value) for key, value in data.items() if key != "line"):
            yield from _numbers(value, (*at, str(key)))
    elif isinstance(data, list | tuple):
        for value in data:
            yield from _numbers(value, (*at, "0"))
    elif (isinstance(data, int | float) and not isinstance(data, bool)) or (
        isinstance(data, str) and re.fullmatch(r"-?\d+(/\d+)?", data)
    ):
        yield ".".join(at)


def test_every_shown_number_is_listed() -> None:
    """A number that is added to a result has to say whether `verify` compares it."""
    shown = {
        "analyze": [
            holecard.analyze("quick-pay", strategy="never bust").to_dict(hands=True),
            holecard.analyze("upcard-luck-21", strategy="never bust").to_dict(hands=True),
        ],
        "evaluate": [
            holecard.evaluate("quick-pay", "T,6 v T").to_dict(),
            holecard.evaluate("classic", "T,6 v A").to_dict(),
        ],
        "strategy": [holecard.strategy("classic").to_dict()],
    }
    for command, results in shown.items():
        keys = {key for data in results for key in _numbers(data)}
        assert {key for key in keys if classified(command, key) is None} == set()
        for entry in numbers_of(command):
            assert entry.how in (ROUNDS, SUM, BOUND, GIVEN, NOT)


def test_a_number_that_is_not_listed_is_noticed() -> None:
    assert classified("analyze", "main.ev") is not None
    assert classified("analyze", "main.new_number") is None

"""docs/verified.md counts the evidence that the tests read, and claims no more."""

from __future__ import annotations

from docs.make_verified import PAGE, Evidence, evidence, page
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

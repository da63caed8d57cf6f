"""The figures quoted in the rulings equal those of the exact analysis."""

from __future__ import annotations

import pytest

from holecard.composition import full
from holecard.exact.analysis import analyze
from holecard.exact.wagers.wager_values import wager_results
from holecard.sheets.read import rules

LATE_ORIGINAL = {"dealer.hole_card": "no peek", "dealer.natural_takes": "original"}


def reasons(game: str) -> str:
    return " ".join(ruling.why for ruling in rules(game).ruling)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "setting", "value", "said"),
    [
        ("face-up", "settle.natural", "3 to 2", "an edge of 0.88%"),
        ("face-up", "dealer.soft", "hit all", "an edge of 0.91%"),
        ("face-up", "dealer.soft", "draw 16 to hard 17", "an edge of 0.65%"),
        ("match-up", "dealer.soft", "hit all", "an edge of 2.26%"),
        ("double-up", "settle.twenty_one", "wins", "an edge of 0.18%"),
    ],
)
def test_what_the_other_reading_gives_the_player(game: str, setting: str, value: str, said: str) -> None:
    """The reason against the other reading is the edge it would give the player."""
    assert said in reasons(game)
    assert f"an edge of {100 * analyze(rules(game, {setting: value})).main.ev:.2f}%" == said


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "setting", "value", "said"),
    [
        ("face-up", "dealer.soft_17", "stand", "stands on soft 17 (a house edge of 0.99%)"),
        ("match-up", "dealer.soft", "draw soft 17 to hard 17", "not reached through it stands (a house edge of 0.37%)"),
    ],
)
def test_what_the_other_reading_leaves_the_house(game: str, setting: str, value: str, said: str) -> None:
    """A reading with which the house still has an edge is quoted with it."""
    assert said in reasons(game)
    assert said.endswith(f"(a house edge of {-100 * analyze(rules(game, {setting: value})).main.ev:.2f}%)")


def test_original_bets_only_equals_peeking_under_best_play() -> None:
    """Double-Up: to 1e-12, because best play never splits or doubles a hand there that could bust against an ace or a
    ten.
    """
    peeking, late = (analyze(rules("double-up", words)).main for words in ({}, {"dealer.hole_card": "no peek"}))
    assert late.ev == pytest.approx(peeking.ev, abs=1e-12)


@pytest.mark.slow
def test_original_bets_only_costs_more_where_eights_are_split_against_a_ten() -> None:
    """A split eight that busts before the natural is turned loses."""
    assert "the literal reading costs 0.004% more" in reasons("classic")
    assert f"{100 * (analyze('classic').main.ev - analyze(rules('classic', LATE_ORIGINAL)).main.ev):.3f}" == "0.004"


def test_what_the_fortune_returns() -> None:
    """About 80% of the tax at every deck count; with the switch 61% to 66%."""
    returned: dict[str, list[float]] = {"any": [], "2-7": []}
    for upcard, found in returned.items():
        for decks in (1, 2, 6, 8):
            sheet = rules("upcard-luck-21", {"decks": decks, "wager.Taxpayer's Fortune.upcard": upcard})
            (fortune,) = [wager for wager in wager_results(sheet.tables, full(decks)) if wager.tax]
            assert fortune.return_of_tax is not None
            found.append(float(fortune.return_of_tax))
    assert all(0.785 < share < 0.815 for share in returned["any"])
    said = "it returns {:.0%}, {:.0%}, {:.0%}, or {:.0%}, with 1, 2, 6, or 8 decks".format(*returned["2-7"])
    assert said in reasons("upcard-luck-21")

"""Named strategies, for every sheet."""

from __future__ import annotations

import pytest

from holecard.charts.named_strategies import BASIC, NAMED, OPTIMAL, mimic_the_dealer, never_bust, strategy_name
from holecard.sheets.read import rules
from tests.random_play import sheets


@pytest.mark.parametrize("name", list(sheets()))
def test_every_game_can_be_played_by_them(name: str) -> None:
    """They only hit and stand, and play every pair as its total."""
    for make in NAMED.values():
        assert set(make(sheets()[name].tables).letters) == {"H", "S"}


def test_the_dealer_is_mimicked_as_the_game_has_it() -> None:
    """Soft 17 follows the sheet; a dealer whose hand ends on 16 is mimicked there too."""
    hits, stands = (mimic_the_dealer(rules("classic", {"dealer.soft_17": word}).tables) for word in ("hit", "stand"))
    assert hits.preferences(17, True, None, (6,)) == ("hit", "stand")
    assert stands.preferences(17, True, None, (6,)) == ("stand",)
    assert hits.preferences(16, False, 8, (6,)) == ("hit", "stand")
    assert hits.preferences(17, False, None, (6,)) == hits.preferences(18, True, None, (6,)) == ("stand",)
    every_soft = mimic_the_dealer(rules("classic", {"dealer.soft": "hit all"}).tables)
    assert every_soft.preferences(20, True, None, (6,)) == ("hit", "stand")
    assert every_soft.preferences(17, False, None, (6,)) == ("stand",)
    first_two = mimic_the_dealer(rules("classic", {"dealer.soft": "draw 16 to hard 17"}).tables)
    assert first_two.preferences(17, True, None, (6,)) == ("stand",)
    assert first_two.preferences(16, True, None, (6,)) == ("hit", "stand")
    ends = mimic_the_dealer(rules("double-up").tables)
    assert ends.preferences(16, False, None, (6,)) == ("stand",)
    assert ends.preferences(15, False, None, (6,)) == ("hit", "stand")


def test_never_bust_draws_only_where_no_card_busts() -> None:
    """Hard 11, not 12; soft 17, not 18."""
    chart = never_bust(rules("classic").tables)
    assert chart.preferences(11, False, None, (6,)) == ("hit", "stand")
    assert chart.preferences(12, False, None, (10,)) == ("stand",)
    assert chart.preferences(17, True, None, (6,)) == ("hit", "stand")
    assert chart.preferences(18, True, None, (10,)) == ("stand",)


@pytest.mark.parametrize("typed", ["basic", "Basic", "basic strategy", "Basic-Strategy"])
def test_basic_strategy_is_the_best_chart(typed: str) -> None:
    assert strategy_name(typed) == BASIC


@pytest.mark.parametrize("typed", ["optimal", "Optimum", "optimal play", "composition-dependent optimum"])
def test_optimal_play_has_its_own_name(typed: str) -> None:
    """Also the name that results have in `strategy`."""
    assert strategy_name(typed) == OPTIMAL != BASIC


@pytest.mark.parametrize(
    ("typed", "name"),
    [("Never Bust", "never bust"), ("mimic-the-dealer", "mimic the dealer"), ("charts/my-chart.txt",) * 2],
)
def test_a_strategy_is_found_in_any_spelling(typed: str, name: str) -> None:
    """A text that is not a strategy's name stays unchanged, because it may be a file."""
    assert strategy_name(typed) == name

"""Effects of removal, correlations, index plays and gains agree with published figures."""

from __future__ import annotations

import copy
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from holecard.advantage.gains import ValuedRounds, cut_gains
from holecard.advantage.index_search import IndexPlays, index_plays
from holecard.advantage.removal import linear_values, removal_effects
from holecard.advantage.tags import betting_correlation
from holecard.advantage.targets import targets_of
from holecard.composition import full
from holecard.counts import count_of
from holecard.exact.charts.chart_cache import cached_best_chart
from holecard.exact.solved_game import main_ev
from holecard.sheets.read import find, from_data, merged, rules
from holecard.sheets.schema import RuleSheet
from holecard.simulation.plays.shoe_sample import ShoeSample, sample_shoes

PUBLISHED: dict[str, Any] = tomllib.loads((Path(__file__).parent / "counting.toml").read_text(encoding="utf-8"))
GRIFFIN = PUBLISHED["griffin"]
#: Cards of a round that is dealt after the cut card has come out.
ONE_ROUND = 5


def by_card(effects: list[float]) -> list[float]:
    """[card] from ace, 2 … 9, ten."""
    return [effect for effect in [*effects[:9], *[effects[9]] * 4] for _ in range(4)]


def rounds_to(number: float, printed: str) -> bool:
    """Whether a number has the printed digits; slightly more, for one that was rounded twice."""
    return abs(number - float(printed)) <= 0.51 * 10.0 ** -len(printed.partition(".")[2])


def with_wager(entry: dict[str, Any]) -> RuleSheet:
    data = copy.deepcopy(merged(find("classic")))
    data["shoe"] |= {"decks": entry["decks"]}
    data["wager"] = [entry["wager"]]
    return from_data(data, entry["wager"]["name"])


def test_griffins_effects_of_removal() -> None:
    """One deck, played by its chart; with best play a removed card gains a little more."""
    sheet = rules("classic", GRIFFIN["settings"])
    chart = cached_best_chart(sheet).chart
    whole = main_ev(sheet, full(1), chart)
    best = removal_effects(sheet, targets_of(sheet)[0])
    assert best is not None
    for rank, published in GRIFFIN["effects"].items():
        found = main_ev(sheet, full(1).without(rank), chart) - whole
        assert 100 * found == pytest.approx(published, abs=GRIFFIN["within"]), rank
        assert best.effects[4 * "A23456789T".index(rank)] == pytest.approx(found, abs=0.0008)


@pytest.mark.parametrize("name", list(PUBLISHED["correlation"][0]["counts"]))
def test_correlations_of_known_counts(name: str) -> None:
    """To the printed digits with Griffin's effects, and within 0.015 for our six-deck game."""
    betting, insurance = PUBLISHED["correlation"][0]["counts"][name]
    tags = count_of(name).tags
    assert rounds_to(betting_correlation(tags, by_card(list(GRIFFIN["effects"].values()))), betting)
    assert rounds_to(betting_correlation(tags, by_card([1.0] * 9 + [-9 / 4])), insurance)
    effects = _six_deck_effects()
    assert betting_correlation(tags, effects) == pytest.approx(float(betting), abs=0.0151)


@cache
def _six_deck_effects() -> tuple[float, ...]:
    sheet = rules("classic", {"dealer.soft_17": "stand"})
    found = removal_effects(sheet, targets_of(sheet)[0])
    assert found is not None
    return found.effects


@cache
def _plays(number: int) -> IndexPlays:
    sheet = rules("classic", PUBLISHED["plays"][number]["settings"])
    return index_plays(sheet, count_of("hi-lo"), cut=75)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("number", "title"),
    [(number, title) for number, entry in enumerate(PUBLISHED["plays"]) for title in entry["at"]],
)
def test_index_plays_of_hi_lo(number: int, title: str) -> None:
    """The count at which both actions are worth the same is within one of the printed index."""
    published = PUBLISHED["plays"][number]["at"][title]
    found = [one for one in _plays(number).plays if one.play.title == title]
    criticals = [one.critical for one in found if one.critical is not None]
    assert any(abs(critical - published) < 1 for critical in criticals), [str(one.play) for one in found]
    assert any(abs(one.play.index - published) <= 1 for one in found)


@pytest.mark.slow
def test_the_best_plays_are_the_published_ones() -> None:
    """Of our eighteen best plays without surrender, at least twelve are among the Illustrious 18, and two lead both."""
    titles = [one.play.title for one in _plays(0).plays[:18]]
    assert set(titles[:2]) == {"insurance", "16 v T"}
    assert len(set(titles) & set(PUBLISHED["plays"][0]["at"])) >= 12


@cache
def _dealt(sheet: RuleSheet, shoes: int, every: int) -> ShoeSample:
    return sample_shoes(sheet, shoes=shoes, cut=86, every=every)


@pytest.mark.slow
@pytest.mark.parametrize("entry", PUBLISHED["side"], ids=lambda entry: str(entry["wager"]["name"]))
def test_perfect_play_against_a_side_wager(entry: dict[str, Any]) -> None:
    """The edge to the digit; the gain within three standard errors and five percent for how rounds were dealt."""
    sheet = with_wager(entry)
    target = targets_of(sheet, (entry["wager"]["name"],))[0]
    effects = removal_effects(sheet, target)
    assert effects is not None
    assert rounds_to(-100 * effects.ev, entry["edge_percent"])
    sample = _dealt(sheet, 20_000, 20)
    known = int(np.searchsorted(sample.shoe, 1500))
    exact = np.full(len(sample), np.nan)
    exact[:known] = target.values(sheet, sample.cards[:known])
    ones = np.ones(len(sample))
    computed = np.arange(len(sample)) < known
    rounds = ValuedRounds(sample, exact, linear_values(effects, sample.cards), ones, computed, entry["decks"])
    found = cut_gains(rounds.only(sample.out < entry["cut_cards"] + ONE_ROUND), 100, (), None)
    assert found is not None
    published = float(entry["perfect_gain"])
    assert found.gain.error < 0.04 * published
    assert found.gain.mean == pytest.approx(published, abs=3 * found.gain.error + 0.05 * published)


@pytest.mark.slow
def test_a_count_of_suits_against_three_cards() -> None:
    """How often the richest suit is that much richer, and the average exact EV of these rounds."""
    entry = PUBLISHED["suits"]
    sheet = with_wager(entry)
    target = targets_of(sheet, ("21+3",))[0]
    sample = _dealt(sheet, 20_000, 10)
    here = sample.out < entry["cut_cards"] + ONE_ROUND
    suits = sample.cards[here].reshape(-1, 13, 4).sum(axis=1).astype(float)
    difference = (suits.max(axis=1) - suits.min(axis=1)) * 52 / suits.sum(axis=1)
    bets = difference >= entry["difference"]
    published = float(entry["frequency_percent"])
    assert 100 * bets.mean() == pytest.approx(published, rel=0.05)
    chosen = sample.cards[here][bets][:1500]
    evs = target.values(sheet, chosen)
    error = 100 * evs.std() / np.sqrt(evs.size / 2)  # two rounds of one shoe are alike
    assert 100 * evs.mean() == pytest.approx(float(entry["edge_when_bet_percent"]), abs=3 * error + 0.1)

"""Effects of removal, correlations, index plays and gains agree with published figures."""

from __future__ import annotations

import copy
import dataclasses
import tomllib
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from holecard.advantage.gains import ValuedRounds, reading_edges
from holecard.advantage.index_plays.count_distribution import count_readings
from holecard.advantage.index_plays.index_search import IndexPlays, index_plays
from holecard.advantage.removal import linear_values, removal_effects
from holecard.advantage.tags import betting_correlation
from holecard.advantage.targets import targets_of
from holecard.composition import composition, full
from holecard.counts import Count, count_of
from holecard.counts.count import count_by_rank
from holecard.exact.charts.chart_cache import cached_best_chart
from holecard.exact.shoe_values import main_values
from holecard.exact.solved_game import main_ev
from holecard.exact.wagers.wager_values import wager_results
from holecard.kernels.arrays import Floats, Integers
from holecard.sheets.read import find, from_data, merged, rules
from holecard.sheets.schema import RuleSheet
from holecard.simulation.plays.shoe_sample import sample_shoes

PUBLISHED: dict[str, Any] = tomllib.loads((Path(__file__).parent / "counting.toml").read_text(encoding="utf-8"))
GRIFFIN = PUBLISHED["griffin"]
RANKS = "A23456789TJQK"


def by_card(effects: list[float]) -> list[float]:
    """[card] from ace, 2 … 9, ten."""
    return [effect for effect in [*effects[:9], *[effects[9]] * 4] for _ in range(4)]


def rounds_to(number: float, printed: str) -> bool:
    """Whether a number has the printed digits; slightly more, for one that was rounded twice."""
    return abs(number - float(printed)) <= 0.51 * 10.0 ** -len(printed.partition(".")[2])


def with_wager(entry: dict[str, Any]) -> RuleSheet:
    data = copy.deepcopy(merged(find("classic")))
    data["shoe"] |= {"decks": entry["decks"], "burn": 0}
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
        with_best_play = 100 * best.effects[4 * "A23456789T".index(rank)]
        assert with_best_play == pytest.approx(published, abs=GRIFFIN["within_best_play"]), rank


def test_thorps_decks_without_a_rank() -> None:
    """One deck without four cards of a rank, with best play for the cards that are left."""
    entry = PUBLISHED["thorp"]
    decks = np.ones((11, 52), np.int64)
    for rank in range(10):
        decks[1 + rank, 4 * rank : 4 * rank + 4] = 0
    whole, *left = (100 * main_values(rules("classic", entry["settings"]), decks)).tolist()
    evs = dict(zip(RANKS, left, strict=False))
    assert whole == pytest.approx(entry["full_deck"], abs=entry["within"])
    for rank, published in entry["without"].items():
        assert evs[rank] == pytest.approx(published, abs=entry["within"]), rank
    for rank, change in entry["changes"].items():
        assert evs[rank] - whole == pytest.approx(change, abs=entry["within"]), rank


def test_effects_of_removal_on_a_side_wager() -> None:
    """To the printed digits; one tag was changed by 0.01 to balance the count."""
    entry = PUBLISHED["removal"]
    sheet = with_wager(entry)
    effects = removal_effects(sheet, targets_of(sheet, (entry["wager"]["name"],))[0])
    assert effects is not None
    tags = entry["times"] * np.array(effects.effects).reshape(13, 4)
    for rank, printed in entry["tags"].items():
        for found in tags[9:].flat if rank == "T" else tags[RANKS.index(rank)]:
            if rank == entry["balanced_by"]:
                assert found == pytest.approx(float(printed), abs=0.01)
            else:
                assert rounds_to(found, printed), rank


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
    """Every index is the printed one, or at most as far from it as the file says."""
    entry = PUBLISHED["plays"][number]
    found = [one for one in _plays(number).plays if one.play.title == title]
    apart = [abs(one.play.index - entry["at"][title]) for one in found]
    assert min(apart) <= entry.get("apart", {}).get(title, 0), [str(one.play) for one in found]
    # Indices are whole counts from which on a play gains: less than one above the count at which it begins to.
    assert any(one.even_at is not None and abs(one.even_at - entry["at"][title]) < 0.6 for one in found)


@pytest.mark.slow
def test_the_best_plays_are_the_published_ones() -> None:
    """Of our eighteen best plays without surrender, at least twelve are among the Illustrious 18, and two lead both."""
    titles = [one.play.title for one in _plays(0).plays[:18]]
    assert set(titles[:2]) == {"insurance", "16 v T"}
    assert len(set(titles) & set(PUBLISHED["plays"][0]["at"])) >= 12


@dataclasses.dataclass(frozen=True, eq=False)
class Dealt:
    """The rounds of many shoes, before they were dealt."""

    sheet: RuleSheet
    cards: Integers
    """[round, card] cards left"""
    shoes: int

    def readings(self, count: Count) -> Integers:
        """Return [round] the whole counts of a player who has seen all cards that are gone."""
        left, tags = self.cards.astype(np.float64), np.array(count.tags, np.float64)
        decks = self.sheet.shoe.decks
        return count_readings(count, decks, decks * tags.sum() - left @ tags, 52 * decks - left.sum(axis=1))

    def values(self, which: Any = slice(None)) -> Floats:
        """Return [round] the exact EV of the only side wager."""
        target = next(target for target in targets_of(self.sheet) if target.kind == "side")
        return target.values(self.sheet, self.cards[which])


def deal(entry: dict[str, Any], shoes: int = 40_000) -> Dealt:
    """Deal shoes until the cut card comes out, and `more_rounds` after it."""
    sheet, cut_cards = with_wager(entry), entry["cut_cards"]
    # Deep enough for the longest round and another one.
    sample = sample_shoes(sheet, shoes=shoes, cut=100 * (cut_cards + 18) // (52 * entry["decks"]))
    before = np.bincount(sample.shoe[sample.out < cut_cards], minlength=shoes)
    return Dealt(sheet, sample.cards[sample.round < before[sample.shoe] + entry["more_rounds"]], shoes)


def is_near(found: float, printed: str, entry: dict[str, Any]) -> bool:
    """Whether a number from sampled shoes is as near to the printed one as its entry says."""
    return abs(found / float(printed) - 1) < float(entry["within"])


@pytest.mark.slow
@pytest.mark.parametrize("entry", PUBLISHED["side"], ids=lambda entry: str(entry["wager"]["name"]))
def test_perfect_play_against_a_side_wager(entry: dict[str, Any]) -> None:
    """The edge to the digit, and what a player gains who bets whenever the exact EV is positive."""
    dealt = deal(entry)
    (result,) = wager_results(dealt.sheet.tables, full(entry["decks"]))
    assert rounds_to(-100 * float(result.exact), entry["edge_percent"])
    evs = dealt.values()
    won = evs[evs > 0]
    found = {
        "perfect_gain": 100 * won.sum() / evs.size,
        "perfect_frequency": won.size / evs.size,
        "perfect_edge_percent": 100 * won.mean(),
        "perfect_per_shoe": won.sum() / dealt.shoes,
    }
    printed = [key for key in found if key in entry]
    assert printed
    for key in printed:
        assert is_near(found[key], entry[key], entry), (key, found[key])
    if "count" in entry:
        counted = entry["count"]
        fine = Count(
            "fine", tuple(Fraction(counted["tags"].get(rank, 0)) for rank in RANKS for _ in range(4)), per=5200
        )
        best_first = evs[np.argsort(-dealt.readings(fine), kind="stable")]
        won = np.cumsum(best_first)
        bets = np.flatnonzero(won / np.arange(1, won.size + 1) >= float(counted["edge_percent"]) / 100)[-1]
        assert is_near(won[bets] / dealt.shoes, counted["per_shoe"], entry)


@pytest.mark.slow
@pytest.mark.parametrize("entry", PUBLISHED["counter"], ids=lambda entry: str(entry["wager"]["name"]))
def test_a_counter_of_a_side_wager(entry: dict[str, Any]) -> None:
    """How often a count reaches the reading, and the average exact EV of these rounds."""
    dealt = deal(entry)
    count = count_by_rank("count", tuple(entry["tags"]) + (entry["tags"][-1],) * 3)
    bets = dealt.readings(count) >= entry["bet_at"]
    evs = dealt.values(bets)
    assert is_near(100 * bets.mean(), entry["frequency_percent"], entry)
    assert is_near(100 * evs.mean(), entry["edge_when_bet_percent"], entry)
    assert is_near(100 * evs.sum() / bets.size, entry["gain"], entry)


@pytest.mark.slow
def test_a_count_of_suits_against_three_cards() -> None:
    """How often the richest suit is that much richer, and the average exact EV of these rounds."""
    entry = PUBLISHED["suits"]
    dealt = deal(entry)
    suits = dealt.cards.reshape(-1, 13, 4).sum(axis=1).astype(float)
    difference = (suits.max(axis=1) - suits.min(axis=1)) * 52 / suits.sum(axis=1)
    bets = difference >= entry["difference"]
    evs = dealt.values(bets)
    assert is_near(100 * bets.mean(), entry["frequency_percent"], entry)
    assert is_near(100 * evs.mean(), entry["edge_when_bet_percent"], entry)
    assert is_near(100 * evs.sum() / bets.size, entry["gain"], entry)


@pytest.mark.slow
def test_hi_lo_against_lucky_ladies() -> None:
    """What a bet at a count of zero costs, in whole percent, and the first count at which a bet gains."""
    entry = PUBLISHED["lucky_ladies"]
    sheet = rules("side-bets", entry["settings"])
    target = targets_of(sheet, ("Lucky Ladies",))[0]
    effects = removal_effects(sheet, target)
    assert effects is not None
    sample = sample_shoes(sheet, shoes=20_000, cut=75, every=3)
    ones = np.ones(len(sample))
    exact, estimates = target.values(sheet, sample.cards), linear_values(effects, sample.cards)
    rounds = ValuedRounds(sample, exact, estimates, ones, ones > 0, sheet.shoe.decks)
    hi_lo = dataclasses.replace(count_of("hi-lo"), rounding="nearest")
    edges = {edge.reading: edge.ev for edge in reading_edges(rounds, hi_lo, 75)}
    assert rounds_to(-100 * edges[0].mean, entry["edge_percent_at_zero"])
    first = entry["gains_from"]
    assert edges[first].mean > 3 * edges[first].standard_error
    assert all(ev.mean < -3 * ev.standard_error for reading, ev in edges.items() if reading < first)


def test_match_the_dealer_without_tens() -> None:
    """To the printed digits."""
    entry = PUBLISHED["match_the_dealer"]
    shoe = full(6).without(" ".join(entry["removed"] + suit for suit in 6 * "cdhs"))
    (result,) = wager_results(with_wager(entry).tables, shoe)
    assert rounds_to(-100 * float(result.exact), entry["edge_percent"])
    assert rounds_to(100 * float(result.hit_frequency), entry["hit_percent"])
    assert rounds_to(result.standard_deviation, entry["sd"])


def test_uneven_ranks_have_more_pairs() -> None:
    """In half a shoe without tens."""
    entry = PUBLISHED["match_the_dealer"]
    pair = {"decks": 6, "wager": {"name": "pair", "lines": [{"hand": "pair", "pays": "10 to 1"}]}}
    tables = with_wager(pair).tables
    for few, many, pairs in ((12, 12, entry["pairs_if_even"]), (10, 14, entry["pairs_if_uneven"])):
        left = {rank: few if rank in "234567" else many for rank in RANKS if rank != entry["removed"]}
        (result,) = wager_results(tables, composition(left))
        assert result.lines[0].combinations == pairs

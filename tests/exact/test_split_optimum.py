"""Optimal play after splits, by all cards seen, against plain recursion through the engine on small shoes."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from holecard.charts.layout import Layout
from holecard.charts.text import read_chart_text
from holecard.composition import composition
from holecard.errors import Refusal
from holecard.exact.analysis import analyze
from holecard.exact.results import CDZ_CONVENTION, OPTIMAL_CONVENTION, Analysis
from holecard.sheets.read import rules
from holecard.sheets.schema import RuleSheet
from tests.exact.slow_oracle import SlowGame
from tests.exact.slow_states import Belief, Seen, Start, actions_of, all_move_on, sum_of
from tests.exact.small_shoes import SHOES, is_enough
from tests.selection import quick

CLOSE = 1e-12
CHART = Path(__file__).parents[1] / "published" / "six-decks-soft-17-hit.txt"


class OptimalGame(SlowGame):
    """The oracle without a fixed policy: it maximizes the total of both hands, over everything the seat can see.

    States keep all cards seen and the payoffs of finished hands against every final hand of the dealer. It does not use
    the fact that these payoffs make no difference.
    """

    def optimum(self) -> tuple[Fraction, list[Start]]:
        """The EV of the game, and every first decision."""
        starts = [self._start(belief) for belief in self.first_decisions()]
        over = sum(
            seen.ways * sum_of(self.play(seen.state, seen.left))
            for seen in self._dealt(Seen(self.begun, self.full, 1))
            if not seen.state.asked
        )
        decided = sum((start.probability * start.worth[start.best] for start in starts), Fraction(0))
        return Fraction(over, self.orders * self.unit) + decided, starts

    def _find_best(self, belief: Belief) -> int:
        state = belief[0].state
        if state.phase in ("dealer", "done"):
            return self._played(belief)
        if state.queue:
            return sum(map(self._best, self._next_beliefs(belief)))
        return max(self._best(all_move_on(belief, action)) for action in actions_of(state))

    def _played(self, belief: Belief) -> int:
        """A round that continues after a split is played optimally, not by a policy."""
        if belief and belief[0].state.phase == "acting":
            return self._best(belief)
        return super()._played(belief)


Case: TypeAlias = tuple[str, dict[str, Any], Mapping[str, int]]

#: Three ranks: the oracle is quick, and aces, eights and tens are all split.
FEW: Mapping[str, int] = {"A": 4, "8": 4, "T": 8}
CASES: dict[str, Case] = {
    "both cards up, aces play on": ("face-up", {}, FEW),
    "peek": ("classic", {"split_hands": 2}, SHOES["pairs"]),
    "peek, aces play on": ("classic", {"split_hands": 2, "split_aces_get": "play on"}, FEW),
    "no peek": ("classic", {"split_hands": 2, "hole_card": "no peek"}, FEW),
    "no hole card, original": (
        "classic",
        {"split_hands": 2, "hole_card": "none", "natural_takes": "original", "split_aces_get": "play on"},
        FEW,
    ),
    "no double after a split": ("classic", {"split_hands": 2, "double_after_split": False}, FEW),
    "doubles at any time": ("classic", {"split_hands": 2, "double_cards": "any number"}, FEW),
    "charlie": ("classic", {"split_hands": 2, "player.charlie": 3, "settle.charlie": "2 to 1"}, SHOES["pairs"]),
    "by rank": ("classic", {"split_hands": 2, "split_by": "rank"}, {"A": 3, "8": 4, "T": 5, "K": 4}),
    "double-up": ("double-up", {"split_hands": 2}, FEW),
    "two wagers": ("quick-pay", {"split_hands": 2}, FEW),
    "early surrender": ("classic", {"split_hands": 2, "player.surrender": "early"}, FEW),
    "22 pushes": ("classic", {"split_hands": 2, "when_dealer_has": {"22": "push"}}, FEW),
}
LONG_CASES: dict[str, Case] = {
    "as printed": ("face-up", {}, SHOES["pairs"]),
    "both cards up, naturals": ("face-up", {}, SHOES["naturals"]),
    "long hands": ("classic", {"split_hands": 2}, SHOES["long"]),
    "no hole card, original, naturals": (
        "classic",
        {"split_hands": 2, "hole_card": "none", "natural_takes": "original", "split_aces_get": "play on"},
        SHOES["naturals"],
    ),
    "doubles at any time, pairs": ("classic", {"split_hands": 2, "double_cards": "any number"}, SHOES["pairs"]),
    "by rank, rich": ("classic", {"split_hands": 2, "split_by": "rank"}, SHOES["rich"]),
    "double-up, sixteens": ("double-up", {"split_hands": 2}, SHOES["sixteens"]),
    "double-up, aces play on": ("double-up", {"split_hands": 2, "split_aces_get": "play on"}, SHOES["naturals"]),
}


@pytest.mark.parametrize("case", quick(CASES, "both cards up, aces play on"))
def test_plain_recursion_finds_the_same_optimum(case: str) -> None:
    sheet, settings, cards = CASES[case]
    _compare(rules(sheet, settings), cards)


@pytest.mark.slow
@pytest.mark.parametrize("case", LONG_CASES)
def test_plain_recursion_finds_the_same_optimum_of_long_hands(case: str) -> None:
    sheet, settings, cards = LONG_CASES[case]
    _compare(rules(sheet, settings), cards)


def _compare(game: RuleSheet, cards: Mapping[str, int]) -> None:
    """The EV of the game, and of splitting every pair."""
    assert is_enough(cards, game.player.split_hands)
    slow, starts = OptimalGame(game, cards).optimum()
    fast = analyze(game, composition(dict(cards)), splits="optimal", wagers=False)
    assert fast.main.ev == pytest.approx(float(slow), abs=CLOSE)
    ours, theirs = _splits_by_oracle(starts), _splits(fast)
    assert ours.keys() == theirs.keys()
    for spot, value in ours.items():
        assert theirs[spot] == pytest.approx(value, abs=CLOSE), spot


def _splits(found: Analysis) -> dict[object, float]:
    """EV of splitting, by the pair's value and the visible dealer cards."""
    return {
        (hand.player[0], hand.dealer): choice.ev
        for hand in found.hands
        for choice in hand.choices
        if choice.action == "split"
    }


def _splits_by_oracle(starts: list[Start]) -> dict[object, float]:
    """Averaged over the ranks of tens and both orders of the dealer's cards."""
    found: dict[object, list[tuple[Fraction, Fraction]]] = {}
    for start in starts:
        if "split" in start.worth:
            spot = start.player[0], tuple(sorted(start.dealer))
            found.setdefault(spot, []).append((start.probability, start.worth["split"]))
    return {
        spot: float(
            sum(probability * worth for probability, worth in cases) / sum(probability for probability, _ in cases)
        )
        for spot, cases in found.items()
    }


def test_seeing_more_cards_never_costs() -> None:
    """No split has a lower EV than under one policy for the hand's own cards, and some have a higher one."""
    cards = composition(dict(SHOES["pairs"]))
    game = rules("classic", {"split_hands": 2})
    fixed, optimal = (analyze(game, cards, splits=splits, wagers=False) for splits in ("fixed", "optimal"))
    gains = [_splits(optimal)[spot] - value for spot, value in _splits(fixed).items()]
    assert min(gains) > -CLOSE
    assert max(gains) > 1e-3
    assert optimal.main.ev > fixed.main.ev + 1e-6


def test_aces_that_get_one_card_leave_nothing_to_decide() -> None:
    cards = composition(dict(SHOES["naturals"]))
    game = rules("classic", {"split_hands": 2})
    fixed, optimal = (_splits(analyze(game, cards, splits=splits, wagers=False)) for splits in ("fixed", "optimal"))
    aces = [spot for spot in fixed if spot[0] == 1]  # type: ignore[index]  # a tuple, see `_splits`
    assert aces
    assert [optimal[spot] for spot in aces] == pytest.approx([fixed[spot] for spot in aces], abs=CLOSE)


def test_results_of_fixed_play_are_labeled() -> None:
    """Only EVs change; the distribution and the deviation are those of CDZ-, and are labeled so."""
    cards = composition(dict(SHOES["pairs"]))
    game = rules("classic", {"split_hands": 2})
    fixed, optimal = (analyze(game, cards, splits=splits, wagers=False) for splits in ("fixed", "optimal"))
    assert (fixed.convention, optimal.convention) == (CDZ_CONVENTION, OPTIMAL_CONVENTION)
    assert fixed.main.fixed_ev is None
    assert optimal.main.fixed_ev == fixed.main.ev
    assert optimal.main.distribution == fixed.main.distribution
    assert optimal.main.standard_deviation == fixed.main.standard_deviation
    assert optimal.main.element_of_risk == fixed.main.element_of_risk
    assert optimal.main.distribution_method == f"of CDZ- play: {fixed.main.distribution_method}"


def test_three_hands_are_refused_with_what_to_set() -> None:
    with pytest.raises(Refusal, match=r"at most two hands; this game allows 4: set split_hands to 2"):
        analyze("classic", splits="optimal")


def test_a_chart_is_refused() -> None:
    game = rules("classic", {"split_hands": 2})
    chart = read_chart_text(CHART.read_text(), Layout.of(game.tables), str(CHART))
    with pytest.raises(Refusal, match="a chart fixes what is done after a split"):
        analyze(game, strategy=chart, splits="optimal")


def test_unknown_words_are_refused() -> None:
    with pytest.raises(Refusal, match="'fixed' or 'optimal', not 'best'"):
        analyze("face-up", splits="best")  # type: ignore[arg-type]  # as people write


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "settings", "gain"),
    [
        # Computed earlier with another program, to two digits.
        ("classic", {"split_hands": 2}, 1.2e-7),
        ("face-up", {}, 2.1e-7),
    ],
)
def test_gains_with_full_shoes(game: str, settings: dict[str, Any], gain: float) -> None:
    main = analyze(rules(game, settings), splits="optimal", wagers=False).main
    assert main.fixed_ev is not None
    assert main.ev - main.fixed_ev == pytest.approx(gain, rel=0.05)

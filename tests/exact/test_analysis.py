"""`analyze` as a whole: properties of every sheet, and refusals."""

from __future__ import annotations

from functools import cache

import pytest

import holecard
from holecard.composition import Composition, composition, full
from holecard.errors import Refusal
from holecard.exact.results import Analysis
from holecard.exact.solved_game import game_ev, main_ev, solve_game
from tests.selection import quick

SHEETS = quick(holecard.games(examples=True), "classic", "double-up", "face-up", "quick-pay", "european")


@cache
def analysis_of(sheet: str) -> Analysis:
    """Return one analysis for all tests of a sheet in this process."""
    return holecard.analyze(sheet, wagers=False)


@pytest.mark.slow
@pytest.mark.parametrize("sheet", holecard.games(examples=True))
def test_forwards_and_backwards_agree(sheet: str) -> None:
    """The mean comes from backward EVs, the distribution from forward probabilities, computed by different kernels."""
    found = analysis_of(sheet).main
    assert sum(probability for _, probability in found.distribution) == pytest.approx(1, abs=1e-13)
    assert sum(float(net) * probability for net, probability in found.distribution) == pytest.approx(
        found.ev, abs=1e-13
    )
    assert found.error_bound < 1e-12
    assert found.win + found.push + found.loss == pytest.approx(1, abs=1e-13)
    assert found.standard_deviation_error < 1e-9
    assert len(found.probability_errors) == len(found.distribution)
    assert max(found.probability_errors) < 1e-6
    assert 1 <= found.average_stake < 2
    assert found.element_of_risk == pytest.approx(-found.ev / found.average_stake)


@pytest.mark.parametrize("decks", quick([1, 2, 4, 8], 1))
def test_the_error_bound_holds_for_every_deck_count(decks: int) -> None:
    assert holecard.analyze(holecard.rules("classic", decks=decks), wagers=False).main.error_bound < 1e-12


@pytest.mark.parametrize("sheet", ["classic", "double-up", "face-up"])
def test_threads_change_nothing(sheet: str) -> None:
    """Every hand is summed separately, so the sums are identical to the last bit."""
    rules = holecard.rules(sheet)
    assert main_ev(rules, threads=2) == main_ev(rules) == main_ev(rules, threads=3)


@pytest.mark.slow
def test_threads_change_no_distribution() -> None:
    sheet = holecard.rules("classic", split_hands=2)
    one, two = (holecard.analyze(sheet, wagers=False, threads=threads).main for threads in (1, 2))
    assert one == two


def test_the_quick_value_is_the_analysis_value() -> None:
    """They add up the same deals in another order."""
    assert main_ev("quick-pay") == pytest.approx(analysis_of("quick-pay").main.ev, abs=1e-15)


def test_hands_and_their_probabilities_make_up_the_value() -> None:
    """The mean is the best EV of every decision, weighted by its probability, plus the naturals."""
    found = analysis_of("classic")
    decided = sum(hand.probability * hand.choices[0].ev for hand in found.hands)
    ace, ten, cards = 24, 96, 312
    natural = 2 * ace * ten / (cards * (cards - 1))
    two = 2 * (ace - 1) * (ten - 1) / ((cards - 2) * (cards - 3))
    assert decided + 1.5 * natural * (1 - two) - natural * (1 - two) == pytest.approx(found.main.ev, abs=1e-12)


def test_a_shoe_in_mid_deal_is_its_cards_and_nothing_else() -> None:
    """Cards seen, counts, and a list of cards describe the same shoe; suits do not affect the main wager."""
    seen = "5s 5h 6d 6c 4s"
    by_cards = full(6).without(seen)
    by_counts = composition(dict(zip("A23456789TJQK", by_cards.ranks, strict=True)))
    assert main_ev("classic", by_cards) == main_ev("classic", by_counts)
    assert main_ev("classic", by_cards) > main_ev("classic"), "small cards gone are good for the player"
    assert by_counts.suited is None


def test_rich_shoes_have_a_higher_ev() -> None:
    """Ten-value cards and aces help the player, small cards the dealer."""
    rich = full(1).without("2s 2h 3s 3h 4s 4h 5s 5h 6s 6h")
    poor = full(1).without("As Ah Ts Th Js Jh Qs Qh Ks Kh")
    assert main_ev("classic", poor) < main_ev("classic", full(1)) < main_ev("classic", rich)


@pytest.mark.parametrize("sheet", SHEETS)
def test_every_choice_is_legal_and_best_first(sheet: str) -> None:
    for hand in analysis_of(sheet).hands:
        values = [choice.ev for choice in hand.choices]
        assert values == sorted(values, reverse=True) or max(values) - values[0] < 1e-12
        assert len({choice.action for choice in hand.choices}) == len(values)
        assert "stand" in {choice.action for choice in hand.choices}


def test_what_is_refused() -> None:
    with pytest.raises(Refusal, match=r"a shoe of 6 cards \(A:2 T:4\) is too small: one round of this game can take"):
        holecard.analyze("classic", {"A": 2, "T": 4})
    with pytest.raises(Refusal, match="A: -1 is not a number of cards"):
        holecard.analyze("classic", {"A": -1, "T": 40})
    with pytest.raises(Refusal, match="'X' is not a card"):
        holecard.analyze("classic", {"X": 3})
    with pytest.raises(Refusal, match="cannot remove 7 cards 'As': the shoe holds only 6"):
        full(6).without("As " * 7)


def test_without_splitting_there_is_no_split() -> None:
    found = holecard.analyze(holecard.rules("classic", split_hands=1), wagers=False)
    assert not any(choice.action == "split" for hand in found.hands for choice in hand.choices)
    assert max(found.main.probability_errors) < 1e-12
    assert found.main.distribution_method == "exact"


def test_solving_twice_gives_the_same_bits() -> None:
    first, second = solve_game("double-up"), solve_game("double-up")
    assert game_ev(first) == game_ev(second)
    assert isinstance(first.shoe, Composition)


def test_the_stages_of_an_analysis_are_its_main_game_and_its_wagers() -> None:
    heard: list[tuple[str, float]] = []
    found = holecard.analyze("match-up", on_stage=lambda stage, share: heard.append((stage, share)))
    wagers = [f"side wager {wager.name}" for wager in found.wagers]
    assert wagers
    assert [stage for stage, _ in heard] == ["main game", *wagers]
    assert [share for _, share in heard] == [place / len(heard) for place in range(len(heard))]

"""What verdicts about counting say, and what makes a gain one."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

import holecard
from holecard.advantage.counting_result import CountGain, SampleMean, WagerCounting
from holecard.advantage.verdict import TARGET_WORDS, gaining_count, game_verdict, target_words, wager_verdict
from holecard.counts import count_of
from tests.advantage.small_sample import PAGE
from tests.advantage.small_sample import small_sample_without_plays as small_sample


def test_the_verdict_is_the_gain_in_dollars() -> None:
    """Bonus 16 takes $25 at 80 rounds an hour: 20 dollars for each unit per 100 rounds."""
    wager = small_sample().wager("bonus 16")
    gains = wager.at_cut(65)
    assert gains is not None
    amounts = [float(amount) for amount in re.findall(r"\$([\d.]+\d)", wager.verdict)]
    assert amounts[0] == 25
    assert amounts[1] == pytest.approx(20 * gains.gain.mean, abs=0.006)
    best = gaining_count(gains)
    assert best is not None
    assert amounts[2] == pytest.approx(20 * best.gain.mean, abs=0.006)


@pytest.mark.parametrize(("gain", "says_so"), [(0.49, True), (0.51, False)])
def test_a_count_that_takes_less_than_half_is_not_all_that_can_be_taken(gain: float, says_so: bool) -> None:
    """A perfect player gains one unit."""
    wager = small_sample().wager("Bonus 16")
    gains = wager.at_cut(65)
    assert gains is not None
    counter = replace(gains.counts[0], gain=SampleMean(gain, 0.01))
    gains = replace(gains, gain=SampleMean(1.0, 0.01), counts=(counter,))
    sentence = wager_verdict(wager.target, wager.stake, gains, small_sample().plan)
    assert ("a count that is not linear may take more" in sentence) == says_so


@pytest.mark.parametrize(("gain", "words"), [(1.2, 0), (0.31, 1), (0.1, 2), (0.05, 3), (-0.2, 3)])
def test_the_words_follow_from_the_gain_of_the_best_count(gain: float, words: int) -> None:
    """With the limits that the page states."""
    wager = small_sample().wager("Bonus 16")
    gains = wager.at_cut(65)
    assert gains is not None
    count = CountGain(count_of("hi-lo"), 1, False, SampleMean(0.1, 0), SampleMean(gain, 0), None)
    poor = replace(count, gain=SampleMean(-1.0, 0))
    text = target_words(replace(gains, counts=(poor, count)), wager.target, wager.stake, small_sample().plan)
    assert text == TARGET_WORDS[words][1]


def test_the_page_states_the_words_and_limits() -> None:
    lines = re.findall(r"^\| (.+?) \| (.+?) \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    table = {words: limit for limit, words in lines}
    for least, words in TARGET_WORDS:
        assert table[words].startswith(f"{least:g} unit" if least else "less")


def _measured(wager: WagerCounting, gain: float, spread_gain: float | None) -> WagerCounting:
    """Return the wager with one counter, who gains this."""
    at = wager.at_cut(75)
    assert at is not None
    spread = None if spread_gain is None else SampleMean(spread_gain, 0.01)
    counter = replace(at.counts[0], gain=SampleMean(gain, 0.001), spread_gain=spread)
    return replace(wager, gains=(replace(at, counts=(counter,)),))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("main", "words"),
    [
        ((-0.1, -0.5), "the main bets that insurance needs lose $10.00 an hour, more than the $8.00 that it gains"),
        ((0.01, -0.5), "takes most from the main wager, $1.60 an hour"),
        ((0.01, -0.3), "takes most from insurance, $8.00 an hour with level 1, on top of a main bet, $100 bet only"),
        (None, "takes most from insurance, $8.00 an hour with level 1, on top of a main bet, $100 bet only"),
    ],
)
def test_insurance_needs_a_main_bet(main: tuple[float, float] | None, words: str) -> None:
    """It gains $8 an hour; a unit on the main wager is $25 at 80 rounds an hour."""
    found = holecard.counting("classic", wagers=("main", "insurance"), shoes=2, plays=False)
    wagers = [_measured(found.wager("insurance"), 0.1, None)]
    if main is not None:
        wagers.insert(0, _measured(found.wager("main"), *main))
    assert words in game_verdict("C", tuple(wagers), found.plan, None).replace("the best level 1 count", "level 1")


def test_a_gain_within_two_errors_is_not_called_one() -> None:
    gains = small_sample().wager("Bonus 16").at_cut(65)
    assert gains is not None
    noise = CountGain(count_of("hi-lo"), 1, False, SampleMean(0.1, 0), SampleMean(1.9, 1.0), None)
    assert gaining_count(replace(gains, counts=(noise,))) is None
    sure = (replace(noise, gain=SampleMean(2.1, 1.0)),)
    assert gaining_count(replace(gains, counts=sure)) is not None
    # By chance, a counter may seem to gain where a perfect player does not.
    assert gaining_count(replace(gains, counts=sure, gain=SampleMean(1.0, 0.6))) is None


# Wagers that win with flat bets


def _generous(flat: float, added: float, perfect: float) -> tuple[WagerCounting, str]:
    """Return Bonus 16 as if flat bets won this many units per 100 rounds, and the sentence about it."""
    wager, plan = small_sample().wager("Bonus 16"), small_sample().plan
    gains = wager.at_cut(65)
    assert gains is not None
    counter = replace(gains.counts[0], gain=SampleMean(flat + added, 0.01), over_flat=SampleMean(added, 0.01))
    gains = replace(
        gains,
        ev=SampleMean(flat / 100, 0.0001),
        gain=SampleMean(perfect, 0.01),
        counts=(counter,),
        flat_gain=SampleMean(flat, 0.01),
    )
    return replace(wager, gains=(gains,)), wager_verdict(wager.target, wager.stake, gains, plan)


def test_a_wager_that_wins_with_flat_bets_is_not_a_target_for_counters() -> None:
    """Flat bets of $25 win 3 units per 100 rounds, $60 an hour; counting adds 0.05 units, $1."""
    wager, sentence = _generous(3.0, 0.05, 3.1)
    assert "flat betting wins already, 3.00% of every bet or $60.00 an hour for a player who bets $25" in sentence
    assert "counting with the best level 1 count adds $1.00 an hour" in sentence
    assert sentence.endswith("beyond flat betting, not a practical target.")
    whole = game_verdict("Game", (wager,), small_sample().plan, None)
    assert whole.startswith(
        "Game, in which flat bets on Bonus 16 win without a count: a count takes most from Bonus 16"
    )
    assert "$1.00 an hour more than flat betting" in whole


def test_counting_that_adds_much_to_flat_betting_is_said_to_add_it() -> None:
    _, sentence = _generous(3.0, 1.2, 4.5)
    assert "adds $24.00 an hour" in sentence
    assert sentence.endswith("beyond flat betting, an easy target.")


def test_a_count_that_adds_nothing_to_flat_betting_takes_nothing() -> None:
    """It bets in every round, too."""
    wager, sentence = _generous(3.0, 0.0, 3.0)
    assert "no linear count adds to that" in sentence
    whole = game_verdict("Game", (wager,), small_sample().plan, None)
    assert "no linear count gains from any wager" in whole


def test_what_counting_adds_is_its_gain_less_that_of_flat_betting() -> None:
    """Of every wager and count of a sample; the small wager loses with flat bets."""
    for wager in small_sample().wagers:
        for gains in wager.gains:
            assert gains.flat_gain is not None
            assert not gains.flat_betting_wins
            for count in gains.counts:
                assert count.over_flat is not None
                assert count.over_flat.mean == pytest.approx(count.gain.mean - gains.flat_gain.mean, abs=1e-9)

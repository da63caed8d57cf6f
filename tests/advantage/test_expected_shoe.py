"""The expected shoe of a count: exact where a count has two tags, and the mean of dealt shoes for others."""

from __future__ import annotations

from itertools import combinations
from math import comb

import numpy as np
import pytest

from holecard.advantage.index_plays.count_distribution import count_distribution, count_readings
from holecard.advantage.index_plays.expected_shoe import expected_cards, solve_expected, tag_moments
from holecard.counts import count_of
from holecard.counts.count import Count, count_by_rank
from holecard.exact.solved_game import game_ev, main_ev
from holecard.sheets.read import rules

TENS = count_by_rank("tens", (4, *[4] * 8, *[-9] * 4))


def test_a_count_of_two_tags_is_exact() -> None:
    """Of 30 cards left, a count of tens against others says exactly how many tens there are."""
    tens_left, unseen = 14, 30
    seen_tens, seen_others = 16 - tens_left, 36 - (unseen - tens_left)
    total = -9 * seen_tens + 4 * seen_others
    found = expected_cards(TENS, unseen, total / unseen)
    assert found[36:].sum() == pytest.approx(tens_left)
    assert found.sum() == pytest.approx(unseen)


@pytest.mark.parametrize("name", ["hi-lo", "ko", "halves"])
def test_the_mean_of_dealt_shoes_with_one_count_is_expected(name: str) -> None:
    """Half of six decks are dealt many times; among those with a high count, each rank has its expected number."""
    count, decks, unseen = count_of(name), 6, 156
    random = np.random.default_rng(5)
    shoe = np.repeat(np.arange(52), decks)
    left = np.array([np.bincount(random.permutation(shoe)[:unseen], minlength=52) for _ in range(20_000)])
    tags = np.array(count.tags, np.float64)
    mean = tag_moments(count)[0]
    excess = (decks * tags.sum() - left @ tags - mean * unseen) / unseen
    rich = left[excess > 0.04]
    assert len(rich) > 500
    expected = expected_cards(count, unseen, float(excess[excess > 0.04].mean())).reshape(13, 4).sum(axis=1)
    ranks = rich.reshape(-1, 13, 4).sum(axis=2)
    error = ranks.std(axis=0) / np.sqrt(len(rich))
    assert np.abs(ranks.mean(axis=0) - expected).max() < 4.5 * error.max()


def test_a_neutral_count_is_the_average_shoe() -> None:
    """Whole numbers of cards are solved like any other shoe."""
    sheet = rules("classic")
    cards = expected_cards(count_of("hi-lo"), 156, 0.0)
    assert game_ev(solve_expected(sheet, cards)) == pytest.approx(
        main_ev(sheet, "A:12 2:12 3:12 4:12 5:12 6:12 7:12 8:12 9:12 T:12 J:12 Q:12 K:12"), abs=1e-13
    )


def test_the_distribution_of_counts_is_that_of_all_choices() -> None:
    """At the first depth of a deck, two cards: all pairs, enumerated."""
    count = count_of("zen")
    distribution = count_distribution(count, 1, 62)
    depth = int(distribution.seen.min())
    assert depth == 2
    sums = [float(count.tags[a] + count.tags[b]) for a, b in combinations(range(52), 2)]
    here = distribution.seen == depth
    for total, probability in zip(distribution.total[here], distribution.probability[here], strict=True):
        assert probability * 8 == pytest.approx(sums.count(total) / comb(52, 2))
    assert distribution.probability.sum() == pytest.approx(1, abs=1e-3)


def test_the_excess_of_an_unbalanced_count_is_zero_on_average() -> None:
    """Tags of KO sum to 4 in a deck: with d cards seen, a sum of d / 13 is the average, not an excess."""
    found = count_distribution(count_of("ko"), 6, 75)
    assert found.probability @ found.excess == pytest.approx(0, abs=1e-4)
    at = int(np.argmax(found.seen))
    expected = (found.total[at] - found.seen[at] / 13) / (312 - found.seen[at])
    assert found.excess[at] == pytest.approx(float(expected))


def test_the_variance_of_the_sum_of_tags_is_that_of_draws_without_replacement() -> None:
    count, decks = count_of("halves"), 6
    distribution = count_distribution(count, decks, 75)
    depth = float(distribution.seen.max())
    here = distribution.seen == depth
    weights = distribution.probability[here] / distribution.probability[here].sum()
    variance = tag_moments(count)[1] * depth * (312 - depth) / 311
    assert weights @ distribution.total[here] ** 2 == pytest.approx(variance, rel=2e-3)


@pytest.mark.parametrize("rounding", ["down", "nearest", "toward zero"])
@pytest.mark.parametrize("name", ["hi-lo", "ko", "halves"])
def test_readings_are_those_of_the_count(name: str, rounding: str) -> None:
    """The arrays round as `Count.reading` does, in exact fractions."""
    known = count_of(name)
    count = Count(known.name, known.tags, known.kind, known.per, known.start, known.pivot, rounding)  # type: ignore[arg-type]
    whole, seen = np.arange(-60, 61), np.arange(121) + 100
    found = count_readings(count, 6, whole / count.scale, seen.astype(np.float64))
    expected = [count.reading(int(one), int(cards), 6) for one, cards in zip(whole, seen, strict=True)]
    assert found.tolist() == expected

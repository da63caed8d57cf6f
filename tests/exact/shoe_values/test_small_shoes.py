"""Shoes with too few cards for the longest round: which multiple holds it, and what a line through two of them says."""

from __future__ import annotations

import numpy as np
import pytest

from holecard.advantage.targets import CHART_TARGET, Target
from holecard.exact.charts.chart_cache import cached_best_chart
from holecard.exact.shoe_values.small_shoes import extended_values, smallest_multiples
from holecard.exact.solved_game import main_ev
from holecard.sheets.read import rules


def shoe(**cards: int) -> np.ndarray:
    """Return [card] a shoe of some ranks, all of one suit."""
    found = np.zeros(52, np.int64)
    for rank, number in cards.items():
        found["A23456789TJQK".index(rank.strip("_")) * 4] = number
    return found


def test_the_smallest_multiple_holds_the_longest_round() -> None:
    """Four hands of a split with 20 points each and a dealer's 16, then a card for each: 96 points, and five cards.

    Of 8 tens, all count, and 13 cards are too many; of 16, nine count, and 14 cards are there. Six cards are too few.
    """
    shoes = np.array([np.ones(52, np.int64), shoe(T=8), shoe(T=16), shoe(T=6)])
    assert smallest_multiples(rules("classic", decks=1), shoes).tolist() == [1, 2, 1, 0]


def test_a_value_on_a_line_in_the_number_of_cards_is_found() -> None:
    """EV = 0.03 - 0.2 / cards, known from 14 cards on: eight tens are 0.03 - 0.2 / 8, from 16 and 24 of them."""

    def exact(shoes: np.ndarray) -> np.ndarray:
        cards = shoes.sum(axis=1)
        assert (cards >= 14).all()
        return np.asarray(0.03 - 0.2 / cards)

    found = extended_values(rules("classic", decks=1), np.array([shoe(T=8), shoe(T=16), shoe(T=6)]), exact)
    assert found[:2] == pytest.approx([0.03 - 0.2 / 8, 0.03 - 0.2 / 16])
    assert np.isnan(found[2])


@pytest.mark.slow
@pytest.mark.parametrize("cards", [10, 18])
def test_a_chart_is_worth_as_much_from_small_shoes_on_average(cards: int) -> None:
    """They are random parts of the deck, so a round from one of them is a round from the deck, if no card is missing.

    From multiples of the cards alone, the chart would be worth 1% less with 18 cards and 2% less with 10.
    """
    sheet, random = rules("classic", decks=1), np.random.default_rng(4)
    shoes = np.array([np.bincount(random.permutation(52)[:cards], minlength=52) for _ in range(800)])
    values = Target("chart", CHART_TARGET).round_values(sheet, shoes)
    # What tens and aces are worth takes half of the luck out of the average.
    high = shoes[:, :4].sum(axis=1) + shoes[:, 36:].sum(axis=1) - 20 / 52 * cards
    values = values - high * (high @ values) / (high @ high)
    error = values.std() / np.sqrt(len(values))
    assert error < 0.004
    full = main_ev(sheet, None, cached_best_chart(sheet).chart)
    assert values.mean() == pytest.approx(full, abs=0.003 + 3 * error)

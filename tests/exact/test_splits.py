"""Splitting to any number of hands: the possible ends, and the weights of single hands' EVs."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from math import prod

import numpy as np
import pytest

from holecard.exact.splits.pair_weights import levels, ways_to_end, weights


def _ends_by_hand(most: int) -> Counter[tuple[int, int]]:
    """Second cards in every order, True for a card of the pair's rank, until every hand has two cards."""
    found: Counter[tuple[int, int]] = Counter()
    done: set[tuple[bool, ...]] = set()
    for cards in product((False, True), repeat=2 * most):
        hands, unserved, taken = 2, 2, 0
        while unserved and hands < most:
            hands, unserved = (hands + 1, unserved + 1) if cards[taken] else (hands, unserved - 1)
            taken += 1
        if cards[:taken] not in done:
            done.add(cards[:taken])
            found[hands, cards[:taken].count(False)] += 1
    return found


@pytest.mark.parametrize("most", [2, 3, 4, 5, 6])
def test_the_ways_to_end_are_all_orders_of_second_cards(most: int) -> None:
    found = {(hands, others): orders for hands, others, orders in ways_to_end(most)}
    assert found == dict(_ends_by_hand(most))


def test_four_hands_have_the_weights_of_the_closed_formula() -> None:
    """2(N1 - r2 N2) + 6 r2 (N2 - 2 r3 N3 + r3 r4 N4) + …, with N_j = a_j - r_(j+1) b_j, computed in fractions."""
    pair, cards = 24, 311
    r = [Fraction(pair - k, cards - k) for k in range(7)]
    a = [Fraction(0), *(Fraction(7, 3 + j) for j in range(1, 6))]
    b = [Fraction(0), *(Fraction(-2, 5 + j) for j in range(1, 6))]
    n = [Fraction(0), *(a[j] - r[j + 1] * b[j] for j in range(1, 6))]
    two = 2 * (n[1] - r[2] * n[2])
    three = 6 * r[2] * (n[2] - 2 * r[3] * n[3] + r[3] * r[4] * n[4])
    four = (
        4 * a[3]
        + 2 * (n[3] + 3 * (a[3] - r[4] * a[4]))
        + 2 * (2 * (n[3] - r[4] * n[4]) + 2 * (a[3] - 2 * r[4] * a[4] + r[4] * r[5] * a[5]))
    )
    of_a, of_b = weights(np.array([float(pair)]), np.array([float(cards)]), 4)
    found = sum(of_a[j - 1, 0] * float(a[j]) + of_b[j - 1, 0] * float(b[j]) for j in range(1, 6))
    assert found == pytest.approx(float(two + three + r[2] * r[3] * four), abs=1e-14)


@pytest.mark.parametrize("most", [2, 3, 4, 5, 8])
def test_hands_with_an_ev_of_one_have_the_ev_of_their_number(most: int) -> None:
    """With a_j = b_j = 1 the EV is the expected number of hands, computed by enumerating the split in fractions."""

    def hands(pair: int, cards: int, count: int, unserved: int) -> Fraction:
        if unserved == 0 or count == most:
            return Fraction(count)
        again = Fraction(pair, cards)
        rest = (1 - again) * hands(pair, cards - 1, count, unserved - 1)
        return rest + (again * hands(pair - 1, cards - 1, count + 1, unserved + 1) if again else 0)

    of_a, of_b = weights(np.array([24.0]), np.array([311.0]), most)
    assert of_a.shape == (levels(most), 1)
    assert float(of_a.sum() + of_b.sum()) == pytest.approx(float(hands(22, 309, 2, 2)), abs=1e-13)


def test_the_original_hand_and_the_added_ones_make_all() -> None:
    pair, cards = np.array([24.0, 23.0]), np.array([311.0, 311.0])
    whole = weights(pair, cards, 4)
    parts = [weights(pair, cards, 4, share) for share in ("original", "added")]
    for index in (0, 1):
        np.testing.assert_allclose(whole[index], parts[0][index] + parts[1][index], atol=1e-15)
    assert prod(whole[0].shape) == 10
    assert float(parts[0][0].sum() + parts[0][1].sum()) == pytest.approx(2.0, abs=1e-12), "one hand per start"

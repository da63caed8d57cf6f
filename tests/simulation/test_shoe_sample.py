"""Sampled shoes are the shoes that `simulate` deals, seen from the table."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import holecard
from holecard.charts.named_strategies import never_bust
from holecard.errors import Refusal
from holecard.simulation.plays.shoe_sample import sample_shoes


def test_rounds_are_those_of_a_simulation() -> None:
    """As many rounds as `simulate` plays in the same shoes, and the cards seen are those out, less the burned one."""
    sheet = holecard.rules("classic")
    chart = never_bust(sheet.tables)
    sample = sample_shoes(sheet, shoes=200, cut=75, seats=3, strategy=chart)
    played = holecard.simulate(sheet, chart, 200 * 12, seats=3, procedure="cut:75", wagers=(), executor=1)
    shoes = played.main.shoes
    assert shoes is not None
    rounds = np.bincount(sample.shoe)[: shoes.shoes]
    assert rounds.sum() == shoes.rounds
    assert (rounds**2).sum() == shoes.rounds_squared
    assert (312 - sample.cards.sum(axis=1) == sample.out - sheet.shoe.burn).all()
    assert (sample.out < 312 * 75 // 100).all()


def test_a_shallower_cut_card_stops_the_same_shoes_earlier() -> None:
    deep, shallow = (sample_shoes("classic", shoes=50, cut=cut) for cut in (90, 50))
    kept = deep.out < 312 * 50 // 100
    assert (deep.cards[kept] == shallow.cards).all()
    assert (deep.shoe[kept] == shallow.shoe).all()


@pytest.mark.parametrize("every", [2, 5])
def test_every_nth_round_begins_at_a_round_that_varies(every: int) -> None:
    """The listed rounds are those of the whole list, and each number of a round is listed equally often."""
    whole, part = (sample_shoes("classic", shoes=every * 20, cut=75, every=n) for n in (1, every))
    kept = whole.round % every == whole.shoe % every
    assert (whole.cards[kept] == part.cards).all()
    assert (whole.out[kept] == part.out).all()
    early = part.round < 20
    assert set(np.bincount(part.round[early]).tolist()) == {20}


def test_shoes_do_not_depend_on_where_a_sample_begins() -> None:
    whole, late = sample_shoes("classic", shoes=30, cut=75), sample_shoes("classic", shoes=10, cut=75, first=20)
    kept = whole.shoe >= 20
    assert (whole.cards[kept] == late.cards).all()
    assert (whole.shoe[kept] == late.shoe + 20).all()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"shoes": 1e3}, "shoes must be a whole number such as 1_000, not 1000.0"),
        ({"cut": "75"}, "cut must be a whole number such as 75, not '75'"),
        ({"seats": 2.0}, "seats must be a whole number such as 2, not 2.0"),
        ({"seed": "a"}, "seed must be a whole number such as 1, not 'a'"),
        ({"every": 1.5}, "every must be a whole number such as 1, not 1.5"),
        ({"first": -1}, "from 0 or above"),
        ({"every": 0, "shoes": 1}, "cannot list 1 shoe from"),
    ],
)
def test_what_cannot_be_sampled_is_refused(arguments: dict[str, Any], words: str) -> None:
    with pytest.raises(Refusal, match=words):
        sample_shoes("classic", **{"shoes": 10, "cut": 75, **arguments})

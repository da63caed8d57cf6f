"""Side wagers of many shoes are those of each shoe alone, counted in integers."""

from __future__ import annotations

from itertools import product
from math import isnan, perm
from typing import Any

import numpy as np
import pytest

import holecard
from holecard.composition import Composition
from holecard.errors import Refusal
from holecard.exact.shoe_values import wager_values, wager_values_by_upcard
from holecard.exact.wagers.wager_values import wager_result
from holecard.sheets.read import RulesLike, rules
from tests.exact.shoe_values.test_shoe_values import dealt_down
from tests.selection import one_in, quick_where

WAGERS = [(game, wager.name) for game in holecard.games(examples=True) for wager in rules(game).tables.wagers]
#: Six decks with 300, 140 and 70 cards left, and one deck with 20: some cards are gone.
SHOES = np.array([*(dealt_down(6, left, left) for left in (300, 140, 70)), dealt_down(1, 20, 1)])
#: Wagers of every kind of deal that no sheet of the catalog has.
PAIR, MATCH = {"hand": "suited pair", "pays": "7 to 1"}, {"hand": "1 suited match", "pays": "9 to 2"}
BUST = {"dealer": "busts in 5+ cards", "pays": "3 to 1"}
MADE: dict[str, dict[str, Any]] = {
    "own cards and upcard": {"on": "two cards", "upcard": "2-7", "lines": [PAIR, {"hand": "hard 9-11", "pays": "$3"}]},
    "three cards by upcard": {
        "on": "two cards and upcard", "upcard": "A, T", "lines": [{"hand": "flush", "pays": "4 to 1"}]
    },
    "own cards and a dealer's hand": {
        "on": "two cards",
        "lines": [{**PAIR, "dealer": "natural"}, {**PAIR, "dealer": "busts"}, {"hand": "20", "pays": "1 to 1"}],
    },
    "three cards and a dealer's hand": {
        "on": "two cards and upcard", "lines": [{**MATCH, "dealer": "20"}, BUST]
    },
    "after the check": {"placed": "after the check", "lines": [BUST]},
    "after the check by upcard": {"placed": "after the check", "upcard": "2-6", "lines": [BUST]},
}  # fmt: skip
#: Dealers for whom it matters how a hand came about.
BY_THE_WAY = ["draw 16 to hard 17", "draw soft 17 to hard 17"]


def alone(sheet: RulesLike, name: str, cards: np.ndarray) -> float:
    """Return the EV from one shoe."""
    tables = rules(sheet).tables
    wager = next(one for one in tables.wagers if one.name == name)
    shoe = Composition(tuple(cards.reshape(13, 4).sum(axis=1).tolist()), tuple(cards.tolist()))
    return float(wager_result(tables, wager, shoe).exact)


@pytest.mark.parametrize(
    ("game", "name"), quick_where(WAGERS, lambda case: case[1] not in ("4-Card Bonus", "Hedge 18", "Hedge 19"))
)
def test_wager_values_are_those_of_single_shoes(game: str, name: str) -> None:
    """Every side wager of every sheet."""
    found = wager_values(game, name, SHOES, threads=1)
    assert found == pytest.approx([alone(game, name, cards) for cards in SHOES], abs=1e-12)


@pytest.mark.parametrize("kind", one_in(3, MADE))
def test_wagers_of_other_kinds(kind: str) -> None:
    """A wager that looks at more cards than the catalog's has its value, too, slowly or not."""
    sheet = rules("classic", {"wager": [{"name": "W", "max": "$50", **MADE[kind]}]})
    assert wager_values(sheet, "W", SHOES) == pytest.approx([alone(sheet, "W", cards) for cards in SHOES], abs=1e-12)


@pytest.mark.parametrize("soft", one_in(2, BY_THE_WAY))
def test_a_wager_on_a_dealer_who_draws_to_a_hard_17(soft: str) -> None:
    """The same cards in another order can end otherwise."""
    lines = [{"dealer": "18 in 3+ cards", "pays": "5 to 1"}, {**PAIR, "dealer": "21 in 3+ cards"}, BUST]
    sheet = rules("classic", {"dealer.soft": soft, "wager": [{"name": "W", "max": "$50", "lines": lines}]})
    assert wager_values(sheet, "W", SHOES) == pytest.approx([alone(sheet, "W", cards) for cards in SHOES], abs=1e-12)


@pytest.mark.slow
def test_matches_among_all_four_cards() -> None:
    """Four cards with their seats: the largest diagram."""
    lines = [{"hand": "1 suited match", "pays": "9 to 2"}, {"hand": "flush", "pays": "20 to 1"}]
    sheet = rules("face-up", {"wager": [{"name": "W", "max": "$50", "on": "all four cards", "lines": lines}]})
    assert wager_values(sheet, "W", SHOES) == pytest.approx([alone(sheet, "W", cards) for cards in SHOES], abs=1e-12)


def test_a_shoe_that_cannot_decide_a_wager_has_none() -> None:
    """Three cards cannot be four, and five small ones let the dealer run out of cards; nobody else is affected."""
    three, five = np.zeros(52, np.int64), np.zeros(52, np.int64)
    three[[0, 10, 20]], five[4:9] = 1, 1
    found = wager_values("face-up", "2-Card Bonus", [three, np.zeros(52, np.int64), SHOES[0]])
    assert found[0] == pytest.approx(alone("face-up", "2-Card Bonus", three), abs=1e-12)
    assert isnan(found[1])
    assert not isnan(found[2])
    found = wager_values("double-up", "Bonus 16", [five, SHOES[0]])
    assert [isnan(value) for value in found] == [True, False]


def test_threads_and_progress() -> None:
    """Threads change nothing, and progress ends at the number of shoes."""
    many = np.tile(SHOES, (150, 1))
    heard: list[tuple[int, int]] = []
    found = wager_values(
        "match-up", "Match Up", many, threads=2, on_progress=lambda done, every: heard.append((done, every))
    )
    assert (found == wager_values("match-up", "Match Up", many, threads=1)).all()
    assert heard[-1] == (600, 600)


def shares_of_upcards(cards: np.ndarray) -> np.ndarray:
    """Return [v] how often each upcard is seen and neither side has a natural, deal by deal."""
    left = cards.reshape(13, 4).sum(axis=1)
    left = np.append(left[:9], left[9:].sum()).tolist()
    ways = np.zeros(10)
    for deal in product(range(10), repeat=4):
        number, rest = 1, list(left)
        for value in deal:
            number *= rest[value]
            rest[value] -= 1
        own, dealers = sorted(deal[:2]), sorted(deal[2:])
        if own != [0, 9] and dealers != [0, 9]:
            ways[deal[2]] += number
    return ways / perm(sum(left), 4)


NO_FIVES = np.where(np.arange(52) // 4 == 4, 0, SHOES[1])


@pytest.mark.parametrize(
    "kind",
    one_in(
        4,
        [
            {"lines": [BUST]},
            {"lines": [{"dealer": "20", "pays": "4 to 1"}]},
            {"on": "two cards", "lines": [{**PAIR, "dealer": "busts"}, {"dealer": "18", "pays": "3 to 1"}]},
            {"on": "two cards and upcard", "lines": [{**MATCH, "dealer": "20"}, BUST]},
        ],
    ),
)
def test_values_by_upcard_are_those_of_single_shoes(kind: dict[str, Any]) -> None:
    """EVs counted in integers, upcards deal by deal; a card that is gone cannot be up."""
    wager = {"name": "W", "max": "$50", "placed": "after the check", **kind}
    sheet = rules("classic", {"wager": [wager]})
    shoes = np.array([SHOES[1], NO_FIVES, SHOES[3]])
    evs, shares = wager_values_by_upcard(sheet, "W", shoes, threads=1)
    assert isnan(evs[1, 4])
    assert shares[1, 4] == 0
    placed = shares.sum(axis=1)
    assert np.nansum(shares * evs, axis=1) / placed == pytest.approx(wager_values(sheet, "W", shoes), abs=1e-12)
    for found, share, cards in zip(evs, shares, shoes, strict=True):
        shoe = Composition(tuple(cards.reshape(13, 4).sum(axis=1).tolist()), tuple(cards.tolist()))
        slow = dict(wager_result(sheet.tables, sheet.tables.wagers[0], shoe).by_upcard)
        expected = [float(slow[upcard]) if upcard in slow else np.nan for upcard in range(1, 11)]
        assert found == pytest.approx(expected, abs=1e-12, nan_ok=True)
        assert share == pytest.approx(shares_of_upcards(cards), abs=1e-12)


def test_shoes_too_small_for_a_wager_have_no_values_by_upcard() -> None:
    """And a wager placed before the deal has none at all."""
    three = np.zeros(52, np.int64)
    three[[0, 10, 20]] = 1
    evs, shares = wager_values_by_upcard("quick-pay", "Hedge 20", [three, SHOES[0]])
    assert np.isnan(evs[0]).all()
    assert np.isnan(shares[0]).all()
    assert not np.isnan(evs[1]).any()
    with pytest.raises(Refusal, match="before an upcard is seen"):
        wager_values_by_upcard("match-up", "Match Up", SHOES)

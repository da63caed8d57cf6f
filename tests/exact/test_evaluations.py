"""The EVs of one hand, and hands that cannot occur."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import pytest

import holecard
from holecard.composition import full
from holecard.errors import Refusal
from holecard.exact.evaluate import Evaluation
from tests.exact.slow_oracle import SlowGame
from tests.oracle import MAIN, points
from tests.selection import one_in

BY_RANK = {"split_by": "rank", "decks": 1}


def value(found: Evaluation, action: str) -> float:
    return next(choice.ev for choice in found.choices if choice.action == action)


@pytest.mark.parametrize("game", one_in(4, ["double-up", "classic", "upcard-luck-21", "quick-pay"]))
def test_a_spot_has_the_ev_of_the_analysis(game: str) -> None:
    """`evaluate` solves one upcard, the analysis all of them."""
    for hand in holecard.analyze(game, wagers=False).hands[::17]:
        found = holecard.evaluate(game, hand.spot)
        assert [choice.action for choice in found.choices] == [choice.action for choice in hand.choices]
        for mine, theirs in zip(found.choices, hand.choices, strict=True):
            assert mine.ev == pytest.approx(theirs.ev, abs=1e-13), hand.spot
        assert found.error_bound < 2e-12


def test_face_up_spots_have_both_dealers_cards() -> None:
    hands = {hand.spot: hand for hand in holecard.analyze("face-up", wagers=False).hands}
    found = holecard.evaluate("face-up", "T,6 v T,4")
    assert found.choices[0].ev == pytest.approx(hands["T,6 v 4,T"].choices[0].ev, abs=1e-13)
    assert holecard.evaluate("face-up", "T,9 v T,T").choices[-1].ev == -1, "nineteen against a pat twenty"


def test_seen_cards_are_removed() -> None:
    assert value(holecard.evaluate("classic", "T,6 v T", full(6).without("5 5 5 5")), "hit") < value(
        holecard.evaluate("classic", "T,6 v T"), "hit"
    ), "fives gone: hitting 16 is worse"


def test_after_a_split_the_pairs_other_card_is_out() -> None:
    rules = holecard.rules("classic", decks=1)
    after = holecard.evaluate(rules, "8,3 v 6 after split")
    seen = holecard.evaluate(rules, "8,3 v 6", full(1).without("8"))
    assert value(after, "double") == value(seen, "double")
    assert value(after, "double") != value(holecard.evaluate(rules, "8,3 v 6"), "double")
    assert "after one split, the other 8 out" in after.given


def test_another_pair_after_a_split_may_become_one_hand_less() -> None:
    rules = holecard.rules("classic", decks=1)
    after = holecard.evaluate(rules, "8,8 v 6 after split")
    three = holecard.evaluate(holecard.rules("classic", decks=1, split_hands=3), "8,8 v 6", full(1).without("8"))
    assert value(after, "split") == pytest.approx(value(three, "split"), abs=1e-13)
    two = holecard.evaluate(holecard.rules("classic", split_hands=2), "8,8 v 6 after split")
    assert "split" not in {choice.action for choice in two.choices}


LONG = {"A": 2, "3": 6, "5": 5, "T": 10}


class AfterSplit:
    """A hand made by splitting, in Fractions: policy of the whole shoe, EVs without the other card of the pair."""

    def __init__(self, game: str, shoe: dict[str, int], pair: str, dealer: int) -> None:
        sheet = holecard.rules(game, split_hands=2)
        self.whole = SlowGame(sheet, shoe)
        self.whole.solve()
        self.less = SlowGame(sheet, {**shoe, pair: shoe[pair] - 1})
        self.dealer = (dealer,)
        self.counts = {points(rank): count - (rank == pair) for rank, count in shoe.items()}
        self.counts[dealer] -= 1

    def stand(self, hand: tuple[int, ...]) -> Fraction:
        return self.less.stood(hand, self.dealer, {MAIN})

    def hit(self, hand: tuple[int, ...]) -> Fraction:
        left = {value: count - hand.count(value) for value, count in self.counts.items()}
        longer = [(tuple(sorted((*hand, value))), count) for value, count in left.items() if count]
        return sum((self.later(one) * count for one, count in longer), Fraction(0)) / sum(left.values())

    def later(self, hand: tuple[int, ...]) -> Fraction:
        """Three cards and more: hit or stand, as would be best without a split."""
        if sum(hand) > 21:
            return Fraction(-1)
        plan = self.whole.plan.get((hand, self.dealer), {})
        return self.hit(hand) if plan.get("hit", -3) > plan.get("stand", -2) else self.stand(hand)


@cache
def after_split_of_threes() -> AfterSplit:
    """The slow game of every hand below."""
    return AfterSplit("classic", LONG, "3", 5)


@pytest.mark.parametrize("spot", ["3,T v 5", "3,3 v 5", "3,T,3 v 5", "3,A v 5"])
def test_after_a_split_later_decisions_are_those_of_an_unsplit_hand(spot: str) -> None:
    """With the other 3 removed, the best play of T,3,3 against a 5 is not that of an unsplit hand."""
    found = holecard.evaluate(holecard.rules("classic", split_hands=2), f"{spot} after split", LONG)
    slow = after_split_of_threes()
    hand = tuple(sorted(points(rank) for rank in spot.split(" ")[0].split(",")))
    assert value(found, "stand") == pytest.approx(float(slow.stand(hand)), abs=1e-13)
    assert value(found, "hit") == pytest.approx(float(slow.hit(hand)), abs=1e-13)


def test_a_split_ace_stands_or_doubles_up() -> None:
    assert [c.action for c in holecard.evaluate("classic", "A,5 v 6 after split").choices] == ["stand"]
    assert {c.action for c in holecard.evaluate("double-up", "A,5 v 6 after split").choices} == {"stand", "double up"}
    assert "hit" in {c.action for c in holecard.evaluate("classic", "5,A v 6 after split").choices}, "a split five"


def test_where_ranks_count_the_named_rank_counts() -> None:
    """Two tens of a rank with only two cards cannot be split again; forty kings can."""
    shoe = "A:4 2:4 3:4 4:4 5:4 6:4 7:4 8:4 9:4 T:2 J:2 Q:2 K:40"
    rules = holecard.rules("classic", BY_RANK)
    twice = holecard.rules("classic", {**BY_RANK, "split_hands": 2})
    tens, kings = (value(holecard.evaluate(rules, f"{rank},{rank} v 6", shoe), "split") for rank in "TK")
    assert tens == pytest.approx(value(holecard.evaluate(twice, "T,T v 6", shoe), "split"), abs=1e-13)
    assert kings > tens + 0.1
    own, other = (value(holecard.evaluate(rules, f"K,K v {up}"), "split") for up in "KT")
    assert own != other, "one king less to split again"
    assert "split" not in {choice.action for choice in holecard.evaluate(rules, "K,Q v 6").choices}


@pytest.mark.parametrize(
    ("spot", "settings", "shoe", "why"),
    [
        ("T,6 v T,4", {}, None, "the player sees the upcard alone"),
        ("A,T v 6", {}, None, "a blackjack is settled at once"),
        ("T,6,9 v 6", {}, None, "busted with 25"),
        ("A,5,6 v 5 after split", {}, None, "a split ace gets only one card"),
        ("A,A v 6 after split", {"split_aces": "never"}, None, "does not allow splitting aces"),
        ("8,3 v 6 after split", {"split_hands": 1}, None, "does not allow splitting"),
        ("8,3 v 8 after split", {}, "8:2 3:9 T:40 5:9 6:9 9:9", "not hold 3 of rank 8, counting the other card"),
        ("2s,2s v 5", {"decks": 1}, None, "not hold 2 of 2s"),
        ("2,2,2,2,2 v 5", {"decks": 1}, None, "not hold 5 of rank 2"),
        ("T,T v A", {}, "T:100 A:1", "certainly has a natural"),
        ("T,6 v T", {}, "T:8 6:3", "too small"),
    ],
)
def test_spots_that_cannot_be(spot: str, settings: dict[str, object], shoe: str | None, why: str) -> None:
    with pytest.raises(Refusal, match=why):
        holecard.evaluate(holecard.rules("classic", settings), spot, shoe)


def test_shoes_where_a_natural_is_certain_are_analyzed() -> None:
    """With one ace in a shoe of tens, an ace up means a natural: there is no decision, but the game has an EV."""
    found = holecard.analyze("classic", "T:100 A:1", wagers=False)
    assert all(hand.dealer != (1,) for hand in found.hands)
    assert sum(probability for _, probability in found.main.distribution) == pytest.approx(1, abs=1e-13)


def test_a_shoe_can_be_too_large() -> None:
    with pytest.raises(Refusal, match="too large"):
        holecard.analyze("classic", "A:9999 T:9999")

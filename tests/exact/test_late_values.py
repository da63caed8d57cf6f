"""Wagers that can be placed until the hole card is turned: their EV at any moment, given every card seen so far."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest

import holecard
from holecard.deck import value_of
from holecard.errors import Refusal
from holecard.sheets.schema import RuleSheet
from tests.random_play import UPCARD_WAGERS
from tests.selection import one_in

COMPLETES = {1: 10, 10: 1}


def ends(hard: int, ace: bool, left: tuple[int, ...], hits_soft_17: bool) -> dict[int, Fraction]:
    """Probabilities of the dealer's final totals (22: bust), drawing card by card from the remaining cards."""
    soft = ace and hard <= 11
    best = hard + 10 if soft else hard
    if best > 17 or (best == 17 and not (soft and hits_soft_17)):
        return {min(best, 22): Fraction(1)}
    found: Counter[int] = Counter()
    for index, number in enumerate(left):
        if number:
            rest = (*left[:index], number - 1, *left[index + 1 :])
            for final, inside in ends(hard + index + 1, ace or index == 0, rest, hits_soft_17).items():
                found[final] += Fraction(number, sum(left)) * inside
    return dict(found)


def plain_ev(sheet: RuleSheet, name: str, upcard: int, left: tuple[int, ...]) -> Fraction:
    """Every hole card except those that make a natural, and every draw after it; `left` excludes the upcard."""
    index = sheet.tables.wager_index(name)
    assert index is not None
    (line,) = [line for line in sheet.tables.wagers[index].lines if upcard in line.upcards]
    assert line.dealer is not None
    won = known = Fraction(0)
    for place, number in enumerate(left):
        if number and place + 1 != COMPLETES.get(upcard):
            rest = (*left[:place], number - 1, *left[place + 1 :])
            probability = Fraction(number, sum(left))
            finals = ends(upcard + place + 1, 1 in (upcard, place + 1), rest, sheet.dealer.soft_17 == "hit")
            known += probability
            won += probability * sum(
                inside for final, inside in finals.items() if line.dealer.low <= final <= line.dealer.high
            )
    return won / known * (1 + line.pays.odds) - 1


def left_of(shoe: str, seen_cards: list[str]) -> tuple[int, ...]:
    held = Counter(dict.fromkeys(range(1, 11), 0))
    for word in shoe.split():
        rank, _, number = word.partition(":")
        held[value_of(rank)] += int(number)
    held.subtract(value_of(name) for name in seen_cards)
    return tuple(held[value] for value in range(1, 11))


SHOE = "A:2 2:2 3:1 4:2 5:2 6:3 7:2 8:3 9:3 T:6 K:4"
#: The hand, and all cards that are removed.
MOMENTS = {
    "T,6 v T": "T 6 T",
    "T,6,2 v T": "T 6 2 T",
    "T,2,3,6 v A": "T 2 3 6 A",
    "9,9,8 v 6": "9 9 8 6",
    "T,6,K v 7": "T 6 K 7",
    "8,3 v 6 after split": "8 8 3 6",
    "8,6,T v 5 after split": "8 8 6 T 5",
    "A,9 v 8 after split": "A A 9 8",
}


@pytest.mark.parametrize("soft_17", one_in(2, ["hit", "stand"]))
@pytest.mark.parametrize("spot", one_in(2, MOMENTS))
def test_a_hedge_at_any_moment(spot: str, soft_17: str) -> None:
    """Drawn, standing, busted and split hands; all cards of the hand, and the other card of a split, are removed."""
    sheet = holecard.rules("quick-pay", soft_17=soft_17)
    seen_cards = MOMENTS[spot].split()
    left = left_of(SHOE, seen_cards)
    found = dict(holecard.evaluate(sheet, spot, SHOE).after_check)
    upcard = value_of(spot.split(" v ")[1][0])
    assert found == {f"Hedge {total}": plain_ev(sheet, f"Hedge {total}", upcard, left) for total in (18, 19, 20, 21)}


def test_cards_of_other_seats_are_out_as_well() -> None:
    """For the dealer it makes no difference whether a card was drawn to the hand or seen elsewhere."""
    drawn = holecard.evaluate("quick-pay", "T,6,2,8 v 9").after_check
    seen = holecard.evaluate("quick-pay", "T,6 v 9", holecard_shoe("2 8")).after_check
    assert drawn == seen
    assert drawn != holecard.evaluate("quick-pay", "T,6 v 9").after_check


def holecard_shoe(seen_cards: str) -> object:
    from holecard.composition import full

    return full(6).without(seen_cards)


def test_a_busted_hand_has_no_choices_but_hedges() -> None:
    found = holecard.evaluate("quick-pay", "T,6,9 v T")
    assert found.choices == ()
    assert [name for name, _ in found.after_check] == ["Hedge 18", "Hedge 19", "Hedge 20", "Hedge 21"]


def test_a_wager_asked_once_after_the_check_is_not_offered_later() -> None:
    """It is asked before anyone acts, so two cards have it and three do not; a busted hand is refused."""
    words = {f"wager.Hedge {total}.placed": "after the check" for total in (18, 19, 20, 21)}
    sheet = holecard.rules("quick-pay", words)
    assert len(holecard.evaluate(sheet, "T,6 v T").after_check) == 4
    assert holecard.evaluate(sheet, "T,2,4 v T").after_check == ()
    with pytest.raises(Refusal, match="the hand has busted with 25"):
        holecard.evaluate(sheet, "T,6,9 v T")


def test_a_hand_that_was_bust_before_its_last_card_is_refused() -> None:
    with pytest.raises(Refusal, match="T,T,2,9 v 5: this hand would have busted before its last card"):
        holecard.evaluate("quick-pay", "T,T,2,9 v 5")


def test_a_busted_hand_has_nothing_to_place_with_an_upcard_that_no_wager_names() -> None:
    """With a six up there is a wager left, with a nine up there is none."""
    sheet = holecard.rules("classic", {"wager": UPCARD_WAGERS})
    assert [name for name, _ in holecard.evaluate(sheet, "T,6,K v 6").after_check] == ["Small card", "Needs it"]
    with pytest.raises(Refusal, match="the hand has busted with 26, so there is nothing to decide"):
        holecard.evaluate(sheet, "T,6,K v 9")
    assert holecard.evaluate(sheet, "T,6 v 9").after_check == ()

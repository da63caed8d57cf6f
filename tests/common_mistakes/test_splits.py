"""Splitting rules that other programs get wrong."""

from __future__ import annotations

import pytest

from holecard.errors import IllegalMove
from holecard.table.state import State
from tests.scripted_rounds import can, nets, play_cards, refused


def hands(state: State) -> list[str]:
    return [" ".join(map(str, hand.cards)) for hand in state.seats[0].hands]


def test_splitting_after_a_hit_is_refused() -> None:
    """A pair that was hit cannot be split any more, even if the hit makes a new pair."""
    state = play_cards("classic", "2s 6d 2h Th 2d", "hit")
    assert isinstance(refused(state, "split"), IllegalMove)
    assert can(state) == {"hit", "stand"}


def test_split_hands_get_their_cards_in_order() -> None:
    """The first hand gets its second card and is played out before the second hand gets one."""
    state = play_cards("classic", "8s 6d 8h Th 3d", "split")
    assert hands(state) == ["8s 3d", "8h"]
    assert state.hand == 0
    state = play_cards("classic", "8s 6d 8h Th 3d Kd 2c", ["split", "hit"])
    assert hands(state) == ["8s 3d Kd", "8h 2c"]
    assert state.hand == 1


def test_a_resplit_hand_is_next_to_the_hand_it_came_from() -> None:
    """Splitting the first hand again plays its two halves before the other hand."""
    state = play_cards("classic", "8s 6d 8h Th 8d 2c", ["split", "split"])
    assert hands(state) == ["8s 2c", "8d", "8h"]


def test_four_hands_are_the_limit() -> None:
    """A fifth hand is refused, and the message states the limit."""
    state = play_cards("classic", "8s 6d 8h Th 8d 8c 8s", ["split"] * 3)
    assert len(state.seats[0].hands) == 4
    assert hands(state)[0] == "8s 8s"
    assert "split" not in can(state)
    refusal = refused(state, "split")
    assert isinstance(refusal, IllegalMove)
    assert "4 hands at most" in str(refusal)


def test_a_split_stakes_what_the_hand_has() -> None:
    """Each new hand has its own wager, which wins or loses separately."""
    state = play_cards("classic", "8s 9d 8h Th Td 2c", ["split", "stand", "stand"], bets="$25")
    assert state.dealer_total == 19
    assert nets(state) == [("Bet", -25), ("Split", -25)]


def test_split_aces_get_one_card_each() -> None:
    """After one card on each ace the dealer plays, and a pair of aces is not split again."""
    state = play_cards("classic", "As 6d Ah Th Ad 5c", "split")
    assert hands(state) == ["As Ad", "Ah 5c"]
    assert state.phase == "dealer"


def test_aces_split_again_where_the_sheet_says_so() -> None:
    """A second pair of aces may be split or stand, nothing else."""
    state = play_cards("classic", "As 6d Ah Th Ad", "split", settings={"split_aces": "again"})
    assert can(state) == {"stand", "split"}
    state = play_cards("classic", "As 6d Ah Th Ad 2c 3c 4c", ["split", "split"], settings={"split_aces": "again"})
    assert hands(state) == ["As 2c", "Ad 3c", "Ah 4c"]
    assert state.phase == "dealer"


def test_aces_are_not_split_where_the_sheet_says_never() -> None:
    """A pair of aces is a soft 12."""
    state = play_cards("classic", "As 6d Ah Th", settings={"split_aces": "never"})
    assert "split" not in can(state)
    assert "aces cannot be split here" in str(refused(state, "split"))


def test_split_aces_play_on_where_the_sheet_says_so() -> None:
    """With both dealer cards up, a split ace is hit like any hand."""
    state = play_cards("face-up", "As 6d Ah Th 5d", "split")
    assert can(state) == {"hit", "stand"}


@pytest.mark.parametrize(("by", "splits"), [("value", True), ("rank", False)])
def test_a_king_and_a_ten_are_a_pair_by_value_only(by: str, splits: bool) -> None:
    """Equal value makes a pair, unless the sheet asks for equal rank."""
    assert ("split" in can(play_cards("classic", "Ks 6d Th 9h", settings={"split_by": by}))) is splits


def test_a_game_may_not_split_at_all() -> None:
    """The limit is one hand where splitting is not offered."""
    state = play_cards("classic", "8s 6d 8h Th", settings={"split_hands": 1})
    assert "this game has no splitting" in str(refused(state, "split"))


def test_doubling_after_a_split_is_the_sheets_choice() -> None:
    """An 8-3 made by splitting may be doubled, or not."""
    fallen = "8s 6d 8h Th 3d"
    assert "double" in can(play_cards("classic", fallen, "split"))
    state = play_cards("classic", fallen, "split", settings={"double_after_split": False})
    assert "made by splitting" in str(refused(state, "double"))


def test_a_doubled_split_hand_settles_both_its_wagers() -> None:
    """A split hand doubled for its own wager wins twice; the other hand is unaffected."""
    state = play_cards("classic", "8s 6d 8h Th 3d Kd 2c Kc", ["split", "double", "stand"])
    assert state.dealer_total == 26
    assert nets(state) == [("Bet", 10), ("Double", 10), ("Split", 10)]


def test_no_surrender_and_no_quick_pay_after_a_split() -> None:
    """A two-card hand made by splitting is not an initial hand."""
    state = play_cards("quick-pay", "9s 6d 9h Th Kd", ["split"], bets="$10")
    assert can(state) == {"hit", "stand", "double"}


def test_a_split_21_is_compared_against_a_dealers_natural_and_loses() -> None:
    """Without a check, a split ace with a ten loses to the dealer's natural, its second wager too."""
    state = play_cards("classic", "As Td Ah Kd 9c Ac", "split", settings={"hole_card": "none"})
    assert nets(state) == [("Bet", -10), ("Split", -10)]

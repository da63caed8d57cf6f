"""The dealer's natural: checked for, insured against, surrendered to, or found at the end."""

from __future__ import annotations

import pytest

from holecard.errors import IllegalMove, WagerRefused
from holecard.table.events import Checked
from tests.scripted_rounds import can, nets, play_cards, refused


def test_a_natural_under_a_ten_ends_the_round_before_any_action() -> None:
    """The dealer checks under the ten: one wager is lost, and no double can follow."""
    state = play_cards("classic", "6s Td 5h Ac")
    assert state.phase == "done"
    assert Checked(True) in state.events
    assert nets(state) == [("Bet", -10)]


def test_a_natural_under_an_ace_ends_the_round_after_insurance() -> None:
    """Insurance comes first, then the dealer checks and the round is over."""
    state = play_cards("classic", "6s Ad 5h Tc", "no insurance")
    assert state.phase == "done"
    assert nets(state) == [("Bet", -10)]


def test_a_check_without_a_natural_is_announced_and_play_continues() -> None:
    """The dealer checks under an ace or a ten; under other cards a natural is impossible."""
    state = play_cards("classic", "6s Td 5h 9c")
    assert Checked(False) in state.events
    assert "double" in can(state)
    assert not any(isinstance(event, Checked) for event in play_cards("classic", "6s 9d 5h Ac").events)


def test_peek_under_aces_does_not_look_under_a_ten() -> None:
    """A natural with a ten up shows at the end and also takes the doubled wager."""
    state = play_cards("classic", "6s Td 5h Ac 9d", "double", settings={"hole_card": "peek under aces"})
    assert nets(state) == [("Bet", -10), ("Double", -10)]
    state = play_cards("classic", "6s Ad 5h Tc", "no insurance", settings={"hole_card": "peek under aces"})
    assert nets(state) == [("Bet", -10)]


def test_a_ten_up_does_not_offer_insurance() -> None:
    """Insurance is only offered against an ace."""
    assert "insurance" not in can(play_cards("classic", "6s Td 5h 9c"))


def test_insurance_pays_two_to_one_on_the_dealers_natural() -> None:
    """Insurance for half the wager wins what the wager loses."""
    assert nets(play_cards("classic", "6s Ad 5h Tc", "insurance $5")) == [("Bet", -10), ("Insurance", 10)]


def test_insurance_is_lost_at_once_when_the_dealer_has_no_natural() -> None:
    """It is lost before the hand is played, and only once."""
    state = play_cards("classic", "6s Ad 5h 9c", "insurance $5")
    assert nets(state) == [("Insurance", -5)]
    assert state.phase == "acting"
    assert nets(play_cards("classic", "6s Ad 5h 9c", ["insurance $5", "stand"])) == [("Insurance", -5), ("Bet", -10)]


def test_insurance_is_at_most_half_the_wager() -> None:
    """More than half is refused, and so is less than the minimum."""
    state = play_cards("classic", "6s Ad 5h 9c")
    assert isinstance(refused(state, "insurance $5.01"), WagerRefused)
    assert isinstance(refused(state, "insurance $0.99"), WagerRefused)
    assert isinstance(refused(state, "insurance"), WagerRefused)
    assert refused(state, "insurance $5") is None
    whole = play_cards("classic", "6s Ad 5h 9c", settings={"insurance.most": "all"})
    assert refused(whole, "insurance $10") is None


def _insured(bet: str, **settings: object) -> list[float]:
    """Every amount, in steps of 25 cents up to $6, that a seat may insure a bet for."""
    state = play_cards("classic", "6s Ad 5h 9c", bets=bet, settings=settings)
    amounts = [quarters / 4 for quarters in range(1, 25)]
    return [amount for amount in amounts if refused(state, f"insurance ${amount:.2f}") is None]


def test_insurance_goes_in_the_chips_of_the_table() -> None:
    """Whole steps of the main wager up to half of it; half a step is not rounded up. The minimum may be smaller."""
    assert _insured("$5") == [1, 2]
    assert _insured("$5", **{"main.step": "$0.50"}) == [1, 1.5, 2, 2.5]
    assert _insured("$10", **{"main.step": "$5"}) == [1, 2, 3, 4, 5]
    assert _insured("$10", **{"main.step": "$5", "insurance.min": "$5"}) == [5]
    assert _insured("$5", **{"main.step": "$5", "insurance.min": "$5"}) == []
    assert _insured("$5", **{"insurance.min": "$2.50"}) == [2.5]


def test_a_seat_whose_half_is_below_the_least_insurance_can_only_decline() -> None:
    """The seat is still asked, like every other seat."""
    state = play_cards("classic", "6s Ad 5h 9c", bets="$5", settings={"insurance.min": "$3"})
    assert can(state) == {"no insurance"}


def test_a_natural_may_be_insured_to_win_even_money_either_way() -> None:
    """An insured natural wins the wager once, whether or not the dealer has a natural."""
    against = nets(play_cards("classic", "Ks Ad Ah Tc", "insurance $5"))
    without = nets(play_cards("classic", "Ks Ad Ah 9c", "insurance $5"))
    assert against == [("Bet", 0), ("Insurance", 10)]
    assert without == [("Insurance", -5), ("Bet", 15)]


def test_a_game_without_insurance_does_not_ask() -> None:
    """With 'none' as its odds, an ace up leads directly to the check."""
    assert play_cards("double-up", "6s Ad 5h 9c").phase == "acting"


def test_without_a_hole_card_the_natural_comes_after_the_players_and_takes_all() -> None:
    """Splits and doubles lose to it."""
    state = play_cards("classic", "8s Td 8h 3d Kd 9c Ac", ["split", "double", "stand"], settings={"hole_card": "none"})
    assert nets(state) == [("Bet", -10), ("Double", -10), ("Split", -10)]


def test_original_wagers_only_hands_back_what_was_added() -> None:
    """The dealer's late natural takes the first wager and pushes splits and doubles."""
    words = {"hole_card": "none", "natural_takes": "original"}
    state = play_cards("classic", "8s Td 8h 3d Kd 9c Ac", ["split", "double", "stand"], settings=words)
    assert nets(state) == [("Bet", -10), ("Double", 0), ("Split", 0)]


def test_original_wagers_only_does_not_give_back_a_busted_double() -> None:
    """A busted hand has lost all of its wagers before the natural shows."""
    words = {"hole_card": "none", "natural_takes": "original"}
    state = play_cards(
        "classic", "Ts 9s Td 2h 9h Kd Ac", ["double", "stand"], bets=["1: $10", "2: $10"], settings=words
    )
    assert nets(state, 1) == [("Bet", -10), ("Double", -10)]
    assert nets(state, 2) == [("Bet", -10)]


def test_without_a_hole_card_a_natural_waits_for_an_ace_or_ten_up() -> None:
    """A player's natural against a ten is paid only after the dealer's second card; against a six, at once."""
    waits = play_cards("classic", "As Td Kh", settings={"hole_card": "none"})
    assert waits.results == ()
    assert nets(play_cards("classic", "As Td Kh Ac", settings={"hole_card": "none"})) == [("Bet", 0)]
    assert nets(play_cards("classic", "As Td Kh 5c 5d", settings={"hole_card": "none"})) == [("Bet", 15)]
    assert nets(play_cards("classic", "As 6d Kh", settings={"hole_card": "none"})) == [("Bet", 15)]


def test_insurance_without_a_look_is_settled_at_the_end() -> None:
    """It stays on the table while the hand is played."""
    words = {"hole_card": "no peek"}
    state = play_cards("classic", "Ts Ad 9h Tc", "insurance $5", settings=words)
    assert state.results == ()
    state = play_cards("classic", "Ts Ad 9h Tc", ["insurance $5", "stand"], settings=words)
    assert nets(state) == [("Bet", -10), ("Insurance", 10)]
    state = play_cards("classic", "Ts Ad 9h 7c", ["insurance $5", "stand"], settings=words)
    assert nets(state) == [("Bet", 10), ("Insurance", -5)]


def test_early_surrender_saves_half_from_the_dealers_natural() -> None:
    """It is offered before the dealer looks, so a natural takes only half."""
    words = {"player.surrender": "early"}
    state = play_cards("classic", "Ts Td 6h Ac", settings=words)
    assert can(state) == {"surrender", "no surrender"}
    assert nets(play_cards("classic", "Ts Td 6h Ac", "surrender", settings=words)) == [("Bet", -5)]
    assert nets(play_cards("classic", "Ts Td 6h Ac", "no surrender", settings=words)) == [("Bet", -10)]


def test_early_surrender_is_not_offered_twice() -> None:
    """A player who declined before the check cannot surrender after it."""
    state = play_cards("classic", "Ts Td 6h 9c", "no surrender", settings={"player.surrender": "early"})
    assert isinstance(refused(state, "surrender"), IllegalMove)
    assert can(play_cards("classic", "Ts 9d 6h Ac", settings={"player.surrender": "early"})) >= {"surrender", "hit"}


def test_a_natural_is_not_asked_to_surrender() -> None:
    """Only the other seat decides; the natural is paid after the dealer's check."""
    words = {"player.surrender": "early"}
    assert nets(play_cards("classic", "As Td Kh 9c", settings=words)) == [("Bet", 15)]
    state = play_cards("classic", "As Ts Td Kh 6h 9c", bets=["1: $10", "2: $10"], settings=words)
    assert state.phase == "early surrender"
    assert state.asked
    assert state.asked.number == 2


def test_late_surrender_comes_too_late_for_the_dealers_natural() -> None:
    """The check comes first and takes the whole wager; without a natural, surrender saves half."""
    words = {"player.surrender": "late"}
    assert nets(play_cards("classic", "Ts Td 6h Ac", settings=words)) == [("Bet", -10)]
    assert nets(play_cards("classic", "Ts Td 6h 9c", "surrender", settings=words)) == [("Bet", -5)]


def test_surrender_is_for_the_first_two_cards() -> None:
    """A hand that was hit must be played out."""
    state = play_cards("classic", "Ts Td 2h 9c 3d", "hit", settings={"player.surrender": "late"})
    assert "first two cards" in str(refused(state, "surrender"))


def test_half_a_cent_of_a_surrender_goes_the_way_the_sheet_rounds() -> None:
    """Half of $0.05 is a loss of 3 cents rounded down, or 2 cents rounded up."""
    words = {"player.surrender": "late", "main.min": "$0.01", "main.step": "$0.01"}
    for rounding, lost in {"down": -0.03, "up": -0.02, "nearest": -0.02}.items():
        state = play_cards("classic", "Ts Td 6h 9c", "surrender", bets="$0.05", settings=words | {"rounding": rounding})
        assert nets(state) == [("Bet", lost)]


@pytest.mark.parametrize("rounding", ["down", "nearest", "up"])
def test_fractions_of_a_natural_are_rounded_as_the_sheet_says(rounding: str) -> None:
    """3 to 2 on $0.03 is 4.5 cents; 6 to 5 on $0.02 is 2.4 cents."""
    words = {"main.min": "$0.01", "main.step": "$0.01", "rounding": rounding}
    half = play_cards("classic", "As 6d Kh Th", bets="$0.03", settings=words)
    assert half.results[0].net == {"down": 4, "nearest": 5, "up": 5}[rounding]
    less = play_cards("classic", "As 6d Kh Th", bets="$0.02", settings=words | {"settle.natural": "6 to 5"})
    assert less.results[0].net == {"down": 2, "nearest": 2, "up": 3}[rounding]


def test_a_face_up_natural_ends_the_round_at_once() -> None:
    """Both cards are visible: no one acts, and it beats a player's natural."""
    state = play_cards("face-up", "6s Td 5h Ac")
    assert state.phase == "done"
    assert nets(state) == [("Bet", -10)]
    assert nets(play_cards("face-up", "As Td Kh Ac")) == [("Bet", -10)]

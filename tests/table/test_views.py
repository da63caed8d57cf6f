"""What a seat sees at a few moments of a round."""

from __future__ import annotations

from holecard.deck import cards
from holecard.table.events import CardDealt
from holecard.table.views import counted, view, visible_events
from tests.scripted_rounds import play_cards

DOWN = {"decks": 1}


def test_a_seat_sees_its_cards_its_choices_and_the_upcard() -> None:
    """The hole card is None, and the dealer's total unknown."""
    look = view(play_cards("classic", "Ts 6d 2h Th"), 1)
    assert look.dealer == (*cards("6d"), None)
    assert look.dealer_total is None
    assert look.seats[0].hands[0].cards == cards("Ts 2h")
    assert (look.seats[0].hands[0].total, look.asked, look.hand) == (12, 1, 1)
    assert look.seats[0].hands[0].stakes == (("Bet", 1000),)
    assert {choice.action for choice in look.choices} == {"hit", "stand", "double"}


def test_others_see_no_choices() -> None:
    """A spectator and another seat see whose turn it is, but not the choices."""
    state = play_cards("classic", "Ts 9s 6d 2h 3d Th", bets=["1: $10", "2: $10"])
    for seat in (0, 2):
        assert view(state, seat).choices == ()
        assert view(state, seat).asked == 1


def test_everything_is_seen_at_the_end() -> None:
    """The hole card, every hand, every result."""
    look = view(play_cards("classic", "Ts 6d 9h Th Td", "stand"))
    assert look.dealer == cards("6d Th Td")
    assert (look.dealer_total, look.phase) == (26, "done")
    assert [result.net for result in look.results] == [1000]


def test_face_down_cards_are_seen_by_their_seat_only() -> None:
    """A hit is dealt face up; the total stays hidden."""
    bets = ["1: $10", "2: $10"]
    state = play_cards("upcard-luck-21", "Ts 9s 6d 2h 3d Th 4c", "hit", bets=bets, settings=DOWN)
    mine, others = view(state, 1).seats[0].hands[0], view(state, 2).seats[0].hands[0]
    assert mine.cards == cards("Ts 2h 4c")
    assert mine.total == 16
    assert others.cards == (None, None, *cards("4c"))
    assert (others.total, others.soft) == (None, False)


def test_a_settled_hand_is_shown() -> None:
    """A busted hand is visible."""
    bets = ["1: $10", "2: $10"]
    state = play_cards("upcard-luck-21", "Ts 9s 6d 2h 3d Th Kc", "hit", bets=bets, settings=DOWN)
    assert view(state, 2).seats[0].hands[0].cards == cards("Ts 2h Kc")


def test_a_split_pair_is_shown() -> None:
    """Both hands are visible to every seat."""
    bets = ["1: $10", "2: $10"]
    state = play_cards("upcard-luck-21", "8s 9s 6d 8h 3d Th 4c", "split", bets=bets, settings=DOWN)
    assert [hand.cards for hand in view(state, 2).seats[0].hands] == [cards("8s 4c"), cards("8h")]


def test_open_side_wagers_and_insurance_are_seen() -> None:
    """While they are open."""
    look = view(play_cards("double-up", "Ts 6d 2h Th", bets="$10, Bonus 16 $5"), 0)
    assert look.seats[0].sides == (("Bonus 16", 500),)
    look = view(play_cards("classic", "Ts 9s Ad 2h 3d Th", "insurance $5", bets=["1: $10", "2: $10"]), 0)
    assert look.seats[0].insurance == 500


def test_the_hole_card_is_dealt_unseen() -> None:
    """Its event says that a card was dealt, not which."""
    (event,) = visible_events(play_cards("classic", "Ts 6d 9h Th"), 1)
    assert event == CardDealt(0, 0, None, hidden=True)
    (event,) = visible_events(play_cards("face-up", "Ts 6d 9h 9d"), 1)
    assert event == CardDealt(0, 0, *cards("9d"))


def test_counting_what_is_seen() -> None:
    """A hidden card is not counted."""
    assert counted((*cards("As"), None)) == (11, True)
    assert counted((None, None, *cards("5d"))) == (5, False)

"""A hand against the dealer's cards is one line of text, and so is a state."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holecard.deck import RANKS, SUITS
from holecard.errors import Unreadable
from holecard.table.notation.spot import Spot, spot, spot_of
from holecard.table.views import view
from tests.scripted_rounds import play_cards

one_card = st.builds(lambda rank, suit: rank + suit, st.sampled_from(RANKS), st.sampled_from(["", *SUITS]))


@given(st.lists(one_card, min_size=2, max_size=8), st.lists(one_card, min_size=1, max_size=2), st.booleans())
def test_a_spots_text_reads_back(player: list[str], dealer: list[str], after_split: bool) -> None:
    """With or without suits, one dealer card or two, split or not."""
    wanted = Spot(tuple(player), tuple(dealer), after_split)
    assert spot(str(wanted)) == wanted


@pytest.mark.parametrize("text", ["T,6 v T", "10,6 v 10", "t 6 vs t", " T , 6  v  T "])
def test_a_spot_in_any_spelling(text: str) -> None:
    """Ranks are enough."""
    assert spot(text) == Spot(("T", "6"), ("T",))


def test_a_spot_knows_its_total_and_its_values() -> None:
    """Values are sorted from high to low, face cards are tens: what a chart needs."""
    assert spot("6s,Ad v Kh").total == (17, True)
    assert spot("6s,Ad v Kh").values == "6,A v T"
    assert spot("5,K v A").values == "T,5 v A"


@pytest.mark.parametrize("text", ["", "T,6", "T v 6", "T,6 v", "T,6 v 2,3,4", "T,X v 6", "T,6 against T"])
def test_an_invalid_spot_is_refused(text: str) -> None:
    """A hand needs two cards and an upcard."""
    with pytest.raises(Unreadable):
        spot(text)


def test_the_spot_of_a_view() -> None:
    """The hand to act, against the visible cards, face down or up, split or not."""
    assert str(spot_of(view(play_cards("classic", "Ts 6d 2h Th"), 1))) == "Ts,2h v 6d"
    assert str(spot_of(view(play_cards("face-up", "Ts 6d 2h Th"), 1))) == "Ts,2h v 6d,Th"
    assert str(spot_of(view(play_cards("classic", "8s 6d 8h Th 3d", "split"), 1))) == "8s,3d v 6d after split"
    with pytest.raises(Unreadable, match="no seat has a hand to decide"):
        spot_of(view(play_cards("classic", "As 6d Kh Th"), 1))


def test_a_state_prints_as_one_line_without_the_hole_card() -> None:
    """Phase, dealer, hands with totals and wagers, and the seat to act."""
    state = play_cards("classic", "Ts 6d 2h Th")
    assert repr(state) == "<acting | dealer 6d ?? | seat 1: Ts 2h (12) $10 | seat 1 to act>"
    assert "dealer 6d Th" in repr(play_cards("classic", "Ts 6d 2h Th", "stand"))


@pytest.mark.parametrize("given", [None, ("T", "6"), 16])
def test_what_is_not_a_text_is_refused(given: object) -> None:
    """With an example."""
    with pytest.raises(Unreadable, match="is not a text; write your cards, v, and the dealer's, as in 'T,6 v T'"):
        spot(given)  # type: ignore[arg-type]

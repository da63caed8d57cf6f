"""When the dealer draws although every main wager is settled, and when not."""

from __future__ import annotations

from holecard.sheets.read import read_sheet
from tests.scripted_rounds import play_cards

SIDE_BETS = "side-bets"


def test_no_card_is_drawn_for_a_natural_that_cannot_be() -> None:
    """A nine is up: the line that needs a dealer's natural is impossible, and the next one is paid at once."""
    state = play_cards(SIDE_BETS, "Qh 9d Qh 5c 5d", ["hit"], bets="$10, Lucky Ladies $5")
    assert state.phase == "done"
    assert [(result.wager, result.net) for result in state.results] == [("Lucky Ladies", 62_500), ("Bet", -1_000)]


def test_no_card_is_drawn_for_a_natural_that_is_not_there() -> None:
    """A ten is up and the check found no natural: the hole card decides, further cards cannot."""
    state = play_cards(SIDE_BETS, "Qh Td Qh 5c 5d", ["hit"], bets="$10, Lucky Ladies $5")
    assert state.phase == "done"
    assert {result.wager: result.net for result in state.results} == {"Bet": -1_000, "Lucky Ladies": 62_500}


def test_cards_are_drawn_for_a_bust_that_may_still_come() -> None:
    """The player has busted and Buster is still open: 15 draws a card."""
    state = play_cards(SIDE_BETS, "Th 9d 9h 6c 5d", ["hit"], bets="$10, Buster Blackjack $5")
    assert state.phase == "dealer"
    assert state.wants_card


def test_no_card_is_drawn_when_all_are_bust_and_nothing_else_is_open() -> None:
    """The hole card is shown, nothing else."""
    state = play_cards("classic", "Th 9d 9h 6c 5d", ["hit"], bets="$10")
    assert state.phase == "done"
    assert len(state.dealer) == 2


NATURAL_WAGER = """
name = "T"
[dealer]
hole_card = "none"
[[wager]]
name = "Dealer's Natural"
lines = [{ dealer = "natural", pays = "5 to 1" }]
"""


def test_the_second_card_is_taken_for_a_wager_on_the_natural() -> None:
    """Without a hole card the player's bust leaves the wager open: an ace is up, and the next card decides."""
    sheet = read_sheet(NATURAL_WAGER)
    bust = ["no insurance", "hit"]
    state = play_cards(sheet, "Th Ad 9h 5d", bust, bets="$10, Dealer's Natural $1")
    assert state.wants_card
    for second, net in (("Kc", 500), ("9c", -100)):
        done = play_cards(sheet, f"Th Ad 9h 5d {second}", bust, bets="$10, Dealer's Natural $1")
        assert done.phase == "done"
        assert len(done.dealer) == 2
        assert [result.net for result in done.results if result.wager == "Dealer's Natural"] == [net]


TWO_CARDS = """
name = "T"
[[wager]]
name    = "Short"
settled = "end of round"
lines = [{ dealer = "12-20 in 2 cards", pays = "1 to 1" }]
"""


def test_an_unfinished_hand_is_drawn_out_before_it_is_paid_on() -> None:
    """15 in two cards is not a finished hand: the dealer draws although the player has busted, and the wager loses."""
    sheet = read_sheet(TWO_CARDS)
    state = play_cards(sheet, "Th 9d 9h 6c 5d", ["hit"], bets="$10, Short $5")
    assert state.wants_card
    done = play_cards(sheet, "Th 9d 9h 6c 5d 3c", ["hit"], bets="$10, Short $5")
    assert [result.net for result in done.results if result.wager == "Short"] == [-500]
    pat = play_cards(sheet, "Th 9d 9h Tc 5d", ["hit"], bets="$10, Short $5")
    assert [result.net for result in pat.results if result.wager == "Short"] == [500]

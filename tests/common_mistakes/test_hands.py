"""Totals, naturals and ties that other programs get wrong."""

from __future__ import annotations

import pytest

from holecard.deck import cards
from holecard.hands import count
from tests.scripted_rounds import can, nets, play_cards, refused


@pytest.mark.parametrize(
    ("hand", "total", "soft"),
    [
        ("As Ah", 12, True),
        ("As Ah Ad", 13, True),
        ("As Ah Ad Ac", 14, True),
        ("As Ah Ad 8c", 21, True),
        ("As Ah Ad 8c 9s", 20, False),
        ("As 8c Ah Ad Kd", 21, False),
        ("Ks 5d As Ah", 17, False),
        ("5d As 5h", 21, True),
        ("As 5d 5h As", 12, False),
        ("As Td", 21, True),
        ("Ts Td As", 21, False),
        ("9s As Ad", 21, True),
        ("Ts 9s As Ad", 21, False),
        ("Ts 9s As Ad As", 22, False),
    ],
)
def test_at_most_one_ace_counts_eleven(hand: str, total: int, soft: bool) -> None:
    """For any number and order of aces, one of them counts eleven if that does not bust."""
    assert count(cards(hand)) == (total, soft)


def test_a_natural_beats_a_drawn_21() -> None:
    """A natural is paid 3 to 2 against a dealer who draws to 21."""
    assert nets(_natural_and_a_stander()) == [("Bet", 15)]


def _natural_and_a_stander():
    """Seat 1 has a natural; seat 2 keeps the dealer drawing to 6 T 5."""
    return play_cards("classic", "As Ts 6d Kh 9s Th 5c", "stand", bets=["1: $10", "2: $10"])


def test_a_drawn_21_only_ties_a_drawn_21() -> None:
    """Three cards that count 21 push against the dealer's 21, and are paid even money against 20."""
    assert nets(play_cards("classic", "7s 6d 7h Th 7d 5c", "hit")) == [("Bet", 0)]
    assert nets(play_cards("classic", "7s Td 7h Th 7d", "hit")) == [("Bet", 10)]


def test_a_drawn_21_loses_to_a_natural() -> None:
    """Where the dealer's natural shows only at the end, a player's drawn 21 loses to it."""
    assert nets(play_cards("classic", "7s Td 7h 7d As", "hit", settings={"hole_card": "none"})) == [("Bet", -10)]


def test_two_naturals_push() -> None:
    """A player's natural against the dealer's natural is a push."""
    assert nets(play_cards("classic", "As Td Kh Ac")) == [("Bet", 0)]


def test_a_dealers_three_card_21_does_not_take_a_natural() -> None:
    """Where the sheet says a natural only ties a drawn 21, it pushes; by default it is paid."""
    fallen, bets = "As Ts 6d Kh 9s Th 5c", ["1: $10", "2: $10"]
    assert nets(play_cards("classic", fallen, "stand", bets=bets, settings={"natural_v_21": "tie"})) == [("Bet", 0)]


@pytest.mark.parametrize(("held", "total"), [("Ts 7d", 17), ("Ts 8d", 18), ("Ts 9d", 19), ("Ts Jd", 20)])
def test_equal_totals_push(held: str, total: int) -> None:
    """A tie returns the wager."""
    first, second = held.split()
    state = play_cards("classic", f"{first} Td {second} {total - 10 if total < 20 else 'T'}h", "stand")
    assert nets(state) == [("Bet", 0)]


def test_blackjack_after_a_split_is_21_only() -> None:
    """An ace and a ten on split aces pay even money, and lose no more than a 21 would."""
    state = play_cards("classic", "As 6d Ah Th Kd 9c 5c", "split")
    assert [tuple(map(str, hand.cards)) for hand in state.seats[0].hands] == [("As", "Kd"), ("Ah", "9c")]
    assert nets(state) == [("Bet", 0), ("Split", -10)]
    state = play_cards("classic", "As 6d Ah Th Kd Kc 2c", "split")
    assert nets(state) == [("Bet", 10), ("Split", 10)]


def test_a_split_ten_with_an_ace_is_not_a_natural_either() -> None:
    """Split tens that draw aces are two 21s, paid even money."""
    assert nets(play_cards("classic", "Ts 6d Kh Th Ad Ac 2c", "split")) == [("Bet", 10), ("Split", 10)]


def test_doubling_a_natural_is_not_offered() -> None:
    """A natural is paid at once, without a decision."""
    state = play_cards("classic", "As 6d Kh Th")
    assert state.phase == "done"
    assert nets(state) == [("Bet", 15)]


def test_doubling_a_soft_21_is_refused() -> None:
    """A split ace that becomes 21 stands automatically, and a drawn soft 21 has nothing to decide."""
    playing_on = {"split_aces_get": "play on", "double_cards": "any number"}
    state = play_cards("classic", "As 6d Ah Th Kd", "split", settings=playing_on)
    assert state.seats[0].hands[0].total == 21
    assert state.queue, "the first hand is over; the second ace waits for its card"
    state = play_cards("classic", "As 6d 5h Th 5d", "hit", settings=playing_on)
    assert state.phase == "dealer"
    assert refused(state, "double", 1)


def test_hitting_a_21_is_not_offered() -> None:
    """A hand that reaches 21 stands: the dealer plays next."""
    assert play_cards("classic", "7s 6d 7h Th 7d", "hit").phase == "dealer"


def test_a_busted_player_loses_even_when_the_dealer_would_bust() -> None:
    """A player's bust loses at once: seat 1 has already lost when the dealer busts against seat 2."""
    state = play_cards("classic", "Ts Ts 6d 6h 9s Th Kd Kc", ["hit", "stand"], bets=["1: $10", "2: $10"])
    assert state.dealer_total == 26
    assert nets(state, 1) == [("Bet", -10)]
    assert nets(state, 2) == [("Bet", 10)]


def test_a_busted_dealer_pays_every_hand_that_stands() -> None:
    """The lowest standing total wins against a bust."""
    assert nets(play_cards("classic", "2s 6d 2h Th Kc", "stand")) == [("Bet", 10)]


def test_the_dealer_draws_no_card_when_every_player_has_busted() -> None:
    """The hole card is turned and the round is over, although the dealer has only 12."""
    state = play_cards("classic", "Ts 6d 6h 6c Kd", "hit")
    assert state.phase == "done"
    assert len(state.dealer) == 2
    assert state.hole_seen


def test_the_dealer_draws_no_card_when_every_player_has_been_paid() -> None:
    """A table of naturals against a six is over after the deal."""
    state = play_cards("classic", "As Ah 6d Kh Kd 6c", bets=["1: $10", "2: $10"])
    assert len(state.dealer) == 2
    assert nets(state, 1) == nets(state, 2) == [("Bet", 15)]


def test_the_dealer_draws_out_for_a_wager_on_the_dealers_hand() -> None:
    """The dealer draws for a wager on the dealer's total, although the only hand has busted."""
    state = play_cards("double-up", "Ts 6d 6h 5c Kd 5d", "hit", bets="$10, Bonus 16 $5")
    assert state.dealer_total == 16
    assert nets(state) == [("Bet", -10), ("Bonus 16", 25)]


def test_open_insurance_makes_the_dealer_turn_one_card_and_no_more() -> None:
    """Without a check, the second card decides insurance; with every hand bust the dealer stops there."""
    state = play_cards("classic", "Ts Ad 6h Kd 5c", ["insurance $5", "hit"], settings={"hole_card": "none"})
    assert state.phase == "done"
    assert nets(state) == [("Bet", -10), ("Insurance", -5)]


def test_the_dealer_hits_soft_17_or_stands_as_the_sheet_says() -> None:
    """An ace and a six are 17: H17 hits, S17 stands; a hard 17 always stands."""
    assert play_cards("classic", "Ts Ad 9h 6c 5d 8s", ["no insurance", "stand"]).dealer_total == 20
    state = play_cards("classic", "Ts Ad 9h 6c", ["no insurance", "stand"], settings={"soft_17": "stand"})
    assert nets(state) == [("Bet", 10)]
    assert play_cards("classic", "Ts Td 9h 7c", "stand").phase == "done"


def test_a_dealer_who_hits_every_soft_total_stops_on_a_hard_one() -> None:
    """Soft 18, soft 20 and a drawn soft 21 take a card; a hard 17 and a natural do not."""
    words = {"dealer.soft": "hit all"}
    state = play_cards("classic", "Ts Ad 9h 7c Ts", ["no insurance", "stand"], settings=words)
    assert (state.dealer_total, state.dealer_soft, nets(state)) == (18, False, [("Bet", 10)])
    state = play_cards("classic", "Ts 5d 9h 5c Ah 6s", "stand", settings=words)
    assert (state.dealer_total, state.dealer_soft, nets(state)) == (17, False, [("Bet", 10)])
    assert play_cards("classic", "Ts Td 9h 7c", "stand", settings=words).phase == "done"
    for hole_card in ("peek", "no peek"):
        natural = play_cards(
            "classic",
            "Ts Td 9h Ac",
            *(() if hole_card == "peek" else ("stand",)),
            settings=words | {"hole_card": hole_card},
        )
        assert natural.phase == "done"
        assert nets(natural) == [("Bet", -10)]
    state = play_cards("classic", "Ts Td 9h Ac", "stand", settings=words | {"hole_card": "none"})
    assert (state.phase, nets(state)) == ("done", [("Bet", -10)])


def test_seats_act_in_turn_and_only_once() -> None:
    """Seat 2 acts after seat 1 stands; a seat that did not bet is skipped."""
    state = play_cards("classic", "Ts 9s 6d 2h 3d Th", bets=["1: $10", "4: $10"])
    assert state.asked
    assert state.asked.number == 1
    state = play_cards("classic", "Ts 9s 6d 2h 3d Th", "stand", bets=["1: $10", "4: $10"])
    assert state.asked
    assert state.asked.number == 4
    assert can(state) == {"hit", "stand", "double"}

"""Rules of single games that are easily missed: Charlie, push 22, push 17, ends on 16, Double-Up, tax."""

from __future__ import annotations

import pytest

from holecard.errors import WagerRefused
from holecard.sheets.read import read_sheet, rules
from holecard.table.advance import advance, start
from tests.scripted_rounds import bet, can, nets, play_cards, refused

CHARLIE = {"player.charlie": 5}


def test_a_charlie_wins_at_once() -> None:
    """Five cards without a bust are paid before the dealer plays; the dealer need not draw to 16."""
    state = play_cards("classic", "2s Td 2h 6h 2d 3c 3d", ["hit"] * 3, settings=CHARLIE)
    assert state.phase == "done"
    assert len(state.dealer) == 2
    assert nets(state) == [("Bet", 10)]


def test_five_cards_over_21_are_not_a_charlie() -> None:
    """A bust with any number of cards is a bust."""
    assert nets(play_cards("classic", "2s Td 2h Th 2d 8c Kd", ["hit"] * 3, settings=CHARLIE)) == [("Bet", -10)]


def test_a_charlie_pays_its_own_odds() -> None:
    """The sheet may pay a charlie 2 to 1."""
    state = play_cards("classic", "2s Td 2h Th 2d 3c 3d", ["hit"] * 3, settings=CHARLIE | {"settle.charlie": "2 to 1"})
    assert nets(state) == [("Bet", 20)]


def test_a_charlie_loses_to_a_natural_that_was_not_checked() -> None:
    """Where the dealer's natural is still possible the Charlie waits, and loses to it."""
    words = CHARLIE | {"hole_card": "none"}
    state = play_cards("classic", "2s Td 2h 2d 3c 3d Ac", ["hit"] * 3, settings=words)
    assert nets(state) == [("Bet", -10)]


def test_push_22() -> None:
    """A dealer's 22 pushes every live hand and pays a natural; any other bust pays all."""
    words = {"when_dealer_has": {"22": "push"}}
    assert nets(play_cards("classic", "Ts 6d 9h 6c Td", "stand", settings=words)) == [("Bet", 0)]
    assert nets(play_cards("classic", "Ts 6d 9h 7c Td", "stand", settings=words)) == [("Bet", 10)]
    state = play_cards("classic", "As Ts 6d Kh 9h 6c Td", "stand", bets=["1: $10", "2: $10"], settings=words)
    assert nets(state, 1) == [("Bet", 15)]
    assert nets(state, 2) == [("Bet", 0)]


def test_push_22_does_not_save_a_busted_hand() -> None:
    """A busted player has lost before the dealer's 22."""
    words = {"when_dealer_has": {"22": "push"}}
    state = play_cards(
        "classic", "Ts Ts 6d 6h 9h 6c Kd Td", ["hit", "stand"], bets=["1: $10", "2: $10"], settings=words
    )
    assert nets(state, 1) == [("Bet", -10)]


def test_a_final_17_pushes_everything_live() -> None:
    """Under the push-17 rule a 20 and a 12 both push, doubled wagers included."""
    assert nets(play_cards("quick-pay", "Ts Td Th 7c", ["stand", "pass"])) == [("Bet", 0), ("Surrender or Play", 0)]
    assert nets(play_cards("quick-pay", "6s Td 5h 7c 2d", ["double", "pass"])) == [
        ("Bet", 0),
        ("Surrender or Play", 0),
        ("Double", 0),
    ]


def test_a_soft_17_that_is_hit_is_not_final() -> None:
    """Only the final total counts."""
    state = play_cards("quick-pay", "Ts 6d Th Ac 2d", ["stand", "pass"])
    assert state.dealer_total == 19
    assert nets(state) == [("Bet", 10), ("Surrender or Play", 10)]


@pytest.mark.parametrize(
    ("fallen", "dealer"),
    [("Ts 6d 9h Th", 16), ("Ts 6d 9h 5c 5d", 16), ("Ts 5d 9h Ac", 16), ("Ts 6d 9h 9c Td", 25)],
)
def test_the_dealers_hand_ends_on_16(fallen: str, dealer: int) -> None:
    """Hard or soft, in two cards or three, the hand ends on 16: 19 pushes; 15 draws."""
    state = play_cards("double-up", fallen, "stand")
    assert state.dealer_total == dealer
    assert nets(state) == [("Bet", 0 if dealer == 16 else 10)]


def test_a_players_21_beats_a_dealers_16_and_ties_a_dealers_21() -> None:
    """21 does not win automatically."""
    assert nets(play_cards("double-up", "7s 6d 7h Th 7d", "hit")) == [("Bet", 10)]
    assert nets(play_cards("double-up", "7s 6d 7h 7c 7d 8d", "hit")) == [("Bet", 0)]


def test_a_tie_loses_the_double_up_wager_and_pushes_the_first() -> None:
    """19 against 19 after Double-Up costs one wager."""
    assert nets(play_cards("double-up", "Ts Td 9h 9c", "double up")) == [("Bet", 0), ("Double-Up", -10)]
    assert nets(play_cards("double-up", "Ts Td 9h 8c", "double up")) == [("Bet", 10), ("Double-Up", 10)]
    assert nets(play_cards("double-up", "Ts Td 9h 6c", "double up")) == [("Bet", 0), ("Double-Up", 0)]


def test_double_up_takes_no_card_and_stands() -> None:
    """The hand keeps its two cards, and the dealer plays next."""
    state = play_cards("double-up", "Ts Td 9h 5c", "double up")
    assert state.phase == "dealer"
    assert len(state.seats[0].hands[0].cards) == 2


def test_double_up_is_for_two_cards_only() -> None:
    """After a hit it is refused; on split aces it is legal besides standing."""
    assert refused(play_cards("double-up", "2s Td 3h 8c 4d", "hit"), "double up")
    assert can(play_cards("double-up", "As Td Ah 8c 9d", "split")) == {"stand", "double up"}


def test_double_up_after_a_split_is_the_sheets_choice() -> None:
    """If the sheet does not allow it, a split hand is played as usual and a split ace can only stand."""
    words = {"double_up_after_split": False}
    state = play_cards("double-up", "8s Td 8h 7c 9d", "split", settings=words)
    assert can(state) == {"hit", "stand", "double"}
    assert "made by splitting" in str(refused(state, "double up"))
    assert play_cards("double-up", "As Td Ah 5c 9d 9c", "split", settings=words).phase == "dealer"


def test_quick_pay_cashes_the_first_wager_and_pushes_the_second() -> None:
    """20 pays even money, 19 pays half, 18 pushes; 17 has no Quick Pay."""
    for second, won in {"Th": 10, "9h": 5, "8h": 0}.items():
        state = play_cards("quick-pay", f"Ts 9d {second} 7c", ["quick pay", "pass"])
        assert nets(state) == [("Bet", won), ("Surrender or Play", 0)]
    assert refused(play_cards("quick-pay", "Ts 9d 7h 7c"), "quick pay")


def test_ties_lose_where_both_cards_are_up() -> None:
    """The dealer wins a tie, and a natural is paid even money."""
    assert nets(play_cards("face-up", "Ts Td 9h 9c", "stand")) == [("Bet", -10)]
    assert nets(play_cards("face-up", "As Td Kh 9c")) == [("Bet", 10)]


def test_doubling_for_less() -> None:
    """Any number of whole chips up to the wager may be added; more, none, or fractions of a chip are refused."""
    state = play_cards("face-up", "6s Td 5h 9c")
    for amount in ("$11", "$10.01", "$0", "$0.50", "$3.50"):
        assert "it must be $1 to $10 in steps of $1" in str(refused(state, f"double {amount}"))
    assert nets(play_cards("face-up", "6s Td 5h 9c Kd", "double $1")) == [("Bet", 10), ("Double", 1)]
    assert nets(play_cards("face-up", "6s Td 5h 9c Kd", "double $3")) == [("Bet", 10), ("Double", 3)]


def test_chips_are_the_steps_of_the_main_wager() -> None:
    """With steps of 50 cents a double may be for 50 cents; with steps of $2 from $7, for $2, $4, $6 or all $7."""
    small = {"main.step": "$0.50"}
    assert nets(play_cards("face-up", "6s Td 5h 9c Kd", "double $0.50", settings=small)) == [
        ("Bet", 10),
        ("Double", 0.5),
    ]
    assert refused(play_cards("face-up", "6s Td 5h 9c", settings=small), "double $0.25")
    odd = {"main.min": "$7", "main.step": "$2", "main.max": "$47"}
    state = play_cards("face-up", "6s Td 5h 9c", bets="$7", settings=odd)
    taken = [amount for amount in range(1, 10) if refused(state, f"double ${amount}") is None]
    assert taken == [2, 4, 6, 7]
    assert "it must be $2 to $7 in steps of $2, or the full $7" in str(refused(state, "double $3"))
    assert refused(state, "double") is None


def test_a_wager_below_the_step_is_doubled_whole() -> None:
    """Wagers from 50 cents in steps of $1: 50 cents can only be doubled for 50 cents."""
    state = play_cards("face-up", "6s Td 5h 9c", bets="$0.50", settings={"main.min": "$0.50", "main.max": "$10.50"})
    assert refused(state, "double $0.50") is None
    assert "it must be exactly $0.50" in str(refused(state, "double $0.25"))


def test_doubling_on_hard_9_to_11_only() -> None:
    """A soft 19 and a hard 12 are not doubled; 9, 10 and 11 are."""
    for held, open_to in {
        "4s 5h": True,
        "4s 6h": True,
        "5s 6h": True,
        "4s 4h": False,
        "As 8h": False,
        "Ts 2h": False,
    }.items():
        first, second = held.split()
        assert ("double" in can(play_cards("face-up", f"{first} Td {second} 9c"))) is open_to


def test_only_the_first_two_cards_are_doubled_unless_the_sheet_says_so() -> None:
    """A three-card 11 may be doubled where any number of cards may."""
    fallen = "2s Td 3h 9c 6d"
    assert "double" not in can(play_cards("classic", fallen, "hit"))
    assert "double" in can(play_cards("classic", fallen, "hit", settings={"double_cards": "any number"}))


def test_a_doubled_hand_gets_one_card() -> None:
    """After it the hand stands, whatever its total."""
    state = play_cards("classic", "6s Td 5h 9c 2d", "double")
    assert state.phase == "done"
    assert nets(state) == [("Bet", -10), ("Double", -10)]


LUCK = "$10, Upcard Luck $5, Taxpayer's Fortune $1"


@pytest.mark.parametrize(
    ("fallen", "tax"),
    [
        ("As 7d Js Td", 5),
        ("3h 2d 8h Td", 5),
        ("5h 2d 6h Td", 5),
        ("As 7d Kh Td", 2),
        ("4s 7d 5h Td", 2),
        ("Ts 7d Th Td", 1),
        ("As 7d 9h Td", 1),
        ("Ts 7d 9h Td", 0),
        ("Ts 7d 8h Td", 0),
        ("As 8d Js Td", 0),
        ("4s 8d 5h Td", 0),
        ("Ts Ad Th 9d", 0),
    ],
)
def test_tax_is_due_against_2_to_7_only(fallen: str, tax: int) -> None:
    """The schedule takes 5, 2 or 1 dollars by the first two cards, and nothing when the upcard is not 2 to 7."""
    taxes = [net for wager, net in nets(play_cards("upcard-luck-21", fallen, bets=LUCK)) if wager.endswith("tax")]
    assert taxes == ([-tax] if tax else [])


def test_the_token_stays_the_players() -> None:
    """A Fortune that does not pay costs only its tax."""
    state = play_cards("upcard-luck-21", "Ts 8d 9h Td", "stand", bets=LUCK)
    assert ("Taxpayer's Fortune", 0) in nets(state)


def test_the_fortune_pays_fixed_dollars_for_a_long_bust() -> None:
    """A suited natural and a dealer's bust in five cards pay $80 with six decks, an unsuited one $40."""
    suited = play_cards("upcard-luck-21", "Ah 2d Kh 2c 2s 9d Kd", bets=LUCK)
    assert len(suited.dealer) == 5
    assert ("Taxpayer's Fortune", 80) in nets(suited)
    unsuited = play_cards("upcard-luck-21", "Ah 2d Ks 2c 2s 9d Kd", bets=LUCK)
    assert ("Taxpayer's Fortune", 40) in nets(unsuited)


def test_a_side_wager_may_be_limited_by_the_main_wager() -> None:
    """Upcard Luck is at most the main wager, to the dollar; the Fortune requires it."""
    table = start(rules("upcard-luck-21").tables)
    advance(table, bet("$10, Upcard Luck $10"))
    for words in ("$10, Upcard Luck $11", "$10, Taxpayer's Fortune $1", "$10, Upcard Luck $5, Taxpayer's Fortune $2"):
        with pytest.raises(WagerRefused):
            advance(table, bet(words))


def test_bonuses_are_settled_before_insurance_and_from_the_right() -> None:
    """Match Up pays the last seat first, before insurance is offered."""
    bets = ["1: $10, Match Up $1", "2: $10, Match Up $1"]
    state = play_cards("match-up", "As Ks Ad 5h 9h 9c", bets=bets)
    assert state.phase == "insurance"
    assert [(result.seat, result.net) for result in state.results] == [(2, -100), (1, 300)]
    left = play_cards("match-up", "As Ks Ad 5h 9h 9c", bets=bets, settings={"bonuses_from": "left"})
    assert [result.seat for result in left.results] == [1, 2]


def test_a_pay_table_pays_its_first_line_only() -> None:
    """Suited trips pay as trips, once; a straight flush does not also pay as a straight or a flush."""
    trips = play_cards("match-up", "7s 7s 7s Td", bets="$10, 3 Card Bonus $1")
    assert nets(trips) == [("3 Card Bonus", 20)]
    run = play_cards("match-up", "7s 9s 8s Td", bets="$10, 3 Card Bonus $1")
    assert nets(run) == [("3 Card Bonus", 30)]


def test_a_hedge_is_placed_after_the_check_and_paid_by_the_upcard() -> None:
    """A hedge on 18 with an 8 up pays 3 to 2; a seat with a natural is not asked."""
    state = play_cards("quick-pay", "Ts 8d 9h Tc", ["place Hedge 18 $10", "stand", "pass"])
    assert ("Hedge 18", 15) in nets(state)
    assert play_cards("quick-pay", "As 8d Kh Tc").phase == "done"
    assert play_cards("quick-pay", "Ts Ad 9h Kc").phase == "done"


def test_a_wager_may_wait_for_the_end_though_its_cards_are_seen() -> None:
    """Settled at the end of the round, a pair is paid after the hand; settled when decided, before it."""
    for when, order in {"end of round": ["Bet", "Pairs"], "when decided": ["Pairs", "Bet"]}.items():
        sheet = read_sheet(
            f'name = "T"\n[[wager]]\nname = "Pairs"\nsettled = "{when}"\nlines = [{{ hand = "pair", pays = "5 to 1" }}]'
        )
        state = play_cards(sheet, "9s 6d 9h Th Kd", "stand", bets="$10, Pairs $1")
        assert [wager for wager, _ in nets(state)] == order
        assert ("Pairs", 5) in nets(state)

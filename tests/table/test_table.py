"""A table with players: accounts, dealing, a shoe that runs out."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from holecard.deck import Card, cards
from holecard.errors import OutOfTurn, Refusal, WagerRefused
from holecard.sheets.read import rules
from holecard.table.events import CardDealt
from holecard.table.table import Table
from tests.stacked_shoe import Stacked, stacked

# Accounts


def test_a_win_and_a_loss_change_the_bankroll() -> None:
    """$100 and a natural on $10 make $115; the wagers of a round in play still belong to the seat."""
    table = stacked("classic", "As 6d Kh Th  Ts 6d 6h 5c Kd", bankroll="$100")
    table.bet("$10")
    assert (table.bankroll(), table.at_risk()) == (10_000, 1_000)
    table.deal()
    assert (table.bankroll(), table.at_risk(), table.net()) == (11_500, 0, 1_500)
    table.bet("$10")
    table.deal()
    table.act("hit")
    assert (table.bankroll(), table.net()) == (10_500, -1_000)


def test_a_table_without_bankrolls_keeps_no_accounts() -> None:
    """Every seat may wager the limit."""
    table = Table("classic", seed=1)
    table.bet("$500")
    assert table.bankroll() is None


def test_a_bet_beyond_the_bankroll_is_refused() -> None:
    """Both wagers of a pair count, and so do side wagers."""
    table = Table("quick-pay", bankroll="$19", seed=1)
    with pytest.raises(WagerRefused, match=r"has \$19 to wager, and this takes \$20"):
        table.bet("$10")
    table.bet("$9")
    table = Table("double-up", bankroll="$14", seed=1)
    with pytest.raises(WagerRefused):
        table.bet("$10", {"Bonus 16": "$5"})
    table.bet("$10", {"Bonus 16": "$4"})


def test_the_tax_is_reserved_when_the_token_is_placed() -> None:
    """$10, $5 and the token need $5 more for the highest tax."""
    sides = {"Upcard Luck": "$5", "Taxpayer's Fortune": "$1"}
    with pytest.raises(WagerRefused, match=r"this takes \$21"):
        Table("upcard-luck-21", bankroll="$20", seed=1).bet("$10", sides)
    table = Table("upcard-luck-21", bankroll="$21", seed=1)
    table.bet("$10", sides)
    assert table.at_risk() == 1_600


def test_a_changed_bet_takes_the_place_of_the_first() -> None:
    """The first wager is released when a seat bets again."""
    table = Table("classic", bankroll="$100", seed=1)
    table.bet("$60")
    table.bet("$80")
    assert table.at_risk() == 8_000
    with pytest.raises(WagerRefused):
        table.bet("$101")
    assert table.at_risk() == 8_000


def test_every_seat_has_its_own_bankroll() -> None:
    """Seat 1 does not get what seat 2 wins."""
    table = stacked("classic", "Ts As 6d 6h Kh 5c Td", bankroll="$100")
    table.bet("$10", seat=1)
    table.bet("$10", seat=2)
    table.deal()
    assert table.bankroll(2) == 11_500
    table.act("hit")
    assert (table.bankroll(1), table.bankroll(2)) == (9_000, 11_500)


def test_what_cannot_be_paid_is_not_offered() -> None:
    """A seat with nothing left may neither double nor split, and is refused if it tries."""
    table = stacked("classic", "8s 6d 8h Th", bankroll="$10")
    table.bet("$10")
    table.deal()
    assert {choice.action for choice in table.legal()} == {"hit", "stand"}
    for action in ("double", "split"):
        with pytest.raises(WagerRefused, match=r"has \$0 to wager"):
            table.act(action)
    rich = stacked("classic", "8s 6d 8h Th", bankroll="$20")
    rich.bet("$10")
    rich.deal()
    assert {choice.action for choice in rich.legal()} == {"hit", "stand", "double", "split"}


def test_insurance_is_offered_as_far_as_it_can_be_paid() -> None:
    """A seat with $2.50 left of $12.50 is offered $1 or $2 of insurance, not half its wager or half a dollar."""
    table = stacked("classic", "8s Ad 8h Th", bankroll="$12.50")
    table.bet("$10")
    table.deal()
    insurance = next(choice for choice in table.legal() if choice.action == "insurance")
    assert (insurance.low, insurance.high, insurance.step) == (100, 200, 100)
    with pytest.raises(WagerRefused, match=r"has \$2.50 to wager, and this takes \$3"):
        table.act("insurance", "$3")


def test_open_insurance_is_at_risk() -> None:
    """Without a check under the ace it stays on the table, and cannot be staked again on a double."""
    table = stacked("classic", "6s Ad 5h Th", bankroll="$24", settings={"hole_card": "no peek"})
    table.bet("$10")
    table.deal()
    table.act("insurance", "$5")
    assert table.at_risk() == 1_500
    with pytest.raises(WagerRefused, match=r"has \$9 to wager"):
        table.act("double")


def test_a_double_for_less_is_offered_as_far_as_it_can_be_paid() -> None:
    """A seat with $3.75 left may double for at most $3, and one with 75 cents not at all: chips are dollars."""
    table = stacked("face-up", "6s 6d 5h Th", bankroll="$13.75")
    table.bet("$10")
    table.deal()
    double = next(choice for choice in table.legal() if choice.action == "double")
    assert (double.low, double.high, double.step) == (100, 300, 100)
    poor = stacked("face-up", "6s 6d 5h Th", bankroll="$10.75")
    poor.bet("$10")
    poor.deal()
    assert "double" not in {choice.action for choice in poor.legal()}


def test_a_wager_after_the_check_must_be_affordable() -> None:
    """Its stake is checked against the remaining money."""
    table = stacked("quick-pay", "Ts 8d 9h Tc", bankroll="$25")
    table.bet("$10")
    table.deal()
    with pytest.raises(WagerRefused, match=r"has \$5 to wager"):
        table.place({"Hedge 18": "$6"})
    table.place({"Hedge 18": "$5"})
    assert table.at_risk() == 2_500


# Running


def test_a_table_deals_until_somebody_is_asked() -> None:
    """The whole opening deal at once, then one card for each hit."""
    table = stacked("classic", "2s 6d 3h Th 2d 3d")
    table.bet("$10")
    table.deal()
    assert (table.phase, table.asked) == ("acting", 1)
    table.act("hit")
    assert [event.card for event in table.events if isinstance(event, CardDealt)] == list(cards("2d"))


def test_only_the_asked_seat_has_choices() -> None:
    """The list of every other seat is empty."""
    table = stacked("classic", "2s 2h 6d 3h 3s Th")
    table.bet("$10", seat=1)
    table.bet("$10", seat=2)
    table.deal()
    assert table.legal(2) == ()
    assert table.legal(1) == table.legal() != ()


@pytest.mark.parametrize(
    "call",
    [
        lambda table: table.deal(),
        lambda table: table.act("hit"),
        lambda table: table.place(),
        lambda table: table.record(),
    ],
    ids=["deal", "act", "place", "record"],
)
def test_nothing_happens_before_a_bet(call: Callable[[Table], object]) -> None:
    """There is no one to deal to at an empty table."""
    table = Table("classic", seed=1)
    with pytest.raises(OutOfTurn):
        call(table)


def test_a_new_bet_clears_the_table() -> None:
    """The next round starts without the last one's cards and results."""
    table = stacked("classic", "As 6d Kh Th")
    table.bet("$10")
    table.deal()
    assert table.results
    table.bet("$10")
    assert (table.results, table.state.dealer, table.phase) == ((), (), "betting")


def test_a_refused_bet_leaves_the_last_round_lying() -> None:
    """Only an accepted bet clears the table."""
    table = stacked("classic", "As 6d Kh Th")
    table.bet("$10")
    table.deal()
    with pytest.raises(Refusal):
        table.bet("$1")
    assert table.results
    assert table.phase == "done"


@pytest.mark.parametrize("seat", [0, 8, -1])
def test_there_are_seven_seats(seat: int) -> None:
    """No other seat can bet."""
    with pytest.raises(OutOfTurn, match="seats 1 to 7"):
        Table("classic", seed=1).bet("$10", seat=seat)


@pytest.mark.parametrize(("bet", "taken"), [("$2", True), ("$3", False), ("$10", True), ("$12", False), ("$1", False)])
def test_limits_of_the_main_wager(bet: str, taken: bool) -> None:
    """$2 to $10 in steps of $2."""
    table = Table("match-up", seed=1)
    if taken:
        table.bet(bet)
        assert table.at_risk() > 0
    else:
        with pytest.raises(WagerRefused, match=r"\$2 to \$10 in steps of \$2"):
            table.bet(bet)


def test_an_unknown_side_wager_is_refused_with_the_nearest() -> None:
    """And a game without side wagers says so."""
    with pytest.raises(WagerRefused, match="did you mean 'Match Up'"):
        Table("match-up", seed=1).bet("$10", {"Matchup": "$1"})
    with pytest.raises(WagerRefused, match="this game has none"):
        Table("classic", seed=1).bet("$10", {"Match Up": "$1"})
    with pytest.raises(WagerRefused):
        Table("quick-pay", seed=1).bet("$10", {"Hedge 18": "$1"})


def test_a_side_wager_named_twice_is_not_priced_or_placed_twice() -> None:
    """One wager in two spellings is refused, not silently dropped."""
    with pytest.raises(WagerRefused):
        Table("match-up", seed=1).bet("$10", {"Match Up": "$1", "match up": "$2"})


# A shoe that runs out


def test_a_shoe_that_runs_dry_is_restocked_from_settled_hands() -> None:
    """If every card not on the table has been drawn, a hit comes from the discards."""
    table = stacked("classic", "2s 2h 6d Th 3s Td", settings={"decks": 1})
    table.bet("$10", seat=1)
    table.bet("$10", seat=2)
    table.deal()
    assert isinstance(table.shoe, Stacked)
    drawn = table.shoe.draw(table.shoe.left)
    table.shoe.discard(drawn[:3])
    table.act("hit")
    hit = table.state.seats[0].hands[0].cards[-1]
    assert hit in drawn[:3]
    assert table.shoe.shuffles == 2


def _second_seat_hits_after_the_first_is_bust(game: str, sides: dict[str, str]) -> tuple[Table, set[Card]]:
    """Seat 1 busts with the shoe's last card, then seat 2 hits; also return the cards of seat 1's hand."""
    table = stacked(game, "Ts 2h 6d 6h 3s Td Kc", settings={"decks": 1})
    table.bet("$10", sides, seat=1)
    table.bet("$10", seat=2)
    table.deal()
    table.act("hit")
    busted = set(table.state.seats[0].hands[0].cards)
    table.shoe.draw(table.shoe.left)
    table.act("hit")
    return table, busted


def test_a_settled_hand_is_picked_up_for_the_reshuffle() -> None:
    """Without discards, a hit comes from the busted hand."""
    table, busted = _second_seat_hits_after_the_first_is_bust("classic", {})
    assert table.state.seats[1].hands[0].cards[-1] in busted
    assert table.shoe.left == 2


def test_the_cards_of_an_open_wager_stay_where_they_are() -> None:
    """A busted hand whose side wager waits for the dealer is not picked up: nothing is left to deal."""
    table, _ = _second_seat_hits_after_the_first_is_bust("double-up", {"Bonus 16": "$5"})
    assert {result.line for result in table.results if result.wager != "Bet" or result.seat == 2} == {
        "misdeal: handed back"
    }


def test_with_no_card_left_anywhere_every_open_wager_is_handed_back() -> None:
    """No stock and no discards: a misdeal costs no one anything."""
    table = stacked("classic", "2s 6d Th Td", settings={"decks": 1}, bankroll="$100")
    table.bet("$10")
    table.deal()
    table.shoe.draw(table.shoe.left)
    table.act("hit")
    assert table.phase == "done"
    assert [(result.wager, result.net) for result in table.results] == [("Bet", 0)]
    assert table.bankroll() == 10_000


def test_the_rules_of_a_table() -> None:
    """Given by name, by sheet or with settings."""
    assert Table(rules("face-up")).rules is rules("face-up")
    assert Table("classic", settings={"decks": 2}).tables.decks == 2


@pytest.mark.parametrize("seat", [8, -1, True, "1", 1.5])
def test_a_seat_that_is_not_there_is_refused(seat: int) -> None:
    """Its net result is not $0, and it sees nothing."""
    table = Table("classic", bankroll="$100", seed=1)
    for ask in (table.view, table.net, table.at_risk, table.bankroll):
        with pytest.raises(OutOfTurn, match=r"seat .* does not exist; this table has seats 1 to 7"):
            ask(seat)
    assert table.view(0).seat == 0


def test_a_policy_takes_a_view_and_the_legal_actions() -> None:
    """A function of the view alone is refused before a card is dealt."""
    table = Table("classic", seed=1)
    with pytest.raises(Refusal, match="takes two arguments, the seat's view and its legal actions"):
        table.play(lambda _view: "stand", bet="$10")  # type: ignore[arg-type, misc]
    assert table.phase == "betting"
    assert table.play(lambda *seen: "stand" if "stand" in seen[1] else seen[1][-1], bet="$10")

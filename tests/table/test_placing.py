"""Wagers that may be placed until the hole card is turned: by whom, when, how much, and how they are settled."""

from __future__ import annotations

import pytest

from holecard.errors import OutOfTurn, WagerRefused
from holecard.sheets.read import rules
from holecard.sheets.schema import RuleSheet
from holecard.table.advance import advance, start
from holecard.table.events import Act, Bet, Place
from holecard.table.legal import legal, offered, why_not
from holecard.table.records.record import read_record, replay
from holecard.table.state import State
from holecard.table.views import view
from tests.random_play import LATE_WAGERS, UPCARD_WAGERS
from tests.scripted_rounds import can, nets, play_cards, refused
from tests.stacked_shoe import stacked

HEDGES = ("Hedge 18", "Hedge 19", "Hedge 20", "Hedge 21")
TWO = ["1: $10", "2: $10"]


def late_sheet() -> RuleSheet:
    """Bust ($2 to $8 in steps of $2) and Eighteen (needs Bust, at most the main wager) until the turn, Twenty once."""
    return rules("classic", {"wager": LATE_WAGERS, "player.surrender": "late"})


def until_turned_only(**more: object) -> RuleSheet:
    """The same without Twenty."""
    return rules("classic", {"wager": LATE_WAGERS[:2], "player.surrender": "late", **more})


def names(state: State, seat: int | None = None) -> tuple[str, ...]:
    return tuple(wager.name for wager in offered(state, seat))


# When


def test_no_seat_is_asked_before_the_first_action() -> None:
    """The first decision is that of the hand; the wagers are open at the same time."""
    state = play_cards("quick-pay", "Ts 8d 9h Tc")
    assert state.phase == "acting"
    assert can(state) == {"hit", "stand", "double", "quick pay", "surrender"}
    assert names(state, 1) == HEDGES


def test_placing_does_not_take_the_turn() -> None:
    """The same hand has the same choices afterwards."""
    before = play_cards("quick-pay", "Ts 8d 9h Tc")
    after = play_cards("quick-pay", "Ts 8d 9h Tc", ["place Hedge 18 $5"])
    assert (after.phase, after.turn, after.hand, after.options) == (before.phase, 0, 0, before.options)
    assert legal(after) == legal(before)


@pytest.mark.parametrize(
    ("cards", "play"),
    [
        ("Ts 8d 6h Tc Kd", ["hit"]),
        ("Ts 8d 6h Tc", ["surrender"]),
        ("Ts 8d 9h Tc", ["quick pay"]),
        ("Ts 8d 9h Tc", ["stand"]),
        ("6s 8d 5h Tc 2d", ["double"]),
        ("8s 8d 8h Tc Td 9d", ["split", "stand", "stand"]),
    ],
    ids=["bust", "surrendered", "cashed", "standing", "doubled", "split"],
)
def test_there_is_a_last_call_whatever_became_of_the_hand(cards: str, play: list[str]) -> None:
    """The hole card is still down, the seat is asked, and the dealer plays after a pass."""
    state = play_cards("quick-pay", cards, play)
    assert (state.phase, state.hole_seen) == ("last call", False)
    assert state.asked
    assert state.asked.number == 1
    assert legal(state) == ()
    assert names(state, 1) == HEDGES
    assert play_cards("quick-pay", cards, [*play, "pass"]).hole_seen


def test_passing_after_everything_is_settled_draws_no_card() -> None:
    """No wager needs the dealer's hand; with a hedge placed at the last call the dealer draws."""
    assert play_cards("quick-pay", "Ts 8d 6h 4c Kd", ["hit", "pass"]).phase == "done"
    assert play_cards("quick-pay", "Ts 8d 6h 4c Kd", ["hit", "place Hedge 18 $2"]).wants_card


def test_the_last_call_goes_from_seat_to_seat() -> None:
    """In order, and only for seats that can still place something."""
    state = play_cards("quick-pay", "Ts 9s 8d 9h 9c Tc", ["stand", "stand"], bets=TWO)
    assert (state.phase, state.asked.number) == ("last call", 1)
    state = advance(state, Place(1))
    assert (state.phase, state.asked.number) == ("last call", 2)
    assert advance(state, Place(2)).phase == "done"


def test_a_seat_that_passed_may_still_place_while_another_is_asked() -> None:
    """The hole card is not turned yet, and the other seat is still asked."""
    state = play_cards("quick-pay", "Ts 9s 8d 9h 9c Tc", ["stand", "stand", "pass"], bets=TWO)
    state = advance(state, Place(1, {"Hedge 18": "$2"}))
    assert (state.phase, state.asked.number) == ("last call", 2)
    assert ("Hedge 18", 3) in nets(advance(state, Place(2)), 1)


def test_a_seat_that_places_early_does_not_change_who_is_asked() -> None:
    """Seat 1 is asked: seat 2's wager changes neither that nor its own call, at the last call or after the check."""
    for state in (
        play_cards("quick-pay", "Ts 9s 8d 9h 9c Tc", ["stand", "stand"], bets=TWO),
        play_cards(with_one_asked_once(), "Ts 9s 8d 9h 9c Tc", bets=TWO),
    ):
        after = advance(state, Place(2, {"Hedge 18": "$2"}))
        assert (after.phase, after.turn) == (state.phase, 0)
        assert advance(after, Place(1)).asked == after.seats[1]


def with_one_asked_once() -> RuleSheet:
    """Quick Pay with Hedge 19 offered once, after the check."""
    return rules("quick-pay", {"wager.Hedge 19.placed": "after the check"})


def test_a_seat_that_can_place_no_more_is_not_called() -> None:
    """All four are at their limits: the hole card is turned at once."""
    everything = "place " + ", ".join(f"{name} $100" for name in HEDGES)
    state = play_cards("quick-pay", "Ts 8d 9h Tc", [everything, "stand"])
    assert state.phase == "done"
    assert names(play_cards("quick-pay", "Ts 8d 9h Tc", [everything]), 1) == ()


def test_with_naturals_only_there_is_no_last_call() -> None:
    """No seat may hedge, so none is asked; a dealer's natural ends the round earlier."""
    assert play_cards("quick-pay", "As 8d Kh Tc").phase == "done"
    assert play_cards("quick-pay", "Ts Ad 9h Kc").phase == "done"
    state = play_cards("quick-pay", "As Ts 8d Kh 9c Tc", ["stand"], bets=TWO)
    assert (state.phase, state.asked.number) == ("last call", 2)
    assert names(state, 1) == ()
    assert isinstance(refused(state, "place Hedge 18 $2", 1), OutOfTurn)


def test_nothing_is_placed_while_a_card_is_awaited_or_after_the_turn() -> None:
    """Between a hit and its card, and while the dealer draws."""
    hit = play_cards("quick-pay", "5s 8d 4h 4c", ["hit"])
    assert why_not(hit, Place(1, {"Hedge 18": "$2"})) == "a card has to be dealt first"
    drawing = play_cards("quick-pay", "Ts 8d 9h 4c", ["stand", "pass"])
    assert drawing.hole_seen
    assert why_not(drawing, Place(1, {"Hedge 18": "$2"})) == "a card has to be dealt first"
    done = play_cards("quick-pay", "Ts 8d 9h Tc", ["stand", "pass"])
    assert why_not(done, Place(1, {"Hedge 18": "$2"})) == "the round is over"
    assert names(drawing, 1) == names(done, 1) == ()


def test_nothing_is_placed_before_the_check() -> None:
    """While insurance is offered, the dealer has not checked yet."""
    state = play_cards("quick-pay", "Ts Ad 9h 8c", settings={"insurance.pays": "2 to 1"})
    assert state.phase == "insurance"
    assert isinstance(refused(state, "place Hedge 18 $2"), OutOfTurn)
    assert names(state) == ()


def test_only_the_asked_seat_passes_and_only_when_asked_for_wagers() -> None:
    """At other times a Place without wagers has no meaning and is refused."""
    state = play_cards("quick-pay", "Ts 9s 8d 9h 9c Tc", bets=TWO)
    for seat in (1, 2):
        assert "cannot pass" in str(refused(state, "pass", seat))
    called = play_cards("quick-pay", "Ts 9s 8d 9h 9c Tc", ["stand", "stand"], bets=TWO)
    assert "cannot pass" in str(refused(called, "pass", 2))
    assert "place some or pass" in str(why_not(called, Act(1, "hit")))


def test_a_seat_that_is_not_in_the_round_places_nothing() -> None:
    """Seat 3 did not bet."""
    state = play_cards("quick-pay", "Ts 9s 8d 9h 9c Tc", bets=TWO)
    assert str(refused(state, "place Hedge 18 $2", 3)) == "seat 3 is not in this round"


# How much


def test_stakes_on_one_wager_add_up_and_are_settled_as_one() -> None:
    """$2 and $4 and $6 at 3 to 2 win $18, in one result."""
    play = ["place Hedge 18 $2", "place Hedge 18 $4", "stand", "place Hedge 18 $6"]
    state = play_cards("quick-pay", "Ts 8d 9h Tc", play)
    assert [result.stake for result in state.results if result.wager == "Hedge 18"] == [1200]
    assert ("Hedge 18", 18) in nets(state)


def test_the_sum_keeps_to_limits_and_steps() -> None:
    """Bust is $2 to $8 in steps of $2, however often it is placed."""
    sheet = until_turned_only()
    state = play_cards(sheet, "Ts 8d 9h Tc", ["place Bust $6"])
    assert refused(state, "place Bust $2") is None
    assert str(refused(state, "place Bust $4")) == (
        "Bust: $4 on top of $6 is outside the limits; together they must be $2 to $8 in steps of $2"
    )
    assert isinstance(refused(state, "place Bust $1"), WagerRefused)
    full = play_cards(sheet, "Ts 8d 9h Tc", ["place Bust $6", "place Bust $2"])
    assert names(full, 1) == ("Eighteen",)
    assert isinstance(refused(full, "place Bust $2"), WagerRefused)


def test_the_sum_keeps_to_the_main_wager() -> None:
    """Eighteen is at most the $10 bet, whatever a double or split added."""
    sheet = until_turned_only()
    state = play_cards(sheet, "8s 9d 8h Tc 3d", ["place Bust $2, Eighteen $7", "split"])
    assert sum(hand.wagered for hand in state.seats[0].hands) == 2000
    assert refused(state, "place Eighteen $3") is None
    assert "$4 on top of $7 is more than the main wager; together they can be at most $10" in str(
        refused(state, "place Eighteen $4")
    )


def test_a_wager_that_was_placed_earlier_is_there_for_the_one_that_needs_it() -> None:
    """Eighteen needs Bust: together with it, or after it, never before it."""
    sheet = until_turned_only()
    state = play_cards(sheet, "5s 9d 4h Tc 3d", ["hit"])
    assert "only be placed together with Bust" in str(refused(state, "place Eighteen $3"))
    assert refused(state, "place Bust $2, Eighteen $3") is None
    assert refused(play_cards(sheet, "5s 9d 4h Tc 3d", ["place Bust $2", "hit"]), "place Eighteen $3") is None


def test_where_no_wager_fits_under_the_main_wager_the_seat_is_not_called() -> None:
    """The only wager left has a minimum of $20 and may not exceed the $10 bet: nothing can be placed."""
    big = {**LATE_WAGERS[0], "min": "$20", "max": "$40", "at_most": "the main wager"}
    sheet = rules("classic", {"wager": [big]})
    assert play_cards(sheet, "Ts 8d 9h Tc", ["stand"]).phase == "done"
    assert play_cards(sheet, "Ts 8d 9h Tc", ["stand"], bets="$20").phase == "last call"


def test_results_come_in_the_order_of_the_sheet() -> None:
    """Not in the order of placing."""
    state = play_cards("quick-pay", "Ts 8d 9h Tc", ["place Hedge 20 $2", "place Hedge 18 $2", "stand", "pass"])
    assert [wager for wager, _ in nets(state)][2:] == ["Hedge 18", "Hedge 20"]


# With a wager that is offered once


def test_both_kinds_at_one_table() -> None:
    """The one that is offered once comes before the first action, and is refused after it."""
    sheet = late_sheet()
    state = play_cards(sheet, "Ts 9s 8d 9h 9c Tc", bets=TWO)
    assert (state.phase, state.asked.number) == ("after the check", 1)
    assert names(state, 1) == ("Bust", "Eighteen", "Twenty")
    assert names(state, 2) == ("Bust", "Eighteen")
    assert refused(state, "place Bust $2", 2) is None
    assert "no wager called 'Twenty' can be placed now" in str(refused(state, "place Twenty $2", 2))
    acting = play_cards(sheet, "Ts 9s 8d 9h 9c Tc", ["place Twenty $2, Bust $2", "pass"], bets=TWO)
    assert acting.phase == "acting"
    assert "no wager called 'Twenty' can be placed now" in str(refused(acting, "place Twenty $2"))
    assert refused(acting, "place Bust $2") is None


def test_a_wager_that_is_asked_for_once_has_no_last_call() -> None:
    """It is offered before any action, and not again."""
    sheet = rules("classic", {"wager": LATE_WAGERS[2:]})
    assert play_cards(sheet, "Ts 8d 9h Tc").phase == "after the check"
    assert play_cards(sheet, "Ts 8d 9h Tc", ["pass", "stand"]).phase == "done"


# With some upcards only


def by_upcard() -> RuleSheet:
    """Small card with 2 to 6 up, Needs it with 5 and 6 up, and Once, after the check, with T and 6 up."""
    return rules("classic", {"wager": UPCARD_WAGERS})


@pytest.mark.parametrize(
    ("upcard", "asked", "later"),
    [
        ("4d", ("Small card",), ("Small card",)),
        ("5d", ("Small card", "Needs it"), ("Small card", "Needs it")),
        ("6d", ("Small card", "Needs it", "Once"), ("Small card", "Needs it")),
        ("9d", (), ()),
        ("Td", ("Once",), ()),
    ],
)
def test_a_wager_that_can_only_lose_with_the_upcard_is_not_offered(
    upcard: str, asked: tuple[str, ...], later: tuple[str, ...]
) -> None:
    """By its own upcards, by its odds, or because the wager it needs is not offered."""
    state = play_cards(by_upcard(), f"Ts {upcard} 9h 7c")
    is_asked = "Once" in asked
    assert (state.phase, names(state, 1)) == ("after the check" if is_asked else "acting", asked)
    acting = advance(state, Place(1)) if is_asked else state
    assert names(acting, 1) == view(acting, 1).offered == later
    stood = advance(acting, Act(1, "stand"))
    assert (stood.phase == "last call") == bool(later)


def test_the_refusal_of_a_wager_names_its_upcards() -> None:
    """With a nine up neither asked nor unasked seats can place it, and nothing changes."""
    state = play_cards(by_upcard(), "Ts 9d 9h 7c")
    assert str(refused(state, "place Small card $2")) == (
        "no wager called 'Small card' can be placed now; Small card is offered only with 2 to 6 up, not with 9"
    )
    ten = play_cards(by_upcard(), "Ts Td 9h 7c")
    assert "Needs it is offered only with 5, 6 up, not with T" in str(refused(ten, "place Once $2, Needs it $2"))
    never = rules("classic", {"wager": [{**UPCARD_WAGERS[0], "lines": [{"dealer": "natural", "pays": "9 to 1"}]}]})
    assert "Small card is never offered: no line can pay" in str(
        refused(play_cards(never, "Ts 5d 9h 7c"), "place Small card $2")
    )


def test_an_early_wager_is_taken_whatever_the_upcard_will_be() -> None:
    """It is placed before the upcard is seen, and loses at once with another."""
    early = {**UPCARD_WAGERS[0], "placed": "before the deal"}
    state = play_cards(rules("classic", {"wager": [early]}), "Ts 9d 9h 7c", bets="$10, Small card $2")
    assert [(result.wager, result.net) for result in state.results] == [("Small card", -200)]


def test_cards_are_picked_up_where_no_wager_can_be_placed_with_the_upcard() -> None:
    """A seat that busted cannot place one with a six up, so that its cards may be shuffled."""
    low = rules("classic", {"decks": 1, "wager": [{**UPCARD_WAGERS[0], "upcard": "2-5"}]})
    shuffled = _shoe_runs_dry_after_a_bust(low)
    assert shuffled.seats[1].hands[0].cards[-1] in shuffled.seats[0].hands[0].cards


# Views, tables and records


def test_a_seats_view_says_what_it_may_place() -> None:
    """On its turn or not; a spectator may place nothing, and no seat sees another's offers."""
    state = play_cards("quick-pay", "As Ts 9s 8d Kh 9h 9c Tc", bets=["1: $10", "2: $10", "3: $10"])
    assert [view(state, seat).offered for seat in (0, 1, 2, 3, 4)] == [(), (), HEDGES, HEDGES, ()]
    assert view(state, 3).choices == ()
    assert view(play_cards("quick-pay", "Ts 8d 9h Tc", ["stand", "pass"]), 1).offered == ()


def test_any_seat_places_at_a_table_from_its_own_money() -> None:
    """Seat 2 pays for its own hedge during seat 1's turn, and cannot spend the same dollars twice."""
    table = stacked("quick-pay", "Ts 9s 8d 9h 9c Tc", bankroll="$25")
    table.bet("$10", seat=1)
    table.bet("$10", seat=2)
    table.deal()
    table.place({"Hedge 18": "$4"}, seat=2)
    assert (table.at_risk(1), table.at_risk(2), table.asked) == (2_000, 2_400, 1)
    with pytest.raises(WagerRefused, match=r"seat 2 has \$1 to wager, and this takes \$2"):
        table.place({"Hedge 18": "$2"}, seat=2)
    table.act("stand")
    table.act("stand")
    table.place()
    table.place({"Hedge 18": "$1"})
    # 18 ties 18, and $5 at 3 to 2 wins $7.50.
    assert (table.phase, table.net(2), table.bankroll(2)) == ("done", 750, 3_250)


def test_a_record_keeps_wagers_where_they_were_placed() -> None:
    """Each at its point among the decisions, and the round replays to the cent."""
    table = stacked("quick-pay", "5s Ts 8d 4h 9c Tc Th")
    table.bet("$10", seat=1)
    table.bet("$10", seat=2)
    table.deal()
    table.place({"Hedge 18": "$2"}, seat=2)
    table.act("hit")
    table.place({"Hedge 18": "$3"}, seat=1)
    table.act("stand")
    table.place({"Hedge 20": "$1"}, seat=1)
    table.act("stand")
    table.place()
    table.place({"Hedge 18": "$1"})
    record = table.record()
    assert record.play == (
        "seat 2: place Hedge 18 $2",
        "seat 1: hit",
        "seat 1: place Hedge 18 $3",
        "seat 1: stand",
        "seat 1: place Hedge 20 $1",
        "seat 2: stand",
        "seat 1: pass",
        "seat 2: place Hedge 18 $1",
    )
    assert replay(read_record(str(record)))[-1].results == table.results


def test_cards_of_a_seat_that_may_still_place_are_not_picked_up() -> None:
    """A later wager may depend on them, so a mid-round reshuffle leaves them on the table until the turn."""
    busted = _shoe_runs_dry_after_a_bust(until_turned_only(decks=1))
    assert busted.results[-1].line == "misdeal: handed back"
    plain = _shoe_runs_dry_after_a_bust(rules("classic", {"decks": 1}))
    assert plain.seats[1].hands[0].cards[-1] in plain.seats[0].hands[0].cards


def _shoe_runs_dry_after_a_bust(sheet: RuleSheet) -> State:
    table = stacked(sheet, "Ts 2h 6d 6h 3s Td Kc")
    table.bet("$10", seat=1)
    table.bet("$10", seat=2)
    table.deal()
    table.act("hit")
    table.shoe.draw(table.shoe.left)
    table.act("hit")
    return table.state


def test_a_wager_at_the_wrong_time_is_refused_by_its_own_name() -> None:
    """Not another wager's name."""
    with pytest.raises(WagerRefused, match="Hedge 18 is placed after the check, until the hole card is turned"):
        advance(start("quick-pay"), Bet(1, "$10", {"Hedge 18": "$5"}))

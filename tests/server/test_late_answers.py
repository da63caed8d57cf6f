"""What comes too late: an answer to an earlier question, a seed after the first card, a seat that still plays."""

from __future__ import annotations

import random
from typing import Any

import pytest

import holecard
from holecard.errors import OutOfTurn
from holecard.server.errors import NotAllowed, code_of
from holecard.server.game.clock import deadline
from holecard.server.game.commands import AddSeed, DealNow, Leave, PlaceBet, Sit, TakeAction
from holecard.server.game.decide import Actor
from holecard.server.game.frames import table_view
from holecard.table.legal import legal
from tests.server.driven_table import ANN, BOB, DrivenTable, random_bet, random_decision

CARL = Actor("carl", "Carl")


def dealt(driven: DrivenTable, rng: random.Random) -> None:
    for actor, seat in ((ANN, 1), (BOB, 3)):
        driven.do(random_bet(driven.table, seat, rng), actor)
    driven.do(DealNow(), ANN)


def answer_by_clock(driven: DrivenTable) -> None:
    driven.now = deadline(driven.table) or 0
    decision = driven.dealer.clock()
    assert decision is not None
    driven.add(decision)


def split_hand() -> DrivenTable:
    """Return a table at which Ann plays the first hand of a split, and the second may be doubled."""
    rng = random.Random(1)
    for _ in range(1000):
        driven = DrivenTable.open("classic")
        dealt(driven, rng)
        asked, actions = driven.table.state.asked, {str(choice.action) for choice in legal(driven.table.state)}
        if driven.table.state.phase != "acting" or asked is None or asked.number != 1 or "split" not in actions:
            continue
        driven.do(TakeAction(seat=1, action="split"), ANN)
        asked = driven.table.state.asked
        # With one card more, a ten or an ace could be 21, which asks nothing.
        if driven.table.state.hand == 0 and asked is not None and asked.number == 1 and asked.hands[1].total < 10:
            return driven
    raise AssertionError("nobody could split")


def test_a_double_for_the_first_hand_does_not_double_the_second() -> None:
    """The clock stood on the first hand before the player's command arrived."""
    driven = split_hand()
    seen = driven.table.sequence
    answer_by_clock(driven)
    assert driven.table.state.hand == 1
    late = TakeAction(seat=1, action="double", seen=seen)
    with pytest.raises(OutOfTurn, match=rf"answers message {seen}, and the table asked something else") as refused:
        driven.do(late, ANN)
    assert code_of(refused.value) == "out of turn"
    assert not driven.table.state.seats[0].hands[1].doubled
    driven.do(late.model_copy(update={"seen": driven.table.sequence}), ANN)
    assert driven.table.state.seats[0].hands[1].doubled


def test_an_answer_counts_as_long_as_the_table_asks_the_same() -> None:
    """Somebody who sits down asks nothing new."""
    driven = split_hand()
    seen = driven.table.sequence
    driven.do(Sit(seat=5), CARL)
    driven.do(TakeAction(seat=1, action="stand", seen=seen), ANN)
    assert driven.table.state.hand == 1


@pytest.mark.parametrize("game", holecard.games())
def test_every_question_of_a_game_has_the_number_of_the_entry_that_asked_it(game: str) -> None:
    """Acts and wagers: on the view that asked they are taken, on every earlier one refused."""
    rng, asked = random.Random(2), 0
    driven = DrivenTable.open(game)
    while asked <= 3:
        dealt(driven, rng)
        while driven.table.state.phase != "done":
            number = driven.table.sequence  # no entry here leaves the question as it was
            command = random_decision(driven.table, rng)
            actor = ANN if command.seat == 1 else BOB
            with pytest.raises(OutOfTurn, match="asked something else"):
                driven.do(command.model_copy(update={"seen": number - 1}), actor)
            driven.do(command.model_copy(update={"seen": number}), actor)
            asked += 1


def test_each_player_adds_one_seed_to_a_shoe() -> None:
    driven = DrivenTable.open("classic")
    driven.do(AddSeed(seed="first"), ANN)
    with pytest.raises(OutOfTurn, match="each player adds one"):
        driven.do(AddSeed(seed="second"), ANN)
    driven.do(AddSeed(seed="of Bob"), BOB)
    shoe = driven.table.shoe
    assert shoe is not None
    assert shoe.player_seeds == [("ann", "first"), ("bob", "of Bob")]


def test_a_seed_is_not_added_to_another_shoe_than_the_one_that_it_names() -> None:
    """A server could hold a seed back until it has chosen a next shoe that suits it."""
    driven = DrivenTable.open("classic", **{"shoe.procedure": "fresh each round"})
    first = driven.table.shoe
    assert first is not None
    dealt(driven, random.Random(1))
    while driven.table.state.phase != "done":
        answer_by_clock(driven)
    second = driven.table.shoe
    assert second is not None
    with pytest.raises(OutOfTurn, match=f"is for shoe {first.id}, which has ended; draw another one"):
        driven.do(AddSeed(seed="held back", shoe=first.id), ANN)
    driven.do(AddSeed(seed="fresh", shoe=second.id), ANN)
    driven.do(AddSeed(seed="for any shoe"), BOB)
    assert driven.table.shoe is not None
    assert driven.table.shoe.player_seeds == [("ann", "fresh"), ("bob", "for any shoe")]


def test_each_player_sees_the_own_seed() -> None:
    """A page knows from this whether it still has to add one, after it was loaded again or in another window."""
    driven = DrivenTable.open("classic")
    told = [shoe["your_seed"] for shoe in shoes_shown(driven)]
    assert told == [None, None, None]
    driven.do(AddSeed(seed="same"), ANN)
    driven.do(AddSeed(seed="of Bob"), BOB)
    told = [shoe["your_seed"] for shoe in shoes_shown(driven)]
    assert told == [None, "same", "of Bob"]
    assert [shoe["player_seeds"] for shoe in shoes_shown(driven)] == 3 * [["same", "of Bob"]]
    driven.do(Leave(seat=1), ANN)
    driven.do(Sit(seat=1), CARL)  # who has Ann's seat, but not her seed
    assert shoes_shown(driven)[1]["your_seed"] is None


def shoes_shown(driven: DrivenTable) -> list[dict[str, Any]]:
    """Return the shoe as somebody without a seat, the player of seat 1 and the one of seat 3 see it."""
    return [table_view(driven.table, seats)["shoe"] for seats in ((), (1,), (3,))]


def test_no_seed_is_added_after_the_first_card() -> None:
    driven = DrivenTable.open("classic")
    with pytest.raises(NotAllowed, match="only players who sit"):
        driven.do(AddSeed(seed="from the street"), CARL)
    driven.do(AddSeed(seed="in time"), ANN)
    dealt(driven, random.Random(1))
    for _ in range(2):  # in the round, and between this round and the next of the same shoe
        with pytest.raises(OutOfTurn, match="the first card of this shoe is dealt"):
            driven.do(AddSeed(seed="too late"), BOB)
        while driven.table.state.phase != "done":
            answer_by_clock(driven)
    shoe = driven.table.shoe
    assert shoe is not None
    assert shoe.player_seeds == [("ann", "in time")]


def test_the_seat_of_a_player_who_left_is_free_after_the_round() -> None:
    """A player who sat down at once would play somebody else's hand, and be paid for it."""
    driven = split_hand()
    driven.do(Leave(seat=1), ANN)
    with pytest.raises(OutOfTurn, match="seat 1 is free when this round is over"):
        driven.do(Sit(seat=1), CARL)
    while driven.table.state.phase != "done":
        answer_by_clock(driven)
    paid = {
        transfer.target for moved in driven.transfers for transfer in moved if transfer.target.startswith("player:")
    }
    assert "player:carl" not in paid
    driven.do(Sit(seat=1), CARL)
    driven.do(PlaceBet(seat=1, main=1000), CARL)
    assert driven.table.player_of(1) == "carl"

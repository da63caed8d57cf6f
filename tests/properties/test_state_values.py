"""States, moves, events, views and records are values, and a state has a text that reads back."""

from __future__ import annotations

import copy
import pickle
import random
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holecard.deck import card
from holecard.errors import Unreadable
from holecard.sheets.read import from_data
from holecard.sheets.schema import RuleSheet
from holecard.table.advance import advance, start
from holecard.table.events import Act, Bet, Checked, Deal, HoleCardShown, Misdeal, NoMoreBets, Place
from holecard.table.records.record import read_record
from holecard.table.state import PHASES, State
from holecard.table.table import Table
from holecard.table.views import view
from tests.random_play import play_round, sheets, steps
from tests.scripted_rounds import play_cards
from tests.selection import examples, one_in

seeds = st.integers(0, 2**32)
NAMES = list(sheets())


def _twin(sheet: RuleSheet) -> RuleSheet:
    """The same rules read again: equal, but not the same object."""
    return from_data(sheet.model_dump(mode="json", by_alias=True, exclude_unset=True), "twin")


@pytest.mark.parametrize("name", one_in(5, NAMES))
@examples(6)
@given(seed=seeds)
def test_a_state_is_equal_to_the_same_round_at_an_equal_table(name: str, seed: int) -> None:
    """Two separate tables agree after the same moves, and only then."""
    one, other = steps(sheets()[name].tables, seed, seats=2), steps(_twin(sheets()[name]).tables, seed, seats=2)
    states = [step.after for step in one]
    assert states == [step.after for step in other]
    assert [hash(state) for state in states] == [hash(step.after) for step in other]
    assert len({*states}) == len(states)
    assert all(step.before != step.after for step in one)


@pytest.mark.parametrize("name", one_in(5, NAMES))
@examples(2)
@given(seed=seeds)
def test_states_moves_events_and_views_are_values(name: str, seed: int) -> None:
    """A pickle or a deep copy is equal, has the same hash and the same type."""
    for step in random.Random(seed).sample(steps(sheets()[name].tables, seed, seats=2), 3):
        things = [step.after, step.move, *step.after.events, view(step.after, 1), view(step.after)]
        for thing in things:
            for again in (pickle.loads(pickle.dumps(thing)), copy.deepcopy(thing)):
                assert again == thing
                assert hash(again) == hash(thing)
                assert type(again) is type(thing)


@pytest.mark.parametrize("name", one_in(5, NAMES))
@examples(6)
@given(seed=seeds)
def test_a_state_is_one_line_that_reads_back(name: str, seed: int) -> None:
    """In every phase; and the round continues from it as from the original."""
    sheet = sheets()[name]
    for step in steps(sheet.tables, seed, seats=3):
        text = str(step.before)
        again = State.from_text(text, sheet)
        assert "\n" not in text
        assert again == step.before
        assert advance(again, step.move) == step.after
    assert State.from_text(str(step.after), sheet) == step.after


def test_a_misdealt_state_reads_back() -> None:
    """With no dealer card, one or two."""
    state = advance(advance(start("classic"), Bet(1, "$10")), NoMoreBets())
    for text in ("Ts", "6d", "5h", "9c"):
        over = advance(state, Misdeal())
        assert State.from_text(str(over), "classic") == over
        state = advance(state, Deal(card(text)))


def test_the_text_of_a_state() -> None:
    """It shows the table and the seat to act."""
    state = play_cards("double-up", "Th 6d 6s Kc", bets="$10, Bonus 16 $5")
    assert str(state) == (
        'acting | dealer 6d [Kc] | seat 1: hand Th 6s bet $10; side "Bonus 16" $5 | seat 1 hand 1 to act'
    )


SPLIT = str(play_cards("classic", "8h 6d 8s Kc 5d", ["split"]))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is not a phase"),
        ("actign", "did you mean 'acting'?"),
        ("acting", "there are no seats"),
        ("dealing", "there are no seats"),
        ("acting | seat 1: hand bet $10 | seat 1 hand 1 to act", "every seat two cards"),
        ("betting | seat 1: hand bet ten", "'ten' is not an amount of money"),
        ("betting | seat 1: hand bet -$10", "is not an amount of money"),
        ("betting | seat 9: hand bet $10", "this table has seats 1 to 7"),
        ("betting | seat 2: hand bet $10 | seat 1: hand bet $10", "are not seats in order"),
        ("betting | seat x: hand bet $10", "is not a seat's or a hand's number"),
        ("betting | seat 1: bet $10", "write 'side'"),
        ('betting | seat 1: hand bet $10; side "Pairs" $5', "is not a side wager of this game"),
        ("betting | seat 1: hand bet $10; side Pairs $5", "write it in double quotes"),
        ("betting | seat 1: side", "is incomplete"),
        ("betting | seat 1: hand", "needs a main wager"),
        ("betting | seat", "is incomplete"),
        ("betting | chair 1", "write 'seat'"),
        ("betting | seat 1: hand bet $10 | seat 2 hand 1 to act", "is not in the round"),
        ("dealing | dealer 6d 7d | seat 1: hand bet $10", "a deal that is under way"),
        ("betting | paid seat 1", "is incomplete"),
        (SPLIT.replace("8h", "1h"), "is not allowed here"),
        (SPLIT.replace("dealer 6d", "dealer 6x"), "is not a card"),
        (SPLIT + " | " + SPLIT, "write 'seat'"),
        (SPLIT.replace("; dealt 8h 8s", ""), "write the first two cards as well"),
        (SPLIT.replace("8s split $10 from-split", "8s from-split split $10"), "is not allowed here"),
        (SPLIT + " | paid", "is incomplete"),
        (SPLIT.replace("hand 1 to", "hand 3 to"), "is not in the round"),
        (None, "is not a state"),
    ],
)
def test_what_does_not_say_a_state_is_refused(text: str, words: str) -> None:
    """The message says what is wrong and what is valid."""
    with pytest.raises(Unreadable) as refused:
        State.from_text(text, "classic")
    assert words in str(refused.value)


SETTLED = 'done | seat 1: hand bet $5 settled | paid seat 1 "Bet" $5 $0 "x"'


@given(st.data())
def test_a_damaged_text_is_refused_or_reads_as_another_state(data: st.DataObject) -> None:
    """Never with an internal Python error, whatever was deleted, inserted or repeated."""
    words = data.draw(st.sampled_from([SPLIT, SETTLED])).split()
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(words)))
        new = data.draw(st.sampled_from(["", *words, *PHASES, "$5", '"', "\\", "|", ";", "[", "seat", "hand", "As"]))
        words[place : place + data.draw(st.integers(0, 2))] = new.split()
    with suppress(Unreadable):
        assert str(State.from_text(" ".join(words), "classic")).split() == words


def test_moves_and_events_of_different_kinds_differ() -> None:
    """Even if their contents are equal: an ace of spades is card 0, which equals False."""
    ace = card("As")
    alike = [Deal(ace), HoleCardShown(ace), Checked(False), (ace,)]
    assert all((one == other) is (one is other) for one in alike for other in alike)
    assert all((one != other) is (one is not other) for one in alike for other in alike)
    assert NoMoreBets() != Misdeal()
    assert NoMoreBets() == NoMoreBets()
    assert Bet(1, 10) == Bet(1, "$10", {}) != Bet(1, 11)
    assert {Place(1, {"A": 1, "B": 2}), Place(1, {"B": "$2", "A": "$1"})} == {Place(1, {"A": 1, "B": 2})}
    assert Act(1, "hit") != Act(2, "hit")


@pytest.mark.parametrize("name", one_in(5, NAMES))
@examples(6)
@given(seed=seeds)
def test_a_record_is_a_value(name: str, seed: int) -> None:
    """Equal to its copies and to the record read from its text, with the same hash."""
    table = Table(sheets()[name], seed=seed)
    play_round(table, random.Random(seed), seats=2)
    record = table.record()
    for again in (pickle.loads(pickle.dumps(record)), copy.deepcopy(record), read_record(str(record))):
        assert again == record
        assert hash(again) == hash(record)

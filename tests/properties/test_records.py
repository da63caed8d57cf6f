"""A round that is recorded, read and replayed is the same round."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holecard.sheets.read import rules
from holecard.table.records.record import read_record, replay
from holecard.table.state import State
from holecard.table.table import Table
from tests.random_play import play_round, sheets, varied
from tests.selection import examples, one_in, quick_where

seeds = st.integers(0, 2**32)
NAMES = list(sheets())
SMALL = {
    "cut card": {"decks": 1, "cut_card": 100},
    "fresh": {"decks": 1, "procedure": "fresh each round"},
    "continuous": {"decks": 1, "procedure": "continuous shuffler"},
}
SMALL_SHEETS = {
    (name, how): sheet
    for name in NAMES
    for how, changes in SMALL.items()
    if (sheet := varied(name, changes)) is not None
}
#: All of these; the quick tests use each procedure with a few sheets.
SMALL_CASES = quick_where(SMALL_SHEETS, lambda case: NAMES.index(case[0]) % 7 == 2 * list(SMALL).index(case[1]))


def _on_the_table(state: State) -> tuple[object, ...]:
    """A state without its sheet and the events of the last move."""
    return (*state._replace(tables=None, events=()),)


def _assert_replays(table: Table) -> None:
    record = table.record("a round")
    again = read_record(str(record))
    assert again == record
    assert str(again) == str(record)
    final = replay(again)[-1]
    assert _on_the_table(final) == _on_the_table(table.state)
    assert final.results == table.results


@pytest.mark.parametrize("name", one_in(4, NAMES))
@examples(8)
@given(seed=seeds)
def test_record_read_replay_is_the_identity(name: str, seed: int) -> None:
    """Reading the text gives an equal record, and the replay ends with the same table to the cent."""
    table = Table(sheets()[name], seed=seed)
    rng = random.Random(seed)
    for _ in range(2):
        play_round(table, rng)
        _assert_replays(table)


@pytest.mark.parametrize(("name", "how"), SMALL_CASES)
@examples(3)
@given(seed=seeds)
def test_a_round_reshuffled_half_way_replays(name: str, how: str, seed: int) -> None:
    """Seven seats on one deck exhaust the shoe: the record notes the reshuffle and replays correctly."""
    table = Table(SMALL_SHEETS[name, how], seed=seed)
    rng = random.Random(seed)
    for _ in range(3):
        play_round(table, rng, seats=7)
        _assert_replays(table)


def test_rounds_of_one_deck_do_run_dry() -> None:
    """The reshuffles that the other tests need do occur."""
    table = Table(sheets()["classic"], seed=3, settings=SMALL["cut card"])
    rng = random.Random(3)
    found = 0
    for _ in range(60):
        play_round(table, rng, seats=7)
        found += bool(table.record().reshuffled)
    assert found > 5


@pytest.mark.parametrize("name", one_in(4, NAMES))
def test_every_state_of_a_replay_follows_from_the_one_before(name: str) -> None:
    """A replay starts with an empty table, ends with a finished round, and has a state for every step."""
    table = Table(sheets()[name], seed=11)
    play_round(table, random.Random(11), 2)
    states = replay(read_record(str(table.record())))
    assert states[0].phase == "betting"
    assert states[0].seats == ()
    assert states[-1].phase == "done"
    assert all(state.phase != "done" for state in states[:-1])


def test_settings_given_in_two_spellings_are_replayed_in_the_order_they_were_given() -> None:
    """A record of a sheet changed three times uses the last change."""
    sheet = rules(rules(rules("classic", {"decks": 8}), {"shoe.decks": 6}), {"decks": 1})
    assert sheet.shoe.decks == 1
    table = Table(sheet, seed=1)
    play_round(table, random.Random(1), 1)
    assert table.record().rules.shoe.decks == 1

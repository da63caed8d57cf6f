"""A table is its log: everybody who folds it again gets the same table, the same money, and records that replay."""

from __future__ import annotations

import random

import pytest

import holecard
from holecard.server.game.entries import Moved, write_entry
from holecard.server.game.frames import snapshot
from holecard.table.records.record import read_record, replay
from tests.selection import quick
from tests.server.driven_table import DrivenTable

GAMES = holecard.games(examples=True)


def played(game: str, rounds: int, seed: int = 1) -> DrivenTable:
    driven, rng = DrivenTable.open(game), random.Random(seed)
    for _ in range(rounds):
        driven.play_round(rng)
    return driven


@pytest.mark.parametrize("game", quick(GAMES, "double-up", "quick-pay", "face-up"))
def test_a_log_folds_to_the_same_table(game: str) -> None:
    driven = played(game, 12)
    again = driven.refolded()
    assert again.state == driven.table.state
    assert snapshot(again, (1,)) == snapshot(driven.table, (1,))
    assert again.rounds == 12


@pytest.mark.parametrize("game", quick(GAMES, "classic", "upcard-luck-21", "match-up"))
def test_every_round_is_a_record_that_replays(game: str) -> None:
    driven, rng = DrivenTable.open(game), random.Random(2)
    for _ in range(8):
        driven.play_round(rng)
        record = read_record(str(driven.table.record()))
        assert replay(record)[-1].results == driven.table.state.results


@pytest.mark.parametrize("game", quick(GAMES, "quick-pay", "match-up"))
def test_a_copy_does_not_change_with_its_original(game: str) -> None:
    driven = played(game, 3)
    copy = driven.table.copy()
    before = snapshot(copy, (1, 3))
    driven.play_round(random.Random(3))
    assert snapshot(copy, (1, 3)) == before
    assert snapshot(driven.table, (1, 3)) != before


def test_the_log_never_holds_the_seed_of_a_shoe_in_play() -> None:
    driven = played("classic", 3)
    assert driven.secret is not None
    seed = driven.secret.seed.hex()
    assert not any(seed in write_entry(entry) for entry in driven.log)
    assert any(isinstance(entry, Moved) and entry.cards for entry in driven.log)

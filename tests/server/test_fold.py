"""A table is its log: everybody who folds it again gets the same table, the same money, and records that replay."""

from __future__ import annotations

import random

import pytest

import holecard
from holecard.server.fairness.shoe_document import redeal
from holecard.server.game.decide import Dealer
from holecard.server.game.entries import Moved, ShoeRevealed, write_entry
from holecard.server.game.frames import snapshot
from holecard.server.host.finished_shoes import shoe_document
from holecard.server.store.chain import LogRow
from holecard.table.records.record import read_record, replay
from tests.server.driven_table import DrivenTable

GAMES = holecard.games(examples=True)


def played(game: str, rounds: int, seed: int = 1) -> DrivenTable:
    driven, rng = DrivenTable.open(game), random.Random(seed)
    for _ in range(rounds):
        driven.play_round(rng)
    return driven


@pytest.mark.parametrize("game", GAMES)
def test_a_log_folds_to_the_same_table(game: str) -> None:
    driven = played(game, 12)
    again = driven.refolded()
    assert again.state == driven.table.state
    assert snapshot(again, (1,)) == snapshot(driven.table, (1,))
    assert again.rounds == 12


@pytest.mark.parametrize("game", GAMES)
def test_every_round_is_a_record_that_replays(game: str) -> None:
    driven, rng = DrivenTable.open(game), random.Random(2)
    for _ in range(8):
        driven.play_round(rng)
        record = read_record(str(driven.table.record()))
        assert replay(record)[-1].results == driven.table.state.results


@pytest.mark.parametrize("game", GAMES)
def test_a_copy_does_not_change_with_its_original(game: str) -> None:
    driven = played(game, 3)
    copy = driven.table.copy()
    before = snapshot(copy, (1, 3))
    driven.play_round(random.Random(3))
    assert snapshot(copy, (1, 3)) == before
    assert snapshot(driven.table, (1, 3)) != before


@pytest.mark.parametrize("game", GAMES)
def test_a_finished_shoe_is_dealt_again_from_its_seed(game: str) -> None:
    driven = played(game, 5)
    driven.add(Dealer(driven.table, driven.secret).close("the test is over"))
    rows = [LogRow("t", n, 0, write_entry(entry), None, None, None, "") for n, entry in enumerate(driven.log, 1)]
    shoes = [entry.shoe for entry in driven.log if isinstance(entry, ShoeRevealed)]
    documents = [shoe_document(rows, driven.sheet, shoe) for shoe in shoes]
    assert sum(len(document.rounds) for document in documents) == 5
    assert all(redeal(document).problems == () for document in documents)
    assert documents[-1].cut_short


def test_a_changed_card_is_found_when_the_shoe_is_dealt_again() -> None:
    driven = played("classic", 2)
    driven.add(Dealer(driven.table, driven.secret).close("the test is over"))
    log = list(driven.log)
    rows = [LogRow("t", n, 0, write_entry(entry), None, None, None, "") for n, entry in enumerate(log, 1)]
    shoe = next(entry.shoe for entry in log if isinstance(entry, ShoeRevealed))
    document = shoe_document(rows, driven.sheet, shoe)
    first = document.rounds[0]
    dealt = first.cards.split()
    other = next(card for card in ("As", "Kd", "7c") if card != dealt[0])
    changed = first.model_copy(update={"cards": " ".join([other, *dealt[1:]]), "record": None})
    problems = redeal(document.model_copy(update={"rounds": (changed, *document.rounds[1:])})).problems
    assert f"the table dealt {other}" in problems[0]
    wrong_seed = document.model_copy(update={"seed": "00" * 32})
    assert "not the one that was promised" in redeal(wrong_seed).problems[0]


def test_the_log_never_holds_the_seed_of_a_shoe_in_play() -> None:
    driven = played("classic", 3)
    assert driven.secret is not None
    seed = driven.secret.seed.hex()
    assert not any(seed in write_entry(entry) for entry in driven.log)
    assert any(isinstance(entry, Moved) and entry.cards for entry in driven.log)

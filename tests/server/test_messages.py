"""What the server sends is what docs/protocol.md lists: frames of random rounds fit the models, field by field."""

from __future__ import annotations

import random
from typing import Any, get_args

import pytest

import holecard
from holecard.server.game.commands import AddSeed, CloseTable, EndRound, Leave, PlaceBet, WithdrawBet
from holecard.server.game.decide import Actor
from holecard.server.game.entries import TableEntry, TableOpened
from holecard.server.game.folded_table import FoldedTable
from holecard.server.game.frames import frame, snapshot
from holecard.server.web.messages import server_messages
from tests.server.driven_table import ANN, BOB, DrivenTable

WATCHERS: tuple[tuple[int, ...], ...] = ((), (1,), (3,), (1, 3))


def check(message: dict[str, Any]) -> None:
    """The message has the fields of its model, no others, and each of the right type."""
    # A snapshot also has what only the connection knows.
    sent = {**message, "now": 1, "went_back": False} if message["type"] == "snapshot" else message
    read = server_messages.validate_python(sent)
    assert read.model_dump(mode="json") == sent


def check_all(driven: DrivenTable) -> set[str]:
    """Check every frame of a log for every watcher; return the kinds of entries that were seen."""
    opened = driven.log[0]
    assert isinstance(opened, TableOpened)
    table = FoldedTable(opened, driven.sheet, 0)
    for watcher in WATCHERS:
        check(frame(table, opened, watcher))
    for entry in driven.log[1:]:
        table.apply(entry, driven.now)
        for watcher in WATCHERS:
            check(frame(table, entry, watcher))
            check(snapshot(table, watcher))
    return {entry.kind for entry in driven.log}


@pytest.mark.parametrize("game", holecard.games(examples=True))
def test_every_frame_of_random_rounds_fits_the_protocol(game: str) -> None:
    driven = DrivenTable.open(game)
    for seed in range(3):
        driven.play_round(random.Random(seed))
    assert "moved" in check_all(driven)


def test_every_kind_of_entry_fits_the_protocol() -> None:
    driven, rng = DrivenTable.open("classic"), random.Random(1)
    driven.do(AddSeed(seed="lucky"), ANN)
    driven.play_round(rng)
    driven.do(PlaceBet(seat=1, main=1000), ANN)
    driven.do(WithdrawBet(seat=1), ANN)
    driven.do(Leave(seat=3), BOB)
    for _ in range(20):
        driven.do(PlaceBet(seat=1, main=1000), ANN)
        driven.add(driven.dealer._moved(holecard.NoMoreBets()))
        if not driven.table.is_between_rounds:
            break
    driven.do(EndRound(reason="a test"), Actor("carol", "Carol", is_operator=True))
    driven.do(CloseTable(), ANN)
    kinds = {kind.model_fields["kind"].default for kind in get_args(TableEntry)}
    assert check_all(driven) == kinds


@pytest.mark.parametrize("field", ["deadline", "choices", "shoe"])
def test_a_frame_without_one_of_its_fields_does_not_fit(field: str) -> None:
    driven = DrivenTable.open("classic")
    message = snapshot(driven.table, ())
    del message["view"][field]
    with pytest.raises(ValueError, match=field):
        check(message)


def test_a_frame_with_a_field_that_is_not_listed_does_not_fit() -> None:
    driven = DrivenTable.open("classic")
    message = snapshot(driven.table, ())
    message["view"]["hole_card"] = "As"
    with pytest.raises(ValueError, match="hole_card"):
        check(message)

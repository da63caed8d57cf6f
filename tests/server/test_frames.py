"""What people are sent depends on what they may know, and on nothing else."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator

import pytest

import holecard
from holecard.deck import DECK, cards
from holecard.errors import Refusal
from holecard.server.game.entries import Moved, TableEntry, TableOpened
from holecard.server.game.folded_table import FoldedTable
from holecard.server.game.frames import frame, snapshot
from holecard.table.events import Act, Action, CardDealt, HoleCardShown
from holecard.table.legal import legal, why_not
from tests.selection import one_in, quick
from tests.server.driven_table import DrivenTable

GAMES = holecard.games(examples=True)
#: Nobody, each player, and somebody on both seats.
WATCHERS: tuple[tuple[int, ...], ...] = ((), (1,), (3,), (1, 3))


def frames(log: list[TableEntry], driven: DrivenTable) -> Iterator[tuple[FoldedTable, list[bytes]]]:
    """Yield the table after each entry, with the bytes that each watcher is sent."""
    opened = log[0]
    assert isinstance(opened, TableOpened)
    table = FoldedTable(opened, driven.sheet, 0)
    for entry in log[1:]:
        table.apply(entry, 1_000)
        yield table, [json.dumps([frame(table, entry, w), snapshot(table, w)]).encode() for w in WATCHERS]


def is_revealed(table: FoldedTable) -> bool:
    return any(isinstance(event, HoleCardShown) for event in table.events) or table.state.hole_seen


def other_hole_cards(driven: DrivenTable) -> Iterator[list[TableEntry]]:
    """Yield the log of a round up to its last decision, with every other hole card that leaves the round open."""
    log = list(driven.log)
    place = next(n for n, entry in enumerate(log) if isinstance(entry, Moved) and entry.move == "no more bets")
    deal = log[place]
    assert isinstance(deal, Moved)
    dealt = list(cards(deal.cards))
    for card in DECK:
        changed = [*dealt]
        changed[5] = card  # seats 1 and 3, the upcard, seats 1 and 3, the hole card
        yield [*log[:place], deal.model_copy(update={"cards": " ".join(map(str, changed))}), *log[place + 1 :]]


@pytest.mark.parametrize(
    "game", one_in(99, [game for game in GAMES if holecard.rules(game).tables.hole_card == "peek"])
)
def test_the_same_public_history_sends_the_same_bytes_whatever_the_hole_card(game: str) -> None:
    compared = 0
    for seed in range(4):
        driven = DrivenTable.open(game)
        driven.play_round(random.Random(seed))
        told = [(is_revealed(table), sent) for table, sent in frames(driven.log, driven)]
        for log in other_hole_cards(driven):
            try:
                for (revealed, sent), (table, others) in zip(told, frames(log, driven), strict=False):
                    if revealed or is_revealed(table):
                        break
                    assert sent == others
                    compared += 1
            except Refusal:
                continue  # after another hole card the dealer needs other cards
    assert compared > 100


@pytest.mark.parametrize("game", quick(GAMES, "double-up", "quick-pay", "match-up"))
def test_no_hidden_card_is_in_a_frame(game: str) -> None:
    driven = DrivenTable.open(game)
    for seed in range(5):
        driven.play_round(random.Random(seed))
    for table, sent in frames(driven.log, driven):
        hidden = {event.card for event in table.events if isinstance(event, CardDealt) and event.hidden}
        shown = json.loads(sent[0])[0]["events"]
        dealt = [event["card"] for event in shown if event["event"] == "card"]
        assert dealt.count(None) == len([e for e in table.events if isinstance(e, CardDealt) and e.hidden])
        assert not hidden or None in dealt


def test_only_the_asked_player_gets_choices() -> None:
    driven, rng = DrivenTable.open("classic"), random.Random(1)
    for _ in range(5):
        driven.play_round(rng)
    for table, sent in frames(driven.log, driven):
        asked = table.state.asked
        if asked is None or not legal(table.state):
            continue
        views = [json.loads(one)[1]["view"] for one in sent]
        has_choices = [bool(view["choices"]) for view in views]
        assert has_choices == [False, asked.number == 1, asked.number == 3, True]


@pytest.mark.parametrize("game", quick(GAMES, "double-up", "quick-pay"))
def test_the_asked_player_sees_why_each_other_action_is_refused(game: str) -> None:
    driven, reasons = DrivenTable.open(game), 0
    for seed in range(8):
        driven.play_round(random.Random(seed))
    for table, sent in frames(driven.log, driven):
        state = table.state
        views = [json.loads(one)[1]["view"] for one in sent]
        for seats, view in zip(WATCHERS, views, strict=True):
            mine = state.asked is not None and state.asked.number in seats
            assert not view["refused"] or (mine and state.phase == "acting")
            if mine and state.phase == "acting":
                choices = {choice["action"] for choice in view["choices"]}
                assert choices | set(view["refused"]) == set(table.tables.actions)
            for action, words in view["refused"].items():
                refusal = why_not(state, Act(view["asked"], Action(action)))
                assert refusal is not None
                assert f"{action}: {words}; " in refusal
                reasons += 1
    assert reasons > 10


def test_cards_dealt_face_down_are_shown_to_their_owner_alone() -> None:
    game = next(game for game in GAMES if holecard.rules(game).tables.players_cards_down)
    driven = DrivenTable.open(game)
    driven.play_round(random.Random(3))
    for _table, sent in frames(driven.log, driven):
        nobody, ann, bob, both = [json.loads(one)[0]["events"] for one in sent]
        if not any(event["event"] == "card" for event in nobody):
            continue
        first_two = [event for event in nobody if event["event"] == "card"][:5]
        assert all(event["card"] is None for event in first_two if event["seat"])
        assert all(event["card"] for event in ann[:6] if event["seat"] == 1)
        assert all(event["card"] is None for event in ann[:5] if event["seat"] == 3)
        assert all(event["card"] for event in both[:5] if event["seat"])
        assert ann != bob
        return

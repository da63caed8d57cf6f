"""The steps of a replay in the browser show what the events say, card by card, for rounds of every game."""

from __future__ import annotations

import json
import random
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

import holecard
from holecard.server.game.entries import TableOpened
from holecard.server.game.folded_table import FoldedTable
from holecard.server.game.frames import frame
from tests.pages.programs import ROOT, node
from tests.selection import rounds as fewer
from tests.server.driven_table import DrivenTable

Frame = dict[str, Any]
LISTER = ROOT / "tests" / "pages" / "list_steps.js"


def rounds(game: str, seats: tuple[int, ...]) -> list[list[Frame]]:
    """The frames of some random rounds of a game, as the owner of these seats sees them."""
    driven, rng = DrivenTable.open(game), random.Random(game)
    for _ in range(4):
        driven.play_round(rng)
    opened = driven.log[0]
    assert isinstance(opened, TableOpened)
    table = FoldedTable(opened, driven.sheet, 0)
    found: list[list[Frame]] = [[]]
    for entry in driven.log[1:]:
        table.apply(entry, 1_000)
        if entry.kind == "moved":
            found[-1].append(frame(table, entry, seats))
            if table.state.phase == "done":
                found.append([])
    return found[:-1]


def visible(view: Frame) -> Counter[str]:
    hands = [view["dealer"]["cards"], *(hand["cards"] for seat in view["seats"] for hand in seat["hands"])]
    return Counter(card or "??" for cards in hands for card in cards)


def test_every_step_adds_what_its_events_say(tmp_path: Path) -> None:
    games = [game for game in holecard.games(examples=True) if not holecard.rules(game).tables.players_cards_down]
    replays = [one for game in games[:: 15 // fewer(15)] for seats in ((), (1,), (1, 3)) for one in rounds(game, seats)]
    file = tmp_path / "replays.jsonl"
    file.write_text("\n".join(map(json.dumps, replays)), encoding="utf-8")
    done = subprocess.run([node(), str(LISTER), str(file)], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    listed = [json.loads(line) for line in done.stdout.splitlines()]
    for frames, steps in zip(replays, listed, strict=True):
        on_table: Counter[str] = Counter()
        results: list[Frame] = []
        for step in steps:
            for event in step["events"]:
                if event["event"] == "card":
                    on_table[event["card"] or "??"] += 1
                elif event["event"] == "hole card":
                    on_table += Counter({event["card"]: 1})
                    on_table -= Counter({"??": 1})
                elif event["event"] == "result":
                    results.append({name: value for name, value in event.items() if name != "event"})
            assert visible(step["view"]) == on_table
            assert step["view"]["results"] == results
            assert len({event["event"] for event in step["events"]}) <= 1
        last_steps = {step["frame"]: step["view"] for step in steps}
        assert [last_steps[number] for number in range(len(frames))] == json.loads(
            json.dumps([one["view"] for one in frames])
        )
        assert [event for step in steps for event in step["events"]] == [e for one in frames for e in one["events"]]

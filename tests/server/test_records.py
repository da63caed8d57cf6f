"""Rounds as files: exports that agree with what was shown, records that replay, rules of a table with settings."""

from __future__ import annotations

import asyncio
import csv
import io
import random
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import text

import holecard
from holecard.errors import RecordError
from holecard.server.host import kept_shoes
from holecard.server.records.export import COLUMNS, round_record, rounds_file
from holecard.server.settings import ServerSettings
from holecard.server.store.database import connect, writing
from holecard.server.web.app import create_app
from holecard.table.records.record import Record, replay
from holecard.table.records.rounds_file import read_records, rounds_text
from tests.cli.shell import Shell, shell
from tests.server.fake_clock import FakeClock
from tests.server.test_web import Person, Socket, key

__all__ = ["shell"]

#: One of them is what the game has anyway.
SETTINGS = {"settle.natural": "6 to 5", "S17": True, "shoe.decks": 6}


class Played(NamedTuple):
    """A round as it was shown to those who played it."""

    table: str
    number: int
    at: int
    cards: Counter[str]
    lines: list[tuple[Any, ...]]


class House:
    """A server with two people who play at two tables, two seconds apart."""

    def __init__(self, client: TestClient, clock: FakeClock) -> None:
        self.client, self.clock = client, clock
        self.ann, self.bob = Person(client), Person(client)
        self.changed = self.open("double-up", settings=SETTINGS)
        self.quick = self.open("quick-pay")
        self.rounds: list[Played] = []
        for number in (1, 2):
            self.play(self.changed, number, {"Bonus 16": 500})
            self.play(self.quick, number, {})

    def open(self, game: str, **more: Any) -> str:
        table: str = self.ann.post("/api/v1/tables", {"id": key(), "game": game, **more}).json()["id"]
        assert self.ann.command(table, do="sit", seat=2).status_code == 200
        assert self.bob.command(table, do="sit", seat=5).status_code == 200
        return table

    def play(self, table: str, number: int, sides: dict[str, int]) -> None:
        rng, people = random.Random(number), {2: self.ann, 5: self.bob}
        for seat, person in people.items():
            bet = person.command(table, do="bet", seat=seat, main=1000 * seat, sides=sides)
            assert bet.status_code == 200, bet.text
        self.ann.command(table, do="deal")
        while (view := self.ann.get(f"/api/v1/tables/{table}").json()["view"])["phase"] != "done":
            who = people[view["asked"]]
            mine = who.get(f"/api/v1/tables/{table}").json()["view"]
            command: dict[str, Any] = {"do": "place"}
            if mine["choices"]:
                choice = rng.choice(mine["choices"])
                command = {"do": "act", "action": choice["action"], "amount": choice["high"]}
            assert who.command(table, seat=view["asked"], **command).status_code == 200
        cards = Counter(view["dealer"]["cards"])
        for seat in view["seats"]:
            for hand in seat["hands"]:
                cards.update(hand["cards"])
        lines = [
            tuple(one[name] for name in ("seat", "hand", "wager", "stake", "net", "line")) for one in view["results"]
        ]
        self.rounds.append(Played(table, number, self.clock.now, cards, lines))
        self.clock.forward(2)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    settings = ServerSettings(
        database=f"{tmp_path_factory.mktemp('records')}/holecard.db", skip_returns=True, message_burst=100_000
    )
    clock = FakeClock()
    with TestClient(create_app(settings, clock)) as client:
        yield House(client, clock)


# Exports


def exported_lines(person: Person, format: str) -> list[dict[str, Any]]:
    """Return the lines of a person's CSV or Parquet file, read by other people's programs."""
    answer = person.get(f"/api/v1/history/export?format={format}")
    assert answer.status_code == 200, answer.text
    if format == "csv":
        return [_typed(row) for row in csv.DictReader(io.StringIO(answer.text))]
    parquet = pytest.importorskip("pyarrow.parquet")
    found: list[dict[str, Any]] = parquet.read_table(io.BytesIO(answer.content)).to_pylist()
    return found


def _number(text: str) -> int | None:
    return int(text) if text else None


def _typed(row: dict[str, str]) -> dict[str, Any]:
    numbers = ("round", "at", "seat", "hand", "stake_cents", "net_cents", "balance_cents")
    typed: dict[str, Any] = {name: _number(value) if name in numbers else value for name, value in row.items()}
    return {**typed, "yours": {"True": True, "False": False}[row["yours"]], "table": row["table"].removeprefix("'")}


@pytest.mark.parametrize("format", ["csv", "parquet"])
def test_a_table_of_rounds_says_what_the_players_were_shown(house: House, format: str) -> None:
    for person, seat in ((house.ann, 2), (house.bob, 5)):
        lines = exported_lines(person, format)
        assert all(tuple(line) == COLUMNS for line in lines)
        assert len(lines) == sum(len(played.lines) for played in house.rounds)
        for played in house.rounds:
            mine = [line for line in lines if (line["table"], line["round"]) == (played.table, played.number)]
            names = ("seat", "hand", "wager", "stake_cents", "net_cents", "line")
            assert [tuple(line[name] for name in names) for line in mine] == played.lines
            assert {line["at"] for line in mine} == {played.at}
            assert all(Counter(line["cards"].split()) == played.cards for line in mine)
            assert [line["yours"] for line in mine] == [line["seat"] == seat for line in mine]
            assert all(line["version"] == holecard.__version__ for line in mine)
            assert {line["game"] for line in mine} == {
                "Double-Up Blackjack" if played.table == house.changed else holecard.rules("quick-pay").name
            }


def test_the_toml_export_replays_and_has_the_same_lines_as_the_csv(house: House) -> None:
    text = house.ann.get("/api/v1/history/export?format=toml").text
    records = read_records(text, "rounds.toml")
    lines = exported_lines(house.ann, "csv")
    for record in records:
        origin, final = record.origin, replay(record)[-1]
        assert origin is not None
        played = next(one for one in house.rounds if (one.table, one.number) == (origin.table, origin.number))
        nets = [(*one[:3], int(one.stake), int(one.net), one.line) for one in final.results]
        assert nets == played.lines
        same = [line for line in lines if (line["table"], line["round"]) == (origin.table, origin.number)]
        assert {(line["sheet"], line["shoe"].removeprefix("'"), line["at"]) for line in same} == {
            (origin.sheet, origin.shoe, origin.at)
        }
        assert {line["play"] for line in same} == {"; ".join(record.play)}
        assert origin.seats == {2: "you", 5: "other"}
        assert origin.sheet == record.rules.sha256
    assert [(one.origin.table, one.origin.number) for one in records if one.origin] == [
        (one.table, one.number) for one in reversed(house.rounds)
    ]


def test_history_goes_back_in_time(house: House) -> None:
    found = house.bob.get("/api/v1/history").json()
    newest = sorted(house.rounds, key=lambda played: -played.at)
    assert [(one["table"], one["number"], one["at"]) for one in found] == [played[:3] for played in newest]
    second = house.bob.get(f"/api/v1/history?limit=2&before={newest[0].at}").json()
    assert second == found[1:3]
    assert house.bob.get(f"/api/v1/history?before={newest[-1].at}").json() == []
    assert [one["seats"] for one in second] == [{"2": "other", "5": "you"}] * 2
    assert Person(house.client).get("/api/v1/history").json() == []
    one = house.ann.get(f"/api/v1/tables/{newest[0].table}/rounds/{newest[0].number}").json()
    own = {name: one[name] for name in ("balances", "record", "summary")}
    assert one == {**found[0], "seats": {"2": "you", "5": "other"}, **own}
    assert list(one["balances"]) == ["2"]
    assert len(replay(read_records(one["record"])[0])) > 1


def test_a_history_says_what_each_round_was_for_the_person_who_asks(house: House) -> None:
    for person, seat in ((house.ann, 2), (house.bob, 5)):
        for info in person.get("/api/v1/history").json():
            played = next(one for one in house.rounds if (one.table, one.number) == (info["table"], info["number"]))
            mine, told = [line for line in played.lines if line[0] == seat], info["summary"]
            assert (told["staked"], told["net"]) == (sum(line[3] for line in mine), sum(line[4] for line in mine))
            assert {hand["seat"] for hand in told["hands"]} == {seat}
            seen = Counter(told["dealer"])
            for hand in told["hands"]:
                seen.update(hand["cards"])
            assert seen < played.cards
    games = {info["game"]: info["title"] for info in house.ann.get("/api/v1/history").json()}
    assert games == {game: holecard.rules(game).name for game in ("double-up", "quick-pay")}
    only = house.ann.get(f"/api/v1/history?sheet={holecard.rules('quick-pay').sha256}").json()
    assert [info["table"] for info in only] == [house.quick] * 2
    assert house.ann.get(f"/api/v1/history?sheet={holecard.rules('double-up').sha256}").json() == []


def _row(record: str, sheet: str, **more: Any) -> dict[str, Any]:
    told = {
        "table": "t",
        "number": 1,
        "at": 5,
        "shoe": "s",
        "version": "0.0.1",
        "players": {"1": "ann"},
        "balances": {},
    }
    return {**told, "record": record, "sheet": sheet, **more}


def csv_lines(records: list[Record]) -> list[dict[str, str]]:
    file = rounds_file("csv")
    return list(csv.DictReader(io.StringIO((file.head() + file.add(records) + file.end()).decode())))


RECORD = """
game  = "classic"
bets  = ["seat 1: $10"]
cards = "As 6d Kh 9c"
paid  = [{ seat = 1, hand = 1, wager = "Bet", stake = "$10", net = "+$12", line = "natural: pays 6 to 5" }]
"""


def test_a_round_of_a_game_that_has_changed_since_carries_the_sheet_it_was_dealt_by() -> None:
    """As after an update of Holecard: the game of this name pays 3 to 2, and this round was dealt at 6 to 5."""
    old = holecard.rules("classic", {"settle.natural": "6 to 5"})
    sheets = {old.sha256: old.content}
    record = round_record(_row(RECORD, old.sha256), sheets, "ann")
    assert (record.game, record.rules) == (None, old)
    again = read_records(rounds_text([record, record]))
    assert again == (record, record)
    assert int(replay(again[0])[-1].results[0].net) == 1200
    (line,) = csv_lines([record])
    assert (line["net_cents"], line["yours"]) == ("1200", "True")


def test_a_sheet_that_is_not_the_one_of_the_round_is_named() -> None:
    now = holecard.rules("classic").sha256
    text = rounds_text([round_record(_row(RECORD.replace("6 to 5", "3 to 2").replace("12", "15"), now), {}, "ann")])
    assert replay(read_records(text)[0])
    with pytest.raises(RecordError, match=r"\(table t, round 1\): the sheet has changed: .* Holecard 0\.0\.1 dealt"):
        replay(read_records(text.replace(now, "0" * 64))[0])


def test_a_cell_that_looks_like_a_formula_is_not_one() -> None:
    sheet = holecard.rules("classic", {"name": "=HYPERLINK(1)"})
    row = _row(RECORD.replace("6 to 5", "3 to 2").replace("12", "15"), sheet.sha256, table="-t", shoe="@s")
    lines = csv_lines([round_record(row, {sheet.sha256: sheet.content}, "bob")])
    assert [(line["game"], line["table"], line["shoe"]) for line in lines] == [("'=HYPERLINK(1)", "'-t", "'@s")]


def test_a_server_without_pyarrow_says_which_files_it_writes(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    answer = house.ann.get("/api/v1/history/export?format=parquet")
    assert (answer.status_code, answer.json()["code"]) == (406, "not offered")
    assert answer.json()["message"] == "this server does not write Parquet files; take csv or toml instead"


# Balances


def play_together(ann: Person, bob: Person, table: str) -> tuple[int, int]:
    """Play one round, in which everybody stands; return what both have then."""
    for person, seat in ((ann, 2), (bob, 5)):
        assert person.command(table, do="bet", seat=seat, main=1000).status_code == 200
    ann.command(table, do="deal")
    while (view := ann.get(f"/api/v1/tables/{table}").json()["view"])["phase"] != "done":
        person = ann if view["asked"] == 2 else bob
        actions = {choice["action"] for choice in person.get(f"/api/v1/tables/{table}").json()["view"]["choices"]}
        action = next(action for action in ("stand", "no insurance") if action in actions)
        assert person.command(table, do="act", seat=view["asked"], action=action).status_code == 200
    mine, other = (person.get("/api/v1/me").json()["balance"] for person in (ann, bob))
    return mine, other


def test_a_round_keeps_what_its_players_have_after_it(database: str, tmp_path: Path, shell: Shell) -> None:
    settings = ServerSettings(database=database, skip_returns=True, messages_per_second=10_000, message_burst=10_000)
    with TestClient(create_app(settings)) as client:
        ann, bob = Person(client), Person(client)
        table, other_table = ann.open(), bob.open()
        ann.command(table, do="sit", seat=2)
        bob.command(table, do="sit", seat=5)
        # Bob has money at stake elsewhere: it is not free.
        bob.command(other_table, do="sit", seat=1)
        bob.command(other_table, do="bet", seat=1, main=3000)
        after = [play_together(ann, bob, table) for _ in range(2)]
        for person, seat, place in ((ann, 2, 0), (bob, 5, 1)):
            rounds = person.get("/api/v1/history").json()
            assert [one["balances"] for one in rounds] == [{str(seat): both[place]} for both in after[::-1]]
            one = person.get(f"/api/v1/tables/{table}/rounds/1").json()
            assert one["balances"] == {str(seat): after[0][place]}
            lines = list(csv.DictReader(io.StringIO(person.get("/api/v1/history/export").text)))
            found = {(line["round"], line["seat"]): line["balance_cents"] for line in lines}
            for number, both in enumerate(after, start=1):
                assert found.pop((str(number), str(seat))) == str(both[place])
            assert set(found.values()) == {""}, "what others have is shown"
            assert [str(line["balance_cents"] or "") for line in exported_lines(person, "parquet")] == [
                line["balance_cents"] for line in lines
            ]
            exported = person.get("/api/v1/history/export?format=toml").text
            records = read_records(exported)
            assert [one.origin.balances for one in records if one.origin] == [
                {seat: both[place]} for both in after[::-1]
            ]
            (tmp_path / "rounds.toml").write_text(exported)
            assert shell("replay", str(tmp_path / "rounds.toml")).code == 0
        asyncio.run(_forget_balances(database))
        assert ann.get("/api/v1/history").json()[0]["balances"] == {}
        assert ann.get("/api/v1/history/export").status_code == 200


async def _forget_balances(database: str) -> None:
    """Make rounds look as an older version has stored them."""
    engine = connect(database)
    async with writing(engine) as connection:
        await connection.execute(text("UPDATE rounds SET balances = NULL"))
    await engine.dispose()


# Rules of a table


def test_the_rules_of_a_table_with_settings_can_be_read_by_everybody(house: House) -> None:
    stranger = Person(house.client)
    found = stranger.get(f"/api/v1/tables/{house.changed}/rules").json()
    assert found["settings"] == {"settle.natural": "6 to 5", "dealer.soft_17": "stand"}
    assert "A natural pays 6 to 5" in found["text"]
    assert "A natural pays 3 to 2" in stranger.get("/api/v1/games/double-up").json()["text"]
    assert found["rules"]["game"] == "double-up"
    listed = {info["id"]: info["settings"] for info in stranger.get("/api/v1/tables").json()}
    assert listed == {house.changed: found["settings"], house.quick: {}}
    table = stranger.get(f"/api/v1/tables/{house.changed}").json()["table"]
    assert table["settings"] == found["settings"]
    with stranger.socket(house.changed) as socket:
        assert _hello(socket)["table"] == table
    assert stranger.get("/api/v1/tables/none/rules").status_code == 404
    assert house.client.portal is not None
    house.client.portal.call(house.client.app.state.services.host.forget, 0)  # type: ignore[attr-defined]
    assert stranger.get(f"/api/v1/tables/{house.changed}/rules").json() == found


@pytest.mark.slow
def test_past_rounds_and_shoes_name_the_settings_of_their_table(house: House) -> None:
    settings = {house.changed: {"settle.natural": "6 to 5", "dealer.soft_17": "stand"}, house.quick: {}}
    for path in ("/api/v1/history", "/api/v1/history/shoes"):
        found = house.ann.get(path).json()
        assert {one["table"] for one in found} == set(settings)
        assert all(one["settings"] == settings[one["table"]] for one in found)
    for table, changed in settings.items():
        assert house.ann.get(f"/api/v1/tables/{table}/rounds/1").json()["settings"] == changed
        assert house.ann.get(f"/api/v1/tables/{table}/rounds/1/replay").json()["settings"] == changed
    games = house.ann.get("/api/v1/history/statistics").json()["games"]
    assert {game["game"]: game["settings"] for game in games} == {
        "double-up": settings[house.changed],
        "quick-pay": {},
    }


def _hello(socket: Socket) -> dict[str, Any]:
    return socket.until("balance")[0]


@pytest.mark.parametrize(
    "path",
    [
        "name",
        "about",
        "source",
        "main.name",
        "wager.Bonus 16.name",
        "wager.Bonus 16.lines.0.name",
        "ruling.Insurance.why",
    ],
)
def test_settings_cannot_change_the_words_of_a_game(house: House, path: str) -> None:
    body = {"id": key(), "game": "double-up", "settings": {path: "=HYPERLINK(1)", "shoe.decks": 8}}
    answer = house.ann.post("/api/v1/tables", body)
    assert (answer.status_code, answer.json()["code"]) == (422, "sheet refused"), answer.text
    assert "=HYPERLINK(1)': names and other texts of a game cannot be changed" in answer.json()["message"]


@pytest.mark.parametrize(
    "settings",
    [
        {"settle.natural": "9" * 121},
        {"x" * 121: 1},
        {"dealer.ends_on": [17] * 31},
        {"shoe.decks": 10**30},
        {f"setting {number}": 1 for number in range(41)},
    ],
    ids=["text", "path", "list", "number", "many"],
)
def test_settings_are_few_and_short(house: House, settings: dict[str, Any]) -> None:
    answer = house.ann.post("/api/v1/tables", {"id": key(), "game": "classic", "settings": settings})
    assert (answer.status_code, answer.json()["code"]) == (422, "unreadable")


# Finished shoes


def test_a_finished_shoe_is_made_once(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """And asking for one counts for ten messages."""
    made: list[str] = []
    make = kept_shoes.KeptShoes._make

    async def watched(self: kept_shoes.KeptShoes, table: str, shoe: str) -> bytes:
        made.append(shoe)
        return await make(self, table, shoe)

    monkeypatch.setattr(kept_shoes.KeptShoes, "_make", watched)
    clock = FakeClock()
    with TestClient(create_app(ServerSettings(database=database, skip_returns=True), clock)) as client:
        ann = Person(client)
        tables = [ann.open() for _ in range(2)]
        shoes = [ann.get(f"/api/v1/tables/{table}").json()["view"]["shoe"]["id"] for table in tables]
        assert {info["id"] for info in ann.get("/api/v1/tables").json()} == set(tables)
        assert ann.get(f"/api/v1/tables/{tables[0]}/shoes/{shoes[0]}").status_code == 404
        for table in tables:
            ann.command(table, do="close")
        made.clear()  # nothing was found while they were dealt
        host = client.app.state.services.host  # type: ignore[attr-defined]

        async def ask() -> list[bytes]:
            return await asyncio.gather(
                *(host.finished_shoe_text(*one) for one in [*zip(tables, shoes, strict=True)] * 5)
            )

        assert client.portal is not None
        texts = client.portal.call(ask)
        assert sorted(made) == sorted(shoes)
        assert len(set(texts)) == 2
        clock.forward(60)
        found = [ann.get(f"/api/v1/tables/{tables[0]}/shoes/{shoes[0]}") for _ in range(7)]
        assert [one.status_code for one in found] == [200] * 5 + [429] * 2
        assert found[0].content == texts[0]
        assert Person(client).get(f"/api/v1/tables/{tables[0]}/shoes/{shoes[1]}").status_code == 404

"""A replay shows what the socket showed: the same entries, events and views, to the same person."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import text

import holecard
from holecard.server.game.entries import ShoeCommitted, read_entry
from holecard.server.host.replays import RoundFrames
from holecard.server.settings import ServerSettings
from holecard.server.store.chain import LogRow
from holecard.server.store.database import writing
from holecard.server.web.app import create_app
from holecard.sheets.descriptions.felt import Felt, felt
from holecard.table.records.rounds_file import read_records
from tests.selection import one_in
from tests.server.fake_clock import FakeClock
from tests.server.test_web import Person, Socket, key

Frame = dict[str, Any]
#: The games, and one with a rule that deals the players' cards face down.
TABLES: list[tuple[str, dict[str, Any]]] = [(game, {}) for game in holecard.games()]
FACE_DOWN = next(
    (game, {"shoe.decks": decks})
    for game in holecard.games()
    for decks in (2, 1)
    if not holecard.rules(game).tables.players_cards_down
    and holecard.rules(game, {"shoe.decks": decks}).tables.players_cards_down
)


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    settings = ServerSettings(
        database=f"{tmp_path_factory.mktemp('replays')}/holecard.db",
        skip_returns=True,
        messages_per_second=100_000,
        message_burst=100_000,
        guest_burst=1_000,
    )
    with TestClient(create_app(settings, FakeClock())) as found:
        yield found


class Watched:
    """A table at which Ann has two seats and Bob one; Ann, Bob and a spectator keep what their sockets show."""

    def __init__(self, client: TestClient, game: str, settings: dict[str, Any]) -> None:
        self.people = [Person(client), Person(client), Person(client)]
        self.ann, self.bob, self.eve = self.people
        opened = self.ann.post("/api/v1/tables", {"id": key(), "game": game, "settings": settings})
        self.table: str = opened.json()["id"]
        self.seen: list[list[Frame]] = [[], [], []]

    def play(self, rounds: int, rng: random.Random) -> None:
        self.sit_down()
        self.play_on(rounds, rng)

    def sit_down(self) -> None:
        for seat, person in ((1, self.ann), (3, self.bob), (4, self.ann)):
            assert person.command(self.table, do="sit", seat=seat).status_code == 200

    def play_on(self, rounds: int, rng: random.Random) -> None:
        with (
            self.ann.socket(self.table) as one,
            self.bob.socket(self.table) as two,
            self.eve.socket(self.table) as three,
        ):
            sockets = [one, two, three]
            for socket in sockets:
                socket.until("snapshot")
            for _ in range(rounds):
                self._round(sockets, rng)

    def _catch_up(self, sockets: list[Socket]) -> None:
        """Read what the sockets have, so that they show the same entry."""
        for mine, person, socket in zip(self.seen, self.people, sockets, strict=True):
            number = person.get(f"/api/v1/tables/{self.table}").json()["number"]
            while not mine or mine[-1]["number"] < number:
                mine.append(socket.until("entry")[-1])

    def _round(self, sockets: list[Socket], rng: random.Random) -> None:
        owner = {1: 0, 3: 1, 4: 0}
        for seat, who in owner.items():
            sides = self._sides(seat) if rng.random() < 0.7 else {}
            bet = self.people[who].command(self.table, do="bet", seat=seat, main=1000, sides=sides)
            if bet.status_code != 200:
                assert self.people[who].command(self.table, do="bet", seat=seat, main=1000).status_code == 200
        self.ann.command(self.table, do="deal")
        while (view := self.ann.get(f"/api/v1/tables/{self.table}").json()["view"])["phase"] != "done":
            person = self.people[owner[view["asked"]]]
            mine = person.get(f"/api/v1/tables/{self.table}").json()["view"]
            command: dict[str, Any] = {"do": "place"}
            if mine["choices"]:
                choice = rng.choice(mine["choices"])
                command = {"do": "act", "action": choice["action"], "amount": choice["high"]}
            elif rng.random() < 0.6:
                name = rng.choice(mine["offered"][str(view["asked"])])
                command["sides"] = {name: self._lowest(name)}
            answer = person.command(self.table, seat=view["asked"], **command)
            assert answer.status_code == 200, answer.text
        self._catch_up(sockets)

    @property
    def _game(self) -> str:
        found: str = self.ann.get(f"/api/v1/tables/{self.table}").json()["table"]["game"]
        return found

    def _sides(self, seat: int) -> dict[str, int]:
        offered = self.ann.get(f"/api/v1/tables/{self.table}").json()["view"]["offered"].get(str(seat), [])
        return {name: self._lowest(name) for name in offered}

    def _lowest(self, name: str) -> int:
        wagers = holecard.rules(self._game).tables.wagers
        return next(int(wager.limits.low) for wager in wagers if wager.name == name)


def rounds_of(frames: list[Frame]) -> dict[int, list[Frame]]:
    """Cut what a socket showed into rounds: each begins with the first bet and ends with the last result."""
    found: dict[int, list[Frame]] = {}
    current: list[Frame] = []
    for frame in frames:
        if frame["entry"]["kind"] != "moved" and not current:
            continue
        current.append(frame)
        if frame["view"]["phase"] == "done":
            found[frame["view"]["round"]] = current
            current = []
    return found


def without_deadline(frames: list[Frame]) -> list[Frame]:
    return [{**frame, "view": {**frame["view"], "deadline": None}} for frame in frames]


@pytest.mark.parametrize(("game", "settings"), one_in(99, [*TABLES, FACE_DOWN]), ids=lambda value: str(value)[:40])
def test_a_replay_has_the_frames_that_the_socket_showed_to_each_person(
    client: TestClient, game: str, settings: dict[str, Any]
) -> None:
    watched = Watched(client, game, settings)
    watched.play(2, random.Random(game))
    for person, seen in zip(watched.people, watched.seen, strict=True):
        live = rounds_of(seen)
        assert list(live) == [1, 2]
        for number, frames in live.items():
            replay = person.get(f"/api/v1/tables/{watched.table}/rounds/{number}/replay").json()
            assert replay["frames"] == without_deadline(frames)
            assert (replay["previous"], replay["next"]) == (number - 1 or None, number + 1 if number < 2 else None)
            assert Felt.model_validate(replay["felt"]) == felt(holecard.rules(game, settings))
            stored = person.get(f"/api/v1/tables/{watched.table}/rounds/{number}").json()
            record = read_records(stored["record"])[0]
            last = replay["frames"][-1]["view"]["results"]
            assert [
                (one["seat"], one["hand"], one["wager"], one["stake"], one["net"], one["line"]) for one in last
            ] == [(one.seat, one.hand, one.wager, int(one.stake), int(one.net), one.line) for one in record.paid]


def test_cards_that_were_face_down_stay_face_down_in_a_replay(client: TestClient) -> None:
    watched = Watched(client, *FACE_DOWN)
    watched.sit_down()
    for number in range(1, 30):
        watched.play_on(1, random.Random(number))
        address = f"/api/v1/tables/{watched.table}/rounds/{number}/replay"
        ann, bob, eve = (person.get(address).json()["frames"] for person in watched.people)
        deal = next(place for place, frame in enumerate(ann) if frame["entry"].get("move") == "no more bets")
        hands = [hand for seat in ann[deal]["view"]["seats"] for hand in seat["hands"]]
        if all(hand["status"] == "playing" for hand in hands):
            break  # a natural would be shown at once

    def known(frames: list[Frame]) -> list[int]:
        return [seat["seat"] for seat in frames[deal]["view"]["seats"] if None not in seat["hands"][0]["cards"]]

    assert (known(ann), known(bob), known(eve)) == ([1, 4], [3], [])
    for frames in (ann, bob, eve):
        last = frames[-1]["view"]
        assert all(None not in hand["cards"] for seat in last["seats"] for hand in seat["hands"])


def damage_starts(client: TestClient) -> None:
    """Make what the database says of the starts of shoes useless."""

    async def damage() -> None:
        async with writing(client.app.state.services.engine) as connection:  # type: ignore[attr-defined]
            await connection.execute(text("UPDATE shoe_starts SET start = '{}'"))

    assert client.portal is not None
    client.portal.call(damage)


@pytest.mark.slow
def test_a_round_is_folded_from_its_shoe_and_from_the_whole_log_alike(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seats change between shoes, and every round has a shoe of its own."""
    watched = Watched(client, "classic", {"shoe.procedure": "fresh each round"})
    watched.play(2, random.Random(1))
    assert watched.bob.command(watched.table, do="leave", seat=3).status_code == 200
    assert watched.eve.command(watched.table, do="sit", seat=3).status_code == 200
    watched.bob, watched.eve, watched.people[1:] = watched.eve, watched.bob, watched.people[:0:-1]
    watched.play_on(2, random.Random(2))
    read: list[list[LogRow]] = []
    add = RoundFrames.add

    def counted(self: RoundFrames, rows: Sequence[LogRow]) -> None:
        read.append(list(rows))
        add(self, rows)

    monkeypatch.setattr(RoundFrames, "add", counted)
    address = f"/api/v1/tables/{watched.table}/rounds/4/replay"
    short = [person.get(address).json() for person in watched.people]
    of_one_shoe = read[0]
    read.clear()
    damage_starts(client)
    assert [person.get(address).json() for person in watched.people] == short
    of_all = max(read, key=len)
    commitments = [row for row in of_all if isinstance(read_entry(row.body), ShoeCommitted)]
    assert len(commitments) >= 4
    assert of_one_shoe[0] in commitments
    assert of_one_shoe == of_all[-len(of_one_shoe) :] != of_all
    names = [seat["name"] for seat in short[0]["frames"][0]["view"]["seats"]]
    assert names[1] == watched.bob.get("/api/v1/me").json()["name"]


def test_a_round_that_does_not_exist_has_no_replay(client: TestClient) -> None:
    ann = Person(client)
    table = ann.open()
    for address in (f"{table}/rounds/1", "nowhere/rounds/1", "%20/rounds/1"):
        answer = ann.get(f"/api/v1/tables/{address}/replay")
        assert (answer.status_code, answer.json()["code"]) == (404, "not found")


def test_the_shoes_of_a_person_say_whether_they_can_be_checked(client: TestClient) -> None:
    for procedure, ended, rounds in (("fresh each round", True, [(2, 2), (1, 1)]), ("cut card", False, [(1, 2)])):
        watched = Watched(client, "classic", {"shoe.procedure": procedure})
        watched.play(2, random.Random(1))
        for person in (watched.ann, watched.bob):
            found = person.get("/api/v1/history/shoes").json()
            assert [(shoe["table"], shoe["ended"]) for shoe in found] == [(watched.table, ended)] * len(rounds)
            assert [(shoe["first"], shoe["last"]) for shoe in found] == rounds
            for shoe in found:
                answer = person.get(f"/api/v1/tables/{watched.table}/shoes/{shoe['shoe']}")
                assert answer.status_code == (200 if ended else 404)
        assert watched.eve.get("/api/v1/history/shoes").json() == []

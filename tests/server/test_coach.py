"""The coach over HTTP: the values of the engine, from what the person can see; sessions that add up their reviews."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from time import perf_counter
from typing import Any

import pytest
from fastapi.testclient import TestClient

import holecard
from holecard.coach.advice import advise
from holecard.coach.player_view import player_view
from holecard.server.settings import ServerSettings
from holecard.server.web.app import create_app
from holecard.table.state import State
from tests.selection import quick
from tests.server.compute_here import compute_here
from tests.server.fake_clock import FakeClock
from tests.server.test_web import Person, key

Answer = dict[str, Any]
#: Cards of other seats are face down in it.
FACE_DOWN = {"decks": 2, "face_down_with": [2]}


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """A server that computes in the process of the tests."""
    with TestClient(create_app(_settings(tmp_path_factory), FakeClock())) as found:
        compute_here(found)
        yield found


def _settings(folder: pytest.TempPathFactory) -> ServerSettings:
    return ServerSettings(
        database=f"{folder.mktemp('coach')}/holecard.db",
        skip_returns=True,
        messages_per_second=100_000,
        message_burst=100_000,
        guest_burst=1_000,
    )


class Coached:
    """A table at which Ann has seats 1 and 4, and Bob seat 3; all decide at random."""

    def __init__(self, client: TestClient, game: str, **settings: Any) -> None:
        self.client = client
        self.ann, self.bob = Person(client), Person(client)
        opened = self.ann.post("/api/v1/tables", {"id": key(), "game": game, "settings": settings})
        self.id: str = opened.json()["id"]
        self.owner = {1: self.ann, 3: self.bob, 4: self.ann}
        for seat, person in self.owner.items():
            assert person.command(self.id, do="sit", seat=seat).status_code == 200

    def coach(self, person: Person) -> Answer:
        answer = person.get(f"/api/v1/tables/{self.id}/coach")
        assert answer.status_code == 200, answer.text
        found: Answer = answer.json()
        return found

    def session(self, person: Person) -> Answer:
        """A person's session, once all rounds are counted."""
        while (found := self.coach(person)["session"])["left"]:
            pass
        return dict(found)

    def bet(self) -> None:
        low = int(self.folded.tables.main.low)
        for seat, person in self.owner.items():
            assert person.command(self.id, do="bet", seat=seat, main=low * 2).status_code == 200
        self.ann.command(self.id, do="deal")

    @property
    def folded(self) -> Any:
        host = self.client.app.state.services.host  # type: ignore[attr-defined]
        return host._tables[self.id].table

    def decide(self, rng: random.Random) -> tuple[Person, str | None]:
        """Let the seat asked decide; return who it was and what was done."""
        state = self.folded.state
        person = self.owner[state.asked.number]
        choices = holecard.legal(state)
        if not choices:
            assert person.command(self.id, do="place", seat=state.asked.number).status_code == 200
            return person, None
        choice = rng.choice(choices)
        high = None if choice.high is None else int(choice.high)
        done = person.command(self.id, do="act", seat=choice.seat, action=str(choice.action), amount=high)
        assert done.status_code == 200, done.text
        return person, str(choice.action)


@pytest.mark.parametrize("game", quick(holecard.games(), holecard.games()[0], holecard.games()[-1]))
def test_the_answer_is_the_engine_s_for_what_the_person_sees(client: TestClient, game: str) -> None:
    table, rng = Coached(client, game), random.Random(1)
    before = table.coach(table.ann)
    assert before["actions"] == []
    assert before["wagers"][0]["wager"] == table.folded.tables.stakes[0]
    table.bet()
    while (state := table.folded.state).phase != "done":
        person = table.owner[state.asked.number]
        seats = tuple(seat for seat, owner in table.owner.items() if owner is person)
        wanted = advise(table.folded.sheet, player_view(state, seats, state.asked.number), state.asked.number)
        found = table.coach(person)
        assert found["seat"] == state.asked.number
        assert found["number"] == table.folded.sequence
        assert [(one["action"], one["ev"]) for one in found["actions"]] == [
            (one.action, one.ev) for one in wanted.actions
        ]
        assert [one["wager"] for one in found["late"]] == [one.wager for one in wanted.late]
        other = table.coach(table.bob if person is table.ann else table.ann)
        assert other["actions"] == []
        who, action = table.decide(rng)
        if action is not None:
            last = table.coach(who)["last"]
            assert last["action"] == action
            top = {one["action"]: one for one in last["values"]}
            assert last["cost"] == pytest.approx(
                max(one["cents"] for one in last["values"]) - top[action]["cents"], abs=1e-6
            )


def test_only_what_the_person_sees_goes_to_the_worker(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a face-down game: not the hole card, not the first cards of other people, but those of one's other seat."""
    table = Coached(client, holecard.games()[0], **FACE_DOWN)
    sent: list[tuple[Any, ...]] = []
    services = client.app.state.services  # type: ignore[attr-defined]
    compute = services.computing.advise

    async def keep(person: str, function: Callable[..., Any], *arguments: Any) -> Any:
        sent.append(arguments)
        return await compute(person, function, *arguments)

    monkeypatch.setattr(services.computing, "advise", keep)
    rng = random.Random(3)
    table.bet()
    # A natural is shown at once: play on until the other player's hand is open, and it is the first seat's turn.
    while not _asks_the_first_seat(table.folded.state):
        while table.folded.state.phase != "done":
            table.decide(rng)
        table.bet()
    table.coach(table.ann)
    _, seen, seat, _ = sent[-1]
    assert seat == 1
    assert seen.dealer[1] is None
    shown = {one.number: one.hands[0].cards for one in seen.seats}
    assert shown[3] == (None, None)
    assert None not in shown[1] + shown[4]


def _asks_the_first_seat(state: State) -> bool:
    other = next((seat for seat in state.seats if seat.number == 3), None)
    is_open = other is not None and other.hands[0].status != "settled"
    return state.asked is not None and state.asked.number == 1 and is_open


def test_house_tables_are_marked(client: TestClient) -> None:
    """The bonuses of one game are house tables; those of the other are printed."""
    for game, printed in (("face-up", False), ("match-up", True)):
        table = Coached(client, game)
        wagers = table.coach(table.ann)["wagers"]
        main = table.folded.tables.sheet.main.name
        assert {one["wager"]: one["printed"] for one in wagers if one["wager"] != main} == {
            wager.name: printed for wager in table.folded.tables.wagers
        }
        assert all(one["printed"] for one in wagers if one["wager"] == main)


def test_a_session_adds_up_the_reviews_of_its_rounds_and_reloads_to_the_same(client: TestClient) -> None:
    table, rng = Coached(client, "quick-pay"), random.Random(2)
    numbers = []
    for _ in range(4):
        table.bet()
        while table.folded.state.phase != "done":
            table.decide(rng)
        numbers.append(table.folded.rounds)
        table.session(table.ann)
    session = table.session(table.ann)
    reviews = [table.ann.get(f"/api/v1/tables/{table.id}/rounds/{number}/review").json() for number in numbers]
    for name in ("net", "house", "skill", "luck", "wagered", "hands"):
        assert session[name] == pytest.approx(sum(one[name] for one in reviews)), name
    decisions = [one for review in reviews for one in review["decisions"]]
    assert session["decisions"] == len(decisions)
    assert session["right"] == sum(one["is_right"] for one in decisions)
    assert session["net"] == pytest.approx(session["house"] + session["skill"] + session["luck"])
    assert (session["rounds"], session["left"]) == (4, 0)
    client.app.state.services.coach_sessions._kept.clear()  # type: ignore[attr-defined]
    assert table.session(table.ann) == pytest.approx(session)
    assert table.session(table.bob)["hands"] < session["hands"]


def test_rounds_of_others_and_rounds_that_are_not_there_are_refused(client: TestClient) -> None:
    table, stranger = Coached(client, holecard.games()[0]), Person(client)
    table.bet()
    while table.folded.state.phase != "done":
        table.decide(random.Random(3))
    path = f"/api/v1/tables/{table.id}/rounds"
    assert stranger.get(f"{path}/1/review").status_code == 404
    assert table.ann.get(f"{path}/2/review").status_code == 404
    assert table.ann.get(f"{path}/1/review").status_code == 200
    watched = table.coach(stranger)
    assert (watched["seat"], watched["session"]["rounds"]) == (None, 0)


@pytest.mark.clock
def test_advice_comes_within_a_tenth_of_a_second(tmp_path_factory: pytest.TempPathFactory) -> None:
    """From the worker process, once it is warm: 95 of 100 answers, with a session that grows."""
    rng, took = random.Random(4), []
    with TestClient(create_app(_settings(tmp_path_factory), FakeClock())) as client:
        table = Coached(client, "quick-pay")
        for _ in range(30):
            table.bet()
            while (state := table.folded.state).phase != "done":
                person = table.owner[state.asked.number]
                began = perf_counter()
                table.coach(person)
                took.append(perf_counter() - began)
                table.decide(rng)
    warm = sorted(took[20:])
    print(*(f"{share}% {1000 * warm[len(warm) * share // 100]:.1f} ms" for share in (50, 95, 99)), sep=", ")
    assert warm[len(warm) * 95 // 100] < 0.1

"""Drills and strategy charts over HTTP: progress is kept for each person, and values are the exact ones."""

from __future__ import annotations

import pickle
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient

from holecard import evaluate, rules, strategy
from holecard.charts.layout import Layout
from holecard.charts.text import read_chart_text
from holecard.drills.progress import DrillProgress
from holecard.drills.schedule import next_question
from holecard.drills.spots import drill_spots
from holecard.server.compute.worker import Worker
from holecard.server.settings import ServerSettings
from holecard.server.web.app import create_app
from holecard.table.notation.spot import Spot
from tests.patience import patient
from tests.server.fake_clock import FakeClock
from tests.server.test_web import Person

DRILL, CHART = "/api/v1/games/classic/drill", "/api/v1/games/classic/strategy"


async def compute_here(_worker: Worker, function: Callable[..., Any], *arguments: Any) -> Any:
    """Compute in this process, but with arguments and results as they travel between processes."""
    return pickle.loads(pickle.dumps(function(*pickle.loads(pickle.dumps(arguments)))))


@pytest.fixture
def client(database: str, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[TestClient]:
    if request.node.get_closest_marker("slow") is None:
        monkeypatch.setattr(Worker, "compute", compute_here)
    with TestClient(create_app(ServerSettings(database=database, skip_returns=True))) as client:
        yield client


@pytest.fixture
def ann(client: TestClient) -> Person:
    return Person(client)


def evs_of(question: dict[str, Any]) -> dict[str, float]:
    """Return the values of an action question, in cents."""
    dealer = tuple(card for card in question["dealer"] if card)
    found = evaluate("classic", Spot(tuple(question["player"]), dealer, question["after_split"]))
    return {choice.action: 100 * choice.ev for choice in found.choices}


def answered(person: Person, path: str, *, right: bool, **more: Any) -> dict[str, Any]:
    """Answer the next action question right or wrong."""
    question = person.get(path, **more).json()["question"]
    evs = evs_of(question)
    action = (max if right else min)(evs, key=lambda action: evs[action])
    answer = person.post(path, {"number": question["number"], "action": action}, **more)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def test_a_drill_asks_and_values_the_answer(ann: Person) -> None:
    """The question has the table's actions and no values; the result has the exact values, best first."""
    state = ann.get(f"{DRILL}?kind=hard").json()
    question = state["question"]
    assert state["kind"] == "hard"
    assert question["kind"] == "Hard totals"
    evs = evs_of(question)
    assert set(question["actions"]) == set(evs)
    result = answered(ann, f"{DRILL}?kind=hard", right=False)
    assert not result["right"]
    assert result["cost"] == pytest.approx(max(evs.values()) - min(evs.values()))
    assert {value["action"]: value["cents"] for value in result["values"]} == pytest.approx(evs)
    assert [value["cents"] for value in result["values"]] == sorted(evs.values(), reverse=True)
    assert result["next"]["answered"] == 1
    assert result["next"]["streak"] == 0


def test_a_wrong_answer_comes_back_and_progress_survives(ann: Person) -> None:
    """The same spot is the third question after the wrong answer; asking twice shows the same cards."""
    path = f"{DRILL}?kind=soft"
    first = ann.get(path).json()["question"]
    assert ann.get(path).json()["question"] == first
    answered(ann, path, right=False)
    answered(ann, path, right=True)
    state = answered(ann, path, right=True)["next"]
    again = state["question"]

    def values(cards: list[str]) -> list[str]:
        return sorted(card[0].translate(str.maketrans("JQK", "TTT")) for card in cards if card)

    assert values(again["player"]) == values(first["player"])
    assert values(again["dealer"]) == values(first["dealer"])
    assert (state["answered"], state["streak"]) == (3, 2)
    soft = next(kind for kind in state["kinds"] if kind["kind"] == "soft")
    assert (soft["asked"], soft["right"]) == (3, 2)


def test_a_guest_who_registers_keeps_the_progress(ann: Person) -> None:
    answered(ann, f"{DRILL}?kind=hard", right=True)
    ann.post("/api/v1/accounts", {"name": "ann who drills", "password": "correct horse"})
    assert ann.get(DRILL).json()["answered"] == 1


def test_progress_is_ones_own_and_of_one_sheet(client: TestClient, ann: Person) -> None:
    """Another person, another game and other settings start from nothing."""
    answered(ann, f"{DRILL}?kind=hard", right=True)
    assert Person(client).get(DRILL).json()["answered"] == 0
    assert ann.get("/api/v1/games/quick-pay/drill").json()["answered"] == 0
    assert ann.get(f"{DRILL}?set=shoe.decks=8").json()["answered"] == 0
    assert ann.get(DRILL).json()["answered"] == 1


def test_a_person_who_sends_too_much_is_refused_before_a_sheet_is_read(database: str) -> None:
    """Its settings may be wrong: nobody looks at them any more."""
    settings = ServerSettings(database=database, skip_returns=True, message_burst=2, messages_per_second=1)
    with TestClient(create_app(settings, FakeClock())) as client:
        person = Person(client)
        found = [person.get(f"{CHART}?set=shoe.deks=8").status_code for _ in range(3)]
        assert found == [422, 422, 429]


def test_a_question_about_a_house_table_says_so(ann: Person) -> None:
    question = ann.get("/api/v1/games/quick-pay/drill?kind=wagers").json()["question"]
    assert (question["asked"], question["printed"]) == ("wager", False)
    assert ann.get(DRILL).json()["question"]["printed"]


def test_a_question_is_answered_once(ann: Person) -> None:
    """The same answer twice, as from two windows, counts once."""
    question = ann.get(DRILL).json()["question"]
    body = {"number": question["number"], "action": question["actions"][0]}
    assert ann.post(DRILL, body).status_code == 200
    refused = ann.post(DRILL, body)
    assert refused.status_code == 409
    assert refused.json()["code"] == "out of turn"
    assert ann.get(DRILL).json()["answered"] == 1


@pytest.mark.parametrize(
    ("path", "status", "said"),
    [
        ("/api/v1/games/nothing/drill", 404, "no game is called"),
        (f"{DRILL}?kind=pair", 409, "did you mean 'pairs'?"),
        (f"{DRILL}?set=shoe.deks=8", 422, "deks"),
        (f"{CHART}?set=shoe.decks", 422, "shoe.decks"),
    ],
)
def test_bad_requests_are_refused_in_words(ann: Person, path: str, status: int, said: str) -> None:
    answer = ann.get(path)
    assert answer.status_code == status, answer.text
    assert said in answer.json()["message"]


def test_other_answers_than_the_tables_are_refused(ann: Person) -> None:
    question = ann.get(f"{DRILL}?kind=hard").json()["question"]
    refused = ann.post(f"{DRILL}?kind=hard", {"number": question["number"], "action": "insurance"})
    assert refused.status_code == 409
    assert "is not an answer here" in refused.json()["message"]


@pytest.mark.clock
@pytest.mark.slow
def test_an_answer_takes_less_than_a_tenth_of_a_second(ann: Person) -> None:
    """Once the worker knows the game, the best of a few answers is quick even on a busy machine."""
    answered(ann, f"{DRILL}?kind=hard", right=True)
    times = []
    for _ in range(8):
        question = ann.get(DRILL).json()["question"]
        begin = time.perf_counter()
        ann.post(DRILL, {"number": question["number"], "action": question["actions"][0]})
        times.append(time.perf_counter() - begin)
    assert min(times) < 0.1


def test_damaged_progress_is_refused_and_kept(client: TestClient, ann: Person) -> None:
    """A document that cannot be read is not replaced by an empty one."""
    store = client.app.state.services.drills  # type: ignore[attr-defined]
    user = client.portal.call(_user, client, ann)  # type: ignore[union-attr]
    sheet = rules("classic").sha256
    client.portal.call(store.write, user, sheet, 0, "{", 1)  # type: ignore[union-attr]
    refused = ann.get(DRILL)
    assert refused.status_code == 409
    assert "is damaged" in refused.json()["message"]
    assert client.portal.call(store.read, user, sheet) == "{"  # type: ignore[union-attr]


async def _user(client: TestClient, person: Person) -> str:
    sessions = client.app.state.services.accounts.sessions  # type: ignore[attr-defined]
    return str((await sessions.user_of(person.cookies["holecard_session"])).id)


def chart_of(person: Person, path: str) -> dict[str, Any]:
    """Return a chart, asked for until it is ready."""
    ends = time.monotonic() + patient(120)
    while time.monotonic() < ends:
        answer = person.get(path)
        if answer.status_code == 200:
            found: dict[str, Any] = answer.json()
            return found
        assert answer.status_code == 202
        assert answer.json() == {"ready": False}
    raise AssertionError("the chart is not ready")


@pytest.mark.slow
@pytest.mark.parametrize("game", ["classic", "face-up", "double-up"])
def test_the_chart_is_the_best_one_with_values(ann: Person, game: str) -> None:
    """Cells are those of `holecard strategy`; a pair's values are those of its hand."""
    chart = chart_of(ann, f"/api/v1/games/{game}/strategy")
    best = strategy(game)
    rows = [row for block in chart["blocks"] for row in block["rows"]]
    assert [[cell["cell"] for cell in row["cells"]] for row in rows] == [list(row) for row in best.chart.cells]
    assert chart["house_edge"] == pytest.approx(best.house_edge)
    assert chart["optimum_edge"] == pytest.approx(-best.optimum_ev)
    if game == "classic":
        eights = next(row for row in rows if row["title"] == "8,8")
        against_ten = eights["cells"][chart["columns"].index("T")]
        evs = {choice.action: 100 * choice.ev for choice in evaluate(game, "8,8 v T").choices}
        assert {one["action"]: one["cents"] for one in against_ten["actions"]} == pytest.approx(evs)
        assert against_ten["hands"] == ["8,8"]


@pytest.mark.slow
def test_the_chart_as_files(ann: Person) -> None:
    """The text reads back as the same chart, and the drawing is SVG."""

    text = ann.get(f"{CHART}/file?format=text")
    assert (
        read_chart_text(text.text, Layout.of(rules("classic").tables), "chart").cells == strategy("classic").chart.cells
    )
    drawing = ann.get(f"{CHART}/file?format=svg")
    assert drawing.headers["content-type"].startswith("image/svg+xml")
    assert drawing.text.startswith("<svg")
    with_exceptions = chart_of(ann, f"{CHART}?exceptions=true")
    assert len(with_exceptions["exceptions"]) == len(strategy("classic", exceptions=True).chart.exceptions)


def test_the_seed_of_questions_is_the_person(ann: Person, client: TestClient) -> None:
    """The route asks what the engine asks with the person's id as seed."""
    user = client.portal.call(_user, client, ann)  # type: ignore[union-attr]
    sheet = rules("classic")
    question = next_question(sheet, DrillProgress(sheet=sheet.sha256), user)
    assert ann.get(DRILL).json()["question"]["player"] == [str(card) for card in question.player]
    assert [kind["kind"] for kind in ann.get(DRILL).json()["kinds"]] == list(drill_spots(sheet).kinds)

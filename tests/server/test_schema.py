"""schemathesis against the OpenAPI description: no server error, and every answer is declared."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import requests
import schemathesis
from fastapi.testclient import TestClient
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.errors import Unsatisfiable
from schemathesis.checks import not_a_server_error
from schemathesis.generation.modes import GenerationMode
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from holecard.server.settings import ServerSettings
from holecard.server.web.app import create_app
from tests.selection import quick
from tests.server.test_web import Person, operator, play_some

_CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
_ROLES = ("nobody", "guest", "player", "operator")
#: After these a person has another session, or none.
_CHANGE_THE_SESSION = (
    *("/api/v1/guest", "/api/v1/accounts", "/api/v1/sign-in", "/api/v1/sign-out"),
    *("/api/v1/account/delete", "/api/v1/account/password"),
)
_HOST = "http://testserver"
_OPERATIONS = [
    f"{method.upper()} {path}"
    for path, methods in create_app(ServerSettings()).openapi()["paths"].items()
    for method in methods
]


class World:
    """A server with a table, a finished round, a finished shoe and a job, and people of every role."""

    def __init__(self, client: TestClient) -> None:
        self.client = client
        self.schema = schemathesis.openapi.from_dict(client.app.openapi())  # type: ignore[attr-defined]
        ann = Person(client, "player")
        table, closed = ann.open(), ann.open("quick-pay")
        ann.command(table, do="sit", seat=1)
        play_some(ann, table, 1)
        shoe = ann.get(f"/api/v1/tables/{closed}").json()["view"]["shoe"]["id"]
        ann.command(closed, do="close")
        job = ann.post("/api/v1/jobs", {"what": "check", "game": "classic"}).json()["id"]
        self.ann = ann
        self.places: list[dict[str, Any]] = [
            {"table_id": table, "number": 1, "shoe": "none", "job_id": job, "name": "classic", "session_id": "none"},
            {
                "table_id": closed,
                "number": 1,
                "shoe": shoe,
                "job_id": "none",
                "name": "quick-pay",
                "session_id": "0" * 16,
            },
        ]

    def person(self, role: str) -> Person:
        if role == "player":
            return self.ann
        return operator(self.client) if role == "operator" else Person(self.client, role)

    def try_operation(self, label: str, role: str, examples: int) -> None:
        """Send cases that fit the description and cases that do not, to known and to unknown tables."""
        operation = self.schema.find_operation_by_label(label)
        assert operation is not None
        names = {parameter.name for parameter in operation.path_parameters}
        places = [{name: place[name] for name in names} for place in self.places]
        for place in [*places, None] if names else [None]:
            is_free = operation.body or operation.query or (names and place is None)
            for mode in GenerationMode if is_free else (GenerationMode.POSITIVE,):
                cases = operation.as_strategy(generation_mode=mode, path_parameters=place)
                try:
                    self._try(cases, label, role, examples)
                except Unsatisfiable:  # every text is a valid path
                    assert mode.is_negative

    def _try(self, cases: Any, label: str, role: str, examples: int) -> None:
        person = self.person(role)
        changes = label.partition(" ")[2] in _CHANGE_THE_SESSION

        @settings(
            max_examples=examples,
            deadline=None,
            database=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @seed(12)
        @given(case=cases)
        def send(case: Any) -> None:
            nonlocal person
            if changes and role != "nobody":
                person = Person(self.client, "guest")
            case.validate_response(self._send(case, person), checks=_CHECKS)

        send()

    def _send(self, case: Any, person: Person) -> Any:
        made = requests.Request(**case.as_transport_kwargs(base_url=_HOST)).prepare()
        self.client.cookies = person.cookies  # type: ignore[assignment]
        return self.client.request(str(made.method), str(made.url), content=made.body, headers=dict(made.headers))


@contextmanager
def world(database: str) -> Iterator[World]:
    many = {
        "messages_per_second": 100_000,
        "message_burst": 1_000_000,
        "guest_burst": 1_000_000,
        "tables_per_user": 10_000,
    }
    few = {"job_seconds": 1, "jobs_per_user": 1, "job_processes": 1, "skip_returns": True}
    with TestClient(create_app(ServerSettings.model_validate({"database": database, **many, **few}))) as client:
        yield World(client)


@pytest.fixture(scope="module")
def sqlite_world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with world(f"{tmp_path_factory.mktemp('schema')}/holecard.db") as found:
        yield found


@pytest.mark.slow
@pytest.mark.parametrize("label", _OPERATIONS)
def test_every_answer_is_declared(sqlite_world: World, label: str) -> None:
    """The role changes with the operation; the slow test tries all of them."""
    for role in ("operator" if label.endswith("audit") else "player", "guest"):
        sqlite_world.try_operation(label, role, 3)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_every_answer_to_everybody_is_declared(request: pytest.FixtureRequest, kind: str) -> None:
    name = "sqlite" if kind == "sqlite" else "postgres_database"
    with world(request.getfixturevalue(name)) as found:
        for label in _OPERATIONS:
            for role in _ROLES:
                # Passwords are slow to hash, on purpose.
                is_slow = label.startswith("POST") and label.partition(" ")[2] in _CHANGE_THE_SESSION
                found.try_operation(label, role, 10 if is_slow else 40)
        assert found.client.get("/readyz").status_code == 200


_STRANGE = [
    ("POST", "/api/v1/tables", b'{"id": "12345678", "game": "classic", "\\ud800": 1}'),
    ("POST", "/api/v1/tables", b'{"id": "12345678", "game": "classic", "' + b"x" * 5000 + b'": 1}'),
    ("POST", "/api/v1/tables", b'{"id": "12345678", "game": "\\ud800"}'),
    ("POST", "/api/v1/tables", b"\xff\xfe"),
    ("POST", "/api/v1/tables", b"[" * 100_000),
    ("POST", "/api/v1/tables", b'{"id": ' + b"9" * 5000 + b"}"),
    ("POST", "/api/v1/tables", b'{"id": "12345678", "game": "classic", "settings": {"name": "a\\u0000b"}}'),
    ("POST", "/api/v1/tables", b'{"id": "12345679", "game": "classic", "settings": {"shoe.decks": 1e999}}'),
    ("POST", "/api/v1/tables", b'{"id": "12345671", "game": "classic", "settings": {"": 1, ".": 1, "a.b.c": 1}}'),
    (
        "POST",
        "/api/v1/tables",
        b'{"id": "12345671", "game": "classic", "settings": {"shoe.decks": 99999999999999999999999999}}',
    ),
    ("POST", "/api/v1/accounts", b'{"name": "a\\u0000b", "password": "correct horse"}'),
    ("POST", "/api/v1/sign-in", b'{"name": "a\\u0000b", "password": "correct horse"}'),
    ("GET", "/api/v1/tables/a%00b", b""),
    ("GET", "/api/v1/tables/%F0%9F%82%A1", b""),
    ("GET", "/api/v1/tables/%ff%fe", b""),
    ("GET", "/api/v1/tables/" + "x" * 9000, b""),
    ("GET", "/api/v1/tables/a%00b/rounds/1", b""),
    ("GET", "/api/v1/tables/none/rounds/" + "9" * 30, b""),
    ("GET", "/api/v1/tables/none/rounds/" + "9" * 5000, b""),
    ("GET", "/api/v1/tables/none/rounds/-1", b""),
    ("GET", "/api/v1/tables/a%00b/shoes/b%00a", b""),
    ("GET", "/api/v1/games/a%00b", b""),
    ("GET", "/api/v1/history?before=" + "9" * 40, b""),
    ("GET", "/api/v1/nothing", b""),
    ("PUT", "/api/v1/tables", b"{}"),
]


@pytest.mark.parametrize("kind", quick(["sqlite", "postgresql"], "sqlite"))
def test_strange_requests_get_a_typed_refusal(request: pytest.FixtureRequest, kind: str) -> None:
    """And the database takes the next command: what one person sends never stops the others."""
    name = "sqlite" if kind == "sqlite" else "postgres_database"
    made = ServerSettings(database=request.getfixturevalue(name), skip_returns=True, message_burst=1000)
    with TestClient(create_app(made), raise_server_exceptions=False) as client:
        ann, wrong = Person(client), []
        for method, path, body in _STRANGE:
            client.cookies = ann.cookies  # type: ignore[assignment]
            answer = client.request(method, path, content=body, headers={"Content-Type": "application/json"})
            seen = f"{method} {path[:80]} {body[:80]!r}: {answer.status_code} {answer.text[:200]}"
            if (
                answer.status_code not in (401, 404, 405, 409, 422)
                or not 0 < len(answer.json().get("message", "")) < 500
            ):
                wrong.append(seen)
        assert not wrong, "\n".join(wrong)
        assert client.get("/readyz").status_code == 200

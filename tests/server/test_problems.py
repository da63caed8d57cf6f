"""What is wrong with a message is said in our own words, for every kind of problem that pydantic finds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from pydantic import ValidationError

from holecard.server.problems import _SENTENCES, first_problem
from holecard.server.settings import ServerSettings
from holecard.server.web.app import create_app
from holecard.server.web.messages import client_messages, id_in
from tests.cli.shell import Shell, shell

__all__ = ["shell"]

#: Phrases of pydantic, FastAPI and Starlette.
LIBRARY_WORDS = (
    *("Input should", "String should", "Unable to", "validation error", "Value error", "Field required"),
    *("Extra inputs", "should have", "Not Found", "Method Not", "valid dictionary", "JSON decode", "Invalid JSON"),
)


def command(**fields: Any) -> str:
    return json.dumps({"type": "command", "id": "12345678", "command": fields})


MESSAGES = {
    "": "the message: this is not JSON",
    "{": "the message: this is not JSON",
    "[" * 5000: "the message: this is not JSON",
    "[]": "the message: an object is needed here",
    "17": "the message: an object is needed here",
    "null": "the message: an object is needed here",
    "{}": "the message: `type` is missing; it says what kind of object this is",
    '{"type": "x"}': "the message: `type` is one of 'command', 'ping', not 'x'",
    '{"type": 5}': "the message: `type` is one of 'command', 'ping', not '5'",
    '{"type": "ping", "more": 1}': "more: there is no such field; leave it out",
    '{"type": "ping", "a\\u202eb": 1}': "a\\u202eb: there is no such field; leave it out",
    '{"type": "command", "id": "12345678"}': "command: this is missing",
    '{"type": "command", "id": "short", "command": {"do": "deal"}}': "id: at least 8 characters are allowed",
    '{"type": "command", "id": 12345678, "command": {"do": "deal"}}': "id: text is needed here",
    '{"type": "command", "id": "1234 5678", "command": {"do": "deal"}}': (
        "id: only letters, digits and _ . : - are allowed"
    ),
    command(): "command: `do` is missing; it says what kind of object this is",
    command(do="sit", seat="1"): "command.sit.seat: a whole number is needed here, not '1'",
    command(do="sit", seat=1.5): "command.sit.seat: a whole number is needed here, not 1.5",
    command(do="sit", seat=True): "command.sit.seat: a whole number is needed here, not True",
    command(do="sit", seat=8): "command.sit.seat: at most 7 is allowed, not 8",
    command(do="bet", seat=1): "command.bet.main: this is missing",
    command(do="bet", seat=1, main=-5): "command.bet.main: at least 0 is allowed, not -5",
    command(do="bet", seat=1, main=10**10): "command.bet.main: at most 1,000,000,000 is allowed, not 10000000000",
    command(do="bet", seat=1, main=5, sides=[]): "command.bet.sides: an object is needed here",
    command(do="bet", seat=1, main=5, sides={"": 1}): "command.bet.sides.: at least 1 character is allowed",
    command(do="bet", seat=1, main=5, sides={str(n): 1 for n in range(21)}): (
        "command.bet.sides: at most 20 values are allowed"
    ),
    command(do="act", seat=1, action="x" * 21): "command.act.action: at most 20 characters are allowed",
    command(do="act", seat=1, action=None): "command.act.action: text is needed here",
}


def problem_of(text: str) -> str:
    with pytest.raises(ValidationError) as found:
        client_messages.validate_json(text)
    problem = found.value.errors()[0]
    return first_problem([{**problem, "loc": problem["loc"][1:]}])


@pytest.mark.parametrize("text", MESSAGES, ids=lambda text: text[:60])
def test_a_message_is_refused_in_plain_words(text: str) -> None:
    assert problem_of(text) == MESSAGES[text]


def test_every_command_that_exists_is_named() -> None:
    words = problem_of(command(do="fly"))
    assert words.startswith("command: `do` is one of 'sit', 'leave', 'add seed', 'bet',")
    assert words.endswith("not 'fly'")


OPEN = {"id": "12345678", "game": "classic"}
WHO = {"name": "Ann", "password": "correct horse"}
SETTING = "text, a whole number, true or false, or a list of whole numbers is needed here"
REQUESTS: list[tuple[str, str, Any, str]] = [
    ("POST", "/api/v1/accounts", b"{", "the request: this is not JSON"),
    ("POST", "/api/v1/accounts", b"\xff", "the body is not JSON in UTF-8"),
    ("POST", "/api/v1/accounts", [], "the request: an object is needed here"),
    ("POST", "/api/v1/accounts", None, "the request: this is missing"),
    ("POST", "/api/v1/accounts", {**WHO, "name": "A"}, "name: at least 2 characters are allowed"),
    ("POST", "/api/v1/accounts", {**WHO, "password": "secret"}, "password: at least 8 characters are allowed"),
    ("POST", "/api/v1/accounts", {**WHO, "password": ["secret"]}, "password: text is needed here"),
    ("POST", "/api/v1/accounts", b'{"name": "\\ud83d", "password": "12345678"}', "name: text in UTF-8 is needed here"),
    ("POST", "/api/v1/accounts", b'{"\\ud83d": 1, "name": "Ann"}', "the request: text in UTF-8 is needed here"),
    ("POST", "/api/v1/accounts", {**WHO, "a\u202eb": 1}, "a\\u202eb: there is no such field; leave it out"),
    ("POST", "/api/v1/tables", {**OPEN, "pace": {"bet": "x"}}, "pace.bet: a whole number is needed here, not 'x'"),
    ("POST", "/api/v1/tables", {**OPEN, "pace": 5}, "pace: an object is needed here"),
    ("POST", "/api/v1/tables", {**OPEN, "settings": {"shoe.decks": None}}, f"settings.shoe.decks: {SETTING}"),
    ("POST", "/api/v1/tables", {**OPEN, "settings": {"x": "\x00"}}, "settings.x: control characters are not allowed"),
    ("GET", "/api/v1/history?limit=x", None, "limit: a whole number is needed here, not 'x'"),
    ("GET", "/api/v1/history?limit=" + "9" * 5000, None, "limit: a whole number with fewer digits is needed here"),
    ("GET", "/api/v1/tables/t/rounds/0", None, "number: at least 1 is allowed, not '0'"),
    ("GET", "/api/v1/nope", None, "GET /api/v1/nope: there is nothing at this address"),
    ("PUT", "/api/v1/guest", None, "PUT /api/v1/guest: this address does not take this method"),
]  # fmt: skip


def test_requests_are_refused_in_plain_words(sqlite: str) -> None:
    with TestClient(create_app(ServerSettings(database=sqlite, skip_returns=True))) as client:
        client.post("/api/v1/guest")
        for method, path, body, words in REQUESTS:
            content = body if body is None or isinstance(body, bytes) else json.dumps(body)
            answer = client.request(method, path, content=content, headers={"Content-Type": "application/json"})
            assert answer.json()["message"].startswith(words), answer.text
            assert answer.json()["code"] in ("unreadable", "not found", "refused")
            assert not any(phrase in answer.text for phrase in LIBRARY_WORDS), answer.text


def test_a_kind_of_problem_without_a_sentence_is_still_in_our_words() -> None:
    assert "is_instance_of" not in _SENTENCES
    problem = {"type": "is_instance_of", "loc": ("body", "x"), "msg": "Input should be", "input": 1}
    assert first_problem([problem]) == "x: this value is not allowed here"


def test_a_file_that_is_not_a_shoe_is_refused_in_plain_words(shell: Shell, tmp_path: Path) -> None:
    file = tmp_path / "shoe.json"
    for text, words in (
        ("{}", ": this is missing"),
        ("[]", "the file: an object is needed"),
        ("x", "this is not JSON"),
    ):
        file.write_text(text)
        ran = shell("verify-shoe", str(file))
        assert ran.code == 2
        assert words in ran.err
        assert not any(phrase in ran.err for phrase in LIBRARY_WORDS)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('{"type": "command", "id": "12345678", "command": {"do": "steal"}}', "12345678"),
        ('{"id": "12345678"}', "12345678"),
        ('{"id": "short"}', None),
        ('{"id": 12345678}', None),
        ('["id", "12345678"]', None),
        ('{"id": "12345678"', None),
        ("[" * 5000, None),
        ("17", None),
        ("", None),
    ],
)
def test_the_id_of_a_refused_message_is_found(text: str, found: str | None) -> None:
    assert id_in(text) == found

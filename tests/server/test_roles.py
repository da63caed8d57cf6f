"""Who may do what: a table of roles and commands, over HTTP and over sockets, and of roles and requests."""

from __future__ import annotations

import pytest
from fastapi.testclient import TestClient

from tests.selection import quick, quick_where
from tests.server.test_web import COMMANDS, Person, client, operator, seated

__all__ = ["client"]

#: Who asks, at a table that Ann has opened. She sits on seat 1, Bob sits on seat 3, and both have bet.
ROLES = ("nobody", "signed out", "stranger", "elsewhere", "Bob", "Ann", "operator")
#: By role. "-": not signed in; "x": not allowed; "+": done; "!": allowed, but the rules refuse it now: bets are open.
ALLOWED = {
    "sit": "--+++++",
    "leave": "--xxx+x",
    "seed": "--xx++x",
    "bet": "--xxx+x",
    "withdraw": "--xxx+x",
    "deal": "--xx++x",
    "act": "--xxx!x",
    "place": "--xxx!x",
    "close": "--xxx++",
    "end round": "--xxxx+",
    "free seat": "--xxxx+",
}
_SIGNS = {"not signed in": "-", "not allowed": "x", "out of turn": "!", "illegal move": "!", "wager refused": "!"}


def _elsewhere(client: TestClient) -> Person:
    found = Person(client)
    assert found.command(found.open(), do="sit", seat=1).status_code == 200
    return found


def _signed_out(person: Person) -> Person:
    kept = dict(person.cookies)
    assert person.post("/api/v1/sign-out").status_code == 204
    person.cookies = kept
    return person


@pytest.mark.parametrize("name", quick(COMMANDS, "close", "act"))
def test_who_may_do_what(client: TestClient, name: str) -> None:
    others = {
        "nobody": Person(client, "nobody"),
        "signed out": _signed_out(Person(client)),
        "stranger": Person(client),
        "elsewhere": _elsewhere(client),
        "operator": operator(client),
    }
    for over_socket in (False, True):
        found, last = "", "+"
        for role in ROLES:
            if last == "+":  # else nothing has changed
                ann, bob, table = _two_at_a_table(client)
            last = _answer({**others, "Ann": ann, "Bob": bob}[role], table, name, over_socket)
            found += last
        assert found == ALLOWED[name], over_socket


def _two_at_a_table(client: TestClient) -> tuple[Person, Person, str]:
    ann, table = seated(client)
    bob = Person(client)
    assert bob.command(table, do="sit", seat=3).status_code == 200
    assert bob.command(table, do="bet", seat=3, main=1000).status_code == 200
    return ann, bob, table


def _answer(person: Person, table: str, name: str, over_socket: bool) -> str:
    """Return what somebody's command is answered with, as one sign."""
    if not over_socket:
        answer = person.command(table, **COMMANDS[name]).json()
    else:
        with person.socket(table) as socket:
            answer = socket.next()
            if answer["type"] == "hello":
                answer = socket.command(**COMMANDS[name])
    return "+" if answer["type"] == "done" else _SIGNS[answer["code"]]


#: What is sent with a request, where it needs something.
BODIES = {
    "/api/v1/account/password": {"old": "wrong guess", "new": "battery staple"},
    "/api/v1/account/delete": {"password": "wrong guess"},
}
#: Orders for the whole server, by who gives them: nobody, a guest, a player with an account, an operator.
ORDERS: dict[str, tuple[dict[str, str], tuple[int, ...]]] = {
    "stop game": ({"game": "classic"}, (401, 403, 403, 200)),
    "allow game": ({"game": "classic"}, (401, 403, 403, 200)),
    "mute name": ({"name": "Rude Word"}, (401, 403, 403, 200)),
    "restore name": ({"name": "Rude Word"}, (401, 403, 403, 200)),
}


def test_who_may_give_which_order(client: TestClient) -> None:
    Person(client, "nobody").post("/api/v1/accounts", {**WHO, "name": "Rude Word"})
    people = (Person(client, "nobody"), Person(client), Person(client, "player"), operator(client))
    for name, (about, allowed) in ORDERS.items():
        command = {"do": name, "reason": "a test", **about}
        found = tuple(
            person.post("/api/v1/orders", {"id": f"{name.replace(' ', '-')}-{place}", "command": command}).status_code
            for place, person in enumerate(people)
        )
        assert found == allowed, name


AUDIT = "/api/v1/audit"  # starts a process
ROUTES = [
    ("GET", "/api/v1/me", (401, 200, 200, 200)),
    ("GET", "/api/v1/visitor", (200, 200, 200, 200)),
    ("GET", "/api/v1/tables", (401, 200, 200, 200)),
    ("GET", "/api/v1/games", (401, 200, 200, 200)),
    ("GET", "/api/v1/history", (401, 200, 200, 200)),
    ("GET", "/api/v1/jobs/none", (401, 403, 404, 404)),
    ("POST", AUDIT, (401, 403, 403, 200)),
    ("GET", "/api/v1/orders", (401, 403, 403, 200)),
    ("GET", "/healthz", (200, 200, 200, 200)),
    ("GET", "/readyz", (200, 200, 200, 200)),
    ("GET", "/metrics", (200, 200, 200, 200)),
    ("GET", "/version", (200, 200, 200, 200)),
    ("GET", "/api/v1/version", (200, 200, 200, 200)),
    ("GET", "/api/v1/sessions", (401, 200, 200, 200)),
    ("DELETE", "/api/v1/sessions", (401, 204, 204, 204)),
    ("DELETE", "/api/v1/sessions/none", (401, 404, 404, 404)),
    ("POST", "/api/v1/account/password", (401, 403, 403, 403)),
    ("POST", "/api/v1/account/delete", (401, 204, 403, 403)),
]


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    quick_where(ROUTES, lambda route: route[1] != AUDIT),
    ids=[path for _, path, _ in ROUTES],
)
def test_who_may_ask_for_what(client: TestClient, method: str, path: str, allowed: tuple[int, ...]) -> None:
    """Nobody, a guest, a player with an account, an operator."""
    people = (Person(client, "nobody"), Person(client), Person(client, "player"), operator(client))
    ask = {"GET": Person.get, "POST": Person.post, "DELETE": Person.delete}[method]
    more = {"body": BODIES[path]} if path in BODIES else {}
    found = tuple(ask(person, path, **more).status_code for person in people)
    assert found == allowed


# Sessions


WHO = {"password": "correct horse"}


def test_a_stale_cookie_counts_as_none_and_is_cleared(client: TestClient) -> None:
    ann = _signed_out(Person(client))
    refused = ann.get("/api/v1/me")
    assert refused.status_code == 401
    assert 'holecard_session=""; ' in refused.headers["set-cookie"]
    assert "Max-Age=0" in refused.headers["set-cookie"]
    ann.cookies = {"holecard_session": "made up"}
    made = ann.post("/api/v1/accounts", {**WHO, "name": "Stale Ann"})
    assert (made.status_code, made.json()["name"]) == (201, "Stale Ann")
    assert ann.get("/api/v1/me").json()["role"] == "player"
    out = ann.post("/api/v1/sign-out")
    assert "Max-Age=0" in out.headers["set-cookie"]


def test_who_visits_is_nobody_without_a_session_and_after_it(client: TestClient) -> None:
    """So that a page finds out without a refusal, which browsers show as an error."""
    assert Person(client, "nobody").get("/api/v1/visitor").json() == {"person": None}
    ann = Person(client)
    assert ann.get("/api/v1/visitor").json() == {"person": ann.get("/api/v1/me").json()}
    assert _signed_out(ann).get("/api/v1/visitor").json() == {"person": None}


def test_a_wrong_password_does_not_end_the_session_that_is_open(client: TestClient) -> None:
    ann = Person(client)
    refused = ann.post("/api/v1/sign-in", {**WHO, "name": "nobody at all"})
    assert (refused.status_code, refused.headers.get("set-cookie")) == (401, None)
    assert ann.get("/api/v1/me").status_code == 200


def test_a_guest_who_registers_gets_a_new_session_and_the_seat_the_new_name_at_the_next_sitting(
    client: TestClient,
) -> None:
    ann, table = seated(client)
    guest, old = ann.get("/api/v1/me").json(), dict(ann.cookies)
    with ann.socket(table) as socket:
        socket.until("balance")
        assert ann.post("/api/v1/accounts", {**WHO, "name": "Once a Guest"}).json()["balance"] == guest["balance"]
        assert socket.next()["code"] == "not signed in"
        assert socket.session.receive()["code"] == 4001
    assert ann.cookies != old
    thief = Person(client, "nobody")
    thief.cookies = old
    assert thief.get("/api/v1/me").status_code == 401

    def taken() -> dict[str, str]:
        found: dict[str, str] = ann.get(f"/api/v1/tables/{table}").json()["table"]["taken"]
        return found

    assert ann.command(table, do="sit", seat=2).status_code == 200
    assert taken() == {"1": guest["name"], "2": "Once a Guest"}
    assert ann.post("/api/v1/accounts", {**WHO, "name": "Twice"}).json()["code"] == "not allowed"


@pytest.mark.parametrize(
    "name",
    [
        *("ab\u202edcba", "Ann\u200b", "Ann\u2060", "A\x00nn", "Ann\n", "\ufeffAnn", "a\u034fb", "\u3164\u3164"),
        *("\u2800\u2800", "An\ue000", "...", "  a ", "\ufdfa\ufdfa", "a\ufe0fb"),
    ],
)
def test_names_with_characters_that_nobody_sees_are_refused(client: TestClient, name: str) -> None:
    refused = Person(client, "nobody").post("/api/v1/accounts", {**WHO, "name": name})
    assert refused.status_code == 422
    assert refused.json()["message"].startswith("name: a name has ")


def test_names_are_the_same_in_every_form_of_their_letters(client: TestClient) -> None:
    made = Person(client, "nobody").post("/api/v1/accounts", {**WHO, "name": "\uff21nn\u00a0  Stra\u00dfe"})
    assert made.json()["name"] == "Ann Stra\u00dfe"
    assert Person(client, "nobody").post("/api/v1/accounts", {**WHO, "name": "ANN STRASSE"}).status_code == 409
    assert Person(client, "nobody").post("/api/v1/sign-in", {**WHO, "name": "ann strasse "}).status_code == 200


RESERVED = [
    *(
        "Holecard operator",
        "holecard",
        "Holecard Support",
        "Table Operator",
        "operator 7",
        "Admin",
        "the-admin",
        "SysAdmin",
    ),
    *("H.o.l.e.c.a.r.d", "Dealer", "The Dealer", "house", "B\u00e4nk", "Moderator", "former player"),
    *("Guest abc123", "guest", "Guestabc123", "GUEST 1"),
    # Digits, Cyrillic, Greek, small capitals, full width, marks, and two letters that look like one.
    *(
        "H0lecard",
        "\u041dolecard",
        "\u0397olecard",
        "0perator",
        "\u03bfperator",
        "\u043eper\u0430tor",
        "adm1n",
        "adrnin",
    ),
    *("D\u0435aler", "Dea1er", "\u1d05\u1d07\u1d00\u029f\u1d07\u0280", "\uff21dmin", "\u00c1dm\u00edn", "Gu\u0435st x"),
    *("h\u00f8use", "hou$e", "mo\u0501erator"),
]


@pytest.mark.parametrize("name", RESERVED, ids=ascii)
def test_names_of_the_house_and_of_guests_are_reserved(client: TestClient, name: str) -> None:
    for person in (Person(client, "nobody"), Person(client)):
        refused = person.post("/api/v1/accounts", {**WHO, "name": name})
        assert (refused.status_code, refused.json()["code"]) == (409, "name reserved")
        assert refused.json()["message"].endswith("; choose another one")


@pytest.mark.parametrize(
    "name", ["Badminton Ann", "Dr House", "Housemartin", "Dealership", "Bankside", "Op Era", "Ann Guest"]
)
def test_names_that_only_contain_such_letters_are_free(client: TestClient, name: str) -> None:
    assert Person(client, "nobody").post("/api/v1/accounts", {**WHO, "name": name}).status_code == 201

"""Behind a proxy with HTTPS, as docs/server.md says: secure cookies, allowed origins, addresses of clients."""

from __future__ import annotations

import urllib.error
import urllib.request
from pathlib import Path
from typing import Literal

import pytest
from fastapi import Request, Response
from fastapi.testclient import TestClient
from starlette.testclient import WebSocketDenialResponse

from holecard.server.settings import ServerSettings
from holecard.server.web.app import create_app
from holecard.server.web.identity import set_session
from tests.server.real_server import real_server


@pytest.mark.parametrize(
    ("host", "scheme", "wanted", "secure"),
    [
        ("127.0.0.1", "http", "auto", False),
        ("localhost", "http", "auto", False),
        ("::1", "http", "auto", False),
        ("127.0.0.1", "https", "auto", True),  # a proxy on this machine
        ("127.0.0.1", "http", "on", True),
        ("0.0.0.0", "http", "auto", True),
        ("cards.example.org", "http", "auto", True),
        ("0.0.0.0", "http", "off", False),
    ],
)
def test_cookies_are_sent_over_https_only_unless_the_server_is_local(
    host: str, scheme: str, wanted: Literal["auto", "on", "off"], secure: bool
) -> None:
    request, response = Request({"type": "http", "scheme": scheme, "path": "/", "headers": []}), Response()
    set_session(request, response, "token", ServerSettings(host=host, secure_cookies=wanted))
    assert ("; secure" in response.headers["set-cookie"].lower()) == secure


def test_a_page_may_connect_from_its_own_host_or_an_allowed_origin(sqlite: str) -> None:
    """The host is the one that the proxy passes on."""
    settings = ServerSettings(
        database=sqlite, host="0.0.0.0", secure_cookies="off", origins=("https://other.example.org",)
    )
    with TestClient(create_app(settings)) as client:
        client.post("/api/v1/guest")

        def status(origin: str) -> int:
            headers = {"Host": "cards.example.org", "Origin": origin}
            return client.get("/api/v1/me", headers=headers).status_code

        assert status("https://cards.example.org") == 200
        assert status("https://other.example.org") == 200
        assert status("https://other.example.org.evil.example") == 403
        assert status("null") == 403


@pytest.mark.parametrize(
    ("name", "status"),
    [
        ("localhost", 200),
        ("LOCALHOST:8021", 200),
        ("127.0.0.1:8021", 200),
        ("[::1]:8021", 200),
        ("cards.example.org", 200),
        ("evil.example", 421),
        ("evil.example:8021", 421),
        ("127.0.0.1.evil.example", 421),
        ("localhost.evil.example", 421),
        ("192.168.1.5", 421),
        ("[::1", 421),
        ("x" * 5000, 421),
    ],
)
def test_a_server_of_one_machine_answers_under_its_own_names_only(sqlite: str, name: str, status: int) -> None:
    """A page whose name points to this machine must not use the server as its own, on requests or on sockets."""
    settings = ServerSettings(database=sqlite, origins=("https://cards.example.org",))
    with TestClient(create_app(settings)) as client:
        answer = client.get("/healthz", headers={"Host": name})
        assert answer.status_code == status
        if status != 200:
            assert answer.json()["code"] == "wrong host"
            assert len(answer.json()["message"]) < 300
            with (
                pytest.raises(WebSocketDenialResponse) as denied,
                client.websocket_connect("/api/v1/tables/none/socket", headers={"Host": name}),
            ):
                raise AssertionError("the socket is open")
            assert denied.value.status_code == 421
        else:
            with client.websocket_connect("/api/v1/tables/none/socket", headers={"Host": name}) as session:
                assert session.receive_json()["code"] == "not signed in"


def test_a_server_for_others_answers_under_every_name(sqlite: str) -> None:
    """Its names are the operator's, and a proxy may call it as it likes."""
    with TestClient(create_app(ServerSettings(database=sqlite, host="0.0.0.0"))) as client:
        assert client.get("/healthz", headers={"Host": "cards.example.org"}).status_code == 200


@pytest.mark.slow
def test_new_guests_count_for_the_address_that_the_proxy_names(tmp_path: Path) -> None:
    """Otherwise one stranger would keep out everybody behind the proxy; failed sign-ins are counted the same way."""
    with real_server(str(tmp_path / "holecard.db"), "--guest-burst", "2") as (address, _):

        def arrive(client: str) -> int:
            request = urllib.request.Request(f"{address}/api/v1/guest", b"", {"X-Forwarded-For": client})
            try:
                with urllib.request.urlopen(request) as answer:
                    return int(answer.status)
            except urllib.error.HTTPError as refused:
                refused.close()
                return refused.code

        assert [arrive("203.0.113.5") for _ in range(3)] == [201, 201, 429]
        assert arrive("203.0.113.6") == 201

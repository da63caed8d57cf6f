"""Behind a proxy with HTTPS, as docs/server.md says: secure cookies, allowed origins, addresses of clients."""

from __future__ import annotations

import urllib.error
import urllib.request
from pathlib import Path
from typing import Literal

import pytest
from fastapi import Request, Response
from fastapi.testclient import TestClient

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
    settings = ServerSettings(database=sqlite, origins=("https://other.example.org",))
    with TestClient(create_app(settings)) as client:
        client.post("/api/v1/guest")

        def status(origin: str) -> int:
            headers = {"Host": "cards.example.org", "Origin": origin}
            return client.get("/api/v1/me", headers=headers).status_code

        assert status("https://cards.example.org") == 200
        assert status("https://other.example.org") == 200
        assert status("https://other.example.org.evil.example") == 403
        assert status("null") == 403


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

"""The pages for browsers: their files, their headers, and what may not be read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from holecard.server.compute.worker import Worker
from holecard.server.settings import ServerSettings
from holecard.server.web.app import create_app
from holecard.server.web.routes.pages import FILES, PAGE_ADDRESSES, languages


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """A server whose worker does not warm up."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Worker, "warm_up", lambda _worker: None)
        database = f"{tmp_path_factory.mktemp('pages')}/holecard.db"
        with TestClient(create_app(ServerSettings(database=database, skip_returns=True))) as found:
            yield found


def address(pattern: str) -> str:
    return re.sub(r"\{\w+\}", "some", pattern)


@pytest.mark.parametrize("pattern", PAGE_ADDRESSES)
def test_every_address_has_a_page_without_a_session(client: TestClient, pattern: str) -> None:
    answer = client.get(address(pattern))
    assert answer.status_code == 200
    assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
    assert answer.headers["Cache-Control"] == "no-cache"
    assert f'<html data-languages="{" ".join(languages())}" lang="en">' in answer.text
    assert "set-cookie" not in answer.headers


@pytest.mark.parametrize("pattern", PAGE_ADDRESSES)
def test_pages_load_only_files_that_are_served(client: TestClient, pattern: str) -> None:
    """Scripts and styles are files of their own: the policy allows none inside a page."""
    text = client.get(address(pattern)).text
    loaded = re.findall(r'(?:src|href)="(/static/[^"]+)"', text)
    assert len(loaded) >= 2
    assert [path for path in loaded if client.get(path).status_code != 200] == []
    assert not re.search(r"<style|\sstyle=|\son\w+=|<script(?![^>]* src=)", text)


def test_the_policy_allows_only_own_files(client: TestClient) -> None:
    policy = client.get("/").headers["Content-Security-Policy"]
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    assert rules["default-src"] == rules["base-uri"] == rules["frame-ancestors"] == "'none'"
    assert rules["script-src"] == rules["style-src"] == rules["connect-src"] == "'self'"
    assert "unsafe" not in policy


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("core/text.js", "text/javascript; charset=utf-8"),
        ("style/base.css", "text/css; charset=utf-8"),
        ("style/icon.svg", "image/svg+xml"),
    ],
)
def test_a_file_is_sent_once_and_then_only_confirmed(client: TestClient, path: str, kind: str) -> None:
    first = client.get(f"/static/{path}")
    assert (first.status_code, first.headers["Content-Type"]) == (200, kind)
    assert first.content == (FILES / path).read_bytes()
    assert first.headers["Cache-Control"] == "no-cache"
    tag = first.headers["ETag"]
    for known in (tag, f"W/{tag}", f'"other", {tag}'):
        again = client.get(f"/static/{path}", headers={"If-None-Match": known})
        assert (again.status_code, again.content, again.headers["ETag"]) == (304, b"", tag)
    assert client.get(f"/static/{path}", headers={"If-None-Match": '"other"'}).status_code == 200
    head = client.head(f"/static/{path}")
    assert (head.status_code, head.content) == (200, b"")


@pytest.mark.parametrize(
    "path",
    [
        "../games.py",
        "..%2f..%2fpages%2f..%2fgames.py",
        "core/../../settings.py",
        "%2e%2e/web/app.py",
        "core/%2e%2e/%2e%2e/%2e%2e/catalog/classic.toml",
        "/etc/passwd",
        "%2fetc%2fpasswd.js",
        "core",
        "lobby.html",
        "core/none.js",
        "core/text.js%00",
        "x" * 3000 + ".js",
    ],
)
def test_nothing_else_can_be_read(client: TestClient, path: str) -> None:
    answer = client.get(f"/static/{path}")
    assert answer.status_code == 404
    assert answer.json()["code"] == "not found"


def test_a_link_out_of_the_folder_is_not_followed(
    client: TestClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from holecard.server.web.routes import pages

    inside, outside = tmp_path / "pages", tmp_path / "secret.js"
    inside.mkdir()
    outside.write_text("secret")
    (inside / "link.js").symlink_to(outside)
    (inside / "own.js").write_text("own")
    monkeypatch.setattr(pages, "FILES", inside)
    assert client.get("/static/own.js").text == "own"
    assert client.get("/static/link.js").status_code == 404


def test_a_person_at_a_wrong_address_gets_a_page_and_a_program_a_typed_answer(client: TestClient) -> None:
    person = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
    answer = client.get("/nowhere", headers=person)
    assert (answer.status_code, answer.headers["Content-Type"]) == (404, "text/html; charset=utf-8")
    assert "/static/core/missing.js" in answer.text
    for path, headers in (("/nowhere", {}), ("/api/v1/nowhere", person), ("/static/nowhere.js", person)):
        answer = client.get(path, headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (404, "not found")
    assert client.post("/nowhere", headers=person).json()["code"] == "not found"

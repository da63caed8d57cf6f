"""Sheets in a folder: served, listed with their problems, and read again without changing open tables."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from holecard.server.settings import ServerSettings
from holecard.server.web.app import create_app
from tests.server.test_web import Person, key

MINE = 'extends = "classic"\nname = "My game"\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    found = tmp_path / "games"
    found.mkdir()
    (found / "mine.toml").write_text(MINE)
    (found / "broken.toml").write_text('extends = "classic"\n[shoe]\ndecks = "many"\n')
    (found / "garbage.toml").write_bytes(b"\xff\xfe not toml = [")
    (found / "lost.toml").write_text('extends = "nothing.toml"\n')
    (found / "notes.txt").write_text("not a sheet")
    return found


@pytest.fixture
def client(folder: Path, sqlite: str) -> Iterator[TestClient]:
    settings = ServerSettings(database=sqlite, games=folder, skip_returns=True, message_burst=1_000)
    with TestClient(create_app(settings)) as found:
        yield found


def test_sheets_of_a_folder_are_served_and_broken_ones_listed_with_their_problem(
    client: TestClient, folder: Path
) -> None:
    ann = Person(client)
    games = {game["game"]: game for game in ann.get("/api/v1/games").json()}
    assert games["mine"]["title"] == "My game"
    assert games["mine"]["problem"] is None
    assert "decks" in games["broken"]["problem"]
    assert games["garbage"]["problem"].startswith("garbage.toml:")
    assert games["broken"]["problem"].startswith("broken.toml:")
    assert games["lost"]["problem"].startswith("lost.toml:")
    assert "classic" in games
    assert "notes" not in games
    refused = ann.post("/api/v1/tables", {"id": key(), "game": "broken"})
    assert (refused.status_code, refused.json()["code"]) == (422, "sheet refused")
    assert ann.get("/api/v1/games/broken").status_code == 422
    assert ann.get("/api/v1/games/mine").json()["rules"]["game"] == "mine"
    said = [ann.get(f"/api/v1/games{path}").text for path in ("", "/mine", "/broken", "/lost")]
    assert not [text for text in (refused.text, *said) if str(folder) in text]
    table = ann.open("mine")
    assert [info["title"] for info in ann.get("/api/v1/tables").json()] == ["My game"]
    assert ann.command(table, do="sit", seat=1).status_code == 200


def test_a_sheet_that_changes_does_not_change_open_tables(client: TestClient, folder: Path) -> None:
    ann = Person(client)
    table = ann.open("mine")
    before = ann.get(f"/api/v1/tables/{table}").json()["table"]
    (folder / "mine.toml").write_text(MINE.replace("My game", "Another game"))
    os.utime(folder / "mine.toml", ns=(1, 1))
    assert ann.get(f"/api/v1/tables/{table}").json()["table"] == before
    other = ann.open("mine")
    titles = {info["id"]: info["title"] for info in ann.get("/api/v1/tables").json()}
    assert titles == {table: "My game", other: "Another game"}
    assert client.portal is not None
    client.portal.call(client.app.state.services.host.forget, 0)  # type: ignore[attr-defined]
    assert ann.get(f"/api/v1/tables/{table}").json()["table"] == before
    (folder / "mine.toml").unlink()
    assert ann.command(table, do="sit", seat=1).status_code == 200
    assert len(ann.get("/api/v1/tables").json()) == 2
    assert ann.post("/api/v1/tables", {"id": key(), "game": "mine"}).status_code == 404

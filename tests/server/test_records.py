"""Finished rounds: what everybody has after them, in the history and in files; and records that replay."""

from __future__ import annotations

import asyncio
import csv
import io
from pathlib import Path

import pyarrow.parquet
from fastapi.testclient import TestClient
from sqlalchemy import text

from holecard.server.settings import ServerSettings
from holecard.server.store.database import connect, writing
from holecard.server.web.app import create_app
from tests.cli.shell import Shell, shell
from tests.server.test_web import Person

__all__ = ["shell"]


def play_together(ann: Person, bob: Person, table: str) -> tuple[int, int]:
    """Play one round, in which everybody stands; return what both have then."""
    for person, seat in ((ann, 2), (bob, 5)):
        assert person.command(table, do="bet", seat=seat, main=1000).status_code == 200
    ann.command(table, do="deal")
    while (view := ann.get(f"/api/v1/tables/{table}").json()["view"])["phase"] != "done":
        person = ann if view["asked"] == 2 else bob
        actions = {choice["action"] for choice in person.get(f"/api/v1/tables/{table}").json()["view"]["choices"]}
        action = next(action for action in ("stand", "no insurance") if action in actions)
        assert person.command(table, do="act", seat=view["asked"], action=action).status_code == 200
    mine, other = (person.get("/api/v1/me").json()["balance"] for person in (ann, bob))
    return mine, other


def test_a_round_keeps_what_its_players_have_after_it(database: str, tmp_path: Path, shell: Shell) -> None:
    settings = ServerSettings(database=database, skip_returns=True, messages_per_second=10_000, message_burst=10_000)
    with TestClient(create_app(settings)) as client:
        ann, bob = Person(client), Person(client)
        table, other_table = ann.open(), bob.open()
        ann.command(table, do="sit", seat=2)
        bob.command(table, do="sit", seat=5)
        # Bob has money at stake elsewhere: it is not free.
        bob.command(other_table, do="sit", seat=1)
        bob.command(other_table, do="bet", seat=1, main=3000)
        after = [play_together(ann, bob, table) for _ in range(2)]
        for person, seat, place in ((ann, 2, 0), (bob, 5, 1)):
            rounds = person.get("/api/v1/history").json()
            assert [one["balances"] for one in rounds] == [{str(seat): both[place]} for both in after[::-1]]
            one = person.get(f"/api/v1/tables/{table}/rounds/1").json()
            assert one["balances"] == {str(seat): after[0][place]}
            lines = list(csv.DictReader(io.StringIO(person.get("/api/v1/history/export").text)))
            found = {(line["round"], line["seat"]): line["balance_cents"] for line in lines}
            for number, both in enumerate(after, start=1):
                assert found.pop((str(number), str(seat))) == str(both[place])
            assert set(found.values()) == {""}, "what others have is shown"
            columns = pyarrow.parquet.read_table(
                io.BytesIO(person.get("/api/v1/history/export?format=parquet").content)
            ).to_pydict()
            assert [str(cents or "") for cents in columns["balance_cents"]] == [line["balance_cents"] for line in lines]
            exported = person.get("/api/v1/history/export?format=toml").text.split("\n# table ")
            for both, words in zip(after[::-1], exported, strict=True):
                assert f"# seat {seat} has ${both[place] / 100:,.2f}".removesuffix(".00") in words
                assert words.count(" after it\n") == 1
                (tmp_path / "round.toml").write_text("# " + words)
                assert shell("replay", str(tmp_path / "round.toml")).code == 0
        asyncio.run(_forget_balances(database))
        assert ann.get("/api/v1/history").json()[0]["balances"] == {}
        assert ann.get("/api/v1/history/export").status_code == 200


async def _forget_balances(database: str) -> None:
    """Make rounds look as an older version has stored them."""
    engine = connect(database)
    async with writing(engine) as connection:
        await connection.execute(text("UPDATE rounds SET balances = NULL"))
    await engine.dispose()

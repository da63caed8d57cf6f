"""No seed, hole card or undealt card leaves the server early: not in answers, frames, logs, errors or metrics."""

from __future__ import annotations

import asyncio
import json
import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager
from io import StringIO
from typing import Any

import pytest
import structlog
from fastapi.testclient import TestClient
from sqlalchemy.exc import IntegrityError
from starlette.testclient import WebSocketTestSession

from holecard.server.fairness.construction import shoe_key
from holecard.server.host.hosted_table import HostedTable
from holecard.server.settings import ServerSettings
from holecard.server.store import schema
from holecard.server.store.database import writing
from holecard.server.web.app import create_app
from holecard.server.web.services import services
from holecard.table.legal import legal
from tests.server.test_web import Person, key

_FREE = ("stand", "no insurance", "no surrender")


@contextmanager
def everything_logged() -> Iterator[StringIO]:
    """Catch all that is logged, at the lowest level, by structlog and by the standard library."""
    out = StringIO()
    before = structlog.get_config()
    structlog.configure(
        processors=[structlog.processors.format_exc_info, structlog.processors.JSONRenderer()],
        wrapper_class=structlog.make_filtering_bound_logger(logging.DEBUG),
        logger_factory=structlog.PrintLoggerFactory(out),
        cache_logger_on_first_use=False,
    )
    handler, root = logging.StreamHandler(out), logging.getLogger()
    level = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    try:
        yield out
    finally:
        root.removeHandler(handler)
        root.setLevel(level)
        structlog.configure(**before)


class Listener:
    """A new guest at a new table, who keeps everything that the server says."""

    def __init__(self, client: TestClient, game: str) -> None:
        self.ann = Person(client)
        self.heard: list[str] = []
        opened = self.hear(self.ann.post("/api/v1/tables", {"id": key(), "game": game}))
        self.table: str = opened.json()["id"]
        tables: tuple[HostedTable, ...] = client.app.state.services.host.tables  # type: ignore[attr-defined]
        self.hosted = next(hosted for hosted in tables if hosted.id == self.table)

    def hear(self, answer: Any) -> Any:
        self.heard.append(answer.text + str(dict(answer.headers)))
        return answer

    def command(self, **command: Any) -> Any:
        return self.hear(self.ann.command(self.table, **command))

    def ask_for_everything(self) -> None:
        """Read all that can be read, and send commands that are refused."""
        assert self.hosted.table.shoe is not None
        for path in (
            f"/api/v1/tables/{self.table}",
            "/api/v1/tables",
            "/api/v1/history",
            "/api/v1/history/export?format=toml",
            "/metrics",
            "/readyz",
            "/api/v1/me",
            f"/api/v1/tables/{self.table}/rounds/1",
            f"/api/v1/tables/{self.table}/shoes/{self.hosted.table.shoe.id}",
        ):
            self.hear(self.ann.get(path))
        for bad in ({"do": "act", "seat": 1, "action": "fly"}, {"do": "deal"}, {"do": "bet", "seat": 1, "main": 1}):
            self.command(**bad)

    def listen(self, session: WebSocketTestSession) -> None:
        """Keep all frames up to the newest."""
        while True:
            self.heard.append(session.receive_text())
            message = json.loads(self.heard[-1])
            if message.get("number") == self.hosted.table.sequence and message["type"] in ("entry", "snapshot"):
                return

    def answer(self) -> None:
        actions = {str(choice.action) for choice in legal(self.hosted.table.state)}
        free = next((action for action in _FREE if action in actions), None)
        done = self.command(do="act", seat=1, action=free) if free else self.command(do="place", seat=1)
        assert done.status_code == 200, done.text


def hidden_cards(hosted: HostedTable) -> set[str]:
    """Return the dealer's hidden card and the next card of the shoe, where nobody has seen such a card."""
    table, secret = hosted.table, hosted.secret
    state, shoe = table.state, table.shoe
    assert secret is not None
    assert shoe is not None
    own = shoe_key(secret.seed, shoe.id, table.opened.sheet, [seed for _, seed in shoe.player_seeds])
    continued = shoe.cards.copy()
    with continued.dealing_from(own):
        following = {str(card) for card in continued.draw(1)}
    hole = set() if state.hole_seen else {str(card) for card in state.dealer[1:]}
    seen = {str(card) for seat in state.seats for hand in seat.hands for card in hand.cards}
    seen |= {str(card) for card in (state.dealer if state.hole_seen else state.dealer[:1])}
    return (hole | following) - seen


def is_said(card: str, text: str) -> bool:
    return re.search(rf"(?<![A-Za-z0-9]){card}(?![A-Za-z0-9])", text) is not None


@pytest.mark.slow
@pytest.mark.parametrize("game", ["classic", "double-up", "quick-pay"])
def test_nothing_that_leaves_the_server_holds_a_secret(game: str, sqlite: str) -> None:
    settings = ServerSettings(
        database=sqlite, skip_returns=True, messages_per_second=100_000, message_burst=1_000_000, guest_burst=10_000
    )
    searched = 0
    with everything_logged() as logged, TestClient(create_app(settings)) as client:
        for _ in range(5):
            begun = logged.tell()
            one = Listener(client, game)
            one.command(do="sit", seat=1)
            secret = one.hosted.secret
            assert secret is not None
            client.cookies = one.ann.cookies  # type: ignore[assignment]
            with client.websocket_connect(f"/api/v1/tables/{one.table}/socket") as session:
                one.command(do="bet", seat=1, main=1000)
                one.command(do="deal")
                while not one.hosted.table.is_between_rounds:
                    one.ask_for_everything()
                    one.listen(session)
                    said = "".join(one.heard) + logged.getvalue()[begun:]
                    for card in hidden_cards(one.hosted):
                        assert not is_said(card, said), card
                        searched += 1
                    for spelled in (secret.seed.hex(), str(secret.seed)[2:-1], secret.seed.hex().upper()):
                        assert spelled not in said
                    one.answer()
    assert searched > 5
    assert '"refused"' in logged.getvalue()


def test_the_search_finds_a_card_that_is_said() -> None:
    assert is_said("7h", '{"cards":["7h",null]}')
    assert is_said("7h", "cards = 'As 7h 9c'")
    assert not is_said("7h", '{"id":"x7hq"}')


def test_an_error_of_the_database_does_not_show_what_was_written(database: str) -> None:
    async def run() -> None:
        async with services(ServerSettings(database=database, skip_returns=True)) as made:
            row = {"shoe": "a-shoe", "table": "t", "seed": b"a very secret seed"}
            with pytest.raises(IntegrityError) as caught:
                async with writing(made.engine) as connection:
                    await connection.execute(schema.shoe_seeds.insert(), [row, row])
            assert "secret" not in str(caught.value)
            assert b"a very secret seed".hex() not in str(caught.value)

    asyncio.run(run())

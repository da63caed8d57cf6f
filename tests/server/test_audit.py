"""The audit names the first thing that was changed, whatever it is."""

from __future__ import annotations

import asyncio
import random

import pytest
from sqlalchemy import text

import holecard
from holecard.server.audit.audit import Audit, audit
from holecard.server.game.commands import CloseTable, Sit
from holecard.server.host.loader import sheet_hash
from holecard.server.store.database import connect
from holecard.server.store.read import StoreReader
from tests.server.test_host import Player, server


async def played(database: str) -> tuple[str, str]:
    """Play a few rounds and close the table; return the table and the user."""
    rng = random.Random(5)
    async with server(database) as made:
        player = Player(made.host, await made.accounts.guest())
        table = await player.open("classic")
        await player.do(table, Sit(seat=1))
        for _ in range(4):
            await player.play_round(table, rng)
        await player.do(table, CloseTable())
        return table, player.user.id


async def audited(database: str, change: str, **values: object) -> Audit:
    """Change the database behind the server's back, and audit it."""
    engine = connect(database)
    async with engine.connect() as connection:
        await connection.execution_options(writes=True)
        async with connection.begin():
            assert (await connection.execute(text(change), values)).rowcount
    found = await audit(StoreReader(engine))
    await engine.dispose()
    return found


def test_an_untouched_database_is_clean(database: str) -> None:
    asyncio.run(played(database))
    found = asyncio.run(audited(database, "UPDATE sheets SET content = content"))
    assert found.is_clean
    assert found.shoes == 1
    assert found.money == (asyncio.run(_balance(database)))
    assert "nothing is wrong" in str(found)


async def _balance(database: str) -> int:
    engine = connect(database)
    balances = await StoreReader(engine).balances()
    await engine.dispose()
    return sum(amount for account, amount in balances.items() if account.startswith("player:"))


#: A change, and how the audit's first problem begins.
CHANGES: list[tuple[str, str, str]] = [
    (
        "where the server begins to fold",
        """UPDATE tables SET checkpoint = replace(checkpoint, 'false', 'true') WHERE 'table:' || id = :stream""",
        "table:{table}: its checkpoint is not what the log makes of entry 2",
    ),
    (
        "a card",
        """UPDATE log SET body = replace(body, '"cards":"', '"cards":"As ') WHERE stream = :stream AND sequence = 5""",
        "table:{table}, entry 5: its hash is not that of its content",
    ),
    (
        "a time",
        "UPDATE log SET at = at + 1 WHERE stream = :stream AND sequence = 4",
        "table:{table}, entry 4: its hash is not that of its content",
    ),
    (
        "whose command it was",
        "UPDATE log SET actor = 'mallory' WHERE stream = :stream AND sequence = 4",
        "table:{table}, entry 4: its hash is not that of its content",
    ),
    (
        "an entry is gone",
        "DELETE FROM log WHERE stream = :stream AND sequence = 6",
        "table:{table}, entry 6: its number is 7, so an entry is missing",
    ),
    (
        "a transfer's amount",
        "UPDATE transfers SET amount = amount + 1 WHERE stream = :stream AND sequence = 4 AND place = 0",
        "table:{table}, entry 4: its transfers should be",
    ),
    (
        "a transfer is gone",
        "DELETE FROM transfers WHERE stream = :stream AND sequence = 4",
        "table:{table}, entry 4: its transfers should be",
    ),
    (
        "a balance",
        "UPDATE balances SET amount = amount + 100 WHERE account = :account",
        "balance of player:{user}: ",
    ),
    (
        "a stake that wagers returned",
        "UPDATE returns SET staked = staked + 1 WHERE wager = 'main'",
        "returns of classic, sheet {sheet}, wager main: 4 wagers, $20.01 staked",
    ),
    (
        "what players won with a wager",
        "UPDATE returns SET net = net - 1 WHERE wager = 'main'",
        "returns of classic, sheet {sheet}, wager main: 4 wagers, $20 staked",
    ),
    (
        "the squares of stakes",
        "UPDATE returns SET squares = squares + 1 WHERE wager = 'main'",
        "returns of classic, sheet {sheet}, wager main: 4 wagers, $20 staked",
    ),
    (
        "a wager's rounds",
        "UPDATE returns SET rounds = rounds + 1 WHERE wager = 'main'",
        "returns of classic, sheet {sheet}, wager main: 5 wagers, $20 staked",
    ),
    (
        "a wager's returns are gone",
        "DELETE FROM returns WHERE wager = 'main'",
        "returns of classic, sheet {sheet}, wager main: 0 wagers, $0 staked",
    ),
    (
        "returns of a wager that nobody made",
        "INSERT INTO returns SELECT game, sheet, 'Luck', 1, 500, 250000, 500 FROM returns WHERE wager = 'main'",
        "returns of classic, sheet {sheet}, wager Luck: 1 wager, $5 staked",
    ),
    (
        "the sheet",
        "UPDATE sheets SET content = content || ' '",
        "table:{table}, entry 1: it does not follow from the entries before it: the stored sheet is not the one",
    ),
]


@pytest.mark.parametrize(("change", "words"), [case[1:] for case in CHANGES], ids=[case[0] for case in CHANGES])
def test_a_change_is_found_and_named(sqlite: str, change: str, words: str) -> None:
    table, user = asyncio.run(played(sqlite))
    values: dict[str, object] = {}
    if ":stream" in change:
        values["stream"] = f"table:{table}"
    if ":account" in change:
        values["account"] = f"player:{user}"
    found = asyncio.run(audited(sqlite, change, **values))
    assert not found.is_clean
    sheet = sheet_hash(holecard.rules("classic"))[:12]
    assert found.problems[0].startswith(words.format(table=table, user=user, sheet=sheet)), found.problems

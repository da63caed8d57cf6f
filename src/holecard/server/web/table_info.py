"""What the lobby and a new connection say about a table and a person."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from typing import Any

from sqlalchemy import RowMapping

from holecard.server.accounts.sessions import User
from holecard.server.game.entries import SettingValue, TableOpened, read_entry
from holecard.server.game.orders import Orders
from holecard.server.host.hosted_table import HostedTable, stream_of
from holecard.server.money.transfers import player_account
from holecard.server.store.head_file import counted_entries
from holecard.server.web.messages import Hello, Person, TableInfo
from holecard.server.web.services import Services


async def person(service: Services, user: User) -> Person:
    """Return who a user is, and what the user has."""
    balance = await service.reader.balance(player_account(user.id))
    return Person(
        name=service.host.orders.shown_name(user.id, user.name),
        role=user.role,
        balance=balance,
        held=await service.accounts.held(user),
        buy_in_below=service.accounts.buy_in_below,
        notice=_notice(service.head.lost),
    )


def _notice(lost: int) -> str | None:
    """Return what everybody hears where the log went back."""
    if not lost:
        return None
    return (
        f"The server has lost the newest part of its logs, at least {counted_entries(lost)}: rounds, bets and money of "
        "the last moments before it started may be missing. The operator has been told."
    )


def table_info(hosted: HostedTable, orders: Orders) -> TableInfo:
    """Return what the lobby says about a table."""
    table = hosted.table
    return TableInfo(
        id=hosted.id,
        game=table.opened.game,
        title=table.opened.title,
        sheet=table.opened.sheet,
        settings=table.opened.settings,
        seats=table.tables.seats,
        taken={seat: orders.shown_name(one.user, one.name) for seat, one in sorted(table.seats.items())},
        pace=table.opened.pace,
        private=table.opened.private,
        stopped=orders.why_closed_to_bets(table.opened),
        chips=table.opened.chips,
    )


def listed_table(row: RowMapping, sitters: Mapping[tuple[str, int], str], orders: Orders) -> TableInfo:
    """Return what the lobby says about a table that this process may not have loaded.

    `sitters` has who sits where, if a name may have to be replaced.
    """
    opened = _opened(row["opened"])
    names = {int(seat): name for seat, name in json.loads(row["seats"]).items()}
    return TableInfo(
        id=row["id"],
        game=row["game"],
        title=row["title"],
        sheet=row["sheet"],
        settings=opened.settings,
        seats=row["places"],
        taken={seat: orders.shown_name(sitters.get((row["id"], seat), ""), name) for seat, name in names.items()},
        pace=opened.pace,
        private=opened.private,
        stopped=orders.why_closed_to_bets(opened),
        chips=opened.chips,
    )


async def settings_of_tables(service: Services, tables: Collection[str]) -> dict[str, dict[str, SettingValue]]:
    """Return the settings of tables, open or closed, by id."""
    ids = {stream_of(table): table for table in tables}
    found = await service.reader.first_entries(ids)
    return {ids[stream]: _opened(body).settings for stream, body in found.items()}


def _opened(body: str) -> TableOpened:
    opened = read_entry(body)
    assert isinstance(opened, TableOpened)
    return opened


async def hello(service: Services, user: User, hosted: HostedTable) -> dict[str, Any]:
    """Return the first message on a socket."""
    you = await person(service, user)
    return Hello(you=you, table=table_info(hosted, service.host.orders), now=service.now()).model_dump(mode="json")

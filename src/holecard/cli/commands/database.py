"""Commands for a server's database: `audit`, `backup`, `close-tables` and `operator`."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import Annotated

import typer

from holecard.cli.commands.serve import DatabaseOption, needs_server
from holecard.cli.output import JsonOption
from holecard.errors import plural
from holecard.server.settings import ServerSettings, database_url


def audit_database(database: DatabaseOption = "holecard.db", json: JsonOption = False) -> None:
    """Check everything a server stored: hash chains, ledger, balances, records, returns, and every finished shoe.

    Exit code 1 where something is wrong; the first broken link of each log is named. Keep the hash that is printed
    where nobody can change it who can change the database.
    """
    needs_server()
    from holecard.server.audit.in_process import audit_here

    _check_exists(database)
    found = asyncio.run(audit_here(database_url(database)))
    if json:
        typer.echo(found.to_json())
    else:
        for problem in found.problems:
            typer.echo(problem)
        typer.echo(f"Hash over the ends of all logs: {found.head}")
        typer.echo(str(found))
    if not found.is_clean:
        raise typer.Exit(1)


def back_up_database(
    file: Annotated[Path, typer.Argument(help="The new file.")], database: DatabaseOption = "holecard.db"
) -> None:
    """Copy a server's SQLite database while it is in use.

    The copy has everything as it was at one moment. It contains the seeds of undealt shoes: keep it secret. PostgreSQL
    has its own tools (pg_dump).
    """
    needs_server()
    from holecard.server.store.backup import back_up

    size = back_up(database_url(database), file)
    typer.echo(f"Copied {database} to {file}: {size:,} bytes, checked. Keep it secret: it has the seeds of open shoes.")


def close_all_tables(
    database: DatabaseOption = "holecard.db",
    reason: Annotated[str, typer.Option(help="What players are shown.")] = "the server was restored from a backup",
) -> None:
    """Close every open table, return all stakes, and reveal the shoes: after a backup was restored.

    Rounds that are not over are voided. Stop the server first.
    """
    needs_server()
    from holecard.server.host.close_tables import close_tables
    from holecard.server.store.sqlite_file import one_server

    _check_exists(database)
    with one_server(database_url(database)):
        closed = asyncio.run(close_tables(database_url(database), reason, lambda: time.time_ns() // 1_000_000))
    typer.echo(f"{plural(closed, 'table')} closed; every stake that was not settled is returned.")


def make_operator(
    name: Annotated[str, typer.Argument(help="The name of the account; it is created where nobody has it.")],
    remove: Annotated[bool, typer.Option("--remove", help="Make the operator a player again.")] = False,
    database: DatabaseOption = "holecard.db",
) -> None:
    """Make a person an operator, who can close every table and run the audit.

    A new account asks for its password. A server that is running takes notice within ten seconds.
    """
    needs_server()
    from holecard.server.accounts.operators import appoint, dismiss

    settings = ServerSettings(database=database)
    if remove:
        asyncio.run(dismiss(settings, name))
        typer.echo(f"{name} is a player again.")
        return

    def ask() -> str:
        return str(typer.prompt(f"Password for {name}", hide_input=True, confirmation_prompt=True))

    is_new = asyncio.run(appoint(settings, name, ask))
    typer.echo(f"{name} is an operator" + (" with a new account." if is_new else "."))


def _check_exists(database: str) -> None:
    """Refuse a SQLite file that does not exist; connecting would create it."""
    from holecard.server.store.backup import sqlite_file

    if database_url(database).startswith("sqlite"):
        sqlite_file(database_url(database))

"""`holecard serve`, `holecard audit` and `holecard verify-shoe`: the table server and the checks of what it stored."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from holecard.cli.output import JsonOption
from holecard.errors import Refusal, Unreadable, plural
from holecard.sheets.files.text_file import read_text_file

_DATABASE = "The database: a file for SQLite, or an address such as postgresql+asyncpg://user@host/holecard."
DatabaseOption = Annotated[str, typer.Option("--database", "-d", help=_DATABASE)]


def serve(
    database: DatabaseOption = "holecard.db",
    host: Annotated[str, typer.Option(help="The address to listen on; 0.0.0.0 lets other machines in.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="The port to listen on; 0 takes any free one.", min=0, max=65535)] = 8021,
    games: Annotated[Path | None, typer.Option(help="A folder with more rule sheets.")] = None,
    no_open: Annotated[bool, typer.Option("--no-open", help="Do not open a browser.")] = False,
    secure_cookies: Annotated[
        bool, typer.Option("--secure-cookies", help="Send session cookies over HTTPS only; use it behind a proxy.")
    ] = False,
) -> None:
    """Serve tables to people on this machine, or over a network."""
    needs_server()
    from holecard.server.settings import ServerSettings
    from holecard.server.web.run import serve as run

    if games is not None and not games.is_dir():
        raise Refusal(f"--games: {games} is not a folder")
    settings = ServerSettings(
        database=database_url(database), host=host, port=port, games=games, secure_cookies=secure_cookies
    )
    run(settings, open_browser=not no_open, say=typer.echo)


def audit(database: DatabaseOption = "holecard.db", json: JsonOption = False) -> None:
    """Check everything a server stored: hash chains, ledger, balances, and every finished shoe.

    Exit code 1 where something is wrong; the first broken link of each log is named.
    """
    needs_server()
    from holecard.server.audit.audit import audit as check
    from holecard.server.store.database import connect
    from holecard.server.store.read import Reader

    url = database_url(database)
    if url.startswith("sqlite") and not Path(url.rpartition("///")[2]).exists():
        raise Refusal(f"there is no database {database}")

    async def run() -> None:
        engine = connect(url)
        found = await check(Reader(engine))
        await engine.dispose()
        if json:
            typer.echo(found.to_json())
        else:
            for problem in found.problems:
                typer.echo(problem)
            typer.echo(str(found))
        if not found.is_clean:
            raise typer.Exit(1)

    asyncio.run(run())


def verify_shoe(
    file: Annotated[Path, typer.Argument(help="A finished shoe, as the server's fairness page gives it.")],
) -> None:
    """Deal a finished shoe again from its revealed seed, and compare every card and every wager."""
    needs_server()
    from pydantic import ValidationError

    from holecard.server.fairness.shoe_document import ShoeDocument, redeal

    try:
        document = ShoeDocument.model_validate_json(read_text_file(file))
    except (ValidationError, Unreadable) as error:
        raise Refusal(f"{file}: this is not a finished shoe: {str(error).splitlines()[0]}") from None
    found = redeal(document)
    for problem in found.problems:
        typer.echo(problem)
    if found.problems:
        raise typer.Exit(1)
    ended = ", cut short" if document.cut_short else ""
    typer.echo(
        f"Shoe {document.shoe}{ended}: {plural(found.cards, 'card')} of {plural(found.rounds, 'round')} dealt again, "
        "every one as at the table. The seed is the one that was promised."
    )


def database_url(database: str) -> str:
    """Return the address of a database; a plain path is a SQLite file."""
    return database if "://" in database else f"sqlite+aiosqlite:///{database}"


def needs_server() -> None:
    """Refuse politely where the server's packages are not installed."""
    try:
        import fastapi  # noqa: F401
        import sqlalchemy  # noqa: F401
    except ImportError as missing:
        raise Refusal(f"the server needs {missing.name}: pip install 'holecard[server]'") from None

"""`holecard serve` and `holecard verify-shoe`: the table server, and the check of a shoe that it has dealt."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any, cast

import typer
from annotated_types import Ge, Le
from pydantic.fields import FieldInfo

from holecard.errors import Refusal, Unreadable, install_extra, plural
from holecard.server.settings import ServerSettings
from holecard.sheets.files.text_file import read_bytes

#: The largest document of a shoe that is read, in bytes; one of 16 decks and seven seats has about 300,000.
_LARGEST_SHOE = 16_000_000
_DATABASE = "The database: a SQLite file, or postgresql+asyncpg://user@host/name."
DatabaseOption = Annotated[str, typer.Option("--database", "-d", help=_DATABASE, envvar="HOLECARD_DATABASE")]


def serve(no_open: bool, **options: Any) -> None:
    """Serve tables to people on this machine, or over a network.

    Every option can also be given as an environment variable, and the command line wins.
    """
    needs_server()
    from holecard.server.web.run import serve as run

    games = options["games"]
    try:
        if games is not None and not games.is_dir():
            raise Refusal(f"--games: {games} is not a folder")
    except OSError as error:
        raise Refusal(f"--games: {games} cannot be read: {error.strerror}") from None
    run(ServerSettings(**options), open_browser=not no_open, say=typer.echo)


def _parameters() -> Iterator[inspect.Parameter]:
    """Yield an option for each setting of the server, and `--no-open`."""
    for name, field in ServerSettings.model_fields.items():
        yield _parameter(name, _type(field), field.get_default(), _option(name, field))
    yield _parameter("no_open", bool, False, typer.Option("--no-open", help="Do not open a browser."))


def _parameter(name: str, kind: Any, default: Any, option: Any) -> inspect.Parameter:
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[kind, option])


def _type(field: FieldInfo) -> Any:
    """Return the type of an option; one that can be repeated is a list."""
    return list[str] if field.annotation == tuple[str, ...] else field.annotation


def _option(name: str, field: FieldInfo) -> Any:
    names = [f"--{name.replace('_', '-')}", *(["-d"] if name == "database" else [])]
    meaning = field.description or ""
    low = next((bound.ge for bound in field.metadata if isinstance(bound, Ge)), None)
    high = next((bound.le for bound in field.metadata if isinstance(bound, Le)), None)
    return typer.Option(
        *names,
        help=f"{meaning[:1].upper()}{meaning[1:]}.",
        envvar=f"HOLECARD_{name.upper()}",
        min=cast(Any, low),
        max=cast(Any, high),
    )


# The settings are declared once, in ServerSettings; Typer reads the options from the signature.
cast(Any, serve).__signature__ = inspect.Signature(list(_parameters()))


def verify_shoe(
    file: Annotated[Path, typer.Argument(help="A finished shoe, as the server's fairness page gives it.")],
) -> None:
    """Deal a finished shoe again from its revealed seed, and compare every card and every wager."""
    needs_server()
    from pydantic import ValidationError

    from holecard.server.fairness.redeal import redeal
    from holecard.server.fairness.shoe_document import ShoeDocument
    from holecard.server.problems import first_problem

    try:
        document = ShoeDocument.model_validate_json(read_bytes(file, _LARGEST_SHOE))
    except ValidationError as error:
        raise Refusal(f"{file}: this is not a finished shoe: {first_problem(error.errors(), 'the file')}") from None
    except Unreadable as error:
        raise Refusal(f"{file}: this is not a finished shoe: {error}") from None
    found = redeal(document)
    for problem in found.problems:
        typer.echo(problem)
    if found.problems:
        raise typer.Exit(1)
    voided = ", the last one voided," if document.rounds and document.rounds[-1].voided else ""
    typer.echo(
        f"Shoe {document.shoe}{', cut short' if document.cut_short else ''}: {plural(found.cards, 'card')} of "
        f"{plural(found.rounds, 'round')}{voided} dealt again. Every card and every wager is as the document says."
    )
    typer.echo(f"The seed is the one that was promised before the first card: commitment {document.commitment}.")
    typer.echo(_seed_words(document.player_seeds))


def _seed_words(seeds: Sequence[str]) -> str:
    """Say what the players' seeds prove."""
    if not seeds:
        return "No player added a seed, so the server could have chosen this shoe among many."
    return (
        f"Seeds that players added: {', '.join(map(repr, seeds))}. If you drew one of them after the commitment was "
        "published, the server could not choose the shoe, unless it works with a player whose seed came later."
    )


def needs_server() -> None:
    """Refuse politely where the server's packages are not installed."""
    try:
        import fastapi  # noqa: F401
        import sqlalchemy  # noqa: F401
    except ImportError as missing:
        raise Refusal(f"the server needs {missing.name}; {install_extra('server')}") from None

"""One command with a sub-command for each thing to ask of a sheet.

Exit codes: 0 done, 1 failed, 2 bad input (a refusal, printed to the error stream).
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import holecard
from holecard.cli.arguments import Game, Json, Settings, sheet
from holecard.cli.commands.analyze import analyze
from holecard.cli.commands.bankroll import bankroll
from holecard.cli.commands.evaluate import evaluate
from holecard.cli.commands.house_odds import house_odds
from holecard.cli.commands.play import play
from holecard.cli.commands.simulate import simulate
from holecard.cli.commands.strategy import strategy
from holecard.cli.commands.sweep import sweep
from holecard.cli.commands.verify import verify
from holecard.cli.options import say_if_compiling
from holecard.cli.printing import show
from holecard.cli.printing.show_check import favors_data, readings_data, show_readings
from holecard.errors import RecordError, Refusal, SheetError, Unreadable, plural
from holecard.kernels.cache import mark_warm
from holecard.odds import odds
from holecard.sheets.checks.dead_lines import unreachable_lines
from holecard.sheets.checks.line_readings import line_readings
from holecard.sheets.checks.payout_order import odd_orderings
from holecard.sheets.descriptions.describe import describe
from holecard.sheets.descriptions.matrices import matrices
from holecard.sheets.files.text_file import read_text_file
from holecard.sheets.read import games, json_schema, rules
from holecard.table.records.record import read_record, replay

if TYPE_CHECKING:
    from holecard.exact.favorable_wagers import FavorableWager
    from holecard.sheets.schema import RuleSheet

app = typer.Typer(
    name="holecard",
    help="The workbench for blackjack variants: one rule sheet gives the game, to play and to reckon with.",
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def run() -> None:
    """Run the command; a refusal is bad input and ends with 2."""
    try:
        app()
    except Refusal as refusal:
        typer.echo(f"holecard: {refusal}", err=True)
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"holecard {holecard.__version__}")
        raise typer.Exit


@app.callback()
def main(
    _version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and stop.")
    ] = False,
) -> None:
    """The workbench for blackjack variants."""


app.command(name="play")(play)
app.command(name="analyze")(analyze)
app.command(name="strategy")(strategy)
app.command(name="evaluate")(evaluate)
app.command(name="house-odds")(house_odds)
app.command(name="bankroll")(bankroll)
app.command(name="simulate")(simulate)
app.command(name="sweep")(sweep)
app.command(name="verify")(verify)


@app.command(name="games", epilog="Example: holecard games --json")
def list_games(json: Json = False) -> None:
    """List the games that come with holecard."""
    sheets = {name: rules(name) for name in games()}
    if json:
        show.as_json([show.game_data(name, sheet) for name, sheet in sheets.items()])
    else:
        show.game_list(sheets)


@app.command(name="rules", epilog="Example: holecard rules classic --set settle.natural='6 to 5'")
def describe_rules(game: Game, settings: Settings = None, json: Json = False) -> None:
    """Describe a game in sentences: rules, decisions, pay tables, limits, rulings."""
    chosen = sheet(game, settings)
    if json:
        show.as_json(show.description_data(game, chosen, describe(chosen)))
    else:
        show.description(describe(chosen))


@app.command(name="tables", epilog="Example: holecard tables classic --set dealer.soft_17=stand")
def print_tables(game: Game, settings: Settings = None, json: Json = False) -> None:
    """Print the matrices a game compiles to: dealer, settlement, decisions, pay tables."""
    chosen = sheet(game, settings)
    if json:
        show.as_json(show.matrices_data(game, chosen, matrices(chosen.tables)))
    else:
        show.matrices(chosen.name, matrices(chosen.tables))


@app.command(epilog="Example: holecard check my.toml")
def check(
    file: Annotated[str, typer.Argument(help="A rule sheet: a TOML file or a game's name.")],
    settings: Settings = None,
    json: Json = False,
) -> None:
    """Accept or refuse a rule sheet, and print what every pay line was read as.

    Warn of pay lines that can never pay, of better hands that get less, and of side wagers that favor the player.
    """
    try:
        chosen = sheet(file, settings)
    except SheetError as refused:
        if not json:
            raise
        problems = [{"where": p.where, "line": p.line, "what": p.what} for p in refused.problems]
        show.as_json({"sheet": file, "accepted": False, "problems": problems})
        raise typer.Exit(2) from None
    readings = line_readings(chosen)
    favors = _favors(chosen)
    warnings = [*map(str, odd_orderings(chosen)), *map(str, unreachable_lines(chosen)), *map(str, favors)]
    if json:
        data = {"sheet": file, "name": chosen.name, "accepted": True, "warnings": warnings}
        show.as_json({**data, "readings": readings_data(readings), "favors_player": favors_data(favors)})
        return
    show_readings(readings)
    for warning in warnings:
        typer.echo(f"warning: {warning}", err=True)
    typer.echo(
        f"{file}: {chosen.name} can be dealt" + (f", with {plural(len(warnings), 'warning')}" if warnings else "")
    )


def _favors(chosen: RuleSheet) -> tuple[FavorableWager, ...]:
    """What favors the player; numba is not loaded where nothing can.

    Insurance at 2 to 1 never does: with an ace up and no ten held, at most 16 of 49 cards are tens.
    """
    if not chosen.wager and (chosen.insurance.pays == "none" or odds(chosen.insurance.pays) <= 2):
        return ()
    say_if_compiling("check")
    from holecard.exact.favorable_wagers import favorable_in_sheet

    found = favorable_in_sheet(chosen)
    mark_warm("check")
    return found


@app.command(epilog="Example: holecard schema > holecard.schema.json")
def schema() -> None:
    """Print a JSON Schema of rule sheets, for editors."""
    typer.echo(json_schema())


@app.command(name="replay", epilog="Example: holecard replay records/round.toml --json")
def replay_record(
    file: Annotated[Path, typer.Argument(help="A recorded round, as `holecard play` saves it.")],
    json: Json = False,
) -> None:
    """Replay a recorded round and check what it says was paid, to the cent."""
    try:
        text = read_text_file(file)
    except Unreadable as refused:
        raise RecordError(f"{file}: {refused}") from None
    record = read_record(text, str(file))
    states = replay(record)
    if json:
        show.as_json(show.replay_data(record, states[-1]))
    else:
        show.replayed(record, states)

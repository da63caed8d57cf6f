"""`holecard counting`: what a counter can take from a game."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypedDict

import typer

from holecard.cli.arguments import GameArgument, SeedOption, SettingsOption, sheet
from holecard.cli.output import DrawnFormatOption, DrawnOutputOption, JsonOption, chosen_format, deliver
from holecard.cli.progress import ProgressBar
from holecard.errors import Refusal, Unreadable

if TYPE_CHECKING:
    from holecard import report
    from holecard.advantage.compare_counting import CountingComparison
    from holecard.advantage.counting_result import Counting
    from holecard.sheets.schema import RuleSheet

#: Steps of a progress bar for each table of a comparison.
_STEPS = 1000


class _Asked(TypedDict, total=False):
    """What `counting` and `compare_counting` take alike."""

    count: str | None
    wagers: tuple[str, ...]
    cut: int | None
    spread: int
    bet: str
    pace: int
    shoes: int
    seed: int
    device: str


def count_game(
    game: GameArgument,
    settings: SettingsOption = None,
    count: Annotated[
        str | None,
        typer.Option(
            metavar="NAME|FILE",
            help="The counter's count: hi-lo, hi-opt i, hi-opt ii, ko, zen, halves, or the file of a count. "
            "Of a file with bets and plays, only the main count is used.",
            show_default="hi-lo",
        ),
    ] = None,
    wager: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="Only this wager: main, insurance, or a side wager; can be repeated.",
            show_default="all wagers",
        ),
    ] = None,
    cut: Annotated[
        int | None,
        typer.Option(metavar="PERCENT", help="The cut card, in percent of the shoe.", show_default="the sheet's"),
    ] = None,
    decks: Annotated[
        list[str] | None,
        typer.Option(metavar="N,N,…", help="The number of decks; several are compared.", show_default="the sheet's"),
    ] = None,
    seats: Annotated[
        list[str] | None,
        typer.Option(
            metavar="N,N,…",
            help="How many seats play, 1 to 7; all of their cards are seen. Several numbers are compared.",
            show_default="1",
        ),
    ] = None,
    spread: Annotated[int, typer.Option(help="Units on the main wager in favorable rounds; one in others.")] = 8,
    bet: Annotated[str, typer.Option(metavar="MONEY", help="One unit.")] = "$25",
    pace: Annotated[int, typer.Option(help="Rounds per hour.")] = 80,
    shoes: Annotated[
        int | None,
        typer.Option(
            help="Shoes with EVs of the main wager; more of them make errors smaller.",
            show_default="700, or 150 for each table of a comparison",
        ),
    ] = None,
    seed: SeedOption = 1,
    device: Annotated[
        str,
        typer.Option("--device", metavar="cpu|cuda", help="Compute values of the main wager on the CPU or the GPU."),
    ] = "cpu",
    json: JsonOption = False,
    format_: DrawnFormatOption = None,
    output: DrawnOutputOption = None,
) -> None:
    """Compute what a counter can take: from the main wager, insurance and every side wager.

    For each wager: effects of removal, the best counts, how often it is favorable, the gain of a perfect player and of
    counters by cut card, and a verdict. For the main wager: the index plays that gain most. Values of sampled
    shoes are kept on disk, so that a command stopped with Ctrl-C continues.

    With several --decks or --seats: a row for each combination, without index plays. Nine tables take at most about two
    minutes on two cores; Ctrl-C prints those that are done.

    \b
    Examples:
      holecard counting GAME
      holecard counting GAME --wager main --count zen --cut 80 --spread 12
      holecard counting GAME --decks 2 --seats 3 --bet '$100' --pace 60
      holecard counting GAME --decks 1,2,6,8 --seats 1,3,7 --wager main
      holecard counting GAME --count my-count.toml --json
      holecard counting GAME --shoes 10000 --output counting.html
    """
    rules, all_decks, all_seats = sheet(game, settings), _numbers(decks, "--decks"), _numbers(seats, "--seats")
    asked = _Asked(
        count=count, wagers=tuple(wager or ()), cut=cut, spread=spread, bet=bet, pace=pace, seed=seed, device=device
    )
    if shoes is not None:
        asked["shoes"] = shoes
    if len(all_decks) <= 1 and len(all_seats) <= 1:
        one = _counted(rules, next(iter(all_decks), None), next(iter(all_seats), 1), asked)
        deliver(one, json=json, format=format_, output=output)
        return
    _refuse_drawing(json, format_, output)
    found = _compared(rules, all_decks or None, all_seats or (1,), asked)
    deliver(found, json=json, format=format_, output=output)
    if not found.complete:
        of = len(found.decks) * len(found.seats)
        typer.echo(f"stopped early: {len(found.tables)} of {of} tables are done", err=True)
        raise typer.Exit(130)


def _counted(rules: RuleSheet, decks: int | None, seats: int, asked: _Asked) -> Counting:
    from holecard.advantage.counting import counting  # loads numba, so only now

    kept = "no value is"
    with ProgressBar(1) as bar, _stoppable(lambda: kept):

        def show(done: int, whole: int) -> None:
            nonlocal kept
            kept = f"{done:,} of {whole:,} values are"
            bar.rescale(whole)
            bar.show(done, f"{done:,} of {whole:,} values")

        return counting(rules, decks=decks, seats=seats, on_progress=show, **asked)


def _compared(
    rules: RuleSheet, decks: tuple[int, ...] | None, seats: tuple[int, ...], asked: _Asked
) -> CountingComparison:
    """Return all tables; Ctrl-C ends it with those that are done."""
    from holecard.advantage.compare_counting import compare_counting

    tables, kept = len(decks or (1,)) * len(seats), "no value is"
    with ProgressBar(_STEPS * tables) as bar, _stoppable(lambda: kept):

        def show(done: int, known: int, whole: int) -> None:
            nonlocal kept
            kept = f"{known:,} of {whole:,} values of the first table are"
            values = f"{known:,} of {whole:,} values of the next"
            bar.show(_STEPS * done + _STEPS * known // max(whole, 1), f"{done} of {tables} tables, {values}")

        return compare_counting(rules, decks=decks, seats=seats, on_progress=show, **asked)


def _numbers(texts: list[str] | None, option: str) -> tuple[int, ...]:
    """Return the numbers of an option that takes lists and can be repeated, each once."""
    words = [word.strip() for text in texts or () for word in text.split(",")]
    if not all(re.fullmatch(r"[0-9]{1,3}", word) for word in words):
        raise Unreadable(f"{option} {','.join(words)!r}: write whole numbers, such as 6, or 1,2,8 to compare them")
    return tuple(dict.fromkeys(map(int, words)))


def _refuse_drawing(json: bool, format: report.Format | None, output: Path | None) -> None:
    """Refuse a drawing of a comparison before it is computed."""
    if chosen_format(json, format, output) == "svg":
        raise Refusal("a comparison of tables has no drawing; write it as text, html, csv or json")


@contextmanager
def _stoppable(kept: Callable[[], str]) -> Iterator[None]:
    """Say what Ctrl-C leaves on disk, and end with 130."""
    try:
        yield
    except KeyboardInterrupt:
        typer.echo(f"stopped: {kept()} kept; the same command continues", err=True)
        raise typer.Exit(130) from None

"""`holecard simulate`: millions of rounds, dealt and counted."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from holecard.cli.arguments import (
    STRATEGIES,
    DeviceOption,
    ExecutorOption,
    GameArgument,
    RoundsOption,
    SeedOption,
    SettingsOption,
)
from holecard.cli.completion import complete_charts
from holecard.cli.output import FormatOption, JsonOption, OutputOption, deliver
from holecard.cli.progress import SimulationBar
from holecard.cli.rounds import end_early, rules_and_rounds
from holecard.errors import Refusal

if TYPE_CHECKING:
    from holecard.simulation.count_results import CountSimulation
    from holecard.simulation.luck_results import LuckSimulation
    from holecard.simulation.plays.fresh_shoes import Device
    from holecard.simulation.results import Simulation


def simulate(
    game: GameArgument,
    settings: SettingsOption = None,
    rounds: RoundsOption = "1e8",
    seed: SeedOption = 1,
    strategy: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME|FILE",
            help=f"The player's strategy: {STRATEGIES}; repeat it to give each seat its own.",
            show_default="basic",
            autocompletion=complete_charts,
        ),
    ] = None,
    seats: Annotated[
        int | None, typer.Option(metavar="1-7", help="How many seats play.", show_default="one for each --strategy")
    ] = None,
    procedure: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="How the shoe is handled: fresh, cut:75, rounds:10, shuffler, or sheet (what the rule sheet says).",
            show_default="fresh; with --count, the cut card",
        ),
    ] = None,
    wager: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="Place only this side wager and the wagers it requires; can be repeated.",
            show_default="all side wagers",
        ),
    ] = None,
    main_only: Annotated[bool, typer.Option("--main-only", help="Place no side wagers, which is faster.")] = False,
    reduce_variance: Annotated[
        bool,
        typer.Option(
            "--reduce-variance",
            help="Remove the luck of the cards from the main wager's results: the same mean with a much smaller "
            "standard error, for all seats and procedures. Places no side wagers.",
        ),
    ] = False,
    count: Annotated[
        str | None,
        typer.Option(
            metavar="NAME|FILE",
            help="A player who counts: hi-lo, zen, …, or a file with bets and plays by count. Needs a cut card.",
        ),
    ] = None,
    bankroll: Annotated[
        int | None, typer.Option(metavar="UNITS", help="With --count: the bankroll, for the risk of ruin.")
    ] = None,
    executor: ExecutorOption = None,
    device: DeviceOption = "cpu",
    level: Annotated[float, typer.Option(help="The confidence level of intervals, between 0 and 1.")] = 0.95,
    resume: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Save progress to this file, and continue from it if it exists.")
    ] = None,
    json: JsonOption = False,
    format_: FormatOption = None,
    output: OutputOption = None,
) -> None:
    """Deal rounds and count their results: mean, standard error, and every net result.

    The result depends only on the rules, the strategies, the procedure, the seed and the number of rounds. Threads,
    machines and interruptions do not change it. Ctrl-C ends the run early and prints the rounds played so far.

    \b
    Examples:
      holecard simulate GAME --rounds 1e9
      holecard simulate GAME --strategy 'never bust' --seed 7 --json
      holecard simulate GAME --strategy basic --strategy 'mimic the dealer'
      holecard simulate GAME --procedure cut:75
      holecard simulate GAME --rounds 1e6 --reduce-variance
      holecard simulate GAME --rounds 1e7 --reduce-variance --procedure cut:75 --seats 3
      holecard simulate GAME --count hi-lo --main-only
      holecard simulate GAME --count my-count.toml --seats 3 --bankroll 1000
      holecard simulate GAME --rounds 1e11 --resume run.json
    """
    if main_only and wager:
        raise Refusal("--main-only places no side wagers, and --wager places one; leave one of them out")
    players = strategy or ["basic"]
    rules, asked = rules_and_rounds(game, settings, rounds, players)
    if count is not None:
        others = {
            "--reduce-variance": reduce_variance,
            "--device": device != "cpu",
            "the second --strategy": len(players) > 1,
        }
        _refuse_with_count(others)
        from holecard.simulation.simulate_count import simulate_count  # loads numba, so only now

        with SimulationBar(asked) as bar:
            counted = simulate_count(
                rules,
                count,
                asked,
                seed,
                strategy=players[0],
                seats=seats,
                procedure=procedure,
                wagers=[] if main_only else wager or None,
                bankroll=bankroll,
                executor=executor,
                level=level,
                resume=resume,
                on_progress=bar.show_count,
            )
        _finish(counted, bar, json=json, format_=format_, output=output)
        return
    if bankroll is not None:
        raise Refusal("--bankroll goes with --count; `holecard bankroll` has the risk of ruin without a count")
    if reduce_variance:
        _refuse_with_luck(wager=bool(wager), device=device != "cpu")
        from holecard.simulation.simulate_luck import simulate_luck  # loads numba, so only now

        with SimulationBar(asked) as bar:
            adjusted = simulate_luck(
                rules,
                players if len(players) > 1 else players[0],
                asked,
                seed,
                seats=len(players) if seats is None else seats,
                procedure=procedure or "fresh",
                executor=executor,
                level=level,
                resume=resume,
                on_progress=bar.show_luck,
            )
        _finish(adjusted, bar, json=json, format_=format_, output=output)
        return
    from holecard.simulation.simulate import simulate as play  # loads numba, so only now

    with SimulationBar(asked) as bar:
        found = play(
            rules,
            players if len(players) > 1 else players[0],
            asked,
            seed,
            seats=len(players) if seats is None else seats,
            executor=executor,
            device=cast("Device", device),
            level=level,
            procedure=procedure or "fresh",
            wagers=[] if main_only else wager or None,
            resume=resume,
            on_progress=bar.show_main,
        )
    _finish(found, bar, json=json, format_=format_, output=output)


def _finish(
    found: Simulation | LuckSimulation | CountSimulation,
    bar: SimulationBar,
    *,
    json: bool,
    format_: FormatOption,
    output: OutputOption,
) -> None:
    deliver(found, json=json, format=format_, output=output)
    if not json and format_ is None and output is None:
        typer.echo(bar.pace(found), err=True)
    end_early(found)


def _refuse_with_luck(*, wager: bool, device: bool) -> None:
    """Refuse options that cannot be combined with --reduce-variance."""
    if wager:
        raise Refusal("--reduce-variance plays the main wager only; leave out --wager")
    if device:
        raise Refusal("--reduce-variance runs on the CPU only; leave out --device")


def _refuse_with_count(given: dict[str, bool]) -> None:
    """Refuse options that cannot be combined with --count."""
    for option, value in given.items():
        if value:
            raise Refusal(f"--count plays one strategy on the CPU; leave out {option}")

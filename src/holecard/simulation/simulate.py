"""`simulate`: rounds played by charts, counted."""

from __future__ import annotations

import os
import time
from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from holecard import __version__
from holecard.charts.named_strategies import OPTIMAL
from holecard.errors import Refusal, did_you_mean, shortly
from holecard.exact.solved_game import main_ev
from holecard.exact.strategies import Strategy, StrategyLike, strategies_of
from holecard.kernels.cache import compiling
from holecard.sheets.read import RulesLike, rules
from holecard.sheets.schema import RuleSheet
from holecard.simulation.compile.program import Program, compile_program
from holecard.simulation.plays.dealt_down_shoes import ShoeRounds
from holecard.simulation.plays.fresh_shoes import CHUNK, Device, FreshRounds, seed_of
from holecard.simulation.procedures import FRESH, Procedure, ProcedureLike, procedure_of
from holecard.simulation.results import Simulation, dealers_cards, dealers_endings, insured, seat_results
from holecard.simulation.run.chunks import Play, run
from holecard.simulation.run.executors import ExecutorLike, ExecutorSource, executor_of
from holecard.simulation.run.resume_file import Saved
from holecard.simulation.run.tally import Played
from holecard.simulation.statistics.estimates import LEVEL, z_quantile
from holecard.wagers.pay_table import SideWager

#: A table's dealer would save some of these cards; in a shoe that is dealt down that moves all others.
_DRAWS_OUT = "; the dealer always draws out"
#: Rounds are numbered, and counted, in 64 bits.
MOST_ROUNDS = 2**63 - 1


def simulate(
    game: RulesLike,
    strategy: StrategyLike | Sequence[StrategyLike] = OPTIMAL,
    rounds: int = 100_000_000,
    seed: int = 1,
    *,
    seats: int = 1,
    executor: ExecutorLike = None,
    device: Device = "cpu",
    level: float = LEVEL,
    procedure: ProcedureLike = FRESH,
    wagers: Sequence[str] | None = None,
    draws_out: bool = False,
    chunk: int | None = None,
    resume: str | os.PathLike[str] | None = None,
    on_progress: Callable[[Simulation], None] | None = None,
) -> Simulation:
    """Play rounds, each from a fresh shoe unless `procedure` says otherwise, and count what comes of them.

    The result is a function of the sheet, the strategies, the procedure, the seed and the number of rounds alone;
    `executor`, `device` and `chunk` only say who plays them: local threads, as many as there are cores, unless told
    otherwise.

    `strategy` is a name, a chart, or one of these for each seat. `wagers` names the side wagers that every seat places
    whenever it can; all of them if it is left out. `procedure` says how the shoe is kept, see `procedures`; a shoe that
    is dealt down is dealt to its end, so that the rounds are about as many as were asked for. With `draws_out` the
    dealer plays even where no hand waits, which changes nothing else with fresh shoes, and how its hands end is counted
    too. With `resume` the run is saved in that file as it goes, and goes on from there if the file exists.
    """
    sheet = rules(game)
    check_run(rounds, seed, device)
    z_quantile(level)
    kept, sides = procedure_of(sheet, procedure), placed(sheet, wagers)
    if kept.rule is not None and device != "cpu":
        raise Refusal("shoes that are dealt down are played on the processor; use --device cpu, or a fresh shoe")
    # Who plays is asked first: a cluster that does not answer is refused before seconds are spent on finding a chart.
    with compiling("simulate") as compilation, crew_of(executor, device) as crew:
        players = strategies_of(sheet, strategy, seats)
        charts = list(dict.fromkeys(player.chart for player in players))
        dealt_down = kept.rule is not None
        program = compile_program(sheet.tables, charts, sides, draws_out=draws_out, dealt_down=dealt_down)
        by_seat = tuple(charts.index(player.chart) for player in players)
        play = _play(program, by_seat, seed, kept, device, sheet)
        units = _units(play, rounds)
        fresh = tuple(main_ev(sheet, strategy=player.chart) for player in players) if dealt_down else ()
        words = kept.words + (_DRAWS_OUT if dealt_down and draws_out else "")
        about = _about(sheet, words, players, seed, program)
        begun = time.monotonic()

        def found(played: Played) -> Simulation:
            tally = played.tally or play.play(0, 0)
            return Simulation(
                rules=sheet,
                procedure=words,
                seed=seed,
                rounds=int(tally["rounds"]),
                asked=rounds,
                complete=played.units.count == units,
                fresh=fresh,
                seats=seat_results(program, tally, players, level),
                insurance=insured(sheet, tally, level),
                dealers=dealers_cards(tally),
                endings=dealers_endings(tally),
                seconds=time.monotonic() - begun,
            )

        outcome = run(
            play,
            units,
            executor=crew,
            chunk=chunk or max(1, CHUNK[device] * units // (rounds * seats)),
            done=None if resume is None else saved_of(resume, play, about, rounds),
            on_progress=None if on_progress is None else lambda played: on_progress(found(played)),
            save=None if resume is None else lambda played: Saved(play.fingerprint, about, played).write(resume),
        )
        compilation.finished = outcome.played.units.count > 0
    return found(outcome.played)


def check_run(rounds: int, seed: int, device: str) -> None:
    """Refuse what cannot be counted or dealt, and a device that is not there."""
    for what, number in (("rounds", rounds), ("seed", seed)):
        if isinstance(number, bool) or not isinstance(number, int):
            raise Refusal(f"{what}: {shortly(number)} is no whole number; write one like 1_000_000")
    if not 1 <= rounds <= MOST_ROUNDS:
        raise Refusal(f"{rounds:,} rounds cannot be counted; play between 1 and {MOST_ROUNDS:,} (64 bits, signed)")
    seed_of(seed)
    if device not in CHUNK:
        raise Refusal(f"no device is called {device!r}; there are {' and '.join(CHUNK)}")
    if device == "cuda":
        from holecard.simulation.plays.gpu import check_gpu

        check_gpu()


def crew_of(executor: ExecutorLike, device: Device) -> AbstractContextManager[ExecutorSource]:
    """Who plays; one thread, unless told otherwise, is enough to feed a graphics card."""
    return executor_of(1 if device == "cuda" and executor is None else executor)


def saved_of(file: str | os.PathLike[str], play: Play, about: Mapping[str, Any], rounds: int) -> Saved | None:
    """What was saved of this run before, if anything was; refused where more was played than is asked for now."""
    if not Path(file).exists():
        return None
    saved = Saved.read(file, play.fingerprint, about)
    there, units = saved.played.units, _units(play, rounds)
    if there.end <= units:
        return saved
    # The fewest rounds that come to as many units: in shoes, not every number of rounds makes one more.
    least = bisect_left(range(MOST_ROUNDS), there.end, lo=1, key=lambda rounds: _units(play, rounds))
    kind, asked = "rounds", f"only {rounds:,} are asked for"
    if isinstance(play, ShoeRounds):
        kind, asked = "shoes", f"the {rounds:,} rounds asked for take only {units:,}"
    # Chunks that were in flight when a run ended early leave gaps.
    first = f" of the first {there.end:,}" if there.end > there.count else ""
    holds = f"{file} already holds {there.count:,} {kind}{first}"
    raise Refusal(f"{holds}, and {asked}; ask for {least:,} rounds or more, or name a new file")


def placed(sheet: RuleSheet, names: Sequence[str] | None) -> tuple[SideWager, ...]:
    """The side wagers by their names and those that they need, or all of them."""
    every = {wager.name: wager for wager in sheet.tables.wagers}
    if names is None:
        return tuple(every.values())
    for name in names:
        if name not in every:
            raise Refusal(f"no side wager is called {name!r}; {did_you_mean(name, every) or 'this game has none'}")
    wanted, asked = set[str](), list(names)
    while asked:
        name = asked.pop()
        if name not in wanted:
            wanted.add(name)
            asked += filter(None, [every[name].needs])
    return tuple(every[name] for name in every if name in wanted)


def _play(
    program: Program, charts: tuple[int, ...], seed: int, kept: Procedure, device: Device, sheet: RuleSheet
) -> FreshRounds | ShoeRounds:
    written = sheet.model_dump_json()
    if kept.rule is None:
        return FreshRounds(program, charts, seed, device, written)
    return ShoeRounds(program, charts, seed, kept.rule, written)


def _units(play: Play, rounds: int) -> int:
    """What a run is counted in: whole shoes where they are dealt down, else rounds."""
    return play.shoes_for(rounds) if isinstance(play, ShoeRounds) else rounds


def _about(
    sheet: RuleSheet, procedure: str, players: tuple[Strategy, ...], seed: int, program: Program
) -> dict[str, Any]:
    """What a resume file is of, for people."""
    return {
        "game": sheet.name,
        "decks": sheet.shoe.decks,
        "procedure": procedure,
        "strategies": [player.name for player in players],
        "seed": seed,
        "version": __version__,
        "wagers": [table.wager.name for table in program.wagers],
    }

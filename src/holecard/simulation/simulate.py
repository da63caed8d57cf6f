"""`simulate`: play rounds by charts and count the results."""

from __future__ import annotations

import os
import time
from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from holecard import __version__
from holecard.charts.named_strategies import BASIC
from holecard.errors import Refusal, check_whole, did_you_mean, shortly
from holecard.exact.solved_game import main_ev
from holecard.exact.strategies import Strategy, StrategyLike, strategies_of
from holecard.kernels.cache import compiling
from holecard.sheets.read import RulesLike, rules
from holecard.sheets.schema import RuleSheet
from holecard.simulation.compile.program import Program, compile_program
from holecard.simulation.plays.dealt_down_shoes import PlaysShoes, ShoeRounds
from holecard.simulation.plays.fresh_shoes import ROUNDS_PER_CHUNK, Device, FreshRounds, seed_of
from holecard.simulation.procedures import FRESH, Procedure, ProcedureLike, procedure_of
from holecard.simulation.results import (
    Simulation,
    dealer_final_hands,
    dealer_first_cards,
    insurance_sample,
    seat_results,
)
from holecard.simulation.run.chunks import Play, run
from holecard.simulation.run.executors import ExecutorLike, ExecutorSource, executor_of
from holecard.simulation.run.resume_file import Saved
from holecard.simulation.run.tally import Played
from holecard.simulation.statistics.estimates import LEVEL, z_quantile
from holecard.wagers.pay_table import SideWager

#: A table's dealer would not draw some of these cards, which matters when the next round uses the same shoe.
_DRAWS_OUT = "; the dealer always draws out"
#: Rounds are numbered and counted in 64 bits.
MOST_ROUNDS = 2**63 - 1


def simulate(
    game: RulesLike,
    strategy: StrategyLike | Sequence[StrategyLike] = BASIC,
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
    """Play rounds, each from a fresh shoe unless `procedure` says otherwise, and count the results.

    The result depends only on the sheet, the strategies, the procedure, the seed and the number of rounds. `executor`,
    `device` and `chunk` only decide where they run; the default is one local thread per core.

    `strategy` is a name, a chart, or a sequence with one per seat. `wagers` names the side wagers that every seat
    places whenever possible; the default is all of them. `procedure` is "fresh", "cut:75", "rounds:10", "shuffler", or
    "sheet" (what the sheet says); shoes that are dealt down are played to their end, so the number of rounds is
    approximate. With `draws_out`, the dealer plays even if no hand is left, and final dealer hands are counted, too;
    with fresh shoes this changes nothing else. `resume` is a file: the run is saved to it regularly, and continues from
    it if it exists.
    """
    sheet = rules(game)
    check_run(rounds, seed, device)
    z_quantile(level)
    check_places(chunk, resume)
    if not isinstance(draws_out, bool):
        raise Refusal(f"draws_out must be True or False, not {shortly(draws_out)}")
    kept, sides = procedure_of(sheet, procedure), placed(sheet, wagers)
    # Connect first: report an unreachable cluster before spending seconds on the best chart.
    kernels = "simulate" if kept.rule is None else "simulate-shufflers" if kept.is_shuffler else "simulate-shoes"
    with compiling(kernels) as compilation, workers_for(executor, device) as workers:
        players = strategies_of(sheet, strategy, seats)
        charts = list(dict.fromkeys(player.chart for player in players))
        dealt_down = kept.rule is not None
        program = compile_program(sheet.tables, charts, sides, draws_out=draws_out, dealt_down=dealt_down)
        by_seat = tuple(charts.index(player.chart) for player in players)
        play = _play(program, by_seat, seed, kept, device, sheet)
        units = units_for(play, rounds)
        fresh = fresh_evs(sheet, players) if dealt_down else ()
        words = kept.description + (_DRAWS_OUT if dealt_down and draws_out else "")
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
                insurance=insurance_sample(sheet, tally, level),
                dealers=dealer_first_cards(tally),
                endings=dealer_final_hands(tally),
                seconds=time.monotonic() - begun,
            )

        outcome = run(
            play,
            units,
            executor=workers,
            chunk=chunk or max(1, ROUNDS_PER_CHUNK[device] * units // (rounds * seats)),
            done=None if resume is None else saved_of(resume, play, about, rounds),
            on_progress=None if on_progress is None else lambda played: on_progress(found(played)),
            save=None if resume is None else lambda played: Saved(play.fingerprint, about, played).write(resume),
        )
        compilation.finished = outcome.played.units.count > 0
    return found(outcome.played)


def fresh_evs(sheet: RuleSheet, players: Sequence[Strategy]) -> tuple[float, ...]:
    """Return [seat] the exact EV with a fresh shoe every round."""
    with compiling("compare"):
        return tuple(main_ev(sheet, strategy=player.chart) for player in players)


def check_run(rounds: int, seed: int, device: str) -> None:
    """Raise a `Refusal` for rounds, seeds or devices that are not possible."""
    for what, number in (("rounds", rounds), ("seed", seed)):
        check_whole(what, number, "1_000_000")
    if not 1 <= rounds <= MOST_ROUNDS:
        raise Refusal(f"cannot play {rounds:,} rounds; ask for 1 to {MOST_ROUNDS:,} (64 bits)")
    seed_of(seed)
    check_device(device)


def check_device(device: str) -> None:
    """Raise a `Refusal` for a device that is unknown or missing."""
    if device not in tuple(ROUNDS_PER_CHUNK):
        raise Refusal(f"unknown device {device!r}; use {' or '.join(ROUNDS_PER_CHUNK)}")
    if device == "cuda":
        from holecard.gpu import check_gpu

        check_gpu()


def check_places(chunk: object, resume: object) -> None:
    """Raise a `Refusal` for a size of chunks or a file that cannot be used; both may be left out."""
    if chunk is not None:
        check_whole("chunk", chunk, "1000")
        if isinstance(chunk, int) and chunk < 1:
            raise Refusal(f"chunk must be 1 or more, not {chunk:,}; leave it out for a size that fits")
    if not isinstance(resume, str | os.PathLike | None):
        raise Refusal(f"resume must be a file's name such as 'run.json', not {shortly(resume)}")


def workers_for(executor: ExecutorLike, device: Device) -> AbstractContextManager[ExecutorSource]:
    """Return the executor; by default, one thread is enough to feed a GPU."""
    return executor_of(1 if device == "cuda" and executor is None else executor)


def saved_of(file: str | os.PathLike[str], play: Play, about: Mapping[str, Any], rounds: int) -> Saved | None:
    """Return the saved state of this run, if any; refuse it if it holds more than is requested now."""
    if not Path(file).exists():
        return None
    saved = Saved.read(file, play.fingerprint, about)
    there, units = saved.played.units, units_for(play, rounds)
    if there.end <= units:
        return saved
    # The fewest rounds that need this many units: not every extra round needs another shoe.
    least = bisect_left(range(MOST_ROUNDS), there.end, lo=1, key=lambda rounds: units_for(play, rounds))
    kind, asked = "rounds", f"only {rounds:,} were requested"
    if isinstance(play, PlaysShoes):
        kind, asked = "shoes", f"the {rounds:,} rounds requested need only {units:,}"
    # Chunks in flight when a run ended early leave gaps.
    first = f" of the first {there.end:,}" if there.end > there.count else ""
    holds = f"{file} already holds {there.count:,} {kind}{first}"
    raise Refusal(f"{holds}, but {asked}; ask for {least:,} rounds or more, or name a new file")


def wager_names(given: str | Sequence[str]) -> tuple[str, ...]:
    """Return the names of wagers that were asked for; a text alone is one name.

    >>> wager_names("Pairs"), wager_names(["Pairs", "Suits"])
    (('Pairs',), ('Pairs', 'Suits'))
    """
    names = (given,) if isinstance(given, str) else tuple(given) if isinstance(given, Iterable) else (given,)
    for name in names:
        if not isinstance(name, str):
            raise Refusal(f"wagers must be names of wagers such as ['main'], not {shortly(given)}")
    return names


def placed(sheet: RuleSheet, names: Sequence[str] | None) -> tuple[SideWager, ...]:
    """Return the named side wagers and those they need, or all of them."""
    every = {wager.name: wager for wager in sheet.tables.wagers}
    if names is None:
        return tuple(every.values())
    names = wager_names(names)
    for name in names:
        if name not in every:
            raise Refusal(f"unknown side wager {name!r}; {did_you_mean(name, every) or 'this game has none'}")
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
    return ShoeRounds(program, charts, seed, kept.rule, written, device)


def units_for(play: Play, rounds: int) -> int:
    """Return the number of units of work: whole shoes if they are dealt down, else rounds."""
    return play.shoes_for(rounds) if isinstance(play, PlaysShoes) else rounds


def _about(
    sheet: RuleSheet, procedure: str, players: tuple[Strategy, ...], seed: int, program: Program
) -> dict[str, Any]:
    """Describe the run for its resume file."""
    return {
        "game": sheet.name,
        "decks": sheet.shoe.decks,
        "procedure": procedure,
        "strategies": [player.name for player in players],
        "seed": seed,
        "version": __version__,
        "wagers": [table.wager.name for table in program.wagers],
    }

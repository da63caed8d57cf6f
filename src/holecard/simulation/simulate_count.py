"""`simulate_count`: play dealt-down shoes with one player who counts."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from typing import Any

from holecard import __version__
from holecard.charts.named_strategies import BASIC
from holecard.counts import CountPlayer, count_player_of
from holecard.counts.read_count import CountPlayerLike
from holecard.counts.write_count import count_player_facts
from holecard.errors import CountError, Refusal, check_whole, plural, shortly
from holecard.exact.strategies import StrategyLike, strategies_of
from holecard.kernels.cache import compiling
from holecard.kernels.dealt_down.dealing_rule import NO_CHUTE, DealingRule
from holecard.sheets.read import RulesLike, rules
from holecard.sheets.schema import RuleSheet
from holecard.simulation.compile.counter_tables import CompiledCount, compile_count
from holecard.simulation.compile.program import compile_program
from holecard.simulation.count_results import (
    CountSimulation,
    insurance_rows,
    insurance_won,
    main_bet,
    side_bets,
    total_bet,
)
from holecard.simulation.plays.counted_shoes import CountedShoes
from holecard.simulation.plays.fresh_shoes import ROUNDS_PER_CHUNK
from holecard.simulation.procedures import Procedure, procedure_of, refuse_without_cut_card
from holecard.simulation.run.chunks import run
from holecard.simulation.run.executors import ExecutorLike, executor_of
from holecard.simulation.run.resume_file import Saved
from holecard.simulation.run.tally import Played
from holecard.simulation.simulate import check_places, check_run, placed, saved_of
from holecard.simulation.statistics.estimates import LEVEL, z_quantile

#: An upper bound on the mean square of a round, in square units of its bet.
_MEAN_SQUARE = 8


def simulate_count(
    game: RulesLike,
    player: CountPlayerLike,
    rounds: int = 100_000_000,
    seed: int = 1,
    *,
    strategy: StrategyLike = BASIC,
    seats: int | None = None,
    procedure: str | None = None,
    wagers: str | Sequence[str] | None = None,
    bankroll: int | None = None,
    executor: ExecutorLike = None,
    level: float = LEVEL,
    chunk: int | None = None,
    resume: str | os.PathLike[str] | None = None,
    on_progress: Callable[[CountSimulation], None] | None = None,
) -> CountSimulation:
    """Play shoes down to a cut card with one player who counts, and count the results by reading of the count.

    `player` is a count ("hi-lo"), a file with bets and plays by count, or a `CountPlayer`. All seats play `strategy`;
    the counter changes it by count. `seats` and `procedure` ("cut:75") are the player's own unless given, then
    one seat and the sheet's cut card. `bankroll` is in units, for the risk of ruin. The rest is as in `simulate`.

    The count for bets is read before the deal, that for insurance after it, and that for plays when the player is first
    asked about the hand. While the player does not bet, somebody else plays the seat, so the cards do not depend on the
    bets.
    """
    sheet, counter = rules(game), count_player_of(player)
    counter.check(sheet)
    check_run(rounds, seed, "cpu")
    z_quantile(level)
    if bankroll is not None and (isinstance(bankroll, bool) or not isinstance(bankroll, int) or bankroll < 1):
        raise Refusal(f"bankroll must be a whole number of units, 1 or more, not {shortly(bankroll)}")
    check_places(chunk, resume)
    table = counter.seats or 1 if seats is None else seats
    check_whole("seats", table, "2")
    if not 1 <= table <= sheet.tables.seats:
        raise Refusal(f"cannot deal to {table} seats; this table has 1 to {sheet.tables.seats}")
    _check_seat(counter, table)
    dealt, rule = _dealt(sheet, counter, procedure)
    sides = placed(sheet, wagers)
    # Connect first: report an unreachable cluster before spending seconds on the best chart.
    with compiling("count") as compilation, executor_of(executor) as workers:
        basic = strategies_of(sheet, strategy, table)[0]
        program = compile_program(sheet.tables, [basic.chart, *counter.charts(basic.chart)], sides, dealt_down=True)
        compiled = compile_count(sheet.tables, program, counter, counter.seat - 1, rule)
        _check_sums(compiled, rounds)
        play = CountedShoes(program, table, seed, rule, compiled.counter, sheet.model_dump_json())
        units = play.shoes_for(rounds)
        about = _about(sheet, counter, dealt.description, basic.name, seed, table, [wager.name for wager in sides])
        begun = time.monotonic()

        def found(played: Played) -> CountSimulation:
            tally = played.tally or play.play(0, 0)
            return CountSimulation(
                rules=sheet,
                player=counter,
                strategy=basic.name,
                seats=table,
                procedure=dealt.description,
                seed=seed,
                rounds=int(tally["rounds"]),
                asked=rounds,
                complete=played.units.count == units,
                main=main_bet(program, compiled, tally, level),
                insurance=insurance_rows(compiled, tally, level),
                insurance_won=insurance_won(compiled, tally, level),
                total=total_bet(program, compiled, tally, level),
                wagers=side_bets(program, compiled, tally, level),
                bankroll=bankroll,
                seconds=time.monotonic() - begun,
            )

        outcome = run(
            play,
            units,
            executor=workers,
            chunk=max(1, ROUNDS_PER_CHUNK["cpu"] * units // (rounds * table)) if chunk is None else chunk,
            done=None if resume is None else saved_of(resume, play, about, rounds),
            on_progress=None if on_progress is None else lambda played: on_progress(found(played)),
            save=None if resume is None else lambda played: Saved(play.fingerprint, about, played).write(resume),
        )
        compilation.finished = outcome.played.units.count > 0
    return found(outcome.played)


def _dealt(sheet: RuleSheet, player: CountPlayer, procedure: str | None) -> tuple[Procedure, DealingRule]:
    """Return the procedure and its rule; refuse shoes that cannot be counted down to a cut card."""
    if procedure is None and player.cut is None:
        refuse_without_cut_card(sheet)
    words = f"cut:{sheet.shoe.cut_card if player.cut is None else player.cut}" if procedure is None else procedure
    try:
        dealt = procedure_of(sheet, words)
    except Refusal as refused:
        if procedure is not None or player.cut is None:
            raise
        raise CountError(player.file.name, [player.file.problem(("table", "cut"), str(refused))]) from None
    if dealt.rule is None or dealt.rule.chute != NO_CHUTE or dealt.rule.cut > 52 * sheet.shoe.decks:
        raise Refusal(f"a count needs shoes that are dealt down to a cut card, as with 'cut:75', not {words!r}")
    return dealt, dealt.rule


def _check_sums(compiled: CompiledCount, rounds: int) -> None:
    """Raise a `Refusal` if the squares of what shoes win on the main wager may not fit the sums.

    Those of side wagers are not checked in advance: a run whose sums overflow is refused when that happens.
    """
    step = int(compiled.counter.bets.max()) * compiled.main_scale
    most = (2**63 - 1) // (_MEAN_SQUARE * max(1, step) ** 2)
    if rounds > most:
        largest = max(compiled.player.ramp.bets)
        raise Refusal(
            f"with bets of up to {largest} units in steps of 1/{compiled.bet_scale}, sums may overflow after {most:,} "
            "rounds; ask for at most that many, or use larger steps"
        )


def _check_seat(player: CountPlayer, seats: int) -> None:
    if player.seat > seats:
        what = (
            f"the player who counts has seat {player.seat}, but the table has {plural(seats, 'seat')}; use more seats"
        )
        raise CountError(player.file.name, [player.file.problem(("table", "seat"), what)])


def _about(
    sheet: RuleSheet, player: CountPlayer, procedure: str, strategy: str, seed: int, seats: int, wagers: list[str]
) -> dict[str, Any]:
    """Describe the run for its resume file, with all that the player does, so that a refusal names what was changed."""
    return {
        "game": sheet.name,
        "decks": sheet.shoe.decks,
        "procedure": procedure,
        **count_player_facts(player),
        "seats": seats,
        "strategy": strategy,
        "seed": seed,
        "version": __version__,
        "wagers": wagers,
    }

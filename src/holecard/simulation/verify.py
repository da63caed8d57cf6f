"""`verify`: read the sheet a second time, compare exact and simulated numbers, and replay rounds at the table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from holecard.charts.named_strategies import BASIC
from holecard.errors import Refusal
from holecard.exact.analysis import analyze
from holecard.exact.results import Analysis
from holecard.exact.strategies import StrategyLike, strategy_of
from holecard.kernels.cache import compiling
from holecard.presentation import Presented
from holecard.sheets.read import RulesLike, rules
from holecard.simulation.claims.other_runs import OtherRuns
from holecard.simulation.claims.round_claims import claims
from holecard.simulation.claims.shown_numbers import NumberCheck, check_shown_numbers
from holecard.simulation.plays.fresh_shoes import Device
from holecard.simulation.procedures import FRESH
from holecard.simulation.results import Simulation
from holecard.simulation.run.executors import ExecutorLike
from holecard.simulation.simulate import check_run, placed, simulate, workers_for
from holecard.simulation.statistics.agreement import FAMILY_LEVEL, Agreement, judge
from holecard.simulation.statistics.comparisons import Claim
from holecard.simulation.witness.plain_tables import SheetReading, read_again
from holecard.simulation.witness.replay import REPLAYED_ROUNDS, Replay, check_count, replay_rounds


@dataclass(frozen=True, repr=False)
class Verification(Presented):
    """The comparisons and their verdict."""

    _report = "simulated.verification"

    reading: SheetReading
    """the second reading of the sheet"""
    exact: Analysis
    shown: NumberCheck
    """numbers of the analysis and of the run that follow from others"""
    sampled: Simulation
    agreement: Agreement
    left_out: tuple[str, ...]
    """wagers that were not simulated"""
    not_played: tuple[str, ...]
    """other runs that this sheet does not allow, and why"""
    same_rounds: NumberCheck
    """what two kernels counted in the same rounds"""
    replay: Replay

    @property
    def agrees(self) -> bool:
        """Whether the tables are what the sheet says, and numbers and replayed rounds agree."""
        checks = (self.reading, self.shown, self.agreement, self.same_rounds, self.replay)
        return all(check.agrees for check in checks)


def verify(
    game: RulesLike,
    strategy: StrategyLike = BASIC,
    rounds: int = 10_000_000,
    seed: int = 1,
    *,
    against: RulesLike | None = None,
    level: float = FAMILY_LEVEL,
    replay: int = REPLAYED_ROUNDS,
    executor: ExecutorLike = None,
    device: Device = "cpu",
    **how: Any,
) -> Verification:
    """Compare the exact numbers of a game with simulated rounds, and replay some of them at the table.

    `replay` is the number of rounds to replay. `against` is another sheet for the exact numbers, to test that a wrong
    rule is detected. `executor`, `device` and `how` are passed to `simulate`.
    """
    sheet = rules(game)
    check_run(rounds, seed, device)
    check_count(replay)
    if how.get("procedure", FRESH) != FRESH:
        raise Refusal("exact numbers assume fresh shoes; leave out the procedure")
    # Connect first: report an unreachable cluster before spending seconds on exact numbers.
    with compiling("verify") as compilation, workers_for(executor, device) as workers:
        player = strategy_of(sheet, strategy)
        judged = sheet if against is None else rules(against)
        exact = analyze(judged, strategy=player)
        sampled = simulate(sheet, player, rounds, seed, executor=workers, device=device, draws_out=True, **how)
        others = OtherRuns(sheet, judged, player, seed, sampled.rounds)
        # A run that ended early is judged, but nothing more is played.
        more = list(others.claims(exact)) if sampled.complete else []
        compilation.finished = sampled.complete
    sides = {wager.name for wager in sampled.main.wagers}
    left_out = tuple(wager.name for wager in exact.wagers if wager.name not in sides)
    compared = judge(_by_name([*claims(exact, sampled), *more]), level)
    wagers = placed(sheet, how.get("wagers"))
    count = replay if sampled.complete else 0
    replayed = replay_rounds(sheet, [player] * len(sampled.seats), seed, sampled.rounds, wagers, count)
    return Verification(
        read_again(sheet),
        exact,
        check_shown_numbers(exact, sampled),
        sampled,
        compared,
        left_out,
        tuple(others.left_out),
        NumberCheck("counts of the same rounds, by two kernels,", others.compared, tuple(others.differences)),
        replayed,
    )


def _by_name(every: list[Claim]) -> list[Claim]:
    """Return the claims with those about one thing together, in the order in which the things come up."""
    names = list(dict.fromkeys(claim.name for claim in every))
    return sorted(every, key=lambda claim: names.index(claim.name))

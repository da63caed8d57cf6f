"""`verify`: read the sheet a second time, compare exact and simulated numbers, and replay rounds at the table."""

from __future__ import annotations

from dataclasses import dataclass
from math import nan
from typing import Any

from holecard.charts.named_strategies import BASIC
from holecard.errors import Refusal
from holecard.exact.analysis import analyze
from holecard.exact.results import Analysis
from holecard.exact.solved_game import main_ev
from holecard.exact.strategies import StrategyLike, strategy_of
from holecard.kernels.cache import compiling
from holecard.presentation import Presented
from holecard.sheets.read import RulesLike, rules
from holecard.sheets.schema import RuleSheet
from holecard.simulation.claims.round_claims import MAIN, claims
from holecard.simulation.claims.shown_numbers import ShownNumbers, check_shown_numbers
from holecard.simulation.plays.fresh_shoes import Device
from holecard.simulation.procedures import FRESH
from holecard.simulation.results import Simulation
from holecard.simulation.run.executors import ExecutorLike
from holecard.simulation.simulate import check_run, placed, simulate, workers_for
from holecard.simulation.statistics.agreement import FAMILY_LEVEL, Agreement, judge
from holecard.simulation.statistics.comparisons import LEAST_OFTEN, Claim, MeanClaim
from holecard.simulation.witness.plain_tables import SheetReading, read_again
from holecard.simulation.witness.replay import REPLAYED_ROUNDS, Replay, check_count, replay_rounds, trying_everything

#: Takes a tenth of a second; the mean is known within 0.2% of a stake.
_EVERY_ACTION_ROUNDS = 1_000_000


@dataclass(frozen=True, repr=False)
class Verification(Presented):
    """The comparisons and their verdict."""

    _report = "simulated.verification"

    reading: SheetReading
    """the second reading of the sheet"""
    exact: Analysis
    shown: ShownNumbers
    """numbers of the analysis that follow from others"""
    sampled: Simulation
    agreement: Agreement
    left_out: tuple[str, ...]
    """wagers that were not simulated"""
    replay: Replay

    @property
    def agrees(self) -> bool:
        """Whether the tables are what the sheet says, and numbers and replayed rounds agree."""
        return self.reading.agrees and self.shown.agrees and self.agreement.agrees and self.replay.agrees


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
        compilation.finished = sampled.complete
    sides = {wager.name for wager in sampled.main.wagers}
    left_out = tuple(wager.name for wager in exact.wagers if wager.name not in sides)
    mean, *others = claims(exact, sampled)
    compared = judge([mean, every_action_claim(sheet, judged, seed, sampled.rounds), *others], level)
    wagers = placed(sheet, how.get("wagers"))
    # A run that ended early did not play all the rounds to choose from.
    count = replay if sampled.complete else 0
    replayed = replay_rounds(sheet, [player] * len(sampled.seats), seed, sampled.rounds, wagers, count)
    return Verification(read_again(sheet), exact, check_shown_numbers(exact), sampled, compared, left_out, replayed)


def every_action_claim(sheet: RuleSheet, judged: RuleSheet, seed: int, rounds: int) -> Claim:
    """Return the claim about the mean of a chart that tries every action, including those a best chart avoids.

    It plays separate rounds, enough that their own standard deviation is as good as the exact one. It is judged only if
    the run has enough `rounds` to judge its own mean, so that a run of one round agrees with nothing.
    """
    other = trying_everything(sheet, seed)
    exact = main_ev(judged, strategy=other.by_seat[0])
    found = other.simulated(0, _EVERY_ACTION_ROUNDS).seats[0].estimate
    return MeanClaim(
        MAIN, "mean, every action", exact, found.ev, found.standard_error if rounds >= LEAST_OFTEN else nan
    )

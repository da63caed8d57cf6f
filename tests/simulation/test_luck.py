"""Luck has mean zero for any baseline values; without it, the mean of the game remains, with little variance."""

from __future__ import annotations

import json
import math
import os
import pickle
import statistics
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

import holecard
from holecard.errors import Refusal
from holecard.exact.solved_game import main_ev
from holecard.kernels.luck.baseline import BaselineValues
from holecard.kernels.luck.shoes import play_adjusted_round
from holecard.kernels.luck.sums import ADJUSTED, LOWER, LUCK, NET_OF_SHOE, ROUND_FINE, UPPER
from holecard.kernels.luck.undealt import fill, new_luck_workspace
from holecard.kernels.play.dealing import FIRST, HAVE, begin
from holecard.kernels.play.lookup import NET as NET_OF
from holecard.kernels.play.lookup import RESULT, ShoeKey
from holecard.kernels.play.play_round import play_round
from holecard.simulation.compile.baseline_values import BaselineBuilder, Sloped, baseline_values, steps_in_part
from holecard.simulation.compile.program import Program, compile_program
from holecard.simulation.luck_results import LuckResult, SumUnits, luck_results
from holecard.simulation.plays.luck_adjusted import LuckAdjustedRounds
from holecard.simulation.run.tally import Tally
from holecard.simulation.simulate import simulate
from holecard.simulation.simulate_luck import MOST_LUCK_ROUNDS, simulate_luck
from tests.selection import one_in, quick_where, rounds
from tests.simulation.charts import splitting

CORNERS = [
    ("classic", {"decks": 1}),
    ("classic", {"player.split_aces": "again", "player.split_aces_get": "play on"}),
    ("classic", {"player.split_hands": 1, "player.surrender": "late"}),
    ("classic", {"player.split_by": "rank"}),
    ("classic", {"dealer.hole_card": "no peek"}),
    # A late natural takes less from the hands that a split added.
    ("classic", {"dealer.hole_card": "none", "dealer.natural_takes": "original"}),
    ("face-up", {"dealer.soft": "draw 16 to hard 17"}),
    ("match-up", {"dealer.soft": "draw soft 17 to hard 17"}),
]
SHEETS = [(name, {}) for name in holecard.games(examples=True)] + CORNERS


@cache
def _program(sheet: str, **settings: object) -> Program:
    tables = holecard.rules(sheet, settings).tables
    return compile_program(tables, [splitting(tables)])


def _luck_result(program: Program, tally: Tally, level: float = 0.95) -> LuckResult:
    """The result of one seat from fresh shoes."""
    return luck_results(tally["sums"].tolist(), SumUnits(program.scale, steps_in_part(program), ROUND_FINE), level)[0]


class _Leaf(NamedTuple):
    """A finished round: its probability, its cards, its result in parts, its luck in steps."""

    probability: Fraction
    cards: int
    net: int
    luck: int


class _Kernel:
    """One round at a time."""

    def __init__(self, program: Program, baseline: BaselineValues) -> None:
        self.program, self.baseline = program, baseline
        self.room = new_luck_workspace(program.offsets, (0,))

    def play(self, number: int, stacked: tuple[int, ...] = ()) -> tuple[int, int, int]:
        """Cards, net result, luck; the first cards may be stacked."""
        begin(self.room.dealt)
        fill(self.room, self.baseline.shoe)
        self.room.luck[:] = 0
        self.room.dealt[HAVE] = len(stacked)
        self.room.dealt[FIRST : FIRST + len(stacked)] = stacked
        shoe = ShoeKey(np.uint64(number), np.uint64(7))
        lut, offsets = self.program.lut, self.program.offsets
        cards = play_adjusted_round(lut, offsets, self.baseline, shoe, self.room, True)
        return cards, int(self.room.results[NET_OF]), int(self.room.luck[0])

    def every_round(self, held: dict[int, int], stacked: tuple[int, ...] = ()) -> Iterator[_Leaf]:
        """Every round of the shoe, distinguished by the ranks of its cards."""
        by_rank = [[i for i, rank in enumerate(_cards(held)) if rank == which] for which in held]
        left = sum(map(len, by_rank)) - len(stacked)
        if len(stacked) >= 3:
            cards, net, luck = self.play(0, stacked)
            if cards <= len(stacked):
                yield _Leaf(Fraction(1), cards, net, luck)
                return
        for of_rank in by_rank:
            there = [index for index in of_rank if index not in stacked]
            if there:
                for leaf in self.every_round(held, (*stacked, there[0])):
                    yield leaf._replace(probability=leaf.probability * Fraction(len(there), left))


def _cards(held: dict[int, int]) -> list[int]:
    return [rank for rank, count in held.items() for _ in range(count)]


def _from(program: Program, held: dict[int, int]) -> Program:
    """The same game from a shoe with these counts by rank."""
    ranks = np.array(_cards(held), np.int32)
    lut = np.concatenate([program.lut, ranks, np.minimum(ranks, 9)])
    at = program.lut.size
    offsets = program.offsets._replace(cards=ranks.size, rank=at, value=at + ranks.size)
    return replace(program, lut=lut, offsets=offsets)


def _nonsense(program: Program) -> BaselineValues:
    """Arbitrary baseline values; only the mean over the initial hands is right, as it must be."""
    builder, generator = BaselineBuilder(program), np.random.default_rng(5)
    unit, hands = program.scale * builder.part, builder.hands()
    pending = builder.pending(0, hands)

    def arbitrary(like: Sloped, most: int) -> Sloped:
        return Sloped(generator.integers(-most, most, like.ev.shape), generator.integers(-most, most, like.slope.shape))

    waiting = arbitrary(pending, 2 * unit)
    over = range(waiting.ev.shape[2])
    waiting.ev[:, :, over, over] = 0
    waiting.slope[:, :, over, over] = 0
    return builder.together(arbitrary(hands, unit), [waiting])


SMALL = [
    ("classic", {"player.split_hands": 3}, {0: 2, 6: 5, 9: 12}),
    ("classic", {"player.split_by": "rank", "player.split_hands": 3}, {7: 7, 9: 6, 12: 6}),
    ("quick-pay", {"player.split_hands": 2}, {4: 2, 8: 3, 9: 14}),
    ("face-up", {}, {0: 4, 6: 8, 9: 10}),
    ("european", {}, {0: 4, 6: 8, 9: 10}),
    ("early-bird", {}, {0: 3, 7: 7, 9: 12}),
    ("match-up", {"dealer.soft": "draw soft 17 to hard 17", "player.split_hands": 2}, {0: 4, 5: 4, 9: 12}),
    ("face-up", {"dealer.soft": "draw 16 to hard 17"}, {0: 4, 5: 4, 9: 12}),
]


@pytest.mark.parametrize(
    ("sheet", "settings", "held"), quick_where(SMALL, lambda case: case[0] in ("quick-pay", "match-up")), ids=str
)
@pytest.mark.parametrize("baseline", [baseline_values, _nonsense])
def test_the_mean_luck_over_all_rounds_is_nothing(
    sheet: str, settings: dict[str, object], held: dict[int, int], baseline: Callable[[Program], BaselineValues]
) -> None:
    """Each card's share is rounded down to a step; nothing else remains."""
    program = _from(_program(sheet, **settings), held)
    leaves = list(_Kernel(program, baseline(program)).every_round(held))
    assert sum(leaf.probability for leaf in leaves) == 1
    assert len(leaves) > 300
    assert len({leaf.luck for leaf in leaves}) > 50
    mean = sum(leaf.probability * leaf.luck for leaf in leaves)
    assert 0 <= mean < sum(leaf.probability * leaf.cards for leaf in leaves)


@pytest.mark.parametrize(("sheet", "settings"), one_in(99, SHEETS), ids=str)
def test_the_rounds_are_those_of_play_round(sheet: str, settings: dict[str, object]) -> None:
    program = _program(sheet, **settings)
    kernel, offsets = _Kernel(program, baseline_values(program)), program.offsets
    dealt = np.zeros_like(kernel.room.dealt)
    ends, hands, results = np.zeros(offsets.hands, np.int32), np.zeros(1, np.int32), np.zeros(RESULT + 1, np.int64)
    splits = 0
    for number in range(1500):
        begin(dealt)
        shoe = ShoeKey(np.uint64(number), np.uint64(7))
        cards = play_round(program.lut, offsets, np.zeros(1, np.uint8), shoe, dealt, ends, hands, results)
        assert kernel.play(number)[:2] == (cards, results[NET_OF])
        splits += hands[0] > 1
    assert (splits > 20) == (offsets.hands > 1)


@pytest.mark.parametrize(("sheet", "settings"), one_in(99, SHEETS), ids=str)
def test_without_luck_the_mean_is_that_of_the_game(sheet: str, settings: dict[str, object]) -> None:
    rules = holecard.rules(sheet, settings)
    chart = splitting(rules.tables)
    found = simulate_luck(rules, chart, 200_000, seed=3, executor=1).result
    assert abs(found.luck_adjusted.ev - main_ev(rules, strategy=chart)) < 4 * found.luck_adjusted.standard_error
    assert abs(found.luck_in_errors) < 4
    assert found.gain > (2000 if rules.shoe.decks >= 4 else 100)


@pytest.mark.parametrize(("sheet", "settings"), one_in(99, SHEETS), ids=str)
def test_from_a_shoe_that_hardly_changes_nothing_is_left_but_luck(sheet: str, settings: dict[str, object]) -> None:
    """The baseline values are those of a shoe that never changes, and are exact there, hand by hand."""
    program = _from(_program(sheet, **settings), dict.fromkeys(range(13), 4000))
    found = _luck_result(program, LuckAdjustedRounds(program, 3).play(0, 20_000))
    assert found.raw.standard_deviation > 0.9
    assert found.luck_adjusted.standard_deviation < 0.0002
    baseline = baseline_values(program)
    assert found.luck_adjusted.ev == pytest.approx(
        baseline.ev[baseline.opening] / (program.scale * baseline.part), abs=5e-5
    )


def test_arbitrary_baselines_do_not_change_the_mean() -> None:
    """They only increase the variance."""
    rules = holecard.rules("classic")
    program = _program("classic")
    found = _luck_result(program, LuckAdjustedRounds(program, 3).play_by(_nonsense(program), 0, 400_000))
    assert (
        abs(found.luck_adjusted.ev - main_ev(rules, strategy=splitting(rules.tables)))
        < 4 * found.luck_adjusted.standard_error
    )
    assert abs(found.luck_in_errors) < 4
    assert 0 < found.gain < 1


def test_unfair_dealing_shows_in_the_luck() -> None:
    """Every six in the shoe is a ten, and the baseline does not know it."""
    fair = _program("classic")
    lut, at = fair.lut.copy(), fair.offsets
    values, ranks = lut[at.value : at.value + at.cards], lut[at.rank : at.rank + at.cards]
    values[ranks == 5], ranks[ranks == 5] = 9, 9
    unfair = replace(fair, lut=lut)
    found = _luck_result(unfair, LuckAdjustedRounds(unfair, 3).play_by(baseline_values(fair), 0, 200_000))
    assert abs(found.luck_in_errors) > 8


def test_a_wrong_payout_shows_without_luck() -> None:
    """One win in the lookup table pays two parts too much: the luck is unchanged, the adjusted mean is not."""
    rules, right = holecard.rules("classic"), _program("classic")
    lut, at = right.lut.copy(), right.offsets
    nets = lut[at.net : at.net + at.ends * 25]
    nets[nets == nets.max()] += 2
    wrong = replace(right, lut=lut)
    found = _luck_result(wrong, LuckAdjustedRounds(wrong, 3).play(0, 200_000))
    assert abs(found.luck_in_errors) < 4
    assert (
        found.luck_adjusted.ev - main_ev(rules, strategy=splitting(rules.tables))
        > 8 * found.luck_adjusted.standard_error
    )


def test_the_result_says_what_the_rounds_say() -> None:
    program = _program("quick-pay")
    tally = LuckAdjustedRounds(program, 7).play(0, 3000)
    kernel = _Kernel(program, baseline_values(program))
    unit = program.scale * kernel.baseline.part
    played = [kernel.play(number) for number in range(3000)]
    nets = [net / program.scale for _, net, _ in played]
    lucks = [luck / unit for _, _, luck in played]
    left = [net - luck for net, luck in zip(nets, lucks, strict=True)]
    found = _luck_result(program, tally, level=0.9)
    for numbers, estimate in ((nets, found.raw), (left, found.luck_adjusted), (lucks, found.luck)):
        assert estimate.rounds == 3000
        assert estimate.ev == pytest.approx(statistics.fmean(numbers), rel=1e-9)
        assert estimate.standard_deviation == pytest.approx(statistics.stdev(numbers), rel=1e-5)
        assert estimate.standard_error == pytest.approx(estimate.standard_deviation / math.sqrt(3000))
        assert estimate.high - estimate.ev == pytest.approx(1.6448536 * estimate.standard_error)
        assert estimate.ev - estimate.low == pytest.approx(1.6448536 * estimate.standard_error)
    assert found.gain == pytest.approx(statistics.variance(nets) / statistics.variance(left), rel=1e-4)
    assert found.luck_in_errors == pytest.approx(found.luck.ev / found.luck.standard_error)


def test_luck_and_what_it_leaves_make_the_result() -> None:
    program = _program("double-up")
    tally = LuckAdjustedRounds(program, 7).play(0, 50_000)
    row = tally["sums"][0].tolist()
    luck, left = ((row[first + UPPER] << ROUND_FINE) + row[first + LOWER] for first in (LUCK, ADJUSTED))
    assert luck + left == row[NET_OF_SHOE] * steps_in_part(program)
    assert row[NET_OF_SHOE] == sum(
        net * program.scale * count for net, count in _histogram("double-up", seed=7, rounds=50_000).items()
    )


def _histogram(sheet: str, seed: int, rounds: int) -> dict[Fraction, int]:
    rules = holecard.rules(sheet)
    return dict(simulate(rules, splitting(rules.tables), rounds, seed, executor=1, wagers=[]).main.histogram)


def test_nothing_played_says_nothing() -> None:
    program = _program("classic")
    found = _luck_result(program, LuckAdjustedRounds(program, 1).play(0, 0))
    assert math.isnan(found.luck_adjusted.ev)
    assert math.isnan(found.gain)


def test_chunks_add_up() -> None:
    play = LuckAdjustedRounds(_program("classic"), 11)
    whole = play.play(0, 10_000)
    for cuts in ([0, 1, 10_000], [0, 255, 256, 9_999, 10_000]):
        parts = [play.play(first, end - first) for first, end in pairwise(cuts)]
        total = parts[0]
        for part in parts[1:]:
            total += part
        assert total == whole


def test_a_run_is_the_same_however_it_is_played(tmp_path: Path) -> None:
    rules = holecard.rules("classic")
    chart, file = splitting(rules.tables), tmp_path / "run.json"
    alone = simulate_luck(rules, chart, 30_000, 5, executor=1)
    together = simulate_luck(rules, chart, 30_000, 5, executor=2, chunk=1_234)

    def stop(_so_far: object) -> None:
        raise KeyboardInterrupt

    part = simulate_luck(rules, chart, 30_000, 5, executor=1, chunk=1_000, resume=file, on_progress=stop)
    assert 0 < part.rounds < 30_000
    assert not part.complete
    resumed = simulate_luck(rules, chart, 30_000, 5, executor=1, chunk=7_000, resume=file)
    assert alone.complete
    assert alone.result == together.result == resumed.result
    assert alone.result != simulate_luck(rules, chart, 30_000, 6, executor=1).result


def test_a_file_of_other_rounds_is_refused(tmp_path: Path) -> None:
    rules = holecard.rules("classic")
    chart, file = splitting(rules.tables), tmp_path / "run.json"
    simulate(rules, chart, 1_000, 5, executor=1, resume=file)
    with pytest.raises(Refusal, match="another run"):
        simulate_luck(rules, chart, 1_000, 5, executor=1, resume=file)


@pytest.mark.parametrize("rounds", [0, MOST_LUCK_ROUNDS + 1])
def test_rounds_that_cannot_be_summed_are_refused(rounds: int) -> None:
    with pytest.raises(Refusal, match=r"ask for 1 to"):
        simulate_luck("classic", "never bust", rounds)


def test_a_play_is_sent_without_its_baseline() -> None:
    play = LuckAdjustedRounds(_program("face-up"), 11)
    tally = play.play(0, 100)
    sent = pickle.dumps(play)
    assert len(sent) < 1.2 * play.program.lut.nbytes
    there = pickle.loads(sent)
    assert there == play
    assert hash(there) == hash(play)
    assert there.play(0, 100) == tally
    assert LuckAdjustedRounds(play.program, 12) != play != LuckAdjustedRounds(_program("classic"), 11)


_UNCOMPILED = """
import json
from holecard.simulation.plays.luck_adjusted import LuckAdjustedRounds
from tests.simulation.test_luck import _program
print(json.dumps({sheet: LuckAdjustedRounds(_program(sheet), 11).play(2**40, ROUNDS).to_data() for sheet in SHEETS}))
"""


@pytest.mark.slow
def test_uncompiled_kernels_give_the_same_bits() -> None:
    sheets = ["classic", "face-up", "european"]
    env = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": os.pathsep.join([os.getcwd(), *sys.path])}
    number = rounds(150)
    code = f"SHEETS, ROUNDS = {sheets!r}, {number}\n{_UNCOMPILED}"
    ran = subprocess.run([sys.executable, "-W", "error", "-c", code], env=env, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    for sheet, data in json.loads(ran.stdout).items():
        assert Tally.from_data(data) == LuckAdjustedRounds(_program(sheet), 11).play(2**40, number)


def test_the_largest_sums_fit() -> None:
    """10^12 rounds like these, as the comment on the sums promises."""
    program = _program("double-up")
    tally = LuckAdjustedRounds(program, 7).play(0, 100_000)
    worst = int(np.abs(tally["sums"]).max())
    assert worst * (MOST_LUCK_ROUNDS // 100_000) < 2**63

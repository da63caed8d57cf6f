"""Luck in shoes that are dealt down, and at several seats: its mean is zero, and errors are those of whole shoes."""

from __future__ import annotations

import json
import math
import os
import pickle
import statistics
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache, partial
from pathlib import Path

import numpy as np
import pytest

import holecard
from holecard.errors import Refusal
from holecard.kernels.luck.baseline import CARDS_LEFT, COUNTS, BaselineValues, set_tilt
from holecard.kernels.luck.shoes import play_adjusted_round
from holecard.kernels.luck.sums import SHOE_FINE
from holecard.kernels.luck.undealt import (
    AHEAD,
    AHEAD_BITS,
    KEPT,
    LuckWorkspace,
    add_luck_ahead,
    counts_row,
    fill,
    new_luck_workspace,
    note_shoe_values,
    refill,
    return_behind_chute,
)
from holecard.kernels.play.dealing import FIRST, HAVE, SHOE, START, begin_whole_shoe, reshuffle_keeping
from holecard.kernels.play.lookup import VALUE_COUNT, ShoeKey
from holecard.simulation.compile.baseline_values import BaselineBuilder, Sloped, baseline_values, steps_in_part
from holecard.simulation.compile.program import Program, compile_program
from holecard.simulation.luck_results import LuckResult, SumUnits, luck_results
from holecard.simulation.plays.luck_adjusted import LuckAdjustedRounds, LuckAdjustedShoes
from holecard.simulation.procedures import procedure_of
from holecard.simulation.run.tally import Tally
from holecard.simulation.simulate import simulate
from holecard.simulation.simulate_luck import simulate_luck
from tests.selection import one_in, quick, rounds
from tests.simulation.charts import splitting

SHEETS = holecard.games(examples=True)
PROCEDURES = ["fresh", "cut:75", "cut:100", "rounds:10", "rounds:60", "shuffler", "shuffler:0", "sheet"]


@cache
def _program(sheet: str, decks: int | None = None, **settings: object) -> Program:
    tables = holecard.rules(sheet, {**settings, **({"decks": decks} if decks else {})}).tables
    return compile_program(tables, [splitting(tables)], dealt_down=True)


def _nonsense(program: Program) -> BaselineValues:
    """Arbitrary values, slopes, and effects of the shoe."""
    builder, generator = BaselineBuilder(program), np.random.default_rng(5)
    unit, hands = program.scale * builder.part, builder.hands()

    def arbitrary(like: Sloped) -> Sloped:
        return Sloped(generator.integers(-unit, unit, like.ev.shape), generator.integers(-unit, unit, like.slope.shape))

    made = builder.together(arbitrary(hands), [arbitrary(builder.pending(0, hands))])
    states = made.ev.size
    return made._replace(ev=generator.integers(-unit, unit, states), removal=generator.integers(-unit, unit, (1, 10)))


# The cards and rounds are those of `simulate`

TABLES = [(sheet, procedure, seats) for seats in (1, 3, 7) for procedure in PROCEDURES for sheet in SHEETS]


@pytest.mark.parametrize(("sheet", "procedure", "seats"), one_in(170, TABLES), ids=str)
def test_raw_results_are_those_of_simulate_to_the_bit(sheet: str, procedure: str, seats: int) -> None:
    rules = holecard.rules(sheet)
    seats, chart = min(seats, rules.tables.seats), splitting(rules.tables)
    plain = simulate(rules, chart, 2000, 5, seats=seats, procedure=procedure, wagers=[], executor=1)
    found = simulate_luck(rules, chart, 2000, 5, seats=seats, procedure=procedure, executor=1)
    assert found.rounds == plain.rounds
    assert found.procedure == plain.procedure
    assert found.fresh == plain.fresh
    for one, seat in zip(found.seats, plain.seats, strict=True):
        assert (one.raw.ev, one.raw.standard_error) == (seat.estimate.ev, seat.estimate.standard_error)
    mean = statistics.fmean(one.luck_adjusted.ev for one in found.seats)
    assert found.result.luck_adjusted.ev == pytest.approx(mean, abs=1e-12)


# Mean luck is zero, exactly


class _Partial:
    """Rounds from a small shoe of which some cards are out, at a table with several seats."""

    def __init__(self, sheet: str, held: dict[int, int], out: list[int], seats: int, ahead: int) -> None:
        self.program, self.out = _small(_program(sheet), held), out
        self.baseline = _nonsense(self.program)
        self.work = new_luck_workspace(self.program.offsets, (0,) * seats)
        self.ahead = ahead
        self.ranks = [rank for rank, count in held.items() for _ in range(count)]

    def play(self, order: list[int]) -> tuple[int, list[int]]:
        """Cards of the round, and each seat's luck; the shoe's cards are in this order, after those that are out."""
        work, lut, at = self.work, self.program.lut, self.program.offsets
        begin_whole_shoe(work.dealt, at.cards)
        rest = [card for card in range(at.cards) if card not in self.out and card not in order]
        work.dealt[FIRST : FIRST + at.cards] = [*self.out, *order, *rest]
        work.dealt[HAVE], work.dealt[START] = at.cards, len(self.out)
        fill(work, self.baseline.shoe)
        for card in self.out:
            for place in (lut[at.value + card], VALUE_COUNT + lut[at.rank + card], CARDS_LEFT):
                work.left[0, place] -= 1
        set_tilt(work.left[0], self.baseline.shoe, work.tilt)
        note_shoe_values(self.baseline, work)
        work.place[AHEAD], work.luck[:] = self.ahead << AHEAD_BITS, 0
        n = play_adjusted_round(lut, at, self.baseline, ShoeKey(np.uint64(0), np.uint64(0)), work, False)
        add_luck_ahead(lut, at, self.baseline, work, n)
        assert work.tilt.any()
        return n, work.luck.tolist()

    def every(self, order: list[int]) -> Iterator[tuple[Fraction, int, list[int]]]:
        """Every round, by the ranks of its cards: probability, cards, luck of each seat."""
        if len(order) >= 2 * self.work.charts.size + 2:
            n, luck = self.play(order)
            if n <= len(order):
                yield Fraction(1), n, luck
                return
        left = [card for card in range(len(self.ranks)) if card not in self.out and card not in order]
        for rank in sorted({self.ranks[card] for card in left}):
            of_rank = [card for card in left if self.ranks[card] == rank]
            for probability, n, luck in self.every([*order, of_rank[0]]):
                yield probability * Fraction(len(of_rank), len(left)), n, luck


def _small(program: Program, held: dict[int, int]) -> Program:
    ranks = np.array([rank for rank, count in held.items() for _ in range(count)], np.int32)
    at = program.lut.size
    lut = np.concatenate([program.lut, ranks, np.minimum(ranks, 9)])
    return replace(program, lut=lut, offsets=program.offsets._replace(cards=ranks.size, rank=at, value=at + ranks.size))


@pytest.mark.parametrize(
    ("sheet", "held", "out", "seats", "ahead"),
    [
        ("face-up", {0: 3, 6: 6, 9: 10}, [0, 5, 9], 1, 3),
        ("european", {0: 3, 6: 6, 9: 10}, [1, 10, 11, 12], 1, 0),
        ("face-up", {6: 8, 9: 20}, [8, 9, 10], 2, 20),
    ],
    ids=["hole card", "no hole card", "two seats"],
)
def test_the_mean_luck_of_a_round_is_nothing(
    sheet: str, held: dict[int, int], out: list[int], seats: int, ahead: int
) -> None:
    """For arbitrary values, slopes and effects on later rounds: only rounding remains, less than a step per card, and
    per round ahead.
    """
    table = _Partial(sheet, held, out, seats, ahead)
    leaves = list(table.every([]))
    assert sum(probability for probability, _, _ in leaves) == 1
    assert len(leaves) > 100
    cards = sum(probability * n for probability, n, _ in leaves)
    for seat in range(seats):
        assert len({luck[seat] for _, _, luck in leaves}) > 50
        mean = sum(probability * luck[seat] for probability, _, luck in leaves)
        assert -1 - ahead < mean < cards + ahead


# The cards that the next one is drawn from


def _counted(program: Program, cards: list[int]) -> list[int]:
    """Counts of cards as the kernels keep them, made the plain way."""
    lut, at = program.lut, program.offsets
    counts = [0] * COUNTS
    for card in cards:
        for place in (int(lut[at.value + card]), VALUE_COUNT + int(lut[at.rank + card]), CARDS_LEFT):
            counts[place] += 1
    return counts


def _round(program: Program, baseline: BaselineValues, shoe: ShoeKey, work: LuckWorkspace) -> int:
    if work.left[0, CARDS_LEFT] == 0:
        refill(program.lut, program.offsets, baseline, work, 0)
    set_tilt(work.left[counts_row(work, 0)], baseline.shoe, work.tilt)
    return play_adjusted_round(program.lut, program.offsets, baseline, shoe, work, False)


@pytest.mark.parametrize(("sheet", "seats"), [("lone-deck", 1), ("lone-deck", 4), ("european", 7)])
def test_what_is_left_is_what_was_not_dealt(sheet: str, seats: int) -> None:
    """Also after the discards were shuffled back in during a round."""
    program = _program(sheet, decks=1) if sheet == "european" else _program(sheet)
    at, baseline, work = program.offsets, baseline_values(program), new_luck_workspace(program.offsets, (0,) * seats)
    refills, rounds_played = 0, 0
    for number in range(20):
        shoe = ShoeKey(np.uint64(number), np.uint64(3))
        begin_whole_shoe(work.dealt, at.cards)
        fill(work, baseline.shoe)
        for _ in range(12):
            before = int(work.dealt[START])
            n = _round(program, baseline, shoe, work)
            if work.dealt[SHOE]:
                break
            refills += int(work.dealt[START]) < before
            work.dealt[START] += n
            left = work.dealt[FIRST + int(work.dealt[START]) : FIRST + at.cards].tolist()
            assert work.left[0].tolist() == _counted(program, left)
            rounds_played += 1
    assert rounds_played > 20
    assert refills > 5


@pytest.mark.parametrize(("chute", "seats"), quick([(12, 1), (12, 3), (3, 1), (0, 1)], (3, 1), (0, 1)))
def test_cards_in_a_chute_keep_the_counts_of_their_draw(chute: int, seats: int) -> None:
    """A card is drawn from all cards except those on the table and those before it in the chute."""
    program = _program("classic")
    lut, at, baseline = program.lut, program.offsets, baseline_values(program)
    work = new_luck_workspace(at, (0,) * seats, chute)
    shoe, everything = ShoeKey(np.uint64(1), np.uint64(3)), list(range(at.cards))
    begin_whole_shoe(work.dealt, at.cards)
    fill(work, baseline.shoe)
    waiting: list[tuple[int, list[int]]] = []  # the cards in the chute, and what each was drawn from
    for _ in range(100):
        kept = len(waiting)
        assert work.place[KEPT] == kept
        for place, (card, counts) in enumerate(waiting):
            assert int(work.dealt[FIRST + place]) == card
            assert work.left[counts_row(work, place)].tolist() == counts
        n = _round(program, baseline, shoe, work)
        return_behind_chute(lut, at, baseline, shoe, work, n, chute)
        cards = work.dealt[FIRST : FIRST + n + chute].tolist()
        drawn = [_counted(program, [one for one in everything if one not in cards[:i]]) for i in range(n + chute)]
        waiting = [*waiting, *zip(cards[kept:], drawn[kept:], strict=True)][n:]
        reshuffle_keeping(work.dealt, int(work.dealt[START]) + n, chute)
        assert work.left[0].tolist() == baseline.shoe.tolist()


# The mean


@pytest.mark.parametrize("sheet", one_in(14, SHEETS))
def test_a_fixed_number_of_rounds_has_the_mean_of_fresh_shoes(sheet: str) -> None:
    """Where rounds begin does not depend on the cards to come, and no shoe runs out, so the exact mean is known."""
    rules = holecard.rules(sheet)
    chart, decks = splitting(rules.tables), rules.shoe.decks
    for procedure, seats in ((f"rounds:{4 * decks}", 1), (f"rounds:{decks}", 3), ("shuffler:0", 2)):
        found = simulate_luck(rules, chart, rounds(500_000) // seats, 11, seats=seats, procedure=procedure)
        adjusted = found.result.luck_adjusted
        assert found.fresh_ev is not None
        assert abs(adjusted.ev - found.fresh_ev) < 4 * adjusted.standard_error
        assert abs(found.result.luck_in_errors) < 4
        assert found.result.gain > (1000 if decks >= 4 else 50)


@pytest.mark.slow
@pytest.mark.parametrize("procedure", ["cut:75", "cut:100", "rounds:60", "shuffler"])
@pytest.mark.parametrize("sheet", SHEETS)
def test_the_mean_is_that_of_simulate(sheet: str, procedure: str) -> None:
    """With many more rounds, because their error is that of the cards."""
    rules = holecard.rules(sheet)
    chart = splitting(rules.tables)
    found = simulate_luck(rules, chart, 300_000, 5, procedure=procedure).result
    plain = simulate(rules, chart, 10_000_000, 6, procedure=procedure, wagers=[]).main.estimate
    error = math.hypot(plain.standard_error, found.luck_adjusted.standard_error)
    assert abs(found.luck_adjusted.ev - plain.ev) < 4 * error
    assert abs(found.luck_in_errors) < 4


@pytest.mark.slow
@pytest.mark.parametrize("procedure", ["cut:90", "rounds:30", "shuffler:13"])
def test_arbitrary_baselines_change_only_the_variance(procedure: str) -> None:
    """In a game where shoes run out and chutes matter."""
    play = _shoes("lone-deck", procedure, seats=2)
    shoes = 2000 if procedure.startswith("cut") else 400
    for found in _results(play, _nonsense(play.program), shoes):
        assert abs(found.luck_in_errors) < 4
        assert found.gain < 1


def _results(play: LuckAdjustedShoes, baseline: BaselineValues, shoes: int, first: int = 0) -> list[LuckResult]:
    """The results of all seats, then of all of them together."""
    units = SumUnits(play.program.scale, steps_in_part(play.program), SHOE_FINE)
    return luck_results(play.play_by(baseline, first, shoes)["sums"].tolist(), units)


def _shoes(sheet: str, procedure: str, seats: int = 1, seed: int = 7) -> LuckAdjustedShoes:
    rule = procedure_of(holecard.rules(sheet), procedure).rule
    return LuckAdjustedShoes(_program(sheet), seed, "", (0,) * seats, rule)


def test_errors_are_those_of_whole_shoes() -> None:
    """The means of many independent runs spread as the standard error says."""
    play = _shoes("classic", "cut:75", seats=2)
    baseline = baseline_values(play.program)
    runs = [_results(play, baseline, 100, first)[-1] for first in range(0, 6000, 100)]
    for name in ("raw", "luck_adjusted", "luck"):
        spread = statistics.stdev(getattr(run, name).ev for run in runs)
        error = math.sqrt(statistics.fmean(getattr(run, name).standard_error ** 2 for run in runs))
        assert spread == pytest.approx(error, rel=0.35)  # 60 runs: their spread has an error of 9%


def test_both_kinds_of_luck_matter() -> None:
    """That of a card for its own round, in the shoe it comes from, and that for later rounds."""
    play = _shoes("classic", "cut:75")
    baseline = baseline_values(play.program)
    without_slopes = baseline._replace(slope=np.zeros_like(baseline.slope))
    without_later = baseline._replace(removal=np.zeros_like(baseline.removal))
    whole, level, now = (
        _results(play, values, 1000)[0].luck_adjusted.standard_error
        for values in (baseline, without_slopes, without_later)
    )
    assert 1.5 * whole < level
    assert 1.5 * whole < now


@pytest.mark.slow
def test_the_cut_card_effect_of_the_basic_chart() -> None:
    """A cut card at 75% costs about 0.02% to 0.03% (six decks); a standard error of 0.001% takes seconds."""
    found = simulate_luck("classic", rounds=4_000_000, procedure="cut:75")
    assert found.fresh_ev is not None
    adjusted = found.result.luck_adjusted
    assert adjusted.standard_error < 1.2e-5
    assert -0.00035 < adjusted.ev - found.fresh_ev < -0.00015
    assert found.result.gain > 2500


# However it is played


def test_a_run_is_the_same_however_it_is_played(tmp_path: Path) -> None:
    rules = holecard.rules("classic")
    chart, file = splitting(rules.tables), tmp_path / "run.json"
    run = partial(simulate_luck, rules, chart, seed=5, seats=2)
    alone = run(20_000, executor=1, procedure="cut:75")
    together = run(20_000, executor=2, chunk=17, procedure="cut:75")

    def stop(_so_far: object) -> None:
        raise KeyboardInterrupt

    part = run(20_000, executor=1, chunk=50, resume=file, on_progress=stop, procedure="cut:75")
    assert 0 < part.rounds < alone.rounds
    assert not part.complete
    resumed = run(20_000, executor=1, resume=file, procedure="cut:75")
    assert alone.complete
    assert alone.seats == together.seats == resumed.seats
    with pytest.raises(Refusal, match="shoes, but the 1,000 rounds requested need only"):
        run(1000, executor=1, resume=file, procedure="cut:75")
    with pytest.raises(Refusal, match="another run"):
        run(20_000, executor=1, resume=file, procedure="cut:76")


def test_a_play_is_the_same_wherever_it_is_sent() -> None:
    """To a process or to another machine; and it is not a play of other seats, shoes or seeds."""
    play = _shoes("lone-deck", "shuffler", seats=2)
    there = pickle.loads(pickle.dumps(play))
    assert there == play
    assert there.play(3, 2) == play.play(3, 2)
    for other in (_shoes("lone-deck", "shuffler"), _shoes("lone-deck", "cut:75", 2), replace(play, seed=8)):
        assert other != play
        assert other.play(3, 2) != play.play(3, 2)


_UNCOMPILED = """
import json
from tests.simulation.test_luck_shoes import plays_and_units
print(json.dumps([play.play(5, units).to_data() for play, units in plays_and_units()]))
"""


def plays_and_units() -> list[tuple[LuckAdjustedRounds, int]]:
    """Plays, and how many units of each, for both ways to run them."""
    return [(_shoes("lone-deck", "cut:30", 2), 3), (_shoes("european", "rounds:1"), 3)]


@pytest.mark.slow
def test_uncompiled_kernels_give_the_same_bits() -> None:
    env = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": os.pathsep.join([os.getcwd(), *sys.path])}
    ran = subprocess.run([sys.executable, "-W", "error", "-c", _UNCOMPILED], env=env, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    for (play, units), data in zip(plays_and_units(), json.loads(ran.stdout), strict=True):
        assert Tally.from_data(data) == play.play(5, units)


# Refusals


def test_odds_too_fine_for_whole_shoes_are_refused() -> None:
    fine = holecard.rules("classic", {"settle.natural": "30001 to 20000"})
    with pytest.raises(Refusal, match="too large to sum squares of whole shoes"):
        simulate_luck(fine, "never bust", 1000, procedure="cut:75")
    assert simulate_luck(fine, "never bust", 1000).rounds == 1000


def test_more_seats_leave_room_for_fewer_rounds() -> None:
    with pytest.raises(Refusal, match="ask for 1 to 20,408,163,265"):
        simulate_luck("classic", "never bust", 10**12, seats=7)

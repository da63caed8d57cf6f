"""Rounds with a split are counted by the index of their sum: only possible sums have one, however fine the odds."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations_with_replacement, product
from typing import Any

import numpy as np
import pytest

import holecard
from holecard.exact.analysis import analyze
from holecard.kernels.dealt_down.dealing_rule import SUMS
from holecard.simulation.compile.net_sums import net_sums
from holecard.simulation.compile.program import Program, compile_program
from holecard.simulation.plays.fresh_shoes import FreshRounds
from holecard.simulation.simulate import simulate
from holecard.simulation.statistics.estimates import estimate
from tests.simulation.charts import splitting

F = Fraction
FINE: list[tuple[str, dict[str, Any]]] = [
    ("classic", {"settle.natural": "1.3333 to 1"}),
    ("classic", {"settle.natural": "999999999 to 999999998"}),
    ("quick-pay", {"player.quick_pay": {"20": "9999 to 10000", "19": "5 to 13", "18": "1 to 7"}}),
    ("face-up", {"settle.natural": "1.0101 to 1"}),
    ("double-up", {"settle.natural": "17 to 13"}),
]
#: Split hands with fine odds.
CHARLIE = {"player.charlie": 4, "settle.charlie": "1.2345 to 1", "player.split_hands": 8}


def _program(game: str, settings: dict[str, Any] | None = None, *, dealt_down: bool = False) -> Program:
    tables = holecard.rules(game, settings or {}).tables
    return compile_program(tables, [splitting(tables)], dealt_down=dealt_down)


def test_every_sum_is_come_to() -> None:
    """Two player results, three dealer hands, up to three hands: every combination is added up."""
    nets = np.array([[[-10, 0, 7], [5, 5, 5]], [[-20, 0, 13], [5, 6, 5]]])
    found = net_sums(nets, hands=3, ends={0, 1})
    reached = {0}
    for dealer, hands in product(range(3), (1, 2, 3)):
        for first, others in product((0, 1), combinations_with_replacement((0, 1), hands - 1)):
            expected = nets[0, first, dealer] + sum(nets[1, end, dealer] for end in others)
            at = found.after[0, found.kinds[0, first, dealer]]
            for end in others:
                at = found.after[at, found.kinds[1, end, dealer]]
            assert found.sums[at] == expected
            reached.add(int(expected))
    assert sorted(found.sums.tolist()) == sorted(reached)


@pytest.mark.parametrize(("game", "settings"), FINE)
def test_no_count_is_larger_with_fine_odds(game: str, settings: dict[str, Any]) -> None:
    """Neither the lookup table of the kernels nor the counts, for one seat or three."""
    coarse, fine = _program(game), _program(game, settings)
    assert fine.lut.size == coarse.lut.size
    for seats in ((0,), (0, 0, 0)):
        sizes = [
            {name: counts.shape for name, counts in FreshRounds(program, seats, 1).play(0, 0).items()}
            for program in (coarse, fine)
        ]
        assert sizes[0] == sizes[1]


def test_fine_odds_of_split_hands_have_few_sums() -> None:
    """Eight hands, each lost, pushed, won or a Charlie, some of them doubled: whole units and up to 16 Charlies."""
    program = _program("classic", CHARLIE)
    assert program.offsets.sums <= 33 * 17
    assert program.lut.size < 2 * _program("classic", CHARLIE | {"settle.charlie": "3 to 2"}).lut.size


@pytest.mark.slow
@pytest.mark.parametrize(("game", "settings"), [FINE[2], FINE[0], ("classic", CHARLIE)])
def test_simulated_is_exact_with_fine_odds(game: str, settings: dict[str, Any]) -> None:
    """The exact distribution has every net result, and the mean is within four standard errors."""
    rules = holecard.rules(game, settings)
    chart = splitting(rules.tables)
    exact = analyze(rules, strategy=chart, wagers=False).main
    found = simulate(rules, chart, 400_000, seed=5, executor=1, wagers=[]).main
    possible = {net for net, _ in exact.distribution}
    assert set(found.histogram) <= possible
    mean = found.estimate
    assert abs(mean.ev - exact.ev) < 4 * mean.standard_error
    assert any(net.denominator > 4 for net in found.histogram)


def test_a_shoe_dealt_down_keeps_the_exact_mean() -> None:
    """Sums over shoes are rounded if odds are very fine, but only the error depends on them."""
    rules = holecard.rules("classic", {"settle.natural": "999999999 to 999999998"})
    even = holecard.rules("classic", {"settle.natural": "1 to 1"})
    fine, coarse = (
        simulate(sheet, "never bust", 100_000, seed=2, executor=1, procedure="cut:75", wagers=[]).main
        for sheet in (rules, even)
    )
    assert fine.shoes is not None
    assert fine.shoes.part.denominator < 2**14
    assert fine.estimate.ev == estimate(fine.histogram).ev
    assert fine.estimate.ev - coarse.estimate.ev == pytest.approx(
        fine.histogram[F(999999999, 999999998)] / 999999998 / fine.estimate.rounds, rel=1e-6
    )
    assert fine.estimate.standard_error == pytest.approx(coarse.estimate.standard_error, rel=1e-6)
    assert SUMS == 6


def test_a_shoe_dealt_down_is_summed_exactly_where_there_is_room() -> None:
    assert _program("classic", {"settle.natural": "1.33 to 1"}, dealt_down=True).scale == 100
    assert _program("classic", {"settle.natural": "1.33 to 1"}).scale == 100
    assert _program("classic", {"settle.natural": "1.33333 to 1"}).scale == 100_000
    assert _program("classic", {"settle.natural": "1.33333 to 1"}, dealt_down=True).scale == 2**13

"""Rounds are identical to the last bit however they are played: in batches or alone, in chunks, on a GPU."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import pairwise

import numpy as np
import pytest

import holecard
from holecard.charts.named_strategies import mimic_the_dealer, never_bust
from holecard.kernels.philox import philox
from holecard.kernels.play.dealing import FIRST, begin
from holecard.kernels.play.lookup import CELL, CLASS_COUNT, ENDING, NET, OF_DEALER, OPENING, RESULT, STAKE, ShoeKey
from holecard.kernels.play.play_round import play_round
from holecard.simulation.compile.program import compile_program
from holecard.simulation.plays.fresh_shoes import FreshRounds
from holecard.simulation.run.tally import Tally
from tests.selection import one_in, quick, rounds
from tests.simulation.charts import splitting

SHEETS = ["classic", "double-up", "quick-pay", "face-up", "european"]


@cache
def _play(sheet: str, seats: int = 1, draws_out: bool = False) -> FreshRounds:
    tables = holecard.rules(sheet).tables
    charts = [splitting(tables), mimic_the_dealer(tables), never_bust(tables)]
    program = compile_program(tables, charts, draws_out=draws_out)
    return FreshRounds(program, tuple(seat % 3 for seat in range(seats)), seed=11)


def _alone(play: FreshRounds, first: int, units: int) -> dict[str, np.ndarray]:
    """The same counts, one round at a time by `play_round`."""
    seats, offsets = len(play.charts), play.program.offsets
    dealt = np.zeros(FIRST + offsets.cards + 8, np.uint16)
    ends, hands = np.zeros(offsets.hands * seats, np.int32), np.zeros(seats, np.int32)
    results = np.zeros(RESULT * seats + OF_DEALER, np.int64)
    found = {name: np.zeros_like(counts) for name, counts in play.play(0, 0).items()}
    found["rounds"] += units
    sums = [play.program.nets[net] for net in play.program.of_sum]
    for number in range(first, first + units):
        begin(dealt)
        shoe = ShoeKey(np.uint64(number), np.uint64(play.seed))
        charts = np.array(play.charts, np.uint8)
        play_round(play.program.lut, offsets, charts, shoe, dealt, ends, hands, results)
        found["dealers"][results[RESULT * seats + OPENING]] += 1
        if offsets.draws_out:
            found["endings"][results[RESULT * seats + ENDING]] += 1
        for seat in range(seats):
            cell, net, stake = results[RESULT * seat : RESULT * seat + RESULT]
            assert (CELL, NET, STAKE) == (0, 1, 2)
            if hands[seat] > 1:
                assert cell < 0
                found["splits"][seat, sums.index(Fraction(int(net), play.program.scale))] += 1
                found["stakes"][seat] += stake
            else:
                found["cells"][seat, cell] += 1
    return found


@pytest.mark.parametrize(
    ("sheet", "seats", "draws_out"),
    one_in(9, [(sheet, *how) for sheet in SHEETS for how in ((1, False), (1, True), (3, False), (7, True))]),
)
def test_side_by_side_is_as_one_by_one(sheet: str, seats: int, draws_out: bool) -> None:
    play = _play(sheet, seats, draws_out)
    units = rounds(3000)
    assert play.play(5, units) == Tally(_alone(play, 5, units))


def _with_unfair_words(play: FreshRounds, words: int, of: int) -> list[int]:
    """Rounds among the first `n` that skip one of their first random words."""
    cards, found = play.program.offsets.cards, []
    for number in range(of):
        block, word = divmod(words, 4)
        drawn = philox(*map(np.uint64, (number, 0, block, 0, play.seed, 0)))[word]
        left = cards - 8 * block - 2 * word
        if int(drawn) * left * (left - 1) % 2**32 < 2**32 % (left * (left - 1)):
            found.append(number)
    return found


@pytest.mark.slow
@pytest.mark.parametrize(("seats", "word"), [(1, 0), (1, 3), (1, 5), (3, 2), (3, 6)])
def test_it_is_where_a_word_is_passed_over(seats: int, word: int) -> None:
    """This happens once in fifty thousand words; both for a word that every round needs and for one that most rounds do
    not reach.
    """
    play = _play("classic", seats)
    found = _with_unfair_words(play, word, 300_000)
    assert found
    for number in found:
        assert play.play(number, 1) == Tally(_alone(play, number, 1))
        assert play.play(max(0, number - 200), 400) == Tally(_alone(play, max(0, number - 200), 400))


@pytest.mark.parametrize("sheet", quick(SHEETS, "classic", "european"))
def test_drawing_out_changes_nothing_else(sheet: str) -> None:
    drawn, plain = _play(sheet, 1, True).play(0, 5000), _play(sheet, 1, False).play(0, 5000)
    assert all(np.array_equal(drawn[name], plain[name]) for name in plain if name != "endings")
    assert drawn["endings"].sum() == 5000
    assert not plain["endings"].any()


def test_chunks_add_up() -> None:
    play = _play("classic")
    whole = play.play(0, 10_000)
    for cuts in ([0, 1, 10_000], [0, 255, 256, 257, 513, 9_999, 10_000], [0, 3_333, 6_666, 10_000]):
        parts = [play.play(first, end - first) for first, end in pairwise(cuts)]
        total = parts[0]
        for part in parts[1:]:
            total += part
        assert total == whole


def test_numbers_beyond_32_bits_are_other_rounds() -> None:
    play = _play("classic")
    assert play.play(2**40, 2000) != play.play(0, 2000)
    assert play.play(2**63 - 2000, 2000)["rounds"] == 2000


def test_every_round_is_counted_once() -> None:
    tally = _play("classic", 7).play(0, 4000)
    assert (tally["cells"].sum(axis=1) + tally["splits"].sum(axis=1) == 4000).all()
    assert tally["dealers"].sum() == 4000
    assert tally["cells"].shape[1] % CLASS_COUNT == 0


def test_another_seed_or_rule_has_another_fingerprint() -> None:
    one = _play("classic")
    others = [_play("double-up"), _play("classic", 2), FreshRounds(one.program, one.charts, seed=12)]
    assert len({one.fingerprint, *(other.fingerprint for other in others)}) == 4
    assert FreshRounds(one.program, one.charts, 11, "cuda").fingerprint == one.fingerprint

"""Shoes dealt down to a cut card: every order is equally likely, and rounds end as at the table."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from math import sqrt

import numpy as np
import pytest

import holecard
from holecard.errors import Refusal
from holecard.exact.solved_game import main_ev
from holecard.kernels.dealt_down.dealing_rule import NO_CHUTE, DealingRule
from holecard.kernels.play.dealing import FIRST, HAVE, START, begin_whole_shoe, nth_card, reshuffle_keeping
from holecard.kernels.play.lookup import NET, OF_DEALER, RESULT, ShoeKey
from holecard.kernels.play.play_round import play_round
from holecard.simulation.compile.program import compile_program
from holecard.simulation.plays.dealt_down_shoes import ShoeRounds
from holecard.simulation.procedures import procedure_of
from holecard.simulation.simulate import simulate
from holecard.simulation.statistics.chi_square import pooled
from holecard.simulation.statistics.estimates import ShoeSums, shoe_estimate
from tests.selection import quick
from tests.simulation.charts import splitting

_DEALT_DOWN = 1


def _shoe(cards: int) -> np.ndarray:
    dealt = np.zeros(FIRST + cards + 8, np.uint16)
    begin_whole_shoe(dealt, cards)
    return dealt


def _draw(dealt: np.ndarray, number: int, cards: int, n: int) -> int:
    return nth_card(np.uint64(number), np.uint64(5), cards, _DEALT_DOWN, dealt, n)


def test_every_order_is_equally_likely() -> None:
    seen: Counter[tuple[int, ...]] = Counter()
    for number in range(60_000):
        dealt = _shoe(5)
        seen[tuple(_draw(dealt, number, 5, n) for n in range(3))] += 1
    orders = {order: place for place, order in enumerate(permutations(range(5), 3))}
    fit = pooled({orders[order]: count for order, count in seen.items()}, dict.fromkeys(range(60), 1 / 60))
    assert fit.p > 1e-3


@pytest.mark.parametrize("cards", [52, 312])
def test_a_shoe_holds_every_card_once(cards: int) -> None:
    for number in range(20):
        dealt = _shoe(cards)
        assert sorted(_draw(dealt, number, cards, n) for n in range(cards)) == list(range(cards))


def test_when_the_last_card_is_out_the_discards_are_shuffled_in() -> None:
    """The cards of the round stay on the table: none of them comes again, all others may."""
    came: Counter[int] = Counter()
    for number in range(400):
        dealt = _shoe(52)
        before = [_draw(dealt, number, 52, n) for n in range(44)]
        dealt[START] = 44
        mine = [_draw(dealt, number, 52, n) for n in range(20)]
        assert len(set(mine)) == 20
        assert not set(mine[:8]) & set(before)
        assert set(mine[8:]) <= set(before)
        came.update(before.index(again) for again in mine[8:])
    assert len(came) == 44


def test_cards_go_back_into_a_machine_behind_those_that_are_out() -> None:
    dealt = _shoe(52)
    cards = [_draw(dealt, 1, 52, n) for n in range(12)]
    reshuffle_keeping(dealt, 8, 4)
    assert dealt[HAVE] == 4
    assert [_draw(dealt, 1, 52, n) for n in range(4)] == cards[8:]
    assert sorted(_draw(dealt, 1, 52, n) for n in range(52)) == list(range(52))


def _play(sheet: str, rule: DealingRule, seats: int = 1) -> ShoeRounds:
    tables = holecard.rules(sheet).tables
    program = compile_program(tables, [splitting(tables)], dealt_down=True)
    return ShoeRounds(program, (0,) * seats, seed=9, rule=rule)


@pytest.mark.parametrize("sheet", quick(["classic", "face-up", "european"], "european"))
@pytest.mark.parametrize(
    "rule",
    [
        DealingRule(1, 234, 10**6, NO_CHUTE),
        DealingRule(0, 10**6, 7, NO_CHUTE),
        DealingRule(0, 10**6, 30, 12),
        DealingRule(3, 300, 10**6, NO_CHUTE),
    ],
)
def test_shoes_are_rounds_one_after_the_other(sheet: str, rule: DealingRule) -> None:
    """Replayed here round by round: the same sums, and never a round after the cut card or the last round."""
    play = _play(sheet, rule, seats=2)
    offsets = play.program.offsets
    tally = play.play(4, 30)
    sums = np.zeros((2, 6), np.int64)
    ends, hands = np.zeros(2 * offsets.hands, np.int32), np.zeros(2, np.int32)
    results = np.zeros(2 * RESULT + OF_DEALER, np.int64)
    for number in range(4, 34):
        dealt = _shoe(offsets.cards)
        shoe = ShoeKey(np.uint64(number), np.uint64(9))
        dealt[START] = rule.burn
        nets, rounds, out = np.zeros(2, np.int64), 0, rule.burn
        while out < rule.cut and rounds < rule.rounds:
            charts = np.zeros(2, np.uint8)
            n = play_round(play.program.lut, offsets, charts, shoe, dealt, ends, hands, results)
            nets += results[[NET, RESULT + NET]]
            rounds, out = rounds + 1, out + n if rule.chute == NO_CHUTE else 0
            if rule.chute == NO_CHUTE:
                dealt[START] += n
            else:
                nth_card(shoe.number, shoe.key, offsets.cards, _DEALT_DOWN, dealt, n + rule.chute - 1)
                reshuffle_keeping(dealt, int(dealt[START]) + n, rule.chute)
        sums += np.array([[1, net, net**2, rounds, rounds**2, net * rounds] for net in nets.tolist()])
    assert tally["sums"].tolist() == sums.tolist()
    assert tally["rounds"] == sums[0, 3]


def test_shoes_in_any_chunks_add_up() -> None:
    play = _play("classic", DealingRule(1, 234, 10**6, NO_CHUTE))
    assert play.play(0, 5) + play.play(5, 20) == play.play(0, 25)


@pytest.mark.parametrize("rounds", [1, 5])
def test_a_fixed_number_of_rounds_leaves_the_mean_as_it_is(rounds: int) -> None:
    """Unseen cards are exchangeable: only a cut card makes a difference."""
    tables = holecard.rules("classic").tables
    play = _play("classic", DealingRule(0, 10**6, rounds, NO_CHUTE))
    names = ("shoes", "net", "net_squared", "rounds", "rounds_squared", "net_rounds")
    sums = ShoeSums(**dict(zip(names, play.play(0, 400_000 // rounds)["sums"][0].tolist(), strict=True)))
    found = shoe_estimate(sums)
    exact = main_ev("classic", strategy=splitting(tables)) * play.program.scale
    assert abs(found.ev - exact) < 4 * found.standard_error
    assert found.standard_error < 1.6 * play.program.scale / sqrt(400_000)


def test_one_deck_dealt_to_the_end_does_not_run_out() -> None:
    tables = holecard.rules("classic", decks=1).tables
    program = compile_program(tables, [splitting(tables)], dealt_down=True)
    tally = ShoeRounds(program, (0, 0), 1, DealingRule(0, 52, 10**6, NO_CHUTE)).play(0, 2000)
    assert tally["rounds"] > 2000 * 3


def test_procedures_say_what_they_are() -> None:
    sheet = holecard.rules("classic")
    assert procedure_of(sheet, "fresh").rule is None
    assert procedure_of(sheet, "sheet") == procedure_of(sheet, "cut:75") == procedure_of(sheet, "cut:75%")
    assert procedure_of(sheet, "rounds:1").description == "6 decks, shuffled after every round"
    assert "if the shoe runs out earlier, the discards are shuffled" in procedure_of(sheet, "rounds:2").description
    cut, fixed, machine = (procedure_of(sheet, words).rule for words in ("cut:50", "rounds:3", "shuffler:8"))
    assert (cut, fixed, machine and machine.chute) == (
        DealingRule(1, 156, 2**31 - 1, -1),
        DealingRule(0, 2**31 - 1, 3, -1),
        8,
    )
    for words in (
        "rounds:1001",
        "rounds:99999999999999999999",
        "cut:0",
        "cut:101",
        "rounds",
        "rounds:0",
        "shuffler:200",
        "shuffler:12%",
        "rounds:10%",
        "rounds:٣",
        "cut:75 %",
        "often",
        "",
    ):
        with pytest.raises(Refusal):
            procedure_of(sheet, words)


def test_a_shoe_is_shown_against_the_fresh_one() -> None:
    sheet = holecard.rules("classic")
    chart = splitting(sheet.tables)
    found = simulate(sheet, chart, 20_000, procedure="cut:75", wagers=())
    assert found.fresh == (main_ev(sheet, strategy=chart),)
    assert "75%" in found.procedure
    assert found.complete
    assert abs(found.rounds - 20_000) < 1_000
    assert found.main.shoes is not None
    assert found.main.shoes.rounds == found.rounds == found.main.estimate.rounds
    assert simulate(sheet, chart, 20_000, wagers=()).fresh == ()


def test_a_cut_card_before_every_round_is_refused() -> None:
    with pytest.raises(Refusal, match="deeper"):
        procedure_of(holecard.rules("classic", decks=1), "cut:1")


def test_the_deviation_is_that_of_a_round_the_error_that_of_shoes() -> None:
    sheet = holecard.rules("classic")
    chart = splitting(sheet.tables)
    shoes, fresh = (simulate(sheet, chart, 30_000, procedure=words, wagers=()).main for words in ("cut:75", "fresh"))
    assert shoes.estimate.standard_deviation == pytest.approx(fresh.estimate.standard_deviation, rel=0.03)
    assert shoes.shoes is not None
    assert shoes.estimate.standard_error == shoe_estimate(shoes.shoes).standard_error


def test_many_seats_and_one_deck_do_not_overrun() -> None:
    """Seven seats that split to eight hands and always hit sometimes take more than two decks."""
    tables = holecard.rules(
        "classic",
        {"decks": 1, "player.split_hands": 8, "player.split_aces": "again", "player.split_aces_get": "play on"},
    ).tables
    program = compile_program(tables, [splitting(tables)], dealt_down=True)
    for rule in (DealingRule(0, 52, 10**6, NO_CHUTE), DealingRule(0, 10**6, 50, 12)):
        assert ShoeRounds(program, (0,) * 7, 1, rule).play(0, 300)["rounds"] > 300

"""Play whole shoes one after the other, round by round: the plain version, which all others must equal to the bit."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from holecard.kernels.dealt_down.dealing_rule import DealingRule, add_shoe, ends_shoe
from holecard.kernels.jit import lean
from holecard.kernels.play.dealing import SHOE, START, begin_whole_shoe, nth_card, reshuffle_keeping
from holecard.kernels.play.lookup import NET, RESULT, Lut, Offsets, Results, ShoeKey
from holecard.kernels.play.play_round import play_round
from holecard.kernels.play.tally import RoundCounts, tally_round
from holecard.kernels.play.workspace import Workspace


@lean
def play_shoes(
    lut: Lut,
    at: Offsets,
    charts: NDArray[np.uint8],
    key: np.uint64,
    first: np.uint64,
    shoes: int,
    rule: DealingRule,
    work: Workspace,
    counts: RoundCounts,
    sums: Results,
    nets: Results,
) -> int:
    """Play shoes numbered from `first`; return the rounds. `sums` is [seat, sum]; `nets` is scratch, [seat]."""
    rounds = 0
    for number in range(shoes):
        shoe = ShoeKey(first + np.uint64(number), key)
        nets[:] = 0
        played = _play_shoe(lut, at, charts, shoe, rule, work, counts, nets)
        rounds += played
        for seat in range(charts.size):
            add_shoe(sums, seat, nets[seat], played)
    return rounds


@lean
def _play_shoe(
    lut: Lut,
    at: Offsets,
    charts: NDArray[np.uint8],
    shoe: ShoeKey,
    rule: DealingRule,
    work: Workspace,
    counts: RoundCounts,
    nets: Results,
) -> int:
    """Play one shoe; return its rounds and add each seat's net result to `nets`."""
    dealt, results, seats = work.dealt, work.results, charts.size
    begin_whole_shoe(dealt, at.cards)
    if rule.burn:
        nth_card(shoe.number, shoe.key, at.cards, at.dealt_down, dealt, rule.burn - 1)
        dealt[START] = rule.burn
    rounds, out = 0, rule.burn
    while rounds < rule.rounds and out < rule.cut:
        n = play_round(lut, at, charts, shoe, dealt, work.ends, work.hands, results)
        tally_round(lut, at, seats, dealt, results, counts)
        for seat in range(seats):
            nets[seat] += results[RESULT * seat + NET]
        rounds += 1
        if ends_shoe(rule, at, n, dealt[SHOE] > 0):
            break
        if rule.chute >= 0:
            if rule.chute:
                nth_card(shoe.number, shoe.key, at.cards, at.dealt_down, dealt, n + rule.chute - 1)
            reshuffle_keeping(dealt, int(dealt[START]) + n, rule.chute)
        else:
            dealt[START] += n
            out += n
    return rounds

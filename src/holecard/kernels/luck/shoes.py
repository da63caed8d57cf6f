"""Play rounds from fresh shoes, or from shoes that are dealt down, with their luck measured.

The cards and rounds are those of `play_round`, and of `kernels.dealt_down.one_by_one` for whole shoes.

A shoe's result minus its luck has the mean of its result. From dealt-down shoes, two kinds of luck are removed: that of
each card for its own round, and that of the round's cards for later rounds (see `undealt`). What is left of a round's
result is the value of the shoe it begins with, up to terms quadratic in `tilt`; what is left of a whole shoe is the
effect of where its rounds begin: the cut-card effect.
"""

from __future__ import annotations

import numpy as np

from holecard.kernels.dealt_down.dealing_rule import DealingRule, ends_shoe
from holecard.kernels.jit import lean
from holecard.kernels.luck.baseline import CARDS_LEFT, BaselineValues, Steps, set_level, set_tilt
from holecard.kernels.luck.hands import draw_dealer, play_seat_hands
from holecard.kernels.luck.opening import deal_fresh_opening, deal_opening
from holecard.kernels.luck.sums import ROUND_FINE, SHOE_FINE, add_adjusted_shoe
from holecard.kernels.luck.undealt import (
    AHEAD,
    AHEAD_BITS,
    LuckWorkspace,
    add_luck_ahead,
    counts_row,
    draw,
    fill,
    note_shoe_values,
    refill,
    return_behind_chute,
    take,
)
from holecard.kernels.play.dealing import SHOE, START, begin, begin_whole_shoe, dealt_card, nth_card, reshuffle_keeping
from holecard.kernels.play.lookup import NET, RESULT, VALUE_COUNT, Lut, Offsets, ShoeKey
from holecard.kernels.play.play_round import settle

#: The first round of a shoe begins at its first card, so a shoe has about half a round more than its cards suggest.
_HALF_ROUND = 1 << (AHEAD_BITS - 1)


@lean
def play_adjusted_rounds(
    lut: Lut,
    at: Offsets,
    baseline: BaselineValues,
    key: np.uint64,
    first: np.uint64,
    rounds: int,
    work: LuckWorkspace,
    sums: Steps,
) -> None:
    """Play rounds from fresh shoes, numbered from `first`; add their results to `sums`."""
    set_level(work.tilt)
    work.place[AHEAD] = 0
    for number in range(rounds):
        begin(work.dealt)
        fill(work, baseline.shoe)
        _begin_sums(work)
        play_adjusted_round(lut, at, baseline, ShoeKey(first + np.uint64(number), key), work, True)
        _end_round(work)
        add_adjusted_shoe(work, 1, baseline.part, ROUND_FINE, sums)


@lean
def play_adjusted_shoes(
    lut: Lut,
    at: Offsets,
    baseline: BaselineValues,
    key: np.uint64,
    first: np.uint64,
    shoes: int,
    rule: DealingRule,
    pace: int,
    work: LuckWorkspace,
    sums: Steps,
) -> int:
    """Play shoes numbered from `first` and add their results to `sums`; return the number of cards dealt.

    `pace` is about how many cards 2^AHEAD_BITS rounds take.
    """
    cards = 0
    for number in range(shoes):
        _begin_sums(work)
        rounds, out = _play_shoe(lut, at, baseline, ShoeKey(first + np.uint64(number), key), rule, pace, work)
        add_adjusted_shoe(work, rounds, baseline.part, SHOE_FINE, sums)
        cards += out
    return cards


@lean
def _play_shoe(
    lut: Lut, at: Offsets, baseline: BaselineValues, shoe: ShoeKey, rule: DealingRule, pace: int, work: LuckWorkspace
) -> tuple[int, int]:
    """Play one shoe; return its rounds, and the cards they took."""
    dealt = work.dealt
    begin_whole_shoe(dealt, at.cards)
    fill(work, baseline.shoe)
    _burn(lut, at, baseline, shoe, rule, pace, work)
    rounds, out, cards = 0, rule.burn, 0
    while rounds < rule.rounds and out < rule.cut:
        _look_ahead(lut, at, baseline, rule, pace, work, rounds, out)
        n = play_adjusted_round(lut, at, baseline, shoe, work, False)
        add_luck_ahead(lut, at, baseline, work, n)
        _end_round(work)
        rounds += 1
        cards += n
        if ends_shoe(rule, at, n, dealt[SHOE] > 0):
            break
        if rule.chute >= 0:
            return_behind_chute(lut, at, baseline, shoe, work, n, rule.chute)
            reshuffle_keeping(dealt, int(dealt[START]) + n, rule.chute)
        else:
            dealt[START] += n
            out += n
    return rounds, cards


@lean
def _burn(
    lut: Lut, at: Offsets, baseline: BaselineValues, shoe: ShoeKey, rule: DealingRule, pace: int, work: LuckWorkspace
) -> None:
    """Burn the first cards; they are lucky or unlucky for all rounds."""
    if rule.burn == 0:
        return
    _look_ahead(lut, at, baseline, rule, pace, work, -1, 0)
    nth_card(shoe.number, shoe.key, at.cards, at.dealt_down, work.dealt, rule.burn - 1)
    for n in range(rule.burn):
        take(lut, at, work, dealt_card(work.dealt, n))
    add_luck_ahead(lut, at, baseline, work, rule.burn)
    work.dealt[START] = rule.burn


@lean
def _look_ahead(
    lut: Lut,
    at: Offsets,
    baseline: BaselineValues,
    rule: DealingRule,
    pace: int,
    work: LuckWorkspace,
    rounds: int,
    out: int,
) -> None:
    """Note what the shoe says about the next round and later ones, before its first card."""
    left = work.left[0]
    if left[CARDS_LEFT] == 0:
        refill(lut, at, baseline, work, 0)
    set_tilt(work.left[counts_row(work, 0)], baseline.shoe, work.tilt)
    note_shoe_values(baseline, work)
    work.place[AHEAD] = 0
    if rule.chute < 0:
        expected = (min(rule.cut - out, left[CARDS_LEFT]) << (2 * AHEAD_BITS)) // pace - _HALF_ROUND
        most = (rule.rounds - rounds - 1) << AHEAD_BITS
        work.place[AHEAD] = max(0, min(expected, most))


@lean
def _begin_sums(work: LuckWorkspace) -> None:
    """Start a shoe's sums."""
    for seat in range(work.charts.size):
        work.luck[seat], work.shoe_luck[seat], work.nets[seat] = 0, 0, 0


@lean
def _end_round(work: LuckWorkspace) -> None:
    """Add a round to the sums of its shoe."""
    for seat in range(work.charts.size):
        work.nets[seat] += work.results[RESULT * seat + NET]
        work.shoe_luck[seat] += work.luck[seat]
        work.luck[seat] = 0


@lean
def play_adjusted_round(
    lut: Lut, at: Offsets, baseline: BaselineValues, shoe: ShoeKey, work: LuckWorkspace, fresh: bool
) -> int:
    """Play the round that `play_round` plays; return the number of cards. Luck is added up in `work.luck`."""
    seats = work.charts.size
    if fresh and seats == 1:
        n = deal_fresh_opening(lut, at, baseline, shoe, work)
    else:
        n = deal_opening(lut, at, baseline, shoe, work)
    cell = VALUE_COUNT * lut[at.value + dealt_card(work.dealt, seats)]
    if at.has_hole:
        cell += lut[at.value + dealt_card(work.dealt, n - 1)]
    for seat in range(seats):
        n = play_seat_hands(lut, at, baseline, shoe, work, seat, cell, n)
    if not at.has_hole:
        draw(lut, at, baseline, shoe, work, n)  # `play_round` looks at this card, which may refill the shoe
    dealer, n = draw_dealer(lut, at, baseline, shoe, work, lut[at.dealer + cell], n)
    for seat in range(seats):
        settle(lut, at, dealer, work.ends, at.hands * seat, work.hands[seat], work.results, RESULT * seat)
    return n

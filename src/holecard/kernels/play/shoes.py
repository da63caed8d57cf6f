"""Whole shoes, round after round, until the cut card or the last round."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holecard.kernels.jit import lean
from holecard.kernels.play.counting import Counts, count_round
from holecard.kernels.play.dealing import START, begin_anew, begin_shoe, card
from holecard.kernels.play.lookup import NET, RESULT, Book, Places, Results, Shoe
from holecard.kernels.play.play_round import play_round
from holecard.kernels.play.workspace import Room

#: Sums over shoes for a seat, its net results in parts.
SHOES, NETS, NETS_SQUARED, ROUNDS, ROUNDS_SQUARED, NETS_ROUNDS = range(6)
SUMS = 6
NO_CHUTE = -1


class Rule(NamedTuple):
    """When a shoe is over, and where the cards go."""

    burn: int
    """cards put away unseen before the first round"""
    cut: int
    """no round begins once so many cards are out"""
    rounds: int
    """most rounds"""
    chute: int
    """cards already out of the machine when those of a round go back into it; NO_CHUTE: they do not go back"""


@lean
def play_shoes(
    book: Book,
    at: Places,
    charts: NDArray[np.uint8],
    key: np.uint64,
    first: np.uint64,
    shoes: int,
    rule: Rule,
    room: Room,
    counts: Counts,
    sums: Results,
    nets: Results,
) -> int:
    """Play shoes numbered from `first`; returns the rounds. `sums` is [seat, sum], `nets` room for one per seat."""
    rounds = 0
    for number in range(shoes):
        shoe = Shoe(first + np.uint64(number), key)
        nets[:] = 0
        played = _play_shoe(book, at, charts, shoe, rule, room, counts, nets)
        rounds += played
        for seat in range(charts.size):
            net = nets[seat]
            sums[seat, SHOES] += 1
            sums[seat, NETS] += net
            sums[seat, NETS_SQUARED] += net * net
            sums[seat, ROUNDS] += played
            sums[seat, ROUNDS_SQUARED] += played * played
            sums[seat, NETS_ROUNDS] += net * played
    return rounds


@lean
def _play_shoe(
    book: Book,
    at: Places,
    charts: NDArray[np.uint8],
    shoe: Shoe,
    rule: Rule,
    room: Room,
    counts: Counts,
    nets: Results,
) -> int:
    """One shoe; returns its rounds and adds to each seat's net result."""
    dealt, results, seats = room.dealt, room.results, charts.size
    begin_shoe(dealt, at.cards)
    if rule.burn:
        card(shoe.number, shoe.key, at.cards, at.dealt_down, dealt, rule.burn - 1)
        dealt[START] = rule.burn
    rounds, out = 0, rule.burn
    while rounds < rule.rounds and out < rule.cut:
        n = play_round(book, at, charts, shoe, dealt, room.ends, room.hands, results, True)
        count_round(book, at, seats, dealt, results, counts)
        for seat in range(seats):
            nets[seat] += results[RESULT * seat + NET]
        rounds += 1
        if n + max(rule.chute, 0) > at.cards:  # another shoe is or would be opened: this one is over
            break
        if rule.chute >= 0:
            if rule.chute:
                card(shoe.number, shoe.key, at.cards, at.dealt_down, dealt, n + rule.chute - 1)
            begin_anew(dealt, int(dealt[START]) + n, rule.chute)
        else:
            dealt[START] += n
            out += n
    return rounds

"""Play many continuous shufflers side by side, with the cards, results and sums of `one_by_one`, but faster.

Which cards a block holds depends on the cards returned before, so a machine must not deal a block that nobody demands.
But it may deal a block as soon as the demand is certain: every round takes the first cards of all hands, and leaves a
full chute behind. So all machines deal that much before a round, in loops over machines, and most rounds need no more.
A round that does is left out of the counts; its machine deals one more block, and the round is played again from its
first card while the other machines play their next one.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holecard.kernels.dealt_down.alone import return_alone
from holecard.kernels.dealt_down.begin import read_shoe, write_shoe
from holecard.kernels.dealt_down.deal import Picks, pick_two, swap_block
from holecard.kernels.dealt_down.dealing_rule import DealingRule
from holecard.kernels.dealt_down.side_by_side import add_nets, begin_lanes, replace_finished_shoes
from holecard.kernels.dealt_down.state import SHOE_LANES, ShoeLanes
from holecard.kernels.jit import index, lean
from holecard.kernels.lanes.play import play_hands
from holecard.kernels.lanes.rank_tables import RankTables
from holecard.kernels.lanes.state import PerLane, used_until
from holecard.kernels.lanes.tally import find_nets, tally_lanes, tally_splits, untally_lanes
from holecard.kernels.philox import philox
from holecard.kernels.play.dealing import BLOCK_CARDS, nth_card
from holecard.kernels.play.lookup import Lut, Offsets, Results
from holecard.kernels.play.tally import RoundCounts

_WORDS = BLOCK_CARDS // 2
_WORD, _HALF = np.uint64(0xFFFFFFFF), np.uint64(32)


class Demand(NamedTuple):
    """Scratch for the blocks that machines deal: arrays by [lane], or by [place in the list of lanes]."""

    until: PerLane
    """[lane] index of the first card that nobody demands; 0 to deal nothing"""
    listed: PerLane
    """[place] the lanes that deal a block"""
    numbers: NDArray[np.uint64]
    """[place] number of the shoe"""
    blocks: NDArray[np.uint64]
    """[place] blocks of random words used"""
    left: NDArray[np.uint64]
    """[place] cards in the machine"""
    words: NDArray[np.uint64]
    """[word of a block, place]"""
    places: Picks
    """[word of a block, place] the two cards it picks, as `pick_two` packs them"""
    biased: PerLane
    """[place] 1 if a word may be biased"""


def new_demand() -> Demand:
    """Return scratch for all lanes."""
    return Demand(
        until=np.zeros(SHOE_LANES, np.uint32),
        listed=np.zeros(SHOE_LANES + 1, np.uint32),
        numbers=np.zeros(SHOE_LANES, np.uint64),
        blocks=np.zeros(SHOE_LANES, np.uint64),
        left=np.zeros(SHOE_LANES, np.uint64),
        words=np.zeros((_WORDS, SHOE_LANES), np.uint64),
        places=np.zeros((_WORDS, SHOE_LANES), np.uint32),
        biased=np.zeros(SHOE_LANES, np.uint32),
    )


@lean
def play_shufflers(
    lut: Lut,
    tables: RankTables,
    at: Offsets,
    key: np.uint64,
    first: np.uint64,
    shoes: int,
    rule: DealingRule,
    state: ShoeLanes,
    demand: Demand,
    counts: RoundCounts,
    sums: Results,
) -> int:
    """Play machines numbered from `first` until they are reloaded; return the rounds. `sums` is [seat, sum]."""
    begun = width = begin_lanes(at, key, first, shoes, rule, state)
    rounds = 0
    while width:
        _play_lanes(lut, tables, at, key, rule, width, state, demand, counts)
        width, begun, played = replace_finished_shoes(at, key, first, shoes, rule, width, begun, state, sums)
        rounds += played
    return rounds


@lean
def _play_lanes(
    lut: Lut,
    tables: RankTables,
    at: Offsets,
    key: np.uint64,
    rule: DealingRule,
    width: int,
    state: ShoeLanes,
    demand: Demand,
    counts: RoundCounts,
) -> None:
    """Play one round in each of the first `width` lanes, or leave it for the next time with another block of cards."""
    lanes, seats = state.lanes, state.nets.shape[0]
    _demand_first_cards(at, rule, seats, width, state, demand)
    _deal_on_demand(at, key, width, state, demand)
    splits = play_hands(lut, tables, at, seats, width, lanes)
    tally_lanes(lut, tables, at, seats, width, lanes, counts)
    find_nets(lut, at, seats, width, lanes)
    again = _find_unfinished(at, rule, width, state, demand)
    tally_splits(lut, at, splits, lanes, state.results, counts)
    untally_lanes(lut, tables, at, seats, again, state.listed, lanes, counts)
    _deal_on_demand(at, key, width, state, demand)
    _return_cards(rule.chute, width, state)
    for i in range(again):
        lane = int(state.listed[i])
        if demand.until[lane]:
            _take_back(seats, lane, state)
        else:
            return_alone(lut, at, key, rule, lane, state, counts)
            lanes.alone[lane] = 0
    add_nets(seats, width, state)
    for lane in range(width):
        state.rounds[lane] += 1 - np.int64(lanes.alone[lane])


@lean
def _demand_first_cards(
    at: Offsets, rule: DealingRule, seats: int, width: int, state: ShoeLanes, demand: Demand
) -> None:
    """Demand the cards that every round takes, and a full chute after them."""
    next_, stride, room = state.lanes.next, state.full.size, at.cards - BLOCK_CARDS + 1
    certain = 2 * seats + 1 + at.has_hole + rule.chute
    for lane in range(width):
        demand.until[lane] = min(int(next_[lane]) + certain, lane * stride + room)


@lean
def _find_unfinished(at: Offsets, rule: DealingRule, width: int, state: ShoeLanes, demand: Demand) -> int:
    """Mark and list the lanes whose round did not have enough cards; return how many.

    They demand another block, the others a full chute. A machine without room for that demands nothing: its round is
    listed, too, and played alone.
    """
    lanes, listed, stride, again = state.lanes, state.listed, state.full.size, 0
    for lane in range(width):
        used = used_until(at, lanes, lane)
        short = used > state.have[lane]
        until = np.int64(state.have[lane]) + 1 if short else np.int64(lanes.next[lane]) + rule.chute
        fits = until <= lane * stride + at.cards - BLOCK_CARDS + 1
        demand.until[lane] = until if fits else 0
        lanes.alone[lane] = short | (not fits)
        listed[index(again)] = lane
        again += int(short | (not fits))
    return again


@lean
def _deal_on_demand(at: Offsets, key: np.uint64, width: int, state: ShoeLanes, demand: Demand) -> None:
    """Deal blocks of cards in the first `width` lanes, until all have the cards that they demand."""
    have, until, listed, cards = state.have, demand.until, demand.listed, state.lanes.cards
    one, two, three, four = demand.places[0], demand.places[1], demand.places[2], demand.places[3]
    many = 0
    for lane in range(width):
        listed[index(many)] = lane
        many += int(have[lane] < until[lane])
    while many:
        _pick_blocks(at, key, many, state, demand)
        before, many = many, 0
        for i in range(before):
            machine = listed[i]
            if demand.biased[i]:
                _deal_alone(at, key, int(machine), state, demand)
            else:
                swap_block(cards, have[machine], one[i], two[i], three[i], four[i])
                have[machine] += np.uint32(BLOCK_CARDS)
                state.blocks[machine] += np.uint32(1)
            listed[index(many)] = machine
            many += int(have[machine] < until[machine])


@lean
def _pick_blocks(at: Offsets, key: np.uint64, many: int, state: ShoeLanes, demand: Demand) -> None:
    """Pick the cards of one more block for the first `many` listed lanes."""
    listed, numbers, blocks, left = demand.listed, demand.numbers, demand.blocks, demand.left
    for i in range(many):
        lane = index(listed[i])
        numbers[i], blocks[i] = state.number[lane], state.blocks[lane]
        left[i] = np.int64(lane) * state.full.size + at.cards - np.int64(state.have[lane])
        demand.biased[i] = 0
    _random_words(key, many, numbers, blocks, demand.words)
    for word in range(_WORDS):
        _pick_places(demand.words[word], np.uint64(2 * word), many, left, demand.places[word], demand.biased)


@lean
def _random_words(
    key: np.uint64, many: int, numbers: NDArray[np.uint64], blocks: NDArray[np.uint64], words: NDArray[np.uint64]
) -> None:
    one, two, three, four = words[0], words[1], words[2], words[3]
    for i in range(many):
        number = numbers[i]
        a, b, c, d = philox(number & _WORD, number >> _HALF, blocks[i], np.uint64(0), key & _WORD, key >> _HALF)
        one[i], two[i], three[i], four[i] = a, b, c, d


@lean
def _pick_places(
    words: NDArray[np.uint64], out: np.uint64, many: int, left: NDArray[np.uint64], places: Picks, biased: PerLane
) -> None:
    """Turn a row of words into the places of the cards that they pick, when `out` cards of the block are out."""
    for i in range(many):
        places[i], doubtful = pick_two(words[i], left[i] - out)
        biased[i] |= np.uint32(doubtful)


@lean
def _deal_alone(at: Offsets, key: np.uint64, lane: int, state: ShoeLanes, demand: Demand) -> None:
    """Deal the cards that a lane demands one by one, because a word may be biased."""
    read_shoe(at, lane, state)
    last = int(demand.until[lane]) - lane * state.full.size - 1
    nth_card(state.number[lane], key, at.cards, at.dealt_down, state.dealt, last)
    write_shoe(at, lane, state)


@lean
def _return_cards(chute: int, width: int, state: ShoeLanes) -> None:
    """Keep the cards of the chute as the next ones in every finished lane, and return all others to its machine."""
    lanes, cards, stride = state.lanes, state.lanes.cards, state.full.size
    for lane in range(width):
        if lanes.alone[lane]:
            continue
        base, after = lane * stride, int(lanes.next[lane])
        for i in range(chute):
            one, other = index(base + i), index(after + i)
            cards[one], cards[other] = cards[other], cards[one]
        state.have[lane], lanes.next[lane] = base + chute, base


@lean
def _take_back(seats: int, lane: int, state: ShoeLanes) -> None:
    """Undo the round of a lane: it is played again."""
    state.lanes.next[lane] = state.lanes.start[lane]
    for seat in range(seats):
        state.lanes.nets[seat, lane] = 0

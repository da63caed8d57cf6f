"""Play many rounds from fresh shoes, each exactly as `play_round` plays it, but faster.

Each lane is one round with as many cards as most rounds need. Rounds that need more are deferred; when there are enough
of them for all lanes, they are dealt one more block of cards and played in lockstep again. The few that need even more
are played by `play_round`.
"""

from __future__ import annotations

import numpy as np

from holecard.kernels.fresh.deal import LANES, deal_block
from holecard.kernels.fresh.state import FreshLanes, FreshWorkspace
from holecard.kernels.jit import index, lean
from holecard.kernels.lanes.play import play_hands
from holecard.kernels.lanes.rank_tables import RankTables
from holecard.kernels.lanes.state import used_until
from holecard.kernels.lanes.tally import tally_lanes, tally_splits, untally_lanes
from holecard.kernels.play.dealing import BLOCK_CARDS, BLOCKS, FIRST, HAVE, begin
from holecard.kernels.play.lookup import Lut, Offsets, ShoeKey
from holecard.kernels.play.play_round import play_round
from holecard.kernels.play.tally import RoundCounts, tally_round


@lean
def play_rounds(
    lut: Lut,
    tables: RankTables,
    at: Offsets,
    key: np.uint64,
    first: np.uint64,
    rounds: int,
    work: FreshWorkspace,
    counts: RoundCounts,
) -> None:
    """Play rounds from fresh shoes, numbered from `first`."""
    now, later, deferred = work.usual, work.longer, 0
    for done in range(0, rounds, LANES):
        width = min(LANES, rounds - done)
        now.dealt.biased[:] = 0
        for lane in range(LANES):
            now.numbers[lane] = np.uint64(done + lane)
        for block in range(now.blocks):
            deal_block(at, key, first, now.numbers, block, now.dealt)
        for i in range(_play_lanes(lut, tables, at, width, now, work, counts)):
            if deferred == LANES:
                _play_deferred(lut, tables, at, key, first, deferred, work, counts)
                deferred = 0
            _defer(now, int(now.short[i]), later, deferred)
            deferred += 1
    _play_deferred(lut, tables, at, key, first, deferred, work, counts)


@lean
def _play_lanes(
    lut: Lut, tables: RankTables, at: Offsets, width: int, now: FreshLanes, work: FreshWorkspace, counts: RoundCounts
) -> int:
    """Play and count the rounds of the lanes; list those that need more cards, uncounted, and return how many."""
    lanes, seats = now.lanes, work.charts.size
    _write_types(now)
    for lane in range(width):
        lanes.next[lane] = lane
    splits = play_hands(lut, tables, at, seats, width, lanes)
    tally_lanes(lut, tables, at, seats, width, lanes, counts)
    short = _find_short(at, width, now)
    tally_splits(lut, at, splits, lanes, work.alone.results, counts)
    untally_lanes(lut, tables, at, seats, short, now.short, lanes, counts)
    return short


@lean
def _write_types(now: FreshLanes) -> None:
    """Turn the cards dealt, which are indexes in the shoe, into types."""
    types, step, shift = now.lanes.cards, np.uint32(now.type_step), np.uint32(now.type_shift)
    for row in range(BLOCK_CARDS * now.blocks):
        cards, to = now.dealt.cards[row], types[LANES * row : LANES * (row + 1)]
        for lane in range(LANES):
            to[lane] = (np.uint32(cards[lane]) * step) >> shift


@lean
def _find_short(at: Offsets, width: int, now: FreshLanes) -> int:
    """Mark and list the lanes that were not dealt enough cards or whose cards may be biased; return how many."""
    lanes, short, many = now.lanes, now.short, 0
    end = np.uint32(LANES * (BLOCK_CARDS * now.blocks + 1))
    for lane in range(width):
        used = used_until(at, lanes, lane)
        is_short = np.uint32(used >= end) | now.dealt.biased[lane]
        lanes.alone[lane] = is_short
        short[index(many)] = lane
        many += int(is_short)
    return many


@lean
def _defer(now: FreshLanes, lane: int, later: FreshLanes, place: int) -> None:
    """Save the cards of a deferred lane."""
    later.numbers[place] = now.numbers[lane]
    for n in range(BLOCK_CARDS * now.blocks):
        later.dealt.cards[n, place], later.dealt.moved[n, place] = now.dealt.cards[n, lane], now.dealt.moved[n, lane]
    later.dealt.biased[place] = now.dealt.biased[lane]


@lean
def _play_deferred(
    lut: Lut,
    tables: RankTables,
    at: Offsets,
    key: np.uint64,
    first: np.uint64,
    rounds: int,
    work: FreshWorkspace,
    counts: RoundCounts,
) -> None:
    """Play the deferred rounds with one more block of cards, then one by one those that need even more."""
    later, alone = work.longer, work.alone
    deal_block(at, key, first, later.numbers, later.blocks - 1, later.dealt)
    for i in range(_play_lanes(lut, tables, at, rounds, later, work, counts)):
        lane = int(later.short[i])
        begin(alone.dealt)
        if not later.dealt.biased[lane]:
            alone.dealt[BLOCKS], alone.dealt[HAVE] = later.blocks, BLOCK_CARDS * later.blocks
            for n in range(BLOCK_CARDS * later.blocks):
                alone.dealt[FIRST + n] = later.dealt.cards[n, lane]
        shoe = ShoeKey(first + later.numbers[lane], key)
        play_round(lut, at, work.charts, shoe, alone.dealt, alone.ends, alone.hands, alone.results)
        tally_round(lut, at, work.charts.size, alone.dealt, alone.results, counts)

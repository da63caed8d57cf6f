"""Hands of splits against one dealer's start, by many threads that share the work, after `one_start`:

    begin_splits        which hands a split can come to: none yet but single cards
    follow_total        hands that follow from those with one hard total; totals from 1 up
    count_standing, place_standing, list_standing
                        hands of splits that stand, sorted so that neighboring threads do the same work
    sum_standing        their EVs of standing
    carry_back_total    EVs of hands of splits that draw; totals from 21 down
    write_splits

An *entry* is a hand that can be made from a card of a pair; entries are sorted by hard total. A *lane* is an entry that
stands, at all levels of its pair (`exact.level_evs`).
"""

from __future__ import annotations

from holecard.kernels.arrays import Floats
from holecard.kernels.exact.actions import DOUBLE_CODE, DOUBLE_UP_CODE, HIT_CODE, STAND_CODE
from holecard.kernels.jit import lean
from holecard.kernels.shoe_values.lane_evs import CARD_VALUES, GameArrays, ThreadScratch, fill_own_evs, stand_ev
from holecard.kernels.shoe_values.one_start import BlockScratch

#: How a lane stands.
STANDS_PLAIN, STANDS_DOUBLED, STANDS_DOUBLED_UP = range(3)


@lean
def begin_splits(game: GameArrays, counts: Floats, scratch: BlockScratch, thread: int, threads: int) -> None:
    """Come to nothing but single cards of pairs that can be dealt and split."""
    for entry in range(thread, game.entry.shape[0], threads):
        v = game.entry[entry, 1]
        is_single = game.pair[v, 1] == entry and game.pair[v, 0] > 0 and counts[v] >= 2.0
        scratch.comes[entry] = 1 if is_single else 0
        scratch.doubled[entry] = 0


@lean
def _action(game: GameArrays, scratch: BlockScratch, entry: int) -> int:
    """Return what is done with a hand of a split; a single card always gets another."""
    hand = game.entry[entry, 0]
    if game.size[hand] == 1:
        return HIT_CODE
    return int(scratch.ace[hand] if game.pair[game.entry[entry, 1], 3] else scratch.after[hand])


@lean
def follow_total(game: GameArrays, total: int, scratch: BlockScratch, thread: int, threads: int) -> None:
    """Come from hands with one hard total to those that they draw to."""
    for entry in range(game.entry_totals[total] + thread, game.entry_totals[total + 1], threads):
        if scratch.comes[entry]:
            action = _action(game, scratch, entry)
            if action in (HIT_CODE, DOUBLE_CODE):
                for v in range(CARD_VALUES):
                    longer = game.entry_longer[entry, v]
                    if longer >= 0:
                        # Threads that come to one hand write the same 1.
                        if action == HIT_CODE:
                            scratch.comes[longer] = 1
                        else:
                            scratch.doubled[longer] = 1


@lean
def _how_it_stands(game: GameArrays, scratch: BlockScratch, entry: int) -> int:
    """Return how a hand stands without a doubling card, or -1."""
    if scratch.comes[entry]:
        action = _action(game, scratch, entry)
        if action == STAND_CODE:
            return STANDS_PLAIN
        if action == DOUBLE_UP_CODE:
            return STANDS_DOUBLED_UP
    return -1


@lean
def _part(size: int, thread: int, threads: int) -> tuple[int, int]:
    """Return the range of a thread's share."""
    share = (size + threads - 1) // threads
    return min(thread * share, size), min((thread + 1) * share, size)


@lean
def count_standing(game: GameArrays, scratch: BlockScratch, thread: int, threads: int) -> None:
    """Count the lanes of a thread's share of the entries."""
    begin, end = _part(game.entry.shape[0], thread, threads)
    number = 0
    for place in range(begin, end):
        entry = game.like_entries[place]
        number += 1 if _how_it_stands(game, scratch, entry) >= 0 else 0
        number += 1 if scratch.doubled[entry] else 0
    scratch.counted[thread] = number


@lean
def place_standing(scratch: BlockScratch, thread: int, threads: int) -> None:
    """Turn numbers of lanes into the places where they begin; one thread does it."""
    if thread == 0:
        place = 0
        for i in range(threads):
            number = scratch.counted[i]
            scratch.counted[i] = place
            place += number
        scratch.counted[threads] = place


@lean
def list_standing(game: GameArrays, scratch: BlockScratch, thread: int, threads: int) -> None:
    """List the lanes of a thread's share of the entries."""
    begin, end = _part(game.entry.shape[0], thread, threads)
    lane = scratch.counted[thread]
    for place in range(begin, end):
        entry = game.like_entries[place]
        how = _how_it_stands(game, scratch, entry)
        if how >= 0:
            scratch.lanes[lane] = entry * 3 + how
            lane += 1
        if scratch.doubled[entry]:
            scratch.lanes[lane] = entry * 3 + STANDS_DOUBLED
            lane += 1


@lean
def sum_standing(
    game: GameArrays,
    counts: Floats,
    start: int,
    stakes: int,
    scratch: BlockScratch,
    own: ThreadScratch,
    thread: int,
    threads: int,
) -> None:
    """Fill the EVs of the hands of splits that stand."""
    for lane in range(thread, scratch.counted[threads], threads):
        how, entry = scratch.lanes[lane] % 3, scratch.lanes[lane] // 3
        hand, pair = game.entry[entry, 0], game.entry[entry, 1]
        row, n_levels = game.split_row[stakes, how, hand], game.pair[pair, 0]
        if n_levels == 1:
            own.ev[0] = stand_ev(game, counts, start, hand, pair, row, own)
        else:
            fill_own_evs(game, counts, start, hand, pair, row, n_levels, own)
        for level in range(n_levels):
            if how == STANDS_DOUBLED:
                scratch.doubled_ev[entry, level] = own.ev[level]
            else:
                scratch.ev[entry, level] = own.ev[level]


@lean
def carry_back_total(
    game: GameArrays,
    counts: Floats,
    start: int,
    stakes: int,
    total: int,
    scratch: BlockScratch,
    thread: int,
    threads: int,
) -> None:
    """Fill the EVs of hands of splits with one hard total that draw: `split_evs.carry_back`."""
    first, last, n_levels = game.entry_totals[total], game.entry_totals[total + 1], scratch.ev.shape[1]
    for place in range(thread, (last - first) * n_levels, threads):
        entry, level = first + place // n_levels, place % n_levels
        if scratch.comes[entry] and level < game.pair[game.entry[entry, 1], 0]:
            action = _action(game, scratch, entry)
            if action in (HIT_CODE, DOUBLE_CODE):
                _carry_back(game, counts, start, stakes, entry, level, action == DOUBLE_CODE, scratch)


@lean
def _carry_back(
    game: GameArrays,
    counts: Floats,
    start: int,
    stakes: int,
    entry: int,
    level: int,
    doubles: bool,
    scratch: BlockScratch,
) -> None:
    hand, pair, natural = game.entry[entry, 0], game.entry[entry, 1], game.natural[start]
    draws, partners = -(level + 1.0), 0.0
    for v in range(CARD_VALUES):
        of_value = counts[v] - game.shown[start, v] - game.cards[hand, v]
        draws += of_value
        if v == natural:
            partners = of_value - (level + 1.0 if v == pair else 0.0)
    bust = game.bust[1 + stakes, 1 if doubles else 0]
    ev = 0.0
    for v in range(CARD_VALUES):
        weight = counts[v] - game.shown[start, v] - game.cards[hand, v]
        if v == pair:
            weight -= level + 1.0
        then = game.entry_longer[entry, v]
        if then >= 0:
            ev += weight * (scratch.doubled_ev[then, level] if doubles else scratch.ev[then, level])
        else:
            if natural >= 0:
                weight *= 1.0 - (partners - (1.0 if natural == v else 0.0)) / max(draws - 1.0, 1.0)
            ev += bust * weight
    scratch.ev[entry, level] = ev / max(draws, 1.0)


@lean
def write_splits(
    game: GameArrays,
    counts: Floats,
    start: int,
    scratch: BlockScratch,
    begun: Floats,
    paired: Floats,
    thread: int,
    threads: int,
) -> None:
    """Write the EVs of split hands to `begun[v, level, start]` and `paired[v, level, start]`; 0 where none is made."""
    for v in range(thread, CARD_VALUES, threads):
        levels = game.pair[v, 0] if counts[v] >= 2.0 else 0
        for level in range(begun.shape[1]):
            is_made = level < levels
            begun[v, level, start] = scratch.ev[game.pair[v, 1], level] if is_made else 0.0
            paired[v, level, start] = scratch.ev[game.pair[v, 2], level] if is_made else 0.0

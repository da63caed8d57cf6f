"""Index plays: where a count makes another action better than the chart's, ranked by what they gain.

For every cell of the chart and every other action, the gain at each reading is the exact difference of two EVs, times
how often the hand is met at that reading. A play is made at a reading and all above it, or at all below it; its index
is the one with the largest gain at bets of one unit. A second play in the same cell is found in the same way, on top of
the first.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product

import numpy as np

from holecard.advantage.index_plays.count_distribution import (
    CountDistribution,
    count_distribution,
    excess_without,
    total_density,
)
from holecard.advantage.index_plays.index_values import HandGroups, ReadingValues, SolvedCounts, solved_counts
from holecard.charts.chart import Chart
from holecard.charts.letters import ACTIONS, AS_TOTAL
from holecard.counts import Count, CountPlayer, IndexPlay, Ramp
from holecard.counts.index_plays import INSURANCE_PLAY, upcard_name, with_play
from holecard.exact.charts.chart_cache import cached_best_chart
from holecard.kernels.arrays import Flags, Floats
from holecard.presentation import Brief
from holecard.sheets.schema import RuleSheet

#: The plays that reports and verdicts are about; data have all of them.
BEST_PLAYS = 18
#: Plays of one cell, and the gain per round below which a play is left out.
_MOST_PLAYS = 3
_LEAST_GAIN = 1e-8
#: Counts per whole count at which the gain is computed to find where it is zero.
_STEPS = 40


@dataclass(frozen=True, repr=False)
class RankedPlay(Brief):
    """A play by the count, and what it gains over the chart."""

    play: IndexPlay
    instead_of: str
    """what the chart does: a cell, or "" for insurance"""
    even_at: float | None
    """the count, not rounded, at which both are worth the same, halfway to the cut card; None where it was not met"""
    gain: float
    """units per 100 rounds with bets of one unit"""
    spread_gain: float
    """units per 100 rounds with the bets of the spread"""


@dataclass(frozen=True, repr=False)
class IndexPlays(Brief):
    """All plays found for one count, the most valuable first."""

    count: Count
    chart: Chart
    decks: int
    cut: int
    """percent"""
    cards_seen: float
    """halfway to the cut card, where `even_at` holds"""
    spread: int
    large_bet_from: int | None
    """the reading before the round from which the large bet is made; None: never"""
    plays: tuple[RankedPlay, ...]

    @property
    def ramp(self) -> Ramp:
        """The bets: one unit, and the spread from `large_bet_from` on."""
        if self.large_bet_from is None:
            return Ramp()
        return Ramp((self.large_bet_from,), (Fraction(1), Fraction(self.spread)))

    def player(self, most: int | None = None) -> CountPlayer:
        """Return the player who makes these bets, and the `most` valuable plays."""
        kept = self.plays[:most]
        # Plays of one cell are applied in the order in which they were found, the last on top.
        return CountPlayer(self.count, self.ramp, tuple(one.play for one in sorted(kept, key=_place)), cut=self.cut)


def _place(ranked: RankedPlay) -> tuple[bool, str, str]:
    play = ranked.play
    return play.hand != INSURANCE_PLAY, play.hand, play.upcard


def index_plays(sheet: RuleSheet, count: Count, *, cut: int, spread: int = 8, chart: Chart | None = None) -> IndexPlays:
    """Return the plays of a count for a game, on top of a chart or the best one, ranked by gain with the spread."""
    chart = cached_best_chart(sheet).chart if chart is None else chart
    met = count_distribution(count, sheet.shoe.decks, cut)
    solved = solved_counts(sheet, met, chart, cut)
    large_bet_from, bets = _bets(met, solved, spread)
    values = ReadingValues(solved, chart, bets)
    found = [*_insurance(values), *(play for row in range(len(chart.cells)) for play in _row(values, row))]
    found.sort(key=lambda one: -one.spread_gain)
    cards = 52 * sheet.shoe.decks
    return IndexPlays(count, chart, sheet.shoe.decks, cut, cards - solved.unseen, spread, large_bet_from, tuple(found))


def _bets(met: CountDistribution, solved: SolvedCounts, spread: int) -> tuple[int | None, Floats]:
    """Return the reading from which on large bets gain most, and [point] the bets."""
    readings, evs = met.readings(), _chart_evs(met, solved)
    lowest = int(readings.min())
    above = np.cumsum(np.bincount(readings - lowest, met.probability * evs)[::-1])
    if above.max() <= 0:
        return None, np.ones(readings.size)
    first = lowest + above.size - 1 - int(np.argmax(above))  # of equal ones, the highest
    return first, np.where(readings >= first, float(spread), 1.0)


def _chart_evs(met: CountDistribution, solved: SolvedCounts) -> Floats:
    """Return [point] the EV of a round played by the chart.

    Averaged over the counts of one depth, a round is worth what it is worth from the full shoe. EVs grow more slowly
    with higher counts than they fall with lower ones, so a neutral count is worth more than a full shoe, and the more
    so the more cards have been seen: EVs of each depth are moved to this average.
    """
    evs, full = solved.at_points(solved.evs), float(np.interp(0.0, solved.excess, solved.evs))
    for cards in np.unique(met.seen):
        here = met.seen == cards
        evs[here] += full - np.average(evs[here], weights=met.probability[here])
    return evs


def _insurance(values: ReadingValues) -> Iterator[RankedPlay]:
    found, by_group = values.insurance(), values.insurance_by_group()
    if found is None or by_group is None:
        return
    flat, bets = found[0][:, 0], found[1][:, 0]
    sides = [(*best, below) for below in (False, True) if (best := _best_index(flat, below)) is not None]
    if sides:
        gain, index, below = max(sides)
        play = IndexPlay(INSURANCE_PLAY, "", "take", values.lowest + index, below)
        even_at = _even_at(values, by_group, by_group.evs, np.ones(values.columns.size, np.bool_), play.index)
        yield RankedPlay(play, "", even_at, 100 * gain, 100 * _part(bets, index, below))


def _row(values: ReadingValues, row: int) -> Iterator[RankedPlay]:
    """Yield the plays of a row of the chart."""
    layout = values.chart.layout
    name = layout.rows[row].name if layout.rows[row].block != "soft" else f"soft {layout.rows[row].name}"
    for column, cell in enumerate(values.chart.cells[row]):
        cells = [cell] * values.size
        for _ in range(_MOST_PLAYS):
            asked = IndexPlay(name, upcard_name(layout.columns[column].name), "stand", 0)
            found = _best_play(values, row, column, cells, asked)
            if found is None:
                break
            ranked, cells = found
            yield replace(ranked, instead_of=cell)


def _best_play(
    values: ReadingValues, row: int, column: int, cells: list[str], asked: IndexPlay
) -> tuple[RankedPlay, list[str]] | None:
    """Return the play that gains most over these cells by reading, and the cells with it; None where none gains."""
    best: tuple[float, float, IndexPlay, list[str]] | None = None
    for letter, below in product(values.chart.layout.rows[row].letters, (False, True)):
        play = replace(asked, action=str(ACTIONS[letter]), below=below)
        changed = [with_play(cell, play) for cell in cells]
        if changed == cells:
            continue
        flat, bets = (_gains(values, row, column, cells, changed, which) for which in (0, 1))
        side = _best_index(flat, below)
        if side is not None and (best is None or side[0] > best[0]) and _part(bets, side[1], below) > 0:
            gain, index = side
            made = replace(play, index=values.lowest + index)
            after = [
                new if (r < index) == below else old for r, (old, new) in enumerate(zip(cells, changed, strict=True))
            ]
            best = gain, _part(bets, index, below), made, after
    if best is None:
        return None
    gain, spread_gain, made, after = best
    turn = made.index - values.lowest
    old, new = cells[turn], with_play(cells[turn], made)
    even_at = _even_at_of(values, row, column, old, new, made.index)
    return RankedPlay(made, old, even_at, 100 * gain, 100 * spread_gain), after


def _gains(values: ReadingValues, row: int, column: int, cells: list[str], changed: list[str], which: int) -> Floats:
    """Return [reading] the gain of other cells."""
    found = np.zeros(values.size)
    for old, new in set(zip(cells, changed, strict=True)):
        if old != new:
            here = np.array([pair == (old, new) for pair in zip(cells, changed, strict=True)])
            one, other = (values.of_cell(row, _followed(values, row, column, cell))[which] for cell in (new, old))
            found[here] = (one[:, column] - other[:, column])[here]
    return found


def _followed(values: ReadingValues, row: int, column: int, cell: str) -> str:
    """Return the letters that a hand follows: what a pair's cell leaves open is decided by the row of its total."""
    layout = values.chart.layout
    line = layout.rows[row]
    total = layout.row(line.total, line.soft) if line.pair is not None else None
    return cell if total is None else cell.replace(AS_TOTAL, "") + values.chart.cells[total][column]


def _best_index(gains: Floats, below: bool) -> tuple[float, int] | None:
    """Return the largest gain of a play made at a reading and above, or below it, and its place; None for no play."""
    part = np.concatenate([[0.0], np.cumsum(gains)[:-1]]) if below else np.cumsum(gains[::-1])[::-1]
    at = int(np.argmax(part))
    best = float(part[at])
    # Made at every reading, it would be a fault of the chart, not a play by the count.
    if best < _LEAST_GAIN or best <= gains.sum() + 1e-12:
        return None
    return best, at


def _part(gains: Floats, index: int, below: bool) -> float:
    return float(gains[:index].sum() if below else gains[index:].sum())


def _even_at_of(values: ReadingValues, row: int, column: int, old: str, new: str, index: int) -> float | None:
    one, other = (values.by_group(row, _followed(values, row, column, cell)) for cell in (new, old))
    return _even_at(values, one, one.evs - other.evs, values.columns == column, index)


def _even_at(values: ReadingValues, hands: HandGroups, gains: Floats, starts: Flags, index: int) -> float | None:
    """Return the count nearest to `index`, not rounded, at which the gain is zero, halfway to the cut card.

    Each hand counts as often as it comes together with the count before the round that gives this count.
    """
    solved, count = values.solved, values.solved.distribution.count
    counts = np.arange(values.lowest, values.lowest + values.size, 1 / _STEPS)
    decks = solved.distribution.decks
    here = hands.of(starts)
    tags, cards = here.tags, here.cards
    seen = 52 * decks - solved.unseen
    mean = float(count.imbalance) / 52
    if count.kind == "running":
        total = counts - float(count.start) * decks - float(count.pivot)
        total = total[:, None, None] - tags
    else:
        left = solved.unseen - cards
        total = counts[:, None, None] * left / count.per + mean * (seen + cards) - tags
    evs = solved.of_hands(gains[:, :, starts], excess_without(count, decks, total, seen, tags, cards))
    gain = (evs * here.met * total_density(count, decks, total, seen, tags, cards)).sum(axis=(1, 2))
    turns = np.flatnonzero(np.diff(np.sign(gain)) != 0)
    if turns.size == 0:
        return None
    at = int(turns[np.argmin(np.abs(counts[turns] - index))])
    slope = gain[at + 1] - gain[at]
    return float(counts[at] - (gain[at] * (counts[at + 1] - counts[at]) / slope if slope else 0.0))

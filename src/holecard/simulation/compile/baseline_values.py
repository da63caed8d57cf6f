"""The baseline value of every state of a round, which luck is measured against, and its slopes.

A value is the mean of the values after the next card, with every card as likely as in the full shoe: v = Σ_s p_s v_s.
Its slope by the share of value r follows by the product rule: slope_r = v_r + Σ_s p_s slope_r(s). The opening cards are
drawn without replacement. All values are whole steps, rounded down, so every machine computes the same numbers. They
need not be accurate: the correction has mean zero for any values; accuracy only lowers the variance.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holecard.kernels.luck.baseline import SLOPE_BITS, SLOPE_WIDTH, BaselineValues, Slopes, Steps
from holecard.kernels.play.lookup import ANY_CLASS, CLASS_COUNT, DEALER_OPEN, PAIRS, RANK_COUNT, ROW, VALUE_COUNT
from holecard.simulation.compile.program import Program

#: About this many steps make a unit of stake; a part is a whole number of steps.
_STEPS = 2**32
_EACH_VALUE = np.eye(VALUE_COUNT, dtype=np.int64)

IntTable = NDArray[np.int32]


class Sloped(NamedTuple):
    """Values in steps, and their slopes, with one more axis: [value]."""

    ev: Steps
    slope: Steps

    def at(self, place: tuple[object, ...]) -> Sloped:
        """Return the values at these indexes."""
        return Sloped(self.ev[place], self.slope[place])  # type: ignore[index]  # as numpy indexes


def steps_in_part(program: Program) -> int:
    """Return the number of steps in a part of the stake."""
    return _STEPS // program.scale


def baseline_values(program: Program, charts: int = 1) -> BaselineValues:
    """Return the baseline for the program's first charts."""
    builder = BaselineBuilder(program)
    hands = builder.hands()
    pending = [builder.pending(chart, hands) for chart in range(charts)]
    return builder.together(hands, pending)


class BaselineBuilder:
    """The tables of a program by name and shape, and the baseline computed from them."""

    def __init__(self, program: Program) -> None:
        self.lut, self.at = program.lut, program.offsets
        self.part = steps_in_part(program)
        values, ranks = self._table(self.at.value, self.at.cards), self._table(self.at.rank, self.at.cards)
        self.values, self.ranks = np.bincount(values, minlength=VALUE_COUNT), np.bincount(ranks, minlength=RANK_COUNT)
        self.value_of = np.minimum(np.arange(RANK_COUNT), VALUE_COUNT - 1)
        self.dealers = self._table(self.at.dealer, VALUE_COUNT * VALUE_COUNT)
        self.dealer_views = self._table(self.at.dealer_view, VALUE_COUNT * VALUE_COUNT)

    def together(self, hands: Sloped, pending: list[Sloped]) -> BaselineValues:
        """Return the baseline made of hands, and of [chart] hands of a split that wait for a second card."""
        levels = [self.openings(chart, hands, waiting) for chart, waiting in enumerate(pending)]
        opening, first, upcard, second, hole = (_stacked([level[n] for level in levels]) for n in range(5))
        kinds = [hands, _stacked(pending), first, upcard, second, hole, opening]
        begins = np.cumsum([0, *(kind.ev.size for kind in kinds)]).tolist()
        return BaselineValues(
            ev=np.concatenate([kind.ev.ravel() for kind in kinds]),
            slope=_coarse(np.concatenate([kind.slope.reshape(-1, VALUE_COUNT) for kind in kinds])),
            dealers=hands.ev.shape[1],
            nodes=hands.ev.shape[2],
            pending=begins[1],
            hands=pending[0].ev.shape[-1],
            first=begins[2],
            upcard=begins[3],
            second=begins[4],
            hole=begins[5],
            opening=begins[6],
            removal=opening.slope,
            part=self.part,
            shoe=np.concatenate([self.values, self.ranks, [self.at.cards]]).astype(np.int64),
        )

    def hands(self) -> Sloped:
        """Return [original or added stakes, dealer hand, node]."""
        at, draws = self.at, self._dealers_draws()
        after = self._table(at.after, at.splits, ROW)[:, :VALUE_COUNT]
        ev = np.zeros((2, 1 + max([CLASS_COUNT - 1, *draws]), at.splits), np.int64)
        slope = np.zeros((*ev.shape, VALUE_COUNT), np.int64)
        ev[:, :CLASS_COUNT, : at.ends] = self._nets()
        for dealer in _last_first(draws):
            then = np.moveaxis(ev[:, draws[dealer], : at.ends], 1, -1)
            slopes = np.moveaxis(slope[:, draws[dealer], : at.ends], 1, -2)
            ev[:, dealer, : at.ends], slope[:, dealer, : at.ends] = self._mean(Sloped(then, slopes))
        opens = {node: after[node] for node in range(at.ends, at.splits)}
        for node in _last_first(opens):
            ev[:, :, node], slope[:, :, node] = self._mean(Sloped(ev[:, :, opens[node]], slope[:, :, opens[node]]))
        return Sloped(ev, slope)

    def pending(self, chart: int, hands: Sloped) -> Sloped:
        """Return [upcard and hole card, rank, finished hands, hands]; 0 where all hands are finished."""
        at = self.at
        second, again = self._by_cell(at.second, chart), self._by_cell(at.again, chart).astype(np.bool_)
        most = self._table(at.most, RANK_COUNT)
        with_second = [hands.at((added, self.dealers[:, None, None], second)) for added in (0, 1)]
        shape = (VALUE_COUNT * VALUE_COUNT, RANK_COUNT, at.hands + 2, at.hands + 2)
        ev, slope = np.zeros(shape, np.int64), np.zeros((*shape, VALUE_COUNT), np.int64)
        for count in range(at.hands, 1, -1):
            splits = again & (count < most)[None, :, None]
            for over in range(count - 1, -1, -1):
                one = with_second[min(over, 1)]
                stays = one.ev + ev[:, :, over + 1, count, None]
                then = np.where(splits, ev[:, :, over, count + 1, None], stays)
                stays_slope = one.slope + slope[:, :, over + 1, count, None]
                slopes = np.where(splits[..., None], slope[:, :, over, count + 1, None], stays_slope)
                ev[:, :, over, count], slope[:, :, over, count] = self._mean_of_ranks(Sloped(then, slopes))
        return Sloped(ev, slope)

    def openings(self, chart: int, hands: Sloped, pending: Sloped) -> list[Sloped]:
        """Return the values before any card, then after each: [rank], [rank, value], [rank, value, rank], and so on."""
        hole = self._whole_opening(chart, hands, pending)
        if self.at.has_hole:
            second = self._before_hole(hole)
        else:
            second = Sloped(hole.ev[..., 0], hole.slope[..., 0, :])
            hole = Sloped(hole.ev[:, :0], hole.slope[:, :0])
        upcard = self._before_second(second)
        left = self.values - _EACH_VALUE[self.value_of]
        first = _weighted(upcard, left, self.at.cards - 1)
        first = Sloped(first.ev, first.slope + upcard.ev)
        before = _weighted(first, self.ranks, self.at.cards)
        return [Sloped(before.ev, before.slope + self._by_value(first.ev)), first, upcard, second, hole]

    def _whole_opening(self, chart: int, hands: Sloped, pending: Sloped) -> Sloped:
        """Return [rank, value, rank, value]: first card, upcard, second card, hole card (if any)."""
        ranks, values = range(RANK_COUNT), range(VALUE_COUNT)
        first, up, second, hole = np.ix_(ranks, values, ranks, values)
        cell = VALUE_COUNT * up + (hole if self.at.has_hole else 0 * hole)
        node = self._by_cell(self.at.first, chart)[cell, first, second]
        single = hands.at((0, self.dealers[cell], np.minimum(node, self.at.splits - 1)))
        split = pending.at((cell, first, 0, min(2, self.at.hands + 1)))
        splits = node >= self.at.splits
        return Sloped(np.where(splits, split.ev, single.ev), np.where(splits[..., None], split.slope, single.slope))

    def _before_hole(self, hole: Sloped) -> Sloped:
        """Return [rank, value, rank]: the mean over hole cards."""
        mine = _EACH_VALUE[self.value_of]
        left = self.values - mine[:, None, None] - _EACH_VALUE[:, None] - mine
        mean = _weighted(hole, np.maximum(left, 0), self.at.cards - 3)
        return Sloped(mean.ev, mean.slope + hole.ev)

    def _before_second(self, second: Sloped) -> Sloped:
        """Return [rank, value]: the mean over second cards; an upcard has each rank of its value in turn."""
        mine = _EACH_VALUE[self.value_of]
        of_upcard = np.maximum(1, self.values - mine)
        ranks = np.maximum(0, self.ranks - np.eye(RANK_COUNT, dtype=np.int64))
        left = ranks[:, None] * (of_upcard[..., None] - mine.T)
        mean = _weighted(second, np.maximum(left, 0), (of_upcard * (self.at.cards - 2))[..., None])
        return Sloped(mean.ev, mean.slope + self._by_value(second.ev))

    def _table(self, begin: int, *shape: int) -> IntTable:
        return self.lut[begin : begin + int(np.prod(shape))].reshape(shape)

    def _by_cell(self, begin: int, chart: int) -> IntTable:
        """Return a chart's table by dealer views as [upcard and hole card, rank, rank]."""
        begin += chart * self.at.dealer_views * PAIRS
        return self._table(begin, self.at.dealer_views, PAIRS)[self.dealer_views].reshape(-1, RANK_COUNT, RANK_COUNT)

    def _nets(self) -> Steps:
        """Return [original or added stakes, dealer class, end]."""
        nets = self._table(self.at.net, 2, self.at.ends, CLASS_COUNT).astype(np.int64)
        nets[:, : self.at.settled] = nets[:, : self.at.settled, ANY_CLASS, None]
        return nets.transpose(0, 2, 1) * self.part

    def _dealers_draws(self) -> dict[int, IntTable]:
        """Return the next hand for each value, for every unfinished hand the dealer can reach."""
        found: dict[int, IntTable] = {}
        waiting = self.dealers.tolist()
        while waiting:
            dealer = waiting.pop()
            if dealer >= DEALER_OPEN and dealer not in found:
                found[dealer] = self._table(self.at.dealer_after + ROW * (dealer - DEALER_OPEN), VALUE_COUNT)
                waiting += found[dealer].tolist()
        return found

    def _mean(self, then: Sloped) -> Sloped:
        """Average over the values of the next card, the last axis of the EVs."""
        mean = _weighted(then, self.values, self.at.cards)
        return Sloped(mean.ev, mean.slope + then.ev)

    def _mean_of_ranks(self, then: Sloped) -> Sloped:
        """Average over the ranks of the next card, the last axis of the EVs."""
        mean = _weighted(then, self.ranks, self.at.cards)
        return Sloped(mean.ev, mean.slope + self._by_value(then.ev))

    def _by_value(self, by_rank: Steps) -> Steps:
        """Average the last axis, [rank], over the ranks of each value."""
        shares = self.ranks[:, None] * _EACH_VALUE[self.value_of]
        return by_rank @ shares // np.maximum(1, self.values)


def _weighted(then: Sloped, weights: Steps, total: int | Steps) -> Sloped:
    """Return weighted means over the last axis of the EVs; weights and totals are broadcast."""
    ev = (then.ev * weights).sum(axis=-1)
    slope = (then.slope * weights[..., None]).sum(axis=-2)
    return Sloped(ev // (total if isinstance(total, int) else total[..., 0]), slope // total)


def _stacked(each: list[Sloped]) -> Sloped:
    return Sloped(np.stack([one.ev for one in each]), np.stack([one.slope for one in each]))


def _coarse(slopes: Steps) -> Slopes:
    """Return slopes as the kernels read them."""
    most = np.iinfo(np.int16).max
    padded = np.zeros((len(slopes), SLOPE_WIDTH), np.int16)
    padded[:, :VALUE_COUNT] = (slopes >> SLOPE_BITS).clip(-most, most)
    return padded


def _last_first(leads: Mapping[int, IntTable]) -> list[int]:
    """Return the keys so that each comes after all keys it leads to."""
    found: dict[int, None] = {}

    def visit(one: int) -> None:
        if one in leads and one not in found:
            for then in leads[one].tolist():
                visit(then)
            found[one] = None

    for one in leads:
        visit(one)
    return list(found)

"""How the wagers of one round vary together: covariances from a sample of rounds, each from a fresh shoe.

Seats of a round share the dealer's cards, and wagers of a seat share its cards too. Every side wager is placed whenever
possible, and insurance too; a wager that can only be placed in some rounds counts in those.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from holecard.charts.named_strategies import BASIC
from holecard.exact.strategies import StrategyLike, strategies_of
from holecard.kernels.arrays import Floats
from holecard.kernels.cache import compiling
from holecard.kernels.play.listed_rounds import list_rounds
from holecard.kernels.play.lookup import VALUE_COUNT
from holecard.kernels.play.workspace import new_workspace
from holecard.sheets.read import RulesLike, rules
from holecard.sheets.tables import Tables
from holecard.simulation.compile.program import Program, compile_program

#: Rounds that are played, with up to three seats: a correlation has a standard error of 0.001 to 0.002. Wagers that
#: seldom pay much have a larger one.
SAMPLED_ROUNDS = 400_000
_CHUNK = 50_000
_SEATS = 3
_ACE, _TEN = 0, 9
_MAIN, _INSURANCE = "main", "Insurance"
#: A wager's result has two parts: per unit staked, and in dollars.
PARTS = 2


@dataclass(frozen=True)
class Covariances:
    """Covariances of the parts of wagers; two parts for each name, the one per unit staked and the one in dollars."""

    names: tuple[str, ...]
    own: Floats
    """[part, part] of wagers of one seat"""
    others: Floats
    """[part, part] of wagers of two seats; zero where the table has one seat"""

    def blocks(self, one: str, other: str) -> tuple[Floats, Floats]:
        """Return the covariances of two wagers, [unit or dollars of one, of the other]: of one seat, and of two."""
        first, second = PARTS * self.names.index(one), PARTS * self.names.index(other)
        block = np.s_[first : first + PARTS, second : second + PARTS]
        return self.own[block], self.others[block]


def round_covariances(
    game: RulesLike, rounds: int = SAMPLED_ROUNDS, seed: int = 1, *, strategy: StrategyLike = BASIC
) -> Covariances:
    """Play rounds and return how the wagers of a round vary together."""
    sheet = rules(game)
    tables = sheet.tables
    seats = min(_SEATS, tables.seats)
    with compiling("covariances") as compilation:
        (player, *_) = strategies_of(sheet, strategy, 1)
        program = compile_program(tables, [player.chart], tables.wagers)
        sums = _Sums(len(_names(tables)))
        for first in range(0, rounds, _CHUNK):
            sums.add(*_results(tables, program, seats, seed, first, min(_CHUNK, rounds - first)))
        compilation.finished = True
    return Covariances(_names(tables), *sums.covariances())


def _names(tables: Tables) -> tuple[str, ...]:
    insurance = () if tables.insurance is None else (_INSURANCE,)
    return (_MAIN, *insurance, *(wager.name for wager in tables.wagers))


def _results(
    tables: Tables, program: Program, seats: int, seed: int, first: int, rounds: int
) -> tuple[Floats, NDArray[np.bool_]]:
    """Play rounds; return [seat, round, part] results, and where they were settled."""
    at = program.offsets
    nets, openings = np.empty((rounds, seats), np.int64), np.empty(rounds, np.int64)
    cells = np.empty((rounds, seats, len(program.wagers)), np.int64)
    charts, work = np.zeros(seats, np.uint8), new_workspace(at, seats)
    list_rounds(program.lut, at, charts, np.uint64(seed), np.uint64(first), work, nets, openings, cells)
    parts = np.zeros((seats, rounds, PARTS * len(_names(tables))))
    settled = np.ones(parts.shape, np.bool_)
    parts[:, :, 0] = nets.T / program.scale
    place = PARTS
    if tables.insurance is not None:
        upcards, seconds = np.divmod(openings, VALUE_COUNT)
        parts[:, :, place] = np.where(seconds == _TEN, float(tables.insurance), -1.0)
        settled[:, :, place : place + PARTS] = (upcards == _ACE)[:, np.newaxis]
        place += PARTS
    of_cells, is_placed = _of_cells(program)
    for wager in range(len(program.wagers)):
        its = np.s_[:, :, place : place + PARTS]
        parts[its] = of_cells[cells[:, :, wager].T]
        settled[its] = is_placed[cells[:, :, wager].T][:, :, np.newaxis]
        place += PARTS
    return parts, settled


def _of_cells(program: Program) -> tuple[Floats, NDArray[np.bool_]]:
    """Return [cell, part] what every outcome of a side wager wins, and [cell] whether the wager was placed."""
    found = [(table.payoffs, outcome) for table in program.wagers for outcome in table.cells]
    parts = [(0.0, 0.0) if outcome is None else tuple(map(float, payoffs.parts(outcome))) for payoffs, outcome in found]
    return np.array(parts).reshape(-1, PARTS), np.array([outcome is not None for _, outcome in found], np.bool_)


class _Sums:
    """Sums of results, of their products, and of how often both were settled."""

    def __init__(self, wagers: int) -> None:
        parts = PARTS * wagers
        self._sums, self._times = np.zeros((2, parts))
        # [of one seat or of two]: products, how often, and the sum of the first where the second is settled too
        self._products, self._pairs, self._firsts = np.zeros((3, 2, parts, parts))

    def add(self, parts: Floats, settled: NDArray[np.bool_]) -> None:
        """Add the results of rounds, [seat, round, part]."""
        there = settled.astype(np.float64)
        won = parts * there
        self._sums += won.sum(axis=(0, 1))
        self._times += there.sum(axis=(0, 1))
        for sums, one, other in (
            (self._products, won, won),
            (self._pairs, there, there),
            (self._firsts, won, there),
        ):
            own = np.einsum("snp,snq->pq", one, other, optimize=True)
            sums[0] += own
            sums[1] += one.sum(axis=0).T @ other.sum(axis=0) - own

    def covariances(self) -> tuple[Floats, Floats]:
        """Return the covariances for one seat and for two: means of products of differences from the means."""
        means = self._sums / np.maximum(self._times, 1.0)
        found = []
        for products, pairs, firsts in zip(self._products, self._pairs, self._firsts, strict=True):
            crossed = firsts * means + firsts.T * means[:, np.newaxis]
            differences = products - crossed + pairs * np.outer(means, means)
            found.append(differences / np.maximum(pairs, 1.0))
        return found[0], found[1]

"""How much a player gains by waiting with wagers on the dealer's final hand: `python -m bench.late_wagers GAME`.

Rounds are dealt from fresh shoes to one seat and to seven seats, which all play the best chart. After the last seat
has acted, just before the hole card is turned over, its player has seen the upcard and every card of every seat. The
EV of every wager placed after the check is then computed from the remaining cards, exactly up to rounding, and the
player bets one unit on each wager with a positive EV. The gain is the sum of these EVs, not of the actual payoffs, so
that only the cards seen are sampled.

Rounds that are decided by a natural, or in which the shoe runs out (one deck, seven seats), do not offer these wagers;
they count as rounds without a gain.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holecard.charts.chart import Chart
from holecard.exact.charts.chart_cache import cached_best_chart
from holecard.exact.main.dealer_outcomes import DealerOutcomes, dealer_outcomes
from holecard.exact.main.prepared_game import prepared_game
from holecard.kernels.arrays import Floats
from holecard.kernels.jit import kernel
from holecard.kernels.play.dealing import SHOE, Dealt, begin, dealt_card
from holecard.kernels.play.lookup import (
    DEALER_CARDS,
    ENDING,
    OPENING,
    RESULT,
    UNFINISHED,
    VALUE_COUNT,
    Lut,
    Numbers,
    Offsets,
    Results,
    ShoeKey,
)
from holecard.kernels.play.play_round import play_round
from holecard.kernels.play.workspace import new_workspace
from holecard.sheets.override import parse_setting
from holecard.sheets.read import rules
from holecard.sheets.schema import RuleSheet
from holecard.sheets.tables import Tables
from holecard.simulation.compile.program import compile_program

CHUNK = 200_000
#: Replaces the upcard of a round without wagers.
NONE = -1


@dataclass(frozen=True)
class Gain:
    """The gain from favorable wagers."""

    rounds: int
    favorable: int
    """rounds with a favorable wager"""
    wagers: int
    """favorable wagers"""
    total: float
    """units gained"""
    squares: float
    best: float
    """the highest EV of any wager seen"""
    short: int
    """rounds in which the shoe ran out"""

    def __add__(self, other: Gain) -> Gain:
        return Gain(
            self.rounds + other.rounds,
            self.favorable + other.favorable,
            self.wagers + other.wagers,
            self.total + other.total,
            self.squares + other.squares,
            max(self.best, other.best),
            self.short + other.short,
        )

    @property
    def frequency(self) -> tuple[float, float]:
        """Rounds with a favorable wager per 100 rounds, and the standard error."""
        share = self.favorable / self.rounds
        return 100 * share, 100 * (share * (1 - share) / self.rounds) ** 0.5

    @property
    def per_hundred(self) -> tuple[float, float]:
        """Units gained per 100 rounds, and the standard error."""
        mean = self.total / self.rounds
        return 100 * mean, 100 * (max(self.squares / self.rounds - mean**2, 0.0) / self.rounds) ** 0.5


NOTHING = Gain(0, 0, 0, 0.0, 0.0, -1.0, 0)


class Seen(NamedTuple):
    """What the player in the last seat knows before the hole card is turned over, [round]."""

    upcards: NDArray[np.int8]
    """by value, 0 for an ace; NONE if no wager can be placed"""
    left: NDArray[np.int16]
    """[round, value] cards not seen, including the hole card"""
    short: NDArray[np.bool_]


@kernel
def see(
    lut: Lut,
    at: Offsets,
    charts: NDArray[np.uint8],
    key: np.uint64,
    first: np.uint64,
    dealt: Dealt,
    ends: Numbers,
    hands: Numbers,
    results: Results,
    counts: NDArray[np.int16],
    upcards: NDArray[np.int8],
    left: NDArray[np.int16],
    short: NDArray[np.bool_],
) -> None:
    """Play rounds numbered from `first` and store what is seen after the last seat; see `Seen`."""
    seats = charts.size
    for number in range(upcards.size):
        begin(dealt)
        shoe = ShoeKey(first + np.uint64(number), key)
        n = play_round(lut, at, charts, shoe, dealt, ends, hands, results)
        upcard, hole = divmod(results[RESULT * seats + OPENING], VALUE_COUNT)
        ending = results[RESULT * seats + ENDING]
        drawn = 0 if ending == UNFINISHED else ending % (DEALER_CARDS + 1) - 2
        one = lut[at.value + dealt_card(dealt, seats - 1)]
        two = lut[at.value + dealt_card(dealt, 2 * seats)]
        natural = (upcard, hole) in ((0, 9), (9, 0)) or (one, two) in ((0, 9), (9, 0))
        short[number] = dealt[SHOE] > 0
        upcards[number] = NONE if natural or short[number] else upcard
        for value in range(VALUE_COUNT):
            left[number, value] = counts[value]
        for place in range(n - drawn):
            if place != 2 * seats + 1:
                left[number, lut[at.value + dealt_card(dealt, place)]] -= 1


class Watcher:
    """A table whose seats all play one chart (by default the best one), and an observer who evaluates the wagers."""

    def __init__(self, sheet: RuleSheet, seats: int, seed: int, chart: Chart | None = None) -> None:
        tables = sheet.tables
        self.program = compile_program(tables, [chart or cached_best_chart(sheet).chart])
        self.charts = np.zeros(seats, np.uint8)
        self.key = np.uint64(seed)
        self.counts = np.array([4 * tables.decks] * 9 + [16 * tables.decks], np.int16)
        self.payoffs = Payoffs(tables)

    def watch(self, first: int, rounds: int) -> Gain:
        """Return the gain in rounds numbered from `first`."""
        seen = self.seen(first, rounds)
        gains, best, wagers = np.zeros(rounds), -1.0, 0
        for upcard in range(VALUE_COUNT):
            here = np.flatnonzero(seen.upcards == upcard)
            if here.size:
                evs = self.payoffs.evs(upcard, seen.left[here].T.astype(np.float64))
                gains[here] = np.maximum(evs, 0.0).sum(axis=0)
                wagers += int((evs > 0).sum())
                best = max(best, float(evs.max()))
        short = int(seen.short.sum())
        return Gain(rounds, int((gains > 0).sum()), wagers, gains.sum(), (gains**2).sum(), best, short)

    def seen(self, first: int, rounds: int) -> Seen:
        at = self.program.offsets
        space = new_workspace(at, self.charts.size)
        seen = Seen(np.empty(rounds, np.int8), np.empty((rounds, VALUE_COUNT), np.int16), np.empty(rounds, np.bool_))
        work = (space.dealt, space.ends, space.hands, space.results, self.counts)
        see(self.program.lut, at, self.charts, self.key, np.uint64(first), *work, *seen)
        return seen


class Payoffs:
    """The EVs of all wagers that are placed after the check."""

    def __init__(self, tables: Tables) -> None:
        self.endings: DealerOutcomes = dealer_outcomes(prepared_game(tables))
        wagers = [tables.wagers[i] for i in tables.check_wagers]
        self.names = [wager.name for wager in wagers]
        self.pays = np.zeros((len(wagers), len(self.endings.classes), VALUE_COUNT))
        """[wager, ending, upcard] the amount returned per unit staked, including the stake"""
        for number, wager in enumerate(wagers):
            for line in wager.lines:
                if (
                    line.hand is not None
                    or line.dealer is None
                    or line.dealer.fewest > 2
                    or line.dealer.most < VALUE_COUNT
                ):
                    raise ValueError(f"{wager.name}: only lines on the dealer's final total are computed here")
                for ending, total in enumerate(self.endings.classes):
                    if line.dealer.low <= total <= line.dealer.high:
                        for upcard in line.upcards:
                            self.pays[number, ending, upcard - 1] = 1 + float(line.pays.odds)

    def evs(self, upcard: int, left: Floats) -> Floats:
        """Return EVs [wager, lane], given no dealer blackjack, for cards `left[value, lane]` without the upcard."""
        chances = self.endings.probabilities(upcard, left)
        found: Floats = self.pays[:, :, upcard] @ chances / chances.sum(axis=0) - 1.0
        return found


def chunks(rounds: int) -> Iterator[tuple[int, int]]:
    """Yield the first round and the number of rounds of each chunk."""
    for first in range(0, rounds, CHUNK):
        yield first, min(CHUNK, rounds - first)


def main() -> None:
    """Print a line for each number of decks and seats."""
    parser = argparse.ArgumentParser(prog="python -m bench.late_wagers", description=__doc__.splitlines()[0])
    parser.add_argument("game")
    parser.add_argument("--rounds", type=float, default=1e6)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--set", action="append", default=[], type=parse_setting, help="a setting, as in soft_17=stand")
    options = parser.parse_args()
    settings = dict(options.set)
    print("decks seats   rounds with a favorable wager   gain per 100 rounds   mean EV    best EV   no shoe")
    for decks in rules(options.game, settings).shoe.decks_offered:
        for seats in (1, 7):
            watcher = Watcher(rules(options.game, {**settings, "shoe.decks": decks}), seats, options.seed)
            found = sum((watcher.watch(*chunk) for chunk in chunks(int(options.rounds))), NOTHING)
            share, share_error = found.frequency
            gain, error = found.per_hundred
            mean = found.total / max(found.wagers, 1)
            print(
                f"{decks:5} {seats:5}   {share:10.4f} +- {share_error:.4f} in 100      {gain:9.5f} +- {error:.5f}"
                f"   {100 * mean:6.3f}%  {100 * found.best:+7.2f}%  {found.short:8}",
                flush=True,
            )


if __name__ == "__main__":
    main()

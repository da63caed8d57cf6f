"""Rounds per second of the simulation, compared with the interactive `Table`."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from typing import NamedTuple

import numpy as np

import holecard
from bench.rounds import BLOCK, table_player
from bench.timing import Times, alternate, load
from holecard.exact.charts.best_chart import best_chart
from holecard.kernels.play.dealing import FIRST, begin
from holecard.kernels.play.lookup import OF_DEALER, RESULT, ShoeKey
from holecard.kernels.play.play_round import play_round
from holecard.simulation.compile.program import compile_program
from holecard.simulation.plays.fresh_shoes import FreshRounds

ROUNDS = 1_000_000
BASE = "classic"
_REPEATS = 7


class Player(NamedTuple):
    """A game played from fresh shoes, and its target in millions of rounds per second."""

    name: str
    play: FreshRounds
    target: float


@cache
def fresh(game: str, seats: int = 1, *, sides: bool = False) -> FreshRounds:
    """Return a game played by its best chart, with or without its side wagers."""
    tables = holecard.rules(game).tables
    program = compile_program(tables, [best_chart(game).chart], tables.wagers if sides else ())
    return FreshRounds(program, (0,) * seats, seed=1)


def simulation(repeats: int = _REPEATS) -> None:
    """Measure every game with and without side wagers, seats, threads, and the ratio to `Table`."""
    print(f"\nRounds from fresh shoes by the best chart, one thread, {ROUNDS:,} at a time ({load()})")
    print(f"  {'':34} {'best':>10} {'median':>10}   {'target':>6}   ratio to classic   cards/round")
    base, runs = fresh(BASE), Times(())
    for player in _players():
        mine, plain = alternate(partial(_rounds, player.play), partial(_rounds, base), repeats=repeats)
        _row(player, mine, plain)
        runs = Times(runs.runs + plain.runs)
    _row(Player(f"{BASE}, main wager", base, 55.0), runs, runs)
    _seats(repeats)
    _threads(repeats)
    _compared_with_table(repeats)


def _players() -> list[Player]:
    found = []
    for game in holecard.games():
        if game == BASE:
            continue
        found.append(Player(f"{game}, main wager", fresh(game), 20.0))
        found.append(Player(f"{game}, all side wagers", fresh(game, sides=True), 8.0))
    return found


def _rounds(play: FreshRounds, rounds: int = ROUNDS) -> None:
    play.play(0, rounds)


def _row(player: Player, mine: Times, plain: Times) -> None:
    best, median = ROUNDS / mine.best / 1e6, ROUNDS / mine.median / 1e6
    cards = cards_a_round(player.play)
    print(
        f"  {player.name:34} {best:8.1f} M {median:8.1f} M   >= {player.target:3.0f}   {plain.over(mine):8.2f}", end=""
    )
    print(f"         {cards:5.2f}")


def cards_a_round(play: FreshRounds, rounds: int = 2000) -> float:
    """Return the average number of cards in a round."""
    offsets, seats = play.program.offsets, len(play.charts)
    dealt = np.zeros(FIRST + offsets.cards + 8, np.uint16)
    ends, hands = np.zeros(offsets.hands * seats, np.int32), np.zeros(seats, np.int32)
    results, charts = np.zeros(RESULT * seats + OF_DEALER, np.int64), np.array(play.charts, np.uint8)
    cards = 0
    for number in range(rounds):
        begin(dealt)
        shoe = ShoeKey(np.uint64(number), np.uint64(play.seed))
        cards += play_round(play.program.lut, offsets, charts, shoe, dealt, ends, hands, results)
    return cards / rounds


def _seats(repeats: int) -> None:
    one, seven = alternate(
        partial(_rounds, fresh(BASE)), partial(_rounds, fresh(BASE, 7), ROUNDS // 7), repeats=repeats
    )
    print(f"\nSeven seats against one: {one.over(seven):.2f} times the seats × rounds per second (target: at least 1)")


def _threads(repeats: int) -> None:
    """Measure wall time with two threads, each playing half of the rounds."""
    play = fresh(BASE)
    with ThreadPoolExecutor(2) as pool:

        def both() -> None:
            list(pool.map(lambda first: play.play(first, ROUNDS), (0, ROUNDS)))

        one, two = alternate(partial(_rounds, play, 2 * ROUNDS), both, repeats=repeats, clock=time.perf_counter)
    print(f"Two threads against one: {one.over(two):.2f} times the rounds per second (target: at least 1.7; {load()})")


def _compared_with_table(repeats: int) -> None:
    play, table = fresh(BASE), table_player(BASE)
    quick, slow = alternate(partial(_rounds, play), table, repeats=repeats)
    ratio = slow.over(quick) * ROUNDS / BLOCK
    print(f"Compared with Table: {ratio:,.0f} times the rounds per second (target: at least 1,000)")

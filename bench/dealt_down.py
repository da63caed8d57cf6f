"""Rounds per second from shoes that are dealt down and from continuous shufflers, with fresh shoes in the same run."""

from __future__ import annotations

from functools import cache, partial

import holecard
from bench.simulation import BASE, fresh
from bench.timing import Times, alternate, load
from holecard.counts import CountPlayer, read_count_player
from holecard.exact.charts.best_chart import best_chart
from holecard.kernels.dealt_down.dealing_rule import DealingRule
from holecard.simulation.compile.counter_tables import compile_count
from holecard.simulation.compile.program import compile_program
from holecard.simulation.plays.counted_shoes import CountedShoes
from holecard.simulation.plays.dealt_down_shoes import ShoeRounds
from holecard.simulation.plays.fresh_shoes import FreshRounds
from holecard.simulation.procedures import procedure_of

SHOES, SEATS, DECKS, PROCEDURE = 20_000, 7, 6, "cut:75"
#: Continuous shufflers, reloaded after a thousand rounds each.
MACHINE, MACHINES = "shuffler", 512
_REPEATS = 7
#: A ramp and the best-known index plays.
COUNTER = """
count = "hi-lo"

[bets]
"below 1" = 1
1 = 2
2 = 4
3 = 6
"4 and above" = 8

[plays]
insurance = "take at 3"
"16 v T" = "stand at 0"
"15 v T" = "stand at 4"
"10 v T" = "double at 4"
"12 v 3" = "stand at 2"
"12 v 2" = "stand at 3"
"9 v 2" = "double at 1"
"9 v 7" = "double at 3"
"16 v 9" = "stand at 5"
"13 v 2" = "hit below -1"
"12 v 4" = "hit below 0"
"12 v 5" = "hit below -2"
"12 v 6" = "hit below -1"
"13 v 3" = "hit below -2"
"T,T v 5" = "split at 5"
"T,T v 6" = "split at 4"
"""


def _rule(game: str, procedure: str = PROCEDURE) -> DealingRule:
    rule = procedure_of(holecard.rules(game, decks=DECKS), procedure).rule
    assert rule is not None
    return rule


@cache
def shoes(game: str, seats: int = 1, *, sides: bool = False, procedure: str = PROCEDURE) -> ShoeRounds:
    """Return a game dealt down by its best chart, with or without its side wagers."""
    tables = holecard.rules(game, decks=DECKS).tables
    program = compile_program(tables, [best_chart(game).chart], tables.wagers if sides else (), dealt_down=True)
    return ShoeRounds(program, (0,) * seats, 1, _rule(game, procedure))


@cache
def counted(player: CountPlayer, seats: int = 1) -> CountedShoes:
    """Return the base game dealt down with a player who counts."""
    tables, chart = holecard.rules(BASE, decks=DECKS).tables, best_chart(BASE).chart
    program = compile_program(tables, [chart, *player.charts(chart)], dealt_down=True)
    return CountedShoes(program, seats, 1, _rule(BASE), compile_count(tables, program, player, 0, _rule(BASE)).counter)


def dealt_down(repeats: int = _REPEATS) -> None:
    """Measure every game with and without side wagers, a player who counts, a shuffler, seats, and shoes one by one."""
    print(f"\nShoes of six decks dealt down to {PROCEDURE}, one thread, {SHOES:,} shoes at a time ({load()})")
    print(f"  {'':34} {'best':>10} {'median':>10}   {'target':>6}   rounds per fresh round   rounds/shoe")
    for game in sorted(holecard.games(), key=lambda game: game != BASE):
        _row(f"{game}, main wager", shoes(game), fresh(game), 30 if game == BASE else 15, repeats)
    for game in holecard.games():
        if game != BASE:
            _row(f"{game}, all side wagers", shoes(game, sides=True), fresh(game, sides=True), 6, repeats)
    player = read_count_player(COUNTER)
    _row(f"{BASE}, a count, a ramp and 16 plays", counted(player), fresh(BASE), 15, repeats)
    machine = shoes(BASE, procedure=MACHINE)
    _row(f"{BASE}, {MACHINE}", machine, fresh(BASE), 15, repeats, MACHINES)
    _seats(repeats)
    _one_by_one(PROCEDURE, shoes(BASE), SHOES // 10, repeats)
    _one_by_one(MACHINE, machine, MACHINES, repeats)


def _row(
    name: str, play: ShoeRounds | CountedShoes, other: FreshRounds, target: int, repeats: int, units: int = SHOES
) -> None:
    rounds = int(play.play(0, units)["rounds"])
    mine, plain = alternate(partial(play.play, 0, units), partial(other.play, 0, rounds), repeats=repeats)
    speeds = (f"{rounds / seconds / 1e6:8.1f} M" for seconds in (mine.best, mine.median))
    print(f"  {name:34} {' '.join(speeds)}   >= {target:3}   {plain.over(mine):16.2f}   {rounds / units:15.2f}")


def _seats(repeats: int) -> None:
    one, seven = shoes(BASE), shoes(BASE, SEATS)
    alone, many = (int(play.play(0, SHOES)["rounds"]) for play in (one, seven))
    times: list[Times] = alternate(partial(one.play, 0, SHOES), partial(seven.play, 0, SHOES), repeats=repeats)
    ratio = times[0].over(times[1]) * SEATS * many / alone
    print(f"\n{SEATS} seats against one: {ratio:.2f} times the seats × rounds per second (target: at least 1)")


def _one_by_one(procedure: str, play: ShoeRounds, units: int, repeats: int) -> None:
    quick, slow = alternate(partial(play.play, 0, units), partial(play.play_one_by_one, 0, units), repeats=repeats)
    print(f"Side by side against one by one, {procedure}: {slow.over(quick):.1f} times the rounds per second")

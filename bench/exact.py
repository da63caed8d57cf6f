"""Benchmarks of the exact analysis: times with counted work, ratios, and targets.

Times are CPU time of one thread unless stated otherwise, measured warm: kernels and the sheet's tables are already
compiled. Goals are printed for comparison; missing one does not fail the run.
"""

from __future__ import annotations

import time
from functools import partial
from math import inf
from typing import NamedTuple

import holecard
from bench.complete import complete_analysis
from bench.plain import Plain, plain_values
from bench.threads import two_threads
from bench.timing import REPEATS, Times, alternate, load
from bench.work import Work, counted, nodes_of
from holecard.composition import full
from holecard.exact.main.deal_probabilities import counts_of
from holecard.exact.main.initial_hands import EVERY_DEAL
from holecard.exact.main.prepared_game import prepared_game
from holecard.exact.main.solve import Solution, solve
from holecard.exact.solved_game import main_ev
from holecard.sheets.schema import RuleSheet

BASE = "classic"
DECKS = (1, 2, 4, 6, 8)
SPOTS = (("classic", "T,6 v T"), ("classic", "8,8 v 6"), ("classic", "2,2 v A"), ("face-up", "8,8 v 6,T"))
PLAIN_UPCARDS = (10, 6)
#: Starting hands with a decision: all except a natural.
DECIDED = tuple(deal for deal in EVERY_DEAL if deal != (1, 10))
#: The two methods must agree within this.
AGREED = 1e-12


def exact(repeats: int = REPEATS) -> None:
    """Run all benchmarks of this module."""
    print(f"\nExact analysis ({load()}; medians and best of {repeats} alternating runs)")
    whole_game(repeats)
    two_threads(BASE, repeats)
    every_game(repeats)
    one_spot(repeats)
    growth(repeats)
    plain_recursion(repeats)


def _row(name: str, times: Times, target: str = "", more: str = "") -> None:
    line = f"  {name:26} {1e3 * times.median:9.2f} ms {1e3 * times.best:9.2f} ms   {target:10} {more}"
    print(line.rstrip())


def _heads(title: str, more: str = "counted work") -> None:
    print(f"\n{title}")
    print(f"  {'':26} {'median':>12} {'best':>12}   {'target':10} {more}".rstrip())


def _each(times: Times, work: Work) -> str:
    return f"{work}, {1e9 * times.median / (work.nodes + work.ending_nodes):.2f} ns each"


# The whole game


def whole_game(repeats: int) -> None:
    """Measure EV and strategy alone, and the complete analysis."""
    sheet = holecard.rules(BASE)
    game = prepared_game(sheet.tables)
    nodes = nodes_of(game.dealer.tree)
    _heads(f"Whole game: {BASE}, {sheet.shoe.decks} decks, exact resplits")
    value, everything = partial(main_ev, sheet), partial(complete_analysis, sheet)
    value_times, every_times = alternate(value, everything, repeats=repeats)
    _row("EV and strategy", value_times, "<= 10 ms", _each(value_times, counted(value)))
    _row("everything", every_times, "<= 1 s", _each(every_times, counted(everything)))
    print(f"  {'everything over EV':26} {every_times.over(value_times):12.1f}")
    print(f"  player hands: {game.hands.size.size:,}; nodes of the dealer trees: {nodes.sum():,}", end="")
    print(f", {nodes.min()} to {nodes.max()} per upcard ({nodes.size} upcards)")


def every_game(repeats: int) -> None:
    """Compare every included game with the base game."""
    names = [BASE, *(name for name in holecard.games() if name != BASE)]
    sheets = [holecard.rules(name) for name in names]
    jobs = [partial(main_ev, sheet) for sheet in sheets]
    found = alternate(*jobs, repeats=repeats)
    _heads("Every game: EV and strategy", "ratio  counted work")
    for name, sheet, job, times in zip(names, sheets, jobs, found, strict=True):
        target = "<= 20 ms" if sheet.tables.hole_card == "face up" else "<= 2.00"
        _row(name, times, target, f"{times.over(found[0]):5.2f}  {counted(job)}")


def one_spot(repeats: int) -> None:
    """Measure every legal action of one hand, with exact splits."""
    _heads("One hand, every legal action")
    for name, at in SPOTS:
        job = partial(holecard.evaluate, holecard.rules(name), at)
        (times,) = alternate(job, repeats=repeats)
        _row(f"{at} ({name})", times, "<= 10 ms", str(counted(job)))


def growth(repeats: int) -> None:
    """Measure the growth with the number of decks, which hardly changes the number of hands."""
    sheet = holecard.rules(BASE)
    jobs = [partial(main_ev, sheet, full(decks)) for decks in DECKS]
    found = alternate(*jobs, repeats=repeats)
    _heads(f"Growth with the shoe: {BASE}, EV and strategy", "ratio  counted work")
    for decks, job, times in zip(DECKS, jobs, found, strict=True):
        _row(f"{decks} decks", times, "<= 1.50", f"{times.over(found[0]):5.2f}  {_each(times, counted(job))}")


# Compared with the plain recursion


def plain_recursion(repeats: int) -> None:
    """Compare with a plain recursion for one upcard and every starting hand, without splits."""
    sheet = holecard.rules(BASE)
    value = partial(main_ev, sheet)
    whole, (times,) = counted(value), alternate(value, repeats=repeats)
    print(
        f"\nCompared with a plain recursion in Python (dictionaries of floats): {BASE}, {sheet.shoe.decks} decks, "
        "one upcard,\nstand, hit, and double for every starting hand except a natural; both without splits"
    )
    for upcard in PLAIN_UPCARDS:
        share = _compared_with_plain(sheet, upcard, repeats)
        print(
            f"    whole game with splits, at this rate: {whole.nodes / share.nodes:.0f} times the lane-nodes, "
            f"so about {share.plain * whole.nodes / share.nodes:,.0f} s "
            f"({share.plain * whole.nodes / share.nodes / times.median:,.0f} times ours), "
            "if the recursion had no more to store"
        )


class _Share(NamedTuple):
    """A part of the game: its lane-nodes, and the seconds that the plain recursion takes for it."""

    nodes: int
    plain: float


def _compared_with_plain(sheet: RuleSheet, upcard: int, repeats: int) -> _Share:
    game, shoe = prepared_game(sheet.tables, (upcard,)), full(sheet.shoe.decks)
    ours = partial(solve, game, counts_of(shoe), only=())
    (times,) = alternate(ours, repeats=repeats)
    work = counted(ours)
    begun = time.thread_time()
    found = plain_values(sheet.tables, shoe.values, upcard, DECIDED)
    plain = time.thread_time() - begun
    apart = how_far_apart(found, ours())
    assert apart < AGREED, f"upcard {upcard}: the exact analysis and the plain recursion differ by {apart}"
    print(f"  upcard {upcard}")
    print(f"    exact    {1e3 * times.median:10.2f} ms   {work}")
    print(f"    plain    {1e3 * plain:10.2f} ms   {found.hands:,} player hands, {found.dealers:,} dealer hands")
    print(f"    ratio    {plain / times.median:10,.0f}      largest difference {apart:.1e}")
    return _Share(work.nodes, plain)


def how_far_apart(plain: Plain, solution: Solution) -> float:
    """Return the largest difference of any action of any deal, or infinity if only one side has an action."""
    game, apart = solution.game, 0.0
    for (low, high), actions in plain.values.items():
        hand = game.hands.two[low - 1, high - 1]
        engine = {"stand": solution.stand_evs.plain[hand, 0]}
        if game.first_hand.hit[hand]:
            engine["hit"] = solution.action_evs.hit[hand, 0]
        if game.first_hand.double[hand]:
            engine["double"] = solution.action_evs.double[hand, 0]
        if engine.keys() != actions.keys():
            return inf
        apart = max(apart, *(abs(float(engine[action]) - value) for action, value in actions.items()))
    return apart

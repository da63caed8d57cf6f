"""The exact mathematics: times with the work counted beside them, ratios side by side, and what was aimed at.

Times are processor time of one thread unless it is said otherwise, and warm: kernels compiled, the sheet's tables made.
An aim stands beside its value for whoever reads it; nothing fails where it is missed.
"""

from __future__ import annotations

import time
from functools import partial
from math import inf
from typing import NamedTuple

import holecard
from bench.counting import Work, counted, nodes_of
from bench.plain import Plain, plain_values
from bench.threads import two_threads
from bench.timing import REPEATS, Times, alternate, load
from holecard.composition import full
from holecard.exact.main.initial_deals import counts_of
from holecard.exact.main.initial_hands import EVERY_DEAL
from holecard.exact.main.prepared_game import prepared_game
from holecard.exact.main.solve import Solution, solve
from holecard.exact.solved_game import main_ev
from holecard.sheets.schema import RuleSheet

BASE = "classic"
DECKS = (1, 2, 4, 6, 8)
SPOTS = (("classic", "T,6 v T"), ("classic", "8,8 v 6"), ("classic", "2,2 v A"), ("face-up", "8,8 v 6,T"))
PLAIN_UPCARDS = (10, 6)
#: First hands that have something to decide: all but a natural.
DECIDED = tuple(deal for deal in EVERY_DEAL if deal != (1, 10))
#: The two ways must tell the same.
AGREED = 1e-12


def exact(repeats: int = REPEATS) -> None:
    """All of it, but for new processes."""
    print(f"\nExact mathematics ({load()}; medians and best of {repeats} alternating runs)")
    whole_game(repeats)
    two_threads(BASE, repeats)
    every_game(repeats)
    one_spot(repeats)
    growth(repeats)
    plain_recursion(repeats)


def _row(name: str, times: Times, aim: str = "", more: str = "") -> None:
    line = f"  {name:26} {1e3 * times.median:9.2f} ms {1e3 * times.best:9.2f} ms   {aim:10} {more}"
    print(line.rstrip())


def _heads(title: str, more: str = "counted work") -> None:
    print(f"\n{title}")
    print(f"  {'':26} {'median':>12} {'best':>12}   {'aim':10} {more}".rstrip())


def _each(times: Times, work: Work) -> str:
    return f"{work}, {1e9 * times.median / (work.nodes + work.ending_nodes):.2f} ns each"


# The whole game


def whole_game(repeats: int) -> None:
    """Value and strategy alone, and everything an analysis says."""
    sheet = holecard.rules(BASE)
    game = prepared_game(sheet.tables)
    nodes = nodes_of(game.dealer.tree)
    _heads(f"Whole game: {BASE}, {sheet.shoe.decks} decks, exact resplits")
    value, everything = partial(main_ev, sheet), partial(holecard.analyze, sheet)
    value_times, every_times = alternate(value, everything, repeats=repeats)
    _row("value and strategy", value_times, "<= 15 ms", _each(value_times, counted(value)))
    _row("everything", every_times, "<= 1 s", _each(every_times, counted(everything)))
    print(f"  {'everything over value':26} {every_times.over(value_times):12.1f}")
    print(f"  player's hands {game.hands.size.size:,}; dealer's trees {nodes.sum():,} nodes", end="")
    print(f", {nodes.min()} to {nodes.max()} for each of {nodes.size} upcards")


def every_game(repeats: int) -> None:
    """Each shipped game beside the base."""
    names = [BASE, *(name for name in holecard.games() if name != BASE)]
    sheets = [holecard.rules(name) for name in names]
    jobs = [partial(main_ev, sheet) for sheet in sheets]
    found = alternate(*jobs, repeats=repeats)
    _heads("Every game: value and strategy", "ratio  counted work")
    for name, sheet, job, times in zip(names, sheets, jobs, found, strict=True):
        aim = "<= 60 ms" if sheet.tables.hole_card == "face up" else "<= 2.00"
        _row(name, times, aim, f"{times.over(found[0]):5.2f}  {counted(job)}")


def one_spot(repeats: int) -> None:
    """Every legal action of a hand, splits exactly."""
    _heads("One spot, every legal action")
    for name, at in SPOTS:
        job = partial(holecard.evaluate, at, holecard.rules(name))
        (times,) = alternate(job, repeats=repeats)
        _row(f"{at} ({name})", times, "<= 10 ms", str(counted(job)))


def growth(repeats: int) -> None:
    """The number of hands hardly depends on the shoe, so neither should the time."""
    sheet = holecard.rules(BASE)
    jobs = [partial(main_ev, sheet, full(decks)) for decks in DECKS]
    found = alternate(*jobs, repeats=repeats)
    _heads(f"Growth with the shoe: {BASE}, value and strategy", "ratio  counted work")
    for decks, job, times in zip(DECKS, jobs, found, strict=True):
        _row(f"{decks} decks", times, "<= 1.50", f"{times.over(found[0]):5.2f}  {_each(times, counted(job))}")


# Beside the plain recursion


def plain_recursion(repeats: int) -> None:
    """One upcard, every first hand, without splits: the same values both ways."""
    sheet = holecard.rules(BASE)
    value = partial(main_ev, sheet)
    whole, (times,) = counted(value), alternate(value, repeats=repeats)
    print(
        f"\nBeside the plain recursion in Python, with dictionaries of floats: {BASE}, {sheet.shoe.decks} decks, "
        "one upcard,\nstand, hit and double of every first hand but a natural; no splits, neither here nor there"
    )
    for upcard in PLAIN_UPCARDS:
        share = _beside_plain(sheet, upcard, repeats)
        print(
            f"    whole game, splits too, at the plain pace: {whole.nodes / share.nodes:.0f} times the lane-nodes, "
            f"so about {share.plain * whole.nodes / share.nodes:,.0f} s "
            f"({share.plain * whole.nodes / share.nodes / times.median:,.0f} times ours), "
            "were there no more to remember than here"
        )


class _Share(NamedTuple):
    """A part of the game: lane-nodes, and seconds the plain recursion takes for it."""

    nodes: int
    plain: float


def _beside_plain(sheet: RuleSheet, upcard: int, repeats: int) -> _Share:
    game, shoe = prepared_game(sheet.tables, (upcard,)), full(sheet.shoe.decks)
    ours = partial(solve, game, counts_of(shoe), only=())
    (times,) = alternate(ours, repeats=repeats)
    work = counted(ours)
    begun = time.thread_time()
    found = plain_values(sheet.tables, shoe.values, upcard, DECIDED)
    plain = time.thread_time() - begun
    apart = how_far_apart(found, ours())
    assert apart < AGREED, f"upcard {upcard}: the engine and the plain recursion are {apart} apart"
    print(f"  upcard {upcard}")
    print(f"    exact    {1e3 * times.median:10.2f} ms   {work}")
    print(f"    plain    {1e3 * plain:10.2f} ms   {found.hands:,} player's hands, {found.dealers:,} dealer's hands")
    print(f"    ratio    {plain / times.median:10,.0f}      largest difference {apart:.1e}")
    return _Share(work.nodes, plain)


def how_far_apart(plain: Plain, solution: Solution) -> float:
    """The largest difference of any action of any deal; an action only one of them knows is infinitely far off."""
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
        apart = max(apart, *(abs(float(engine[action]) - worth) for action, worth in actions.items()))
    return apart

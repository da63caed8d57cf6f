"""The benchmarks measure what they claim. No test checks a speed."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import holecard
from bench import __main__ as command
from bench import exact, fine_odds, memory, rounds, side_wagers, startup
from bench.complete import complete_analysis
from bench.plain import plain_values
from bench.threads import last_done, longest_path
from bench.timing import Times, alternate
from bench.work import counted
from holecard.composition import full
from holecard.exact.main.deal_probabilities import counts_of
from holecard.exact.main.prepared_game import prepared_game
from holecard.exact.main.solve import solve
from tests.selection import quick

DEALS = ((10, 10), (6, 10))


# Values


def test_the_plain_recursion_lands_on_published_values() -> None:
    """Six decks, soft 17 hit: T,6 v T and 7,4 v 6, given that the dealer has no blackjack."""
    tables, shoe = holecard.rules("classic").tables, full(6).values
    no_ace = 1 - 24 / (312 - 3)
    hard_16 = plain_values(tables, shoe, 10, [(6, 10)]).values[6, 10]
    assert hard_16["stand"] / no_ace == pytest.approx(-0.540954439019, abs=5e-13)
    assert hard_16["hit"] / no_ace == pytest.approx(-0.534675562453, abs=5e-13)
    eleven = plain_values(tables, shoe, 6, [(4, 7)]).values[4, 7]
    assert eleven["double"] == pytest.approx(0.675853810625, abs=5e-13)


@pytest.mark.parametrize("sheet", quick(["classic", "european", "five-card-charlie"], "european"))
@pytest.mark.parametrize(("upcard", "deals"), [(1, DEALS), (10, ((1, 8), *DEALS))])
def test_both_ways_give_the_same_values(sheet: str | Path, upcard: int, deals: tuple[tuple[int, int], ...]) -> None:
    """With a peek, without one, and with hands that end at five cards."""
    tables, shoe = holecard.rules(sheet).tables, full(2)
    solution = solve(prepared_game(tables, (upcard,)), counts_of(shoe), only=())
    plain = plain_values(tables, shoe.values, upcard, deals)
    assert exact.how_far_apart(plain, solution) < exact.AGREED
    other_shoe = plain_values(tables, full(1).values, upcard, DEALS)
    assert exact.how_far_apart(other_shoe, solution) > 1e-4


def test_an_action_only_one_way_knows_is_far_apart() -> None:
    """A sheet without doubling does not agree with one that allows it."""
    tables = holecard.rules("classic").tables
    solution = solve(prepared_game(tables, (6,)), counts_of(full(1)), only=())
    plain = plain_values(tables, full(1).values, 6, DEALS[:1])
    del plain.values[10, 10]["double"]
    assert exact.how_far_apart(plain, solution) == float("inf")


# Counted work


def test_every_lane_walks_the_tree_of_its_start() -> None:
    """Against one upcard, each hand of two or more cards stands once, and so does a natural."""
    game = prepared_game(holecard.rules("classic").tables, (6,))
    work = counted(lambda: solve(game, counts_of(full(6)), only=()))
    hands = sum(sum(hand) >= 2 for hand in game.hands.number)
    assert work.lanes == hands + 1
    assert work.nodes == (hands + 1) * len(game.dealer.drawn)
    assert work.ending_lanes == work.ending_nodes == 0


def test_a_finished_dealer_is_not_walked() -> None:
    """A dealer with two tens face up does not draw."""
    game = prepared_game(holecard.rules("face-up").tables, (10, 10))
    work = counted(lambda: solve(game, counts_of(full(6)), only=()))
    assert work.lanes > 3_000
    assert work.nodes == 0


@pytest.mark.slow
def test_a_distribution_is_summed_by_ending() -> None:
    """The EV alone does not need sums by outcome."""
    sheet = holecard.rules("quick-pay")  # Splits less than others, so it is the quickest.
    value = counted(lambda: exact.main_ev(sheet))
    everything = counted(lambda: complete_analysis(sheet, wagers=False))
    assert (everything.lanes, everything.nodes) == (value.lanes, value.nodes)
    assert value.ending_lanes == 0
    assert everything.ending_nodes > value.nodes


# Timing


def test_ratios_compare_runs_side_by_side() -> None:
    """A job that takes three times as long in every block has the ratio three, even if the machine slows down."""
    assert Times((3.0, 6.0, 30.0)).over(Times((1.0, 2.0, 10.0))) == 3.0


def test_jobs_take_turns() -> None:
    """After one run each to warm up."""
    done: list[str] = []
    found = alternate(lambda: done.append("a"), lambda: done.append("b"), repeats=2)
    assert "".join(done) == "ababab"
    assert [len(times.runs) for times in found] == [2, 2]


def test_the_longest_path_is_that_of_the_thread_done_last(monkeypatch: pytest.MonkeyPatch) -> None:
    """One piece of 20 ms next to two of 10 ms, then 10 ms next to 10 ms: 30 ms, whatever the wall time is."""
    own = threading.local()  # the time that each thread has worked

    def spin(seconds: float) -> None:
        own.worked = getattr(own, "worked", 0.0) + seconds

    monkeypatch.setattr(time, "thread_time", lambda: getattr(own, "worked", 0.0))
    with longest_path() as clock, ThreadPoolExecutor(2) as pool:
        begun = clock()
        list(pool.map(spin, (0.02, 0.01, 0.01)))
        list(pool.map(spin, (0.01, 0.01)))
        assert clock() - begun == pytest.approx(0.03)


def test_a_long_piece_taken_last_is_waited_for() -> None:
    """Work is distributed the way a pool does it, not optimally."""
    assert last_done([1.0, 1.0, 2.0], workers=2) == 3.0
    assert last_done([2.0, 1.0, 1.0], workers=2) == 2.0
    assert last_done([], workers=2) == 0.0


def test_memory_is_the_new_process_s_own() -> None:
    """The memory of the parent process does not count."""
    held = bytearray(200_000_000)
    small = memory.peak("pass")
    large = memory.peak("held = bytearray(100_000_000)")
    assert small < 60_000_000 < 100_000_000 < large < len(held)


# Every benchmark runs


@pytest.mark.slow
def test_the_exact_part_runs(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Each runs once, with little work."""
    monkeypatch.setattr(holecard, "games", lambda: ["quick-pay", "double-up"])
    monkeypatch.setattr(exact, "BASE", "quick-pay")
    monkeypatch.setattr(exact, "DECKS", (1, 8))
    monkeypatch.setattr(exact, "SPOTS", (("double-up", "8,8 v 6"),))
    monkeypatch.setattr(exact, "DECIDED", DEALS)
    monkeypatch.setattr(exact, "PLAIN_UPCARDS", (10,))
    exact.exact(repeats=1)
    said = capsys.readouterr().out
    for words in ("everything over EV", "longest path", "double-up", "8,8 v 6", "8 decks", "largest difference"):
        assert words in said


@pytest.mark.slow
def test_new_processes_run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """With code that takes no time, and one command."""
    monkeypatch.setattr(startup, "BASELINE", "pass")
    monkeypatch.setattr(startup, "FIRST_NUMBERS", (("a number", "print(1)", "<= 2"),))
    monkeypatch.setattr(startup, "COMMANDS", (["--version"],))
    startup.startup(tries=1)
    said = capsys.readouterr().out
    assert all(words in said for words in ("a number", "<= 2", "holecard --version"))


@pytest.mark.slow
def test_fine_odds_run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Compared with ordinary odds; the stored results and counters are the same."""
    monkeypatch.setattr(fine_odds, "ROUNDS", 1000)
    monkeypatch.setattr(fine_odds, "PAIRS", fine_odds.PAIRS[2:3])
    fine_odds.fine_odds(repeats=1)
    analyzed, simulated = capsys.readouterr().out.splitlines()[-2:]
    for line in (analyzed, simulated):
        assert "Quick Pay 5 to 13 : 1 to 2" in line
        fine, ordinary = line.split()[-3::2]
        assert fine == ordinary


def test_a_side_wager_runs(capsys: pytest.CaptureFixture[str]) -> None:
    """Its sets are two cards out of 52 types, which may be equal."""
    tables = holecard.rules("face-up").tables
    side_wagers.one_wager(tables.wagers[0], tables, repeats=1)
    assert "2-Card Bonus" in (said := capsys.readouterr().out)
    assert f"{52 * 53 // 2:,} sets" in said


def test_the_engine_s_part_runs(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """A few rounds."""
    monkeypatch.setattr(rounds, "BLOCK", 5)
    monkeypatch.setattr(rounds, "BLOCKS", 1)
    command.main(["engine"])
    assert "Gymnasium" in capsys.readouterr().out


def test_an_unknown_part_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    """The message lists the valid parts."""
    with pytest.raises(SystemExit) as stopped:
        command.main(["wagres"])
    assert stopped.value.code == 2
    assert "startup, engine, gym, exact, wagers" in capsys.readouterr().err

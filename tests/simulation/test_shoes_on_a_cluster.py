"""Whole shoes played by the workers of a Dask cluster: the results of one thread, to the last bit."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from distributed import LocalCluster

from holecard.counts import read_count_player
from holecard.simulation.count_results import CountSimulation
from holecard.simulation.results import Simulation
from holecard.simulation.run.executors import ExecutorLike
from holecard.simulation.simulate import simulate
from holecard.simulation.simulate_count import simulate_count

pytestmark = pytest.mark.slow

PLAIN, ROUNDS = "never bust", 200_000
COUNTER = """
count = "hi-lo"
[bets]
"below 2" = 1
"2 and above" = 10
[plays]
insurance = "take at 3"
"16 v T" = "stand at 0"
[table]
seats = 3
seat = 2
leave = -2
"""


@pytest.fixture(scope="module")
def workers() -> Iterator[str]:
    """The address of a cluster with two worker processes."""
    with LocalCluster(n_workers=2, threads_per_worker=1, host="127.0.0.1", dashboard_address="127.0.0.1:0") as local:
        yield "dask" + local.scheduler_address.removeprefix("tcp")


@pytest.mark.parametrize("procedure", ["cut:75", "rounds:10", "shuffler", "shuffler:0"])
def test_a_cluster_plays_the_same_shoes(workers: str, procedure: str) -> None:
    """With all side wagers and three seats, in chunks of a few shoes."""

    def play(executor: ExecutorLike, chunk: int | None = None) -> Simulation:
        return simulate("match-up", PLAIN, ROUNDS, seats=3, procedure=procedure, executor=executor, chunk=chunk)

    assert play(workers, chunk=37) == play(1)


def test_a_cluster_counts_the_same_shoes(workers: str) -> None:
    """A player who bets and plays by the count, and leaves cold shoes."""
    player = read_count_player(COUNTER)

    def play(executor: ExecutorLike, chunk: int | None = None) -> CountSimulation:
        return simulate_count("match-up", player, ROUNDS, strategy=PLAIN, executor=executor, chunk=chunk)

    assert play(workers, chunk=37) == play(1)

"""Compile the kernels that the tests use, in two processes, before the tests start: `python -m tests.compile_kernels`.

With an empty kernel cache, test processes that start together would all compile the same kernels. Here one process
compiles those of the exact mathematics, and another one those of the simulation. With a filled cache this does nothing.

Each computation marks its own kernels when it has finished, so that the tests see no announcement that they did not ask
for. Here nothing is announced.
"""

from __future__ import annotations

import subprocess
import sys

from holecard.kernels.cache import announcing, is_warm, mark_warm

#: A shoe with pairs, soft hands and blackjacks, so small that solving a game takes no time.
SHOE = {"A": 3, "7": 4, "8": 4, "T": 8}
PARTS = ("exact", "play")


def compile_exact() -> None:
    """Solve a small shoe in every way, one with wagers that are placed late, and what is computed from full shoes."""
    import holecard

    assert holecard.analyze("classic", SHOE, wagers=False).main.distribution
    assert holecard.analyze("quick-pay", SHOE).wagers
    holecard.analyze(holecard.rules("classic", split_hands=2), SHOE, wagers=False, splits="optimal")
    one_deck = holecard.rules("classic", decks=1, split_hands=1)
    holecard.bankroll(one_deck, bankroll=1000, bet=10, hours=1, paths=10)
    holecard.counting("classic", shoes=2, plays=False)


def compile_play() -> None:
    """Play a few rounds in every way, by a chart that needs no exact mathematics."""
    import holecard
    from holecard.simulation.covariances import round_covariances
    from holecard.simulation.simulate_count import simulate_count
    from holecard.simulation.simulate_luck import simulate_luck

    chart = "mimic the dealer"
    for procedure in ("fresh", "cut:75", "shuffler"):
        holecard.simulate("classic", chart, rounds=1000, procedure=procedure)
        simulate_luck("classic", chart, rounds=1000, procedure=procedure)
    simulate_count("classic", "hi-lo", rounds=1000, strategy=chart)
    round_covariances("classic", 1000, strategy=chart)


def main() -> None:
    """Compile one part, or start a process for each part that is missing."""
    if len(sys.argv) > 1:
        with announcing(lambda _: None):
            {"exact": compile_exact, "play": compile_play}[sys.argv[1]]()
        mark_warm(f"tests-{sys.argv[1]}")
        return
    missing = [part for part in PARTS if not is_warm(f"tests-{part}")]
    started = [subprocess.Popen([sys.executable, "-m", "tests.compile_kernels", part]) for part in missing]
    codes = [process.wait() for process in started]
    if any(codes):
        sys.exit("compiling the kernels failed")


if __name__ == "__main__":
    main()

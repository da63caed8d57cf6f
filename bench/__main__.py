"""`make bench`: run every benchmark with its baseline. `python -m bench exact` runs one part only.

Machines are noisy, so absolute times mean little. Each job alternates with its baseline in short blocks, CPU time is
measured, and the ratio is the result. The amount of work, as a count, is printed with every rate.
"""

from __future__ import annotations

import argparse


def engine() -> None:
    """Measure rounds played at a `Table`."""
    from bench.rounds import against_gymnasium, every_game, seats

    against_gymnasium()
    every_game()
    seats()


def gym() -> None:
    """Measure steps of the Gymnasium environments."""
    from bench.gym import environments

    environments()


def exact() -> None:
    """Measure the exact analysis of the main games."""
    from bench.exact import exact as main_games
    from bench.memory import memory

    main_games()
    memory()


def startup() -> None:
    """Measure new processes until their first number, and the quick commands."""
    from bench.startup import startup as processes

    processes()


def wagers() -> None:
    """Measure the exact analysis of the side wagers."""
    from bench.side_wagers import side_wagers

    side_wagers()


def simulation() -> None:
    """Measure simulated rounds."""
    from bench.simulation import simulation as sampled

    sampled()


def fine_odds() -> None:
    """Compare fine odds with ordinary odds."""
    from bench.fine_odds import fine_odds as side_by_side

    side_by_side()


def server() -> None:
    """Measure the table server under load, for a minute per size."""
    from bench.server import server as tables

    tables()


PARTS = {
    "startup": startup,
    "engine": engine,
    "gym": gym,
    "exact": exact,
    "wagers": wagers,
    "simulation": simulation,
    "odds": fine_odds,
    "server": server,
}


def main(words: list[str] | None = None) -> None:
    """Run the requested parts, or all of them."""
    parser = argparse.ArgumentParser(prog="python -m bench", description="Run the benchmarks.")
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"one of {', '.join(PARTS)}; default: all")
    parts = parser.parse_args(words).parts
    for part in parts:
        if part not in PARTS:
            parser.error(f"unknown part {part!r}; choose from {', '.join(PARTS)}")
    for part, measure in PARTS.items():
        if part in parts or not parts:
            measure()


if __name__ == "__main__":
    main()

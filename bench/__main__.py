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


def shoes() -> None:
    """Measure values of many shoes: the main wager and side wagers."""
    from bench.shoes import shoes as many

    many()


def simulation() -> None:
    """Measure simulated rounds."""
    from bench.simulation import simulation as sampled

    sampled()


def dealt_down() -> None:
    """Measure simulated rounds from shoes that are dealt down."""
    from bench.dealt_down import dealt_down as shoes_down

    shoes_down()


def gpu() -> None:
    """Measure simulated rounds on a GPU; not part of `make bench`, because most machines have none."""
    from bench.gpu import gpu as on_gpu

    on_gpu()


def luck() -> None:
    """Measure variance reduction."""
    from bench.luck import luck as adjusted

    adjusted()


def fine_odds() -> None:
    """Compare fine odds with ordinary odds."""
    from bench.fine_odds import fine_odds as side_by_side

    side_by_side()


def server() -> None:
    """Measure the table server under load, for a minute per size."""
    from bench.server import server as tables

    tables()


def growth() -> None:
    """Measure how reads of the table server grow with the log."""
    from bench.growth import growth as reads

    reads()


PARTS = {
    "startup": startup,
    "engine": engine,
    "gym": gym,
    "exact": exact,
    "wagers": wagers,
    "shoes": shoes,
    "simulation": simulation,
    "dealt-down": dealt_down,
    "luck": luck,
    "odds": fine_odds,
    "server": server,
    "growth": growth,
}
#: Parts that run only when they are named.
NAMED = {"gpu": gpu}


def main(words: list[str] | None = None) -> None:
    """Run the requested parts, or all of them."""
    parser = argparse.ArgumentParser(prog="python -m bench", description="Run the benchmarks.")
    parser.add_argument(
        "parts", nargs="*", metavar="PART", help=f"one of {', '.join(PARTS | NAMED)}; default: all but gpu"
    )
    parts = parser.parse_args(words).parts
    every = PARTS | NAMED
    for part in parts:
        if part not in every:
            parser.error(f"unknown part {part!r}; choose from {', '.join(every)}")
    for part, measure in every.items():
        if part in parts or (not parts and part in PARTS):
            measure()


if __name__ == "__main__":
    main()

"""`make bench`: every measurement, with its baseline beside it. `python -m bench exact` measures a part only.

Machines are noisy, so nothing here is a bare time: processor time is counted, each job alternates with its baseline
in short blocks, and the ratio is what counts. Counted work stands beside every rate.
"""

from __future__ import annotations

import argparse


def engine() -> None:
    """Rounds at a table."""
    from bench.rounds import against_gymnasium, every_game, seats

    against_gymnasium()
    every_game()
    seats()


def exact() -> None:
    """Exact values of the main games."""
    from bench.exact import exact as main_games
    from bench.processes import first_number, memory

    main_games()
    first_number()
    memory()


def wagers() -> None:
    """Exact values of the side wagers."""
    from bench.side_wagers import side_wagers

    side_wagers()


def simulation() -> None:
    """Sampled rounds."""
    from bench.simulation import simulation as sampled

    sampled()


def fine_odds() -> None:
    """Fine odds beside ordinary ones."""
    from bench.fine_odds import fine_odds as side_by_side

    side_by_side()


PARTS = {"engine": engine, "exact": exact, "wagers": wagers, "simulation": simulation, "odds": fine_odds}


def main(words: list[str] | None = None) -> None:
    """Measure the parts asked for, or all."""
    asked = argparse.ArgumentParser(prog="python -m bench", description="Performance as ratios, side by side.")
    asked.add_argument("parts", nargs="*", metavar="PART", help=f"one of {', '.join(PARTS)}; all of them without one")
    parts = asked.parse_args(words).parts
    for part in parts:
        if part not in PARTS:
            asked.error(f"there is no part {part!r}; choose among {', '.join(PARTS)}")
    for part, measure in PARTS.items():
        if part in parts or not parts:
            measure()


if __name__ == "__main__":
    main()

"""`make bench`: every measurement, with its baseline beside it.

Machines are noisy, so nothing here is a bare time: processor time is counted, each job alternates with its baseline
in short blocks, and the ratio is what counts. Counted work stands beside every rate.
"""

from __future__ import annotations

from bench.rounds import against_gymnasium, every_game, seats

if __name__ == "__main__":
    against_gymnasium()
    every_game()
    seats()

"""Card counts, bets by count, and plays by count, read from small text files."""

from holecard.counts.count import Count, count_by_rank
from holecard.counts.count_player import CountPlayer, WagerRamp
from holecard.counts.index_plays import IndexPlay
from holecard.counts.ramp import Ramp
from holecard.counts.read_count import count_of, count_player_of, known_counts, read_count_player
from holecard.counts.write_count import count_player_text

__all__ = [
    "Count",
    "CountPlayer",
    "IndexPlay",
    "Ramp",
    "WagerRamp",
    "count_by_rank",
    "count_of",
    "count_player_of",
    "count_player_text",
    "known_counts",
    "read_count_player",
]

"""The text of a count player reads back as the same player."""

from __future__ import annotations

from fractions import Fraction

import pytest

from holecard.counts import (
    Count,
    CountPlayer,
    IndexPlay,
    Ramp,
    WagerRamp,
    count_of,
    count_player_text,
    known_counts,
    read_count_player,
)

SUITED = Count("hearts", tuple(Fraction(-3 if card % 4 == 1 else 1) for card in range(52)), per=26, rounding="nearest")
HALF_POINTS = Count("halves of mine", count_of("halves").tags)


@pytest.mark.parametrize(
    "count", [*map(count_of, known_counts()), SUITED, HALF_POINTS], ids=lambda count: str(count.name)
)
def test_a_count_reads_back(count: Count) -> None:
    """Tags by rank and by card, running and true counts, decks and half decks."""
    read = read_count_player(count_player_text(CountPlayer(count)))
    assert read.count == count
    assert read == CountPlayer(count)


def test_bets_plays_wagers_side_counts_and_the_table_read_back() -> None:
    """Every part of a file, with a name that needs quotes."""
    player = CountPlayer(
        count=count_of("hi-lo"),
        ramp=Ramp((0, 1, 4), (Fraction(0), Fraction(1), Fraction(5, 2), Fraction(12))),
        plays=(
            IndexPlay("insurance", "", "take", 3),
            IndexPlay("16", "T", "stand", 0),
            IndexPlay("soft 18", "2", "double", 1, below=True),
            IndexPlay("T,T", "5", "split", 5, count="hearts"),
        ),
        side_counts=(SUITED,),
        wagers=(WagerRamp('The "Big" One', Ramp((2,), (Fraction(0), Fraction(1))), "hearts"),),
        enter=1,
        leave=-1,
        seats=3,
        seat=2,
        cut=80,
    )
    assert read_count_player(count_player_text(player)) == player

"""The text of a counter reads back as the same player."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

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
from holecard.errors import CountError

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


#: All denominators together are small enough for a table of counts.
TAGS = st.builds(Fraction, st.integers(-40, 40), st.sampled_from((1, 2, 3, 4, 5, 6, 8, 10, 12, 15)))


@given(
    st.lists(TAGS, min_size=13, max_size=13) | st.lists(TAGS, min_size=52, max_size=52),
    st.builds(Fraction, st.integers(-90, 90), st.integers(1, 20)),
    st.builds(Fraction, st.integers(0, 900), st.integers(1, 100)),
)
def test_fractions_read_back(tags: list[Fraction], points: Fraction, bet: Fraction) -> None:
    """Tags, the start, the pivot and bets, also where a decimal is not exact."""
    assume(len(set(tags)) > 1)
    by_card = tuple(tags) if len(tags) == 52 else tuple(tag for tag in tags for _ in range(4))
    count = Count("mine", by_card, "running", start=points, pivot=-points)
    player = CountPlayer(count, Ramp((2,), (bet, Fraction(1, 3))))
    assert read_count_player(count_player_text(player)) == player


def test_a_third_is_written_as_a_fraction_and_a_half_as_a_decimal() -> None:
    tags = tuple(Fraction(*((1, 3) if card < 4 else (-1, 2) if card < 8 else (0, 1))) for card in range(52))
    lines = count_player_text(CountPlayer(Count("mine", tags))).splitlines()
    assert 'A = "1/3"' in lines
    assert "2 = -0.5" in lines


def test_a_count_per_other_cards_cannot_be_written() -> None:
    count = Count("mine", count_of("hi-lo").tags, per=100)
    with pytest.raises(CountError, match="use 52 for decks or 26 for half decks"):
        count_player_text(CountPlayer(count))

"""What a session shows on the screen, at any width and height."""

from __future__ import annotations

import pytest

from tests.cli.shell import flat
from tests.cli.terminal import random_answers, sit


def test_the_dealer_stays_on_the_screen_with_seven_seats() -> None:
    """Title, dealer, seven hands with settled side wagers, and the question fit into 24 lines."""
    shown, _ = sit("match-up", [*["2", "1", "1"] * 7, "s"], seats=7, seed=4)
    screens = shown.split("Blackjack with Match Up and 3 Card Bonuses · round ")[1:]
    assert len(screens) >= 3
    for screen in screens:
        question = screen.partition("[q]uit")[0].partition("Session summary")[0]
        assert "Dealer " in question
        assert all(f"Seat {seat} " in question for seat in range(1, 8))
        assert len(question.splitlines()) <= 24


def test_a_wide_terminal_shows_more_hands_in_a_row() -> None:
    """Three of 40 columns at 120, two at 80, one at 60."""
    for width, together in ((120, 3), (80, 2), (60, 1)):
        shown, _ = sit("classic", ["5", "5", "5", "s"], seats=3, seed=3, width=width)
        rows = [line for line in shown.splitlines() if "Seat " in line and "│" in line]
        assert max(line.count("Seat ") for line in rows) == together


@pytest.mark.parametrize("game", ["match-up", "quick-pay", "upcard-luck-21"])
def test_at_60_columns_nothing_is_cut(game: str) -> None:
    """Names of pay lines wrap; options keep their keys."""
    shown, _ = sit(game, random_answers(1, 80), seats=2, seed=1, width=60)
    assert "…" not in shown
    assert max(len(line) for line in shown.splitlines() if "]: " not in line) <= 60
    assert not any(line.endswith(("[?]", "[Enter]")) for line in shown.splitlines())


def test_bankroll_and_shoe_are_shown_while_betting_and_acting() -> None:
    """One card of 312 is burned, four are dealt; at 78 cards, a quarter of the shoe, it is shuffled."""
    shown, _ = sit("classic", ["10", "s"], seed=3)
    before, _, acting = shown.partition("Bet ($5 to $500) [$5]: ")
    assert "Bankroll $500 · 311 of 312 cards left, shuffle at 78" in before
    assert "Bankroll $500, $10 at risk · 307 of 312 cards left, shuffle at 78" in acting
    fresh, _ = sit("classic", ["10", "s"], settings={"shoe.procedure": "fresh each round"})
    assert "Bankroll $500 · 312 cards, shuffled before each round" in fresh


def test_help_at_the_last_call_fits_into_pages() -> None:
    """The pay tables have their own screen, and the table comes back after it."""
    shown, _ = sit("quick-pay", ["10", "s", "?", "", ""], seed=3)
    page = shown[shown.index("Hedge 18: $1") : shown.index("[Enter] back to the table")]
    assert len(page.splitlines()) <= 24
    assert "Dealer" in shown[shown.index("[Enter] back to the table") :]


def test_the_key_for_late_wagers_names_the_seat_that_bets() -> None:
    shown, _ = sit("quick-pay", ["10", "10", "?"], seats=2, seed=3)
    assert "[b]et Hedge, seat 1" in shown
    assert "for seat 1 only, until the hole card is turned" in flat(shown)


def test_people_read_blackjack() -> None:
    """Wherever a natural is settled, the hand is called by the name of the game."""
    for seed in range(60):
        shown, session = sit("classic", ["5", "n", "s"], seed=seed)
        if any("natural" in result.line for result in session.table.results):
            assert any("│" in line and "blackjack" in line for line in shown.splitlines())
            return
    pytest.fail("no natural in 60 rounds")

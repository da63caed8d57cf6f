"""One small result of every kind, computed once, and the command that prints the same."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import NamedTuple

import holecard
from holecard.presentation import Presented
from holecard.report.sheets.games import GameList
from holecard.report.sheets.matrices import CompiledTables
from holecard.report.sheets.replay import ReplayedRound
from holecard.table.records.record import read_record, replay

RECORD = Path(__file__).parents[1] / "rounds" / "double-up" / "bonus-16-in-2-cards.toml"
PLAIN = "never bust"


class Kind(NamedTuple):
    """How a result is made, and how the command line is asked for it."""

    make: Callable[[], Presented]
    command: tuple[str, ...]


def _replayed() -> ReplayedRound:
    record = read_record(RECORD.read_text(encoding="utf-8"), str(RECORD))
    return ReplayedRound(record, tuple(replay(record)))


KINDS = {
    "games": Kind(GameList, ("games",)),
    "rules": Kind(lambda: holecard.describe("upcard-luck-21"), ("rules", "upcard-luck-21")),
    "tables": Kind(lambda: CompiledTables(holecard.rules("quick-pay")), ("tables", "quick-pay")),
    "check": Kind(lambda: holecard.check("upcard-luck-21"), ("check", "upcard-luck-21")),
    "replay": Kind(_replayed, ("replay", str(RECORD))),
    "analysis": Kind(lambda: holecard.analyze("upcard-luck-21"), ("analyze", "upcard-luck-21")),
    "a chart's analysis": Kind(
        lambda: holecard.analyze("classic", seen="2,2,5", strategy=PLAIN),
        ("analyze", "classic", "--seen", "2,2,5", "--strategy", PLAIN),
    ),
    "evaluation": Kind(lambda: holecard.evaluate("quick-pay", "T,6 v T"), ("evaluate", "quick-pay", "T,6 v T")),
    "comparison": Kind(
        lambda: holecard.compare("classic", {"decks": [2, 6]}, strategy=PLAIN),
        ("analyze", "classic", "--vary", "decks=2,6", "--strategy", PLAIN),
    ),
    "strategy": Kind(lambda: holecard.strategy("classic"), ("strategy", "classic")),
    "house odds": Kind(lambda: holecard.house_odds("quick-pay", (6,)), ("house-odds", "quick-pay", "--decks", "6")),
    "simulation": Kind(
        lambda: holecard.simulate("upcard-luck-21", PLAIN, 20_000),
        ("simulate", "upcard-luck-21", "--strategy", PLAIN, "--rounds", "20k"),
    ),
    "luck-adjusted": Kind(
        lambda: holecard.simulate_luck("classic", PLAIN, 20_000),
        ("simulate", "classic", "--strategy", PLAIN, "--rounds", "20k", "--reduce-variance"),
    ),
    "a counter's simulation": Kind(
        lambda: holecard.simulate_count("match-up", "hi-lo", 20_000, strategy=PLAIN, bankroll=100),
        ("simulate", "match-up", "--count", "hi-lo", "--strategy", PLAIN, "--rounds", "20k", "--bankroll", "100"),
    ),
    "verification": Kind(
        lambda: holecard.verify("match-up", PLAIN, 20_000, replay=20),
        ("verify", "match-up", "--strategy", PLAIN, "--rounds", "20k", "--replay", "20"),
    ),
    "sweep": Kind(
        lambda: holecard.sweep(["classic", "double-up"], {"decks": [6, 8]}, PLAIN, 2_000, exact=True),
        ("sweep", "classic", "double-up", "--vary", "decks=6,8", "--strategy", PLAIN, "--rounds", "2000", "--exact"),
    ),
    "counting": Kind(
        lambda: holecard.counting("double-up", wagers=("Bonus 16",), shoes=20),
        ("counting", "double-up", "--wager", "Bonus 16", "--shoes", "20"),
    ),
    "counting by decks and seats": Kind(
        lambda: holecard.compare_counting("double-up", wagers=("Bonus 16",), decks=(2, 6), seats=(1, 3), shoes=4),
        ("counting", "double-up", "--wager", "Bonus 16", "--decks", "2,6", "--seats", "1,3", "--shoes", "4"),
    ),
    "bankroll": Kind(
        lambda: holecard.bankroll("classic", bankroll="$300", bet="$10", hours=1, paths=100, strategy=PLAIN),
        (
            *("bankroll", "classic", "--bankroll", "$300", "--bet", "$10", "--hours", "1", "--paths", "100"),
            *("--strategy", PLAIN),
        ),
    ),
}


@cache
def made(kind: str) -> Presented:
    """The result of a kind."""
    return KINDS[kind].make()

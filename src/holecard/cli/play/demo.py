"""Without a terminal nobody can be asked, so a short demonstration is dealt: one round of each game."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from holecard.cli.play.archive import saved
from holecard.cli.play.auto import Watch
from holecard.cli.play.choose import Wishes
from holecard.cli.play.table_view import Felt
from holecard.money import signed
from holecard.sheets.catalog import games
from holecard.sheets.read import rules

#: Deals rounds in which much happens.
_SEED = 5020


def variants() -> list[str]:
    """The games that differ from a base game."""
    return [game for game in games() if rules(game).extends]


def demonstrate(felt: Felt, wishes: Wishes, record: Path | None = None) -> None:
    """A round of the game that was named, or of every variant, each on a practice seed of its own."""
    first = _SEED if wishes.seed is None else wishes.seed
    chosen = variants() if wishes.game is None else [wishes.game]
    tables = [replace(wishes, game=game, seed=seed).table() for seed, game in enumerate(chosen, start=first)]
    felt.say("The table plays by itself, on practice seeds: the cards are predictable.")
    for table in tables:
        felt.say()
        felt.rule(f"{table.rules.name} {felt.signs.dot} seed {table.seed}")
        felt.say(table.rules.about)
        Watch(felt, table, wishes.seats or 1).play_round()
        felt.say(f"This round {signed(sum(result.net for result in table.results))}", "bold")
        if record is not None:
            felt.say(saved(table, record))
    felt.say()
    felt.say("In a terminal you play yourself: holecard play --help says how.")

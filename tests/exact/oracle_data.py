"""Results of the slow oracle, kept as data: `python -m tests.exact.oracle_data` computes and writes them again.

The oracle takes half a second for a game that the analysis solves in a tenth of one. The quick tests compare the
analysis with the fractions in `data/oracle.json`; the slow tests compute every fraction again and compare it with the
file.
"""

from __future__ import annotations

import json
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

from tests.exact.oracle_cases import kept_cases
from tests.exact.slow_oracle import solve
from tests.exact.slow_states import Game, Start
from tests.exact.small_shoes import SHOES

FILE = Path(__file__).parent / "data" / "oracle.json"


@cache
def kept_games() -> dict[str, Game]:
    """Return the results in the file, by the name of the case."""
    return {name: from_data(data) for name, data in json.loads(FILE.read_text("utf-8")).items()}


def to_data(game: Game) -> dict[str, Any]:
    """Return a result as JSON: fractions as text, one text for each starting hand."""
    return {
        "ev": str(game.ev),
        "average_stake": str(game.average_stake),
        "distribution": {str(net): str(probability) for net, probability in game.distribution.items()},
        "starts": [_start_text(start) for start in game.starts],
    }


def from_data(data: dict[str, Any]) -> Game:
    """Return the result that `to_data` wrote."""
    return Game(
        ev=Fraction(data["ev"]),
        average_stake=Fraction(data["average_stake"]),
        distribution={Fraction(net): Fraction(probability) for net, probability in data["distribution"].items()},
        starts=tuple(map(_start, data["starts"])),
    )


def _start_text(start: Start) -> str:
    """Return "1,10 v 7 | pair | probability | best | action = EV | ..."."""
    player, dealer = (",".join(map(str, values)) for values in (start.player, start.dealer))
    evs = [f"{action} = {ev}" for action, ev in start.worth.items()]
    return " | ".join([f"{player} v {dealer}", start.pair or "-", str(start.probability), start.best, *evs])


def _start(text: str) -> Start:
    hand, pair, probability, best, *evs = text.split(" | ")
    player, dealer = (tuple(map(int, values.split(","))) for values in hand.split(" v "))
    worth: Any = {action: Fraction(ev) for action, ev in (one.split(" = ") for one in evs)}
    return Start(player, dealer, pair.removeprefix("-"), Fraction(probability), worth, best)  # type: ignore[arg-type]


def write() -> None:
    """Compute every case again and write the file."""
    found = {name: to_data(solve(game, SHOES[shoe])) for name, (game, shoe) in kept_cases().items()}
    FILE.write_text(json.dumps(found, indent=0) + "\n", "utf-8")


if __name__ == "__main__":
    write()

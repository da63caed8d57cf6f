"""A server whose shoes deal the cards that a test has chosen.

It is started with `python -m tests.browser.stacked_server STACK NAME serve …`. Only this process differs from
`holecard serve`: which of the cards left is drawn next does not come from the seed. The file STACK says which cards
are drawn next. The first shoe that deals after the file was written takes them, at once and after a restart: which card
it is follows from how many the shoe has drawn. All other cards are the same in every run, and ids, tokens and names
follow from NAME (`tests/known_shoes.py`).
"""

from __future__ import annotations

import json
import sys
from bisect import bisect_left
from pathlib import Path
from typing import Any

from holecard.deck import Card, cards
from holecard.errors import Refusal
from holecard.server.fairness.construction import draw_number
from holecard.server.fairness.shoes import LoggedShoe, SortedShoe
from tests.known_shoes import KNOWN, install
from tests.patience import be_patient

_OTHER_CARDS = b"the cards that no test has chosen"


class StackFile:
    """The cards that are drawn next, and which shoe has taken them after how many draws."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def write(self, wanted: str) -> None:
        """Choose the next cards of the next shoe that deals."""
        self._write({"cards": wanted, "key": None, "first": None})

    def card(self, key: bytes, drawn: int) -> Card | None:
        """Return the card that a shoe with this key draws after this number of draws, if a test has chosen it."""
        stack: dict[str, Any] = json.loads(self._path.read_text(encoding="utf-8"))
        if stack["key"] is None:
            stack.update(key=key.hex(), first=drawn)
            self._write(stack)
        wanted, place = cards(stack["cards"]), drawn - stack["first"]
        return wanted[place] if stack["key"] == key.hex() and 0 <= place < len(wanted) else None

    def is_wanted(self, card: Card) -> bool:
        """Return whether a test has chosen this card, so that it must not be burned."""
        return str(card) in json.loads(self._path.read_text(encoding="utf-8"))["cards"]

    def _write(self, stack: dict[str, Any]) -> None:
        fresh = self._path.with_suffix(".new")
        fresh.write_text(json.dumps(stack), encoding="utf-8")
        fresh.replace(self._path)


def stack_shoes(stack: StackFile) -> None:
    """Let every shoe of this process deal the chosen cards."""
    burn = SortedShoe.burn

    def index(shoe: LoggedShoe, key: bytes) -> int:
        stock = shoe._stock
        if vars(shoe).get("is_burning"):
            return next(place for place in range(len(stock)) if not stack.is_wanted(stock[place]))
        card = stack.card(key, shoe.drawn)
        if card is None:
            return draw_number(_OTHER_CARDS, shoe.drawn, len(stock))
        place = bisect_left(stock, card)
        if place == len(stock) or stock[place] != card:
            raise Refusal(f"the test wants {card}, and the shoe has none left")
        return place

    def burn_others(shoe: LoggedShoe) -> list[Card]:
        shoe.is_burning = True  # type: ignore[attr-defined]
        try:
            return burn(shoe)
        finally:
            del shoe.is_burning  # type: ignore[attr-defined]

    LoggedShoe._fair_index = index  # type: ignore[method-assign]
    LoggedShoe.burn = burn_others  # type: ignore[method-assign]


def stacked_command(file: Path) -> list[str]:
    """Return what starts `holecard` in another process, with the cards of a file."""
    return [sys.executable, "-m", "tests.browser.stacked_server", str(file), KNOWN.name_of_process()]


if __name__ == "__main__":
    from holecard.cli import program

    stack_shoes(StackFile(Path(sys.argv.pop(1))))
    install(sys.argv.pop(1))
    be_patient()
    program()

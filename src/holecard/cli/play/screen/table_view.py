"""The screen: prints text within its width, and fits the table and what belongs next to it to its height."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from rich.console import Console
from rich.text import Text

from holecard.cli.play.screen.card_art import Signs, signs_for
from holecard.cli.play.screen.columns import columns
from holecard.cli.play.screen.hands import hands_in_boxes, hands_in_lines, shown_hands
from holecard.table.table import Table

WARNING = "yellow"
#: Hands use the width of the terminal up to here; longer lines of prose are hard to read.
_WIDEST, _WIDEST_PROSE = 160, 100


class TableView:
    """Everything that is shown goes through here."""

    def __init__(self, console: Console) -> None:
        self.console = console
        self.signs: Signs = signs_for(console.encoding)

    @property
    def width(self) -> int:
        """The columns that hands are drawn in; they follow the terminal when it is resized."""
        return min(self.console.width, _WIDEST)

    @property
    def height(self) -> int:
        """The lines of the screen."""
        return self.console.height

    def wrap(self, text: str | Text, style: str = "", margin: int = 0) -> list[Text]:
        """Return a text as lines of readable width, less a margin."""
        words = Text(text, style) if isinstance(text, str) else text
        lines = list(words.wrap(self.console, min(self.width, _WIDEST_PROSE) - margin))
        for line in lines:
            line.rstrip()
        return lines

    def columns(self, rows: Sequence[Sequence[Text]], right: Collection[int] = ()) -> list[Text]:
        """Return rows as lines in columns; `right` are the right-aligned ones."""
        return columns(rows, min(self.width, _WIDEST_PROSE), right)

    def say(self, text: str | Text = "", style: str = "") -> None:
        """Print a text."""
        self.show(self.wrap(text, style))

    def show(self, lines: Iterable[Text]) -> None:
        """Print lines as they are."""
        for line in lines:
            self.console.print(line, no_wrap=True, overflow="ignore", crop=False)

    def clear(self) -> None:
        """Clear the screen of a terminal."""
        self.console.clear()

    def rule(self, title: str) -> None:
        """Print a title with a line to the right edge."""
        width = min(self.width, _WIDEST_PROSE)
        line = f"{self.signs.rule * 2} {title} "
        self.say(line.ljust(width, self.signs.rule)[:width], "bold")

    def title(self, table: Table, number: int) -> Text:
        """Return the game and the number of the round."""
        return Text.assemble((table.rules.name, "bold"), (f" {self.signs.dot} round {number}", "dim"))

    def boxes(self, table: Table) -> list[Text]:
        """Return the dealer and every hand as boxes."""
        return hands_in_boxes(shown_hands(table, self.signs), self.width, self.signs)

    def lines(self, table: Table) -> list[Text]:
        """Return the dealer and every hand, one line each."""
        return hands_in_lines(shown_hands(table, self.signs), self.width, self.signs)

    def fit(self, table: Table, room: int) -> list[Text]:
        """Return boxes if they need at most `room` lines, followed by an empty line if that fits too."""
        boxes = self.boxes(table)
        if len(boxes) > room:
            return self.lines(table)
        return [*boxes, Text()] if len(boxes) < room else boxes


def format_practice(table: Table) -> str:
    """Return the warning of a table with a seed."""
    return "" if table.seed is None else f"practice table, seed {table.seed}: the cards are predictable"

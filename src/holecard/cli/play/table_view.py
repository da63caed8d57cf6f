"""The felt: the dealer's cards, every hand with its cards, total and stakes, and what is settled so far.

Only views are drawn, so nothing hidden can show. The person at the terminal owns every seat in play, and so sees
each of them as that seat does.
"""

from __future__ import annotations

import textwrap
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from rich.console import Console
from rich.text import Text

from holecard.cli.play.card_art import Signs, fan, signs_for
from holecard.cli.play.columns import columns
from holecard.deck import value_name
from holecard.hands import format_total, is_natural_total
from holecard.money import dollars, signed
from holecard.table.table import Table
from holecard.table.views import HandView, SeatView, SeenCards, View, counted

WIDTH = 80
WARNING = "yellow"
_HALF = 40
_LABEL = 10
#: Hands side by side, two in a row, from this many on.
_MANY = 3
#: Lines above and below the felt and the results; a gap between them is left where the screen has room.
_FRAMING = 8
#: The most cards of a hand that shares its row.
_SHARES_ROW = 3


class Note(NamedTuple):
    """A remark beside a hand."""

    text: str
    style: str = ""


class Block(NamedTuple):
    """One hand, or the dealer's, before it is laid out."""

    label: tuple[str, str]
    cards: SeenCards
    notes: list[Note]
    style: str = ""


class Felt:
    """Where everything is drawn; lines are 80 columns wide at most."""

    def __init__(self, console: Console) -> None:
        console.width = min(console.width, WIDTH)
        self.console = console
        self.signs: Signs = signs_for(console.encoding)

    def say(self, text: str | Text = "", style: str = "") -> None:
        """Words, wrapped at the edge of the felt."""
        words = Text(text, style) if isinstance(text, str) else text
        for line in words.wrap(self.console, self.console.width):
            line.rstrip()
            self._print(line)

    def columns(self, rows: Sequence[Sequence[Text]], right: Collection[int] = ()) -> None:
        """Rows in columns; `right` are those set flush right."""
        for line in columns(rows, self.console.width, right):
            self._print(line)

    def _print(self, line: Text) -> None:
        self.console.print(line, no_wrap=True, overflow="ignore", crop=False)

    def clear(self) -> None:
        """An empty screen, where there is one."""
        self.console.clear()

    def rule(self, title: str) -> None:
        """A headline across the felt."""
        line = f"{self.signs.rule * 2} {title} "
        self.say(line.ljust(self.console.width, self.signs.rule)[: self.console.width], "bold")

    def title(self, table: Table, number: int) -> None:
        """The game and the round."""
        self.say(Text.assemble((table.rules.name, "bold"), (f" {self.signs.dot} round {number}", "dim")))

    def draw(self, table: Table) -> None:
        """The dealer and every hand."""
        blocks = blocks_of(table, self.signs)
        width = self.console.width
        lines = [*_laid_out(blocks[0], width, self.signs), *_rows(blocks[1:], width, self.signs)]
        for line in lines:
            line.rstrip()
            self._print(line)
        if len(lines) + len(table.results) + _FRAMING <= self.console.height:
            self.say()


def practice(table: Table) -> str:
    """What has to be said of a table with a seed."""
    return "" if table.seed is None else f"practice table, seed {table.seed}: the cards are predictable"


def money_style(net: int) -> str:
    """Green for a win, red for a loss."""
    return "green" if net > 0 else "red" if net < 0 else "dim"


def blocks_of(table: Table, signs: Signs) -> list[Block]:
    """The dealer first, then every hand of every seat."""
    view = table.view(table.asked or 0)
    blocks = [Block(("", "Dealer"), view.dealer, [Note(""), Note(say_dealer(view))], "bold")]
    for number in (seat.number for seat in view.seats):
        own = next(seat for seat in table.view(number).seats if seat.number == number)
        blocks += [_hand_block(view, own, index, signs) for index in range(len(own.hands))]
    return blocks


def say_dealer(view: View) -> str:
    """What the dealer has, as far as it is seen."""
    cards = [card for card in view.dealer if card is not None]
    if len(cards) == 1:
        return f"shows {say_upcard(view)}"
    total, soft = counted(view.dealer)
    return "natural" if is_natural_total(total, len(cards)) else format_total(total, soft)


def say_upcard(view: View) -> str:
    """The upcard by value: "10", "an ace"."""
    upcard = view.dealer[0]
    assert upcard is not None
    return "an ace" if upcard.value == 1 else value_name(upcard.value).replace("T", "10")


def say_hand(seat: SeatView, hand: HandView) -> str:
    """A hand's total as a dealer calls it."""
    total, soft = counted(hand.cards)
    natural = is_natural_total(total, len(hand.cards)) and len(seat.hands) == 1
    return "natural" if natural else format_total(total, soft)


def _hand_block(view: View, seat: SeatView, index: int, signs: Signs) -> Block:
    hand = seat.hands[index]
    asked = view.asked == seat.number and (view.hand or 1) == index + 1
    pointer = f"{signs.pointer} " if asked else "  "
    which = f"  hand {index + 1}" if len(seat.hands) > 1 else ""
    notes = [_standing(view, seat, index), Note(_stakes(hand.stakes))]
    if index == 0 and (seat.sides or seat.insurance):
        insured = (("Insurance", seat.insurance),) if seat.insurance else ()
        notes.append(Note(_stakes((*seat.sides, *insured)), "cyan"))
    return Block((f"{pointer}Seat {seat.number}", which), hand.cards, notes, "bold yellow" if asked else "")


def _standing(view: View, seat: SeatView, index: int) -> Note:
    """The hand's total, and what it won once it is settled."""
    hand = seat.hands[index]
    total = say_hand(seat, hand)
    if hand.status == "settled":
        net = sum(r.net for r in view.results if (r.seat, r.hand) == (seat.number, index + 1))
        return Note(f"{total}  {signed(net)}", money_style(net))
    return Note(f"{total}, stands" if hand.status == "standing" else total, "bold")


def _stakes(stakes: Iterable[tuple[str, int]]) -> str:
    return ", ".join(f"{name} {dollars(stake)}" for name, stake in stakes)


def _rows(blocks: list[Block], width: int, signs: Signs) -> list[Text]:
    """One hand under the other, or two in a row where there are many and both are short."""
    lines: list[Text] = []
    while blocks:
        first, *rest = blocks
        pair = len(blocks) > 1 and _may_share(blocks[:2], width) and (bool(lines) or len(blocks) >= _MANY)
        if pair:
            lines += _side_by_side(_laid_out(first, _HALF, signs), _laid_out(rest[0], width - _HALF, signs))
        else:
            lines += _laid_out(first, width, signs)
        blocks = rest[1:] if pair else rest
    return lines


def _may_share(blocks: list[Block], width: int) -> bool:
    return width >= 2 * _HALF and all(len(block.cards) <= _SHARES_ROW for block in blocks)


def _side_by_side(left: list[Text], right: list[Text]) -> list[Text]:
    lines = []
    for number in range(max(len(left), len(right))):
        line = left[number].copy() if number < len(left) else Text()
        line.pad_right(_HALF - line.cell_len)
        lines.append(line.append_text(right[number]) if number < len(right) else line)
    return lines


def _laid_out(block: Block, width: int, signs: Signs) -> list[Text]:
    """Label, fan and notes beside each other."""
    pictures = fan(block.cards, signs)
    cards_width = pictures[0].cell_len
    notes = _wrapped(block.notes, max(width - _LABEL - cards_width - 4, 10))
    labels = ("", *block.label) if block.label[0] else ("", block.label[1])
    lines = []
    for number in range(max(len(pictures), len(notes))):
        line = Text().append((labels[number] if number < len(labels) else "").ljust(_LABEL), block.style)
        line.append_text(pictures[number] if number < len(pictures) else Text(" " * cards_width))
        if number < len(notes):
            line.append("  ").append(notes[number].text, notes[number].style)
        lines.append(line)
    return lines


def _wrapped(notes: list[Note], width: int) -> list[Note]:
    return [Note(line, note.style) for note in notes for line in textwrap.wrap(note.text, width) or [""]]

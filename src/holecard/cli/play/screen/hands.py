"""The dealer's hand and every seat's hands, as boxes or, if the screen is too small for those, one line for each hand.

Only views are drawn, so a hidden card cannot appear. The person at the terminal plays every seat, and so sees each seat
as that seat sees itself.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from typing import NamedTuple

from rich.text import Text

from holecard.cli.play.screen.card_art import Signs, card_boxes, cards_in_line
from holecard.cli.play.screen.columns import columns
from holecard.deck import value_name
from holecard.hands import format_total, is_natural_total
from holecard.money import Money, dollars, signed_dollars
from holecard.table.table import Table
from holecard.table.views import HandView, SeatView, SeenCards, View, counted

#: The width of a hand that shares its row with others, and the most cards it can have.
_SHARED_WIDTH, _SHARED_CARDS = 40, 3
#: With fewer hands than this, each gets its own row.
_MANY_HANDS = 3
_LABEL_WIDTH = 10
_BLACKJACK = "blackjack"


class Note(NamedTuple):
    """A remark next to a hand."""

    text: str
    style: str = ""


class ShownHand(NamedTuple):
    """One hand, a seat's or the dealer's, before it is laid out."""

    label: tuple[str, str]
    cards: SeenCards
    notes: list[Note]
    style: str = ""


def shown_hands(table: Table, signs: Signs) -> list[ShownHand]:
    """Return the dealer's hand, then every hand of every seat."""
    view = table.view(table.asked or 0)
    hands = [ShownHand(("", "Dealer"), view.dealer, [Note(""), Note(format_dealer(view))], "bold")]
    for number in (seat.number for seat in view.seats):
        own = next(seat for seat in table.view(number).seats if seat.number == number)
        hands += [_shown_hand(view, own, index, signs) for index in range(len(own.hands))]
    return hands


def format_dealer(view: View) -> str:
    """Return what the dealer is seen to have."""
    cards = [card for card in view.dealer if card is not None]
    if len(cards) == 1:
        return f"shows {format_upcard(view)}"
    total, soft = counted(view.dealer)
    return _BLACKJACK if is_natural_total(total, len(cards)) else format_total(total, soft)


def format_upcard(view: View) -> str:
    """Return the upcard by value: "10", "an ace"."""
    upcard = view.dealer[0]
    assert upcard is not None
    return "an ace" if upcard.value == 1 else value_name(upcard.value).replace("T", "10")


def format_hand(seat: SeatView, hand: HandView) -> str:
    """Return a hand's total as a dealer announces it."""
    total, soft = counted(hand.cards)
    natural = is_natural_total(total, len(hand.cards)) and len(seat.hands) == 1
    return _BLACKJACK if natural else format_total(total, soft)


def money_style(net: int) -> str:
    """Return green for a win and red for a loss."""
    return "green" if net > 0 else "red" if net < 0 else "dim"


def _shown_hand(view: View, seat: SeatView, index: int, signs: Signs) -> ShownHand:
    hand = seat.hands[index]
    asked = view.asked == seat.number and (view.hand or 1) == index + 1
    pointer = f"{signs.pointer} " if asked else "  "
    which = f"  hand {index + 1}" if len(seat.hands) > 1 else ""
    notes = [_total_note(view, seat, index), Note(_format_stakes(hand.stakes))]
    if index == 0 and (seat.sides or seat.insurance):
        insured = (("Insurance", seat.insurance),) if seat.insurance else ()
        notes.append(Note(_format_stakes((*seat.sides, *insured)), "cyan"))
    return ShownHand((f"{pointer}Seat {seat.number}", which), hand.cards, notes, "bold yellow" if asked else "")


def _total_note(view: View, seat: SeatView, index: int) -> Note:
    """Return the hand's total, and what it won once it is settled."""
    hand = seat.hands[index]
    total = format_hand(seat, hand)
    if hand.status == "settled":
        net = sum(r.net for r in view.results if (r.seat, r.hand) == (seat.number, index + 1))
        return Note(f"{total}  {signed_dollars(net)}", money_style(net))
    return Note(f"{total}, stands" if hand.status == "standing" else total, "bold")


def _format_stakes(stakes: Iterable[tuple[str, Money]]) -> str:
    return ", ".join(f"{name} {dollars(stake)}" for name, stake in stakes)


# One line for each hand


def hands_in_lines(hands: list[ShownHand], width: int, signs: Signs) -> list[Text]:
    """Return one line for each hand: seat, cards, total, stakes."""
    rows = []
    for shown in hands:
        total, *stakes = [note for note in shown.notes if note.text]
        label = Text(" ".join(filter(None, (shown.label[0], shown.label[1].strip()))), shown.style)
        staked = Text(", ".join(note.text for note in stakes))
        rows.append([label, cards_in_line(shown.cards, signs), Text(*total), staked])
    return columns(rows, width)


# Boxes


def hands_in_boxes(hands: list[ShownHand], width: int, signs: Signs) -> list[Text]:
    """Return every hand as boxes, the dealer's first; many short hands share rows, as many as the width allows."""
    dealer, *hands = hands
    lines = _boxed(dealer, width, signs)
    shares = len(hands) >= _MANY_HANDS
    while hands:
        row = _next_row(hands, width) if shares else hands[:1]
        hands = hands[len(row) :]
        lines += _side_by_side([_boxed(shown, width if len(row) == 1 else _SHARED_WIDTH, signs) for shown in row])
    for line in lines:
        line.rstrip()
    return lines


def _next_row(hands: list[ShownHand], width: int) -> list[ShownHand]:
    """Return the hands that share the next row; a long one is alone."""
    row: list[ShownHand] = []
    for shown in hands[: max(width // _SHARED_WIDTH, 1)]:
        if len(shown.cards) > _SHARED_CARDS:
            break
        row.append(shown)
    return row or hands[:1]


def _side_by_side(parts: list[list[Text]]) -> list[Text]:
    lines = []
    for number in range(max(map(len, parts))):
        line = Text()
        for place, part in enumerate(parts):
            line.pad_right(max(place * _SHARED_WIDTH - line.cell_len, 0))
            line.append_text(part[number] if number < len(part) else Text())
        lines.append(line)
    return lines


def _boxed(shown: ShownHand, width: int, signs: Signs) -> list[Text]:
    """Return label, cards and notes next to each other."""
    boxes = card_boxes(shown.cards, signs)
    cards_width = boxes[0].cell_len
    notes = _wrapped(shown.notes, max(width - _LABEL_WIDTH - cards_width - 4, 10))
    labels = ("", *shown.label) if shown.label[0] else ("", shown.label[1])
    lines = []
    for number in range(max(len(boxes), len(notes))):
        line = Text().append((labels[number] if number < len(labels) else "").ljust(_LABEL_WIDTH), shown.style)
        line.append_text(boxes[number] if number < len(boxes) else Text(" " * cards_width))
        if number < len(notes):
            line.append("  ").append(notes[number].text, notes[number].style)
        lines.append(line)
    return lines


def _wrapped(notes: list[Note], width: int) -> list[Note]:
    return [Note(line, note.style) for note in notes for line in textwrap.wrap(note.text, width) or [""]]

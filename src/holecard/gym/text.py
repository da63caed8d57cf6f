"""A round as plain text, for `render_mode="ansi"`."""

from __future__ import annotations

from holecard.hands import format_total
from holecard.money import dollars
from holecard.table.views import HandView, SeenCards, View


def round_text(seen: View, actions: tuple[str, ...]) -> str:
    """Return the dealer's cards, every hand, open side wagers, results, and what can be done."""
    lines = [f"{seen.phase}", f"Dealer  {_cards(seen.dealer)}"]
    for seat in seen.seats:
        for number, hand in enumerate(seat.hands, start=1):
            lines.append(_hand(number, hand, is_asked=seen.hand == number))
        lines += [f"{name}  {dollars(stake)}" for name, stake in seat.sides]
    lines += [str(result) for result in seen.results]
    if actions:
        lines.append(f"legal: {', '.join(actions)}")
    return "\n".join(lines)


def _hand(number: int, hand: HandView, *, is_asked: bool) -> str:
    total = "" if hand.total is None else f" ({format_total(hand.total, hand.soft)})"
    stakes = ", ".join(f"{name} {dollars(stake)}" for name, stake in hand.stakes)
    return f"Hand {number}  {_cards(hand.cards)}{total}  {stakes}{'  <' if is_asked else ''}"


def _cards(cards: SeenCards) -> str:
    return " ".join("??" if card is None else str(card) for card in cards) or "-"

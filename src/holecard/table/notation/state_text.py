"""A state of a round as one line of text, which `read_state` reads back.

    acting | dealer 6d [Kc] checked | seat 1: hand Th 6s bet $10; side "Bonus 16" $5 | seat 1 hand 1 to act

Sections stand between bars, in this order: the phase, the dealer's cards (a hole card that is face down in brackets),
one section for each seat, whose turn it is (`to act`, or `to draw` while a card is awaited), and `paid` with every
wager settled so far. The rules and what follows from them, such as totals and legal actions, are not written.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from holecard.deck import Card
from holecard.money import signed_dollars
from holecard.table.events import Result
from holecard.table.state import Hand, Seat, State

#: The word for each kind of stake.
STAKE_WORDS = ("bet", "companion", "split", "double", "double_up")


def state_text(state: State) -> str:
    """Return the one line that says everything the round needs to continue."""
    sections = [state.phase, *_dealer(state), *(_seat(state, seat) for seat in state.seats)]
    if state.phase == "acting" or state.asked:
        turn = f"seat {state.seats[state.turn].number} hand {state.hand + 1}"
        sections.append(f"{turn} to {'draw' if state.queue else 'act'}")
    if state.results:
        sections.append("paid " + "; ".join(map(_result, state.results)))
    return " | ".join(sections)


def _dealer(state: State) -> Iterator[str]:
    if state.dealer:
        up, *others = map(str, state.dealer)
        if others and not state.hole_seen:
            others[0] = f"[{others[0]}]"
        yield " ".join(["dealer", up, *others, *(["checked"] if state.checked else [])])


def _seat(state: State, seat: Seat) -> str:
    items = [*map(_hand, seat.hands)]
    if seat.hands[0].from_split:
        items.append(f"dealt {_cards(seat.first_two)}")
    if seat.insurance:
        items.append(f"insurance {seat.insurance}")
    for side in seat.sides:
        items.append(f"side {json.dumps(state.tables.wagers[side.wager].name)} {side.stake}")
        items[-1] += "" if side.open else " settled"
    return f"seat {seat.number}: {'; '.join(items)}"


def _hand(hand: Hand) -> str:
    words = ["hand", *map(str, hand.cards)]
    words += [f"{word} {stake}" for word, stake in zip(STAKE_WORDS, hand.stakes, strict=True) if stake]
    words += ["from-split"] * hand.from_split + ["doubled"] * hand.doubled
    return " ".join(words if hand.status == "playing" else [*words, hand.status])


def _cards(cards: tuple[Card, ...]) -> str:
    return " ".join(map(str, cards))


def _result(result: Result) -> str:
    place = f"seat {result.seat}" + (f" hand {result.hand}" if result.hand else "")
    words = f"{json.dumps(result.wager)} {result.stake} {signed_dollars(result.net)} {json.dumps(result.line)}"
    return f"{place} {words}"

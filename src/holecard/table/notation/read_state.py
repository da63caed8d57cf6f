"""Reading a state of a round from the line that `state_text` writes."""

from __future__ import annotations

import json
import re
from typing import TypeAlias

from holecard.deck import Card, card
from holecard.errors import Unreadable, did_you_mean, shortly
from holecard.hands import count
from holecard.money import NO_MONEY, Money, money
from holecard.sheets.tables import BET, KINDS, Tables
from holecard.table.actions import options
from holecard.table.events import Result
from holecard.table.notation.state_text import STAKE_WORDS, state_text
from holecard.table.state import DEALER, PHASES, Hand, Seat, SideStake, State, Status, deal_order

_FACE_DOWN = re.compile(r"\[(.+)\]")
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[|;]|[^\s|;"]+|\S')
_AMOUNT = re.compile(r"[+-]?\$[0-9][0-9,.]{0,30}")

Tokens: TypeAlias = list[str]


def read_state(text: str, tables: Tables) -> State:
    """Return the state that a line says, at a table with these rules."""
    if not isinstance(text, str):
        raise Unreadable(f"{shortly(text)} is not a state; give the text that str(state) returns")
    tokens = _TOKEN.findall(text)
    first, *sections = [_split(section, ";") for section in _split(tokens, "|")]
    phase = " ".join(first[0])
    if phase not in PHASES:
        raise Unreadable(f"{shortly(phase)} is not a phase of a round; {did_you_mean(phase, PHASES)}")
    state = State(tables, phase)
    for section in sections:
        state = _with_section(state, section)
    state = _with_what_follows(state)
    if _TOKEN.findall(state_text(state)) != tokens:
        raise Unreadable(f"{shortly(text)} is not complete or not in order; it reads as: {state_text(state)}")
    return state


def _split(tokens: Tokens, mark: str) -> list[Tokens]:
    found: list[Tokens] = [[]]
    for token in tokens:
        if token == mark:
            found.append([])
        else:
            found[-1].append(token)
    return found


def _with_section(state: State, items: list[Tokens]) -> State:
    words = _Words(items[0])
    kind = words.next("a section")
    if kind == "dealer":
        return _with_dealer(state, words)
    if kind == "paid":
        items[0] = items[0][1:]
        return state._replace(results=tuple(_read_result(_Words(item)) for item in items))
    words.expect(kind, "seat")
    number = words.next("a seat's number")
    if number.endswith(":"):
        items[0] = items[0][2:]
        seat = _read_seat(state.tables, _whole(number[:-1]), items)
        return state._replace(seats=(*state.seats, seat))
    return _with_turn(state, _whole(number), words)


def _with_dealer(state: State, words: _Words) -> State:
    cards, hidden = [], False
    while (word := words.peek()) and word != "checked":
        face_down = _FACE_DOWN.fullmatch(words.next("a card"))
        hidden = hidden or bool(face_down)
        cards.append(card(face_down[1] if face_down else word))
    return state._replace(
        dealer=tuple(cards), hole_seen=len(cards) > 1 and not hidden, checked=words.take("checked") is not None
    )


def _with_turn(state: State, number: int, words: _Words) -> State:
    index = next((index for index, seat in enumerate(state.seats) if seat.number == number), None)
    words.expect(words.next("'hand'"), "hand")
    hand = _whole(words.next("a hand's number")) - 1
    if index is None or hand not in range(len(state.seats[index].hands)):
        raise Unreadable(f"seat {number} hand {hand + 1} has the turn, but is not in the round")
    words.expect(words.next("'to'"), "to")
    draws = words.next("'act' or 'draw'") == "draw"
    return state._replace(turn=index, hand=hand, queue=(index,) if draws else ())


def _read_seat(tables: Tables, number: int, items: list[Tokens]) -> Seat:
    hands: list[Hand] = []
    sides: list[SideStake] = []
    first_two: tuple[Card, ...] | None = None
    insurance = NO_MONEY
    for item in items:
        words = _Words(item)
        kind = words.next("'hand', 'dealt', 'insurance' or 'side'")
        if kind == "hand":
            hands.append(_read_hand(words))
        elif kind == "dealt":
            first_two = tuple(map(card, words.rest()))
        elif kind == "insurance":
            insurance = _amount(words)
        else:
            words.expect(kind, "side")
            sides.append(_read_side(tables, words))
    if not hands:
        raise Unreadable(f"seat {number} has no hand; write at least 'hand bet $10'")
    if first_two is None:
        if hands[0].from_split:
            raise Unreadable(f"seat {number} has split; write the first two cards as well, such as 'dealt 8h 8s'")
        first_two = hands[0].cards[:2]
    return Seat(number, tuple(hands), tuple(sides), insurance, first_two)


def _read_hand(words: _Words) -> Hand:
    cards = []
    while (word := words.peek()) and word[:1] in "A23456789TJQK":
        cards.append(card(words.next("a card")))
    stakes = [NO_MONEY] * KINDS
    for kind, name in enumerate(STAKE_WORDS):
        if words.take(name):
            stakes[kind] = _amount(words)
    from_split, doubled = bool(words.take("from-split")), bool(words.take("doubled"))
    status: Status = "standing" if words.take("standing") else "settled" if words.take("settled") else "playing"
    words.end()
    return Hand(tuple(cards), *count(cards), tuple(stakes), status, from_split, doubled)


def _read_side(tables: Tables, words: _Words) -> SideStake:
    name = words.quoted("a wager's name")
    index = next((index for index, wager in enumerate(tables.wagers) if wager.name == name), None)
    if index is None:
        known = did_you_mean(name, [wager.name for wager in tables.wagers]) or "this game has none"
        raise Unreadable(f"{shortly(name)} is not a side wager of this game; {known}")
    return SideStake(index, _amount(words), words.take("settled") is None)


def _read_result(words: _Words) -> Result:
    words.expect(words.next("'seat'"), "seat")
    seat = _whole(words.next("a seat's number"))
    hand = _whole(words.next("a hand's number")) if words.take("hand") else 0
    wager = words.quoted("a wager's name")
    stake, net = _amount(words), Money(_dollars(words.next("a net win")))
    return Result(seat, hand, wager, stake, net, words.quoted("a pay line"))


def _with_what_follows(state: State) -> State:
    """Return the state with totals, the cards awaited and the legal actions, which the text does not say."""
    _refuse_impossible(state)
    total, soft = count(state.dealer)
    state = state._replace(dealer_total=total, dealer_soft=soft)
    if state.phase == "dealing":
        dealt = sum(len(seat.first_two) for seat in state.seats) + len(state.dealer)
        return state._replace(queue=deal_order(state.tables, len(state.seats))[dealt:])
    if state.phase == "dealer":
        return state._replace(queue=(DEALER,))
    if state.phase == "acting" and not state.queue:
        seat = state.seats[state.turn]
        return state._replace(options=options(state.tables, state.dealer[0], seat.hands[state.hand], len(seat.hands)))
    return state


def _refuse_impossible(state: State) -> None:
    """Refuse what no round can be in, as far as going on from it would fail."""
    numbers = [seat.number for seat in state.seats]
    last = state.tables.seats
    if numbers != sorted({*numbers}) or any(not 1 <= number <= last for number in numbers):
        raise Unreadable(f"{numbers} are not seats in order; this table has seats 1 to {last}")
    if any(not seat.hands[0].stakes[BET] for seat in state.seats):
        raise Unreadable("every seat needs a main wager on its first hand, such as 'hand bet $10'")
    if state.tables.insurance is None and (state.phase == "insurance" or any(seat.insurance for seat in state.seats)):
        raise Unreadable("this game has no insurance; leave it out")
    if state.phase == "betting":
        return
    if not state.seats:
        raise Unreadable(f"there are no seats in the phase {state.phase!r}; write at least one")
    if state.phase in ("dealing", "done"):
        order = deal_order(state.tables, len(state.seats))
        cards = [len(seat.first_two) for seat in state.seats]
        before = order[: sum(cards) + len(state.dealer)]
        if state.phase == "dealing" and (
            len(before) == len(order) or cards != [before.count(index) for index in range(len(cards))]
        ):
            raise Unreadable("the cards on the table are not those of a deal that is under way")
        return
    if not state.dealer or any(len(seat.first_two) != 2 for seat in state.seats):
        raise Unreadable(f"in the phase {state.phase!r} the dealer has an upcard and every seat two cards")
    hand = state.seats[state.turn].hands[state.hand]
    if state.phase == "acting" and (len(hand.cards) < 1 + (not state.queue) or hand.total > 21):
        raise Unreadable(f"the hand to act must have a legal action: {hand}")


class _Words:
    """The words of one item, read from left to right."""

    def __init__(self, words: Tokens) -> None:
        self._words = words
        self._at = 0

    def peek(self) -> str | None:
        return self._words[self._at] if self._at < len(self._words) else None

    def next(self, wanted: str) -> str:
        word = self.peek()
        if word is None:
            raise Unreadable(f"{shortly(' '.join(self._words))} is incomplete: expected {wanted}")
        self._at += 1
        return word

    def take(self, wanted: str) -> str | None:
        return self.next(wanted) if self.peek() == wanted else None

    def rest(self) -> Tokens:
        return self._words[self._at :]

    def quoted(self, wanted: str) -> str:
        word = self.next(f"{wanted} in quotes")
        try:
            found = json.loads(word)
        except ValueError:
            found = None
        if not isinstance(found, str):
            raise Unreadable(f"{shortly(word)} is not {wanted}; write it in double quotes")
        return found

    def expect(self, word: str, wanted: str) -> None:
        if word != wanted:
            raise Unreadable(f"{shortly(' '.join(self._words))}: {shortly(word)} is not valid here; write {wanted!r}")

    def end(self) -> None:
        if more := self.rest():
            raise Unreadable(f"{shortly(' '.join(self._words))}: {shortly(more[0])} is not allowed here")


def _whole(word: str) -> int:
    if not re.fullmatch(r"[0-9]{1,3}", word):
        raise Unreadable(f"{shortly(word)} is not a seat's or a hand's number; write a whole number from 1")
    return int(word)


def _amount(words: _Words) -> Money:
    return money(_dollars(words.next("an amount")))


def _dollars(word: str) -> str:
    if not _AMOUNT.fullmatch(word):
        raise Unreadable(f"{shortly(word)} is not an amount of money; write dollars such as $5 or $2.50")
    return word

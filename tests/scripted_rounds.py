"""Play a round by hand: cards in the order they are dealt, and moves as text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from holecard.deck import cards
from holecard.errors import Refusal
from holecard.money import money
from holecard.sheets.read import RulesLike, rules
from holecard.sheets.schema import RuleSheet
from holecard.table.advance import advance, start
from holecard.table.events import Act, Bet, Deal, NoMoreBets, Place
from holecard.table.state import State

_AMOUNT = re.compile(r"(?:(.*?)\s+)?(\$[\d.,]+)$")


def _stakes(words: str) -> dict[str, int]:
    found = {}
    for part in filter(None, words.split(", ")):
        match = _AMOUNT.match(part)
        assert match, part
        found[match[1]] = money(match[2])
    return found


def bet(words: str) -> Bet:
    """The bet described by "$10, Bonus 16 $5" for seat 1, or by "2: $10" for another seat."""
    seat, _, rest = words.rpartition(": ")
    main, _, sides = rest.partition(", ")
    return Bet(int(seat or 1), money(main), _stakes(sides))


def move(words: str, seat: int) -> Act | Place:
    """The move described by "hit", "double $7", "place Hedge 18 $5" or "pass"; "2: place …" is for another seat."""
    other, colon, rest = words.partition(": ")
    if colon:
        return move(rest, int(other))
    if words == "pass":
        return Place(seat)
    if words.startswith("place "):
        return Place(seat, _stakes(words.removeprefix("place ")))
    match = _AMOUNT.match(words)
    return Act(seat, match[1], money(match[2])) if match else Act(seat, words)


def play_cards(
    game: RulesLike,
    fallen: str,
    play: str | Sequence[str] = (),
    *,
    bets: str | Iterable[str] = "$10",
    settings: Mapping[str, object] | None = None,
    decks: int | None = None,
) -> State:
    """The state after exactly these cards and moves; leftover cards or moves are an error in the test."""
    wanted = {**(settings or {}), **({"decks": decks} if decks else {})}
    sheet: RuleSheet = rules(game, wanted)
    state = start(sheet.tables)
    for words in [bets] if isinstance(bets, str) else bets:
        state = advance(state, bet(words))
    state = advance(state, NoMoreBets())
    stock = list(cards(fallen))
    moves = [play] if isinstance(play, str) else list(play)
    while True:
        if state.queue and stock:
            state = advance(state, Deal(stock.pop(0)))
        elif state.asked and moves:
            state = advance(state, move(moves.pop(0), state.asked.number))
        else:
            break
    assert not stock, f"cards are left over: {stock} at {state}"
    assert not moves, f"moves are left over: {moves} at {state}"
    return state


def nets(state: State, seat: int = 1) -> list[tuple[str, int]]:
    """The net result of every wager of a seat in order of settlement, as an integer if it is whole dollars."""
    return [(r.wager, r.net // 100 if r.net % 100 == 0 else int(r.net) / 100) for r in state.results if r.seat == seat]


def can(state: State) -> set[str]:
    """The legal actions of the seat to act."""
    from holecard.table.legal import legal

    return {choice.action for choice in legal(state)}


def refused(state: State, words: str, seat: int | None = None) -> Refusal | None:
    """The refusal of a move, or None if it is legal."""
    asked = state.asked
    number = seat if seat is not None else asked.number if asked else 1
    try:
        advance(state, move(words, number))
    except Refusal as refusal:
        return refusal
    return None

"""Random legal play over every sheet, so that every action that a game allows is tried."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from functools import cache
from typing import NamedTuple

from holecard.deck import DECK, Card
from holecard.errors import SheetError
from holecard.money import dollars
from holecard.sheets.catalog import games
from holecard.sheets.read import rules
from holecard.sheets.schema import RuleSheet
from holecard.sheets.tables import Tables
from holecard.table.advance import advance, start
from holecard.table.events import Act, Bet, Choice, Deal, Move, NoMoreBets, Place
from holecard.table.legal import legal, offered
from holecard.table.state import Seat, State
from holecard.table.table import Table
from holecard.wagers.pay_table import Limits

#: Wagers open until the hole card is turned, with one that is asked for once, and every limit a wager can have.
LATE_WAGERS: list[dict[str, object]] = [
    {
        "name": "Bust",
        "placed": "until the hole card is turned",
        "min": "$2",
        "max": "$8",
        "step": "$2",
        "lines": [{"dealer": "busts", "pays": "2 to 1"}],
    },
    {
        "name": "Eighteen",
        "placed": "until the hole card is turned",
        "needs": "Bust",
        "at_most": "the main wager",
        "lines": [{"hand": "unsuited", "dealer": "18", "pays": "6 to 1"}],
    },
    {"name": "Twenty", "placed": "after the check", "max": "$5", "lines": [{"dealer": "20", "pays": "4 to 1"}]},
]
#: Wagers placed after the check with some upcards only: by the wager, by its odds, or by the wager that it needs.
UPCARD_WAGERS: list[dict[str, object]] = [
    {
        "name": "Small card",
        "placed": "until the hole card is turned",
        "upcard": "2-6",
        "max": "$5",
        "lines": [{"dealer": "busts", "pays": "2 to 1"}],
    },
    {
        "name": "Needs it",
        "placed": "until the hole card is turned",
        "needs": "Small card",
        "max": "$5",
        "lines": [{"dealer": "17", "pays": {"5-9": "4 to 1"}}],
    },
    {
        "name": "Once",
        "placed": "after the check",
        "max": "$5",
        "lines": [
            {"dealer": "natural", "pays": "9 to 1"},
            {"hand": "suited", "dealer": "20", "pays": {"T": "2 to 1"}},
            {"dealer": "20", "pays": {"6": "5 to 1"}},
        ],
    },
]

#: Rules that no shipped sheet has, so that every setting is played.
CORNERS: dict[str, dict[str, object]] = {
    "no hole card": {"hole_card": "none", "player.surrender": "early"},
    "no peek, original only": {"hole_card": "no peek", "natural_takes": "original", "player.surrender": "early"},
    "peek under aces": {"hole_card": "peek under aces", "player.surrender": "early", "insurance.most": "all"},
    "early surrender": {"player.surrender": "early", "split_aces": "again", "double_cards": "any number"},
    "charlie and push 22": {"player.charlie": 5, "when_dealer_has": {"22": "push"}, "split_aces_get": "play on"},
    "naturals tie, five hands": {"natural_v_21": "tie", "split_hands": 5, "split_by": "rank", "soft_17": "stand"},
    "odd cents": {"main.min": "$0.01", "main.step": "$0.01", "settle.natural": "6 to 5", "player.surrender": "late"},
    "face down": {"decks": 2, "face_down_with": [2], "double_stake": "up to equal"},
    "double-up before a split only": {"double_up": "any", "double_up_after_split": False, "double_up_ties": "push"},
    "21 wins, ties lose": {"twenty_one": "wins", "ties": "lose", "two_naturals": "win", "double_up": "9-20"},
    "late wagers": {"wager": LATE_WAGERS, "player.surrender": "late", "double_stake": "up to equal"},
    "late wagers by upcard": {"wager": UPCARD_WAGERS, "player.surrender": "late"},
    "16 drawn to hard 17": {"dealer.soft": "draw 16 to hard 17", "wager": LATE_WAGERS},
    "soft 17 drawn to hard 17": {"dealer.soft": "draw soft 17 to hard 17", "hole_card": "none"},
    "odd chips": {"main.min": "$7", "main.step": "$2", "main.max": "$47", "double_stake": "up to equal"},
}


@cache
def sheets() -> dict[str, RuleSheet]:
    """Every sheet by name: shipped sheets, examples, and unusual rules."""
    found = {name: rules(name) for name in games(examples=True)}
    found |= {name: rules(games()[0], settings) for name, settings in CORNERS.items()}
    return found


def varied(name: str, settings: Mapping[str, object]) -> RuleSheet | None:
    """A sheet with changed settings, or None if it cannot be dealt that way."""
    try:
        return rules(sheets()[name], settings)
    except SheetError:
        return None


# Wagers and decisions


def some_stake(limits: Limits, rng: random.Random, high: int | None = None) -> int:
    """A stake within the limits, often the lowest or the highest."""
    most = min(limits.high, high or limits.high)
    steps = (most - limits.low) // limits.step
    return limits.low + limits.step * rng.choice([0, steps, rng.randint(0, steps)])


def some_sides(tables: Tables, offered: tuple[int, ...], main: int, rng: random.Random) -> dict[str, int]:
    """Some of the offered wagers, with those they require."""
    placed: dict[str, int] = {}
    for index in offered:
        wager = tables.wagers[index]
        missing = wager.needs and wager.needs not in placed
        unaffordable = wager.at_most_main and main < wager.limits.low
        if rng.random() < 0.3 or missing or unaffordable:
            continue
        placed[wager.name] = some_stake(wager.limits, rng, main if wager.at_most_main else None)
    return placed


def some_bet(tables: Tables, seat: int, rng: random.Random) -> Bet:
    main = some_stake(tables.main, rng)
    return Bet(seat, main, some_sides(tables, tables.early_wagers, main, rng))


def some_decision(state: State, rng: random.Random) -> Act | Place:
    """Any legal move of the seat to act, or sometimes a wager of any seat that may place one.

    Amounts are often at one end of their range.
    """
    assert state.asked
    seat = state.asked
    if rng.random() < 0.2 and (unasked := some_unasked(state, rng)):
        return unasked
    if not legal(state):
        return Place(seat.number, some_more(state, seat, rng))
    choice = rng.choice(legal(state))
    if choice.low is None or choice.high is None:
        return Act(seat.number, choice.action)
    return Act(seat.number, choice.action, some_amount(choice, rng))


def some_amount(choice: Choice, rng: random.Random) -> int:
    """A legal amount for the choice."""
    assert choice.low is not None
    assert choice.high is not None
    assert choice.step is not None
    chips = choice.step * rng.randint(-(-choice.low // choice.step), max(choice.high // choice.step, 1))
    return rng.choice([choice.low, choice.high, min(chips, choice.high)])


def some_unasked(state: State, rng: random.Random) -> Place | None:
    """Wagers of a seat that may place some although it is not asked."""
    asked = state.asked if not legal(state) else None
    for seat in rng.sample(state.seats, len(state.seats)):
        if seat is not asked and (sides := some_more(state, seat, rng)):
            return Place(seat.number, sides)
    return None


def some_more(state: State, seat: Seat, rng: random.Random) -> dict[str, int]:
    """Some of the wagers that a seat may place or raise now, with those they require."""
    placed = {state.tables.wagers[side.wager].name: side.stake for side in seat.sides}
    more: dict[str, int] = {}
    for wager in offered(state, seat.number):
        before, limits = placed.get(wager.name, 0), wager.limits
        missing = wager.needs and wager.needs not in placed | more
        if rng.random() < 0.3 or missing:
            continue
        most = min(limits.high, seat.hands[0].stakes[0]) if wager.at_most_main else limits.high
        least = before + limits.step if before else limits.low
        more[wager.name] = some_stake(Limits(least, limits.high, limits.step), rng, most) - before
    return more


# Whole rounds


class Step(NamedTuple):
    """A move with the states before and after it."""

    before: State
    move: Move
    after: State


def shuffled(decks: int, rng: random.Random) -> Iterator[Card]:
    """Endless cards: shoe after shoe."""
    while True:
        stock = list(DECK) * decks
        rng.shuffle(stock)
        yield from stock


def few_ranks(rng: random.Random) -> Iterator[Card]:
    """Cards of only three ranks, so that pairs, splits and ties are frequent."""
    ranks = rng.sample(range(13), 3)
    while True:
        yield Card(4 * rng.choice(ranks) + rng.randrange(4))


def steps(tables: Tables, seed: int, seats: int | None = None) -> list[Step]:
    """A random round, move by move, with random cards."""
    rng = random.Random(seed)
    stock = shuffled(tables.decks, rng) if rng.random() < 0.6 else few_ranks(rng)
    players = rng.sample(range(1, tables.seats + 1), min(seats or rng.randint(1, 7), tables.seats))
    found: list[Step] = []

    def do(state: State, move: Move) -> State:
        after = advance(state, move)
        found.append(Step(state, move, after))
        return after

    state = start(tables)
    for seat in players:
        state = do(state, some_bet(tables, seat, rng))
    state = do(state, NoMoreBets())
    while state.phase != "done":
        state = do(state, Deal(next(stock)) if state.queue else some_decision(state, rng))
    return found


def play_round(table: Table, rng: random.Random, seats: int | None = None) -> None:
    """A random round at a table that deals by itself."""
    tables = table.tables
    for seat in rng.sample(range(1, tables.seats + 1), min(seats or rng.randint(1, 7), tables.seats)):
        bet = some_bet(tables, seat, rng)
        table.bet(dollars(bet.main), {name: dollars(stake) for name, stake in bet.sides.items()}, seat=seat)
    table.deal()
    while table.phase != "done":
        decision = some_decision(table.state, rng)
        if isinstance(decision, Place):
            table.place({name: dollars(stake) for name, stake in decision.sides.items()}, seat=decision.seat)
        else:
            table.act(decision.action, None if decision.amount is None else dollars(decision.amount))

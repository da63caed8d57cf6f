"""The same cards dealt at the table: every round of the kernels must end there with the same money."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, product

import numpy as np
import pytest

import holecard
from holecard.charts.chart import Chart
from holecard.charts.layout import Column, Layout, Row
from holecard.charts.named_strategies import mimic_the_dealer
from holecard.charts.two_card_exceptions import TwoCards
from holecard.deck import DECK, Card
from holecard.hands import add
from holecard.kernels.play.dealing import FIRST, begin_whole_shoe
from holecard.kernels.play.lookup import NET, OF_DEALER, OPENING, RESULT, STAKE, VALUE_COUNT, ShoeKey
from holecard.kernels.play.play_round import play_round
from holecard.kernels.play.side_wagers import wager_cell_of
from holecard.money import money
from holecard.payoffs.wager_payoffs import WagerPayoffs
from holecard.sheets.read import read_sheet
from holecard.sheets.tables import Tables
from holecard.simulation.compile.program import Program, compile_program
from holecard.table.advance import advance, start
from holecard.table.events import Act, Bet, Deal, NoMoreBets, Place
from holecard.table.legal import legal, offered
from holecard.table.state import State
from tests.random_play import UPCARD_WAGERS
from tests.selection import one_in, quick, rounds

CORNERS = [
    ("classic", {"decks": 1}),
    ("classic", {"player.split_aces": "again", "player.split_aces_get": "play on"}),
    ("classic", {"player.split_hands": 2, "player.surrender": "late"}),
    ("classic", {"player.split_by": "rank"}),
    ("classic", {"dealer.hole_card": "no peek"}),
    ("classic", {"dealer.soft": "hit all", "decks": 1}),
    ("face-up", {"dealer.soft": "hit all"}),
    ("face-up", {"dealer.soft": "draw 16 to hard 17"}),
    ("match-up", {"dealer.soft": "draw soft 17 to hard 17"}),
    ("classic", {"dealer.soft": "draw soft 17 to hard 17", "decks": 1}),
    ("quick-pay", {"dealer.soft": "draw 16 to hard 17", "decks": 1}),
    ("double-up", {"dealer.hole_card": "no peek"}),
    ("double-up", {"decks": 8}),
    ("quick-pay", {"dealer.soft_17": "stand"}),
    ("classic", {"wager": UPCARD_WAGERS}),
]
SHEETS = [(name, {}) for name in holecard.games(examples=True)] + CORNERS


def _lively(tables: Tables, seed: int) -> Chart:
    """A chart that varies by cell and has exceptions for first hands, so that all rules occur."""
    generator = random.Random(seed)
    layout = Layout.of(tables)

    def cell(row: Row, _column: Column | None = None) -> str:
        liked = [letter for letter in row.letters if letter != "S"] if row.total < 19 or row.pair else list(row.letters)
        first = generator.choice(liked or list(row.letters))
        if first in "HS":
            return first
        if first == "P":
            return "P"
        return first + ("S" if row.total == 21 else generator.choice("HS"))

    totals = {(row.total, row.soft): row for row in layout.rows if row.pair is None}
    exceptions = [
        TwoCards(low, high, column, cell(totals[add(*add(0, False, low), high)]))
        for low, high in combinations(range(1, 11), 2)
        for column in range(len(layout.columns))
        if (low, high) != (1, 10) and generator.random() < 0.3
    ]
    return replace(Chart.filled(layout, cell), exceptions=tuple(exceptions))


def _stake(tables: Tables) -> int:
    """Ten dollars where this is a legal stake: no odds of any sheet then give fractions of a cent."""
    return money(10) if tables.main.allows(money(10)) else tables.main.low


class _Kernel:
    """One round at a time, as the kernels play it."""

    def __init__(self, program: Program, charts: list[int]) -> None:
        self.program, self.charts = program, np.array(charts, np.uint8)
        self.dealt = np.zeros(FIRST + program.offsets.cards + 8, np.uint16)
        self.ends = np.zeros(program.offsets.hands * len(charts), np.int32)
        self.hands = np.zeros(len(charts), np.int32)
        self.results = np.zeros(RESULT * len(charts) + OF_DEALER, np.int64)

    def play(self, number: int) -> list[Card]:
        """The dealt cards."""
        begin_whole_shoe(self.dealt, self.program.offsets.cards)
        shoe = ShoeKey(np.uint64(number), np.uint64(7))
        lut, offsets = self.program.lut, self.program.offsets
        n = play_round(lut, offsets, self.charts, shoe, self.dealt, self.ends, self.hands, self.results)
        return [self.card(i) for i in range(n)]

    def card(self, n: int) -> Card:
        return DECK[int(self.dealt[FIRST + n]) // (self.program.offsets.cards // 52)]


def _at_the_table(tables: Tables, charts: list[Chart], cards: Iterator[Card]) -> State:
    """Play the round with the engine to its end."""
    state = start(tables)
    for seat in range(1, len(charts) + 1):
        state = advance(state, Bet(seat, _stake(tables)))
    state = advance(state, NoMoreBets())
    while state.phase != "done":
        if state.wants_card:
            state = advance(state, Deal(next(cards)))
            continue
        assert state.asked is not None
        seat = state.asked.number
        if not legal(state):
            state = advance(state, Place(seat))
        else:
            state = advance(state, Act(seat, charts[seat - 1].act(state)))
    return state


def _compare(tables: Tables, charts: list[Chart], rounds: int, first: int = 0) -> int:
    """Play rounds both ways; return the number of rounds with a split."""
    program = compile_program(tables, charts)
    kernel = _Kernel(program, list(range(len(charts))))
    splits = 0
    for number in range(first, first + rounds):
        cards = kernel.play(number)
        falling = iter(cards)
        state = _at_the_table(tables, charts, falling)
        assert next(falling, None) is None, "the kernel dealt a card that the table did not"
        up, second, *_ = state.dealer if len(state.dealer) > 1 else (*state.dealer, kernel.card(len(cards)))
        assert kernel.results[RESULT * len(charts) + OPENING] == VALUE_COUNT * (up.value - 1) + second.value - 1, cards
        unit = _stake(tables) * (2 if tables.has_companion else 1)
        for seat in range(len(charts)):
            mine = [result for result in state.results if result.seat == seat + 1]
            net = sum(result.net for result in mine)
            assert net * program.scale == unit * kernel.results[RESULT * seat + NET], cards
            assert sum(result.stake for result in mine) == unit * kernel.results[RESULT * seat + STAKE], cards
            splits += kernel.hands[seat] > 1
    return splits


@pytest.mark.parametrize(("sheet", "settings"), one_in(14, SHEETS), ids=str)
def test_every_round_ends_as_at_the_table(sheet: str, settings: dict[str, object]) -> None:
    tables = holecard.rules(sheet, settings).tables
    splits = sum(_compare(tables, [_lively(tables, seed)], rounds(300), first=1000 * seed) for seed in range(4))
    if tables.split_hands > 1:
        assert splits > 5


@pytest.mark.parametrize("sheet", quick(["classic", "face-up", "quick-pay", "european"], "face-up"))
def test_seats_are_served_in_turn(sheet: str) -> None:
    tables = holecard.rules(sheet).tables
    charts = [_lively(tables, 1), mimic_the_dealer(tables), _lively(tables, 2)]
    assert _compare(tables, charts, rounds(1000)) > 5


def _sides(state: State, seat: int) -> dict[str, int]:
    """The smallest stake on every side wager that the seat may place now and has not placed yet."""
    placed = {side.wager for player in state.seats if player.number == seat for side in player.sides}
    names = {state.tables.wagers[index].name for index in placed}
    return {wager.name: wager.limits.low for wager in offered(state, seat) if wager.name not in names}


def _with_wagers(tables: Tables, chart: Chart, cards: Iterator[Card], seats: int = 1) -> State:
    """A round at the table with every side wager placed as soon as possible."""
    state = start(tables)
    for seat in range(1, seats + 1):
        state = advance(state, Bet(seat, _stake(tables), _sides(state, seat)))
    state = advance(state, NoMoreBets())
    while state.phase != "done":
        if state.wants_card:
            state = advance(state, Deal(next(cards)))
            continue
        assert state.asked is not None
        if sides := _sides(state, state.asked.number):
            state = advance(state, Place(state.asked.number, sides))
        elif not legal(state):
            state = advance(state, Place(state.asked.number))
        else:
            state = advance(state, Act(state.asked.number, chart.act(state)))
    return state


def _check_wagers(tables: Tables, kernel: _Kernel, state: State, seats: int) -> None:
    """The kernel's counts for each seat's wagers equal the table's payments."""
    program = kernel.program
    meanings = [cell for wager in program.wagers for cell in wager.cells]
    for seat, (index, wager) in product(range(seats), enumerate(tables.wagers)):
        cell = wager_cell_of(program.lut, program.offsets, index, seat, seats, kernel.dealt, kernel.results)
        outcome, money = meanings[cell], WagerPayoffs(wager)
        names = (wager.name, f"{wager.name} tax")
        paid = [result.net for result in state.results if result.seat == seat + 1 and result.wager in names]
        if outcome is None:
            assert not paid
        else:
            unit = 100 if money.in_dollars else wager.limits.low
            assert sum(paid) == money.net(outcome) * unit, (wager.name, state)


WITH_WAGERS = [name for name in holecard.games(examples=True) if holecard.rules(name).wager]


@pytest.mark.parametrize("sheet", one_in(2, WITH_WAGERS))
def test_every_side_wager_is_paid_as_at_the_table(sheet: str) -> None:
    tables = holecard.rules(sheet).tables
    chart = mimic_the_dealer(tables)
    kernel = _Kernel(compile_program(tables, [chart], tables.wagers), [0])
    for number in range(rounds(1500)):
        _check_wagers(tables, kernel, _with_wagers(tables, chart, iter(kernel.play(number))), 1)


#: Wagers that stay open for a while only: for few cards, for a natural, for a hand on which the dealer does not stop.
HOPING = """
name = "Hoping"
extends = "classic"
[dealer]
hole_card = "{hole_card}"
soft = "{soft}"
[[wager]]
name = "Short"
on = "two cards"
min = "$1"
max = "$100"
lines = [
    {{ hand = "pair", pays = "3 to 1" }},
    {{ hand = "suited", dealer = "busts in 3 cards", pays = "9 to 1" }},
    {{ dealer = "natural", pays = "5 to 1" }},
    {{ hand = "hard 13-16", dealer = "20 in 4 cards", pays = "7 to 1" }},
]
[[wager]]
name = "Odd"
on = "two cards and upcard"
upcard = "2-5"
min = "$1"
max = "$100"
lines = [
    {{ hand = "unsuited", dealer = "16 in 3 cards", pays = "2 to 1" }},
    {{ hand = "straight", dealer = "no natural", pays = "1 to 5" }},
]
"""
#: Games whose wagers depend on the dealer's hand, but not after every deal or not until its end.
HOPING_FOR_A_WHILE = ["upcard-luck-21", "quick-pay", "peek", "none", "peek, 16 to hard 17", "none, soft 17 to hard 17"]


@pytest.mark.parametrize("seats", quick([1, 3], 3))
@pytest.mark.parametrize(
    "sheet",
    quick(
        [*WITH_WAGERS, "peek", "none", "peek, 16 to hard 17", "none, soft 17 to hard 17"],
        *("upcard-luck-21", "none, soft 17 to hard 17"),
    ),
)
def test_in_a_shoe_dealt_down_the_dealer_draws_no_card_too_many(sheet: str, seats: int) -> None:
    """Nor one too few: for hands that wait, and for wagers while they are open."""
    hole_card, _, soft = sheet.partition(", ")
    hoping = HOPING.format(hole_card=hole_card, soft=f"draw {soft}" if soft else "stand on 18")
    rules = holecard.rules(sheet) if sheet in WITH_WAGERS else read_sheet(hoping)
    tables, charts = rules.tables, [0] * seats
    chart = _lively(tables, 3)
    kernel = _Kernel(compile_program(tables, [chart], tables.wagers, dealt_down=True), charts)
    drawing_out = _Kernel(compile_program(tables, [chart], tables.wagers), charts)
    spared = 0
    for number in range(rounds(2400) // seats):
        cards = kernel.play(number)
        falling = iter(cards)
        _check_wagers(tables, kernel, _with_wagers(tables, chart, falling, seats), seats)
        assert next(falling, None) is None, "the kernel dealt a card that the table did not"
        spared += len(drawing_out.play(number)) - len(cards)
    if seats == 1 and sheet in HOPING_FOR_A_WHILE:
        assert spared > 20

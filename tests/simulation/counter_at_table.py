"""A counter at the table: whole shoes card by card, with plain Python counters. The kernels must do the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from holecard.charts.chart import Chart
from holecard.counts import CountPlayer
from holecard.counts.ramp import FLAT
from holecard.deck import DECK, Card
from holecard.hands import total_of
from holecard.kernels.play.dealing import FIRST, START, begin_whole_shoe, nth_card
from holecard.money import money
from holecard.sheets.schema import RuleSheet
from holecard.simulation.compile.counter_tables import CompiledCount
from holecard.simulation.compile.program import Program
from holecard.table.advance import advance, start
from holecard.table.events import Act, Bet, Deal, NoMoreBets, Place
from holecard.table.legal import legal, offered
from holecard.table.state import State

SEED = 11
STAKE = money(10)


class Seen:
    """A player at the table who remembers every card shown."""

    def __init__(self, player: CountPlayer, decks: int) -> None:
        self.player, self.decks = player, decks
        self.cards: list[Card] = []
        self.seated = player.enter is None

    def readings(self, now: list[Card]) -> list[int]:
        """The readings of all counts, with cards on the table that are not remembered yet."""
        cards = [*self.cards, *now]
        return [
            count.reading(sum(count.whole_tags[card] for card in cards), len(cards), self.decks)
            for count in self.player.counts
        ]

    def plays(self, reading: int) -> bool:
        if self.player.enter is not None and reading >= self.player.enter:
            self.seated = True
        if self.player.leave is not None and reading < self.player.leave:
            self.seated = False
        return self.seated and self.player.ramp.bet(reading) > 0


class RoundCards:
    """The cards of one round, dealt when they are asked for; where the shoe runs out, the discards are shuffled in."""

    def __init__(self, dealt: np.ndarray, cards: int, number: int, out: int) -> None:
        self.dealt, self.cards, self.number = dealt, cards, number
        dealt[START] = out
        self.left = cards - out
        """cards of the shoe before the discards"""

    def __getitem__(self, n: int) -> Card:
        card = nth_card(np.uint64(self.number), np.uint64(SEED), self.cards, 1, self.dealt, n)
        return DECK[int(card) // (self.cards // 52)]

    def first(self, n: int) -> list[Card]:
        """The first cards, without those that came from the discards."""
        return [self[place] for place in range(min(n, self.left))]


def _sides(state: State, seat: int) -> dict[str, int]:
    placed = {side.wager for player in state.seats if player.number == seat for side in player.sides}
    names = {state.tables.wagers[index].name for index in placed}
    return {wager.name: wager.limits.low for wager in offered(state, seat) if wager.name not in names}


class CounterAtTable:
    """Shoes at the table, card by card, with plain Python counters."""

    def __init__(self, sheet: RuleSheet, program: Program, compiled: CompiledCount, chart: Chart, seats: int) -> None:
        self.tables, self.program, self.compiled, self.chart, self.seats = sheet.tables, program, compiled, chart, seats
        self.player, self.seat = compiled.player, compiled.counter.seat
        self.charts = self.player.charts(chart)
        self.nets: Counter[tuple[bool, int, int, Fraction]] = Counter()
        self.insurance: Counter[tuple[int, bool]] = Counter()
        self.wagers: Counter[tuple[int, str, Fraction]] = Counter()
        self.sums: dict[str, list[int]] = {name: [0, 0, 0] for name in (*self._on_main(), *self._scales())}
        """rounds, what the shoes won, and its squares, for each wager"""
        self.short = 0
        """rounds in which the shoe ran out"""
        self.acts: Counter[tuple[tuple[int, bool], int, int, int, str]] = Counter()
        """(total, soft), cards, the upcard's value, the main count's reading, and what the player does"""

    def play_shoe(self, number: int, burn: int, cut: int) -> None:
        seen, out, played = Seen(self.player, self.tables.decks), burn, 0
        won = dict.fromkeys(self.sums, Fraction(0))
        cards = self.program.offsets.cards
        dealt = np.zeros(FIRST + cards + 8, np.uint16)
        begin_whole_shoe(dealt, cards)
        while out < cut:
            falling = RoundCards(dealt, cards, number, out)
            before = seen.readings([])
            plays = seen.plays(before[0])
            state, used, insured = self._round(falling, seen, plays)
            net = sum(result.net for result in state.results if self._is_main(result.seat, result.wager))
            net = Fraction(net, STAKE * (2 if self.tables.has_companion else 1))
            self.nets[plays, self._slot(0, before[0]), insured, net] += 1
            share, pays = self.tables.insurance_share, self.tables.insurance
            bet = self.player.ramp.bet(before[0]) if plays else 0
            insurance = (Fraction(0), -share, share * (pays or 0))[insured]
            for name, result in zip(self._on_main(), (net, insurance, net + insurance), strict=True):
                won[name] += bet * result
            if plays:
                for name, amount in self._count_wagers(state, before):
                    won[name] += amount
            seen.cards += falling.first(used)
            self.short += used > falling.left
            out, played = out + used, played + 1
        for name, scale in {**self._on_main(), **self._scales()}.items():
            steps = won[name] * scale * self.compiled.bet_scale
            assert steps.denominator == 1
            for place, more in enumerate((played, int(steps), int(steps) ** 2)):
                self.sums[name][place] += more

    def _on_main(self) -> dict[str, int]:
        """Return what the bet on the main wager wins, apart and together, with the parts of each."""
        return dict.fromkeys(("main", "insurance", "main wager and insurance"), self.compiled.main_scale)

    def _scales(self) -> dict[str, int]:
        return {
            table.wager.name: scale
            for table, scale in zip(self.program.wagers, self.compiled.wager_scales, strict=True)
        }

    def _is_main(self, seat: int, wager: str) -> bool:
        names = [name for side in self.tables.wagers for name in (side.name, f"{side.name} tax")]
        return seat == self.seat + 1 and wager not in names

    def _slot(self, number: int, reading: int) -> int:
        readings = self.compiled.readings(number)
        return min(max(reading, readings[0]), readings[-1]) - readings[0]

    def _count_wagers(self, state: State, before: list[int]) -> Iterator[tuple[str, Fraction]]:
        """Count the side wagers; yield what each of them won."""
        for table in self.program.wagers:
            name = table.wager.name
            mine = [r for r in state.results if r.seat == self.seat + 1 and r.wager in (name, f"{name} tax")]
            if mine:
                unit = 100 if table.payoffs.in_dollars else table.wager.limits.low
                net = Fraction(sum(result.net for result in mine), unit)
                ramp = next((one for one in self.player.wagers if one.wager == name), None)
                number = self.player.number_of(ramp.count if ramp else None)
                self.wagers[self._slot(number, before[number]), name, net] += 1
                yield name, net * (ramp.ramp if ramp else FLAT).bet(before[number])

    def _round(self, falling: RoundCards, seen: Seen, plays: bool) -> tuple[State, int, int]:
        """Play a round; return its end, the cards it took, and whether the player was insured, with the result."""
        tables, sides = self.tables, bool(self.program.wagers)
        state = start(tables)
        for seat in range(1, self.seats + 1):
            state = advance(state, Bet(seat, STAKE, _sides(state, seat) if sides else {}))
        state = advance(state, NoMoreBets())
        used, first = 0, 2 * self.seats + 1 + (tables.hole_card != "none")
        chart, insured, readings = None, 0, [0]
        while state.phase != "done":
            if state.wants_card:
                state = advance(state, Deal(falling[used]))
                used += 1
                continue
            assert state.asked is not None
            seat = state.asked.number
            more = _sides(state, seat) if sides else {}
            if more or not legal(state):
                state = advance(state, Place(seat, more))
                continue
            if any(choice.action == "no insurance" for choice in legal(state)):
                state = advance(state, Act(seat, "no insurance"))
                continue
            if seat - 1 == self.seat and chart is None:
                assert used >= first
                readings = seen.readings(self._shown(falling, used))
                chart = self._chart(readings) if plays else self.chart
            mine = chart if seat - 1 == self.seat and chart is not None else self.chart
            action = mine.act(state)
            if seat - 1 == self.seat:
                cards = state.asked.hands[0].cards
                hand = total_of([card.value for card in cards]), len(cards), falling[self.seats].value
                self.acts[*hand, readings[0], action] += 1
            state = advance(state, Act(seat, action))
        if falling[self.seats].value == 1:
            readings = seen.readings(self._shown(falling, first))
            second = falling[2 * self.seats + 1] if tables.hole_card != "none" else self._second(state, falling, used)
            natural = second.value == 10
            self.insurance[self._slot(0, readings[0]), natural] += 1
            if any(play.applies(readings[self.player.number_of(play.count)]) for play in self.player.insurance):
                insured = 2 if natural else 1
        return state, used, insured

    def _second(self, state: State, falling: RoundCards, used: int) -> Card:
        return state.dealer[1] if len(state.dealer) > 1 else falling[used]

    def _shown(self, falling: RoundCards, used: int) -> list[Card]:
        """The cards of this round that the player sees now."""
        hole = 2 * self.seats + 1
        hidden = {hole} if self.tables.hole_card not in ("none", "face up") else set()
        first = 2 * self.seats + 1 + (self.tables.hole_card != "none")
        if self.tables.players_cards_down:
            hidden |= set(range(2 * self.seats + 1)) - {self.seat, self.seats, self.seats + 1 + self.seat}
        assert used >= first
        return [card for place, card in enumerate(falling.first(used)) if place not in hidden]

    def _chart(self, readings: list[int]) -> Chart:
        number = 0
        for count in range(len(readings)):
            marks = self.player.thresholds(count)
            number = number * (len(marks) + 1) + sum(mark <= readings[count] for mark in marks)
        return self.charts[number]

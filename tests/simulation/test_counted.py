"""A player who counts: the kernels bet, insure and play as somebody at the table who counts each card that is shown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

import holecard
from holecard.charts.chart import Chart
from holecard.charts.named_strategies import mimic_the_dealer
from holecard.counts import CountPlayer, count_of, count_player_of, read_count_player
from holecard.deck import DECK, Card
from holecard.hands import total_of
from holecard.kernels.dealt_down.counter_tables import slot_of
from holecard.kernels.play.dealing import FIRST, begin_whole_shoe, nth_card
from holecard.money import money
from holecard.sheets.schema import RuleSheet
from holecard.sheets.tables import Tables
from holecard.simulation.compile.counter_tables import CompiledCount, compile_count, reading_terms
from holecard.simulation.compile.program import Program, compile_program
from holecard.simulation.plays.counted_shoes import CountedShoes
from holecard.simulation.plays.dealt_down_shoes import ShoeRounds
from holecard.simulation.procedures import procedure_of
from holecard.table.advance import advance, start
from holecard.table.events import Act, Bet, Deal, NoMoreBets, Place
from holecard.table.legal import legal, offered
from holecard.table.state import State
from tests.selection import one_in, quick, rounds
from tests.simulation.charts import splitting

SEED = 11
STAKE = money(10)

#: Bets, plays and a side count that change at counts that are often met.
LIVELY = """
count = "{count}"

[bets]
"below -1" = {out}
"-1 to 0" = 1
1 = 2.5
"2 and above" = 4

[plays]
{insurance}
"16 v T" = "hit at 0"
"12 v 4" = "stand below 1"
"11 v 6" = "stand at 1 of aces"
"13 v A" = "stand at 0"
"14 v T" = "surrender at 0"

[side.aces]
kind = "running"
start = 0
tags = {{ A = 1, "2h" = -1 }}

[table]
{table}
"""


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


def _shoe(cards: int, number: int) -> list[Card]:
    """All cards of a shoe, in order."""
    dealt = np.zeros(FIRST + cards + 8, np.uint16)
    begin_whole_shoe(dealt, cards)
    nth_card(np.uint64(number), np.uint64(SEED), cards, 1, dealt, cards - 1)
    return [DECK[int(dealt[FIRST + place]) // (cards // 52)] for place in range(cards)]


def _sides(state: State, seat: int) -> dict[str, int]:
    placed = {side.wager for player in state.seats if player.number == seat for side in player.sides}
    names = {state.tables.wagers[index].name for index in placed}
    return {wager.name: wager.limits.low for wager in offered(state, seat) if wager.name not in names}


class Slow:
    """Shoes at the table, card by card, with plain Python counters."""

    def __init__(self, sheet: RuleSheet, program: Program, compiled: CompiledCount, chart: Chart, seats: int) -> None:
        self.tables, self.program, self.compiled, self.chart, self.seats = sheet.tables, program, compiled, chart, seats
        self.player, self.seat = compiled.player, compiled.counter.seat
        self.charts = self.player.charts(chart)
        self.nets: Counter[tuple[bool, int, int, Fraction]] = Counter()
        self.insurance: Counter[tuple[int, bool]] = Counter()
        self.wagers: Counter[tuple[int, str, Fraction]] = Counter()
        self.sums = [0, 0, 0]
        self.acts: Counter[tuple[tuple[int, bool], int, int, int, str]] = Counter()
        """(total, soft), cards, the upcard's value, the main count's reading, and what the player does"""

    def play_shoe(self, cards: list[Card], burn: int, cut: int) -> None:
        seen, out, won, played = Seen(self.player, self.tables.decks), burn, Fraction(0), 0
        while out < cut:
            falling = cards[out:]
            before = seen.readings([])
            plays = seen.plays(before[0])
            state, used, insured = self._round(falling, seen, plays)
            net = sum(result.net for result in state.results if self._is_main(result.seat, result.wager))
            net = Fraction(net, STAKE * (2 if self.tables.has_companion else 1))
            self.nets[plays, self._slot(0, before[0]), insured, net] += 1
            share, pays = self.tables.insurance_share, self.tables.insurance
            bet = self.player.ramp.bet(before[0]) if plays else 0
            won += bet * (net + (0, -share, share * (pays or 0))[insured])
            if plays:
                self._count_wagers(state, before)
            seen.cards += falling[:used]
            out, played = out + used, played + 1
        scale = self.compiled.bet_scale * self.compiled.main_scale
        assert (won * scale).denominator == 1
        self.sums[0] += played
        self.sums[1] += int(won * scale)
        self.sums[2] += int(won * scale) ** 2

    def _is_main(self, seat: int, wager: str) -> bool:
        names = [name for side in self.tables.wagers for name in (side.name, f"{side.name} tax")]
        return seat == self.seat + 1 and wager not in names

    def _slot(self, number: int, reading: int) -> int:
        readings = self.compiled.readings(number)
        return min(max(reading, readings[0]), readings[-1]) - readings[0]

    def _count_wagers(self, state: State, before: list[int]) -> None:
        for table in self.program.wagers:
            name = table.wager.name
            mine = [r for r in state.results if r.seat == self.seat + 1 and r.wager in (name, f"{name} tax")]
            if mine:
                unit = 100 if table.payoffs.in_dollars else table.wager.limits.low
                net = Fraction(sum(result.net for result in mine), unit)
                ramp = next((one for one in self.player.wagers if one.wager == name), None)
                number = self.player.number_of(ramp.count if ramp else None)
                self.wagers[self._slot(number, before[number]), name, net] += 1

    def _round(self, falling: list[Card], seen: Seen, plays: bool) -> tuple[State, int, int]:
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
            if "insurance" in legal(state) and "no insurance" in legal(state):
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

    def _second(self, state: State, falling: list[Card], used: int) -> Card:
        return state.dealer[1] if len(state.dealer) > 1 else falling[used]

    def _shown(self, falling: list[Card], used: int) -> list[Card]:
        """The cards of this round that the player sees now."""
        hole = 2 * self.seats + 1
        hidden = {hole} if self.tables.hole_card not in ("none", "face up") else set()
        if self.tables.players_cards_down:
            own = {self.seat, self.seats, self.seats + 1 + self.seat, hole} - hidden
            return [falling[place] for place in sorted(own)]
        return [card for place, card in enumerate(falling[:used]) if place not in hidden]

    def _chart(self, readings: list[int]) -> Chart:
        number = 0
        for count in range(len(readings)):
            marks = self.player.thresholds(count)
            number = number * (len(marks) + 1) + sum(mark <= readings[count] for mark in marks)
        return self.charts[number]


def _player(sheet: RuleSheet, count: str, table: str, out: int = 1) -> CountPlayer:
    insurance = "" if sheet.tables.insurance is None else 'insurance = "take at 1"'
    text = LIVELY.format(count=count, insurance=insurance, table=table, out=out)
    text = "".join(line for line in text.splitlines(keepends=True) if _is_possible(sheet, line))
    player = read_count_player(text)
    player.check(sheet)
    return player


def _is_possible(sheet: RuleSheet, line: str) -> bool:
    if " v " not in line:
        return True
    try:
        read_count_player(
            f'count = "hi-lo"\n[side.aces]\nkind="running"\nstart=0\ntags={{A=1}}\n[plays]\n{line}'
        ).check(sheet)
    except holecard.Refusal:
        return False
    return True


def _compiled(
    sheet: RuleSheet, player: CountPlayer, seats: int, cut: str, *, sides: bool
) -> tuple[CountedShoes, CompiledCount, Chart]:
    tables: Tables = sheet.tables
    chart = splitting(tables)
    if player.plays:
        assert len({counted.cells for counted in player.charts(chart)}) > 1, "the plays change nothing"
    rule = procedure_of(sheet, cut).rule
    assert rule is not None
    wagers = tables.wagers if sides else ()
    program = compile_program(tables, [chart, *player.charts(chart)], wagers, dealt_down=True)
    compiled = compile_count(tables, program, player, player.seat - 1, rule)
    return CountedShoes(program, seats, SEED, rule, compiled.counter), compiled, chart


CASES = [
    (game, seats, count, out)
    for number, game in enumerate(holecard.games(examples=True))
    for seats, count, out in (
        (1 + number % 2, "hi-lo", number % 2),
        (2 + number % 6, ("zen", "halves", "ko")[number % 3], 1),
    )
]


@pytest.mark.parametrize(("game", "seats", "count", "out"), one_in(6, CASES))
def test_a_counter_does_at_the_table_what_the_kernels_do(game: str, seats: int, count: str, out: int) -> None:
    """Every round of whole shoes, card by card: bets, charts, insurance, side wagers and money by reading."""
    sheet = holecard.rules(game)
    assert sheet.tables.main.allows(STAKE)
    # So many that no shoe runs out before the cut card.
    seats = min(seats, sheet.tables.seats, 2 * sheet.shoe.decks)
    table = f"seats = {seats}\nseat = {1 + seats // 2}" + ("\nenter = 0\nleave = -1" if out == 0 else "")
    player = _player(sheet, count, table, out)
    play, compiled, chart = _compiled(sheet, player, seats, "cut:70", sides=True)
    shoes = rounds(40)
    tally = play.play(5, shoes)
    slow = Slow(sheet, play.program, compiled, chart, seats)
    for number in range(5, 5 + shoes):
        slow.play_shoe(_shoe(play.program.offsets.cards, number), play.rule.burn, play.rule.cut)
    nets = play.program.nets
    found = {
        (bool(plays), slot, insured, nets[net]): int(tally["by_reading_nets"][plays, slot, insured, net])
        for plays, slot, insured, net in np.argwhere(tally["by_reading_nets"]).tolist()
    }
    assert found == dict(slow.nets)
    assert {
        (slot, bool(won)): int(tally["by_reading_insurance"][slot, won])
        for slot, won in np.argwhere(tally["by_reading_insurance"]).tolist()
    } == dict(slow.insurance)
    assert dict(_wagers(play.program, tally["by_reading_wagers"])) == dict(slow.wagers)
    assert tally["by_reading_sums"][0, [3, 1, 2]].tolist() == slow.sums
    assert tally["rounds"] == slow.sums[0]


@pytest.mark.parametrize("game", ["last-chance", "early-bird"])
def test_a_surrender_is_taken_back_below_an_index(game: str) -> None:
    """A 15 against a ten is hit below 0 and surrendered from 0 on, at the table and in the kernels."""
    sheet = holecard.rules(game)
    player = read_count_player('count = "hi-lo"\n[plays]\n"15 v T" = "hit below 0"\n"16 v T" = "stand at 0"')
    player.check(sheet)
    chart = Chart.filled(
        sheet.tables,
        lambda row, column: (
            "-" if row.pair else ("R" if row.total in (15, 16) and column.name == "T" else "") + ("HS"[row.total > 15])
        ),
    )
    rule = procedure_of(sheet, "cut:75").rule
    assert rule is not None
    program = compile_program(sheet.tables, [chart, *player.charts(chart)], dealt_down=True)
    compiled = compile_count(sheet.tables, program, player, 0, rule)
    play = CountedShoes(program, 1, SEED, rule, compiled.counter)
    shoes = 60
    tally = play.play(0, shoes)
    slow = Slow(sheet, program, compiled, chart, 1)
    for number in range(shoes):
        slow.play_shoe(_shoe(program.offsets.cards, number), rule.burn, rule.cut)
    assert {
        (bool(plays), slot, insured, program.nets[net]): int(tally["by_reading_nets"][plays, slot, insured, net])
        for plays, slot, insured, net in np.argwhere(tally["by_reading_nets"]).tolist()
    } == dict(slow.nets)

    def done(total: int, below: bool) -> set[str]:
        return {
            action
            for (hand, cards, upcard, reading, action) in slow.acts
            if (hand, cards, upcard) == ((total, False), 2, 10) and (reading < 0) == below
        } - {"no surrender"}

    assert (done(15, below=True), done(15, below=False)) == ({"hit"}, {"surrender"})
    assert (done(16, below=True), done(16, below=False)) == ({"surrender"}, {"surrender"})


def _wagers(program: Program, counted: np.ndarray) -> Counter[tuple[int, str, Fraction]]:
    cells = [
        (table.wager.name, None if net is None else table.nets[net])
        for table in program.wagers
        for net in table.net_of_cell
    ]
    found: Counter[tuple[int, str, Fraction]] = Counter()
    for slot, cell in np.argwhere(counted).tolist():
        name, net = cells[cell]
        if net is not None:
            found[slot, name, net] += int(counted[slot, cell])
    return found


def _flat(game: str, seats: int, cut: str, decks: int) -> Iterator[tuple[CountedShoes, ShoeRounds]]:
    sheet = holecard.rules(game, decks=decks)
    player = count_player_of("hi-lo")
    play, _, _ = _compiled(sheet, player, seats, cut, sides=True)
    yield play, ShoeRounds(play.program, (1, *[0] * (seats - 1)), SEED, play.rule)


@pytest.mark.parametrize("decks", quick([1, 2, 6, 8], 1, 6))
@pytest.mark.parametrize(("seats", "cut"), [(1, "cut:75"), (7, "cut:100")])
def test_counting_does_not_change_the_cards(decks: int, seats: int, cut: str) -> None:
    """A player who counts and always bets one unit plays the rounds of somebody who does not count.

    Seven seats and a cut card at the end run out of cards in mid-round.
    """
    for play, plain in _flat("classic", seats, cut, decks):
        counted, expected = play.play(2, 300), plain.play_one_by_one(2, 300)
        assert {name: counted[name].tolist() for name in expected if name != "sums"} == {
            name: expected[name].tolist() for name in expected if name != "sums"
        }
        assert (counted["by_reading_sums"][0, [0, 3]] == expected["sums"][0, [0, 3]]).all()


def test_shoes_in_any_chunks_add_up_with_a_counter() -> None:
    sheet = holecard.rules("classic")
    play, _, _ = _compiled(sheet, _player(sheet, "hi-lo", "seats = 1"), 1, "cut:75", sides=False)
    assert play.play(0, 200) + play.play(200, 111) == play.play(0, 311)


@pytest.mark.parametrize("rounding", ["down", "toward zero", "nearest"])
@pytest.mark.parametrize("name", ["hi-lo", "halves", "ko"])
def test_readings_are_those_of_the_count(name: str, rounding: str) -> None:
    """All sums of tags and numbers of cards seen that a shoe can have, in floats and in fractions."""
    count = replace(count_of(name), rounding=rounding)  # type: ignore[arg-type]
    terms = np.array(reading_terms(count, 2))
    read = slot_of.py_func
    for seen in range(0, 104, 3):
        for total in range(-60, 61, 2):
            expected = min(max(count.reading(total, seen, 2), -100), 100) + 100
            assert read(float(total), float(seen), 104.0, terms, -100.0, 201) == expected


def test_tens_that_are_counted_rightly_tell_when_to_insure() -> None:
    """Above the index of insurance it wins money, below it loses: the count sees what the cards know."""
    sheet = holecard.rules("classic")
    play, compiled, _ = _compiled(sheet, count_player_of("hi-lo"), 1, "cut:80", sides=False)
    lost, won = play.play(0, rounds(200_000))["by_reading_insurance"].T
    readings = np.array(compiled.readings(0))
    high, low = readings >= 4, readings <= 1
    assert 2 * won[high].sum() > lost[high].sum()
    assert 2 * won[low].sum() < lost[low].sum()


def test_mimics_at_other_seats_do_not_count() -> None:
    """The other seats play chart 0 whatever the count is: only the counter splits."""
    sheet = holecard.rules("classic")
    player = read_count_player('count = "hi-lo"\n[plays]\n"8,8 v T" = "split at -99"\n[table]\nseats = 3\nseat = 2')
    chart = mimic_the_dealer(sheet.tables)
    rule = procedure_of(sheet, "cut:75").rule
    assert rule is not None
    program = compile_program(sheet.tables, [chart, *player.charts(chart)], dealt_down=True)
    compiled = compile_count(sheet.tables, program, player, 1, rule)
    found = CountedShoes(program, 3, SEED, rule, compiled.counter).play(0, 200)
    assert found["splits"][[0, 2]].sum() == 0
    assert found["splits"][1].sum() > 0

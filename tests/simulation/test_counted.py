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
from holecard.kernels.dealt_down.counter_tables import slot_of
from holecard.sheets.schema import RuleSheet
from holecard.sheets.tables import Tables
from holecard.simulation.compile.counter_tables import CompiledCount, compile_count, reading_terms
from holecard.simulation.compile.program import Program, compile_program
from holecard.simulation.plays.counted_shoes import CountedShoes
from holecard.simulation.plays.dealt_down_shoes import ShoeRounds
from holecard.simulation.procedures import procedure_of
from tests.selection import one_in, quick, rounds
from tests.simulation.charts import splitting
from tests.simulation.counter_at_table import SEED, STAKE, CounterAtTable

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

{wager}
[side.aces]
{aces}
tags = {{ A = 1, "2h" = -1 }}

[table]
{table}
"""
SOMETIMES = '"below 0" = 0\n"0 and above" = 1\n'
#: The side count as a running count, and as the excess over its average.
ACES = ('kind = "running"\nstart = 0', "centered = true")


def _player(sheet: RuleSheet, count: str, table: str, out: int = 1, aces: str = ACES[0]) -> CountPlayer:
    """Return a player whose bets on the last side wager depend on the side count."""
    insurance = "" if sheet.tables.insurance is None else 'insurance = "take at 1"'
    wager = "\n".join(f'[wagers."{one.name}"]\ncount = "aces"\n{SOMETIMES}' for one in sheet.tables.wagers[-1:])
    text = LIVELY.format(count=count, insurance=insurance, table=table, out=out, wager=wager, aces=aces)
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


@pytest.mark.parametrize(("game", "seats", "count", "out"), one_in(99, CASES))
def test_a_counter_does_at_the_table_what_the_kernels_do(game: str, seats: int, count: str, out: int) -> None:
    """Every round of whole shoes, card by card: bets, charts, insurance, side wagers and money by reading."""
    sheet = holecard.rules(game)
    assert sheet.tables.main.allows(STAKE)
    # So many that no shoe runs out before the cut card.
    seats = min(seats, sheet.tables.seats, 2 * sheet.shoe.decks)
    table = f"seats = {seats}\nseat = {1 + seats // 2}" + ("\nenter = 0\nleave = -1" if out == 0 else "")
    player = _player(sheet, count, table, out, ACES[seats % 2])
    assert _same_at_the_table(sheet, player, "cut:70", rounds(40)).short == 0


@pytest.mark.parametrize(
    ("game", "decks", "seats", "seat", "cut"),
    quick(
        [
            ("classic", 1, 7, 3, "cut:100"),
            ("classic", 1, 7, 2, "cut:75"),
            ("classic", 2, 7, 1, "cut:90"),
            ("upcard-luck-21", 2, 7, 7, "cut:90"),
            ("upcard-luck-21", 1, 4, 3, "cut:95"),
            ("european", 1, 5, 4, "cut:100"),
            ("early-bird", 1, 6, 6, "cut:95"),
            ("quick-pay", 1, 5, 2, "cut:100"),
            ("side-bets", 1, 1, 1, "cut:100"),
        ],
        ("classic", 1, 7, 3, "cut:100"),
    ),
)
def test_a_counter_counts_what_is_left_when_a_shoe_runs_out(
    game: str, decks: int, seats: int, seat: int, cut: str
) -> None:
    """Cards that are shuffled in during a round are not counted in it, and insurance is offered for a new ace, too.

    Some of these games deal the players' cards face down.
    """
    sheet = holecard.rules(game, decks=decks)
    player = _player(sheet, "hi-lo", f"seats = {seats}\nseat = {seat}")
    assert _same_at_the_table(sheet, player, cut, rounds(300)).short > 0


def _same_at_the_table(sheet: RuleSheet, player: CountPlayer, cut: str, shoes: int) -> CounterAtTable:
    """Check that the kernels count what a counter at the table does, and return the latter."""
    play, compiled, chart = _compiled(sheet, player, player.seats or 1, cut, sides=True)
    tally = play.play(5, shoes)
    slow = CounterAtTable(sheet, play.program, compiled, chart, player.seats or 1)
    for number in range(5, 5 + shoes):
        slow.play_shoe(number, play.rule.burn, play.rule.cut)
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
    assert tally["by_reading_sums"][:, [3, 1, 2]].tolist() == [*slow.sums.values()]
    assert tally["rounds"] == slow.sums["main"][0]
    return slow


@pytest.mark.parametrize("game", quick(["last-chance", "early-bird"], "early-bird"))
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
    shoes = rounds(150)
    tally = play.play(0, shoes)
    slow = CounterAtTable(sheet, program, compiled, chart, 1)
    for number in range(shoes):
        slow.play_shoe(number, rule.burn, rule.cut)
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


@pytest.mark.parametrize("table", ["seats = 1", "enter = 2", "enter = 2\nleave = 1"])
def test_shoes_in_any_chunks_add_up_with_a_counter(table: str) -> None:
    """More shoes than lie side by side: somebody who sat down in one shoe stands again when the next begins."""
    sheet = holecard.rules("classic")
    play, _, _ = _compiled(sheet, _player(sheet, "hi-lo", table), 1, "cut:75", sides=False)
    assert play.play(0, 500) + play.play(500, 300) + play.play(800, 400) == play.play(0, 1200)


@pytest.mark.parametrize("rounding", quick(["down", "toward zero", "nearest"], "toward zero"))
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

"""A player who counts, with plain sums over the cards of a shoe that the referee has ruled on: kernels must agree.

The player's file is short, and its meaning is repeated here: hi-lo by decks not seen, rounded down; 1 unit below +1, 2
units at +1, 4 units from +2 on; insurance from +1 on; every side wager whenever it can be placed. The bets change no
card, so that the rounds are those of the referee.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import floor
from typing import NamedTuple, TypeAlias

from holecard.charts.chart import Chart
from holecard.counts import read_count_player
from holecard.deck import Card
from holecard.kernels.dealt_down.dealing_rule import DealingRule
from holecard.sheets.tables import Tables
from holecard.simulation.compile.counter_tables import compile_count
from holecard.simulation.compile.program import compile_program
from holecard.simulation.count_results import CountRow, insurance_rows, main_bet, side_bets, total_bet
from holecard.simulation.plays.counted_shoes import CountedShoes
from holecard.simulation.statistics.estimates import LEVEL
from holecard.simulation.witness.plain_hands import value
from holecard.wagers.pay_table import SideWager

_BETS = 'count = "hi-lo"\n[bets]\n"below 1" = 1\n1 = 2\n"2 and above" = 4\n'
_INSURED = '[plays]\ninsurance = "take at 1"\n'
#: The cards that one seat sees when insurance is offered: its own two, and the upcard.
_FIRST_SEEN = 3
_ROUNDING = 1e-9

_Results: TypeAlias = list[tuple[int, Fraction]]
"""the reading and the net result of every round that counts"""


class CountedRound(NamedTuple):
    """A round of a shoe, by the referee."""

    cards: Sequence[Card]
    """in the order dealt"""
    dealer: Sequence[Card]
    net: Fraction
    """of the main wager, per unit"""
    sides: Mapping[str, Fraction]
    """net results of the side wagers that were placed, per unit or in dollars"""


def bet_at(reading: int) -> int:
    """Return the bet in units."""
    return 4 if reading >= 2 else 2 if reading == 1 else 1


def reading_of(seen: Sequence[Card], decks: int) -> int:
    """Return the reading of hi-lo: small cards less tens and aces, for each deck not seen."""
    values = [value(card) for card in seen]
    running = sum((2 <= one <= 6) - (one in (1, 10)) for one in values)
    return floor(Fraction(52 * running, max(1, 52 * decks - len(values))))


class PlainCounter:
    """The counter at a table of one seat, and the kernels that play the same shoes."""

    def __init__(self, tables: Tables, chart: Chart, wagers: Sequence[SideWager], seed: int, rule: DealingRule) -> None:
        self.tables = tables
        player = read_count_player(_BETS + (_INSURED if tables.insurance is not None else ""))
        self.program = compile_program(tables, [chart, *player.charts(chart)], wagers, dealt_down=True)
        self.compiled = compile_count(tables, self.program, player, 0, rule)
        self.shoes = CountedShoes(self.program, 1, seed, rule, self.compiled.counter)

    def differs(self, number: int, rounds: Sequence[CountedRound]) -> Iterator[str]:
        """Yield where the kernels' counts of a shoe are not those of its rounds."""
        tally, main, insured, total = self.shoes.play(number, 1), [], [], []
        sides: dict[str, _Results] = {table.wager.name: [] for table in self.program.wagers}
        seen: list[Card] = []
        for one in rounds:
            reading, more = reading_of(seen, self.tables.decks), Fraction(0)
            for offer in self._insurance(seen, one):
                insured.append(offer)
                more = self.tables.insurance_share * (offer[1] if offer[0] >= 1 else 0)
            main.append((reading, one.net))
            total.append((reading, one.net + more))
            for name, net in one.sides.items():
                sides[name].append((reading, net))
            seen += one.cards
        of = (self.program, self.compiled, tally, LEVEL)
        yield from self._differ("main wager", main_bet(*of).rows, main)
        yield from self._differ("insurance", insurance_rows(self.compiled, tally, LEVEL), insured)
        yield from self._differ("main wager with insurance", total_bet(*of).rows, total)
        for side in side_bets(*of):
            yield from self._differ(side.name, side.rows, sides[side.name])
            # One unit is bet on each whenever it can be placed.
            due, counted = float(sum(net for _, net in sides[side.name])), side.won.ev * len(rounds)
            if abs(counted - due) > _ROUNDING * max(1, len(rounds)):
                yield f"simulated: a counter wins {counted:.9g} on {side.name}; by the rules {due:.9g}"
        # Sums over shoes count money in steps; only odds with very large denominators are rounded to them.
        steps = self.compiled.main_scale
        won = sum(bet_at(reading) * Fraction(round(net * steps), steps) for reading, net in total)
        units = total_bet(*of).won.ev * len(rounds)
        if abs(units - won) > _ROUNDING * max(1, len(rounds)):
            yield f"simulated: a counter wins {units:.9g} units; by the rules {float(won):.9g}"

    def _insurance(self, before: Sequence[Card], played: CountedRound) -> Iterator[tuple[int, Fraction]]:
        """Yield the reading and the net result of insurance, if it is offered."""
        pays, (upcard, second, *_) = self.tables.insurance, played.dealer
        if pays is not None and value(upcard) == 1:
            reading = reading_of([*before, *played.cards[:_FIRST_SEEN]], self.tables.decks)
            yield reading, pays if value(second) == 10 else Fraction(-1)

    def _differ(self, name: str, rows: Sequence[CountRow], due: _Results) -> Iterator[str]:
        """Yield a difference between rows by reading and what they should be."""
        low, *_, high = self.compiled.readings(0)
        expected = Counter((min(max(reading, low), high), net) for reading, net in due)
        counted = {(row.reading, net): count for row in rows for net, count in row.histogram.items() if count}
        if counted != dict(expected):
            yield f"simulated: by count, {name} has {_said(counted)}; by the rules {_said(expected)}"


def _said(counted: Mapping[tuple[int, Fraction], int]) -> str:
    return ", ".join(f"{net} at {reading:+}: {count}" for (reading, net), count in sorted(counted.items()))

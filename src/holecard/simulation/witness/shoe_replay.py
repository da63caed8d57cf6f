"""Replay whole shoes that are dealt down to the cut card: the kernels, the `Table`, and the referee.

The table says how many cards each round takes, and the next round begins behind them. The kernels count whole shoes, so
the sum over a shoe must be that of the referee's rulings, and so must the sums of a counter (see `plain_counter`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

import numpy as np

from holecard.deck import DECK, Card
from holecard.errors import Refusal
from holecard.exact.strategies import Strategy
from holecard.kernels.play.dealing import begin_whole_shoe, dealt_size, nth_card
from holecard.sheets.schema import RuleSheet
from holecard.simulation.compile.program import compile_program
from holecard.simulation.plays.dealt_down_shoes import ShoeRounds
from holecard.simulation.procedures import procedure_of
from holecard.simulation.results import dealer_first_cards, seat_results
from holecard.simulation.run.tally import Tally
from holecard.simulation.statistics.estimates import LEVEL, Histogram
from holecard.simulation.witness.differences import table_differs
from holecard.simulation.witness.plain_counter import CountedRound, PlainCounter
from holecard.simulation.witness.plain_hands import value
from holecard.simulation.witness.referee import PaidWager, Referee, RefereeRuling
from holecard.simulation.witness.three_ways import Difference, NumberedShoe, Witness
from holecard.wagers.pay_table import SideWager


class _OutOfCardsError(Exception):
    """A shoe has no more cards; the table would shuffle the discards."""


class _DealtShoe(NumberedShoe):
    """The cards of a shoe from a position on."""

    def __init__(self, sheet: RuleSheet, cards: Sequence[Card], position: int) -> None:
        self.settings, self.seed = sheet.shoe, None
        self._cards, self._next = cards, position

    def next_card(self) -> Card:
        """Return the next card."""
        if self._next == len(self._cards):
            raise _OutOfCardsError
        self._next += 1
        return self._cards[self._next - 1]

    @property
    def taken(self) -> int:
        """Cards that are out."""
        return self._next


class ShoeWitness(Witness):
    """Whole shoes of one player, replayed round by round."""

    def __init__(self, sheet: RuleSheet, player: Strategy, seed: int, wagers: Sequence[SideWager]) -> None:
        super().__init__(sheet, [player], seed, wagers, player.name)
        # The kernels draw no card for insurance; a table without a hole card would.
        self.stakes = replace(self.stakes, insurance=0)
        self.referee = Referee(sheet.tables, self.by_seat, self.stakes)
        rule = procedure_of(sheet, "cut:75").rule
        assert rule is not None
        # Computed here from the words of the sheet: no round starts once three quarters of the cards are out.
        self.first, self.cut = sheet.shoe.burn, 52 * sheet.shoe.decks * 75 // 100
        self.dealt_down = compile_program(sheet.tables, self.by_seat, wagers, dealt_down=True)
        self.shoes = ShoeRounds(self.dealt_down, (0,), seed, rule)
        try:
            self.counter: PlainCounter | None = PlainCounter(sheet.tables, player.chart, wagers, seed, rule)
        except Refusal:  # odds that are too large for sums of bets: `simulate --count` refuses such a game, too
            self.counter = None
        self._cards: Sequence[Card] = ()
        self._position = 0

    def _shoe(self, _number: int) -> NumberedShoe:
        return _DealtShoe(self.sheet, self._cards, self._position)

    def _whole_shoe(self, number: int) -> list[Card]:
        decks = self.sheet.shoe.decks
        dealt = np.empty(dealt_size(52 * decks, self.dealt_down.offsets.hands), np.uint16)
        begin_whole_shoe(dealt, 52 * decks)
        shoe, key = np.uint64(number), np.uint64(self.seed)
        return [DECK[int(nth_card(shoe, key, 52 * decks, 1, dealt, n)) // decks] for n in range(52 * decks)]

    def replay(self, number: int) -> tuple[int, Difference | None]:
        """Replay one shoe; return the number of its rounds, and the difference, or None."""
        rulings: list[RefereeRuling] = []
        counted: list[CountedRound] = []
        lines: list[str] = []
        self._cards, self._position = self._whole_shoe(number), self.first
        try:
            while self._position < self.cut:
                ruling = self.referee.judge(self._shoe(number).next_card)
                table, played = self._at_table(number)
                lines += table_differs(played, ruling)
                rulings.append(ruling)
                assert isinstance(table.shoe, _DealtShoe)
                counted.append(self._round(ruling, self._cards[self._position : table.shoe.taken]))
                self._position = table.shoe.taken
            lines += self._kernels_differ(self.shoes.play(number, 1), rulings, counted)
            lines += self.counter.differs(number, counted) if self.counter else ()
        except _OutOfCardsError:
            return len(rulings), None
        except Exception as error:  # any failure is a finding about this shoe
            lines = [f"the shoe could not be finished: {type(error).__name__}: {error}"]
        return len(rulings), Difference(number, f"{self.name}, shoe dealt down", tuple(lines), "") if lines else None

    def _round(self, ruling: RefereeRuling, cards: Sequence[Card]) -> CountedRound:
        """Return what a round won, per unit of each wager."""
        unit = self.stakes.main * (2 if self.sheet.tables.has_companion else 1)
        net = sum((one.exact for one in ruling.paid if one.hand), Fraction(0)) / unit
        sides = {}
        for wager in (table.wager for table in self.dealt_down.wagers):
            if paid := _paid_on(ruling, wager.name):
                in_dollars = wager.token or any(line.pays.fixed is not None for line in wager.lines)
                staked = 100 if in_dollars else self.stakes.sides[wager.name]
                sides[wager.name] = sum((one.exact for one in paid), Fraction(0)) / staked
        return CountedRound(cards, ruling.dealer, net, sides)

    def _kernels_differ(
        self, tally: Tally, rulings: list[RefereeRuling], rounds: Sequence[CountedRound]
    ) -> Iterator[str]:
        """Yield where the sums over the shoe are not those of the rulings."""
        (seat,) = seat_results(self.dealt_down, tally, tuple(self.players), LEVEL)
        if tally["rounds"] != len(rulings):
            yield f"simulated: the shoe has {int(tally['rounds'])} rounds; by the rules {len(rulings)}"
        dealers = {two: count for two, count in dealer_first_cards(tally).items() if count}
        due_dealers = Counter((value(ruling.dealer[0]), value(ruling.dealer[1])) for ruling in rulings)
        if dealers != dict(due_dealers):
            yield f"simulated: the dealer's first cards are {dealers}; by the rules {dict(due_dealers)}"
        due = Counter(one.net for one in rounds)
        if _occurred(seat.histogram) != dict(due):
            yield f"simulated: net results {_said(seat.histogram)}; by the rules {_said(due)}"
        for sample in seat.wagers:
            placed = Counter(one.sides[sample.name] for one in rounds if sample.name in one.sides)
            if (found := _occurred(sample.histogram)) != dict(placed):
                yield f"simulated: {sample.name} has net results {_said(found)}; by the rules {_said(placed)}"


def _paid_on(ruling: RefereeRuling, name: str) -> list[PaidWager]:
    return [one for one in ruling.paid if not one.hand and one.wager in (name, f"{name} tax")]


def _occurred(histogram: Histogram) -> dict[Fraction, int]:
    return {net: count for net, count in histogram.items() if count}


def _said(histogram: Histogram) -> str:
    return ", ".join(f"{net}: {count}" for net, count in sorted(_occurred(histogram).items()))

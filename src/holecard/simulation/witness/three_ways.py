"""Play one round three ways: in the kernels, at the `Table` card by card, and by the `referee`.

All three get the cards of the same numbered shoe; `differences` describes where they disagree.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import ceil, lcm

import numpy as np

from holecard.deck import DECK, Card
from holecard.exact.strategies import Strategy
from holecard.kernels.play.dealing import begin, dealt_size, nth_card
from holecard.kernels.play.lookup import OF_DEALER, RESULT
from holecard.kernels.play.novel_rounds import feature_count, find_novel_rounds
from holecard.money import dollars
from holecard.sheets.schema import RuleSheet
from holecard.sheets.tables import Tables
from holecard.simulation.compile.program import compile_program
from holecard.simulation.plays.fresh_shoes import FreshRounds
from holecard.simulation.results import dealer_final_hands, dealer_first_cards, insurance_sample, seat_results
from holecard.simulation.run.tally import Tally
from holecard.simulation.statistics.estimates import LEVEL
from holecard.simulation.witness.differences import AtTable, Simulated, simulation_differs, table_differs
from holecard.simulation.witness.forbidden_bets import wrong_amounts, wrongly_accepted
from holecard.simulation.witness.plain_hands import is_taken
from holecard.simulation.witness.referee import Referee, SeatStakes
from holecard.table.dealing.shoe import Shoe
from holecard.table.late_wagers import ASKING
from holecard.table.table import Table
from holecard.wagers.pay_table import SideWager

#: Rounds searched for ones with a new feature.
SEARCHED = 300_000
#: Bankroll in main wagers, enough for anything a chart does.
_BANKROLL = 1000
_MOST_STAKES_TRIED = 200


@dataclass(frozen=True, slots=True)
class Difference:
    """A round on which the three disagree."""

    number: int
    """number of the round in its run, from 0"""
    strategy: str
    lines: tuple[str, ...]
    """each difference as text"""
    record: str
    """the round as the table played it, for `holecard replay`; empty if it could not be played"""


class NumberedShoe(Shoe):
    """The cards of one shoe of a run, in dealing order."""

    def __init__(self, sheet: RuleSheet, seed: int, number: int, hands: int) -> None:
        self.settings, self.seed = sheet.shoe, None
        self._decks, self._key, self._number = sheet.shoe.decks, np.uint64(seed), np.uint64(number)
        self._dealt = np.empty(dealt_size(52 * self._decks, hands), np.uint16)
        self._next = 0
        begin(self._dealt)

    def draw(self, wanted: int) -> list[Card]:
        """Return the next cards; they never run out."""
        return [self.next_card() for _ in range(wanted)]

    def next_card(self) -> Card:
        """Return the next card."""
        drawn = nth_card(self._number, self._key, 52 * self._decks, 0, self._dealt, self._next)
        self._next += 1
        return DECK[int(drawn) // self._decks]


class Witness:
    """The rounds of one run, replayed one by one."""

    def __init__(
        self, sheet: RuleSheet, players: Sequence[Strategy], seed: int, wagers: Sequence[SideWager], name: str
    ) -> None:
        self.sheet, self.seed, self.name = sheet, seed, name
        self.players = tuple(players)
        self.by_seat = [player.chart for player in players]
        charts = list(dict.fromkeys(self.by_seat))
        self.program = compile_program(sheet.tables, charts, wagers, draws_out=True)
        self.play = FreshRounds(self.program, tuple(charts.index(chart) for chart in self.by_seat), seed)
        self._work = self.play.workspace()
        self.stakes = stakes_for(sheet.tables, wagers)
        self._tried_bets = False
        self.referee = Referee(sheet.tables, self.by_seat, self.stakes)

    def pick(self, rounds: int, count: int, rare: int) -> list[int]:
        """Choose `count` of the first `rounds` rounds (all if there are no more); return their numbers.

        Up to `rare` of them show a feature that no earlier round has (see `novel_rounds`); the others are spread evenly
        over the run.
        """
        if rounds <= count:
            return list(range(rounds))
        # Features found last are the rarest; common ones turn up anyway.
        chosen = set(self._novel(min(rounds, SEARCHED))[-rare:]) if rare else set[int]()
        for index in range(count):
            if len(chosen) < count:
                chosen.add(index * rounds // count)
        return sorted(chosen)

    def _novel(self, rounds: int) -> list[int]:
        at, seats = self.program.offsets, len(self.by_seat)
        features = feature_count(at, self.program.wager_cells)
        found = np.zeros(features, np.int64)
        many = find_novel_rounds(
            self.program.lut,
            at,
            np.array(self.play.charts, np.uint8),
            np.uint64(self.seed),
            rounds,
            np.empty(dealt_size(at.cards, at.hands * seats), np.uint16),
            np.empty(at.hands * seats, np.int32),
            np.empty(seats, np.int32),
            np.empty(RESULT * seats + OF_DEALER, np.int64),
            np.zeros(features, np.bool_),
            found,
        )
        return [int(number) for number in found[:many]]

    def compare(self, number: int) -> Difference | None:
        """Play a round three ways; return the difference, or None."""
        record = ""
        try:
            ruling = self.referee.judge(self._shoe(number).next_card)
            table, played = self._at_table(number)
            simulated = self.simulated(number, 1)
            lines = [*table_differs(played, ruling), *simulation_differs(simulated, ruling, self.stakes)]
            if not self._tried_bets:
                self._tried_bets = True
                lines += wrongly_accepted(self.sheet, self.stakes.main)
                lines += wrong_amounts(self.sheet, self.stakes.main)
            if lines:
                record = str(table.record())
        except Exception as error:  # any failure is a finding about this round
            lines = [f"the round could not be finished: {type(error).__name__}: {error}"]
        return Difference(number, self.name, tuple(lines), record) if lines else None

    def simulated(self, first: int, rounds: int) -> Simulated:
        """Return rounds as the kernels play and report them."""
        tally: Tally = self.play.play(first, rounds, self._work)
        return Simulated(
            self.sheet.tables,
            seat_results(self.program, tally, self.players, LEVEL),
            insurance_sample(self.sheet, tally, LEVEL),
            {two: count for two, count in dealer_first_cards(tally).items() if count},
            dealer_final_hands(tally),
        )

    def _shoe(self, number: int) -> NumberedShoe:
        return NumberedShoe(self.sheet, self.seed, number, self.program.offsets.hands * len(self.by_seat))

    def _at_table(self, number: int) -> tuple[Table, AtTable]:
        """Play the round to its end; return the table and the outcome."""
        tables, stakes = self.sheet.tables, self.stakes
        table = Table(self.sheet, bankroll=dollars(_BANKROLL * stakes.main))
        table.shoe = self._shoe(number)
        early = _named(tables, tables.early_wagers, stakes)
        for seat in range(1, len(self.by_seat) + 1):
            table.bet(dollars(stakes.main), early, seat=seat)
        table.deal()
        side = _SideWagers(tables, stakes, table.state.upcard, soon=number % 2 == 0)
        actions, offered = [], []
        while table.phase != "done":
            seat = table.asked or 0
            if table.phase == "insurance":
                amount = dollars(stakes.insurance) if stakes.insurance else None
                table.act("insurance" if amount else "no insurance", amount)
            elif table.phase in ASKING:
                table.place(side.asked(seat, table.phase))
            else:
                if table.phase == "acting" and (now := side.before_acting(seat)):
                    table.place(now)
                action = self.by_seat[seat - 1].act(table.state)
                actions.append((seat, action))
                offered.append(frozenset(choice.action for choice in table.legal()))
                table.act(action)
        seats = range(1, len(self.by_seat) + 1)
        gained = tuple((table.bankroll(seat) or 0) - _BANKROLL * stakes.main for seat in seats)
        return table, AtTable(tuple(actions), tuple(offered), table.state.dealer, table.results, gained)


class _SideWagers:
    """Wagers placed after the dealer checks, each once: late ones at the first chance (`soon`) or at the last call."""

    def __init__(self, tables: Tables, stakes: SeatStakes, upcard: Card, *, soon: bool) -> None:
        def taken(wagers: Iterable[int]) -> list[int]:
            return [index for index in wagers if is_taken(tables.wagers[index], tables.wagers, upcard)]

        self.late = _named(tables, taken(tables.late_wagers), stakes)
        every = _named(tables, taken(tables.check_wagers), stakes)
        self.at_check = every if soon else {name: stake for name, stake in every.items() if name not in self.late}
        self.soon = soon
        self._placed: dict[int, set[str]] = {}

    def asked(self, seat: int, phase: str) -> dict[str, str]:
        """Return the wagers a seat places when asked."""
        return self._new(seat, self.late if phase == "last call" else self.at_check)

    def before_acting(self, seat: int) -> dict[str, str]:
        """Return the wagers a seat places before it acts."""
        return self._new(seat, self.late) if self.soon else {}

    def _new(self, seat: int, wanted: dict[str, str]) -> dict[str, str]:
        before = self._placed.setdefault(seat, set())
        new = {name: stake for name, stake in wanted.items() if name not in before}
        before.update(new)
        return new


def stakes_for(tables: Tables, wagers: Sequence[SideWager]) -> SeatStakes:
    """Return the minimum side wagers and insurance, and the smallest main wager they may be placed with.

    If some main wager pays fractions of a cent, take the smallest such one, so that rounding is tested too.
    """
    possible = list(_main_stakes(tables, wagers)) or [tables.main.low]
    whole = _least_paid_in_whole_cents(tables)
    main = next((stake for stake in possible if stake % whole), possible[0])
    insures = tables.insurance is not None and tables.insurance_low <= int(main) * tables.insurance_share
    return SeatStakes(main, {wager.name: wager.limits.low for wager in wagers}, tables.insurance_low if insures else 0)


def _main_stakes(tables: Tables, wagers: Sequence[SideWager]) -> Iterator[int]:
    """Yield the main wagers that allow the side wagers and insurance."""
    lows = [wager.limits.low for wager in wagers if wager.at_most_main]
    least = max(
        [*lows, ceil(int(tables.insurance_low) / tables.insurance_share) if tables.insurance is not None else 0]
    )
    limits = tables.main
    last = min(limits.high, limits.low + _MOST_STAKES_TRIED * limits.step)
    return (stake for stake in range(limits.low, last + 1, limits.step) if stake >= least)


def _least_paid_in_whole_cents(tables: Tables) -> int:
    """Return the smallest stake with all payments in whole cents; exactly its multiples have that too."""
    rows = [*(row for rows in tables.settlement for row in rows), tables.surrender, *filter(None, tables.quick_pay)]
    return lcm(*{cell.net.denominator for row in rows for cell in row})


def _named(tables: Tables, which: Iterable[int], stakes: SeatStakes) -> dict[str, str]:
    names = [tables.wagers[index].name for index in which]
    return {name: dollars(stakes.sides[name]) for name in names if name in stakes.sides}

"""One round three times: as the kernels play and report it, at the `Table` card by card, and by the `referee`.

All three get the cards of one numbered shoe of one seed. The table's results must be the referee's to the cent, wager
by wager; what the kernels report must be the referee's as exact fractions, for odds are not rounded there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from holecard.cards import DECK, Card, value_name
from holecard.kernels.book import DEALER_CARDS, OF_DEALER, RESULT
from holecard.kernels.dealing import begin, card, room_to_deal
from holecard.kernels.finding import find_new, happenings
from holecard.money import dollars, signed
from holecard.sheets.schema import RuleSheet
from holecard.sheets.tables import Tables
from holecard.simulation.estimates import LEVEL
from holecard.simulation.fresh import FreshRounds
from holecard.simulation.plain_hands import counts, value
from holecard.simulation.program import compile_program
from holecard.simulation.referee import Paid, Referee, Ruling, Stakes
from holecard.simulation.results import SeatResult, WagerSample, dealers_cards, dealers_endings, insured, seat_results
from holecard.simulation.strategies import Strategy
from holecard.strategy.chart import Chart
from holecard.table.events import Result
from holecard.table.shoe import Shoe
from holecard.table.table import Table
from holecard.wagers.pay_table import SideWager

#: Rounds looked through for such as have something new in them.
SEARCHED = 1_000_000
#: A seat can pay for whatever a chart does.
_BANKROLL = 1000
_MOST_STAKES_TRIED = 200


@dataclass(frozen=True, slots=True)
class Difference:
    """A round that does not come to the same."""

    number: int
    """of the round in its run, counted from 0"""
    strategy: str
    words: tuple[str, ...]
    """each difference in words"""
    record: str
    """the round as the table played it, which `holecard replay` reads; empty where it could not be played"""


class NumberedShoe(Shoe):
    """The cards of one shoe of a run, in the order they fall."""

    def __init__(self, sheet: RuleSheet, seed: int, number: int, hands: int) -> None:
        self.words, self.seed = sheet.shoe, None
        self._decks, self._key, self._number = sheet.shoe.decks, np.uint64(seed), np.uint64(number)
        self._dealt = np.empty(room_to_deal(52 * self._decks, hands), np.uint16)
        self._next = 0
        begin(self._dealt)

    def draw(self, wanted: int) -> list[Card]:
        """The next cards; there is no end to them."""
        return [self.next_card() for _ in range(wanted)]

    def next_card(self) -> Card:
        """The next card."""
        drawn = card(self._number, self._key, 52 * self._decks, 0, self._dealt, self._next)
        self._next += 1
        return DECK[int(drawn) // self._decks]


class Witness:
    """The rounds of one run, to be played again one by one."""

    def __init__(
        self, sheet: RuleSheet, players: Sequence[Strategy], seed: int, wagers: Sequence[SideWager], name: str
    ) -> None:
        self.sheet, self.seed, self.name = sheet, seed, name
        self.players = tuple(players)
        self.by_seat = [player.chart for player in players]
        charts = list(dict.fromkeys(self.by_seat))
        self.program = compile_program(sheet.tables, charts, wagers, draws_out=True)
        self.play = FreshRounds(self.program, tuple(charts.index(chart) for chart in self.by_seat), seed)
        self.stakes = stakes_for(sheet.tables, wagers)
        self.referee = Referee(sheet.tables, self.by_seat, self.stakes)

    def pick(self, rounds: int, count: int) -> list[int]:
        """The numbers of `count` of the first `rounds` rounds, all of them if they are no more.

        Up to half of them each have something in them that no earlier round has, see `finding`; the others lie evenly
        over the run.
        """
        if rounds <= count:
            return list(range(rounds))
        # What was found last is rarest; what was found first is met without looking for it.
        chosen = set(self._with_something_new(min(rounds, SEARCHED))[-(count // 2) :]) if count > 1 else set()
        evenly = (index * rounds // count for index in range(count))
        for number in evenly:
            if len(chosen) == count:
                break
            chosen.add(number)
        return sorted(chosen)

    def _with_something_new(self, rounds: int) -> list[int]:
        at, seats = self.program.places, len(self.by_seat)
        things = happenings(at, self.program.wager_cells)
        found = np.zeros(things, np.int64)
        many = find_new(
            self.program.book,
            at,
            np.array(self.play.charts, np.uint8),
            np.uint64(self.seed),
            rounds,
            np.empty(room_to_deal(at.cards, at.hands * seats), np.uint16),
            np.empty(at.hands * seats, np.int32),
            np.empty(seats, np.int32),
            np.empty(RESULT * seats + OF_DEALER, np.int64),
            np.zeros(things, np.bool_),
            found,
        )
        return [int(number) for number in found[:many]]

    def compare(self, number: int) -> Difference | None:
        """A round three times; None where it always comes to the same."""
        record = ""
        try:
            ruling = self.referee.judge(self._shoe(number).next_card)
            table, actions = self._at_table(number)
            record = str(table.record())
            words = [*self._table_differs(table, actions, ruling), *self._simulation_differs(number, ruling)]
        except Exception as error:  # whatever goes wrong with a round, it is this round that shows it
            words = [f"the round cannot be played to its end: {type(error).__name__}: {error}"]
        return Difference(number, self.name, tuple(words), record) if words else None

    def _shoe(self, number: int) -> NumberedShoe:
        return NumberedShoe(self.sheet, self.seed, number, self.program.places.hands * len(self.by_seat))

    # At the table

    def _at_table(self, number: int) -> tuple[Table, list[tuple[int, str]]]:
        """The round played to its end, and what the charts did."""
        tables, stakes = self.sheet.tables, self.stakes
        table = Table(self.sheet, bankroll=dollars(_BANKROLL * stakes.main))
        table.shoe = self._shoe(number)
        early, late = (_named(tables, which, stakes) for which in (tables.early_wagers, tables.check_wagers))
        for seat in range(1, len(self.by_seat) + 1):
            table.bet(dollars(stakes.main), early, seat=seat)
        table.deal()
        asked_for_wagers: set[int] = set()
        actions = []
        while table.phase != "done":
            seat = table.asked or 0
            if table.phase == "insurance":
                amount = dollars(stakes.insurance) if stakes.insurance else None
                table.act("insurance" if amount else "no insurance", amount)
            elif table.offered and seat not in asked_for_wagers:
                asked_for_wagers.add(seat)
                table.place(late)
            else:
                action = self.by_seat[seat - 1].act(table.state)
                actions.append((seat, action))
                table.act(action)
        return table, actions

    def _table_differs(self, table: Table, actions: list[tuple[int, str]], ruling: Ruling) -> Iterator[str]:
        if tuple(actions) != ruling.actions:
            yield f"the seats do: {_say_actions(actions)}; by the chart and the rules: {_say_actions(ruling.actions)}"
        dealer = table.state.dealer
        if dealer != ruling.dealer[: len(dealer)] or (ruling.waits and len(dealer) < len(ruling.dealer)):
            yield f"the dealer's cards at the table are {_say(dealer)}, by the rules {_say(ruling.dealer)}"
        paid = {(result.seat, result.hand, result.wager): result for result in table.results}
        due = {(one.seat, one.hand, one.wager): one for one in ruling.paid}
        for key in due.keys() | paid.keys():
            yield from _wager_differs(paid.get(key), due.get(key))
        for seat in range(1, len(self.by_seat) + 1):
            owed = sum(one.net for one in ruling.paid if one.seat == seat)
            got = (table.bankroll(seat) or 0) - _BANKROLL * self.stakes.main
            if got != owed:
                yield f"seat {seat}: the account changes by {signed(got)}, by the rules by {signed(owed)}"

    # As the kernels play it

    def _simulation_differs(self, number: int, ruling: Ruling) -> Iterator[str]:
        tally = self.play.play(number, 1)
        for seat, result in enumerate(seat_results(self.program, tally, self.players, LEVEL), start=1):
            yield from self._seat_differs(seat, result, [one for one in ruling.paid if one.seat == seat])
        up, second = (value(one) for one in ruling.dealer[:2])
        opening = [two for two, count in dealers_cards(tally).items() if count]
        if opening != [(up, second)]:
            yield f"the dealer's first cards are {opening}, by the rules {value_name(up)} and {value_name(second)}"
        ending = min(counts(ruling.dealer)[0], 22), min(len(ruling.dealer), DEALER_CARDS)
        if dealers_endings(tally) != {ending: 1}:
            yield f"the dealer ends with (total, cards) {list(dealers_endings(tally))}, by the rules {ending}"
        insurance = insured(self.sheet, tally, LEVEL)
        won = {} if insurance is None else {net: count for net, count in insurance.histogram.items() if count}
        if won != ({} if ruling.insurance is None else {ruling.insurance: 1}):
            yield f"insurance is simulated as {_say_nets(won)}, by the rules {ruling.insurance} per unit"

    def _seat_differs(self, seat: int, result: SeatResult, due: list[Paid]) -> Iterator[str]:
        """The main wager, then every side wager."""
        unit = self.stakes.main * (2 if self.sheet.tables.has_companion else 1)
        on_hands = [one for one in due if one.hand]
        net = sum((one.exact for one in on_hands), Fraction(0)) / unit
        if result.histogram != {net: 1}:
            yield f"seat {seat}: simulated net result {_say_nets(result.histogram)}, by the rules {net} initial stakes"
        staked = Fraction(sum(one.stake for one in on_hands), unit)
        if result.staked != staked:
            yield f"seat {seat}: {result.staked} initial stakes are simulated in play, by the rules {staked}"
        for sample in result.wagers:
            wager = next(wager for wager in self.sheet.tables.wagers if wager.name == sample.name)
            yield from _sample_differs(seat, wager, sample, due)


def _sample_differs(seat: int, wager: SideWager, sample: WagerSample, due: list[Paid]) -> Iterator[str]:
    """A side wager as it is simulated: net result with the tax taken off, line, and tax."""
    paid = [one for one in due if one.hand == 0 and one.wager == wager.name]
    tax = [one for one in due if one.wager == f"{wager.name} tax"]
    in_dollars = wager.token or any(line.pays.fixed is not None for line in wager.lines)
    net = {sum((one.exact for one in [*paid, *tax]), Fraction(0)) / (100 if in_dollars else paid[0].stake): 1} if paid else {}
    simulated = {net: count for net, count in sample.histogram.items() if count}
    if simulated != net:
        yield f"seat {seat} {wager.name}: simulated net result {_say_nets(simulated)}, by the rules {_say_nets(net)}"
    lines = (*wager.lines, None)
    wanted = [wager.lines.index(one.line) if one.line else len(wager.lines) for one in paid]
    came = [index for index, line in enumerate(sample.lines) for _ in range(line.count)]
    if came != wanted:
        names = [[_say_line(lines[index]) for index in which] for which in (came, wanted)]
        yield f"seat {seat} {wager.name}: simulated line {names[0]}, by the rules {names[1]}"
    taxed = [line.line for line in sample.taxes for _ in range(line.count)]
    if taxed != [one.line.name for one in tax if one.line]:
        yield f"seat {seat} {wager.name}: simulated tax {taxed}, by the rules {[one.line.name for one in tax if one.line]}"


def _wager_differs(paid: Result | None, due: Paid | None) -> Iterator[str]:
    """One wager as the table paid it."""
    if paid is None:
        assert due is not None
        yield f"{_place(due)}: not settled at the table, by the rules {signed(due.net)}"
    elif due is None:
        yield f"{paid}: by the rules there is no such wager"
    elif (paid.stake, paid.net) != (due.stake, due.net):
        yield f"{paid}: by the rules {signed(due.net)} on {dollars(due.stake)}"
    elif due.line is not None and due.line.name not in paid.line:
        yield f"{paid}: by the rules the line is {due.line.name}"


def stakes_for(tables: Tables, wagers: Sequence[SideWager]) -> Stakes:
    """The lowest side wagers, and the lowest main wager for which nothing is rounded, if there is one."""
    main = next((stake for stake in _main_stakes(tables, wagers) if _pays_whole_cents(tables, stake)), None)
    if main is None:
        main = next(iter(_main_stakes(tables, wagers)), tables.main.low)
    most = main * tables.insurance_share.numerator // tables.insurance_share.denominator
    insures = tables.insurance is not None and tables.insurance_low <= most
    return Stakes(main, {wager.name: wager.limits.low for wager in wagers}, most if insures else 0)


def _main_stakes(tables: Tables, wagers: Sequence[SideWager]) -> Iterator[int]:
    """Those that the side wagers may be placed with."""
    least = max((wager.limits.low for wager in wagers if wager.at_most_main), default=0)
    limits = tables.main
    last = min(limits.high, limits.low + _MOST_STAKES_TRIED * limits.step)
    return (stake for stake in range(limits.low, last + 1, limits.step) if stake >= least)


def _pays_whole_cents(tables: Tables, stake: int) -> bool:
    cells = [cell for rows in tables.settlement for row in rows for cell in row]
    cells += [*tables.surrender, *(cell for row in tables.quick_pay if row for cell in row)]
    return all(stake % cell.net.denominator == 0 for cell in cells)


def _named(tables: Tables, which: Iterable[int], stakes: Stakes) -> dict[str, str]:
    names = [tables.wagers[index].name for index in which]
    return {name: dollars(stakes.sides[name]) for name in names if name in stakes.sides}


def _place(one: Paid) -> str:
    return f"seat {one.seat}" + (f" hand {one.hand}" if one.hand else "") + f" {one.wager} {dollars(one.stake)}"


def _say(cards: Sequence[Card]) -> str:
    return " ".join(map(str, cards))


def _say_actions(actions: Iterable[tuple[int, str]]) -> str:
    return ", ".join(f"seat {seat} {action}" for seat, action in actions) or "nothing"


def _say_nets(nets: Iterable[Fraction]) -> str:
    return " and ".join(map(str, nets)) or "nothing"


def _say_line(line: object) -> str:
    return "none" if line is None else str(line)

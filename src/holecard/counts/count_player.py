"""A player who counts: the count, the bets, the plays, and when to sit down and leave."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import product
from math import prod

from holecard.charts.chart import Chart
from holecard.charts.layout import Layout
from holecard.counts.count import Count, is_whole
from holecard.counts.index_plays import INSURANCE_PLAY, IndexPlay, cell_of, with_play
from holecard.counts.ramp import FLAT, Ramp
from holecard.errors import CountError, Problem, did_you_mean, plural, shortly
from holecard.hands import total_of
from holecard.presentation import Brief
from holecard.sheets.files.toml_lines import KeyPath, line_of
from holecard.sheets.schema import RuleSheet

#: The settings of a table, each with the lowest and the highest value.
TABLE_LIMITS = {"seats": (1, 99), "seat": (1, 99), "cut": (1, 100), "enter": (-999, 999), "leave": (-999, 999)}

#: The highest true count that a player may use, and the most charts that all plays together may make.
_MOST_TRUE, _MOST_CHARTS = 150, 400


@dataclass(frozen=True)
class WagerRamp:
    """The bet on one side wager by the main count, or by a side count."""

    wager: str
    ramp: Ramp
    count: str | None = None


@dataclass(frozen=True)
class CountFile:
    """The file that a player was read from, for refusals that name a line."""

    name: str
    text: str = ""

    def problem(self, path: KeyPath, what: str) -> Problem:
        """Return a problem at a key of the file."""
        return Problem(".".join(map(str, path)), what, line_of(self.text, path))


_NO_FILE = CountFile("the counter")


@dataclass(frozen=True, repr=False)
class CountPlayer(Brief):
    """A player who bets and plays by a count; without bets and plays, one unit each round by the chart alone."""

    count: Count
    ramp: Ramp = FLAT
    plays: tuple[IndexPlay, ...] = ()
    side_counts: tuple[Count, ...] = ()
    wagers: tuple[WagerRamp, ...] = ()
    """bets on side wagers; those not named get one unit each round"""
    enter: int | None = None
    """sits down at this count or above; None: at once"""
    leave: int | None = None
    """leaves below this count, until the next shoe or until `enter`; None: never"""
    seats: int | None = None
    seat: int = 1
    """the counter's seat, from 1"""
    cut: int | None = None
    """percent of the shoe before the cut card"""
    file: CountFile = field(default=_NO_FILE, compare=False, repr=False)

    def __post_init__(self) -> None:
        if problems := [*self._setting_problems(), *self._name_problems()]:
            raise CountError(self.file.name, problems)

    @property
    def name(self) -> str:
        """The count's name."""
        return self.count.name

    @property
    def counts(self) -> tuple[Count, ...]:
        """The main count, then the side counts."""
        return (self.count, *self.side_counts)

    @property
    def insurance(self) -> tuple[IndexPlay, ...]:
        """The plays that take insurance; it is taken where one of them applies."""
        return tuple(play for play in self.plays if play.hand == INSURANCE_PLAY)

    def number_of(self, count: str | None) -> int:
        """Return which of `counts` a play or a wager means."""
        return 0 if count is None else 1 + [one.name.lower() for one in self.side_counts].index(count.lower())

    def thresholds(self, number: int) -> tuple[int, ...]:
        """Return the counts at which a play on a hand changes, ascending, for one of `counts`."""
        plays = (play for play in self.plays if play.hand != INSURANCE_PLAY)
        return tuple(sorted({play.index for play in plays if self.number_of(play.count) == number}))

    def charts(self, chart: Chart) -> tuple[Chart, ...]:
        """Return the chart for every combination of levels of the counts, the last count fastest.

        A count's level is the number of its `thresholds` that it has reached.
        """
        found = []
        edges = [self.thresholds(number) for number in range(len(self.counts))]
        # A count in the middle of each level: below the first threshold, then at each of them.
        readings = [(marks[0] - 1, *marks) if marks else (0,) for marks in edges]
        for at in product(*readings):
            applied = [p for p in self.plays if p.hand != INSURANCE_PLAY and p.applies(at[self.number_of(p.count)])]
            found.append(_with_plays(chart, applied))
        return tuple(found)

    def _setting_problems(self) -> Iterator[Problem]:
        for key in TABLE_LIMITS:
            given = getattr(self, key)
            if (key == "seat" or given is not None) and (what := setting_problem(key, given)):
                yield self.file.problem(("table", key), what)
                return
        if self.enter is not None and self.leave is not None and self.leave > self.enter:
            yield self.file.problem(("table", "leave"), leaves_early(self.enter, self.leave))

    def _name_problems(self) -> Iterator[Problem]:
        """Yield side counts that plays and wagers name but the player does not have, and names of two side counts."""
        names = [count.name.lower() for count in self.side_counts]
        if twice := [name for name in names if names.count(name) > 1]:
            yield self.file.problem(("side",), f"two side counts have the name {twice[0]!r}; change one of them")
        named = [*((("plays", play.title), play.count) for play in self.plays)]
        named += [(("wagers", one.wager), one.count) for one in self.wagers]
        for path, count in named:
            if count is not None and count.lower() not in names:
                yield self.file.problem(path, no_side_count(count, [one.name for one in self.side_counts]))

    def check(self, sheet: RuleSheet) -> None:
        """Raise a `CountError` if a game cannot be played so: hands, actions, wagers, seats, or the cut card."""
        problems = [
            *self._play_problems(sheet),
            *self._range_problems(),
            *self._wager_problems(sheet),
            *self._bet_problems(sheet),
            *self._table_problems(sheet),
        ]
        if problems:
            raise CountError(self.file.name, problems)

    def _play_problems(self, sheet: RuleSheet) -> Iterator[Problem]:
        layout = Layout.of(sheet.tables)
        for play in self.plays:
            if play.hand == INSURANCE_PLAY:
                if sheet.tables.insurance is None:
                    yield self.file.problem(("plays", INSURANCE_PLAY), f"{sheet.name} offers no insurance")
            elif isinstance(found := cell_of(layout, play), str):
                yield self.file.problem(("plays", play.written or play.title), found)

    def _range_problems(self) -> Iterator[Problem]:
        """Yield counts that are too far apart to be kept apart, and plays that make too many charts."""
        for path, count, mark in self._marks():
            if self.counts[self.number_of(count)].kind == "true" and abs(mark) > _MOST_TRUE:
                what = f"no true count comes near {mark}; use a count from -{_MOST_TRUE} to {_MOST_TRUE}"
                yield self.file.problem(path, what)
        charts = prod(len(self.thresholds(number)) + 1 for number in range(len(self.counts)))
        if charts > _MOST_CHARTS:
            what = (
                f"the indices of {len(self.counts)} counts make {charts:,} charts, more than {_MOST_CHARTS}; use fewer"
            )
            yield self.file.problem(("plays",), what)

    def _marks(self) -> Iterator[tuple[KeyPath, str | None, int]]:
        """Yield every count at which the player does something else: where it is written, and which count it is of."""
        yield from ((("bets",), None, mark) for mark in self.ramp.starts)
        yield from ((("plays", play.written or play.title), play.count, play.index) for play in self.plays)
        yield from ((("wagers", one.wager), one.count, mark) for one in self.wagers for mark in one.ramp.starts)
        for key in ("enter", "leave"):
            if (mark := getattr(self, key)) is not None:
                yield ("table", key), None, mark

    def _wager_problems(self, sheet: RuleSheet) -> Iterator[Problem]:
        names = [wager.name for wager in sheet.tables.wagers]
        for one in self.wagers:
            if one.wager not in names:
                hint = did_you_mean(one.wager, names) or "it has none"
                yield self.file.problem(("wagers", one.wager), f"{sheet.name} has no side wager of this name; {hint}")

    def _bet_problems(self, sheet: RuleSheet) -> Iterator[Problem]:
        """Yield bets on side wagers that the table would not take."""
        named = {one.wager: one for one in self.wagers}
        for wager in sheet.tables.wagers:
            mine = named.get(wager.name, WagerRamp(wager.name, FLAT))
            bets = self._bets_together(mine) if wager.at_most_main and wager.name in named else ()
            if over := next((f"{bet} units with a main bet of {main}" for main, bet in bets if bet > main), None):
                yield self.file.problem(("wagers", wager.name), f"may be at most the main wager, not {over}; bet less")
            pairs = self._bets_together(mine, named[wager.needs]) if wager.needs in named else ()
            if any(bet and not needed for _, bet, needed in pairs):
                where = wager.name if wager.name in named else str(wager.needs)
                what = f"{wager.name} needs {wager.needs}; bet 0 on {wager.name} wherever {wager.needs} gets 0"
                yield self.file.problem(("wagers", where), what)

    def _bets_together(self, *others: WagerRamp) -> Iterator[tuple[Fraction, ...]]:
        """Yield the bets of a round, main wager first, that can meet; rounds without a main bet have no others."""
        ramps = [WagerRamp("main", self.ramp), *others]
        counts = [self.number_of(one.count) for one in ramps]
        readings = []
        for number in range(len(self.counts)):
            marks = sorted(
                {mark for one, count in zip(ramps, counts, strict=True) if count == number for mark in one.ramp.starts}
            )
            readings.append([marks[0] - 1, *marks] if marks else [0])
        for at in product(*readings):
            bets = tuple(one.ramp.bet(at[count]) for one, count in zip(ramps, counts, strict=True))
            if bets[0] > 0:
                yield bets

    def _table_problems(self, sheet: RuleSheet) -> Iterator[Problem]:
        seats, most = self.seats or 1, sheet.tables.seats
        if seats > most:
            yield self.file.problem(("table", "seats"), f"cannot deal to {seats} seats; this table has 1 to {most}")
        elif self.seat > seats and self.seats is not None:
            yield self.file.problem(
                ("table", "seat"),
                f"seat {self.seat} does not exist at a table with {plural(seats, 'seat')}; write 1 to {seats}",
            )
        cards = 52 * sheet.shoe.decks - sheet.shoe.burn
        if 2 * seats + 2 > cards:
            yield self.file.problem(("table", "seats"), f"a shoe of {cards} cards does not serve {seats} seats")


def setting_problem(key: str, given: object) -> str | None:
    """Return why a setting of the table cannot have a value, or None."""
    low, high = TABLE_LIMITS[key]
    percent = " percent of the shoe" if key == "cut" else ""
    return None if is_whole(given, low, high) else f"{shortly(given)} is not valid; write {low} to {high}{percent}"


def leaves_early(enter: int, leave: int) -> str:
    """Return the refusal of a player who would leave at the count of sitting down."""
    return f"leaves below {leave}, but sits down at {enter}; use {enter} or less"


def no_side_count(asked: str, names: list[str]) -> str:
    """Return the refusal of a side count that the player does not have."""
    return f"there is no side count {asked!r}; {did_you_mean(asked, names) or 'add it to the side counts'}"


def _with_plays(chart: Chart, plays: list[IndexPlay]) -> Chart:
    """Return a chart with plays applied, the later on top of the earlier; those for a total also change exceptions."""
    cells = [list(row) for row in chart.cells]
    exceptions = [*chart.exceptions]
    for play in plays:
        place = cell_of(chart.layout, play)
        if not isinstance(place, str):
            row, column = place
            cells[row][column] = with_play(cells[row][column], play)
            for number, one in enumerate(exceptions):
                if (chart.layout.row(*total_of((one.low, one.high))), one.column) == place:
                    exceptions[number] = one._replace(cell=with_play(one.cell, play))
    return replace(chart, cells=tuple(map(tuple, cells)), exceptions=tuple(exceptions))

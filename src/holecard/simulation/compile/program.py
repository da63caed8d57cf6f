"""Rules and charts made ready to be played by look-up: the tables of the kernels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypedDict

import numpy as np
from numpy.typing import ArrayLike, NDArray

from holecard.charts.chart import Chart
from holecard.deck import DECK
from holecard.errors import Refusal
from holecard.hands import add
from holecard.kernels.play.lookup import (
    CLASSES,
    DEALER_ALONE,
    DEALER_OPEN,
    DEALER_SHORT,
    RANKS,
    ROW,
    VALUES,
    Places,
)
from holecard.payoffs.split_limits import most_hands
from holecard.payoffs.stakes import StakesOnHand, hand_payoffs_in_parts, payoff_scale
from holecard.sheets.tables import ANY_DEALER, BUST, DEALER_NATURAL, Tables, dealer_class
from holecard.simulation.compile.hand_nodes import OF_RANK, PLAIN, End, Node, Open, Player, Sight, Split, sight_of
from holecard.simulation.compile.live_wagers import Hopes, hopes_of
from holecard.simulation.compile.net_sums import NetSums, net_sums
from holecard.simulation.compile.wager_tables import WagerTable, wager_table
from holecard.wagers.dealer_hands import Finished
from holecard.wagers.pay_table import SideWager

#: Side by side, where a hand stands is written in 16 bits.
_MOST_NODES = 0xFFFF
#: Parts that a round may win in the book, and a hand where squares are summed over 10^9 shoes.
_MOST_PARTS, _MOST_IN_SHOES = 2**31 - 1, 2**14
#: For the second card of a hand that is not split.
_NEVER_READ = End(PLAIN, BUST, False), False
_PAIRS = [(first, second) for first in OF_RANK for second in OF_RANK]
#: Cards of two values are played alike whichever comes first, and a king as a ten.
_PLAYED_AS = [
    (one, two)
    if one.value == two.value
    else (OF_RANK[min(one.value, two.value) - 1], OF_RANK[max(one.value, two.value) - 1])
    for one, two in _PAIRS
]
_TWO_VALUES = [(first, second) for first in range(1, VALUES + 1) for second in range(1, VALUES + 1)]


@dataclass(frozen=True)
class Program:
    """The book of the kernels, and what its ends mean."""

    book: NDArray[np.int32]
    places: Places
    ends: tuple[End, ...]
    nets: tuple[Fraction, ...]
    """[net] every net result of a round, exactly, per unit of initial stake; rising"""
    of_cell: NDArray[np.intp]
    """[end and dealer class] the net result of a round without a split"""
    of_sum: NDArray[np.intp]
    """[sum of several hands] the net result of a round with one"""
    scale: int
    """The book's net results are whole numbers of 1/scale of the initial stake, rounded where odds are finer."""
    wagers: tuple[WagerTable, ...] = ()

    @property
    def wager_cells(self) -> int:
        """All the wagers' cells."""
        return sum(len(wager.cells) for wager in self.wagers)


def compile_program(
    tables: Tables,
    charts: Sequence[Chart],
    wagers: Sequence[SideWager] = (),
    *,
    draws_out: bool = False,
    dealt_down: bool = False,
) -> Program:
    """The program of a compiled sheet for those who play by these charts and place these side wagers.

    `draws_out`: the dealer plays even where no hand waits, so that its endings can be counted. `dealt_down`: the next
    round is dealt from the same shoe, so for side wagers the dealer draws as a table's would, no card too many; with
    fresh shoes it makes no difference, and to draw out is quicker than to ask.
    """
    sights = list(dict.fromkeys(sight_of(tables, *values) for values in _TWO_VALUES))
    players = [Player(tables, chart, number) for number, chart in enumerate(charts)]
    deals = [(player, sight, *pair) for player in players for sight in sights for pair in _PAIRS]
    first = [node for player in players for sight in sights for node in _first_nodes(player, sight)]
    split = {(node.chart, node.sight, node.rank) for node in first if isinstance(node, Split)}
    second = [
        player.second(sight, one, two) if (player.number, sight, one.rank) in split else _NEVER_READ
        for player, sight, one, two in deals
    ]
    numbers = _Numbers(_explore(players, [*first, *(node for node, _ in second)]), sights, len(charts))
    place = {sight: index for index, sight in enumerate(sights)}
    cards = [card for card in DECK for _ in range(tables.decks)]
    written = _Book()
    placed = tuple(wager_table(tables, wager) for wager in wagers)
    hopes = hopes_of(tables, placed if dealt_down else ())
    nets = _nets(tables, numbers.ends)
    sums = net_sums(nets, tables.split_hands, numbers.ends_from([node for node, _ in second]))
    exact = payoff_scale(tables)
    scale = _scale(exact, nets, _MOST_IN_SHOES if dealt_down else _MOST_PARTS // tables.split_hands)
    places = Places(
        cards=len(cards),
        dealt_down=int(dealt_down),
        value=written.add([*(card.value - 1 for card in cards), VALUES]),
        rank=written.add([*(card.rank for card in cards), 0]),
        suit=written.add([*(card.suit for card in cards), 0]),
        sight=written.add([place[sight_of(tables, *values)] for values in _TWO_VALUES]),
        sights=len(sights),
        first=written.add([numbers.of(node) for node in first]),
        second=written.add([numbers.of(node) for node, _ in second]),
        again=written.add([again for _, again in second]),
        most=written.add([most_hands(tables, rank) for rank in range(RANKS)]),
        after=written.add(numbers.after()),
        settled=sum(not end.waits for end in numbers.ends),
        ends=len(numbers.ends),
        splits=numbers.splits,
        dealer=written.add(_dealer_first(tables)),
        dealer_after=written.add(_dealer_after(tables)),
        has_hole=int(tables.hole_card != "none"),
        net=written.add(_rounded(nets, exact, scale)),
        kind=written.add(sums.kinds),
        kinds=sums.after.shape[1],
        sum_after=written.add(sums.after),
        sums=len(sums.sums),
        sum_net=written.add(_rounded(sums.sums, exact, scale)),
        stake=written.add([1 if end.raised == PLAIN else 2 for end in numbers.ends]),
        hands=tables.split_hands,
        draws_out=int(draws_out or (not dealt_down and any(wager.needs_dealer for wager in placed))),
        awaiting=written.add(hopes.awaiting),
        wagers=len(placed),
        wager=_write_wagers(written, placed, hopes),
    )
    return Program(
        book=written.bound(),
        places=places,
        ends=tuple(numbers.ends),
        **_net_results(nets, sums, exact),
        scale=scale,
        wagers=placed,
    )


def _first_nodes(player: Player, sight: Sight) -> list[Node]:
    """[rank, rank] of the first two cards, which are looked at once where they are played alike."""
    known = {pair: player.first(sight, *pair) for pair in dict.fromkeys(_PLAYED_AS)}
    return [known[pair] for pair in _PLAYED_AS]


class _Book:
    """Tables written one after the other."""

    def __init__(self) -> None:
        self.pages: list[NDArray[np.int32]] = []
        self.size = 0

    def add(self, table: ArrayLike) -> int:
        """Where it begins."""
        begin = self.size
        self.pages.append(np.asarray(table, np.int32).ravel())
        self.size += self.pages[-1].size
        return begin

    def bound(self) -> NDArray[np.int32]:
        return np.concatenate(self.pages)


def _write_wagers(written: _Book, wagers: tuple[WagerTable, ...], hopes: Hopes) -> int:
    """The wagers' tables, then what there is to say of each."""
    said: list[int] = []
    cells = 0
    for number, wager in enumerate(wagers):
        classes, finishes = wager.made.shape[1], wager.outcomes.shape[2]
        suits, made, ends = written.add(wager.suits), written.add(wager.made), written.add(wager.finishes)
        outcomes, hoping = written.add(wager.outcomes), written.add(hopes.wagers[number] if hopes.wagers else ())
        said += [wager.looks_at, suits, classes, made, ends, finishes, outcomes, hoping, cells]
        cells += len(wager.cells)
    return written.add(said)


class _Numbers:
    """Nodes numbered: settled ends, ends that wait, open hands; splits by chart, sight and rank after them."""

    def __init__(self, reached: dict[Node, list[Node]], sights: list[Sight], charts: int) -> None:
        self.reached = reached
        self.charts = charts
        self.ends = sorted((node for node in reached if isinstance(node, End)), key=_order)
        open_ = [node for node in reached if isinstance(node, Open)]
        self.number: dict[Node, int] = {}
        for nodes in (self.ends, open_):
            for node in nodes:
                self.number[node] = len(self.number)
        self.splits = len(self.number)
        self.sight = {sight: index for index, sight in enumerate(sights)}
        if self.of_none > _MOST_NODES:
            raise Refusal(
                f"these rules and {charts} strategies make {self.of_none:,} situations, more than {_MOST_NODES:,}; "
                "have more seats play alike"
            )

    @property
    def of_none(self) -> int:
        """Above all others: where no card leads."""
        return self.splits + self.charts * len(self.sight) * RANKS

    def of(self, node: Node) -> int:
        if isinstance(node, Split):
            return self.splits + (node.chart * len(self.sight) + self.sight[node.sight]) * RANKS + node.rank
        return self.number[node]

    def ends_from(self, begin: Sequence[Node]) -> set[int]:
        """The ends that can be come to from these nodes."""
        found: set[Node] = set()
        waiting = list(begin)
        while waiting:
            node = waiting.pop()
            if node not in found and not isinstance(node, Split):
                found.add(node)
                waiting += self.reached[node]
        return {self.number[node] for node in found if isinstance(node, End)}

    def after(self) -> NDArray[np.int32]:
        """[node, value]; an end stays what it is. Without a card there is nowhere to go."""
        found = np.full((self.splits, ROW), self.of_none, np.int32)
        for node, number in self.number.items():
            found[number, :VALUES] = [self.of(then) for then in self.reached[node]] or number
        return found


def _order(end: End) -> tuple[bool, int, int, bool, float]:
    return end.waits, end.raised, end.player, end.cash is not None, float(end.cash or 0)


def _explore(players: list[Player], begin: list[Node]) -> dict[Node, list[Node]]:
    """Every end and open hand that can be come to, with what each value makes of it; ends lead nowhere."""
    found: dict[Node, list[Node]] = {}
    waiting = begin
    while waiting:
        node = waiting.pop()
        if node in found or isinstance(node, Split):
            continue
        found[node] = (
            [players[node.chart].with_card(node, value) for value in range(1, VALUES + 1)]
            if isinstance(node, Open)
            else []
        )
        waiting += found[node]
    return found


def _nets(tables: Tables, ends: list[End]) -> NDArray[np.int64]:
    """[original or added stakes, end, dealer class] net result in parts of 1/`payoff_scale`."""
    every, scale = hand_payoffs_in_parts(tables), payoff_scale(tables)
    found = np.empty((2, len(ends), CLASSES), np.int64)
    for added, carries in enumerate((StakesOnHand.ORIGINAL, StakesOnHand.ADDED)):
        for number, end in enumerate(ends):
            if end.cash is not None:
                found[added, number] = int(end.cash * scale)
            elif end.waits:
                found[added, number] = every[carries + end.raised, end.player]
            else:
                found[added, number] = every[carries + end.raised, end.player, ANY_DEALER]
    return found


def _scale(exact: int, nets: NDArray[np.int64], room: int) -> int:
    """Parts to a stake with which every hand's net result has room: the exact number, or a power of two below it."""
    most = int(np.abs(nets).max())
    if most <= room:
        return exact
    scale = 1
    while 2 * scale * most <= room * exact:
        scale *= 2
    return scale


def _rounded(nets: NDArray[np.int64], exact: int, scale: int) -> NDArray[np.int64]:
    """Net results in parts of 1/scale instead of 1/exact."""
    return nets if scale == exact else np.rint(nets / exact * scale).astype(np.int64)


class _NetResults(TypedDict):
    nets: tuple[Fraction, ...]
    of_cell: NDArray[np.intp]
    of_sum: NDArray[np.intp]


def _net_results(nets: NDArray[np.int64], sums: NetSums, scale: int) -> _NetResults:
    """Every net result of a round once, and which of them a round has that is counted in a cell or by its sum."""
    alone = nets[0].ravel()
    every, place = np.unique(np.concatenate([alone, sums.sums]), return_inverse=True)
    return _NetResults(
        nets=tuple(Fraction(parts, scale) for parts in every.tolist()),
        of_cell=place[: alone.size],
        of_sum=place[alone.size :],
    )


def _dealer_first(tables: Tables) -> list[int]:
    """[upcard and hole card]; without a hole card the upcard alone, whatever the second index."""
    if tables.hole_card == "none":
        return [DEALER_ALONE + up - 1 for up, _ in _TWO_VALUES]
    return [_two_cards(tables, *values) for values in _TWO_VALUES]


def _dealer_after(tables: Tables) -> list[list[int]]:
    """[unfinished hand, value or no card]"""
    hands = [(total, soft) for total in range(22) for soft in (False, True)]
    values = range(1, VALUES + 1)
    drawn = [[_dealers_hand(tables, *add(*hand, value)) for value in values] for hand in hands]
    rows = drawn + [[_two_cards(tables, up, value) for value in values] for up in values]
    return [[*row, DEALER_SHORT] for row in rows]


def _two_cards(tables: Tables, first: int, second: int) -> int:
    if {first, second} == {1, 10}:
        return DEALER_NATURAL
    return _dealers_hand(tables, *add(*add(0, False, first), second))


def _dealers_hand(tables: Tables, total: int, soft: bool) -> int:
    if total > 21:
        return dealer_class(Finished(total, 3, natural=False))
    if tables.dealer_draws[total][soft]:
        return DEALER_OPEN + 2 * total + soft
    return dealer_class(Finished(total, 3, natural=False))

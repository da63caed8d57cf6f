"""House odds: pay tables by upcard for wagers on the dealer's final hand, placed after the check.

For an upcard u let p be the probability of the dealer's hand given no natural, averaged over the player's two cards,
and p* the largest such probability for any two cards that can be dealt. Odds of x to 1 leave the house an edge of 1 -
p (1 + x). Odds above 1/p* - 1 would favor a player with the best two cards, so they are never offered.

The odds of a table are multiples of a step. Every upcard gets those with the edge nearest to the wanted one. If the
edge over all upcards then lies outside the wanted band, odds are raised or lowered one step at a time, first where the
upcard's own edge ends nearest to the wanted one, until it lies inside or no odds can be changed. All numbers are
fractions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations_with_replacement
from math import comb, floor

from holecard.composition import Composition, full
from holecard.deck import value_name
from holecard.errors import Refusal
from holecard.exact.main.dealer_multisets import VALUES
from holecard.exact.wagers.wager_outcomes import Dealing, dealing
from holecard.payoffs.wager_terms import NATURAL
from holecard.presentation import Presented
from holecard.sheets.read import RulesLike, rules
from holecard.sheets.schema import RuleSheet
from holecard.sheets.tables import Tables
from holecard.wagers.dealer_hands import DealerHand
from holecard.wagers.pay_table import SideWager

_OWN_NATURAL = (1, 10)


@dataclass(frozen=True, slots=True)
class Aim:
    """What a house wants of its tables: the edge over all upcards, within how much, and the step of the odds."""

    edge: Fraction = Fraction(1, 20)
    within: Fraction = Fraction(3, 400)
    step: Fraction = Fraction(1, 2)

    def __post_init__(self) -> None:
        if not 0 < self.edge < 1:
            raise Refusal(f"an edge of {self.edge} is not between 0 and 1; write 5% or 0.05")
        if not 0 <= self.within < 1:
            raise Refusal(f"a band of {self.within} around the edge is not between 0 and 1; write 1% or 0.01")
        if self.step <= 0:
            raise Refusal(f"odds in steps of {self.step} never change; write a step above 0, such as 1/2")


@dataclass(frozen=True, slots=True)
class Cell:
    """One upcard of a table."""

    upcard: int
    weight: int
    """How often it comes among the deals in which the wager can be placed, relative to the other upcards."""
    probability: Fraction
    """Of the dealer's hand, given the upcard and no natural."""
    best_probability: Fraction
    """The same for the two cards with which it is likeliest."""
    best_cards: tuple[int, int]
    odds: Fraction = Fraction(0)

    @property
    def edge(self) -> Fraction:
        return 1 - self.probability * (1 + self.odds)

    @property
    def best_ev(self) -> Fraction:
        """The player's EV with the best two cards, per unit staked."""
        return self.best_probability * (1 + self.odds) - 1

    def highest_odds(self, step: Fraction) -> Fraction:
        """The highest odds that favor no two cards."""
        return floor((1 / self.best_probability - 1) / step) * step


@dataclass(frozen=True, slots=True)
class HouseTable:
    """The odds of one wager for one number of decks; an upcard with which it cannot win is left out."""

    wager: str
    dealer: str
    decks: int
    cells: tuple[Cell, ...]

    @property
    def edge(self) -> Fraction:
        """Over all upcards in the table, with one unit staked whenever the wager can be placed."""
        return _edge(self.cells)

    @property
    def best(self) -> Cell:
        """Where a player who knows two cards and the upcard does best."""
        return max(self.cells, key=lambda cell: cell.best_ev)


@dataclass(frozen=True, slots=True, repr=False)
class HouseOdds(Presented):
    """House tables of a game, and what was asked of them."""

    _report = "house_odds"

    rules: RuleSheet
    aim: Aim
    tables: tuple[HouseTable, ...]


def house_odds(game: RulesLike, decks: Sequence[int] | None = None, aim: Aim | None = None) -> HouseOdds:
    """House tables for every wager that can have one: for the given numbers of decks, or those the sheet offers."""
    sheet, wanted = rules(game), Aim() if aim is None else aim
    numbers = tuple(decks) if decks is not None else sheet.shoe.decks_offered or (sheet.shoe.decks,)
    return HouseOdds(sheet, wanted, tuple(house_tables(sheet.tables, numbers, wanted)))


def house_tables(tables: Tables, decks: Sequence[int], aim: Aim) -> list[HouseTable]:
    """A table for every wager that can have one and every number of decks, in the order of the sheet."""
    wagers = [(tables.wagers[i], hand) for i in tables.check_wagers if (hand := _only_hand(tables.wagers[i]))]
    if not wagers:
        raise Refusal(
            f"{tables.sheet.name} has no wager to make odds for: it must be placed after the check and have "
            "one line, on the dealer's final hand alone, such as { dealer = '18', pays = … }"
        )
    if tables.hole_card == "face up":
        raise Refusal("the hole card is face up in this game, so a player knows too much for odds by upcard")
    found = []
    for wager, hand in wagers:
        for number in decks:
            cells = tuple(_cells(tables, hand, full(number)))
            found.append(HouseTable(wager.name, hand.text, number, choose_odds(cells, aim)))
    return found


def _only_hand(wager: SideWager) -> DealerHand | None:
    """The dealer's hand that a wager is on, where that is all it asks for."""
    hands = {line.dealer for line in wager.lines}
    plain = all(line.hand is None and line.pays.fixed is None for line in wager.lines) and not wager.tax
    return hands.pop() if plain and len(hands) == 1 else None


def _cells(tables: Tables, hand: DealerHand, shoe: Composition) -> Iterator[Cell]:
    table = dealing(tables, shoe, [hand], 1)
    pairs = [pair for pair in combinations_with_replacement(VALUES, 2) if pair != _OWN_NATURAL]
    for upcard in VALUES:
        best, best_cards = Fraction(0), (0, 0)
        wins = weight = 0
        for pair in pairs:
            ways = _deals(pair, upcard, shoe)
            if ways:
                won, placed = win_ways(table, hand, pair, upcard)
                wins, weight = wins + ways * won, weight + ways * placed
                if Fraction(won, placed) > best:
                    best, best_cards = Fraction(won, placed), pair
        if wins:
            yield Cell(upcard, weight, Fraction(wins, weight), best, best_cards)


def win_ways(table: Dealing, hand: DealerHand, gone: Sequence[int], upcard: int) -> tuple[int, int]:
    """Ways in which the dealer comes to a hand, and all ways without a natural, when the cards `gone` are out."""
    odds = table.odds(tuple(gone))
    natural = table.numbers[NATURAL] if upcard in table.looked else None
    ways = odds.ways[(upcard,)]
    naturals = sum(number for finish, number in ways.items() if natural in finish)
    won = sum(number for finish, number in ways.items() if table.numbers[hand] in finish and natural not in finish)
    return won, odds.total - naturals


def _deals(pair: tuple[int, int], upcard: int, shoe: Composition) -> int:
    """In how many ways the player gets these two cards and the dealer the upcard."""
    left = list(shoe.values)
    left[upcard - 1] -= 1
    low, high = pair
    ways = comb(left[low - 1], 2) if low == high else left[low - 1] * left[high - 1]
    return ways * shoe.values[upcard - 1]


def choose_odds(cells: Sequence[Cell], aim: Aim) -> tuple[Cell, ...]:
    """The cells with their odds, as the module says."""
    chosen = tuple(_nearest(cell, aim) for cell in cells)
    lowest, highest = aim.edge - aim.within, aim.edge + aim.within
    while not lowest <= _edge(chosen) <= highest:
        by = aim.step if _edge(chosen) > highest else -aim.step
        moved = [_with(chosen, number, cell.odds + by) for number, cell in enumerate(chosen) if _may(cell, by, aim)]
        # A step that leaps over the band would be taken back.
        ahead = [table for table in moved if (_edge(table) >= lowest if by > 0 else _edge(table) <= highest)]
        if not ahead:
            break
        chosen = min(ahead, key=lambda table: _farthest(table, chosen, aim))
    return chosen


def _nearest(cell: Cell, aim: Aim) -> Cell:
    """The odds with the edge nearest to the wanted one; the lower of two that are equally near."""
    highest = cell.highest_odds(aim.step)
    if highest <= 0:
        spot = f"{','.join(map(value_name, cell.best_cards))} v {value_name(cell.upcard)}"
        raise Refusal(
            f"{spot}: the dealer's hand comes {float(cell.best_probability):.1%} of the time, and no odds in steps of "
            f"{aim.step} leave the house an edge; take a finer step"
        )
    wanted = (1 - aim.edge) / cell.probability - 1
    below = max(floor(wanted / aim.step), 1) * aim.step
    candidates = [replace(cell, odds=min(odds, highest)) for odds in (below, below + aim.step)]
    return min(candidates, key=lambda found: (abs(found.edge - aim.edge), found.odds))


def _may(cell: Cell, by: Fraction, aim: Aim) -> bool:
    return 0 < cell.odds + by <= cell.highest_odds(aim.step)


def _with(cells: tuple[Cell, ...], number: int, odds: Fraction) -> tuple[Cell, ...]:
    return (*cells[:number], replace(cells[number], odds=odds), *cells[number + 1 :])


def _farthest(cells: tuple[Cell, ...], before: tuple[Cell, ...], aim: Aim) -> Fraction:
    """How far from the wanted edge the changed cell lies."""
    changed = next(cell for cell, old in zip(cells, before, strict=True) if cell != old)
    return abs(changed.edge - aim.edge)


def _edge(cells: Sequence[Cell]) -> Fraction:
    lost = sum((cell.weight * cell.edge for cell in cells), Fraction(0))
    return lost / sum(cell.weight for cell in cells)

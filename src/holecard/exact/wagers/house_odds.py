"""House odds: pay tables by upcard for wagers on the dealer's final hand, placed after the check.

For an upcard let p be the probability of the dealer's hand given no natural, averaged over the player's two cards, and
p* the largest such probability for any two cards that can be dealt. Odds of x to 1 leave the house an edge of 1 - p (1
+ x). Odds above 1/p* - 1 would favor a player with the best two cards, so they are never offered.

The odds of a table are multiples of a step. Every upcard gets those with the edge nearest to the target. If the edge
over all upcards is then outside the target's band, odds are raised or lowered one step at a time, first where the
upcard's own edge ends nearest to the target, until it is inside or no odds can be changed. All numbers are fractions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations_with_replacement
from math import comb, floor
from typing import Literal

from holecard.composition import Composition, full
from holecard.deck import value_name
from holecard.errors import Refusal
from holecard.exact.main.dealer_multisets import EVERY_VALUE
from holecard.exact.wagers.odds_target import OddsTarget, ShareLike, decks_of, target_of
from holecard.exact.wagers.wager_outcomes import DealerHands, dealer_hands
from holecard.payoffs.wager_terms import DEALER_NATURAL_HAND
from holecard.presentation import Brief, Presented
from holecard.sheets.fields import upcards
from holecard.sheets.read import RulesLike, rules
from holecard.sheets.schema import RuleSheet
from holecard.sheets.tables import Tables
from holecard.sheets.wager_schema import BY_DECKS_AND_SOFT_17, SOFT_17, Wager
from holecard.wagers.dealer_hands import DealerHand
from holecard.wagers.pay_table import SideWager

_OWN_NATURAL = (1, 10)


@dataclass(frozen=True, slots=True, repr=False)
class UpcardOdds(Brief):
    """The odds with one upcard of a table."""

    upcard: int
    weight: int
    """how often it comes among the deals in which the wager can be placed, relative to the other upcards"""
    probability: Fraction
    """of the dealer's hand, given the upcard and no natural"""
    best_probability: Fraction
    """the same for the two cards that make it most likely"""
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
        """Return the highest odds that favor no two cards."""
        return floor((1 / self.best_probability - 1) / step) * step


@dataclass(frozen=True, slots=True, repr=False)
class HouseOddsTable(Brief):
    """The odds of one wager for one number of decks and one soft 17 rule, without upcards with which it cannot win."""

    wager: str
    chosen: str
    """what chooses among the wager's tables, as its `table` says it"""
    dealer: str
    decks: int
    soft_17: Literal["hit", "stand"]
    cells: tuple[UpcardOdds, ...]

    @property
    def name(self) -> str:
        """The name among the wager's tables: "6", or "6 S17" where the soft 17 rule chooses, too."""
        by_soft_17 = self.chosen == BY_DECKS_AND_SOFT_17 and self.soft_17 == "stand"
        return f"{self.decks} {SOFT_17[self.soft_17]}" if by_soft_17 else str(self.decks)

    @property
    def edge(self) -> Fraction:
        """Over all upcards in the table, with one unit staked whenever the wager can be placed."""
        return _edge(self.cells)

    @property
    def best(self) -> UpcardOdds:
        """The upcard with which a player who knows two cards does best."""
        return max(self.cells, key=lambda cell: cell.best_ev)


@dataclass(frozen=True, slots=True, repr=False)
class HouseOdds(Presented):
    """House tables of a game, and the target they were made for."""

    _report = "exact.house_odds"

    rules: RuleSheet
    target: OddsTarget
    tables: tuple[HouseOddsTable, ...]


def house_odds(
    game: RulesLike, decks: Sequence[int] | int | None = None, target: OddsTarget | ShareLike | None = None
) -> HouseOdds:
    """Return pay tables by upcard for every wager that can have them, for `decks` or those that the sheet offers.

    A wager with tables by decks and soft 17 gets one for each of the dealer's soft 17 rules. `target` is the house edge
    over all upcards, as 0.05 or "5%", or an `OddsTarget` with its band and the step of the odds, too.
    """
    sheet, wanted = rules(game), target_of(target)
    numbers = decks_of(decks) if decks is not None else sheet.shoe.decks_offered or (sheet.shoe.decks,)
    return HouseOdds(sheet, wanted, tuple(house_odds_tables(sheet, numbers, wanted)))


def house_odds_tables(sheet: RuleSheet, decks: Sequence[int], target: OddsTarget) -> list[HouseOddsTable]:
    """Return the tables of every wager that can have them, in the order of the sheet."""
    wagers = [(i, hand) for i in sheet.tables.check_wagers if (hand := _only_hand(sheet.tables.wagers[i]))]
    if not wagers:
        raise Refusal(
            f"{sheet.name} has no wager to make odds for; such a wager is placed after the check and has "
            "one line, on the dealer's final hand alone, such as { dealer = '18', pays = … }"
        )
    if sheet.tables.hole_card == "face up":
        raise Refusal("odds by upcard need a hidden hole card, and this game deals it face up")
    return [
        _table(sheet.wager[i], hand, game, number, target)
        for i, hand in wagers
        for game in _games(sheet, sheet.wager[i])
        for number in decks
    ]


def _games(sheet: RuleSheet, wager: Wager) -> Iterator[RuleSheet]:
    """Yield the sheet with each soft 17 rule that the wager's tables are made for."""
    both = wager.table == BY_DECKS_AND_SOFT_17
    for soft_17 in SOFT_17 if both else (sheet.dealer.soft_17,):
        dealer = sheet.dealer.model_copy(update={"soft_17": soft_17})
        yield sheet.model_copy(update={"dealer": dealer, "wager": ()})


def _table(wager: Wager, hand: DealerHand, game: RuleSheet, decks: int, target: OddsTarget) -> HouseOddsTable:
    offered = upcards(wager.upcard)
    cells = choose_odds([cell for cell in _cells(game.tables, hand, full(decks)) if cell.upcard in offered], target)
    return HouseOddsTable(wager.name, wager.table, hand.text, decks, game.dealer.soft_17, cells)


def _only_hand(wager: SideWager) -> DealerHand | None:
    """Return the dealer's hand that a wager is on, where that is all it asks for."""
    hands = {line.dealer for line in wager.lines}
    plain = all(line.hand is None and line.pays.fixed is None for line in wager.lines) and not wager.tax
    return hands.pop() if plain and len(hands) == 1 else None


def _cells(tables: Tables, hand: DealerHand, shoe: Composition) -> Iterator[UpcardOdds]:
    table = dealer_hands(tables, shoe, [hand], 1)
    pairs = [pair for pair in combinations_with_replacement(EVERY_VALUE, 2) if pair != _OWN_NATURAL]
    for upcard in EVERY_VALUE:
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
            yield UpcardOdds(upcard, weight, Fraction(wins, weight), best, best_cards)


def win_ways(table: DealerHands, hand: DealerHand, removed: Sequence[int], upcard: int) -> tuple[int, int]:
    """Return the ways in which the dealer makes a hand, and all ways without a natural, once cards are removed."""
    counts = table.counts(tuple(removed))
    natural = table.numbers[DEALER_NATURAL_HAND] if upcard in table.peeked else None
    ways = counts.ways[(upcard,)]
    naturals = sum(number for finish, number in ways.items() if natural in finish)
    won = sum(number for finish, number in ways.items() if table.numbers[hand] in finish and natural not in finish)
    return won, counts.total - naturals


def _deals(pair: tuple[int, int], upcard: int, shoe: Composition) -> int:
    """Return in how many ways the player gets these two cards and the dealer the upcard."""
    left = list(shoe.values)
    left[upcard - 1] -= 1
    low, high = pair
    ways = comb(left[low - 1], 2) if low == high else left[low - 1] * left[high - 1]
    return ways * shoe.values[upcard - 1]


def choose_odds(cells: Sequence[UpcardOdds], target: OddsTarget) -> tuple[UpcardOdds, ...]:
    """Return the cells with their odds, chosen as the module describes."""
    chosen = tuple(_nearest(cell, target) for cell in cells)
    lowest, highest = target.edge - target.within, target.edge + target.within
    while not lowest <= _edge(chosen) <= highest:
        by = target.step if _edge(chosen) > highest else -target.step
        moved = [_with(chosen, i, cell.odds + by) for i, cell in enumerate(chosen) if _may(cell, by, target)]
        # A step that jumps over the band would be taken back.
        ahead = [table for table in moved if (_edge(table) >= lowest if by > 0 else _edge(table) <= highest)]
        if not ahead:
            break
        chosen = min(ahead, key=lambda table: _farthest(table, chosen, target))
    return chosen


def _nearest(cell: UpcardOdds, target: OddsTarget) -> UpcardOdds:
    """Return the odds with the edge nearest to the target; of two equally near, the lower."""
    highest = cell.highest_odds(target.step)
    if highest <= 0:
        spot = f"{','.join(map(value_name, cell.best_cards))} v {value_name(cell.upcard)}"
        raise Refusal(
            f"{spot}: the dealer makes this hand {float(cell.best_probability):.1%} of the time, and no odds in steps "
            f"of {target.step} leave the house an edge; choose a smaller step"
        )
    wanted = (1 - target.edge) / cell.probability - 1
    below = max(floor(wanted / target.step), 1) * target.step
    candidates = [replace(cell, odds=min(odds, highest)) for odds in (below, below + target.step)]
    return min(candidates, key=lambda found: (abs(found.edge - target.edge), found.odds))


def _may(cell: UpcardOdds, by: Fraction, target: OddsTarget) -> bool:
    return 0 < cell.odds + by <= cell.highest_odds(target.step)


def _with(cells: tuple[UpcardOdds, ...], number: int, odds: Fraction) -> tuple[UpcardOdds, ...]:
    return (*cells[:number], replace(cells[number], odds=odds), *cells[number + 1 :])


def _farthest(cells: tuple[UpcardOdds, ...], before: tuple[UpcardOdds, ...], target: OddsTarget) -> Fraction:
    """Return how far from the target's edge the changed cell is."""
    changed = next(cell for cell, old in zip(cells, before, strict=True) if cell != old)
    return abs(changed.edge - target.edge)


def _edge(cells: Sequence[UpcardOdds]) -> Fraction:
    lost = sum((cell.weight * cell.edge for cell in cells), Fraction(0))
    return lost / sum(cell.weight for cell in cells)

"""Two slow computations of side wagers that share only the pay tables with the fast one.

`Slow` goes through every deal of a small shoe, draws the dealer's hand by the text of the sheet, and asks the wager
itself. `played` lets the table play every round to its end and reads the payments.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import combinations_with_replacement, product

from holecard.deck import Card, value_name
from holecard.hands import is_natural
from holecard.money import Money
from holecard.sheets.schema import RuleSheet
from holecard.sheets.tables import Tables
from holecard.table.advance import advance, start
from holecard.table.events import Act, Bet, Deal, NoMoreBets, Place
from holecard.table.legal import offered
from holecard.table.state import State
from holecard.wagers.dealer_hands import Finished
from holecard.wagers.pay_table import Line, SideWager
from tests import oracle

LOST = "lost"


class RunsOut(Exception):  # noqa: N818 - what happens at the table, no error
    """The dealer must draw, but no card is left."""


class Dealer:
    """A dealer who draws by the text of a sheet. Cards are ranks, and every ten-value card is "T"."""

    def __init__(self, sheet: RuleSheet) -> None:
        self.sheet = sheet
        self.known: dict[tuple[str, str], dict[Finished, Fraction]] = {}

    def after(self, values: Values, shoe: Counter[Card]) -> dict[Finished, Fraction]:
        """The possible final hands after a deal by value: the player's two cards, the upcard, the hole card."""
        left = Counter(card.value for card in shoe.elements()) - Counter(values)
        return self.ends(ranks(values[2:]), ranks(left.elements()))

    def ends(self, held: str, left: str) -> dict[Finished, Fraction]:
        """The possible final hands, with probabilities, given the remaining cards."""
        if (held, left) not in self.known:
            self.known[held, left] = dict(self._ends([*held], left))
        return self.known[held, left]

    def _ends(self, held: list[str], left: str) -> Mapping[Finished, Fraction]:
        if len(held) > 1 and (oracle.total(held) > 21 or not oracle.draws(self.sheet, held)):
            return {Finished(oracle.total(held), len(held), oracle.is_natural(held)): Fraction(1)}
        found: dict[Finished, Fraction] = defaultdict(Fraction)
        if not left:
            raise RunsOut
        for rank in set(left):
            hand = "".join(oracle.as_drawn(self.sheet, [*held, rank]))
            for finished, probability in self.ends(hand, left.replace(rank, "", 1)).items():
                found[finished] += probability * Fraction(left.count(rank), len(left))
        return found


def openings(shoe: Counter[Card]) -> Iterator[tuple[tuple[Card, ...], int]]:
    """The player's two cards in any order, the upcard and the hole card, with the number of ways to deal them."""
    for own in combinations_with_replacement(shoe, 2):
        pairs = shoe[own[0]] * (shoe[own[0]] - 1) // 2 if own[0] == own[1] else shoe[own[0]] * shoe[own[1]]
        for dealers in product(shoe, repeat=2):
            upcards = shoe[dealers[0]] - own.count(dealers[0])
            holes = shoe[dealers[1]] - (*own, dealers[0]).count(dealers[1])
            if pairs * upcards * holes > 0:
                yield (*own, *dealers), pairs * upcards * holes


def ranks(values: Iterable[int]) -> str:
    return "".join(sorted(map(value_name, values)))


#: The winning line, and the tax due.
Came = tuple[str, str]
Values = tuple[int, ...]


class Slow:
    """A wager by every deal: counts of its results, in total and by the values visible when it is placed."""

    def __init__(self, dealer: Dealer, wager: SideWager, shoe: Counter[Card], shown: int = 1) -> None:
        self.wager, self.dealer = wager, dealer
        alike: Counter[tuple[Values, tuple[str, ...], str]] = Counter()
        examples: dict[tuple[str, ...], tuple[Card, ...]] = {}
        for dealt, ways in openings(shoe):
            if wager.after_check and (is_natural(dealt[:2]) or is_natural(dealt[2:])):
                continue
            if wager.after_check and not any(_can_win(wager, line, dealt[2].value) for line in wager.lines):
                continue
            hopes, due = tuple(line.name for line in wager.live_lines(dealt)), wager.tax_due(dealt)
            examples.setdefault(hopes, dealt)
            values = (*sorted(card.value for card in dealt[:2]), *(card.value for card in dealt[2:]))
            alike[values, hopes, due.name if due else ""] += ways
        self.ways: dict[Came, Fraction] = defaultdict(Fraction)
        self.seen: dict[tuple[Values, Values], dict[Came, Fraction]] = defaultdict(lambda: defaultdict(Fraction))
        for (values, hopes, tax), number in alike.items():
            for line, probability in self.lines(examples[hopes], values, shoe):
                self.ways[line, tax] += number * probability
                self.seen[values[:2], values[2 : 2 + shown]][line, tax] += number * probability
        self.placed = sum(self.ways.values(), Fraction(0))

    def lines(self, dealt: tuple[Card, ...], values: Values, shoe: Counter[Card]) -> Iterator[tuple[str, Fraction]]:
        """Winning lines after deals of these values that leave the same lines open as `dealt`, with probabilities."""
        hopes = self.wager.live_lines(dealt)
        if not any(line.dealer for line in hopes):
            yield (hopes[0].name if hopes else LOST), Fraction(1)
            return
        for finished, probability in self.dealer.after(values, shoe).items():
            line = self.wager.final_line(dealt, finished)
            yield (line.name if line else LOST), probability

    def net(self, line: str, tax: str) -> Fraction:
        """By the wager's own text: odds on the stake, or fixed dollars, minus the tax."""
        in_dollars = self.wager.token or any(one.pays.fixed is not None for one in self.wager.lines)
        stake = Fraction(self.wager.limits.low, 100) if in_dollars else Fraction(1)
        due = next((one.pays.fixed or 0 for one in self.wager.tax if one.name == tax), 0)
        if line == LOST:
            paid = Fraction(0) if self.wager.token else -stake
        else:
            pays = next(one for one in self.wager.lines if one.name == line).pays
            paid = pays.odds * stake if pays.fixed is None else Fraction(pays.fixed, 100)
        return paid - Fraction(due, 100)

    def mean(self, ways: Mapping[Came, Fraction]) -> Fraction:
        return sum((self.net(*came) * number for came, number in ways.items()), Fraction(0)) / sum(ways.values())

    def by_upcard(self) -> dict[int, Fraction]:
        found: dict[int, dict[Came, Fraction]] = defaultdict(lambda: defaultdict(Fraction))
        for (_, dealers), ways in self.seen.items():
            for came, number in ways.items():
                found[dealers[0]][came] += number
        return {upcard: self.mean(ways) for upcard, ways in found.items()}


def _can_win(wager: SideWager, line: Line, upcard: int) -> bool:
    """Whether a line can pay with an upcard once the dealer has no natural; otherwise the table does not take a bet."""
    asks_for_natural = line.dealer is not None and line.dealer.natural is True
    return upcard in wager.upcards and upcard in line.upcards and not asks_for_natural


def runs_out(dealer: Dealer, held: Counter[Card]) -> bool:
    """Whether the dealer could run out of cards after some deal."""
    try:
        for dealt, _ in openings(held):
            dealer.after(tuple(card.value for card in dealt), held)
    except RunsOut:
        return True
    return False


# The table

#: Reason and net result in dollars.
Paid = tuple[str, Fraction]


def played(tables: Tables, held: Counter[Card], decide: Callable[[State], str]) -> dict[str, dict[Paid, Fraction]]:
    """Every round the table can play with all side wagers: probabilities of (reason, net) by wager, or by tax on a
    wager.
    """
    found: dict[str, dict[Paid, Fraction]] = defaultdict(lambda: defaultdict(Fraction))
    stakes = {wager.name: wager.limits.high if wager.token else Money(10) for wager in tables.wagers}
    early = {tables.wagers[index].name: stakes[tables.wagers[index].name] for index in tables.early_wagers}

    def play(state: State, left: Counter[Card], probability: Fraction) -> None:
        if state.queue:
            for card, number in left.items():
                if number:
                    play(
                        advance(state, Deal(card)), left - Counter([card]), probability * Fraction(number, left.total())
                    )
        elif state.phase == "done":
            for result in state.results:
                found[result.wager][result.line, Fraction(result.net, 100)] += probability
        elif state.phase in ("after the check", "last call"):
            placed = {tables.wagers[side.wager].name for side in state.seats[0].sides}
            late = {wager.name: stakes[wager.name] for wager in offered(state, 1) if wager.name not in placed}
            play(advance(state, Place(1, late)), left, probability)
        elif state.phase == "acting":
            play(advance(state, Act(1, decide(state))), left, probability)
        else:
            play(advance(state, Act(1, f"no {state.phase.removeprefix('early ')}")), left, probability)

    state = advance(start(tables), Bet(1, min(max(tables.main.low, Money(10)), tables.main.high), early))
    play(advance(state, NoMoreBets()), held, Fraction(1))
    return found

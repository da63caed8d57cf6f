"""What is offered before the dealer looks for a natural: insurance, even money and early surrender, worked out again.

All that matters is whether the hole card makes a natural, which is counted over the cards left. `evaluate` and the
coach must say what follows from that, from the words of the sheet, and from the EVs of the analysis.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import nan
from typing import Any, NamedTuple, TypeAlias

from holecard.deck import Card
from holecard.exact.evaluate import evaluate
from holecard.exact.results import BEFORE_CHECK, NO_NATURAL, Analysis, StartingHand
from holecard.sheets.tables import BET, COMPANION, DEALER_NATURAL, NATURAL
from holecard.simulation.claims.dealt_hand import COACHED, DealtHand, dealt_hand
from holecard.simulation.witness.plain_ev import PlainSpot
from holecard.simulation.witness.plain_sheet import SheetWords, plain_sheet
from holecard.simulation.witness.plain_tables import net_result
from holecard.simulation.witness.plain_words import plain_odds
from holecard.table.events import Act

_ShownNumber: TypeAlias = tuple[str, float, float]
_ANY_TOTAL = 17
_NATURAL_AND_ACE = "A,T v A"


def offer_numbers(
    optimum: Analysis, looked: Sequence[StartingHand], known: Sequence[StartingHand]
) -> Iterator[_ShownNumber]:
    """Yield (name, number as shown, number worked out again).

    `looked` are hands against an ace or a ten, `known` those with which a natural is known or impossible.
    """
    words = plain_sheet(optimum.rules)
    aces = [hand for hand in looked if hand.dealer == (1,)]
    for hands in ([hand for hand in looked if hand.dealer == (10,)], aces):
        # A hand without a ten and one with it, which changes how likely a natural is.
        for hand in dict.fromkeys([*hands[:1], *hands[-1:]]):
            yield from _Offers(optimum, words, hand).numbers()
    if aces and optimum.rules.tables.insurance is not None and optimum.rules.tables.natural_is_final:
        yield from _insured_natural(optimum, words)
    # With high cards up, the dealer finishes in few ways.
    if optimum.rules.tables.check_wagers and known:
        yield from _after_check(optimum, words, max(known, key=lambda hand: sum(hand.dealer)))


class _Hole(NamedTuple):
    """The hole card, which is one of the cards left."""

    naturals: int
    cards: int

    @property
    def natural(self) -> float:
        """The probability of a natural."""
        return self.naturals / self.cards

    def insurance(self, words: SheetWords) -> float:
        """Return the EV of a unit of insurance."""
        return self.natural * float(plain_odds(words["insurance"]["pays"]) + 1) - 1


def _after_check(optimum: Analysis, words: SheetWords, hand: StartingHand) -> Iterator[_ShownNumber]:
    """Compare wagers on the dealer's hand alone, by every way in which the dealer can finish."""
    evaluated = evaluate(optimum.rules, hand.spot).to_dict()["after_check"]
    cards = [[Card(4 * value - 4) for value in values] for values in (hand.dealer, hand.player)]
    plain = PlainSpot(words, cards[0], [*cards[0], *cards[1]])
    for wager in words["wager"]:
        pays = [str(line["pays"]) for line in wager["lines"]]
        if (
            wager["name"] in evaluated
            and not any(line.get("hand") for line in wager["lines"])
            and "$" not in "".join(pays)
        ):
            yield (
                f"evaluate {hand.spot}, {wager['name']}",
                evaluated[wager["name"]]["ev"],
                plain.side_wager(wager),
            )


def _hole(optimum: Analysis, player: Sequence[int], upcard: int) -> _Hole:
    partner = 11 - upcard
    naturals = optimum.shoe.values[partner - 1] - list(player).count(partner)
    return _Hole(naturals, optimum.shoe.total - len(player) - 1)


def _net(words: SheetWords, player: int, dealer: int) -> float:
    """Return the net result of the main wagers, per unit of them."""
    kinds = [BET] if words["main"]["companion"] is None else [BET, COMPANION]
    return float(sum((net_result(words, kind, player, dealer) for kind in kinds), Fraction(0)) / len(kinds))


class _Offers:
    """One hand against an ace or a ten."""

    def __init__(self, optimum: Analysis, words: SheetWords, hand: StartingHand) -> None:
        self.words, self.hand = words, hand
        self.hole = _hole(optimum, hand.player, hand.dealer[0])
        self.dealt = dealt_hand(optimum.rules.tables, hand)
        self.evaluated: dict[str, Any] = evaluate(optimum.rules, hand.spot).to_dict()

    def numbers(self) -> Iterator[_ShownNumber]:
        """Go through the offers in the order in which the table makes them, and take none."""
        if self.dealt.state.phase == "insurance":
            yield from self._insurance()
            self.dealt.do(Act(COACHED, "no insurance"))
        if self.dealt.state.phase == "early surrender":
            yield from self._early_surrender()
        elif self.dealt.state.phase == "acting" and self.hand.given != BEFORE_CHECK:
            for choice in self.hand.choices:
                yield self._coached(choice.action, self.dealt, choice.ev)

    def _coached(self, action: str, dealt: DealtHand, again: float) -> _ShownNumber:
        evs = {value.action: value.ev for value in dealt.advice.actions}
        return f"coach on {self.hand.spot}, {action}", evs.get(action, nan), again

    def _insurance(self) -> Iterator[_ShownNumber]:
        """Compare a unit of insurance, and what insuring adds to the best play of the hand."""
        ev, advice = self.hole.insurance(self.words), self.dealt.advice
        shown = self.evaluated["insurance"]
        yield f"evaluate {self.hand.spot}, insurance", nan if shown is None else shown["ev"], ev
        yield f"evaluate {self.hand.spot}, insurance, as a fraction", float(Fraction((shown or {}).get("exact", 0))), ev
        offered = advice.insurance
        yield f"coach on {self.hand.spot}, insurance, per unit", nan if offered is None else offered.ev, ev
        cents = nan if offered is None else offered.cents_per_dollar
        yield f"coach on {self.hand.spot}, insurance, in cents per dollar", cents, 100 * ev
        yield self._coached("no insurance", self.dealt, self._before_check())
        for value in advice.actions:
            if value.amount:
                insured = self._before_check() + ev * value.amount / self.dealt.stake
                yield self._coached(value.action, self.dealt, insured)

    def _early_surrender(self) -> Iterator[_ShownNumber]:
        """Compare both answers with the hand's choices, which are taken before the dealer looks, too."""
        evs = {choice.action: choice.ev for choice in self.hand.choices}
        yield self._coached("surrender", self.dealt, evs.pop("surrender", nan))
        yield self._coached("no surrender", self.dealt, max(evs.values()))

    def _before_check(self) -> float:
        """Return the EV of the best play before the dealer looks, if the dealer does."""
        best = self.hand.choices[0].ev
        if self.hand.given != NO_NATURAL:
            return best
        lost = _net(self.words, _ANY_TOTAL, DEALER_NATURAL)
        return self.hole.natural * lost + (1 - self.hole.natural) * best


def _insured_natural(optimum: Analysis, words: SheetWords) -> Iterator[_ShownNumber]:
    """Compare the EV of a natural against an ace, without insurance and with the most that may be insured."""
    hole = _hole(optimum, (1, 10), 1)
    share = {"half": 0.5, "all": 1.0}[words["insurance"]["most"]] / (1 if words["main"]["companion"] is None else 2)
    natural = _net(words, NATURAL, _ANY_TOTAL)
    alone = hole.natural * _net(words, NATURAL, DEALER_NATURAL) + (1 - hole.natural) * natural
    for choice in evaluate(optimum.rules, _NATURAL_AND_ACE).to_dict()["choices"]:
        again = alone if choice["action"] == "no insurance" else alone + share * hole.insurance(words)
        yield f"evaluate {_NATURAL_AND_ACE}, {choice['action']}", choice["ev"], again

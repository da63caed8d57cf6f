"""`advise`: the exact EV of everything that a player can do now, from what the player can know."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar

from holecard.coach.hand_values import HandValues, hand_values
from holecard.coach.player_view import KnownHand, known_hand
from holecard.coach.wager_values import WagerValue, early_values, late_values
from holecard.composition import Composition, full
from holecard.deck import VALUES, Card
from holecard.errors import Refusal, plural
from holecard.exact.analysis import given as known_of_dealer
from holecard.exact.even_money import INSURANCE, is_offered
from holecard.exact.main.prepared_game import prepared_game
from holecard.kernels.cache import compiling
from holecard.kernels.exact.actions import TIE
from holecard.sheets.read import RulesLike, rules
from holecard.sheets.schema import RuleSheet
from holecard.sheets.tables import Tables
from holecard.table.events import Choice
from holecard.table.views import View

_Found = TypeVar("_Found")
#: Phases in which the dealer has not looked for a blackjack yet.
_BEFORE_CHECK = ("insurance", "early surrender")


@dataclass(frozen=True, slots=True)
class ActionValue:
    """An action that is legal now, and its EV."""

    action: str
    ev: float
    """Per unit of initial stake: the main wager, with its companion where there is one."""
    cents: float
    """In cents, with the stake of this hand."""
    best: bool
    """Whether no action is better by more than the computation may be off."""
    amount: int | None = None
    """What is staked for it, in cents, where that can be chosen: the most."""
    with_nothing: float | None = None
    """The EV with nothing staked for it; between this and `amount`, the EV is linear."""

    def ev_for(self, amount: int | None) -> float:
        """Return the EV with another amount."""
        if amount is None or self.amount is None or self.with_nothing is None:
            return self.ev
        return self.with_nothing + (self.ev - self.with_nothing) * amount / self.amount


@dataclass(frozen=True, slots=True)
class InsuranceValue:
    """What insurance is worth."""

    ev: float
    """Per unit of insurance."""
    cents_per_dollar: float
    """In cents per dollar of insurance."""
    is_even_money: bool
    """Whether the hand is a blackjack that insurance lets win exactly its wager."""


@dataclass(frozen=True, slots=True)
class Advice:
    """What a seat can do now, with the EV of each action and wager."""

    seat: int
    hand: int | None
    """The hand asked, from 1; None where no hand is."""
    spot: str
    """The hand and the dealer's face-up cards; empty where no hand is asked."""
    given: str
    """What the EVs are conditioned on."""
    actions: tuple[ActionValue, ...] = ()
    """best first"""
    late: tuple[WagerValue, ...] = ()
    """wagers after the check that the seat can place now"""
    insurance: InsuranceValue | None = None
    wagers: tuple[WagerValue, ...] = ()
    """while the table takes bets: each wager before the deal"""
    tolerance: float = 0.0
    """EVs that differ by no more than this are equal."""

    def of(self, action: str) -> ActionValue:
        """Return one of the actions."""
        for value in self.actions:
            if value.action == action:
                return value
        raise Refusal(f"{action} is not among the actions of {self.spot}")


def advise(game: RulesLike, seen: View, seat: int | None = None) -> Advice:
    """Return the exact EV of everything that a seat can do now: `advise("classic", table.view(1))`.

    `seen` is the table as the player of the seat sees it; the seat is that of the view, unless it is given.
    Nothing but the view is used: what the player cannot see cannot change the answer. The last answers are kept.
    """
    with compiling("coach"):
        return _advise(rules(game), seen, seen.seat if seat is None else seat)


@lru_cache(1024)
def _advise(sheet: RuleSheet, seen: View, seat: int) -> Advice:
    tables = sheet.tables
    if seen.phase in ("betting", "done"):
        return Advice(seat, None, "", _from_full(sheet), wagers=early_values(sheet))
    choices = seen.choices if seen.asked == seat else ()
    late = seen.offered if seen.seat == seat else ()
    if not choices and not late:
        return Advice(seat, None, "", "")
    hand = known_hand(tables, seen, seat, (seen.hand or 1) if choices else 1)
    worth, ignored = _by_cards_seen(sheet, hand, lambda shoe: _worth(tables, seen, choices, hand, shoe))
    actions, insurance, tolerance = worth
    return Advice(
        seat=seat,
        hand=(seen.hand or 1) if choices else None,
        spot=_spot(hand) if choices else "",
        given=_given(sheet, seen, hand, ignored),
        actions=actions,
        late=late_wagers(sheet, seen, seat, late),
        insurance=insurance,
        tolerance=tolerance,
    )


def late_wagers(sheet: RuleSheet, seen: View, seat: int, names: tuple[str, ...]) -> tuple[WagerValue, ...]:
    """Return the EVs of wagers after the check, given the cards that the seat sees."""
    if not names:
        return ()
    first = known_hand(sheet.tables, seen, seat)
    return for_late(sheet, first, lambda shoe: late_values(sheet.tables, names, first, shoe))


def for_late(sheet: RuleSheet, first: KnownHand, worth: Callable[[Composition], _Found]) -> _Found:
    """Return what is computed from the shoe that a wager after the check sees: all the cards seen but the first two."""
    if first.hands == 1:
        seen, kept = first.cards[2:], first.own_others
    else:
        # The first card of the second hand stands for the other card of the pair.
        seen, kept = first.cards[1:], first.own_others[1:]
    moved = first._replace(cards=first.cards[:2] if first.hands == 1 else first.cards[:1])
    found, _ = _by_cards_seen(sheet, moved._replace(own_others=(*seen, *kept)), worth)
    return found


def _by_cards_seen(sheet: RuleSheet, hand: KnownHand, worth: Callable[[Composition], _Found]) -> tuple[_Found, int]:
    """Return what is computed from the shoe without the other cards seen, and how many of them had to be ignored.

    Where too few cards would be left for the longest round, the other seats' cards are ignored, and then those of the
    seat's other hands.
    """
    shoe = full(sheet.shoe.decks)
    tries: list[tuple[Card, ...]] = [(*hand.own_others, *hand.others), hand.own_others, ()]
    for seen in dict.fromkeys(tries):
        try:
            return worth(shoe.without(seen)), len(tries[0]) - len(seen)
        except Refusal:
            if not seen:
                raise
    raise AssertionError("the last try ignores every card")


def _worth(
    tables: Tables, seen: View, choices: tuple[Choice, ...], hand: KnownHand, shoe: Composition
) -> tuple[tuple[ActionValue, ...], InsuranceValue | None, float]:
    if not choices:
        return (), None, 0.0
    values = hand_values(tables, hand, shoe)
    tolerance = 2 * values.error_bound + TIE
    if seen.phase != "insurance":
        return _ranked(_actions(seen, choices, values, hand), hand, tolerance), None, tolerance
    insured = _insurance(tables, hand, shoe)
    found = [_insured(choice, values, hand, insured) for choice in choices]
    return _ranked(found, hand, tolerance), insured, tolerance


def _actions(seen: View, choices: tuple[Choice, ...], values: HandValues, hand: KnownHand) -> list[ActionValue]:
    if seen.phase == "early surrender":
        assert values.early_surrender is not None
        return [_plain("surrender", values.early_surrender), _plain("no surrender", values.before_check)]
    return [_action(choice, values, hand) for choice in choices]


def _action(choice: Choice, values: HandValues, hand: KnownHand) -> ActionValue:
    ev = values.evs[choice.action]
    if choice.high is None:
        return _plain(choice.action, ev)
    # A double for less: one card, and the added stake counts by its share of a full one.
    most = int(choice.high)
    full_double = values.one_card + (ev - values.one_card) * most / int(hand.stake)
    return ActionValue(str(choice.action), full_double, 0.0, False, most, values.one_card)


def _plain(action: str, ev: float) -> ActionValue:
    return ActionValue(str(action), ev, 0.0, best=False)


def _insurance(tables: Tables, hand: KnownHand, shoe: Composition) -> InsuranceValue:
    """Return insurance: P(a ten in the hole) times what a win returns, less the stake."""
    assert tables.insurance is not None
    tens = shoe.values[9] - sum(VALUES[card] == 10 for card in hand.cards)
    unseen = shoe.total - len(hand.cards) - len(hand.dealer)
    ev = tens / unseen * float(1 + tables.insurance) - 1
    natural = is_offered(tables, tuple(VALUES[card] for card in hand.cards), (1,))
    return InsuranceValue(ev, 100 * ev, natural and tables.insured_natural_is_even_money)


def _insured(choice: Choice, values: HandValues, hand: KnownHand, insured: InsuranceValue) -> ActionValue:
    without = values.before_offers
    if choice.action != INSURANCE or choice.high is None:
        return _plain(choice.action, without)
    most = int(choice.high)
    ev = without + insured.ev * most / int(hand.stake)
    return ActionValue(INSURANCE, ev, 0.0, False, most, without)


def _ranked(found: list[ActionValue], hand: KnownHand, tolerance: float) -> tuple[ActionValue, ...]:
    top = max(value.ev for value in found)
    ranked = sorted(found, key=lambda value: -value.ev)
    stake = int(hand.stake)
    return tuple(
        ActionValue(
            value.action,
            value.ev,
            value.ev * stake,
            top - value.ev <= tolerance,
            value.amount,
            value.with_nothing,
        )
        for value in ranked
    )


# Words


def _spot(hand: KnownHand) -> str:
    text = f"{','.join(map(str, hand.cards))} v {','.join(map(str, hand.dealer))}"
    return f"{text} after split" if hand.hands > 1 else text


def _from_full(sheet: RuleSheet) -> str:
    return f"dealt from {plural(sheet.shoe.decks, 'full deck')}"


def _given(sheet: RuleSheet, seen: View, hand: KnownHand, ignored: int) -> str:
    """Return the convention: what is known of the hole card, the cards counted as out, and the shoe."""
    dealer = tuple(sorted(VALUES[card] for card in hand.dealer))
    game = prepared_game(sheet.tables, dealer)
    before = seen.phase in _BEFORE_CHECK and bool(sheet.tables.peeks_under & set(dealer[:1]))
    counted = len(hand.own_others) + len(hand.others) - ignored
    cards = f"{plural(counted, 'other card')} on the table counted as out" if counted else "no other card seen"
    left_out = f", {ignored} more not counted because too few would be left" if ignored else ""
    return f"{known_of_dealer(game, 0, before_check=before)}; {cards}{left_out}; {_from_full(sheet)}"

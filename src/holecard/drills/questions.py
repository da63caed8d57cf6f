"""A question: the cards with suits, what the table lets the player do, and the exact EV of each answer."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from holecard.deck import Card
from holecard.drills.dealing import deal_spot, spot_of_cards
from holecard.drills.spots import Asked, DrillSpot
from holecard.errors import Refusal, did_you_mean
from holecard.exact.evaluate import Evaluation, evaluate
from holecard.exact.results import BEFORE_CHECK, NO_NATURAL
from holecard.kernels.exact.actions import TIE
from holecard.payoffs.stakes import main_wagers
from holecard.sheets.schema import RuleSheet
from holecard.table.legal import legal, offered
from holecard.table.state import State
from holecard.table.views import SeenCards, view

PLACE, NO_WAGER = "place", "pass"
INITIAL_STAKE = "initial stake"


@dataclass(frozen=True, slots=True)
class Option:
    """One answer: its EV per unit, and how much less that is than the best answer's."""

    action: str
    ev: float
    cost: float

    @property
    def is_best(self) -> bool:
        return self.cost == 0.0


@dataclass(frozen=True, slots=True)
class Question:
    """A question as it is shown. `options` are in the table's order, so that it tells nothing."""

    key: str
    kinds: tuple[str, ...]
    asked: Asked
    player: tuple[Card, ...]
    dealer: SeenCards
    """A hole card that is face down is None."""
    after_split: bool
    wager: str | None
    options: tuple[Option, ...]
    given: str
    """what the EVs are conditioned on"""
    unit: str
    """what the EVs are counted per: the initial stake, or the stake on the wager that is asked about"""
    frequency: float

    @property
    def best(self) -> Option:
        """The first of the best answers."""
        return next(option for option in self.options if option.is_best)

    def answer(self, action: str) -> Option:
        """Return an answer with its EV and cost; refuse one that the table does not allow."""
        found = next((option for option in self.options if option.action == action), None)
        if found is None:
            actions = [option.action for option in self.options]
            raise Refusal(f"{action!r} is not an answer here; {did_you_mean(action, actions)}")
        return found


def make_question(sheet: RuleSheet, spot: DrillSpot, seed: str) -> Question:
    """Return the question about a spot; the seed decides the suits and the order of the cards."""
    state = deal_spot(sheet.tables, spot, Random(f"{seed} {spot.key}"))
    seen = view(state, 1)
    cards = state.seats[0].hands[state.hand].cards
    dealer = tuple(card for card in seen.dealer if card is not None)
    found = evaluate(sheet, spot_of_cards(spot, cards, dealer))
    evs, actions = _evs(spot, found, state), _actions(spot, state)
    most = max(evs[action] for action in actions)
    return Question(
        key=spot.key,
        kinds=spot.kinds,
        asked=spot.asked,
        player=cards,
        dealer=seen.dealer,
        after_split=spot.spot.after_split,
        wager=spot.wager,
        options=tuple(Option(action, evs[action], _cost(most - evs[action])) for action in actions),
        given=BEFORE_CHECK if spot.asked == "insurance" and found.given == NO_NATURAL else found.given,
        unit=INITIAL_STAKE if spot.wager is None else f"stake on {spot.wager}",
        frequency=spot.frequency,
    )


def _cost(less: float) -> float:
    """Return what an answer costs; equal EVs may differ by rounding."""
    return 0.0 if less <= TIE else less


def _actions(spot: DrillSpot, state: State) -> tuple[str, ...]:
    """Return what the table allows."""
    if spot.asked != "wager":
        return tuple(str(choice.action.value) for choice in legal(state))
    if spot.wager not in {wager.name for wager in offered(state, 1)}:
        raise Refusal(f"{spot.key}: the table does not offer this wager now")
    return PLACE, NO_WAGER


def _evs(spot: DrillSpot, found: Evaluation, state: State) -> dict[str, float]:
    """Return the EV of each answer."""
    choices = {choice.action: choice.ev for choice in found.choices}
    if spot.asked == "wager":
        return {PLACE: float(dict(found.after_check)[spot.wager or ""]), NO_WAGER: 0.0}
    if spot.asked == "early surrender":
        return {"surrender": choices.pop("surrender"), "no surrender": max(choices.values())}
    if spot.asked == "insurance":
        return _insurance_evs(choices, found, state)
    return choices


def _insurance_evs(choices: dict[str, float], found: Evaluation, state: State) -> dict[str, float]:
    """Return the EVs of a natural with and without insurance; with other hands, what insurance adds to the round."""
    if "no insurance" in choices:
        without = choices.pop("no insurance")
        return {"insurance": max(choices.values()), "no insurance": without}
    assert found.insurance is not None
    share = float(state.tables.insurance_share) / main_wagers(state.tables)
    return {"insurance": share * float(found.insurance), "no insurance": 0.0}

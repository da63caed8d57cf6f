"""Numbers that the coach shows, worked out again: by `evaluate`, over every next card, and by the words of the sheet.

The coach looks at rounds at the table, so the hands are dealt at one. The EVs of hands of two and three cards are those
of `evaluate`. A hand made by splitting is played by all cards seen, which `evaluate` does not do: its EV of hitting
must be the average, over every next card, of the coach's best EV then, and standing and doubling are worked out card
by card. A review must expect of the wagers what their EVs say, and charge a decision for what was better.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from itertools import cycle
from math import nan
from typing import TypeAlias

from holecard.coach.review import review
from holecard.exact.evaluate import evaluate
from holecard.exact.results import Analysis, StartingHand
from holecard.payoffs.wager_payoffs import WagerPayoffs
from holecard.sheets.tables import DOUBLE, DOUBLE_UP
from holecard.simulation.claims.dealt_hand import COACHED, DealtHand, dealt_hand
from holecard.simulation.witness.plain_ev import PlainSpot
from holecard.simulation.witness.plain_sheet import plain_sheet
from holecard.table.advance import start
from holecard.table.events import Act, Place
from holecard.table.late_wagers import ASKING
from holecard.table.records.record import Record
from holecard.table.state import State
from holecard.table.views import view

_ShownNumber: TypeAlias = tuple[str, float, float]
#: First hands that are looked at, spread over all of them.
_SPOTS = 4
#: What hands are hit with, and what split hands get: never enough to end them.
_THIRD, _AFTER_SPLIT = 2, 5
_LOW_PAIRS, _LEAST_SHOWN = (2, 3, 4), 7
#: The cards of another seat, and their names.
_OTHER_SEAT, _OTHERS = (9, 4), "9 4"
#: What is dealt when all decisions are made.
_LAST_CARDS = (6, 9, 3, 10, 5, 7)
_CENTS = 100


def coach_numbers(exact: Analysis, optimum: Analysis, known: Sequence[StartingHand]) -> Iterator[_ShownNumber]:
    """Yield (name, number as the coach shows it, number worked out again); `known` are hands of optimal play.

    With their dealer's cards, a natural is known or impossible.
    """
    waiting = DealtHand(start(optimum.rules.tables))
    evs = {optimum.rules.main.name: optimum.main.ev, **{wager.name: wager.ev for wager in exact.wagers}}
    for wager in waiting.advice.wagers:
        yield f"coach, {wager.wager}", wager.ev, evs.get(wager.wager, nan)
    for hand in known[:: max(1, len(known) // _SPOTS)]:
        yield from _first_hand(optimum, hand)
    low = [hand for hand in known if hand.is_pair and hand.player[0] in _LOW_PAIRS and sum(hand.dealer) >= _LEAST_SHOWN]
    pairs = [hand for hand in low if any(choice.action == "split" for choice in hand.choices)]
    if pairs:
        yield from _after_split(optimum, max(pairs, key=lambda pair: (pair.player[0], sum(pair.dealer) < 17)))
    yield from _reviewed(exact, optimum, known[len(known) // 2])


# First hands


def _first_hand(optimum: Analysis, hand: StartingHand) -> Iterator[_ShownNumber]:
    """Compare a starting hand with `evaluate`, and the hand of three cards that hitting it makes."""
    dealt = dealt_hand(optimum.rules.tables, hand)
    yield from _as_evaluated(optimum, dealt, hand.spot)
    if optimum.rules.tables.seats > 1 and not optimum.rules.tables.players_cards_down:
        other = dealt_hand(optimum.rules.tables, hand, _OTHER_SEAT)
        seen = {choice.action: choice.ev for choice in evaluate(optimum.rules, hand.spot, seen=_OTHERS).choices}
        for value in other.advice.actions:
            yield f"coach on {hand.spot} next to {_OTHERS}, {value.action}", value.ev, seen.get(value.action, nan)
    if any(choice.action == "hit" for choice in hand.choices):
        dealt.do(Act(COACHED, "hit"))
        dealt.deal(_THIRD)
        dealt.on()
        if dealt.state.phase == "acting":
            player, dealer = hand.spot.split(" v ")
            yield from _as_evaluated(optimum, dealt, f"{player},{_THIRD} v {dealer}")


def _as_evaluated(optimum: Analysis, dealt: DealtHand, spot: str) -> Iterator[_ShownNumber]:
    evaluated, advice = evaluate(optimum.rules, spot), dealt.advice
    again = {choice.action: choice.ev for choice in evaluated.choices}
    shown = {value.action: value for value in advice.actions}
    stake = dealt.stake
    for action in again.keys() | shown.keys():
        ev = shown[action].ev if action in shown else nan
        yield f"coach on {spot}, {action}", ev, again.get(action, nan)
        yield f"coach on {spot}, {action}, in cents", shown[action].cents if action in shown else nan, ev * stake
    late = {name: float(ev) for name, ev in evaluated.after_check}
    for wager in advice.late:
        yield f"coach on {spot}, {wager.wager}", wager.ev, late.get(wager.wager, nan)


# Hands after a split


def _after_split(optimum: Analysis, pair: StartingHand) -> Iterator[_ShownNumber]:
    """Work out the EVs of the first of two hands."""
    dealt = dealt_hand(optimum.rules.tables, pair)
    dealt.do(Act(COACHED, "split"))
    while dealt.state.wants_card:
        dealt.deal(_AFTER_SPLIT)
    dealt.on()
    seen, advice = view(dealt.state, COACHED), dealt.advice
    face_up = [card for card in seen.dealer if card is not None]
    own = [[card for card in hand.cards if card is not None] for hand in seen.seats[0].hands]
    plain = PlainSpot(plain_sheet(optimum.rules), face_up, [*face_up, *(card for cards in own for card in cards)])
    worth: dict[str, Callable[[], float]] = {
        "stand": lambda: plain.stand(own[0]),
        "double": lambda: plain.double(own[0], DOUBLE),
        "double up": lambda: plain.stand(own[0], DOUBLE_UP),
    }
    if optimum.rules.tables.charlie > 3:  # else the third card ends the hand
        worth["hit"] = lambda: sum(share * _best_after(dealt, value) for value, share in plain.next_cards())
    for value in advice.actions:
        if value.action in worth:
            yield f"coach on {advice.spot}, {value.action}, card by card", value.ev, worth[value.action]()
        if value.with_nothing is not None:
            yield f"coach on {advice.spot}, one card", value.with_nothing, plain.double(own[0], None)


def _best_after(dealt: DealtHand, value: int) -> float:
    """Return the coach's best EV after hitting and getting this card."""
    then = dealt.copy()
    then.do(Act(COACHED, "hit"))
    then.deal(value)
    then.on()
    return then.advice.actions[0].ev


# A finished round


def _reviewed(exact: Analysis, optimum: Analysis, hand: StartingHand) -> Iterator[_ShownNumber]:
    """Check the review of a round in which the worse of hitting and standing is chosen first, after a late wager."""
    evs = {choice.action: choice.ev for choice in hand.choices}
    worse = min(("hit", "stand"), key=lambda action: evs.get(action, nan))
    dealt = dealt_hand(optimum.rules.tables, hand)
    stake, before, late = dealt.stake, dealt.state, sum(_placed_late(dealt))
    dealt.do(Act(COACHED, worse))
    finished = _finished(dealt)
    reviewed = review(Record.of(optimum.rules, dealt.moves, dealt.cards, finished.results), [COACHED])
    first, net = reviewed.decisions[0], sum(int(result.net) for result in finished.results)
    cost, cents = (hand.choices[0].ev - evs[worse]) * stake, evs[worse] * stake
    yield f"review of {hand.spot}, EV of {worse} in cents", first.cents, cents
    yield f"review of {hand.spot}, cost of {worse} in cents", first.cost, cost
    yield f"review of {hand.spot}, skill", reviewed.skill, -sum(decision.cost for decision in reviewed.decisions)
    staked = sum(int(result.stake) for result in finished.results)
    yield f"review of {hand.spot}, hands", reviewed.hands, 1
    yield f"review of {hand.spot}, wagered", reviewed.wagered, staked
    house = sum(_expected(exact, optimum, before, stake)) + late
    yield f"review of {hand.spot}, house", reviewed.house, house
    yield f"review of {hand.spot}, net", reviewed.net, net
    yield f"review of {hand.spot}, luck", reviewed.luck, net - house - reviewed.skill
    right = sum(decision.cost == 0.0 for decision in reviewed.decisions)
    yield f"review of {hand.spot}, right decisions", reviewed.tally.right, right
    for what, number in asdict(reviewed.tally + reviewed.tally).items():
        yield f"review of {hand.spot}, {what} of two such rounds", number, 2 * getattr(reviewed.tally, what)


def _placed_late(dealt: DealtHand) -> Iterator[float]:
    """Place the smallest of the first wager that can be placed now; yield what it is expected to win, in cents."""
    for value in dealt.advice.late[:1]:
        wager = next(wager for wager in dealt.state.tables.wagers if wager.name == value.wager)
        if wager.needs is None:
            dealt.do(Place(COACHED, {wager.name: wager.limits.low}))
            yield value.ev * (_CENTS if WagerPayoffs(wager).in_dollars else int(wager.limits.low))


def _finished(dealt: DealtHand) -> State:
    """Stand, place nothing more, and deal until the round is over."""
    cards = cycle(_LAST_CARDS)
    while dealt.state.phase != "done":
        if dealt.state.wants_card:
            dealt.deal(next(cards))
        elif dealt.state.phase in ASKING:
            dealt.do(Place(COACHED, {}))
        else:
            dealt.do(Act(COACHED, "stand"))
    return dealt.state


def _expected(exact: Analysis, optimum: Analysis, dealt: State, stake: int) -> Iterator[float]:
    """Yield what each wager that was placed before the deal is expected to win, in cents."""
    yield optimum.main.ev * stake
    evs = {wager.name: wager.ev for wager in exact.wagers}
    for side in dealt.seats[0].sides:
        wager = dealt.tables.wagers[side.wager]
        # A wager that pays fixed amounts has an EV in dollars, with its smallest stake, which is placed here.
        yield evs.get(wager.name, 0.0) * (_CENTS if WagerPayoffs(wager).in_dollars else int(side.stake))

"""Numbers that the coach shows, worked out again: by `evaluate`, over every next card, and by the words of the sheet.

The coach looks at rounds at the table, so the hands are dealt at one. The EVs of hands of two and three cards are those
of `evaluate`. A hand made by splitting is played by all cards seen, which `evaluate` does not do: its EV of hitting
must be the average, over every next card, of the coach's best EV then, and standing and doubling are worked out card
by card. A review must expect of the wagers what their EVs say, and charge a decision for what was better.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import cycle
from math import nan
from typing import TypeAlias

from holecard.coach.advice import Advice, advise
from holecard.coach.review import review
from holecard.deck import Card
from holecard.exact.evaluate import evaluate
from holecard.exact.results import Analysis, StartingHand
from holecard.money import dollars
from holecard.payoffs.wager_payoffs import WagerPayoffs
from holecard.sheets.tables import DOUBLE, DOUBLE_UP
from holecard.simulation.witness.plain_ev import PlainSpot
from holecard.simulation.witness.plain_sheet import plain_sheet
from holecard.simulation.witness.three_ways import stakes_for
from holecard.table.advance import advance, start
from holecard.table.events import Act, Bet, Deal, Move, NoMoreBets, Place
from holecard.table.late_wagers import ASKING
from holecard.table.records.record import Record
from holecard.table.state import State
from holecard.table.views import view

_ShownNumber: TypeAlias = tuple[str, float, float]
_SEAT = 1
#: First hands that are looked at, spread over all of them.
_SPOTS = 4
#: What hands are hit with, and what split hands get: never enough to end them.
_THIRD, _AFTER_SPLIT = 2, 5
_LOW_PAIRS, _LEAST_SHOWN = (2, 3, 4), 7
#: A hole card that nobody sees, and what is dealt when all decisions are made.
_HIDDEN, _LAST_CARDS = 8, (6, 9, 3, 10, 5, 7)
_CENTS = 100


@dataclass
class _Dealt:
    """A round at the table, one card of a value after another."""

    state: State
    moves: list[Move] = field(default_factory=list)
    cards: list[Card] = field(default_factory=list)

    def do(self, move: Move) -> None:
        self.state = advance(self.state, move)
        self.moves.append(move)

    def deal(self, value: int) -> None:
        """Deal a card of this value, in a suit that is not dealt yet."""
        before = sum(card.value == value for card in self.cards)
        self.cards.append(Card(4 * value - 4 + before % 4))
        self.do(Deal(self.cards[-1]))

    def on(self) -> None:
        """Answer questions about more wagers with none."""
        while self.state.phase in ASKING and not self.state.wants_card:
            self.do(Place(_SEAT, {}))

    def copy(self) -> _Dealt:
        return _Dealt(self.state, list(self.moves), list(self.cards))

    @property
    def advice(self) -> Advice:
        return advise(self.state.tables.sheet, view(self.state, _SEAT))


def coach_numbers(exact: Analysis, optimum: Analysis, known: Sequence[StartingHand]) -> Iterator[_ShownNumber]:
    """Yield (name, number as the coach shows it, number worked out again); `known` are hands of optimal play.

    With their dealer's cards, a natural is known or impossible.
    """
    waiting = _Dealt(start(optimum.rules))
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


def _dealt(optimum: Analysis, hand: StartingHand) -> _Dealt:
    """Deal a starting hand to one seat, which places the smallest wagers before the deal."""
    tables = optimum.rules.tables
    wagers = [tables.wagers[index] for index in tables.early_wagers]
    stakes = stakes_for(tables, wagers)
    dealt = _Dealt(start(tables))
    sides = {name: dollars(stake) for name, stake in stakes.sides.items()}
    for move in (Bet(_SEAT, dollars(stakes.main), sides), NoMoreBets()):
        dealt.do(move)
    upcard, *hole = hand.dealer
    for value in (hand.player[0], upcard, hand.player[1], *(hole or [_HIDDEN])):
        if dealt.state.wants_card:
            dealt.deal(value)
    dealt.on()
    return dealt


# First hands


def _first_hand(optimum: Analysis, hand: StartingHand) -> Iterator[_ShownNumber]:
    """Compare a starting hand with `evaluate`, and the hand of three cards that hitting it makes."""
    dealt = _dealt(optimum, hand)
    yield from _as_evaluated(optimum, dealt, hand.spot)
    if any(choice.action == "hit" for choice in hand.choices):
        dealt.do(Act(_SEAT, "hit"))
        dealt.deal(_THIRD)
        dealt.on()
        if dealt.state.phase == "acting":
            player, dealer = hand.spot.split(" v ")
            yield from _as_evaluated(optimum, dealt, f"{player},{_THIRD} v {dealer}")


def _as_evaluated(optimum: Analysis, dealt: _Dealt, spot: str) -> Iterator[_ShownNumber]:
    evaluated, advice = evaluate(optimum.rules, spot), dealt.advice
    again = {choice.action: choice.ev for choice in evaluated.choices}
    shown = {value.action: value for value in advice.actions}
    stake = _stake(dealt)
    for action in again.keys() | shown.keys():
        ev = shown[action].ev if action in shown else nan
        yield f"coach on {spot}, {action}", ev, again.get(action, nan)
        yield f"coach on {spot}, {action}, in cents", shown[action].cents if action in shown else nan, ev * stake
    late = {name: float(ev) for name, ev in evaluated.after_check}
    for wager in advice.late:
        yield f"coach on {spot}, {wager.wager}", wager.ev, late.get(wager.wager, nan)


def _stake(dealt: _Dealt) -> int:
    """Return the main wagers in cents, before any decision."""
    tables = dealt.state.tables
    return sum(stake for kind, stake in enumerate(dealt.state.seats[0].hands[0].stakes) if kind <= tables.has_companion)


# Hands after a split


def _after_split(optimum: Analysis, pair: StartingHand) -> Iterator[_ShownNumber]:
    """Work out the EVs of the first of two hands."""
    dealt = _dealt(optimum, pair)
    dealt.do(Act(_SEAT, "split"))
    while dealt.state.wants_card:
        dealt.deal(_AFTER_SPLIT)
    dealt.on()
    seen, advice = view(dealt.state, _SEAT), dealt.advice
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


def _best_after(dealt: _Dealt, value: int) -> float:
    """Return the coach's best EV after hitting and getting this card."""
    then = dealt.copy()
    then.do(Act(_SEAT, "hit"))
    then.deal(value)
    then.on()
    return then.advice.actions[0].ev


# A finished round


def _reviewed(exact: Analysis, optimum: Analysis, hand: StartingHand) -> Iterator[_ShownNumber]:
    """Check the review of a round in which the worse of hitting and standing is chosen first."""
    evs = {choice.action: choice.ev for choice in hand.choices}
    worse = min(("hit", "stand"), key=lambda action: evs.get(action, nan))
    dealt = _dealt(optimum, hand)
    stake, before = _stake(dealt), dealt.state
    dealt.do(Act(_SEAT, worse))
    finished = _finished(dealt)
    reviewed = review(Record.of(optimum.rules, dealt.moves, dealt.cards, finished.results), [_SEAT])
    first, net = reviewed.decisions[0], sum(int(result.net) for result in finished.results)
    cost, cents = (hand.choices[0].ev - evs[worse]) * stake, evs[worse] * stake
    yield f"review of {hand.spot}, EV of {worse} in cents", first.cents, cents
    yield f"review of {hand.spot}, cost of {worse} in cents", first.cost, cost
    yield f"review of {hand.spot}, skill", reviewed.skill, -sum(decision.cost for decision in reviewed.decisions)
    house = sum(_expected(exact, optimum, before, stake))
    yield f"review of {hand.spot}, house", reviewed.house, house
    yield f"review of {hand.spot}, net", reviewed.net, net
    yield f"review of {hand.spot}, luck", reviewed.luck, net - house - reviewed.skill


def _finished(dealt: _Dealt) -> State:
    """Stand, place nothing more, and deal until the round is over."""
    cards = cycle(_LAST_CARDS)
    while dealt.state.phase != "done":
        if dealt.state.wants_card:
            dealt.deal(next(cards))
        elif dealt.state.phase in ASKING:
            dealt.do(Place(_SEAT, {}))
        else:
            dealt.do(Act(_SEAT, "stand"))
    return dealt.state


def _expected(exact: Analysis, optimum: Analysis, dealt: State, stake: int) -> Iterator[float]:
    """Yield what each wager that was placed before the deal is expected to win, in cents."""
    yield optimum.main.ev * stake
    evs = {wager.name: wager.ev for wager in exact.wagers}
    for side in dealt.seats[0].sides:
        wager = dealt.tables.wagers[side.wager]
        # A wager that pays fixed amounts has an EV in dollars, with its smallest stake, which is placed here.
        yield evs.get(wager.name, 0.0) * (_CENTS if WagerPayoffs(wager).in_dollars else int(side.stake))

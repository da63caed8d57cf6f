"""Numbers about decisions, which `strategy`, `evaluate` and the coach show: worked out again from others.

The EV of the best chart is that of the run, and its cost is what optimal play has more: nearly nothing. The EV of
optimal play is that of the best choice with every starting hand. `evaluate` and the analysis of
all starting hands must give an action the same EV; and a hand's EV of hitting must be the average, over the next card,
of the best EV of the hand with that card. Where the dealer has looked for a natural, the next card is likelier to be
one with which there is none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from math import nan
from typing import TypeAlias

from holecard.deck import value_name
from holecard.errors import Refusal
from holecard.exact.analysis import analyze
from holecard.exact.charts.chart_cache import cached_best_chart
from holecard.exact.evaluate import evaluate
from holecard.exact.results import BEFORE_CHECK, HOLE_UNKNOWN, Analysis, StartingHand
from holecard.exact.strategies import BEST_CHART
from holecard.sheets.read import rules
from holecard.sheets.schema import RuleSheet
from holecard.simulation.claims.coach_numbers import coach_numbers
from holecard.simulation.claims.counted_deals import ev_before_decisions
from holecard.simulation.claims.dealt_hand import COACHED, dealt_hand
from holecard.simulation.claims.offer_numbers import offer_numbers
from holecard.table.events import Act

#: Starting hands and split pairs that are looked at, spread over all of them.
_SPOTS, _LOOKED_SPOTS, _SPLITS = 5, 2, 1
_MAY_BE_NATURAL = (1, 10)
#: The most that a best chart costs with one deck; with more decks, cards already dealt matter less. The games here cost
#: up to 0.042%, those with charlies up to 0.43%, since a chart does not count the cards of a hand.
_MOST_COST, _MOST_COST_WITH_CHARLIES, _NEVER = 0.003, 0.02, 22
#: A chart may win this much more than optimal play, which plays hands after a split as if nothing had been split.
_CDZ = 1e-6
#: Splitting again is played by what is best in the whole shoe, splitting once by what is best without a card of it: a
#: bound with one deck; with more, the card matters less.
_OTHER_POLICIES = 0.024
_AFTER_SPLIT = " after split"

_ShownNumber: TypeAlias = tuple[str, float, float]


def decision_numbers(exact: Analysis) -> Iterator[_ShownNumber]:
    """Yield (name, number as shown, number worked out again)."""
    optimum = analyze(exact.rules, wagers=False)
    if exact.strategy == BEST_CHART:  # to search for it takes a second, unless the run has done so
        best = cached_best_chart(exact.rules).to_dict()
        yield "the best chart, EV", best["ev"], exact.main.ev
        yield "optimal play, EV", best["optimum_ev"], optimum.main.ev
        yield "the best chart, cost", best["cost"], optimum.main.ev - exact.main.ev
        yield "the best chart, house edge", best["house_edge"], -exact.main.ev
        most = (
            _MOST_COST_WITH_CHARLIES if exact.rules.tables.charlie < _NEVER else _MOST_COST / exact.rules.tables.decks
        )
        yield "the best chart, cost beyond what is possible", max(best["cost"] - most, 0.0), 0.0
    better = exact.main.ev - optimum.main.ev - _CDZ
    yield "optimal play, what the chart wins more", max(better, 0.0), 0.0
    yield from _best_choices(optimum)
    # Nothing is known of the hole card with these upcards, or everything.
    known = [hand for hand in optimum.hands if len(hand.dealer) == 2 or hand.dealer[0] not in _MAY_BE_NATURAL]
    looked = [hand for hand in optimum.hands if len(hand.dealer) == 1 and hand.dealer[0] in _MAY_BE_NATURAL]
    for hands, spots in ((known, _SPOTS), (looked, _LOOKED_SPOTS)):
        for hand in hands[:: max(1, len(hands) // spots)]:
            yield from _spot(optimum, hand)
        # Split aces may get one card only.
        pairs = [hand for hand in hands if hand.is_pair and hand.player[0] != 1]
        pairs = [hand for hand in pairs if any(choice.action == "split" for choice in hand.choices)]
        for pair in pairs[:: max(1, len(pairs) // _SPLITS)]:
            yield from _after_split(optimum, pair)
        pairs = [pair for pair in pairs if pair.given != BEFORE_CHECK]
        if pairs and optimum.rules.tables.split_hands > 2:
            yield from _split_again(optimum, max(pairs, key=_gain_of_split))
    yield from offer_numbers(optimum, looked, known)
    yield from coach_numbers(exact, optimum, known)


def _best_choices(optimum: Analysis) -> Iterator[_ShownNumber]:
    """Yield the EV of optimal play as the sum over all starting hands."""
    tables = optimum.rules.tables
    if tables.natural_is_final and not tables.pairs_by_rank:
        best = sum(hand.probability * max(choice.ev for choice in hand.choices) for hand in optimum.hands)
        yield "optimal play, EV by starting hands", optimum.main.ev, best + ev_before_decisions(optimum)


def _spot(optimum: Analysis, hand: StartingHand) -> Iterator[_ShownNumber]:
    """Compare a starting hand with `evaluate`, and its EV of hitting with the hands that one more card makes."""
    shown = {choice.action: choice.ev for choice in hand.choices}
    again = _evs(optimum, hand.spot)
    for action, ev in shown.items():
        yield f"evaluate {hand.spot}, {action}", again[action], ev
    if "hit" in shown and hand.given != BEFORE_CHECK:
        yield from _hit(optimum, hand.player, hand.dealer, again["hit"])


def _after_split(optimum: Analysis, pair: StartingHand) -> Iterator[_ShownNumber]:
    """Check the EV of hitting a hand made by splitting; the hand is played as if nothing had been split."""
    for second in (2, 5):
        player = pair.player[0], second
        evs = _evs(optimum, _named(player, pair.dealer, _AFTER_SPLIT)) if second != pair.player[0] else {}
        if "hit" in evs and optimum.rules.tables.double_cards == 2:
            yield from _hit(optimum, player, pair.dealer, evs["hit"], _AFTER_SPLIT)
        if "double" in evs and pair.given != HOLE_UNKNOWN:  # a natural may spare what a double adds
            yield from _double(optimum, player, pair.dealer, evs["double"])


def _gain_of_split(pair: StartingHand) -> float:
    evs = {choice.action: choice.ev for choice in pair.choices}
    return evs.pop("split") - max(evs.values())


def _split_again(optimum: Analysis, pair: StartingHand) -> Iterator[_ShownNumber]:
    """Compare splitting a second time with splitting once, from a shoe without a card of the pair, to one hand less."""
    fewer = optimum.rules.tables.split_hands - 1
    once = _evs(optimum, pair.spot, {"player.split_hands": fewer}, pair.player[:1])["split"]
    again = _evs(optimum, _named(pair.player, pair.dealer, _AFTER_SPLIT)).get("split", nan)
    beyond = max(abs(again - once) - _OTHER_POLICIES / optimum.rules.tables.decks, 0.0)
    yield f"evaluate {pair.spot} after split, split, beyond that of a pair that makes {fewer} hands", beyond, 0.0
    dealt = dealt_hand(optimum.rules.tables, pair)
    if dealt.state.phase == "acting":
        dealt.do(Act(COACHED, "split"))
        dealt.deal(pair.player[0])
        dealt.on()
        coached = {value.action: value.ev for value in dealt.advice.actions}.get("split", nan)
        yield f"coach on {pair.spot} after split, split", coached, once


def _double(
    optimum: Analysis, player: tuple[int, ...], dealer: tuple[int, ...], shown: float
) -> Iterator[_ShownNumber]:
    """Yield the EV of doubling after a split, as shown and as twice that of standing, on average over the next card."""
    total = 0.0
    try:
        for value, probability in _next_cards(optimum, (*player, *dealer, player[0]), dealer):
            cards = *player, value
            stands = -1.0 if sum(cards) > 21 else _evs(optimum, _named(cards, dealer, _AFTER_SPLIT))["stand"]
            total += 2 * probability * stands
    except Refusal:
        return  # a card makes a hand that is settled at once, such as a charlie
    yield f"evaluate {_named(player, dealer, _AFTER_SPLIT)}, double, by the next card", shown, total


def _next_cards(optimum: Analysis, seen: tuple[int, ...], dealer: tuple[int, ...]) -> Iterator[tuple[int, float]]:
    """Yield each value that can come next, and its probability; the hole card makes no natural that would be known."""
    left = list(optimum.shoe.values)
    for value in seen:
        left[value - 1] -= 1
    looks = len(dealer) == 1 and dealer[0] in optimum.rules.tables.peeks_under
    partner, unseen = {1: 10, 10: 1}.get(dealer[0]) if looks else None, sum(left)
    ways = {
        value: number * (unseen - 1 - (left[partner - 1] - (value == partner) if partner else 0))
        for value, number in enumerate(left, start=1)
        if number > 0
    }
    yield from ((value, number / sum(ways.values())) for value, number in ways.items() if number > 0)


def _hit(
    optimum: Analysis, player: tuple[int, ...], dealer: tuple[int, ...], shown: float, how: str = ""
) -> Iterator[_ShownNumber]:
    """Yield the EV of hitting, as shown and as the average over the next card."""
    total = 0.0
    try:
        for value, probability in _next_cards(optimum, (*player, *dealer, *(player[:1] if how else ())), dealer):
            total += probability * _with_card(optimum, (*player, value), dealer, how)
    except Refusal:
        return  # a card makes a hand that is settled at once, such as a charlie
    yield f"evaluate {_named(player, dealer, how)}, hit, by the next card", shown, total


def _with_card(optimum: Analysis, player: tuple[int, ...], dealer: tuple[int, ...], how: str) -> float:
    """Return the EV of a hand as it is played: best for its own cards, whether or not a split made it."""
    if sum(player) > 21:
        return -1.0
    alone = _evs(optimum, _named(player, dealer))
    best = max(alone, key=alone.__getitem__)
    return _evs(optimum, _named(player, dealer, how))[best] if how else alone[best]


def _evs(
    optimum: Analysis, spot: str, settings: Mapping[str, object] | None = None, seen: tuple[int, ...] = ()
) -> dict[str, float]:
    """Return the EV of each action as it is shown; `seen` are values of more cards that are out."""
    sheet = _main_game(optimum.rules)
    sheet = rules(sheet, settings) if settings else sheet
    out = " ".join(map(value_name, seen)) or None
    return {choice["action"]: choice["ev"] for choice in evaluate(sheet, spot, seen=out).to_dict()["choices"]}


@lru_cache(maxsize=2)
def _main_game(sheet: RuleSheet) -> RuleSheet:
    """Return the sheet without wagers after the check, which `evaluate` would work out for every hand."""
    return rules(sheet, {"wager": []}) if sheet.tables.check_wagers else sheet


def _named(player: tuple[int, ...], dealer: tuple[int, ...], how: str = "") -> str:
    return f"{','.join(map(value_name, player))} v {','.join(map(value_name, dealer))}{how}"

"""Every spot that a game's drill can ask about: what is asked, of which kinds it is, and how often it occurs.

Two-card hands, with the EV of each action, come from `analyze`. Frequencies decide only which question comes, so for
longer hands they leave out what the dealer's check tells about the next card.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from holecard.drills.kinds import OF_ACTION, listed_kinds
from holecard.drills.later_spots import hit_hands, split_hands
from holecard.errors import Refusal
from holecard.exact.analysis import analyze
from holecard.exact.results import BEFORE_CHECK, ActionEV, StartingHand
from holecard.exact.solved_game import SolvedGame, solve_game
from holecard.hands import total_of
from holecard.sheets.schema import RuleSheet
from holecard.sheets.tables import Tables
from holecard.table.notation.spot import Spot, spot

#: What a question asks for: an action with the hand, or one of the choices before that.
Asked: TypeAlias = Literal["action", "early surrender", "insurance", "wager"]
#: The two best actions of a close decision differ by less than this, per unit of initial stake.
CLOSE = 0.03
#: A question about a special action is worth asking where it is best, or costs less than this.
_WORTH_ASKING = 0.25
_ACE = 1
_KEPT: OrderedDict[str, DrillSpots] = OrderedDict()
_MOST_KEPT = 16


@dataclass(frozen=True, slots=True)
class DrillSpot:
    """One spot to ask about, by card values."""

    key: str
    """The spot and what is asked, as text: "T,6 v T", "T,6 v A insurance"; progress is kept by it."""
    kinds: tuple[str, ...]
    frequency: float
    """how often it occurs per round, about"""
    spot: Spot
    asked: Asked = "action"
    wager: str | None = None
    """the wager that may be placed, where that is the question"""


class DrillSpots:
    """The spots of one game by key, and its kinds."""

    def __init__(self, found: list[DrillSpot]) -> None:
        self.by_key = {one.key: one for one in found}
        self.kinds = listed_kinds(kind for one in found for kind in one.kinds)
        self._of_kind = {kind: [one for one in found if kind in one.kinds] for kind in self.kinds}
        self._of_kind[""] = found

    def of_kind(self, kind: str | None) -> list[DrillSpot]:
        """Return the spots of a kind; without one, all."""
        return self._of_kind[kind or ""]

    def __getitem__(self, key: str) -> DrillSpot:
        found = self.by_key.get(key)
        if found is None:
            raise Refusal(f"{key!r} is not a question about this game")
        return found


def drill_spots(sheet: RuleSheet) -> DrillSpots:
    """Return the spots of a game; those of the games used last are kept."""
    found = _KEPT.get(sheet.sha256)
    if found is None:
        found = _KEPT[sheet.sha256] = DrillSpots(_find(sheet))
    _KEPT.move_to_end(sheet.sha256)
    while len(_KEPT) > _MOST_KEPT:
        _KEPT.popitem(last=False)
    return found


def _find(sheet: RuleSheet) -> list[DrillSpot]:
    tables, hands = sheet.tables, analyze(sheet, wagers=False).hands
    solved = solve_game(sheet)
    found: list[DrillSpot] = []
    for hand in hands:
        found += _first_decision(hand)
        found += _wagers(hand, tables)
    found += _insurance(solved, hands)
    for one in hit_hands(solved):
        kinds = ("more cards", "close") if one.gap < CLOSE else ("more cards",)
        found.append(DrillSpot(str(one.spot), kinds, one.frequency, one.spot))
    found += [DrillSpot(str(one.spot), ("after split",), one.frequency, one.spot) for one in split_hands(solved)]
    return found


def _first_decision(hand: StartingHand) -> Iterator[DrillSpot]:
    """Yield the decision with the first two cards, and whether to surrender early where that comes before it."""
    where, choices = spot(hand.spot), hand.choices
    if hand.given == BEFORE_CHECK:
        surrender = next((choice for choice in choices if choice.action == "surrender"), None)
        choices = tuple(choice for choice in choices if choice is not surrender)
        if surrender is not None and surrender.ev > choices[0].ev - _WORTH_ASKING:
            kinds = ["surrender", *(["close"] if abs(surrender.ev - choices[0].ev) < CLOSE else [])]
            key = f"{hand.spot} early surrender"
            yield DrillSpot(key, listed_kinds(kinds), hand.probability, where, "early surrender")
    if len(choices) > 1:
        yield DrillSpot(hand.spot, _kinds(hand, choices), hand.probability, where)


def _kinds(hand: StartingHand, choices: tuple[ActionEV, ...]) -> tuple[str, ...]:
    offered = {choice.action: choice.ev for choice in choices}
    _, is_soft = total_of(hand.player)
    kinds = ["pairs" if "split" in offered else "soft" if is_soft else "hard"]
    best = choices[0].ev
    for action, kind in OF_ACTION.items():
        if action in offered and offered[action] > best - _WORTH_ASKING:
            kinds.append(kind)
    if best - choices[1].ev < CLOSE:
        kinds.append("close")
    return listed_kinds(kinds)


def _wagers(hand: StartingHand, tables: Tables) -> Iterator[DrillSpot]:
    """Yield whether to place each wager that is offered once the dealer has checked."""
    if hand.given == BEFORE_CHECK:
        return
    for index in tables.check_wagers:
        wager = tables.wagers[index]
        if wager.needs is None and hand.dealer[0] in wager.offered_upcards:
            frequency = hand.probability / len(tables.check_wagers)
            yield DrillSpot(
                f"{hand.spot} wager {wager.name}", ("wagers",), frequency, spot(hand.spot), "wager", wager.name
            )


def _insurance(solved: SolvedGame, hands: tuple[StartingHand, ...]) -> Iterator[DrillSpot]:
    tables, counts = solved.game.tables, solved.solution.counts
    if tables.insurance is None or tables.hole_card == "face up":
        return
    for hand in hands:
        if hand.dealer == (_ACE,):
            key = f"{hand.spot} insurance"
            yield DrillSpot(key, ("insurance",), hand.probability, spot(hand.spot), "insurance")
    all_cards = float(counts.sum())
    natural = 2 * counts[0] * counts[9] * (counts[0] - 1) / (all_cards * (all_cards - 1) * (all_cards - 2))
    yield DrillSpot("A,T v A insurance", ("insurance",), float(natural), spot("A,T v A"), "insurance")

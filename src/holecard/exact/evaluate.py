"""`evaluate`: one spot, every legal action with its exact value."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from holecard.composition import Composition, ShoeLike
from holecard.deck import RANKS, value_of
from holecard.errors import Refusal
from holecard.exact.analysis import given, refuse_size
from holecard.exact.error_bound import hand_bound, split_hands_weight
from holecard.exact.impossible_spots import refuse_spot
from holecard.exact.main.dealer_multisets import multiset
from holecard.exact.main.initial_deals import counts_of, splits_by_rank
from holecard.exact.main.initial_hands import best_first, openings, starting_choices
from holecard.exact.main.prepared_game import ACE, Game, game_of
from holecard.exact.main.solve import Plans, Solution, solve
from holecard.exact.results import Choice
from holecard.exact.shoe_before_round import SeenLike, shoe_before_round
from holecard.exact.splits.split_ev import split_worth_with
from holecard.exact.wagers.after_check import after_check_value, late_value
from holecard.exact.wagers.wager_values import insurance
from holecard.kernels.cache import compiling
from holecard.presentation import Presented
from holecard.sheets.read import RulesLike, rules
from holecard.sheets.schema import RuleSheet
from holecard.sheets.tables import Tables
from holecard.table.notation.spot import Spot, spot


@dataclass(frozen=True, slots=True, repr=False)
class SpotValue(Presented):
    """What can be done at a spot, best first, per unit of initial stake, and what else can be wagered there.

    A busted hand has no choices; it is evaluated where wagers can be placed until the hole card is turned.
    """

    _report = "evaluation"

    rules: RuleSheet
    shoe: Composition
    """What the round is dealt from, with the cards of this hand still in it."""
    spot: str
    given: str
    choices: tuple[Choice, ...]
    error_bound: float
    """The exact values lie within this of those of the choices."""
    after_check: tuple[tuple[str, Fraction], ...] = ()
    """Wagers on the dealer's hand that can be placed at this moment, with their EV per unit staked."""
    insurance: Fraction | None = None
    """Per unit of insurance, where it is offered."""

    @property
    def best(self) -> Choice:
        """The action with the highest EV."""
        if not self.choices:
            raise Refusal(f"{self.spot}: the hand is bust, so there is no action to choose")
        return self.choices[0]


def evaluate(
    game: RulesLike, at: str | Spot, shoe: ShoeLike | None = None, *, seen: SeenLike | None = None
) -> SpotValue:
    """Every legal action of a hand against the dealer's cards: `evaluate("classic", "T,6 v T")`.

    `shoe` is what the round is dealt from, with the cards of this hand still in it; `seen` are other cards already out.

    A hand made by splitting names the card it began with first: "8,3 v 6 after split". The pair's other card is out,
    and one split has been made; the other hand's further cards are unseen. Later decisions are those of CDZ-: what is
    best for the hand's own cards had nothing been split.
    """
    sheet = rules(game)
    cards = shoe_before_round(sheet, shoe, seen)
    where = spot(at) if isinstance(at, str) else at
    with compiling("evaluate-pair" if is_pair(where) else "evaluate"):
        return _evaluate(sheet, where, cards)


def is_pair(where: Spot) -> bool:
    """Whether these are two cards of one value, which may be split."""
    return len(where.player) == 2 and len({value_of(card) for card in where.player}) == 1


def _evaluate(sheet: RuleSheet, where: Spot, cards: Composition) -> SpotValue:
    tables = sheet.tables
    dealer = tuple(sorted(value_of(card) for card in where.dealer))
    refuse_spot(where, dealer, tables, cards)
    ready, whole = game_of(tables, dealer), cards
    late = _late(where, tables, cards, dealer)
    if where.total[0] > 21:
        return SpotValue(sheet, whole, str(where), given(ready, 0, before_check=False), (), 0.0, late)
    if where.after_split:
        cards = cards.without(where.player[0][0])
    refuse_size(ready, cards)
    plans = _split_plans(ready, whole) if where.after_split else None
    solution = solve(ready, counts_of(cards), plans, only=_pair_split(where, ready))
    if len(where.player) == 2 and not where.after_split:
        return _first(where, solution, cards)
    return replace(_later(where, solution, cards), shoe=whole, after_check=late)


def _late(where: Spot, tables: Tables, shoe: Composition, dealer: tuple[int, ...]) -> tuple[tuple[str, Fraction], ...]:
    """Wagers that can still be placed after the first two cards were played on.

    A split began with two cards of one value.
    """
    if not tables.late_wagers or (len(where.player) == 2 and not where.after_split):
        return ()
    kept = 1 if where.after_split else 2
    first = [value_of(card) for card in where.player[:kept]]
    values = late_value(tables, shoe, first * (2 // kept), where.player[kept:], dealer)
    return tuple(values.items())


def _split_plans(game: Game, shoe: Composition) -> Plans:
    """What hands made by splitting do: as if nothing had been split, among what they may do."""
    plans = solve(game, counts_of(shoe), only=()).plans
    return Plans(before=plans.after, after=plans.after, lone=plans.lone)


def _pair_split(where: Spot, game: Game) -> tuple[int, ...]:
    """The ranks that may be split here: none, or the pair's."""
    if len(where.player) != 2:
        return ()
    first, second = where.player
    alike = first[0] == second[0] if splits_by_rank(game) else value_of(first) == value_of(second)
    return (value_of(first) - 1,) if alike else ()


def _first(where: Spot, solution: Solution, shoe: Composition) -> SpotValue:
    game, tables = solution.game, solution.game.tables
    low, high = sorted(value_of(card) for card in where.player)
    is_pair = bool(_pair_split(where, game))
    dealt = openings(solution, shoe, [(low, high)])
    opening = next(opening for opening in dealt if opening.is_pair == is_pair)
    before_check = not np.isnan(opening.before_check[0])
    if opening.unknown[0] <= 0.0 and not before_check:
        raise Refusal(f"{where}: with this shoe the dealer has a natural for certain, there is nothing to decide")
    if "split" in opening.actions:
        most = game.most_hands(low - 1)
        worth = split_worth_with(solution, low - 1, most, _pair_left(where, solution, shoe))
        opening = replace(opening, actions={**opening.actions, "split": worth})
    dealer = game.dealer.shown[0]
    hedges = after_check_value(tables, shoe, (low, high), dealer) if tables.check_wagers and not before_check else {}
    choices = starting_choices(opening, 0)
    return SpotValue(
        rules=tables.sheet,
        shoe=shoe,
        spot=str(where),
        given=given(game, 0, before_check=before_check),
        choices=choices,
        error_bound=_bound(solution, choices, float(opening.unknown[0]) if not before_check else 1.0),
        after_check=tuple(hedges.items()),
        insurance=_insurance(tables, shoe, (low, high), dealer),
    )


def _pair_left(where: Spot, solution: Solution, shoe: Composition) -> float:
    """Cards that pair with the player's two, themselves among them, the dealer's out; of one rank where ranks count."""
    rank = value_of(where.player[0]) - 1
    if not splits_by_rank(solution.game):
        return float(solution.counts[rank] - solution.game.dealer.starts.cards[0, rank])
    name = where.player[0][0]
    return float(shoe.ranks[RANKS.index(name)] - sum(card[0] == name for card in where.dealer))


def _bound(solution: Solution, choices: tuple[Choice, ...], unknown: float) -> float:
    hands = 1.0
    if any(choice.action == "split" for choice in choices):
        (rank,) = solution.splits
        hands = float(split_hands_weight(solution, rank)[0])
    return hand_bound(solution.game) * hands / unknown


def _insurance(tables: Tables, shoe: Composition, hand: tuple[int, int], dealer: tuple[int, ...]) -> Fraction | None:
    if dealer != (1,):
        return None
    found = insurance(tables, shoe)
    return dict(found.by_hand).get(hand) if found else None


def _later(where: Spot, solution: Solution, shoe: Composition) -> SpotValue:
    """A hand that was hit, or that a split made."""
    game = solution.game
    values = tuple(value_of(card) for card in where.player)
    hand = game.hands.number[multiset(values)]
    lone = where.after_split and values[0] == 1 and game.is_lone(ACE)
    allowed = game.lone if lone else game.after if where.after_split else game.before
    worths = {"stand": solution.standing.plain[hand, 0]}
    if allowed.hit[hand]:
        worths["hit"] = solution.values.hit[hand, 0]
    if allowed.double[hand]:
        worths["double"] = solution.values.double[hand, 0]
    if allowed.double_up[hand]:
        worths["double up"] = solution.standing.doubled_up[hand, 0]
    if where.after_split and solution.splits:
        # One split has been made, so this pair may become one hand less than a first pair.
        rank = values[0] - 1
        most = game.most_hands(rank) - 1
        if most > 1:
            worths["split"] = split_worth_with(solution, rank, most, _pair_left(where, solution, shoe))[0]
    unknown = _no_natural(game, solution, hand)
    if unknown <= 0.0:
        raise Refusal(f"{where}: with this shoe the dealer has a natural for certain, there is nothing to decide")
    choices = best_first([Choice(action, float(worth) / unknown) for action, worth in worths.items()])
    known = given(game, 0, before_check=False)
    split = f"; after one split, the other {where.player[0][0]} out" if where.after_split else ""
    bound = _bound(solution, choices, unknown)
    return SpotValue(game.tables.sheet, shoe, str(where), known + split, choices, bound)


def _no_natural(game: Game, solution: Solution, hand: int) -> float:
    """Chance that the dealer has no known natural, given the hand."""
    natural = game.dealer.starts.natural[0]
    if natural < 0:
        return 1.0
    left = solution.counts - game.hands.cards[hand]
    return float(1 - left[natural] / (left.sum() - 1))

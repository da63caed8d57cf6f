"""`evaluate`: every legal action of one hand against the dealer's card, with its exact EV."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from holecard.composition import Composition, ShoeLike
from holecard.deck import RANKS, value_of
from holecard.errors import Refusal
from holecard.exact.analysis import given
from holecard.exact.error_bound import hand_bound, split_hands_weight
from holecard.exact.even_money import PLAYERS_NATURAL, insured_natural, is_offered
from holecard.exact.impossible_spots import refuse_impossible_spot
from holecard.exact.main.deal_probabilities import counts_of, splits_by_rank
from holecard.exact.main.dealer_multisets import multiset
from holecard.exact.main.initial_hands import best_first, initial_hands, starting_choices
from holecard.exact.main.prepared_game import ACE, PreparedGame, prepared_game
from holecard.exact.main.solve import Policies, Solution, solve
from holecard.exact.results import BEFORE_CHECK, ActionEV
from holecard.exact.shoe_before_round import SeenLike, shoe_before_round
from holecard.exact.solved_game import refuse_size
from holecard.exact.splits.split_ev import split_ev_with
from holecard.exact.wagers.after_check import after_check_ev, late_ev
from holecard.exact.wagers.wager_values import insurance
from holecard.kernels.cache import compiling
from holecard.presentation import Presented
from holecard.sheets.read import RulesLike, rules
from holecard.sheets.schema import RuleSheet
from holecard.sheets.tables import Tables
from holecard.table.notation.spot import Spot, spot


@dataclass(frozen=True, slots=True, repr=False)
class Evaluation(Presented):
    """The legal actions, best first, per unit of initial stake, and the EV of other wagers that can be placed now.

    A busted hand has no actions; it is evaluated where wagers can be placed until the hole card is turned.
    """

    _report = "exact.evaluation"

    rules: RuleSheet
    shoe: Composition
    """what the round is dealt from, with the cards of this hand still in it"""
    spot: str
    given: str
    """what the EVs are conditioned on"""
    choices: tuple[ActionEV, ...]
    error_bound: float
    """The exact EVs of the actions are within this of the computed ones."""
    after_check: tuple[tuple[str, Fraction], ...] = ()
    """wagers on the dealer's hand that can be placed now, with their EV per unit staked"""
    insurance: Fraction | None = None
    """EV per unit of insurance, where it is offered"""

    @property
    def best(self) -> ActionEV:
        """The action with the highest EV."""
        if not self.choices:
            raise Refusal(f"{self.spot}: the hand has busted, so no action is left")
        return self.choices[0]


def evaluate(
    game: RulesLike, at: str | Spot, shoe: ShoeLike | None = None, *, seen: SeenLike | None = None
) -> Evaluation:
    """Return every legal action of a hand with its EV: `evaluate("classic", "T,6 v T")`.

    `shoe` holds the cards that the round is dealt from, including those of this hand; `seen` lists other cards already
    out of the shoe.

    For a hand made by splitting, write the card it started with first: "8,3 v 6 after split". The other card of the
    pair is then out of the shoe, one split has been made, and the other hand's further cards are unseen. Later
    decisions follow CDZ-: what would be best for the hand's own cards if nothing had been split.

    A blackjack against an ace is evaluated if insurance is offered; the choices are "even money" (the insured hand)
    and "no insurance".
    """
    sheet = rules(game)
    cards = shoe_before_round(sheet, shoe, seen)
    where = at if isinstance(at, Spot) else spot(at)
    with compiling("evaluate-pair" if is_pair(where) else "evaluate"):
        return _evaluate(sheet, where, cards)


def is_pair(where: Spot) -> bool:
    """Return whether these are two cards of one value, which may be split."""
    return len(where.player) == 2 and len({value_of(card) for card in where.player}) == 1


def _evaluate(sheet: RuleSheet, where: Spot, cards: Composition) -> Evaluation:
    tables = sheet.tables
    dealer = tuple(sorted(value_of(card) for card in where.dealer))
    refuse_impossible_spot(where, dealer, tables, cards)
    ready, whole = prepared_game(tables, dealer), cards
    late = _late(where, tables, cards, dealer)
    if where.total[0] > 21:
        return Evaluation(sheet, whole, str(where), given(ready, 0, before_check=False), (), 0.0, late)
    if where.after_split:
        cards = cards.without(where.player[0][0])
    refuse_size(ready, cards)
    policies = _split_policies(ready, whole) if where.after_split else None
    solution = solve(ready, counts_of(cards), policies, only=_pair_split(where, ready))
    if len(where.player) == 2 and not where.after_split:
        if is_offered(tables, tuple(value_of(card) for card in where.player), dealer):
            return _natural(where, solution, cards)
        return _first(where, solution, cards)
    return replace(_later(where, solution, cards), shoe=whole, after_check=late)


def _late(where: Spot, tables: Tables, shoe: Composition, dealer: tuple[int, ...]) -> tuple[tuple[str, Fraction], ...]:
    """Return the wagers that can still be placed once the first two cards have been played on, with their EVs.

    A split began with two cards of one value.
    """
    if not tables.late_wagers or (len(where.player) == 2 and not where.after_split):
        return ()
    kept = 1 if where.after_split else 2
    first = [value_of(card) for card in where.player[:kept]]
    values = late_ev(tables, shoe, first * (2 // kept), where.player[kept:], dealer)
    return tuple(values.items())


def _split_policies(game: PreparedGame, shoe: Composition) -> Policies:
    """Return what split hands do: the best action by their own cards as if nothing had been split."""
    policies = solve(game, counts_of(shoe), only=()).policies
    return Policies(first_hand=policies.split_hand, split_hand=policies.split_hand, one_card_ace=policies.one_card_ace)


def _pair_split(where: Spot, game: PreparedGame) -> tuple[int, ...]:
    """Return v of the pair that may be split here, if any."""
    if len(where.player) != 2:
        return ()
    first, second = where.player
    alike = first[0] == second[0] if splits_by_rank(game) else value_of(first) == value_of(second)
    return (value_of(first) - 1,) if alike else ()


def _first(where: Spot, solution: Solution, shoe: Composition) -> Evaluation:
    game, tables = solution.game, solution.game.tables
    low, high = sorted(value_of(card) for card in where.player)
    is_pair = bool(_pair_split(where, game))
    dealt = initial_hands(solution, shoe, [(low, high)])
    initial = next(initial for initial in dealt if initial.is_pair == is_pair)
    before_check = not np.isnan(initial.early_surrender_ev[0])
    if initial.no_natural[0] <= 0.0 and not before_check:
        raise Refusal(f"{where}: with this shoe the dealer certainly has a natural, so there is nothing to decide")
    if "split" in initial.actions:
        most = game.most_hands(low - 1)
        ev = split_ev_with(solution, low - 1, most, _pair_left(where, solution, shoe))
        initial = replace(initial, actions={**initial.actions, "split": ev})
    dealer = game.dealer.shown[0]
    side_evs = after_check_ev(tables, shoe, (low, high), dealer) if tables.check_wagers and not before_check else {}
    choices = starting_choices(initial, 0)
    return Evaluation(
        rules=tables.sheet,
        shoe=shoe,
        spot=str(where),
        given=given(game, 0, before_check=before_check),
        choices=choices,
        error_bound=_bound(solution, choices, float(initial.no_natural[0]) if not before_check else 1.0),
        after_check=tuple(side_evs.items()),
        insurance=_insurance(tables, shoe, (low, high), dealer),
    )


def _natural(where: Spot, solution: Solution, shoe: Composition) -> Evaluation:
    return Evaluation(
        rules=solution.game.tables.sheet,
        shoe=shoe,
        spot=str(where),
        given=BEFORE_CHECK,
        choices=insured_natural(solution, shoe),
        error_bound=hand_bound(solution.game),
        insurance=_insurance(solution.game.tables, shoe, PLAYERS_NATURAL, (1,)),
    )


def _pair_left(where: Spot, solution: Solution, shoe: Composition) -> float:
    """Return how many cards pair with the player's two, these included, the dealer's not; by rank where ranks count."""
    v = value_of(where.player[0]) - 1
    if not splits_by_rank(solution.game):
        return float(solution.counts[v] - solution.game.dealer.starts.cards[0, v])
    name = where.player[0][0]
    return float(shoe.ranks[RANKS.index(name)] - sum(card[0] == name for card in where.dealer))


def _bound(solution: Solution, choices: tuple[ActionEV, ...], no_natural: float) -> float:
    hands = 1.0
    if any(choice.action == "split" for choice in choices):
        (v,) = solution.splits
        hands = float(split_hands_weight(solution, v)[0])
    return hand_bound(solution.game) * hands / no_natural


def _insurance(tables: Tables, shoe: Composition, hand: tuple[int, int], dealer: tuple[int, ...]) -> Fraction | None:
    if dealer != (1,):
        return None
    found = insurance(tables, shoe)
    return dict(found.by_hand).get(hand) if found else None


def _later(where: Spot, solution: Solution, shoe: Composition) -> Evaluation:
    """Evaluate a hand that was hit, or that a split made."""
    game = solution.game
    values = tuple(value_of(card) for card in where.player)
    hand = game.hands.number[multiset(values)]
    one_card = where.after_split and values[0] == 1 and game.gets_one_card(ACE)
    allowed = game.one_card_ace if one_card else game.split_hand if where.after_split else game.first_hand
    evs = {"stand": solution.stand_evs.plain[hand, 0]}
    if allowed.hit[hand]:
        evs["hit"] = solution.action_evs.hit[hand, 0]
    if allowed.double[hand]:
        evs["double"] = solution.action_evs.double[hand, 0]
    if allowed.double_up[hand]:
        evs["double up"] = solution.stand_evs.doubled_up[hand, 0]
    if where.after_split and solution.splits:
        # One split has been made, so this pair may become one hand less than a first pair.
        v = values[0] - 1
        most = game.most_hands(v) - 1
        if most > 1:
            evs["split"] = split_ev_with(solution, v, most, _pair_left(where, solution, shoe))[0]
    no_natural = _no_natural(game, solution, hand)
    if no_natural <= 0.0:
        raise Refusal(f"{where}: with this shoe the dealer certainly has a natural, so there is nothing to decide")
    choices = best_first([ActionEV(action, float(ev) / no_natural) for action, ev in evs.items()])
    known = given(game, 0, before_check=False)
    split = f"; after one split, the other {where.player[0][0]} out" if where.after_split else ""
    bound = _bound(solution, choices, no_natural)
    return Evaluation(game.tables.sheet, shoe, str(where), known + split, choices, bound)


def _no_natural(game: PreparedGame, solution: Solution, hand: int) -> float:
    """Return P(no known natural) given the hand."""
    natural = game.dealer.starts.natural[0]
    if natural < 0:
        return 1.0
    left = solution.counts - game.hands.cards[hand]
    return float(1 - left[natural] / (left.sum() - 1))

"""The EV of every action of one hand, given all the cards that the player sees, dealt from a given shoe.

A hand that was not split is evaluated as `holecard.evaluate` does. A hand made by splitting is played by all the cards
seen and not, as in `evaluate`, by what would be best had nothing been split: the cards of the other hands are known
here. It has the stake that it has at the table, which may be paid differently from the main wagers. A pair among the
seat's hands may be split again to as many hands as the limit leaves.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, replace
from math import isnan

import numpy as np

from holecard.coach.player_view import KnownHand
from holecard.composition import Composition
from holecard.deck import VALUES
from holecard.exact.error_bound import hand_bound, split_hands_weight
from holecard.exact.main.deal_probabilities import counts_of, splits_by_rank
from holecard.exact.main.dealer_multisets import multiset
from holecard.exact.main.initial_hands import initial_hands
from holecard.exact.main.prepared_game import ACE, PreparedGame, prepared_game
from holecard.exact.main.solve import Solution, solve
from holecard.exact.solved_game import refuse_size
from holecard.exact.splits.split_ev import split_ev_with
from holecard.kernels.exact.actions import BUSTED
from holecard.payoffs.stakes import StakesOnHand
from holecard.sheets.tables import Tables

#: The rows of stakes on a hand with the stake that a split added, in the places of those on an original hand.
_SPLIT_STAKES = [StakesOnHand.ADDED, StakesOnHand.ADDED_DOUBLED, StakesOnHand.ADDED_DOUBLED_UP] * 2


@dataclass(frozen=True, slots=True)
class HandValues:
    """EVs of one hand, per unit of initial stake."""

    evs: dict[str, float]
    """by action, given that the dealer has no blackjack where that would be known; a blackjack has no actions"""
    one_card: float
    """the same for taking one card without adding to the stake: what a double for less and less comes to"""
    before_check: float
    """the EV of the best play before the dealer checks, without early surrender"""
    early_surrender: float | None
    """the EV of surrendering before the dealer checks, where that is offered"""
    error_bound: float
    """The exact EVs are within this of the computed ones."""

    @property
    def before_offers(self) -> float:
        """The EV of the best play before insurance and early surrender are offered."""
        return self.before_check if self.early_surrender is None else max(self.before_check, self.early_surrender)


def hand_values(tables: Tables, hand: KnownHand, shoe: Composition) -> HandValues:
    """Return the EVs; the shoe still holds the cards of this hand and those the dealer shows, and no others seen."""
    game = _game(tables, hand)
    refuse_size(game, shoe)
    solution = solve(game, counts_of(shoe), only=_pair(hand, game))
    if hand.hands == 1 and len(hand.cards) == 2:
        return _first_two(hand, solution, shoe)
    return _later(hand, solution, shoe)


def _game(tables: Tables, hand: KnownHand) -> PreparedGame:
    dealer = tuple(sorted(VALUES[card] for card in hand.dealer))
    game = prepared_game(tables, dealer)
    if hand.hands == 1:
        return game
    one_card = VALUES[hand.cards[0]] == 1 and game.gets_one_card(ACE)
    return _as_split_hand(game, one_card, hand.has_split_stake)


_KEPT: OrderedDict[tuple[int, bool, bool], tuple[PreparedGame, PreparedGame]] = OrderedDict()
_MOST_KEPT = 128


def _as_split_hand(game: PreparedGame, one_card: bool, has_split_stake: bool) -> PreparedGame:
    """Return the game in which a first hand may do, and is paid, what a hand made by splitting is."""
    key = id(game), one_card, has_split_stake
    kept = _KEPT.get(key)
    if kept is None or kept[0] is not game:
        made = replace(game, first_hand=game.one_card_ace if one_card else game.split_hand)
        if has_split_stake and not game.rows.split_alike:
            rows = game.rows
            rows = replace(
                rows,
                row=rows.row[_SPLIT_STAKES],
                bust=rows.bust[_SPLIT_STAKES],
                every=rows.every[_SPLIT_STAKES],
                doubling_doubles=False,
            )
            made = replace(made, rows=rows, original=game.added)
        kept = _KEPT[key] = game, made
    _KEPT.move_to_end(key)
    while len(_KEPT) > _MOST_KEPT:
        _KEPT.popitem(last=False)
    return kept[1]


def _pair(hand: KnownHand, game: PreparedGame) -> tuple[int, ...]:
    """Return v of the pair that may be split here, if any."""
    if len(hand.cards) != 2:
        return ()
    first, second = hand.cards
    keys = game.tables.split_key
    return (VALUES[first] - 1,) if keys[first] == keys[second] else ()


def _pair_left(hand: KnownHand, solution: Solution, shoe: Composition) -> float:
    """Return how many cards pair with the hand's two, these included, the dealer's not; by rank where ranks count."""
    first = hand.cards[0]
    if not splits_by_rank(solution.game):
        v = VALUES[first] - 1
        return float(solution.counts[v] - solution.game.dealer.starts.cards[0, v])
    return float(shoe.ranks[first.rank] - sum(card.rank == first.rank for card in hand.dealer))


def _first_two(hand: KnownHand, solution: Solution, shoe: Composition) -> HandValues:
    game = solution.game
    low, high = sorted(VALUES[card] for card in hand.cards)
    is_pair = bool(_pair(hand, game))
    dealt = initial_hands(solution, shoe, [(low, high)])
    initial = next(initial for initial in dealt if initial.is_pair == is_pair)
    no_natural = float(initial.no_natural[0])
    against = (1 - no_natural) * initial.payoff_against_natural
    if initial.is_natural:
        natural = float(solution.natural[0])
        return HandValues({}, natural, natural + against, None, hand_bound(game))
    found = {action: float(evs[0]) for action, evs in initial.actions.items() if not isnan(evs[0])}
    if "split" in found:
        found["split"] = _split(hand, solution, shoe, game.most_hands(low - 1))
    early = float(initial.early_surrender_ev[0])
    return HandValues(
        evs=_known(found, no_natural),
        one_card=_one_card(solution, initial.hand) / no_natural if no_natural > 0 else 0.0,
        before_check=max(found.values()) + against,
        early_surrender=None if isnan(early) else early,
        error_bound=_bound(solution, found, no_natural),
    )


def _later(hand: KnownHand, solution: Solution, shoe: Composition) -> HandValues:
    """Evaluate a hand that was hit, or that a split made."""
    game = solution.game
    values = tuple(VALUES[card] for card in hand.cards)
    number = game.hands.number[multiset(values)]
    allowed, evs = game.first_hand, solution.action_evs
    found = {"stand": float(solution.stand_evs.plain[number, 0])}
    if allowed.hit[number]:
        found["hit"] = float(evs.hit[number, 0])
    if allowed.double[number]:
        found["double"] = float(evs.double[number, 0])
    if allowed.double_up[number]:
        found["double up"] = float(solution.stand_evs.doubled_up[number, 0])
    if hand.hands > 1 and solution.splits:
        # The seat has made some of the hands that a pair may become.
        most = game.most_hands(values[0] - 1) - (hand.hands - 1)
        if most > 1:
            found["split"] = _split(hand, solution, shoe, most)
    no_natural = _no_natural(solution, number)
    return HandValues(
        evs=_known(found, no_natural),
        one_card=_one_card(solution, number) / no_natural if no_natural > 0 else 0.0,
        before_check=max(found.values()),
        early_surrender=None,
        error_bound=_bound(solution, found, no_natural),
    )


def _split(hand: KnownHand, solution: Solution, shoe: Composition, most: int) -> float:
    v = VALUES[hand.cards[0]] - 1
    return float(split_ev_with(solution, v, most, _pair_left(hand, solution, shoe))[0])


def _known(found: dict[str, float], no_natural: float) -> dict[str, float]:
    """Return the EVs given that the dealer has no blackjack that would be known."""
    return {action: ev / no_natural for action, ev in found.items()} if no_natural > 0 else {}


def _no_natural(solution: Solution, number: int) -> float:
    """Return P(no known natural) given the hand."""
    natural = solution.game.dealer.starts.natural[0]
    left = solution.counts - solution.game.hands.cards[number]
    return 1.0 if natural < 0 else float(1 - left[natural] / (left.sum() - 1))


def _one_card(solution: Solution, number: int) -> float:
    """Return U of one more card and no further decision, with the stakes as they are."""
    game = solution.game
    starts = game.dealer.starts
    left = solution.counts - game.hands.cards[number]
    cards_left = float(left.sum())
    shown = starts.cards[0]
    natural = int(starts.natural[0])
    total = 0.0
    for v in np.flatnonzero(left - shown > 0).tolist():
        weight = float(left[v] - shown[v])
        then = int(game.hands.longer[number, v])
        if then == BUSTED:
            known = 1.0
            if natural >= 0:
                known -= (left[natural] - (natural == v)) / max(cards_left - 2.0, 1.0)
            total += weight * known * float(game.rows.bust[StakesOnHand.ORIGINAL])
        else:
            total += weight * float(solution.stand_evs.plain[then, 0])
    draws = cards_left - float(shown.sum())
    return total / draws if draws > 0 else 0.0


def _bound(solution: Solution, found: dict[str, float], no_natural: float) -> float:
    hands = 1.0
    if "split" in found:
        (v,) = solution.splits
        hands = float(split_hands_weight(solution, v)[0])
    return hand_bound(solution.game) * hands / no_natural if no_natural > 0 else 0.0

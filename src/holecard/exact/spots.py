"""`evaluate`: one spot, every legal action with its exact value."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from holecard.cards import RANKS, value_of
from holecard.errors import Refusal
from holecard.exact.after_check import after_check_value
from holecard.exact.analysis import given, refuse_small
from holecard.exact.composition import Composition, ShoeLike, composition, full
from holecard.exact.deals import counts_of
from holecard.exact.game import ACE, Game, game_of
from holecard.exact.openings import best_first, openings, starting_choices
from holecard.exact.results import Choice
from holecard.exact.solve import Solution, solve
from holecard.exact.split_worth import split_worth
from holecard.exact.wagers import insurance
from holecard.sheets.read import RulesLike, rules
from holecard.sheets.tables import Tables
from holecard.table.spot import Spot, spot

ONE_SPLIT = "after one split, the other hand's further cards unseen"


@dataclass(frozen=True, slots=True)
class SpotValue:
    """What can be done at a spot, best first, per unit of initial stake, and what else can be wagered there."""

    spot: str
    given: str
    choices: tuple[Choice, ...]
    after_check: tuple[tuple[str, Fraction], ...] = ()
    """Wagers that can be placed after the check, per unit staked."""
    insurance: Fraction | None = None
    """Per unit of insurance, where it is offered."""


def evaluate(at: str | Spot, game: RulesLike, shoe: ShoeLike | None = None) -> SpotValue:
    """Every legal action of a spot. `shoe` is what the round was dealt from, the spot's own cards among it."""
    sheet = rules(game)
    tables = sheet.tables
    cards = full(sheet.shoe.decks) if shoe is None else composition(shoe)
    where = spot(at) if isinstance(at, str) else at
    dealer = tuple(sorted(value_of(card) for card in where.dealer))
    _refuse(where, dealer, tables, cards)
    ready = game_of(tables, dealer)
    refuse_small(ready, cards)
    solution = solve(ready, counts_of(cards), only=_pair_split(where, tables))
    if len(where.player) == 2 and not where.after_split:
        return _first(where, solution, cards)
    return _later(where, solution, cards)


def _refuse(where: Spot, dealer: tuple[int, ...], tables: Tables, shoe: Composition) -> None:
    total, _ = where.total
    if total > 21:
        raise Refusal(f"{where}: the hand is bust with {total}, so there is nothing to decide")
    if len(where.player) == 2 and total == 21 and not where.after_split:
        raise Refusal(f"{where}: a natural is paid or pushes, there is nothing to decide")
    both_up = tables.hole_card == "face up"
    if len(dealer) != (2 if both_up else 1):
        wanted = "both dealer's cards, as in 'T,6 v T,4'" if both_up else "the upcard alone, as in 'T,6 v T'"
        raise Refusal(f"{where}: in this game the player sees {wanted}")
    if dealer == (1, 10):
        raise Refusal(f"{where}: a dealer's natural in sight ends the round, there is nothing to decide")
    if len(where.player) > tables.charlie - 1:
        raise Refusal(f"{where}: a hand of {len(where.player)} cards is a charlie, which is over")
    if where.after_split and (tables.split_hands < 2):
        raise Refusal(f"{where}: this game has no splitting")
    for rank, count in Counter(card[0] for card in (*where.player, *where.dealer)).items():
        if shoe.ranks[RANKS.index(rank)] < count:
            raise Refusal(f"{where}: the shoe has not {count} of rank {rank} ({shoe})")


def _pair_split(where: Spot, tables: Tables) -> tuple[int, ...]:
    """The ranks that may be split here: none, or the pair's."""
    if len(where.player) != 2:
        return ()
    first, second = where.player
    alike = (
        first[0] == second[0] if tables.split_key[36] != tables.split_key[40] else value_of(first) == value_of(second)
    )
    return (value_of(first) - 1,) if alike else ()


def _first(where: Spot, solution: Solution, shoe: Composition) -> SpotValue:
    low, high = sorted(value_of(card) for card in where.player)
    is_pair = bool(_pair_split(where, solution.game.tables))
    dealt = openings(solution, shoe, [(low, high)])
    opening = next((o for o in dealt if o.is_pair == is_pair), dealt[0])
    before_check = not np.isnan(opening.before_check[0])
    tables = solution.game.tables
    dealer = solution.game.dealer.shown[0]
    known = given(solution.game, 0, before_check=before_check)
    hedges = after_check_value(tables, shoe, (low, high), dealer) if tables.check_wagers and not before_check else {}
    return SpotValue(
        spot=str(where),
        given=known,
        choices=starting_choices(opening, 0),
        after_check=tuple(hedges.items()),
        insurance=_insurance(tables, shoe, (low, high), dealer),
    )


def _insurance(tables: Tables, shoe: Composition, hand: tuple[int, int], dealer: tuple[int, ...]) -> Fraction | None:
    if dealer != (1,):
        return None
    found = insurance(tables, shoe)
    return dict(found.by_hand).get(hand) if found else None


def _later(where: Spot, solution: Solution, shoe: Composition) -> SpotValue:
    """A hand that was hit, or that a split made."""
    game = solution.game
    values = tuple(value_of(card) for card in where.player)
    hand = game.hands.number[tuple(values.count(value) for value in range(1, 11))]
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
        _add_resplit(worths, solution, shoe)
    unknown = _no_natural(game, solution, hand)
    choices = [Choice(action, float(worth) / unknown) for action, worth in worths.items()]
    known = given(game, 0, before_check=False)
    return SpotValue(
        spot=str(where),
        given=f"{known}; {ONE_SPLIT}" if where.after_split else known,
        choices=best_first(choices),
    )


def _add_resplit(worths: dict[str, float], solution: Solution, shoe: Composition) -> None:
    """Another pair after one split may still become one hand less than a first pair."""
    (rank,) = solution.splits
    most = solution.game.most_hands(rank) - 1
    if most > 1:
        worths["split"] = float(split_worth(solution, shoe, rank, most)[0])


def _no_natural(game: Game, solution: Solution, hand: int) -> float:
    """Chance that the dealer has no known natural, given the hand."""
    natural = game.dealer.starts.natural[0]
    if natural < 0:
        return 1.0
    left = solution.counts - game.hands.cards[hand]
    return float(1 - left[natural] / (left.sum() - 1))

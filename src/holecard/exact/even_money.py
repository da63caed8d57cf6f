"""A natural against an ace: the EV of insuring it, which is often called even money, and of not insuring it.

With a natural that pays 3 to 2 and pushes against the dealer's, and insurance of half the wager at 2 to 1, the insured
hand wins exactly the wager whatever the hole card is. The EVs are taken before the dealer peeks.
"""

from __future__ import annotations

from holecard.composition import Composition
from holecard.exact.main.dealer_tree import OPEN
from holecard.exact.main.initial_hands import initial_hands
from holecard.exact.main.prepared_game import PreparedGame
from holecard.exact.main.solve import Solution
from holecard.exact.results import ActionEV
from holecard.exact.wagers.wager_values import insurance
from holecard.payoffs.stakes import StakesOnHand, main_wagers
from holecard.sheets.tables import DEALER_BUST, DEALER_NATURAL, NATURAL, Tables

#: The player's natural, by value.
PLAYERS_NATURAL = (1, 10)
EVEN_MONEY, INSURANCE, NO_INSURANCE = "even money", "insurance", "no insurance"
#: Payoffs this close are equal.
_EQUAL = 1e-14


def is_offered(tables: Tables, player: tuple[int, ...], dealer: tuple[int, ...]) -> bool:
    """Return whether these cards, by value, are a natural that can be insured."""
    return tuple(sorted(player)) == PLAYERS_NATURAL and dealer == (1,) and tables.insurance is not None


def insured_natural(solution: Solution, shoe: Composition) -> tuple[ActionEV, ...]:
    """Return the EVs of a natural with the largest insurance and without any, per unit of initial stake, best first."""
    game = solution.game
    (natural,) = initial_hands(solution, shoe, [PLAYERS_NATURAL])
    known = float(1 - natural.no_natural[0]) * natural.payoff_against_natural
    alone = float(solution.natural[0]) + known
    share = float(game.tables.insurance_share) / main_wagers(game.tables)
    by_hand = insurance(game.tables, shoe)
    assert by_hand is not None
    insured = alone + share * float(dict(by_hand.by_hand)[PLAYERS_NATURAL])
    certain = _certain_payoff(game, share)
    if certain is not None:
        choices = [ActionEV(EVEN_MONEY, certain), ActionEV(NO_INSURANCE, alone)]
    else:
        choices = [ActionEV(INSURANCE, insured), ActionEV(NO_INSURANCE, alone)]
    return tuple(sorted(choices, key=lambda choice: -choice.ev))


def _certain_payoff(game: PreparedGame, share: float) -> float | None:
    """Return the payoff of the insured natural if it is the same whatever the dealer has, else None."""
    assert game.tables.insurance is not None
    payoffs = game.rows.every[StakesOnHand.ORIGINAL, NATURAL]
    reached = {int(outcome) for outcome in game.dealer.patterns.flat} - {OPEN, DEALER_NATURAL} | {DEALER_BUST}
    without = {float(payoffs[outcome]) - share for outcome in reached}
    against = float(payoffs[DEALER_NATURAL]) + share * float(game.tables.insurance)
    return against if max(abs(payoff - against) for payoff in without) < _EQUAL else None

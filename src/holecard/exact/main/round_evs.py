"""EVs of whole rounds: the tables that `kernels.shoe_values.round_evs` needs, and the EV of one solved shoe."""

from __future__ import annotations

from functools import lru_cache
from math import comb

import numpy as np

from holecard.exact.main.initial_hands import EVERY_DEAL, early_surrender
from holecard.exact.main.prepared_game import PreparedGame
from holecard.exact.main.solve import Solution
from holecard.exact.splits.pair_weights import levels, ways_to_end
from holecard.kernels.arrays import Floats
from holecard.kernels.shoe_values.round_evs import Deals, InitialEVs, SplitEnds, fill_round_evs
from holecard.payoffs.stakes import StakesOnHand, initial_stakes_payoff
from holecard.sheets.tables import ANY_DEALER, DEALER_NATURAL, NATURAL

_V = range(10)


@lru_cache(maxsize=64)
def deals_of(game: PreparedGame) -> Deals:
    """Return every deal of a game."""
    tables = game.tables
    low, high = np.array(EVERY_DEAL).T - 1
    hands = game.hands.two[low, high]
    is_natural = (low == 0) & (high == 9)
    every = game.rows.every[StakesOnHand.ORIGINAL, :, DEALER_NATURAL]
    cashed = [np.nan if row is None else float(initial_stakes_payoff(tables, row)) for row in tables.quick_pay]
    early = early_surrender(game)
    given_up = np.nan if tables.surrenders == "none" else float(initial_stakes_payoff(tables, tables.surrender))
    seen = [every[NATURAL], every[ANY_DEALER]] if tables.hole_card == "face up" else []
    return Deals(
        low=low,
        high=high,
        is_natural=is_natural,
        against_natural=every[np.where(is_natural, NATURAL, game.classes[hands])],
        cashed=np.array(cashed)[game.hands.total[hands]],
        surrendered=np.where(np.isnan(early), given_up, np.nan),
        surrendered_early=early,
        seen_naturals=np.array(seen, np.float64),
        most_hands=np.array([game.most_hands(v) for v in _V]),
        by_rank=tables.pairs_by_rank,
    )


@lru_cache(maxsize=16)
def split_ends(most_hands: int) -> SplitEnds:
    """Return how splits to 2, 3 … `most_hands` hands can end."""
    found = [ways_to_end(most) if most > 1 else () for most in range(most_hands + 1)]
    ways = np.array([way for of_most in found for way in of_most], np.int64).reshape(-1, 3)
    size = most_hands + 2
    return SplitEnds(
        ends=np.cumsum([0, *map(len, found)], dtype=np.int64),
        hands=ways[:, 0].copy(),
        others=ways[:, 1].copy(),
        orders=ways[:, 2].astype(np.float64),
        choose=np.array([[comb(n, k) for k in range(size)] for n in range(size)], np.float64),
    )


def most_levels(game: PreparedGame) -> int:
    """Return the number of levels of the pair that may become the most hands, 1 or more."""
    return max((levels(game.most_hands(v)) for v in _V if game.most_hands(v) > 1), default=1)


def initial_evs_of(solution: Solution) -> InitialEVs:
    """Return the EVs of one solved shoe."""
    game = solution.game
    n_starts, n = len(game.dealer.shown), most_levels(game)
    low, high = np.array(EVERY_DEAL).T - 1
    stakes = 1 if game.rows.split_alike else 2
    begun, paired = (np.zeros((1, stakes, len(_V), n, n_starts)) for _ in range(2))
    for v, hands in solution.splits.items():
        for which in range(stakes):
            begun[0, which, v, : len(hands[which].begun)] = hands[which].begun
            paired[0, which, v, : len(hands[which].paired)] = hands[which].paired
    first: Floats = solution.action_evs.best[game.hands.two[low, high]]
    return InitialEVs(first[None], solution.natural[None], begun, paired)


def round_evs(game: PreparedGame, counts: Floats, tens: Floats, evs: InitialEVs) -> Floats:
    """Return [shoe] the EV of the main wager with the best first action of every deal.

    `counts[shoe, v]` are the shoes, `tens[shoe, rank]` their tens, jacks, queens and kings.
    """
    found = np.empty(len(counts))
    deals = deals_of(game)
    fill_round_evs(counts, tens, deals, game.dealer.starts, split_ends(int(deals.most_hands.max())), evs, found)
    return found

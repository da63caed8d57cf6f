"""`solve`: EVs of every action of every player's hand against every dealer's start, and the best policy.

All EVs are U: the expected net result per unit of initial stake times P(no known natural), the probability that the
dealer has no natural the players know of. Divided by that probability, they are the EVs that a player has after the
dealer has peeked.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from holecard.exact.main.batches import batch_stand_evs
from holecard.exact.main.prepared_game import TEN, PreparedGame
from holecard.exact.splits.split_hand_evs import SplitHandEVs, split_hand_evs
from holecard.kernels.arrays import Floats, Integers, UInt8s
from holecard.kernels.exact.actions import ActionCodes, ActionEVs, StandEVs, fill_action_evs, fill_best_policy
from holecard.kernels.exact.stand import Batch
from holecard.payoffs.stakes import StakesOnHand
from holecard.sheets.tables import NATURAL


@dataclass(frozen=True)
class Policies:
    """[hand, start] the action taken with each hand."""

    first_hand: ActionCodes
    """before a split"""
    split_hand: ActionCodes
    """with a hand made by splitting"""
    one_card_ace: ActionCodes
    """with a split ace that gets only one card"""
    tens: UInt8s | None = None
    """[start] two tens of one rank that cannot be split again, where a chart plays them differently from other tens"""


@dataclass(frozen=True)
class Solution:
    """EVs of every action, all in U."""

    game: PreparedGame
    counts: Floats
    stand_evs: StandEVs
    action_evs: ActionEVs
    natural: Floats
    """[start] EV of a player's natural"""
    policies: Policies
    splits: dict[int, tuple[SplitHandEVs, SplitHandEVs]]
    """by v of the pair: EVs of hands with the original stakes, and with the stakes that a split adds"""
    summed: int
    """how many hands were summed against the dealer"""
    tens: tuple[Floats, Floats] | None = None
    """[level, start] EVs of a split ten paired again in its rank and kept, where `policies.tens` is given"""


def solve(
    game: PreparedGame,
    counts: Floats,
    policies: Policies | None = None,
    threads: int = 1,
    only: tuple[int, ...] | None = None,
    stand_evs: StandEVs | None = None,
) -> Solution:
    """Return the EVs under the best policy, or under a given one; splits of every pair, or of `only` some values.

    `stand_evs` may be taken from another solution of the same game and shoe.
    """
    summed = 0
    if stand_evs is None:
        stand_evs, summed = _all_stand_evs(game, counts, threads)
    hands, starts = game.hands, game.dealer.starts
    shape = (hands.size.size, starts.natural.size)
    evs = ActionEVs(np.zeros(shape), np.zeros(shape), np.zeros(shape))
    given_policy = policies is not None
    if policies is None:
        policies = Policies(*(np.zeros(shape, np.uint8) for _ in range(3)))
    bust = float(game.rows.bust[StakesOnHand.ORIGINAL]), float(game.rows.bust[StakesOnHand.ORIGINAL_DOUBLED])
    fill_action_evs(
        counts, game.arrays, starts, stand_evs, game.first_hand, *bust, policies.first_hand, given_policy, evs
    )
    if not given_policy:
        fill_best_policy(stand_evs, game.split_hand, evs, policies.split_hand)
        fill_best_policy(stand_evs, game.one_card_ace, evs, policies.one_card_ace)
    splits, split_summed = _splits(game, counts, policies, threads, only)
    return Solution(
        game=game,
        counts=counts,
        stand_evs=stand_evs,
        action_evs=evs,
        natural=_natural(game, counts),
        policies=policies,
        splits=splits,
        summed=summed + split_summed,
        tens=_kept_tens(game, counts, policies, threads) if TEN in splits else None,
    )


def stand_evs_of(game: PreparedGame, counts: Floats, which: Integers, row: UInt8s, threads: int = 1) -> Floats:
    """Return [hand, start] U of standing for some hands; `row` says which payoff row each of them has."""
    n_starts = len(game.dealer.shown)
    order = np.argsort(row, kind="stable")
    batch = Batch(
        hand=np.tile(which[order].astype(np.uint16), n_starts),
        pair=np.zeros(which.size * n_starts, np.uint8),
        more=np.zeros(which.size * n_starts, np.uint8),
        start=np.repeat(np.arange(n_starts, dtype=np.uint8), which.size),
        row=np.tile(row[order], n_starts),
    )
    out = batch_stand_evs(game, counts, batch, threads)
    found = np.empty((which.size, n_starts))
    found[order] = out.reshape(n_starts, which.size).T
    return found


def _all_stand_evs(game: PreparedGame, counts: Floats, threads: int) -> tuple[StandEVs, int]:
    """Return the EVs of every hand with plain stakes, doubled, and doubled up where offered, and their number."""
    hands, rows = game.hands, game.original
    every = np.flatnonzero(hands.size >= 2)
    shape = (hands.size.size, len(game.dealer.shown))
    plain = np.zeros(shape)
    plain[every] = stand_evs_of(game, counts, every, rows.plain[every], threads)
    summed = every.size
    if game.rows.doubling_doubles:
        doubled = 2 * plain
    else:
        doubled = np.zeros(shape)
        doubled[every] = stand_evs_of(game, counts, every, rows.doubled[every], threads)
        summed += every.size
    up = np.zeros(shape)
    two = np.flatnonzero(game.first_hand.double_up | game.split_hand.double_up)
    if two.size:
        up[two] = stand_evs_of(game, counts, two, rows.doubled_up[two])
        summed += two.size
    return StandEVs(plain, doubled, up), summed * len(game.dealer.shown)


def _natural(game: PreparedGame, counts: Floats) -> Floats:
    """Return [start] the EV of a player's natural."""
    two = game.hands.two[0, 9:]
    row = game.rows.row[StakesOnHand.ORIGINAL, NATURAL]
    evs: Floats = stand_evs_of(game, counts, two, np.array([row]))[0]
    return evs


def _splits(
    game: PreparedGame, counts: Floats, policies: Policies, threads: int, only: tuple[int, ...] | None
) -> tuple[dict[int, tuple[SplitHandEVs, SplitHandEVs]], int]:
    """Return the EVs of hands made by splitting each pair that can be dealt, and how many hands were summed."""
    asked = range(counts.size) if only is None else only
    by_pair = {
        v: policies.one_card_ace if game.gets_one_card(v) else policies.split_hand
        for v in asked
        if game.most_hands(v) > 1 and counts[v] >= 2
    }
    original, summed = split_hand_evs(game, counts, by_pair, game.original, threads)
    if game.rows.split_alike:
        return {v: (one, one) for v, one in original.items()}, summed
    added, more = split_hand_evs(game, counts, by_pair, game.added, threads)
    return {v: (one, added[v]) for v, one in original.items()}, summed + more


def _kept_tens(game: PreparedGame, counts: Floats, policies: Policies, threads: int) -> tuple[Floats, Floats] | None:
    """Return the EVs of two tens of one rank that are played by their own row."""
    if policies.tens is None:
        return None
    policy = policies.split_hand.copy()
    policy[game.hands.two[TEN, TEN]] = policies.tens
    original, added = (
        split_hand_evs(game, counts, {TEN: policy}, rows, threads)[0] for rows in (game.original, game.added)
    )
    return original[TEN].paired, added[TEN].paired

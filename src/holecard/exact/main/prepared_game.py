"""A sheet made ready for the kernels: what may be done with each hand, what it is worth, how the dealer draws.

Everything here depends on the rules alone; the shoe comes later.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from holecard.exact.main.dealer_tree import Dealer, dealer_of
from holecard.exact.main.payoff_rows import PayoffRows, kernel_stakes, payoff_rows
from holecard.exact.main.player_hands import PlayerHands, player_hands
from holecard.kernels.exact.actions import Allowed, Hands
from holecard.kernels.exact.split_pair import SplitRows
from holecard.kernels.exact.stand import Stakes
from holecard.payoffs.stakes import StakesOnHand
from holecard.sheets.tables import CHARLIE, Tables

ACE, TEN = 0, 9


@dataclass(frozen=True, eq=False)
class Game:
    """The rules as arrays."""

    tables: Tables
    dealer: Dealer
    hands: PlayerHands
    rows: PayoffRows
    stakes: Stakes
    classes: NDArray[np.int64]
    """[hand] settlement class"""
    arrays: Hands
    before: Allowed
    """[hand] what may be done with the first hand"""
    after: Allowed
    """[hand] … with a hand made by splitting"""
    lone: Allowed
    """[hand] … with a split ace that gets one card only"""
    original: SplitRows
    """The first hand's stakes on a hand made by splitting"""
    added: SplitRows
    """The stakes a split adds"""

    def most_hands(self, rank: int) -> int:
        """How many hands a pair of this rank may become; 1 where it cannot be split."""
        return most_hands(self.tables, rank)

    def is_lone(self, rank: int) -> bool:
        """Split hands of this rank get one card only."""
        return rank == ACE and not self.tables.split_aces_play_on


def most_hands(tables: Tables, rank: int) -> int:
    """How many hands a pair may become."""
    if rank != ACE or tables.split_aces == "again":
        return tables.split_hands
    return min(tables.split_hands, {"once": 2, "never": 1}[tables.split_aces])


_READY: OrderedDict[tuple[int, tuple[int, ...]], Game] = OrderedDict()
_MOST_READY = 64


def game_of(tables: Tables, shown: tuple[int, ...] = ()) -> Game:
    """The game of compiled tables, made once while it is among the last ones asked for; against one start, or all."""
    key = id(tables), shown
    game = _READY.get(key)
    if game is None or game.tables is not tables:
        game = _READY[key] = _make(tables, shown)
    _READY.move_to_end(key)
    while len(_READY) > _MOST_READY:
        _READY.popitem(last=False)
    return game


def _make(tables: Tables, shown: tuple[int, ...]) -> Game:
    hands, dealer = player_hands(), dealer_of(tables, shown)
    rows = payoff_rows(tables, dealer)
    classes = np.where(hands.size >= tables.charlie, CHARLIE, hands.total)
    return Game(
        tables=tables,
        dealer=dealer,
        hands=hands,
        rows=rows,
        stakes=kernel_stakes(dealer, rows.rows),
        classes=classes,
        arrays=Hands(hands.cards, hands.size, hands.longer),
        before=_allowed(tables, hands, doubles=True, doubles_up=True),
        after=_allowed(tables, hands, doubles=tables.double_after_split, doubles_up=tables.double_up_after_split),
        lone=_only_double_up(tables, hands),
        original=_split_rows(rows, classes, StakesOnHand.ORIGINAL),
        added=_split_rows(rows, classes, StakesOnHand.ADDED),
    )


def _by_total(mask: tuple[tuple[bool, bool], ...], hands: PlayerHands) -> NDArray[np.bool_]:
    return np.array(mask)[hands.total, hands.soft.astype(np.int64)]


def _allowed(tables: Tables, hands: PlayerHands, *, doubles: bool, doubles_up: bool) -> Allowed:
    """A charlie is over; every other hand of two cards or more may be played as the masks say."""
    open_ = (hands.size >= 2) & (hands.size < tables.charlie)
    may_double = _by_total(tables.may_double, hands) & (hands.size <= tables.double_cards)
    may_double_up = _by_total(tables.may_double_up, hands) & (hands.size == 2)
    return Allowed(
        hit=open_ & (hands.total < 21),
        double=open_ & may_double & doubles,
        double_up=open_ & may_double_up & doubles_up,
    )


def _only_double_up(tables: Tables, hands: PlayerHands) -> Allowed:
    nothing = np.zeros(hands.size.size, np.bool_)
    after = _allowed(tables, hands, doubles=False, doubles_up=tables.double_up_after_split)
    return Allowed(hit=nothing, double=nothing, double_up=after.double_up)


def _split_rows(rows: PayoffRows, classes: NDArray[np.int64], first: int) -> SplitRows:
    plain, doubled, up = first, first + 1, first + 2
    return SplitRows(
        plain=rows.row[plain, classes],
        doubled=rows.row[doubled, classes],
        doubled_up=rows.row[up, classes],
        bust=float(rows.bust[plain]),
        doubled_bust=float(rows.bust[doubled]),
    )

"""A rule sheet prepared for the kernels: allowed actions and payoffs of every hand, and how the dealer draws.

Everything here depends on the rules alone, not on the shoe.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass

import numpy as np

from holecard.exact.main.dealer_tree import DealerModel, dealer_model
from holecard.exact.main.payoff_rows import PayoffRows, payoff_rows, row_weights_of
from holecard.exact.main.player_hands import PlayerHands, player_hands
from holecard.kernels.arrays import Flags, Integers
from holecard.kernels.exact.actions import Allowed, Hands
from holecard.kernels.exact.split_batch import SplitRows
from holecard.kernels.exact.stand import RowWeights
from holecard.payoffs.split_limits import most_hands
from holecard.payoffs.stakes import StakesOnHand
from holecard.sheets.tables import CHARLIE, Tables

#: Values as the kernels count them, minus 1.
ACE, TEN = 0, 9


@dataclass(frozen=True, eq=False)
class PreparedGame:
    """The rules as arrays."""

    tables: Tables
    dealer: DealerModel
    hands: PlayerHands
    rows: PayoffRows
    row_weights: RowWeights
    """the payoff rows, arranged for the kernel"""
    classes: Integers
    """[hand] settlement class"""
    arrays: Hands
    first_hand: Allowed
    """[hand] actions allowed before a split"""
    split_hand: Allowed
    """[hand] actions allowed with a hand made by splitting"""
    one_card_ace: Allowed
    """[hand] actions allowed with a split ace that gets only one card"""
    original: SplitRows
    """payoff rows of a split hand with the original stakes"""
    added: SplitRows
    """payoff rows of a split hand with the stakes that the split adds"""

    def most_hands(self, v: int) -> int:
        """Return how many hands a pair may become; 1 where it cannot be split."""
        return most_hands(self.tables, v)

    def gets_one_card(self, v: int) -> bool:
        """Return whether split hands of this value get only one card."""
        return v == ACE and not self.tables.split_aces_play_on


_KEPT: OrderedDict[tuple[int, tuple[int, ...]], PreparedGame] = OrderedDict()
_MOST_KEPT = 64


def prepared_game(tables: Tables, shown: tuple[int, ...] = ()) -> PreparedGame:
    """Return the game of compiled tables, against one start or all; the games used last are kept."""
    key = id(tables), shown
    game = _KEPT.get(key)
    if game is None or game.tables is not tables:
        game = _KEPT[key] = _make(tables, shown)
    _KEPT.move_to_end(key)
    while len(_KEPT) > _MOST_KEPT:
        _KEPT.popitem(last=False)
    return game


def _make(tables: Tables, shown: tuple[int, ...]) -> PreparedGame:
    hands, dealer = player_hands(), dealer_model(tables, shown)
    rows = payoff_rows(tables, dealer)
    classes = np.where(hands.size >= tables.charlie, CHARLIE, hands.total)
    return PreparedGame(
        tables=tables,
        dealer=dealer,
        hands=hands,
        rows=rows,
        row_weights=row_weights_of(dealer, rows.rows),
        classes=classes,
        arrays=Hands(hands.cards, hands.size, hands.longer),
        first_hand=_allowed(tables, hands, doubles=True, doubles_up=True),
        split_hand=_allowed(tables, hands, doubles=tables.double_after_split, doubles_up=tables.double_up_after_split),
        one_card_ace=_only_double_up(tables, hands),
        original=_split_rows(rows, classes, StakesOnHand.ORIGINAL),
        added=_split_rows(rows, classes, StakesOnHand.ADDED),
    )


def _by_total(mask: tuple[tuple[bool, bool], ...], hands: PlayerHands) -> Flags:
    return np.array(mask)[hands.total, hands.soft.astype(np.int64)]


def _allowed(tables: Tables, hands: PlayerHands, *, doubles: bool, doubles_up: bool) -> Allowed:
    """Return the actions that the masks allow to hands of two or more cards; a charlie is over."""
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


def _split_rows(rows: PayoffRows, classes: Integers, first: int) -> SplitRows:
    plain, doubled, up = first, first + 1, first + 2
    return SplitRows(
        plain=rows.row[plain, classes],
        doubled=rows.row[doubled, classes],
        doubled_up=rows.row[up, classes],
        bust=float(rows.bust[plain]),
        doubled_bust=float(rows.bust[doubled]),
    )

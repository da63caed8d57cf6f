"""Kernels import none of our modules, so they repeat some constants: each copy must equal its original."""

from __future__ import annotations

from holecard import deck
from holecard.exact.main import dealer_tree, prepared_game
from holecard.exact.main.policy import CODES
from holecard.kernels.exact import actions, combinations, dealer_outcomes
from holecard.kernels.play import lookup, side_wagers
from holecard.sheets import tables


def test_constants_of_the_kernels_that_play_rounds() -> None:
    """The lookup table is indexed by settlement classes, ranks, values and suits."""
    assert lookup.CLASS_COUNT == tables.CLASSES
    assert lookup.ANY_CLASS == tables.ANY_DEALER
    assert len(deck.RANKS) == lookup.RANK_COUNT
    assert lookup.VALUE_COUNT == dealer_tree.N_VALUES == len(set(deck.VALUES))
    assert len(deck.SUITS) == side_wagers.SUIT_COUNT


def test_constants_of_the_exact_kernels() -> None:
    """Cards by type, the bust as the first outcome, and a code for every action that a policy names."""
    assert len(deck.DECK) == combinations._TYPES
    assert dealer_outcomes.BUST_OUTCOME == 0
    assert sorted(CODES.values()) == [actions.STAND_CODE, actions.HIT_CODE, actions.DOUBLE_CODE, actions.DOUBLE_UP_CODE]
    assert (min(deck.VALUES) - 1, max(deck.VALUES) - 1) == (prepared_game.ACE, prepared_game.TEN)

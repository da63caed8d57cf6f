"""The EV of insurance from many shoes: `insurance_values` before the deal, `offered_insurance_values` after it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from holecard.errors import Refusal
from holecard.exact.shoe_values.shoe_counts import CARD_COUNTS, RANK_COUNTS, VALUE_COUNTS, by_value, shoe_counts
from holecard.exact.wagers.wager_values import FEWEST_CARDS
from holecard.kernels.arrays import Floats, Integers
from holecard.sheets.read import RulesLike, rules

_ACE, _TEN = 0, 9


def insurance_values(game: RulesLike, shoes: NDArray[Any]) -> Floats:
    """Return [shoe] the EV of insurance per unit staked, given that an ace is up and before any other card is known.

    NaN where no ace can be up, or where a shoe has too few cards for a deal.
    """
    counts = by_value(shoe_counts(shoes, VALUE_COUNTS, RANK_COUNTS, CARD_COUNTS))
    cards = counts.sum(axis=1)
    is_offered = (counts[:, _ACE] > 0) & (cards >= FEWEST_CARDS)
    return _evs(game, counts[:, _TEN], np.where(is_offered, cards - 1, 0))


def offered_insurance_values(game: RulesLike, shoes: NDArray[Any]) -> Floats:
    """Return [shoe] the EV of insurance per unit staked when an ace is up; the hole card is one of the cards given.

    NaN where no card is left for it.
    """
    counts = by_value(shoe_counts(shoes, VALUE_COUNTS, RANK_COUNTS, CARD_COUNTS))
    return _evs(game, counts[:, _TEN], counts.sum(axis=1))


def _evs(game: RulesLike, tens: Integers, cards: Integers) -> Floats:
    """Return [shoe] the EV, given how many cards may be the hole card and how many of them are tens."""
    odds = rules(game).tables.insurance
    if odds is None:
        raise Refusal("this game offers no insurance")
    return np.where(cards > 0, tens / np.maximum(cards, 1) * float(1 + odds) - 1, np.nan)

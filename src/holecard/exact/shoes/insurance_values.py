"""`insurance_values`: the EV of insurance from many shoes."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from holecard.errors import Refusal
from holecard.exact.shoes.shoe_counts import CARD_COUNTS, RANK_COUNTS, VALUE_COUNTS, by_value, shoe_counts
from holecard.exact.wagers.wager_values import FEWEST_CARDS
from holecard.kernels.arrays import Floats
from holecard.sheets.read import RulesLike, rules

_ACE, _TEN = 0, 9


def insurance_values(game: RulesLike, shoes: NDArray[Any]) -> Floats:
    """Return [shoe] the EV of insurance per unit staked, given that an ace is up and before any other card is known.

    NaN where no ace can be up, or where a shoe has too few cards for a deal.
    """
    odds = rules(game).tables.insurance
    if odds is None:
        raise Refusal("this game offers no insurance")
    counts = by_value(shoe_counts(shoes, VALUE_COUNTS, RANK_COUNTS, CARD_COUNTS))
    cards = counts.sum(axis=1)
    is_offered = (counts[:, _ACE] > 0) & (cards >= FEWEST_CARDS)
    tens: Floats = counts[:, _TEN] / np.where(is_offered, cards - 1, 1)
    return np.where(is_offered, tens * float(1 + odds) - 1, np.nan)

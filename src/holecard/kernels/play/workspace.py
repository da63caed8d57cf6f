"""Scratch arrays for playing rounds one by one: allocated once and reused by every round."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from holecard.kernels.play.dealing import Dealt, dealt_size
from holecard.kernels.play.lookup import OF_DEALER, RESULT, Numbers, Offsets, Results


class Workspace(NamedTuple):
    """The scratch of `play_round`."""

    dealt: Dealt
    ends: Numbers
    hands: Numbers
    results: Results


def new_workspace(at: Offsets, seats: int) -> Workspace:
    """Return a workspace for a table with this many seats."""
    return Workspace(
        dealt=np.empty(dealt_size(at.cards, at.hands * seats), np.uint16),
        ends=np.empty(at.hands * seats, np.int32),
        hands=np.empty(seats, np.int32),
        results=np.empty(RESULT * seats + OF_DEALER, np.int64),
    )

"""Generating functions of split hands' net results relative to a bust, and the error of leaving out cumulants."""

from __future__ import annotations

import numpy as np

from holecard.exact.distribution.cumulants import Functions, HandBlock, support, together
from holecard.exact.distribution.joint_hands import Joint
from holecard.kernels.arrays import Floats, Integers

#: The stated error is this many times the estimate of what is left out.
_CAUTION = 3.0


class Excess:
    """Generating functions of what hands win beyond a bust, against one dealer outcome."""

    def __init__(
        self,
        own: Integers,
        added: Integers,
        busts: tuple[int, int],
        joints: dict[tuple[int, bool], Joint],
        *,
        apart: bool,
    ) -> None:
        """Take, by class, what the original and an added hand win, and what each loses by a bust."""
        self.own, self.added, self.busts = own, added, busts
        of_original = {busts[0], *own.tolist()} if apart else set()
        self.values = tuple(sorted({busts[1], *added.tolist()} | of_original))
        self.places = {key: self._places(joint.classes, key[1]) for key, joint in joints.items() if key[0]}

    def _places(self, classes: Integers, original: bool) -> tuple[Integers, Floats]:
        """Return totals of every group's hands, each in turn with its own result and, subtracted, with a bust."""
        hands = classes.shape[1]
        totals, signs = np.zeros((1, len(classes)), np.int64), np.ones(1)
        for hand in range(hands):
            apart = original and hand == 0
            net = (self.own if apart else self.added)[classes[:, hand]]
            totals = np.concatenate([totals + net, totals + self.busts[0 if apart else 1]])
            signs = np.concatenate([signs, -signs])
        return np.searchsorted(support(self.values, hands), totals.ravel()), signs

    def function(self, block: HandBlock, probabilities: Floats) -> Floats:
        """Return the function of all groups together."""
        places, signs = self.places[sum(block), bool(block[0])]
        size = support(self.values, sum(block)).size
        return np.bincount(places, np.multiply.outer(signs, probabilities).ravel(), size).astype(np.float64, copy=False)


def truncation_error(values: tuple[int, ...], everyone: HandBlock, known: Functions, joined: int) -> Floats:
    """Return an upper estimate of what the cumulants of more hands would change.

    The last cumulants taken change a probability by some share of what those before them do, every change counted as
    positive; the next ones are assumed to change it by that share of the last, three times over, and by no less than
    the share of all net results together.
    """
    positive = {block: np.abs(function) for block, function in known.items()}
    sums = [together(values, everyone, positive, most) for most in (joined - 2, joined - 1, joined) if most > 0]
    last = sums[-1] - sums[-2]
    before = sums[-2] - sums[-3] if len(sums) > 2 else sums[-2]
    share = np.divide(last, before, out=np.ones_like(last), where=before > last)
    overall = min(last.sum() / before.sum(), 1.0) if before.sum() > 0 else 1.0
    return np.asarray(_CAUTION * last * np.clip(share, overall, 1.0))

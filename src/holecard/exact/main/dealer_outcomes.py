"""The outcomes that a dealer's hand can have, as the kernels count them: a bust, then each settlement class reached."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from holecard.exact.main.dealer_tree import OPEN, DealerModel
from holecard.exact.main.prepared_game import PreparedGame
from holecard.kernels.arrays import Floats
from holecard.kernels.exact.dealer_outcomes import OutcomeTable, fill_outcome_probabilities
from holecard.kernels.exact.stand import order_probabilities
from holecard.sheets.tables import DEALER_22, DEALER_BUST


@dataclass(frozen=True)
class DealerOutcomes:
    """The outcomes of a game's dealer, and their probabilities."""

    classes: tuple[int, ...]
    """[outcome] the dealer class of the settlement tables"""
    arrays: OutcomeTable
    """the same for the kernel"""
    dealer: DealerModel

    def probabilities(self, start: int, left: Floats) -> Floats:
        """Return [outcome, lane] for cards `left[v, lane]`, which exclude the start's cards and the player's."""
        out = np.empty((len(self.classes), left.shape[1]))
        natural = int(self.dealer.starts.natural[start])
        cards = int(left.sum(axis=0).max(initial=0.0))
        probabilities = order_probabilities(np.int64(cards), np.int64(self.dealer.tree.deepest[start]))
        fill_outcome_probabilities(
            np.ascontiguousarray(left), start, natural, self.dealer.tree, self.arrays, probabilities, out
        )
        return out


def dealer_outcomes(game: PreparedGame) -> DealerOutcomes:
    """Return the outcomes of a game's dealer; a bust with 22 is an outcome apart only where it settles differently."""
    dealer = game.dealer
    every = game.rows.every
    merge_22 = bool((every[:, :, DEALER_22] == every[:, :, DEALER_BUST]).all())

    def merged(dealer_class: int) -> int:
        return DEALER_BUST if merge_22 and dealer_class == DEALER_22 else dealer_class

    reached = {merged(int(c)) for c in dealer.patterns.flat} | {merged(c) for c in dealer.finished}
    classes = (DEALER_BUST, *sorted(reached - {OPEN, DEALER_BUST}))
    number = {dealer_class: index for index, dealer_class in enumerate(classes)}
    entries, card, own, which = [0], [], [], []
    for node, pattern in enumerate(dealer.pattern_of):
        for v, dealer_class in enumerate(dealer.patterns[pattern]):
            if merged(int(dealer_class)) not in (OPEN, DEALER_BUST):
                card.append(v)
                own.append(dealer.drawn[node, v])
                which.append(number[merged(int(dealer_class))])
        entries.append(len(card))
    arrays = OutcomeTable(
        size=len(classes),
        entries=np.array(entries, np.uint64),
        card=np.array(card, np.uint64),
        own=np.array(own, np.float64),
        outcome=np.array(which, np.uint64),
        finished=np.array([-1 if c == OPEN else number[merged(c)] for c in dealer.finished], np.int64),
    )
    return DealerOutcomes(classes, arrays, dealer)

"""The dealer's endings as the kernels count them: a bust first, then every settlement class that can be reached."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from holecard.exact.main.dealer_tree import OPEN, Dealer
from holecard.exact.main.prepared_game import Game
from holecard.kernels.exact.dealer_outcomes import Endings, dealer_endings
from holecard.kernels.exact.stand import chances_of_orders
from holecard.sheets.tables import DEALER_22, DEALER_BUST

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class DealerEndings:
    """[ending] dealer classes, and the arrays of the kernel."""

    classes: tuple[int, ...]
    arrays: Endings
    dealer: Dealer

    def chances(self, start: int, left: Floats) -> Floats:
        """[ending, lane] for cards `left[rank, lane]`, the start's and the player's own already out."""
        out = np.empty((len(self.classes), left.shape[1]))
        natural = int(self.dealer.starts.natural[start])
        cards = int(left.sum(axis=0).max(initial=0.0))
        chances = chances_of_orders(np.int64(cards), np.int64(self.dealer.tree.deepest[start]))
        dealer_endings(np.ascontiguousarray(left), start, natural, self.dealer.tree, self.arrays, chances, out)
        return out


def endings_of(game: Game) -> DealerEndings:
    """The endings of a game's dealer; a bust with 22 is one of its own only where it settles differently."""
    dealer = game.dealer
    every = game.rows.every
    merge_22 = bool((every[:, :, DEALER_22] == every[:, :, DEALER_BUST]).all())

    def ending(dealer_class: int) -> int:
        return DEALER_BUST if merge_22 and dealer_class == DEALER_22 else dealer_class

    reached = {ending(int(c)) for c in dealer.patterns.flat} | {ending(c) for c in dealer.finished}
    classes = (DEALER_BUST, *sorted(reached - {OPEN, DEALER_BUST}))
    number = {dealer_class: index for index, dealer_class in enumerate(classes)}
    entries, rank, own, which = [0], [], [], []
    for node, pattern in enumerate(dealer.pattern_of):
        for r, dealer_class in enumerate(dealer.patterns[pattern]):
            if ending(int(dealer_class)) not in (OPEN, DEALER_BUST):
                rank.append(r)
                own.append(dealer.drawn[node, r])
                which.append(number[ending(int(dealer_class))])
        entries.append(len(rank))
    arrays = Endings(
        size=len(classes),
        entries=np.array(entries, np.uint64),
        rank=np.array(rank, np.uint64),
        own=np.array(own, np.float64),
        ending=np.array(which, np.uint64),
        finished=np.array([-1 if c == OPEN else number[ending(c)] for c in dealer.finished], np.int64),
    )
    return DealerEndings(classes, arrays, dealer)

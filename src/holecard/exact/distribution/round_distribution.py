"""The distribution of a round's net result, and the stake it is played for."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from holecard.composition import Composition
from holecard.exact.distribution.joint_hands import MOST_JOINT
from holecard.exact.distribution.net_distribution import Nets
from holecard.exact.distribution.split_distribution import SplitPair, SplitSpread, split_spread
from holecard.exact.error_bound import chance_bound
from holecard.exact.main.batches import share_out
from holecard.exact.main.dealer_outcomes import DealerEndings, endings_of
from holecard.exact.main.initial_deals import seen_naturals, splits_by_rank, tens_of_one_rank
from holecard.exact.main.initial_hands import Opening
from holecard.exact.main.prepared_game import TEN
from holecard.exact.main.solve import Solution
from holecard.kernels.exact.forward import Flow, flow
from holecard.payoffs.stakes import StakesOnHand, initial_stakes_payoff
from holecard.sheets.tables import ANY_DEALER, BUST, DEALER_NATURAL, NATURAL, SettlementRow

Floats = NDArray[np.float64]

EXACT = "exact"
NEARLY = (
    "the deviation is exact; so is the distribution, but for some pairs split to three hands or more, "
    "where each probability has its error stated"
)


@dataclass(frozen=True)
class RoundSpread:
    """Net results per unit of initial stake, with what they are worth knowing."""

    distribution: tuple[tuple[Fraction, float], ...]
    errors: tuple[float, ...]
    """How far each probability may be off, in the order of the distribution."""
    rounding: float
    """What floating point alone may do to any of them."""
    square: float
    """The mean square of a net result, exact however many hands there are."""
    stake: float
    method: str


def spread(
    solution: Solution, shoe: Composition, decided: list[tuple[Opening, list[str]]], threads: int = 1
) -> RoundSpread:
    """The distribution when every opening is played as decided, and the solution's plans from there on."""
    return _Spreading(solution, shoe).run(decided, threads)


def no_flow(hands: int, starts: int) -> Flow:
    """Chances still to be filled in."""
    shape = (hands, starts)
    return Flow(
        hit=np.zeros(shape),
        doubled=np.zeros(shape),
        stands=np.zeros(shape),
        stands_doubled=np.zeros(shape),
        stands_doubled_up=np.zeros(shape),
        busts=np.zeros(shape[1]),
        busts_doubled=np.zeros(shape[1]),
    )


class _Spreading:
    """One distribution in the making."""

    def __init__(self, solution: Solution, shoe: Composition) -> None:
        self.solution, self.shoe, self.game = solution, shoe, solution.game
        self.endings: DealerEndings = endings_of(self.game)
        self.nets = Nets(self.game)
        self.stake = self.square = 0.0
        self.errors = Nets(self.game)
        self.exact = True
        self.flow = no_flow(self.game.hands.size.size, len(self.game.dealer.shown))
        self.pairs: list[SplitPair] = []

    def run(self, decided: list[tuple[Opening, list[str]]], threads: int) -> RoundSpread:
        self._seen_naturals()
        for opening, actions in decided:
            for start in np.flatnonzero(opening.chance):
                self._open(opening, int(start), actions[start])
        self._splits(threads)
        solution = self.solution
        flow(solution.counts, self.game.arrays, self.game.dealer.starts, solution.plans.before, self.flow)
        self._stand()
        found, left_out = self.nets.distribution(), dict(self.errors.distribution())
        rounding = self._rounding()
        errors = tuple(left_out.get(net, 0.0) + rounding for net, _ in found)
        return RoundSpread(found, errors, rounding, self.square, self.stake, EXACT if self.exact else NEARLY)

    def _rounding(self) -> float:
        """Every probability is off by no more.

        A hand counts once, h hands of a split that are summed together 3^h times: each with its own result, with a
        bust, and with the bust subtracted again.
        """
        split: float = sum(pair.chance * 3.0 ** min(self.game.most_hands(pair.rank), MOST_JOINT) for pair in self.pairs)
        return chance_bound(self.game) * (1.0 + split)

    def _add(self, parts: int, chance: float, stake: float = 1.0) -> None:
        self.nets.add(parts, chance)
        self.stake += chance * stake
        self.square += chance * (parts / self.nets.scale) ** 2

    def _settle(self, carries: int, player: int, dealer: int) -> int:
        """A net result, in parts of a unit."""
        return int(self.nets.worth[carries, player, dealer])

    def _cash(self, row: SettlementRow) -> int:
        return int(initial_stakes_payoff(self.game.tables, row) * self.nets.scale)

    def _seen_naturals(self) -> None:
        """A dealer's natural in full sight ends the round before anybody acts."""
        if self.game.tables.hole_card != "face up":
            return
        for player, chance in zip((NATURAL, ANY_DEALER), seen_naturals(self.solution.counts), strict=True):
            self._add(self._settle(StakesOnHand.ORIGINAL, player, DEALER_NATURAL), chance)

    def _open(self, opening: Opening, start: int, action: str) -> None:
        """The known natural, then what is done with the first two cards."""
        tables, hand, chance = self.game.tables, opening.hand, float(opening.chance[start])
        if action == "early surrender":
            self._add(self._cash(tables.surrender), chance)
            return
        player = NATURAL if opening.is_natural else int(self.game.classes[hand])
        known = chance * float(1 - opening.unknown[start])
        if known:
            self._add(self._settle(StakesOnHand.ORIGINAL, player, DEALER_NATURAL), known)
        played = chance * float(opening.unknown[start])
        if opening.is_natural:
            self._natural(opening, start, chance)
        elif action == "surrender":
            self._add(self._cash(tables.surrender), played)
        elif action == "quick pay":
            row = tables.quick_pay[int(self.game.hands.total[hand])]
            assert row is not None
            self._add(self._cash(row), played)
        elif action == "split":
            self._split(opening.low - 1, start, chance)
        else:
            into = {"stand": "stands", "hit": "hit", "double": "doubled", "double up": "stands_doubled_up"}
            getattr(self.flow, into[action])[hand, start] += chance

    def _natural(self, opening: Opening, start: int, chance: float) -> None:
        ends = self.endings.chances(start, self._left(start, [opening.hand]))[:, 0]
        for dealer, share in zip(self.endings.classes, ends, strict=True):
            self._add(self._settle(StakesOnHand.ORIGINAL, NATURAL, dealer), chance * float(share))

    def _left(self, start: int, hands: list[int] | NDArray[np.int64]) -> Floats:
        out: Floats = self.solution.counts - self.game.dealer.starts.cards[start] - self.game.hands.cards[hands]
        return out.T

    def _split(self, rank: int, start: int, chance: float) -> None:
        counts = self.solution.counts
        if rank == TEN and splits_by_rank(self.game):
            cases = tens_of_one_rank(self.game, self.shoe)[start]
        else:
            cases = [(float(counts[rank] - self.game.dealer.starts.cards[start, rank]), chance)]
        whole = sum(share for _, share in cases)
        self.pairs += [SplitPair(rank, start, chance * share / whole, pair_left) for pair_left, share in cases]

    def _splits(self, threads: int) -> None:
        """Every split pair: most of the work, and each one apart from the others."""

        def one(pair: SplitPair) -> SplitSpread:
            return split_spread(self.game, self.endings, self.solution.counts, self.solution.plans, pair)

        for found in share_out(one, self.pairs, threads):
            self.nets.add_all(found.nets)
            self.errors.add_all(found.errors)
            self.stake += found.stake
            self.square += found.square
            self.exact &= found.exact

    def _stand(self) -> None:
        """Hands that stand meet every ending of the dealer."""
        kinds = (
            (StakesOnHand.ORIGINAL, self.flow.stands, 1.0),
            (StakesOnHand.ORIGINAL_DOUBLED, self.flow.stands_doubled, 2.0),
            (StakesOnHand.ORIGINAL_DOUBLED_UP, self.flow.stands_doubled_up, 2.0),
        )
        for start in range(len(self.game.dealer.shown)):
            any_way = (
                self.flow.stands[:, start] + self.flow.stands_doubled[:, start] + self.flow.stands_doubled_up[:, start]
            )
            hands = np.flatnonzero(any_way)
            if not hands.size:
                continue
            ends = self.endings.chances(start, self._left(start, hands))
            classes = self.game.classes[hands]
            for carries, chances, stake in kinds:
                for player in np.unique(classes[chances[hands, start] > 0]):
                    of_class = classes == player
                    share = ends[:, of_class] @ chances[hands[of_class], start]
                    for dealer, chance in zip(self.endings.classes, share, strict=True):
                        self._add(self._settle(carries, int(player), dealer), float(chance), stake)
        bust = self._settle(StakesOnHand.ORIGINAL, BUST, ANY_DEALER)
        self._add(bust, float(self.flow.busts.sum()))
        doubled = self._settle(StakesOnHand.ORIGINAL_DOUBLED, BUST, ANY_DEALER)
        self._add(doubled, float(self.flow.busts_doubled.sum()), 2.0)

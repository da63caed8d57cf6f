"""The distribution of the net result of a whole round, its standard deviation, and the average stake."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from holecard.composition import Composition
from holecard.exact.distribution.joint_hands import MOST_JOINT
from holecard.exact.distribution.net_distribution import NetDistribution
from holecard.exact.distribution.split_distribution import SplitDistribution, SplitPair, split_distribution
from holecard.exact.error_bound import probability_bound
from holecard.exact.main.batches import map_threads
from holecard.exact.main.deal_probabilities import seen_naturals, splits_by_rank, tens_of_one_rank
from holecard.exact.main.dealer_outcomes import DealerOutcomes, dealer_outcomes
from holecard.exact.main.initial_hands import InitialHand
from holecard.exact.main.prepared_game import TEN
from holecard.exact.main.reach import empty_reach
from holecard.exact.main.solve import Solution
from holecard.kernels.arrays import Floats, Integers
from holecard.kernels.exact.forward import forward
from holecard.payoffs.stakes import StakesOnHand, initial_stakes_payoff
from holecard.sheets.tables import ANY_DEALER, BUST, DEALER_NATURAL, NATURAL, SettlementRow

EXACT = "exact"
NEARLY_EXACT = "exact, except for some pairs split into three or more hands; the error of each probability is listed"


@dataclass(frozen=True)
class RoundDistribution:
    """Net results per unit of initial stake."""

    distribution: tuple[tuple[Fraction, float], ...]
    errors: tuple[float, ...]
    """How far each probability may be off, in the order of the distribution."""
    rounding: float
    """What rounding alone may do to any of them."""
    square: float
    """The mean square of a net result, exact however many hands there are."""
    stake: float
    """average stake"""
    method: str
    """ "exact", or what is not exact"""


def round_distribution(
    solution: Solution, shoe: Composition, decisions: list[tuple[InitialHand, list[str]]], threads: int = 1
) -> RoundDistribution:
    """Return the distribution when initial hands are played as decided, and the rest by the solution's policies."""
    return _RoundSum(solution, shoe).run(decisions, threads)


class _RoundSum:
    """One distribution in the making."""

    def __init__(self, solution: Solution, shoe: Composition) -> None:
        self.solution, self.shoe, self.game = solution, shoe, solution.game
        self.outcomes: DealerOutcomes = dealer_outcomes(self.game)
        self.net_results = NetDistribution(self.game)
        self.stake = self.square = 0.0
        self.errors = NetDistribution(self.game)
        self.exact = True
        self.reach = empty_reach(self.game.hands.size.size, len(self.game.dealer.shown))
        self.pairs: list[SplitPair] = []

    def run(self, decisions: list[tuple[InitialHand, list[str]]], threads: int) -> RoundDistribution:
        """Return the distribution once every initial hand is added."""
        self._seen_naturals()
        for initial, actions in decisions:
            for start in np.flatnonzero(initial.probability):
                self._add_initial(initial, int(start), actions[start])
        self._splits(threads)
        solution = self.solution
        forward(solution.counts, self.game.arrays, self.game.dealer.starts, solution.policies.first_hand, self.reach)
        self._stand()
        found, left_out = self.net_results.distribution(), dict(self.errors.distribution())
        rounding = self._rounding()
        errors = tuple(left_out.get(net, 0.0) + rounding for net, _ in found)
        return RoundDistribution(
            found, errors, rounding, self.square, self.stake, EXACT if self.exact else NEARLY_EXACT
        )

    def _rounding(self) -> float:
        """Return a bound for the rounding error of every probability.

        A hand counts once; h hands of a split that are summed together count 3^h times: each with its own result, with
        a bust, and with the bust subtracted again.
        """
        split: float = sum(
            pair.probability * 3.0 ** min(self.game.most_hands(pair.card), MOST_JOINT) for pair in self.pairs
        )
        return probability_bound(self.game) * (1.0 + split)

    def _add(self, parts: int, probability: float, stake: float = 1.0) -> None:
        self.net_results.add(parts, probability)
        self.stake += probability * stake
        self.square += probability * (parts / self.net_results.scale) ** 2

    def _settle(self, stakes: int, player: int, dealer: int) -> int:
        """Return a net result in parts."""
        return int(self.net_results.payoffs[stakes, player, dealer])

    def _cash(self, row: SettlementRow) -> int:
        return int(initial_stakes_payoff(self.game.tables, row) * self.net_results.scale)

    def _seen_naturals(self) -> None:
        """Add the dealer's visible naturals, which end the round before any action."""
        if self.game.tables.hole_card != "face up":
            return
        for player, probability in zip((NATURAL, ANY_DEALER), seen_naturals(self.solution.counts), strict=True):
            self._add(self._settle(StakesOnHand.ORIGINAL, player, DEALER_NATURAL), probability)

    def _add_initial(self, initial: InitialHand, start: int, action: str) -> None:
        """Add the dealer's known natural, then what is done with the first two cards."""
        tables, hand, probability = self.game.tables, initial.hand, float(initial.probability[start])
        if action == "early surrender":
            self._add(self._cash(tables.surrender), probability)
            return
        player = NATURAL if initial.is_natural else int(self.game.classes[hand])
        known = probability * float(1 - initial.no_natural[start])
        if known:
            self._add(self._settle(StakesOnHand.ORIGINAL, player, DEALER_NATURAL), known)
        reached = probability * float(initial.no_natural[start])
        if initial.is_natural:
            self._natural(initial, start, probability)
        elif action == "surrender":
            self._add(self._cash(tables.surrender), reached)
        elif action == "quick pay":
            row = tables.quick_pay[int(self.game.hands.total[hand])]
            assert row is not None
            self._add(self._cash(row), reached)
        elif action == "split":
            self._split(initial.low - 1, start, probability)
        else:
            into = {"stand": "stands", "hit": "hit", "double": "doubled", "double up": "stands_doubled_up"}
            getattr(self.reach, into[action])[hand, start] += probability

    def _natural(self, initial: InitialHand, start: int, probability: float) -> None:
        ends = self.outcomes.probabilities(start, self._left(start, [initial.hand]))[:, 0]
        for dealer, share in zip(self.outcomes.classes, ends, strict=True):
            self._add(self._settle(StakesOnHand.ORIGINAL, NATURAL, dealer), probability * float(share))

    def _left(self, start: int, hands: list[int] | Integers) -> Floats:
        out: Floats = self.solution.counts - self.game.dealer.starts.cards[start] - self.game.hands.cards[hands]
        return out.T

    def _split(self, v: int, start: int, probability: float) -> None:
        counts = self.solution.counts
        if v == TEN and splits_by_rank(self.game):
            cases = tens_of_one_rank(self.game, self.shoe)[start]
        else:
            cases = [(float(counts[v] - self.game.dealer.starts.cards[start, v]), probability)]
        whole = sum(share for _, share in cases)
        self.pairs += [SplitPair(v, start, probability * share / whole, pair_left) for pair_left, share in cases]

    def _splits(self, threads: int) -> None:
        """Add every split pair: most of the work, and each pair independent of the others."""

        def one(pair: SplitPair) -> SplitDistribution:
            return split_distribution(self.game, self.outcomes, self.solution.counts, self.solution.policies, pair)

        for found in map_threads(one, self.pairs, threads):
            self.net_results.add_all(found.net_results)
            self.errors.add_all(found.errors)
            self.stake += found.stake
            self.square += found.square
            self.exact &= found.exact

    def _stand(self) -> None:
        """Add hands that stand, against every outcome of the dealer, and busts."""
        kinds = (
            (StakesOnHand.ORIGINAL, self.reach.stands, 1.0),
            (StakesOnHand.ORIGINAL_DOUBLED, self.reach.stands_doubled, 2.0),
            (StakesOnHand.ORIGINAL_DOUBLED_UP, self.reach.stands_doubled_up, 2.0),
        )
        for start in range(len(self.game.dealer.shown)):
            any_way = (
                self.reach.stands[:, start]
                + self.reach.stands_doubled[:, start]
                + self.reach.stands_doubled_up[:, start]
            )
            hands = np.flatnonzero(any_way)
            if not hands.size:
                continue
            ends = self.outcomes.probabilities(start, self._left(start, hands))
            classes = self.game.classes[hands]
            for stakes, probabilities, stake in kinds:
                for player in np.unique(classes[probabilities[hands, start] > 0]):
                    of_class = classes == player
                    share = ends[:, of_class] @ probabilities[hands[of_class], start]
                    for dealer, probability in zip(self.outcomes.classes, share, strict=True):
                        self._add(self._settle(stakes, int(player), dealer), float(probability), stake)
        bust = self._settle(StakesOnHand.ORIGINAL, BUST, ANY_DEALER)
        self._add(bust, float(self.reach.busts.sum()))
        doubled = self._settle(StakesOnHand.ORIGINAL_DOUBLED, BUST, ANY_DEALER)
        self._add(doubled, float(self.reach.busts_doubled.sum()), 2.0)

"""The distribution of a split pair's net result, all its hands together.

Some hands at a time are summed exactly with every dealer outcome: two always, three and four where that is not too much
work (`JointStates`). The distribution of the whole split follows from these (`cumulants`): exactly up to that many
hands, and beyond with an error that is stated for every net result. Whatever is left out concerns more than two hands
at once, so the mean and the standard deviation are exact for any number of hands.

A hand is *closed* if its second card is known not to be of the pair, else *open*; "known not" is subtracted out by
inclusion and exclusion, as in `splits.pair_weights`. A *level* is a number of cards of the pair that are out.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import comb, prod

import numpy as np

from holecard.exact.distribution.cumulants import HandBlock, blocks, cumulants, from_all, support, together
from holecard.exact.distribution.gains_over_bust import Excess, truncation_error
from holecard.exact.distribution.joint_hands import (
    MOST_JOINT,
    OTHER_TEN,
    PAIRED,
    JointStates,
    ends_of,
    tens_apart,
)
from holecard.exact.distribution.net_distribution import NetDistribution
from holecard.exact.main.dealer_outcomes import DealerOutcomes
from holecard.exact.main.prepared_game import PreparedGame
from holecard.exact.main.solve import Policies
from holecard.exact.splits.pair_weights import levels, pair_probabilities, ways_to_end
from holecard.kernels.arrays import Floats, Integers
from holecard.payoffs.stakes import StakesOnHand
from holecard.sheets.tables import ANY_DEALER, BUST

#: The most combinations that are worth the time, for three hands together and for four; more of them where so few
#: cards pair that hands depend on each other strongly.
MOST_WAYS = {3: 100_000, 4: 50_000}
MOST_WAYS_OF_FEW = {3: 2_000_000, 4: 200_000}
FEW_CARDS = 8
_NO_HANDS: HandBlock = (0, 0, 0)
#: Probabilities below this are rounding.
_ROUNDING = 1e-14


@dataclass(frozen=True)
class SplitPair:
    """A pair to be split against a start."""

    card: int
    """v of the pair"""
    start: int
    probability: float
    """of the deal"""
    pair_left: float
    """cards that pair again, the player's two included, the dealer's not"""


@dataclass(frozen=True)
class SplitDistribution:
    """How a split pair ends, all times the probability of its deal."""

    net_results: NetDistribution
    errors: NetDistribution
    """how far the probability of each net result may be off"""
    stake: float
    """expected stake"""
    square: float
    """mean square of the net result"""
    exact: bool


@dataclass(frozen=True)
class _Context:
    """One way a split can end: a number of hands, of which some are closed."""

    hands: int
    closed: int
    probability: float

    def block(self, *, original_apart: bool) -> HandBlock:
        """Return all its hands; the original is served first, so it is closed if any is."""
        if not original_apart:
            return 0, self.closed, self.hands - self.closed
        return (1, self.closed - 1, self.hands - self.closed) if self.closed else (1, 0, self.hands - 1)


def split_distribution(
    game: PreparedGame,
    outcomes: DealerOutcomes,
    counts: Floats,
    policies: Policies,
    pair: SplitPair,
    most_ways: dict[int, int] | None = None,
) -> SplitDistribution:
    """Return the net results of a split pair; `most_ways` limits how many hands are combined exactly."""
    if most_ways is None:
        most_ways = MOST_WAYS_OF_FEW if pair.pair_left <= FEW_CARDS else MOST_WAYS
    return _SplitSum(game, outcomes, counts, policies, pair, most_ways).run()


class _SplitSum:
    """One split pair in the making."""

    def __init__(
        self,
        game: PreparedGame,
        outcomes: DealerOutcomes,
        counts: Floats,
        policies: Policies,
        pair: SplitPair,
        most_ways: dict[int, int],
    ) -> None:
        self.game, self.outcomes, self.pair = game, outcomes, pair
        self.left = counts - game.dealer.starts.cards[pair.start]
        self.most = game.most_hands(pair.card)
        cards = np.array([self.left.sum()])
        found = pair_probabilities(np.array([pair.pair_left]), cards, levels(self.most))
        self.again = [float(r[0]) for r in found]
        self.apart = not game.rows.split_alike
        self.contexts = [
            _Context(hands, closed, probability)
            for hands, closed, orders in ways_to_end(self.most)
            if (probability := pair.probability * orders * prod(self.again[2:hands])) > 0
        ]
        self.tens_apart = tens_apart(game, policies, pair.card, pair.start)
        self.ends = ends_of(game, outcomes, policies, pair.card, pair.start, by_pairing=self.most > 2)
        self.states = JointStates(self.ends, self.left, pair.card, original_apart=self.apart)
        self.joined = self._combine(most_ways)
        self.joints = {
            (hands, original): self.states.joint(outcomes, pair.start, hands, self._levels(hands), original=original)
            for hands in range(self.joined + 1)
            for original in ((False, True) if self.apart and hands else (False,))
        }
        self.net_results, self.errors = NetDistribution(game), NetDistribution(game)
        self.stake = self.square = 0.0

    def _combine(self, most_ways: dict[int, int]) -> int:
        """Return how many hands are combined exactly."""
        needed = max((context.hands for context in self.contexts), default=2)
        joined = 2
        for hands in range(3, min(needed, self.states.most, MOST_JOINT) + 1):
            ways = self.states.size(hands - 1) * self.ends.ways.size // (1 if self.apart else hands)
            if ways > most_ways[hands]:
                break
            self.states.find(hands)
            joined = hands
        return min(joined, needed)

    def run(self) -> SplitDistribution:
        excess = [self._excess(dealer) for dealer in self.outcomes.classes]
        for context in self.contexts:
            probabilities = {
                block: self._probabilities(context, block)
                for block in [_NO_HANDS, *blocks(context.block(original_apart=self.apart), self.joined)]
            }
            self._stakes(context)
            for outcome, whole in enumerate(probabilities[_NO_HANDS][0]):
                if whole > _ROUNDING:
                    of_outcome = {block: of_block[:, outcome] for block, of_block in probabilities.items()}
                    self._against(context, excess[outcome], of_outcome, float(whole))
        exact = all(context.hands <= self.joined for context in self.contexts)
        return SplitDistribution(self.net_results, self.errors, self.stake, self.square, exact)

    def _levels(self, hands: int) -> Integers:
        """Return the levels at which `hands` hands together are needed."""
        found = {
            context.hands + more
            for context in self.contexts
            if context.hands >= hands
            for more in range(min(context.closed, context.hands - hands) + 1)
        }
        return np.array(sorted(found), np.int64)

    def _unseen(self, context: _Context, block: HandBlock) -> list[tuple[int, float]]:
        """Return (level, weight): the context's other closed hands have not paired."""
        _, closed, _ = self._sorts(context, block)
        others = context.closed - closed
        found, weight = [], 1.0
        for more in range(others + 1):
            found.append((context.hands + more, (-1) ** more * comb(others, more) * weight))
            weight *= self.again[context.hands + more]
        return found

    def _sorts(self, context: _Context, block: HandBlock) -> tuple[int, int, int]:
        """Return (1 if the original is apart and closed, closed hands, open hands); the last two count the original."""
        original = block[0] if context.closed else 0
        return original, block[1] + original, block[2] + block[0] - original

    def _of_ranks(self, level: int, of_value: int, others: int) -> float:
        """Return P(cards of the pair's value are of its rank, and then `others` are tens of other ranks)."""
        value_left, rank_left = self.left[self.pair.card] - level, self.pair.pair_left - level
        other_left = value_left - rank_left
        probability = 1.0
        for k in range(of_value + others):
            fit = rank_left - k if k < of_value else other_left - (k - of_value)
            probability *= max(fit, 0.0) / max(value_left - k, 1.0)
        return float(probability)

    def _allowed(self, context: _Context, block: HandBlock, level: int) -> Floats:
        """Return [paired, other tens, the original's] the share of a group in which no closed hand pairs again."""
        original, closed, open_ = self._sorts(context, block)
        closed, open_ = closed - original, open_ - (block[0] - original)
        hands = closed + open_
        share = np.zeros((hands + 1, hands + 1, 3))
        if self.tens_apart:
            for paired, others, own in np.ndindex(share.shape):
                if paired <= open_ and paired + others <= hands and not (original and own == PAIRED):
                    of_ranks = self._of_ranks(level, paired + (own == PAIRED), others + (own == OTHER_TEN))
                    share[paired, others, own] = comb(open_, paired) / comb(hands, paired) * of_ranks
            return share
        for paired in range(hands + 1):
            for of_closed in range(min(closed, paired) + 1):
                orders = comb(closed, of_closed) * comb(open_, paired - of_closed) / comb(hands, paired)
                for own in range(2):
                    share[paired, 0, own] += orders * self._of_ranks(level, 0, of_closed + own * original)
        return share

    def _probabilities(self, context: _Context, block: HandBlock) -> Floats:
        """Return [group, outcome] the probabilities of a block's results."""
        joint = self.joints[sum(block), bool(block[0])]
        total = np.zeros(joint.sums.shape[1:])
        for level, weight in self._unseen(context, block):
            sums = joint.sums[np.searchsorted(joint.levels, level)]
            if self.most > 2 or self.tens_apart:
                share = self._allowed(context, block, level)[joint.paired, joint.other_tens, joint.original_paired]
                total += (weight * share)[:, None] * sums
            else:
                total += weight * sums
        return total

    def _stakes(self, context: _Context) -> None:
        """Add the expected stake: every hand has a unit on it, and one more if it was doubled or doubled up."""
        raised = (self.ends.stakes > 0)[self.joints[1, False].classes[:, 0]]
        plain = float(self._probabilities(context, _NO_HANDS).sum())
        for number, block in ((context.closed, (0, 1, 0)), (context.hands - context.closed, (0, 0, 1))):
            if number:
                more = float(self._probabilities(context, block)[raised].sum())
                self.stake += context.probability * number * (plain + more)

    def _excess(self, dealer: int) -> Excess:
        payoffs = self.net_results.payoffs
        by_class = [
            payoffs[by + self.ends.stakes, self.ends.player, dealer]
            for by in (StakesOnHand.ORIGINAL, StakesOnHand.ADDED)
        ]
        busts = [int(payoffs[by, BUST, ANY_DEALER]) for by in (StakesOnHand.ORIGINAL, StakesOnHand.ADDED)]
        return Excess(by_class[0], by_class[1], (busts[0], busts[1]), self.joints, apart=self.apart)

    def _against(self, context: _Context, excess: Excess, probabilities: dict[HandBlock, Floats], whole: float) -> None:
        """Add one context against one dealer outcome, which has the probability `whole`."""
        values, everyone = excess.values, context.block(original_apart=self.apart)
        functions = {
            block: excess.function(block, of_block / whole) for block, of_block in probabilities.items() if any(block)
        }
        parts, probability = support(values, context.hands), context.probability * whole
        if context.hands <= self.joined:
            self._add(parts, probability * from_all(values, everyone, functions, excess.busts))
            return
        known = cumulants(values, functions)
        for block in blocks(everyone, 1):
            # The functions are of what exceeds a bust: adding that constant changes only the cumulants of single hands.
            known[block][np.searchsorted(values, excess.busts[0 if block[0] else 1])] += 1.0
        self._add(parts, probability * together(values, everyone, known, self.joined))
        self.errors.add(parts, probability * truncation_error(values, everyone, known, self.joined))

    def _add(self, parts: Integers, probabilities: Floats) -> None:
        self.net_results.add(parts, probabilities)
        self.square += float((parts / self.net_results.scale) ** 2 @ probabilities)

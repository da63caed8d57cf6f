"""How a split pair can end, all its hands together.

Some hands at a time are summed exactly, with every ending of the dealer: two always, three and four where that is not
too much work (`JointStates`). From these follows the distribution of the whole split (`cumulants`): exactly up to that
many hands, and beyond with an error that is stated for every net result. Whatever is left out concerns more than two
hands at once, so the mean and the deviation are exact for any number of hands.

A hand is *closed* if its second card is known not to be of the pair, else *open*; "known not" is subtracted out by
inclusion and exclusion, as in `splits`. A *level* is a number of cards of the pair that are out.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import comb, prod

import numpy as np
from numpy.typing import NDArray

from holecard.exact.distribution.cumulants import Block, Functions, blocks, cumulants, from_all, support, together
from holecard.exact.distribution.joint_hands import (
    MOST_JOINT,
    OTHER_TEN,
    PAIRED,
    Joint,
    JointStates,
    ends_of,
    tens_apart,
)
from holecard.exact.distribution.net_distribution import Nets
from holecard.exact.main.dealer_outcomes import DealerEndings
from holecard.exact.main.prepared_game import Game
from holecard.exact.main.solve import Plans
from holecard.exact.splits.pair_weights import levels, pair_chances, ways_to_end
from holecard.payoffs.stakes import StakesOnHand
from holecard.sheets.tables import ANY_DEALER, BUST

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

#: Ways to combine that are worth the time, when three hands are taken together and when four are; and more of them
#: where so few cards pair that hands depend on each other strongly.
MOST_WAYS = {3: 100_000, 4: 50_000}
MOST_WAYS_OF_FEW = {3: 2_000_000, 4: 200_000}
FEW_CARDS = 8
_NOBODY: Block = (0, 0, 0)
#: Probabilities below this are sums that should be nothing.
_NOTHING = 1e-14
#: How many times the estimate of what is left out is stated.
_CAUTION = 3.0


@dataclass(frozen=True)
class SplitPair:
    """A pair to be split against a start."""

    rank: int
    start: int
    chance: float
    """of the deal"""
    pair_left: float
    """cards that pair again, the player's two among them, the dealer's cards out"""


@dataclass(frozen=True)
class SplitSpread:
    """How a split pair ends, all times the chance of its deal."""

    nets: Nets
    errors: Nets
    """how far each net result's probability may be off"""
    stake: float
    """expected"""
    square: float
    """mean square of the net result"""
    exact: bool


@dataclass(frozen=True)
class _Context:
    """One way a split can come to its end: so many hands, of which some are closed."""

    hands: int
    closed: int
    chance: float

    def block(self, *, original_apart: bool) -> Block:
        """All its hands; the original is served first, so it is closed if any is."""
        if not original_apart:
            return 0, self.closed, self.hands - self.closed
        return (1, self.closed - 1, self.hands - self.closed) if self.closed else (1, 0, self.hands - 1)


def split_spread(
    game: Game,
    endings: DealerEndings,
    counts: Floats,
    plans: Plans,
    pair: SplitPair,
    most_ways: dict[int, int] | None = None,
) -> SplitSpread:
    """The net results of a split pair; `most_ways` limits how many hands are combined exactly."""
    if most_ways is None:
        most_ways = MOST_WAYS_OF_FEW if pair.pair_left <= FEW_CARDS else MOST_WAYS
    return _Splitting(game, endings, counts, plans, pair, most_ways).run()


class _Splitting:
    """One split pair in the making."""

    def __init__(
        self,
        game: Game,
        endings: DealerEndings,
        counts: Floats,
        plans: Plans,
        pair: SplitPair,
        most_ways: dict[int, int],
    ) -> None:
        self.game, self.endings, self.pair = game, endings, pair
        self.left = counts - game.dealer.starts.cards[pair.start]
        self.most = game.most_hands(pair.rank)
        cards = np.array([self.left.sum()])
        found = pair_chances(np.array([pair.pair_left]), cards, levels(self.most))
        self.again = [float(r[0]) for r in found]
        self.apart = not game.rows.split_alike
        self.contexts = [
            _Context(hands, closed, chance)
            for hands, closed, orders in ways_to_end(self.most)
            if (chance := pair.chance * orders * prod(self.again[2:hands])) > 0
        ]
        self.tens_apart = tens_apart(game, plans, pair.rank, pair.start)
        self.ends = ends_of(game, endings, plans, pair.rank, pair.start, by_pairing=self.most > 2)
        self.states = JointStates(self.ends, self.left, pair.rank, original_apart=self.apart)
        self.joined = self._combine(most_ways)
        self.joints = {
            (hands, original): self.states.joint(endings, pair.start, hands, self._levels(hands), original=original)
            for hands in range(self.joined + 1)
            for original in ((False, True) if self.apart and hands else (False,))
        }
        self.nets, self.errors = Nets(game), Nets(game)
        self.stake = self.square = 0.0

    def _combine(self, most_ways: dict[int, int]) -> int:
        """How many hands are combined exactly."""
        needed = max((context.hands for context in self.contexts), default=2)
        joined = 2
        for hands in range(3, min(needed, self.states.most, MOST_JOINT) + 1):
            ways = self.states.size(hands - 1) * self.ends.ways.size // (1 if self.apart else hands)
            if ways > most_ways[hands]:
                break
            self.states.find(hands)
            joined = hands
        return min(joined, needed)

    def run(self) -> SplitSpread:
        excess = [self._excess(dealer) for dealer in self.endings.classes]
        for context in self.contexts:
            chances = {
                block: self._chances(context, block)
                for block in [_NOBODY, *blocks(context.block(original_apart=self.apart), self.joined)]
            }
            self._stakes(context)
            for ending, whole in enumerate(chances[_NOBODY][0]):
                if whole > _NOTHING:
                    of_ending = {block: of_block[:, ending] for block, of_block in chances.items()}
                    self._against(context, excess[ending], of_ending, float(whole))
        exact = all(context.hands <= self.joined for context in self.contexts)
        return SplitSpread(self.nets, self.errors, self.stake, self.square, exact)

    def _levels(self, hands: int) -> Integers:
        """The levels that so many hands together are needed with."""
        found = {
            context.hands + more
            for context in self.contexts
            if context.hands >= hands
            for more in range(min(context.closed, context.hands - hands) + 1)
        }
        return np.array(sorted(found), np.int64)

    def _unseen(self, context: _Context, block: Block) -> list[tuple[int, float]]:
        """(level, weight): the context's other closed hands have not paired."""
        _, closed, _ = self._sorts(context, block)
        others = context.closed - closed
        found, weight = [], 1.0
        for more in range(others + 1):
            found.append((context.hands + more, (-1) ** more * comb(others, more) * weight))
            weight *= self.again[context.hands + more]
        return found

    def _sorts(self, context: _Context, block: Block) -> tuple[int, int, int]:
        """(1 if the original is apart and closed, closed hands, open hands), the original among the latter two."""
        original = block[0] if context.closed else 0
        return original, block[1] + original, block[2] + block[0] - original

    def _of_ranks(self, level: int, of_rank: int, others: int) -> float:
        """Probability that cards of the pair's value are of its rank, and then so many others tens of other ranks."""
        value_left, rank_left = self.left[self.pair.rank] - level, self.pair.pair_left - level
        other_left = value_left - rank_left
        chance = 1.0
        for k in range(of_rank + others):
            fit = rank_left - k if k < of_rank else other_left - (k - of_rank)
            chance *= max(fit, 0.0) / max(value_left - k, 1.0)
        return float(chance)

    def _allowed(self, context: _Context, block: Block, level: int) -> Floats:
        """[paired, other tens, the original's where apart] share of a group in which no closed hand pairs again."""
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

    def _chances(self, context: _Context, block: Block) -> Floats:
        """[group, ending] chance of a block's results."""
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
        """Every hand has a unit on it, and one more if it was doubled or doubled up."""
        raised = (self.ends.carries > 0)[self.joints[1, False].classes[:, 0]]
        plain = float(self._chances(context, _NOBODY).sum())
        for number, block in ((context.closed, (0, 1, 0)), (context.hands - context.closed, (0, 0, 1))):
            if number:
                more = float(self._chances(context, block)[raised].sum())
                self.stake += context.chance * number * (plain + more)

    def _excess(self, dealer: int) -> _Excess:
        worth = self.nets.worth
        by_class = [
            worth[by + self.ends.carries, self.ends.player, dealer]
            for by in (StakesOnHand.ORIGINAL, StakesOnHand.ADDED)
        ]
        busts = [int(worth[by, BUST, ANY_DEALER]) for by in (StakesOnHand.ORIGINAL, StakesOnHand.ADDED)]
        return _Excess(by_class[0], by_class[1], (busts[0], busts[1]), self.joints, apart=self.apart)

    def _against(self, context: _Context, excess: _Excess, chances: dict[Block, Floats], whole: float) -> None:
        """One context against one ending of the dealer, which comes with the chance `whole`."""
        values, everyone = excess.values, context.block(original_apart=self.apart)
        functions = {
            block: excess.function(block, of_block / whole) for block, of_block in chances.items() if any(block)
        }
        parts, chance = support(values, context.hands), context.chance * whole
        if context.hands <= self.joined:
            self._add(parts, chance * from_all(values, everyone, functions, excess.busts))
            return
        known = cumulants(values, functions)
        for block in blocks(everyone, 1):
            # So far of what exceeds a bust: adding a constant changes the cumulant of a single hand alone.
            known[block][np.searchsorted(values, excess.busts[0 if block[0] else 1])] += 1.0
        self._add(parts, chance * together(values, everyone, known, self.joined))
        self.errors.add(parts, chance * _left_out(values, everyone, known, self.joined))

    def _add(self, parts: Integers, chances: Floats) -> None:
        self.nets.add(parts, chances)
        self.square += float((parts / self.nets.scale) ** 2 @ chances)


class _Excess:
    """Generating functions of what hands win beyond a bust, against one ending of the dealer."""

    def __init__(
        self,
        own: Integers,
        added: Integers,
        busts: tuple[int, int],
        joints: dict[tuple[int, bool], Joint],
        *,
        apart: bool,
    ) -> None:
        """By class: what the original and an added hand win; and what each loses by a bust."""
        self.own, self.added, self.busts = own, added, busts
        of_original = {busts[0], *own.tolist()} if apart else set()
        self.values = tuple(sorted({busts[1], *added.tolist()} | of_original))
        self.places = {key: self._places(joint.classes, key[1]) for key, joint in joints.items() if key[0]}

    def _places(self, classes: Integers, original: bool) -> tuple[Integers, Floats]:
        """Totals of every group's hands, each in turn with its own result and, subtracted, with a bust."""
        hands = classes.shape[1]
        totals, signs = np.zeros((1, len(classes)), np.int64), np.ones(1)
        for hand in range(hands):
            apart = original and hand == 0
            net = (self.own if apart else self.added)[classes[:, hand]]
            totals = np.concatenate([totals + net, totals + self.busts[0 if apart else 1]])
            signs = np.concatenate([signs, -signs])
        return np.searchsorted(support(self.values, hands), totals.ravel()), signs

    def function(self, block: Block, chances: Floats) -> Floats:
        """Of all groups together."""
        places, signs = self.places[sum(block), bool(block[0])]
        size = support(self.values, sum(block)).size
        return np.bincount(places, np.multiply.outer(signs, chances).ravel(), size).astype(np.float64, copy=False)


def _left_out(values: tuple[int, ...], everyone: Block, known: Functions, joined: int) -> Floats:
    """An estimate from above of what the cumulants of more hands would change.

    The last cumulants taken change a probability by some share of what those before them do, every change counted as
    positive; the next ones are taken to change it by that share of the last, three times over, and by no less than the
    share of all net results together.
    """
    positive = {block: np.abs(function) for block, function in known.items()}
    sums = [together(values, everyone, positive, most) for most in (joined - 2, joined - 1, joined) if most > 0]
    last = sums[-1] - sums[-2]
    before = sums[-2] - sums[-3] if len(sums) > 2 else sums[-2]
    share = np.divide(last, before, out=np.ones_like(last), where=before > last)
    overall = min(last.sum() / before.sum(), 1.0) if before.sum() > 0 else 1.0
    return np.asarray(_CAUTION * last * np.clip(share, overall, 1.0))

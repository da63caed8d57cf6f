"""How often hands come to each cell of a chart, and what each action is then worth."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from holecard.charts.layout import Row
from holecard.charts.letters import ACTIONS, AS_TOTAL
from holecard.exact.analysis import Played
from holecard.exact.distribution.round_distribution import no_flow
from holecard.exact.main.initial_hands import Opening
from holecard.exact.main.prepared_game import Game
from holecard.kernels.exact.actions import Allowed
from holecard.kernels.exact.forward import Flow, flow

Floats = NDArray[np.float64]


@dataclass
class Weights:
    """[hand, start] how often a hand decides: as it was dealt, made by splitting, or longer."""

    game: Game
    dealt: dict[tuple[int, bool], Opening]
    first: dict[tuple[int, bool], Floats]
    """by hand and whether it is a pair: [start] chance of the deal"""
    made: Floats
    """[hand, start] two cards after a split"""
    lone: Floats
    """[hand, start] a split ace with its one card"""
    longer: Floats
    """[hand, start] three cards or more, of a first hand or of one made by splitting"""
    actions: dict[str, Floats]
    """[hand, start] U of what every hand may be asked to do"""
    split_pairs: dict[int, NDArray[np.bool_]]
    """by value: [start] pairs that are not played as their total"""

    def worth(self, row: Row, cell: str, starts: NDArray[np.bool_]) -> float:
        """What the row's hands are worth when they do what the cell says."""
        if row.pair is not None:
            return self._pair_worth(row, cell, starts)
        value = sum(
            float(chance[starts] @ _first_legal(cell, opening)[starts]) for opening, chance in self._firsts(row)
        )
        hands = self._of(row)
        game = self.game
        for coming, allowed in ((self.made, game.after), (self.lone, game.lone), (self.longer, game.before)):
            worth = self._later(hands, cell, allowed)
            value += float((coming[hands][:, starts] * worth[:, starts]).sum())
        return value

    def hit_gain(self, row: Row, starts: NDArray[np.bool_]) -> float:
        """What hitting is worth beyond standing, over all hands of the row alike, whether or not they come."""
        hands = self._of(row)
        gain = self.actions["hit"][hands][:, starts] - self.actions["stand"][hands][:, starts]
        return float(gain.sum())

    def settle_pair(self, value: int, cell: str, starts: NDArray[np.bool_]) -> None:
        """Say whether a pair is played by its own cell."""
        self.split_pairs.setdefault(value, np.zeros(starts.size, np.bool_))[starts] = cell != AS_TOTAL

    def _of(self, row: Row) -> NDArray[np.int64]:
        hands = self.game.hands
        return np.flatnonzero((hands.total == row.total) & (hands.soft == row.soft) & (hands.size >= 2))

    def _firsts(self, row: Row) -> list[tuple[Opening, Floats]]:
        """Deals played by a total's row: pairs only where they are not played by their own."""
        found = []
        for (hand, is_pair), chance in self.first.items():
            opening = self.dealt[hand, is_pair]
            total, soft = self.game.hands.total[hand], self.game.hands.soft[hand]
            if (total, soft) == (row.total, row.soft):
                own_row = self.split_pairs.get(opening.low) if is_pair else None
                found.append((opening, chance if own_row is None else np.where(own_row, 0.0, chance)))
        return found

    def _pair(self, value: int) -> tuple[Opening | None, Floats]:
        hand = int(self.game.hands.two[value - 1, value - 1])
        opening = self.dealt.get((hand, True))
        return opening, self.first.get((hand, True), np.zeros(len(self.game.dealer.shown)))

    def _pair_worth(self, row: Row, cell: str, starts: NDArray[np.bool_]) -> float:
        assert row.pair is not None
        opening, chance = self._pair(row.pair)
        if opening is None:
            return 0.0
        as_total = _as_total(opening)
        worth = as_total if cell == AS_TOTAL else _first_legal(cell, opening, as_total)
        return float(chance[starts] @ worth[starts])

    def _later(self, hands: NDArray[np.int64], cell: str, allowed: Allowed) -> Floats:
        """[hand, start] worth of the first letter that is legal for a hand not just dealt."""
        may = {"D": allowed.double, "U": allowed.double_up, "H": allowed.hit}
        worth = self.actions["stand"][hands].copy()
        undecided = np.ones(hands.size, np.bool_)
        for letter in cell:
            legal = may[letter][hands] & undecided if letter in may else undecided & (letter == "S")
            worth[legal] = self.actions[ACTIONS[letter]][hands][legal] if letter in "DUHS" else worth[legal]
            undecided &= ~legal
        return worth


def _as_total(opening: Opening) -> Floats:
    """[start] what a pair is worth played as its total: the best of the plain actions, mostly what the row will say."""
    plain = [opening.actions[action] for action in opening.actions if action != "split"]
    worth: Floats = np.nanmax(np.array(plain), axis=0)
    return worth


def _first_legal(cell: str, opening: Opening, otherwise: Floats | None = None) -> Floats:
    """[start] U of the first letter that is legal with the first two cards."""
    worth = opening.actions["stand"].copy() if otherwise is None else otherwise.copy()
    undecided = np.ones(worth.size, np.bool_)
    early = opening.before_check - (1 - opening.unknown) * opening.against_natural
    for number, letter in enumerate(cell):
        action = ACTIONS[letter]
        value = opening.actions.get(action, np.full(worth.size, np.nan))
        if letter == "R" and number == 0:
            value = np.where(np.isnan(early), value, early)
        legal = undecided & ~np.isnan(value)
        worth[legal] = value[legal]
        undecided &= ~legal
    return worth


def weights_of(played: Played) -> Weights:
    """From a game played by some plan: its values, and where its hands come to."""
    game, solution = played.game, played.solution
    first_flow, split_flow, lone_flow = (no_flow(*solution.standing.plain.shape) for _ in range(3))
    dealt, first = {}, {}
    for opening, actions in played.decided:
        if opening.is_natural:
            continue
        dealt[opening.hand, opening.is_pair] = opening
        first[opening.hand, opening.is_pair] = opening.chance
        for start, action in enumerate(actions):
            lone = game.is_lone(opening.low - 1)
            _begin(game, opening, start, action, first_flow, lone_flow if lone else split_flow)
    starts = game.dealer.starts
    flow(solution.counts, game.arrays, starts, solution.plans.before, first_flow)
    flow(solution.counts, game.arrays, starts, solution.plans.after, split_flow)
    flow(solution.counts, game.arrays, starts, solution.plans.lone, lone_flow)
    two = (game.hands.size == 2)[:, None]
    from_first, from_split = _coming(first_flow), _coming(split_flow)
    return Weights(
        game=game,
        dealt=dealt,
        first=first,
        made=np.where(two, from_split, 0.0),
        lone=np.where(two, _coming(lone_flow), 0.0),
        longer=np.where(two, 0.0, from_first + from_split),
        actions={
            "stand": solution.standing.plain,
            "hit": solution.values.hit,
            "double": solution.values.double,
            "double up": solution.standing.doubled_up,
        },
        split_pairs={},
    )


def _begin(game: Game, opening: Opening, start: int, action: str, first: Flow, split: Flow) -> None:
    chance = float(opening.chance[start])
    if action == "hit":
        first.hit[opening.hand, start] += chance
    elif action == "split":
        one = game.hands.number[tuple(int(rank == opening.low - 1) for rank in range(10))]
        split.hit[one, start] += 2 * chance


def _coming(chances: Flow) -> Floats:
    return chances.hit + chances.doubled + chances.stands + chances.stands_doubled_up

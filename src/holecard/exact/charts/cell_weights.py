"""How often hands reach each cell of a chart, and the EV of each action there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from holecard.charts.layout import Row
from holecard.charts.letters import ACTIONS, AS_TOTAL
from holecard.exact.main.initial_hands import InitialHand
from holecard.exact.main.prepared_game import PreparedGame
from holecard.exact.main.reach import decision_frequency, empty_reach
from holecard.exact.solved_game import SolvedGame
from holecard.kernels.arrays import Flags, Floats, Integers
from holecard.kernels.exact.actions import Allowed
from holecard.kernels.exact.forward import Reach, forward


@dataclass
class CellWeights:
    """[hand, start] how often a hand is decided on: as it was dealt, made by splitting, or longer."""

    game: PreparedGame
    dealt: dict[tuple[int, bool], InitialHand]
    first: dict[tuple[int, bool], Floats]
    """by hand and whether it is a pair: [start] probability of the deal"""
    made: Floats
    """[hand, start] two cards after a split"""
    one_card_ace: Floats
    """[hand, start] a split ace with its one card"""
    longer: Floats
    """[hand, start] three or more cards, of a first hand or of one made by splitting"""
    actions: dict[str, Floats]
    """[hand, start] U of the actions"""
    split_pairs: dict[int, Flags]
    """by value: [start] whether the pair is played by its own row, not as its total"""

    def ev(self, row: Row, cell: str, starts: Flags) -> float:
        """Return the EV of the row's hands when they do what the cell says, weighted by how often they come."""
        return float(sum((frequency * evs).sum() for _, frequency, evs in self.by_hand(row, cell, starts)))

    def by_hand(self, row: Row, cell: str, starts: Flags) -> Iterator[tuple[Integers, Floats, Floats]]:
        """Yield hands of the row, and [hand, start] how often they come and their EV."""
        if row.pair is not None:
            yield from self._pair_by_hand(row, cell, starts)
            return
        for initial, probability in self._firsts(row):
            yield np.array([initial.hand]), probability[None, starts], _first_legal(cell, initial)[None, starts]
        hands = self._of(row)
        game = self.game
        for frequency, allowed in (
            (self.made, game.split_hand),
            (self.one_card_ace, game.one_card_ace),
            (self.longer, game.first_hand),
        ):
            ev = self._later(hands, cell, allowed)
            yield hands, frequency[hands][:, starts], ev[:, starts]

    def hit_gain(self, row: Row, starts: Flags) -> float:
        """Return how much hitting gains over standing, summed over all hands of the row, whether or not they occur."""
        hands = self._of(row)
        gain = self.actions["hit"][hands][:, starts] - self.actions["stand"][hands][:, starts]
        return float(gain.sum())

    def settle_pair(self, value: int, cell: str, starts: Flags) -> None:
        """Record whether a pair is played by its own cell."""
        self.split_pairs.setdefault(value, np.zeros(starts.size, np.bool_))[starts] = cell != AS_TOTAL

    def _of(self, row: Row) -> Integers:
        hands = self.game.hands
        return np.flatnonzero((hands.total == row.total) & (hands.soft == row.soft) & (hands.size >= 2))

    def _firsts(self, row: Row) -> list[tuple[InitialHand, Floats]]:
        """Return the deals played by a total's row: pairs only where they are not played by their own."""
        found = []
        for (hand, is_pair), probability in self.first.items():
            initial = self.dealt[hand, is_pair]
            total, soft = self.game.hands.total[hand], self.game.hands.soft[hand]
            if (total, soft) == (row.total, row.soft):
                own_row = self.split_pairs.get(initial.low) if is_pair else None
                found.append((initial, probability if own_row is None else np.where(own_row, 0.0, probability)))
        return found

    def _pair(self, value: int) -> tuple[InitialHand | None, Floats]:
        hand = int(self.game.hands.two[value - 1, value - 1])
        initial = self.dealt.get((hand, True))
        return initial, self.first.get((hand, True), np.zeros(len(self.game.dealer.shown)))

    def _pair_by_hand(self, row: Row, cell: str, starts: Flags) -> Iterator[tuple[Integers, Floats, Floats]]:
        assert row.pair is not None
        initial, probability = self._pair(row.pair)
        if initial is not None:
            as_total = _as_total(initial)
            ev = as_total if cell == AS_TOTAL else _first_legal(cell, initial, as_total)
            yield np.array([initial.hand]), probability[None, starts], ev[None, starts]

    def _later(self, hands: Integers, cell: str, allowed: Allowed) -> Floats:
        """Return [hand, start] U of the first letter that is legal for a hand after the first two cards."""
        may = {"D": allowed.double, "U": allowed.double_up, "H": allowed.hit}
        ev = self.actions["stand"][hands].copy()
        undecided = np.ones(hands.size, np.bool_)
        for letter in cell:
            legal = may[letter][hands] & undecided if letter in may else undecided & (letter == "S")
            ev[legal] = self.actions[ACTIONS[letter]][hands][legal] if letter in "DUHS" else ev[legal]
            undecided &= ~legal
        return ev


def _as_total(initial: InitialHand) -> Floats:
    """Return [start] U of a pair played as its total: the best of the plain actions, mostly what its row will say."""
    plain = [initial.actions[action] for action in initial.actions if action != "split"]
    ev: Floats = np.nanmax(np.array(plain), axis=0)
    return ev


def _first_legal(cell: str, initial: InitialHand, otherwise: Floats | None = None) -> Floats:
    """Return [start] U of the first letter that is legal with the first two cards."""
    ev = initial.actions["stand"].copy() if otherwise is None else otherwise.copy()
    undecided = np.ones(ev.size, np.bool_)
    early = initial.early_surrender_ev - (1 - initial.no_natural) * initial.payoff_against_natural
    for number, letter in enumerate(cell):
        action = ACTIONS[letter]
        value = initial.actions.get(action, np.full(ev.size, np.nan))
        if letter == "R" and number == 0:
            value = np.where(np.isnan(early), value, early)
        legal = undecided & ~np.isnan(value)
        ev[legal] = value[legal]
        undecided &= ~legal
    return ev


def cell_weights(solved: SolvedGame) -> CellWeights:
    """Return the EVs of a solved game, and how often its hands are reached."""
    game, solution = solved.game, solved.solution
    first_reach, split_reach, one_card_reach = (empty_reach(*solution.stand_evs.plain.shape) for _ in range(3))
    dealt, first = {}, {}
    for initial, actions in solved.decisions:
        if initial.is_natural:
            continue
        dealt[initial.hand, initial.is_pair] = initial
        first[initial.hand, initial.is_pair] = initial.probability
        for start, action in enumerate(actions):
            one_card = game.gets_one_card(initial.low - 1)
            _begin(game, initial, start, action, first_reach, one_card_reach if one_card else split_reach)
    starts = game.dealer.starts
    forward(solution.counts, game.arrays, starts, solution.policies.first_hand, first_reach)
    forward(solution.counts, game.arrays, starts, solution.policies.split_hand, split_reach)
    forward(solution.counts, game.arrays, starts, solution.policies.one_card_ace, one_card_reach)
    two = (game.hands.size == 2)[:, None]
    from_first, from_split = decision_frequency(first_reach), decision_frequency(split_reach)
    return CellWeights(
        game=game,
        dealt=dealt,
        first=first,
        made=np.where(two, from_split, 0.0),
        one_card_ace=np.where(two, decision_frequency(one_card_reach), 0.0),
        longer=np.where(two, 0.0, from_first + from_split),
        actions={
            "stand": solution.stand_evs.plain,
            "hit": solution.action_evs.hit,
            "double": solution.action_evs.double,
            "double up": solution.stand_evs.doubled_up,
        },
        split_pairs={},
    )


def _begin(game: PreparedGame, initial: InitialHand, start: int, action: str, first: Reach, split: Reach) -> None:
    probability = float(initial.probability[start])
    if action == "hit":
        first.hit[initial.hand, start] += probability
    elif action == "split":
        one = game.hands.number[tuple(int(v == initial.low - 1) for v in range(10))]
        split.hit[one, start] += 2 * probability

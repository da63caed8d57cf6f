"""`SolvedGame`: a rule sheet solved from one shoe, with the choice for every initial hand and the EV of the game."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from holecard.composition import Composition, ShoeLike, composition, full
from holecard.errors import Refusal, plural
from holecard.exact.main.deal_probabilities import counts_of, seen_naturals
from holecard.exact.main.initial_hands import InitialHand, initial_hands
from holecard.exact.main.policy import EARLY_SURRENDER, Decisions, decide_initial_hands, policies_of
from holecard.exact.main.prepared_game import TEN, PreparedGame, prepared_game
from holecard.exact.main.round_evs import initial_evs_of, round_evs
from holecard.exact.main.solve import Solution, solve
from holecard.kernels.arrays import Floats, Integers
from holecard.payoffs.stakes import StakesOnHand
from holecard.sheets.read import RulesLike, rules
from holecard.sheets.schema import RuleSheet
from holecard.sheets.tables import ANY_DEALER, DEALER_NATURAL, NATURAL

if TYPE_CHECKING:
    from holecard.charts.chart import Chart

#: The largest shoe that is computed: a hundred decks.
MOST_SHOE_CARDS = 5200


@dataclass(frozen=True)
class SolvedGame:
    """A solved game, and what is done with every initial hand."""

    rules: RuleSheet
    shoe: Composition
    solution: Solution
    decisions: Decisions

    @property
    def game(self) -> PreparedGame:
        return self.solution.game


def main_ev(game: RulesLike, shoe: ShoeLike | None = None, strategy: Chart | None = None, *, threads: int = 1) -> float:
    """Return the main wager's expected net result per unit of initial stake, and nothing else: the quick way to it."""
    if strategy is not None:
        return game_ev(solve_game(game, shoe, strategy, threads))
    ready, cards = _prepared(rules(game), shoe, threads)
    return best_ev(ready, counts_of(cards), np.array(cards.ranks[TEN:], np.float64), threads)


def best_ev(game: PreparedGame, counts: Floats, tens: Floats, threads: int = 1) -> float:
    """Return the EV with best play from a shoe of `counts[v]` cards, of which `tens[rank]` count ten."""
    solution = solve(game, counts, threads=threads)
    return float(round_evs(game, counts[None], tens[None], initial_evs_of(solution))[0])


def solve_game(
    game: RulesLike, shoe: ShoeLike | None = None, strategy: Chart | None = None, threads: int = 1
) -> SolvedGame:
    """Solve a game and decide every initial hand."""
    sheet = rules(game)
    ready, cards = _prepared(sheet, shoe, threads)
    policies = None if strategy is None else policies_of(ready, strategy)
    solution = solve(ready, counts_of(cards), policies, threads)
    return SolvedGame(sheet, cards, solution, decide_initial_hands(initial_hands(solution, cards), strategy, ready))


def _prepared(sheet: RuleSheet, shoe: ShoeLike | None, threads: int) -> tuple[PreparedGame, Composition]:
    """Return the rules as arrays, and the shoe, full unless given; refuse what cannot be solved."""
    if threads < 1:
        raise Refusal(f"threads must be 1 or more, not {threads}")
    cards = full(sheet.shoe.decks) if shoe is None else composition(shoe)
    ready = prepared_game(sheet.tables)
    refuse_size(ready, cards)
    return ready, cards


def with_optimal_splits(solved: SolvedGame, threads: int = 1) -> SolvedGame:
    """Return the same game with split hands played by all the cards seen, and initial hands decided again."""
    from holecard.exact.splits.optimum import optimal_split_evs

    game, counts = solved.game, solved.solution.counts
    split_evs = optimal_split_evs(game, counts, threads)
    dealt = [
        replace(initial, actions={**initial.actions, "split": split_evs[initial.low - 1]})
        if "split" in initial.actions
        else initial
        for initial, _ in solved.decisions
    ]
    return replace(solved, decisions=decide_initial_hands(dealt, None, game))


def refuse_size(game: PreparedGame, shoe: Composition) -> None:
    """Refuse a shoe that cannot hold the longest round, or that is larger than any that is dealt.

    The longest round takes all the hands of a split, of low cards, and the dealer's. In a larger shoe than
    MOST_SHOE_CARDS, EVs no longer change and counts are no longer exact.
    """
    if shoe.total > MOST_SHOE_CARDS:
        raise Refusal(f"a shoe of {plural(shoe.total, 'card')} is too large: the limit is {MOST_SHOE_CARDS:,}")
    cards = int(longest_round(game, np.array([shoe.values]))[0])
    if shoe.total < cards:
        raise Refusal(
            f"a shoe of {plural(shoe.total, 'card')} ({shoe}) is too small: one round of this game can take {cards}"
        )


def longest_round(game: PreparedGame, shoes: Integers) -> Integers:
    """Return [shoe] the most cards that one round can take from `shoes[shoe, v]`."""
    most_hands = max(game.most_hands(v) for v in range(10))
    room = np.full(len(shoes), 20 * most_hands + 16)
    cards = np.full(len(shoes), most_hands + 1)
    for value, count in enumerate(shoes.T, start=1):
        fit = np.minimum(count, room // value)
        cards += fit
        room -= fit * value
    return cards


def ev_by_start(solved: SolvedGame) -> Floats:
    """Return [start] what rounds with this start contribute to the EV of the game."""
    total = np.zeros(len(solved.game.dealer.shown))
    for initial, actions in solved.decisions:
        total += initial.probability * deal_evs(solved, initial, actions)
    return total


def game_ev(solved: SolvedGame) -> float:
    """Return the expected net result per unit of initial stake."""
    ev = float(ev_by_start(solved).sum())
    if solved.game.tables.hole_card == "face up":
        every = solved.game.rows.every[StakesOnHand.ORIGINAL, :, DEALER_NATURAL]
        both, alone = seen_naturals(solved.solution.counts)
        ev += both * float(every[NATURAL]) + alone * float(every[ANY_DEALER])
    return ev


def deal_evs(solved: SolvedGame, initial: InitialHand, actions: list[str]) -> Floats:
    """Return [start] the EV of a deal, with the dealer's known naturals."""
    known = (1 - initial.no_natural) * initial.payoff_against_natural
    if initial.is_natural:
        return solved.solution.natural + known
    return np.array(
        [
            initial.early_surrender_ev[start]
            if action == EARLY_SURRENDER
            else initial.actions[action][start] + known[start]
            for start, action in enumerate(actions)
        ]
    )

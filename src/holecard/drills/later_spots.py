"""Hands that come later in a round, by best play: with three and more cards, and made by a split."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from holecard.deck import value_name
from holecard.exact.main.prepared_game import ACE, PreparedGame
from holecard.exact.solved_game import SolvedGame
from holecard.kernels.arrays import Floats
from holecard.kernels.exact.actions import BUSTED, HIT_CODE
from holecard.sheets.tables import Tables
from holecard.table.notation.spot import Spot

#: Rarer hands are not asked about.
_RAREST = 1e-6
_MOST_CARDS = 6
#: Of the hands with three and more cards, the most frequent ones are asked about.
_MOST_HANDS = 2000


class LaterHand(NamedTuple):
    """A hand, about how often it occurs per round, and the difference between hitting and standing."""

    spot: Spot
    frequency: float
    gap: float


def hit_hands(solved: SolvedGame) -> list[LaterHand]:
    """Return the most frequent hands with three and more cards that leave a decision."""
    game, policy = solved.game, solved.solution.policies.first_hand
    now = _hit_at_first(solved)
    found: dict[tuple[int, int], float] = {}
    for _ in range(_MOST_CARDS - 2):
        longer: defaultdict[tuple[int, int], float] = defaultdict(float)
        for (hand, start), frequency in now.items():
            chances = _next_card(solved, hand, start)
            for v, after in enumerate(game.hands.longer[hand].tolist()):
                if after != BUSTED and game.first_hand.hit[after]:
                    longer[after, start] += frequency * float(chances[v])
        reached = {place: frequency for place, frequency in longer.items() if frequency >= _RAREST}
        found |= reached
        now = {place: frequency for place, frequency in reached.items() if policy[place] == HIT_CODE}
    most = sorted(found.items(), key=lambda item: (-item[1], item[0]))[:_MOST_HANDS]
    return [_later_hand(solved, *place, frequency) for place, frequency in most]


def _hit_at_first(solved: SolvedGame) -> dict[tuple[int, int], float]:
    """Return how often two cards are dealt that are best hit, by hand and start."""
    found: defaultdict[tuple[int, int], float] = defaultdict(float)
    for initial, actions in solved.decisions:
        for start, action in enumerate(actions):
            if action == "hit":
                found[initial.hand, start] += float(initial.probability[start] * initial.no_natural[start])
    return found


def _next_card(solved: SolvedGame, hand: int, start: int) -> Floats:
    """Return [v] the probability of the next card, with the cards that are seen out of the shoe."""
    left = solved.solution.counts - solved.game.hands.cards[hand]
    for value in solved.game.dealer.shown[start]:
        left[value - 1] -= 1
    left = left.clip(min=0)
    chances: Floats = left / left.sum()
    return chances


def _later_hand(solved: SolvedGame, hand: int, start: int, frequency: float) -> LaterHand:
    cards = solved.game.hands.cards[hand]
    names = [value_name(v + 1) for v in range(9, -1, -1) for _ in range(int(cards[v]))]
    solution = solved.solution
    gap = abs(float(solution.action_evs.hit[hand, start] - solution.stand_evs.plain[hand, start]))
    return LaterHand(Spot(tuple(names), _shown(solved.game, start)), frequency, gap)


def _shown(game: PreparedGame, start: int) -> tuple[str, ...]:
    return tuple(value_name(value) for value in game.dealer.shown[start])


def split_hands(solved: SolvedGame) -> Iterator[LaterHand]:
    """Yield the two-card hands that splits make and that leave a decision, where splitting is best."""
    game, tables = solved.game, solved.game.tables
    for initial, actions in solved.decisions:
        for start, action in enumerate(actions):
            if action != "split":
                continue
            chances = _next_card(solved, initial.hand, start)
            # A split makes two hands, and each gets a card.
            often = 2 * float(initial.probability[start] * initial.no_natural[start])
            for v in range(10):
                frequency = often * float(chances[v])
                if frequency >= _RAREST and _decides(game, tables, initial.low - 1, v):
                    first, second = value_name(initial.low), value_name(v + 1)
                    yield LaterHand(Spot((first, second), _shown(game, start), after_split=True), frequency, 1.0)


def _decides(game: PreparedGame, tables: Tables, pair: int, v: int) -> bool:
    """Return whether a split hand may do more than stand."""
    hand = game.hands.two[pair, v]
    again = pair == v and game.most_hands(pair) > 2 and (pair != ACE or tables.split_aces == "again")
    if again or game.gets_one_card(pair):
        return bool(again or game.one_card_ace.double_up[hand])
    allowed = game.split_hand
    return bool(allowed.hit[hand] or allowed.double[hand] or allowed.double_up[hand])

"""The menus of an environment: what its agent can choose at each moment, as the rules of the table allow it."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from holecard.gym.actions import PASS, Menu, MoveByAction, menu
from holecard.money import Money
from holecard.table.events import Act, Bet, Place
from holecard.table.late_wagers import ASKING
from holecard.table.legal import legal, refusal
from holecard.table.round import Round
from holecard.table.state import State

SEAT = 1


class Menus:
    """What can be chosen before the deal, at every decision, and where side wagers can be placed.

    `empty` is the table before any bet; `early` and `late` are the stakes of the side wagers that are placed before the
    deal and after it, by number of the wager. Equal moments have equal menus, so each is asked of the rules once and
    stays in `known`.
    """

    def __init__(
        self,
        empty: State,
        actions: tuple[str, ...],
        bets: tuple[Money, ...],
        early: Mapping[int, Money],
        late: Mapping[int, Money],
    ) -> None:
        self.known: dict[object, Menu] = {}
        self.number = {name: number for number, name in enumerate(actions)}
        self._empty = empty
        self._wagers = empty.tables.wagers
        self._bets = bets
        self._first_bet = len(actions) - len(bets)
        self._early = early
        self._late = late

    def decide(self, key: object, round_: Round) -> Menu:
        """Return the decisions of this moment; moments with equal keys have equal ones."""
        moves: MoveByAction = {}
        for choice in legal(round_.freeze()):
            amount = choice.high if choice.action == "insurance" else None
            moves[self.number[choice.action]] = Act(SEAT, choice.action, amount)
        found = self.known[key] = menu(moves, len(self.number))
        return found

    def decide_or_place(self, round_: Round, bet: int, pending: Mapping[int, Money], placed: Collection[int]) -> Menu:
        """Return the decisions of this moment after this bet, and the side wagers that can be placed now."""
        if round_.phase in ASKING:
            moves: MoveByAction = {self.number[PASS]: Place(SEAT, self.named(pending))}
        else:
            key = round_.options if round_.phase == "acting" else (round_.phase, bet)
            moves = dict((self.known.get(key) or self.decide(key, round_)).moves)
        return menu(moves | self.place(round_, pending, placed), len(self.number))

    def place(self, round_: Round, pending: Mapping[int, Money], placed: Collection[int]) -> MoveByAction:
        """Return the wagers on offer that may be placed now, each once in a round."""
        state = round_.freeze()
        found: MoveByAction = {}
        for index, stake in self._late.items():
            move = Place(SEAT, self.named({**pending, index: stake}))
            if index not in placed and refusal(state, move) is None:
                found[self._place_action(index)] = move
        return found

    def bet(self, pending: Mapping[int, Money]) -> Menu:
        """Return the bets that are legal with the side wagers chosen so far, and wagers that leave a bet to make."""
        key = "betting", *pending
        if key not in self.known:
            moves: MoveByAction = {}
            for index, stake in self._early.items():
                more = {**pending, index: stake}
                if index not in pending and any(self._is_bet(bet, more) for bet in self._bets):
                    moves[self._place_action(index)] = Bet(SEAT, 0, self.named(more))
            for place, bet in enumerate(self._bets):
                if self._is_bet(bet, pending):
                    moves[self._first_bet + place] = Bet(SEAT, bet, self.named(pending))
            self.known[key] = menu(moves, len(self.number))
        return self.known[key]

    def named(self, sides: Mapping[int, Money]) -> dict[str, Money]:
        """Return the stakes by the wager's name."""
        return {self._wagers[index].name: stake for index, stake in sides.items()}

    def _is_bet(self, bet: Money, sides: Mapping[int, Money]) -> bool:
        return refusal(self._empty, Bet(SEAT, bet, self.named(sides))) is None

    def _place_action(self, index: int) -> int:
        return self.number[f"place {self._wagers[index].name}"]

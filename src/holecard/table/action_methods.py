"""One method for each action of the seat that is asked, and whole rounds played by a strategy."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from importlib import import_module
from inspect import CO_VARARGS
from types import FunctionType
from typing import Protocol, TypeAlias

from holecard.errors import Refusal, shortly
from holecard.money import MoneyLike
from holecard.sheets.schema import RuleSheet
from holecard.table.events import Action, Choice, Result
from holecard.table.state import Phase
from holecard.table.views import View


class DecidesByView(Protocol):
    """What a strategy chart can do: decide for the seat whose view it gets."""

    def act(self, at: View) -> Action: ...


#: Decides for a seat: `policy(view, legal)` returns one of the legal actions.
Policy: TypeAlias = Callable[[View, tuple[Action, ...]], str]
#: A chart, the name of a strategy such as "basic", or a policy.
PolicyLike: TypeAlias = str | DecidesByView | Policy


def _takes_view_and_legal(function: FunctionType) -> bool:
    code = function.__code__
    return code.co_argcount >= 2 or bool(code.co_flags & CO_VARARGS)


class ActionMethods(ABC):
    """The part of a `Table` that acts and plays."""

    rules: RuleSheet

    @abstractmethod
    def act(self, action: str, amount: MoneyLike | None = None, *, seat: int | None = None) -> None:
        """Decide for the asked seat."""

    def hit(self) -> None:
        """Take a card."""
        self.act(Action.HIT)

    def stand(self) -> None:
        """Take no more cards."""
        self.act(Action.STAND)

    def double(self, amount: MoneyLike | None = None) -> None:
        """Double down, for less than the wager where the game allows an `amount`."""
        self.act(Action.DOUBLE, amount)

    def split(self) -> None:
        """Split a pair."""
        self.act(Action.SPLIT)

    def double_up(self) -> None:
        """Add a second, equal wager and stand."""
        self.act(Action.DOUBLE_UP)

    def quick_pay(self) -> None:
        """Cash the first two cards."""
        self.act(Action.QUICK_PAY)

    def surrender(self) -> None:
        """Give up the first two cards."""
        self.act(Action.SURRENDER)

    def no_surrender(self) -> None:
        """Play on where surrender is asked before the dealer looks."""
        self.act(Action.NO_SURRENDER)

    def insurance(self, amount: MoneyLike | None = None) -> None:
        """Insure, for the most that is allowed unless an `amount` is given."""
        most = next((choice.high for choice in self.legal() if choice.action == Action.INSURANCE), None)
        self.act(Action.INSURANCE, most if amount is None else amount)

    def no_insurance(self) -> None:
        """Decline insurance."""
        self.act(Action.NO_INSURANCE)

    def play(self, strategy: PolicyLike, *, bet: MoneyLike | None = None) -> tuple[Result, ...]:
        """Play the round to its end by a strategy and return what was settled; with a `bet`, seat 1 bets it first.

        A strategy is a chart, the name of one ("basic", "never bust"), or a function of the seat's view and its legal
        actions that returns one of them. It decides for every seat. It stakes what an action takes in full, and places
        no wagers after the check. A round that the deal has decided is over already.
        """
        policy = self._policy(strategy)
        if bet is not None:
            self.bet(bet)
        if self.phase == "betting":
            self.deal()
        while (seat := self.asked) is not None:
            if choices := self.legal():
                legal = tuple([choice.action for choice in choices])
                action = policy(self.view(seat)._replace(choices=choices), legal)
                self.insurance() if action == Action.INSURANCE else self.act(action)
            else:
                self.place()
        return self.results

    def _policy(self, strategy: PolicyLike) -> Policy:
        if isinstance(strategy, str):
            # A layer above this one computes charts, and it is loaded only when a name asks for one.
            named = import_module("holecard.exact.strategies").strategy_of(self.rules, strategy)
            strategy = named.chart
        if hasattr(strategy, "act"):
            decide = strategy.act
            return lambda view, _legal: decide(view)
        if not callable(strategy):
            raise Refusal(f"{shortly(strategy)} is not a strategy; give a chart, a name such as 'basic', or a function")
        if type(strategy) is FunctionType and not _takes_view_and_legal(strategy):
            raise Refusal(
                "a function that plays takes two arguments, the seat's view and its legal actions: "
                "lambda view, legal: 'stand'"
            )
        return strategy

    # What it needs of the table

    @abstractmethod
    def bet(self, main: MoneyLike) -> None: ...

    @abstractmethod
    def deal(self) -> None: ...

    @abstractmethod
    def place(self) -> None: ...

    @abstractmethod
    def legal(self) -> tuple[Choice, ...]: ...

    @abstractmethod
    def view(self, seat: int) -> View: ...

    @property
    @abstractmethod
    def asked(self) -> int | None: ...

    @property
    @abstractmethod
    def phase(self) -> Phase: ...

    @property
    @abstractmethod
    def results(self) -> tuple[Result, ...]: ...

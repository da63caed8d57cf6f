"""The environment: one seat, one round per episode, played by the table's own engine."""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal, SupportsInt, TypeAlias

import gymnasium
import numpy as np
from gymnasium.spaces import Discrete
from numpy.typing import NDArray

from holecard.errors import IllegalMove, OutOfTurn, shortly
from holecard.gym.actions import PASS, STAND, action_names, menu
from holecard.gym.fresh_shoe import FreshShoe
from holecard.gym.menus import SEAT, Menus
from holecard.gym.observation import Observation, Observer
from holecard.gym.options import check_options
from holecard.gym.stakes import bets_to_choose, check_bet, stakes_by_wager, unit_bet
from holecard.gym.text import round_text
from holecard.money import Money, MoneyLike, money
from holecard.sheets.read import RulesLike, rules
from holecard.table.advance import advance, start
from holecard.table.dealing.dealt_round import DealtRound
from holecard.table.dealing.shoe import Shoe
from holecard.table.events import Act, Bet, NoMoreBets, Place, Result
from holecard.table.late_wagers import ASKING
from holecard.table.state import State
from holecard.table.views import View, view

Info: TypeAlias = dict[str, Any]
Step: TypeAlias = tuple[Observation, float, bool, bool, Info]

_NOTHING_PLACED = Place(SEAT)
FRESH_EACH_ROUND = "fresh each round"


class BlackjackEnv(gymnasium.Env[Observation, SupportsInt]):
    """One round of a sheet's game for one seat; see `docs/gym.md`.

    game            a game's name, a sheet's file, or a sheet
    settings        settings laid over the sheet, such as {"shoe.decks": 2}
    procedure       how cards come back, one of the sheet's procedures; None for the sheet's own
    bet             the main wager; by default the smallest that pays everything in whole cents
    wagers          side wagers with their stakes; those placed after the check become actions
    betting         the agent bets: the episode begins with its bet, and all of `wagers` become actions
    bets            the main wagers it can choose from; by default 1, 2, 4 and 8 units
    illegal_action  "penalty": nothing happens and the reward is `illegal_reward`; "raise": `IllegalMove`
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012 - declared as an instance's by Gymnasium

    def __init__(
        self,
        game: RulesLike,
        *,
        settings: Mapping[str, object] | None = None,
        procedure: str | None = FRESH_EACH_ROUND,
        bet: MoneyLike | None = None,
        wagers: Mapping[str, MoneyLike] | None = None,
        betting: bool = False,
        bets: Sequence[MoneyLike] | None = None,
        illegal_action: Literal["penalty", "raise"] = "penalty",
        illegal_reward: float = -1.0,
        render_mode: str | None = None,
    ) -> None:
        check_options(betting, bet, bets, illegal_action, render_mode)
        self.rules = rules(rules(game, settings), {} if procedure is None else {"shoe.procedure": procedure})
        self.tables = tables = self.rules.tables
        self.render_mode = render_mode
        unit = unit_bet(tables) if bet is None else money(bet)
        check_bet(tables, unit, "bet")
        self.bets = bets_to_choose(tables, bets, unit) if betting else (unit,)
        self.unit = self.bets[0]
        """The bet that rewards are counted in."""
        self._stakes = stakes_by_wager(tables, wagers)
        slots = tuple(range(len(tables.wagers))) if betting else tables.check_wagers
        self.actions = action_names(tables, slots, self.bets if betting else ())
        """What every action does, by its number."""
        self._offers = {index: stake for index, stake in self._stakes.items() if index in tables.check_wagers}
        self._raises = illegal_action == "raise"
        self._illegal_reward = float(illegal_reward)
        self._betting = betting
        self._is_fresh = self.rules.shoe.procedure != "cut card"
        self._empty = start(tables if self._offers else replace(tables, check_wagers=(), late_wagers=()))
        early = {index: stake for index, stake in self._stakes.items() if index in tables.early_wagers}
        self._menus = Menus(self._empty, self.actions, self.bets, early, self._offers)
        self._known_menus = self._menus.known
        self._first = self._empty if betting else self._opened(self.unit, early)
        self._bet = 1
        self._pending: dict[int, Money] = {}
        self._observer = Observer(tables, slots, self._stakes if betting else self._offers, len(self.bets))
        self.fields = self._observer.fields
        """The name of every number of an observation."""
        self.observation_space = self._observer.space
        self.action_space = Discrete(len(self.actions))
        self._over = menu({STAND: Act(SEAT, "stand")}, len(self.actions))
        self._nothing = menu({}, len(self.actions))
        self._menu = self._nothing
        self._dealt: DealtRound | None = None
        self._shuffles = 0

    # Gymnasium's interface

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Observation, Info]:
        """Deal the next round; with a seed, from a new shoe."""
        if seed is not None or self._dealt is None:
            super().reset(seed=seed, options=options)
            self._dealt = DealtRound(self._new_shoe(), self._first, tells=False)
        else:
            self._dealt.restart(self._first)
        dealt, observer = self._dealt, self._observer
        if self._is_fresh or dealt.shoe.shuffles != self._shuffles:
            self._shuffles = dealt.shoe.shuffles
            observer.new_shoe()
        if self._stakes:
            self._pending = {}
        if self._betting:
            return self._await_bet()
        observer.new_round(1)
        dealt.deal()
        self._next(dealt)
        if self._menu is self._nothing:
            self._menu = self._over
        return self._observation(dealt), {"action_mask": self._menu.mask.copy()}

    def step(self, action: SupportsInt) -> Step:
        """Do an action; the reward comes with the end of the round."""
        dealt = self._dealt
        move = self._menu.moves.get(action)  # type: ignore[call-overload]
        if move is None or dealt is None:
            return self._refuse(action)
        if self._menu is self._over:
            self._menu = self._nothing
        elif type(move) is Act:
            dealt.apply(move)
            self._next(dealt)
        else:
            self._wager(dealt, int(action), move)
        seen = self._observation(dealt) if self._stakes or self._betting else self._observer.observe(dealt)
        info: Info = {"action_mask": self._menu.mask.copy()}
        if self._menu is not self._nothing:
            return seen, 0.0, False, False, info
        info["net"] = net = sum([int(result.net) for result in dealt.round.results])
        return seen, net / self.unit, True, False, info

    def __repr__(self) -> str:
        return f"BlackjackEnv({self.rules.label})"

    def render(self) -> str | None:
        """Return the table as the seat sees it, as text; None without a render mode."""
        return round_text(self.view, self._legal_names()) if self.render_mode == "ansi" else None

    def action_mask(self) -> NDArray[np.int8]:
        """Return 1 for every action that is legal now and 0 for the others, as `action_space.sample` takes it."""
        return self._menu.mask.copy()

    #: The name by which maskable agents ask for it.
    action_masks = action_mask

    # Cards on the table

    @property
    def view(self) -> View:
        """The round as the seat sees it."""
        return view(self._empty if self._dealt is None else self._dealt.round.freeze(), SEAT)

    @property
    def results(self) -> tuple[Result, ...]:
        """The results settled so far in this round."""
        return () if self._dealt is None else tuple(self._dealt.round.results)

    def _legal_names(self) -> tuple[str, ...]:
        return tuple(self.actions[number] for number in self._menu.moves)

    # How it runs

    def _new_shoe(self) -> Shoe:
        """Return a shoe seeded by the environment's generator."""
        if self._is_fresh:
            return FreshShoe(self.rules.shoe, self.np_random)
        return Shoe(self.rules.shoe, generator=random.Random(int(self.np_random.integers(1 << 62))))

    def _next(self, dealt: DealtRound) -> None:
        """Go on to the next decision, or to the end, and list what is legal."""
        round_ = dealt.round
        phase = round_.phase
        if phase == "acting" and not self._offers:
            self._menu = self._known_menus.get(round_.options) or self._menus.decide(round_.options, round_)
        elif phase == "done":
            self._menu = self._nothing
        elif not self._offers:
            key = phase, self._bet
            self._menu = self._known_menus.get(key) or self._menus.decide(key, round_)
        elif phase in ASKING and not self._menus.place(round_, self._pending, self._placed()):
            self._answer(dealt)
        else:
            self._menu = self._menus.decide_or_place(round_, self._bet, self._pending, self._placed())

    def _observation(self, dealt: DealtRound) -> Observation:
        if dealt.round.phase == "betting":
            return self._observer.before_the_deal(self._pending)
        return self._observer.observe(dealt, self._placed() if self._stakes else ())

    # Wagers and bets

    def _await_bet(self) -> tuple[Observation, Info]:
        self._bet = 0
        self._observer.new_round(0)
        self._menu = self._menus.bet({})
        return self._observer.before_the_deal(()), {"action_mask": self._menu.mask.copy()}

    def _wager(self, dealt: DealtRound, action: int, move: Place | Bet) -> None:
        if isinstance(move, Bet) and move.main:
            self._bet, self._pending = self.bets.index(move.main) + 1, {}
            self._observer.new_round(self._bet)
            dealt.apply(move)
            dealt.apply(NoMoreBets())
            self._next(dealt)
        elif isinstance(move, Bet):
            self._pending = self._staked(move.sides)
            self._menu = self._menus.bet(self._pending)
        elif dealt.round.phase not in ASKING:
            dealt.apply(move)
            self._next(dealt)
        else:
            self._pending = self._staked(move.sides)
            if action == self._menus.number[PASS]:
                self._answer(dealt)
            else:
                self._next(dealt)

    def _answer(self, dealt: DealtRound) -> None:
        """Place what was chosen, or nothing, and go on."""
        move = Place(SEAT, self._menus.named(self._pending)) if self._pending else _NOTHING_PLACED
        self._pending = {}
        dealt.apply(move)
        self._next(dealt)

    def _opened(self, bet: Money, sides: Mapping[int, Money]) -> State:
        """Return the table with the bet placed and no card dealt."""
        return advance(advance(self._empty, Bet(SEAT, bet, self._menus.named(sides))), NoMoreBets())

    def _placed(self) -> Collection[int]:
        """Return the side wagers on the table, or chosen and about to be placed."""
        if self._dealt is None:
            return ()
        return {side.wager for side in self._dealt.round.seats[0].sides} | set(self._pending)

    def _staked(self, sides: Mapping[str, int]) -> dict[int, Money]:
        return {index: stake for index, stake in self._stakes.items() if self.tables.wagers[index].name in sides}

    # Refusals

    def _refuse(self, action: SupportsInt) -> Step:
        if self._dealt is None or not self._menu.moves:
            raise OutOfTurn("no round is being played; call reset() to deal one")
        if self._raises or action not in self.action_space:
            what = self.actions[int(action)] if action in self.action_space else shortly(action)
            raise IllegalMove(f"{what} is not legal now; it can be: {', '.join(self._legal_names())}")
        info = {"action_mask": self._menu.mask.copy(), "illegal": True}
        return self._observation(self._dealt), self._illegal_reward, False, False, info

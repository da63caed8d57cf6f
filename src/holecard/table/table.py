"""A table for people: a thin, mutable shell around the round, with a shoe and accounts.

It deals whenever the round waits for a card, and stops where somebody has to decide.
"""

from __future__ import annotations

from collections.abc import Mapping

from holecard.deck import Card
from holecard.errors import OutOfTurn, WagerRefused
from holecard.money import NO_MONEY, Money, MoneyLike, money, sum_of
from holecard.sheets.read import RulesLike, rules
from holecard.table.action_methods import ActionMethods
from holecard.table.advance import start
from holecard.table.dealing.dealt_round import DealtRound
from holecard.table.dealing.shoe import Shoe
from holecard.table.events import NOTHING, Act, Bet, Choice, Event, Move, NoMoreBets, Place, Result
from holecard.table.legal import check_seat, legal, offered, refusal, refuse_close
from holecard.table.notation.spot import Spot, spot_of
from holecard.table.prices import price, unsettled, within_means
from holecard.table.records.record import Record
from holecard.table.state import NOBODY_DECIDES, Phase, State
from holecard.table.views import View, view, visible_events
from holecard.wagers.pay_table import SideWager

_NO_MORE_BETS = NoMoreBets()


class Table(ActionMethods):
    """One to seven seats, a shoe, and a round at a time.

    `bankroll` is what every seat starts with; None plays without accounts. Cards come from the operating system's
    random generator; a `seed` is for practice and tests and makes the cards predictable.
    """

    def __init__(
        self,
        game: RulesLike,
        *,
        bankroll: MoneyLike | None = None,
        seed: int | None = None,
        settings: Mapping[str, object] | None = None,
    ) -> None:
        self.rules = rules(game, settings)
        self.tables = self.rules.tables
        self._empty = start(self.tables)
        self._dealt = DealtRound(Shoe(self.rules.shoe, seed), self._empty)
        self._state: State | None = None
        self._opening = None if bankroll is None else money(bankroll)
        self._account: dict[int, int] = {}
        self._moves: list[Move] = []
        self._first_round, self._position = True, self.shoe.position

    def __repr__(self) -> str:
        return f"Table({self.rules.name}: {repr(self.state)[1:-1]})"

    # What is on the table

    @property
    def shoe(self) -> Shoe:
        """Where the cards come from."""
        return self._dealt.shoe

    @shoe.setter
    def shoe(self, shoe: Shoe) -> None:
        self._dealt.shoe = shoe

    @property
    def seed(self) -> int | None:
        """The seed of a practice table; None when the cards are real."""
        return self.shoe.seed

    @property
    def state(self) -> State:
        """The round as a frozen state; made again when something has happened."""
        if self._state is None:
            self._state = self._dealt.round.freeze()
        return self._state

    @property
    def phase(self) -> Phase:
        """What the table is waiting for."""
        return self._dealt.round.phase

    @property
    def asked(self) -> int | None:
        """The seat that has to decide, if any; the table never waits for a card."""
        round_ = self._dealt.round
        return None if round_.phase in NOBODY_DECIDES else round_.seats[round_.turn].number

    @property
    def cards_dealt(self) -> list[Card]:
        """The cards of this round in the order they were dealt, the hole card included: not for players' eyes."""
        return self._dealt.cards

    @property
    def results(self) -> tuple[Result, ...]:
        """What has been settled in this round."""
        return self.state.results

    @property
    def events(self) -> tuple[Event, ...]:
        """What the last move caused, as a spectator sees it."""
        return visible_events(self.state)

    def view(self, seat: int = 1) -> View:
        """Return the table as a seat sees it."""
        return view(self.state, seat)

    @property
    def spot(self) -> Spot:
        """The hand that is asked against the dealer's visible cards: "Th,6s v 6d"."""
        return spot_of(view(self.state, self._seat(None)))

    def net(self, seat: int = 1) -> Money:
        """Return what a seat has won or lost in this round so far."""
        check_seat(self.tables, seat)
        return sum_of(result.net for result in self.state.results if result.seat == seat)

    def bankroll(self, seat: int = 1) -> Money | None:
        """Return what a seat owns, wagers on the table included; None without accounts."""
        check_seat(self.tables, seat)
        return None if self._opening is None else self._opening + self._account.get(seat, 0)

    def buy_in(self, amount: MoneyLike, *, seat: int = 1) -> None:
        """Put more money on a seat's account."""
        check_seat(self.tables, seat)
        self._account[seat] = self._account.get(seat, 0) + int(money(amount))

    def at_risk(self, seat: int = 1) -> Money:
        """Return what a seat has on the table."""
        check_seat(self.tables, seat)
        return sum_of(unsettled(player) for player in self.state.seats if player.number == seat)

    # What people do

    def bet(self, main: MoneyLike, sides: Mapping[str, MoneyLike] | None = None, *, seat: int = 1) -> None:
        """Place or change a seat's wagers; begins a new round when the last one is over."""
        move = Bet(seat, main, sides or NOTHING)
        over = self._dealt.round.phase == "done"
        fresh = self._empty if over else self.state
        if refused := refusal(fresh, move):
            raise refused
        if self._opening is not None:
            self._affords(seat, self._price(move), instead_of=_staked(fresh, seat))
        if over:
            self._clear()
        self._do(move)

    def deal(self) -> None:
        """Close the betting and deal until somebody has to decide or the round is over."""
        if refused := refuse_close(self._dealt.round, _NO_MORE_BETS):
            raise refused
        self._do(_NO_MORE_BETS)

    def legal(self, seat: int | None = None) -> tuple[Choice, ...]:
        """Return the choices of the seat that is asked that it can pay for; none if another `seat` is given."""
        if seat is not None and seat != self.asked:
            return ()
        choices = legal(self.state)
        owned = self.bankroll(choices[0].seat) if choices else None
        if owned is None:
            return choices
        return within_means(self.state, choices, owned - self.at_risk(choices[0].seat))

    @property
    def offered(self) -> tuple[SideWager, ...]:
        """The side wagers some seat may place now, with their limits and lines; a seat's own are in its view."""
        return offered(self._empty if self._dealt.round.phase == "done" else self.state)

    def act(self, action: str, amount: MoneyLike | None = None, *, seat: int | None = None) -> None:
        """Decide for the seat that is asked."""
        move = Act(self._seat(seat), action, amount)
        if refused := refusal(self.state, move):
            raise refused
        if self._opening is not None:
            self._affords(move.seat, price(self.state, move))
        self._do(move)

    def place(self, sides: Mapping[str, MoneyLike] | None = None, *, seat: int | None = None) -> None:
        """Place wagers after the check, on top of those the seat has; without any, the asked seat passes.

        Any seat may place wagers that are open until the hole card is turned, even when another seat is asked.
        """
        move = Place(self._seat(seat), sides or NOTHING)
        if refused := refusal(self.state, move):
            raise refused
        if self._opening is not None:
            self._affords(move.seat, sum_of(move.sides.values()))
        self._do(move)

    def record(self, about: str = "") -> Record:
        """Return the finished round as a record that replays to the cent."""
        if self.state.phase != "done":
            raise OutOfTurn("a round can be recorded only when it is over")
        return Record.of(
            self.rules,
            self._moves,
            self._dealt.cards,
            self.state.results,
            reshuffled=self._dealt.reshuffled,
            misdeal=self._dealt.misdealt,
            about=about,
            seed=self.seed if self._first_round or self._position else None,
            position=None if self._first_round else self._position,
        )

    # How it runs

    def _do(self, move: Move) -> None:
        """Make a legal move, deal while the round waits for cards, and update the accounts."""
        round_ = self._dealt.round
        round_.events = []
        before = len(round_.results)
        self._state = None
        self._dealt.apply(move)
        self._moves.append(move)
        if self._opening is not None:
            for result in round_.results[before:]:
                self._account[result.seat] = self._account.get(result.seat, 0) + int(result.net)

    def _clear(self) -> None:
        """Pick up every card and shuffle if it is time."""
        self._dealt.restart(self._empty)
        self._state, self._moves = None, []
        self._first_round, self._position = False, self.shoe.position

    def _seat(self, seat: int | None) -> int:
        if seat is not None:
            return seat
        if self.asked is None:
            raise OutOfTurn("no seat has a decision to make now")
        return self.asked

    # Money

    def _affords(self, seat: int, takes: Money, instead_of: Money = NO_MONEY) -> None:
        owned = self.bankroll(seat)
        assert owned is not None
        free = owned - self.at_risk(seat) + instead_of
        if takes > free:
            raise WagerRefused(f"seat {seat} has {max(free, NO_MONEY)} to wager, and this takes {takes}")

    def _price(self, bet: Bet) -> Money:
        """Return what a bet may cost: its stakes and the highest tax on them."""
        mains = 2 if self.tables.has_companion else 1
        taxes = NO_MONEY
        for wager in self.tables.wagers:
            if wager.tax and any(wager.name.lower() == name.lower() and stake for name, stake in bet.sides.items()):
                taxes += max(line.pays.fixed or NO_MONEY for line in wager.tax)
        return bet.main * mains + sum_of(bet.sides.values()) + taxes


def _staked(state: State, seat: int) -> Money:
    return sum_of(unsettled(player) for player in state.seats if player.number == seat)

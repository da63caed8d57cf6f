"""From a command to the entries that it adds to the log: `Dealer.decide` for people, `Dealer.clock` for the clock.

Nothing here changes a table. A command that the rules refuse raises the refusal of `holecard.table`, in its words.
"""

from __future__ import annotations

import secrets
from typing import NamedTuple

from holecard.errors import OutOfTurn, Refusal
from holecard.money import Money
from holecard.server.errors import GameIsStopped, GeneratorFailed, NotAllowed
from holecard.server.fairness.construction import NAME, commitment, new_seed, shoe_key
from holecard.server.game.clock import deadline, default_move
from holecard.server.game.commands import (
    AddSeed,
    CloseTable,
    DealNow,
    EndRound,
    FreeSeat,
    Leave,
    PlaceBet,
    PlaceWagers,
    Sit,
    TableCommand,
    TakeAction,
    WithdrawBet,
)
from holecard.server.game.entries import (
    CLOSED_BY_OPERATOR,
    CLOSED_BY_OWNER,
    BetWithdrawn,
    Moved,
    OperatorActed,
    RoundVoided,
    SeatLeft,
    SeatTaken,
    SeedAdded,
    ShoeCommitted,
    ShoeRevealed,
    TableClosed,
    TableEntry,
)
from holecard.server.game.folded_table import CommittedShoe, FoldedTable
from holecard.server.game.moves import LoggedMove, write_move
from holecard.table.events import Act, Bet, NoMoreBets, Place
from holecard.table.legal import check_seat, refusal


class Actor(NamedTuple):
    """Who gives a command."""

    user: str
    name: str
    is_operator: bool = False


class SecretShoe(NamedTuple):
    """A shoe's secret seed, stored apart from the log until it is revealed."""

    id: str
    seed: bytes


def new_secret(_table: FoldedTable) -> SecretShoe:
    """Return a new shoe's id and seed."""
    return SecretShoe(secrets.token_hex(8), new_seed())


def has_seed(table: FoldedTable, secret: SecretShoe | None) -> bool:
    """Return whether a table has a shoe, and this is its secret."""
    return table.shoe is not None and secret is not None and secret.id == table.shoe.id


class NewEntries(NamedTuple):
    """Entries to append together, and the secrets of new shoes."""

    entries: tuple[TableEntry, ...]
    new_shoes: tuple[SecretShoe, ...] = ()
    after: FoldedTable | None = None
    """The table after the first entry, where it is folded already."""


class Dealer:
    """Knows a table, the secret of its shoe and the time, in milliseconds, and answers commands with entries."""

    def __init__(self, table: FoldedTable, secret: SecretShoe | None, at: int, stopped: str | None = None) -> None:
        self.table = table
        self._secret = secret
        self._at = at
        self._stopped = stopped
        """Why operators have stopped the game; None while it is dealt."""

    # What people ask for

    def decide(self, command: TableCommand, actor: Actor) -> NewEntries:
        """Return what a command adds to the log."""
        if self.table.closed is not None:
            raise OutOfTurn(f"this table is closed: {self.table.closed}")
        if isinstance(command, EndRound | FreeSeat):
            return self._step_in(command, actor)
        match command:
            case Sit():
                return self._sit(command.seat, actor)
            case Leave():
                return self._leave(command.seat, actor)
            case AddSeed():
                return self._add_seed(command, actor)
            case PlaceBet():
                self._own(command.seat, actor)
                self._refuse_if_stopped()
                sides = {name: Money.cents(stake) for name, stake in command.sides.items()}
                return self._moved(Bet(command.seat, Money.cents(command.main), sides))
            case WithdrawBet():
                return self._withdraw(command.seat, actor)
            case DealNow():
                return self._deal(actor)
            case TakeAction():
                self._own(command.seat, actor)
                self._refuse_if_late(command.seen)
                amount = None if command.amount is None else Money.cents(command.amount)
                return self._moved(Act(command.seat, command.action, amount))
            case PlaceWagers():
                self._own(command.seat, actor)
                self._refuse_if_late(command.seen)
                sides = {name: Money.cents(stake) for name, stake in command.sides.items()}
                return self._moved(Place(command.seat, sides))
            case CloseTable():
                return self._close_for(actor)

    def commit(self) -> NewEntries:
        """Return the commitment to a new shoe; without the operating system's generator there is none."""
        try:
            secret = new_secret(self.table)
        except (OSError, NotImplementedError):
            raise GeneratorFailed(
                "this table does not deal, and takes no bets: the random generator of the server fails"
            ) from None
        promise = commitment(secret.seed, secret.id, self.table.opened.sheet)
        return NewEntries((ShoeCommitted(shoe=secret.id, construction=NAME, commitment=promise),), (secret,))

    def _sit(self, seat: int, actor: Actor) -> NewEntries:
        table = self.table
        check_seat(table.tables, seat)
        if seat in table.seats:
            raise OutOfTurn(f"seat {seat} is taken; choose a free one")
        if not table.is_between_rounds and any(player.number == seat for player in table.state.seats):
            raise OutOfTurn(f"seat {seat} is free when this round is over")
        return NewEntries((SeatTaken(seat=seat, user=actor.user, name=actor.name),))

    def _leave(self, seat: int, actor: Actor) -> NewEntries:
        self._own(seat, actor)
        return NewEntries((SeatLeft(seat=seat),))

    def _add_seed(self, command: AddSeed, actor: Actor) -> NewEntries:
        shoe = self.table.shoe
        if shoe is not None and command.shoe not in (None, shoe.id):
            # The house may have seen this seed before it committed itself to the shoe that is on the table now.
            raise OutOfTurn(
                f"this seed is for shoe {command.shoe}, which has ended; draw another one for shoe {shoe.id}"
            )
        if shoe is None or shoe.begun:
            raise OutOfTurn("the first card of this shoe is dealt; add a seed to the next one")
        if not self.table.seats_of(actor.user):
            raise NotAllowed("only players who sit at the table can add a seed")
        if any(user == actor.user for user, _ in shoe.player_seeds):
            raise OutOfTurn("you have added a seed to this shoe; each player adds one")
        return NewEntries((SeedAdded(user=actor.user, seed=command.seed),))

    def _withdraw(self, seat: int, actor: Actor) -> NewEntries:
        self._own(seat, actor)
        state = self.table.state
        if state.phase != "betting" or all(player.number != seat for player in state.seats):
            raise OutOfTurn(f"seat {seat} has no bet that could be withdrawn")
        return NewEntries((BetWithdrawn(seat=seat),))

    def _deal(self, actor: Actor) -> NewEntries:
        table = self.table
        own = table.seats_of(actor.user)
        if not own:
            raise NotAllowed("only players who sit at the table can ask for the deal")
        self._refuse_if_stopped()
        bets = {player.number for player in table.next_state.seats}
        if bets and (waiting := sorted(set(table.seats) - bets)):
            raise OutOfTurn(
                f"seat {waiting[0]} may still bet; cards are dealt when every seat has bet, or by the clock"
            )
        return self._moved(NoMoreBets())

    def _close_for(self, actor: Actor) -> NewEntries:
        if not (actor.is_operator or actor.user == self.table.opened.by):
            raise NotAllowed("only the player who opened the table or an operator can close it")
        if not self.table.is_between_rounds:
            raise OutOfTurn("a table can be closed only between rounds; this round is not over")
        return self.close(CLOSED_BY_OWNER if actor.user == self.table.opened.by else CLOSED_BY_OPERATOR)

    def _step_in(self, command: EndRound | FreeSeat, actor: Actor) -> NewEntries:
        if not actor.is_operator:
            raise NotAllowed("only operators can end a round or free a seat")
        if isinstance(command, FreeSeat):
            if command.seat not in self.table.seats:
                raise OutOfTurn(f"nobody sits at seat {command.seat}")
            acted = OperatorActed(action="free seat", seat=command.seat, reason=command.reason)
            return NewEntries((acted, SeatLeft(seat=command.seat)))
        return self._end_round(command.reason)

    def _end_round(self, reason: str) -> NewEntries:
        """Return what ends a round for an operator: bets that are not dealt go back, too."""
        acted = OperatorActed(action="end round", reason=reason)
        if self.table.is_between_rounds:
            if not self.table.next_state.seats:
                raise OutOfTurn("there is no round to end, and no bet on the table")
            return NewEntries((acted, *self._bets_back()))
        ended = self.void(f"the operator ended it; all stakes were returned. {reason}")
        return ended._replace(entries=(acted, *ended.entries))

    def _refuse_if_stopped(self) -> None:
        if self._stopped is not None:
            raise GameIsStopped(f"the operator has stopped this game, so it takes no new bets: {self._stopped}")

    def _own(self, seat: int, actor: Actor) -> None:
        sitter = self.table.seats.get(seat)
        if sitter is None or sitter.user != actor.user:
            raise NotAllowed(f"you do not sit at seat {seat}")

    def _refuse_if_late(self, seen: int | None) -> None:
        """Refuse an answer to an earlier question: it could be for another hand, or for other cards."""
        table = self.table
        if seen is not None and seen < table.asked_in and table.state.asked is not None:
            raise OutOfTurn(
                f"this answers message {seen}, and the table asked something else in message {table.asked_in}; "
                "look at the table and decide again"
            )

    # What the clock does

    def clock(self, up_since: int = 0) -> NewEntries | None:
        """Return what happens when nobody did anything in time; None before the deadline."""
        due = deadline(self.table, up_since)
        if due is None or self._at < due:
            return None
        if self.table.is_between_rounds:
            if not self.table.next_state.seats:
                return self.close("nobody has bet for a while")
            may_deal = self.has_seed and self._stopped is None
            return self._moved(NoMoreBets(), by_clock=True) if may_deal else NewEntries(self._bets_back())
        return self._moved(default_move(self.table), by_clock=True)

    # What follows

    def close(self, reason: str) -> NewEntries:
        """Return what closes the table: bets are returned, and the shoe is revealed as cut short."""
        return NewEntries((*self._bets_back(), *self._reveal(cut_short=True), TableClosed(reason=reason)))

    def mend(self) -> NewEntries | None:
        """Return what a table needs whose seed is missing: the round is voided, and a new shoe is committed to."""
        if self.table.closed is not None or self.has_seed:
            return None
        return self.commit() if self.table.is_between_rounds else self.void("the seed of its shoe is lost")

    @property
    def has_seed(self) -> bool:
        """Whether the table has a shoe, and its seed is known."""
        return has_seed(self.table, self._secret)

    def _bets_back(self) -> tuple[TableEntry, ...]:
        return tuple(BetWithdrawn(seat=player.number) for player in self.table.next_state.seats)

    def void(self, reason: str) -> NewEntries:
        """Return what ends a round that cannot continue, so that nobody loses anything in it, and the new shoe."""
        if self.table.is_between_rounds:
            raise Refusal("there is no round to void")
        fresh = self._next_shoe()
        return NewEntries((RoundVoided(reason=reason), *self._reveal(cut_short=True), *fresh.entries), fresh.new_shoes)

    def _next_shoe(self) -> NewEntries:
        """Return the commitment to the next shoe; nothing while the generator fails, so that this round still ends."""
        try:
            return self.commit()
        except GeneratorFailed:
            return NewEntries(())

    def _moved(self, move: LoggedMove, *, by_clock: bool = False) -> NewEntries:
        """Return the move with the cards that it deals, and a new shoe if this one has ended."""
        table = self.table
        state = table.next_state if isinstance(move, Bet) else table.state
        if refused := refusal(state, move):
            raise refused
        after = table.copy()
        if isinstance(move, Bet):
            entry = Moved(move=write_move(move), by_clock=by_clock)
            after.apply(entry, self._at)
            return NewEntries((entry,), after=after)
        entry = after.deal(move, self._key(self._committed()), self._at, by_clock=by_clock)
        if after.shoe is None or after.state.phase != "done" or not after.shoe.cards.is_over:
            return NewEntries((entry,), after=after)
        fresh = self._next_shoe()
        return NewEntries((entry, *self._reveal(cut_short=False), *fresh.entries), fresh.new_shoes, after)

    def _committed(self) -> CommittedShoe:
        if self.table.shoe is None or not self.has_seed:
            raise Refusal("the seed of this shoe is missing, so the table cannot deal")
        return self.table.shoe

    def _key(self, shoe: CommittedShoe) -> bytes:
        assert self._secret is not None
        seeds = [seed for _, seed in shoe.player_seeds]
        return shoe_key(self._secret.seed, shoe.id, self.table.opened.sheet, seeds)

    def _reveal(self, *, cut_short: bool) -> tuple[TableEntry, ...]:
        if self._secret is None or not self.has_seed:
            return ()
        return (ShoeRevealed(shoe=self._secret.id, seed=self._secret.seed.hex(), cut_short=cut_short),)

"""A table folded from its log: `table.apply(entry, at)` for every entry, in order.

The fold needs no secret, so anybody who has the log can repeat it. `deal` makes the next entry from a move and the
secret key of the shoe. Every rule of the round is in `holecard.table`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from holecard import __version__
from holecard.deck import Card, cards
from holecard.errors import Refusal
from holecard.money import Money, sum_of
from holecard.server.fairness.shoes import LoggedShoe
from holecard.server.game.entries import (
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
    TableOpened,
    reason_without_name,
)
from holecard.server.game.moves import LoggedMove, read_move, write_move
from holecard.sheets.schema import RuleSheet
from holecard.table.advance import apply, start
from holecard.table.dealing.dealt_round import DealtRound
from holecard.table.events import Bet, Event, Misdeal, Move, NoMoreBets, Result
from holecard.table.notation.moves import read_bet, read_play
from holecard.table.prices import unsettled
from holecard.table.records.record import Record
from holecard.table.state import State


@dataclass(frozen=True, slots=True)
class Sitter:
    """Who sits at a seat."""

    user: str
    name: str


@dataclass(slots=True)
class CommittedShoe:
    """A shoe that the house has committed itself to, as far as it is dealt."""

    id: str
    commitment: str
    cards: LoggedShoe
    player_seeds: list[tuple[str, str]] = field(default_factory=list)

    def copy(self) -> CommittedShoe:
        """Return a copy that can be dealt from without changing this shoe."""
        return CommittedShoe(self.id, self.commitment, self.cards.copy(), list(self.player_seeds))

    @property
    def begun(self) -> bool:
        """Whether a card was drawn, so that no seed can be added any more."""
        return self.cards.drawn > 0


class FoldedTable:
    """A table at one point of its log."""

    def __init__(self, opened: TableOpened, sheet: RuleSheet, at: int) -> None:
        self.opened = opened
        self.sheet = sheet
        self.tables = sheet.tables
        self.seats: dict[int, Sitter] = {}
        self._players: dict[int, str] = {}
        self.shoe: CommittedShoe | None = None
        self.closed: str | None = None
        self.was_voided = False
        """Whether the last round could not be finished, so that nobody lost anything in it."""
        self.rounds = 0
        """How many rounds have been dealt, the one on the table included."""
        self.version = ""
        """The version of Holecard that dealt the round on the table."""
        self.moves: list[Move] = []
        self.events: tuple[Event, ...] = ()
        """What the last entry caused, hidden cards included."""
        self.new_results: tuple[Result, ...] = ()
        self.has_just_finished = False
        """Whether the last entry ended a round that was not voided; its wagers may have been settled before."""
        self.sequence = 1
        self.first_bet_at = 0
        self.asked_at = at
        self.asked_in = 1
        """The number of the entry that asked what is asked now."""
        self.active_at = at
        self.noticed: dict[int, int] = {}
        """Times of entries by a clock that was set, and when this process noticed them; it is not in the log."""
        self._empty = start(self.tables)
        self._dealt = DealtRound(LoggedShoe(sheet.shoe), self._empty)
        self._state: State | None = self._empty

    # What is on the table

    @property
    def state(self) -> State:
        """The round as a frozen state."""
        if self._state is None:
            self._state = self._dealt.round.freeze()
        return self._state

    @property
    def is_between_rounds(self) -> bool:
        """Whether no cards are on the table that still matter."""
        return self.state.phase in ("betting", "done")

    @property
    def next_state(self) -> State:
        """The state that a bet is placed in: after a finished round, an empty table."""
        return self._empty if self.state.phase == "done" else self.state

    def seats_of(self, user: str) -> tuple[int, ...]:
        """Return the seats of a user, in order."""
        return tuple(sorted(seat for seat, sitter in self.seats.items() if sitter.user == user))

    def player_of(self, seat: int) -> str:
        """Return the user who plays a seat in this round, even after leaving it."""
        return self._players[seat]

    def staked(self, seat: int) -> Money:
        """Return what a seat has on the table that is not settled."""
        return sum_of(unsettled(player) for player in self.state.seats if player.number == seat)

    def record(self, about: str = "") -> Record:
        """Return the finished round as a record."""
        dealt = self._dealt
        return Record.of(
            self.sheet,
            self.moves,
            dealt.cards,
            self.state.results,
            reshuffled=dealt.reshuffled,
            misdeal=dealt.misdealt,
            about=about,
        )

    def copy(self) -> FoldedTable:
        """Return a copy that can be changed without changing this table."""
        copied = FoldedTable.__new__(FoldedTable)
        copied.__dict__.update(self.__dict__)
        copied.seats, copied._players, copied.moves = dict(self.seats), dict(self._players), list(self.moves)
        if self.shoe is not None:
            copied.shoe = self.shoe.copy()
        dealt = self._dealt
        shoe = dealt.shoe
        is_current = self.shoe is not None and shoe is self.shoe.cards
        fresh = DealtRound(copied.shoe.cards if copied.shoe is not None and is_current else shoe, self.state)
        fresh.cards, fresh.out = list(dealt.cards), list(dealt.out)
        fresh.reshuffled, fresh.misdealt = list(dealt.reshuffled), dealt.misdealt
        copied._dealt = fresh
        return copied

    @property
    def players(self) -> dict[int, str]:
        """Who played each seat last."""
        return dict(self._players)

    # The fold

    def show(self, state: State, record: Record) -> None:
        """Put a finished round on the table, as its record tells it."""
        bets = (read_bet(words) for words in record.bets)
        self.moves = [*bets, NoMoreBets(), *(read_play(words) for words in record.play)]
        self._dealt = DealtRound(self._dealt.shoe, state)
        self._dealt.cards, self._dealt.reshuffled = list(record.cards), list(record.reshuffled)
        self._dealt.misdealt = record.misdeal
        self._state = state

    def restore(self, players: dict[int, str], sequence: int) -> None:
        """Set what the entries before a checkpoint left."""
        self._players, self.sequence = dict(players), sequence

    def apply(self, entry: TableEntry, at: int) -> None:
        """Apply the next entry, written at a time in milliseconds."""
        before = self._begin_entry()
        match entry:
            case Moved():
                self._move(entry, at)
            case SeatTaken():
                self.seats[entry.seat] = Sitter(entry.user, entry.name)
                self._players[entry.seat] = entry.user
                self.active_at = at
            case SeatLeft():
                del self.seats[entry.seat]
                self._withdraw(entry.seat)
            case BetWithdrawn():
                self._withdraw(entry.seat)
            case ShoeCommitted():
                self.shoe = CommittedShoe(entry.shoe, entry.commitment, LoggedShoe(self.sheet.shoe))
                if self.next_state.seats:
                    # The shoe under these bets was replaced: players get the whole time again to add seeds to this one.
                    self.first_bet_at = at
            case SeedAdded():
                self._committed.player_seeds.append((entry.user, entry.seed))
            case ShoeRevealed():
                self.shoe = None
            case RoundVoided():
                self.was_voided = True
                self._make(Misdeal())
                self.active_at = at
            case OperatorActed():
                pass  # the entries that follow change the table
            case TableClosed():
                self.closed, self.seats = reason_without_name(entry.reason), {}
            case TableOpened():
                raise Refusal("a table is opened once, by the first entry of its log")
        self._end_entry(before, at)

    def deal(self, move: LoggedMove, key: bytes, at: int, *, by_clock: bool) -> Moved:
        """Make a legal move with cards from the key of the shoe; return the entry, which `apply` folds to the same."""
        before, dealt_before = self._begin_entry(), len(self._dealt.cards)
        version = __version__ if isinstance(move, NoMoreBets) else ""
        with self._committed.cards.dealing_from(key):
            burned = self._carry_out(move, at, version)
        self._end_entry(before, at)
        new = self._dealt.cards[dealt_before:]
        return Moved(move=write_move(move), cards=_text(new), burned=_text(burned), by_clock=by_clock, version=version)

    def _begin_entry(self) -> tuple[tuple[object, ...], bool]:
        """Return what is asked, and whether the last round is over, before an entry."""
        self.events, self.new_results = (), ()
        return self._asked_spot(), self._dealt.round.phase == "done"

    def _end_entry(self, before: tuple[tuple[object, ...], bool], at: int) -> None:
        spot, was_over = before
        self.has_just_finished = self._dealt.round.phase == "done" and not was_over and not self.was_voided
        self.sequence += 1
        if self._asked_spot() != spot:
            self.asked_at, self.asked_in = at, self.sequence

    @property
    def _committed(self) -> CommittedShoe:
        if self.shoe is None:
            raise Refusal("the log deals before it commits to a shoe")
        return self.shoe

    def _move(self, entry: Moved, at: int) -> None:
        move = read_move(entry.move, betting=self.is_between_rounds)
        if given := cards(f"{entry.burned} {entry.cards}"):
            self._committed.cards.give(given)
        self._carry_out(move, at, entry.version)
        if self.shoe is not None and self.shoe.cards.has_more:
            raise Refusal("the log deals more cards than the round takes")

    def _carry_out(self, move: LoggedMove, at: int, version: str) -> list[Card]:
        """Make a move; return the cards that were burned before the first one."""
        burned: list[Card] = []
        if isinstance(move, Bet):
            self._begin_round_if_over()
            if not self.state.seats:
                self.first_bet_at = at
        elif isinstance(move, NoMoreBets):
            burned, self.version = self._first_card(), version
        self._make(move)
        self.moves.append(move)
        self.active_at = at
        return burned

    def _begin_round_if_over(self) -> None:
        if self.state.phase == "done":
            if self.shoe is not None and self._dealt.shoe is self.shoe.cards:
                self._dealt.shoe.discard(self._dealt.out)
            self._dealt = DealtRound(self._dealt.shoe, self._empty)
            self._state, self.moves = self._empty, []

    def _first_card(self) -> list[Card]:
        """Begin to deal a round; return the cards that a new shoe burns."""
        shoe = self._committed.cards
        burned = [] if shoe.drawn else shoe.burn()
        self._dealt.shoe = shoe
        self.was_voided = False
        self.rounds += 1
        return burned

    def _make(self, move: Move) -> None:
        round_ = self._dealt.round
        before = len(round_.results)
        round_.events = []
        if isinstance(move, Misdeal):
            apply(round_, move)
        else:
            self._dealt.apply(move)
        self._state = None
        self.events = tuple(round_.events)
        self.new_results = tuple(round_.results[before:])

    def _withdraw(self, seat: int) -> None:
        """Take a bet that was not dealt off the table."""
        round_ = self._dealt.round
        if round_.phase == "betting":
            round_.seats = [player for player in round_.seats if player.number != seat]
            self.moves = [move for move in self.moves if not (isinstance(move, Bet) and move.seat == seat)]
            self._state = None

    def _asked_spot(self) -> tuple[object, ...]:
        """Return what is asked now, so that the clock starts again only when something else is asked."""
        round_ = self._dealt.round
        cards_dealt = len(self._dealt.cards)
        return (self.rounds, round_.phase, round_.turn, round_.hand, cards_dealt)


def _text(dealt: list[Card]) -> str:
    return " ".join(map(str, dealt))

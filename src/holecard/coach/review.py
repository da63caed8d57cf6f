"""`review`: a finished round, decision by decision, and its result split into house edge, skill and luck.

The split is exact: house + skill + luck is the net result.

- House: the expected result of the wagers as they were placed. The main wager and the side wagers before the deal
  count at their EV from a full shoe, with the best play; a wager after the check at its EV given the cards seen then.
- Skill: minus what the decisions cost. A decision costs the EV of the best action minus that of the chosen one, both
  given the cards that the player saw. Perfect play has a skill of zero, and no play has a better one.
- Luck: the rest. At each step the player's expectation changes by what the decision costs, which is skill, and by the
  cards that come, which is luck; from a full shoe the average of that change is zero, whatever the player does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from holecard.coach.advice import ActionValue, Advice, advise, for_late
from holecard.coach.player_view import known_hand, player_view
from holecard.coach.tally import SessionTally
from holecard.coach.wager_values import early_cents, late_cents, main_wager_ev
from holecard.kernels.cache import compiling
from holecard.money import Money
from holecard.payoffs.stakes import main_wagers
from holecard.sheets.schema import RuleSheet
from holecard.sheets.tables import BET
from holecard.table.events import Act, Place
from holecard.table.late_wagers import main_wager, staked
from holecard.table.notation.moves import read_play
from holecard.table.prices import free_before
from holecard.table.records.record import Record, replay
from holecard.table.state import State
from holecard.table.views import View


@dataclass(frozen=True, slots=True)
class JudgedDecision:
    """A decision, what else could have been done, and what it cost."""

    seat: int
    hand: int
    """The hand, from 1."""
    spot: str
    """The hand and the dealer's face-up cards."""
    given: str
    """What the EVs are conditioned on."""
    action: str
    """What was done."""
    amount: int | None
    """What was staked for it, in cents, where that could be chosen."""
    cents: float
    """Its EV in cents, with the stake of the hand."""
    best: str
    """The best action; what was done, where nothing was better."""
    cost: float
    """What it cost against the best action, in cents: 0 or more."""
    values: tuple[ActionValue, ...]
    """every legal action that the player could pay for, best first"""

    @property
    def is_right(self) -> bool:
        """Whether nothing was better."""
        return self.cost == 0.0


@dataclass(frozen=True, slots=True)
class ExpectedWager:
    """A wager as it was placed, with what it is expected to win or lose."""

    seat: int
    wager: str
    stake: int
    """In cents."""
    expected: float
    """In cents."""


@dataclass(frozen=True, slots=True)
class Review:
    """A finished round of one player; amounts are in cents."""

    decisions: tuple[JudgedDecision, ...]
    wagers: tuple[ExpectedWager, ...]
    hands: int
    """Hands played, each hand of a split counted."""
    wagered: int
    """Everything staked, doubles and splits included."""
    net: int
    """Won or lost."""
    house: float
    """The expected result of the wagers."""
    skill: float
    """Minus what the decisions cost."""
    counts_money: bool
    """Whether actions that the player could not pay for are left out; False: what was free is not known."""

    @property
    def luck(self) -> float:
        """What house and skill leave of the net result."""
        return self.net - self.house - self.skill

    @property
    def tally(self) -> SessionTally:
        """The round as the sums of a session."""
        return SessionTally(
            rounds=1,
            hands=self.hands,
            decisions=len(self.decisions),
            right=sum(decision.is_right for decision in self.decisions),
            wagered=self.wagered,
            net=self.net,
            house=self.house,
            skill=self.skill,
            luck=self.luck,
        )


def judged_decision(sheet: RuleSheet, seen: View, action: str, amount: int | None = None) -> JudgedDecision:
    """Return what a decision of the seat asked costs; among the choices of the view, which may be those it can pay."""
    assert seen.asked is not None
    return _judged(advise(sheet, seen, seen.asked), action, amount)


def _judged(advice: Advice, action: str, amount: int | None) -> JudgedDecision:
    chosen, top = advice.of(action), advice.actions[0]
    ev = chosen.ev_for(amount)
    missed = top.ev - ev
    is_right = missed <= advice.tolerance
    per_unit = top.cents / top.ev if top.ev else chosen.cents / chosen.ev if chosen.ev else 0.0
    return JudgedDecision(
        seat=advice.seat,
        hand=advice.hand or 1,
        spot=advice.spot,
        given=advice.given,
        action=str(action),
        amount=amount,
        cents=ev * per_unit,
        best=str(action) if is_right else top.action,
        cost=0.0 if is_right else missed * per_unit,
        values=advice.actions,
    )


def review(record: Record, seats: Iterable[int], decisions: Sequence[JudgedDecision] | None = None) -> Review:
    """Return the review of a recorded round for the seats of one player.

    Decisions count against the actions that the player could pay for, where the record says what was left after the
    round, and else against all that are legal; or they were judged before, as by a table that knows what is free.
    """
    mine = tuple(sorted(set(seats)))
    sheet, states = record.rules, replay(record)
    with compiling("coach"):
        judged = tuple(_judge_all(sheet, record, states, mine) if decisions is None else decisions)
        wagers = (*_placed_early(sheet, states, mine), *_placed_late(sheet, record, states, mine))
    last = states[-1]
    results = [result for result in last.results if result.seat in mine]
    return Review(
        decisions=judged,
        wagers=wagers,
        hands=sum(len(seat.hands) for seat in last.seats if seat.number in mine),
        wagered=sum(int(result.stake) for result in results),
        net=sum(int(result.net) for result in results),
        house=sum(wager.expected for wager in wagers),
        skill=0.0 - sum(decision.cost for decision in judged),
        counts_money=decisions is not None or _free_after(record, mine) is not None,
    )


def _moves(record: Record, states: Sequence[State]) -> Iterator[tuple[State, Act | Place]]:
    """Yield each decision with the state it was made in."""
    deciding = (state for state in states if not state.wants_card and state.phase not in ("betting", "done"))
    for state, words in zip(deciding, record.play, strict=True):
        yield state, read_play(words)


def _judge_all(
    sheet: RuleSheet, record: Record, states: Sequence[State], seats: tuple[int, ...]
) -> Iterator[JudgedDecision]:
    left = _free_after(record, seats)
    for state, move in _moves(record, states):
        if isinstance(move, Act) and move.seat in seats:
            free = None if left is None else free_before(state, move, seats, states[-1], left)
            seen = player_view(state, seats, move.seat, free)
            yield judged_decision(sheet, seen, move.action, None if move.amount is None else int(move.amount))


def _free_after(record: Record, seats: tuple[int, ...]) -> Money | None:
    """Return what the player of the seats had after the round; None if the record does not say."""
    known = record.origin.balances if record.origin is not None else {}
    left = {known.get(seat) for seat in seats}
    cents = left.pop() if len(left) == 1 else None
    return None if cents is None else Money.cents(cents)


def _placed_early(sheet: RuleSheet, states: Sequence[State], seats: tuple[int, ...]) -> Iterator[ExpectedWager]:
    tables = sheet.tables
    dealt = next(state for state in states if state.phase != "betting")
    for seat in dealt.seats:
        if seat.number not in seats:
            continue
        stake = int(main_wager(seat)) * main_wagers(tables)
        yield ExpectedWager(seat.number, tables.stakes[BET], stake, main_wager_ev(sheet) * stake)
        for side in seat.sides:
            wager = tables.wagers[side.wager]
            amount = int(side.stake)
            yield ExpectedWager(seat.number, wager.name, amount, early_cents(sheet, wager, amount))


def _placed_late(
    sheet: RuleSheet, record: Record, states: Sequence[State], seats: tuple[int, ...]
) -> Iterator[ExpectedWager]:
    for state, move in _moves(record, states):
        if isinstance(move, Place) and move.seat in seats:
            for name, stake in move.sides.items():
                if stake:
                    yield _late(sheet, state, seats, move.seat, name, int(stake))


def _late(sheet: RuleSheet, state: State, seats: tuple[int, ...], seat: int, name: str, stake: int) -> ExpectedWager:
    tables = sheet.tables
    index = tables.wager_index(name)
    assert index is not None
    wager = tables.wagers[index]
    before = next(int(staked(player, index)) for player in state.seats if player.number == seat)
    first = known_hand(tables, player_view(state, seats, seat), seat)
    expected = for_late(sheet, first, lambda shoe: late_cents(tables, wager.name, stake, before, first, shoe))
    return ExpectedWager(seat, wager.name, stake, expected)

"""The coach: what you can do now and what it is worth, what your last decision cost, and your session at a table."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Request
from pydantic import BaseModel, ConfigDict

from holecard.coach.player_view import player_view
from holecard.errors import shortly
from holecard.money import Money
from holecard.server.compute.coached import coached, own_seats, reviewed_round
from holecard.server.errors import NotFound
from holecard.server.game.folded_table import FoldedTable
from holecard.server.game.played_decisions import last_decision
from holecard.server.host.hosted_table import is_table_id
from holecard.server.money.transfers import account_at
from holecard.server.records.coach_sessions import CoachSession
from holecard.server.records.export import round_record
from holecard.server.web.identity import Service, SignedIn, while_connected
from holecard.server.web.refusals import SIGNED_IN, refusals
from holecard.sheets.schema import RuleSheet
from holecard.table.views import view

#: How many messages the review of a round counts for.
_WORK = 2
router = APIRouter(prefix="/api/v1/tables", tags=["coach"], responses=SIGNED_IN)


class _Part(BaseModel):
    model_config = ConfigDict(use_attribute_docstrings=True)


class CoachedAction(_Part):
    """A legal action that you can pay for, and its exact EV."""

    action: str
    """The action."""
    ev: float
    """The EV per unit of initial stake: the main wager, with its companion where there is one."""
    cents: float
    """The EV in cents, with the stake of this hand."""
    best: bool
    """Whether nothing is better."""
    amount: int | None
    """What is staked for it, in cents, where you can choose: the most."""
    with_nothing: float | None
    """The EV with nothing staked for it; between this and `amount`, the EV is linear."""


class CoachedWager(_Part):
    """A side wager and its exact EV."""

    wager: str
    """Its name."""
    ev: float
    """The expected net win per dollar staked; in dollars per round where stakes or payouts are fixed amounts."""
    text: str
    """The same in words: "costs 7.2¢ per $1"."""
    printed: bool
    """Whether the printed rules contain its pay table; otherwise it is a house table of our own."""


class CoachedInsurance(_Part):
    """What insurance is worth."""

    ev: float
    """The EV per unit of insurance."""
    cents_per_dollar: float
    """The EV in cents per dollar of insurance."""
    is_even_money: bool
    """Whether the hand is a blackjack that insurance lets win exactly its wager."""


class CoachedDecision(_Part):
    """A decision, what else could have been done, and what it cost."""

    seat: int
    """The seat."""
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
    is_right: bool
    """Whether nothing was better."""
    values: list[CoachedAction]
    """Every legal action that you could pay for, best first."""


class CoachedSession(_Part):
    """Your finished rounds at this table. Amounts are in cents; `net` is the sum of `house`, `skill` and `luck`."""

    rounds: int
    """How many rounds."""
    hands: int
    """How many hands, each hand of a split counted."""
    decisions: int
    """How many decisions; one that the clock made for you counts as yours."""
    right: int
    """How many of them cost nothing."""
    wagered: int
    """Everything staked."""
    net: int
    """What you won; negative if you lost."""
    house: float
    """The expected result of your wagers with the best play."""
    skill: float
    """Minus what your decisions cost."""
    luck: float
    """The rest."""
    hands_per_hour: float | None
    """Your speed, without pauses of more than five minutes; null after few hands."""
    left: int
    """Rounds that are not counted yet; ask again."""


class CoachAnswer(_Part):
    """What you can do now, by the cards that you can see. See docs/coach.md."""

    number: int
    """The number of the table's last message that this answer knows."""
    round: int
    """The number of the round on the table."""
    seat: int | None
    """Your seat that is asked or may place wagers, or another seat of yours; null if you have none."""
    hand: int | None
    """The hand asked, from 1; null if none of yours is."""
    spot: str
    """The hand and the dealer's face-up cards; empty if no hand of yours is asked."""
    given: str
    """What the EVs are conditioned on."""
    actions: list[CoachedAction]
    """The legal actions of the hand asked that you can pay for now, best first."""
    late: list[CoachedWager]
    """The wagers after the check that your seat can place now."""
    insurance: CoachedInsurance | None
    """Insurance, while it is offered to you."""
    wagers: list[CoachedWager]
    """While the table takes bets: the main wager and each wager before the deal, from a full shoe."""
    last: CoachedDecision | None
    """Your last decision in the round on the table."""
    session: CoachedSession
    """Your finished rounds at this table."""


class CoachedStake(_Part):
    """A wager as it was placed. Amounts are in cents."""

    seat: int
    """The seat."""
    wager: str
    """Its name."""
    stake: int
    """The stake; of the main wager with its companion, both."""
    expected: float
    """What it was expected to win or lose."""


class RoundReview(_Part):
    """A finished round of yours, decision by decision. Amounts are in cents; `net` is `house` + `skill` + `luck`."""

    table: str
    """The table's id."""
    number: int
    """The number of the round."""
    hands: int
    """How many hands you played, each hand of a split counted."""
    wagered: int
    """Everything you staked."""
    net: int
    """What you won; negative if you lost."""
    house: float
    """The expected result of your wagers with the best play."""
    skill: float
    """Minus what your decisions cost."""
    luck: float
    """The rest."""
    decisions: list[CoachedDecision]
    """Your decisions, in order."""
    wagers: list[CoachedStake]
    """Your wagers, as they were placed."""
    counts_money: bool
    """Whether actions that you could not pay for are left out; false for an old round that does not say what you had:
    then every legal action counts."""


@router.get("/{table_id}/coach", responses=refusals(404))
async def coach(table_id: str, request: Request, service: Service, user: SignedIn) -> CoachAnswer:
    """Return the exact EV of everything you can do now, what your last decision cost, and your session."""
    service.rates.take(user.id)
    table = (await service.host.table(table_id)).table
    number, round_number = table.sequence, table.rounds
    seats = table.seats_of(user.id)
    seat = _seat(table, seats)
    free = await _free(table_id, table, service, user.id)
    seen = player_view(table.state, seats, seat, free) if seat else view(table.state)
    last = last_decision(table, _played(table, user.id), free)
    finished = round_number if table.is_between_rounds else round_number - 1
    answer = await while_connected(
        request, service.computing.advise(user.id, coached, table.sheet.content, seen, seat, last)
    )
    session = await service.coach_sessions.of(table_id, user.id, finished)
    marked = {part: _marked(answer[part], table.sheet) for part in ("late", "wagers")}
    return CoachAnswer.model_validate(
        {
            **answer,
            **marked,
            "number": number,
            "round": round_number,
            "seat": seat or None,
            "session": _session(session),
        }
    )


@router.get("/{table_id}/rounds/{number}/review", responses=refusals(404))
async def review_round(
    table_id: str,
    number: Annotated[int, Path(ge=1, le=2**31 - 1)],
    request: Request,
    service: Service,
    user: SignedIn,
) -> RoundReview:
    """Return what each of your decisions in a finished round cost, and how much of the result was luck."""
    service.rates.take(user.id, _WORK)
    row = await service.reader.round(table_id, number) if is_table_id(table_id) else None
    if row is None:
        raise NotFound(f"table {shortly(table_id)} has no finished round {number}")
    record = round_record(row, await service.reader.sheets({row["sheet"]}), user.id)
    if not own_seats(record):
        raise NotFound(f"you did not play in round {number} of this table")
    found = await while_connected(request, service.computing.advise(user.id, reviewed_round, record))
    return RoundReview.model_validate({**found, "table": table_id, "number": number})


def _marked(wagers: list[dict[str, object]], sheet: RuleSheet) -> list[dict[str, object]]:
    """Return wagers with whether their pay tables are printed."""
    house = {wager.name for wager in sheet.tables.wagers if not wager.printed}
    return [{**wager, "printed": wager["wager"] not in house} for wager in wagers]


async def _free(table_id: str, table: FoldedTable, service: Service, user: str) -> Money:
    """Return a user's free money or chips now; while a finished round is on the table, what it was after that round."""
    played = _played(table, user)
    if played and table.state.phase == "done":
        row = await service.reader.round(table_id, table.rounds)
        if row is not None and str(played[0]) in row["balances"]:
            return Money.cents(row["balances"][str(played[0])])
    return Money.cents(await service.reader.balance(account_at(table_id, table.opened, user)))


def _played(table: FoldedTable, user: str) -> tuple[int, ...]:
    """Return the seats that a user plays in this round, even those left since."""
    return tuple(seat.number for seat in table.state.seats if table.player_of(seat.number) == user)


def _seat(table: FoldedTable, seats: tuple[int, ...]) -> int:
    """Return the seat that advice is for: the one asked, else one that may place wagers, else the first; 0: none."""
    asked = table.state.asked
    if asked is not None and asked.number in seats:
        return asked.number
    playing = {one.number for one in table.state.seats}
    placing = [seat for seat in seats if seat in playing and view(table.state, seat).offered]
    return next(iter(placing or seats), 0)


def _session(session: CoachSession) -> dict[str, object]:
    sums = session.tally
    return {
        **{name: getattr(sums, name) for name in CoachedSession.model_fields if hasattr(sums, name)},
        "hands_per_hour": session.hands_per_hour,
        "left": session.left,
    }

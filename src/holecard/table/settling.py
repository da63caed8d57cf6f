"""Settling hands and wagers: reads the settlement tables and writes results."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from holecard.deck import VALUES, Card, value_name
from holecard.money import NO_MONEY, Money, net_win
from holecard.sheets.tables import SettlementCell, Tables, dealer_class, finished_hand
from holecard.table.events import Result
from holecard.table.round import Round
from holecard.table.state import Seat, SideStake, player_class
from holecard.wagers.dealer_hands import Finished
from holecard.wagers.pay_table import Line, SideWager


def pay_row(tables: Tables, seat: Seat, index: int, row: Sequence[SettlementCell]) -> list[Result]:
    """Return the results of every stake on a hand, by one cell for each kind of stake."""
    return [
        _result(tables, seat, index, kind, stake, row[kind])
        for kind, stake in enumerate(seat.hands[index].stakes)
        if stake
    ]


def pay_hand(tables: Tables, seat: Seat, index: int, dealer: int) -> list[Result]:
    """Return the results of a hand against the dealer's class."""
    hand = seat.hands[index]
    player, settlement = player_class(tables, hand), tables.settlement
    return [
        _result(tables, seat, index, kind, stake, settlement[kind][player][dealer])
        for kind, stake in enumerate(hand.stakes)
        if stake
    ]


def _result(tables: Tables, seat: Seat, index: int, kind: int, stake: Money, cell: SettlementCell) -> Result:
    net = net_win(stake, cell.net, tables.rounding)
    return Result(seat.number, index + 1, tables.stakes[kind], stake, net, cell.why)


def cards_seen(round_: Round, seat: Seat) -> tuple[Card, ...]:
    """Return the cards a side wager may look at now: the first two, the upcard, and the hole card once it is seen."""
    hole = round_.dealer[1:2] if round_.hole_seen else ()
    return (*seat.first_two, round_.dealer[0], *hole)


def settle_decided(round_: Round, index: int) -> None:
    """Settle the wagers of a seat that the cards seen so far decide, and collect the tax."""
    tables, seat = round_.tables, round_.seats[index]
    seen = cards_seen(round_, seat)
    sides: list[SideStake] = []
    for side in seat.sides:
        wager = tables.wagers[side.wager]
        if due := wager.tax_due(seen):
            amount = due.pays.net(0, tables.rounding)
            round_.pay([Result(seat.number, 0, f"{wager.name} tax", amount, -amount, f"tax on {due.name}")])
        if not wager.settled_at_end and not wager.is_pending(seen):
            round_.pay([side_result(tables, seat, side, wager.decided_line(seen), _missed(wager, seen))])
            side = side._replace(open=False)
        sides.append(side)
    round_.seats[index] = seat._replace(sides=tuple(sides))


def side_result(tables: Tables, seat: Seat, side: SideStake, line: Line | None, missed: str) -> Result:
    """Return the result of a side wager, paid by its line or lost for what it `missed`; a token is never lost."""
    wager = tables.wagers[side.wager]
    if line is not None:
        net, why = line.pays.net(side.stake, tables.rounding), str(line)
    elif wager.token:
        net, why = NO_MONEY, f"{missed}: the player keeps the token"
    else:
        net, why = -side.stake, f"{missed}: loses"
    return Result(seat.number, 0, wager.name, side.stake, net, why)


def _missed(wager: SideWager, seen: tuple[Card, ...], dealer: Finished | None = None) -> str:
    """Return why no line pays: the upcard, the first cards, or at the end the dealer's hand."""
    upcard = VALUES[seen[2]]
    if upcard not in wager.upcards:
        return f"{value_name(upcard)} up"
    return str(dealer) if dealer and wager.live_lines(seen) else "nothing on the pay table"


def insurance_result(tables: Tables, seat: Seat, dealers_natural: bool) -> Result:
    """Return the result of a seat's insurance."""
    assert tables.insurance is not None
    if dealers_natural:
        net = net_win(seat.insurance, tables.insurance, tables.rounding)
        return Result(
            seat.number, 0, "Insurance", seat.insurance, net, f"dealer's natural: pays {tables.sheet.insurance.pays}"
        )
    return Result(seat.number, 0, "Insurance", seat.insurance, -seat.insurance, "no dealer's natural: loses")


def settle_all(round_: Round) -> None:
    """Settle everything against the finished dealer's hand: main wagers and insurance, then open side wagers."""
    tables = round_.tables
    dealer = finished_hand(round_.dealer, round_.dealer_total)
    column = dealer_class(dealer)
    for seat in round_.seats:
        for index, hand in enumerate(seat.hands):
            if hand.status != "settled":
                round_.pay(pay_hand(tables, seat, index, column))
        if seat.insurance:
            round_.pay([insurance_result(tables, seat, dealer.natural)])
    for seat in round_.seats:
        if seat.sides:
            _settle_sides(round_, seat, dealer)
    _close(round_)


def _settle_sides(round_: Round, seat: Seat, dealer: Finished) -> None:
    tables, seen = round_.tables, (*seat.first_two, *round_.dealer[:2])
    for side in seat.sides:
        if side.open:
            wager = tables.wagers[side.wager]
            line, missed = wager.final_line(seen, dealer), _missed(wager, seen, dealer)
            round_.pay([side_result(tables, seat, side, line, missed)])


def refund(round_: Round) -> None:
    """Return every open stake after a misdeal."""
    for seat in round_.seats:
        round_.pay(list(_refunds(round_.tables, seat, "misdeal: handed back")))
    round_.hole_seen = len(round_.dealer) > 1
    _close(round_)


def _refunds(tables: Tables, seat: Seat, why: str) -> Iterator[Result]:
    for index, hand in enumerate(seat.hands):
        for kind, stake in enumerate(hand.stakes):
            if stake and hand.status != "settled":
                yield Result(seat.number, index + 1, tables.stakes[kind], stake, NO_MONEY, why)
    if seat.insurance:
        yield Result(seat.number, 0, "Insurance", seat.insurance, NO_MONEY, why)
    for side in seat.sides:
        if side.open:
            yield Result(seat.number, 0, tables.wagers[side.wager].name, side.stake, NO_MONEY, why)


def _close(round_: Round) -> None:
    """End the round: nothing is open any more."""
    round_.phase, round_.queue, round_.options = "done", (), ()
    round_.turn, round_.hand = 0, 0
    round_.seats = [_closed(seat) for seat in round_.seats]


def _closed(seat: Seat) -> Seat:
    hands = tuple([hand if hand.status == "settled" else hand.with_status("settled") for hand in seat.hands])
    sides = tuple([SideStake(side.wager, side.stake, False) for side in seat.sides]) if seat.sides else ()
    return Seat(seat.number, hands, sides, NO_MONEY, seat.first_two)


def opening_stakes(tables: Tables, main: Money) -> tuple[Money, ...]:
    """Return the stakes of a new hand by kind: the bet, its companion where there is one, and nothing else."""
    return (main, main if tables.has_companion else NO_MONEY, NO_MONEY, NO_MONEY, NO_MONEY)

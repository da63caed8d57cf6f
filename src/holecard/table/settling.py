"""Money at the end of a hand or a wager: reads the settlement tables, writes results."""

from __future__ import annotations

from holecard.cards import Card
from holecard.money import net_win
from holecard.rules.tables import BET, COMPANION, Cell, Row, Tables, dealer_class, finished
from holecard.table.events import Result
from holecard.table.state import Seat, SideStake, State, player_class
from holecard.wagers.dealer_hands import Finished
from holecard.wagers.pay_table import Line


def pay_row(tables: Tables, seat: Seat, index: int, row: Row) -> list[Result]:
    """Results of every stake on a hand, by one cell per kind of stake."""
    return [
        _result(tables, seat, index, kind, row[kind]) for kind, stake in enumerate(seat.hands[index].stakes) if stake
    ]


def pay_hand(tables: Tables, seat: Seat, index: int, dealer: int) -> list[Result]:
    """Results of a hand against the dealer's class."""
    hand = seat.hands[index]
    player = player_class(tables, hand)
    return [
        _result(tables, seat, index, kind, tables.settlement[kind][player][dealer])
        for kind, stake in enumerate(hand.stakes)
        if stake
    ]


def _result(tables: Tables, seat: Seat, index: int, kind: int, cell: Cell) -> Result:
    stake = seat.hands[index].stakes[kind]
    net = net_win(stake, cell.net, tables.rounding)
    return Result(seat.number, index + 1, tables.stakes[kind], stake, net, cell.why)


def cards_seen(state: State, seat: Seat) -> tuple[Card, ...]:
    """What a side wager may look at now: the first two, the upcard, and the hole card once it is seen."""
    hole = state.dealer[1:2] if state.hole_seen else ()
    return (*seat.first_two, state.dealer[0], *hole)


def settle_decided(state: State, seat: Seat) -> tuple[Seat, list[Result]]:
    """The seat's wagers that the cards seen so far decide, tax included."""
    tables, seen = state.tables, cards_seen(state, seat)
    sides: list[SideStake] = []
    results: list[Result] = []
    for side in seat.sides:
        wager = tables.wagers[side.wager]
        if wager.tax and side.open and (due := wager.tax_due(seen)):
            amount = due.pays.net(0, tables.rounding)
            results.append(Result(seat.number, 0, f"{wager.name} tax", amount, -amount, f"tax on {due.name}"))
        if side.open and not wager.settled_at_end and not wager.waits(seen):
            results.append(side_result(tables, seat, side, wager.line(seen)))
            side = side._replace(open=False)
        sides.append(side)
    return seat._replace(sides=tuple(sides)), results


def side_result(tables: Tables, seat: Seat, side: SideStake, line: Line | None) -> Result:
    """A side wager paid by its line, or lost; a token is never lost."""
    wager = tables.wagers[side.wager]
    if line is not None:
        net, why = line.pays.net(side.stake, tables.rounding), str(line)
    elif wager.token:
        net, why = 0, "no line: the token stays the player's"
    else:
        net, why = -side.stake, "no line: loses"
    return Result(seat.number, 0, wager.name, side.stake, net, why)


def insurance_result(tables: Tables, seat: Seat, dealers_natural: bool) -> Result:
    """Insurance won or lost."""
    assert tables.insurance is not None
    if dealers_natural:
        net = net_win(seat.insurance, tables.insurance, tables.rounding)
        return Result(seat.number, 0, "Insurance", seat.insurance, net, f"dealer's natural pays {_odds(tables)}")
    return Result(seat.number, 0, "Insurance", seat.insurance, -seat.insurance, "no dealer's natural: loses")


def _odds(tables: Tables) -> str:
    return tables.sheet.insurance.pays


def settle_all(state: State) -> State:
    """The dealer's hand is finished: everything still open is paid or taken."""
    hand = finished(state.dealer, state.dealer_total)
    results: list[Result] = []
    for seat in state.seats:
        results += _settle_seat(state, seat, hand)
    return _over(state, results)


def _settle_seat(state: State, seat: Seat, dealer: Finished) -> list[Result]:
    tables, column = state.tables, dealer_class(dealer)
    results: list[Result] = []
    for index, hand in enumerate(seat.hands):
        if hand.status != "settled":
            results += pay_hand(tables, seat, index, column)
    if seat.insurance:
        results.append(insurance_result(tables, seat, dealer.natural))
    seen = (*seat.first_two, *state.dealer[:2])
    for side in seat.sides:
        if side.open:
            results.append(side_result(tables, seat, side, tables.wagers[side.wager].final(seen, dealer)))
    return results


def _over(state: State, results: list[Result]) -> State:
    """The round is done: nothing is open any more."""
    return state._replace(
        phase="done",
        seats=tuple(_closed(seat) for seat in state.seats),
        queue=(),
        options=(),
        results=(*state.results, *results),
        events=(*state.events, *results),
    )


def _closed(seat: Seat) -> Seat:
    hands = tuple(hand if hand.status == "settled" else hand._replace(status="settled") for hand in seat.hands)
    sides = tuple(side._replace(open=False) for side in seat.sides)
    return Seat(seat.number, hands, sides, 0, seat.first_two)


def hand_back(state: State) -> State:
    """A misdeal: every open stake is returned."""
    tables, why = state.tables, "misdeal: handed back"
    results: list[Result] = []
    for seat in state.seats:
        for index, hand in enumerate(seat.hands):
            if hand.status != "settled":
                results.extend(
                    Result(seat.number, index + 1, tables.stakes[kind], stake, 0, why)
                    for kind, stake in enumerate(hand.stakes)
                    if stake
                )
        if seat.insurance:
            results.append(Result(seat.number, 0, "Insurance", seat.insurance, 0, why))
        results.extend(
            Result(seat.number, 0, tables.wagers[side.wager].name, side.stake, 0, why)
            for side in seat.sides
            if side.open
        )
    return _over(state._replace(hole_seen=True), results)


def opening_stakes(tables: Tables, main: int) -> tuple[int, ...]:
    """The stakes of a hand that has just been bet on."""
    stakes = [0] * len(tables.stakes)
    stakes[BET] = main
    if tables.has_companion:
        stakes[COMPANION] = main
    return tuple(stakes)

"""What the options and wagers mean at this table, in words made from its tables."""

from __future__ import annotations

from collections.abc import Iterator

from holecard.cli.play.table_view import say_hand
from holecard.deck import value_name
from holecard.money import dollars, net_win, signed
from holecard.odds import spell
from holecard.sheets.tables import BET, DOUBLE_UP, SettlementRow, Tables
from holecard.table.events import Action, Choice
from holecard.table.table import Table
from holecard.table.views import HandView, SeatView, counted
from holecard.wagers.pay_table import EVERY_UPCARD, HOUSE_TABLE, Limits, Line, SideWager

_DOLLAR = 100


def asked_hand(table: Table) -> tuple[SeatView, HandView]:
    """The seat that is asked and its hand, as that seat sees them."""
    view = table.view(table.asked or 0)
    seat = next(seat for seat in view.seats if seat.number == view.asked)
    return seat, seat.hands[(view.hand or 1) - 1]


def explain(table: Table, choice: Choice) -> str:
    """What a legal choice does to the hand that is asked."""
    tables = table.tables
    seat, hand = asked_hand(table)
    total, _ = counted(hand.cards)
    more = dollars(sum(stake for _, stake in hand.stakes))
    match choice.action:
        case Action.HIT:
            return "one more card"
        case Action.STAND:
            return _stand(tables, seat, hand)
        case Action.DOUBLE:
            added = more if choice.low is None else f"{dollars(choice.low)} to {dollars(choice.high or 0)}"
            return f"add {added}, get one card, then stand"
        case Action.SPLIT:
            return f"two hands, {more} on the second{_split_aces(tables, hand)}"
        case Action.DOUBLE_UP:
            return f"add {more}, no card, then stand; {_double_up(tables, total)}"
        case Action.QUICK_PAY:
            return _paid(tables, hand, tables.quick_pay[total] or ())
        case Action.SURRENDER:
            return _paid(tables, hand, tables.surrender)
        case Action.INSURANCE:
            assert tables.insurance is not None
            return f"a wager on a dealer's natural; pays {spell(tables.insurance)}"
        case Action.NO_INSURANCE | Action.NO_SURRENDER:
            return "play on without it"


def _stand(tables: Tables, seat: SeatView, hand: HandView) -> str:
    total, _ = counted(hand.cards)
    ruled = "; ".join(reason for _, reason in _ruled(tables, BET, total))
    return f"keep {say_hand(seat, hand)}" + (f" ({ruled})" if ruled else "")


def _split_aces(tables: Tables, hand: HandView) -> str:
    first = hand.cards[0]
    one_card = first is not None and first.value == 1 and not tables.split_aces_play_on
    return ", one card each" if one_card else ""


def _double_up(tables: Tables, total: int) -> str:
    """How the added wager fares where it differs: ties, and dealer totals with a rule of their own."""
    cells = tables.settlement[DOUBLE_UP][total]
    tie = [cells[total].why] if total >= 17 else []
    return "; ".join([*tie, *(why for dealer, why in _ruled(tables, DOUBLE_UP, total) if dealer != total)])


def _ruled(tables: Tables, kind: int, total: int) -> Iterator[tuple[int, str]]:
    for dealer in map(int, tables.sheet.settle.when_dealer_has):
        yield dealer, tables.settlement[kind][total][dealer].why


def _paid(tables: Tables, hand: HandView, row: SettlementRow) -> str:
    """Each stake on the hand by its cell: "Bet +$5 (Quick Pay on 19: pays 1 to 2)"."""
    parts = []
    for name, stake in hand.stakes:
        cell = row[tables.stakes.index(name)]
        parts.append(f"{name} {signed(net_win(stake, cell.net, tables.rounding))} ({cell.why})")
    return ", ".join(parts)


# Wagers


def say_limits(limits: Limits, most: int | None = None) -> str:
    """ "$5 to $500", with the step where it is not a dollar."""
    high = limits.high if most is None else min(limits.high, most)
    if limits.low >= high:
        return dollars(limits.low)
    step = f" in steps of {dollars(limits.step)}" if limits.step != _DOLLAR else ""
    return f"{dollars(limits.low)} to {dollars(high)}{step}"


def say_odds(wager: SideWager, upcard: int) -> str:
    """What a wager on the dealer's hand pays with this upcard."""
    return ", ".join(str(line.pays) for line in wager.lines if upcard in line.upcards)


def placard(wager: SideWager) -> str:
    """A side wager with its limits and pay table, in one paragraph."""
    after = "at any time until the hole card is turned" if wager.until_turned else "before anybody acts"
    when = f"after the check, {after}" if wager.after_check else "before the deal"
    most = ", at most the main wager" if wager.at_most_main else ""
    needs = f", only with {wager.needs}" if wager.needs else ""
    token = ", a token that stays yours" if wager.token else ""
    house = f" ({HOUSE_TABLE})" if not wager.printed else ""
    tax = f" Tax: {'; '.join(f'{line.name} {line.pays}' for line in wager.tax)}." if wager.tax else ""
    terms = f"{say_limits(wager.limits)}{most}{needs}{token}, {when}"
    return f"{wager.name}: {terms}. Pay table: {_lines(wager.lines)}{house}.{tax}"


def _lines(lines: tuple[Line, ...]) -> str:
    if all(line.upcards == EVERY_UPCARD for line in lines):
        return "; ".join(map(str, lines))
    by_upcard = ", ".join(f"{value_name(min(line.upcards))} up {line.pays}" for line in lines)
    return f"{lines[0].name.rpartition(' with ')[0]}: {by_upcard}"

"""Explanations of a table, its actions and its wagers, written from the tables of its rule sheet."""

from __future__ import annotations

from collections.abc import Iterator

from rich.text import Text

from holecard.cli.play.screen.hands import format_hand
from holecard.cli.play.screen.table_view import WARNING, TableView, format_practice
from holecard.deck import value_name
from holecard.errors import plural
from holecard.money import Money, dollars, net_win, signed_dollars
from holecard.odds import spell
from holecard.sheets.descriptions.describe import describe
from holecard.sheets.tables import BET, DOUBLE_UP, SettlementRow, Tables
from holecard.table.events import Action, Choice
from holecard.table.table import Table
from holecard.table.views import HandView, SeatView, counted
from holecard.wagers.pay_table import EVERY_UPCARD, HOUSE_TABLE, Limits, Line, SideWager, format_upcards

_DOLLAR = 100


def asked_hand(table: Table) -> tuple[SeatView, HandView]:
    """Return the seat whose turn it is and its hand, as that seat sees them."""
    view = table.view(table.asked or 0)
    seat = next(seat for seat in view.seats if seat.number == view.asked)
    return seat, seat.hands[(view.hand or 1) - 1]


def explain(table: Table, choice: Choice) -> str:
    """Return what a legal choice does to the hand whose turn it is."""
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
            return f"a wager that the dealer has blackjack (a natural); pays {spell(tables.insurance)}"
        case Action.NO_INSURANCE | Action.NO_SURRENDER:
            return "continue without it"


def _stand(tables: Tables, seat: SeatView, hand: HandView) -> str:
    total, _ = counted(hand.cards)
    ruled = "; ".join(reason for _, reason in _ruled(tables, BET, total))
    return f"keep {format_hand(seat, hand)}" + (f" ({ruled})" if ruled else "")


def _split_aces(tables: Tables, hand: HandView) -> str:
    first = hand.cards[0]
    one_card = first is not None and first.value == 1 and not tables.split_aces_play_on
    return ", one card each" if one_card else ""


def _double_up(tables: Tables, total: int) -> str:
    """Return how the added wager is settled where that differs: ties, and dealer totals with a special rule."""
    cells = tables.settlement[DOUBLE_UP][total]
    tie = [cells[total].why] if total >= 17 else []
    return "; ".join([*tie, *(why for dealer, why in _ruled(tables, DOUBLE_UP, total) if dealer != total)])


def _ruled(tables: Tables, kind: int, total: int) -> Iterator[tuple[int, str]]:
    for dealer in map(int, tables.sheet.settle.when_dealer_has):
        yield dealer, tables.settlement[kind][total][dealer].why


def _paid(tables: Tables, hand: HandView, row: SettlementRow) -> str:
    """Return what each stake on the hand gets: "Bet +$5 (Quick Pay on 19: pays 1 to 2)"."""
    parts = []
    for name, stake in hand.stakes:
        cell = row[tables.stakes.index(name)]
        parts.append(f"{name} {signed_dollars(net_win(stake, cell.net, tables.rounding))} ({cell.why})")
    return ", ".join(parts)


# Wagers


def format_limits(limits: Limits, most: Money | None = None) -> str:
    """Return the limits as "$5 to $500", with the step if it is not a dollar."""
    high = limits.high if most is None else min(limits.high, most)
    if limits.low >= high:
        return dollars(limits.low)
    step = f" in steps of {dollars(limits.step)}" if limits.step != _DOLLAR else ""
    return f"{dollars(limits.low)} to {dollars(high)}{step}"


def format_odds(wager: SideWager, upcard: int) -> str:
    """Return what a wager on the dealer's hand pays with this upcard."""
    return ", ".join(str(line.pays) for line in wager.lines if upcard in line.upcards)


def placard(wager: SideWager) -> str:
    """Return a side wager with its limits and pay table, as one paragraph."""
    after = "at any time until the hole card is turned" if wager.until_turned else "before the first decision"
    when = f"after the check, {after}" if wager.after_check else "before the deal"
    most = ", at most the main wager" if wager.at_most_main else ""
    needs = f", only with {wager.needs}" if wager.needs else ""
    terms = f"{format_limits(wager.limits)}{most}{needs}{format_conditions(wager)}, {when}"
    return f"{wager.name}: {terms}. Pay table: {_lines(wager.lines)}.{_tax(wager)}"


def format_conditions(wager: SideWager) -> str:
    """Return what else decides about a wager's money: its token, the upcards that win, and a house table."""
    token = ", a token that you keep" if wager.token else ""
    house = "" if wager.printed else f", {HOUSE_TABLE}"
    return f"{token}{_only_with(wager)}{house}"


def _only_with(wager: SideWager) -> str:
    if wager.winning_upcards == EVERY_UPCARD:
        return ""
    named = format_upcards(wager.winning_upcards) or "no upcard"
    return f", {'offered' if wager.after_check else 'wins'} only with {named} up"


def _tax(wager: SideWager) -> str:
    if not wager.tax:
        return ""
    upcards = f" with {format_upcards(wager.tax_upcards)} up" if wager.tax_upcards != EVERY_UPCARD else ""
    return f" Tax{upcards}: {'; '.join(f'{line.name} {line.pays}' for line in wager.tax)}."


def _lines(lines: tuple[Line, ...]) -> str:
    hands = {(line.hand, line.dealer) for line in lines}
    if len(hands) > 1 or all(line.upcards == EVERY_UPCARD for line in lines):
        return "; ".join(map(str, lines))
    by_upcard = ", ".join(f"{value_name(min(line.upcards))} up {line.pays}" for line in lines)
    return f"{lines[0].name.rpartition(' with ')[0]}: {by_upcard}"


# The table


def introduce(view: TableView, table: Table) -> None:
    """Print the game, its changed settings, and where the cards come from."""
    sheet = table.rules
    view.rule(sheet.name)
    if sheet.about:
        view.say(sheet.about)
    if settings := sheet.origin[1]:
        view.say("With " + ", ".join(f"{key} = {value}" for key, value in settings.items()) + ".")
    offered = sheet.shoe.decks_offered
    if offered and sheet.shoe.decks not in offered:
        view.say(f"The printed sheet does not offer {plural(sheet.shoe.decks, 'deck')}.", WARNING)
    if warning := format_practice(table):
        view.say(f"{warning[0].upper()}{warning[1:]}.", WARNING)
    else:
        view.say("The cards come from the operating system's random generator.", "dim")


def wager_lines(view: TableView, table: Table) -> list[Text]:
    """Return who wins, and the limits and pay table of every side wager."""
    texts = [
        Text.assemble((f"{section.title}: ", "bold"), " ".join(section.sentences))
        for section in describe(table.rules).sections[-1:]
    ]
    for wager in table.tables.wagers:
        texts.append(Text.assemble((wager.name, "bold"), placard(wager).removeprefix(wager.name)))
    return [line for text in texts for line in view.wrap(text)]

"""Find combinations of a side wager's settings that cannot be dealt, with those of the game around it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial

from holecard.errors import Refusal, did_you_mean
from holecard.money import money
from holecard.sheets.checks.unknown_settings import Contradiction, UnknownSettings
from holecard.sheets.compile import CARDS_LOOKED_AT, table_in_force
from holecard.sheets.fields import upcards
from holecard.sheets.files.toml_lines import KeyPath
from holecard.sheets.schema import RuleSheet
from holecard.sheets.wager_schema import BY_DECKS, BY_DECKS_AND_SOFT_17, SOFT_17, PayLine, Wager
from holecard.wagers.dealer_hands import dealer_hand
from holecard.wagers.named_hands import named_hand
from holecard.wagers.pay_table import format_upcards

#: Values of `hole_card` with which a dealer's natural can be found after the players have acted.
NOT_ALWAYS_CHECKED = ("no peek", "none", "peek under aces")


def wager_contradictions(sheet: RuleSheet, unknown: UnknownSettings) -> Iterator[Contradiction]:
    """Yield everything in the side wagers that cannot be dealt and does not depend on unknown settings."""
    for index, wager in enumerate(sheet.wager):
        for check, keys in _CHECKS:
            if not unknown.among(keys, index):
                yield from check(sheet, wager, ("wager", index))


def wrong_limits(path: KeyPath, low: str, high: str, step: str) -> Iterator[Contradiction]:
    """Refuse limits and steps that no stake can meet."""
    too_small = [key for key, amount in (("min", low), ("step", step)) if money(amount) < 1]
    if too_small:
        yield from (((*path, key), "limits and steps must be at least one cent") for key in too_small)
    elif money(high) < money(low):
        yield (*path, "max"), f"the largest wager, {high}, is less than the smallest, {low}"
    elif (money(high) - money(low)) % money(step):
        yield (*path, "step"), f"steps of {step} from {low} do not reach {high}"


def _limits(_sheet: RuleSheet, wager: Wager, path: KeyPath) -> Iterator[Contradiction]:
    return wrong_limits(path, wager.min, wager.max, wager.step)


def _needed(sheet: RuleSheet, wager: Wager, path: KeyPath) -> Iterator[Contradiction]:
    others = {other.name: other for other in sheet.wager if other is not wager}
    if wager.needs and wager.needs not in others:
        hint = did_you_mean(wager.needs, others) or "this game has no other side wager"
        yield (*path, "needs"), f"there is no other side wager named {wager.needs!r}; {hint}"


def _needed_in_time(sheet: RuleSheet, wager: Wager, path: KeyPath) -> Iterator[Contradiction]:
    other = next((other for other in sheet.wager if other is not wager and other.name == wager.needs), wager)
    if other.placed != wager.placed:
        yield (*path, "needs"), f"{wager.needs!r} is placed at another time; give both the same `placed`"


def _four_cards(sheet: RuleSheet, wager: Wager, path: KeyPath) -> Iterator[Contradiction]:
    if wager.on == "all four cards" and sheet.dealer.hole_card == "none":
        yield (*path, "on"), "this dealer has no second card when the players act; write on = 'two cards and upcard'"


def _after_the_check(sheet: RuleSheet, wager: Wager, path: KeyPath) -> Iterator[Contradiction]:
    hole = sheet.dealer.hole_card
    if wager.placed == "before the deal":
        return
    if wager.placed == "until the hole card is turned" and hole in ("face up", "none"):
        second = "is dealt face up" if hole == "face up" else "is dealt after the players have acted"
        why = f"this dealer's second card {second}, so that there is no hole card to turn"
        yield (*path, "placed"), f"{why}; write dealer.hole_card = 'peek'"
    elif hole == "face up":
        yield (
            (*path, "placed"),
            "both dealer cards are visible by then, so that players could bet on a sure win; "
            "write placed = 'before the deal'",
        )
    elif hole in NOT_ALWAYS_CHECKED:
        yield (
            (*path, "placed"),
            "this dealer does not always check for a natural; "
            "write dealer.hole_card = 'peek' or placed = 'before the deal'",
        )


def _after_surrender(sheet: RuleSheet, wager: Wager, path: KeyPath) -> Iterator[Contradiction]:
    if wager.placed != "before the deal" and sheet.player.surrender == "early":
        yield (
            (*path, "placed"),
            "a hand that is surrendered early is over before the check; write player.surrender = 'late'",
        )


def _visible_hands(_sheet: RuleSheet, wager: Wager, path: KeyPath) -> Iterator[Contradiction]:
    if wager.placed != "before the deal" and not all(line.dealer for line in _every_line(wager)):
        yield (
            (*path, "placed"),
            "the cards that a `hand` looks at are visible by then; every line needs a `dealer` hand",
        )


def _tokens(_sheet: RuleSheet, wager: Wager, path: KeyPath) -> Iterator[Contradiction]:
    if wager.stake == "token" and wager.placed != "before the deal":
        yield (*path, "stake"), "a token must be placed before the deal"
    if wager.tax and wager.stake != "token":
        yield (*path, "tax"), "only a token can have a tax; write stake = 'token'"


def _every_line(wager: Wager) -> list[PayLine]:
    return [line for lines in (wager.lines, *wager.tables.values()) for line in lines]


def _pay_tables(_sheet: RuleSheet, wager: Wager, path: KeyPath) -> Iterator[Contradiction]:
    if bool(wager.lines) == bool(wager.tables):
        yield (*path, "lines"), "write either one pay table as `lines` or several as `tables`"
        return
    if wager.table and not wager.tables:
        yield (*path, "table"), "there is only one pay table; remove this key"
    elif wager.tables and wager.table not in (*wager.tables, BY_DECKS, BY_DECKS_AND_SOFT_17):
        yield (*path, "table"), f"there is no table named {wager.table!r}; {did_you_mean(wager.table, wager.tables)}"


def _table_by_rules(sheet: RuleSheet, wager: Wager, path: KeyPath) -> Iterator[Contradiction]:
    chosen_by_rules = wager.tables and not wager.lines and wager.table in (BY_DECKS, BY_DECKS_AND_SOFT_17)
    if not chosen_by_rules or table_in_force(wager, sheet) in wager.tables:
        return
    made = dict.fromkeys(name.partition(" ")[0] for name in wager.tables)
    by_soft_17 = f" with {SOFT_17[sheet.dealer.soft_17]}" if str(sheet.shoe.decks) in made else ""
    yield (
        (*path, "tables"),
        f"{wager.name} has pay tables for {', '.join(made)} decks, but not for {sheet.shoe.decks}{by_soft_17}; "
        f"change the number of decks, add a table, or choose one of them, such as table = "
        f"'{next(iter(wager.tables))}'",
    )


def _phrases(_sheet: RuleSheet, wager: Wager, path: KeyPath) -> Iterator[Contradiction]:
    yield from _lines(wager, wager.lines, (*path, "lines"))
    for name, lines in wager.tables.items():
        if not lines:
            yield (*path, "tables", name), "a pay table needs at least one line"
        yield from _lines(wager, lines, (*path, "tables", name))
    for number, due in enumerate(wager.tax):
        yield from _readable(partial(named_hand, due.hand, 2), (*path, "tax", number, "hand"))


def _lines(wager: Wager, lines: tuple[PayLine, ...], path: KeyPath) -> Iterator[Contradiction]:
    titles: set[str] = set()
    for number, line in enumerate(lines):
        yield from _line(wager, line, (*path, number))
        if line.title in titles:
            yield (*path, number), f"two lines have the name {line.title!r}; give one of them another `name`"
        titles.add(line.title)


def _line(wager: Wager, line: PayLine, path: KeyPath) -> Iterator[Contradiction]:
    if line.hand is None and line.dealer is None:
        yield path, "a line needs a `hand`, a `dealer` hand or both"
    if line.hand is not None:
        yield from _readable(partial(named_hand, line.hand, CARDS_LOOKED_AT[wager.on]), (*path, "hand"))
    if line.dealer is not None:
        yield from _readable(partial(dealer_hand, line.dealer), (*path, "dealer"))
    if isinstance(line.pays, dict):
        yield from _odds_by_upcard(line.pays, (*path, "pays"))


def _odds_by_upcard(pays: Mapping[str, str], path: KeyPath) -> Iterator[Contradiction]:
    if not pays:
        yield path, "write odds for at least one upcard"
    seen: frozenset[int] = frozenset()
    for key in pays:
        problems = list(_readable(partial(upcards, key), (*path, key)))
        yield from problems
        if problems:
            continue
        if again := seen & upcards(key):
            yield (*path, key), f"there are two odds for {format_upcards(again)}; remove one of them"
        seen |= upcards(key)


def _readable(read: Callable[[], object], path: KeyPath) -> Iterator[Contradiction]:
    try:
        read()
    except Refusal as refusal:
        yield path, str(refusal)


#: The checks, and the settings that each depends on besides those that it refuses; ".name" is one of the same wager.
_CHECKS: tuple[tuple[Callable[[RuleSheet, Wager, KeyPath], Iterator[Contradiction]], tuple[str, ...]], ...] = (
    (_limits, (".min", ".max", ".step")),
    (_needed, ("wager.name",)),
    (_needed_in_time, ("wager.name", "wager.placed")),
    (_four_cards, ("dealer.hole_card",)),
    (_after_the_check, ("dealer.hole_card",)),
    (_after_surrender, ("player.surrender",)),
    (_visible_hands, ("wager.lines", "wager.tables")),
    (_tokens, (".stake", ".placed")),
    (_pay_tables, (".lines", ".tables")),
    (_table_by_rules, (".name", ".lines", ".tables", ".table", "shoe.decks", "dealer.soft_17")),
    (_phrases, (".on",)),
)

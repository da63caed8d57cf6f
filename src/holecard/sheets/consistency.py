"""Combinations no table could deal, each with its reason. Run after every word has been checked by itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from holecard.errors import Refusal, did_you_mean
from holecard.money import cents
from holecard.sheets.compile import LOOKS_AT
from holecard.sheets.schema import RuleSheet
from holecard.sheets.tables import ADDED_STAKES
from holecard.sheets.wager_schema import PayLine, Wager
from holecard.sheets.words import upcards
from holecard.wagers.dealer_hands import dealer_hand
from holecard.wagers.named_hands import named_hand

Path = tuple[str | int, ...]
Contradiction = tuple[Path, str]


def contradictions(sheet: RuleSheet) -> list[Contradiction]:
    """Everything in the sheet that cannot be dealt."""
    return [*_main_game(sheet), *_limits(sheet), *_wagers(sheet)]


def _main_game(sheet: RuleSheet) -> Iterator[Contradiction]:
    hole, player = sheet.dealer.hole_card, sheet.player
    if hole == "face up" and sheet.insurance.pays != "none":
        yield ("insurance", "pays"), "insurance makes no sense when the hole card is face up; say pays = 'none'"
    if player.surrender == "late" and hole in ("no peek", "none"):
        yield (
            ("player", "surrender"),
            (
                "late surrender comes after the dealer has checked for a natural, and this dealer does not check; "
                "say surrender = 'early' or dealer.hole_card = 'peek'"
            ),
        )
    if player.surrender == "early" and hole == "face up":
        yield ("player", "surrender"), "a face-up hole card leaves nothing to surrender early for; say 'late'"
    possible = {*sheet.dealer.ends_on, *range(17, 23)}
    for total in sheet.settle.when_dealer_has:
        if int(total) not in possible:
            yield (
                ("settle", "when_dealer_has", total),
                (
                    f"the dealer's hand never ends on {total}; it can end on "
                    f"{', '.join(map(str, sorted(possible)))}, or on what dealer.ends_on names"
                ),
            )
    if player.quick_pay and player.charlie == 2:
        yield ("player", "charlie"), "a charlie of two cards leaves nothing to cash"
    if player.split_hands == 1 and player.split_aces == "again":
        yield ("player", "split_aces"), "aces cannot be split again when split_hands = 1 allows no split"


def _limits(sheet: RuleSheet) -> Iterator[Contradiction]:
    yield from _range(("main",), sheet.main.min, sheet.main.max, sheet.main.step)
    for index, wager in enumerate(sheet.wager):
        yield from _range(("wager", index), wager.min, wager.max, wager.step)


def _range(path: Path, low: str, high: str, step: str) -> Iterator[Contradiction]:
    if cents(low) < 1 or cents(step) < 1:
        yield (*path, "min"), "limits and steps are at least one cent"
    elif cents(high) < cents(low):
        yield (*path, "max"), f"the largest wager, {high}, is below the smallest, {low}"
    elif (cents(high) - cents(low)) % cents(step):
        yield (*path, "step"), f"steps of {step} from {low} do not reach {high}"


def _wagers(sheet: RuleSheet) -> Iterator[Contradiction]:
    taken = {sheet.main.name.lower(), "insurance", *(name.lower() for name in ADDED_STAKES)}
    if sheet.main.companion:
        taken.add(sheet.main.companion.name.lower())
    for index, wager in enumerate(sheet.wager):
        path: Path = ("wager", index)
        if wager.name.lower() in taken:
            yield (*path, "name"), f"two wagers are called {wager.name!r}"
        taken.add(wager.name.lower())
        yield from _wager(sheet, wager, path)


def _wager(sheet: RuleSheet, wager: Wager, path: Path) -> Iterator[Contradiction]:
    others = {other.name: other for other in sheet.wager if other is not wager}
    if wager.needs and wager.needs not in others:
        yield (*path, "needs"), f"no other wager is called {wager.needs!r}; {did_you_mean(wager.needs, others)}"
    elif wager.needs and others[wager.needs].placed != wager.placed:
        yield (*path, "needs"), f"{wager.needs!r} is not placed at the same time"
    if wager.on == "all four cards" and sheet.dealer.hole_card == "none":
        yield (*path, "on"), "this dealer has no second card when the players act; look at the upcard only"
    if wager.placed == "after the check" and sheet.dealer.hole_card in ("no peek", "none"):
        yield (
            (*path, "placed"),
            "this dealer does not check for a natural before the players act, so nothing comes after",
        )
    if wager.placed == "after the check" and wager.stake == "token":
        yield (*path, "stake"), "a token is placed before the deal"
    if wager.tax and wager.stake != "token":
        yield (*path, "tax"), "only a token carries a tax; say stake = 'token'"
    yield from _pay_table(sheet, wager, path)


def _pay_table(sheet: RuleSheet, wager: Wager, path: Path) -> Iterator[Contradiction]:
    if bool(wager.lines) == bool(wager.tables):
        yield (*path, "lines"), "give either one pay table as `lines` or several as `tables`"
        return
    if wager.tables and wager.table not in (*wager.tables, "by decks"):
        yield (*path, "table"), f"{wager.table!r} is none of the tables; {did_you_mean(wager.table, wager.tables)}"
        return
    if wager.table == "by decks" and str(sheet.shoe.decks) not in wager.tables:
        counts = ", ".join(wager.tables)
        yield (*path, "tables"), f"there is a pay table for {counts} decks, but none for {sheet.shoe.decks}; add one"
        return
    for key, lines in {"lines": wager.lines, **{f"tables.{name}": t for name, t in wager.tables.items()}}.items():
        for number, line in enumerate(lines):
            yield from _line(wager, line, (*path, *key.split("."), number))
    for number, due in enumerate(wager.tax):
        yield from _readable(partial(named_hand, due.hand, 2), (*path, "tax", number, "hand"))


def _line(wager: Wager, line: PayLine, path: Path) -> Iterator[Contradiction]:
    hand, dealer = line.hand, line.dealer
    if hand is None and dealer is None:
        yield path, "a line needs a `hand`, a `dealer` hand or both"
    if hand is not None:
        yield from _readable(partial(named_hand, hand, LOOKS_AT[wager.on]), (*path, "hand"))
    if dealer is not None:
        yield from _readable(partial(dealer_hand, dealer), (*path, "dealer"))
    if isinstance(line.pays, dict):
        for key in line.pays:
            yield from _readable(partial(upcards, key), (*path, "pays", key))


def _readable(read: Callable[[], object], path: Path) -> Iterator[Contradiction]:
    try:
        read()
    except Refusal as refusal:
        yield path, str(refusal)

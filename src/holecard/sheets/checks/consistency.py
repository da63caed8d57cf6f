"""Find combinations of settings that cannot be dealt. Each setting has been validated on its own before."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import partial
from math import lcm

from holecard.errors import Refusal, did_you_mean
from holecard.money import money
from holecard.odds import FINEST_TOGETHER, odds, spell
from holecard.sheets.compile import CARDS_LOOKED_AT, table_in_force
from holecard.sheets.fields import upcards
from holecard.sheets.files.toml_lines import KeyPath
from holecard.sheets.schema import RuleSheet
from holecard.sheets.sections import PlayerRules
from holecard.sheets.settlement import settlement_cell
from holecard.sheets.tables import ADDED_STAKES, BET, NATURAL
from holecard.sheets.wager_schema import BY_DECKS, BY_DECKS_AND_SOFT_17, SOFT_17, PayLine, Wager
from holecard.wagers.dealer_hands import dealer_hand
from holecard.wagers.named_hands import named_hand
from holecard.wagers.pay_table import format_upcards

Contradiction = tuple[KeyPath, str]

#: Keys of [settle] and [main.companion] whose values are odds.
_MAIN_ODDS = ("natural", "charlie", "surrender")
_COMPANION_ODDS = ("natural", "dealer_natural", "two_naturals", "surrender", "quick_pay")
#: Values of `dealer.soft` with which no dealer can stand on every soft 17, and why.
_HITS_SOFT_17 = {
    "hit all": "a dealer who hits every soft total also hits soft 17",
    "draw 16 to hard 17": "a dealer who draws 16 or less to a hard 17 also hits a soft 17 on the way",
    "draw soft 17 to hard 17": "a dealer who draws soft 17 to a hard 17 does not stand on it",
}
#: Values of `hole_card` with which a dealer's natural can be found after the players have acted.
_UNCHECKED = ("no peek", "none", "peek under aces")


def contradictions(sheet: RuleSheet) -> list[Contradiction]:
    """Return everything in the sheet that cannot be dealt."""
    return [*_main_game(sheet), *_fineness(sheet), *_limits(sheet), *_names(sheet), *_wagers(sheet)]


def wrong_values(sheet: RuleSheet) -> list[Contradiction]:
    """Return what is wrong whatever the other sections say: limits, names, and phrases of pay lines."""
    return [*_limits(sheet), *_names(sheet), *_phrases(sheet)]


def _main_game(sheet: RuleSheet) -> Iterator[Contradiction]:
    hole, player = sheet.dealer.hole_card, sheet.player
    if hole == "face up" and sheet.insurance.pays != "none":
        yield (
            ("insurance", "pays"),
            "there is nothing to insure against if the hole card is face up; write pays = 'none'",
        )
    if hole in _UNCHECKED:
        yield from _needs_a_check(player)
    if player.surrender == "early" and hole == "face up":
        yield ("player", "surrender"), "with the hole card face up, early and late surrender are the same; write 'late'"
    if sheet.dealer.soft_17 == "stand" and (hits := _HITS_SOFT_17.get(sheet.dealer.soft)):
        yield ("dealer", "soft"), f"{hits}; write soft_17 = 'hit', or soft = 'stand on 18'"
    possible = sorted({*sheet.dealer.ends_on, *range(17, 23)})
    for total in sheet.settle.when_dealer_has:
        if int(total) not in possible:
            ends = f"write {', '.join(map(str, possible))}, or add the total to dealer.ends_on"
            yield ("settle", "when_dealer_has", total), f"the dealer's hand never ends on {total}; {ends}"
    wins = (("settle", "natural", "3 to 2"), ("settle", "charlie", "1 to 1"), ("insurance", "pays", "2 to 1"))
    for section, word, example in wins:
        terms = getattr(getattr(sheet, section), word)
        if terms != "none" and odds(terms) <= 0:
            yield (section, word), f"{terms!r} pays nothing; write odds such as {example!r}"
    yield from _surrender(sheet)
    yield from _twenty_ones(sheet)
    if player.split_hands == 1 and player.split_aces == "again":
        yield ("player", "split_aces"), "aces cannot be split again because split_hands = 1 allows no split"


def _surrender(sheet: RuleSheet) -> Iterator[Contradiction]:
    """Yield a contradiction if surrender wins, all stakes on the hand together."""
    companion = sheet.main.companion
    if odds(sheet.settle.surrender) + (odds(companion.surrender) if companion else 0) > 0:
        terms = f"{sheet.settle.surrender!r}{f' with {companion.surrender!r}' if companion else ''}"
        yield (
            ("settle", "surrender"),
            f"a surrendered hand would win with {terms}; write 'lose half' or 'push'",
        )


def _twenty_ones(sheet: RuleSheet) -> Iterator[Contradiction]:
    """Refuse a 21 that wins against some dealer's totals only, and a natural that is worse than another 21."""
    settle = sheet.settle
    for total, ruled in settle.when_dealer_has.items():
        outcome = ruled if isinstance(ruled, str) else ruled.twenty_one or ruled.other
        if settle.twenty_one == "wins" and outcome != "win":
            other = ruled if isinstance(ruled, str) else ruled.other
            both = f"{{ 21 = 'win', other = '{other}' }}"
            yield (
                ("settle", "when_dealer_has", total),
                f"with twenty_one = 'wins' a player's 21 wins, but with this rule its result is {outcome}; "
                f"write {total} = {both} or twenty_one = 'compare'",
            )
    natural, plain = (settlement_cell(sheet, BET, player, 21).net for player in (NATURAL, 21))
    if settle.natural_v_21 == "tie" and natural < plain:
        yield (
            ("settle", "natural_v_21"),
            f"against a dealer's 21 a natural would {spell(natural)} and a player's other 21 would {_does(plain)}; "
            "write natural_v_21 = 'win'",
        )


def _does(net: Fraction) -> str:
    return "win" if net > 0 else spell(net)


def _fineness(sheet: RuleSheet) -> Iterator[Contradiction]:
    """Refuse odds without a small common denominator: net results are summed as whole multiples of one unit."""
    companion = sheet.main.companion
    terms: dict[KeyPath, str] = {("settle", word): getattr(sheet.settle, word) for word in _MAIN_ODDS}
    terms |= {("player", "quick_pay", total): said for total, said in sheet.player.quick_pay.items()}
    if companion:
        terms |= {("main", "companion", word): getattr(companion, word) for word in _COMPANION_ODDS}
    parts = {path: odds(said).denominator for path, said in terms.items()}
    together = lcm(*parts.values()) * (2 if companion else 1)
    if together > FINEST_TOGETHER:
        finest = max(parts, key=lambda path: parts[path])
        words = "the odds of the main wager have too large a common denominator"
        yield (
            finest,
            f"{words}: {together:,}; it can be at most {FINEST_TOGETHER:,}; round some of the odds",
        )


def _needs_a_check(player: PlayerRules) -> Iterator[Contradiction]:
    why = "is decided after the dealer has checked for a natural, but this dealer does not always check"
    if player.surrender == "late":
        yield ("player", "surrender"), f"late surrender {why}; write surrender = 'early' or dealer.hole_card = 'peek'"
    if player.quick_pay:
        yield ("player", "quick_pay"), f"Quick Pay {why}; write dealer.hole_card = 'peek'"


def _limits(sheet: RuleSheet) -> Iterator[Contradiction]:
    yield from _range(("main",), sheet.main.min, sheet.main.max, sheet.main.step)
    if money(sheet.insurance.min) < 1:
        yield ("insurance", "min"), "limits and steps must be at least one cent"
    for index, wager in enumerate(sheet.wager):
        yield from _range(("wager", index), wager.min, wager.max, wager.step)


def _range(path: KeyPath, low: str, high: str, step: str) -> Iterator[Contradiction]:
    if money(low) < 1 or money(step) < 1:
        yield (*path, "min"), "limits and steps must be at least one cent"
    elif money(high) < money(low):
        yield (*path, "max"), f"the largest wager, {high}, is less than the smallest, {low}"
    elif (money(high) - money(low)) % money(step):
        yield (*path, "step"), f"steps of {step} from {low} do not reach {high}"


def _names(sheet: RuleSheet) -> Iterator[Contradiction]:
    """Refuse two wagers with the same name."""
    named: list[tuple[KeyPath, str]] = [(("main", "name"), sheet.main.name)]
    if sheet.main.companion:
        named.append((("main", "companion", "name"), sheet.main.companion.name))
    named += [(("wager", index, "name"), wager.name) for index, wager in enumerate(sheet.wager)]
    reserved = {"insurance", *(name.lower() for name in ADDED_STAKES)}
    taken: set[str] = set()
    for path, name in named:
        if name.lower() in taken:
            yield path, f"two wagers have the name {name!r}; rename one of them"
        if name.lower() in reserved:
            yield path, f"{name!r} is reserved; choose another name"
        taken.add(name.lower())


def _wagers(sheet: RuleSheet) -> Iterator[Contradiction]:
    for index, wager in enumerate(sheet.wager):
        yield from _wager(sheet, wager, ("wager", index))


def _wager(sheet: RuleSheet, wager: Wager, path: KeyPath) -> Iterator[Contradiction]:
    others = {other.name: other for other in sheet.wager if other is not wager}
    if wager.needs and wager.needs not in others:
        hint = did_you_mean(wager.needs, others) or "this game has no other side wager"
        yield (*path, "needs"), f"there is no other side wager named {wager.needs!r}; {hint}"
    elif wager.needs and others[wager.needs].placed != wager.placed:
        yield (*path, "needs"), f"{wager.needs!r} is placed at another time; give both the same `placed`"
    if wager.on == "all four cards" and sheet.dealer.hole_card == "none":
        yield (*path, "on"), "this dealer has no second card when the players act; write on = 'two cards and upcard'"
    if wager.placed != "before the deal":
        yield from _after_the_check(sheet, wager, path)
    if wager.tax and wager.stake != "token":
        yield (*path, "tax"), "only a token can have a tax; write stake = 'token'"
    yield from _pay_tables(sheet, wager, path)


def _after_the_check(sheet: RuleSheet, wager: Wager, path: KeyPath) -> Iterator[Contradiction]:
    hole = sheet.dealer.hole_card
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
    elif hole in _UNCHECKED:
        yield (
            (*path, "placed"),
            "this dealer does not always check for a natural; "
            "write dealer.hole_card = 'peek' or placed = 'before the deal'",
        )
    if sheet.player.surrender == "early":
        yield (
            (*path, "placed"),
            "a hand that is surrendered early is over before the check; write player.surrender = 'late'",
        )
    if not all(line.dealer for line in _every_line(wager)):
        yield (
            (*path, "placed"),
            "the cards that a `hand` looks at are visible by then; every line needs a `dealer` hand",
        )
    if wager.stake == "token":
        yield (*path, "stake"), "a token must be placed before the deal"


def _every_line(wager: Wager) -> list[PayLine]:
    return [line for lines in (wager.lines, *wager.tables.values()) for line in lines]


def _pay_tables(sheet: RuleSheet, wager: Wager, path: KeyPath) -> Iterator[Contradiction]:
    if bool(wager.lines) == bool(wager.tables):
        yield (*path, "lines"), "write either one pay table as `lines` or several as `tables`"
        return
    if wager.table and not wager.tables:
        yield (*path, "table"), "there is only one pay table; remove this key"
    chosen_by_rules = wager.table in (BY_DECKS, BY_DECKS_AND_SOFT_17)
    if wager.tables and not chosen_by_rules and wager.table not in wager.tables:
        yield (*path, "table"), f"there is no table named {wager.table!r}; {did_you_mean(wager.table, wager.tables)}"
        return
    if chosen_by_rules and table_in_force(wager, sheet) not in wager.tables:
        made = dict.fromkeys(name.partition(" ")[0] for name in wager.tables)
        by_soft_17 = f" with {SOFT_17[sheet.dealer.soft_17]}" if str(sheet.shoe.decks) in made else ""
        yield (
            (*path, "tables"),
            f"{wager.name} has pay tables for {', '.join(made)} decks, but not for {sheet.shoe.decks}{by_soft_17}; "
            f"change the number of decks, add a table, or choose one of them, such as table = "
            f"'{next(iter(wager.tables))}'",
        )
        return
    yield from _wager_phrases(wager, path)


def _phrases(sheet: RuleSheet) -> Iterator[Contradiction]:
    for index, wager in enumerate(sheet.wager):
        yield from _wager_phrases(wager, ("wager", index))


def _wager_phrases(wager: Wager, path: KeyPath) -> Iterator[Contradiction]:
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

"""Find combinations of settings that cannot be dealt. Each setting has been validated on its own before."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from math import lcm

from holecard.hands import totals
from holecard.money import money
from holecard.odds import FINEST_TOGETHER, odds, spell
from holecard.sheets.checks.unknown_settings import NONE_UNKNOWN, Contradiction, UnknownSettings
from holecard.sheets.checks.wager_consistency import NOT_ALWAYS_CHECKED, wager_contradictions, wrong_limits
from holecard.sheets.files.toml_lines import KeyPath
from holecard.sheets.schema import RuleSheet
from holecard.sheets.settlement import settlement_cell
from holecard.sheets.tables import ADDED_STAKES, BET, NATURAL

#: Keys of [settle] and [main.companion] whose values are odds.
_MAIN_ODDS = ("natural", "charlie", "surrender")
_COMPANION_ODDS = ("natural", "dealer_natural", "two_naturals", "surrender", "quick_pay")
#: Totals, below a hard 21, of hands of two cards or more.
_HARD_TOTALS, _SOFT_TOTALS = frozenset(range(4, 21)), frozenset(range(12, 22))
#: Values of `dealer.soft` with which no dealer can stand on every soft 17, and why.
_HITS_SOFT_17 = {
    "hit all": "a dealer who hits every soft total also hits soft 17",
    "draw 16 to hard 17": "a dealer who draws 16 or less to a hard 17 also hits a soft 17 on the way",
    "draw soft 17 to hard 17": "a dealer who draws soft 17 to a hard 17 does not stand on it",
}


def contradictions(sheet: RuleSheet, unknown: UnknownSettings = NONE_UNKNOWN) -> list[Contradiction]:
    """Return everything in the sheet that cannot be dealt, as far as it does not depend on unknown settings."""
    found = [one for check, keys in _CHECKS if not unknown.among(keys) for one in check(sheet)]
    found += wager_contradictions(sheet, unknown)
    return [(path, what) for path, what in found if not unknown.covers(path)]


def _insured_face_up(sheet: RuleSheet) -> Iterator[Contradiction]:
    if sheet.dealer.hole_card == "face up" and sheet.insurance.pays != "none":
        yield (
            ("insurance", "pays"),
            "there is nothing to insure against if the hole card is face up; write pays = 'none'",
        )


def _needs_a_check(sheet: RuleSheet) -> Iterator[Contradiction]:
    if sheet.dealer.hole_card not in NOT_ALWAYS_CHECKED:
        return
    why = "is decided after the dealer has checked for a natural, but this dealer does not always check"
    if sheet.player.surrender == "late":
        yield ("player", "surrender"), f"late surrender {why}; write surrender = 'early' or dealer.hole_card = 'peek'"
    if sheet.player.quick_pay:
        yield ("player", "quick_pay"), f"Quick Pay {why}; write dealer.hole_card = 'peek'"


def _doubled_21(sheet: RuleSheet) -> Iterator[Contradiction]:
    doubled = totals(sheet.player.double)
    if sheet.player.double != "any" and 21 in doubled.hard | doubled.soft:
        yield ("player", "double"), "a 21 takes no more cards, so it cannot be doubled; end the totals at 20"


def _impossible_totals(sheet: RuleSheet) -> Iterator[Contradiction]:
    """Refuse totals that no hand to be doubled has: they would change nothing."""
    for word in ("double", "double_up"):
        for part in getattr(sheet.player, word).split(", "):
            named = totals(part)
            if part != "none" and not (named.hard & _HARD_TOTALS or named.soft & _SOFT_TOTALS):
                yield (
                    ("player", word),
                    f"no hand is a {part}; hard totals run from 4 to 20, soft totals from 12 to 21",
                )


def _early_face_up(sheet: RuleSheet) -> Iterator[Contradiction]:
    if sheet.player.surrender == "early" and sheet.dealer.hole_card == "face up":
        yield ("player", "surrender"), "with the hole card face up, early and late surrender are the same; write 'late'"


def _soft_17(sheet: RuleSheet) -> Iterator[Contradiction]:
    if sheet.dealer.soft_17 == "stand" and (hits := _HITS_SOFT_17.get(sheet.dealer.soft)):
        yield ("dealer", "soft"), f"{hits}; write soft_17 = 'hit', or soft = 'stand on 18'"


def _final_totals(sheet: RuleSheet) -> Iterator[Contradiction]:
    possible = sorted({*sheet.dealer.ends_on, *range(17, 23)})
    for total in sheet.settle.when_dealer_has:
        if int(total) not in possible:
            ends = f"write {', '.join(map(str, possible))}, or add the total to dealer.ends_on"
            yield ("settle", "when_dealer_has", total), f"the dealer's hand never ends on {total}; {ends}"


def _pays_nothing(sheet: RuleSheet) -> Iterator[Contradiction]:
    wins = (("settle", "natural", "3 to 2"), ("settle", "charlie", "1 to 1"), ("insurance", "pays", "2 to 1"))
    for section, word, example in wins:
        terms = getattr(getattr(sheet, section), word)
        if terms != "none" and odds(terms) <= 0:
            yield (section, word), f"{terms!r} pays nothing; write odds such as {example!r}"


def _splits(sheet: RuleSheet) -> Iterator[Contradiction]:
    if sheet.player.split_hands == 1 and sheet.player.split_aces == "again":
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
    """Refuse a 21 that wins against some dealer's totals only."""
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


def _natural_below_21(sheet: RuleSheet) -> Iterator[Contradiction]:
    """Refuse a natural that is worse than another 21."""
    settle = sheet.settle
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


def _limits(sheet: RuleSheet) -> Iterator[Contradiction]:
    return wrong_limits(("main",), sheet.main.min, sheet.main.max, sheet.main.step)


def _smallest_insurance(sheet: RuleSheet) -> Iterator[Contradiction]:
    if money(sheet.insurance.min) < 1:
        yield ("insurance", "min"), "limits and steps must be at least one cent"


def _affordable_insurance(sheet: RuleSheet) -> Iterator[Contradiction]:
    share = {"half": Fraction(1, 2), "all": Fraction(1)}[sheet.insurance.most]
    if sheet.insurance.pays != "none" and money(sheet.insurance.min) > share * money(sheet.main.max):
        most = "half of " if sheet.insurance.most == "half" else ""
        yield (
            ("insurance", "min"),
            f"nobody can insure: the smallest insurance, {sheet.insurance.min}, is more than {most}the largest "
            f"{sheet.main.name}, {sheet.main.max}; write less, or pays = 'none'",
        )


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


#: The checks of the main game, and the settings that each depends on besides those that it refuses.
_CHECKS: tuple[tuple[Callable[[RuleSheet], Iterator[Contradiction]], tuple[str, ...]], ...] = (
    (_insured_face_up, ("dealer.hole_card",)),
    (_needs_a_check, ("dealer.hole_card",)),
    (_doubled_21, ()),
    (_impossible_totals, ()),
    (_early_face_up, ("dealer.hole_card",)),
    (_soft_17, ("dealer.soft_17",)),
    (_final_totals, ("dealer.ends_on",)),
    (_pays_nothing, ()),
    (_surrender, ("settle.surrender", "main.companion")),
    (_twenty_ones, ("settle.twenty_one",)),
    (_natural_below_21, ("settle",)),
    (_splits, ("player.split_hands",)),
    (_fineness, ("settle", "player.quick_pay", "main.companion")),
    (_limits, ("main.min", "main.max", "main.step")),
    (_smallest_insurance, ()),
    (_affordable_insurance, ("insurance.pays", "insurance.most", "main.name", "main.max")),
    (_names, ()),
)

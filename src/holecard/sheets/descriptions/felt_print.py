"""The promises that a casino prints on the cloth: every rule of the main game that decides money and is not usual.

What is not printed is as in the most common game: the dealer peeks, ties push, any two cards may be doubled. Each
promise is short enough for an arc and says one thing, so that it can be read back.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Literal

from pydantic import BaseModel, ConfigDict

from holecard.odds import odds, spell
from holecard.sheets.descriptions.phrases import does, number, verb
from holecard.sheets.schema import RuleSheet
from holecard.sheets.sections import DealerRules, PlayerRules, WhenDealerHas

#: The most characters of a line of several promises.
LONGEST_PRINT = 64
_BETWEEN = " · "
_HOLE_CARD = {
    "peek under aces": "Dealer peeks under aces only",
    "no peek": "Dealer does not peek",
    "face up": "Both dealer cards face up",
    "none": "No hole card",
}
#: What a dealer's total that alone decides does to the hands, by their result.
_DOES_TO = {"win": "loses to", "push": "pushes", "lose": "beats"}
_TIED = {"win": "player wins 1 to 1", "push": "push", "lose": "dealer wins"}
#: How the dealer plays soft totals, where more than soft 17 is special.
_SOFT_TOTALS = {
    "hit all": "Dealer must hit soft 17 to 21",
    "draw 16 to hard 17": "Dealer must draw a two-card 16 or less to a hard 17",
    "draw soft 17 to hard 17": "Dealer must draw soft 17 to a hard 17",
}


class PrintedLine(BaseModel):
    """One line along the arc."""

    model_config = ConfigDict(frozen=True, use_attribute_docstrings=True)

    text: str
    """The words: promises, with ` · ` between them."""
    style: Literal["headline", "plain", "gold"]
    """How they are printed: `headline` is the largest."""


def printed_lines(sheet: RuleSheet) -> list[PrintedLine]:
    """Return what is printed on the cloth: what a blackjack pays, who wins, what is special, what is not allowed."""
    lines = [("headline", f"Blackjack {_pays(sheet.settle.natural)}")]
    lines += [("plain", text) for text in _packed([*_dealer(sheet.dealer), *_ruled(sheet), *_ties(sheet)])]
    lines += [("gold", text) for text in _packed(_special(sheet))]
    lines += [("plain", text) for text in _packed([*_restrictions(sheet.player), *_rounding(sheet)])]
    return [PrintedLine.model_validate({"text": text, "style": style}) for style, text in lines]


def _packed(promises: Iterable[str]) -> Iterator[str]:
    """Yield lines of promises: as many on a line as fit."""
    line = ""
    for promise in promises:
        if line and len(line) + len(_BETWEEN) + len(promise) > LONGEST_PRINT:
            yield line
            line = ""
        line = f"{line}{_BETWEEN}{promise}" if line else promise
    if line:
        yield line


def exact_odds(net: Fraction) -> str:
    """Return odds above zero in the shortest form that is exact: "3 to 2", "1.23457 to 1".

    >>> exact_odds(Fraction(3, 2)), exact_odds(Fraction(123457, 100_000)), exact_odds(Fraction(1, 3))
    ('3 to 2', '1.23457 to 1', '1 to 3')
    """
    whole = spell(net)
    places = next((places for places in range(1, 10) if 10**places % net.denominator == 0), None)
    if places is None:
        return whole
    digits = str(net.numerator * 10**places // net.denominator).zfill(places + 1)
    return min(whole, f"{digits[:-places]}.{digits[-places:]} to 1", key=len)


def _pays(terms: str) -> str:
    net = odds(terms)
    return "pays even money" if net == 1 else f"pays {exact_odds(net)}"


def _dealer(dealer: DealerRules) -> Iterator[str]:
    if dealer.hole_card != "peek":
        yield _HOLE_CARD[dealer.hole_card]
    yield _soft(dealer)
    if dealer.hole_card not in ("peek", "face up"):
        takes = "every wager" if dealer.natural_takes == "all" else "original wagers only"
        yield f"Dealer's blackjack takes {takes}"


def _soft(dealer: DealerRules) -> str:
    stands = "Dealer must hit soft 17" if dealer.soft_17 == "hit" else "Dealer must stand on all 17s"
    return {"stand on 18": stands, **_SOFT_TOTALS}[dealer.soft]


def _ruled(sheet: RuleSheet) -> Iterator[str]:
    """Yield the totals on which the dealer's hand ends, and those that alone decide who wins."""
    ruled = sheet.settle.when_dealer_has
    for total in sorted(set(sheet.dealer.ends_on)):
        if str(total) not in ruled:
            yield f"Dealer stops on {total}"
    for key, result in ruled.items():
        first = f"Dealer stops on {key} and" if int(key) in sheet.dealer.ends_on else f"Dealer's {key}"
        others = result if isinstance(result, str) else result.other
        spared = "blackjack and charlie" if sheet.player.charlie else "blackjack"
        yield f"{first} {_DOES_TO[others]} all but {spared}{_of_21(result)}"


def _of_21(result: str | WhenDealerHas) -> str:
    if isinstance(result, str) or not result.twenty_one:
        return ""
    return f"; 21 {verb(result.twenty_one)}"


def _ties(sheet: RuleSheet) -> Iterator[str]:
    """Yield who wins ties, where they are not all pushes. A total that alone decides has no ties."""
    settle, ruled = sheet.settle, sheet.settle.when_dealer_has
    wins_21 = settle.twenty_one == "wins" and "21" not in ruled
    all_lose = settle.ties == settle.two_naturals == "lose" and not ruled and not wins_21
    if all_lose:
        yield "Dealer wins all ties"
    elif settle.ties != "push":
        winner = "Player" if settle.ties == "win" else "Dealer"
        yield f"{winner} wins {'other ' if ruled else ''}ties{' below 21' if wins_21 else ''}"
    if wins_21:
        yield "A player's 21 beats a dealer's 21"
    if not all_lose and (settle.two_naturals, settle.ties) != ("push", "push"):
        won = f"player wins {exact_odds(odds(settle.natural))}"
        yield f"Two blackjacks: {won if settle.two_naturals == 'win' else _TIED[settle.two_naturals]}"
    if settle.natural_v_21 == "tie":
        yield f"Blackjack against a dealer's drawn 21: {_TIED[settle.ties]}"


def _special(sheet: RuleSheet) -> Iterator[str]:
    """Yield the decisions that few games have, the second wager, and insurance."""
    player, settle = sheet.player, sheet.settle
    if player.double_up != "none":
        yield from _double_up(sheet)
    yield from _quick_pay(player)
    if player.charlie:
        yield f"{number(player.charlie).capitalize()}-card charlie {_result(settle.charlie)}"
    if player.surrender != "none":
        yield f"{player.surrender.capitalize()} surrender{_surrendered(sheet)}"
    if sheet.main.companion:
        yield _companion(sheet)
    if sheet.insurance.pays != "none":
        most = " up to the whole wager" if sheet.insurance.most == "all" else ""
        yield f"Insurance {_result(sheet.insurance.pays)}{most}"


def _double_up(sheet: RuleSheet) -> Iterator[str]:
    player, settle = sheet.player, sheet.settle
    where = "any two cards" if player.double_up == "any" else f"a two-card {player.double_up}"
    soft_21 = sheet.tables.may_double_up[21][True]
    yield f"Double-Up on {where}{' except a blackjack' if soft_21 else ''}"
    if not player.double_up_after_split and player.split_hands > 1:
        yield "No Double-Up after a split"
    if settle.double_up_ties != settle.ties:
        below = " below 21" if settle.twenty_one == "wins" and "21" not in settle.when_dealer_has else ""
        yield f"Double-Up {verb(settle.double_up_ties)} {'other ' if settle.when_dealer_has else ''}ties{below}"


def _quick_pay(player: PlayerRules) -> Iterator[str]:
    """Yield the totals that are cashed and what they pay, as many in one promise as fit on a line."""
    promise = ""
    for total in sorted(player.quick_pay, reverse=True):
        term = f"{total} {_result(player.quick_pay[total])}"
        if promise and len(promise) + len(term) + 2 <= LONGEST_PRINT:
            promise += f", {term}"
        else:
            yield from [promise] if promise else []
            promise = f"Quick Pay: {term}"
    if promise:
        yield promise


def _surrendered(sheet: RuleSheet) -> str:
    """Return what surrender costs, unless it is half of the only wager."""
    main, terms = sheet.main, sheet.settle.surrender
    if main.companion:
        return f": {main.name} {_result(terms)}, {main.companion.name} {_result(main.companion.surrender)}"
    return "" if odds(terms) == Fraction(-1, 2) else f": {main.name} {_result(terms)}"


def _companion(sheet: RuleSheet) -> str:
    """Return what becomes of the second wager where it is not settled like the first."""
    companion = sheet.main.companion
    assert companion is not None
    one, dealers, two = (
        _result(terms) for terms in (companion.natural, companion.dealer_natural, companion.two_naturals)
    )
    if one == dealers == two:
        said = f"every blackjack {one}"
    else:
        said = f"blackjack {one}, dealer's blackjack {dealers}, blackjack against blackjack {two}"
    quick = f", Quick Pay {_result(companion.quick_pay)}" if sheet.player.quick_pay else ""
    return f"{companion.name}: {said}{quick}"


def _result(terms: str) -> str:
    """Return odds as a verb, exactly: "pays 3 to 2", "pushes", "loses half"."""
    net = odds(terms)
    return f"pays {exact_odds(net)}" if net > 0 else does(spell(net))


def _restrictions(player: PlayerRules) -> Iterator[str]:
    """Yield where doubling and splitting differ from the most common rules."""
    if player.double == "none":
        yield "No doubling"
    else:
        if player.double != "any":
            yield f"Double only on {player.double}"
        if player.double_cards == "any number":
            yield "Double with any number of cards"
        if not player.double_after_split and player.split_hands > 1:
            yield "No double after a split"
        if player.double_stake == "up to equal":
            yield "Double for less"
    if player.split_hands == 1:
        yield "No splitting"
    else:
        yield from _splitting(player)


def _splitting(player: PlayerRules) -> Iterator[str]:
    if player.split_hands != PlayerRules().split_hands:
        yield f"Split to at most {player.split_hands} hands"
    if player.split_by == "rank":
        yield "Split only equal ranks"
    if player.split_aces == "never":
        yield "Aces may not be split"
        return
    if player.split_aces == "again" and player.split_hands > 2:
        yield "Aces may be split again"
    if player.split_aces_get == "play on":
        yield "Split aces play on"


def _rounding(sheet: RuleSheet) -> Iterator[str]:
    if sheet.settle.rounding != "down":
        where = "up to whole cents" if sheet.settle.rounding == "up" else "to the nearest cent"
        yield f"Payouts are rounded {where}"

"""The promises that a casino prints on the cloth, each short enough for an arc."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal

from pydantic import BaseModel, ConfigDict

from holecard.odds import odds, spell
from holecard.sheets.descriptions.phrases import does, listed, number, verb
from holecard.sheets.schema import RuleSheet
from holecard.sheets.sections import SettleRules, WhenDealerHas

#: The most characters of a line, and the most lines.
LONGEST_PRINT = 60
MOST_PRINTED = 4
_BETWEEN = " · "
#: What a promise says about who wins.
_RESULTS = {"win": "players win", "push": "push", "lose": "dealer wins"}


class PrintedLine(BaseModel):
    """One line along the arc."""

    model_config = ConfigDict(frozen=True, use_attribute_docstrings=True)

    text: str
    """The words."""
    style: Literal["headline", "plain", "gold"]
    """How they are printed: `headline` is the largest."""


def printed_lines(sheet: RuleSheet) -> list[PrintedLine]:
    """Return what is printed on the cloth: what a blackjack pays, the dealer's rules, what is special, insurance."""
    special = list(_packed(_special(sheet)))
    dealer = list(_packed(_dealers_rules(sheet)))[: MOST_PRINTED - 1 - bool(special)]
    lines = [("headline", _headline(sheet.settle))]
    lines += [("plain", text) for text in dealer] + [("gold", text) for text in special]
    return [PrintedLine.model_validate({"text": text, "style": style}) for style, text in lines[:MOST_PRINTED]]


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


def _headline(settle: SettleRules) -> str:
    net = odds(settle.natural)
    if net == 1:
        return "Blackjack pays even money"
    return f"Blackjack pays {min(spell(net), f'{float(net):.5g} to 1', key=len)}"


def _dealers_rules(sheet: RuleSheet) -> Iterator[str]:
    dealer = sheet.dealer
    if dealer.hole_card == "face up":
        yield "Both dealer cards face up"
    if dealer.hole_card == "none":
        yield "No hole card"
    if dealer.soft == "hit all":
        yield "Dealer must hit every soft total"
    else:
        yield "Dealer must hit soft 17" if dealer.soft_17 == "hit" else "Dealer must stand on all 17s"
    ruled = sheet.settle.when_dealer_has
    for total in dealer.ends_on:
        if str(total) not in ruled:
            yield f"Dealer stops on {total}"
    for key, result in ruled.items():
        yield _ruled(key, result, stops=int(key) in dealer.ends_on)
    yield from _ties(sheet.settle)


def _ruled(total: str, result: str | WhenDealerHas, *, stops: bool) -> str:
    """Return who wins against a dealer's total that alone decides."""
    first = f"Dealer stops on {total}" if stops else f"Dealer's {total}"
    if isinstance(result, str):
        return f"{first}: {_RESULTS[result]}"
    exception = f"21 {verb(result.twenty_one)}, others {result.other}" if result.twenty_one else _RESULTS[result.other]
    return f"{first}: {exception}"


def _ties(settle: SettleRules) -> Iterator[str]:
    """Yield who wins ties, where they are not all pushes."""
    winner = {"win": "Player", "lose": "Dealer"}
    if settle.ties != "push":
        same = settle.two_naturals == settle.ties
        yield f"{winner[settle.ties]} wins {'all ties' if same else 'ties'}"
    if settle.two_naturals != settle.ties:
        yield f"Two blackjacks: {_RESULTS[settle.two_naturals].replace('players win', 'player wins')}"
    if settle.natural_v_21 == "tie":
        yield "A dealer's 21 ties a blackjack"
    if settle.twenty_one == "wins":
        yield "A player's 21 beats a dealer's 21"


def _special(sheet: RuleSheet) -> Iterator[str]:
    """Yield the decisions that few games have, and insurance."""
    player, settle = sheet.player, sheet.settle
    if player.double_up != "none":
        where = "any two cards" if player.double_up == "any" else player.double_up
        yield f"Double-Up on {where}" if len(where) < LONGEST_PRINT // 2 else "Double-Up"
        if settle.double_up_ties != settle.ties:
            yield f"Double-Up {verb(settle.double_up_ties)} a tie"
    if player.quick_pay:
        yield _quick_pay(dict(player.quick_pay))
    if player.charlie:
        pays = "wins" if odds(settle.charlie) == 1 else f"pays {settle.charlie}"
        yield f"{number(player.charlie).capitalize()}-card charlie {pays}"
    if player.surrender != "none":
        yield f"{player.surrender.capitalize()} surrender"
    if sheet.insurance.pays != "none":
        yield f"Insurance pays {sheet.insurance.pays}"


def _quick_pay(offers: dict[str, str]) -> str:
    """Return the totals that are cashed and what they pay; only the totals where that is too long."""
    terms = [f"{total} {_cashed(offers[total])}" for total in sorted(offers, reverse=True)]
    full = f"Quick Pay: {', '.join(terms)}"
    return full if len(full) <= LONGEST_PRINT else f"Quick Pay on {listed(sorted(offers), 'and')}"


def _cashed(terms: str) -> str:
    net = odds(terms)
    return f"pays {spell(net)}" if net > 0 else does(terms)

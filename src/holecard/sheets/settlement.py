"""Who wins: the net result of a stake against the dealer's finished hand, and the reason.

This is the only module that decides who wins. The compiler calls it once for each cell of the settlement tables;
everything else reads these tables. `_compare` decides ties, `_ruled_by_dealers_total` rules such as "a dealer's 22
pushes", `_natural` and `_against_natural` the naturals.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import TypeAlias

from holecard.odds import LOSE, PUSH, WIN, odds, spell
from holecard.sheets.schema import RuleSheet
from holecard.sheets.sections import Companion, SettleRules, WhenDealerHas
from holecard.sheets.tables import (
    BET,
    BUST,
    CHARLIE,
    COMPANION,
    DEALER_22,
    DEALER_BUST,
    DEALER_NATURAL,
    DOUBLE_UP,
    NATURAL,
    SettlementCell,
)

_OUTCOMES: dict[str, Fraction] = {"win": WIN, "push": PUSH, "lose": LOSE}

#: The net win of a stake per unit staked, and the reason without the result.
_Verdict: TypeAlias = tuple[Fraction, str]


def settlement_cell(sheet: RuleSheet, kind: int, player: int, dealer: int) -> SettlementCell:
    """Return the net win per unit of a `kind` of stake, for a hand of class `player` against class `dealer`."""
    return _cell(_decide(sheet, kind, player, dealer))


def _cell(verdict: _Verdict) -> SettlementCell:
    """Return the cell with the result appended to the reason: "20 beats 19: pays 1 to 1"."""
    net, reason = verdict
    return SettlementCell(net, f"{reason}: {_result(*net.as_integer_ratio())}")


@cache
def _result(numerator: int, denominator: int) -> str:
    """Return what a net win is called; a sheet has thousands of cells and a handful of results."""
    net = Fraction(numerator, denominator)
    return f"pays {spell(net)}" if net > 0 else spell(net).replace("lose", "loses")


def _decide(sheet: RuleSheet, kind: int, player: int, dealer: int) -> _Verdict:
    if player == BUST:
        return LOSE, "bust"
    if dealer == DEALER_NATURAL:
        return _against_natural(sheet, kind, player)
    if player == NATURAL:
        return _natural(sheet, kind, dealer)
    if player == CHARLIE:
        return odds(sheet.settle.charlie), f"{sheet.player.charlie} cards without a bust"
    if ruled := sheet.settle.when_dealer_has.get(str(dealer)):
        return _ruled_by_dealers_total(ruled, player, dealer)
    if dealer in (DEALER_22, DEALER_BUST):
        return WIN, "dealer busts"
    if player == 21 and sheet.settle.twenty_one == "wins":
        return WIN, "21 wins"
    return _compare(sheet.settle, kind, player, dealer)


def surrendered(sheet: RuleSheet, kind: int) -> SettlementCell:
    """Return the result of a surrendered stake."""
    companion = sheet.main.companion
    terms = companion.surrender if kind == COMPANION and companion else sheet.settle.surrender
    return _cell((odds(terms), "surrendered"))


def quick_paid(sheet: RuleSheet, kind: int, total: int, terms: str) -> SettlementCell:
    """Return the result of a stake when a two-card total takes Quick Pay."""
    companion = sheet.main.companion
    if kind == COMPANION and companion:
        terms = companion.quick_pay
    return _cell((odds(terms), f"Quick Pay on {total}"))


def _against_natural(sheet: RuleSheet, kind: int, player: int) -> _Verdict:
    companion = sheet.main.companion if kind == COMPANION else None
    if player == NATURAL:
        return _two_naturals(sheet, companion)
    if companion:
        return odds(companion.dealer_natural), "dealer's natural"
    if kind not in (BET, COMPANION) and sheet.dealer.natural_takes == "original":
        return PUSH, "dealer's natural takes the original wager only"
    return LOSE, "dealer's natural"


def _two_naturals(sheet: RuleSheet, companion: Companion | None) -> _Verdict:
    if companion:
        return odds(companion.two_naturals), "both have a natural"
    outcome = sheet.settle.two_naturals
    net = odds(sheet.settle.natural) if outcome == "win" else _OUTCOMES[outcome]
    return net, "both have a natural"


def _natural(sheet: RuleSheet, kind: int, dealer: int) -> _Verdict:
    if kind == COMPANION and sheet.main.companion:
        return odds(sheet.main.companion.natural), "natural"
    if dealer == 21 and sheet.settle.natural_v_21 == "tie":
        return _OUTCOMES[sheet.settle.ties], "natural ties dealer's 21"
    return odds(sheet.settle.natural), "natural"


def _ruled_by_dealers_total(ruled: str | WhenDealerHas, player: int, dealer: int) -> _Verdict:
    if isinstance(ruled, str):
        return _OUTCOMES[ruled], f"dealer has {dealer}"
    if player == 21 and ruled.twenty_one:
        return _OUTCOMES[ruled.twenty_one], f"21 against dealer's {dealer}"
    return _OUTCOMES[ruled.other], f"dealer has {dealer}"


def _compare(settle: SettleRules, kind: int, player: int, dealer: int) -> _Verdict:
    if player > dealer:
        return WIN, f"{player} beats {dealer}"
    if player < dealer:
        return LOSE, f"{dealer} beats {player}"
    ties = settle.double_up_ties if kind == DOUBLE_UP else settle.ties
    return _OUTCOMES[ties], f"tie at {player}"

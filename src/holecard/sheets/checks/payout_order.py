"""Warn about settlements in which a better hand is paid less than a worse one.

Such a sheet can be dealt, so that it is not refused. `consistency` refuses settings that contradict each other.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from holecard.errors import Problem
from holecard.odds import odds, spell
from holecard.sheets.compile import dealer_finals
from holecard.sheets.schema import RuleSheet
from holecard.sheets.settlement import settlement_cell
from holecard.sheets.tables import BET, CHARLIE, COMPANION, DEALER_NATURAL, NATURAL

_BETTER = {"lose": 0, "push": 1, "win": 2}


def odd_orderings(sheet: RuleSheet) -> list[Problem]:
    """Return every rule that pays a better hand less, in the order of the sheet's sections."""
    return [*_quick_pay(sheet), *_odds(sheet), *_two_naturals(sheet), *_ties(sheet), *_ruled_totals(sheet)]


def _quick_pay(sheet: RuleSheet) -> Iterator[Problem]:
    offers = sorted(sheet.player.quick_pay.items())
    for (low, lower), (high, higher) in pairwise(offers):
        if odds(higher) < odds(lower):
            what = f"cashing {high} pays less ({higher}) than cashing {low} ({lower})"
            yield Problem(f"player.quick_pay.{high}", what)


def _odds(sheet: RuleSheet) -> Iterator[Problem]:
    """Compare a natural and a charlie with a plain 21."""
    best = max(settlement_cell(sheet, BET, 21, dealer).net for dealer in dealer_finals(sheet))
    if odds(sheet.settle.natural) < best:
        what = f"a natural pays {sheet.settle.natural}, less than any other 21, which pays {spell(best)}"
        yield Problem("settle.natural", what)
    if sheet.player.charlie and settlement_cell(sheet, BET, CHARLIE, 17).net < best:
        what = f"a charlie pays {sheet.settle.charlie}, less than a winning hand of fewer cards ({spell(best)})"
        yield Problem("settle.charlie", what)


def _two_naturals(sheet: RuleSheet) -> Iterator[Problem]:
    """Compare what a natural and any other hand lose to a dealer's natural, both main wagers together."""
    if not sheet.main.companion:
        return
    natural, other = (
        sum(settlement_cell(sheet, kind, player, DEALER_NATURAL).net for kind in (BET, COMPANION))
        for player in (NATURAL, 21)
    )
    if natural < other:
        what = "against a dealer's natural, a natural loses more than any other hand, both wagers together"
        yield Problem("main.companion.two_naturals", what)


def _ties(sheet: RuleSheet) -> Iterator[Problem]:
    settle = sheet.settle
    if sheet.player.double_up != "none" and _BETTER[settle.double_up_ties] > _BETTER[settle.ties]:
        what = f"a tie is better for the Double-Up wager ({settle.double_up_ties}) than for the first ({settle.ties})"
        yield Problem("settle.double_up_ties", what)


def _ruled_totals(sheet: RuleSheet) -> Iterator[Problem]:
    for total, ruled in sheet.settle.when_dealer_has.items():
        if isinstance(ruled, str) or ruled.twenty_one is None:
            continue
        if _BETTER[ruled.twenty_one] < _BETTER[ruled.other]:
            what = f"against a dealer's {total} a 21 does worse ({ruled.twenty_one}) than lower totals ({ruled.other})"
            yield Problem(f"settle.when_dealer_has.{total}", what)

"""`check`: how every pay line of a sheet was read, and warnings about what deserves a second look."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from holecard.odds import odds
from holecard.presentation import Presented
from holecard.sheets.checks.dead_lines import unreachable_lines
from holecard.sheets.checks.line_readings import Reading, line_readings
from holecard.sheets.checks.payout_order import odd_orderings
from holecard.sheets.read import RulesLike, rules
from holecard.sheets.schema import RuleSheet

if TYPE_CHECKING:
    from holecard.exact.favorable_wagers import FavorableWager


@dataclass(frozen=True, slots=True, repr=False)
class SheetCheck(Presented):
    """A sheet that was accepted."""

    _report = "sheets.check"

    rules: RuleSheet
    readings: tuple[Reading, ...]
    """every line of every pay table and tax schedule"""
    warnings: tuple[str, ...]
    """lines that can never pay, better hands that pay less, wagers that favor the player"""
    favors: tuple[FavorableWager, ...]
    """wagers with an EV above zero; the main wager is not computed"""


def check(game: RulesLike, overrides: Mapping[str, object] | None = None, /, **settings: object) -> SheetCheck:
    """Check a sheet; one that cannot be accepted raises SheetError with every problem found.

    Settings are written as for `rules`.
    """
    sheet = rules(game, overrides, **settings)
    favors = _favors(sheet)
    warnings = (*map(str, odd_orderings(sheet)), *map(str, unreachable_lines(sheet)), *map(str, favors))
    return SheetCheck(sheet, tuple(line_readings(sheet)), warnings, favors)


def _favors(sheet: RuleSheet) -> tuple[FavorableWager, ...]:
    """Wagers that favor the player; numba is not loaded where there can be none.

    Insurance at 2 to 1 never favors the player: with an ace up and no ten held, at most 16 of 49 cards are tens.
    """
    if not sheet.wager and (sheet.insurance.pays == "none" or odds(sheet.insurance.pays) <= 2):
        return ()
    from holecard.exact.favorable_wagers import favorable_in_sheet
    from holecard.kernels.cache import compiling

    with compiling("check"):
        return favorable_in_sheet(sheet)

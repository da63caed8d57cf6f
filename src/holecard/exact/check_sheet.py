"""`check`: how every pay line of a sheet was read, with warnings, or the problems of a sheet that is refused."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from holecard.errors import Problem, SheetError
from holecard.odds import odds
from holecard.presentation import Presented
from holecard.sheets.checks.payout_order import odd_orderings
from holecard.sheets.read import RulesLike, rules
from holecard.sheets.schema import RuleSheet

if TYPE_CHECKING:
    from holecard.exact.favorable_wagers import FavorableWager
    from holecard.sheets.checks.line_readings import Reading


@dataclass(frozen=True, slots=True, repr=False)
class SheetCheck(Presented):
    """How a sheet was read, or why it is refused; true if it is accepted.

    As text, it has the warnings below the readings. The command prints warnings and problems on standard error and the
    rest on standard output.
    """

    _report = "sheets.check"

    game: str
    """the name or file of the sheet"""
    rules: RuleSheet | None
    """the sheet; None if it is refused"""
    problems: tuple[Problem, ...]
    """why the sheet is refused: every reason found; empty if it is accepted"""
    readings: tuple[Reading, ...]
    """every line of every pay table and tax schedule"""
    warnings: tuple[str, ...]
    """lines that can never pay, better or rarer hands that pay less, wagers that favor the player or the house much"""
    favors: tuple[FavorableWager, ...]
    """wagers with an EV above zero; the main wager is not computed"""

    @property
    def accepted(self) -> bool:
        """Whether the game can be dealt; there may be warnings."""
        return not self.problems

    def __bool__(self) -> bool:
        return self.accepted


def check(game: RulesLike, overrides: Mapping[str, object] | None = None, /, **settings: object) -> SheetCheck:
    """Return how a sheet was read, with warnings; for a sheet that cannot be dealt, every problem found.

    Settings are written as for `rules`. `if check("mine.toml")` is true for a sheet that is accepted.
    """
    try:
        sheet = rules(game, overrides, **settings)
    except SheetError as refused:
        return SheetCheck(refused.sheet, None, refused.problems, (), (), ())
    readings, never_paid = _pay_lines(sheet)
    favors, odd_payouts = _payouts(sheet)
    warnings = (*map(str, odd_orderings(sheet)), *map(str, never_paid), *map(str, favors), *odd_payouts)
    return SheetCheck(sheet.origin[0] or sheet.name, sheet, (), readings, warnings, favors)


def _pay_lines(sheet: RuleSheet) -> tuple[tuple[Reading, ...], list[Problem]]:
    """Return how every pay line was read, and lines and upcards that never pay; without side wagers there are none."""
    if not sheet.wager:
        return (), []
    from holecard.sheets.checks.dead_lines import unreachable_lines, upcards_without_lines
    from holecard.sheets.checks.line_readings import line_readings

    return tuple(line_readings(sheet)), [*unreachable_lines(sheet), *upcards_without_lines(sheet)]


def _payouts(sheet: RuleSheet) -> tuple[tuple[FavorableWager, ...], tuple[str, ...]]:
    """Return the wagers that favor the player, and odd payouts; numba is not loaded where there can be none.

    Insurance at 2 to 1 never favors the player: with an ace up and no ten held, at most 16 of 49 cards are tens.
    """
    if not sheet.wager and (sheet.insurance.pays == "none" or odds(sheet.insurance.pays) <= 2):
        return (), ()
    from holecard.exact.favorable_wagers import checked_wagers
    from holecard.kernels.cache import compiling

    with compiling("check"):
        return checked_wagers(sheet)

"""What is said about bets in reports about counting: the unit, the limits that replaced it, and small samples."""

from __future__ import annotations

from collections.abc import Iterator

from holecard.advantage.counting import SAMPLED_SHOES
from holecard.advantage.counting_result import CountingPlan, WagerCounting, limits_of
from holecard.advantage.targets import Target
from holecard.money import dollars
from holecard.report.document import QUIET, Block, Paragraph
from holecard.sheets.schema import RuleSheet
from holecard.wagers.pay_table import Limits

#: Standard errors from fewer shoes are rough.
_FEW_SHOES = 100


def bets_text(sheet: RuleSheet, plan: CountingPlan) -> str:
    """Return the bets and the pace."""
    stakes = sheet.tables.stakes[:2]
    unit = dollars(plan.bet) + (f" each on {' and '.join(stakes)}" if sheet.tables.has_companion else "")
    return f"one unit is {unit}; 1 to {plan.spread} on the main wager; {plan.pace} rounds an hour"


def limits_text(sheet: RuleSheet, plan: CountingPlan) -> str:
    """Return which bets were asked for, where the limits of the main wager replaced them."""
    bet = [] if plan.asked_bet is None else [f"a unit of {dollars(plan.asked_bet)}"]
    spread = [] if plan.asked_spread is None else [f"1 to {plan.asked_spread}"]
    if not bet and not spread:
        return ""
    asked = " and ".join([*bet, *spread])
    return f"the main wager takes {_range(sheet.tables.main)}; asked for: {asked}"


def unit_text(target: Target) -> str:
    """Return what EVs are per."""
    return f"unit of initial stake ({target.unit})" if target.kind == "main" else target.unit


def stake_text(sheet: RuleSheet, wager: WagerCounting, plan: CountingPlan) -> str:
    """Return the bet on a side wager, where its limits do not allow one unit."""
    if wager.target.kind != "side" or wager.target.in_dollars or wager.stake == plan.bet:
        return ""
    return f" Bets of {dollars(wager.stake)}, because it takes {_range(limits_of(sheet, wager.target))}."


def _range(limits: Limits) -> str:
    return f"{dollars(limits.low)} to {dollars(limits.high)} in steps of {dollars(limits.step)}"


def sample_text(wagers: tuple[WagerCounting, ...], plan: CountingPlan) -> str:
    """Return how many shoes were sampled, and in how many the main wager was valued."""
    has_main = any(wager.target.kind == "main" for wager in wagers)
    main = f", {plan.shoes:,} of them with EVs of the main wager" if has_main else ""
    return f"{max(SAMPLED_SHOES, plan.shoes):,} shoes{main}, seed {plan.seed}"


def rough_errors(wagers: tuple[WagerCounting, ...], plan: CountingPlan) -> Iterator[Block]:
    """Yield a warning about small samples of the main wager; other wagers are always valued in a large one."""
    if plan.shoes < _FEW_SHOES and any(wager.target.kind == "main" for wager in wagers):
        yield Paragraph(
            f"With fewer than {_FEW_SHOES} shoes, standard errors are rough and counters' gains are probably too low.",
            QUIET,
        )

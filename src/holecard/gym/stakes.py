"""The stakes of an environment: the unit, the bets to choose from, and side wagers by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import lcm

from holecard.errors import WagerRefused, did_you_mean, shortly
from holecard.money import Money, MoneyLike, money
from holecard.sheets.tables import Tables

_SPREAD = (1, 2, 4, 8)


def unit_bet(tables: Tables) -> Money:
    """Return the smallest main wager that pays everything in whole cents and can be insured exactly.

    The minimum where no wager within the limits does.
    """
    limits = tables.main
    rows = [*(row for kind in tables.settlement for row in kind), tables.surrender]
    rows += [row for row in tables.quick_pay if row is not None]
    whole = lcm(*{cell.net.denominator for row in rows for cell in row})
    for bet in range(limits.low, limits.high + 1, limits.step):
        if bet % whole == 0 and _is_insurable(tables, bet):
            return Money.cents(bet)
    return Money.cents(limits.low)


def _is_insurable(tables: Tables, bet: int) -> bool:
    if tables.insurance is None:
        return True
    most = bet * tables.insurance_share
    return most >= tables.insurance_low and most % tables.insurance_step == 0 and (most * tables.insurance) % 1 == 0


def bets_to_choose(tables: Tables, given: Sequence[MoneyLike] | None, unit: Money) -> tuple[Money, ...]:
    """Return the bets of an agent that bets: those given, or 1, 2, 4 and 8 units within the limits."""
    if given is None:
        return tuple(unit * times for times in _SPREAD if tables.main.allows(unit * times))
    found = tuple(money(bet) for bet in given)
    if not found or len(set(found)) < len(found):
        raise WagerRefused(f"bets: {shortly(given)} does not list bets; write different amounts, such as [10, 20, 50]")
    for bet in found:
        check_bet(tables, bet, "bets")
    return found


def check_bet(tables: Tables, bet: Money, option: str) -> None:
    """Refuse a main wager outside the limits."""
    if not tables.main.allows(bet):
        raise WagerRefused(f"{option}: {bet} is outside the limits; it must be {tables.main}")


def stakes_by_wager(tables: Tables, given: Mapping[str, MoneyLike] | None) -> dict[int, Money]:
    """Return the stakes by number of the wager, in the order of the sheet."""
    found: dict[int, Money] = {}
    for name, amount in (given or {}).items():
        index = tables.wager_index(name)
        if index is None:
            hint = did_you_mean(name, [wager.name for wager in tables.wagers]) or "this game has none"
            raise WagerRefused(f"wagers: no side wager is called {shortly(name)}; {hint}")
        stake, limits = money(amount), tables.wagers[index].limits
        if not limits.allows(stake):
            raise WagerRefused(f"wagers: {tables.wagers[index].name}: the stake must be {limits}")
        found[index] = stake
    return dict(sorted(found.items()))

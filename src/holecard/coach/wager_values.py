"""The EV of side wagers: before the deal from a full shoe, and after the check given the cards on the table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache

from holecard.coach.amounts import cents_text
from holecard.coach.player_view import KnownHand
from holecard.composition import Composition, full
from holecard.deck import VALUES
from holecard.exact.solved_game import main_ev
from holecard.exact.wagers.after_check import placed_ev
from holecard.exact.wagers.wager_values import reason_not_computed, wager_result
from holecard.payoffs.wager_payoffs import WagerPayoffs
from holecard.sheets.schema import RuleSheet
from holecard.sheets.tables import BET, Tables
from holecard.wagers.pay_table import Limits, SideWager


@dataclass(frozen=True, slots=True)
class WagerValue:
    """What a wager is worth."""

    wager: str
    """Its name."""
    ev: float
    """The expected net win per dollar staked; in dollars per round where stakes or payouts are fixed amounts."""
    text: str
    """The same in words: "costs 7.2¢ per $1"."""


@lru_cache(64)
def main_wager_ev(sheet: RuleSheet) -> float:
    """Return the EV of the main wager from a full shoe, per unit of initial stake, with the best play."""
    return main_ev(sheet)


def prepare_coach(sheet: RuleSheet) -> None:
    """Compute what every review of a sheet needs, so that kernels are compiled and no question has to wait."""
    early_values(sheet)


def early_values(sheet: RuleSheet) -> tuple[WagerValue, ...]:
    """Return the wagers placed before the deal, from a full shoe; the main wager comes first."""
    tables = sheet.tables
    main = main_wager_ev(sheet)
    found = [WagerValue(tables.stakes[BET], main, _per_dollar(main, per_round=False))]
    for index in tables.early_wagers:
        wager = tables.wagers[index]
        if (exact := _full_shoe_ev(sheet, wager)) is not None:
            in_dollars = WagerPayoffs(wager).in_dollars
            found.append(WagerValue(wager.name, float(exact), _per_dollar(float(exact), per_round=in_dollars)))
    return tuple(found)


def early_cents(sheet: RuleSheet, wager: SideWager, stake: int) -> float:
    """Return the expected result of a stake placed before the deal, in cents, taxes subtracted."""
    ev = _full_shoe_ev(sheet, _at_stake(wager, stake)) or Fraction(0)
    return float(ev * (100 if WagerPayoffs(wager).in_dollars else stake))


@lru_cache(512)
def _full_shoe_ev(sheet: RuleSheet, wager: SideWager) -> Fraction | None:
    """Return the EV; None where the wager cannot be computed."""
    shoe = full(sheet.shoe.decks)
    if reason_not_computed(sheet.tables, wager, shoe) is not None:
        return None
    return wager_result(sheet.tables, wager, shoe).exact


def _at_stake(wager: SideWager, stake: int) -> SideWager:
    """Return a wager whose EV is in dollars with this stake as its smallest one; others do not depend on the stake."""
    if not WagerPayoffs(wager).in_dollars or wager.token:
        return wager
    low = type(wager.limits.low).cents(stake)
    return replace(wager, limits=Limits(low, max(low, wager.limits.high), wager.limits.step))


def late_values(tables: Tables, names: Sequence[str], hand: KnownHand, shoe: Composition) -> tuple[WagerValue, ...]:
    """Return wagers placed after the check, given the cards seen; see `late_evs` for the arguments."""
    wagers = [wager for wager in tables.wagers if wager.name in names]
    evs = _late_evs(tables, wagers, hand, shoe)
    return tuple(
        WagerValue(
            wager.name,
            float(evs[wager.name]),
            _per_dollar(float(evs[wager.name]), per_round=WagerPayoffs(wager).in_dollars),
        )
        for wager in wagers
        if wager.name in evs
    )


def late_cents(tables: Tables, name: str, stake: int, before: int, hand: KnownHand, shoe: Composition) -> float:
    """Return the expected result, in cents, of raising a wager after the check from `before` by `stake`."""
    wager = next(wager for wager in tables.wagers if wager.name == name)
    if not WagerPayoffs(wager).in_dollars:
        return float(stake * _late_evs(tables, [wager], hand, shoe)[name])

    def worth(amount: int) -> Fraction:
        return _late_evs(tables, [_at_stake(wager, amount)], hand, shoe)[name] if amount else Fraction(0)

    return float(100 * (worth(before + stake) - worth(before)))


def _late_evs(tables: Tables, wagers: Sequence[SideWager], hand: KnownHand, shoe: Composition) -> dict[str, Fraction]:
    """Return the EVs by name; `hand` is a seat's first, and the shoe still holds its first two cards and the dealer's.

    After a split the first two cards are known by value: one card of each of the first two hands stands for them.
    """
    known = [_given_cards(wager, hand) for wager in wagers]
    upcard = VALUES[hand.dealer[0]]
    open_ = [wager for wager in known if upcard in wager.offered_upcards]
    evs = placed_ev(tables, open_, shoe, _first_two(hand), (upcard,))
    lost = {wager.name: _lost(wager) for wager in known if wager not in open_}
    return {**evs, **lost}


def _lost(wager: SideWager) -> Fraction:
    return WagerPayoffs(wager).paid(None)


def _first_two(hand: KnownHand) -> tuple[int, ...]:
    values = [VALUES[card] for card in hand.cards]
    return (values[0], values[0]) if hand.hands > 1 else (values[0], values[1])


def _given_cards(wager: SideWager, hand: KnownHand) -> SideWager:
    """Return a wager without its conditions on first cards that are seen: only the lines that they leave open."""
    seen = (*hand.cards[:2], *hand.dealer)
    if hand.hands > 1 or wager.looks_at > len(seen) or not any(line.hand for line in wager.lines):
        return wager
    live = tuple(replace(line, hand=None) for line in wager.live_lines(seen))
    return replace(wager, lines=live)


def _per_dollar(ev: float, *, per_round: bool) -> str:
    unit = "per round" if per_round else "per $1"
    worth = cents_text(abs(100 * ev), signed=False)
    if worth == cents_text(0.0, signed=False):
        return f"costs nothing {unit}"
    return f"{'costs' if ev < 0 else 'gains'} {worth} {unit}"

"""The wagers that a counter may bet on: the main wager, insurance, and every side wager of a sheet."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from holecard.composition import Composition
from holecard.errors import Refusal, did_you_mean
from holecard.exact.charts.chart_cache import cached_best_chart
from holecard.exact.main.batches import map_threads
from holecard.exact.shoe_values import insurance_values, main_values, wager_values, wager_values_by_upcard
from holecard.exact.shoe_values.small_shoes import extended_values
from holecard.exact.solved_game import main_ev
from holecard.kernels.arrays import Floats
from holecard.money import Money, dollars
from holecard.payoffs.wager_payoffs import WagerPayoffs
from holecard.payoffs.wager_terms import wager_terms
from holecard.presentation import Brief
from holecard.sheets.schema import RuleSheet

TargetKind: TypeAlias = Literal["main", "chart", "insurance", "side"]
MAIN_TARGET = "main"
INSURANCE_TARGET = "insurance"
#: The main wager again, played by the best chart of a full shoe.
CHART_TARGET = "main by the chart"
_AFTER_CHECK = "given that neither side has a natural, when the wager can be placed"
_ACE_UP = "given that an ace is up"


@dataclass(frozen=True, repr=False)
class Target(Brief):
    """One wager; the main wager is "main", and side wagers have their names on the sheet."""

    kind: TargetKind
    name: str
    by_suit: bool = False
    """whether the suits of cards matter"""
    unit: str = "unit staked"
    given: str = ""
    """what its EVs are conditioned on, and which bets they include"""
    equal_bets: int = 1
    """bets of equal size that are one unit together: 2 where the main wager has a companion"""
    on_sheet: str = ""
    """the name of a side wager on the sheet, where it is the same as that of another target"""
    sees_upcard: bool = False
    """whether the upcard is seen before the wager is placed, so that a bet can depend on it"""
    needed: tuple[tuple[str, float], ...] = ()
    """side wagers that must be placed, too, and how much of their EVs is added to the EV of this one"""

    @property
    def in_dollars(self) -> bool:
        """Whether EVs are dollars per round, whatever is staked."""
        return "dollars" in self.unit

    @property
    def is_linear(self) -> bool:
        """Whether the EV is an average over all deals: no decision changes it, and no deal is left out."""
        return self.kind != "main" and not self.sees_upcard

    @property
    def wager(self) -> str:
        """The name of a side wager on the sheet."""
        return self.on_sheet or self.name

    def values(
        self, sheet: RuleSheet, shoes: NDArray[Any], *, threads: int | None = None, device: str = "cpu"
    ) -> Floats:
        """Return [shoe] exact EVs per unit; `shoes` has 52 columns. NaN where a shoe cannot decide the wager."""
        if self.kind == "main":
            return main_values(sheet, shoes, threads=threads, device=device)
        if self.kind == "chart":
            return _chart_values(sheet, shoes, threads or os.cpu_count() or 1)
        if self.kind == "insurance":
            return insurance_values(sheet, shoes)
        found = wager_values(sheet, self.wager, shoes, threads=threads)
        for name, share in self.needed:
            found += share * wager_values(sheet, name, shoes, threads=threads)
        return found

    def round_values(
        self, sheet: RuleSheet, shoes: NDArray[Any], *, threads: int | None = None, device: str = "cpu"
    ) -> Floats:
        """Return [shoe] EVs before a round: exact ones, and for the main wager approximate ones from small shoes."""

        def exact(cards: NDArray[Any]) -> Floats:
            return self.values(sheet, cards, threads=threads, device=device)

        return extended_values(sheet, shoes, exact) if self.kind in ("main", "chart") else exact(shoes)

    def values_by_upcard(self, sheet: RuleSheet, shoes: NDArray[Any], *, threads: int | None = None) -> Floats:
        """Return [shoe, 2, v] exact EVs per unit with each upcard, and how often it is placed against that upcard.

        An upcard against which it is never placed gets 0 for both. NaN where a shoe cannot decide the wager.
        """
        evs, shares = wager_values_by_upcard(sheet, self.wager, shoes, threads=threads)
        for name, share in self.needed:
            evs = evs + share * wager_values_by_upcard(sheet, name, shoes, threads=threads)[0]
        return np.stack([np.where(shares == 0, 0.0, evs), shares], axis=1)

    def offered(self, shoes: NDArray[Any]) -> Floats:
        """Return [shoe] how often the wager is offered, per round: insurance needs an ace up."""
        if self.kind != "insurance":
            return np.ones(len(shoes))
        shares: Floats = shoes[:, :4].sum(axis=1) / np.maximum(shoes.sum(axis=1), 1)
        return shares


def _chart_values(sheet: RuleSheet, shoes: NDArray[Any], threads: int) -> Floats:
    """Return [shoe] the EV of the main wager played by the best chart of a full shoe."""
    chart = cached_best_chart(sheet).chart

    def play_one(row: int) -> float:
        ranks = tuple(shoes[row].reshape(13, 4).sum(axis=1, dtype=np.int64).tolist())
        try:
            return main_ev(sheet, Composition(ranks), chart)
        except Refusal:  # too few cards for the longest round
            return float("nan")

    return np.array(map_threads(play_one, list(range(len(shoes))), threads), np.float64)


def with_needed(sheet: RuleSheet, target: Target, stake: Money) -> Target:
    """Return a side wager whose EVs include the smallest bets on the wagers that it needs; `stake` is its own bet."""
    wagers = {wager.name: wager for wager in sheet.tables.wagers}
    names = [target.wager]
    while (name := wagers[names[-1]].needs) is not None and name not in names:
        names.append(name)
    if not names[1:]:
        return target
    unit = 1.0 if target.in_dollars else int(stake) / 100
    bets, needed, by_suit = [], [], target.by_suit
    for wager in (wagers[name] for name in names[1:]):
        low = wager.limits.low
        needed.append((wager.name, (1.0 if WagerPayoffs(wager).in_dollars else int(low) / 100) / unit))
        bets.append(f"{dollars(low)} on {wager.name}")
        by_suit = by_suit or wager_terms(wager).needs_suits
    together = f"together with {' and '.join(bets)}, which it needs"
    given = f"{target.given}, {together}" if target.given else together
    return replace(target, given=given, by_suit=by_suit, needed=tuple(needed))


def targets_of(sheet: RuleSheet, names: tuple[str, ...] = ()) -> tuple[Target, ...]:
    """Return the targets of a sheet, or those of these names in any capitals.

    "main" and "insurance" are the game's own; a side wager called Main is "Main (side wager)".
    """
    equal_bets = 1 + sheet.tables.has_companion
    found = [Target("main", MAIN_TARGET, unit=" and ".join(sheet.tables.stakes[:equal_bets]), equal_bets=equal_bets)]
    if sheet.tables.insurance is not None:
        found.append(Target("insurance", INSURANCE_TARGET, given=_ACE_UP))
    for wager in sheet.tables.wagers:
        given = _AFTER_CHECK if wager.after_check else ""
        is_taken = wager.name.lower() in (MAIN_TARGET, INSURANCE_TARGET)
        name, on_sheet = (f"{wager.name} (side wager)", wager.name) if is_taken else (wager.name, "")
        needs_suits, unit = wager_terms(wager).needs_suits, WagerPayoffs(wager).unit
        found.append(Target("side", name, needs_suits, unit, given, 1, on_sheet, wager.after_check))
    if not names:
        return tuple(found)
    known = {target.name.lower(): target for target in found}
    for name in names:
        if name.strip().lower() not in known:
            hint = did_you_mean(name, [target.name for target in found])
            raise Refusal(f"{sheet.name} has no wager {name!r}; {hint}")
    wanted = {name.strip().lower() for name in names}
    return tuple(target for target in found if target.name.lower() in wanted)

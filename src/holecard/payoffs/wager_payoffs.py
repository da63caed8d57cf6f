"""What a side wager wins or loses with each outcome: odds, fixed payouts, tokens and taxes as fractions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from holecard.money import dollars
from holecard.payoffs.wager_terms import WagerOutcome
from holecard.wagers.pay_table import SideWager


@dataclass(frozen=True)
class WagerPayoffs:
    """Net results of a side wager.

    They are per unit staked, or in dollars where a payout is a fixed amount or the stake is a token.
    """

    wager: SideWager

    @cached_property
    def in_dollars(self) -> bool:
        return self.wager.token or any(line.pays.fixed is not None for line in self.wager.lines)

    @cached_property
    def stake(self) -> Fraction:
        """One unit, or the smallest stake in dollars."""
        return Fraction(self.wager.limits.low, 100) if self.in_dollars else Fraction(1)

    @property
    def unit(self) -> str:
        if not self.in_dollars:
            return "unit staked"
        staked = "" if self.wager.token else f" with {dollars(self.wager.limits.low)} staked"
        return f"round{staked}, in dollars"

    def average(self, ways: Mapping[WagerOutcome, int]) -> Fraction:
        """Return the expected net win, given the number of ways of each outcome."""
        return sum((self.net(outcome) * number for outcome, number in ways.items()), Fraction(0)) / sum(ways.values())

    def net(self, outcome: WagerOutcome) -> Fraction:
        """Return the net result of an outcome, the tax subtracted."""
        return self.paid(outcome.line) - self.taxed(outcome.tax)

    def parts(self, outcome: WagerOutcome) -> tuple[Fraction, Fraction]:
        """Return what an outcome wins per unit staked, and what it wins besides in dollars, whatever the stake is."""
        fixed = -self.taxed(outcome.tax)
        if outcome.line is None:
            return Fraction(0 if self.wager.token else -1), fixed
        pays = self.wager.lines[outcome.line].pays
        return (pays.odds, fixed) if pays.fixed is None else (Fraction(0), fixed + Fraction(pays.fixed, 100))

    def paid(self, number: int | None) -> Fraction:
        """Return the net result of a line before tax; None is the lost stake."""
        if number is None:
            return Fraction(0) if self.wager.token else -self.stake
        pays = self.wager.lines[number].pays
        return self.stake * pays.odds if pays.fixed is None else Fraction(pays.fixed, 100)

    def taxed(self, number: int | None) -> Fraction:
        """Return the amount of a tax line, or 0 for None."""
        return Fraction(0) if number is None else Fraction(self.wager.tax[number].pays.fixed or 0, 100)

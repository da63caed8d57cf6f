"""Runs of other rounds, whose exact numbers are known, too: luck-adjusted, from one deck, and from shoes dealt down.

A luck-adjusted mean has an error a hundred times smaller than that of the same rounds, so it shows small mistakes of
the exact EV and of the simulation. Mistakes about the cards left are about six times larger with one deck.

Shoes that are dealt down are compared where their EV is that of a fresh shoe. The cards of a shoe are in random order,
so every round of a shoe has the same EV as the first, as long as the number of rounds does not depend on the cards. And
the same rounds must be counted equally by all kernels that play them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from holecard.charts.every_action import every_action
from holecard.charts.layout import Layout
from holecard.errors import Refusal, SheetError
from holecard.exact.analysis import analyze
from holecard.exact.results import Analysis
from holecard.exact.solved_game import main_ev
from holecard.exact.strategies import Strategy
from holecard.sheets.read import rules
from holecard.sheets.schema import RuleSheet
from holecard.simulation.claims.round_claims import MAIN, claims
from holecard.simulation.procedures import FRESH
from holecard.simulation.results import Simulation
from holecard.simulation.simulate import simulate
from holecard.simulation.simulate_luck import simulate_luck
from holecard.simulation.statistics.comparisons import Claim, DeviationClaim, HistogramClaim, MeanClaim
from holecard.simulation.statistics.estimates import Estimate

_ONE_DECK, _DEALT_DOWN = "one deck", "dealt down"
#: Rounds of these runs; each takes less than a tenth of a second.
_LUCK_ROUNDS, _ONE_DECK_ROUNDS, _SHOE_ROUNDS = 100_000, 1_000_000, 200_000
#: Luck is rounded down to steps; see docs/simulation.md.
_LUCK_ROUNDING = 3e-8
#: More cards than a round takes, but for one in billions: with as many for each round, a shoe does not run out.
_CARDS_OF_A_ROUND = 26
#: With fewer, sampled errors are too rough for a normal distribution.
_FEW_ROUNDS = 10_000
_EVERY_ACTION = "every action"


@dataclass
class OtherRuns:
    """Plays the other rounds of a verification."""

    sheet: RuleSheet
    judged: RuleSheet
    """the sheet of the exact numbers"""
    player: Strategy
    seed: int
    rounds: int
    """of the main run; the others are not longer"""
    compared: int = 0
    """numbers that two kernels counted in the same rounds"""
    differences: list[str] = field(default_factory=list)
    """those that differ, as text"""
    left_out: list[str] = field(default_factory=list)
    """what could not be played, and why"""

    def claims(self, exact: Analysis) -> Iterator[Claim]:
        """Yield the claims about all of these runs."""
        if self.rounds < _FEW_ROUNDS:
            self.left_out.append(f"other rounds: {_FEW_ROUNDS:,} or more rounds are needed")
            return
        tried = Strategy(_EVERY_ACTION, every_action(self.sheet.tables))
        evs = {self.player: exact.main.ev, tried: main_ev(self.judged, strategy=tried.chart)}
        for player, ev in evs.items():
            yield from self._luck(MAIN, self.sheet, player, ev)
        yield from self._one_deck()
        yield from self._dealt_down(exact.main.ev)

    def _luck(
        self, name: str, sheet: RuleSheet, player: Strategy, ev: float, procedure: str = FRESH
    ) -> Iterator[Claim]:
        """Yield the luck-adjusted mean, which must be the exact EV, and the mean luck, which must be 0."""
        tries = f", {_EVERY_ACTION}" if player.name == _EVERY_ACTION else ""
        rounds = min(self.rounds, _LUCK_ROUNDS)
        try:
            found = simulate_luck(sheet, player, rounds, self.seed, procedure=procedure).result
        except Refusal as refused:
            self.left_out.append(f"{name}, luck-adjusted: {refused}")
            plain = self._plain(sheet, player, procedure)
            yield MeanClaim(name, f"mean{tries}, some rounds", ev, plain.ev, plain.standard_error)
            return
        if not tries:
            plain = self._plain(sheet, player, procedure)
            self._same(f"{name}, mean of the same rounds", found.raw.ev, plain.ev)
        adjusted = found.luck_adjusted
        yield MeanClaim(name, f"mean{tries}, luck-adjusted", ev, adjusted.ev, adjusted.standard_error, _LUCK_ROUNDING)
        if not tries:
            yield MeanClaim(name, "mean luck", 0.0, found.luck.ev, found.luck.standard_error, _LUCK_ROUNDING)

    def _plain(self, sheet: RuleSheet, player: Strategy, procedure: str) -> Estimate:
        rounds = min(self.rounds, _LUCK_ROUNDS)
        return simulate(sheet, player, rounds, self.seed, procedure=procedure, wagers=()).main.estimate

    def _one_deck(self) -> Iterator[Claim]:
        """Yield the claims about the same sheet with one deck, and at most two hands of a split pair.

        With more hands, the exact distribution takes as long as everything else.
        """
        try:
            sheet, judged = (_with_one_deck(one) for one in (self.sheet, self.judged))
        except SheetError as refused:
            self.left_out.append(f"{_ONE_DECK}: {refused.problems[0]}")
            return
        if Layout.of(sheet.tables) != self.player.chart.layout:
            self.left_out.append(f"{_ONE_DECK}: its charts have other rows")
            return
        exact = analyze(judged, strategy=self.player)
        yield from self._luck(f"{MAIN}, {_ONE_DECK}", sheet, self.player, exact.main.ev)
        sampled = simulate(sheet, self.player, min(self.rounds, _ONE_DECK_ROUNDS), self.seed, draws_out=True)
        for claim in claims(exact, sampled):
            # Lines, shares and means are in the net results; there are enough of them in the main run.
            if isinstance(claim, HistogramClaim | DeviationClaim) and (
                claim.name == MAIN or claim.what != "standard deviation"
            ):
                yield replace(claim, name=f"{claim.name}, {_ONE_DECK}")

    def _dealt_down(self, ev: float) -> Iterator[Claim]:
        """Compare shoes of one round with fresh shoes, and claim the mean of shoes of several rounds."""
        rounds = min(self.rounds, _SHOE_ROUNDS)
        fresh, shoes = (
            simulate(self.sheet, self.player, rounds, self.seed, procedure=procedure, draws_out=True)
            for procedure in (FRESH, "rounds:1")
        )
        for name, counted in _counted(fresh).items():
            self._same(f"shoes of one round, {name}", _counted(shoes)[name], counted)
        several = max(1, self.sheet.shoe.decks * 52 // _CARDS_OF_A_ROUND)
        yield from self._luck(f"{MAIN}, {_DEALT_DOWN}", self.sheet, self.player, ev, f"rounds:{several}")

    def _same(self, name: str, one: object, other: object) -> None:
        self.compared += 1
        is_same = abs(one - other) < 1e-9 if isinstance(one, float) and isinstance(other, float) else one == other
        if not is_same:
            self.differences.append(f"{name}: {_shortened(one)} by one kernel, {_shortened(other)} by another")


def _with_one_deck(sheet: RuleSheet) -> RuleSheet:
    return rules(sheet, {"shoe.decks": 1, "player.split_hands": min(2, sheet.player.split_hands)})


def _counted(found: Simulation) -> dict[str, object]:
    """Return everything that a run counts, by name."""
    main, insurance = found.main, found.insurance
    wagers = {f"{wager.name}, lines": (wager.lines, wager.taxes) for wager in main.wagers}
    return {
        "net results": main.histogram,
        "stakes": main.staked,
        "dealer's first cards": found.dealers,
        "dealer's final hands": found.endings,
        "insurance": None if insurance is None else insurance.histogram,
        **{f"{wager.name}, net results": wager.histogram for wager in main.wagers},
        **wagers,
    }


def _shortened(counted: object) -> str:
    text = str(counted)
    return text if len(text) <= 60 else f"{text[:60]}…"

"""Result classes of the exact analysis. Every number states its unit and what it is conditioned on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias

from holecard.deck import value_name
from holecard.exact.deferred import Deferred
from holecard.presentation import Brief, Presented

if TYPE_CHECKING:
    from holecard.charts.chart import Chart
    from holecard.composition import Composition
    from holecard.sheets.schema import RuleSheet

#: Is called at the start of each stage of a computation, with its name and the share of the work that is done.
OnStage: TypeAlias = Callable[[str, float], None]
#: What the player follows unless a strategy is given.
OPTIMUM = "composition-dependent optimum"
#: The convention for split hands under which every number of the main game is computed.
CDZ_CONVENTION = (
    "CDZ-: every hand, split or not, is played by its own cards and the dealer's face-up cards; "
    "resplits up to the table limit are computed exactly"
)
#: The same where the player follows a chart.
CHART_CONVENTION = (
    "every hand, split or not, is played by one chart of totals and pairs; "
    "resplits by the chart, up to the table limit, are computed exactly"
)
#: The same where split hands are played by all the cards seen.
OPTIMAL_CONVENTION = (
    "optimal: a pair makes at most two hands, the first is finished before the second gets a card, "
    "and every decision uses all the cards seen"
)
#: What the EVs of a starting hand's actions are conditioned on.
NO_NATURAL = "given that the dealer has no blackjack"
BEFORE_CHECK = "before the dealer checks for blackjack"
HOLE_UNKNOWN = "while the dealer may still have a blackjack"
BOTH_UP = "with both dealer cards face up, not a blackjack"
#: The unit in which a wager on the final hand is counted.
IN_LOWEST_TERMS = "equally likely deals, reduced to lowest terms"


@dataclass(frozen=True, slots=True)
class ActionEV:
    """A legal action and its EV, per unit of initial stake."""

    action: str
    ev: float


@dataclass(frozen=True, slots=True, repr=False)
class StartingHand(Brief):
    """Two cards against the dealer's card or cards, by value (1 is an ace), and the EV of each action."""

    player: tuple[int, ...]
    dealer: tuple[int, ...]
    probability: float
    """of starting with this hand and coming to a decision"""
    given: str
    """what the EVs are conditioned on"""
    choices: tuple[ActionEV, ...]
    """best first"""
    is_pair: bool = False
    """May be split. Two tens of different rank may not be where the sheet splits by rank."""

    @property
    def best(self) -> ActionEV:
        """The action with the highest EV."""
        return self.choices[0]

    @property
    def spot(self) -> str:
        """The hand in notation: "T,6 v T"."""
        no_pair = self.player == (10, 10) and not self.is_pair
        player = "K,Q" if no_pair else ",".join(map(value_name, self.player))
        return f"{player} v {','.join(map(value_name, self.dealer))}"


@dataclass(frozen=True, slots=True, repr=False)
class NetResults(Brief):
    """The net results of a round of the main wager, in units of initial stake."""

    average_stake: float
    """Money on the table at the end, with doubles and splits, per unit of initial stake."""
    distribution: tuple[tuple[Fraction, float], ...]
    """net result of a round and its probability, lowest first"""
    probability_errors: tuple[float, ...]
    """How far each probability of the distribution may be off, in the same order; about 1e-13 where it is exact."""
    standard_deviation: float
    standard_deviation_error: float
    """How far rounding may have moved `standard_deviation`."""
    method: str
    """How the distribution and standard deviation were computed: "exact", or what is not exact."""


@dataclass(frozen=True, slots=True, repr=False)
class MainGame(Brief):
    """The main wager, per unit of initial stake.

    The net results take much longer to compute than the EV, so they are computed when one of them is first read.
    """

    unit: str
    """What one unit is: the main wager, or both main wagers where a companion is placed with it."""
    ev: float
    error_bound: float
    """The exact EV is within this of `ev`."""
    net_results: Deferred[NetResults]
    fixed_ev: float | None = None
    """The EV under CDZ-, where `ev` is that of optimal play after splits.

    Then `average_stake`, `distribution` and `standard_deviation` (and `win`, `push`, `loss`) are also those of CDZ-:
    they are not computed for optimal play after splits.
    """

    def with_net_results(self, **changes: Any) -> MainGame:
        """Return the same main game with some of its net results replaced."""
        return replace(self, net_results=Deferred.of(replace(self.net_results.value, **changes)))

    @property
    def average_stake(self) -> float:
        """Money on the table at the end, with doubles and splits, per unit of initial stake."""
        return self.net_results.value.average_stake

    @property
    def distribution(self) -> tuple[tuple[Fraction, float], ...]:
        """net result of a round and its probability, lowest first"""
        return self.net_results.value.distribution

    @property
    def probability_errors(self) -> tuple[float, ...]:
        """How far each probability of the distribution may be off, in the same order; about 1e-13 where it is exact."""
        return self.net_results.value.probability_errors

    @property
    def standard_deviation(self) -> float:
        return self.net_results.value.standard_deviation

    @property
    def standard_deviation_error(self) -> float:
        """How far rounding may have moved `standard_deviation`."""
        return self.net_results.value.standard_deviation_error

    @property
    def distribution_method(self) -> str:
        """How the distribution and standard deviation were computed: "exact", or what is not exact."""
        return self.net_results.value.method

    @property
    def house_edge(self) -> float:
        return -self.ev

    @property
    def element_of_risk(self) -> float:
        """The expected loss per unit of money bet; under CDZ- where `fixed_ev` is given, as the average stake is."""
        return -(self.ev if self.fixed_ev is None else self.fixed_ev) / self.average_stake

    @property
    def win(self) -> float:
        return sum(probability for net, probability in self.distribution if net > 0)

    @property
    def push(self) -> float:
        return sum(probability for net, probability in self.distribution if net == 0)

    @property
    def loss(self) -> float:
        return sum(probability for net, probability in self.distribution if net < 0)


@dataclass(frozen=True, slots=True, repr=False)
class LineResult(Brief):
    """One line of a pay table: how many combinations it wins, and what that contributes to the EV."""

    line: str
    pays: str
    net: Fraction
    """net win per unit staked; in dollars where the unit is a round"""
    combinations: int
    probability: Fraction
    contribution: Fraction
    """net times probability"""


@dataclass(frozen=True, slots=True, repr=False)
class WagerResult(Brief):
    """A side wager, exactly. `exact` is the expected net win per `unit`; the last line is the lost stake."""

    name: str
    unit: str
    """ "unit staked", or "round, in dollars" where stakes or payouts are fixed amounts."""
    given: str
    """When it can be placed, where that is not always: "after the check, …"."""
    exact: Fraction
    hit_frequency: Fraction
    """probability of a net win"""
    standard_deviation: float
    combinations: int
    counted: str
    """What one combination is."""
    lines: tuple[LineResult, ...]
    taxes: tuple[LineResult, ...] = ()
    """what taxes take, as negative contributions"""
    by_upcard: tuple[tuple[int, Fraction], ...] = ()
    """expected net win with each upcard, for a wager placed once the upcard is seen"""
    printed: bool = True

    @property
    def ev(self) -> float:
        return float(self.exact)

    @property
    def house_edge(self) -> float:
        """The expected loss per `unit`."""
        return -self.ev

    @property
    def payouts(self) -> Fraction:
        """The sum of the lines' contributions, before any tax."""
        return sum((line.contribution for line in self.lines), Fraction(0))

    @property
    def tax(self) -> Fraction:
        """The expected tax, as a positive amount."""
        return -sum((line.contribution for line in self.taxes), Fraction(0))

    @property
    def return_of_tax(self) -> Fraction | None:
        """The expected payout per dollar of tax, where there is a tax."""
        return self.payouts / self.tax if self.tax else None


@dataclass(frozen=True, slots=True, repr=False)
class InsuranceResult(Brief):
    """Insurance against an ace, per unit of insurance, before the dealer peeks; exact."""

    overall: Fraction
    """over all deals with an ace up"""
    by_hand: tuple[tuple[tuple[int, int], Fraction], ...]
    """by the values of the player's two cards, the lower first"""

    @property
    def ev(self) -> float:
        return float(self.overall)

    @property
    def house_edge(self) -> float:
        return -self.ev


@dataclass(frozen=True, slots=True, repr=False)
class Analysis(Presented):
    """Everything about one rule sheet dealt from one shoe."""

    _report = "exact.analysis"

    rules: RuleSheet
    shoe: Composition
    convention: str
    strategy: str
    """What the player follows: "composition-dependent optimum", or a strategy's name."""
    main: MainGame
    hands: tuple[StartingHand, ...]
    insurance: InsuranceResult | None
    wagers: tuple[WagerResult, ...]
    skipped: tuple[tuple[str, str], ...] = ()
    """wagers that could not be computed, and why"""
    chart: Chart | None = None
    """the chart that the player follows; None: the composition-dependent optimum"""

    @property
    def ev(self) -> float:
        """The EV of the main wager per unit of initial stake."""
        return self.main.ev

    @property
    def house_edge(self) -> float:
        """The house edge of the main wager per unit of initial stake."""
        return self.main.house_edge

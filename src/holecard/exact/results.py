"""What an analysis says. Every number carries its unit and what it is conditioned on."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from holecard.deck import value_name
from holecard.presentation import Presented

if TYPE_CHECKING:
    from holecard.charts.chart import Chart
    from holecard.composition import Composition
    from holecard.sheets.schema import RuleSheet

#: What the player follows unless a chart is given.
OPTIMUM = "composition-dependent optimum"
#: The split convention every main-game number is computed under.
CONVENTION = (
    "CDZ-: one strategy by the hand's own cards and the dealer's, also after a split; "
    "further pairs are split as long as the rules allow, exactly"
)
#: The same where a chart is followed.
BY_CHART = (
    "one chart by totals and pairs, also after a split; "
    "further pairs are split as long as the rules allow and the chart says so, exactly"
)
#: The same where hands made by splitting are played by all the cards seen.
SPLIT_OPTIMUM = (
    "optimal: a pair makes at most two hands, the first is played out before the second gets a card, "
    "and every decision uses all cards seen, exactly"
)
#: What the values of a starting hand's actions are conditioned on.
NO_NATURAL = "given no dealer's natural"
BEFORE_CHECK = "before the dealer looks for a natural"
HOLE_UNKNOWN = "a dealer's natural is possible"
BOTH_UP = "both dealer's cards are up"


@dataclass(frozen=True, slots=True)
class Choice:
    """A legal action and what it is worth, per unit of initial stake."""

    action: str
    value: float


@dataclass(frozen=True, slots=True)
class StartingHand:
    """Two cards against the dealer's card or cards, by value (1 is an ace), and what each action is worth."""

    player: tuple[int, ...]
    dealer: tuple[int, ...]
    chance: float
    """How often a round starts so, and goes on to a decision."""
    given: str
    choices: tuple[Choice, ...]
    """Best first."""
    is_pair: bool = False
    """May be split; two tens of different rank may not, where the sheet splits by rank."""

    @property
    def spot(self) -> str:
        """As a person writes it: "T,6 v T"."""
        no_pair = self.player == (10, 10) and not self.is_pair
        player = "K,Q" if no_pair else ",".join(map(value_name, self.player))
        return f"{player} v {','.join(map(value_name, self.dealer))}"


@dataclass(frozen=True, slots=True)
class MainGame:
    """The main wager, per unit of initial stake."""

    unit: str
    """What one unit is: the main wager, or both where a companion is placed with it."""
    ev: float
    error_bound: float
    """The exact mean lies within this of `ev`."""
    average_stake: float
    """Money on the table at the end, doubles and splits included, per unit of initial stake."""
    distribution: tuple[tuple[Fraction, float], ...]
    """Net result of a round and its chance, lowest first."""
    cell_errors: tuple[float, ...]
    """How far each probability of the distribution may be off, in the same order; about 1e-13 where it is exact."""
    sd: float
    spread_error: float
    """How far rounding may have carried `sd` from the exact deviation."""
    spread_method: str
    """How distribution and deviation were found: "exact", or what is not."""
    fixed_ev: float | None = None
    """The EV under CDZ-, where `ev` is that of optimal play after splits. Then `average_stake`, `distribution` and `sd`
    (and `win`, `push`, `loss`) are those of CDZ- too: they are not computed for optimal play after splits."""

    @property
    def house_edge(self) -> float:
        return -self.ev

    @property
    def element_of_risk(self) -> float:
        """What a unit of money actually bet costs; under CDZ- where `fixed_ev` is given, as the average stake is."""
        return -(self.ev if self.fixed_ev is None else self.fixed_ev) / self.average_stake

    @property
    def win(self) -> float:
        return sum(chance for net, chance in self.distribution if net > 0)

    @property
    def push(self) -> float:
        return sum(chance for net, chance in self.distribution if net == 0)

    @property
    def loss(self) -> float:
        return sum(chance for net, chance in self.distribution if net < 0)


@dataclass(frozen=True, slots=True)
class LineResult:
    """One line of a pay table: in how many combinations it pays, and what that returns."""

    line: str
    pays: str
    net: Fraction
    """Net win per unit staked; dollars where the unit is a round."""
    combinations: int
    probability: Fraction
    contribution: Fraction
    """net times probability"""


@dataclass(frozen=True, slots=True)
class WagerResult:
    """A side wager, exactly. `exact` is the expected net win per `unit`; the stake lost is its last line."""

    name: str
    unit: str
    """ "unit staked", or "round, in dollars" where stakes or payouts are fixed amounts."""
    given: str
    """When it can be placed, where that is not always: "after the check, …"."""
    exact: Fraction
    hit_frequency: Fraction
    """Chance of a net win."""
    sd: float
    combinations: int
    counted: str
    """What one combination is."""
    lines: tuple[LineResult, ...]
    taxes: tuple[LineResult, ...] = ()
    """What a tax takes, as negative contributions."""
    by_upcard: tuple[tuple[int, Fraction], ...] = ()
    """Expected net win with each upcard, for a wager placed once the upcard is seen."""
    printed: bool = True

    @property
    def ev(self) -> float:
        return float(self.exact)

    @property
    def payouts(self) -> Fraction:
        """What the lines are worth, before any tax."""
        return sum((line.contribution for line in self.lines), Fraction(0))

    @property
    def tax(self) -> Fraction:
        """What is taken in tax, as an amount."""
        return -sum((line.contribution for line in self.taxes), Fraction(0))

    @property
    def return_of_tax(self) -> Fraction | None:
        """What comes back of each dollar of tax, where there is a tax."""
        return self.payouts / self.tax if self.tax else None


@dataclass(frozen=True, slots=True)
class Insurance:
    """Insurance against an ace, per unit of insurance, before the dealer looks; exact."""

    overall: Fraction
    """Over all deals with an ace up."""
    by_hand: tuple[tuple[tuple[int, int], Fraction], ...]
    """By the values of the player's two cards, the lower first."""


@dataclass(frozen=True, slots=True, repr=False)
class Analysis(Presented):
    """Everything about one sheet dealt from one shoe."""

    _report = "analysis"

    rules: RuleSheet
    shoe: Composition
    convention: str
    strategy: str
    """What the player follows: "composition-dependent optimum", or a chart's name."""
    main: MainGame
    hands: tuple[StartingHand, ...]
    insurance: Insurance | None
    wagers: tuple[WagerResult, ...]
    skipped: tuple[tuple[str, str], ...] = ()
    """Wagers that could not be computed, and why: a shoe without suits."""
    chart: Chart | None = None
    """The chart the player follows; None: the composition-dependent optimum."""

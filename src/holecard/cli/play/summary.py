"""The session summary: hands won and lost, wagers, the expected result, decisions by the chart, and hands per hour.

The expected result is what a player who follows the chart wins or loses on average with the same wagers. Every round
counts as if it were dealt from a full shoe.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from rich.text import Text

from holecard.cli.play.account import Account, Decision, Entry
from holecard.cli.play.results import format_bankrolls, format_net
from holecard.cli.play.screen.table_view import TableView
from holecard.errors import Refusal, plural
from holecard.exact.strategies import Strategy, StrategyLike, strategy_of
from holecard.kernels import cache
from holecard.money import Money, dollars
from holecard.report.house_tables import FOOTNOTE, any_marked, mark
from holecard.sheets.schema import RuleSheet
from holecard.sheets.tables import BET, COMPANION, Tables
from holecard.table.events import Action

#: Decisions that differ from the chart are listed up to this number.
_MOST_LISTED = 5
#: With fewer hands, the speed says nothing.
_FEWEST_TIMED = 10


@dataclass(frozen=True)
class Benchmark:
    """What a session is compared with."""

    strategy: Strategy
    expected: Money
    """The average result of the strategy with the wagers of the session."""
    left_out: tuple[str, ...] = ()
    """Wagers whose EV cannot be computed."""

    def by_chart(self, decision: Decision) -> Action:
        """Return what the chart does in the place of a player."""
        return self.strategy.chart.act(decision.view)


def benchmark(sheet: RuleSheet, account: Account, strategy: StrategyLike) -> Benchmark | None:
    """Return what to compare a session with; None if no round was finished or nothing can be computed."""
    if not account.rounds:
        return None
    try:
        found = strategy_of(sheet, strategy)
        parts = list(_expected_parts(sheet, account, strategy, found))
    except Refusal:
        return None
    expected = sum(cents for _, cents in parts if cents is not None)
    return Benchmark(found, Money.cents(round(expected)), tuple(name for name, cents in parts if cents is None))


def early_lines(view: TableView, account: Account) -> list[Text]:
    """Return the result that is shown before kernels are compiled for the comparison; nothing if they are."""
    if not account.rounds or cache.is_warm("play"):
        return []
    total = Text.assemble(f"Total after {plural(account.rounds, 'round')}: ", format_net(account.net))
    return view.wrap(total) + view.wrap("The comparison with the chart follows; Ctrl-C skips it.", "dim")


def _expected_parts(
    sheet: RuleSheet, account: Account, given: StrategyLike, strategy: Strategy
) -> Iterator[tuple[str, float | None]]:
    """Yield every wager that was placed, with its expected result in cents; None if that cannot be computed."""
    from holecard.composition import full  # these load numba, so only when the session is over
    from holecard.exact.wagers.wager_values import insurance, reason_not_computed, wager_result

    tables, shoe = sheet.tables, full(sheet.shoe.decks)
    mains = [account.wagers[name] for name in _main_names(tables) if name in account.wagers]
    yield tables.stakes[BET], _strategy_ev(sheet, given, strategy) * sum(entry.staked for entry in mains)
    for wager in tables.wagers:
        if wager.name in account.wagers:
            entry = account.wagers[wager.name]
            if reason_not_computed(tables, wager, shoe) is None:
                found = wager_result(tables, wager, shoe)
                yield wager.name, _side_result(entry, found.ev, dict(found.by_upcard), found.unit)
            else:
                yield wager.name, None
    insured, offered = account.wagers.get("Insurance"), insurance(tables, shoe)
    if insured and offered:
        yield "Insurance", offered.ev * insured.staked


def _main_names(tables: Tables) -> tuple[str, ...]:
    """Return the wagers that make up the initial stake; the EV counts doubles and splits with them."""
    return (tables.stakes[BET], tables.stakes[COMPANION]) if tables.has_companion else (tables.stakes[BET],)


def _strategy_ev(sheet: RuleSheet, given: StrategyLike, strategy: Strategy) -> float:
    """Return the EV of a strategy per unit of initial stake."""
    from holecard.charts.named_strategies import BASIC, strategy_name
    from holecard.composition import full
    from holecard.exact.charts.chart_cache import cached_best_chart
    from holecard.exact.solved_game import game_ev, solve_game

    if isinstance(given, str) and strategy_name(given) == BASIC:
        return cached_best_chart(sheet).ev
    with cache.compiling("compare"):
        return game_ev(solve_game(sheet, full(sheet.shoe.decks), strategy.chart))


def _side_result(entry: Entry, ev: float, by_upcard: dict[int, Fraction], unit: str) -> float:
    """Return the expected result in cents; wagers that are paid fixed amounts have their EV in dollars per round."""
    if unit != "unit staked":
        return ev * 100 * entry.settled
    if by_upcard:
        return sum(float(by_upcard.get(upcard, ev)) * cents for upcard, cents in entry.by_upcard.items())
    return ev * entry.staked


# Lines


def summary_lines(
    view: TableView,
    tables: Tables,
    account: Account,
    found: Benchmark | None,
    seconds: float | None,
    coached: Sequence[Text] = (),
) -> list[Text]:
    """Return the whole summary; there is no speed without `seconds`, as in automatic play, or after few hands.

    `coached` is what the coach says, in place of the comparison with the chart.
    """
    if not account.rounds:
        return view.wrap(f"No round was finished. Bankroll {format_bankrolls(account)}.")
    outcome = f"{account.won} won, {account.lost} lost, {account.pushed} pushed"
    lines = view.wrap("Session summary", "bold")
    lines += view.wrap(f"{plural(account.rounds, 'round')}, {plural(account.hands, 'hand')}: {outcome}")
    lines += _wager_lines(view, tables, account, found)
    if found and account.decisions:
        lines += _decision_lines(view, account, found)
    lines += coached
    if seconds and account.hands >= _FEWEST_TIMED:
        lines += view.wrap(f"Speed: {round(account.hands * 3600 / seconds):,} hands per hour")
    return lines + view.wrap(f"Bankroll {format_bankrolls(account)}", "bold")


def _wager_lines(view: TableView, tables: Tables, account: Account, found: Benchmark | None) -> list[Text]:
    rows = [[Text(heading, "dim") for heading in ("wager", "settled", "staked", "won or lost")]]
    for name, entry in account.wagers.items():
        shown = f"{name}{mark(name, tables)}"
        rows.append([Text(shown), Text(str(entry.settled)), Text(dollars(entry.staked)), format_net(entry.net)])
    rows.append([Text("total"), Text(), Text(dollars(account.staked)), format_net(account.net)])
    if found:
        rows.append([Text("expected"), Text(), Text(), format_net(found.expected)])
    lines = view.columns(rows, right=(1, 2, 3))
    if any_marked(account.wagers, tables):
        lines += view.wrap(FOOTNOTE, "dim")
    if found:
        without = f", without {', '.join(found.left_out)}" if found.left_out else ""
        lines += view.wrap(f"Expected: the average with {found.strategy.name} and these wagers{without}.", "dim")
    return lines


def _decision_lines(view: TableView, account: Account, found: Benchmark) -> list[Text]:
    """Return how many decisions agree with the chart, and the last ones that do not."""
    asked = [(decision, found.by_chart(decision)) for decision in account.decisions]
    differing = [(decision, best) for decision, best in asked if decision.action != best]
    right = len(asked) - len(differing)
    lines = view.wrap(f"Decisions: {right} of {len(asked)} as in {found.strategy.name} ({right / len(asked):.0%})")
    for decision, best in differing[-_MOST_LISTED:]:
        lines += view.wrap(f"  {decision.hand}: you chose {decision.action}, the chart says {best}", "dim")
    if len(differing) > _MOST_LISTED:
        lines += view.wrap(f"  and {len(differing) - _MOST_LISTED} before these", "dim")
    return lines

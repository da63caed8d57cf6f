"""The parts of a result in one line each, as their `repr`: a wager, a starting hand, a comparison."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from holecard.deck import value_name
from holecard.errors import plural
from holecard.money import dollars
from holecard.report.numbers import bound, decimals, known, percent, precise_dollars, probability, signed, signed_whole

if TYPE_CHECKING:
    from holecard.advantage.counting_result import CountGain, CountingPlan, CutGains, ReadingEdge, WagerCounting
    from holecard.advantage.index_plays.index_search import IndexPlays, RankedPlay
    from holecard.advantage.removal import RemovalEffects
    from holecard.advantage.targets import Target
    from holecard.counts import Count, CountPlayer
    from holecard.exact.compare import ComparedGame
    from holecard.exact.results import InsuranceResult, LineResult, MainGame, NetResults, StartingHand, WagerResult
    from holecard.exact.wagers.house_odds import HouseOddsTable, UpcardOdds
    from holecard.presentation import Brief
    from holecard.sheets.grid import Grid, GridPoint
    from holecard.simulation.count_results import CountedBet, CountRow
    from holecard.simulation.luck_results import LuckResult
    from holecard.simulation.results import InsuranceSample, SeatResult, WagerSample
    from holecard.simulation.statistics.agreement import Agreement
    from holecard.simulation.statistics.comparisons import Comparison
    from holecard.simulation.statistics.estimates import Estimate
    from holecard.simulation.sweep import SweepPoint
    from holecard.simulation.win_rates import Derived

#: Longer lists are cut.
_LONGEST = 60


def summary(part: Brief) -> str:
    """Return the part in one line: its class, and its most important numbers."""
    name = type(part).__name__
    return f"{name}({_SUMMARIES[name](part)})"


def ev_text(found: Estimate) -> str:
    """Return the mean and its standard error, with the digits that the error supports."""
    places = decimals(found.standard_error)
    return f"ev {known(found.ev, places)}, standard error {known(found.standard_error, places)}"


# Exact results


def _main_game(main: MainGame) -> str:
    return f"house edge {percent(main.house_edge)} ± {bound(main.error_bound)} of {main.unit}"


def _net_results(found: NetResults) -> str:
    return f"standard deviation {found.standard_deviation:.6f}, average stake {found.average_stake:.6f}"


def _starting_hand(hand: StartingHand) -> str:
    return f"{hand.spot}: {', '.join(f'{choice.action} {signed(choice.ev, 4)}' for choice in hand.choices)}"


def _wager_result(wager: WagerResult) -> str:
    in_dollars = "dollars" in wager.unit
    edge = precise_dollars(-wager.exact, 4) if in_dollars else percent(-wager.exact)
    return f"{wager.name}: house edge {edge} per {wager.unit.partition(',')[0]}"


def _line_result(line: LineResult) -> str:
    return f"{line.line}, {line.pays}: probability {probability(line.probability, 6)}"


def _insurance_result(insurance: InsuranceResult) -> str:
    return f"house edge {percent(insurance.house_edge)}"


def _compared_game(game: ComparedGame) -> str:
    return f"{game.rules.label}: house edge {percent(game.house_edge)}"


def _house_odds_table(table: HouseOddsTable) -> str:
    upcards = plural(len(table.cells), "upcard")
    return f"{table.wager}, {plural(table.decks, 'deck')}, {upcards}: house edge {percent(table.edge)}"


def _upcard_odds(cell: UpcardOdds) -> str:
    return f"{value_name(cell.upcard)}: {cell.odds} to 1, house edge {percent(cell.edge)}"


# Counting


def _wager_counting(wager: WagerCounting) -> str:
    return _cut(wager.verdict)


def _count_gain(found: CountGain) -> str:
    return f"{found.count.name}: {_gain(found.gain.mean)}"


def _cut_gains(found: CutGains) -> str:
    return f"{found.cut}%, {plural(found.rounds, 'round')}: {_gain(found.gain.mean)}"


def _gain(gain: float) -> str:
    return f"gain {known(gain, 4)} per 100 rounds"


def _reading_edge(edge: ReadingEdge) -> str:
    reading = f"{signed_whole(edge.reading)} {edge.ends}".strip() if edge.up_to == edge.reading else _readings(edge)
    return f"{reading}: ev {known(edge.ev.mean, 6)}"


def _readings(edge: ReadingEdge) -> str:
    return f"{signed_whole(edge.reading)} to {signed_whole(edge.up_to)}"


def _counting_plan(plan: CountingPlan) -> str:
    table = f"cut card at {plan.cut}%, {plural(plan.seats, 'seat')}"
    return f"{plan.count.name}, {table}, {dollars(plan.bet)}, 1 to {plan.spread}, {plan.pace} rounds an hour"


def _index_plays(found: IndexPlays) -> str:
    best = f", the best {found.plays[0].play}" if found.plays else ""
    return f"{found.count.name}, cut card at {found.cut}%, {plural(len(found.plays), 'play')}{best}"


def _ranked_play(found: RankedPlay) -> str:
    return f"{found.play}, {_gain(found.gain)}"


def _removal_effects(found: RemovalEffects) -> str:
    return f"{plural(found.cards, 'card')}: ev {known(found.ev, 6)}, effects {_range(found.effects)}"


def _range(effects: tuple[float, ...]) -> str:
    return f"{signed(min(effects))} to {signed(max(effects))}"


def _target(target: Target) -> str:
    return f"{target.name}, ev per {target.unit}"


def _count(count: Count) -> str:
    tags = "tags by suit" if count.by_rank is None else f"tags {' '.join(map(str, count.by_rank))}, ace first"
    return f"{_cut(count.name)}, a {count.kind} count, {_cut(tags)}"


def _count_player(player: CountPlayer) -> str:
    bets = [f"{bet:g}" for bet in map(float, (min(player.ramp.bets), max(player.ramp.bets)))]
    return f"{_cut(player.name)}: bets {' to '.join(dict.fromkeys(bets))}, {plural(len(player.plays), 'play')}"


# Grids


def _grid(grid: Grid) -> str:
    return f"{plural(len(grid.points), 'game')}: {_cut(', '.join(grid.games))}{_by(grid.keys)}"


def _grid_point(point: GridPoint) -> str:
    return point.rules.label


def _by(keys: tuple[str, ...]) -> str:
    return f" by {_cut(', '.join(keys))}" if keys else ""


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."


# Simulated results


def _seat_result(seat: SeatResult) -> str:
    return f"{seat.strategy}, {plural(seat.estimate.rounds, 'round')}: {ev_text(seat.estimate)}"


def _wager_sample(wager: WagerSample) -> str:
    return f"{wager.name}, {plural(wager.estimate.rounds, 'round')}: {ev_text(wager.estimate)}"


def _insurance_sample(insurance: InsuranceSample) -> str:
    return _estimate(insurance.estimate)


def _estimate(found: Estimate) -> str:
    return f"{plural(found.rounds, 'round')}: {ev_text(found)}"


def _luck_result(found: LuckResult) -> str:
    return f"{plural(found.raw.rounds, 'round')}: luck-adjusted {ev_text(found.luck_adjusted)}"


def _count_row(row: CountRow) -> str:
    return f"{signed_whole(row.reading)}{' ' if row.ends else ''}{row.ends}, {_estimate(row.estimate)}"


def _counted_bet(bet: CountedBet) -> str:
    return f"{bet.name} by {bet.count}, {_estimate(bet.won)}"


def _derived(found: Derived) -> str:
    return f"{found.value:.6g}, {found.low:.6g} to {found.high:.6g}"


def _sweep_point(point: SweepPoint) -> str:
    return f"{point.sampled.rules.label}, {_estimate(point.sampled.main.estimate)}"


def _agreement(found: Agreement) -> str:
    return agreement_text(found)


def agreement_text(found: Agreement) -> str:
    """Return how many comparisons agree, or differ."""
    if not found.judged:
        return "nothing judged"
    compared = plural(found.judged, "comparison")
    return f"differs in {len(found.differing)} of {compared}" if found.differing else f"agrees in {compared}"


def _comparison(found: Comparison) -> str:
    return f"{found.name}, {found.what}: {found.verdict}, p = {found.p:.2g}"


_SUMMARIES: dict[str, Callable[[Any], str]] = {
    "Agreement": _agreement,
    "ComparedGame": _compared_game,
    "Comparison": _comparison,
    "Count": _count,
    "CountGain": _count_gain,
    "CountPlayer": _count_player,
    "CountRow": _count_row,
    "CountedBet": _counted_bet,
    "CountingPlan": _counting_plan,
    "CutGains": _cut_gains,
    "Derived": _derived,
    "Estimate": _estimate,
    "Grid": _grid,
    "GridPoint": _grid_point,
    "HouseOddsTable": _house_odds_table,
    "IndexPlays": _index_plays,
    "InsuranceResult": _insurance_result,
    "InsuranceSample": _insurance_sample,
    "LineResult": _line_result,
    "LuckResult": _luck_result,
    "MainGame": _main_game,
    "NetResults": _net_results,
    "RankedPlay": _ranked_play,
    "ReadingEdge": _reading_edge,
    "RemovalEffects": _removal_effects,
    "SeatResult": _seat_result,
    "StartingHand": _starting_hand,
    "SweepPoint": _sweep_point,
    "Target": _target,
    "UpcardOdds": _upcard_odds,
    "WagerCounting": _wager_counting,
    "WagerResult": _wager_result,
    "WagerSample": _wager_sample,
}

"""`holecard analyze --json` and `holecard evaluate --json`: keys, and their order, as docs/json.md promises them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from holecard.cli.printing.dealer_groups import by_dealer, followed
from holecard.cli.printing.format import exact_decimal, say_cards
from holecard.cli.printing.house_tables import is_printed
from holecard.cli.printing.show_check import favors_data
from holecard.deck import value_name
from holecard.exact.results import ActionEV, Analysis, InsuranceResult, LineResult, MainGame, StartingHand, WagerResult

if TYPE_CHECKING:
    from holecard.charts.chart import Chart
    from holecard.cli.options import Point
    from holecard.composition import Composition
    from holecard.exact.evaluate import Evaluation
    from holecard.sheets.schema import RuleSheet


def analysis_data(game: str, found: Analysis, chart: Chart | None = None, *, hands: bool = False) -> dict[str, Any]:
    """Everything an analysis says; `chart` is the one it priced, `hands` adds every starting hand."""
    from holecard.exact.favorable_wagers import favorable_wagers  # it loads numba, which an analysis has loaded already

    data: dict[str, Any] = {
        "game": game,
        "decks": found.rules.shoe.decks,
        "convention": found.convention,
        "main": _main(found, chart),
        "wagers": {wager.name: _wager(wager) for wager in found.wagers},
        "settings": dict(found.rules.origin[1]),
        "shoe": _shoe(found.shoe),
        "strategy": found.strategy,
        "insurance": None if found.insurance is None else _insurance(found.insurance),
        "skipped": dict(found.skipped),
        "favors_player": favors_data(favorable_wagers(found)),
    }
    if hands:
        data["hands"] = [_hand(hand, chart) for hand in found.hands]
    return data


def spot_data(game: str, rules: RuleSheet, shoe: Composition, found: Evaluation, convention: str) -> dict[str, Any]:
    """One spot: every legal action, best first, and the wagers that can be placed there."""
    return {
        "game": game,
        "decks": rules.shoe.decks,
        "convention": convention,
        "spot": found.spot,
        "given": found.given,
        "choices": _choices(found.choices),
        "after_check": {
            name: {**_exactly(value), "printed": is_printed(name, rules.tables)} for name, value in found.after_check
        },
        "insurance": None if found.insurance is None else _exactly(found.insurance),
        "settings": dict(rules.origin[1]),
        "shoe": _shoe(shoe),
        "error_bound": found.error_bound,
    }


def grid_data(
    game: str,
    settings: Mapping[str, object],
    words: Sequence[str],
    points: Sequence[Point],
    *,
    convention: str,
    strategy: str,
    complete: bool,
) -> dict[str, Any]:
    """A grid of rules: one entry for each point that was reached."""
    return {
        "game": game,
        "convention": convention,
        "settings": dict(settings),
        "complete": complete,
        "grid": [_point(words, point) for point in points],
        "strategy": strategy,
    }


def _point(words: Sequence[str], point: Point) -> dict[str, Any]:
    return {
        "vary": dict(zip(words, point.labels, strict=True)),
        "decks": point.decks,
        "main": {"ev": point.ev, "house_edge": -point.ev, "error_bound": point.error_bound},
        "wagers": {
            wager.name: {**_exactly(wager.exact), "unit": wager.unit, "printed": wager.printed}
            for wager in point.wagers
        },
        "shoe": _shoe(point.shoe),
        "skipped": dict(point.skipped),
    }


def _main(found: Analysis, chart: Chart | None) -> dict[str, Any]:
    main: MainGame = found.main
    return {
        "ev": main.ev,
        "house_edge": main.house_edge,
        "element_of_risk": main.element_of_risk,
        "sd": main.standard_deviation,
        "distribution": {exact_decimal(net): chance for net, chance in main.distribution},
        "unit": main.unit,
        "error_bound": main.error_bound,
        "average_stake": main.average_stake,
        "win": main.win,
        "push": main.push,
        "loss": main.loss,
        "cell_errors": {
            exact_decimal(net): error
            for (net, _), error in zip(main.distribution, main.probability_errors, strict=True)
        },
        "spread_error": main.standard_deviation_error,
        "spread_method": main.distribution_method,
        "fixed_ev": main.fixed_ev,
        "by_dealer": {
            group.dealer: {"chance": group.chance, "ev": group.value, "contribution": group.contribution}
            for group in by_dealer(found, chart)
        },
    }


def _wager(wager: WagerResult) -> dict[str, Any]:
    return {
        "ev": wager.ev,
        "exact": str(wager.exact),
        "hit_frequency": float(wager.hit_frequency),
        "sd": wager.standard_deviation,
        "lines": [_line(line) for line in wager.lines],
        "unit": wager.unit,
        "given": wager.given,
        "combinations": wager.combinations,
        "counted": wager.counted,
        "printed": wager.printed,
        "taxes": [_line(line) for line in wager.taxes],
        "by_upcard": {value_name(upcard): _exactly(value) for upcard, value in wager.by_upcard},
        "return_of_tax": None if wager.return_of_tax is None else float(wager.return_of_tax),
    }


def _line(line: LineResult) -> dict[str, Any]:
    return {
        "line": line.line,
        "pays": line.pays,
        "combinations": line.combinations,
        "probability": float(line.probability),
        "return": float(line.contribution),
    }


def _insurance(insurance: InsuranceResult) -> dict[str, Any]:
    by_hand = {say_cards(hand): _exactly(value) for hand, value in insurance.by_hand}
    return {**_exactly(insurance.overall), "by_hand": by_hand}


def _hand(hand: StartingHand, chart: Chart | None) -> dict[str, Any]:
    return {
        "spot": hand.spot,
        "chance": hand.probability,
        "given": hand.given,
        "action": followed(hand, chart).action,
        "choices": _choices(hand.choices),
    }


def _choices(choices: Iterable[ActionEV]) -> list[dict[str, Any]]:
    return [{"action": choice.action, "value": choice.ev} for choice in choices]


def _exactly(value: Fraction) -> dict[str, Any]:
    return {"ev": float(value), "exact": str(value)}


def _shoe(shoe: Composition) -> dict[str, Any]:
    return {"cards": shoe.total, "counts": str(shoe), "suits_known": shoe.suited is not None}

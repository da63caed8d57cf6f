"""An analysis as plain data: the keys of `holecard analyze --json`, in the order of docs/json.md."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from holecard.deck import value_name
from holecard.exact.results import ActionEV, Analysis, InsuranceResult, LineResult, MainGame, StartingHand, WagerResult
from holecard.report.dealer_groups import by_dealer, followed
from holecard.report.numbers import cards_text, exact_decimal
from holecard.report.sheet import identity, origin, settings, shoe_data

if TYPE_CHECKING:
    from holecard.exact.favorable_wagers import FavorableWager


def data(found: Analysis, *, hands: bool = False) -> dict[str, Any]:
    """Return the data of `holecard analyze --json`; `hands` adds every starting hand."""
    from holecard.exact.favorable_wagers import favorable_wagers  # loads numba, which an analysis has loaded already

    result: dict[str, Any] = {
        **identity(found.rules),
        "decks": found.rules.shoe.decks,
        "convention": found.convention,
        "main": _main(found),
        "wagers": {wager.name: _wager(wager) for wager in found.wagers},
        "settings": settings(found.rules),
        "shoe": shoe_data(found.shoe),
        "strategy": found.strategy,
        "insurance": None if found.insurance is None else _insurance(found.insurance),
        "skipped": dict(found.skipped),
        "favors_player": [favor_data(favor) for favor in favorable_wagers(found)],
    }
    if hands:
        result["hands"] = [_hand(found, hand) for hand in found.hands]
    return result


def rows(found: Analysis) -> list[dict[str, Any]]:
    """Return one row for the main wager, one for insurance, and one for each side wager."""
    return list(_rows(found))


def _rows(found: Analysis) -> Iterator[dict[str, Any]]:
    game, main = origin(found.rules), found.main
    yield {
        "game": game,
        "wager": "main",
        "unit": main.unit,
        "ev": main.ev,
        "house_edge": main.house_edge,
        "error_bound": main.error_bound,
        "standard_deviation": main.standard_deviation,
        "hit_frequency": main.win,
    }
    if found.insurance is not None:
        ev = float(found.insurance.overall)
        yield {"game": game, "wager": "insurance", "unit": "unit of insurance", "ev": ev, "house_edge": -ev}
    for wager in found.wagers:
        yield {
            "game": game,
            "wager": wager.name,
            "unit": wager.unit,
            "ev": wager.ev,
            "house_edge": -wager.ev,
            "standard_deviation": wager.standard_deviation,
            "hit_frequency": float(wager.hit_frequency),
        }


def favor_data(favor: FavorableWager) -> dict[str, Any]:
    """Return a wager that favors the player."""
    return {
        "wager": favor.wager,
        "when": favor.when,
        "ev": favor.ev,
        "in_dollars": favor.in_dollars,
        "text": str(favor),
    }


def choices_data(choices: Iterable[ActionEV]) -> list[dict[str, Any]]:
    """Return the actions with their EV, best first."""
    return [{"action": choice.action, "ev": choice.ev} for choice in choices]


def exact_ev(value: Fraction) -> dict[str, Any]:
    """Return an EV as a number and as a fraction."""
    return {"ev": float(value), "exact": str(value)}


def _main(found: Analysis) -> dict[str, Any]:
    main: MainGame = found.main
    nets = [exact_decimal(net) for net, _ in main.distribution]
    return {
        "ev": main.ev,
        "house_edge": main.house_edge,
        "element_of_risk": main.element_of_risk,
        "standard_deviation": main.standard_deviation,
        "distribution": dict(zip(nets, (p for _, p in main.distribution), strict=True)),
        "unit": main.unit,
        "error_bound": main.error_bound,
        "average_stake": main.average_stake,
        "win": main.win,
        "push": main.push,
        "loss": main.loss,
        "probability_errors": dict(zip(nets, main.probability_errors, strict=True)),
        "standard_deviation_error": main.standard_deviation_error,
        "distribution_method": main.distribution_method,
        "fixed_ev": main.fixed_ev,
        "by_dealer": {
            group.dealer: {"probability": group.probability, "ev": group.ev, "contribution": group.contribution}
            for group in by_dealer(found)
        },
    }


def _wager(wager: WagerResult) -> dict[str, Any]:
    return {
        **exact_ev(wager.exact),
        "house_edge": -wager.ev,
        "hit_frequency": float(wager.hit_frequency),
        "standard_deviation": wager.standard_deviation,
        "lines": [_line(line) for line in wager.lines],
        "unit": wager.unit,
        "given": wager.given,
        "combinations": wager.combinations,
        "counted": wager.counted,
        "printed": wager.printed,
        "taxes": [_line(line) for line in wager.taxes],
        "by_upcard": {value_name(upcard): exact_ev(value) for upcard, value in wager.by_upcard},
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
    by_hand = {cards_text(hand): exact_ev(value) for hand, value in insurance.by_hand}
    return {**exact_ev(insurance.overall), "by_hand": by_hand}


def _hand(found: Analysis, hand: StartingHand) -> dict[str, Any]:
    return {
        "spot": hand.spot,
        "probability": hand.probability,
        "given": hand.given,
        "action": followed(hand, found.chart).action,
        "choices": choices_data(hand.choices),
    }

"""Every public function, with arguments of another kind in each of its places: it answers, or refuses in a sentence."""

from __future__ import annotations

import inspect
from contextlib import suppress
from decimal import Decimal
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import holecard
from holecard.errors import Refusal
from holecard.exact.wagers.odds_target import OddsTarget, target_of
from tests.selection import quick_where

PLAIN = "never bust"
#: A short call of each function that computes something.
CALLS: dict[str, partial[Any]] = {
    "analyze": partial(holecard.analyze, "classic", wagers=False),
    "bankroll": partial(holecard.bankroll, "classic", bankroll="$50", bet="$10", hours=0.1, paths=2, strategy=PLAIN),
    "check": partial(holecard.check, "classic"),
    "compare": partial(holecard.compare, "classic", {"decks": [1]}, strategy=PLAIN),
    "compare_counting": partial(holecard.compare_counting, "double-up", wagers=("Bonus 16",), decks=(1,), shoes=2),
    "counting": partial(holecard.counting, "double-up", wagers=("Bonus 16",), decks=1, shoes=2, plays=False),
    "describe": partial(holecard.describe, "classic"),
    "evaluate": partial(holecard.evaluate, "classic", "T,6 v T"),
    "games": partial(holecard.games),
    "house_odds": partial(holecard.house_odds, "quick-pay", 1),
    "read_record": partial(holecard.read_record, "nowhere.toml"),
    "rules": partial(holecard.rules, "classic"),
    "simulate": partial(holecard.simulate, "classic", PLAIN, 100, wagers=(), executor=1),
    "simulate_count": partial(holecard.simulate_count, "classic", "hi-lo", 100, strategy=PLAIN, wagers=(), executor=1),
    "simulate_luck": partial(holecard.simulate_luck, "classic", PLAIN, 100, executor=1),
    "spot": partial(holecard.spot, "T,6 v T"),
    "strategy": partial(holecard.strategy, "classic"),
    "sweep": partial(holecard.sweep, "classic", {"decks": [1]}, PLAIN, 100, executor=1),
    "verify": partial(holecard.verify, "classic", PLAIN, 100, executor=1),
}
KINDS: dict[str, object] = {
    "an object": object(),
    "a list": [1, "x"],
    "a word": "x",
    "a percentage": "5%",
    "a float": 2.5,
    "nan": float("nan"),
    "a fraction": Fraction(1, 20),
    "a decimal": Decimal("0.05"),
    "a mapping": {"x": 1},
    "bytes": b"x",
    "a file": Path("nowhere.toml"),
    "a number of numpy": np.int64(2),
}


def _arguments(call: partial[Any]) -> list[str]:
    """Return the arguments of a function, without functions that it calls."""
    parameters = inspect.signature(call.func).parameters.values()
    return [
        one.name
        for one in parameters
        if one.kind not in (one.VAR_KEYWORD, one.VAR_POSITIONAL) and not one.name.startswith("on_")
    ]


def _with(call: partial[Any], name: str, given: object) -> partial[Any]:
    """Return the call with another argument in one place."""
    signature = inspect.signature(call.func)
    bound = signature.bind_partial(*call.args, **call.keywords)
    arguments = {key: value for key, value in bound.arguments.items() if key in signature.parameters}
    arguments[name] = given
    first = [
        arguments.pop(one.name)
        for one in signature.parameters.values()
        if one.kind == one.POSITIONAL_ONLY and one.name in arguments
    ]
    return partial(call.func, *first, **arguments)


PLACES = [(function, name) for function, call in CALLS.items() for name in _arguments(call)]


def _is_quick(place: tuple[str, str]) -> bool:
    """Return whether a call with an object is refused at once; most flags take anything, and the call then runs."""
    function, name = place
    default = inspect.signature(CALLS[function].func).parameters[name].default
    return not isinstance(default, bool) or function == "simulate"


@pytest.mark.parametrize(("function", "name"), quick_where(PLACES, _is_quick))
def test_an_object_is_answered_or_refused(
    function: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing but a `Refusal` is raised."""
    monkeypatch.chdir(tmp_path)
    with suppress(Refusal):
        _with(CALLS[function], name, object())()


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("function", CALLS)
def test_any_kind_of_argument_is_answered_or_refused(
    function: str, kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In every place of every function; a run may be saved to a file of that name."""
    monkeypatch.chdir(tmp_path)
    for name in _arguments(CALLS[function]):
        with suppress(Refusal):
            _with(CALLS[function], name, KINDS[kind])()


@pytest.mark.slow
def test_an_edge_may_be_a_number_or_a_text() -> None:
    """5% is 0.05, written in any way, and is the default."""
    for given in (None, 0.05, "5%", "0.05", Fraction(1, 20), Decimal("0.05"), OddsTarget("5%")):  # type: ignore[arg-type]
        assert target_of(given) == OddsTarget()  # type: ignore[arg-type]
    assert OddsTarget(0.05, "0.75%", "1/2") == OddsTarget()  # type: ignore[arg-type]
    assert holecard.house_odds("quick-pay", 1, target=0.06) == holecard.house_odds("quick-pay", 1, target="6%")


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: holecard.house_odds("quick-pay", 6, target=5), "the edge must be between 0 and 1"),
        (lambda: holecard.house_odds("quick-pay", 6, target="much"), "the edge 'much' is not a percentage; write 5%"),
        (lambda: holecard.house_odds("quick-pay", 6, target=float("inf")), "is not a percentage"),
        (lambda: holecard.house_odds("quick-pay", "6"), "decks must be a whole number such as 6, not '6'"),  # type: ignore[arg-type]
        (lambda: holecard.house_odds("quick-pay", 0), "decks must be 1 to 16"),
        (lambda: holecard.compare(5, {"decks": [6]}), "5 is not a game or a list of games"),  # type: ignore[arg-type]
        (lambda: holecard.compare("classic", 5), "5 is not a grid of settings"),  # type: ignore[arg-type]
        (lambda: holecard.compare("classic", settings="x"), "settings: 'x' is not a mapping"),  # type: ignore[arg-type]
        (lambda: holecard.analyze("classic", seen=5), "seen: 5 is not a list of cards"),  # type: ignore[arg-type]
        (lambda: holecard.analyze("classic", threads=0), "threads must be 1 or more, not 0"),
        (lambda: holecard.simulate("classic", PLAIN, 9, resume=5), "resume must be a file's name"),  # type: ignore[arg-type]
        (lambda: holecard.simulate("classic", PLAIN, 9, level="x"), "level must be a number"),  # type: ignore[arg-type]
        (
            lambda: holecard.bankroll("classic", bankroll=100, bet=10, hours="4"),  # type: ignore[arg-type]
            "hours must be a number such as 4, not '4'",
        ),
    ],
)
def test_a_refusal_says_what_would_be_right(call: Any, says: str) -> None:
    with pytest.raises(Refusal) as refused:
        call()
    assert says in str(refused.value)

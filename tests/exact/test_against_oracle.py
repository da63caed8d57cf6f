"""The fast mathematics against the slow oracle, on small shoes: every sheet, and unusual rules.

Every EV of every action, every probability, the mean, the average stake and the standard deviation agree to 1e-12, for
any number of split hands. So does every probability of the distribution, or it is within its stated error.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import sqrt

import pytest

from holecard.composition import composition
from holecard.deck import value_name
from holecard.exact.analysis import analyze
from holecard.exact.results import Analysis, MainGame, StartingHand
from holecard.sheets.read import rules
from holecard.sheets.schema import RuleSheet
from tests.exact.oracle_cases import CORNERS, EVERY_SHEET, LONG_CORNERS, kept_cases, rules_at_random, two_hands
from tests.exact.oracle_data import from_data, kept_games, to_data
from tests.exact.slow_oracle import solve
from tests.exact.slow_states import Game, Start
from tests.exact.small_shoes import SHOES, is_enough
from tests.selection import one_in

CLOSE = 1e-12
#: Different kinds of rules for which the oracle is quick: the quick tests compute these with the oracle itself.
SOLVED_EVERY_TIME = [
    *("european, naturals", "early surrender, no hole card", "two hands", "five hands"),
    *("fine odds of a charlie", "21 wins, face up"),
]

#: Each sheet with two shoes, and unusual rules.
OF_SHEETS = [name for name in kept_games() if name not in CORNERS]
OF_CORNERS = [name for name in kept_games() if name in CORNERS]

cases = cache(kept_cases)


@pytest.mark.parametrize("name", [*one_in(10, OF_SHEETS), *one_in(12, OF_CORNERS)])
def test_every_sheet_and_every_corner(name: str) -> None:
    """One rule at a time, or rules that interact: the analysis agrees with the stored fractions."""
    game, shoe = cases()[name]
    compare(game, shoe, kept_games()[name])


def test_every_case_is_kept() -> None:
    """No case was added, removed or renamed without writing the file again."""
    assert list(kept_games()) == list(cases()), "run python -m tests.exact.oracle_data"


@pytest.mark.parametrize("name", one_in(3, SOLVED_EVERY_TIME))
def test_some_kept_fractions_are_the_oracles(name: str) -> None:
    """The sheets, the engine and the oracle still give every fraction in the file."""
    check_kept(name)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in kept_games() if name not in SOLVED_EVERY_TIME])
def test_every_kept_fraction_is_the_oracles(name: str) -> None:
    """The same for every other case."""
    check_kept(name)


def check_kept(name: str) -> None:
    game, shoe = cases()[name]
    assert to_data(solve(game, SHOES[shoe])) == to_data(kept_games()[name]), "run python -m tests.exact.oracle_data"


def test_a_kept_result_reads_back() -> None:
    """Nothing is lost between the oracle and the file."""
    game, shoe = cases()[SOLVED_EVERY_TIME[0]]
    solved = solve(game, SHOES[shoe])
    assert from_data(to_data(solved)) == solved


@pytest.mark.slow
@pytest.mark.parametrize("corner", LONG_CORNERS)
def test_long_corners(corner: str) -> None:
    """The same with shoes for which the oracle is slow."""
    sheet, settings, shoe = LONG_CORNERS[corner]
    compare(rules(sheet, settings), shoe)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(60))
def test_rules_at_random(seed: int) -> None:
    """Combinations of rules that no one chose."""
    compare(*rules_at_random(seed))


@pytest.mark.slow
@pytest.mark.parametrize("shoe", ["soft", "long", "sixteens", "courts"])
@pytest.mark.parametrize("sheet", EVERY_SHEET)
def test_every_sheet_split_to_two_hands(sheet: str, shoe: str) -> None:
    """Where the distribution is exact, with shoes of more ranks and longer hands."""
    compare(two_hands(rules(sheet)), shoe)


# The comparison


@dataclass(frozen=True)
class Hand:
    """A starting hand in a form that both sides can produce: dealer cards unordered, tens of one rank together."""

    player: tuple[int, ...]
    dealer: tuple[int, ...]
    may_split: bool

    def __str__(self) -> str:
        cards, shown = (",".join(map(value_name, values)) for values in (self.player, self.dealer))
        return f"{cards} v {shown}" + (" (pair)" if self.may_split else "")


@dataclass(frozen=True)
class Said:
    """The results of a starting hand; `best` lists the actions that may come first."""

    probability: float
    worth: dict[str, float]
    best: set[str]


def compare(game: RuleSheet, shoe: str, solved: Game | None = None) -> None:
    """Compare every number of a sheet dealt from a small shoe; report all disagreements at once."""
    cards = SHOES[shoe]
    assert is_enough(cards, game.player.split_hands)
    slow, fast = solved or solve(game, cards), analyze(game, composition(dict(cards)), wagers=False)
    found = [*_main(slow, fast.main), *_hands(slow, fast)]
    assert not found, f"{len(found)} disagreements:\n" + "\n".join(found)


def _differ(what: str, fast: float, slow: Fraction | float, most: float = CLOSE) -> Iterator[str]:
    if not abs(fast - float(slow)) <= most:
        yield f"{what}: fast {fast!r}, slow {float(slow)!r}, off {fast - float(slow):+.3e}, at most {most:.1e}"


def _main(slow: Game, fast: MainGame) -> Iterator[str]:
    yield from _differ("ev", fast.ev, slow.ev)
    yield from _differ("average stake", fast.average_stake, slow.average_stake)
    said = dict(fast.distribution)
    off = 0.0 if fast.distribution_method == "exact" else 10 * sum(fast.probability_errors)
    yield from _differ("sum of the distribution", sum(said.values()), 1, off + CLOSE)
    yield from _differ("mean of the distribution", sum(float(net) * p for net, p in said.items()), slow.ev, off + CLOSE)
    variance = sum((net - slow.ev) ** 2 * probability for net, probability in slow.distribution.items())
    yield from _differ("sd", fast.standard_deviation, sqrt(variance))
    yield from _differ("error of the sd", fast.standard_deviation_error, 0, 1e-8)
    errors = dict(zip(said, fast.probability_errors, strict=True)) if fast.distribution_method != "exact" else {}
    for net in sorted({*said, *slow.distribution}):
        error = errors.get(net, max(errors.values(), default=0.0))
        yield from _differ(
            f"probability of {net}", said.get(net, 0.0), slow.distribution.get(net, Fraction(0)), error + CLOSE
        )


def _hands(slow: Game, fast: Analysis) -> Iterator[str]:
    ours, theirs = _by_oracle(slow.starts), _by_analysis(fast.hands)
    for hand in sorted({*ours, *theirs}, key=str):
        if hand not in theirs or hand not in ours:
            yield f"{hand}: only {'the oracle' if hand in ours else 'the analysis'} has it"
            continue
        mine, its = ours[hand], theirs[hand]
        yield from _differ(f"{hand} probability", its.probability, mine.probability)
        if set(mine.worth) != set(its.worth):
            yield f"{hand}: fast has {sorted(its.worth)}, slow {sorted(mine.worth)}"
        for action in set(mine.worth) & set(its.worth):
            yield from _differ(f"{hand} {action}", its.worth[action], mine.worth[action])
        if not its.best <= mine.best:
            yield f"{hand}: fast takes {its.best}, slow {mine.best}"


def _by_oracle(starts: Iterable[Start]) -> dict[Hand, Said]:
    by_hand: dict[Hand, list[Said]] = defaultdict(list)
    for start in starts:
        hand = Hand(start.player, tuple(sorted(start.dealer)), "split" in start.worth)
        worth = {str(action): float(value) for action, value in start.worth.items()}
        by_hand[hand].append(Said(float(start.probability), worth, {str(start.best)}))
    return {hand: _together(alike) for hand, alike in by_hand.items()}


def _by_analysis(hands: Iterable[StartingHand]) -> dict[Hand, Said]:
    by_hand: dict[Hand, list[Said]] = defaultdict(list)
    for said in hands:
        worth = {choice.action: choice.ev for choice in said.choices}
        hand = Hand(tuple(sorted(said.player)), tuple(sorted(said.dealer)), "split" in worth)
        by_hand[hand].append(Said(said.probability, worth, {said.choices[0].action}))
    return {hand: _together(alike) for hand, alike in by_hand.items()}


def _together(alike: list[Said]) -> Said:
    """Merge starting hands that only one side distinguishes, weighted by probability."""
    probability = sum(said.probability for said in alike)
    worth = {
        action: sum(said.probability * said.worth[action] for said in alike) / probability for action in alike[0].worth
    }
    return Said(probability, worth, set().union(*(said.best for said in alike)))

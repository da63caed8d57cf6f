"""`verify` finds mistakes in numbers that are shown, and in rounds that are dealt down or adjusted for luck."""

from __future__ import annotations

from math import isclose

import pytest

import holecard
from holecard.exact.analysis import analyze
from holecard.exact.strategies import strategy_of
from holecard.simulation.claims.sampled_numbers import sampled_numbers
from holecard.simulation.claims.shown_numbers import check_shown_numbers
from holecard.simulation.simulate import simulate
from holecard.simulation.verify import verify
from holecard.simulation.witness.replay import replay_rounds
from tests.selection import quick
from tests.simulation.coach_mutations import COACH, EVALUATED
from tests.simulation.mutations import Mutation, broken, sheet_called, source_to_edit
from tests.simulation.shown_mutations import COUNTED, SAMPLED, SHOWN


def test_every_edit_finds_its_text() -> None:
    """Renaming a function or rewording a line does not break the slow tests unnoticed."""
    for mutation in (*SAMPLED, *(mutation for mutation, _ in (*SHOWN, *COACH, *EVALUATED, *COUNTED))):
        for edit in mutation.edits:
            assert source_to_edit(edit)


@pytest.mark.slow
@pytest.mark.parametrize(("mutation", "sheet"), SHOWN, ids=str)
def test_a_wrong_number_is_found(mutation: Mutation, sheet: str) -> None:
    """By the best chart where splits and doubles matter, which the dealer's way of playing avoids."""
    rules = sheet_called(sheet)
    with broken(mutation):
        found = verify(rules, "basic", 400_000, seed=3, replay=300)
    assert not found.agrees


@pytest.mark.parametrize(("mutation", "sheet"), quick([*COACH, *EVALUATED], COACH[0], EVALUATED[0]), ids=str)
def test_a_wrong_number_of_the_coach_or_of_evaluate_is_found(mutation: Mutation, sheet: str) -> None:
    """By the part of `verify` that works numbers out again, without rounds."""
    rules = sheet_called(sheet)
    player = strategy_of(rules, "never bust")
    assert check_shown_numbers(analyze(rules, strategy=player)).agrees
    with broken(mutation):
        assert not check_shown_numbers(analyze(rules, strategy=player)).agrees


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "settings"),
    [
        ("classic", {"dealer.hole_card": "no peek", "dealer.natural_takes": "original"}),
        ("lone-deck", {"player.surrender": "early"}),
        ("quick-pay", {"shoe.decks": 1}),
        ("classic", {"dealer.hole_card": "peek under aces", "insurance.most": "all", "settle.two_naturals": "win"}),
    ],
)
def test_numbers_follow_under_rules_that_few_games_have(game: str, settings: dict[str, object]) -> None:
    """What a natural takes, and when it is known, changes what follows from what."""
    rules = holecard.rules(game, settings)
    found = check_shown_numbers(analyze(rules, strategy=strategy_of(rules, "never bust")))
    assert found.agrees, found.verdict


@pytest.mark.parametrize("mutation", SAMPLED, ids=str)
def test_a_wrong_number_of_a_run_is_found(mutation: Mutation) -> None:
    """By its own counts."""
    run = sheet_called("match-up"), "never bust", 5_000
    assert all(isclose(shown, again) for _, shown, again in sampled_numbers(simulate(*run)))
    with broken(mutation):
        numbers = list(sampled_numbers(simulate(*run)))
    assert not all(isclose(shown, again) for _, shown, again in numbers)


@pytest.mark.parametrize(("mutation", "sheet"), quick(COUNTED, COUNTED[0]), ids=str)
def test_a_wrong_number_of_a_counter_is_found(mutation: Mutation, sheet: str) -> None:
    """By whole shoes, card by card: one with 30 rounds or more."""
    rules = sheet_called(sheet)
    run = rules, [strategy_of(rules, "never bust")], 3, 1000, rules.tables.wagers, 300
    assert replay_rounds(*run).agrees
    with broken(mutation):
        found = replay_rounds(*run)
    assert found.differences
    assert all("simulated: " in line for one in found.differences for line in one.lines)

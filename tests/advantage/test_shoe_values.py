"""Exact values of sampled rounds are kept on disk, continue where they stopped, and belong to one run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from holecard.advantage import shoe_values as module
from holecard.advantage.shoe_values import SamplePlan, shoe_values
from holecard.advantage.targets import CHART_TARGET, Target, targets_of
from holecard.sheets.read import rules


class Counted:
    """A wager's values, with the number of rounds that were computed; it can be stopped."""

    def __init__(self, stop_after: int | None = None) -> None:
        self.rounds = 0
        self.stop_after = stop_after

    def __call__(self, _target: Target, _sheet: Any, shoes: np.ndarray, **_how: Any) -> np.ndarray:
        if self.stop_after is not None and self.rounds >= self.stop_after:
            raise KeyboardInterrupt
        self.rounds += len(shoes)
        return np.where(shoes[:, 0] == 0, np.nan, shoes.sum(axis=1) / 312)


@pytest.fixture
def plan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SamplePlan:
    monkeypatch.setattr(module, "folder", lambda: tmp_path / "kernels")
    monkeypatch.setattr(module, "_WORTH_KEEPING", 0.0)
    monkeypatch.setattr(module, "_CHUNKS", {"main": 16, "insurance": 16, "side": 16})
    return SamplePlan(rules("classic"), 90)


def run(monkeypatch: pytest.MonkeyPatch, plan: SamplePlan, rounds: int, counted: Counted) -> np.ndarray:
    monkeypatch.setattr(Target, "values", lambda self, *args, **how: counted(self, *args, **how))
    return shoe_values(plan, targets_of(plan.sheet)[0], plan.sample(40), rounds)


def test_a_stopped_run_keeps_its_chunks(plan: SamplePlan, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C after 32 of 70 rounds; the next run computes the others, and a third none."""
    first, second, third = Counted(stop_after=32), Counted(), Counted()
    with pytest.raises(KeyboardInterrupt):
        run(monkeypatch, plan, 70, first)
    found = run(monkeypatch, plan, 70, second)
    assert second.rounds == 70 - 32
    again = run(monkeypatch, plan, 70, third)
    assert third.rounds == 0
    assert np.array_equal(found, again, equal_nan=True)
    whole = Counted()
    assert np.array_equal(found, whole(targets_of(plan.sheet)[0], None, plan.sample(40).cards[:70]), equal_nan=True)


def test_quick_values_are_kept_only_when_they_are_interrupted(
    plan: SamplePlan, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They take less time than to read them; what Ctrl-C interrupts continues all the same."""
    monkeypatch.setattr(module, "_WORTH_KEEPING", 60.0)
    file = plan.file(targets_of(plan.sheet)[0])
    run(monkeypatch, plan, 32, Counted())
    assert not file.exists()
    with pytest.raises(KeyboardInterrupt):
        run(monkeypatch, plan, 70, Counted(stop_after=32))
    assert file.exists()


def test_fewer_and_more_rounds_share_the_list(plan: SamplePlan, monkeypatch: pytest.MonkeyPatch) -> None:
    counted = Counted()
    longer = run(monkeypatch, plan, 48, counted)
    assert np.array_equal(run(monkeypatch, plan, 20, counted), longer[:20], equal_nan=True)
    assert counted.rounds == 48
    run(monkeypatch, plan, 60, counted)
    assert counted.rounds == 60


def test_a_damaged_file_is_ignored(plan: SamplePlan, monkeypatch: pytest.MonkeyPatch) -> None:
    counted = Counted()
    found = run(monkeypatch, plan, 32, counted)
    file = plan.file(targets_of(plan.sheet)[0])
    for text in (file.read_text().replace("0.9", "0.8", 1), "{", "[]", '{"values": [1], "checksum": ""}'):
        file.write_text(text)
        counted.rounds = 0
        assert np.array_equal(run(monkeypatch, plan, 32, counted), found, equal_nan=True)
        assert counted.rounds == 32


def test_other_samples_and_sheets_have_other_files(plan: SamplePlan) -> None:
    main = targets_of(plan.sheet)[0]
    others = [
        SamplePlan(plan.sheet, 90, seed=2),
        SamplePlan(plan.sheet, 90, seats=2),
        SamplePlan(plan.sheet, 95),
        SamplePlan(rules("classic", {"shoe.decks": 8}), 90),
        SamplePlan(rules("classic", {"dealer.soft_17": "stand"}), 90),
    ]
    files = {one.file(main) for one in (plan, *others)} | {plan.file(targets_of(plan.sheet)[1])}
    assert len(files) == 7


def test_tables_with_more_seats_have_other_files(plan: SamplePlan) -> None:
    """Also where as many rounds are skipped: two decks with six and with seven seats."""
    six, seven = (SamplePlan(rules("classic", decks=2), 90, seats=seats) for seats in (6, 7))
    assert six.every == seven.every
    assert six.file(targets_of(plan.sheet)[0]) != seven.file(targets_of(plan.sheet)[0])


def test_kinds_with_the_same_name_have_other_files(plan: SamplePlan) -> None:
    """A sheet may have a side wager with this name."""
    assert plan.file(Target("chart", CHART_TARGET)) != plan.file(Target("side", CHART_TARGET))


def test_values_by_upcard_are_kept_with_their_shape(plan: SamplePlan, monkeypatch: pytest.MonkeyPatch) -> None:
    """In another file than EVs without the upcard; the second run reads what the first one computed."""
    wager = {"name": "W", "max": "$50", "placed": "after the check", "lines": [{"dealer": "20", "pays": "4 to 1"}]}
    plan = SamplePlan(rules("classic", {"wager": [wager]}), 90)
    target = targets_of(plan.sheet, ("W",))[0]
    assert plan.file(target) != plan.file(Target("side", "W"))
    sample = plan.sample(40)
    found = shoe_values(plan, target, sample, 20)
    assert np.array_equal(found, target.values_by_upcard(plan.sheet, sample.cards[:20]), equal_nan=True)
    monkeypatch.delattr(Target, "values_by_upcard")
    assert np.array_equal(shoe_values(plan, target, sample, 20), found, equal_nan=True)

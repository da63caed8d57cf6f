"""Environments follow Gymnasium's rules, for every sheet."""

from __future__ import annotations

import pickle
import subprocess
import sys
import warnings
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import holecard
import holecard.gym
from holecard.errors import IllegalMove, OutOfTurn, Refusal, SheetError, WagerRefused
from holecard.gym import BlackjackEnv
from holecard.gym.observation import OBSERVED_PHASES
from tests.random_play import sheets
from tests.selection import one_in

GAMES = holecard.games(examples=True)


@pytest.mark.parametrize("game", one_in(3, GAMES))
def test_every_sheet_has_an_id_whose_environment_passes_the_check(game: str) -> None:
    """Gymnasium's own check gives no warnings."""
    env = gymnasium.make(f"holecard/{game}-v0", render_mode="ansi")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env.unwrapped)


@pytest.mark.parametrize("game", one_in(4, sheets()))
def test_betting_and_every_side_wager_pass_the_check(game: str) -> None:
    """Each wager at its minimum."""
    sheet = sheets()[game]
    env = holecard.gym.make(sheet, betting=True, wagers={w.name: w.limits.low for w in sheet.tables.wagers})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env, skip_render_check=True)


def test_importing_the_package_is_enough_to_make_an_environment() -> None:
    """In a new process: by name after an import, or with the module before a colon."""
    code = "import gymnasium; print(gymnasium.make('holecard.gym:holecard/european-v0').unwrapped.rules.name)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == holecard.rules("european").name


def test_without_gymnasium_the_error_names_the_extra() -> None:
    """holecard itself does not need it."""
    code = (
        "import sys; sys.modules['gymnasium'] = None; import holecard; holecard.Table('classic'); import holecard.gym"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "pip install '.[gym]'" in done.stderr.splitlines()[-1]


def test_a_custom_sheet_gets_an_id(tmp_path: Path) -> None:
    """The id comes from the file's name; a name that is taken or invalid is refused."""
    sheet = tmp_path / "sunday.toml"
    sheet.write_text('name = "Sunday"\nextends = "classic"\n[shoe]\ndecks = 2\n')
    assert holecard.gym.register(sheet) == "holecard/sunday-v0"
    env = gymnasium.make("holecard/sunday-v0")
    assert env.unwrapped.rules.shoe.decks == 2  # type: ignore[attr-defined]
    with pytest.raises(Refusal, match="give another name"):
        holecard.gym.register(sheet, "classic")
    with pytest.raises(Refusal, match="letters, digits"):
        holecard.gym.register(sheet, "two words")
    with pytest.raises(SheetError):
        holecard.gym.register(tmp_path / "missing.toml")


def test_settings_and_options_reach_the_game() -> None:
    """Settings change the rules, the bet changes what is staked, rewards stay in units."""
    env = holecard.gym.make("classic", {"shoe.decks": 2, "player.surrender": "late"}, bet="$20")
    assert "surrender" in env.actions
    assert env.observation_space.contains(env.reset(seed=1)[0])
    assert dict(zip(env.fields, env.observation_space.high.tolist(), strict=True))["unseen_A"] == 8
    env.reset(seed=4)
    while env.action_mask()[env.actions.index("surrender")] == 0:
        env.reset()
    _, reward, done, _, info = env.step(env.actions.index("surrender"))
    assert (reward, done, info["net"]) == (-0.5, True, -1000)


def test_the_unit_pays_everything_in_whole_cents() -> None:
    """$6 is the smallest bet of at least $5 that pays 3 to 2 and can be insured for exactly half."""
    assert holecard.gym.make("classic").unit == 600
    assert holecard.gym.make("match-up").unit == 200


# Seeds


def episode(env: holecard.gym.BlackjackEnv, seed: int | None, rng: np.random.Generator) -> list[object]:
    """A random round as plain data."""
    seen, info = env.reset(seed=seed)
    found: list[object] = [seen.tolist()]
    done = False
    while not done:
        seen, reward, done, _, info = env.step(rng.choice(np.flatnonzero(info["action_mask"])))
        found.append((seen.tolist(), reward, info["action_mask"].tolist()))
    return found


@pytest.mark.parametrize("procedure", ["fresh each round", "cut card", "continuous shuffler"])
def test_a_seed_repeats_every_round(procedure: str) -> None:
    """Whatever was dealt before, and across shuffles."""
    env = holecard.gym.make("classic", procedure=procedure)

    def rounds() -> list[object]:
        rng = np.random.default_rng(3)
        return [episode(env, 11 if number == 0 else None, rng) for number in range(80)]

    first = rounds()
    assert rounds() == first
    assert first[0] != first[1]
    env.reset(seed=12)
    assert [episode(env, None, np.random.default_rng(3)) for _ in range(5)] != first[1:6]


@pytest.mark.parametrize("procedure", ["fresh each round", "cut card"])
@pytest.mark.parametrize("again", [deepcopy, lambda env: pickle.loads(pickle.dumps(env))], ids=["copy", "pickle"])
def test_a_copy_continues_the_same_way(again: Callable[[BlackjackEnv], BlackjackEnv], procedure: str) -> None:
    """From the middle of a round, and independently of the original."""
    env = holecard.gym.make("classic", procedure=procedure)
    env.reset(seed=3)
    copy = again(env)
    first = [episode(env, None, np.random.default_rng(1)) for _ in range(20)]
    assert [episode(copy, None, np.random.default_rng(1)) for _ in range(20)] == first


def test_vector_environments_stack_observations_and_masks() -> None:
    """As created by `gymnasium.make_vec`."""
    vector = gymnasium.make_vec("holecard/classic-v0", num_envs=3, vectorization_mode="sync")
    seen, info = vector.reset(seed=1)
    assert seen.shape == (3, len(holecard.gym.make("classic").fields))
    assert info["action_mask"].shape == (3, 6)
    alone = [holecard.gym.make("classic").reset(seed=1 + number)[0].tolist() for number in range(3)]
    assert seen.tolist() == alone


# Actions


def test_stand_and_hit_have_the_same_numbers_in_every_game() -> None:
    """The action list depends on the sheet and on betting, not on the wagers."""
    for game in GAMES:
        env = holecard.gym.make(game)
        assert env.actions[:2] == ("stand", "hit")
    with_hedges = holecard.gym.make("quick-pay", wagers={"Hedge 18": 5})
    assert with_hedges.actions == holecard.gym.make("quick-pay").actions
    assert with_hedges.fields == holecard.gym.make("quick-pay").fields


def test_a_mask_can_be_sampled_from() -> None:
    """`sample` accepts the mask of the info and of the method, and never returns a masked action."""
    env = holecard.gym.make("classic")
    env.action_space.seed(1)
    for _ in range(50):
        _, info = env.reset(seed=None)
        assert info["action_mask"].dtype == np.int8
        assert (env.action_mask() == info["action_mask"]).all()
        assert (env.action_masks() == info["action_mask"]).all()
        assert info["action_mask"][env.action_space.sample(info["action_mask"])] == 1


def test_an_illegal_action_costs_a_penalty_and_changes_nothing() -> None:
    """This is the default, for agents that do not mask."""
    env = holecard.gym.make("classic", illegal_reward=-2)
    seen, _ = env.reset(seed=3)
    before = env.view
    again, reward, done, truncated, info = env.step(env.actions.index("insurance"))
    assert (again.tolist(), reward, done, truncated) == (seen.tolist(), -2.0, False, False)
    assert info["illegal"]
    assert env.view == before


def test_an_illegal_action_can_be_an_error() -> None:
    """The message lists the legal actions; a number outside the space is always an error."""
    env = holecard.gym.make("classic", illegal_action="raise")
    env.reset(seed=3)
    with pytest.raises(IllegalMove, match=r"insurance is not legal now; it can be: .*stand"):
        env.step(env.actions.index("insurance"))
    lenient = holecard.gym.make("classic")
    lenient.reset(seed=3)
    with pytest.raises(IllegalMove, match="99"):
        lenient.step(99)


def test_nothing_is_played_before_reset_or_after_the_end() -> None:
    """Both messages say to call reset."""
    env = holecard.gym.make("classic")
    with pytest.raises(OutOfTurn, match="reset"):
        env.step(0)
    env.reset(seed=1)
    while not env.step(0)[2]:
        pass
    with pytest.raises(OutOfTurn, match="reset"):
        env.step(0)


def test_a_round_that_the_deal_decides_ends_with_stand() -> None:
    """A natural leaves nothing to decide, and its result must still be a reward."""
    env = holecard.gym.make("classic")
    env.reset(seed=1)
    found = []
    for _ in range(400):
        seen, info = env.reset()
        if seen[0] == OBSERVED_PHASES.index("done"):
            assert np.flatnonzero(info["action_mask"]).tolist() == [0]
            _, reward, done, _, _ = env.step(0)
            assert done
            found.append(reward)
    assert {-1.0, 1.5} <= set(found)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"bet": 3}, "bet: \\$3 is outside the limits; it must be \\$5 to \\$500"),
        ({"bets": [5, 10]}, "betting=True"),
        ({"betting": True, "bets": [5, 5]}, "different amounts"),
        ({"betting": True, "bets": [5, 1000]}, "bets: \\$1,000 is outside the limits"),
        ({"betting": True, "bet": 5, "bets": [5]}, "leave bet out"),
        ({"wagers": {"Hedge 81": 5}}, "no side wager is called 'Hedge 81'; did you mean"),
        ({"wagers": {"Hedge 18": 100_000}}, "Hedge 18: the stake must be"),
        ({"illegal_action": "ignore"}, "'penalty' or 'raise', not 'ignore'"),
        ({"render_mode": "human"}, "'ansi' or None, not 'human'"),
        ({"procedure": "never"}, "procedure"),
    ],
)
def test_a_wrong_option_is_refused_in_words(options: dict[str, object], words: str) -> None:
    """The message says what is wrong and what is valid."""
    with pytest.raises(Refusal, match=words):
        holecard.gym.make("quick-pay", **options)


def test_a_round_can_be_left_in_the_middle_of_wagering() -> None:
    """Wagers that were not yet placed are dropped."""
    env = holecard.gym.make(sheets()["late wagers"], wagers={"Twenty": 5, "Bust": 2}, illegal_action="raise")
    env.reset(seed=1)
    while "pass" not in env._legal_names():
        env.reset()
    seen = env.step(env.actions.index("place Twenty"))[0]
    assert seen[env.fields.index("placed Twenty")] == 1
    for _ in range(30):
        seen, _ = env.reset()
        assert seen[env.fields.index("placed Twenty")] == 0
        assert env.step(np.flatnonzero(env.action_mask())[0])


def test_a_wager_is_an_action_only_with_the_upcards_it_is_offered_with() -> None:
    """Small card with 2 to 6 up; the mask is never empty."""
    env = holecard.gym.make(sheets()["late wagers by upcard"], wagers={"Small card": 2, "Once": 1})
    seen: dict[bool, set[int]] = {True: set(), False: set()}
    for seed in range(120):
        env.reset(seed=seed)
        assert env.action_mask().any()
        if env.view.phase in ("acting", "after the check"):
            seen["place Small card" in env._legal_names()].add(env.view.dealer[0].value)
    assert seen == {True: {2, 3, 4, 5, 6}, False: {7, 8, 9, 10}}  # with an ace up, insurance comes first


def test_a_side_wager_needs_what_its_sheet_says() -> None:
    """Fixed wagers are refused when the environment is made, not in the middle of training."""
    sheet = sheets()["late wagers"]
    with pytest.raises(WagerRefused):
        holecard.gym.make(sheet, wagers={"Bust": 3})


def test_the_table_is_rendered_as_text() -> None:
    """The hole card stays hidden until it is turned."""
    env = holecard.gym.make("classic", render_mode="ansi")
    env.reset(seed=3)
    text = env.render()
    assert text is not None
    assert "Dealer" in text
    assert "??" in text
    assert "legal: " in text
    while not env.step(0)[2]:
        pass
    assert "??" not in str(env.render())
    assert holecard.gym.make("classic").render() is None


def test_settings_are_given_by_name_or_place() -> None:
    """As to the class."""
    named, placed = holecard.gym.make("classic", settings={"decks": 1}), holecard.gym.make("classic", {"decks": 1})
    assert named.tables == placed.tables
    assert named.tables.decks == 1
    assert repr(named).startswith("BlackjackEnv(classic: Classic Blackjack, shoe.decks = 1")

"""Random, chart and optimal play come close to their exact values."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import sqrt

import gymnasium
import numpy as np
import pytest

import holecard
import holecard.gym
from holecard.charts.named_strategies import mimic_the_dealer
from holecard.composition import full
from holecard.deck import RANKS, card
from holecard.exact.charts.chart_cache import cached_best_chart
from holecard.exact.solved_game import main_ev
from holecard.exact.wagers.wager_values import wager_results
from holecard.gym import BlackjackEnv
from holecard.gym.fresh_shoe import FreshShoe
from holecard.gym.policies import GymPolicy, chart_policy, optimal_policy, play_policy, random_policy
from holecard.table.advance import advance, start
from holecard.table.events import Act, Bet, Deal, NoMoreBets
from holecard.table.legal import legal
from holecard.table.state import State
from tests.random_play import sheets
from tests.selection import one_in, quick, rounds

#: A correct environment deviates more than this once in 16,000 times.
STANDARD_ERRORS = 4


def is_close(rewards: np.ndarray, exact: float) -> bool:
    error = float(rewards.std()) / sqrt(len(rewards))
    return abs(float(rewards.mean()) - exact) < STANDARD_ERRORS * error


# Random play, by every deal of a small shoe

SMALL = {"8": 4, "T": 6, "A": 3}


class SmallShoe(FreshShoe):
    """The cards of `SMALL` for every round."""

    def _fill(self) -> None:
        super()._fill()
        left = Counter(SMALL)
        stock = []
        for one in self._stock:
            name = RANKS[one.rank]
            if left[name] > 0:
                left[name] -= 1
                stock.append(one)
        self._stock, self._size, self._undrawn = stock, len(stock), len(stock)


def random_value(state: State, left: Counter[str]) -> Fraction:
    """The expected net result, in cents, of a player who takes any legal action with equal probability: every card,
    every action.
    """
    if state.phase == "done":
        return Fraction(sum(int(result.net) for result in state.results))
    if state.queue:
        cards = sum(left.values())
        return sum(
            (
                Fraction(count, cards) * random_value(advance(state, Deal(card(rank + "s"))), left - Counter([rank]))
                for rank, count in left.items()
            ),
            Fraction(0),
        )
    choices = legal(state)
    acts = [Act(1, choice.action, choice.high if choice.action == "insurance" else None) for choice in choices]
    return sum((random_value(advance(state, act), left) for act in acts), Fraction(0)) / len(acts)


@pytest.mark.slow
def test_random_play_earns_what_every_deal_and_every_action_give() -> None:
    """At most two hands from 13 cards: insurance, doubles and splits, all equally likely."""
    env = BlackjackEnv("classic", settings={"player.split_hands": 2, "player.surrender": "late"})
    opened = advance(advance(start(env.tables), Bet(1, env.unit)), NoMoreBets())
    exact = random_value(opened, Counter(SMALL)) / env.unit
    env.reset(seed=5)
    assert env._dealt is not None
    env._dealt.shoe = SmallShoe(env.rules.shoe, np.random.default_rng(5))
    rewards = play_policy(env, random_policy(5), rounds(50_000))
    assert is_close(rewards, float(exact))
    assert not is_close(rewards, float(exact) + 0.1)


# Charts


def value_in_units(env: BlackjackEnv, per_stake: float) -> float:
    """The exact value, which is per initial stake, in units of the environment; a companion doubles the stake."""
    return per_stake * (2 if env.tables.has_companion else 1)


@pytest.mark.parametrize("game", quick(["classic", "quick-pay"], "quick-pay"))
def test_the_best_chart_earns_its_exact_value(game: str) -> None:
    """Basic strategy; the chart and its value come from the exact analysis."""
    env = holecard.gym.make(game)
    best = cached_best_chart(env.rules)
    assert is_close(play_policy(env, chart_policy(env), rounds(50_000), seed=1), value_in_units(env, best.ev))


@pytest.mark.parametrize("game", quick(["early-bird", "double-exposure"], "early-bird"))
def test_another_chart_earns_its_exact_value(game: str) -> None:
    """Early surrender is declined; the chart uses both dealer cards."""
    env = holecard.gym.make(game)
    chart = mimic_the_dealer(env.tables)
    exact = main_ev(env.rules, None, chart)
    assert is_close(play_policy(env, chart_policy(env, chart), rounds(25_000), seed=2), value_in_units(env, exact))


@pytest.mark.parametrize("game", one_in(3, sheets()))
def test_a_chart_decides_by_the_observation_as_by_the_cards(game: str) -> None:
    """The numbers of an observation are enough for every chart."""
    env = BlackjackEnv(sheets()[game])
    chart = mimic_the_dealer(env.tables)
    policy = chart_policy(env, chart)
    rng = np.random.default_rng(1)
    seen, info = env.reset(seed=8)
    for _ in range(rounds(50)):
        done = False
        while not done:
            if env.view.choices:
                assert env.actions[policy(seen, info["action_mask"])] == chart.act(env.view)
            seen, _, done, _, info = env.step(rng.choice(np.flatnonzero(info["action_mask"])))
        seen, info = env.reset()


# The best play


def decision(policy: GymPolicy, env: BlackjackEnv, hand: str, upcard: int) -> str:
    """The action of a policy with two or three cards against an upcard, from a full shoe."""
    field = dict.fromkeys(env.fields, 0)
    field |= {f"unseen_{rank}": 4 * env.tables.decks for rank in RANKS}
    total, soft = holecard.spot(f"{','.join(hand)} v 2").total
    field |= {"phase": 4, "total": total, "soft": int(soft), "cards": len(hand), "hand": 1, "hands": 1, "bet": 1}
    field |= {"upcard": upcard, "pair": int(len(hand) == 2 and hand[0] == hand[1]), "dealer_total": upcard}
    for rank in hand:
        field[f"hand_{rank}"] += 1
        field[f"unseen_{rank}"] -= 1
    field[f"unseen_{RANKS[upcard - 1]}"] -= 1
    mask = np.zeros(len(env.actions), np.int8)
    for name in ("stand", "hit", *(("double",) if len(hand) == 2 else ()), *(("split",) if field["pair"] else ())):
        mask[env.actions.index(name)] = 1
    return env.actions[policy(np.array([field[name] for name in env.fields], np.uint8), mask)]


@pytest.mark.parametrize(
    ("hand", "upcard", "action"),
    [
        ("T6", 10, "hit"),
        ("T42", 10, "stand"),
        ("53", 6, "double"),
        ("62", 6, "hit"),
        ("88", 10, "split"),
    ],
)
def test_the_optimal_policy_looks_at_every_card(hand: str, upcard: int, action: str) -> None:
    """One deck, soft 17 hit: a three-card 16 stands against a ten; 5,3 against a 6 is doubled, 6,2 is not."""
    env = holecard.gym.make("classic", {"shoe.decks": 1})
    assert decision(optimal_policy(env), env, hand, upcard) == action


@pytest.mark.slow
@pytest.mark.parametrize(("game", "settings"), [("classic", {"shoe.decks": 1}), ("quick-pay", {"shoe.decks": 1})])
def test_the_optimal_policy_earns_the_exact_optimum(game: str, settings: dict[str, object]) -> None:
    """Insurance, which one deck sometimes favors, is excluded on both sides."""
    env = holecard.gym.make(game, settings | {"insurance.pays": "none"})
    exact = main_ev(env.rules)
    assert is_close(play_policy(env, optimal_policy(env), 20_000, seed=3), value_in_units(env, exact))


@pytest.mark.slow
def test_insurance_is_taken_where_it_gains() -> None:
    """From one deck dealt to the cut card; with few tens dealt, the hole card is often a ten."""
    env = holecard.gym.make("classic", {"shoe.decks": 1, "shoe.cut_card": 80}, procedure="cut card")
    policy = optimal_policy(env)
    taken = set()
    seen, info = env.reset(seed=1)
    for _ in range(600):
        done = False
        while not done:
            action = policy(seen, info["action_mask"])
            if env.view.phase == "insurance":
                taken.add(env.actions[action])
            seen, _, done, _, info = env.step(action)
        seen, info = env.reset()
    assert taken == {"insurance", "no insurance"}


# Wagers


def test_a_fixed_side_wager_costs_its_edge() -> None:
    """Match Up is settled by the deal, so the round need not be played on."""
    env = holecard.gym.make("match-up", wagers={"Match Up": "$2"})
    nets = np.zeros(rounds(50_000))
    for index in range(len(nets)):
        env.reset(seed=4 if index == 0 else None)
        nets[index] = sum(int(result.net) for result in env.results if result.wager == "Match Up") / 200
    exact = {one.name: one.exact for one in wager_results(env.tables, full(env.tables.decks))}["Match Up"]
    assert is_close(nets, float(exact))


def test_policies_refuse_other_environments() -> None:
    """The observation of another game has another meaning."""
    with pytest.raises(TypeError, match=r"holecard\.gym\.make"):
        chart_policy(gymnasium.make("Blackjack-v1"))

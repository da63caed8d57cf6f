"""The same cards at the `Table` and in the environment: the same choices and the same cents, for every sheet."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Collection, Iterable
from copy import deepcopy

import numpy as np
import pytest

import holecard.gym
from holecard.deck import RANKS, VALUES, Card
from holecard.gym import BlackjackEnv
from holecard.gym.fresh_shoe import FreshShoe
from holecard.table.dealing.shoe import Shoe
from holecard.table.late_wagers import ASKING
from holecard.table.table import Table
from tests.random_play import sheets
from tests.selection import one_in

#: Number of rounds for each kind of play, and the number of extra rounds until every action has been tried.
ROUNDS, MOST_ROUNDS = 40, 400


class FewRanks(FreshShoe):
    """Cards of only four ranks, so that pairs, splits and ties are frequent; a deck of them runs out."""

    def _fill(self) -> None:
        super()._fill()
        self._stock = [card for card in self._stock if str(card)[0] in "A56K"]
        self._size = self._undrawn = len(self._stock)


def play_both(env: BlackjackEnv, table: Table, rng: random.Random) -> list[str]:
    """Play one round in both, with the same random legal actions, and compare every decision."""
    seen, info = env.reset()
    done, names = False, []
    sides: dict[str, object] = {}
    pending: dict[str, object] = {}
    if not env._betting:
        early = env.tables.early_wagers
        sides = {env.tables.wagers[index].name: stake for index, stake in env._stakes.items() if index in early}
        table.bet(env.unit, sides)
        table.deal()
    while not done:
        legal = [env.actions[number] for number in np.flatnonzero(info["action_mask"])]
        name = rng.choice(legal)
        names.append(name)
        before = table.phase
        if table.phase not in ("betting", "done"):
            compare_view(env, table, seen, legal, pending)
        seen, reward, done, _, info = env.step(env.actions.index(name))
        stake = {
            wager.name: env._stakes[index] for index, wager in enumerate(env.tables.wagers) if index in env._stakes
        }
        if name.startswith("bet "):
            table.bet(name.removeprefix("bet "), sides)
            table.deal()
        elif name.startswith("place ") and (not table.asked or before in ASKING):
            (pending if before in ASKING else sides)[name[6:]] = stake[name[6:]]
        elif name.startswith("place "):
            table.place({name[6:]: stake[name[6:]]})
        elif name == "insurance":
            table.act("insurance", table.legal()[0].high)
        elif name != "pass" and before != "done":
            table.act(name)  # type: ignore[arg-type]
        if table.phase in ASKING and (name == "pass" or not env_is_asking(env)):
            table.place(pending)
            pending = {}
            while table.phase in ASKING and not env_is_asking(env):
                table.place()
    assert table.phase == "done"
    assert env.results == table.results
    assert env._dealt is not None
    assert env._dealt.cards == table.cards_dealt
    assert info["net"] == table.net()
    assert reward == table.net() / env.unit
    return names


def env_is_asking(env: BlackjackEnv) -> bool:
    return env.view.phase in ASKING and "pass" in env._legal_names()


def compare_view(env: BlackjackEnv, table: Table, seen: np.ndarray, legal: list[str], pending: Collection[str]) -> None:
    """Compare the legal actions and the whole observation with the view of the seat."""
    view = table.view(1)
    plain = [name for name in legal if name != "pass" and not name.startswith("place ")]
    assert sorted(plain) == sorted(choice.action for choice in table.legal())
    field = dict(zip(env.fields, seen.tolist(), strict=True))
    (seat,) = view.seats
    hand = seat.hands[(view.hand or 1) - 1]
    assert (field["total"], field["soft"], field["cards"]) == (hand.total, hand.soft, len(hand.cards))
    assert (field["hand"], field["hands"]) == (view.hand or 1, len(seat.hands))
    dealer = [card for card in view.dealer if card is not None]
    assert [field["upcard"], field["hole"]][: len(dealer)] == [VALUES[card] for card in dealer]
    assert field["hole"] == 0 or len(dealer) > 1
    assert [field[f"hand_{rank}"] for rank in RANKS] == by_rank(hand.cards)
    placed = {env.tables.wagers[side.wager].name for side in table.state.seats[0].sides} | set(pending)
    staked = {name.removeprefix("placed "): value for name, value in field.items() if name.startswith("placed ")}
    assert {name for name, value in staked.items() if value} == placed & set(staked)
    if not env._dealt.reshuffled and env._is_fresh:  # type: ignore[union-attr]
        in_sight = [*dealer, *(card for one in seat.hands for card in one.cards)]
        out = np.array(by_rank(in_sight))
        assert [field[f"unseen_{rank}"] for rank in RANKS] == (4 * env.tables.decks - out).tolist()


def by_rank(cards: Iterable[Card | None]) -> list[int]:
    counts = Counter(card.rank for card in cards if card is not None)
    return [counts[rank] for rank in range(len(RANKS))]


@pytest.mark.parametrize(
    ("name", "betting"),
    one_in(7, [(name, betting) for name in sheets() for betting in (False, True)]),
    ids=[f"{name}-{bets}" for name in sheets() for bets in ("fixed bets", "betting")],
)
def test_every_cent_is_that_of_the_table(name: str, betting: bool) -> None:
    """Random legal actions, with every offered side wager, from full shoes and from shoes of four ranks."""
    rng = random.Random(f"{name} {betting}")
    env = BlackjackEnv(sheets()[name], wagers=affordable(name), betting=betting)
    table = Table(env.rules)
    env.reset(seed=1)
    tried: set[str] = set()
    offered = {f"place {env.tables.wagers[index].name}" for index in env._stakes}
    wanted = {name for name in env.actions if not name.startswith("place ") or name in offered}
    for number in range(MOST_ROUNDS):
        if number == ROUNDS // 2:
            env._dealt.shoe = FewRanks(env.rules.shoe, np.random.default_rng(5))  # type: ignore[union-attr]
        shoe = deepcopy(env._dealt.shoe)  # type: ignore[union-attr]
        shoe.prepare()
        if table.phase == "done":
            table._clear()
        table.shoe = shoe
        tried |= set(play_both(env, table, rng))
        if number >= ROUNDS and tried == wanted:
            break
    assert tried == wanted


def affordable(name: str) -> dict[str, object]:
    """Every wager of a sheet at its minimum, except those above the limit of the main wager."""
    env = BlackjackEnv(sheets()[name])
    return {w.name: w.limits.low for w in env.tables.wagers if not w.at_most_main or w.limits.low <= env.unit}


@pytest.mark.parametrize("name", ["classic", "quick-pay", "lone-deck"])
def test_a_shoe_is_dealt_down_to_the_cut_card_as_at_the_table(name: str) -> None:
    """The unseen cards are the stock, the burned card and the hole card; after a shuffle, all cards again."""
    env = BlackjackEnv(sheets()[name], procedure="cut card", settings={"shoe.cut_card": 80})
    env.reset(seed=9)
    while not env.step(env.action_space.sample(env.action_mask()))[2]:
        pass
    assert env._dealt is not None
    table = Table(env.rules)
    rng = random.Random(2)
    shuffled = 0
    table.shoe = env._dealt.shoe  # both sides would draw from one shared shoe, so each round gets a copy
    for _ in range(120):
        shoe = deepcopy(env._dealt.shoe)
        shoe.discard(env._dealt.out)
        shoe.prepare()
        shuffled += shoe.shuffles != env._dealt.shoe.shuffles
        if table.phase == "done":
            table._clear()
        table.shoe = shoe
        play_both(env, table, rng)
        assert unseen(env) == Counter(stock_of(env._dealt.shoe))
    assert shuffled > 1


def unseen(env: BlackjackEnv) -> Counter[int]:
    """The cards not seen by the end of a round, by rank."""
    assert env._dealt is not None
    vector = env._observer.observe(env._dealt)
    start = env.fields.index("unseen_A")
    return Counter({rank: int(vector[start + rank]) for rank in range(13)})


def stock_of(shoe: Shoe) -> list[int]:
    """Ranks of the cards in the stock and of the burned cards: discards that no round has shown."""
    shown = shoe.settings.burn
    return [card.rank for card in (*shoe._stock, *shoe._discards[:shown])]


def test_a_fresh_shoe_deals_every_card_equally_often() -> None:
    """Chi-square of 26,000 first and fourth cards, 51 degrees of freedom: it exceeds 105 once in 100,000 times."""
    shoe = FreshShoe(holecard.rules("classic").shoe, np.random.default_rng(7))
    for place in (0, 3):
        counts: Counter[Card] = Counter()
        for _ in range(26_000):
            shoe.prepare()
            counts[shoe.draw(4)[place]] += 1
        assert len(counts) == 52
        assert sum((count - 500) ** 2 / 500 for count in counts.values()) < 105


def test_a_fresh_shoe_deals_each_card_as_often_as_it_has_it() -> None:
    """All 104 cards of two decks, then none."""
    shoe = FreshShoe(holecard.rules("classic", decks=2).shoe, np.random.default_rng(7))
    for _ in range(3):
        shoe.prepare()
        drawn = [*shoe.draw(100), *shoe.draw(10)]
        assert set(Counter(drawn).values()) == {2}
        assert len(drawn) == 104
        assert shoe.draw(1) == []
        assert not shoe.restock()

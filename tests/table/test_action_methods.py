"""A method for each action, and whole rounds played by a strategy."""

from __future__ import annotations

import json
import pickle
from typing import Any

import pytest

from holecard.charts.named_strategies import mimic_the_dealer
from holecard.errors import IllegalMove, OutOfTurn, Refusal
from holecard.money import Money
from holecard.table.events import Act, Action
from holecard.table.table import Table
from holecard.table.views import View
from holecard.testing import scripted_table


def test_an_action_is_its_text() -> None:
    """As a value, a key, a pickle and in JSON; a move accepts both."""
    assert Action.DOUBLE_UP == "double up"
    assert {"double up": 1}[Action.DOUBLE_UP] == 1
    assert f"{Action.HIT} {Action.HIT!r} {json.dumps(Action.HIT)}" == "hit 'hit' \"hit\""
    assert pickle.loads(pickle.dumps(Action.HIT)) is Action.HIT
    assert Act(1, "hit") == Act(1, Action.HIT)
    assert type(Act(1, "hit").action) is Action


@pytest.mark.parametrize(
    ("game", "cards", "methods", "net"),
    [
        ("classic", "Ts 7d 5s Tc 4h", ["hit", "stand"], 10),  # 19 against 17
        ("classic", "6s 7d 5s Tc Kh", ["double"], 20),  # 21 against 17
        ("classic", "8s 7d 8h Tc Kh Td", ["split", "stand", "stand"], 20),  # 18 twice against 17
        ("double-up", "Ts 7d 9s Tc", ["double_up"], 20),  # 19 against 17
        ("quick-pay", "Ts 7d Ks Tc", ["quick_pay"], 10),  # Quick Pay on 20
        ("quick-pay", "Ts 7d 6s Tc", ["surrender"], -10),  # one of two wagers is lost
        ("classic", "Ts Ad 9s Tc", ["insurance"], 0),  # a natural: the insurance wins what the bet loses
        ("classic", "Ts Ad 9s 8c", ["no_insurance", "stand"], 0),  # 19 each
    ],
)
def test_every_action_is_a_method(game: str, cards: str, methods: list[str], net: int) -> None:
    """With the result that the rules give."""
    table = scripted_table(game, cards)
    table.bet("$10")
    table.deal()
    for method in methods:
        getattr(table, method)()
    while table.asked:  # the last call of a game with wagers until the hole card is turned
        table.place()
    assert table.net() == Money(net)


def test_amounts_of_methods_are_checked() -> None:
    """Insurance may be less than the maximum, and a double may be for less where the game allows it."""
    table = scripted_table("classic", "Ts Ad 9s Tc")
    table.bet("$10")
    table.deal()
    table.insurance("$2")
    assert table.results[-1].net == Money("$4")
    with pytest.raises(OutOfTurn, match="no seat has a decision"):
        table.hit()


def test_early_surrender_may_be_declined() -> None:
    """It is offered under a ten before the dealer checks."""
    table = scripted_table("classic", "Ts Td 9s 8c", settings={"player.surrender": "early"})
    table.bet("$10")
    table.deal()
    table.no_surrender()
    table.stand()
    assert table.net() == Money(10)


def test_a_chart_plays_a_round() -> None:
    """By its rows, through all other decisions: here it draws to 17 and never insures."""
    table = scripted_table("classic", "Ts Ad 2s 8c 4h Jc")
    table.bet("$10")
    results = table.play(mimic_the_dealer(table.tables))
    assert table.phase == "done"
    assert [str(result.net) for result in results] == ["-$10"]  # 16 takes the jack


def test_a_name_plays_a_round() -> None:
    """With its own bet; never-bust stands on 12."""
    table = scripted_table("classic", "Ts 7d 2s Tc")
    (result,) = table.play("never bust", bet="$10")
    assert result.net == Money(-10)
    assert len(table.state.seats[0].hands[0].cards) == 2


def test_a_function_plays_a_round() -> None:
    """It gets the seat's view and legal actions, and decides for every seat."""
    asked = []

    def policy(view: View, legal: tuple[Action, ...]) -> str:
        asked.append((view.seat, legal[0]))
        assert [choice.action for choice in view.choices] == list(legal)
        return "no insurance" if "insurance" in legal else "stand"

    table = scripted_table("classic", "Ts Th Ad 9s 8s 8c")
    table.bet("$10", seat=1)
    table.bet("$10", seat=2)
    table.play(policy)
    assert asked == [(1, "insurance"), (2, "insurance"), (1, "hit"), (2, "hit")]
    assert (table.net(1), table.net(2)) == (Money(0), Money(-10))  # 19 and 18 against 19


def test_a_policy_is_offered_only_what_can_be_paid() -> None:
    """With $15, a bet of $10 leaves nothing to double with."""
    seen = []
    table = scripted_table("classic", "6s 7d 5s Tc", bankroll="$15")
    table.play(lambda _view, legal: seen.append(legal) or "stand", bet=10)
    assert seen == [("hit", "stand")]


@pytest.mark.parametrize(
    ("strategy", "words"), [(None, "is not a strategy"), (5, "is not a strategy"), ("bsic", "bsic")]
)
def test_what_is_not_a_strategy_is_refused(strategy: Any, words: str) -> None:
    """Before anything is bet."""
    table = Table("classic", seed=1, bankroll=100)
    with pytest.raises(Refusal, match=words):
        table.play(strategy, bet=10)
    assert (table.phase, table.at_risk()) == ("betting", 0)


def test_a_policy_cannot_do_what_is_not_legal() -> None:
    """The table gives the reason, and the round can continue."""
    table = scripted_table("classic", "Ts 7d 9s Tc")
    with pytest.raises(IllegalMove, match="only two cards of one value can be split"):
        table.play(lambda _view, _legal: "split", bet=10)
    table.stand()
    assert table.net() == Money(10)


def test_a_round_that_the_deal_has_decided_is_played_to_its_end() -> None:
    """About one round in eleven: a natural leaves nothing to decide."""
    table = Table("classic", seed=1)
    decided = 0
    for _ in range(60):
        table.bet("$10")
        table.deal()
        decided += table.phase == "done"
        assert table.play("never bust") == table.results
        assert table.phase == "done"
    assert decided > 0

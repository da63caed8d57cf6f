"""Every cent is somewhere: transfers follow from the log, sum to zero, and pay what the table pays."""

from __future__ import annotations

import random

import pytest

import holecard
from holecard.money import sum_of
from holecard.server.game.commands import DealNow, Leave, PlaceBet, PlaceWagers, TakeAction, WithdrawBet
from holecard.server.game.folded_table import FoldedTable
from holecard.server.money.transfers import may_be_negative
from holecard.table.legal import legal
from tests.selection import quick
from tests.server.driven_table import ANN, BOB, DrivenTable, random_bet, random_decision

GAMES = holecard.games(examples=True)


@pytest.mark.parametrize("game", quick(GAMES, "double-up", "quick-pay", "upcard-luck-21"))
def test_players_win_and_lose_what_the_results_say(game: str) -> None:
    driven, rng = DrivenTable.open(game), random.Random(4)
    for _ in range(15):
        before = driven.balances.copy()
        driven.play_round(rng)
        for user, seat in (("ann", 1), ("bob", 3)):
            net = sum_of(result.net for result in driven.table.state.results if result.seat == seat)
            assert driven.balances[f"player:{user}"] - before[f"player:{user}"] == net
            assert driven.balances[f"held:t1:{seat}"] == 0
        assert sum(driven.balances.values()) == 0


@pytest.mark.parametrize("game", quick(GAMES, "double-up", "quick-pay", "upcard-luck-21"))
def test_held_accounts_hold_what_is_on_the_table_at_every_moment(game: str) -> None:
    driven, rng = DrivenTable.open(game), random.Random(5)
    seen = 0
    for _ in range(6):
        driven.play_round(rng)
    again = DrivenTable.open(game)
    for entry, moved in zip(driven.log[4:], driven.transfers[3:], strict=True):
        again.table.apply(entry, 0)
        for transfer in moved:
            again.balances[transfer.source] -= transfer.amount
            again.balances[transfer.target] += transfer.amount
            assert again.balances[transfer.source] >= 0 or not transfer.source.startswith("held:")
        if again.table.state.phase not in ("betting", "done"):
            for seat in (1, 3):
                assert again.balances[f"held:t1:{seat}"] == again.table.staked(seat)
                seen += 1
    assert seen > 6


def test_a_bet_that_is_changed_or_withdrawn_is_returned() -> None:
    driven = DrivenTable.open("classic")
    driven.do(PlaceBet(seat=1, main=5000), ANN)
    assert driven.balances["held:t1:1"] == 5000
    driven.do(PlaceBet(seat=1, main=2000), ANN)
    assert driven.balances["held:t1:1"] == 2000
    driven.do(WithdrawBet(seat=1), ANN)
    assert driven.balances["held:t1:1"] == 0
    driven.do(PlaceBet(seat=3, main=2000), BOB)
    driven.do(Leave(seat=3), BOB)
    assert driven.balances["player:bob"] == 0


#: A wager that can be lost before the round is over, by game.
_EARLY_LOSSES = [
    ("classic", "Bet"),
    ("classic", "Split"),
    ("match-up", "Match Up"),
    ("upcard-luck-21", "Upcard Luck"),
    ("quick-pay", "Bet"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("game", "wager"), _EARLY_LOSSES)
def test_a_voided_round_returns_every_stake_and_every_loss(game: str, wager: str) -> None:
    """Rounds are voided after each decision; the one in which the wager is lost already is looked for."""
    driven, rng, lost, after = DrivenTable.open(game), random.Random(8), 0, 0
    while not lost and after < 5000:
        before = driven.balances.copy()
        for actor, seat in ((ANN, 1), (BOB, 3)):
            driven.do(random_bet(driven.table, seat, rng), actor)
        driven.do(DealNow(), ANN)
        for _ in range(after % 4):
            if not driven.table.is_between_rounds:
                command = _split_or(random_decision(driven.table, rng), driven.table)
                driven.do(command, ANN if command.seat == 1 else BOB)
        after += 1
        if driven.table.is_between_rounds:
            continue
        settled = driven.table.state.results
        lost = sum(result.wager == wager and result.net < 0 for result in settled)
        driven.add(driven.dealer.void("the seed was lost"))
        assert driven.table.is_between_rounds
        for user, seat in (("ann", 1), ("bob", 3)):
            won = sum(max(int(result.net), 0) for result in settled if result.seat == seat)
            assert driven.balances[f"player:{user}"] - before[f"player:{user}"] == won
            assert driven.balances[f"held:t1:{seat}"] == 0
        assert sum(driven.balances.values()) == 0
    assert lost


def _split_or(command: TakeAction | PlaceWagers, table: FoldedTable) -> TakeAction | PlaceWagers:
    can_split = any(choice.action == "split" for choice in legal(table.state))
    return TakeAction(seat=command.seat, action="split") if can_split else command


def test_closing_a_table_gives_its_balance_to_the_bank() -> None:
    driven, rng = DrivenTable.open("classic"), random.Random(6)
    while not (won := driven.balances["house:t1"]):  # a round may be a push
        driven.play_round(rng)
    driven.add(driven.dealer.close("over"))
    assert driven.balances["house:t1"] == 0
    assert driven.balances["bank"] == won
    assert not any(
        amount < 0 and not may_be_negative(name) for name, amount in driven.balances.items() if "held" in name
    )

"""Money is conserved to the cent in every round."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from math import ceil, floor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holecard.sheets.tables import Tables
from holecard.table.events import Act, Bet, Place, Result
from holecard.table.state import State
from holecard.table.table import Table
from tests.oracle import KINDS, Finished, is_natural, pays, total, wins
from tests.random_play import Step, play_round, sheets, steps
from tests.selection import one_in

seeds = st.integers(0, 2**32)
NAMES = list(sheets())


def _put_on_the_table(played: list[Step]) -> Counter[tuple[int, str]]:
    """Cents staked by seat and wager, counted from the moves alone."""
    put: Counter[tuple[int, str]] = Counter()
    for before, move, _ in played:
        tables = before.tables
        if isinstance(move, Bet):
            put[move.seat, tables.stakes[0]] += move.main
            if tables.sheet.main.companion:
                put[move.seat, tables.sheet.main.companion.name] += move.main
        if isinstance(move, Bet | Place):
            for name, stake in move.sides.items():
                put[move.seat, name] += stake
        if isinstance(move, Act):
            _count_action(put, before, move)
    return put


def _count_action(put: Counter[tuple[int, str]], before: State, act: Act) -> None:
    assert before.asked
    on_hand = sum(before.asked.hands[before.hand].stakes)
    names = {"double": "Double", "split": "Split", "double up": "Double-Up"}
    if act.action == "insurance":
        put[act.seat, "Insurance"] += act.amount or 0
    elif act.action in names:
        put[act.seat, names[act.action]] += act.amount or on_hand


def _is_tax(result: Result) -> bool:
    return result.wager.endswith(" tax")


@pytest.mark.parametrize("name", one_in(3, NAMES))
@given(seed=seeds)
def test_every_stake_comes_back_in_the_results(name: str, seed: int) -> None:
    """The stakes that the seats placed, wager by wager, equal the stakes of the results; taxes are extra."""
    played = steps(sheets()[name].tables, seed)
    settled: Counter[tuple[int, str]] = Counter()
    for result in played[-1].after.results:
        if not _is_tax(result):
            settled[result.seat, result.wager] += result.stake
    assert settled == +_put_on_the_table(played)


@pytest.mark.parametrize("name", one_in(3, NAMES))
@given(seed=seeds)
def test_a_stake_is_settled_once(name: str, seed: int) -> None:
    """No wager of a hand appears twice among the results, and none is settled before it was placed."""
    played = steps(sheets()[name].tables, seed)
    results = played[-1].after.results
    keys = [(result.seat, result.hand, result.wager) for result in results]
    assert len(keys) == len(set(keys))
    for before, _, after in played:
        assert after.results[: len(before.results)] == before.results
        assert (
            tuple(event for event in after.events if isinstance(event, Result)) == after.results[len(before.results) :]
        )


@pytest.mark.parametrize("name", one_in(3, NAMES))
@given(seed=seeds)
def test_no_stake_loses_more_than_itself_or_wins_more_than_the_best_line(name: str, seed: int) -> None:
    """A stake loses at most itself and wins at most its highest printed odds; a tax is a separate loss."""
    tables = sheets()[name].tables
    sheet = tables.sheet
    best_main = max(Fraction(1), *map(pays, (sheet.settle.natural, sheet.settle.charlie)))
    most = dict.fromkeys(filter(None, tables.stakes), best_main)
    most["Insurance"] = Fraction(0) if tables.insurance is None else tables.insurance
    for result in steps(tables, seed)[-1].after.results:
        if _is_tax(result):
            assert result.net == -result.stake < 0
            continue
        assert result.net >= -result.stake
        if result.wager in most:
            assert result.net <= most[result.wager] * result.stake
        else:
            assert result.net <= _best_line(tables, result)


def _best_line(tables: Tables, result: Result) -> Fraction:
    wager = next(wager for wager in tables.wagers if wager.name == result.wager)
    fixed = [Fraction(line.pays.fixed) for line in wager.lines if line.pays.fixed is not None]
    return max([*fixed, *(line.pays.odds * result.stake for line in wager.lines)])


@pytest.mark.parametrize("name", one_in(3, NAMES))
@given(seed=seeds)
def test_hands_are_paid_as_the_plain_rules_say(name: str, seed: int) -> None:
    """Every stake that waited for the dealer, or bust, gets what the slow implementation of the rules gives it."""
    final = steps(sheets()[name].tables, seed)[-1].after
    tables, sheet = final.tables, final.tables.sheet
    dealer = [str(card) for card in final.dealer]
    hands = {(seat.number, index): hand for seat in final.seats for index, hand in enumerate(seat.hands, start=1)}
    kinds = dict(zip(tables.stakes, KINDS, strict=True))
    for result in final.results:
        if not result.hand or result.line.startswith(("surrendered", "Quick Pay")):
            continue
        hand = hands[result.seat, result.hand]
        cards = [str(card) for card in hand.cards]
        charlie = sheet.player.charlie is not None and len(cards) >= sheet.player.charlie
        player = Finished(total(cards), is_natural(cards) and not hand.from_split, charlie)
        exact = int(result.stake) * wins(
            sheet, kinds[result.wager], player, Finished(total(dealer), is_natural(dealer))
        )
        rounded = {"down": floor, "up": ceil, "nearest": round}[sheet.settle.rounding](exact)
        assert result.net == rounded, result


@pytest.mark.parametrize("name", one_in(3, NAMES))
@given(seed=seeds)
def test_surrender_and_quick_pay_follow_the_sheet(name: str, seed: int) -> None:
    """A hand that surrenders or takes Quick Pay is settled by those settings, and the second wager by its own."""
    final = steps(sheets()[name].tables, seed)[-1].after
    sheet, names = final.tables.sheet, final.tables.stakes
    companion = sheet.main.companion
    for result in final.results:
        if result.line.startswith("surrendered"):
            words = companion.surrender if companion and result.wager == names[1] else sheet.settle.surrender
        elif result.line.startswith("Quick Pay"):
            first_two = next(seat.first_two for seat in final.seats if seat.number == result.seat)
            cashed = sheet.player.quick_pay[str(total([str(card) for card in first_two]))]
            words = companion.quick_pay if companion and result.wager == names[1] else cashed
        else:
            continue
        assert result.net == floor(int(result.stake) * pays(words))


@pytest.mark.parametrize("name", one_in(3, NAMES))
@given(seed=seeds, seats=st.integers(1, 7))
def test_the_bankroll_changes_by_the_net_of_the_results(name: str, seed: int, seats: int) -> None:
    """Over several rounds a seat's bankroll changes by exactly its net results, and nothing stays at risk."""
    table = Table(sheets()[name], bankroll=1_000_000, seed=seed)
    rng = random.Random(seed)
    owned = dict.fromkeys(range(1, table.tables.seats + 1), 100_000_000)
    for _ in range(3):
        play_round(table, rng, seats)
        for seat in owned:
            won = sum(result.net for result in table.results if result.seat == seat)
            owned[seat] += won
            assert table.net(seat) == won
            assert table.bankroll(seat) == owned[seat]
            assert table.at_risk(seat) == 0

"""A round's result split into house edge, skill and luck; what each decision cost; the sums of a session."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from holecard.coach.advice import advise
from holecard.coach.hand_values import hand_values
from holecard.coach.player_view import known_hand
from holecard.coach.review import Review, judged_decision, review
from holecard.coach.tally import SessionTally, hands_per_hour
from holecard.coach.wager_values import early_cents, main_wager_ev
from holecard.composition import full
from holecard.deck import DECK, VALUES
from holecard.exact.wagers.wager_values import wager_result
from holecard.money import Money
from holecard.sheets.read import rules
from holecard.table.records.record import Record
from holecard.table.records.round_origin import RoundOrigin
from holecard.table.table import Table
from holecard.table.views import HandView, SeatView, View
from holecard.testing import scripted_table
from holecard.wagers.named_hands import named_hand
from holecard.wagers.pay_table import Limits, Line, Payout, SideWager
from tests.random_play import play_round, sheets
from tests.selection import one_in


def played(game: str, cards: str, *actions: str, bet: str = "$10", sides: dict[str, str] | None = None) -> Table:
    table = scripted_table(game, cards)
    table.bet(bet, sides or {})
    table.deal()
    for action in actions:
        table.act(action)
    return table


def test_a_decision_costs_the_best_ev_minus_the_chosen_one() -> None:
    table = played("classic", "Th 9d 6s 2c 7c 8d")
    advice = advise(table.rules, table.view(1), 1)
    for value in advice.actions:
        judged = judged_decision(table.rules, table.view(1), value.action)
        assert judged.cost == pytest.approx(1000 * (advice.actions[0].ev - value.ev), abs=1e-9)
        assert judged.is_right == value.best
        assert judged.cents == pytest.approx(value.cents)
    worst = judged_decision(table.rules, table.view(1), advice.actions[-1].action)
    assert worst.cost > 100
    assert worst.best == advice.actions[0].action


def origin_of(record: Record, left: dict[int, int]) -> RoundOrigin:
    """Where a round was dealt whose player had this much left, by seat."""
    return RoundOrigin("a table", 1, 0, "a shoe", record.rules.sha256, "1.0", {1: "you"}, left)


def test_what_was_left_after_the_round_tells_what_could_be_paid() -> None:
    """11 against a 6 for $10, a hit that loses: doubling was best for somebody who had $10 more, and only then."""
    record = played("classic", "6s 6h 5d Td 2c 5h", "hit", "stand").record()

    for left, best in ((999, "hit"), (1000, "double")):
        found = review(replace(record, origin=origin_of(record, {1: left})), [1])
        assert (found.decisions[0].best, found.counts_money) == (best, True)
    unknown = [record, replace(record, origin=origin_of(record, {}))]
    for found in (review(one, [1]) for one in unknown):
        assert (found.decisions[0].best, found.counts_money) == ("double", False)


def test_what_was_paid_could_be_paid_even_if_the_money_is_gone() -> None:
    """As when a bet at another table took it in the middle of the round."""
    record = played("classic", "6s 6h 5d Td 9c Tc", "double").record()
    found = review(replace(record, origin=origin_of(record, {1: 0})), [1])
    assert (found.net, found.decisions[0].is_right) == (2000, True)


def test_a_double_for_less_costs_what_was_left_out_of_a_good_double() -> None:
    table = scripted_table("classic", "7h 6d 4s 2c", settings={"double_stake": "up to equal"})
    table.bet("$10")
    table.deal()
    full_double = advise(table.rules, table.view(1), 1).of("double")
    assert full_double.best
    assert judged_decision(table.rules, table.view(1), "double", 1000).cost == 0.0
    less = judged_decision(table.rules, table.view(1), "double", 400)
    assert less.cost == pytest.approx(0.6 * 1000 * (full_double.ev - (full_double.with_nothing or 0.0)))


def test_insurance_costs_its_edge_on_the_amount_taken() -> None:
    """From six decks with a ten and a six seen, P(ten) is 95/309, so a dollar at 2 to 1 loses 7.77 cents."""
    table = scripted_table("classic", "Th Ad 6s 2c 9c 9d 9s")
    table.bet("$10")
    table.deal()
    per_dollar = 100 * (1 - 3 * 95 / 309)
    assert judged_decision(table.rules, table.view(1), "insurance", 300).cost == pytest.approx(3 * per_dollar)
    assert judged_decision(table.rules, table.view(1), "no insurance").cost == 0.0
    table.insurance("$5")
    table.stand()
    found = review(table.record(), [1])
    assert [one.action for one in found.decisions] == ["insurance", "stand"]
    assert found.decisions[0].cost == pytest.approx(5 * per_dollar)
    assert found.skill == -sum(one.cost for one in found.decisions)


def test_house_is_the_expected_result_of_the_wagers_as_placed() -> None:
    sheet = rules("match-up")
    wager = sheet.tables.wagers[sheet.tables.early_wagers[0]]
    table = played("match-up", "Th 9d 9s 2c 7c 8d", "stand", bet="$10", sides={wager.name: "$2"})
    found = review(table.record(), [1])
    edge = wager_result(sheet.tables, wager, full(sheet.shoe.decks)).exact
    assert found.house == pytest.approx(1000 * main_wager_ev(sheet) + 200 * float(edge))
    assert [one.wager for one in found.wagers] == [sheet.tables.stakes[0], wager.name]
    assert found.wagered == 1200
    assert found.net == int(table.net())


def test_a_late_wager_counts_at_its_ev_when_it_was_placed() -> None:
    """Two Hedge Bets on one hand: before and after a card is seen, each with what was known then."""
    table = scripted_table("quick-pay", "5h 9d 4s Tc 9c 2d")
    name = table.tables.wagers[table.tables.late_wagers[0]].name
    table.bet("$10")
    table.deal()
    worth = []
    for _ in range(2):
        late = {wager.wager: wager.ev for wager in advise(table.rules, table.view(1), 1).late}
        worth.append(500 * late[name])
        table.place({name: "$5"}, seat=1)
        if not worth[1:]:
            table.hit()
    while table.asked is not None:
        if table.phase == "acting":
            table.stand()
        else:
            table.place()
    found = [one.expected for one in review(table.record(), [1]).wagers if one.wager == name]
    assert found == pytest.approx(worth)
    assert worth[0] != worth[1]


def test_fixed_payouts_and_taxes_do_not_grow_with_the_stake() -> None:
    sheet = rules("upcard-luck-21")
    for index in sheet.tables.early_wagers:
        wager = sheet.tables.wagers[index]
        found = wager_result(sheet.tables, wager, full(sheet.shoe.decks))
        low = int(wager.limits.low)
        expected = float(found.exact) * (100 if "dollars" in found.unit else low)
        assert early_cents(sheet, wager, low) == pytest.approx(expected)


def test_a_fixed_payout_does_not_grow_with_the_stake() -> None:
    """Two aces of six decks have the chance 24/312 times 23/311; they win $50, anything else loses the stake."""
    sheet = rules("match-up")
    line = Line("aces", Payout(fixed=Money("$50")), named_hand("A and A", 2))
    wager = SideWager("Aces", 2, (line,), Limits(Money("$5"), Money("$100"), Money("$1")))
    chance = 24 / 312 * 23 / 311
    for stake in (500, 3000):
        assert early_cents(sheet, wager, stake) == pytest.approx(chance * 5000 - (1 - chance) * stake)


def test_the_main_wager_counts_with_its_companion() -> None:
    table = scripted_table("quick-pay", "Th 9d 9s Tc")
    table.bet("$10")
    table.deal()
    table.stand()
    while table.asked is not None:
        table.place()
    (main,) = review(table.record(), [1]).wagers
    assert main.stake == 2000
    assert main.expected == pytest.approx(2000 * main_wager_ev(table.rules))


@pytest.mark.parametrize("name", one_in(15, sheets()))
def test_house_skill_and_luck_add_up_to_the_net_result(name: str) -> None:
    sheet, rng = sheets()[name], random.Random(11)
    table = Table(sheet, seed=2)
    reviews = []
    for _ in range(8):
        play_round(table, rng)
        every = [seat.number for seat in table.state.seats]
        one = review(table.record(), every)
        apart = [review(table.record(), [seat]) for seat in every]
        assert one.house + one.skill + one.luck == pytest.approx(one.net)
        assert one.net == sum(int(table.net(seat)) for seat in every) == sum(part.net for part in apart)
        assert one.house == pytest.approx(sum(part.house for part in apart), rel=1e-6, abs=1.0)
        assert one.skill <= 0.0
        assert one.hands == sum(len(seat.hands) for seat in table.state.seats)
        assert all(decision.cost >= 0 for decision in one.decisions)
        reviews.append(one)
    total = sum((one.tally for one in reviews), SessionTally())
    assert total.rounds == 8
    assert total.net == sum(one.net for one in reviews)
    assert total.house + total.skill + total.luck == pytest.approx(total.net)
    assert total.right == sum(decision.is_right for one in reviews for decision in one.decisions)


@pytest.mark.slow
@pytest.mark.parametrize("game", ["classic", "european", "early-bird", "quick-pay"])
def test_the_house_edge_is_the_average_over_every_deal(game: str) -> None:
    """So the first cards bring no luck on average: each deal's EV, times its probability, adds up to the house's."""
    sheet = rules(game)
    shoe = full(sheet.shoe.decks)
    by_value = {value: [card for card in DECK if VALUES[card] == value] for value in range(1, 11)}
    total = 0.0
    for upcard in by_value:
        for low in by_value:
            for high in range(low, 11):
                hands = [(by_value[low][0], by_value[high][1])]
                if low == high == 10 and sheet.tables.pairs_by_rank:
                    hands = [(by_value[10][0], by_value[10][1]), (by_value[10][0], by_value[10][4])]
                total += sum(
                    _chance(shoe.values, low, high, upcard) * share * _value(sheet, hand, by_value[upcard][2])
                    for hand, share in zip(hands, _shares(shoe.ranks[9], len(hands)), strict=True)
                )
    assert total == pytest.approx(main_wager_ev(sheet), abs=1e-10)


def _shares(of_rank: int, kinds: int) -> list[float]:
    same = (of_rank - 1) / (4 * of_rank - 1)
    return [1.0] if kinds == 1 else [same, 1 - same]


def _chance(counts: tuple[int, ...], low: int, high: int, upcard: int) -> float:
    left, chance = list(counts), 1.0
    for value in (low, high, upcard):
        chance *= left[value - 1] / sum(left)
        left[value - 1] -= 1
    return chance * (1 if low == high else 2)


def _value(sheet: object, cards: tuple[object, ...], upcard: object) -> float:
    hand = HandView(cards, 0, False, (("Bet", 1000),), "playing")
    seen = View(1, "acting", (upcard,), None, (SeatView(1, (hand,), (), 0),), 1, 1, (), ())
    known = known_hand(sheet.tables, seen, 1)
    return hand_values(sheet.tables, known, full(sheet.shoe.decks)).before_offers


@pytest.mark.slow
def test_luck_averages_to_zero_however_badly_one_plays() -> None:
    """Random play from full shoes: the mean of luck is within four standard errors of zero, that of skill far below."""
    sheet, rng = rules("classic"), random.Random(1)
    found: list[Review] = []
    for seed in range(4000):
        table = Table(sheet, seed=seed)
        table.bet("$10")
        table.deal()
        while table.asked is not None:
            table.act(rng.choice([choice.action for choice in table.legal() if choice.action != "insurance"]))
        found.append(review(table.record(), [1]))
    lucks = [one.luck for one in found]
    mean = sum(lucks) / len(lucks)
    error = (sum((luck - mean) ** 2 for luck in lucks) / len(lucks) ** 2) ** 0.5
    assert abs(mean) < 4 * error
    assert sum(one.skill for one in found) / len(found) < -20 * error


def test_an_empty_session_has_no_speed_and_no_accuracy() -> None:
    assert SessionTally().accuracy is None
    assert hands_per_hour(0, 60.0) is None
    assert hands_per_hour(60, 1800.0) == 120.0

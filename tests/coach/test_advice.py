"""The coach's EVs, compared with plain recursion, with `evaluate`, and with themselves one card later."""

from __future__ import annotations

import math
import random
from fractions import Fraction

import pytest

from holecard.coach.advice import Advice, advise
from holecard.coach.hand_values import hand_values
from holecard.coach.player_view import KnownHand, player_view
from holecard.composition import full
from holecard.deck import DECK, VALUES, cards
from holecard.exact.evaluate import evaluate
from holecard.money import Money
from holecard.sheets.read import rules
from holecard.sheets.schema import RuleSheet
from holecard.table.table import Table
from holecard.table.views import View
from holecard.testing import scripted_table
from tests import oracle
from tests.coach.plain_values import PlainHand, full_shoe, without
from tests.random_play import CORNERS, UPCARD_WAGERS, sheets, some_decision
from tests.selection import one_in

CLOSE = 1e-11


def asked(table: Table) -> Advice:
    """The advice for the seat whose turn it is."""
    assert table.asked is not None
    return advise(table.rules, table.view(table.asked), table.asked)


def evs(advice: Advice) -> dict[str, float]:
    return {value.action: value.ev for value in advice.actions}


def dealt(game: str, cards: str, *actions: str, seats: int = 1, **settings: object) -> Table:
    """A table in mid-round: $10 on each seat, these cards, and these actions of the seats asked."""
    table = scripted_table(game, cards, settings=settings or None)
    for seat in range(1, seats + 1):
        table.bet("$10", seat=seat)
    table.deal()
    for action in actions:
        table.act(action)
    return table


def unseen(decks: int, *cards: str) -> tuple[int, ...]:
    left = full_shoe(decks)
    for card in cards:
        left = without(left, "T" if card in "TJQK" else card)
    return left


# Against plain recursion


@pytest.mark.parametrize(
    ("cards", "hand", "upcard"),
    one_in(3, [("Th 9d 6s 2c", "T 6", "9"), ("7h Ad 9s 2c", "7 9", "A"), ("8h Td 4s 2c", "8 4", "T")]),
)
def test_stand_hit_and_double_are_what_plain_recursion_finds(cards: str, hand: str, upcard: str) -> None:
    table = dealt("classic", cards, decks=1)
    if table.phase == "insurance":
        table.no_insurance()
    plain = PlainHand(table.rules, upcard)
    held = hand.split()
    left = unseen(1, *held, upcard)
    known = plain.no_natural(left)
    found = evs(asked(table))
    assert found["stand"] == pytest.approx(float(plain.stand(held, left) / known), abs=CLOSE)
    assert found["hit"] == pytest.approx(float(plain.hit(held, left) / known), abs=CLOSE)
    doubled = plain.one_card(held, left, more=(oracle.DOUBLE,))
    assert found["double"] == pytest.approx(float(doubled / known), abs=CLOSE)


def test_cards_of_other_seats_and_of_settled_hands_are_out() -> None:
    """Seat 1 busts with a six and two tens; seat 2 decides knowing these three cards."""
    table = dealt("classic", "6h 9h 7d Ts 7s 2c Tc", "hit", seats=2, decks=1)
    assert table.asked == 2
    plain = PlainHand(table.rules, "7")
    left = unseen(1, "9", "7", "7", "6", "T", "T")
    assert evs(asked(table))["hit"] == pytest.approx(float(plain.hit(["9", "7"], left)), abs=CLOSE)
    assert "3 other cards on the table counted as out" in asked(table).given


@pytest.mark.parametrize("game", one_in(2, ["quick-pay", "classic"]))
def test_hands_made_by_splitting_have_their_own_stake_and_know_the_first_one(game: str) -> None:
    """8,8 v 9 is split; the first hand gets 9 and stands, the second gets 6."""
    table = dealt(game, "8h 9d 8s 2c 9c 6c", "split", "stand", decks=1)
    assert table.view(1).hand == 2
    plain = PlainHand(table.rules, "9", (oracle.SPLIT,), from_split=True)
    left = unseen(1, "8", "8", "9", "9", "6")
    found = evs(asked(table))
    assert found["stand"] == pytest.approx(float(plain.stand(["8", "6"], left)), abs=CLOSE)
    assert found["hit"] == pytest.approx(float(plain.hit(["8", "6"], left)), abs=CLOSE)


def test_a_stake_added_by_a_split_is_paid_by_its_own_rules() -> None:
    """Without a peek, a dealer's blackjack takes the original wager only."""
    cards, changed = "8h Td 8s 2c 9c 6c", {"hole_card": "no peek", "natural_takes": "original", "decks": 1}
    first = dealt("classic", cards, "split", **changed)
    second = dealt("classic", cards, "split", "stand", **changed)
    for table, kind, held, left in (
        (first, oracle.MAIN, ["8", "9"], unseen(1, "8", "8", "9", "T")),
        (second, oracle.SPLIT, ["8", "6"], unseen(1, "8", "8", "9", "6", "T")),
    ):
        plain = PlainHand(table.rules, "T", (kind,), from_split=True)
        assert evs(asked(table))["stand"] == pytest.approx(float(plain.stand(held, left)), abs=CLOSE)


def test_a_hand_made_by_splitting_is_not_doubled_later_where_that_is_not_allowed() -> None:
    """Where hands of any number of cards may double, but none after a split, the next cards are as without doubling."""
    fallen = "5h 6d 5s 2c 3c 9c"
    with_doubles = {"double_cards": "any number", "double_after_split": False}
    after_split = [dealt("classic", fallen, "split", **more) for more in (with_doubles, {"double": "none"})]
    found = [evs(asked(table)) for table in after_split]
    assert set(found[0]) == {"stand", "hit"}
    assert found[0] == pytest.approx(found[1], abs=CLOSE)
    unsplit = [dealt("classic", "5h 6d 3s 2c", **more) for more in (with_doubles, {"double": "none"})]
    assert evs(asked(unsplit[0]))["hit"] > evs(asked(unsplit[1]))["hit"] + 0.001


def test_a_pair_that_a_split_made_may_become_what_the_limit_leaves() -> None:
    """The third hand of four may be split once more, as the second hand of three; two of four may be split twice."""
    eights, nine = cards("8h 8s"), cards("9d")
    shoe = full(6).without("8c 8d")

    def split(limit: int, hands: int) -> float:
        tables = rules("classic", {"split_hands": limit}).tables
        known = KnownHand(eights, nine, hands, hands > 1, Money("$10"), (), ())
        return hand_values(tables, known, shoe).evs["split"]

    assert split(4, 3) == split(3, 2)
    assert abs(split(4, 2) - split(4, 3)) > 1e-6
    assert (
        "split"
        not in hand_values(
            rules("classic", {"split_hands": 4}).tables, KnownHand(eights, nine, 4, True, Money("$10"), (), ()), shoe
        ).evs
    )


def test_a_double_for_less_is_one_card_and_a_share_of_the_double() -> None:
    table = dealt("classic", "7h 6d 4s 2c", decks=1, double_stake="up to equal")
    plain, held, left = PlainHand(table.rules, "6"), ["7", "4"], unseen(1, "7", "4", "6")
    double = asked(table).of("double")
    one, whole = plain.one_card(held, left), plain.one_card(held, left, more=(oracle.DOUBLE,))
    assert double.amount == 1000
    assert double.ev == pytest.approx(float(whole), abs=CLOSE)
    assert double.ev_for(300) == pytest.approx(float(one + (whole - one) * Fraction(3, 10)), abs=CLOSE)


def test_insurance_counts_every_ten_that_is_seen() -> None:
    """Thirteen cards are seen, six tens among them: P(a ten in the hole) is 10/39 from one deck."""
    table = dealt("classic", "Th Jh 9h 8h 7h 6h Ad Tc Jc Qc Kc 9d 8d 2c", seats=6, decks=1)
    found = asked(table).insurance
    assert found is not None
    assert found.ev == pytest.approx(10 / 39 * 3 - 1, abs=CLOSE)
    assert found.cents_per_dollar == pytest.approx(100 * found.ev)


def test_even_money_is_worth_the_wager_and_refusing_it_is_worth_more() -> None:
    table = dealt("classic", "Ah Ad Ts 2c")
    advice = asked(table)
    assert advice.insurance is not None
    assert advice.insurance.is_even_money
    tens, left = 95, 309
    assert advice.of("insurance").ev == pytest.approx(1.0, abs=CLOSE)
    assert advice.of("no insurance").ev == pytest.approx(1.5 * (1 - tens / left), abs=CLOSE)
    assert [value.action for value in advice.actions if value.best] == ["no insurance"]


def test_early_surrender_is_compared_with_the_hand_before_the_check() -> None:
    """Half the stake against P(blackjack) times the loss plus the rest at the best play."""
    table = dealt("early-bird", "Th Ad 6s 2c")
    table.no_insurance()
    advice = asked(table)
    after = dealt("early-bird", "Th Ad 6s 2c", "no insurance", "no surrender")
    tens = 16 * table.rules.shoe.decks - 1
    natural = tens / (52 * table.rules.shoe.decks - 3)
    best = max(evs(asked(after)).values())
    assert evs(advice) == pytest.approx({"surrender": -0.5, "no surrender": (1 - natural) * best - natural}, abs=CLOSE)


# Against `evaluate`


@pytest.mark.parametrize("game", one_in(14, sorted(set(sheets()) - set(CORNERS))))
def test_first_hands_are_valued_as_evaluate_does(game: str) -> None:
    rng = random.Random(5)
    compared = 0
    for _ in range(40):
        cards = " ".join(map(str, rng.sample(DECK, 7)))
        table = dealt(game, cards, seats=2)
        if table.phase != "acting" or table.asked is None:
            continue
        seen, mine = table.view(table.asked), table.spot
        others = [
            str(card)
            for seat in seen.seats
            if seat.number != table.asked
            for card in seat.hands[0].cards
            if card is not None
        ]
        found = {choice.action: choice.ev for choice in evaluate(game, mine, seen=" ".join(others) or None).choices}
        actions = evs(asked(table))
        if VALUES[seen.dealer[0]] not in table.tables.early_surrender_upcards:
            assert actions == pytest.approx(found, abs=CLOSE)
            compared += 1
    assert compared > 5


# Against itself, one card later


@pytest.mark.parametrize("name", one_in(4, sheets()))
def test_hitting_is_worth_the_average_of_what_the_next_card_makes_of_it(name: str) -> None:
    """Over every next card, with the chance it has if the dealer is known to have no blackjack."""
    sheet = sheets()[name]
    seed = next(seed for seed in range(200) if _hit_spot(sheet, seed) is not None)
    table = _hit_spot(sheet, seed)
    assert table is not None
    seen = table.view(table.asked or 0)
    hand = seen.seats[0].hands[0]
    value = asked(table).of("hit")
    assert seen.dealer[0] is not None
    average, weights = 0.0, 0
    left = [card for card in DECK for _ in range(sheet.shoe.decks)]
    for card in (*hand.cards, *seen.dealer):
        if card is not None:
            left.remove(card)
    peeks = (
        VALUES[seen.dealer[0]] in sheet.tables.peeks_under
        and len([card for card in seen.dealer if card is not None]) == 1
    )
    partner = {1: 10, 10: 1}.get(VALUES[seen.dealer[0]], 0) if peeks else 0
    for points in range(1, 11):
        same = [card for card in left if VALUES[card] == points]
        holes = sum(VALUES[card] != partner for card in left) - (points != partner)
        weight = len(same) * holes
        if weight:
            average += weight * _then(sheet, seen, same[0])
            weights += weight
    assert value.ev == pytest.approx(average / weights, abs=CLOSE)


def _hit_spot(sheet: RuleSheet, seed: int) -> Table | None:
    """A lone seat with two cards that may hit and has 12 or more, or None with this seed."""
    table = Table(sheet, seed=seed)
    table.bet(table.tables.main.low)
    table.deal()
    while table.phase in ("insurance", "early surrender", "after the check"):
        if table.phase == "after the check":
            table.place()
        else:
            table.act("no insurance" if table.phase == "insurance" else "no surrender")
    if table.phase != "acting" or "hit" not in {choice.action for choice in table.legal()}:
        return None
    return table if (table.view(1).seats[0].hands[0].total or 0) >= 12 else None


def _then(sheet: RuleSheet, seen: View, card: object) -> float:
    """The EV once the hand has this card too."""
    hand = seen.seats[0].hands[0]
    cards = (*hand.cards, card)
    total = oracle.total([str(one) for one in cards])
    if total > 21:
        return -1.0
    lowest = [choice for choice in seen.choices if choice.action in ("stand", "hit")]
    double = [choice for choice in seen.choices if choice.action == "double" and sheet.tables.double_cards > 2]
    may = [choice for choice in lowest if choice.action == "stand" or total < 21]
    if double and sheet.tables.may_double[total][oracle.is_soft([str(one) for one in cards])]:
        may += double
    later = hand._replace(cards=cards, total=total)
    shown = seen._replace(seats=(seen.seats[0]._replace(hands=(later,)),), choices=tuple(may), offered=())
    if len(cards) >= sheet.tables.charlie:
        return float(sheet.tables.settlement[0][24][17].net)
    return max(value.ev for value in advise(sheet, shown, seen.seat).actions)


# Every state


@pytest.mark.parametrize("name", one_in(14, sheets()))
def test_every_legal_action_and_every_wager_offered_has_a_value(name: str) -> None:
    """In random states of every phase, with every number of seats."""
    sheet = sheets()[name]
    for seed in range(12):
        rng = random.Random(seed)
        table = Table(sheet, seed=seed)
        for seat in rng.sample(range(1, sheet.table.seats + 1), rng.randint(1, sheet.table.seats)):
            table.bet(table.tables.main.low, seat=seat)
        table.deal()
        while table.asked is not None:
            seen = table.view(table.asked)
            advice = asked(table)
            assert set(evs(advice)) == {choice.action for choice in seen.choices}
            assert {wager.wager for wager in advice.late} == set(seen.offered)
            for value in advice.actions:
                assert math.isfinite(value.ev)
                assert value.cents == pytest.approx(value.ev * _unit(table), abs=1e-6)
            assert all(math.isfinite(wager.ev) for wager in advice.late)
            assert not advice.actions or advice.actions[0].best
            _decide(table, rng)
        assert table.phase == "done"


def _unit(table: Table) -> int:
    return int(table.tables.main.low) * (2 if table.tables.has_companion else 1)


def _decide(table: Table, rng: random.Random) -> None:
    decision = some_decision(table.state, rng)
    if hasattr(decision, "action"):
        table.act(decision.action, decision.amount)
    else:
        table.place(decision.sides, seat=decision.seat)


def test_hidden_cards_change_nothing() -> None:
    """Two tables that differ in the hole card and in the face-down cards of another seat give the same advice."""
    one = dealt("classic", "Th 9h 7d 6s 5s 2c", seats=2, decks=2, face_down_with=[2])
    other = dealt("classic", "Th 3h 7d 6s Qs Kc", seats=2, decks=2, face_down_with=[2])
    assert asked(one) == asked(other)


def test_a_player_of_two_seats_sees_both() -> None:
    table = dealt("classic", "Th 9h 7d 6s 5s 2c", seats=2, decks=2, face_down_with=[2])
    seen = player_view(table.state, (1, 2), 1)
    both = advise(table.rules, seen, 1)
    assert "2 other cards" in both.given
    assert "no other card seen" in asked(table).given
    assert evs(both) != evs(asked(table))


def test_wagers_before_the_deal_have_their_edge_from_a_full_shoe() -> None:
    sheet = rules("match-up")
    advice = advise(sheet, Table(sheet).view(1), 1)
    assert next(wager.wager for wager in advice.wagers) == sheet.tables.stakes[0]
    assert len(advice.wagers) == 1 + len(sheet.tables.early_wagers)
    assert all(wager.text.startswith("costs ") for wager in advice.wagers)


def test_a_late_wager_on_the_first_cards_uses_the_cards_themselves() -> None:
    """A line for an unsuited hand cannot pay with two hearts, so that the stake is lost."""
    settings = CORNERS["late wagers"]
    suited, unsuited = (dealt("classic", f"9h 7d 6{suit} 2c", **settings) for suit in "hs")
    for table in (suited, unsuited):
        if table.phase == "after the check":
            table.place()
    late = [{wager.wager: wager.ev for wager in asked(table).late} for table in (suited, unsuited)]
    assert late[0]["Eighteen"] == -1.0
    assert late[1]["Eighteen"] > -0.5
    assert late[0]["Bust"] == pytest.approx(late[1]["Bust"], abs=0.01)


def test_the_coach_values_the_late_wagers_that_the_upcard_leaves_open() -> None:
    """With a six up there are two until the turn, with a nine up none."""
    six, nine = (dealt("classic", f"9h {upcard} 6s 2c", wager=UPCARD_WAGERS) for upcard in ("6d", "9d"))
    six.place()
    assert [wager.wager for wager in asked(six).late] == ["Small card", "Needs it"]
    assert asked(nine).late == ()


def test_where_too_few_cards_would_be_left_the_other_seats_are_not_counted() -> None:
    """With every card from 4 up in another seat, no round could be dealt; the advice says what it leaves out."""
    table = dealt("classic", "Th 9h 7d 6s 5s 2c", seats=2, decks=1)
    seen = table.view(1)
    other = seen.seats[1].hands[0]
    high = [card for card in DECK if VALUES[card] > 3 and str(card) not in ("Th", "6s", "7d")]
    many = other._replace(cards=tuple(high))
    crowded = seen._replace(seats=(seen.seats[0], seen.seats[1]._replace(hands=(many,))))
    alone = seen._replace(seats=seen.seats[:1])
    advice = advise(table.rules, crowded, 1)
    assert f"{len(many.cards)} more not counted" in advice.given
    assert evs(advice) == evs(advise(table.rules, alone, 1))

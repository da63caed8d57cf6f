"""Drill questions: the table's own actions, the exact EVs, and kinds that follow from the sheet."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest

from holecard import evaluate, rules
from holecard.deck import DECK, value_of
from holecard.drills.kinds import TITLES, read_kind
from holecard.drills.questions import Question, make_question
from holecard.drills.spots import DrillSpot, drill_spots
from holecard.errors import Refusal
from holecard.hands import total_of
from holecard.money import Money
from holecard.sheets.catalog import games
from holecard.table.table import Table
from holecard.testing import scripted_table
from tests.random_play import UPCARD_WAGERS
from tests.selection import quick, rounds

EVERY_GAME = games(examples=True)


@cache
def some_questions(game: str, number: int) -> list[tuple[DrillSpot, Question]]:
    """Return questions drawn from every kind."""
    sheet, found = rules(game), []
    spots = drill_spots(sheet)
    for kind in spots.kinds:
        pool = spots.of_kind(kind)
        drawn = Random(f"{game} {kind}").sample(pool, min(number, len(pool)))
        found += [(spot, make_question(sheet, spot, "test")) for spot in drawn]
    return found


def table_at(game: str, spot: DrillSpot, question: Question) -> Table:
    """Return a table that was dealt the cards of a question and brought to it, by the methods that people use."""
    sheet, rest = rules(game), list(question.player[2:])
    first, second, upcard = question.player[0], question.player[1], question.dealer[0]
    seen = [card for card in (*question.player, *question.dealer) if card is not None]
    free = [card for card in DECK if card not in seen]
    if spot.spot.after_split:
        rest, second = list(question.player[1:]), next(card for card in free if card.rank == first.rank)
        free.remove(second)
    # Whatever is up, an eight or a nine makes no blackjack.
    hole = next(card for card in free if card.value in (8, 9))
    if sheet.tables.hole_card == "face up":
        hole = seen[-1]
    dealt = [first, upcard, second, *([] if sheet.tables.hole_card == "none" else [hole]), *rest]
    table = scripted_table(sheet, [card for card in dealt if card is not None])
    table.bet(min(max(Money("$20"), sheet.tables.main.low), sheet.tables.main.high))
    table.deal()
    while rest or not _is_there(table, spot):
        if table.phase == "insurance":
            table.act("no insurance")
        elif table.phase == "early surrender":
            table.act("no surrender")
        elif table.phase == "after the check":
            table.place()
        else:
            splits = spot.spot.after_split and len(table.state.seats[0].hands) == 1
            table.act("split" if splits else "hit")
            rest.pop()
    return table


def _is_there(table: Table, spot: DrillSpot) -> bool:
    if spot.asked == "wager":
        return any(wager.name == spot.wager for wager in table.offered)
    return table.phase == ("acting" if spot.asked == "action" else spot.asked)


@pytest.mark.parametrize("game", quick(EVERY_GAME, "early-bird"))
def test_the_answers_are_what_the_table_allows(game: str) -> None:
    """A drill offers exactly the actions of a table that was dealt the same cards."""
    for spot, question in some_questions(game, rounds(25)):
        table = table_at(game, spot, question)
        wanted = ["place", "pass"] if spot.asked == "wager" else [choice.action for choice in table.legal()]
        assert [option.action for option in question.options] == wanted, spot.key
        assert len(wanted) > 1, spot.key


@pytest.mark.parametrize("game", quick(EVERY_GAME, "early-bird"))
def test_evs_are_those_of_evaluate(game: str) -> None:
    """The EV of an action is the one that `evaluate` finds for the spot by values, without suits."""
    for spot, question in some_questions(game, rounds(25)):
        found = evaluate(game, spot.spot)
        evs = {option.action: option.ev for option in question.options}
        if spot.asked == "wager":
            assert evs == {"place": float(dict(found.after_check)[str(spot.wager)]), "pass": 0.0}
        elif spot.asked == "action":
            without_early = {choice.action: choice.ev for choice in found.choices if choice.action in evs}
            assert evs == pytest.approx(without_early, abs=1e-12), spot.key
        assert min(option.cost for option in question.options) == 0.0
        best = max(evs.values())
        assert all(option.cost == pytest.approx(best - option.ev, abs=1e-9) for option in question.options)


def test_insurance_costs_what_the_tens_say() -> None:
    """With 16 against an ace from six decks, 95 of the 309 cards left are tens: half a unit wins 2 to 1 with those."""
    sheet = rules("classic")
    question = make_question(sheet, drill_spots(sheet)["T,6 v A insurance"], "test")
    tens = 95 / 309
    assert question.answer("insurance").ev == pytest.approx(0.5 * (2 * tens - (1 - tens)), abs=1e-12)
    assert question.best.action == "no insurance"
    assert question.given == "before the dealer checks for blackjack"


def test_even_money_is_worth_one() -> None:
    """An insured blackjack against an ace wins its wager whatever the hole card is."""
    sheet = rules("classic")
    question = make_question(sheet, drill_spots(sheet)["A,T v A insurance"], "test")
    assert question.answer("insurance").ev == pytest.approx(1.0, abs=1e-12)
    # 95 tens of the other 309 cards push, and all others pay 3 to 2.
    assert question.answer("no insurance").ev == pytest.approx(1.5 * (1 - 95 / 309), abs=1e-12)


def test_not_surrendering_early_is_the_best_of_the_rest() -> None:
    """Where early surrender is asked first, the other answer is worth what the best play after it is."""
    sheet = rules("early-bird")
    question = make_question(sheet, drill_spots(sheet)["T,6 v T early surrender"], "test")
    others = [choice.ev for choice in evaluate("early-bird", "T,6 v T").choices if choice.action != "surrender"]
    assert {option.action: option.ev for option in question.options} == {"surrender": -0.5, "no surrender": max(others)}


@pytest.mark.parametrize("game", quick(EVERY_GAME, "classic", "quick-pay", "face-up"))
def test_kinds_follow_from_the_sheet(game: str) -> None:
    """A game has the kinds of what it offers, and no others."""
    tables = rules(game).tables
    kinds = drill_spots(rules(game)).kinds
    assert ("insurance" in kinds) == (tables.insurance is not None and tables.hole_card != "face up")
    assert ("surrender" in kinds) == (tables.surrenders != "none")
    assert ("double up" in kinds) == any(map(any, tables.may_double_up))
    assert ("quick pay" in kinds) == any(row is not None for row in tables.quick_pay)
    assert ("wagers" in kinds) == bool(tables.check_wagers)
    assert list(kinds) == [kind for kind in TITLES if kind in kinds]
    for spot in drill_spots(rules(game)).by_key.values():
        total, is_soft = spot.spot.total
        assert ("soft" not in spot.kinds) or (is_soft and len(spot.spot.player) == 2)
        assert ("more cards" in spot.kinds) == (len(spot.spot.player) > 2)
        assert ("after split" in spot.kinds) == spot.spot.after_split
        assert total <= 21
        assert 0 < spot.frequency < 1


def test_two_card_spots_are_as_frequent_as_dealt() -> None:
    """A hard 16 of ten and six against a six comes once in 312·311·310 / (2·96·24·23) rounds."""
    spots = drill_spots(rules("classic"))
    dealt = 2 * 96 * 24 * 23 / (312 * 311 * 310)
    assert spots["T,6 v 6"].frequency == pytest.approx(dealt, rel=1e-12)


def test_three_cards_are_as_frequent_as_dealt_and_hit() -> None:
    """6, 5 and 4 against an ace come from 6,4 and 5,4, which are hit, and from 6,5 where it is not doubled."""
    spots = drill_spots(rules("classic"))
    dealt = 0.0
    for first, second in ((6, 5), (6, 4), (5, 4)):
        if evaluate("classic", f"{first},{second} v A").best.action == "hit":
            dealt += 2 * 24**3 * 24 / (312 * 311 * 310 * 309)
    # The dealer has checked: there is no ten under the ace.
    assert spots["6,5,4 v A"].frequency == pytest.approx(dealt * (1 - 96 / 309), rel=2e-3)


@pytest.mark.parametrize("game", quick(EVERY_GAME, "face-up"))
def test_cards_are_those_of_the_spot(game: str) -> None:
    """The cards with suits have the total of the spot, and one deck holds no card twice."""
    decks = rules(game).shoe.decks
    for spot, question in some_questions(game, rounds(25)):
        assert total_of(card.value for card in question.player) == spot.spot.total
        seen = [card for card in (*question.player, *question.dealer) if card is not None]
        assert all(seen.count(card) <= decks for card in seen)


def test_unknown_kinds_are_refused_with_a_suggestion() -> None:
    kinds = drill_spots(rules("classic")).kinds
    assert read_kind("After-Split", kinds) == "after split"
    with pytest.raises(Refusal, match="did you mean 'pairs'"):
        read_kind("pair", kinds)
    with pytest.raises(Refusal, match="no questions of the kind 'quick pay'"):
        read_kind("quick-pay", kinds)


def test_answers_that_the_table_does_not_allow_are_refused() -> None:
    sheet = rules("classic")
    question = make_question(sheet, drill_spots(sheet)["T,6 v T"], "test")
    with pytest.raises(Refusal, match="is not an answer here"):
        question.answer("split")


def test_a_drill_asks_for_a_wager_only_with_the_upcards_it_is_offered_with() -> None:
    """Otherwise the table would refuse the answer; Needs it cannot be placed alone."""
    spots = drill_spots(rules("classic", {"wager": UPCARD_WAGERS})).of_kind("wagers")
    found = {(spot.wager, value_of(spot.spot.dealer[0])) for spot in spots}
    assert found == {*(("Small card", upcard) for upcard in range(2, 7)), ("Once", 6), ("Once", 10)}

"""The figures of docs/hedge.md: the cards seen at the last call, and the best possible cards."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import holecard
from bench.late_best import best_hand, bound, cards_of, certain, dealt_as, drawn_hands, shoe_without
from bench.late_wagers import NONE, Payoffs, Watcher
from holecard.deck import DECK
from holecard.exact.main.dealer_multisets import multiset
from holecard.hands import is_natural
from holecard.kernels.play.dealing import begin, dealt_card
from holecard.kernels.play.lookup import ShoeKey
from holecard.kernels.play.play_round import play_round
from holecard.kernels.play.workspace import new_workspace
from tests.selection import quick
from tests.simulation.test_against_engine import _at_the_table, _lively

PAGE = (Path(__file__).parents[2] / "docs" / "hedge.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("seats", quick([1, 7], 7))
def test_the_cards_seen_at_the_last_call_are_those_on_the_table(seats: int) -> None:
    """Every round is dealt again at the table: all players' cards and the upcard are seen, and nothing else."""
    sheet = holecard.rules("quick-pay", decks=2)
    chart = _lively(sheet.tables, 1)
    watcher = Watcher(sheet, seats, seed=5, chart=chart)
    at, rounds = watcher.program.offsets, 60
    seen, space = watcher.seen(0, rounds), new_workspace(watcher.program.offsets, seats)
    for number in range(rounds):
        begin(space.dealt)
        shoe = ShoeKey(np.uint64(number), np.uint64(5))
        work = (space.dealt, space.ends, space.hands, space.results)
        n = play_round(watcher.program.lut, at, watcher.charts, shoe, *work)
        state = _at_the_table(
            sheet.tables, [chart] * seats, iter([DECK[dealt_card(space.dealt, i) // 2] for i in range(n)])
        )
        own = [card for seat in state.seats for hand in seat.hands for card in hand.cards]
        seen_cards = multiset(tuple(card.value for card in (*own, state.dealer[0])))
        natural = is_natural(state.dealer[:2]) or is_natural(tuple(state.seats[-1].hands[0].cards))
        if natural and len(state.seats[-1].hands) == 1:
            assert seen.upcards[number] == NONE
        else:
            assert seen.upcards[number] == state.dealer[0].value - 1
            assert (seen.left[number] == np.array([8] * 9 + [32]) - np.array(seen_cards)).all()


def test_values_from_cards_left_are_the_exact_ones() -> None:
    """Floats agree with fractions for a partly played hand."""
    sheet = holecard.rules("quick-pay", decks=1)
    left = np.array(shoe_without(1, 10), float) - np.array(multiset((10, 2, 3)))
    found = Payoffs(sheet.tables).evs(9, left[:, None])[:, 0]
    exact = [float(value) for _, value in holecard.evaluate(sheet, "T,2,3 v T").after_check]
    assert found == pytest.approx(exact, abs=1e-13)


#: The best single hand by soft 17 and number of decks: wager, percentage as on the page, and the hand.
BEST = {
    ("hit", 1): ("Hedge 21", 17.1, "3,3,3,3,2,2,2,A,A,A,A v 7"),
    ("hit", 2): ("Hedge 20", 12.4, "9,9,3,A,A,A,A,A,A,A,A v 8"),
    ("hit", 6): ("Hedge 20", 6.4, "3,A,A,A,A,A,A,A,A,A,A,A,A,A,A,A,A,A,A v 8"),
    ("hit", 8): ("Hedge 20", 4.0, "3,A,A,A,A,A,A,A,A,A,A,A,A,A,A,A,A,A,A v 8"),
    ("stand", 1): ("Hedge 20", 25.7, "3,3,3,3,2,2,2,A,A,A,A v 6"),
    ("stand", 2): ("Hedge 19", 13.9, "2,2,2,2,2,2,2,A,A,A,A,A,A,A,A v 6"),
    ("stand", 6): ("Hedge 20", 6.4, "3,A,A,A,A,A,A,A,A,A,A,A,A,A,A,A,A,A,A v 8"),
    ("stand", 8): ("Hedge 20", 4.0, "3,A,A,A,A,A,A,A,A,A,A,A,A,A,A,A,A,A,A v 8"),
}


@pytest.mark.slow
@pytest.mark.parametrize(("soft_17", "decks"), BEST)
def test_the_best_single_hand(soft_17: str, decks: int) -> None:
    """The best hand found has the exact value stated on the page, which is below the bound for one hand."""
    sheet = holecard.rules("quick-pay", decks=decks, soft_17=soft_17)
    payoffs = Payoffs(sheet.tables)
    name, percent, spot = BEST[soft_17, decks]
    exact = dict(holecard.evaluate(sheet, spot).after_check)[name]
    assert round(100 * float(exact), 1) == percent
    assert f"| {soft_17} | {decks} | +{percent:.1f}% (" in PAGE
    assert best_hand(payoffs, decks).ev == pytest.approx(float(exact), abs=1e-12)
    assert exact < bound(payoffs, sheet.tables, decks, 1)[0] < bound(payoffs, sheet.tables, decks, 4)[0]


def test_hands_that_can_be_drawn() -> None:
    """Drawing ends at 21, soft or hard, and with a bust; a natural does not draw."""
    hands = drawn_hands(shoe_without(6, 8))
    assert multiset((10, 6, 9)) in hands
    assert multiset((1, 1, 9)) in hands
    assert multiset((1, 10)) not in hands
    assert multiset((1, 1, 9, 5)) in hands  # 9,5 then A,A
    assert multiset((10, 10, 10, 2)) not in hands


def test_a_certain_win_can_be_dealt() -> None:
    """All cards of one deck except a 5 and a 6, in hands that seven seats can have: four from a pair, or one."""
    payoffs = Payoffs(holecard.rules("quick-pay", decks=1).tables)
    sure = certain(payoffs, 1, 7, 4)
    assert sure is not None
    assert (sure.wager, sure.upcard, sure.ev) == ("Hedge 21", 10, 22)
    left = Counter(cards_of(shoe_without(1, 10))) - Counter(card for hand in sure.hands for card in hand)
    assert sorted(left.elements()) == [5, 6]
    starts = Counter(hand[0] for hand in sure.hands)
    assert sum(number // 4 + number % 4 for number in starts.values()) <= 7
    assert all(sum(hand[:-1]) <= 20 for hand in sure.hands)


def test_cards_that_no_seat_can_show() -> None:
    """Four hands of tens take three tens each, and the third one busts; there is no room for a thirteenth ten."""
    assert dealt_as(multiset((10,) * 8), 1, 4) is not None
    assert dealt_as(multiset((10,) * 13), 1, 4) is None


@pytest.mark.parametrize(("soft_17", "decks"), quick(BEST, ("hit", 1), ("stand", 6)))
def test_the_page_has_the_bounds(soft_17: str, decks: int) -> None:
    """The proved bounds for one seat that splits, rounded as on the page."""
    row = re.compile(rf"^\| {soft_17} \| {decks} \| \+[\d.]+% \(.*?\) \| \+[\d.]+% \| \+([\d.]+)% \|", re.MULTILINE)
    (percent,) = row.findall(PAGE)
    tables = holecard.rules("quick-pay", decks=decks, soft_17=soft_17).tables
    assert 100 * bound(Payoffs(tables), tables, decks, 4)[0] == pytest.approx(float(percent), abs=0.5)

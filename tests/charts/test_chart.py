"""What a chart decides for a hand: letters are tried in order, pairs before totals, and the result is always legal."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holecard.charts.chart import Chart
from holecard.charts.layout import Column, Layout, Row
from holecard.charts.letters import ACTIONS
from holecard.errors import ChartError, OutOfTurn
from holecard.sheets.read import rules
from holecard.table.advance import advance, start
from holecard.table.events import Act, Deal, NoMoreBets, Place
from holecard.table.legal import legal
from holecard.table.state import State
from holecard.table.views import view
from tests.charts.charts import plain_chart, some_chart
from tests.random_play import few_ranks, sheets, shuffled, some_bet, steps
from tests.scripted_rounds import play_cards
from tests.selection import one_in

seeds = st.integers(0, 2**32)


def chart(game: str, cells: dict[str, str], **settings: object) -> Chart:
    """Hit everything and split nothing, except in the given rows."""

    def cell(row: Row, _column: Column) -> str:
        return cells.get(row.title, "-" if row.pair else "H" if "H" in row.letters else "S")

    return Chart.filled(rules(game, settings).tables, cell)


def test_letters_are_preferences_in_order_and_standing_is_the_last() -> None:
    """The actions of a cell, then stand, which is always allowed."""
    found = chart("classic", {"hard 11": "DH", "soft 18": "DS", "hard 16": "S"})
    assert found.preferences(11, False, None, (6,)) == ("double", "hit", "stand")
    assert found.preferences(18, True, None, (6,)) == ("double", "stand")
    assert found.preferences(16, False, None, (10,)) == ("stand",)
    assert found.preferences(5, False, None, (10,)) == ("hit", "stand")


def test_a_pair_uses_its_row_first_and_then_that_of_its_total() -> None:
    """A pair that is played as its total uses only that row."""
    found = chart(
        "classic", {"8,8": "RP", "hard 16": "RS", "5,5": "-", "hard 10": "DH"}, **{"player.surrender": "late"}
    )
    assert found.preferences(16, False, 8, (10,)) == ("surrender", "split", "stand")
    assert found.preferences(16, False, None, (10,)) == ("surrender", "stand")
    assert found.preferences(10, False, 5, (6,)) == ("double", "hit", "stand")


def test_a_pair_may_be_played_unlike_its_total() -> None:
    """Sevens may stand where other fourteens hit."""
    found = chart("classic", {"7,7": "S", "hard 14": "H"}, decks=1)
    assert found.preferences(14, False, 7, (10,)) == ("stand",)
    assert found.preferences(14, False, None, (10,)) == ("hit", "stand")


def test_a_pair_without_a_row_is_its_total() -> None:
    """Where aces are never split, two of them are a soft 12; 21 stands."""
    found = chart("classic", {"soft 12": "DH"}, split_aces="never")
    assert found.preferences(12, True, 1, (6,)) == ("double", "hit", "stand")
    assert found.preferences(21, False, None, (6,)) == ("stand",)


def test_the_first_that_is_legal_is_chosen() -> None:
    """Three cards cannot be doubled; a pair cannot be split at the hand limit."""
    found = chart("classic", {"hard 11": "DH", "8,8": "P", "hard 16": "S"})
    assert found.choose(11, False, None, (6,), ["hit", "stand", "double"]) == "double"
    assert found.choose(11, False, None, (6,), {"hit", "stand"}) == "hit"
    assert found.choose(16, False, 8, (6,), ("hit", "stand")) == "stand"


def test_a_chart_never_insures() -> None:
    """Insurance is a separate wager."""
    assert plain_chart().choose(20, False, 10, (1,), ("insurance", "no insurance")) == "no insurance"


def test_early_surrender_is_for_hands_that_want_it_first() -> None:
    """ "DRH" doubles and so is not surrendered before the dealer checks; "RDH" is."""
    early = {"player.surrender": "early"}
    asked = play_cards("classic", "6s As 5d 9c", ["no insurance"], settings=early)
    assert asked.phase == "early surrender"
    assert chart("classic", {"hard 11": "RDH"}, **early).act(asked) == "surrender"
    assert chart("classic", {"hard 11": "DRH"}, **early).act(asked) == "no surrender"
    assert chart("classic", {"hard 11": "H"}, **early).act(asked) == "no surrender"


def test_the_cell_of_the_upcard_decides() -> None:
    """Each column has its own cell."""

    def cell(row: Row, column: Column) -> str:
        return "-" if row.pair else "S" if column.name == "T" else "H"

    found = Chart.filled(rules("classic").tables, cell)
    assert found.preferences(8, False, None, (10,)) == ("stand",)
    assert found.preferences(8, False, None, (9,)) == ("hit", "stand")


def test_both_dealer_cards_decide_where_both_are_up() -> None:
    """A soft 17 is not a hard 17."""

    def cell(row: Row, column: Column) -> str:
        return "-" if row.pair else "H" if column.name == "17" else "S"

    found = Chart.filled(rules("face-up").tables, cell)
    assert found.act(play_cards("face-up", "Ts 7c 6d Tc")) == "hit"
    assert found.act(play_cards("face-up", "Ts 6c 6d Ac")) == "stand"


def test_a_split_ace_that_takes_no_card_stands() -> None:
    """Its row says hit, but only stand and Double-Up are legal."""
    asked = play_cards("double-up", "As 6c Ad 9c 7s", ["split"])
    assert {choice.action for choice in legal(asked)} == {"stand", "double up"}
    assert chart("double-up", {}).act(asked) == "stand"
    assert chart("double-up", {"soft 18": "UH"}).act(asked) == "double up"


def test_a_view_must_be_the_asked_seats_own() -> None:
    """Other seats have no choices in view, and waiting for a card is not a decision."""
    asked = play_cards("classic", "Ts 6c 6d 9c")
    assert plain_chart().act(view(asked, 1)) == plain_chart().act(asked) == "stand"
    for nobody in (view(asked, 2), start("classic"), play_cards("classic", "Ts 6c 6d 9c", ["hit"])):
        with pytest.raises(OutOfTurn, match="no seat is to act"):
            plain_chart().act(nobody)


def test_wagers_after_the_check_are_not_the_charts_business() -> None:
    """These wagers are not a choice between actions."""
    asked = play_cards("quick-pay", "Ts 6c 6d 9c", "stand")
    assert asked.phase == "last call"
    with pytest.raises(OutOfTurn):
        chart("quick-pay", {}).act(asked)


# Against the engine


def _said(found: Chart, state: State) -> str:
    """What the printed chart says, read row by row without the chart's own lookup."""
    assert state.asked
    hand = state.asked.hands[state.hand]
    legal_now = {choice.action for choice in legal(state)}
    data = found.to_dict()
    printed = {entry["hand"]: entry["cells"] for entry in data["rows"]}
    names = "-A23456789T"
    if state.tables.hole_card == "face up":
        column = f"s{state.dealer_total}" if state.dealer_soft else str(state.dealer_total)
    else:
        column = names[state.dealer[0].value]
    alike = len(hand.cards) == 2 and len({state.tables.split_key[card] for card in hand.cards}) == 1
    rows = [f"{names[hand.cards[0].value]},{names[hand.cards[0].value]}"] if alike else []
    rows.append(f"{'soft' if hand.soft else 'hard'} {hand.total}")
    letters = "".join(printed[row][column] for row in rows if row in printed).replace("-", "")
    if state.phase == "early surrender":
        return "surrender" if letters[0] == "R" else "no surrender"
    return next((ACTIONS[letter] for letter in letters if ACTIONS[letter] in legal_now), "stand")


@pytest.mark.parametrize("name", one_in(3, sheets()))
@given(seed=seeds)
def test_whatever_happens_a_chart_says_something_legal(name: str, seed: int) -> None:
    """The printed cell is legal at every decision of a random round."""
    tables = sheets()[name].tables
    found = some_chart(Layout.of(tables), seed)
    for state in [step.before for step in steps(tables, seed, seats=2)]:
        if state.asked is None or not legal(state):
            continue
        action = found.act(state)
        assert action in {choice.action for choice in legal(state)}
        assert action == found.act(view(state, state.asked.number))
        assert action == ("no insurance" if state.phase == "insurance" else _said(found, state))


@pytest.mark.parametrize("name", one_in(3, sheets()))
@given(seed=seeds)
def test_rounds_are_played_to_their_end_by_a_chart(name: str, seed: int) -> None:
    """Few ranks, so that pairs are split as often as the rules allow."""
    tables = sheets()[name].tables
    found, rng = some_chart(Layout.of(tables), seed), random.Random(seed)
    stock = few_ranks(rng) if seed % 2 else shuffled(tables.decks, rng)
    state = advance(advance(start(tables), some_bet(tables, 1, rng)), NoMoreBets())
    while state.phase != "done":
        if state.queue:
            state = advance(state, Deal(next(stock)))
        elif not legal(state):
            state = advance(state, Place(1))
        else:
            state = advance(state, Act(1, found.act(state)))


# Charts that cannot be made


@pytest.mark.parametrize(
    ("game", "row", "cell", "says"),
    [
        ("classic", "hard 11", "RH", "'R' is surrender, which this game does not offer; it can be H, S, D"),
        ("face-up", "soft 18", "DS", "'D' is double down, which this game does not offer on soft 18; it can be H, S"),
        ("classic", "hard 16", "PS", "'P' is split, which is only for pairs; it can be H, S, D"),
        ("classic", "hard 16", "-", "'-' is only for pairs, which are then played as their total; it can be H, S, D"),
        ("classic", "8,8", "PX", "'X' is not a letter of a chart; it can be H, S, D, P, -"),
        ("classic", "8,8", "P-", "'-' is only for pairs"),
        ("classic", "hard 11", "D", "'D' does not say what to do if that is not allowed; write 'DH' or 'DS'"),
        ("double-up", "soft 21", "U", "'U' does not say what to do if that is not allowed; write 'US'"),
        ("double-up", "soft 21", "UH", "'H' is hit, but a hand of 21 takes no card; it can be S, U"),
        ("classic", "hard 11", "HD", "'HD': nothing after H is ever used; end with"),
        ("classic", "hard 11", "SH", "'SH': nothing after S is ever used; end with"),
        ("classic", "hard 11", "DDH", "'DDH' contains D twice"),
        ("classic", "hard 11", "", "the cell is empty; it can be H, S, D"),
        ("classic", "8,8", "", "the cell is empty; it can be H, S, D, P, -"),
        (
            "quick-pay",
            "hard 17",
            "QS",
            "'Q' is Quick Pay, which this game does not offer on hard 17; it can be H, S, D, R",
        ),
        ("classic", "hard 12", "US", "'U' is Double-Up, which this game does not offer; it can be H, S, D"),
    ],
)
def test_a_cell_the_game_cannot_be_played_by_is_refused(game: str, row: str, cell: str, says: str) -> None:
    """The message names the cell, the reason, and the valid letters."""
    with pytest.raises(ChartError) as refused:
        chart(game, {row: cell})
    columns = Layout.of(rules(game).tables).columns
    assert refused.value.problems[0].startswith(f"{row} v {columns[0].name}: {says}")
    assert len(refused.value.problems) == len(columns)


def test_splitting_where_nothing_splits_is_not_offered() -> None:
    """In a game without splits, the message does not mention pairs."""
    with pytest.raises(ChartError, match="'P' is split, which this game does not offer; it can be H, S, D"):
        chart("classic", {"hard 16": "PS"}, split_hands=1)


def test_a_chart_of_the_wrong_shape_is_refused() -> None:
    """Too few rows, or too few cells in one."""
    whole = plain_chart()
    with pytest.raises(ChartError, match="has 36 rows, not 35"):
        Chart(whole.layout, whole.cells[1:])
    with pytest.raises(ChartError, match="hard 4: the row has 10 cells, not 9"):
        Chart(whole.layout, (whole.cells[0][1:], *whole.cells[1:]))


def test_a_long_list_of_problems_is_cut_short_in_words_only() -> None:
    """The text lists a dozen problems; the exception has all of them."""
    with pytest.raises(ChartError) as refused:
        chart("classic", {"hard 4": "X", "hard 5": "X"})
    assert len(refused.value.problems) == 20
    assert str(refused.value).count("\n") == 12
    assert str(refused.value).endswith("and 8 more like these")

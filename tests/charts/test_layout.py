"""Rows, columns and letters of a chart, derived by hand from the rules and compared with the engine."""

from __future__ import annotations

import pytest

from holecard.charts.layout import Layout, Row
from holecard.charts.letters import ACTIONS
from holecard.deck import cards
from holecard.errors import ChartError
from holecard.sheets.read import rules
from holecard.table.legal import legal
from tests.random_play import sheets
from tests.scripted_rounds import play_cards


def layout(game: str, **settings: object) -> Layout:
    return Layout.of(rules(game, settings).tables)


def row(found: Layout, title: str) -> Row:
    return next(row for row in found.rows if row.title == title)


def titles(found: Layout, block: str) -> list[str]:
    return [row.name for row in found.rows if row.block == block]


def test_columns_are_the_upcards() -> None:
    """The ace is last, as in printed charts."""
    assert [column.name for column in layout("classic").columns] == list("23456789TA")
    assert not layout("classic").both_up


def test_where_both_dealer_cards_are_up_columns_are_their_totals() -> None:
    """2,2 is the lowest; T,T the highest hard one; A,A to A,9 are soft; A,T ends the round."""
    names = [column.name for column in layout("face-up").columns]
    assert names == [str(total) for total in range(4, 21)] + [f"s{total}" for total in range(12, 21)]


@pytest.mark.parametrize(
    ("dealer", "name"),
    [((10, 6), "16"), ((6, 10), "16"), ((1, 6), "s17"), ((1, 1), "s12"), ((2, 2), "4"), ((9, 1), "s20")],
)
def test_two_dealer_cards_find_their_column(dealer: tuple[int, int], name: str) -> None:
    """By total, in either order."""
    found = layout("face-up")
    assert found.columns[found.column(dealer)].name == name


@pytest.mark.parametrize(("dealer", "name"), [((10,), "T"), ((1,), "A"), ((2,), "2")])
def test_an_upcard_finds_its_column(dealer: tuple[int], name: str) -> None:
    """By value."""
    found = layout("classic")
    assert found.columns[found.column(dealer)].name == name


@pytest.mark.parametrize(
    ("game", "dealer", "says"),
    [
        ("classic", (10, 6), "depends on the upcard alone, not on T,6"),
        ("classic", (), "not on no card"),
        ("classic", (11,), "nothing to decide"),
        ("face-up", (10,), "depends on both dealer cards, not on T"),
        ("face-up", (1, 10), "nothing to decide against a dealer's A,T"),
    ],
)
def test_what_no_column_is_for_is_refused(game: str, dealer: tuple[int, ...], says: str) -> None:
    """The wrong number of cards, something that is not a card, a natural."""
    with pytest.raises(ChartError, match=says):
        layout(game).column(dealer)


def test_rows_are_every_total_that_may_be_decided() -> None:
    """Even 2,2 and A,A are played as totals once the hand limit is reached."""
    found = layout("classic")
    assert titles(found, "hard") == [str(total) for total in range(4, 21)]
    assert titles(found, "soft") == [str(total) for total in range(12, 21)]
    assert titles(found, "pairs") == ["2,2", "3,3", "4,4", "5,5", "6,6", "7,7", "8,8", "9,9", "T,T", "A,A"]
    assert found.letters == "HSDP"


def test_soft_21_has_a_row_only_where_double_up_is_open_to_it() -> None:
    """Two cards that count 21 without being a natural come from a split."""
    assert "21" in titles(layout("double-up"), "soft")
    assert row(layout("double-up"), "soft 21").letters == "SU"
    assert "21" not in titles(layout("double-up", double_up_after_split=False), "soft")
    assert "21" not in titles(layout("double-up", double_up="9-20"), "soft")
    assert "21" not in titles(layout("double-up", double_up="hard 20, soft 20"), "soft")
    assert "21" not in titles(layout("double-up", split_hands=1), "soft")
    for found in (layout("double-up"), layout("double-up", double_up="hard 20")):
        assert "21" not in titles(found, "hard")


def test_pairs_have_rows_only_where_they_can_be_split() -> None:
    """No pairs at all, or all pairs except aces."""
    assert titles(layout("classic", split_hands=1), "pairs") == []
    assert layout("classic", split_hands=1).letters == "HSD"
    assert titles(layout("classic", split_aces="never"), "pairs")[-1] == "T,T"
    assert layout("classic", split_aces="never").pair_row(1) is None


def test_letters_follow_the_masks() -> None:
    """Double on hard 9 to 11, Quick Pay on 18 to 20, Double-Up on the totals of the sheet, surrender on all or none."""
    face_up = layout("face-up")
    assert [row(face_up, f"hard {total}").letters for total in (8, 9, 11, 12)] == ["HS", "HSD", "HSD", "HS"]
    assert {row.letters for row in face_up.rows if row.block == "soft"} == {"HS"}
    assert row(face_up, "5,5").letters == "HSDP"
    quick = layout("quick-pay")
    assert row(quick, "hard 17").letters == "HSDR"
    assert row(quick, "soft 18").letters == row(quick, "hard 20").letters == "HSDQR"
    assert row(quick, "T,T").letters == "HSDPQR"
    some = layout("classic", double_up="hard 12-14")
    assert row(some, "hard 12").letters == row(some, "hard 14").letters == "HSDU"
    assert row(some, "soft 12").letters == row(some, "hard 15").letters == "HSD"


def test_a_sheet_that_splits_by_rank_says_so() -> None:
    """K,Q is not a pair there; T,T and K,K are."""
    found = Layout.of(rules("european").tables)
    assert found.pairs_by_rank
    assert found.pair_of(cards("Ks Qs")) is None
    assert found.pair_of(cards("Ks Kd")) == 10
    assert layout("classic").pair_of(cards("Ks Qs")) == 10


def test_only_two_equal_cards_are_a_pair() -> None:
    """Three eights are 24, two aces a pair where they can be split."""
    found = layout("classic")
    assert found.pair_of(cards("8s 8d")) == 8
    assert found.pair_of(cards("8s 7d")) is None
    assert found.pair_of(cards("2s 2d 2c")) is None
    assert found.pair_of((None, None)) is None
    assert layout("classic", split_aces="never").pair_of(cards("As Ad")) is None


def test_totals_find_their_rows() -> None:
    """21 does not have a row where there is nothing to decide; invalid hands are refused."""
    found = layout("classic")
    assert found.rows[found.row(16, False) or 0].title == "hard 16"
    assert found.rows[found.row(13, True) or 0].title == "soft 13"
    assert found.row(21, False) is None
    for total, soft in ((3, False), (11, True), (22, False)):
        with pytest.raises(ChartError, match=f"{'soft' if soft else 'hard'} {total}"):
            found.row(total, soft)


def _two_cards(wanted: Row) -> str:
    """Two cards that make a row; equal values have the same rank."""
    names = "-A23456789T"
    if wanted.pair:
        return f"{names[wanted.pair]}s {names[wanted.pair]}d"
    if wanted.soft:
        return f"As {names[wanted.total - 11]}d"
    low = max(2, wanted.total - 10)
    return f"{names[low]}s {names[wanted.total - low]}d"


@pytest.mark.parametrize("name", list(sheets()))
def test_letters_are_what_the_engine_offers_on_two_cards(name: str) -> None:
    """Every row except soft 21, against a 5, which no rule treats specially: the letters are the legal actions."""
    sheet = sheets()[name]
    for wanted in Layout.of(sheet.tables).rows:
        if wanted.total == 21:
            continue
        first, second = _two_cards(wanted).split()
        hole = "" if sheet.tables.hole_card == "none" else "9c"
        state = play_cards(sheet, f"{first} 5c {second} {hole}", bets=f"{sheet.tables.main.low}")
        if not legal(state):
            state = play_cards(sheet, f"{first} 5c {second} {hole}", ["pass"], bets=f"{sheet.tables.main.low}")
        open_to_it = {choice.action for choice in legal(state)}
        offered = {ACTIONS[letter] for letter in wanted.letters}
        assert open_to_it - ({"split"} if not wanted.pair else set()) == offered, (name, wanted.title)


def test_groups_cut_rows_and_columns_without_a_gap() -> None:
    """Blocks keep their order; upcards form one group, totals of both dealer cards form two."""
    for game, groups in (("classic", 1), ("face-up", 2)):
        found = layout(game)
        assert len(found.column_groups) == groups
        assert [group.name for group in found.blocks] == ["hard", "soft", "pairs"]
        for cut, size in ((found.blocks, len(found.rows)), (found.column_groups, len(found.columns))):
            assert [cut[0].first, *(group.end for group in cut)] == [0, *(group.first for group in cut[1:]), size]

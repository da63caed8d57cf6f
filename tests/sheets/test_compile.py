"""The compiled tables compared with the plain rules, cell by cell."""

from __future__ import annotations

import itertools
from fractions import Fraction

import pytest

from holecard.deck import DECK
from holecard.errors import SheetError
from holecard.hands import Mask
from holecard.sheets.read import read_sheet, rules
from holecard.sheets.schema import RuleSheet
from holecard.sheets.tables import CHARLIE, NATURAL
from tests.oracle import KINDS, MAIN, SECOND, Finished, draws, is_natural, is_soft, pays, total, wins
from tests.random_play import sheets
from tests.selection import one_in

VARIATIONS = {
    "ties lose": {"ties": "lose"},
    "ties win": {"ties": "win"},
    "6 to 5": {"settle.natural": "6 to 5"},
    "two naturals lose": {"two_naturals": "lose"},
    "two naturals win": {"two_naturals": "win"},
    "a natural ties 21": {"natural_v_21": "tie"},
    "a natural ties 21 and ties lose": {"natural_v_21": "tie", "ties": "lose"},
    "21 wins": {"twenty_one": "wins"},
    "double-up ties push": {"double_up_ties": "push"},
    "double-up ties win": {"double_up_ties": "win"},
    "original only": {"natural_takes": "original"},
    "a charlie pays 2 to 1": {"player.charlie": 6, "settle.charlie": "2 to 1"},
    "22 pushes": {"when_dealer_has": {"22": "push"}},
    "18 loses but 21 pushes": {"when_dealer_has": {"18": {"21": "push", "other": "lose"}}},
    "17 and 22 push": {"when_dealer_has": {"17": "push", "22": {"other": "push"}}},
    "21 wins against a ruled 21": {"twenty_one": "wins", "when_dealer_has": {"21": {"21": "win", "other": "lose"}}},
}
PLAYERS = {
    **{count: Finished(count) for count in range(4, 22)},
    22: Finished(25),
    NATURAL: Finished(21, natural=True),
    CHARLIE: Finished(18, charlie=True),
}
DEALERS = {
    **{count: Finished(count) for count in range(12, 22)},
    22: Finished(22),
    23: Finished(26),
    24: Finished(21, natural=True),
}


def _reachable(sheet_has_second: bool, kind: str, player: Finished, charlies: bool) -> bool:
    if kind == SECOND and not sheet_has_second:
        return False
    if player.charlie and not charlies:
        return False
    return not player.natural or kind in (MAIN, SECOND)


@pytest.mark.parametrize("name", sheets())
def test_every_cell_of_the_settlement_is_what_the_plain_rules_give(name: str) -> None:
    """Each kind of stake, each class of player hand, each class of dealer hand."""
    _assert_settles_by_the_plain_rules(sheets()[name])


#: In this game a dealer's 17 pushes, also against a 21.
REFUSED = [("21 wins", "quick-pay")]
VARIED = [
    (variation, name)
    for variation in VARIATIONS
    for name in ("classic", "double-up", "quick-pay", "face-up")
    if (variation, name) not in REFUSED
]


@pytest.mark.parametrize(("variation", "name"), one_in(3, VARIED))
def test_a_changed_word_changes_its_cells_and_no_other(variation: str, name: str) -> None:
    """Every settlement setting, applied to games of different kinds."""
    _assert_settles_by_the_plain_rules(rules(name, VARIATIONS[variation]))


@pytest.mark.parametrize(("variation", "name"), REFUSED)
def test_a_word_that_contradicts_the_game_is_refused(variation: str, name: str) -> None:
    with pytest.raises(SheetError, match="a player's 21 wins, but with this rule its result is push"):
        rules(name, VARIATIONS[variation])


def test_the_second_main_wager_has_separate_settings_for_naturals() -> None:
    """Three different settings for the player's, the dealer's and two naturals end up in three different cells."""
    words = {"natural": "2 to 1", "dealer_natural": "lose half", "two_naturals": "1 to 1"}
    _assert_settles_by_the_plain_rules(
        rules("quick-pay", {f"main.companion.{word}": odds for word, odds in words.items()})
    )


def _assert_settles_by_the_plain_rules(sheet: RuleSheet) -> None:
    second, charlies = sheet.main.companion is not None, sheet.player.charlie is not None
    for number, kind in enumerate(KINDS):
        for (row, player), (column, dealer) in itertools.product(PLAYERS.items(), DEALERS.items()):
            if _reachable(second, kind, player, charlies):
                cell = sheet.tables.settlement[number][row][column]
                assert cell.net == wins(sheet, kind, player, dealer), (kind, player, dealer)


@pytest.mark.parametrize("name", sheets())
def test_a_cell_says_what_it_does(name: str) -> None:
    """Its text ends with the result for the stake: pays, push or loses."""
    for rows in sheets()[name].tables.settlement:
        for row in rows:
            for cell in row:
                verb = "pays" if cell.net > 0 else "push" if cell.net == 0 else "loses"
                assert verb in cell.why


#: Cards for every total that a dealer can have, hard and soft.
HARD = {count: ["Ts", f"{count - 10}s"] for count in range(12, 20)} | {20: ["Ts", "Ks"], 21: ["Ts", "5s", "6s"]}
HARD |= {count: ["2s", f"{count - 2}s"] for count in range(4, 12)}
SOFT = {count: ["As", f"{count - 11}s"] for count in range(13, 21)} | {12: ["As", "Ah"]}


@pytest.mark.parametrize("soft_17", ["hit", "stand"])
@pytest.mark.parametrize("ends_on", [[], [16], [12, 14]])
def test_when_the_dealer_draws(soft_17: str, ends_on: list[int]) -> None:
    """H17, S17 and totals that end the hand, hard and soft, cell by cell."""
    sheet = rules("classic", {"soft_17": soft_17, "ends_on": ends_on})
    mask = sheet.tables.dealer_draws.usual
    for hands, softly in ((HARD, False), (SOFT, True)):
        for count, cards in hands.items():
            assert total(cards) == count
            assert mask[count][softly] is draws(sheet, cards), (count, softly)
    assert mask[17] == (False, soft_17 == "hit")
    assert mask[16] == ((False, False) if 16 in ends_on else (True, True))
    assert mask[18] == (False, False)


@pytest.mark.parametrize("ends_on", [[], [16]])
def test_a_dealer_who_hits_every_soft_total(ends_on: list[int]) -> None:
    """Hard 17 and more stands, soft 17 to 21 does not; the cells below 17 are unchanged."""
    sheet, usual = (rules("classic", {"soft": soft, "ends_on": ends_on}) for soft in ("hit all", "stand on 18"))
    mask = sheet.tables.dealer_draws.usual
    assert mask[17:] == ((False, True),) * 5
    assert mask[:17] == usual.tables.dealer_draws.usual[:17]
    for count, cards in SOFT.items():
        assert mask[count][True] is draws(sheet, cards), count
    assert draws(sheet, ["As", "5s", "5h"]), "a drawn soft 21 is hit"
    assert not draws(sheet, ["As", "Ts"]), "a natural is not"


@pytest.mark.parametrize("soft", one_in(2, ["stand on 18", "hit all", "draw 16 to hard 17", "draw soft 17 to hard 17"]))
@pytest.mark.parametrize("ends_on", [[], [16], [12, 14]])
def test_every_order_of_the_dealers_cards(soft: str, ends_on: list[int]) -> None:
    """The masks, read card after card, draw as the words of the sheet do, however the hand came about."""
    sheet = rules("classic", {"soft": soft, "ends_on": ends_on})
    decided, ranks = {True: 0, False: 0}, "A469T"

    def check(cards: list[str], mask: Mask) -> None:
        """Compare the hand, and every longer one that begins with it."""
        count, softly = total(cards), is_soft(cards)
        if len(cards) > 1:
            masked = count <= 21 and mask[count][softly] and not is_natural(cards)
            assert masked is draws(sheet, cards), cards
            decided[masked] += 1
            if not masked:
                return
        for rank in ranks:
            check([*cards, f"{rank}s"], sheet.tables.dealer_draws.after(count, softly, len(cards)))

    for upcard in ranks:
        check([f"{upcard}s"], sheet.tables.dealer_draws.usual)
    assert min(decided.values()) > 30


@pytest.mark.parametrize(
    ("words", "hard", "soft"),
    [
        ("any", range(2, 21), range(2, 21)),
        ("none", (), ()),
        ("9-11", (9, 10, 11), (9, 10, 11)),
        ("hard 9-11", (9, 10, 11), ()),
        ("hard 10-11, soft 13-18", (10, 11), range(13, 19)),
        ("soft 20", (), (20,)),
    ],
)
def test_where_doubling_is_open(words: str, hard: range, soft: range) -> None:
    """The mask has exactly the totals of the sheet, and never 21."""
    mask = rules("classic", double=words).tables.may_double
    assert {count for count in range(2, 22) if mask[count][False]} == set(hard)
    assert {count for count in range(2, 22) if mask[count][True]} == set(soft)


def test_where_double_up_is_open() -> None:
    """Any two-card total, including a split 21, if the sheet says any; none if it says nothing."""
    mask = rules("double-up").tables.may_double_up
    assert mask[21] == (True, True)
    assert mask[4] == (True, True)
    assert not any(any(cells) for cells in rules("classic").tables.may_double_up)


@pytest.mark.parametrize(
    ("hole_card", "under"),
    [("peek", {1, 10}), ("peek under aces", {1}), ("no peek", set()), ("none", set())],
)
def test_where_the_dealer_looks(hole_card: str, under: set[int]) -> None:
    """Under an ace and a ten, under an ace only, or never."""
    assert rules("classic", hole_card=hole_card).tables.peeks_under == under


def test_what_makes_a_pair() -> None:
    """By value all ten-value cards are equal; by rank only equal ranks."""
    by_value, by_rank = (rules("classic", split_by=by).tables.split_key for by in ("value", "rank"))
    for one, other in itertools.product(DECK, DECK):
        assert (by_rank[one] == by_rank[other]) == (str(one)[0] == str(other)[0])
        assert (by_value[one] == by_value[other]) == (one.value == other.value)


def test_quick_pay_rows() -> None:
    """18, 19 and 20 push, pay 1 to 2 and 1 to 1 on the Bet; the second wager pushes; other totals have no Quick Pay."""
    rows = rules("quick-pay").tables.quick_pay
    offered = {count: (row[0].net, row[1].net) for count, row in enumerate(rows) if row}
    assert offered == {18: (0, 0), 19: (pays("1 to 2"), 0), 20: (1, 0)}


def test_surrender_row() -> None:
    """Half the wager with one wager; with two wagers the first is returned and the second lost."""
    assert rules("classic").tables.surrender[0].net == pays("lose half")
    assert [cell.net for cell in rules("quick-pay").tables.surrender[:2]] == [0, -1]


@pytest.mark.parametrize(
    ("settings", "final"),
    [
        ({}, True),
        ({"natural_v_21": "tie"}, False),
        ({"natural_v_21": "tie", "settle.ties": "win", "settle.natural": "1 to 1"}, True),
    ],
)
def test_a_natural_waits_only_where_the_dealers_hand_can_change_it(settings: dict[str, str], final: bool) -> None:
    """It is paid at once unless some dealer total other than a natural pays it differently."""
    assert rules("classic", settings).tables.natural_is_final is final


def test_a_pay_table_is_chosen_by_name_or_by_decks() -> None:
    """Table A by default; the Fortune's by the number of decks."""
    luck = rules("upcard-luck-21").tables.wagers[0]
    assert [str(line.pays) for line in luck.lines] == ["100 to 1", "30 to 1", "15 to 1", "5 to 1", "4 to 1", "3 to 1"]
    other = rules("upcard-luck-21", {"wager.Upcard Luck.table": "C"}).tables.wagers[0]
    assert [str(line.pays) for line in other.lines][2] == "12 to 1"
    for decks, fixed in {1: 7500, 2: 5000, 6: 4000, 8: 4000}.items():
        assert rules("upcard-luck-21", decks=decks).tables.wagers[1].lines[-1].pays.fixed == fixed


def test_cards_lie_face_down_with_the_deck_counts_named() -> None:
    """One and two decks are dealt by hand."""
    downs = {decks: rules("upcard-luck-21", decks=decks).tables.players_cards_down for decks in (1, 2, 6, 8)}
    assert downs == {1: True, 2: True, 6: False, 8: False}


def test_a_table_by_decks_and_soft_17_is_chosen_by_both_rules() -> None:
    """ "6 S17" is for six decks and a dealer who stands on soft 17; "6" is for the rule without a table of its own."""

    def paid(own: str, **settings: object) -> Fraction:
        text = (
            'name = "T"\nextends = "classic"\n[[wager]]\nname = "W"\ntable = "by decks and soft 17"\n[wager.tables]\n'
            '6 = [{ hand = "pair", pays = "6 to 1" }]\n8 = [{ hand = "pair", pays = "8 to 1" }]\n'
            f'"6 {own}" = [{{ hand = "pair", pays = "7 to 1" }}]'
        )
        (wager,) = rules(read_sheet(text), settings).tables.wagers
        return wager.lines[0].pays.odds

    assert [paid("S17"), paid("S17", soft_17="stand")] == [6, 7]
    assert [paid("H17"), paid("H17", soft_17="stand")] == [7, 6]
    assert [paid("S17", decks=8), paid("S17", decks=8, soft_17="stand")] == [8, 8]


def test_a_soft_17_rule_chooses_the_hedge_tables_by_itself() -> None:
    """The printed sheet offers both rules; no second setting is needed, and the description says which is used."""
    hit, stand = (rules("quick-pay", soft_17=rule) for rule in ("hit", "stand"))
    assert hit.tables.wagers != stand.tables.wagers
    assert "The pay table is the one for 6 decks and a dealer who stands on soft 17." in str(stand).replace("\n  ", " ")

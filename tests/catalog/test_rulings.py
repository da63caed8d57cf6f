"""Every open point of the printed sheets is ruled on in its sheet, with every other reading as a switch.

The lists are the rulings themselves, written down here a second time; the rounds in tests/rounds play them.
"""

from __future__ import annotations

import pytest

from holecard.sheets.catalog import games
from holecard.sheets.descriptions.describe import describe, settings_of_switch
from holecard.sheets.override import parse_setting
from holecard.sheets.read import read_sheet, rules
from holecard.sheets.schema import RuleSheet
from tests.selection import one_in
from tests.sheets.test_every_setting import effect, said

NO_PEEK = "dealer.hole_card='no peek'"
ROUNDING = {"settle.rounding=nearest", "settle.rounding=up"}
#: What every game inherits from the base game, unless it says something else.
PAIRS, CENTS = {"Pairs": {"player.split_by=rank"}}, {"Cents": ROUNDING}
CHECK = {"The check": {NO_PEEK, f"{NO_PEEK} --set dealer.natural_takes=original"}}
#: The rulings of each game with their switches.
RULINGS: dict[str, dict[str, set[str]]] = {
    "classic": {
        "A natural": set(),
        **PAIRS,
        **CHECK,
        "Side wagers": set(),
        "Pay tables": set(),
        **CENTS,
        "Chips": set(),
        "Where a sheet leaves the base game open": set(),
    },
    "upcard-luck-21": {
        "Soft hands under Upcard Luck": set(),
        "Pay tables A, B and C": {"wager.Upcard Luck.table=B", "wager.Upcard Luck.table=C"},
        "Lines in order": set(),
        "At most the main wager": set(),
        "When Upcard Luck is settled": set(),
        "The dollar in the Fortune box": set(),
        "Fortune needs Upcard Luck": set(),
        "Payouts of the Fortune": set(),
        "Does the Fortune need an upcard of 2 to 7 to pay?": {"wager.Taxpayer's Fortune.upcard=2-7"},
        "Face-down cards": set(),
        **PAIRS,
        **CHECK,
        **CENTS,
    },
    "double-up": {
        "What a natural pays": {"settle.natural='6 to 5'"},
        "Insurance": {"insurance.pays='2 to 1'"},
        "Double-Up": {"player.double_up_after_split=false"},
        "End 16": set(),
        "Is a player's 21 an automatic winner?": {"settle.twenty_one=wins"},
        "A dealer's natural": {NO_PEEK},
        "No surrender": set(),
        "Splitting": set(),
        "Bonus 16": set(),
        **PAIRS,
        **CENTS,
    },
    "quick-pay": {
        "Naturals": set(),
        "The check": set(),
        "Surrender and Quick Pay": set(),
        "A dealer's 17": set(),
        "Soft 17": {"dealer.soft_17=stand"},
        "Insurance": set(),
        "Doubling and splitting": set(),
        "When Hedge Bets are placed": set(),
        "Hedge Bet odds": set(),
        **PAIRS,
        **CENTS,
    },
    "face-up": {
        "Ties": {"settle.two_naturals=push", "settle.two_naturals=win"},
        "A natural": {"settle.natural='3 to 2'"},
        "A natural against a drawn 21": {"settle.natural_v_21=tie"},
        "Soft totals": {"dealer.soft_17=stand", "dealer.soft='draw 16 to hard 17'", "dealer.soft='hit all'"},
        "Doubling": {"player.double=any"},
        "Splitting": set(),
        "Insurance and surrender": set(),
        "Bonus pay tables": set(),
        **PAIRS,
        **CENTS,
    },
    "match-up": {
        "Limits": set(),
        "How often a pair may be split": {"player.split_hands=5", "player.split_hands=6"},
        "Soft totals": {"dealer.soft='draw soft 17 to hard 17'", "dealer.soft='hit all'"},
        "Match Up": set(),
        "3 Card Bonus": set(),
        "Order of settlement": set(),
        **PAIRS,
        **CHECK,
        **CENTS,
    },
}
SWITCHES = [
    (game, ruling.on, switch) for game in games() for ruling in rules(game).ruling for switch in ruling.switches
]


def switched(game: str, switch: str) -> RuleSheet:
    return rules(game, dict(map(parse_setting, settings_of_switch(switch))))


@pytest.mark.parametrize("game", games())
def test_a_sheet_rules_on_every_open_point_and_names_every_other_reading(game: str) -> None:
    assert {ruling.on: {*ruling.switches} for ruling in rules(game).ruling} == RULINGS[game]


@pytest.mark.parametrize(("game", "on", "switch"), one_in(3, SWITCHES))
def test_every_switch_changes_the_tables_and_the_description(game: str, on: str, switch: str) -> None:
    """It loads by itself, and the description says that the point is read differently."""
    sheet, before = switched(game, switch), rules(game)
    assert effect(sheet, "") != effect(before, "")
    assert said(sheet, "") != said(before, "")
    (ruling,) = [ruling for ruling in describe(sheet).rulings if ruling.on == on]
    assert ruling.changed


@pytest.mark.parametrize("game", games(examples=True))
def test_every_switch_of_a_shipped_sheet_is_offered(game: str) -> None:
    """None is left out because it contradicts the sheet."""
    assert [ruling.switches for ruling in describe(game).rulings] == [ruling.switches for ruling in rules(game).ruling]


# Inheritance


def rulings(words: str) -> dict[str, tuple[str, ...]]:
    sheet = read_sheet(f'name = "Mine"\nextends = "double-up"\n{words}')
    return {ruling.on: ruling.switches for ruling in describe(sheet).rulings}


def test_readings_of_the_base_game_are_inherited_and_those_of_a_printed_sheet_are_not() -> None:
    assert set(rulings("")) == {"Pairs", "Cents"}


def test_a_ruling_is_not_inherited_where_it_would_be_wrong() -> None:
    """The sheet changes the setting, or rules on the point or on the setting itself."""
    assert set(rulings('[settle]\nrounding = "up"')) == {"Pairs"}
    assert set(rulings('[settle]\nrounding = "down"')) == {"Pairs", "Cents"}
    own = '[[ruling]]\non = "{}"\nreading = "So."\nswitch = "{}"\n'
    assert rulings(own.format("Cents", ""))["Cents"] == ()
    assert set(rulings(own.format("Tens", "player.split_by=rank"))) == {"Tens", "Cents"}


def test_a_switch_that_contradicts_the_sheet_is_not_offered() -> None:
    """Late surrender needs a dealer who checks."""
    late = read_sheet('name = "Mine"\nextends = "classic"\n[player]\nsurrender = "late"')
    (check,) = [ruling for ruling in describe(late).rulings if ruling.on == "The check"]
    assert check.switches == ()

"""The cloth: printed promises in casino words, limits, and pay tables that are those of the table."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from holecard.deck import value_name
from holecard.odds import odds
from holecard.sheets.catalog import games
from holecard.sheets.compile import payout
from holecard.sheets.descriptions.felt import Felt, felt
from holecard.sheets.descriptions.felt_print import LONGEST_PRINT, MOST_PRINTED
from holecard.sheets.read import rules
from holecard.table.dealing.shoe import Shoe

ALL_GAMES = games(examples=True)


def lines(game: str, **settings: object) -> list[tuple[str, str]]:
    return [(line.style, line.text) for line in felt(rules(game, **settings)).print]


def test_the_printed_games_promise_what_their_sheets_say() -> None:
    insurance = ("gold", "Insurance pays 2 to 1")
    soft_17 = ("plain", "Dealer must hit soft 17")
    assert lines("classic") == [("headline", "Blackjack pays 3 to 2"), soft_17, insurance]
    assert lines("double-up") == [
        ("headline", "Blackjack pays 3 to 2"),
        soft_17,
        ("plain", "Dealer stops on 16: 21 wins, others push"),
        ("gold", "Double-Up on any two cards · Double-Up loses a tie"),
    ]
    assert lines("face-up") == [
        ("headline", "Blackjack pays even money"),
        ("plain", "Both dealer cards face up · Dealer must hit soft 17"),
        ("plain", "Dealer wins all ties"),
    ]
    assert lines("quick-pay") == [
        ("headline", "Blackjack pays 6 to 5"),
        ("plain", "Dealer must hit soft 17 · Dealer's 17: push"),
        ("gold", "Quick Pay: 20 pays 1 to 1, 19 pays 1 to 2, 18 pushes"),
        ("gold", "Late surrender"),
    ]


@pytest.mark.parametrize(
    ("settings", "promise"),
    [
        ({"soft_17": "stand"}, "Dealer must stand on all 17s"),
        ({"dealer.soft": "hit all"}, "Dealer must hit every soft total"),
        ({"hole_card": "none"}, "No hole card"),
        ({"ties": "lose"}, "Two blackjacks: push"),
        ({"ties": "lose"}, "Dealer wins ties"),
        ({"ties": "win", "two_naturals": "win"}, "Player wins all ties"),
        ({"two_naturals": "lose"}, "Two blackjacks: dealer wins"),
        ({"settle.when_dealer_has": {"22": "push"}}, "Dealer's 22: push"),
        ({"settle.when_dealer_has": {"17": "lose"}}, "Dealer's 17: dealer wins"),
        ({"settle.natural": "2 to 1"}, "Blackjack pays 2 to 1"),
        ({"settle.natural": "1.3333 to 1"}, "Blackjack pays 1.3333 to 1"),
        ({"player.charlie": 5}, "Five-card charlie wins"),
        ({"player.charlie": 6, "settle.charlie": "2 to 1"}, "Six-card charlie pays 2 to 1"),
        ({"player.surrender": "early"}, "Early surrender"),
        ({"ends_on": [15]}, "Dealer stops on 15"),
    ],
)
def test_a_setting_changes_the_promise(settings: dict[str, object], promise: str) -> None:
    assert any(promise in text for _, text in lines("classic", **settings))
    assert not any(promise in text for _, text in lines("classic"))


@pytest.mark.parametrize(
    ("settings", "even_money"),
    [
        ({}, True),
        ({"settle.natural": "6 to 5"}, False),
        ({"settle.natural": "2 to 1", "insurance.most": "all"}, False),
        ({"insurance.most": "all"}, False),
        ({"settle.natural": "2 to 1", "insurance.most": "all", "insurance.pays": "1 to 1"}, True),
        ({"settle.two_naturals": "lose"}, False),
        ({"settle.natural_v_21": "tie"}, False),
    ],
)  # fmt: skip
def test_insurance_is_even_money_only_where_it_wins_the_wager_either_way(
    settings: dict[str, str], even_money: bool
) -> None:
    drawn = felt(rules("classic", settings)).insurance
    assert drawn is not None
    assert drawn.even_money == even_money


def test_without_insurance_nothing_is_promised() -> None:
    assert not any("nsurance" in text for _, text in lines("classic", **{"insurance.pays": "none"}))
    assert felt(rules("classic", {"insurance.pays": "none"})).insurance is None


def test_every_combination_fits_on_the_cloth() -> None:
    """The headline comes first and alone; no line is too long, and there are never too many."""
    choices = product(
        ("peek", "face up", "none"),
        ("lose", "push", "win"),
        ("none", "any", "hard 9-11, soft 13-19, 18, 19, 20"),
        ({}, {"12": "push", "13": "push", "14": "push", "15": "push", "16": "push", "17": "push"}),
        ({}, {"17": "push", "22": {"21": "win", "other": "push"}}),
    )
    for hole_card, ties, double_up, quick_pay, has in choices:
        settings: dict[str, object] = {
            "hole_card": hole_card,
            "insurance.pays": "none" if hole_card == "face up" else "2 to 1",
            "ties": ties,
            "player.surrender": "late" if hole_card == "peek" else "none",
            "double_up": double_up,
            "quick_pay": quick_pay if hole_card != "none" else {},
            "when_dealer_has": has,
            "player.charlie": 5,
        }
        check_lines(felt(rules("classic", {key: value for key, value in settings.items() if value})))


def check_lines(drawn: Felt) -> None:
    styles = [line.style for line in drawn.print]
    assert styles[0] == "headline"
    assert styles.count("headline") == 1
    assert len(styles) <= MOST_PRINTED
    assert len(drawn.print[0].text) <= 26
    assert all(0 < len(line.text) <= LONGEST_PRINT for line in drawn.print)


@pytest.mark.parametrize("game", ALL_GAMES)
def test_the_cloth_agrees_with_the_tables_that_the_game_is_dealt_from(game: str) -> None:
    sheet = rules(game)
    drawn, tables = felt(sheet), sheet.tables
    check_lines(drawn)
    assert (drawn.seats, drawn.decks, drawn.face_down) == (tables.seats, tables.decks, tables.players_cards_down)
    assert (drawn.main.min, drawn.main.max, drawn.main.step) == (tables.main.low, tables.main.high, tables.main.step)
    assert (drawn.main.companion is not None) == tables.has_companion
    assert (drawn.insurance is None) == (tables.insurance is None)
    if drawn.insurance is not None:
        assert odds(drawn.insurance.pays) == tables.insurance
        assert (drawn.insurance.min, drawn.insurance.step) == (tables.insurance_low, tables.insurance_step)
        assert {"half": Fraction(1, 2), "all": Fraction(1)}[drawn.insurance.most] == tables.insurance_share
    assert drawn.actions[: len(tables.actions)] == list(tables.actions)
    for shown, wager in zip(drawn.wagers, tables.wagers, strict=True):
        assert (shown.name, shown.needs, shown.token, shown.printed) == (
            wager.name, wager.needs, wager.token, wager.printed,
        )  # fmt: skip
        assert (shown.min, shown.max, shown.step) == (wager.limits.low, wager.limits.high, wager.limits.step)
        paid = [
            (f"{line.line} with {upcard} up" if upcard else line.line, payout(pays))
            for line in shown.lines
            for upcard, pays in ([("", line.pays)] if isinstance(line.pays, str) else line.pays.items())
        ]
        assert sorted(paid, key=str) == sorted(((line.name, line.pays) for line in wager.lines), key=str)
        assert [(tax.line, payout(tax.tax)) for tax in shown.tax] == [(line.name, line.pays) for line in wager.tax]


def test_odds_by_upcard_are_listed_from_two_to_ace() -> None:
    hedge = felt(rules("quick-pay")).wagers[0].lines[0].pays
    assert isinstance(hedge, dict)
    assert list(hedge) == [value_name(value) for value in (2, 3, 4, 5, 6, 7, 8, 9, 10, 1)]


@pytest.mark.parametrize("game", ["classic", "lone-deck", "early-bird"])
def test_the_cut_card_comes_out_after_as_many_cards_as_the_cloth_says(game: str) -> None:
    sheet = rules(game)
    shoe = Shoe(sheet.shoe, seed=1)
    before = 52 * sheet.shoe.decks - shoe.left
    for _ in range(felt(sheet).cut_card - before):
        assert not shoe.past_cut_card
        shoe.draw(1)
    assert shoe.past_cut_card


def test_without_a_cut_card_there_is_none_on_the_cloth() -> None:
    assert felt(rules("classic", {"shoe.procedure": "fresh each round"})).cut_card == 0


def test_the_cloth_changes_no_rule() -> None:
    green, blue = rules("classic"), rules("classic", {"table.cloth": "blue"})
    assert felt(blue).cloth == "blue" != felt(green).cloth
    assert blue.tables.settlement == green.tables.settlement
    assert (blue == green, blue.sha256 == green.sha256) == (False, False)
    assert rules("classic", {"table.cloth": "green"}) == green


def test_each_printed_game_has_its_own_cloth() -> None:
    printed = [rules(game) for game in games() if rules(game).source]
    assert len(printed) == 5
    assert len({sheet.table.cloth for sheet in printed}) == 5

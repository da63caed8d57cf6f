"""The cloth: printed promises in casino words, limits, and pay tables that are those of the table."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from holecard.deck import value_name, value_of
from holecard.odds import odds
from holecard.sheets.catalog import games
from holecard.sheets.compile import payout
from holecard.sheets.descriptions.describe import describe
from holecard.sheets.descriptions.felt import Felt, felt
from holecard.sheets.descriptions.felt_print import LONGEST_PRINT, exact_odds
from holecard.sheets.read import from_data, rules
from holecard.table.dealing.shoe import Shoe
from holecard.wagers.dealer_hands import dealer_hand
from holecard.wagers.named_hands import named_hand
from tests.selection import one_in

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
        ("plain", "Dealer stops on 16 and pushes all but blackjack; 21 wins"),
        ("gold", "Double-Up on any two cards except a blackjack"),
        ("gold", "Double-Up loses other ties"),
    ]
    assert lines("face-up") == [
        ("headline", "Blackjack pays even money"),
        ("plain", "Both dealer cards face up · Dealer must hit soft 17"),
        ("plain", "Dealer wins all ties"),
        ("plain", "Double only on hard 9-11 · Double for less"),
        ("plain", "Split to at most 2 hands · Split aces play on"),
    ]
    assert lines("quick-pay") == [
        ("headline", "Blackjack pays 6 to 5"),
        ("plain", "Dealer must hit soft 17 · Dealer's 17 pushes all but blackjack"),
        ("gold", "Quick Pay: 20 pays 1 to 1, 19 pays 1 to 2, 18 pushes"),
        ("gold", "Late surrender: Bet pushes, Surrender or Play loses"),
        ("gold", "Surrender or Play: every blackjack pushes, Quick Pay pushes"),
    ]


def promises(game: str, settings: dict[str, object]) -> list[str]:
    return [promise for line in felt(rules(game, settings)).print for promise in line.text.split(" · ")]


@pytest.mark.parametrize(
    ("settings", "promise"),
    [
        ({"soft_17": "stand"}, "Dealer must stand on all 17s"),
        ({"dealer.soft": "hit all"}, "Dealer must hit soft 17 to 21"),
        ({"dealer.soft": "draw 16 to hard 17"}, "Dealer must draw a two-card 16 or less to a hard 17"),
        ({"dealer.soft": "draw soft 17 to hard 17"}, "Dealer must draw soft 17 to a hard 17"),
        ({"hole_card": "none"}, "No hole card"),
        ({"hole_card": "no peek"}, "Dealer does not peek"),
        ({"hole_card": "peek under aces"}, "Dealer peeks under aces only"),
        ({"hole_card": "no peek"}, "Dealer's blackjack takes every wager"),
        ({"hole_card": "none", "natural_takes": "original"}, "Dealer's blackjack takes original wagers only"),
        ({"ties": "lose"}, "Two blackjacks: push"),
        ({"ties": "lose"}, "Dealer wins ties"),
        ({"ties": "lose", "two_naturals": "lose"}, "Dealer wins all ties"),
        ({"ties": "lose", "twenty_one": "wins"}, "Dealer wins ties below 21"),
        ({"ties": "lose", "twenty_one": "wins"}, "A player's 21 beats a dealer's 21"),
        ({"ties": "lose", "when_dealer_has": {"22": "push"}}, "Dealer wins other ties"),
        ({"ties": "win", "two_naturals": "win"}, "Player wins ties"),
        ({"ties": "win", "two_naturals": "win"}, "Two blackjacks: player wins 3 to 2"),
        ({"two_naturals": "lose"}, "Two blackjacks: dealer wins"),
        ({"natural_v_21": "tie"}, "Blackjack against a dealer's drawn 21: push"),
        ({"settle.when_dealer_has": {"22": "push"}}, "Dealer's 22 pushes all but blackjack"),
        ({"settle.when_dealer_has": {"17": "lose"}}, "Dealer's 17 beats all but blackjack"),
        ({"when_dealer_has": {"22": "push"}, "player.charlie": 5}, "Dealer's 22 pushes all but blackjack and charlie"),
        ({"settle.natural": "2 to 1"}, "Blackjack pays 2 to 1"),
        ({"settle.natural": "1.3333 to 1"}, "Blackjack pays 1.3333 to 1"),
        ({"settle.natural": "1.23457 to 1"}, "Blackjack pays 1.23457 to 1"),
        ({"settle.natural": "100000 to 1"}, "Blackjack pays 100000 to 1"),
        ({"player.charlie": 5}, "Five-card charlie pays 1 to 1"),
        ({"player.charlie": 6, "settle.charlie": "2 to 1"}, "Six-card charlie pays 2 to 1"),
        ({"player.surrender": "early"}, "Early surrender"),
        ({"player.surrender": "late", "settle.surrender": "lose"}, "Late surrender: Bet loses"),
        ({"ends_on": [15]}, "Dealer stops on 15"),
        ({"double_up": "any"}, "Double-Up on any two cards except a blackjack"),
        ({"double_up": "hard 9-11"}, "Double-Up on a two-card hard 9-11"),
        ({"double_up": "any", "double_up_after_split": False}, "No Double-Up after a split"),
        ({"double_up": "any"}, "Double-Up loses ties"),
        ({"double_up": "any", "twenty_one": "wins"}, "Double-Up loses ties below 21"),
        ({"insurance.most": "all"}, "Insurance pays 2 to 1 up to the whole wager"),
        ({"player.double": "none"}, "No doubling"),
        ({"player.double": "hard 10-11"}, "Double only on hard 10-11"),
        ({"player.double_cards": "any number"}, "Double with any number of cards"),
        ({"player.double_after_split": False}, "No double after a split"),
        ({"player.double_stake": "up to equal"}, "Double for less"),
        ({"player.split_hands": 1}, "No splitting"),
        ({"player.split_hands": 2}, "Split to at most 2 hands"),
        ({"player.split_by": "rank"}, "Split only equal ranks"),
        ({"player.split_aces": "never"}, "Aces may not be split"),
        ({"player.split_aces": "again"}, "Aces may be split again"),
        ({"player.split_aces_get": "play on"}, "Split aces play on"),
        ({"settle.rounding": "nearest"}, "Payouts are rounded to the nearest cent"),
        ({"settle.rounding": "up"}, "Payouts are rounded up to whole cents"),
    ],
)
def test_a_setting_changes_the_promise(settings: dict[str, object], promise: str) -> None:
    assert promise in promises("classic", settings)
    assert promise not in promises("classic", {})


def test_no_promise_is_dropped_for_want_of_room() -> None:
    """The game with the most to print has its rulings' switches on the cloth, too."""
    both = promises("double-up", {"insurance.pays": "2 to 1", "settle.twenty_one": "wins"})
    assert "Insurance pays 2 to 1" in both
    assert "A player's 21 beats a dealer's 21" in both
    assert "Double-Up loses other ties below 21" in both


def test_what_cannot_happen_is_not_promised() -> None:
    assert "Aces may be split again" not in promises("classic", {"split_aces": "again", "split_hands": 2})
    assert "A player's 21 beats a dealer's 21" not in promises(
        "classic", {"twenty_one": "wins", "when_dealer_has": {"21": "win"}}
    )
    assert not any("takes" in promise for promise in promises("classic", {"natural_takes": "original"}))


def test_all_totals_that_are_cashed_are_printed_with_what_they_pay() -> None:
    offers = {str(total): "lose half" for total in range(12, 21)}
    printed = promises("classic", {"quick_pay": offers})
    said = ", ".join(promise.removeprefix("Quick Pay: ") for promise in printed if promise.startswith("Quick Pay"))
    assert said == ", ".join(f"{total} loses half" for total in range(20, 11, -1))
    assert all(len(promise) <= LONGEST_PRINT for promise in printed)


@pytest.mark.parametrize("numerator", [1, 2, 3, 7, 123457, 1_000_000])
@pytest.mark.parametrize("denominator", [1, 2, 3, 5, 7, 64, 1000, 100_000, 10**9])
def test_printed_odds_are_exact(numerator: int, denominator: int) -> None:
    net = Fraction(numerator, denominator)
    assert odds(exact_odds(net)) == net


@pytest.mark.parametrize(
    ("settings", "even_money"),
    one_in(3, [
        ({}, True),
        ({"settle.natural": "6 to 5"}, False),
        ({"settle.natural": "2 to 1", "insurance.most": "all"}, False),
        ({"insurance.most": "all"}, False),
        ({"settle.natural": "2 to 1", "insurance.most": "all", "insurance.pays": "1 to 1"}, True),
        ({"settle.two_naturals": "lose"}, False),
        ({"settle.natural_v_21": "tie"}, False),
    ]),
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


@pytest.mark.slow
def test_every_combination_is_printed_in_lines() -> None:
    """The headline comes first and alone, and a line is only long if one promise is."""
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
    assert all(0 < len(line.text) <= LONGEST_PRINT or " · " not in line.text for line in drawn.print)


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
        assert {value_of(name) for name in shown.upcards} == wager.upcards
        assert {value_of(name) for name in shown.tax_upcards} == (wager.tax_upcards if wager.tax else set())
        assert {"two cards": 2, "two cards and upcard": 3, "all four cards": 4}[shown.on] == wager.looks_at
        hands = {named_hand(line.hand, wager.looks_at) if line.hand else None for line in shown.lines}
        assert hands == {line.hand for line in wager.lines}
        dealers = {dealer_hand(line.dealer) if line.dealer else None for line in shown.lines}
        assert dealers == {line.dealer for line in wager.lines}
        paid = [
            (f"{line.line} with {upcard} up" if upcard else line.line, payout(pays))
            for line in shown.lines
            for upcard, pays in ([("", line.pays)] if isinstance(line.pays, str) else line.pays.items())
        ]
        assert sorted(paid, key=str) == sorted(((line.name, line.pays) for line in wager.lines), key=str)
        assert [(tax.line, payout(tax.tax)) for tax in shown.tax] == [(line.name, line.pays) for line in wager.tax]


@pytest.mark.parametrize(
    ("game", "wager", "settled"),
    [
        ("upcard-luck-21", "Upcard Luck", "after the deal"),
        ("upcard-luck-21", "Taxpayer's Fortune", "when decided"),
        ("double-up", "Bonus 16", "end of round"),
        ("quick-pay", "Hedge 18", "end of round"),
        ("face-up", "4-Card Bonus", "after the deal"),
    ],
)
def test_the_cloth_says_when_a_wager_is_settled(game: str, wager: str, settled: str) -> None:
    assert {one.name: one.settled for one in felt(rules(game)).wagers}[wager] == settled


def test_a_wager_on_a_hidden_hole_card_is_settled_at_the_end() -> None:
    peeking = rules("face-up", {"hole_card": "peek"})
    assert {one.name: one.settled for one in felt(peeking).wagers}["4-Card Bonus"] == "end of round"


def test_the_second_wager_has_its_own_results() -> None:
    found = felt(rules("quick-pay", {"main.companion.natural": "3:2", "player.surrender": "none"})).main.companion_rules
    assert found is not None
    assert (found.natural, found.dealer_natural, found.surrender, found.quick_pay) == ("3 to 2", "push", None, "push")
    assert felt(rules("classic")).main.companion_rules is None


def test_a_wager_wins_only_with_the_upcards_that_its_odds_name() -> None:
    pays = {"2-4": "3 to 1", "T": "1.23457 to 1"}
    wager = {"name": "Seventeen", "upcard": "3-T", "lines": [{"dealer": "17", "pays": pays}]}
    sheet = from_data({"name": "Own", "extends": "classic", "wager": [wager]}, "a test")
    (described,) = felt(sheet).wagers
    assert described.upcards == ["3", "4", "T"]
    assert described.lines[0].pays == {"2": "3 to 1", "3": "3 to 1", "4": "3 to 1", "T": "1.23457 to 1"}
    assert "Wins only with 3, 4, T up; with any other upcard it loses at once." in describe(sheet).wagers[0].sentences


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

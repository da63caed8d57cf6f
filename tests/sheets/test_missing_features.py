"""Keys that ask for a game feature: the setting that says it, or that a sheet cannot say it, never a word alike."""

from __future__ import annotations

from pathlib import Path

import pytest

from holecard.errors import LIMITS_PAGE, SheetError, did_you_mean
from holecard.sheets.checks import missing_features
from holecard.sheets.checks.missing_features import feature_asked_for
from holecard.sheets.override import parse_setting
from holecard.sheets.read import rules

PAGE = Path(__file__).parents[2] / LIMITS_PAGE
CANNOT = {
    "free_double": "stakes that the house puts up",
    "free_split": "stakes that the house puts up",
    "double_again": "doubling a hand again",
    "redouble": "doubling a hand again",
    "triple_down": "raising by more than the wager",
    "double_attack": "raising by more than the wager",
    "rescue": "surrender after a double",
    "surrender_ten": "surrender with some upcards only",
    "spanish_21": "decks with ranks taken out",
    "blackjack_switch": "exchanging cards between two hands",
    "must_split": "which pairs may be split",
    "lightning": "random odds",
    "switch": "exchanging cards between two hands",
    "bonus_21": "payouts of the main wager",
    "jokers": "jokers and wild cards",
    "no_tens": "decks with ranks taken out",
    "bb_plus_1": "busted bets",
}


@pytest.mark.parametrize("key", CANNOT)
def test_a_feature_that_no_sheet_can_say_is_refused_with_the_page(key: str) -> None:
    """In a section and as a setting of its own; no other key is offered."""
    for setting in (f"player.{key}", key):
        with pytest.raises(SheetError) as refused:
            rules("classic", {setting: True})
        (problem,) = refused.value.problems
        assert f"a sheet cannot say this yet: {CANNOT[key]}" in problem.what
        assert problem.what.endswith(f"see {LIMITS_PAGE}")
        assert "did you mean" not in problem.what


def test_the_page_lists_every_feature() -> None:
    """In the words of the refusals."""
    text = " ".join(PAGE.read_text(encoding="utf-8").split()).lower()
    for feature in missing_features._CANNOT.values():
        assert feature.lower() in text or all(part in text for part in feature.lower().split(" (")), feature


@pytest.mark.parametrize(
    ("key", "setting"),
    [
        ("double_on", 'player.double = "hard 9-11"'),
        ("double_any", 'player.double = "any"'),
        ("soft_18", 'dealer.soft = "stand on 18"'),
        ("hit_soft_17", 'dealer.soft_17 = "hit"'),
        ("split_any", 'player.split_by = "value"'),
        ("five_card_trick", "player.charlie = 5"),
        ("players", "table.seats = 7"),
        ("push_22", 'settle.when_dealer_has = { 22 = "push" }'),
        ("five_card_charlie", "player.charlie = 5"),
        ("blackjack_pays", 'settle.natural = "3 to 2"'),
        ("resplit_aces", 'player.split_aces = "again"'),
        ("penetration", "shoe.cut_card = 75"),
        ("burn_cards", "shoe.burn = 1"),
        ("burned", "shoe.burn = 1"),
        ("peek", 'dealer.hole_card = "peek"'),
        ("peeks", 'dealer.hole_card = "peek"'),
        ("no_peek", 'dealer.hole_card = "no peek"'),
        ("enhc", 'dealer.hole_card = "none"'),
        ("dealer_loses_ties", 'settle.ties = "win"'),
        ("pushes_ties", 'settle.ties = "push"'),
        ("ties_lose", 'settle.ties = "lose"'),
        ("seven_card_charlie", "player.charlie = 7"),
        ("6_card_charlie", "player.charlie = 6"),
        ("double_for_less", 'player.double_stake = "up to equal"'),
        ("hit_split_aces", 'player.split_aces_get = "play on"'),
        ("late_surrender", 'player.surrender = "late"'),
        ("early_surrender", 'player.surrender = "early"'),
        ("min_bet", 'main.min = "$5"'),
        ("max_bet", 'main.max = "$500"'),
        ("dealer_hits_soft_17", 'dealer.soft_17 = "hit"'),
        ("dealer_stands_on_soft_17", 'dealer.soft_17 = "stand"'),
    ],
)
def test_a_feature_with_another_name_is_refused_with_its_setting(key: str, setting: str) -> None:
    """The setting can be used as it is written."""
    assert feature_asked_for(key) == f"write {setting}"
    path, value = parse_setting(setting.replace(" = ", "=", 1))
    assert rules("classic", {path: value})


def said_about(key: str) -> str:
    with pytest.raises(SheetError) as refused:
        rules("classic", {key: True})
    (problem,) = refused.value.problems
    return problem.what


@pytest.mark.parametrize(
    ("key", "says"),
    [
        ("dealer.peek", 'write dealer.hole_card = "peek"'),
        ("dealer.loses_ties", 'write settle.ties = "win"'),
        ("settle.loses_ties", 'write settle.ties = "lose"'),
        ("shoe.burn_cards", "write shoe.burn = 1"),
        ("dealer.hit_on", "write dealer.soft_17 = "),
        ("dealer.must_hit", "write dealer.soft_17 = "),
        ("player.must_hit", "a sheet cannot say this yet: totals that players must hit"),
        ("table.side_bets", "write a [[wager]] with a name and lines"),
    ],
)
def test_the_section_of_a_key_tells_whom_it_is_about(key: str, says: str) -> None:
    """The dealer's ties are the player's wins, and only the dealer has totals to draw to."""
    assert said_about(key).startswith(f"unknown key; {says}")


@pytest.mark.parametrize(
    ("key", "says"),
    [
        ("natural_pays", 'write settle.natural = "3 to 2"'),
        ("bonus", "a sheet cannot say this yet: payouts of the main wager"),
        ("natral", "did you mean 'natural'?"),
        ("splithands", "did you mean 'split_hands'?"),
        ("double_up_tie", "did you mean 'double_up_ties'?"),
    ],
)
def test_a_key_written_alone_asks_for_a_feature_before_it_is_misspelled(key: str, says: str) -> None:
    """`bonus` is the beginning of `bonuses_from`, which has nothing to do with it."""
    assert said_about(key).startswith(f"no section has this key; {says}")


@pytest.mark.parametrize(
    ("word", "known", "offered"),
    [
        ("surender", ["surrender", "double"], "surrender"),
        ("doubel", ["double", "double_up"], "double"),
        ("soft17", ["soft_17", "soft"], "soft_17"),
        ("insurance_pay", ["insurance_pays"], "insurance_pays"),
        ("hedge", ["Hedge 18"], "Hedge 18"),
        ("free_double", ["double", "double_up"], None),
        ("double_again", ["double", "double_up"], None),
        ("upcard", ["pair", "hard 9-11"], None),
        ("optimum", ["optimal"], None),
        ("no", ["all"], None),
    ],
)
def test_only_misspelled_words_get_a_hint_by_their_letters(word: str, known: list[str], offered: str | None) -> None:
    """Not those that contain a known word, nor those that share many letters with one."""
    hint = did_you_mean(word, known)
    assert hint == (f"did you mean {offered!r}?" if offered else f"it can be {', '.join(map(repr, known))}")

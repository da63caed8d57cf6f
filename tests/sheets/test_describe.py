"""A game's description when settings change it."""

from __future__ import annotations

from pathlib import Path

import pytest

from holecard.sheets.catalog import games
from holecard.sheets.descriptions.describe import describe
from holecard.sheets.override import setting_value
from holecard.sheets.read import read_sheet, rules


def test_the_opening_sentence_lists_the_settings_in_force() -> None:
    """The sheet's own sentence, six decks and 3 to 2, would be wrong."""
    described = describe(rules("classic", {"decks": 8, "settle.natural": "6 to 5"}))
    assert described.about == "Changed settings: shoe.decks = 8, settle.natural = 6 to 5."


def test_settings_are_written_as_in_a_sheet() -> None:
    """Sheets write true and false, Python True and False."""
    assert describe("classic", {"double_after_split": False}).about.endswith("double_after_split = false.")
    cashed = describe("quick-pay", {"player.quick_pay": {"12": "lose half"}})
    assert cashed.about.endswith('player.quick_pay = { 12 = "lose half" }.')


def test_ties_are_described_in_one_sentence() -> None:
    def sentence(**settings: str) -> str:
        lines = [line for section in describe("classic", settings).sections for line in section.sentences]
        return next(line for line in lines if "ties" in line)

    assert sentence() == "Two naturals push, and so do other ties."
    assert sentence(ties="lose") == "The player pushes if both have a natural, and loses all other ties."
    assert describe(rules("classic")).about == rules("classic").about
    assert describe(rules("classic", decks=8, about="Eight decks.")).about == "Eight decks."
    assert describe("classic", {"settle.natural": "6 to 5"}, decks=8) == describe(
        rules("classic", {"settle.natural": "6 to 5"}, decks=8)
    )


@pytest.mark.parametrize("game", games())
def test_rulings_describe_the_sheet_without_the_settings(game: str) -> None:
    """The text of a ruling does not consider settings other than its switch."""
    assert describe(rules(game)).rulings_heading == "How the sheet is read"
    heading = describe(rules(game, decks=2) if game != "upcard-luck-21" else rules(game, seats=2)).rulings_heading
    assert heading == "How the sheet is read without the settings above"


def test_a_ruling_is_read_otherwise_only_where_its_setting_changes_the_sheet() -> None:
    """A setting equal to the sheet's own value does not choose another reading."""
    same, other = (describe(rules("face-up", {"dealer.soft_17": word})).rulings for word in ("hit", "stand"))
    assert not any(ruling.changed for ruling in same)
    assert [ruling.changed for ruling in other if ruling.changed] == ["dealer.soft_17 = stand"]


def test_a_setting_in_a_section_counts_like_one_by_its_path() -> None:
    by_section = rules("face-up", {"dealer": {"soft_17": "stand"}})
    assert by_section.origin == rules("face-up", {"dealer.soft_17": "stand"}).origin
    assert any(ruling.changed for ruling in describe(by_section).rulings)


def test_a_sheet_that_was_a_file_is_described_without_it(tmp_path: Path) -> None:
    """It is no longer known whether the setting changes the sheet, so it counts as a change."""
    file = tmp_path / "mine.toml"
    ruling = '[[ruling]]\non = "Decks"\nreading = "Six."\nswitch = "shoe.decks=8"'
    file.write_text(f'name = "Mine"\nextends = "classic"\n{ruling}', encoding="utf-8")
    same, other = rules(file, decks=6), rules(file, decks=8)
    assert [describe(sheet).rulings[0].changed for sheet in (same, other)] == ["", "shoe.decks = 8"]
    file.unlink()
    assert describe(other).rulings[0].changed == "shoe.decks = 8"


def test_the_value_of_a_setting_is_found_by_its_path() -> None:
    sheet = rules("quick-pay")
    assert setting_value(sheet, "decks") == 6
    assert setting_value(sheet, "main.companion.name") == "Surrender or Play"
    assert setting_value(sheet, "settle.when_dealer_has.17") == "push"
    assert setting_value(sheet, "wager.hedge 18.min") == sheet.wager[0].min
    assert setting_value(sheet, "wager.0.name") == "Hedge 18"
    assert setting_value(sheet, "wager.Nothing.min") is None
    assert setting_value(sheet, "shoe.nothing") is None


def test_a_late_wager_says_with_which_upcards_it_is_offered() -> None:
    """A wager placed before the deal loses at once with other upcards; one placed later is not offered."""
    lines = [{"dealer": "busts", "pays": {"2-6": "2 to 1"}}]
    late = {"name": "Late", "placed": "after the check", "lines": lines}
    early = {"name": "Early", "upcard": "2-6", "lines": [{"dealer": "busts", "pays": "2 to 1"}]}
    text = " ".join(str(rules("classic", {"wager": [late, early]})).split())
    assert "Offered only with 2 to 6 up." in text
    assert "Wins only with 2 to 6 up; with any other upcard it loses at once." in text


def said(game: str, settings: dict[str, object]) -> str:
    """Every sentence about the main game."""
    return " ".join(sentence for section in describe(game, settings).sections for sentence in section.sentences)


FACE_UP_SURRENDER: dict[str, object] = {
    "player.surrender": "late",
    "dealer.hole_card": "face up",
    "insurance.pays": "none",
}
ONLY_WITHOUT_A_PEEK: dict[str, object] = {"player.surrender": "early", "dealer.hole_card": "no peek"}


@pytest.mark.parametrize(
    ("game", "settings", "true", "false"),
    [
        ("face-up", {"RSA": True}, "Aces are split once; they are played like any hand.", "may be split again"),
        ("quick-pay", {"player.quick_pay": {"12": "lose half"}}, "12 loses half on Bet", "pays lose"),
        ("classic", {"split_hands": 1}, "Double down on any two cards, for an equal wager", "after a split,"),
        ("double-up", {"split_hands": 1}, "except a natural: a second, equal wager", "split aces"),
        ("double-up", {"split_aces": "never"}, "also after a split: a second, equal", "split aces"),
        ("classic", {"double": "none"}, "There is no doubling down.", "Double down"),
        ("double-up", {}, "a hand of 21 takes no card.", "a hand of 21 stands"),
        ("classic", {"two_naturals": "win"}, "The player is paid 3 to 2 if both have a natural", "The player wins if"),
        ("classic", {"twenty_one": "wins"}, "and so do other ties except at 21.", "other ties."),
        ("double-up", {"twenty_one": "wins"}, "A Double-Up wager loses a tie except at 21.", "loses a tie."),
        (
            "classic",
            {"player.surrender": "early"},
            "natural after surrender and before any other action",
            "before anybody acts",
        ),
        (
            "classic",
            {"player.surrender": "early"},
            "every hand except a natural and a surrendered hand.",
            "except a natural.",
        ),
        ("classic", ONLY_WITHOUT_A_PEEK, "even if the dealer then has a natural: Bet loses half", "the dealer checks"),
        ("classic", FACE_UP_SURRENDER, "cards, unless the dealer has a natural: Bet", "the dealer has checked"),
        ("classic", {"seats": 1}, "for up to one seat.", "one seats"),
        ("classic", {"main.min": "$5", "main.max": "$5"}, "Bet: exactly $5.", "$5 to $5"),
    ],
)
def test_a_sentence_is_true_of_the_settings_together(
    game: str, settings: dict[str, object], true: str, false: str
) -> None:
    """Each of these was false, or not complete, when only one of two settings was looked at."""
    assert true in said(game, settings)
    assert false not in said(game, settings)


def test_a_late_natural_spares_a_second_wager_that_does_not_lose_to_it() -> None:
    settings: dict[str, object] = {
        "main.companion": {"name": "Second"},
        "dealer.hole_card": "no peek",
        "insurance.pays": "none",
    }
    assert "takes every wager on the hand except Second; a" in said("classic", settings)
    loses = {**settings, "main.companion": {"name": "Second", "dealer_natural": "lose"}}
    assert "takes every wager on the hand; a" in said("classic", loses)


def test_a_wager_that_waits_for_the_hole_card_is_not_settled_after_the_deal() -> None:
    """With the hole card face up it is; and a line with a name says what it asks for."""

    def sentences(**settings: object) -> tuple[str, ...]:
        text = (
            'name = "T"\nextends = "classic"\n[[wager]]\nname = "W"\non = "all four cards"\nupcard = "2-7"\n'
            'lines = [{ hand = "flush", pays = "5 to 1", name = "blush" }]'
        )
        (wager,) = describe(read_sheet(text), settings).wagers
        assert wager.rows == (("blush (flush)", "5 to 1"),)
        return wager.sentences

    waits = sentences()
    assert "Settled at the end of the round, after the main wagers." in waits
    assert "Wins only with 2 to 7 up; with any other upcard it loses." in waits
    seen = sentences(**{"dealer.hole_card": "face up", "insurance.pays": "none"})
    assert "Settled right after the deal, before anything else." in seen
    assert "Wins only with 2 to 7 up; with any other upcard it loses at once." in seen

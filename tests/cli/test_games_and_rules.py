"""The commands that show a game: `games`, `rules` and `tables`."""

from __future__ import annotations

import pytest

import holecard
from holecard.sheets.descriptions.describe import describe
from holecard.sheets.read import rules
from tests.cli.shell import Shell, flat, read_json

# games


def test_games_lists_every_sheet_with_its_name(shell: Shell) -> None:
    """Short names for typing and full names for reading; the examples are marked."""
    out = flat(shell("games").out)
    for game in holecard.games(examples=True):
        assert game in out
        assert (f"{rules(game).name} (example)" in out) == (game not in holecard.games())


def test_games_as_json_has_the_documented_keys(shell: Shell) -> None:
    """A program can choose a game, its deck counts and its wagers."""
    listing = read_json(shell("games", "--json"))
    assert (list(listing), listing["version"]) == (["version", "games"], holecard.__version__)
    data = listing["games"]
    assert [entry["game"] for entry in data] == list(holecard.games(examples=True))
    assert [entry["game"] for entry in data if not entry["example"]] == list(holecard.games())
    keys = ["game", "name", "hash", "about", "decks", "decks_offered", "wagers", "example"]
    assert all(list(entry) == keys for entry in data)
    by_name = {entry["game"]: entry for entry in data}
    assert by_name["quick-pay"]["decks_offered"] == [1, 2, 6, 8]
    assert by_name["double-up"]["wagers"] == ["Bonus 16"]


# rules


@pytest.mark.parametrize("game", holecard.games())
def test_rules_prints_every_sentence_pay_line_and_ruling(shell: Shell, game: str) -> None:
    """The description includes everything in the sheet."""
    out = flat(shell("rules", game).out)
    described = describe(rules(game))
    for section in described.sections:
        for sentence in section.sentences:
            assert sentence in out
    for wager in described.wagers:
        assert wager.name in out
        assert all(row[0] in out for row in wager.rows)
    for ruling in described.rulings:
        assert ruling.reading in out


@pytest.mark.parametrize("game", holecard.games())
def test_rules_says_what_a_natural_is(shell: Shell, game: str) -> None:
    """Both names, natural and blackjack."""
    natural = "A natural (blackjack) is an ace and a ten-value card as the first two cards, never after a split."
    assert natural in flat(shell("rules", game).out)


def test_rules_says_which_values_assume_the_full_double(shell: Shell) -> None:
    """Only where a player may double for less."""
    assumed = "one more card. Exact values and simulations assume the full amount."
    assert assumed in flat(shell("rules", "face-up").out)
    assert "assume the full amount" not in flat(shell("rules", "classic").out)


def test_rules_says_how_soft_totals_are_played(shell: Shell) -> None:
    """With the switch of two sheets the dealer hits all of them."""
    every = "Draws to a hard 17 and hits every soft total, including soft 21; a natural is never hit."
    for game in ("face-up", "match-up"):
        out = flat(shell("rules", game, "--set", "dealer.soft=hit all").out)
        assert every in out
        assert "Read differently at this table: dealer.soft = hit all." in out
        assert "Draws to 17 and hits soft 17." in flat(shell("rules", game).out)
    rows = read_json(shell("tables", "face-up", "--set", "dealer.soft=hit all", "--json"))["tables"]["dealer_draws"]
    assert rows["rows"]["17-21"] == {"hard": "stands", "soft": "draws"}


@pytest.mark.parametrize(
    ("game", "soft", "said", "first", "committing"),
    [
        (
            "face-up",
            "draw 16 to hard 17",
            "Stands on two cards that total 17 or more, hard or soft. Draws two cards that total 16 or less to a hard "
            "17 or more, and on the way hits every soft total, including soft 21.",
            {"17-21": {"hard": "stands", "soft": "stands"}, "12-16": {"hard": "draws", "soft": "draws"}},
            {"17-21": {"hard": "-", "soft": "must"}, "12-16": {"hard": "must", "soft": "must"}},
        ),
        (
            "match-up",
            "draw soft 17 to hard 17",
            "Draws to 17 and hits soft 17; from a soft 17, draws to a hard 17 or more and on the way hits every soft "
            "total, including soft 21. Stands on any other soft 18 or more.",
            {"18-21": {"hard": "stands", "soft": "stands"}, "17": {"hard": "stands", "soft": "draws"}},
            {"17-21": {"hard": "-", "soft": "must"}, "12-16": {"hard": "-", "soft": "-"}},
        ),
    ],
)
def test_rules_and_tables_say_how_soft_totals_are_played_to_the_letter(
    shell: Shell, game: str, soft: str, said: str, first: dict[str, object], committing: dict[str, object]
) -> None:
    """The tables show which hands commit the dealer to a hard total, and what is drawn to after them."""
    setting = f"dealer.soft={soft}"
    out = flat(shell("rules", game, "--set", setting).out)
    assert said in out
    assert f"Read differently at this table: dealer.soft = {soft}." in out
    tables = read_json(shell("tables", game, "--set", setting, "--json"))["tables"]
    assert tables["dealer_draws"]["rows"].items() >= first.items()
    assert tables["dealer_commits"]["rows"].items() >= committing.items()
    assert tables["dealer_draws_committed"]["rows"]["17-21"] == {"hard": "stands", "soft": "draws"}
    assert "dealer_commits" not in read_json(shell("tables", game, "--json"))["tables"]


def test_rules_names_every_switch_of_a_ruling(shell: Shell) -> None:
    """As a user types them; settings that belong together are printed together."""
    out = flat(shell("rules", "match-up").out)
    assert "(--set player.split_hands=5 or --set player.split_hands=6)" in out
    out = flat(shell("rules", "classic").out)
    together = "--set dealer.hole_card='no peek' --set dealer.natural_takes=original"
    assert f"({together} or --set dealer.hole_card='no peek')" in out


def test_rules_says_what_a_late_natural_takes(shell: Shell) -> None:
    """A busted hand is not refunded."""
    out = flat(shell("rules", "double-up", "--set", "dealer.hole_card=no peek").out)
    late = "A natural found after the players have acted takes the original wager only; a busted hand has already lost."
    assert late in out


@pytest.mark.parametrize(
    ("game", "wager", "house"),
    [
        ("quick-pay", "Hedge 18", True),
        ("quick-pay", "Hedge 21", True),
        ("face-up", "2-Card Bonus", True),
        ("face-up", "4-Card Bonus", True),
        ("match-up", "Match Up", False),
        ("double-up", "Bonus 16", False),
        ("upcard-luck-21", "Upcard Luck", False),
    ],
)
def test_house_tables_are_marked_wherever_they_show(shell: Shell, game: str, wager: str, house: bool) -> None:
    """A house pay table is never shown as a printed one."""
    entry = next(w for w in read_json(shell("rules", game, "--json"))["wagers"] if w["name"] == wager)
    assert entry["printed"] is not house
    assert ("House table, not printed on the sheet." in entry["sentences"]) is house
    title = read_json(shell("tables", game, "--json"))["tables"][f"wager {wager}"]["title"]
    assert ("house table, not printed on the sheet" in title) is house


def test_a_setting_changes_what_rules_says(shell: Shell) -> None:
    """--set takes a key alone or with its section, and plain text as a value."""
    out = flat(shell("rules", "double-up", "--set", "decks=8", "--set", "settle.natural=6 to 5").out)
    assert "Eight decks" in out
    assert "A natural pays 6 to 5" in out


def test_a_deck_count_that_is_not_printed_is_marked(shell: Shell) -> None:
    """It is dealt, and the description says that it is not on the printed sheet."""
    out = flat(shell("rules", "face-up", "--set", "decks=2").out)
    assert "Not a number of decks of the printed sheet" in out


def test_rules_as_json_carries_the_whole_sheet(shell: Shell) -> None:
    """Sentences for people and every field for programs."""
    data = read_json(shell("rules", "match-up", "--json"))
    head = ["version", "sheet", "game", "name", "about", "source"]
    assert list(data) == [*head, "sections", "wagers", "rulings", "definition"]
    assert data["definition"]["main"]["step"] == "$2"
    assert data["sheet"] == {
        "name": holecard.rules("match-up").name,
        "game": "match-up",
        "hash": holecard.rules("match-up").hash,
    }
    lines = {line["line"]: line["pays"] for line in data["wagers"][1]["lines"]}
    assert lines["trips"] == {"pays": "20 to 1"}


# tables


def test_tables_show_the_rules_as_cells(shell: Shell) -> None:
    """End 16, the lost Double-Up tie and soft 17 appear as cells."""
    tables = read_json(shell("tables", "double-up", "--json"))["tables"]
    assert tables["dealer_draws"]["rows"]["16"] == {"hard": "stands", "soft": "stands"}
    assert tables["dealer_draws"]["rows"]["17"] == {"hard": "stands", "soft": "draws"}
    bet, double_up = tables["settlement Bet"]["rows"], tables["settlement Double-Up"]["rows"]
    assert bet["21"]["16"] == "1 to 1"
    assert bet["20"]["16"] == "push"
    assert (bet["20"]["20"], double_up["20"]["20"]) == ("push", "lose")


def test_tables_are_readable_in_80_columns(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    """No matrix wraps or is cut off."""
    monkeypatch.setenv("COLUMNS", "80")
    for game in holecard.games():
        out = shell("tables", game).out
        assert max(map(len, out.splitlines())) <= 80
        assert "…" not in out


def test_a_switched_ruling_is_described_as_switched(shell: Shell) -> None:
    """The description says that a setting was changed, and does not show the old reading."""
    out = flat(shell("rules", "face-up", "--set", "settle.two_naturals=push").out)
    assert "Read differently at this table: settle.two_naturals = push." in out
    assert "The dealer wins all ties" not in out
    assert "The dealer wins all ties" in flat(shell("rules", "face-up").out)


def test_a_description_says_whom_a_dealers_natural_spares(shell: Shell) -> None:
    """Where two naturals lose, it spares no one."""
    assert "takes the Bet of every hand." in flat(shell("rules", "face-up").out)
    assert "takes the Bet of every hand except a natural." in flat(shell("rules", "classic").out)


def test_a_description_says_until_when_a_wager_after_the_check_is_placed(shell: Shell) -> None:
    """The table asks once, before anyone acts."""
    words = flat(shell("rules", "quick-pay", "--set", "wager.Hedge 18.placed=after the check").out)
    assert "has a natural, before anybody acts." in words

"""The commands as a person or a program at the shell meets them: output, JSON, exit codes."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import holecard
from holecard.kernels import cache
from holecard.sheets.descriptions.describe import describe
from holecard.sheets.read import rules
from tests.cli.shell import Shell, flat, read_json

ROUND = """
about = "A natural against a dealer who has none"
game  = "classic"
bets  = ["seat 1: $10"]
cards = "As 6d Kh 9c"
play  = []
paid  = [{ seat = 1, hand = 1, wager = "Bet", stake = "$10", net = "+$15", line = "natural: pays 3 to 2" }]
"""


# games


def test_games_lists_every_sheet_with_its_name(shell: Shell) -> None:
    """Names to type and names to read; the examples are marked."""
    out = flat(shell("games").out)
    for game in holecard.games(examples=True):
        assert game in out
        assert (f"{rules(game).name} (example)" in out) == (game not in holecard.games())


def test_games_as_json_has_the_documented_keys(shell: Shell) -> None:
    """A program can choose a game, its deck counts and its wagers."""
    data = read_json(shell("games", "--json"))
    assert [entry["game"] for entry in data] == list(holecard.games(examples=True))
    assert [entry["game"] for entry in data if not entry["example"]] == list(holecard.games())
    assert all(list(e) == ["game", "name", "about", "decks", "decks_offered", "wagers", "example"] for e in data)
    by_name = {entry["game"]: entry for entry in data}
    assert by_name["quick-pay"]["decks_offered"] == [1, 2, 6, 8]
    assert by_name["double-up"]["wagers"] == ["Bonus 16"]


# rules


@pytest.mark.parametrize("game", holecard.games())
def test_rules_prints_every_sentence_pay_line_and_ruling(shell: Shell, game: str) -> None:
    """Nothing the sheet says is left out of the description."""
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
    """By both its names."""
    natural = "A natural (blackjack) is an ace and a ten-value card as the first two cards, never after a split."
    assert natural in flat(shell("rules", game).out)


def test_rules_says_which_values_assume_the_full_double(shell: Shell) -> None:
    """Only where a player may double for less."""
    assumed = "one more card. Exact values and simulations assume the full amount."
    assert assumed in flat(shell("rules", "face-up").out)
    assert "assume the full amount" not in flat(shell("rules", "classic").out)


def test_rules_says_how_soft_totals_are_played(shell: Shell) -> None:
    """By the switch of two sheets every one of them is hit."""
    every = "Draws to a hard 17: hits every soft total up to soft 21; a natural is never hit."
    for game in ("face-up", "match-up"):
        out = flat(shell("rules", game, "--set", "dealer.soft=hit all").out)
        assert every in out
        assert "Read otherwise at this table: dealer.soft = hit all." in out
        assert "Draws to 17 and hits soft 17." in flat(shell("rules", game).out)
    rows = read_json(shell("tables", "face-up", "--set", "dealer.soft=hit all", "--json"))["tables"]["dealer_draws"]
    assert rows["rows"]["17-21"] == {"hard": "stands", "soft": "draws"}


def test_rules_names_every_switch_of_a_ruling(shell: Shell) -> None:
    """As one types them; settings that go together are printed together."""
    out = flat(shell("rules", "match-up").out)
    assert "(--set player.split_hands=5 or --set player.split_hands=6)" in out
    out = flat(shell("rules", "classic").out)
    assert "(--set dealer.hole_card='no peek' --set dealer.natural_takes=original)" in out


def test_rules_says_what_a_late_natural_takes(shell: Shell) -> None:
    """A busted hand is not given back."""
    out = flat(shell("rules", "double-up", "--set", "dealer.hole_card=no peek").out)
    late = "A natural found after the players have acted takes the original wager only; a busted hand is already lost."
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
    """A pay table of our own never passes for a printed one."""
    entry = next(w for w in read_json(shell("rules", game, "--json"))["wagers"] if w["name"] == wager)
    assert entry["house_table"] is house
    assert ("House table, not printed on the sheet." in entry["sentences"]) is house
    title = read_json(shell("tables", game, "--json"))["tables"][f"wager {wager}"]["title"]
    assert ("house table, not printed on the sheet" in title) is house


def test_a_setting_changes_what_rules_says(shell: Shell) -> None:
    """--set takes a word alone or with its section, and plain words as values."""
    out = flat(shell("rules", "double-up", "--set", "decks=8", "--set", "settle.natural=6 to 5").out)
    assert "Eight decks" in out
    assert "A natural pays 6 to 5" in out


def test_a_deck_count_off_the_printed_sheet_is_said_to_be_one(shell: Shell) -> None:
    """It is dealt, and described honestly."""
    out = flat(shell("rules", "face-up", "--set", "decks=2").out)
    assert "Not a deck count of the printed sheet" in out


def test_rules_as_json_carries_the_whole_sheet(shell: Shell) -> None:
    """Sentences for people and every field for programs."""
    data = read_json(shell("rules", "match-up", "--json"))
    assert list(data) == ["game", "name", "about", "source", "sections", "wagers", "rulings", "sheet"]
    assert data["sheet"]["main"]["step"] == "$2"
    lines = {line["line"]: line["pays"] for line in data["wagers"][1]["lines"]}
    assert lines["trips"] == {"pays": "20 to 1"}


# tables


def test_tables_show_the_rules_as_cells(shell: Shell) -> None:
    """End 16, the lost Double-Up tie and soft 17 are cells."""
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


# check and schema


@pytest.fixture
def warm(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is said about compiling."""
    monkeypatch.setattr(cache, "is_warm", lambda _: True)


@pytest.mark.usefixtures("warm")
def test_check_accepts_every_shipped_sheet(shell: Shell) -> None:
    """Without a warning."""
    for game in holecard.games():
        ran = shell("check", game)
        assert (ran.code, ran.err) == (0, ""), game
        assert "can be dealt" in ran.out


def test_check_warns_of_a_better_hand_that_gets_less(shell: Shell) -> None:
    """The sheet can be dealt; nobody is known to mean it."""
    ran = shell("check", "classic", "--set", "settle.natural=1 to 2")
    assert ran.code == 0
    assert "warning: settle.natural: a natural pays 1 to 2, less than any other 21, which pays 1 to 1" in ran.err


def test_check_names_word_line_and_suggestion(shell: Shell, tmp_path: Path) -> None:
    """Every problem of a broken sheet at once."""
    sheet = tmp_path / "mine.toml"
    sheet.write_text('name = "Mine"\nextends = "classic"\n\n[dealer]\nsoft17 = "hit"\n\n[settle]\nties = "psh"\n')
    ran = shell("check", str(sheet))
    assert ran.code == 2
    assert ran.out == ""
    assert "line 5, dealer.soft17: unknown word; did you mean 'soft_17'?" in ran.err
    assert "line 8, settle.ties: 'psh' is not possible; did you mean 'push'?" in ran.err


def test_check_as_json_tells_a_program_the_same(shell: Shell, tmp_path: Path) -> None:
    """Refused sheets give a list of problems and still end with 2."""
    sheet = tmp_path / "mine.toml"
    sheet.write_text('name = "Mine"\n[shoe]\ndekcs = 4\n')
    ran = shell("check", str(sheet), "--json")
    assert ran.code == 2
    data = json.loads(ran.out)
    assert data["accepted"] is False
    assert data["problems"] == [{"where": "shoe.dekcs", "line": 3, "what": "unknown word; did you mean 'decks'?"}]


def test_check_warns_of_a_line_that_can_never_pay(shell: Shell, tmp_path: Path) -> None:
    """A warning, not a refusal."""
    sheet = tmp_path / "mine.toml"
    lines = '[{ hand = "pair", pays = "5 to 1" }, { hand = "suited pair", pays = "20 to 1" }]'
    sheet.write_text(f'name = "Mine"\nextends = "classic"\n[[wager]]\nname = "Pairs"\nlines = {lines}\n')
    ran = shell("check", str(sheet))
    assert ran.code == 0
    assert "warning" in ran.err
    assert "Pairs" in ran.err


SUNDAY = """name = "Sunday"
extends = "classic"
[[wager]]
name  = "Royal Pair"
lines = [
  { hand = "suited K and Q", pays = "30 to 1" },
  { hand = "suited pair",    pays = "20 to 1" },
  { hand = "pair",           pays = "10 to 1" },
]
"""


def test_check_prints_what_every_line_was_read_as(shell: Shell, tmp_path: Path) -> None:
    """With a hand that pays and one that just misses."""
    sheet = tmp_path / "mine.toml"
    sheet.write_text(SUNDAY)
    ran = shell("check", str(sheet))
    assert flat(
        "suited K and Q: pays 30 to 1 read as your first two cards: all of one suit, and exactly the ranks Q K "
        "fits Qs Ks misses Qs Kh (not 'suited': nothing is paid)"
    ) in flat(ran.out)


def test_check_prints_a_table_that_is_read_alike_once(shell: Shell) -> None:
    """Tables that differ in their odds only."""
    out = shell("check", "upcard-luck-21").out
    assert "Upcard Luck, table B: the lines of table A, read alike" in out
    assert out.count("suited hard 11: pays") == 1
    assert out.count("suited hard 11: tax $5") == 1


@pytest.mark.usefixtures("warm")
def test_check_warns_of_a_wager_that_favors_the_player(shell: Shell, tmp_path: Path) -> None:
    """A warning, not a refusal: a house may want to give something away."""
    sheet = tmp_path / "mine.toml"
    sheet.write_text(SUNDAY)
    ran = shell("check", str(sheet))
    assert (ran.code, ran.err) == (0, "warning: Royal Pair favors the player: house edge -6.6287%\n")
    assert shell("check", str(sheet), "--set", "decks=2").err == ""


def test_check_as_json_has_readings_and_favors(shell: Shell, tmp_path: Path) -> None:
    """The same as data."""
    sheet = tmp_path / "mine.toml"
    sheet.write_text(SUNDAY)
    data = read_json(shell("check", str(sheet), "--json"))
    assert list(data) == ["sheet", "name", "accepted", "warnings", "readings", "favors_player"]
    assert data["warnings"] == [entry["says"] for entry in data["favors_player"]]
    assert data["readings"][0] == {
        "wager": "Royal Pair",
        "table": "",
        "line": "suited K and Q",
        "terms": "pays 30 to 1",
        "means": "your first two cards: all of one suit, and exactly the ranks Q K",
        "pays": "Qs Ks",
        "misses": "Qs Kh",
        "why": "not 'suited': nothing is paid",
        "printed": True,
    }


@pytest.mark.usefixtures("warm")
def test_check_of_a_sheet_without_side_wagers_loads_no_numba() -> None:
    """It has nothing to compute."""
    code = "import sys; from holecard.cli import main; sys.argv = ['holecard', 'check', 'classic']\n"
    code += "try: main()\nexcept SystemExit: pass\nprint('numba' in sys.modules)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines()[-1] == "False"


def test_broken_toml_is_refused(shell: Shell, tmp_path: Path) -> None:
    """With the place the parser stopped at."""
    sheet = tmp_path / "mine.toml"
    sheet.write_text('name = "Mine\n')
    ran = shell("check", str(sheet))
    assert ran.code == 2
    assert "this is not TOML" in ran.err
    assert "line 1" in ran.err


def test_schema_is_a_json_schema_that_knows_the_words(shell: Shell) -> None:
    """An editor can complete and check with it."""
    data = read_json(shell("schema"))
    assert data["$schema"].startswith("https://json-schema.org/")
    assert set(data["required"]) == {"name"}
    assert data["additionalProperties"] is False
    assert data["$defs"]["Dealer"]["properties"]["soft_17"]["enum"] == ["hit", "stand"]


# replay


def test_replay_tells_the_round_and_its_result(shell: Shell, tmp_path: Path) -> None:
    """Card by card, then what was paid and why."""
    file = tmp_path / "round.toml"
    file.write_text(ROUND)
    ran = shell("replay", str(file))
    assert ran.code == 0
    assert "natural: pays 3 to 2" in ran.out
    assert "seat 1: +$15" in ran.out


def test_replay_as_json_lists_each_wager(shell: Shell, tmp_path: Path) -> None:
    """Stake, result and paid line, in cents."""
    file = tmp_path / "round.toml"
    file.write_text(ROUND)
    data = read_json(shell("replay", str(file), "--json"))
    assert data["wagers"] == [
        {
            "seat": 1,
            "hand": 1,
            "wager": "Bet",
            "stake": 1000,
            "net": 1500,
            "line": "natural: pays 3 to 2",
            "printed": True,
        }
    ]
    assert data["net"] == {"1": 1500}
    assert data["dealer"] == {"cards": ["6d", "9c"], "total": 15}


@pytest.mark.parametrize(
    ("before", "after", "says"),
    [
        ('"+$15"', '"+$20"', "the rules pay"),
        ("As 6d Kh 9c", "As 6d Kh", "the cards run out"),
        ("As 6d Kh 9c", "As 6d Kh 9c 2c", "cards are left"),
        ("As 6d Kh 9c", "As 6d Kh 9x", "not a card"),
        ("$10", "$3", "outside the limits"),
        ("play  = []", 'play  = ["seat 1: hit"]', "play is left"),
        ('"classic"', '"clasic"', "did you mean 'classic'"),
        ("about", "abuot", "did you mean 'about'"),
    ],
)
def test_an_edited_record_is_refused(shell: Shell, tmp_path: Path, before: str, after: str, says: str) -> None:
    """Whatever was changed by hand, the refusal says what is wrong."""
    assert before in ROUND
    file = tmp_path / "round.toml"
    file.write_text(ROUND.replace(before, after, 1))
    ran = shell("replay", str(file))
    assert ran.code == 2
    assert says in ran.err


# every command


@pytest.mark.parametrize("command", ["rules", "tables", "check", "play"])
def test_an_unknown_game_is_refused_with_the_nearest_one(shell: Shell, command: str) -> None:
    """Exit code 2, nothing on the output."""
    ran = shell(command, "duble-up")
    assert ran.code == 2
    assert ran.out == ""
    assert "did you mean 'double-up'" in ran.err


@pytest.mark.parametrize("setting", ["natral=6 to 5", "settle.natural=6 for 5", "min=$3", "decks", "shoe.decks=0"])
def test_a_bad_setting_is_refused(shell: Shell, setting: str) -> None:
    """Unknown, unreadable, ambiguous, without a value, out of range."""
    ran = shell("rules", "classic", "--set", setting)
    assert ran.code == 2
    assert ran.err


@pytest.mark.parametrize("command", ["games", "rules", "tables", "check", "schema", "replay", "play"])
def test_every_command_has_help_with_an_example(shell: Shell, command: str) -> None:
    """`holecard COMMAND --help`."""
    ran = shell(command, "--help")
    assert ran.code == 0
    assert f"holecard {command}" in flat(ran.out.replace("│", " "))
    assert "xample" in ran.out


def test_the_console_script_is_installed() -> None:
    """`holecard --version` in a process of its own."""
    script = Path(sys.executable).parent / "holecard"
    ran = subprocess.run([script, "--version"], capture_output=True, text=True, check=True)
    assert ran.stdout == f"holecard {holecard.__version__}\n"


def test_a_switched_ruling_is_not_told_as_it_was(shell: Shell) -> None:
    """What a setting has changed is said to be changed, and the old reading is gone."""
    out = flat(shell("rules", "face-up", "--set", "settle.two_naturals=push").out)
    assert "Read otherwise at this table: settle.two_naturals = push." in out
    assert "The dealer wins all of them" not in out
    assert "The dealer wins all of them" in flat(shell("rules", "face-up").out)


def test_words_that_look_like_markup_are_printed_as_they_are(shell: Shell) -> None:
    """A sheet may call itself what it likes."""
    ran = shell("rules", "classic", "--set", "about=[/red] [bold]loud[/bold]")
    assert ran.code == 0
    assert "[/red] [bold]loud[/bold]" in ran.out


def test_output_that_cannot_show_suits_is_no_error() -> None:
    """Signs the encoding lacks are replaced."""
    script = Path(sys.executable).parent / "holecard"
    for words in (["tables", "face-up"], ["games"], ["play", "face-up"]):
        ran = subprocess.run([script, *words], capture_output=True, env={"PYTHONIOENCODING": "ascii"}, check=False)
        assert ran.returncode == 0, ran.stderr


def test_check_marks_house_tables(shell: Shell) -> None:
    """In words for people, as `printed` for programs."""
    assert shell("check", "face-up").out.count("House table, not printed on the sheet.") == 2
    readings = read_json(shell("check", "face-up", "--json"))["readings"]
    assert {reading["printed"] for reading in readings} == {False}
    assert all(reading["printed"] for reading in read_json(shell("check", "match-up", "--json"))["readings"])


def test_a_description_says_whom_a_dealers_natural_spares(shell: Shell) -> None:
    """Where two naturals lose, nobody."""
    assert "takes the Bet of every hand." in flat(shell("rules", "face-up").out)
    assert "takes the Bet of every hand but a natural." in flat(shell("rules", "classic").out)


def test_a_description_says_until_when_a_wager_after_the_check_is_placed(shell: Shell) -> None:
    """The table asks once, before anybody acts."""
    words = flat(shell("rules", "quick-pay", "--set", "wager.Hedge 18.placed=after the check").out)
    assert "has a natural, before anybody acts;" in words

"""Records edited by hand: every message says what is wrong and what is valid."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from holecard.cli import main
from holecard.errors import RecordError
from holecard.sheets.read import rules
from holecard.table.events import Act
from holecard.table.notation.moves import read_play
from holecard.table.records.record import read_record, replay
from holecard.table.table import Table
from tests.patience import patient
from tests.stacked_shoe import Stacked

WORDS = {
    "about": '"A bust"',
    "game": '"double-up"',
    "settings": '{ "shoe.decks" = 8 }',
    "seed": "10",
    "bets": '["seat 1: $10, Bonus 16 $5"]',
    "cards": '"5s 3c Tc 9c 2c Ah 8s"',
    "play": '["seat 1: stand"]',
    "paid": "[{first}, {second}]",
}
FIRST = {
    "seat": "1",
    "hand": "1",
    "wager": '"Bet"',
    "stake": '"$10"',
    "net": '"+$10"',
    "line": '"dealer busts: pays 1 to 1"',
}
SECOND = """{ seat = 1, wager = "Bonus 16", stake = "$5", net = "-$5", line = "dealer busts in 5 cards: loses" }"""
ONE_DECK = '{ "shoe.decks" = 1 }'
DIGITS = "9" * 5000
HEX = "0x" + "f" * 5000
MISDEAL = Path(__file__).parents[1] / "rounds" / "match-up" / "irregularity-misdeal.toml"


def written(edits: dict[str, str | None]) -> str:
    """The record with some keys changed, added, or (None) removed; "paid.x" is a key of the first entry."""
    first = {**FIRST, **{key.removeprefix("paid."): value for key, value in edits.items() if key.startswith("paid.")}}
    entry = ", ".join(f"{key} = {value}" for key, value in first.items() if value is not None)
    words = {**WORDS, **{key: value for key, value in edits.items() if not key.startswith("paid.")}}
    text = "\n".join(f"{key} = {value}" for key, value in words.items() if value is not None)
    return text.replace("{first}", f"{{ {entry} }}").replace("{second}", SECOND) + "\n"


def refusal(text: str) -> str:
    with pytest.raises(RecordError) as refused:
        replay(read_record(text, "my.toml"))
    said = str(refused.value)
    assert said.startswith("my.toml: "), "a refusal names the record"
    return said.removeprefix("my.toml: ")


def test_the_record_replays_before_it_is_edited() -> None:
    """So each refusal below is caused by the edit."""
    assert [result.net for result in replay(read_record(written({})))[-1].results] == [1_000, -500]


KINDS: list[tuple[str, str, str]] = [
    ("about", "5", "about: 5 is not valid; write a text in quotes"),
    ("game", "5", "game: 5 is not valid; write a game's name in quotes"),
    ("game", '"dubble-up"', "no game is called 'dubble-up'; did you mean 'double-up'?"),
    ("game", '"/etc/hostname"', "no game is called '/etc/hostname'"),
    ("settings", '"abc"', "settings: 'abc' is not valid; write a table"),
    ("settings", "5", "settings: 5 is not valid; write a table"),
    ("settings", "[1]", "settings: [1] is not valid; write a table"),
    ("settings", '{ "shoe.deks" = 8 }', "settings: shoe.deks: unknown key; did you mean 'decks'?"),
    ("settings", '{ "shoe.decks" = 0 }', "settings: shoe.decks: 0 is not valid"),
    ("settings", '{ "shoe.decks" = 1979-01-01 }', "settings.shoe.decks: 1979-01-01 is a date"),
    ("settings", f'{{ "shoe.decks" = {HEX} }}', "settings.shoe.decks: the number is too long"),
    ("seed", '"x"', "seed: 'x' is not valid; write a whole number"),
    ("seed", "1.0", "seed: 1.0 is not valid"),
    ("bets", '"x"', "bets: 'x' is not valid; write a list"),
    ("bets", "[1]", "bets.0: 1 is not valid; write a list, such as ['seat 1: $10']"),
    ("bets", "[]", "nobody has bet"),
    ("bets", '["$10"]', "bet 1: '$10' is not a move; write a seat and what it does, as in 'seat 1: $10'"),
    ("bets", f'["seat {DIGITS}: $10"]', "is not a move"),
    ("bets", f'["seat 1: ${DIGITS}"]', "is not an amount of money; write dollars"),
    ("bets", f'["seat 1: $10, Bonus 16 ${DIGITS}"]', "is not an amount of money; write dollars"),
    ("bets", '["seat 1: $10, Bonus 16 $5, Bonus 16 $5"]', "'Bonus 16' is named twice; write one amount for each wager"),
    ("bets", '["seat 8: $10"]', "seat 8 does not exist; this table has seats 1 to 7"),
    ("cards", '["Th"]', "cards: ['Th'] is not valid; write the cards in one text, such as '9h 6d 9s Th'"),
    ("cards", "[36]", "cards: [36] is not valid"),
    ("cards", "{ a = 1 }", "cards: {'a': 1} is not valid"),
    ("cards", '"5s 3x"', "cards: '3x' is not a card; write a rank of"),
    ("reshuffled", '"abc"', "reshuffled: 'abc' is not valid; write a list of whole numbers"),
    ("reshuffled", '["x"]', "reshuffled.0: 'x' is not valid"),
    ("reshuffled", "[true]", "reshuffled.0: True is not valid"),
    ("misdeal", '"no"', "misdeal: 'no' is not valid; write true or false"),
    ("misdeal", "1", "misdeal: 1 is not valid"),
    ("play", "[1]", "play.0: 1 is not valid; write a list"),
    ("play", '["seat 1: stnad"]', "play 1 ('seat 1: stnad'): 'stnad' is not an action; did you mean 'stand'?"),
    ("play", f'["seat 1: double ${DIGITS}"]', "is not an amount of money"),
    ("paid", "5", "paid: 5 is not valid; write a list"),
    ("paid", "[5]", "paid.0: 5 is not valid; write a list"),
    ("paid.seat", '"x"', "paid.0.seat: 'x' is not valid; write a whole number from 1"),
    ("paid.seat", "inf", "paid.0.seat: inf is not valid"),
    ("paid.seat", "nan", "paid.0.seat: nan is not valid"),
    ("paid.seat", "1.9", "paid.0.seat: 1.9 is not valid"),
    ("paid.seat", "true", "paid.0.seat: True is not valid"),
    ("paid.seat", "0", "paid.0.seat: 0 is not valid; write a whole number from 1"),
    ("paid.seat", DIGITS, "a number with too many digits"),
    ("paid.seat", HEX, "paid.0.seat: the number is too long"),
    ("paid.hand", '"q"', "paid.0.hand: 'q' is not valid; write a whole number"),
    ("paid.hand", "1.0", "paid.0.hand: 1.0 is not valid"),
    ("paid.wager", "5", "paid.0.wager: 5 is not valid; write the wager's name in quotes"),
    ("paid.stake", "10", "paid.0.stake: 10 is not an amount of money; write dollars in quotes"),
    ("paid.stake", f'"${DIGITS}"', "paid.0.stake:"),
    ("paid.net", '"--$10"', "paid.0.net: '-$10' is not an amount of money"),
    ("paid.net", '"+$20"', "the rules pay: seat 1 hand 1 Bet $10: +$10"),
    ("paid.line", "1979-01-01", "paid.0.line: 1979-01-01 is a date or a time"),
    ("paid.sead", "1", "paid.0: unknown key 'sead'; did you mean 'seat'?"),
    ("misdeel", "true", "unknown key 'misdeel'; did you mean 'misdeal'?"),
]


@pytest.mark.parametrize(("word", "value", "says"), KINDS, ids=[f"{word}={value[:24]}" for word, value, _ in KINDS])
def test_a_word_of_the_wrong_kind_is_refused(word: str, value: str, says: str) -> None:
    """The message says where, and what to write there."""
    assert says in refusal(written({word: value}))


@pytest.mark.parametrize(
    ("word", "says"),
    [
        ("bets", "'bets' is missing; write a list, such as ['seat 1: $10']"),
        ("cards", "'cards' is missing; write the cards"),
        ("play", "the play is incomplete"),
        ("paid.seat", "paid.0: 'seat' is missing; write a whole number"),
        ("paid.wager", "paid.0: 'wager' is missing"),
        ("paid.stake", "paid.0: 'stake' is missing; write dollars in quotes"),
        ("paid.net", "paid.0: 'net' is missing; write '+$15', '-$10' or '$0'"),
        ("paid.line", "paid.0: 'line' is missing"),
    ],
)
def test_a_missing_word_is_named(word: str, says: str) -> None:
    """Whether it is a key of the record or of an entry."""
    assert says in refusal(written({word: None}))


def test_a_word_spelled_wrong_is_not_called_missing() -> None:
    """The spelling is the better hint."""
    assert refusal(written({"cards": None, "crads": '"As"'})) == "unknown key 'crads'; did you mean 'cards'?"


SHEETS: list[tuple[str, str]] = [
    ('"x"', "sheet: 'x' is not valid; write a rule sheet as a section"),
    ("5", "sheet: 5 is not valid"),
    ("[1]", "sheet: [1] is not valid"),
    ("{}", "sheet: {} is not valid"),
    (
        "{ name = 1979-01-01 }",
        "sheet.name: 1979-01-01 is a date or a time; a record has none",
    ),
    ("{ name = 5 }", "sheet: name: 5 is not valid"),
    ('{ name = "Mine", shoe = { decks = 0 } }', "sheet: shoe.decks: 0 is not valid"),
    ('{ name = "Mine", sheo = {} }', "sheet: sheo: unknown key; did you mean 'shoe'?"),
    ('{ name = "Mine", extends = "classic" }', "sheet.extends: a record's sheet is whole"),
]


@pytest.mark.parametrize(("sheet", "says"), SHEETS)
def test_a_sheet_that_cannot_be_dealt_is_refused(sheet: str, says: str) -> None:
    """As a refusal of the record that contains it."""
    assert says in refusal(written({"game": None, "settings": None, "sheet": sheet}))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("This is a letter, not a record.", "this is not TOML"),
        ("about = " + "[" * 20_000, "nested too deeply"),
        (written({}) + "settings.a = 1", "this is not TOML"),
        (written({"settings": None}) + "settings" + ".a" * 5000 + " = 1", "nested too deeply"),
        (written({"settings": "[" * 60 + "]" * 60}), "nested too deeply"),
        ("", "'bets' is missing"),
    ],
    ids=["a letter", "brackets", "a table twice", "dots", "lists", "nothing"],
)
def test_a_text_that_is_not_a_record_is_refused(text: str, says: str) -> None:
    """However it is broken."""
    assert says in refusal(text)


@pytest.mark.parametrize(
    ("edits", "says"),
    [
        ({"sheet": '{ name = "Mine" }'}, "it has both a game and a [sheet]; take one of them out"),
        ({"game": None}, "it does not name a game; write game = 'classic' or add a [sheet]"),
        ({"game": None, "sheet": '{ name = "Mine" }'}, "settings change a game; write the change into the [sheet]"),
        ({"bets": '["seat 1: $10", "seat 1: $20"]'}, "bet 2: seat 1 has bet already; write one bet for each seat"),
        ({"reshuffled": "[0]"}, "reshuffled: [0] is not valid; write after how many of the 7 cards, from 1 to 6"),
        ({"reshuffled": "[7]"}, "reshuffled: [7] is not valid"),
        ({"reshuffled": "[-1]"}, "reshuffled: [-1] is not valid"),
        ({"reshuffled": "[3, 3]"}, "reshuffled: [3, 3] is not valid"),
        ({"reshuffled": "[5, 2]"}, "the lowest number first"),
        ({"misdeal": "true"}, "misdeal: the round ended without one; leave it out"),
        (
            {"misdeal": "true", "cards": '"5s 3c Tc 9c 2c Ah"'},
            "misdeal: 6 of the shoe's 416 cards are on the table, so there is one to deal",
        ),
        ({"cards": '"5s 3c Tc 9c 2c Ah"'}, "the cards run out; one more is needed"),
        ({"cards": '"5s 3c Tc 9c 2c Ah 8s 8s"'}, "the round is over, but cards are left: 8s"),
        ({"play": '["seat 1: stand", "seat 1: stand"]'}, "the round is over, but play is left: seat 1: stand"),
        ({"paid": "[{first}]"}, "the record settles 1 wagers, the rules 2"),
        (
            {"settings": ONE_DECK, "cards": '"5s 3c Tc 9c 2c Ah 5s"', "paid": None},
            "cards: 5s is dealt 2 times; the shoe can deal it 1 time",
        ),
        (
            {"settings": ONE_DECK, "cards": '"5s 3c Tc 9c 2c Ah 5s"', "paid": None, "reshuffled": "[5]"},
            "card 7: 5s cannot be dealt; every 5s of the shoe is out already",
        ),
    ],
)
def test_words_that_do_not_go_together_are_refused(edits: dict[str, str | None], says: str) -> None:
    """Each is possible alone."""
    assert says in refusal(written(edits))


# Misdeals


def test_a_table_that_lays_out_all_its_cards_records_a_misdeal_that_replays() -> None:
    """The recorded round of the rule sheet, dealt by a shoe."""
    written_down = read_record(MISDEAL.read_text(encoding="utf-8"))
    sheet = rules("match-up", {"decks": 1, "procedure": "fresh each round"})
    table = Table(sheet, seed=1)
    table.shoe = Stacked(sheet.shoe, 1).stack(written_down.cards)
    for seat in range(1, 6):
        table.bet("$10", {"Match Up": "$1"} if seat == 5 else {}, seat=seat)
    table.deal()
    for words in written_down.play:
        move = read_play(words)
        assert isinstance(move, Act)
        table.act(move.action)
    record = read_record(str(table.record()))
    assert record.misdeal
    assert replay(record)[-1].results == table.results == written_down.paid


def test_a_misdeal_may_follow_a_shuffle() -> None:
    """Only the burn card was left to shuffle in, and then nothing."""
    text = MISDEAL.read_text(encoding="utf-8").replace("misdeal = true", "misdeal = true\nreshuffled = [51]")
    assert replay(read_record(text))[-1].results[-1].line == "misdeal: handed back"


def test_a_misdeal_is_refused_while_a_lost_hand_can_be_picked_up() -> None:
    """52 cards have been dealt, but those of a busted hand would be shuffled and dealt."""
    text = MISDEAL.read_text(encoding="utf-8")
    busted = text.partition("paid = ")[0].replace("9c 2h", "3c 2h").replace("Kh 3c", "Kh 9c")
    assert "misdeal: 49 of the shoe's 52 cards are on the table, so there is one to deal" in refusal(busted)


# At the command line


def at_the_shell(text: str, folder: Path, *options: str, encoding: str = "utf-8") -> subprocess.CompletedProcess[str]:
    file = folder / "round.toml"
    file.write_text(text, encoding="utf-8")
    environment = {**os.environ, "PYTHONIOENCODING": encoding, "COLUMNS": "80", "PYTHONUTF8": "0"}
    return subprocess.run(
        [Path(sys.executable).parent / "holecard", "replay", str(file), *options],
        capture_output=True,
        encoding=encoding,
        env=environment,
        timeout=patient(30),
        check=False,
    )


@pytest.mark.parametrize(
    "edits",
    [
        {"settings": '"abc"'},
        {"game": None, "settings": None, "sheet": "{ name = 1979-01-01 }"},
        {"cards": "[36]"},
        {"paid.seat": "inf"},
        {"paid.seat": HEX},
        {"about": "[" * 20_000},
        {"bets": f'["seat 1: ${DIGITS}"]'},
        {"reshuffled": "[3, 3]"},
        {"misdeal": "true"},
    ],
    ids=lambda edits: next(iter(edits)),
)
@pytest.mark.parametrize("options", [[], ["--json"]], ids=["words", "json"])
def test_the_command_refuses_with_exit_code_2(
    edits: dict[str, str | None],
    options: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """One sentence on standard error, and nothing else."""
    file = tmp_path / "round.toml"
    file.write_text(written(edits), encoding="utf-8")
    monkeypatch.setattr(sys, "argv", ["holecard", "replay", str(file), *options])
    with pytest.raises(SystemExit) as stopped:
        main()
    shown = capsys.readouterr()
    assert stopped.value.code == 2
    assert shown.out == ""
    assert shown.err.startswith(f"holecard: {file}: ")
    assert shown.err.count("\n") == 1


def test_the_command_claims_nothing_of_a_record_that_does_not_say_what_was_paid(tmp_path: Path) -> None:
    """The rules pay, and nothing was compared."""
    silent = at_the_shell(written({"paid": None}), tmp_path)
    assert silent.returncode == 0
    assert "The record does not state what was paid; the rules pay this." in silent.stdout
    assert "to the cent" not in silent.stdout
    assert "The record replays to the cent." in at_the_shell(written({}), tmp_path).stdout


@pytest.mark.parametrize(("edits", "checked"), [({}, True), ({"paid": "[]"}, False)])
def test_json_says_whether_the_payments_were_checked(
    edits: dict[str, str | None], checked: bool, tmp_path: Path
) -> None:
    """As its last key."""
    data = json.loads(at_the_shell(written(edits), tmp_path, "--json").stdout)
    assert list(data)[-1] == "checked"
    assert data["checked"] is checked


def test_what_a_record_says_is_printed_as_it_stands(tmp_path: Path) -> None:
    """Brackets are not markup, and colons are not emoji."""
    shown = at_the_shell(written({"about": '"[/red] [bold]x[/bold] :heart:"'}), tmp_path)
    assert (shown.returncode, shown.stderr) == (0, "")
    assert "[/red] [bold]x[/bold] :heart:" in shown.stdout
    assert "seed 10" in shown.stdout


def test_a_replay_can_be_printed_in_ascii(tmp_path: Path) -> None:
    """Letters replace the suits; characters that the encoding lacks are replaced."""
    shown = at_the_shell(written({"about": '"für ♥"'}), tmp_path, encoding="ascii")
    assert (shown.returncode, shown.stderr) == (0, "")
    assert "dealer turns 9c" in shown.stdout

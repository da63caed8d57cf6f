"""Reading a sheet: inheritance, settings, and error messages."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from holecard.errors import SheetError, Unreadable
from holecard.sheets.catalog import games
from holecard.sheets.fields import upcards
from holecard.sheets.read import read_sheet, rules


def problem(text: str) -> str:
    with pytest.raises(SheetError) as refused:
        read_sheet(text)
    return str(refused.value)


def test_the_base_game_comes_first_in_the_list() -> None:
    """The sheet that extends nothing comes first, the others follow by name."""
    assert games()[0] == "classic"
    assert list(games()[1:]) == sorted(games()[1:])
    assert len(games()) == 6


def test_a_sheet_lists_its_differences_only() -> None:
    """Missing keys come from the extended sheet, key by key within a section; lists are replaced."""
    sheet = read_sheet('name = "Mine"\nextends = "double-up"\n[dealer]\nsoft_17 = "stand"\n[shoe]\ndecks_offered = [4]')
    assert sheet.dealer.soft_17 == "stand"
    assert sheet.dealer.ends_on == (16,)
    assert sheet.shoe.decks == 6
    assert sheet.shoe.decks_offered == (4,)
    assert [wager.name for wager in sheet.wager] == ["Bonus 16"]


def test_name_and_description_are_not_inherited() -> None:
    """Another game has another name and source."""
    sheet = read_sheet('name = "Mine"\nextends = "double-up"')
    assert (sheet.name, sheet.about, sheet.source) == ("Mine", "", "")


def test_a_table_of_totals_is_replaced_whole() -> None:
    """`when_dealer_has` and `quick_pay` are not mixed with the parent's."""
    pushes = read_sheet('name = "Mine"\nextends = "quick-pay"\n[settle]\nwhen_dealer_has = { 22 = "push" }')
    assert set(pushes.settle.when_dealer_has) == {"22"}
    cashed = read_sheet('name = "Mine"\nextends = "quick-pay"\n[player]\nquick_pay = { 20 = "push" }')
    assert cashed.player.quick_pay == {"20": "push"}


def test_a_sheet_extends_a_file_in_its_folder(tmp_path: Path) -> None:
    """A relative path starts from the folder of the sheet that names it."""
    (tmp_path / "base.toml").write_text('name = "Base"\nextends = "classic"\n[shoe]\ndecks = 2\n')
    (tmp_path / "mine.toml").write_text('name = "Mine"\nextends = "base.toml"\n')
    assert rules(tmp_path / "mine.toml").shoe.decks == 2


def test_a_sheet_cannot_extend_itself(tmp_path: Path) -> None:
    """Two sheets that extend each other are refused."""
    (tmp_path / "one.toml").write_text('name = "One"\nextends = "two.toml"\n')
    (tmp_path / "two.toml").write_text('name = "Two"\nextends = "one.toml"\n')
    with pytest.raises(SheetError, match="extend"):
        rules(tmp_path / "one.toml")


def test_an_unknown_parent_is_named_with_its_line() -> None:
    """The nearest game is suggested."""
    assert "line 2, extends: 'clasic': no game or file has this name; did you mean 'classic'?" in problem(
        'name = "Mine"\nextends = "clasic"'
    )


def test_an_unknown_game_is_refused_with_a_suggestion() -> None:
    """A typo finds its game."""
    with pytest.raises(SheetError, match="did you mean 'face-up'"):
        rules("faceup")


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [("gone.toml", None, "cannot be read"), ("bytes.toml", b"\xff\xfe", "UTF-8"), ("no.toml", b"name =", "not TOML")],
)
def test_a_file_that_is_not_a_sheet_is_refused(tmp_path: Path, name: str, content: bytes | None, says: str) -> None:
    """A missing file, a binary file and a file that is not TOML are refused without a crash."""
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(SheetError, match=says):
        rules(tmp_path / name)


# Messages about a wrong key


def test_an_unknown_word_gives_its_line_and_the_nearest() -> None:
    """A typo in a section."""
    said = problem('name = "Mine"\n\n[shoe]\ndecks = 6\nprocedur = "cut card"')
    assert "line 5, shoe.procedur: unknown key; did you mean 'procedure'?" in said


def test_a_key_in_the_wrong_section_is_refused_with_the_right_one() -> None:
    """`soft_17` is a key of the dealer."""
    assert "it belongs to another section: dealer.soft_17" in problem('name = "Mine"\n[shoe]\nsoft_17 = "hit"')


def test_a_wrong_choice_lists_the_choices() -> None:
    """The nearest choice comes first."""
    said = problem('name = "Mine"\n[dealer]\nsoft_17 = "hits"')
    assert "line 3, dealer.soft_17: 'hits' is not valid; did you mean 'hit'? It can be 'hit', 'stand'" in said


def test_a_missing_name_is_asked_for() -> None:
    """Every sheet has a name."""
    assert "name: this key is required" in problem("[shoe]\ndecks = 6")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ('[settle]\nnatural = "three of two"', "is not odds"),
        ('[settle]\nnatural = "999999999 to 1"', "line 3, settle.natural: '999999999 to 1' pays too much"),
        ('[main]\nmin = "five dollars"', "is not an amount of money"),
        ("[main]\nmin = 2.5", "is not an amount of money"),
        ('[player]\ndouble = "9 to 11"', "is not a set of totals"),
        ('[player]\ndouble = "11-9"', "the lower one first"),
        ("[shoe]\ndecks = 0", "it must be at least 1"),
        ('[shoe]\ndecks = "six"', "it must be a whole number"),
        ("[table]\nseats = 8", "it must be at most 7"),
        ("[dealer]\nends_on = [17]", "it must be at most 16"),
        ('[player]\nquick_pay = { 21 = "push" }', "quick_pay"),
    ],
)
def test_a_word_that_cannot_be_is_refused_in_plain_words(words: str, says: str) -> None:
    """Odds, money, totals and numbers are checked when they are read, and the message has the line."""
    said = problem(f'name = "Mine"\n{words}')
    assert says in said
    assert "line 3" in said
    assert "pydantic" not in said


def test_every_problem_is_listed_at_once() -> None:
    """A designer can fix them all at once, from the first line to the last."""
    with pytest.raises(SheetError) as refused:
        read_sheet('name = "Mine"\n[shoe]\ndeks = 6\n[dealer]\nsoft_17 = "maybe"\n[table]\nseats = 9')
    assert [found.line for found in refused.value.problems] == [3, 5, 7]


MIXED = """name = "Mine"
extends = "classic"
[[wager]]
name = "Bet"
min = "$10"
max = "$5"
lines = [
  { hand = "pear", pays = "5 to 1" },
  { hand = "pair", pays = "5" },
  { dealer = "bust", pays = { A = "$5" } },
]
[settle]
ties = "psh"
"""


def test_invalid_values_and_contradictions_come_together() -> None:
    """Single settings that are not valid do not hide limits, names and phrases that are wrong."""
    with pytest.raises(SheetError) as refused:
        read_sheet(MIXED)
    assert [(found.line, found.where) for found in refused.value.problems] == [
        (4, "wager.0.name"),
        (6, "wager.0.max"),
        (8, "wager.0.lines.0.hand"),
        (9, "wager.0.lines.1.pays"),
        (10, "wager.0.lines.2.pays.A"),
        (10, "wager.0.lines.2.dealer"),
        (13, "settle.ties"),
    ]


@pytest.mark.parametrize(
    ("words", "lines"),
    [
        # A hole card that is face up excludes insurance, whatever is wrong with a wager or a ruling.
        ('[dealer]\nhole_card = "face up"\n[insurance]\npays = "2 to 1"\n[table]\nseats = 9', [6, 8]),
        # Nobody knows what would be left of the contradiction once the hole card is right.
        ('[dealer]\nhole_card = "face"\n[insurance]\npays = "2 to 1"\n[player]\nsurrender = "late"', [4]),
        ('[dealer]\nhole_crd = "none"\n[insurance]\npays = "2 to 1"\n[player]\nsurrender = "late"', [4]),
        ('[dealer]\nhole_card = "no peek"\nsoft_17 = 3\n[player]\nsurrender = "late"', [5, 7]),
        ('[dealer]\nsoft_17 = "stan"\nsoft = "hit all"\n[player]\nsplit_hands = 1\nsplit_aces = "again"', [4, 8]),
        ('[dealer]\nends_on = [11]\n[settle]\nwhen_dealer_has = { 15 = "push" }', [4]),
        ('[dealer]\nend_on = [15]\n[settle]\nwhen_dealer_has = { 15 = "push" }', [4]),
        ('[main]\nmin = "x"\nmax = "$3"\n[insurance]\nmin = "$0"', [4, 7]),
        # The text that is missing in a ruling, or a key that a wager cannot have, changes no rule.
        ('[[ruling]]\non = "x"\n[settle]\nnatural = "lose"', [3, 6]),
    ],
)
def test_contradictions_with_a_value_that_is_not_valid_are_left_for_later(words: str, lines: list[int]) -> None:
    """They could vanish with the next correction."""
    with pytest.raises(SheetError) as refused:
        read_sheet(f'name = "Mine"\nextends = "classic"\n{words}')
    assert [found.line for found in refused.value.problems] == lines


MIXED_WAGERS = """name = "Mine"
extends = "classic"
[shoe]
decks = 20
[settle]
when_dealer_has = { 15 = "push" }
[[wager]]
name = "One"
needs = "Foo"
lines = [{ hand = "pair", pays = "x" }]
[[wager]]
name = "Two"
table = "X"
tables = { Y = [{ dealer = "18", pays = "5 to 1" }] }
[[wager]]
name = "Three"
table = "by decks"
tables = { 6 = [{ hand = "pair", pays = "5 to 1" }] }
"""


def test_names_of_wagers_and_tables_are_checked_with_invalid_values() -> None:
    """The table by decks is not: nobody knows the decks. A wager without a name may be the one that is needed."""
    with pytest.raises(SheetError) as refused:
        read_sheet(MIXED_WAGERS)
    assert [found.line for found in refused.value.problems] == [4, 6, 9, 10, 13]
    with pytest.raises(SheetError) as refused:
        read_sheet(MIXED_WAGERS.replace('name = "Two"', ""))
    assert [found.line for found in refused.value.problems] == [4, 6, 10, 11, 13]


def test_a_line_without_a_readable_dealers_hand_may_have_one() -> None:
    """The wager is placed late, which needs a dealer's hand in every line."""
    with pytest.raises(SheetError) as refused:
        read_sheet(
            'name = "Mine"\n[[wager]]\nname = "One"\nplaced = "after the check"\n'
            'lines = [{ dealer = 18, pays = "5 to 1" }]'
        )
    assert [found.line for found in refused.value.problems] == [5]


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"natural": 1.5}, "natural: 1.5 is a number, not odds; write '1.5 to 1'"),
        ({"settle.natural": 5}, "settle.natural: 5 is a number, not odds; write '5 to 1'"),
        ({"insurance.pays": 2}, "insurance.pays: 2 is a number, not odds; write '2 to 1'"),
        ({"player.quick_pay": {"20": 1}}, "player.quick_pay.20: 1 is a number, not odds; write '1 to 1'"),
        ({"wager.Match Up.min": "$500"}, "wager.Match Up.max: the largest wager, "),
    ],
)
def test_a_setting_is_refused_once_and_by_its_name(settings: dict[str, object], says: str) -> None:
    """Not first as something that is not text; nor is a wager named by its number."""
    with pytest.raises(SheetError) as refused:
        rules("match-up", settings)
    assert says in str(refused.value)
    assert len(refused.value.problems) == 1


def test_a_wagers_name_has_no_dollar_sign() -> None:
    """Records write wagers with their amounts."""
    with pytest.raises(SheetError, match="a name without a dollar sign"):
        rules("double-up", {"wager.Bonus 16.name": "A $5, B"})


def test_an_inherited_companion_can_be_taken_out() -> None:
    """TOML has no null, so the sheet says "none"."""
    words = 'name = "T"\nextends = "quick-pay"\n[main]\ncompanion = "none"\n'
    assert read_sheet(words).main.companion is None


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ('[settle]\nwhen_dealer_has = { 017 = "push" }', "write final totals from 12 to 22"),
        ('[player]\nquick_pay = { 21 = "push" }', "write totals from 12 to 20"),
        ("wager = 3", "a list, in square brackets"),
        ("[[wager]]\nname = 3", "text, in quotes"),
        ("shoe = []", "a table, in braces"),
        ('[main]\nname = ""', "a name that is not empty"),
        ('[main]\nname = " \\t"', "a name that is not blank"),
        ('[[wager]]\nname = "  "\nlines = [{ hand = "pair", pays = "5 to 1" }]', "a name that is not blank"),
        ('[[wager]]\nname = "W"\nlines = [{ hand = "pair", name = " ", pays = "5 to 1" }]', "a name that is not blank"),
        ('[insurance]\npays = "no"', "'lose half' or 'even money', or 'none'"),
        ('[main]\nmax = "1000000000000"', "is too large; amounts are below $1,000,000,000,000"),
        ('[[wager]]\nname = "W"\nupcard = "any, 2"\nlines = [{ hand = "pair", pays = "5 to 1" }]', "write 'any' alone"),
        ('[[wager]]\nname = "W"\nupcard = "7h"\nlines = [{ hand = "pair", pays = "5 to 1" }]', "write '7'"),
        (
            '[[wager]]\nname = "W"\nupcard = "2-"\nlines = [{ hand = "pair", pays = "5 to 1" }]',
            "nothing is not an upcard",
        ),
        (
            '[[wager]]\nname = "W"\nupcard = "-7"\nlines = [{ hand = "pair", pays = "5 to 1" }]',
            "nothing is not an upcard",
        ),
        (
            '[[wager]]\nname = "W"\nupcard = "2,"\nlines = [{ hand = "pair", pays = "5 to 1" }]',
            "nothing is not an upcard",
        ),
        (
            '[[wager]]\nname = "W"\nupcard = "2-3-4"\nlines = [{ hand = "pair", pays = "5 to 1" }]',
            "'3-4' is not an upcard",
        ),
        ("[player]\ndouble_after_split = 1", "true or false"),
    ],
)
def test_wrong_kinds_are_refused_in_a_designers_words(words: str, says: str) -> None:
    """The message does not mention tuples, dictionaries or patterns."""
    with pytest.raises(SheetError) as refused:
        read_sheet(f'name = "T"\n{words}')
    assert says in str(refused.value)


@pytest.mark.parametrize("text", ["x = " + "[" * 20_000, "x = " + "9" * 5_000, "x = \x00"])
def test_malformed_toml_is_refused(text: str) -> None:
    """Too deep, too long, or not text at all."""
    with pytest.raises(SheetError, match="TOML"):
        read_sheet(text)


@pytest.mark.parametrize("game", ["x" * 5_000, "a\0b.toml", ".", "/", None, 5])
def test_a_text_that_is_neither_a_game_nor_a_file_is_refused(game: object) -> None:
    """Never with an error of the operating system."""
    with pytest.raises(SheetError):
        rules(game)


@pytest.mark.parametrize(
    ("words", "values"),
    [("any", range(1, 11)), ("2-7", range(2, 8)), ("a, 10", [1, 10]), ("T", [10]), (" 3 - 4 ,A", [1, 3, 4])],
)
def test_upcards_are_ranks(words: str, values: Iterable[int]) -> None:
    """Single ranks, ranges, and lists in which a comma means "or"."""
    assert upcards(words) == frozenset(values)


@pytest.mark.parametrize("words", ["J", "q", "2-7, K", "8-J", "Kh"])
def test_a_jack_is_not_an_upcard_of_its_own(words: str) -> None:
    """Upcards are distinguished by value; "J" must not silently become every ten."""
    with pytest.raises(Unreadable, match="write 'T' for every ten-value card"):
        upcards(words)


@pytest.mark.parametrize(
    ("words", "write"),
    [
        *(("ace", "A"), ("jacks", "T"), ("face cards", "T"), ("2 to 7", "2-7"), ("2–7", "2-7"), ("7s", "7")),
        *(("A or T", "A, T"), ("2 and 3", "2, 3"), ("all", "any"), ("1", "A")),
    ],
)
def test_upcards_in_other_words_are_refused_with_those_of_a_sheet(words: str, write: str) -> None:
    """What is offered can be read."""
    with pytest.raises(Unreadable, match=f"write '{write}'"):
        upcards(words)
    assert upcards(write)


@pytest.mark.parametrize(
    ("setting", "where"),
    [
        ({"upcard": "J"}, "upcard"),
        ({"stake": "token", "tax": [{"hand": "pair", "tax": "$1"}], "tax_upcard": "K"}, "tax_upcard"),
    ],
)
def test_the_upcards_of_a_wager_are_values(setting: dict[str, object], where: str) -> None:
    """For the wager and for its tax."""
    wager = {"name": "W", "lines": [{"hand": "pair", "pays": "1 to 1"}], **setting}
    with pytest.raises(SheetError, match=f"wager.0.{where}: '.' is not an upcard of its own; write 'T'"):
        rules("classic", {"wager": [wager]})


@pytest.mark.parametrize(
    ("pays", "says"),
    [
        ({"A": "$10"}, "wager.0.lines.0.pays.A: '$10' is an amount of money, but odds are needed here"),
        ({"Q": "2 to 1"}, "wager.0.lines.0.pays.Q: 'Q' is not an upcard of its own; write 'T'"),
        ({"A": 5}, "wager.0.lines.0.pays.A: 5 is a number, not odds; write '5 to 1'"),
        (5, "wager.0.lines.0.pays: 5 is a number, not odds; write '5 to 1'"),
        ("5", "wager.0.lines.0.pays: '5' is a number, not odds; write '5 to 1'"),
        ([], "wager.0.lines.0.pays: [] is not valid; it must be text, in quotes, or a table, in braces"),
    ],
)
def test_one_wrong_payout_is_one_problem(pays: object, says: str) -> None:
    """Whatever kinds of values a payout can have."""
    with pytest.raises(SheetError) as refused:
        rules("classic", {"wager": [{"name": "W", "lines": [{"hand": "pair", "pays": pays}]}]})
    (problem,) = refused.value.problems
    assert str(problem).startswith(says)

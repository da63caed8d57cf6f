"""Malformed files and texts: each is refused at once, with the line if there is one."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from holecard.errors import SheetError
from holecard.sheets.files import toml_lines
from holecard.sheets.files.text_file import MOST_BYTES
from holecard.sheets.read import MOST_PROBLEMS, read_sheet, rules
from tests.selection import one_in

SHEET = 'name = "Mine"\nextends = "classic"\n'


def refused(game: str | Path) -> str:
    with pytest.raises(SheetError) as refusal:
        rules(game)
    return str(refusal.value)


# Files


def test_a_byte_order_mark_is_dropped(tmp_path: Path) -> None:
    """Some editors write one."""
    file = tmp_path / "mine.toml"
    file.write_bytes(b"\xef\xbb\xbf" + SHEET.encode())
    assert rules(file).name == "Mine"


def test_utf_16_text_is_named(tmp_path: Path) -> None:
    """The message tells users what to change in their editor."""
    file = tmp_path / "mine.toml"
    file.write_text(SHEET, encoding="utf-16")
    assert "save it as UTF-8" in refused(file)


@pytest.mark.parametrize("make", [os.mkfifo, lambda path: path.symlink_to("/dev/zero"), Path.mkdir])
def test_only_regular_files_are_read(tmp_path: Path, make: object) -> None:
    """A pipe would hang, and an endless device would fill the memory."""
    file = tmp_path / "mine.toml"
    make(file)  # type: ignore[operator]
    assert "it is not a regular file" in refused(file)


def test_a_file_larger_than_the_limit_is_refused(tmp_path: Path) -> None:
    """A text of exactly the limit is accepted, one byte more is not."""
    file = tmp_path / "mine.toml"
    file.write_text(SHEET + "#" * (MOST_BYTES - len(SHEET)))
    assert rules(file).name == "Mine"
    file.write_text(SHEET + "#" * (MOST_BYTES - len(SHEET) + 1))
    assert f"larger than {MOST_BYTES:,} bytes" in refused(file)


@pytest.mark.parametrize("game", ["", " ", Path()])
def test_a_blank_name_asks_for_a_game(game: str | Path) -> None:
    """The message asks for a name instead of quoting an empty one."""
    assert "write the name of a game or the file of a sheet" in refused(game)


# What a sheet may extend


@pytest.mark.parametrize("parent", ["../base.toml", "{folder}/base.toml", "inside/../../base.toml", "link.toml"])
def test_a_sheet_opens_nothing_outside_its_folder(tmp_path: Path, parent: str) -> None:
    """Neither by a path that leaves the folder nor through a link."""
    (tmp_path / "base.toml").write_text('name = "Base"\nextends = "classic"\n')
    folder = tmp_path / "sheets"
    (folder / "inside").mkdir(parents=True)
    (folder / "link.toml").symlink_to(tmp_path / "base.toml")
    mine = folder / "mine.toml"
    mine.write_text(f'name = "Mine"\nextends = "{parent.format(folder=tmp_path)}"\n')
    message = refused(mine)
    assert "line 2, extends" in message
    assert "a file in its own folder" in message


def test_a_sheet_may_extend_a_file_in_a_subfolder(tmp_path: Path) -> None:
    """That file may extend another one in its folder."""
    (tmp_path / "bases").mkdir()
    (tmp_path / "bases" / "one.toml").write_text('name = "One"\nextends = "two.toml"\n')
    (tmp_path / "bases" / "two.toml").write_text('name = "Two"\nextends = "classic"\n[shoe]\ndecks = 3\n')
    (tmp_path / "mine.toml").write_text('name = "Mine"\nextends = "bases/one.toml"\n')
    assert rules(tmp_path / "mine.toml").shoe.decks == 3


def test_a_text_without_a_folder_opens_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even one in the current directory."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "base.toml").write_text('name = "Base"\nextends = "classic"\n')
    with pytest.raises(SheetError, match=re.escape("line 2, extends: 'base.toml': no game or file has this name")):
        read_sheet('name = "Mine"\nextends = "base.toml"\n')


def test_a_long_row_of_parents_is_refused(tmp_path: Path) -> None:
    """Also a circular chain in which a file is spelled two ways."""
    for number in range(12):
        (tmp_path / f"{number}.toml").write_text(f'name = "{number}"\nextends = "{number + 1}.toml"\n')
    (tmp_path / "12.toml").write_text('name = "12"\nextends = "classic"\n')
    assert "too many sheets extend each other; at most 8 can" in refused(tmp_path / "0.toml")
    assert rules(tmp_path / "5.toml").name == "5"
    (tmp_path / "circle.toml").write_text('name = "Circle"\nextends = "./././circle.toml"\n')
    assert "extend" in refused(tmp_path / "circle.toml")


# Texts


@pytest.mark.parametrize(
    ("text", "line"), [(SHEET + "[shoe\n", 3), (SHEET + "\ndecks = = 3\n", 4), (SHEET + "x = [1,\n", 3)]
)
def test_broken_toml_is_refused_with_its_line(tmp_path: Path, text: str, line: int) -> None:
    """Also where the text ends too early."""
    file = tmp_path / "mine.toml"
    file.write_text(text)
    assert f"line {line}: this is not TOML" in refused(file)


MANY = {
    "unknown keys": SHEET + "".join(f"key{number} = 1\n" for number in range(7_000)),
    "pay lines": SHEET
    + "".join(
        f'[[wager]]\nname = "W{number}"\nlines = [\n' + '  { hand = "pairr", pays = "5 to 1" },\n' * 60 + "]\n"
        for number in range(40)
    ),
}


@pytest.mark.parametrize("text", one_in(2, MANY.values()), ids=MANY.keys())
def test_of_many_mistakes_the_first_are_listed(text: str) -> None:
    """With their lines; the text is searched once, not once per mistake."""
    toml_lines._places.cache_clear()
    with pytest.raises(SheetError) as refusal:
        read_sheet(text)
    assert toml_lines._places.cache_info().misses == 1
    problems = refusal.value.problems
    assert len(problems) == MOST_PROBLEMS + 1
    assert all(problem.line for problem in problems[:-1])
    assert "there are more problems" in str(problems[-1])


@pytest.mark.parametrize(
    "text",
    [
        "a" + ".a" * 20_000 + " = 1",
        '"a".' * 10_000 + "a = 1",
        "[" + "a." * 10_000 + "a]",
        "a = " + "[" * 300 + "]" * 300,
        "a = " + "{a=" * 100 + "1" + "}" * 100,
        "a." * 16 + "a = [[1]]",
    ],
)
def test_toml_that_is_nested_too_deeply_is_refused(text: str) -> None:
    """Before anything walks through it."""
    with pytest.raises(SheetError, match="nested too deeply"):
        read_sheet(text)


def test_a_refusal_does_not_repeat_an_endless_word() -> None:
    """The end of the message, which says what is valid, is kept."""
    with pytest.raises(SheetError) as refusal:
        read_sheet(f'{SHEET}[settle]\nnatural = "{"9" * 50_000} to 1 x"\n')
    assert len(str(refusal.value)) < 1_000
    assert "line 4, settle.natural" in str(refusal.value)


@pytest.mark.parametrize(("text", "line"), [("x = 1\na = " + "[" * 5_000, 2), ("x = 1\ny = 2\na = " + "9" * 6_000, 3)])
def test_what_cannot_be_read_is_refused_with_its_line(text: str, line: int) -> None:
    """Also where the parser itself fails."""
    with pytest.raises(SheetError, match=f"line {line}: this TOML"):
        read_sheet(text)


def test_a_pay_table_and_a_table_of_wagers_have_an_end() -> None:
    """A hundred lines and fifty wagers are accepted; more would slow down the checks."""
    lines = "".join(f'  {{ hand = "pair", name = "{number}", pays = "5 to 1" }},\n' for number in range(101))
    with pytest.raises(SheetError, match="too many entries; at most 100"):
        read_sheet(f'{SHEET}[[wager]]\nname = "W"\nlines = [\n{lines}]\n')
    wager = '[[wager]]\nname = "W{}"\nlines = [{{ hand = "pair", pays = "5 to 1" }}]\n'
    assert len(read_sheet(SHEET + "".join(map(wager.format, range(50)))).wager) == 50
    with pytest.raises(SheetError, match="too many entries; at most 50"):
        read_sheet(SHEET + "".join(map(wager.format, range(51))))


def test_an_endless_number_is_refused_as_a_setting() -> None:
    """Python itself refuses to print it."""
    with pytest.raises(SheetError, match="an endless number"):
        rules("classic", decks=10**5_000)

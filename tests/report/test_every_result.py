"""Every result prints itself: one line, the command's text, plain data, rows, HTML and drawings."""

from __future__ import annotations

import copy
import csv
import io
import json
import pickle
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

import holecard
from holecard import report
from holecard.errors import Refusal
from holecard.kernels import cache
from holecard.presentation import Drawn
from tests.cli.shell import Shell, flat, read_json
from tests.report.results import KINDS, made
from tests.selection import quick_where


def _is_quick(kind: str) -> bool:
    """All but the slowest three, of which one is a table of another."""
    return kind not in ("verification", "counting", "counting by decks and seats")


every_kind = pytest.mark.parametrize("kind", quick_where(KINDS, _is_quick))


@every_kind
def test_the_repr_is_one_short_line(kind: str) -> None:
    """It begins with the kind of result, as reprs do."""
    line = repr(made(kind))
    assert len(line) < 200
    assert "\n" not in line
    assert re.match(r"[A-Z]\w+\(.*\)$", line)


@every_kind
def test_the_text_is_what_the_command_prints(shell: Shell, kind: str) -> None:
    """In 80 columns, with no blanks at the ends of lines."""
    ran = shell(*KINDS[kind].command)
    text = str(made(kind))
    assert f"{text}\n" == ran.out
    assert max(map(len, text.splitlines())) <= 80 or kind == "house odds"
    assert all(line == line.rstrip() for line in text.splitlines())


@every_kind
def test_the_data_is_what_the_command_prints_as_json(shell: Shell, kind: str) -> None:
    """The same object, and nothing that JSON changes."""
    data = made(kind).to_dict()
    assert json.loads(json.dumps(data, allow_nan=False)) == data
    assert read_json(shell(*KINDS[kind].command, "--json")) == data


@every_kind
def test_the_data_names_its_version_and_sheet(kind: str) -> None:
    """A grid has a sheet for every entry."""
    data = made(kind).to_dict()
    assert next(iter(data)) == "version"
    assert data["version"] == holecard.__version__
    entries = {"games": data.get("games"), "comparison": data.get("grid"), "sweep": data.get("grid")}.get(kind, [data])
    assert entries
    for entry in entries:
        sheet = entry if kind == "games" else entry["sheet"]
        assert re.fullmatch("[0-9a-f]{16}", sheet["hash"])


@every_kind
def test_no_number_is_beyond_a_double(kind: str) -> None:
    """Every integer survives a program that reads numbers as doubles."""

    def integers(value: object) -> list[int]:
        if isinstance(value, dict):
            return [one for entry in value.values() for one in integers(entry)]
        if isinstance(value, list):
            return [one for entry in value for one in integers(entry)]
        return [value] if isinstance(value, int) else []

    assert all(int(float(number)) == number for number in integers(made(kind).to_dict()))


@every_kind
def test_the_rows_are_flat_and_the_csv_has_the_same(kind: str) -> None:
    """A data frame takes them as they are."""
    result = made(kind)
    rows = result.to_rows()
    assert rows
    assert all(isinstance(value, str | int | float | bool | None) for row in rows for value in row.values())
    read = list(csv.DictReader(io.StringIO(report.csv(result))))
    assert len(read) == len(rows)
    columns = dict.fromkeys(column for row in rows for column in row)
    for row, line in zip(rows, read, strict=True):
        assert list(line) == list(columns)
        assert {key: "" if value is None else str(value) for key, value in row.items()} == {
            key: line[key] for key in row
        }


@every_kind
def test_the_html_is_well_formed_and_fetches_nothing(kind: str) -> None:
    """As a page and as a fragment."""
    page, fragment = report.html(made(kind)), made(kind)._repr_html_()
    assert page.startswith("<!DOCTYPE html>")
    assert ElementTree.fromstring(page.removeprefix("<!DOCTYPE html>")).tag == "html"
    assert ElementTree.fromstring(fragment).tag == "div"
    for text in (page, fragment):
        assert not re.search(r"(src|href)=|@import|url\(", text)


@pytest.mark.parametrize("kind", quick_where([kind for kind in KINDS if kind != "strategy"], _is_quick))
def test_words_and_numbers_of_the_text_are_in_the_html(kind: str) -> None:
    """Both are made from one document, except for a chart, see tests/charts."""
    text = " ".join(ElementTree.fromstring(made(kind)._repr_html_()).itertext())
    numbers = set(re.findall(r"\d[\d.,]*\d", str(made(kind))))
    assert numbers <= set(re.findall(r"\d[\d.,]*\d", text))


@every_kind
def test_a_result_is_a_value(kind: str) -> None:
    """It survives pickling and copying."""
    result = made(kind)
    assert pickle.loads(pickle.dumps(result)) == result
    assert copy.deepcopy(result) == result
    assert {result: 1}[pickle.loads(pickle.dumps(result))] == 1


@every_kind
def test_a_drawing_is_svg(kind: str) -> None:
    """Charts and bankrolls have one; asking for another is refused."""
    result = made(kind)
    if isinstance(result, Drawn):
        assert ElementTree.fromstring(result._repr_svg_()).tag.endswith("svg")
        return
    with pytest.raises(Refusal, match="only strategies, bankrolls and counting have a drawing"):
        report.svg(result)


def test_a_check_as_text_has_the_warnings_that_the_command_prints_on_standard_error(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both streams together, the warnings before the verdict."""
    monkeypatch.setattr(cache, "is_warm", lambda _: True)
    found = holecard.check("double-up", {"settle.natural": "1 to 2"})
    ran = shell("check", "double-up", "--set", "settle.natural=1 to 2")
    *readings, verdict = ran.out.removesuffix("\n").split("\n")
    assert found.warnings
    assert ran.err.splitlines() == [f"warning: {warning}" for warning in found.warnings]
    assert flat(str(found)) == flat("\n".join([*readings, ran.err, verdict]))


def test_a_refused_check_prints_itself(shell: Shell) -> None:
    """The command prints the same on standard error, and as JSON on standard output."""
    found = holecard.check("classic", {"settle.ties": "psh", "shoe.decks": 0})
    asked = ("check", "classic", "--set", "settle.ties=psh", "--set", "shoe.decks=0")
    assert shell(*asked) == (2, "", f"holecard: {found}\n")
    assert json.loads(shell(*asked, "--json").out) == found.to_dict()
    assert found.to_rows() == found.to_dict()["problems"]
    assert ElementTree.fromstring(found._repr_html_()).tag == "div"
    assert pickle.loads(pickle.dumps(found)) == found


def test_a_file_is_written_by_its_name(tmp_path: Path) -> None:
    """Or by the format that is asked for."""
    result = made("evaluation")
    for name, start in (("a.txt", "Quick"), ("a.html", "<!DOC"), ("a.csv", "game,"), ("a.json", "{"), ("a", "Quick")):
        report.write(result, file=tmp_path / name)
        assert (tmp_path / name).read_text(encoding="utf-8").startswith(start)
    report.write(result, format="csv", file=tmp_path / "a.txt")
    assert (tmp_path / "a.txt").read_text(encoding="utf-8").startswith("game,")
    with pytest.raises(Refusal, match=r"unknown format '\.pdf'"):
        report.write(result, file=tmp_path / "a.pdf")
    with pytest.raises(Refusal, match="no format is called"):
        report.write(result, format="pdf")  # type: ignore[arg-type]
    with pytest.raises(Refusal, match="cannot be written"):
        report.write(result, file=tmp_path / "nowhere" / "a.txt")


def test_every_command_writes_files(shell: Shell, tmp_path: Path) -> None:
    """With --output, and in any format with --format."""
    file = tmp_path / "rules.html"
    assert shell("rules", "classic", "--output", str(file)).out == ""
    assert file.read_text(encoding="utf-8") == report.html(holecard.describe("classic"))
    assert shell("games", "--format", "csv").out.startswith("game,name,")
    assert "'svg' is not one of" in shell("games", "--format", "svg").err
    assert "only strategies, bankrolls and counting" in shell("games", "--output", str(tmp_path / "games.svg")).err
    refused = shell("games", "--json", "--format", "csv")
    assert (refused.code, "differ" in refused.err) == (2, True)

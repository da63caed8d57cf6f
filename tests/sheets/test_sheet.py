"""A sheet as a value: frozen, written as TOML, described by a JSON Schema, and not named in the code."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

import holecard
from holecard.sheets.catalog import games
from holecard.sheets.files.toml_writer import sheet_data, toml_key, toml_sections, toml_value
from holecard.sheets.read import Source, find, json_schema, merged, read_sheet, rules
from tests.random_play import sheets

SOURCE = Path(holecard.__file__).parent


# Frozen


@pytest.mark.parametrize(
    "path", ["name", "shoe.decks", "settle.natural", "player.split_hands", "main.companion.natural"]
)
def test_no_word_of_a_sheet_can_be_changed(path: str) -> None:
    """Assigning to a field is an error, in every section."""
    *sections, word = path.split(".")
    part: Any = rules("quick-pay")
    for section in sections:
        part = getattr(part, section)
    with pytest.raises(ValidationError, match="frozen"):
        setattr(part, word, getattr(part, word))


@pytest.mark.parametrize(("section", "word"), [("settle", "when_dealer_has"), ("player", "quick_pay")])
def test_no_table_of_a_sheet_can_be_changed(section: str, word: str) -> None:
    """The tables inside a sheet are as frozen as the sheet: a shipped game never changes."""
    table = getattr(getattr(rules("quick-pay"), section), word)
    before = dict(table)
    try:
        with pytest.raises(TypeError):
            table["18"] = "win"
    finally:
        if dict(table) != before:
            del table["18"]
            table.update(before)


def test_compiled_tables_cannot_be_changed() -> None:
    """They are frozen, and consist of tuples at every level."""
    tables = rules("classic").tables
    with pytest.raises(AttributeError):
        tables.decks = 8
    assert isinstance(tables.settlement[0][20], tuple)


def test_a_sheet_is_compiled_once() -> None:
    """Asking again gives the same tables."""
    assert rules("classic").tables is rules("classic").tables


# Written and read again


@pytest.mark.parametrize("name", sheets())
def test_a_sheet_written_as_toml_reads_back_equal(name: str) -> None:
    """Every key is preserved, also in tables and lines; inherited values are written out."""
    sheet = sheets()[name]
    text = toml_sections(sheet_data(sheet))
    again = read_sheet(text)
    assert again.extends is None
    assert again.model_dump(exclude={"extends"}) == sheet.model_dump(exclude={"extends"})
    assert toml_sections(sheet_data(again)) == text


@pytest.mark.parametrize(
    "value",
    [
        True,
        False,
        0,
        -3,
        2.5,
        "",
        'say "no"',
        "back\\slash",
        "suits ♠♥",
        "line\nbreak",
        [1, [2, "x"]],
        {"a b": {"c": []}},
    ],
)
def test_a_value_written_as_toml_reads_back(value: object) -> None:
    """Quotes, signs and nesting included."""
    assert tomllib.loads(f"value = {toml_value(value)}")["value"] == value


@pytest.mark.parametrize("key", ["plain", "with space", "2-Card Bonus", 'quo"te', "dot.ted", "♠"])
def test_a_key_written_as_toml_reads_back(key: str) -> None:
    """With quotes where necessary."""
    assert tomllib.loads(f"{toml_key(key)} = 1") == {key: 1}


# JSON Schema


def _accepts(schema: dict[str, Any], part: dict[str, Any], value: object, path: str = "") -> list[str]:
    """The problems of a value under a schema: the part of JSON Schema that ours uses."""
    if "$ref" in part:
        return _accepts(schema, schema["$defs"][part["$ref"].removeprefix("#/$defs/")], value, path)
    if "anyOf" in part:
        tries = [_accepts(schema, choice, value, path) for choice in part["anyOf"]]
        return [] if [] in tries else tries[0]
    kinds = {"string": str, "integer": int, "object": dict, "array": list, "null": type(None), "boolean": bool}
    allowed = [part["type"]] if isinstance(part.get("type"), str) else part.get("type", [])
    if allowed and not any(isinstance(value, kinds[kind]) for kind in allowed):
        return [f"{path}: {value!r} is no {allowed}"]
    found = []
    if "enum" in part and value not in part["enum"]:
        found.append(f"{path}: {value!r} is none of {part['enum']}")
    if "const" in part and value != part["const"]:
        found.append(f"{path}: {value!r} is not {part['const']}")
    if isinstance(value, str) and "pattern" in part and not re.search(part["pattern"], value):
        found.append(f"{path}: {value!r} does not fit {part['pattern']}")
    if isinstance(value, int) and not part.get("minimum", value) <= value <= part.get("maximum", value):
        found.append(f"{path}: {value!r} is out of range")
    if isinstance(value, list) and "items" in part:
        for index, item in enumerate(value):
            found += _accepts(schema, part["items"], item, f"{path}.{index}")
    if isinstance(value, dict):
        found += [f"{path}: {key} is missing" for key in part.get("required", []) if key not in value]
        for key, item in value.items():
            rest = part.get("additionalProperties", True)
            patterns = [inner for rule, inner in part.get("patternProperties", {}).items() if re.search(rule, key)]
            inner = part.get("properties", {}).get(key) or (patterns[0] if patterns else rest)
            if inner is False:
                found.append(f"{path}: {key} is unknown")
            elif isinstance(inner, dict):
                found += _accepts(schema, inner, item, f"{path}.{key}")
    return found


def _sources() -> dict[str, Source]:
    return {name: find(name) for name in games(examples=True)}


@pytest.mark.parametrize("name", _sources())
def test_the_json_schema_accepts_every_sheet(name: str) -> None:
    """As written, and with inherited values filled in."""
    schema = json.loads(json_schema())
    source = _sources()[name]
    assert _accepts(schema, schema, tomllib.loads(source.text)) == []
    assert _accepts(schema, schema, merged(source)) == []


@pytest.mark.parametrize(
    "wrong",
    [
        {},
        {"name": "Mine", "extra": 1},
        {"name": "Mine", "shoe": {"deks": 6}},
        {"name": "Mine", "shoe": {"decks": 0}},
        {"name": "Mine", "dealer": {"soft_17": "maybe"}},
        {"name": "Mine", "settle": {"natural": "three to two"}},
        {"name": "Mine", "player": {"double": "nine"}},
        {"name": "Mine", "wager": [{"lines": []}]},
    ],
)
def test_the_json_schema_refuses_what_the_reader_refuses(wrong: dict[str, Any]) -> None:
    """An editor reports a missing name, unknown keys and impossible values."""
    schema = json.loads(json_schema())
    assert _accepts(schema, schema, wrong) != []


def test_every_word_of_the_schema_is_described() -> None:
    """Each has a sentence for the editor and the manual."""
    schema = json.loads(json_schema())
    sections = [schema, *schema["$defs"].values()]
    assert [
        (section["title"], word)
        for section in sections
        for word, field in section.get("properties", {}).items()
        if len(field.get("description", "")) < 10
    ] == []


# The code names no game


def _strings(tree: ast.Module) -> list[str]:
    """String constants of a module that are not docstrings."""
    owners = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    docs = {id(node.body[0].value) for node in ast.walk(tree) if isinstance(node, owners) and _has_docstring(node)}
    return [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs
    ]


def _has_docstring(node: Any) -> bool:
    return bool(node.body) and isinstance(node.body[0], ast.Expr) and isinstance(node.body[0].value, ast.Constant)


@pytest.mark.parametrize("module", sorted(SOURCE.rglob("*.py")), ids=lambda path: str(path.relative_to(SOURCE)))
def test_no_games_name_is_in_the_code(module: Path) -> None:
    """Neither a title in the text nor a short name as a value; only its sheet describes a game."""
    text = module.read_text(encoding="utf-8")
    titles = [rules(name).name for name in games()]
    assert [title for title in titles if title.lower() in text.lower()] == []
    if any(name in text for name in games()):
        assert [value for value in _strings(ast.parse(text)) if value in games()] == []


# Importing


def _modules_after(statement: str) -> set[str]:
    script = f"{statement}\nimport sys\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_importing_the_package_loads_next_to_nothing() -> None:
    """No validation library, no terminal library, no arrays: they are imported on first use."""
    loaded = _modules_after("import holecard")
    assert loaded.isdisjoint({"pydantic", "pydantic_core", "typer", "rich", "numpy", "numba", "holecard.sheets.read"})


def test_a_table_needs_no_terminal_and_no_arrays() -> None:
    """A round imports neither."""
    loaded = _modules_after("import holecard; t = holecard.Table('classic'); t.bet('$10'); t.deal()")
    assert loaded.isdisjoint({"typer", "rich", "numpy", "numba"})


def test_every_public_name_is_there() -> None:
    """`__all__` lists them in order, and each loads."""
    assert sorted(holecard.__all__) == sorted(set(holecard.__all__))
    assert all(getattr(holecard, name) is not None for name in holecard.__all__)
    assert set(holecard.__all__) <= set(dir(holecard))
    with pytest.raises(AttributeError, match="nonsense"):
        _ = holecard.nonsense

"""Read a sheet: find it, merge it with the sheet it extends, apply settings, validate, and report problems by line."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TypeAlias

from holecard.errors import Problem, SheetError, Unreadable, did_you_mean, shortly
from holecard.sheets.catalog import find_game, games, is_game, sheet_text
from holecard.sheets.checks.validation import read_problems
from holecard.sheets.files.text_file import read_text_file
from holecard.sheets.files.toml_data import NotToml, read_toml
from holecard.sheets.files.toml_lines import KeyPath
from holecard.sheets.inherit import SheetData, inherit, own_line
from holecard.sheets.override import Applied, apply_settings, named_path, path_in
from holecard.sheets.schema import RuleSheet, Written

#: A game's name, a path to a TOML file, or a sheet already read.
RulesLike: TypeAlias = str | Path | RuleSheet

#: The most problems that one error lists.
MOST_PROBLEMS = 25
#: The longest chain of sheets that extend each other.
_MOST_PARENTS = 8


@dataclass(frozen=True, slots=True)
class Source:
    """A sheet's text, its name or file, and the folder of the file."""

    name: str
    text: str
    folder: Path | None = None


def rules(game: RulesLike, overrides: Mapping[str, object] | None = None, /, **settings: object) -> RuleSheet:
    """Return a sheet, with settings applied.

    The game is a name, a title, a file or a sheet. A setting is written by its
    key where only one section has it (`decks=8`), by its path (`{"settle.natural": "6 to 5"}`,
    `{"wager.Pairs.max": "$50"}`), or by an abbreviation that is true or false (`H17=True`).
    """
    if not isinstance(overrides or {}, Mapping) or not all(isinstance(word, str) for word in overrides or {}):
        example = "{'settle.natural': '6 to 5'}"
        raise SheetError("settings", [Problem("", f"{shortly(overrides)} is not a table of settings; write {example}")])
    wanted = copy.deepcopy({**(overrides or {}), **settings})  # the sheet keeps them; the caller may change its own
    if not isinstance(game, str | Path | RuleSheet):
        raise SheetError(repr(game), [Problem("", "write a game's name, a path to a sheet, or give a RuleSheet")])
    if isinstance(game, RuleSheet):
        if not wanted:
            return game
        name, earlier = game.origin
        data = game.model_dump(mode="json", by_alias=True, exclude_unset=True)
        sheet, wanted = _changed(data, wanted, Source(game.name, ""))
        sheet._written = game.written._replace(settings=(*game.written.settings, *wanted.items()))
        return _from(sheet, name, {**_kept(earlier, wanted), **wanted})
    if not wanted and is_game(name := str(game)):
        return _built_in(name)
    source = find(game)
    if not wanted and source.folder is None:
        return _built_in(source.name)
    sheet, wanted = _changed(merged(source), wanted, source)
    return _from(sheet, source.name, wanted)


def _kept(earlier: Mapping[str, object], wanted: Mapping[str, object]) -> dict[str, object]:
    """Return the earlier settings except those that a later one replaces, itself or with all of its section."""
    replaced = tuple(f"{path.lower()}." for path in wanted)
    return {path: value for path, value in earlier.items() if not f"{path.lower()}.".startswith(replaced)}


def rules_from_file(path: Path, name: str, settings: Mapping[str, object] | None = None) -> RuleSheet:
    """Return the sheet of a file as a game of this name; refusals name the file, but not its folder."""
    try:
        source = Source(path.name, read_text_file(path), path.parent)
    except Unreadable as refused:
        raise SheetError(path.name, [Problem("", str(refused))]) from None
    sheet, wanted = _changed(merged(source), settings or {}, source)
    return _from(sheet, name, wanted)


@lru_cache
def _built_in(name: str) -> RuleSheet:
    source = find(name)
    return _from(_checked(merged(source), source), name, {})


def _from(sheet: RuleSheet, name: str, settings: dict[str, object]) -> RuleSheet:
    sheet._origin = (name, settings)
    return sheet


def read_sheet(text: str, name: str = "the sheet", folder: Path | None = None) -> RuleSheet:
    """Return the sheet that a text defines."""
    source = Source(name, text, folder)
    return _checked(merged(source), source)


def from_data(data: SheetData, name: str) -> RuleSheet:
    """Return the sheet that plain data define; it cannot extend another sheet."""
    return _checked(data, Source(name, ""))


def find(game: str | Path, folder: Path | None = None) -> Source:
    """Return the text of a game that comes with Holecard, or of a file (relative to `folder`)."""
    if is_game(str(game)):
        return Source(str(game), sheet_text(str(game)))
    if not str(game).strip() or game == Path():
        raise SheetError("the game", [Problem("", "write the name of a game or the file of a sheet")])
    path = Path(game) if folder is None else folder / game
    try:
        if path.suffix == ".toml" or path.is_file():
            return Source(str(game), read_text_file(path), path.parent)
    except Unreadable as refused:
        raise SheetError(str(game), [Problem("", str(refused))]) from None
    except (OSError, ValueError):  # a name too long for a path, or with a null byte
        pass
    if name := find_game(str(game)):
        return Source(name, sheet_text(name))
    hint = did_you_mean(str(game), games(examples=True))
    raise SheetError(_shortened(str(game)), [Problem("", f"no game or file has this name; {hint}")])


def merged(source: Source, seen: tuple[str, ...] = ()) -> SheetData:
    """Return the data of a sheet merged with those of all sheets it extends."""
    data = _toml(source)
    parent = data.get("extends")
    if not isinstance(parent, str):
        if "without" in data:
            raise _refused(
                source, ("without",), "this sheet does not extend another one, so that there is no wager to leave out"
            )
        return data
    if parent in (*seen, source.name):
        raise _refused(source, ("extends",), f"{parent!r} extends this sheet in turn; a sheet cannot extend itself")
    if len(seen) >= _MOST_PARENTS:
        raise _refused(source, ("extends",), f"too many sheets extend each other; at most {_MOST_PARENTS} can")
    if refused := _outside(source, parent):
        raise _refused(source, ("extends",), refused)
    try:
        base = merged(find(parent, source.folder), (*seen, source.name))
    except SheetError as error:
        raise _refused(source, ("extends",), f"{parent!r}: {error.problems[0]}") from None
    try:
        return inherit(base, data)
    except Unreadable as error:
        raise _refused(source, ("without",), str(error)) from None


def _outside(source: Source, parent: str) -> str | None:
    """Return why a sheet must not extend this file (it may only open files in its own folder), or None."""
    if is_game(parent):
        return None
    if source.folder is None:
        return f"{parent!r}: no game or file has this name; {did_you_mean(parent, games(examples=True))}"
    try:
        inside = (source.folder / parent).resolve().is_relative_to(source.folder.resolve())
    except (OSError, ValueError, RuntimeError):  # not a path, or a link to itself
        inside = True  # `find` reports what is wrong with it
    return None if inside else f"{shortly(parent)}: a sheet can extend only a game or a file in its own folder"


def _checked(data: SheetData, source: Source) -> RuleSheet:
    sheet, found = read_problems(data)
    if sheet is None:
        raise _refusing(source, [_placed(source, path, what, data) for path, what in found])
    sheet._written = Written(source.text, source.folder)
    return sheet


def _changed(data: SheetData, settings: Mapping[str, object], source: Source) -> tuple[RuleSheet, dict[str, object]]:
    """Return the sheet with settings applied, and the settings by full path."""
    applied = apply_settings(data, settings)
    sheet, found = read_problems(applied.data)
    if sheet is None or applied.problems:
        problems = [Problem(_shortened(one.where), _shortened(one.what)) for one in applied.problems]
        raise _refusing(source, [*problems, *_problems_of_settings(data, applied, found, source)])
    sheet._written = Written(source.text, source.folder, tuple(applied.settings.items()))
    return sheet, applied.settings


def _problems_of_settings(
    data: SheetData, applied: Applied, found: list[tuple[KeyPath, str]], source: Source
) -> Iterator[Problem]:
    """Yield problems by line where the sheet has them itself; those of settings are named as they were written."""
    own = set(read_problems(data)[1]) if applied.typed else set(found)
    typed = {path_in(before, path): word for path, word in applied.typed.items() for before in (data, applied.data)}
    together = ", ".join(dict.fromkeys(typed.values()))
    for path, what in found:
        set_by = next((length for length in range(len(path), 0, -1) if path[:length] in typed), 0)
        if set_by:
            rest = [str(part) for part in path[set_by:]]
            yield Problem(_shortened(".".join([typed[path[:set_by]], *rest])), _shortened(what))
        elif (path, what) in own:
            yield _placed(source, path, what, applied.data)
        elif not applied.problems:  # a setting that could not be applied may be what the others need
            where = ".".join(named_path(applied.data, path))
            yield Problem(_shortened(where), _shortened(f"{what} (with {together} as set)"))


def _refusing(source: Source, problems: list[Problem]) -> SheetError:
    """Return the error with the problems by line; those without one, which settings cause, come last."""
    problems.sort(key=lambda problem: (problem.line is None, problem.line))
    if len(problems) > MOST_PROBLEMS:
        more = f"there are more problems; only the first {MOST_PROBLEMS} are listed"
        problems = [*problems[:MOST_PROBLEMS], Problem("", more)]
    return SheetError(source.name, problems)


def _toml(source: Source) -> SheetData:
    try:
        return read_toml(source.text)
    except NotToml as error:
        raise SheetError(source.name, [Problem("", error.what, error.line)]) from None


def _refused(source: Source, path: KeyPath, what: str) -> SheetError:
    return SheetError(source.name, [_placed(source, path, what, {})])


def _placed(source: Source, path: KeyPath, what: str, data: SheetData) -> Problem:
    where = ".".join(map(str, path))
    return Problem(_shortened(where), _shortened(what), own_line(source.text, data, path))


def _shortened(text: str) -> str:
    """Return a long message without its middle; the end says what would be right."""
    return text if len(text) <= 600 else f"{text[:200]} ... {text[-200:]}"


def json_schema() -> str:
    """Return a JSON Schema of rule sheets, for editors."""
    import json

    schema = RuleSheet.model_json_schema(by_alias=True)
    return json.dumps({"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}, indent=2)

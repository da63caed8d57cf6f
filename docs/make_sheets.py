"""Write docs/sheets.md from the schema: every setting of a rule sheet with its type, default, and meaning.

Run it with `make docs`; a test fails if the page differs from what this script writes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from holecard.sheets.abbreviations import ABBREVIATIONS
from holecard.sheets.files.toml_writer import toml_value
from holecard.sheets.schema import RuleSheet
from holecard.sheets.schema_tree import inner_model
from holecard.wagers import dealer_hands, named_hands

PAGE = Path(__file__).parent / "sheets.md"

INTRODUCTION = """\
# The rule sheet language

<!-- Written by docs/make_sheets.py from the schema; run `make docs` after changing a setting. -->

A game is one TOML file that reads like the rules on the table placard. It names the sheet that it `extends` and
contains only the differences; settings that no sheet gives have the defaults listed here. You can change any setting
when a sheet is loaded:

```sh
holecard rules double-up --set settle.natural="6 to 5" --set decks=8
holecard rules upcard-luck-21 --set "wager.Upcard Luck.table=B"
```

A setting whose name occurs in only one section can be written without the section (`decks`). Other settings need
their section (`main.max`), and settings of a side wager need the name of the wager. The usual abbreviations work, too
(`--set H17 --set DAS=false`; see [Abbreviations](#abbreviations)). `holecard check FILE` reports
what is wrong with a sheet and where. For a sheet that it accepts, it prints how every pay line was interpreted, with
a hand that pays it and one that just misses it, and warns about lines that can never pay, rarer lines that pay less
than more frequent ones, and side wagers that favor the player or keep more than a quarter of the stakes. `holecard
schema` prints a JSON Schema for editors. The [glossary](glossary.md) explains the terms, and
[What a sheet cannot say](limits-of-sheets.md) lists games that need more.

Sections are merged with those of the extended sheet setting by setting. Lists, such as `decks_offered`, and the
tables `when_dealer_has` and `quick_pay` are replaced as a whole. Side wagers are merged by name:

- a `[[wager]]` with a new name is added after those of the extended sheet;
- a `[[wager]]` with the name of a wager of the extended sheet changes that wager key by key and keeps its position;
  its `lines` are replaced as a whole, its `tables` one by one, and new `lines` replace the old `tables`; a house table
  (`table_from = "house"`) stays one unless the sheet says `table_from = "printed"`;
- `without = ["Hedge 18", "Hedge 19"]` removes those wagers, and `without = "all"` removes all of them; a wager that
  is removed and then defined again starts from the defaults and comes last.

A sheet does not inherit the name, `about`, or `source` of the sheet it extends, and only those `[[ruling]]`s with
`inherit = true` that are still true of it: it neither rules on the point itself nor changes a setting of its switches.

How to write values:

- **odds**: `"3 to 2"`, `"push"`, `"lose"`, `"lose half"`, `"even money"`; the net win per unit staked, stored as an
  exact fraction. The first number may have up to nine decimals (`"1.3333 to 1"`). Odds pay at most 1,000,000 to 1,
  the second number in lowest terms is at most 1,000,000,000, and the least common denominator of all odds of the main
  wager is at most 100,000,000,000 (half of that with a companion);
- **money**: `"$5"`, `"$2.50"`, or a whole number of dollars; stored as cents;
- **totals**: `"any"`, `"none"`, `"9-11"` (hard and soft), `"hard 9-11, soft 13-18"`;
- **upcards**: `"any"`, `"2-7"`, `"A, T"`; ranks without a suit; `T` is every ten-value card (jacks, queens,
  and kings cannot be named).

In totals and upcards, a comma means "or". `hand` and `dealer` do not allow commas: a line names one hand.
"""


def page() -> str:
    """Return the whole page."""
    parts = [INTRODUCTION, *_sections(RuleSheet, "", set()), *_vocabulary(), *_abbreviations()]
    return "\n".join(parts)


def _abbreviations() -> Iterator[str]:
    yield "## Abbreviations\n"
    yield 'Settings that are true or false: `--set H17`, `--set DAS=false`, `rules("classic", H17=True)`.\n'
    yield "| abbreviation | meaning | true | false |\n|---|---|---|---|"
    for name, one in ABBREVIATIONS.items():
        yield f"| `{name}` | {one.means} | {_settings(one.true)} | {_settings(one.false)} |"
    yield ""


def _settings(settings: Mapping[str, object]) -> str:
    return ", ".join(f"`{key} = {toml_value(value)}`" for key, value in settings.items())


def _sections(model: type[BaseModel], path: str, seen: set[type[BaseModel]]) -> Iterator[str]:
    """Yield a section, then the sections inside it, each of them once."""
    if model in seen:
        return
    seen.add(model)
    heading = (model.__doc__ or "").strip().splitlines()[0]
    yield f"## {_title(path)}\n\n{_without_prefix(heading)}\n"
    yield "| setting | type | default | meaning |\n|---|---|---|---|"
    inner: list[tuple[type[BaseModel], str]] = []
    for name, field in model.model_fields.items():
        word = field.alias or name
        section = inner_model(field)
        if section is not None and path == "" and not _is_list(field):
            inner.append((section, word))
            continue
        yield f"| `{word}` | {_type(field.annotation, field.metadata)} | {_default(field)} | {_meaning(field)} |"
        if section is not None:
            inner.append((section, f"{path}.{word}".lstrip(".")))
    yield ""
    for section, where in inner:
        yield from _sections(section, where, seen)


def _title(path: str) -> str:
    lists = ("wager", "ruling", "wager.tax", "wager.lines")
    if not path:
        return "The sheet"
    return f"`[[{path}]]`" if path in lists else f"`[{path}]`"


def _without_prefix(docstring: str) -> str:
    """Return a docstring such as "[shoe]: the cards" without the section's name, which the heading already has."""
    sentence = docstring.split("]: ", 1)[-1]
    return sentence[:1].upper() + sentence[1:]


def _meaning(field: FieldInfo) -> str:
    return (field.description or "").replace("|", "\\|")


def _default(field: FieldInfo) -> str:
    if field.default is PydanticUndefined:
        return "*required*"
    if field.default is None:
        return "none"
    if isinstance(field.default, BaseModel):
        return "see below"
    return f"`{toml_value(field.default)}`"


def _is_list(field: FieldInfo) -> bool:
    return get_origin(field.annotation) is tuple


def _type(kind: Any, notes: Sequence[Any] = ()) -> str:
    """Return a type in plain words; `notes` are the annotations that pydantic keeps next to the bare type."""
    if hasattr(kind, "__metadata__"):
        return _type(kind.__origin__, kind.__metadata__)
    if named := _name(notes):
        return named
    origin, inside = get_origin(kind), get_args(kind)
    if origin is Literal:
        return ", ".join(f"`{toml_value(word)}`" for word in inside)
    if origin in (Union, UnionType):
        return " or ".join(_type(part) for part in inside if part is not NoneType)
    if origin is tuple:
        return f"list of {_plural(_type(inside[0]))}"
    if origin is dict:
        return f"table of {_type(inside[1])}"
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        return "section"
    return {str: "text", int: "number", bool: "true or false"}[kind] + _range(notes)


def _name(notes: Sequence[Any]) -> str:
    """Return the name that the schema gives to odds, money, totals, and upcards, or an empty string."""
    for note in notes:
        schema = getattr(note, "json_schema", None)
        if isinstance(schema, dict):
            return str(schema["title"])
    return ""


def _range(notes: Sequence[Any]) -> str:
    """Return the limits of a number, wherever pydantic keeps them."""
    flat = [inner for note in notes for inner in (note, *getattr(note, "metadata", ()))]
    low = next((note.ge for note in flat if hasattr(note, "ge")), None)
    high = next((note.le for note in flat if hasattr(note, "le")), None)
    return f", {low} to {high}" if low is not None and high is not None else ""


def _plural(words: str) -> str:
    return words.replace("number", "numbers").replace("section", "sections")


def _vocabulary() -> Iterator[str]:
    yield "## Named hands\n"
    yield "What a pay line can have as `hand`:\n"
    yield f"```text\n{_docstring_table(named_hands.__doc__)}\n```\n"
    yield "All words of a phrase must match: `suited natural`, `unsuited pair of aces`, `suited 3 and 8`.\n"
    yield (
        "An ambiguous phrase is rejected, with a spelling for each reading. Numbers up to 10 can be ranks or totals: "
        "instead of `3-8 suited`, write `suited 3 and 8` for a three and an eight, or `suited total 3-8` for a total "
        "from 3 to 8; instead of `7 7 7`, write `7 and 7 and 7`; instead of `pair 7`, write `pair of sevens` or "
        "`pair total 7`. `20`, `18-20`, and `9-11` can only be totals. Commas, and `and` or `or` between whole hands, "
        "are rejected: all words of a phrase must match, and each alternative hand has its own line. Words of placards "
        "(`perfect pair`, `14+`, `two queens of hearts`) are rejected with the words of a sheet; what no line can say "
        "is listed in [What a sheet cannot say](limits-of-sheets.md).\n"
    )
    yield "## The dealer's hands\n"
    yield f"{(dealer_hands.__doc__ or '').strip().splitlines()[0]}\n"
    yield (
        "A final total from 12 to 21 (`18`, `17-21`), `busts`, `natural` (or `blackjack`), or `no natural`, optionally "
        "followed by the number of cards: `in 3 cards`, `in 5+ cards`. `22` to `26` are busts with exactly that total; "
        "a range must not cross 21."
    )
    yield ""


def _docstring_table(docstring: str | None) -> str:
    """Return the indented lines of a module's docstring."""
    lines = [line for line in (docstring or "").splitlines() if line.startswith("    ")]
    return "\n".join(line.removeprefix("    ") for line in lines)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")

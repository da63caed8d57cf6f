"""Writes docs/sheets.md from the schema: every word of the sheet's language with type, default and meaning.

Run it with `make docs`; a test refuses a page that is not what this writes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from holecard.sheets.files.toml_writer import toml_value
from holecard.sheets.schema import RuleSheet
from holecard.sheets.schema_tree import inner_model
from holecard.wagers import dealer_hands, named_hands

PAGE = Path(__file__).parent / "sheets.md"

INTRODUCTION = """\
# The sheet's language

<!-- Written by docs/make_sheets.py from the schema; run `make docs` after changing a word. -->

A game is one TOML file that reads like the placard on the table. It names the sheet it `extends` and says only what
differs; what no sheet says has the default given here. Any word can be replaced when a sheet is loaded:

```sh
holecard rules double-up --set settle.natural="6 to 5" --set decks=8
holecard rules upcard-luck-21 --set "wager.Upcard Luck.table=B"
```

A word that only one section has may stand alone (`decks`), the others take their section (`main.max`), and a side
wager's words take its name. `holecard check FILE` says what is wrong with a sheet and where. Of a sheet it accepts it
prints what every pay line was read as, with a hand that pays it and one that just misses it, and it warns of lines that
can never pay and of side wagers that favor the player. `holecard schema` prints a JSON Schema for editors.

Sections are merged with those of the extended sheet word by word; lists, such as `decks_offered`, and the tables
`when_dealer_has` and `quick_pay` are replaced whole. Side wagers are merged by name:

- a `[[wager]]` with a new name is added after those of the extended sheet;
- one with the name of a wager of the extended sheet changes that wager key by key and keeps its place; its `lines` are
  replaced whole, `tables` one by one, and new `lines` take the place of the old `tables`;
- `without = ["Hedge 18", "Hedge 19"]` leaves wagers out, `without = "all"` all of them; a wager that is left out and
  written again starts from the defaults, and comes last.

A parent's name, `about`, `source` and `[[ruling]]`s are its own and are not taken over.

How values are written:

- **odds**: `"3 to 2"`, `"push"`, `"lose"`, `"lose half"`, `"even money"`; a net win per unit staked, kept as an exact
  fraction. The first number may have up to nine decimals (`"1.3333 to 1"`). They pay at most 1,000,000 to 1, the second
  number in lowest terms is at most 1,000,000,000, and the least common denominator of all odds of the main wager is at
  most 100,000,000,000 (half of that with a companion);
- **money**: `"$5"`, `"$2.50"`, or a whole number of dollars; kept as cents;
- **totals**: `"any"`, `"none"`, `"9-11"` (hard and soft), `"hard 9-11, soft 13-18"`;
- **upcards**: `"any"`, `"2-7"`, `"A, T"`; ranks without a suit; tens, jacks, queens and kings are all `T`.

A comma means "or", in totals and upcards. In `hand` and `dealer` there are no commas: a line names one hand.
"""


def page() -> str:
    """The whole page."""
    parts = [INTRODUCTION, *_sections(RuleSheet, "", set()), *_vocabulary()]
    return "\n".join(parts)


def _sections(model: type[BaseModel], path: str, told: set[type[BaseModel]]) -> Iterator[str]:
    """A section, then the sections inside it, each told once."""
    if model in told:
        return
    told.add(model)
    heading = (model.__doc__ or "").strip().splitlines()[0]
    yield f"## {_title(path)}\n\n{_without_prefix(heading)}\n"
    yield "| word | type | default | meaning |\n|---|---|---|---|"
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
        yield from _sections(section, where, told)


def _title(path: str) -> str:
    lists = ("wager", "ruling", "wager.tax", "wager.lines")
    if not path:
        return "The sheet"
    return f"`[[{path}]]`" if path in lists else f"`[{path}]`"


def _without_prefix(docstring: str) -> str:
    """ "[shoe]: the cards" begins with the section's name, which the heading has already."""
    sentence = docstring.split("]: ", 1)[-1]
    return sentence[:1].upper() + sentence[1:]


def _meaning(field: FieldInfo) -> str:
    return (field.description or "").replace("|", "\\|")


def _default(field: FieldInfo) -> str:
    if field.default is PydanticUndefined:
        return "*must be given*"
    if field.default is None:
        return "none"
    if isinstance(field.default, BaseModel):
        return "see below"
    return f"`{toml_value(field.default)}`"


def _is_list(field: FieldInfo) -> bool:
    return get_origin(field.annotation) is tuple


def _type(kind: Any, notes: Sequence[Any] = ()) -> str:
    """A type in a designer's words; `notes` are what pydantic knows about it beyond the bare type."""
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
    """The name `words.py` gives to odds, money, totals and upcards."""
    for note in notes:
        schema = getattr(note, "json_schema", None)
        if isinstance(schema, dict):
            return str(schema["title"])
    return ""


def _range(notes: Sequence[Any]) -> str:
    """The limits of a number, wherever pydantic keeps them."""
    flat = [inner for note in notes for inner in (note, *getattr(note, "metadata", ()))]
    low = next((note.ge for note in flat if hasattr(note, "ge")), None)
    high = next((note.le for note in flat if hasattr(note, "le")), None)
    return f", {low} to {high}" if low is not None and high is not None else ""


def _plural(words: str) -> str:
    return words.replace("number", "numbers").replace("section", "sections")


def _vocabulary() -> Iterator[str]:
    yield "## Named hands\n"
    yield "What a pay line can say in `hand`.\n"
    yield f"```text\n{_docstring_table(named_hands.__doc__)}\n```\n"
    yield "All words of a phrase must fit: `suited natural`, `unsuited pair of aces`, `suited 3 and 8`.\n"
    yield (
        "What could be read in two ways is refused, with a spelling for each reading. Numbers up to 10 are ranks and "
        "totals: `3-8 suited` is written `suited 3 and 8` for a three and an eight, or `suited total 3-8` for a total "
        "from 3 to 8; `7 7 7` is `7 and 7 and 7`, and `pair 7` is `pair of sevens` or `pair total 7`. `20`, `18-20` "
        "and `9-11` can only be totals. Commas, and `and` or `or` between whole hands, are refused: words side by side "
        "must all hold, and where one of several hands is enough, each has its own line.\n"
    )
    yield "## The dealer's hands\n"
    yield f"{(dealer_hands.__doc__ or '').strip()}\n"
    yield (
        "A final total from 12 to 21 (`18`, `17-21`), `busts`, `natural` or `no natural`, and if wanted the number of "
        "cards: `in 3 cards`, `in 5+ cards`. `22` to `26` are busts with exactly that total; a range does not "
        "go across 21."
    )
    yield ""


def _docstring_table(docstring: str | None) -> str:
    """The indented lines of a module's docstring."""
    lines = [line for line in (docstring or "").splitlines() if line.startswith("    ")]
    return "\n".join(line.removeprefix("    ") for line in lines)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")

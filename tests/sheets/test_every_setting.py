"""Every setting and every value of it has an effect and a sentence.

The settings are those of the schema, so that a new one, or a new value of an old one, fails here until it is compiled
and described. Each is tried in one lively game, with other settings where it would contradict them or not matter.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from itertools import combinations
from typing import Any, Literal, get_args, get_origin

import annotated_types
import pytest
from pydantic import BaseModel, WithJsonSchema
from pydantic.fields import FieldInfo

from holecard.errors import SheetError
from holecard.sheets.descriptions.describe import describe
from holecard.sheets.read import read_sheet, rules
from holecard.sheets.schema import RuleSheet
from holecard.simulation.procedures import SHEET, procedure_of
from holecard.wagers.pay_table import SideWager

#: Settings that change no rule, each with the reason; all but those of the second list are still said.
NO_EFFECT = {
    "name": "what the game is called",
    "about": "a sentence for the list of games",
    "source": "where the printed rules come from",
    "table.cloth": "a color",
    "shoe.decks_offered": "what the printed sheet says; any number of decks can be played",
    "ruling.on": "text",
    "ruling.reading": "text",
    "ruling.why": "text",
    "ruling.switch": "text: the setting that it names has the effect",
}
NOT_SAID = {"table.cloth": "it is only for the eye"}
#: Keys that say how a sheet is read; they are gone once it is read.
READING = {"extends", "without", "ruling.inherit"}

GAME = read_sheet(
    """
    name = "Lively"
    extends = "classic"
    [main.companion]
    name = "Second"
    [player]
    double_up = "any"
    quick_pay = { 18 = "push" }
    surrender = "late"
    charlie = 6
    [settle]
    when_dealer_has = { 17 = { 21 = "win", other = "push" } }
    [[wager]]
    name = "Pairs"
    lines = [{ hand = "pair", pays = "5 to 1" }]
    [[wager]]
    name = "Busts"
    lines = [{ dealer = "busts", pays = "2 to 1" }]
    [[wager]]
    name = "Token"
    stake = "token"
    tax = [{ hand = "20", tax = "$1" }]
    table = "A"
    [wager.tables]
    A = [{ hand = "pair", pays = "$10" }]
    B = [{ hand = "pair", pays = "$20" }]
    6 = [{ hand = "pair", pays = "$30" }]
    "6 H17" = [{ hand = "pair", pays = "$40" }]
    "6 S17" = [{ hand = "pair", pays = "$50" }]
    [[ruling]]
    on = "Point"
    reading = "So."
    """
)

#: Where a setting of a list is in the game.
PLACES = {
    "wager.placed": "wager.Busts.placed",
    "wager.tax_upcard": "wager.Token.tax_upcard",
    "wager.table": "wager.Token.table",
    "wager.tax.": "wager.Token.tax.0.",
    "wager.lines.dealer": "wager.Busts.lines.0.dealer",
    "wager.lines.": "wager.Pairs.lines.0.",
    "wager.": "wager.Pairs.",
    "settle.when_dealer_has.": "settle.when_dealer_has.17.",
    "ruling.": "ruling.Point.",
}
#: Other settings with which a setting matters and contradicts nothing.
UNCHECKED: dict[str, object] = {"insurance.pays": "none", "player.surrender": "none", "player.quick_pay": {}}
WITH: dict[str, dict[str, object]] = {
    "dealer.hole_card": UNCHECKED,
    "dealer.natural_takes": {**UNCHECKED, "dealer.hole_card": "no peek"},
}
#: Values of kinds that the schema does not list, by the name of the kind, and those of single settings.
KINDS: dict[str, tuple[object, ...]] = {
    "odds": ("3 to 2", "6 to 5", "push", "lose half", "lose"),
    'odds or `"none"`': ("2 to 1", "3 to 2", "none"),
    "odds or money": ("5 to 1", "push", "$40", {"2": "5 to 1", "T": "6 to 1"}, {"2": "5 to 1", "T": "7 to 1"}),
    "money": ("$1", "$2", "$3", "$5", "$10", "$500"),
    "totals": ("any", "none", "9-11", "hard 9-11", "soft 13-18"),
    "upcards": ("any", "2-7", "8, A"),
    "text": ("This", "That"),
}
VALUES: dict[str, tuple[object, ...]] = {
    "shoe.decks_offered": ((), (6,), (1, 8)),
    "shoe.face_down_with": ((), (6,)),
    "dealer.ends_on": ((), (12,), (13,), (14,), (15,), (16,), (12, 15)),
    "main.companion": ("none", {"name": "Second"}),
    "player.quick_pay": (
        {},
        {"18": "push"},
        {"12": "lose half"},
        {"12": "lose half", "20": "1 to 1"},
        {"12": "lose half", "20": "push"},
    ),
    "settle.when_dealer_has": (
        {},
        {"17": "win"},
        {"17": "lose"},
        *({str(total): "push"} for total in range(17, 23)),
        {"17": "push", "22": "push"},
    ),
    "settle.when_dealer_has.21": ("win", "push", "lose"),
    "wager.needs": (None, "Busts", "Token"),
    "wager.table": ("A", "B", "by decks", "by decks and soft 17"),
    "wager.lines.hand": ("pair", "suited pair", "natural"),
    "wager.lines.dealer": ("busts", "busts in 5+ cards", "18"),
    "wager.tax.hand": ("20", "natural"),
    "ruling.switch": ("", "shoe.decks=8", ("shoe.decks=7", "shoe.decks=8")),
}
#: What is tried once more with other settings: the setting, those, and its values.
AGAIN: tuple[tuple[str, dict[str, object], tuple[object, ...]], ...] = (
    ("shoe.face_down_with", {"shoe.decks": 8}, ((), (8,))),
    ("player.surrender", {"dealer.hole_card": "face up", "insurance.pays": "none"}, ("none", "late")),
    (
        "settle.when_dealer_has",
        {"dealer.ends_on": (12, 13, 14, 15, 16)},
        ({}, *({str(total): "push"} for total in range(12, 17))),
    ),
    ("wager.table", {"dealer.soft_17": "stand"}, VALUES["wager.table"]),
)
#: What repeats other fields of the tables, and would hide that one of those has no effect.
REPEATED = {"sheet", "actions"}
#: The most values of a number that are all tried.
MOST_NUMBERS = 17


def settings(
    model: type[BaseModel] = RuleSheet, path: str = "", seen: frozenset[object] = frozenset()
) -> Iterator[Any]:
    """Every setting of the schema: its path, and its field. A section that several keys hold is visited once."""
    visited = {*seen, model}
    for key, field in model.model_fields.items():
        where = f"{path}{field.alias or key}"
        inside = [kind for kind in parts(field) if isinstance(kind, type) and issubclass(kind, BaseModel)]
        if not inside or where in VALUES:
            yield pytest.param(where, field, id=where)
        for section in inside:
            if section not in visited:
                visited.add(section)
                yield from settings(section, f"{where}.", frozenset(visited))


def parts(kind: object) -> Iterator[object]:
    """Everything inside a type: types, constraints, and the values of literals."""
    if isinstance(kind, FieldInfo):
        yield from kind.metadata
        kind = kind.annotation
    yield kind
    for inner in get_args(kind):
        yield from parts(inner)


def literals(field: FieldInfo) -> tuple[object, ...]:
    return tuple(value for kind in parts(field) if get_origin(kind) is Literal for value in get_args(kind))


def values(path: str, field: FieldInfo) -> tuple[object, ...]:
    """All values of a setting that has a list of them, or a few that stand for all."""
    found = list(parts(field))
    nothing = (None,) if type(None) in found else ()
    named = [kind.json_schema["title"] for kind in found if isinstance(kind, WithJsonSchema) and kind.json_schema]
    if path in VALUES:
        return VALUES[path]
    if named:
        return KINDS[max(named, key=lambda name: " or " in name)]
    if every := literals(field):
        return every + nothing
    if bool in found:
        return (False, True)
    if int in found:
        low = next(int(kind.ge) for kind in found if isinstance(kind, annotated_types.Ge))
        high = next(int(kind.le) for kind in found if isinstance(kind, annotated_types.Le))
        numbers = range(low, high + 1)
        return (*(numbers if len(numbers) <= MOST_NUMBERS else (low, (low + high) // 2, high)), *nothing)
    assert str in found, f"{path}: write in VALUES which values stand for all of them"
    return KINDS["text"]


def place(path: str) -> str:
    """The setting as `--set` writes it."""
    for schema, written in PLACES.items():
        if path.startswith(schema):
            return written + path.removeprefix(schema)
    return path


def game(path: str, value: object, others: Mapping[str, object]) -> RuleSheet | None:
    """The game with a value and other settings; None where the sheet refuses it."""
    try:
        return rules(GAME, {**others, place(path): value})
    except SheetError:
        return None


def effect(sheet: RuleSheet, path: str) -> dict[str, object]:
    """Everything that is compiled, without the words for it, and how the shoe is dealt."""
    tables = sheet.tables
    compiled = {field.name: getattr(tables, field.name) for field in fields(tables) if field.name not in REPEATED}
    if path != "wager.lines.name":
        compiled["wagers"] = [without_words(wager) for wager in tables.wagers]
    for name in ("settlement", "surrender", "quick_pay"):
        compiled[name] = nets(compiled[name])
    return {**compiled, "shoe": procedure_of(sheet, SHEET).rule}


def without_words(wager: SideWager) -> SideWager:
    """The wager without the names of its lines, which repeat what the sheet says and pay nothing."""
    lines, tax = (tuple(replace(line, name="") for line in every) for every in (wager.lines, wager.tax))
    return replace(wager, lines=lines, tax=tax)


def nets(cells: Any) -> Any:
    """The net wins of cells in lists of any depth."""
    if hasattr(cells, "net"):
        return cells.net
    return None if cells is None else [nets(inner) for inner in cells]


def said(sheet: RuleSheet, path: str) -> list[object]:
    """All that `rules` prints, without the list of changed settings, and the rulings where they are meant."""
    found = describe(sheet)
    head = [found.name, found.source, found.about if path == "about" else ""]
    wagers = [replace(wager, house_table=False) for wager in found.wagers]  # a mark for programs, not a sentence
    return [*head, found.sections, wagers, found.rulings if path.startswith("ruling.") else ()]


SETTINGS = [param for param in settings() if param.id not in READING]


def alike(shown: Mapping[str, object]) -> list[str]:
    """Pairs of values with which the same is shown."""
    return [f"{a} and {b}" for (a, one), (b, other) in combinations(shown.items(), 2) if one == other]


@pytest.mark.parametrize(("path", "field"), SETTINGS)
def test_every_value_has_an_effect_and_a_sentence(path: str, field: FieldInfo) -> None:
    """No two values compile to the same tables, and no two are described by the same words."""
    tried = check_values(path, values(path, field), WITH.get(path, {}))
    assert tried >= set(map(str, VALUES.get(path, ()))), "every value of VALUES is tried"
    untried = [value for value in literals(field) if not any(str(value) in words for words in tried)]
    assert not untried, "every value that the schema lists is tried"


@pytest.mark.parametrize(
    ("path", "others", "chosen"), AGAIN, ids=[f"{path} with {', '.join(others)}" for path, others, _ in AGAIN]
)
def test_a_value_has_its_effect_with_other_settings(
    path: str, others: dict[str, object], chosen: tuple[object, ...]
) -> None:
    """A value may not be compiled for one game only."""
    assert check_values(path, chosen, others) == set(map(str, chosen)), "every value of AGAIN is tried"


def check_values(path: str, chosen: tuple[object, ...], others: Mapping[str, object]) -> set[str]:
    """Compare the games with each value, and return the values that the sheet accepts."""
    sheets = {str(value): sheet for value in chosen if (sheet := game(path, value, others))}
    assert len(sheets) > 1, "fewer than two values can be dealt"
    without_effect = alike({value: effect(sheet, path) for value, sheet in sheets.items()})
    assert bool(without_effect) == (path in NO_EFFECT), f"compiled alike: {without_effect}"
    without_sentence = alike({value: said(sheet, path) for value, sheet in sheets.items()})
    assert bool(without_sentence) == (path in NOT_SAID), f"described alike: {without_sentence}"
    return set(sheets)


def test_the_lists_of_exceptions_name_settings() -> None:
    """A setting that is gone or renamed leaves its exceptions."""
    paths = {param.id for param in SETTINGS}
    assert paths >= {*NO_EFFECT, *NOT_SAID, *WITH, *VALUES, *(path for path, _, _ in AGAIN)}
    assert {param.id for param in settings()} >= READING

"""What every report says about the game it is about: version, sheet and settings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import holecard
from holecard.errors import plural
from holecard.report.document import Facts, Heading
from holecard.sheets.descriptions.phrases import plain_value
from holecard.sheets.schema import RuleSheet

if TYPE_CHECKING:
    from holecard.composition import Composition


def origin(rules: RuleSheet) -> str:
    """Return the name or file the game was asked for by."""
    return rules.origin[0] or rules.name


def identity(rules: RuleSheet) -> dict[str, Any]:
    """Return the first keys of every JSON object about one game: who computed it, and from which sheet."""
    return {"version": holecard.__version__, "sheet": sheet_identity(rules), "game": origin(rules)}


def sheet_identity(rules: RuleSheet) -> dict[str, str]:
    """Return the sheet by name and content; two sheets with one hash deal the same game."""
    return {"name": rules.name, "game": origin(rules), "hash": rules.hash}


def settings(rules: RuleSheet) -> dict[str, object]:
    """Return the settings that were changed on the sheet."""
    return dict(rules.origin[1])


def settings_text(rules: RuleSheet) -> str:
    """Return the changed settings in one line."""
    return ", ".join(f"{key} = {plain_value(value)}" for key, value in rules.origin[1].items())


def shoe_data(shoe: Composition) -> dict[str, Any]:
    """Return a shoe as `--shoe` reads it."""
    return {"cards": shoe.total, "counts": str(shoe), "suits_known": shoe.suited is not None}


def title_and_facts(rules: RuleSheet, *lines: tuple[str, str]) -> list[Heading | Facts]:
    """Return the game's name, and what the report is based on; lines without words are left out."""
    return [Heading(rules.name, level=1), Facts(tuple(line for line in lines if line[1]))]


def shoe_text(rules: RuleSheet, shoe: Composition) -> str:
    """Return the shoe in words."""
    from holecard.composition import full

    decks = rules.shoe.decks
    if shoe == full(decks):
        return f"{plural(decks, 'deck')}, {shoe.total} cards, a fresh shoe each round"
    suits = "" if shoe.suited is not None else ", suits unknown"
    return f"{shoe.total} cards before the round{suits}: {shoe}"

"""docs/sheets.md is what the schema says, and it says every word."""

from __future__ import annotations

import json
import re

from docs.make_sheets import PAGE, page
from holecard.sheets.read import json_schema


def test_the_page_is_what_the_schema_writes() -> None:
    """A changed word without `make docs` is caught here."""
    assert PAGE.read_text(encoding="utf-8") == page()


def test_every_word_of_the_language_is_documented() -> None:
    """Counted from the JSON Schema, not from the page's own walk over the models."""
    text = PAGE.read_text(encoding="utf-8")
    documented = set(re.findall(r"^\| `([^`]+)` \|", text, flags=re.MULTILINE))
    documented |= set(re.findall(r"^## `\[+([a-z.]+)\]+`", text, flags=re.MULTILINE))
    schema = json.loads(json_schema())
    words = {word for model in (schema, *schema["$defs"].values()) for word in model.get("properties", {})}
    assert len(words) > 50
    assert words - documented == set()


def test_every_word_has_a_meaning() -> None:
    """No row of the page is left empty."""
    rows = re.findall(r"^\| `[^`]+` \|.*$", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert rows
    for row in rows:
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", row)[1:-1]]
        assert len(cells) == 4, row
        assert all(cells), row

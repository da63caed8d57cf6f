"""docs/sheets.md is generated from the schema and describes every setting."""

from __future__ import annotations

import json
import re

from docs.make_sheets import PAGE, page
from holecard.sheets.read import json_schema


def test_the_page_is_what_the_schema_writes() -> None:
    """This fails if the schema was changed without running `make docs`."""
    assert PAGE.read_text(encoding="utf-8") == page()


def test_every_word_of_the_language_is_documented() -> None:
    """The settings come from the JSON Schema, not from the code that writes the page."""
    text = PAGE.read_text(encoding="utf-8")
    documented = set(re.findall(r"^\| `([^`]+)` \|", text, flags=re.MULTILINE))
    documented |= set(re.findall(r"^## `\[+([a-z.]+)\]+`", text, flags=re.MULTILINE))
    schema = json.loads(json_schema())
    words = {word for model in (schema, *schema["$defs"].values()) for word in model.get("properties", {})}
    assert len(words) > 50
    assert words - documented == set()


def test_every_word_has_a_meaning() -> None:
    """Every row of the page has a description."""
    rows = re.findall(r"^\| `[^`]+` \|.*$", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert rows
    for row in rows:
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", row)[1:-1]]
        assert len(cells) == 4, row
        assert all(cells), row


def test_no_private_name_is_on_the_page() -> None:
    """Names that begin with an underscore are for those who read the code."""
    assert re.findall(r"(?<![\w.])_[a-z]\w*", PAGE.read_text(encoding="utf-8")) == []

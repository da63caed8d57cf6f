"""The documentation site has every page; `make site` checks the links."""

from __future__ import annotations

import re
from pathlib import Path

from docs.site_pages import PAGES, for_site

ROOT = Path(__file__).parents[2]


def test_every_page_is_in_the_menu() -> None:
    menu = re.findall(r"^ +- [^:\n]+: (\S+\.md)$", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(menu) == sorted([*PAGES, *(page.name for page in (ROOT / "docs").glob("*.md"))])


def test_links_of_the_readme_lead_to_pages_of_the_site() -> None:
    """Pages of docs/ are at the top of the site, and source files are not in it."""
    text = "[a](docs/sheets.md#decks) [b](CONTRIBUTING.md) [c](src/holecard/catalog) [d](https://e.org/x) [e](#two)"
    assert for_site(text) == "[a](sheets.md#decks) [b](contributing.md) c [d](https://e.org/x) [e](#two)"

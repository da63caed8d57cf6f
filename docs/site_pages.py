"""Pages of the documentation site that are kept outside docs/: the README, CONTRIBUTING.md, CHANGELOG.md and
SECURITY.md.

mkdocs runs this hook (see mkdocs.yml). Links in those pages are relative to the repository; the site has the pages of
docs/ at its top, and no source files.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
#: Pages of the site, and the files they are made from.
PAGES = {
    "index.md": "README.md",
    "contributing.md": "CONTRIBUTING.md",
    "changelog.md": "CHANGELOG.md",
    "report.md": "SECURITY.md",
}
_LINK = re.compile(r"\[([^]]*)\]\((?!\w+:|#)([^)#]+)(#[^)]*)?\)")
_FENCE = re.compile(r"^```(\w+) \S+$", re.MULTILINE)


def on_files(files: Any, config: Any) -> Any:
    """Add the pages to the files of the site."""
    from mkdocs.structure.files import File

    for page, source in PAGES.items():
        text = (ROOT / source).read_text(encoding="utf-8")
        files.append(File.generated(config, page, content=for_site(text)))
    return files


def for_site(text: str) -> str:
    """Return a page with its links as the site needs them.

    >>> for_site("[sheets](docs/sheets.md#decks), [how](CONTRIBUTING.md), [examples](src/holecard/catalog)")
    '[sheets](sheets.md#decks), [how](contributing.md), examples'
    """
    return _FENCE.sub(r"```\1", _LINK.sub(_relinked, text))


def _relinked(link: re.Match[str]) -> str:
    text, target, heading = link[1], link[2], link[3] or ""
    if target.startswith("docs/"):
        return f"[{text}]({target.removeprefix('docs/')}{heading})"
    for page, source in PAGES.items():
        if target == source:
            return f"[{text}]({page}{heading})"
    return text

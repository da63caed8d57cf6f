"""Blocks of a page that are written by a script, between two comments; the rest of the page is written by people."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path

_BLOCK = re.compile(r"(<!-- generated: ([\w ]+) -->\n).*?(<!-- end -->)", re.DOTALL)


def with_blocks(page: Path, blocks: Mapping[str, Callable[[], str]]) -> str:
    """Return a page with each of these blocks as it should be now; the page must have all of them, and no others."""
    text = page.read_text(encoding="utf-8")
    named = [name for _, name, _ in _BLOCK.findall(text)]
    if sorted(named) != sorted(blocks):
        raise ValueError(f"{page.name} has the blocks {sorted(named)}; it should have {sorted(blocks)}")
    return _BLOCK.sub(lambda block: f"{block[1]}\n{blocks[block[2]]().strip()}\n\n{block[3]}", text)

"""Every example in the README is run, and its output is what stands there."""

from __future__ import annotations

import re

from docs.fill_readme import README, filled


def test_every_example_prints_what_the_readme_shows() -> None:
    """`make docs` writes the outputs anew; a difference shows as a readable diff."""
    text = README.read_text(encoding="utf-8")
    assert filled(text).splitlines() == text.splitlines()


def test_the_readme_has_examples_of_every_kind() -> None:
    """A README whose blocks were renamed would otherwise pass without running any."""
    text = README.read_text(encoding="utf-8")
    kinds = re.findall(r"^```(\w+)$", text, flags=re.MULTILINE)
    assert kinds.count("console") >= 3
    assert kinds.count("python") >= 4
    assert kinds.count("toml") >= 1


def test_the_first_screen_shows_a_round() -> None:
    """Within the first 40 lines: a dealer's hand and what a wager won."""
    first = "\n".join(README.read_text(encoding="utf-8").splitlines()[:40])
    assert "Dealer" in first
    assert re.search(r"pays \d+ to \d+", first)

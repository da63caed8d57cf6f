"""Every example in the README and the documentation pages runs, and its output is what the page shows."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from docs.fill_readme import PAGES, README, filled
from docs.make_figures import CHART, chart, figures, with_figures
from tests.selection import quick


@pytest.mark.parametrize("page", quick(PAGES, README), ids=lambda page: page.name)
def test_every_example_prints_what_the_page_shows(page: Path) -> None:
    """`make docs` updates the outputs; a difference shows as a readable diff."""
    text = page.read_text(encoding="utf-8")
    assert filled(text).splitlines() == text.splitlines()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_block_that_looks_like_an_example_is_one(page: Path) -> None:
    """Otherwise a page with renamed blocks would pass without running any of them."""
    kind = ""
    for line in page.read_text(encoding="utf-8").splitlines():
        if line.startswith("```"):
            kind = line.removeprefix("```").split(" ")[0] if not kind else ""
        # Blocks called pycon are docstring examples, which tests/test_doctests.py runs.
        assert not line.startswith(">>> ") or kind in ("python", "pycon"), line
        assert not line.startswith("$ ") or kind == "console", line


def test_the_readme_has_examples_of_every_kind() -> None:
    """Commands, Python sessions, and a sheet."""
    text = README.read_text(encoding="utf-8")
    kinds = re.findall(r"^```(\w+)", text, flags=re.MULTILINE)
    assert kinds.count("console") >= 5
    assert kinds.count("python") >= 5
    assert kinds.count("toml") >= 1


def test_the_first_screen_shows_a_picture_the_commands_and_a_round() -> None:
    """Within the first 40 lines: how to start, the chart, a dealer's hand, and what a wager won."""
    first = "\n".join(README.read_text(encoding="utf-8").splitlines()[:42])
    assert all(command in first for command in ("make play", "make test", "pip install ."))
    assert CHART.relative_to(README.parent).as_posix() in first
    assert "Dealer" in first
    assert re.search(r"pays \d+ to \d+", first)


def test_the_figures_and_the_chart_are_up_to_date() -> None:
    """`make docs` writes them; each of our numbers rounds to the published digits."""
    text = README.read_text(encoding="utf-8")
    assert with_figures(text) == text
    assert CHART.read_text(encoding="utf-8") == chart()
    assert len(list(figures())) == 12


def test_our_figures_round_to_the_published_ones() -> None:
    for figure in figures():
        assert round(figure.ours, len(figure.published.partition(".")[2])) == float(figure.published), figure.what


def test_a_refusal_behind_a_pipe_does_not_pass_for_an_example() -> None:
    """The pipe would succeed, and the page would show nothing."""
    with pytest.raises(RuntimeError, match="no game or file has this name"):
        filled("```console\n$ holecard rules nonsense | head\n```\n")


def test_every_link_leads_somewhere() -> None:
    """A link leads to a file in the repository and, if it names one, to a heading in it."""
    for page in PAGES:
        for target, heading in re.findall(r"\]\(([^)#]*)#?([^)]*)\)", page.read_text(encoding="utf-8")):
            file = page.parent / target if target else page
            assert file.exists(), f"{page.name}: {target}"
            if heading:
                headings = re.findall(r"^#+ (.*)$", file.read_text(encoding="utf-8"), flags=re.MULTILINE)
                assert heading in {title.lower().replace(" ", "-") for title in headings}, heading

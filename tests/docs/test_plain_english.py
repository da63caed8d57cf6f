"""Text in the repository is plain American English: some words and phrases do not come back.

The test cannot judge style. It looks for spellings and phrases that are almost never right here, and leaves the rest to
the reader. If it stops a sentence that is fine, make the pattern narrower.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[2]
#: Files and folders to check.
CLEAN = (
    ".ci",
    ".github",
    ".pre-commit-config.yaml",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "Makefile",
    "README.md",
    "bench",
    "docs",
    "pyproject.toml",
    "src",
    "tests",
)
#: This file, which has to name the words.
HERE = Path(__file__).relative_to(ROOT).as_posix()
SUFFIXES = frozenset({"", ".cfg", ".css", ".html", ".js", ".md", ".py", ".toml", ".txt", ".yml", ".yaml"})
#: Texts that are removed before the search: a spelling that rule sheets may use, a method of Python's futures,
#: and a line of the changelog.
ALLOWED = ('"one colour"', ".cancelled()")
BRITISH = """
    analyse analysed analyser analysing behaviour behaviours cancelled centre centred centres colour coloured colouring
    colours favour favourable favoured favourite favours fulfil grey honour honoured labelled labelling labour learnt
    licence licences modelled modelling neighbour neighbouring neighbours programme programmes recoloured rumour
    spelt travelled whilst
"""
#: "There is no ..." is good English; "a king is no ace" is not. Comparisons such as "no longer" are fine.
_IS_NO = (
    r"(?<!there) (?:is|are|was|were) no "
    r"(?!\w+er\b|more\b|less\b|better\b|worse\b|different\b|good\b|use\b|such\b|one\b)[a-z]+"
)
PATTERNS = {
    "British spelling": rf"\b(?:{'|'.join(BRITISH.split())})\b",
    "British -ise": r"\b(?:capital|initial|maxim|minim|normal|optim|organ|recogn|summar)is(?:e[ds]?|ing|ation)\b",
    "reckon: write compute": r"\breckon\w*",
    "X is no Y: write is not a Y": _IS_NO,
    "anew: write again": r"\banew\b",
    "whoever: name the person": r"\bwhoever\b",
    "worth as a noun: write EV or payoff": r"\bworths\b|\bthe worth of\b|\bits worth\b",
    "inverted sentence": r"\bruined is who\b|\bso it is unless\b",
    "so many: give the number or its name": r"\bso many (?!that\b)",
    "such a share: name it": r"\bsuch a share\b",
    "graphics card: write GPU": r"\bgraphics cards?\b",
    "is none: say what the value must be": r"(?<!there) is none;",
    "told: write distinguished, said or reported": r"\btold from\b|(?<!told) (?:is|are|be|was) told\b",
    "the shoe has not: write the shoe does not have": r"\b(?:has|have) not (?:that|so) many\b",
    "beside: write next to, compared with or in addition to": r"\bbeside\b",
    "bust as an adjective: write has busted": r"\b(?:hand|player|dealer) (?:is|was) bust\b",
    "for ever: write forever": r"\bfor ever\b",
    "in full sight: write visible": r"\bin full sight\b",
    "goes on: write continues": r"\b(?:play|shoe|round|game) goes on\b",
    "is not possible: write is not valid": r"\bis not possible;",
    "half a time: give the number": r"\bhalf a time\b",
    "given no dealer's natural: write the dealer has no blackjack": r"\bgiven no dealer's natural\b",
}


class Found(NamedTuple):
    """One place that needs another wording."""

    file: str
    line: int
    rule: str
    text: str


def files(path: str) -> list[str]:
    """Text files below a path that git tracks, without this one."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "--", path],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()
    text = [name for name in listed if Path(name).suffix in SUFFIXES and (ROOT / name).exists()]
    return sorted(set(text) - {HERE})


def prose(text: str, *, markdown: bool) -> str:
    """The text without allowed phrases and, in Markdown, without code blocks, whose output is written by programs."""
    if markdown:
        text = re.sub(r"^```.*?^```$", lambda block: "\n" * block[0].count("\n"), text, flags=re.MULTILINE | re.DOTALL)
    for phrase in ALLOWED:
        text = text.replace(phrase, "")
    return text


def search(text: str, file: str = "") -> Iterator[Found]:
    """Every match of a pattern, also across line breaks, with their indentation and comment signs, and in names."""
    text = re.sub(r"\n[ \t]*#?:?[ \t]*", "\n", re.sub(r"(?<=\S) +", " ", text.replace("_", " "))).lower()
    for rule, pattern in PATTERNS.items():
        # re finds letters much faster than a word boundary, and most texts do not have them.
        is_word = re.match(r"\\b[a-z]", pattern) and r"|\b" not in pattern
        if is_word and not re.search(pattern.removeprefix(r"\b").replace(" ", r"\s"), text):
            continue
        for match in re.finditer(pattern.replace(" ", r"\s"), text):
            yield Found(file, text[: match.start()].count("\n") + 1, rule, " ".join(match[0].split()))


@pytest.mark.parametrize("path", CLEAN)
def test_the_text_is_plain_english(path: str) -> None:
    """The failure lists file, line, rule, and words."""
    names = files(path)
    assert names, f"{path} does not exist; remove it from CLEAN"
    found = []
    for name in names:
        text = prose((ROOT / name).read_text(encoding="utf-8"), markdown=name.endswith(".md"))
        found += search(text, name)
    assert not found, "\n".join(f"{place.file}:{place.line}: {place.rule}: {place.text!r}" for place in found)


@pytest.mark.parametrize(
    "sentence",
    [
        "A king is no ace.",
        "It reckons the house edge.",
        "The colour of the card",
        "The table is written anew.",
        "Whoever plays on is ruined.",
        "with so many cards",
        "two wagers are\nno pair",
        "    # a king is\n    # no ace",
        "def test_a_king_is_no_ace() -> None:",
        "a margin of -1 is none; it is 0 or more",
        "A gain can be told from luck.",
        "5 aces cannot be out, the shoe has not that many",
        "sessions to sample beside the exact numbers",
        "The hand is bust.",
        "EV given no dealer's natural",
    ],
)
def test_a_wrong_phrase_is_found(sentence: str) -> None:
    """Also across a line break and in a name."""
    assert list(search(sentence))


@pytest.mark.parametrize(
    "sentence",
    [
        "There is no hole card.",
        "    # where there\n    # is no hole card",
        "The bet is no longer open.",
        "Two analyses of one game",
        "so many that nobody counts",
        "This is no different.",
        "The color is gray.",
        "None if there is none; else the number",
        "Besides the main wager, there are side wagers.",
        "The dealer busts.",
    ],
)
def test_good_english_is_left_alone(sentence: str) -> None:
    """Precision matters more than coverage."""
    assert not list(search(sentence))


def test_code_blocks_of_a_page_are_not_searched() -> None:
    """Line numbers stay right."""
    text = "one\n```console\nreckon\n```\nreckon\n"
    assert [place.line for place in search(prose(text, markdown=True))] == [5]

"""docs/glossary.md explains the terms that readers meet, in alphabetical order."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from holecard.charts import letters
from holecard.sheets.schema import RuleSheet

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
TEXT = (DOCS / "glossary.md").read_text(encoding="utf-8")
#: Each entry starts with its term in bold, followed by a period.
ENTRIES = {
    term.rstrip("."): " ".join(text.split())
    for term, text in re.findall(r"^\*\*(.+?)\*\* (.+?)(?=\n\n|\Z)", TEXT, flags=re.MULTILINE | re.DOTALL)
}
#: Sections whose every setting belongs to a term of the game. Names, limits and seats explain themselves.
SECTIONS = ("shoe", "dealer", "player", "insurance", "settle")
#: Pages that use many of the terms.
LINKING = (
    "CONTRIBUTING.md",
    *(
        "bankroll",
        "charts",
        "counting",
        "exact",
        "hedge",
        "json",
        "performance",
        "rulings",
        "sheets",
        "simulation",
        "sweep",
    ),
    *("protocol", "server"),
)
TERMS = """
    Blackjack, Natural, Upcard, Hole card, Peek, No peek, ENHC, DAS, Resplit, RSA, Late surrender, Early surrender,
    Original bets only, Push, Even money, Insurance, Pay line, Pay table, Side wager, House edge, Element of risk, EV,
    Total-dependent, Composition-dependent, CDZ-, Error bound, Par sheet, Hit frequency, Hold, Penetration, Cut card,
    Continuous shuffler, Philox, Seed, Chunk, Lane, Batch, Kernel, Settlement class, Settlement matrix, Kind of stake,
    Late wager, Last call, House table, Ruling, Rule sheet, Setting, Record, View, Spot, Control variate, N0,
    Risk of ruin, Drawdown, Chi-square, Holm's method, Audit, Commitment, Fold, Held, Ledger, Log, Operator, Pending,
    Player seed, SCORE, Counter, Perfect player, Ramp, Reading, Side count, Running count, True count, Wonging
"""


def key(term: str) -> str:
    """A term as an index sorts it: lower case, without punctuation and without a remark in parentheses."""
    bare = re.sub(r"\(.*\)", "", term).replace("-", " ")
    return " ".join(re.sub(r"[^\w\s]", "", bare).lower().split())


def test_the_entries_are_in_alphabetical_order() -> None:
    """Every entry was recognized, and each one is below the heading of its letter."""
    keys = [key(term) for term in ENTRIES]
    assert len(keys) == len(re.findall(r"^\*\*", TEXT, flags=re.MULTILINE)) > 100
    assert keys == sorted(keys)
    for section in re.split(r"^## ", TEXT, flags=re.MULTILINE)[1:]:
        letter, _, body = section.partition("\n")
        assert {key(term)[0] for term in re.findall(r"^\*\*(.+?)\*\*", body, flags=re.MULTILINE)} == {letter.lower()}


@pytest.mark.parametrize("term", [term.strip() for term in TERMS.split(",")])
def test_key_terms_are_explained(term: str) -> None:
    """A term has an entry with at least a sentence or a reference."""
    assert len(ENTRIES[term].split()) > 1


@pytest.mark.parametrize("letter", letters.ACTIONS)
def test_every_chart_letter_is_explained(letter: str) -> None:
    """With the words of a chart's legend."""
    assert ENTRIES[f"{letter} (chart letter)"].lower().startswith(f"{letters.letter_name(letter)}.".lower())


def test_the_dash_is_explained() -> None:
    """It is the one sign of a chart that is not a letter."""
    assert ENTRIES["Dash (-, chart letter)"].lower() == f"{letters.AS_TOTAL_WORDS}."


@pytest.mark.parametrize("section", SECTIONS)
def test_every_setting_belongs_to_a_term(section: str) -> None:
    """A new setting gets a term, or is added to one."""
    model = type(getattr(RuleSheet(name="any"), section))
    text = " ".join(TEXT.split())
    assert [word for word in model.model_fields if not re.search(rf"`{section}\.{word}\b", text)] == []


def test_every_setting_it_names_exists() -> None:
    """A renamed setting is renamed here too."""
    sheet = RuleSheet(name="any")
    named = re.findall(r"`([a-z]+)\.([a-z_0-9]+)\b", TEXT)
    sections = {*SECTIONS, "main", "table"}
    assert {(section, word) for section, word in named if section not in sections} == {("concurrent", "futures")}
    for section, word in named:
        if section in sections:
            assert word in type(getattr(sheet, section)).model_fields, f"{section}.{word}"


def test_references_and_links_lead_somewhere() -> None:
    """ "See *term*" names an entry, and a link names a page."""
    terms = {key(term) for term in ENTRIES}
    for reference in re.findall(r"[Ss]ee (?:also )?\*([^*]+)\*", TEXT):
        assert key(reference) in terms, reference
    for target in re.findall(r"\]\(([^)#]+)", TEXT):
        assert (DOCS / target).exists(), target


@pytest.mark.parametrize("name", LINKING)
def test_pages_link_to_the_glossary(name: str) -> None:
    """A reader who meets a term finds it."""
    page = ROOT / name if name == "CONTRIBUTING.md" else DOCS / f"{name}.md"
    assert "glossary.md)" in page.read_text(encoding="utf-8")

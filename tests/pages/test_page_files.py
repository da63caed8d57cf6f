"""What holds for all files of the pages: small, our own, nothing inline, and all English in the catalogues."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Collection, Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tests.pages.programs import PAGES, node

LARGEST = 300 * 1024
FILES = sorted(path for path in PAGES.rglob("*") if path.is_file())
MODULES = [path for path in FILES if path.suffix == ".js"]
#: The catalogues, one file for what several pages need and one for each page with words of its own.
CATALOGUES = sorted((PAGES / "text" / "en").iterdir())
#: A word of a catalogue in code: t("lobby.title"), or t(`table.${name}`), of which only the beginning is known.
_USE = re.compile(r"""(?<![\w.])t\(\s*(?:"([\w.-]+)"|'([\w.-]+)'|`([\w.-]*)(\$\{)?)""")
#: A key that is stored before it is used, as in {title: "lobby.title"}.
_KEY = re.compile(r"""["'`]([a-z]+(?:\.[\w-]+)+)["'`]""")
_STRING = re.compile(r""""(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`""")
_COMMENT = re.compile(r"/\*.*?\*/|(?<![:\"'`\w])//[^\n]*", re.DOTALL)
#: A sentence or a label: a capital letter, then another word.
_ENGLISH = re.compile(r"""^["'`](?=.*[A-Z])[A-Z][a-z]+(?: \w+)+[.!?:…]?["'`]$""")
#: What programmers read and players do not.
_FOR_PROGRAMMERS = re.compile(r"(?:Error|warn|assert)\($")


def named(path: Path) -> str:
    return path.relative_to(PAGES).as_posix()


def code(path: Path) -> str:
    """The text of a module without comments."""
    return _COMMENT.sub("", path.read_text(encoding="utf-8"))


@cache
def catalogue(*files: Path) -> frozenset[str]:
    """The keys of these catalogues, such as "lobby.title"; those of all when none is named."""
    script = (
        "const found = [];"
        "const walk = (value, path) => value !== null && typeof value === 'object' && !Array.isArray(value)"
        "  ? Object.entries(value).forEach(([name, inner]) => walk(inner, [...path, name]))"
        "  : found.push(path.join('.'));"
        "for (const file of process.argv.slice(1)) walk((await import(file)).default, []);"
        "console.log(JSON.stringify(found));"
    )
    command = [node(), "--input-type=module", "--eval", script, *(file.as_uri() for file in files or CATALOGUES)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return frozenset(json.loads(done.stdout))


def named_by(path: Path) -> Iterator[Path]:
    """Yield the files that a page or module loads, at once or later; not those that only operators load, later."""
    text = path.read_text(encoding="utf-8") if path.suffix == ".html" else code(path)
    names = re.findall(r"""(?:href|src)="/static/([^"]+)\"""", text) if path.suffix == ".html" else []
    yield from (PAGES / name for name in names)
    if path.suffix != ".js":
        return
    pattern = re.compile(r"""(\bfrom|^import|\bimport\()\s*["']([^"']+\.js)["']""", re.MULTILINE)
    for how, name in pattern.findall(text):
        file = PAGES / name.removeprefix("/static/") if name.startswith("/") else (path.parent / name).resolve()
        if how != "import(" or file.parent != PAGES / "operator":
            yield file


def loaded_by(file: Path) -> set[Path]:
    """A page, its styles and scripts, and what these load for every person."""
    found, waiting = set[Path](), [file]
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            waiting += named_by(path)
    return found


@pytest.mark.parametrize("page", [path for path in FILES if path.suffix == ".html"], ids=named)
def test_a_page_is_small(page: Path) -> None:
    """A phone loads it over a slow network. A page that loads almost nothing was not read right."""
    sizes = {named(path.resolve()): path.stat().st_size for path in loaded_by(page)}
    assert "text/en/shared.js" in sizes
    assert "style/base.css" in sizes
    assert sum(sizes.values()) < LARGEST, sorted(sizes.items(), key=lambda item: -item[1])[:10]


@pytest.mark.parametrize("page", [path for path in FILES if path.suffix == ".html"], ids=named)
def test_a_page_loads_the_words_that_it_uses(page: Path) -> None:
    """A catalogue that a module forgets to load would show keys in place of words."""
    loaded = loaded_by(page)
    has = catalogue(*sorted(set(CATALOGUES) & loaded))
    keys, beginnings = used(loaded & set(MODULES))
    assert sorted(key for key in keys & catalogue() if key not in has) == []
    assert sorted(start for start in beginnings if not any(key.startswith(start) for key in has)) == []


def test_a_table_loads_no_words_of_other_pages() -> None:
    """It is the largest page."""
    assert loaded_by(PAGES / "table.html") & set(CATALOGUES) == {PAGES / "text" / "en" / "shared.js"}


def test_only_operators_load_what_is_theirs() -> None:
    """What a player loads counts, also a module of operators that a page would import at once."""
    for page in PAGES.glob("*.html"):
        assert [named(path) for path in loaded_by(page) if "operator" in named(path)] == []
    theirs = set().union(*map(loaded_by, (PAGES / "operator").iterdir()))
    assert PAGES / "text" / "en" / "operator.js" in theirs


def test_there_is_no_other_code() -> None:
    """Nothing minified, nothing with a license of its own, no kind of file that nobody expects."""
    for path in FILES:
        assert path.suffix in {".js", ".ts", ".css", ".html", ".svg", ".webmanifest"}, named(path)
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"licen[sc]ed? |copyright|@license|sourceMappingURL", text, re.IGNORECASE), named(path)
        assert not re.search(r"""(?:src|href|from|import)\s*[=(]?\s*["'](?:https?:)?//""", text), named(path)
        if path.suffix in {".js", ".css"}:
            longest = max(map(len, text.splitlines()), default=0)
            assert longest <= 300, f"{named(path)} has a line of {longest} characters"


class Inline(HTMLParser):
    """Collects what the content security policy forbids, and text that is not in the catalogue."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.words: list[str] = []
        self._inside = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._inside = tag
        given = dict(attrs)
        if tag == "style" or (tag == "script" and not (given.get("src") or "").startswith("/static/")):
            self.found.append(f"<{tag}>")
        self.found += [f"{tag} {name}" for name in given if name == "style" or name.startswith("on")]
        self.words += [given[name] or "" for name in ("title", "alt", "aria-label", "placeholder") if name in given]

    def handle_data(self, data: str) -> None:
        if self._inside not in ("title", "noscript") and data.strip():
            self.words.append(data.strip())


@pytest.mark.parametrize("path", [path for path in FILES if path.suffix == ".html"], ids=named)
def test_a_page_has_nothing_inline(path: Path) -> None:
    """Scripts and styles are files, and all words come from the catalogue."""
    page = Inline()
    page.feed(path.read_text(encoding="utf-8"))
    assert page.found == []
    assert page.words == []


@pytest.mark.parametrize("path", MODULES, ids=named)
def test_a_module_makes_nothing_inline(path: Path) -> None:
    """No markup from strings, no style attribute, no code from text."""
    text = code(path)
    for forbidden in (
        r"\.(?:inner|outer)HTML\b",
        r"insertAdjacentHTML",
        r"\beval\(",
        r"new Function\(",
        r"document\.write",
    ):
        assert not re.search(forbidden, text), forbidden
    assert not re.search(r"""setAttribute\(\s*["']style["']""", text)


@pytest.mark.parametrize("path", MODULES, ids=named)
def test_a_module_says_what_is_in_it(path: Path) -> None:
    second = path.read_text(encoding="utf-8").splitlines()[1]
    assert second.startswith(("//", "/*")), second


def used(modules: Collection[Path] = MODULES) -> tuple[set[str], set[str]]:
    """The keys that modules use, and the beginnings of those that they make."""
    keys, beginnings = set[str](), set[str]()
    for path in modules:
        if path in CATALOGUES:
            continue
        text = code(path)
        for one, other, beginning, open_ in _USE.findall(text):
            if open_:
                beginnings.add(beginning)
            else:
                keys.add(one or other or beginning)
        keys |= set(_KEY.findall(text)) & catalogue()
    return keys, beginnings


def test_every_text_that_is_used_is_in_a_catalogue() -> None:
    keys, beginnings = used()
    assert keys
    parents = {key.rpartition(".")[0] for key in catalogue()}
    assert keys - catalogue() - parents == set()
    assert {one for one in beginnings if not any(key.startswith(one) for key in catalogue())} == set()


def test_every_text_of_the_catalogues_is_used() -> None:
    """A translator does not translate what nobody sees."""
    keys, beginnings = used()
    assert "" not in beginnings, "t(`${…}`): write at least the section, so that this test knows what is used"
    unused = {
        key
        for key in catalogue() - keys
        if key.rpartition(".")[0] not in keys and not any(key.startswith(one) for one in beginnings)
    }
    assert sorted(unused) == []


def english(path: Path) -> Iterator[str]:
    """Yield strings that look like text for people."""
    text = code(path)
    for string in _STRING.finditer(text):
        if _ENGLISH.match(string[0]) and not _FOR_PROGRAMMERS.search(text[: string.start()].rstrip()):
            yield string[0]


@pytest.mark.parametrize("path", [path for path in MODULES if path not in CATALOGUES], ids=named)
def test_english_is_only_in_the_catalogues(path: Path) -> None:
    """A translation is one folder."""
    assert list(english(path)) == []


def test_english_in_a_module_is_found(tmp_path: Path) -> None:
    module = tmp_path / "x.js"
    module.write_text('// Place your bets\nh("p", {}, "Place your bets"); throw new Error("No such seat"); t("a.b")')
    assert list(english(module)) == ['"Place your bets"']

"""What a package index and pip read: the metadata, the version, the lock files."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest

import holecard

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_the_version_is_written_once() -> None:
    """pyproject.toml takes it from the package, and so does everything else."""
    assert "version" in PROJECT["dynamic"]
    assert metadata.version("holecard") == holecard.__version__
    number = re.compile(rf"version.*{re.escape(holecard.__version__)}")
    sources = (path for folder in ("src", "bench", "docs") for path in (ROOT / folder).rglob("*.py"))
    assert [path.name for path in sources if number.search(path.read_text(encoding="utf-8"))] == ["__init__.py"]


@pytest.mark.parametrize("option", ["--version", "-V"])
def test_the_command_prints_the_version(option: str) -> None:
    ran = subprocess.run([sys.executable, "-m", "holecard", option], capture_output=True, text=True, check=True)
    assert ran.stdout == f"holecard {holecard.__version__}\n"


def test_every_dependency_has_a_lower_bound() -> None:
    assert all(re.fullmatch(r"[a-z]+>=\d+(\.\d+)+", dependency) for dependency in PROJECT["dependencies"])


def test_the_metadata_points_only_at_what_exists() -> None:
    assert (ROOT / PROJECT["readme"]).exists()
    assert all((ROOT / name).exists() for name in PROJECT["license-files"])
    assert "urls" not in PROJECT


def test_python_versions_agree() -> None:
    """The classifiers, the lowest version and the versions that CI runs are the same list."""
    marks = re.compile(r"Programming Language :: Python :: (3\.\d+)$")
    classified = [found[1] for name in PROJECT["classifiers"] if (found := marks.match(name))]
    workflow = (ROOT / ".github/workflows/ci.yml").read_text(encoding="utf-8")
    assert re.findall(r'"(3\.\d+)"', workflow) == classified
    assert PROJECT["requires-python"] == f">={classified[0]}"


@pytest.mark.parametrize("lock", sorted((ROOT / "requirements").glob("*.txt")), ids=lambda path: path.name)
def test_lock_files_are_hashed_and_name_no_index(lock: Path) -> None:
    text = lock.read_text(encoding="utf-8")
    pins = re.findall(r"^[a-z0-9-]+(?:\[[a-z,-]+\])?==", text, re.MULTILINE)
    assert len(re.findall(r"==.*\\\n +--hash=sha256:", text)) == len(pins) > 0
    assert "://" not in text


def _texts() -> list[Path]:
    """Return the pages, and all that can print a message."""
    found = [path for path in ROOT.glob("*.md") if path.is_file()]
    for folder in ("docs", "src"):
        found += [path for path in (ROOT / folder).rglob("*") if path.suffix in {".md", ".py", ".js", ".html"}]
    return [path for path in found if "node_modules" not in path.parts]


def test_nothing_offers_an_installation_from_an_index() -> None:
    """No index has Holecard: extras are installed from its folder, as in pip install '.[gym]'."""
    offers = re.compile(r"holecard\[\w|pip install (?:-\S+ )*['\"]?holecard\b")
    found = [
        f"{path.relative_to(ROOT)}: {line.strip()}"
        for path in _texts()
        for line in path.read_text(encoding="utf-8").splitlines()
        if offers.search(line)
    ]
    assert found == []


def test_the_extras_that_are_named_exist() -> None:
    """In pages, and in messages about packages that are missing."""
    named = {
        extra.strip()
        for path in _texts()
        for listed in re.findall(
            r"install '\.\[([\w, ]+)\]'|install_extra\('(\w+)'\)", path.read_text(encoding="utf-8")
        )
        for extra in "".join(listed).split(",")
    }
    assert named == set(PROJECT["optional-dependencies"])


def test_the_readme_says_what_is_needed_first() -> None:
    """Before the first picture: the version of Python, and make, which two of the three commands need."""
    first = (ROOT / "README.md").read_text(encoding="utf-8").partition("![")[0]
    (least,) = re.findall(r">=(\S+)", PROJECT["requires-python"])
    assert f"Python {least} or newer, and `make`" in first

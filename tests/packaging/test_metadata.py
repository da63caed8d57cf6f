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

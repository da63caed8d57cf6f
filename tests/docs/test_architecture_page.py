"""docs/architecture.md names files and packages that exist, and lists every package in the order of the import
contract.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "holecard"
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")


def _layers() -> list[str]:
    """The layers of the import contract, highest first; one line may hold several."""
    config = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = config["tool"]["importlinter"]["contracts"]
    layers = next(contract["layers"] for contract in contracts if contract["type"] == "layers")
    return [name.strip() for line in layers for name in re.split(r"[|:]", line)]


def test_every_path_on_the_page_exists() -> None:
    named = set(re.findall(r"`((?:[a-z_]+/)+(?:[a-z_]+\.py)?)`", PAGE))
    assert len(named) > 20
    missing = [path for path in sorted(named) if not (SOURCE / path).exists() and not (ROOT / path).exists()]
    assert missing == []


def test_packages_are_listed_in_the_order_of_the_import_contract() -> None:
    table = PAGE.split("## The packages, lowest first")[1].split("## Where each rule is decided")[0]
    cells = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    named = [name for cell in cells for name in re.findall(r"`([a-z_]+)(?:/|\.py)`", cell)]
    packages = [name for name in _layers() if (SOURCE / name).is_dir()]
    assert [name for name in named if (SOURCE / name).is_dir()] == list(reversed(packages))


def test_every_module_below_the_packages_is_listed() -> None:
    """Single modules such as `testing.py` have a place in the table too."""
    table = PAGE.split("## The packages, lowest first")[1].split("## Where each rule is decided")[0]
    modules = [path.name for path in SOURCE.glob("*.py") if not path.name.startswith("__")]
    assert [name for name in modules if f"`{name}`" not in table] == []


def test_the_path_of_a_decision_names_every_file_of_the_example() -> None:
    """The example is Double-Up; `testing.py` uses it in a docstring, and `report/palette.py` has only its letter."""
    path = PAGE.split("**A decision**")[1]
    listed = {name for name in re.findall(r"`((?:[a-z_]+/)+[a-z_]+\.py)`", path) if (SOURCE / name).exists()}
    example = re.compile(r"doubled?[_ -]?up", re.IGNORECASE)
    sources = {file.relative_to(SOURCE).as_posix(): file.read_text(encoding="utf-8") for file in SOURCE.rglob("*.py")}
    concerned = {name for name, text in sources.items() if example.search(text)}
    assert concerned - listed == {"testing.py"}
    assert listed - concerned == {"report/palette.py"}

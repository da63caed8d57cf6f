"""A public name means one thing: no two modules define the same one, apart from the groups named here."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

SOURCE = Path(__file__).parents[2] / "src" / "holecard"
#: Each module of `report/` that writes a result has some of these functions, which `report/__init__.py` calls.
REPORT = {"data", "document", "page", "rows", "summary", "svg", "text"}
#: A command has the name of the function that it calls.
COMMANDS = "cli/commands/"
#: The referee of `verify` has independent definitions of the engine's functions, with the same meaning.
REFEREE = "simulation/witness/plain_hands.py"


#: FastAPI's word for the routes of a module; the app includes all of them.
ROUTES = "server/web/routes/"
#: Alembic reads the same names from each of its migrations.
MIGRATIONS = "server/store/migrations/versions/"


def public_names(code: str) -> set[str]:
    """Return the public names that a module defines, not those it imports."""
    return {name for statement in _statements(ast.parse(code).body) for name in _defined(statement) if name[0] != "_"}


def _statements(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    for statement in body:
        yield statement
        if isinstance(statement, ast.If | ast.Try | ast.With):
            for part in ("body", "orelse", "finalbody"):
                yield from _statements(getattr(statement, part, ()))


def _defined(statement: ast.stmt) -> Iterator[str]:
    if isinstance(statement, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
        yield statement.name
    elif isinstance(statement, ast.Assign):
        yield from (name for target in statement.targets for name in _names(target))
    elif isinstance(statement, ast.AnnAssign):
        yield from _names(statement.target)


def _names(target: ast.expr) -> Iterator[str]:
    if isinstance(target, ast.Name):
        yield target.id
    elif isinstance(target, ast.Tuple):
        yield from (name for part in target.elts for name in _names(part))


def defined_twice(modules: dict[str, str]) -> dict[str, list[str]]:
    """Return each public name that more than one of these modules defines, with their paths; `modules` has the code."""
    found: dict[str, list[str]] = defaultdict(list)
    for path, code in sorted(modules.items()):
        for name in public_names(code):
            if not _is_allowed(path, name):
                found[name].append(path)
    return {name: paths for name, paths in found.items() if len(paths) > 1}


def _is_allowed(path: str, name: str) -> bool:
    if path.startswith(MIGRATIONS) or (path.startswith(ROUTES) and name == "router"):
        return True
    if path.startswith(COMMANDS) and path == f"{COMMANDS}{name}.py":
        return True
    return path == REFEREE or (path.startswith("report/") and name in REPORT)


def test_no_public_name_has_two_meanings() -> None:
    """A reader who has met a name once knows it everywhere."""
    modules = {path.relative_to(SOURCE).as_posix(): path.read_text() for path in SOURCE.rglob("*.py")}
    assert defined_twice(modules) == {}


def test_a_second_definition_is_found() -> None:
    """Classes, functions and constants, alone or several in one assignment, also under a condition."""
    first = "class Shoe: ...\nFRESH, CUT = range(2)\ndef deal(): ...\nSize: int = 1\n_own = 2\n"
    second = "if True:\n    Shoe = int\nCUT = 1\ndef deal(): ...\nSize = 2\n_own = 3\nfrom deck import FRESH\n"
    paths = ["kernels/a.py", "table/b.py"]
    found = defined_twice(dict(zip(paths, (first, second), strict=True)))
    assert found == dict.fromkeys(("Shoe", "CUT", "deal", "Size"), paths)


def test_the_three_groups_may_share_names() -> None:
    """Reports, commands and the referee share names with the modules they belong to, and with no others."""
    analyze = "def analyze(): ...\ndef text(): ..."
    shared = {"cli/commands/analyze.py": "def analyze(): ...", "exact/analysis.py": analyze, REFEREE: analyze}
    assert defined_twice({**shared, "report/exact/analysis.py": "def text(): ..."}) == {}
    assert list(defined_twice({**shared, "report/exact/analysis.py": "def analyze(): ..."})) == ["analyze"]

"""The pages' modules pass the type checker, and their own tests pass in Node.js."""

from __future__ import annotations

import subprocess

from tests.pages.programs import PAGES, ROOT, node, package

HERE = ROOT / "tests" / "pages"


def test_every_module_is_checked() -> None:
    """A module without this line would be read as plain JavaScript by editors."""
    modules = sorted(PAGES.rglob("*.js"))
    assert [path.name for path in modules if not path.read_text(encoding="utf-8").startswith("// @ts-check\n")] == []


def test_the_types_are_right() -> None:
    """The failure lists what tsc found."""
    checker = package("typescript") / "bin" / "tsc"
    done = subprocess.run([node(), str(checker), "--project", str(HERE)], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_unit_tests_of_the_modules_pass() -> None:
    """Run the tests under tests/pages with Node's own runner."""
    tests = sorted(map(str, HERE.rglob("*.test.js")))
    assert tests
    done = subprocess.run([node(), "--test", *tests], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stdout + done.stderr

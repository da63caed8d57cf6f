"""Programs that check the pages: Node.js, the packages that `make test` installs, and a browser.

A machine without one of them skips the tests that need it and says so. In CI they must not be skipped.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = ROOT / "src" / "holecard" / "server" / "pages"
#: How Chromium is started: it asks nobody but our server.
BROWSER_ARGUMENTS = [
    "--no-sandbox",
    "--disable-quic",
    "--disable-component-update",
    "--disable-sync",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--js-flags=--expose-gc",
]


def node() -> str:
    """Return Node.js: the one that comes with Playwright, which is the same on every machine."""
    from playwright._impl._driver import compute_driver_executable

    return str(compute_driver_executable()[0])


def package(name: str) -> Path:
    """Return the folder of a package from npm."""
    folder = ROOT / ".venv" / "pages" / "node_modules" / name
    if not folder.exists():
        skip(f"{name} is not installed: install npm, then run `make .venv/.pages`")
    return folder


def chromium() -> str:
    """Return the browser. Playwright's own is not used: distributions have one, and update it."""
    found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if found is None:
        skip("Chromium is not installed: apt-get install chromium")
    assert found is not None
    return found


def skip(why: str) -> None:
    """Skip a test that needs a program which is not installed; CI has all of them."""
    assert not os.environ.get("CI"), f"CI needs this: {why}"
    pytest.skip(why)

"""A browser, a server, and pages that fail a test when their console shows an error."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser.house import Guest, House
from tests.pages.programs import BROWSER_ARGUMENTS, chromium
from tests.patience import milliseconds

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page

#: The two sizes at which everything has to work.
SIZES: dict[str, dict[str, Any]] = {
    "phone": {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True},
    "desktop": {"viewport": {"width": 1440, "height": 900}},
}
#: Violations of the policy are reported in the console, and so as errors of the page.
_REPORT_VIOLATIONS = """
addEventListener("securitypolicyviolation", (event) =>
  console.error(`policy: ${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`));
"""


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One browser for all tests of a process."""
    program = chromium()
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=program, args=BROWSER_ARGUMENTS)
        yield found
        found.close()


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A server whose cards the tests choose."""
    found = House(tmp_path_factory.mktemp("house")).start()
    yield found
    found.stop()


@pytest.fixture(params=SIZES)
def size(request: pytest.FixtureRequest) -> str:
    """The size of the screen."""
    return str(request.param)


class Visitors:
    """Opens browser windows for people, and collects the errors of all of them."""

    def __init__(self, browser: Browser, house: House, folder: Path) -> None:
        self._browser, self._house, self._folder = browser, house, folder
        self._contexts: list[BrowserContext] = []
        self._allowed: list[str] = []
        self.errors: list[str] = []

    def __call__(self, size: str = "desktop", *, calm: bool = True, **options: Any) -> Page:
        """Open a window for a new guest; calm: without animations, which most tests do not wait for."""
        motion = "reduce" if calm else "no-preference"
        base = self._house.address
        context = self._browser.new_context(**{**SIZES[size], "base_url": base, "reduced_motion": motion, **options})
        context.set_default_timeout(milliseconds(10))
        context.add_init_script(_REPORT_VIOLATIONS)
        self._contexts.append(context)
        page = context.new_page()
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.errors.append(f"uncaught: {error}"))
        return page

    def allow(self, pattern: str) -> None:
        """Expect errors that match, as when a test cuts the network."""
        self._allowed.append(pattern)

    @property
    def unexpected(self) -> list[str]:
        """The errors that no test has asked for."""
        return [error for error in self.errors if not any(re.search(pattern, error) for pattern in self._allowed)]

    def keep_pictures(self) -> list[Path]:
        """Save what every window shows now, and its page."""
        found = []
        for number, page in enumerate(page for context in self._contexts for page in context.pages):
            found.append(self._folder / f"window-{number}.png")
            page.screenshot(path=found[-1])
            found[-1].with_suffix(".html").write_text(page.content(), encoding="utf-8")
        return found

    def close(self) -> None:
        """Close all windows."""
        for context in self._contexts:
            context.close()

    def _console(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            where = message.location
            self.errors.append(f"{message.text} ({where.get('url')}:{where.get('lineNumber')})")


@pytest.fixture
def visitors(browser: Browser, house: House, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Visitors]:
    """Windows for people; the test fails if the console of one of them shows an error."""
    found = Visitors(browser, house, tmp_path)
    yield found
    report = request.node.stash.get(_REPORT, None)
    if (report is not None and report.failed) or found.unexpected:
        print("pictures:", *found.keep_pictures())
        print("console:", *found.errors, sep="\n  ")
    unexpected = found.unexpected
    found.close()
    assert unexpected == []


@pytest.fixture
def page(visitors: Visitors, size: str) -> Page:
    """A window of a guest, at each size."""
    return visitors(size)


@pytest.fixture
def host(house: House) -> Guest:
    """Somebody who opens tables."""
    return Guest(house)


_REPORT = pytest.StashKey[pytest.TestReport]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[Any]:
    """Remember whether a test has failed, for its fixtures."""
    report = yield
    if report.when == "call":
        item.stash[_REPORT] = report
    return report

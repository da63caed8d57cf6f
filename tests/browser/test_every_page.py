"""Every page opens at both sizes, by keys, enlarged, and without an error; axe-core finds nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.browser.accessibility import check_accessible, check_focus, cut_off, small_targets
from tests.browser.conftest import SIZES, Visitors
from tests.browser.house import House

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.slow

#: Addresses that need nothing before; the others are in the tests of their pages.
ADDRESSES = [
    "/",
    "/drill",
    "/strategy",
    "/history",
    "/fairness",
    "/account",
    "/games/double-up",
    "/games/double-up/strategy",
    "/games/double-up/drill",
]


def open_settled(page: Page, address: str) -> None:
    """Open a page and wait until it has loaded what it shows."""
    page.goto(address)
    page.wait_for_load_state("networkidle")
    page.wait_for_function("() => document.querySelector('main')?.getAttribute('aria-busy') !== 'true'")


@pytest.mark.parametrize("address", ADDRESSES)
def test_a_page_is_accessible(page: Page, size: str, address: str) -> None:
    open_settled(page, address)
    assert page.locator("main h1").count() == 1
    check_accessible(page)
    if size == "phone":
        assert small_targets(page) == []
    check_focus(page)


@pytest.mark.parametrize("address", ADDRESSES)
def test_a_page_can_be_enlarged(visitors: Visitors, address: str) -> None:
    """200% of 1440×900 are 720×450 pixels of CSS."""
    page = visitors("desktop", viewport={"width": 720, "height": 450}, device_scale_factor=2)
    open_settled(page, address)
    assert cut_off(page) == []


def test_the_policy_is_strict(visitors: Visitors, house: House) -> None:
    """A script that somebody smuggles into a page does not run."""
    visitors.allow("(?i)content security policy|policy:")
    page = visitors()
    page.goto("/")
    page.evaluate("""() => {
      const script = document.createElement("script");
      script.textContent = "window.smuggled = true";
      document.body.append(script);
    }""")
    assert page.evaluate("window.smuggled") is None
    assert any("script-src" in error for error in visitors.errors)
    assert house.address


def test_both_sizes_are_tested() -> None:
    assert {(size["viewport"]["width"], size["viewport"]["height"]) for size in SIZES.values()} == {
        (360, 740),
        (1440, 900),
    }

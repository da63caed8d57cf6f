"""The menu of every page: settings that stay, an account that is kept, and another language."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.browser.accessibility import check_accessible, check_focus, small_targets
from tests.browser.conftest import Visitors

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

pytestmark = pytest.mark.slow


def open_menu(page: Page) -> None:
    page.goto("/history")
    page.locator("hc-header .header-menu[aria-label]").click()
    page.locator("dialog[open]").wait_for()


def test_the_menu_is_accessible(page: Page, size: str) -> None:
    open_menu(page)
    check_accessible(page)
    if size == "phone":
        assert small_targets(page) == []
    check_focus(page)
    page.keyboard.press("Escape")
    assert page.locator("dialog[open]").count() == 0
    assert page.evaluate("document.activeElement.className") == "header-menu"


def test_a_setting_stays(page: Page) -> None:
    open_menu(page)
    switch = page.get_by_role("checkbox", name="Four-color deck")
    assert not switch.is_checked()
    switch.click()
    open_menu(page)
    assert switch.is_checked()


def test_a_guest_becomes_a_player_and_comes_back_in_another_browser(visitors: Visitors) -> None:
    visitors.allow("status of 409|status of 401")  # a name that is taken, a wrong password
    first = visitors("phone")
    open_menu(first)
    first.get_by_role("button", name="Keep this account").click()
    check_accessible(first)
    first.get_by_label("Name").fill("Ann of Browser")
    first.get_by_label("Password").fill("correct horse")
    first.keyboard.press("Enter")
    first.get_by_role("button", name="Ann of Browser").wait_for()

    other = visitors("desktop")
    open_menu(other)
    other.get_by_role("button", name="Keep this account").click()
    other.get_by_label("Name").fill("Ann of Browser")
    other.get_by_label("Password").fill("another password")
    other.keyboard.press("Enter")
    other.get_by_role("alert").filter(has_text="name").wait_for()
    other.get_by_role("button", name="Cancel").click()
    other.get_by_role("button", name="Sign in").click()
    other.get_by_label("Name").fill("Ann of Browser")
    other.get_by_label("Password").fill("wrong horse")
    other.keyboard.press("Enter")
    other.get_by_role("alert").filter(has_text="do not belong").wait_for()
    other.get_by_label("Password").fill("correct horse")
    other.keyboard.press("Enter")
    other.get_by_role("button", name="Ann of Browser").click()
    other.get_by_role("button", name="Sign out").click()
    other.get_by_role("button", name="Guest").wait_for()


def test_a_translation_is_one_file(visitors: Visitors) -> None:
    """German for two words; the rest stays English."""
    page = visitors("desktop", locale="de-AT")

    def offer_german(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=answer.text().replace('data-languages="en"', 'data-languages="de en"'))

    page.route("**/history", offer_german)
    german = 'export default { header: { play: "Spielen", strategy: "Strategie" } };'
    page.route("**/static/text/de.js", lambda route: route.fulfill(body=german, content_type="text/javascript"))
    page.goto("/history")
    page.get_by_role("link", name="Spielen").wait_for()
    assert page.locator("hc-header nav a").all_inner_texts()[:3] == ["Spielen", "Drill", "Strategie"]
    assert page.locator("html").get_attribute("lang") == "de"

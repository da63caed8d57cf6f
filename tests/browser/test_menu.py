"""The menu of every page: settings that stay, an account that is kept, and another language."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.browser.accessibility import check_accessible, check_focus, small_targets
from tests.browser.at_table import guest_of
from tests.browser.conftest import Visitors
from tests.browser.house import House

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

pytestmark = pytest.mark.slow

#: Colors, borders and sizes of what is in an element.
_LOOK = """(whole) => [...whole.querySelectorAll("*")].map((one) => {
  const {color, backgroundColor, borderColor, borderRadius, width, height} = getComputedStyle(one);
  return [one.tagName, color, backgroundColor, borderColor, borderRadius, width, height].join(" ");
}).join("\\n")"""


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


def test_the_menu_looks_the_same_on_every_page(visitors: Visitors, house: House) -> None:
    """No page has styles of its own for what all pages share: once the chosen speed was gold on gold in the history."""
    page, looks = visitors(), set[str]()
    table = guest_of(page, house).open_table("classic")
    for address in (
        "/",
        "/games/classic",
        "/history",
        "/strategy",
        "/drill",
        "/fairness",
        "/account",
        f"/tables/{table}",
    ):
        page.goto(address)
        page.locator("hc-header .header-menu[aria-label]").click()
        page.locator("dialog[open]").wait_for()
        looks.add(page.locator("dialog[open] .choice").first.evaluate(_LOOK))
    assert len(looks) == 1, looks


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


def offer_german(route: Route) -> None:
    """Send a page as if the server had found a German translation."""
    answer = route.fetch()
    route.fulfill(response=answer, body=answer.text().replace('data-languages="en"', 'data-languages="de en"'))


def test_a_translation_is_one_folder(visitors: Visitors) -> None:
    """German for two words of all pages and one of this page; the rest stays English."""
    page = visitors("desktop", locale="de-AT")
    page.route("**/history", offer_german)
    german = 'export default { header: { play: "Spielen", strategy: "Strategie" } };'
    files = {"shared": german, "history": 'export default { history: { title: "Verlauf" } };'}

    def send(route: Route) -> None:
        name = route.request.url.rpartition("/")[2].removesuffix(".js")
        route.fulfill(body=files[name], content_type="text/javascript")

    page.route("**/static/text/de/*.js", send)
    page.goto("/history")
    page.get_by_role("link", name="Spielen").wait_for()
    assert page.locator("hc-header nav a").all_inner_texts()[:3] == ["Spielen", "Drill", "Strategie"]
    page.get_by_role("heading", name="Verlauf", level=1).wait_for()
    assert page.locator("html").get_attribute("lang") == "de"


def test_a_file_that_is_not_translated_yet_is_english(visitors: Visitors) -> None:
    """A translation may begin with the words that all pages share."""
    visitors.allow("404")
    page = visitors("desktop", locale="de-AT")
    page.route("**/history", offer_german)
    page.goto("/history")
    page.get_by_role("link", name="Strategy").wait_for()
    page.get_by_role("heading", name="Your history", level=1).wait_for()

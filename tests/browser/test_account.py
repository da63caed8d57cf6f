"""The page of one's own account: another password, sessions that end, and the end of the account."""

from __future__ import annotations

import json
import urllib.request
from typing import TYPE_CHECKING

import pytest

from tests.browser.accessibility import check_accessible, small_targets
from tests.browser.conftest import Visitors
from tests.browser.house import House

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.slow
WORDS = "correct horse"


def registered(page: Page, name: str) -> None:
    """Give the guest of a page a name, and open the page of the account."""
    page.goto("/history")
    page.locator("hc-header .header-menu[aria-label]").click()
    page.get_by_role("button", name="Keep this account").click()
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill(WORDS)
    page.keyboard.press("Enter")
    page.locator("hc-header .header-menu", has_text=name).wait_for()
    page.locator("hc-header .header-menu").click()
    page.get_by_role("link", name="Your account").click()
    page.get_by_role("heading", name="Your account").wait_for()


def sign_in_elsewhere(house: House, name: str, agent: str) -> None:
    body = json.dumps({"name": name, "password": WORDS}).encode()
    headers = {"Content-Type": "application/json", "User-Agent": agent}
    with urllib.request.urlopen(urllib.request.Request(f"{house.address}/api/v1/sign-in", body, headers)):
        pass


def test_a_password_changes_when_the_old_one_is_right(visitors: Visitors, size: str) -> None:
    visitors.allow("status of 403|status of 401")
    page, name = visitors(size), f"Changing {size}"
    registered(page, name)
    form = page.locator("form").filter(has=page.get_by_role("button", name="Change password"))
    form.get_by_label("Present password").fill("wrong horse")
    form.get_by_label("New password").fill("battery staple")
    page.keyboard.press("Enter")
    form.get_by_text("this is not the password of your account").wait_for()
    check_accessible(page)
    assert page.evaluate("document.activeElement.autocomplete") == "current-password"
    form.get_by_label("Present password").fill(WORDS)
    page.keyboard.press("Enter")
    form.get_by_text("Your password is changed").wait_for()
    assert form.get_by_label("New password").input_value() == ""


def test_sessions_end_from_the_list(visitors: Visitors, house: House, size: str) -> None:
    page, name = visitors(size), f"Listing {size}"
    registered(page, name)
    for agent in ("Mozilla/5.0 Firefox/140.0", "program", "Mozilla/5.0 Firefox/140.0"):
        sign_in_elsewhere(house, name, agent)
    page.reload()
    rows = page.locator(".sessions li")
    page.get_by_role("button", name="Sign out: Another program").wait_for()
    assert rows.count() == 4
    assert "this browser, now" in rows.first.inner_text()
    check_accessible(page)
    if size == "phone":
        assert small_targets(page) == []
    page.get_by_role("button", name="Sign out: Another program").click()
    rows.nth(3).wait_for(state="detached")
    assert page.evaluate("document.activeElement.textContent") == "Where you are signed in"
    page.get_by_role("button", name="Sign out everywhere else").click()
    rows.nth(1).wait_for(state="detached")
    assert not page.get_by_role("button", name="Sign out everywhere else").is_visible()
    assert page.get_by_text("Holecard ", exact=False).last.is_visible()


def test_an_account_is_deleted_and_a_new_guest_comes(visitors: Visitors, size: str) -> None:
    visitors.allow("status of 403")
    page, name = visitors(size), f"Leaving {size}"
    registered(page, name)
    page.get_by_role("button", name="Delete this account").click()
    field = page.locator(".account-end input")
    field.fill("wrong horse")
    page.get_by_role("button", name="Delete for good").click()
    page.get_by_text("this is not the password of your account").wait_for()
    check_accessible(page)
    page.get_by_role("button", name="Cancel").click()
    assert not field.is_visible()
    page.get_by_role("button", name="Delete this account").click()
    field.fill(WORDS)
    page.keyboard.press("Enter")
    page.wait_for_url("**/")
    page.locator("hc-header .header-menu[aria-label*='Guest']").wait_for()


def test_the_account_is_there_when_a_proxy_hides_the_version(visitors: Visitors) -> None:
    """As docs/server.md allows."""
    visitors.allow("status of 404")
    page = visitors("desktop")
    page.route("**/api/v1/version", lambda route: route.fulfill(status=404, body="no"))
    page.goto("/account")
    page.get_by_role("button", name="Delete this account").wait_for()
    assert page.get_by_text("protocol").count() == 0

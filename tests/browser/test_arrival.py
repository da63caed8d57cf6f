"""From the address to a seat: the lobby, one click, a link for friends, watching and sitting."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from holecard import games
from tests.browser.accessibility import check_accessible, check_focus, cut_off
from tests.browser.at_table import open_table, sit, still, wait_for_balance
from tests.browser.conftest import Visitors
from tests.browser.house import House
from tests.browser.recorded_rounds import GAMES
from tests.patience import milliseconds

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.slow


def test_every_game_has_its_felt_and_one_click_leads_to_a_seat(page: Page) -> None:
    page.goto("/")
    page.locator("[data-game]").first.wait_for()
    shown = set(page.locator("[data-game]").evaluate_all("all => all.map((one) => one.dataset.game)"))
    assert set(GAMES) <= set(games()) <= shown
    assert page.locator("[data-game] .game-picture > svg").count() == len(shown)
    page.locator('[data-game="face-up"] .play').click()
    page.locator("hc-table [data-leave]").wait_for()
    still(page)
    assert "Face" in page.locator("h1").inner_text()
    wait_for_balance(page, 100_000)


def test_the_options_of_a_table_are_accessible_and_change_it(page: Page) -> None:
    page.goto("/")
    card = page.locator('[data-game="double-up"]')
    card.locator("[aria-haspopup=dialog]").click()
    page.locator("dialog[open]").wait_for()
    check_accessible(page)
    check_focus(page)
    page.keyboard.press("Escape")
    assert page.locator("dialog[open]").count() == 0


def test_a_friend_follows_the_link_and_watches_and_sits(visitors: Visitors, house: House) -> None:
    ann, bob = visitors("desktop"), visitors("phone")
    open_table(ann, house, "match-up")
    sit(ann, 4)
    bob.goto(ann.url)  # the link that was shared
    still(bob)
    assert bob.locator('[data-seat="4"]').inner_text().startswith("Guest")
    assert bob.locator("[data-leave]").count() == 0
    sit(bob, 2)
    ann.locator('[data-seat="2"]').get_by_text("Guest").wait_for()


def test_the_lobby_lists_the_open_tables(visitors: Visitors, house: House) -> None:
    """A table appears without a reload; Sit leads to a seat at it."""
    ann, bob = visitors("desktop"), visitors("desktop")
    bob.goto("/")
    bob.locator("[data-game]").first.wait_for()
    table = open_table(ann, house, "upcard-luck-21")
    sit(ann, 1)
    card = bob.locator(".open-table", has=bob.locator(f'a[href="/tables/{table}"]'))
    card.wait_for()
    assert "6 of 7 seats" in (card.locator("[role=img]").get_attribute("aria-label") or "")
    check_accessible(bob)
    card.get_by_role("button", name="Sit").click()
    bob.wait_for_url(f"**/tables/{table}")
    bob.locator("[data-leave]").wait_for()


def test_the_lobby_says_that_the_server_is_away_and_comes_back(visitors: Visitors, house: House) -> None:
    visitors.allow(r"net::ERR_|Failed to load resource|Failed to fetch")
    page = visitors("phone")
    page.goto("/")
    page.locator("[data-game]").first.wait_for()
    house.kill()
    page.get_by_role("alert").filter(has_text="cannot be reached").first.wait_for(timeout=milliseconds(15))
    assert cut_off(page) == []
    house.start()
    page.wait_for_function("() => !document.querySelector('.problem')?.textContent", timeout=milliseconds(15))


def test_an_address_that_does_not_exist_leads_back(page: Page, visitors: Visitors) -> None:
    visitors.allow("404")
    page.goto("/tables/none-such")
    page.get_by_role("link", name="lobby").first.wait_for()
    check_accessible(page)

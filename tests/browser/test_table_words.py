"""What a table tells its player: bets of another tab, decisions of the clock, money held back, colors of the suits."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.browser.at_table import deal, open_table, put, show_table, sit, still, wait_for_balance, wait_for_phase
from tests.browser.house import House

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.slow


@pytest.fixture
def size() -> str:
    """One size is enough here."""
    return "desktop"


def test_two_tabs_of_one_person_show_the_same_bet(page: Page, house: House) -> None:
    table = open_table(page, house, "classic")
    sit(page, 4)
    put(page, 4, "Bet", 2500)
    other = page.context.new_page()
    show_table(other, table)
    other.locator('[data-spot="4:Bet"][data-cents="2500"]').wait_for()
    put(other, 4, "Bet", 500)
    page.locator('[data-spot="4:Bet"][data-cents="3000"]').wait_for()
    assert "$30" in page.locator(".note").inner_text()
    page.locator('[data-command="clear"]').click()
    other.locator('[data-spot="4:Bet"][data-cents="0"]').wait_for()
    other.close()


def test_the_table_says_that_the_clock_decided(page: Page, house: House) -> None:
    open_table(page, house, "classic", act=2)
    sit(page, 4)
    put(page, 4, "Bet", 1000)
    house.stack("Ts 6d 5h Td 9c")
    deal(page)
    wait_for_phase(page, "done")
    assert "The time was over" in page.locator(".message").inner_text()


def test_money_that_is_held_for_a_tax_is_named(page: Page, house: House) -> None:
    open_table(page, house, "upcard-luck-21")
    sit(page, 4)
    for wager, cents in (("Bet", 500), ("Upcard Luck", 500), ("Taxpayer's Fortune", 100)):
        put(page, 4, wager, cents)
    wait_for_balance(page, 98_400)
    note = page.locator(".note").inner_text()
    assert "$11 on the table" in note
    assert "$5 is held for the tax" in note


@pytest.mark.parametrize(("four_colors", "same"), [(False, True), (True, False)])
def test_a_four_color_deck_tells_hearts_from_diamonds(page: Page, house: House, four_colors: bool, same: bool) -> None:
    stored = json.dumps({"fourColor": four_colors, "speed": "instant"})
    page.add_init_script(f"localStorage.setItem('holecard.settings', {json.dumps(stored)})")
    open_table(page, house, "classic")
    sit(page, 4)
    put(page, 4, "Bet", 1000)
    house.stack("Th 6d 5h Td")
    deal(page)
    still(page)
    fills = [
        page.locator(f'[data-card="{card}"] .rank').evaluate("(one) => getComputedStyle(one).fill")
        for card in ("Th", "6d")
    ]
    assert (fills[0] == fills[1]) == same

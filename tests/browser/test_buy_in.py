"""Somebody who has lost everything takes new chips, at the table and in the menu."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.browser.accessibility import check_accessible, small_targets
from tests.browser.at_table import act, deal, in_dollars, open_table, press, put, sit, wait_for_balance, wait_for_phase
from tests.browser.house import House

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.slow

#: $50, so that new chips are given below $5; the smallest bet is $5.
_START = 5_000
#: 19 against a 10; the dealer has 20.
_CARDS = "Ts Th 9d Td"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A server whose guests have little money."""
    found = House(tmp_path_factory.mktemp("house"), f"--starting-money={_START}").start()
    yield found
    found.stop()


def lose_everything(page: Page, house: House) -> None:
    """Bet all money at a new table, and lose it."""
    open_table(page, house, "classic")
    sit(page, 1)
    put(page, 1, "Bet", _START)
    house.stack(_CARDS)
    deal(page)
    act(page, "stand")
    wait_for_phase(page, "done")
    wait_for_balance(page, 0)


def test_new_chips_at_the_table(page: Page, house: House, size: str) -> None:
    lose_everything(page, house)
    offer = page.locator('[data-command="buy-in"]')
    offer.wait_for()
    assert page.locator(".note").inner_text() == "You have $0. The smallest bet is $5."
    assert page.locator('[data-command="deal"]').count() == 0
    check_accessible(page)
    if size == "phone":
        assert small_targets(page) == []
    press(page, offer, "keys")
    wait_for_balance(page, _START)
    assert page.locator(".header-balance").inner_text().endswith(in_dollars(_START))
    offer.wait_for(state="detached")
    house.stack(_CARDS)
    deal(page)  # the same bet again
    act(page, "stand")
    offer.wait_for()
    page.reload()
    offer.wait_for()


def test_a_table_with_its_own_chips(page: Page, house: House) -> None:
    """The title and the words say so; the header keeps the money, and who has lost all gets chips at the next seat."""
    open_table(page, house, "classic", {"settle.natural": "1000 to 1"})
    words = "This table has its own chips"
    page.locator(".facts", has_text=words).wait_for()
    sit(page, 1)
    wait_for_balance(page, _START)
    assert page.locator(".purse p").inner_text().startswith("Chips")
    assert page.locator(".unseen li").first.text_content() == words
    put(page, 1, "Bet", _START)
    house.stack(_CARDS)
    deal(page)
    act(page, "stand")
    wait_for_phase(page, "done")
    wait_for_balance(page, 0)
    note = "You have $0. The smallest bet is $5. Leave the seat and sit down again for new chips."
    page.locator(".note", has_text=note).wait_for()
    assert page.locator('[data-command="buy-in"]').count() == 0
    assert page.locator(".header-balance").inner_text().endswith(in_dollars(_START))
    check_accessible(page)
    page.get_by_role("button", name="Leave seat 1").click()
    sit(page, 2)  # the cards of the round are still at the first seat
    wait_for_balance(page, _START)


def test_new_chips_in_the_menu(page: Page, house: House) -> None:
    lose_everything(page, house)
    page.goto("/history")
    page.locator("hc-header .header-menu[aria-label]").click()
    page.get_by_role("button", name="Take new chips").click()
    page.locator(".header-balance", has_text=in_dollars(_START)).wait_for()
    assert page.get_by_role("button", name="Take new chips").count() == 0
    assert page.evaluate("document.activeElement.closest('dialog .menu-account') !== null")
    check_accessible(page)

"""A player who has too little money for an action sees why, and the coach does not ask for it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.browser.accessibility import check_accessible
from tests.browser.at_table import act, deal, open_table, put, sit, wait_for_balance, wait_for_phase
from tests.browser.house import House
from tests.patience import milliseconds

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.slow

#: $500.
_START = 50_000


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A server whose guests have as much as the highest bet."""
    found = House(tmp_path_factory.mktemp("house"), f"--starting-money={_START}").start()
    yield found
    found.stop()


def test_a_double_that_cannot_be_paid_is_gray_with_the_reason(page: Page, house: House) -> None:
    """11 against a 6 with all money on the table: hitting is best, and costs nothing."""
    open_table(page, house, "classic")
    sit(page, 1)
    put(page, 1, "Bet", _START)
    house.stack("6s 6h 5d Td 2c 5h")
    deal(page)
    wait_for_balance(page, 0)
    double = page.locator('[data-action="double"]')
    assert double.get_attribute("aria-disabled") == "true"
    assert double.get_attribute("aria-description") == "Double takes $500; you have $0."
    page.keyboard.press("d")
    page.get_by_text("Double takes $500; you have $0.").last.wait_for()
    assert page.locator(".message").inner_text() == "Double takes $500; you have $0."
    page.keyboard.press("e")
    best = page.locator("[data-action].best")
    best.wait_for(timeout=milliseconds(60))
    assert best.get_attribute("data-action") == "hit"
    check_accessible(page)
    act(page, "hit")
    last = page.locator("hc-coach")
    page.wait_for_function("() => /right/i.test(document.querySelector('hc-coach')?.textContent ?? '')")
    assert "double" not in last.inner_text().lower()
    act(page, "stand")
    wait_for_phase(page, "done")


def test_the_highest_amount_is_what_the_player_has(page: Page, house: House) -> None:
    """Insurance of $450 may be $225; with $50 left, it is $50 at most."""
    open_table(page, house, "classic")
    sit(page, 1)
    put(page, 1, "Bet", 45_000)
    house.stack("Ts Ah 9d 5d Td")
    deal(page)
    wait_for_balance(page, 5_000)
    amount = page.locator('.stepper:has([data-more="insurance"]) output')
    assert amount.inner_text() == "$50"
    page.locator('[data-more="insurance"]').click()
    assert amount.inner_text() == "$50"
    act(page, "insurance", amount=4_900)
    wait_for_balance(page, 100)

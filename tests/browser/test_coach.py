"""The coach at the table: the best action in time, what a mistake cost, and silence on request."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.browser.accessibility import check_accessible
from tests.browser.at_table import act, deal, guest_of, open_table, put, sit, wait_for_phase
from tests.browser.house import House
from tests.patience import milliseconds

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.slow


def ask(page: Page) -> None:
    """Ask for a hint once; it comes with the answer, and the first one waits for the kernels."""
    page.keyboard.press("e")
    page.locator("[data-action].best").wait_for(timeout=milliseconds(60))


def test_a_touch_puts_the_values_of_wagers_away(page: Page, house: House) -> None:
    """On a phone they lie over the circles."""
    open_table(page, house, "quick-pay")
    sit(page, 1)
    page.keyboard.press("e")
    card = page.locator(".coach-card")
    card.wait_for(timeout=milliseconds(60))
    card.click()
    card.wait_for(state="detached")
    put(page, 1, "Bet", 1000)


def test_the_coach_shows_the_values_on_request_and_the_cost_of_a_mistake(page: Page, house: House) -> None:
    """11 against a 6: doubling is best, and standing costs money. The page shows what the server computes."""
    table = open_table(page, house, "classic")
    sit(page, 1)
    put(page, 1, "Bet", 1000)
    house.stack("6s 6h 5d Td 9c Tc")
    deal(page)
    page.locator("hc-coach").wait_for()
    ask(page)
    best = page.locator("[data-action].best")
    best.wait_for()
    assert best.get_attribute("data-action") == "double"
    values = {one["action"]: one["ev"] for one in guest_of(page, house).get(f"/api/v1/tables/{table}/coach")["actions"]}
    assert max(values, key=lambda action: values[action]) == "double"
    shown = page.locator('[data-action="stand"] .action-value').inner_text()
    assert f"{100 * values['stand']:.1f}".lstrip("-+") in shown
    check_accessible(page)
    act(page, "stand")
    wait_for_phase(page, "done")
    cost = f"{1000 * (values['double'] - values['stand']):.0f}"
    page.wait_for_function(
        "(dollars) => document.querySelector('hc-coach')?.textContent.includes(dollars)",
        arg=f"{float(cost) / 100:.2f}",
        timeout=milliseconds(15),
    )
    check_accessible(page)


def test_the_coach_can_be_silenced_with_a_key(page: Page, house: House) -> None:
    open_table(page, house, "double-up")
    sit(page, 1)
    put(page, 1, "Bet", 1000)
    house.stack("6s 6h 5d Td 9c")
    deal(page)
    ask(page)
    page.locator("[data-action].best").wait_for()
    page.keyboard.press("c")
    page.wait_for_function("() => !document.querySelector('[data-action].best')")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.reload()
    wait_for_phase(page, "acting")
    page.keyboard.press("e")
    page.evaluate("fetch('/healthz')")  # a question to the coach would have been sent before
    assert any(address.endswith("/healthz") for address in asked)
    assert [address for address in asked if address.endswith("/coach")] == []
    assert page.locator("[data-action].best").count() == 0

"""The table between a phone and a desktop: tablets, small windows, and a phone on its side."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.browser.at_table import deal, open_table, put, sit, spot
from tests.browser.conftest import Visitors
from tests.browser.house import House

if TYPE_CHECKING:
    from playwright.sync_api import FloatRect, Locator

pytestmark = pytest.mark.slow

SIZES = [(480, 700), (600, 900), (768, 1024), (820, 1180), (1024, 700), (1180, 820), (844, 390), (720, 450)]


def box(element: Locator) -> FloatRect:
    """Where an element is on the screen."""
    found = element.bounding_box()
    assert found is not None
    return found


def overlap(one: FloatRect, other: FloatRect) -> bool:
    """Whether two elements cover each other."""
    return (
        one["x"] < other["x"] + other["width"] - 1
        and other["x"] < one["x"] + one["width"] - 1
        and one["y"] < other["y"] + other["height"] - 1
        and other["y"] < one["y"] + one["height"] - 1
    )


@pytest.mark.parametrize(("width", "height"), SIZES, ids=[f"{width}x{height}" for width, height in SIZES])
def test_circles_lie_on_the_felt_and_no_button_covers_another(
    visitors: Visitors, house: House, width: int, height: int
) -> None:
    """The felt has room for its circles, and no button reaches another one or the coach."""
    page = visitors(viewport={"width": width, "height": height})
    open_table(page, house, "double-up")
    sit(page, 4)
    felt = box(page.locator("hc-felt"))
    for circle in page.locator("[data-spot]").all():
        place = box(circle)
        assert felt["x"] <= place["x"]
        assert place["x"] + place["width"] <= felt["x"] + felt["width"] + 1
        assert place["y"] + place["height"] <= felt["y"] + felt["height"] + 1
    put(page, 4, "Bet", 2500)
    house.stack("8s 6d 8h 9c")
    deal(page)
    parts = [box(one) for one in (*page.locator(".action").all(), page.locator("hc-coach"))]
    pairs = [(one, other) for place, one in enumerate(parts) for other in parts[place + 1 :]]
    assert [pair for pair in pairs if overlap(*pair)] == []


def test_a_phone_on_its_side_shows_cards_and_buttons_at_once(visitors: Visitors, house: House) -> None:
    """Nobody scrolls between the hand and the decision."""
    page = visitors("phone", viewport={"width": 844, "height": 390})
    open_table(page, house, "double-up")
    sit(page, 4)
    put(page, 4, "Bet", 2500)
    house.stack("8s 6d 8h 9c")
    deal(page)
    page.evaluate("scrollTo(0, 0)")
    for button in page.locator(".action").all():
        assert box(button)["y"] + box(button)["height"] <= 390
    assert all(box(card)["y"] + box(card)["height"] <= 390 for card in page.locator(".felt-cards .card").all())


def test_backspace_on_a_circle_takes_only_its_chips(visitors: Visitors, house: House) -> None:
    """Elsewhere on the page the same key clears all circles."""
    page = visitors()
    open_table(page, house, "double-up")
    sit(page, 4)
    put(page, 4, "Bet", 2500)
    put(page, 4, "Bonus 16", 500)
    spot(page, 4, "Bonus 16").focus()
    page.keyboard.press("Backspace")
    assert spot(page, 4, "Bonus 16").get_attribute("data-cents") == "0"
    assert spot(page, 4, "Bet").get_attribute("data-cents") == "2500"
    page.locator("[data-chip]").first.focus()
    page.keyboard.press("Backspace")
    spot(page, 4, "Bet").and_(page.locator('[data-cents="0"]')).wait_for()

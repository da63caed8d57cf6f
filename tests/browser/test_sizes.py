"""The table between a phone and a desktop: tablets, small windows, and a phone on its side."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import pytest

from tests.browser.at_table import deal, open_table, put, sit, spot
from tests.browser.conftest import Visitors
from tests.browser.house import House

if TYPE_CHECKING:
    from playwright.sync_api import FloatRect, Page

pytestmark = pytest.mark.slow

SIZES = [(480, 700), (600, 900), (768, 1024), (820, 1180), (1024, 700), (1180, 820), (844, 390), (720, 450)]


def boxes(page: Page, selector: str) -> list[FloatRect]:
    """Where the elements are on the screen, all at one moment: the coach's answer may move them."""
    found: list[FloatRect] = page.evaluate(
        """(selector) => [...document.querySelectorAll(selector)].map((one) => one.getBoundingClientRect().toJSON())""",
        selector,
    )
    assert found
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
    felt, *circles = boxes(page, "hc-felt, hc-felt [data-spot]")
    assert circles
    for place in circles:
        assert felt["x"] <= place["x"]
        assert place["x"] + place["width"] <= felt["x"] + felt["width"] + 1
        assert place["y"] + place["height"] <= felt["y"] + felt["height"] + 1
    put(page, 4, "Bet", 2500)
    house.stack("8s 6d 8h 9c")
    deal(page)
    parts = boxes(page, ".action, hc-coach")
    assert [pair for pair in combinations(parts, 2) if overlap(*pair)] == []


def test_a_phone_on_its_side_shows_cards_and_buttons_at_once(visitors: Visitors, house: House) -> None:
    """Nobody scrolls between the hand and the decision."""
    page = visitors("phone", viewport={"width": 844, "height": 390})
    open_table(page, house, "double-up")
    sit(page, 4)
    put(page, 4, "Bet", 2500)
    house.stack("8s 6d 8h 9c")
    deal(page)
    page.evaluate("scrollTo(0, 0)")
    for selector in (".action", ".felt-cards .card"):
        assert all(place["y"] + place["height"] <= 390 for place in boxes(page, selector))


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


@pytest.mark.parametrize(("width", "height"), [*SIZES, (1440, 900)])
def test_the_sign_of_a_table_covers_no_circle(visitors: Visitors, house: House, width: int, height: int) -> None:
    """Where many rules are changed, it is large."""
    changed = {"dealer.hole_card": "no peek", "player.split_by": "rank", "settle.rounding": "up"}
    page = visitors(viewport={"width": width, "height": height})
    open_table(page, house, "match-up", {**changed, "player.split_hands": 6, "settle.natural": "6 to 5"})
    sit(page, 6)
    *circles, sign = boxes(page, "hc-felt [data-spot], .placard")
    assert circles
    assert [circle for circle in circles if overlap(sign, circle)] == []

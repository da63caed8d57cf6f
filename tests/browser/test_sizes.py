"""The table between a phone and a desktop: tablets, small windows, and a phone on its side."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import pytest

from tests.browser.at_table import deal, open_table, put, sit, spot
from tests.browser.conftest import Visitors
from tests.browser.house import Guest, House

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


CHANGED = {
    "dealer.hole_card": "no peek",
    "player.split_by": "rank",
    "settle.rounding": "up",
    "settle.natural": "6 to 5",
    "settle.twenty_one": "wins",
}
#: The signs in the corners of a large screen, or the one below the felt of a smaller one, and what may not be covered.
_SIGNS_AND_PLACES = """() => {
  const boxOf = (one) => one.getBoundingClientRect().toJSON();
  const all = (selector) => [...document.querySelectorAll(selector)].map(boxOf);
  const wide = getComputedStyle(document.querySelector(".placard")).display === "contents";
  return [all(wide ? ".sign" : ".placard"), all("hc-felt [data-spot], .plate .name")];
}"""


@pytest.mark.parametrize(("width", "height"), [*SIZES, (1280, 800), (1440, 900)])
def test_the_signs_of_a_table_cover_no_circle_and_no_name(
    visitors: Visitors, house: House, width: int, height: int
) -> None:
    """Where many rules are changed, they are large."""
    page = visitors(viewport={"width": width, "height": height})
    table = open_table(page, house, "double-up", {**CHANGED, "player.split_hands": 6, "insurance.pays": "2 to 1"})
    for seat in (1, 2, 3, 5, 6):
        Guest(house).do(table, do="sit", seat=seat)
    sit(page, 7)
    page.locator('[data-seat="6"] .name').wait_for()
    signs, places = page.evaluate(_SIGNS_AND_PLACES)
    assert signs
    assert len(places) >= 6
    assert [(sign, place) for sign in signs for place in places if overlap(sign, place)] == []


@pytest.mark.parametrize("height", [800, 768])
@pytest.mark.parametrize("width", [1280, 1366, 1440, 1600])
def test_six_buttons_a_wager_of_the_round_and_its_words_are_on_the_screen_together(
    visitors: Visitors, house: House, width: int, height: int
) -> None:
    """What is said of a circle moves no button, and no button reaches another one or the coach."""
    page = visitors(viewport={"width": width, "height": height})
    open_table(page, house, "quick-pay")
    sit(page, 4)
    put(page, 4, "Bet", 500)
    house.stack("Ts 6d 5h Td")
    deal(page)
    before = boxes(page, ".action")
    assert len(before) == 6
    spot(page, 4, "Hedge 18").click()
    page.locator('[data-command="place"]').wait_for()
    assert "House table" in page.locator(".circle-words").inner_text()
    parts = boxes(page, ".action, hc-coach, .commands button, .circle-words")
    assert [pair for pair in combinations(parts, 2) if overlap(*pair)] == []
    assert all(part["y"] + part["height"] <= height for part in parts)


@pytest.mark.parametrize("game", ["upcard-luck-21", "quick-pay"])
def test_no_pay_table_reaches_the_chips_of_the_house(visitors: Visitors, house: House, game: str) -> None:
    page = visitors(viewport={"width": 1280, "height": 800})
    open_table(page, house, game)
    rack, *tables = boxes(page, ".felt-print .rack, .felt-print .pay-table")
    assert tables
    assert [table for table in tables if overlap(rack, table)] == []


@pytest.mark.parametrize(("width", "height"), [(360, 740), (390, 844), (844, 390)])
def test_a_phone_says_decks_limits_and_edge(visitors: Visitors, house: House, width: int, height: int) -> None:
    """None of them is cut off."""
    page = visitors("phone", viewport={"width": width, "height": height})
    open_table(page, house, "upcard-luck-21")
    facts = page.locator(".facts", has_text="house edge")
    facts.wait_for()
    assert "6 decks · $5 – $500 · house edge" in " ".join(facts.inner_text().split())
    assert facts.evaluate("(one) => one.scrollWidth <= one.clientWidth")
    assert not overlap(*boxes(page, "hc-felt, .facts"))

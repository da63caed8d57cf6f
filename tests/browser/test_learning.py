"""The drill and the strategy page in Chromium: by keyboard alone, with a finger, and on paper."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.browser.accessibility import check_accessible, cut_off, listen, wait_to_hear
from tests.browser.conftest import Visitors
from tests.patience import milliseconds

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.slow

#: What each kind of question is answered with here, and its key.
_KINDS = [
    ("/games/classic/drill?kind=hard", "s"),
    ("/games/classic/drill?kind=insurance", "i"),
    ("/games/double-up/drill?kind=double%20up", "u"),
    ("/games/quick-pay/drill?kind=quick%20pay", "q"),
    ("/games/quick-pay/drill?kind=wagers", "b"),
    ("/games/face-up/drill?kind=after%20split", "h"),
]


#: What lies closer to the edge than the header does, as when a row is too long.
_BEYOND_THE_EDGE = """() => {
  const edge = document.querySelector("main h1").getBoundingClientRect().left;
  return [...document.querySelectorAll("main .panel, main .drill-felt, main .values *")]
    .filter((one) => one.getBoundingClientRect().right > document.documentElement.clientWidth - edge + 1)
    .map((one) => one.outerHTML.slice(0, 80));
}"""


def open_drill(page: Page, address: str) -> None:
    page.goto(address)
    page.wait_for_selector(".drill-actions button")


@pytest.mark.parametrize(("address", "key"), _KINDS)
def test_a_drill_by_keyboard_alone(page: Page, address: str, key: str) -> None:
    """A key answers, the values appear, Enter asks the next question, and the progress counts."""
    open_drill(page, address)
    for number in (1, 2):
        assert page.locator("main h2").first.inner_text().upper().startswith(f"QUESTION {number} ")
        page.keyboard.press(key)
        page.wait_for_selector(".drill-result")
        assert page.locator(".values tbody tr").count() >= 2
        assert page.locator(".values .best").count() >= 1
        assert page.locator(".verdict").inner_text()[0] in "✓✗"
        assert page.evaluate(_BEYOND_THE_EDGE) == []
        page.keyboard.press("Enter")
        page.wait_for_selector(".drill-actions button")
    assert page.locator(".drill-numbers").inner_text().startswith("2 answers")
    check_accessible(page)
    assert cut_off(page) == []


def test_progress_survives_a_reload(page: Page) -> None:
    """A question stays the same until it is answered, and what was answered is kept."""
    open_drill(page, "/games/classic/drill")
    page.locator(".drill-actions button").first.click()
    page.wait_for_selector(".drill-result")
    check_accessible(page)
    page.reload()
    page.wait_for_selector(".drill-actions button")
    asked = page.locator(".drill-cards").all_inner_texts()
    assert page.locator(".drill-numbers").inner_text().startswith("1 answer")
    page.reload()
    page.wait_for_selector(".drill-actions button")
    assert page.locator(".drill-cards").all_inner_texts() == asked


def test_kinds_are_chosen_and_kept_in_the_address(page: Page) -> None:
    open_drill(page, "/games/classic/drill")
    page.get_by_role("button", name=re.compile("^Soft totals")).click()
    # The question before may have been one about soft totals, too.
    page.wait_for_function("() => location.search === '?kind=soft'")
    page.locator('.kind[data-kind="soft"][aria-pressed="true"]').wait_for()
    page.wait_for_function("() => document.querySelector('main h2').textContent.endsWith('Soft totals')")


def test_a_kind_that_the_game_does_not_have_gives_all_kinds(visitors: Visitors, page: Page) -> None:
    visitors.allow("409")
    open_drill(page, "/games/quick-pay/drill?kind=insurance")
    assert "has no questions of the kind “insurance”" in page.locator(".drill-note").inner_text()
    assert page.locator(".problem").inner_text() == ""
    assert page.evaluate("location.search") == ""
    page.locator('[data-kind="hard"]').click()
    page.wait_for_function("() => document.querySelector('.drill-note').textContent === ''")


def test_a_phone_shows_no_keys(visitors: Visitors) -> None:
    for size, seen in (("phone", False), ("desktop", True)):
        page = visitors(size)
        open_drill(page, "/games/quick-pay/drill?kind=wagers")
        assert page.locator(".drill-actions kbd").first.is_visible() == seen
        page.locator(".drill-actions button").first.click()
        page.wait_for_selector(".drill-result")
        assert page.locator(".drill-result kbd").is_visible() == seen


def test_answers_are_announced(page: Page) -> None:
    open_drill(page, "/games/classic/drill?kind=hard")
    listen(page)
    page.keyboard.press("s")
    page.wait_for_selector(".drill-result")
    wait_to_hear(page, page.locator(".verdict").inner_text()[2:])
    wait_to_hear(page, "Stand:")


@pytest.mark.parametrize("game", ["classic", "face-up"])
def test_a_chart_by_arrow_keys(page: Page, game: str) -> None:
    """One Tab stop for each table; the arrows move, and the values of the cell are shown."""
    page.goto(f"/games/{game}/strategy")
    page.wait_for_selector(".chart", timeout=milliseconds(60))
    assert page.locator(".chart tbody td[tabindex='0']").count() == 3
    page.locator(".chart tbody td[tabindex='0']").first.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    column = page.locator(".chart thead tr:last-child th").nth(2).inner_text()
    assert page.locator(".strategy-values h2").inner_text().lower() == f"hard 5 against {column}"
    assert page.locator(".strategy-values .values tbody tr").count() >= 2
    assert page.locator(".chart tbody td[tabindex='0']").count() == 3
    check_accessible(page)
    assert cut_off(page) == []


def test_exceptions_are_added_on_request(page: Page) -> None:
    page.goto("/games/classic/strategy")
    page.wait_for_selector(".chart", timeout=milliseconds(60))
    page.get_by_label("With exceptions for two cards").check()
    page.wait_for_selector(".exceptions", timeout=milliseconds(60))
    assert "T,6 v T" in page.locator(".exceptions").inner_text()
    assert "exceptions=true" in page.url


@pytest.mark.parametrize("game", ["classic", "quick-pay", "face-up"])
def test_a_chart_prints_on_one_card(visitors: Visitors, game: str) -> None:
    """One page of A5, 148 by 210 millimeters, and all of its text is black or white."""
    page = visitors("desktop")
    page.goto(f"/games/{game}/strategy")
    page.wait_for_selector(".chart", timeout=milliseconds(60))
    page.emulate_media(media="print")
    # Waited for, because a change of colors may take a millisecond.
    page.wait_for_function(
        """() => [...document.querySelectorAll(".chart .cell")].every((cell) =>
             ["rgb(0, 0, 0)", "rgb(255, 255, 255)"].includes(getComputedStyle(cell).color))"""
    )
    card = page.pdf(prefer_css_page_size=True, print_background=True)
    assert len(re.findall(rb"/Type\s*/Page\b", card)) == 1
    box = re.search(rb"/MediaBox\s*\[0 0 ([\d.]+) ([\d.]+)", card)
    assert box is not None
    assert [round(float(side) / 72 * 25.4) for side in box.groups()] == [148, 210]

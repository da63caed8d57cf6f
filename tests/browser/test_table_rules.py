"""A table says the rules it plays by: changed settings, conditions of wagers, house tables, and its own rules."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from holecard.sheets.files.toml_writer import sheet_data, toml_sections
from tests.browser.at_table import act, deal, guest_of, open_table, place, put, show_table, sit, spot, wait_for_phase
from tests.browser.conftest import Visitors
from tests.browser.house import House
from tests.pages.unusual_sheets import UNUSUAL

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.slow

HOUSE = "House table, not printed on the sheet"
CHANGED = {"settle.natural": "6 to 5", "dealer.hole_card": "no peek"}
SAID = "blackjack pays 6 to 5 · no peek"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A server that also deals the unusual sheets."""
    folder = tmp_path_factory.mktemp("games")
    for number, sheet in enumerate(UNUSUAL.values()):
        (folder / f"unusual-{number}.toml").write_text(toml_sections(sheet_data(sheet)), encoding="utf-8")
    found = House(tmp_path_factory.mktemp("house"), "--games", str(folder)).start()
    yield found
    found.stop()


def pay_dialog(page: Page) -> str:
    """Open the dialog of a table and return what it says."""
    page.evaluate("document.querySelector('.pay-dialog').showModal()")
    words = page.locator(".pay-dialog").inner_text()
    page.keyboard.press("Escape")
    return words


def test_somebody_with_the_link_sees_what_is_changed_and_the_rules_of_this_table(
    page: Page, visitors: Visitors, size: str, house: House
) -> None:
    table = open_table(page, house, "upcard-luck-21", CHANGED)
    watcher = visitors(size)
    guest_of(watcher, house)
    show_table(watcher, table)
    for one in (page, watcher):
        assert SAID in one.locator(".placard").inner_text()
        assert one.locator(".facts .changed").count() == 1
        rules = one.locator(".title-links a")
        assert rules.get_attribute("href") == f"/tables/{table}/rules"
        one.goto(f"/tables/{table}/rules")
        one.get_by_text(f"Changed here: {SAID}").wait_for()
        words = one.locator("hc-game").inner_text()
        assert "A natural pays 6 to 5" in words
        assert "does not check for a natural" in words
        strategy = one.get_by_role("link", name="Strategy chart").get_attribute("href") or ""
        assert "set=settle.natural%3D6+to+5" in strategy
    watcher.goto("/")
    watcher.locator(".open-table", has_text=SAID).first.wait_for()


def test_a_table_without_changes_says_so_by_silence(page: Page, house: House) -> None:
    open_table(page, house, "classic")
    assert page.locator(".facts .changed").count() == 0
    assert not page.locator(".placard").is_visible()


def test_conditions_are_on_the_cloth_in_the_dialog_and_at_the_circle(page: Page, size: str, house: House) -> None:
    open_table(page, house, "upcard-luck-21")
    sit(page, 4)
    cloth = ".placard" if size == "phone" else ".pay-tables"
    printed = " ".join(page.locator(cloth).all_inner_texts())
    for words in ("dealer must show 2 to 7", "at most Bet", "only with Upcard Luck", "dealer shows 2 to 7"):
        assert words in printed
    dialog = pay_dialog(page)
    assert "The dealer must show 2 to 7; with any other upcard it loses." in dialog
    assert "A tax is due when the dealer shows 2 to 7" in dialog
    put(page, 4, "Bet", 500)
    put(page, 4, "Upcard Luck", 100)
    said = page.locator(".circle-words")
    assert said.inner_text() == "Upcard Luck: $1 to $500 · dealer must show 2 to 7 · at most Bet"
    assert "dealer must show 2 to 7" in (spot(page, 4, "Upcard Luck").get_attribute("title") or "")


def test_house_tables_are_marked_at_the_table_and_in_the_past(page: Page, size: str, house: House) -> None:
    table = open_table(page, house, "quick-pay", {"settle.natural": "3 to 2"})
    sit(page, 4)
    assert HOUSE in " ".join(page.locator(".placard" if size == "phone" else ".pay-tables").all_inner_texts())
    assert f"{HOUSE}." in pay_dialog(page)
    assert "Changed here: blackjack pays 3 to 2" in pay_dialog(page)
    assert "Hedge 18* $1" in page.locator(".note").inner_text()
    said = spot(page, 4, "Hedge 18").evaluate("(one) => one.ariaDescription")
    assert said.startswith("Hedge 18 opens when the dealer has checked")
    assert HOUSE in said
    assert "18*" in (page.locator("svg.cloth").text_content() or "")
    put(page, 4, "Bet", 500)
    house.stack("Ts 6d 8h 9c 2d")
    deal(page)
    spot(page, 4, "Hedge 18").click()
    assert HOUSE in page.locator(".circle-words").inner_text()
    place(page, 4, {"Hedge 18": 500})
    act(page, "stand")
    wait_for_phase(page, "last call", "done")
    if page.locator('[data-command="pass"]').is_visible():
        place(page, 4, {})
    wait_for_phase(page, "done")
    assert "Hedge 18*" in page.locator(".results").inner_text()
    page.goto(f"/history/{table}/1")
    page.get_by_text("Changed: blackjack pays 3 to 2").wait_for()
    assert "Hedge 18*" in page.locator(".replay-results").inner_text()
    assert f"* {HOUSE}" in page.locator(".replay-results").inner_text()
    page.goto("/history")
    page.locator(".wagers-panel", has_text="Hedge 18*").wait_for()
    assert "blackjack pays 3 to 2" in page.locator(".round-list").inner_text()


@pytest.mark.parametrize("game", ["quick-pay", "upcard-luck-21", "unusual-0"])
def test_nothing_in_the_pay_dialog_is_cut_off(page: Page, house: House, game: str) -> None:
    """Not even odds for ten upcards on a phone."""
    open_table(page, house, game, {"settle.rounding": "up"})
    page.evaluate("document.querySelector('.pay-dialog').showModal()")
    parts = page.locator(".pay-dialog, .pay-dialog .scroll")
    assert parts.evaluate_all("(all) => all.filter((one) => one.scrollWidth > one.clientWidth).length") == 0


@pytest.mark.parametrize("number", range(len(UNUSUAL)), ids=list(UNUSUAL))
def test_unusual_sheets_open_at_every_size(page: Page, house: House, number: int) -> None:
    """Two wagers by upcard that name different upcards, twenty lines, six wagers, many rules."""
    sheet = list(UNUSUAL.values())[number]
    open_table(page, house, f"unusual-{number}")
    sit(page, 4)
    dialog = pay_dialog(page)
    for wager in sheet.wager:
        assert wager.name in dialog
        circle = spot(page, 4, wager.name)
        circle.wait_for()
    page.goto(f"/games/unusual-{number}")
    page.locator("hc-game h2", has_text="Pay tables").wait_for()


def test_the_options_offer_every_reading(page: Page) -> None:
    page.goto("/games/upcard-luck-21")
    page.get_by_role("button", name="Table options").click()
    page.locator(".readings summary").click()
    for choice in ("Upcard Luck table: B", "Upcard Luck table: C", "split only equal ranks"):
        page.get_by_label(choice, exact=True).check()
    page.get_by_role("button", name="Open the table and sit down").click()
    page.locator("hc-table[data-phase]").wait_for()
    placard = page.locator(".placard")
    placard.wait_for()
    assert "Upcard Luck table: C" in placard.inner_text()
    assert "split only equal ranks" in placard.inner_text()
    assert "table: B" not in placard.inner_text()
    assert "12 to 1" in pay_dialog(page)

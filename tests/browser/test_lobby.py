"""The lobby: every game with its felt and its exact edges, a seat in one click, tables of others, links to share."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from holecard.exact.analysis import analyze
from holecard.sheets.catalog import games
from holecard.sheets.read import rules
from tests.browser.accessibility import check_accessible, check_focus, cut_off, listen, small_targets, wait_to_hear
from tests.browser.conftest import Visitors
from tests.browser.house import House
from tests.patience import milliseconds

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

pytestmark = pytest.mark.slow

TABLE = re.compile(r"/tables/[\w-]+$")
OWN = 'name = "Friday Night"\nextends = "classic"\n[table]\ncloth = "teal"\n[settle]\nnatural = "2 to 1"\n'
BROKEN = 'name = "Broken"\nextends = "classic"\n[shoe]\ndecks = 0\n'


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A server with a folder of its own sheets, one of them wrong."""
    folder = tmp_path_factory.mktemp("games")
    (folder / "friday.toml").write_text(OWN)
    (folder / "broken.toml").write_text(BROKEN)
    found = House(tmp_path_factory.mktemp("house"), f"--games={folder}").start()
    yield found
    found.stop()


def card(page: Page, game: str) -> Locator:
    return page.locator(f'.game-card[data-game="{game}"]')


def open_lobby(page: Page) -> None:
    page.goto("/")
    page.locator(".game-card").first.wait_for()


def test_every_game_is_there_with_its_felt_and_its_edges(page: Page) -> None:
    open_lobby(page)
    for game in games(examples=True):
        sheet = rules(game)
        shown = card(page, game)
        shown.locator(".main-edge").wait_for(timeout=milliseconds(60))
        edge = analyze(sheet).house_edge
        who = "house" if edge > 0 else "player"
        assert shown.locator(".main-edge").inner_text() == f"{who} edge {abs(edge):.2%}"
        assert shown.get_by_role("heading").inner_text() == sheet.name
        assert sheet.about in shown.inner_text()
        assert shown.locator("svg.felt-picture").get_attribute("data-cloth") == sheet.table.cloth
    headings = page.locator(".lobby-games h2").all_inner_texts()
    assert [text.lower() for text in headings] == ["the games", "more to try", "your own"]
    printed = page.locator("section").filter(has=page.locator("#group-printed")).locator("[data-game]")
    assert printed.count() == 5


def test_own_games_are_dealt_and_wrong_ones_say_what_is_wrong(page: Page) -> None:
    open_lobby(page)
    assert "Friday Night" in card(page, "friday").inner_text()
    assert "must be at least 1" in card(page, "broken").inner_text()
    assert card(page, "broken").get_by_role("button").count() == 0
    card(page, "friday").get_by_role("button", name="Play").click()
    page.wait_for_url(TABLE)


def test_a_seat_in_one_click_and_the_same_table_again(page: Page) -> None:
    """Nobody has to sign up, and a second click does not fill the lobby with tables."""
    open_lobby(page)
    card(page, "double-up").get_by_role("button", name="Play").click()
    page.wait_for_url(TABLE)
    first = page.url
    name = page.request.get("/api/v1/me").json()["name"]
    table = page.request.get(f"/api/v1/tables/{first.rpartition('/')[2]}").json()["table"]
    assert table["taken"] == {"4": name}
    open_lobby(page)
    page.locator(".quick-play").get_by_text("Double-Up Blackjack").click()
    page.wait_for_url(TABLE)
    assert page.url == first


def test_a_table_with_other_rules_is_opened_without_a_mouse(page: Page) -> None:
    open_lobby(page)
    card(page, "quick-pay").get_by_role("button", name="Table options").focus()
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("radio", name="6", exact=True).focus()
    page.keyboard.press("ArrowRight")
    dialog.get_by_text("House rules").focus()
    page.keyboard.press("Enter")
    dialog.get_by_role("group", name="Soft 17").get_by_role("radio", name="as described").focus()
    page.keyboard.press("ArrowRight")
    check_accessible(page)
    dialog.get_by_role("button", name="Open the table").focus()
    page.keyboard.press("Enter")
    page.wait_for_url(TABLE)
    table = page.request.get(f"/api/v1/tables/{page.url.rpartition('/')[2]}").json()["table"]
    assert table["settings"] == {"shoe.decks": 8, "dealer.soft_17": "stand"}
    open_lobby(page)
    mine = page.locator(".open-table").filter(has_text="Quick Pay Blackjack").filter(has_text="8 decks")
    assert "you sit here" in mine.first.inner_text()


def test_others_see_the_table_sit_watch_and_share_it(visitors: Visitors) -> None:
    host, other = visitors(), visitors("phone")
    other.context.grant_permissions(["clipboard-read", "clipboard-write"])
    open_lobby(other)
    open_lobby(host)
    card(host, "face-up").get_by_role("button", name="Play").click()
    host.wait_for_url(TABLE)
    shown = other.locator(".open-table").filter(has_text="Face Up Blackjack").last
    shown.wait_for(timeout=milliseconds(15))  # without a reload
    assert "$5 – $500" in shown.inner_text()
    assert shown.get_by_role("img").get_attribute("aria-label") == "6 of 7 seats are free"
    listen(other)
    shown.get_by_role("button", name="Copy link").click()
    wait_to_hear(other, "Copied")
    assert other.evaluate("navigator.clipboard.readText()") == host.url
    assert host.url.endswith(str(shown.get_by_role("link", name="Watch").get_attribute("href")))
    shown.get_by_role("button", name="Sit at").click()
    other.wait_for_url(TABLE)
    assert other.url == host.url
    taken = other.request.get(f"/api/v1/tables/{other.url.rpartition('/')[2]}").json()["table"]["taken"]
    assert sorted(taken) == ["3", "4"]


def test_a_refusal_is_said_in_words(visitors: Visitors) -> None:
    visitors.allow("503")
    page = visitors()
    open_lobby(page)
    answer = {"type": "refused", "id": None, "code": "closing", "message": "the server is closing"}
    page.route("**/api/v1/tables", lambda route: route.fulfill(status=503, json=answer))
    card(page, "classic").get_by_role("button", name="Play").click()
    page.get_by_role("alert").filter(has_text="the server is closing").first.wait_for()


def test_the_lobby_is_accessible_with_tables(visitors: Visitors, size: str) -> None:
    page = visitors(size)
    open_lobby(page)
    card(page, "match-up").get_by_role("button", name="Play").click()
    page.wait_for_url(TABLE)
    open_lobby(page)
    page.locator(".open-table").first.wait_for()
    page.locator(".chip.waiting").first.wait_for(state="detached", timeout=milliseconds(60))
    check_accessible(page)
    check_focus(page)
    assert cut_off(page) == []
    if size == "phone":
        assert small_targets(page) == []


@pytest.mark.parametrize("game", [game for game in games() if rules(game).source])
def test_the_page_of_a_game_has_rules_tables_and_edges(visitors: Visitors, size: str, game: str) -> None:
    page = visitors(size)
    page.goto(f"/games/{game}")
    sheet, found = rules(game), analyze(rules(game))
    page.get_by_role("heading", level=1, name=sheet.name).wait_for()
    rows = page.get_by_role("region", name="House edge", exact=True).locator("tbody tr")
    rows.first.wait_for(timeout=milliseconds(60))
    shown = dict(text.split("\t")[:2] for text in rows.all_inner_texts())
    assert shown.pop(sheet.main.name) == f"{found.house_edge:.2%}"
    for wager in found.wagers:
        words = shown.pop(wager.name if wager.printed else f"{wager.name}*")
        per_round = f"{100 * wager.house_edge:.1f}¢ a round"
        assert words == (per_round if "dollars" in wager.unit else f"{wager.house_edge:.2%}")
    assert set(shown) <= {"Insurance"}
    text = page.locator("main").inner_text()
    for wager in sheet.tables.wagers:
        assert wager.name.lower() in text.lower()
    for ruling in sheet.ruling:
        assert page.locator("summary", has_text=ruling.on).count() >= 1
    check_accessible(page)
    assert cut_off(page) == []


def test_a_game_that_does_not_exist_has_a_way_back(visitors: Visitors) -> None:
    visitors.allow("404")
    page = visitors()
    page.goto("/games/nothing")
    page.get_by_role("alert").filter(has_text="no game is called").first.wait_for()
    page.get_by_role("link", name="All games").click()
    page.locator(".game-card").first.wait_for()


def test_a_wrong_address_has_a_way_back(visitors: Visitors, tmp_path: Path) -> None:
    visitors.allow("404")
    page = visitors()
    page.goto(f"/{tmp_path.name}")
    check_accessible(page)
    page.get_by_role("link", name="Go to the lobby").click()
    page.locator(".game-card").first.wait_for()

"""An operator at a table and in the lobby: ends rounds, frees seats, mutes names, stops games; and private tables."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from holecard.server.accounts.operators import appoint
from holecard.server.settings import ServerSettings
from tests.browser.accessibility import check_accessible
from tests.browser.conftest import Visitors
from tests.browser.house import Guest, House

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.slow

WHY = "The pay table was wrong"
WHO = {"name": "Carol", "password": "correct horse"}


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A server with an operator."""
    folder = tmp_path_factory.mktemp("house")
    database = f"sqlite+aiosqlite:///{folder}/holecard.db"
    with ThreadPoolExecutor(1) as pool:  # the browser has a loop in this thread
        pool.submit(_appoint, database).result()
    found = House(folder).start()
    yield found
    found.stop()


def _appoint(database: str) -> None:
    asyncio.run(appoint(ServerSettings(database=database), WHO["name"], lambda: WHO["password"]))


@pytest.fixture
def boss(house: House) -> Guest:
    """The operator, without a browser."""
    found = Guest(house, cookie="none")
    found.post("/api/v1/sign-in", WHO)
    return found


def window(visitors: Visitors, house: House, person: Guest, size: str) -> Page:
    page = visitors(size)
    assert person.cookie is not None
    page.context.add_cookies([{"name": "holecard_session", "value": person.cookie, "url": house.address}])
    return page


def open_table(page: Page, table: str, phase: str) -> None:
    page.goto(f"/tables/{table}")
    page.locator(f'hc-table[data-phase="{phase}"][data-still="true"]').wait_for()


def step(page: Page, size: str, name: str) -> None:
    """Take a step of the menu, and confirm it with a reason."""
    if size == "phone" and not page.locator(".title.open").count():
        page.locator(".more-links").click()
    page.get_by_role("button", name="Operator").click()
    page.locator(f"[data-step={name}]").click()
    page.locator("input[name=reason]").fill(WHY)
    check_accessible(page)
    page.locator("dialog button[type=submit]").click()
    page.locator("dialog[open]").first.wait_for(state="detached")


def test_a_round_is_ended_a_seat_is_freed_and_a_name_is_muted(
    visitors: Visitors, house: House, host: Guest, boss: Guest, size: str
) -> None:
    table = host.open_table("classic")
    host.do(table, do="sit", seat=3)
    house.stack("5h 9s 6d Th")
    host.do(table, do="bet", seat=3, main=2500)
    host.do(table, do="deal")
    player, operator = window(visitors, house, host, size), window(visitors, house, boss, size)
    for page in (player, operator):
        open_table(page, table, "acting")
    step(operator, size, "end")
    player.get_by_text(f"the operator ended it; all stakes were returned. {WHY}").wait_for()
    player.locator('[data-balance][data-cents="100000"]').wait_for()
    name = host.get("/api/v1/me")["name"]
    step(operator, size, "mute")
    operator.locator('[data-seat="3"] .name', has_text="Player ").first.wait_for()
    assert host.get("/api/v1/me")["name"] != name
    step(operator, size, "restore")
    step(operator, size, "free")
    player.get_by_text(f"The operator freed your seat 3: {WHY}").wait_for()
    assert [seat["name"] for seat in host.see(table)["seats"]] == [None]


def test_a_game_is_stopped_at_a_table_and_allowed_in_the_lobby(
    visitors: Visitors, house: House, host: Guest, boss: Guest, size: str
) -> None:
    table = host.open_table("quick-pay")
    host.do(table, do="sit", seat=1)
    player, operator = window(visitors, house, host, size), window(visitors, house, boss, size)
    for page in (player, operator):
        open_table(page, table, "betting")
    step(operator, size, "stop")
    player.get_by_text(f"The operator has stopped this game, so it takes no bets: {WHY}").first.wait_for()
    player.goto("/")
    card = player.locator('.game-card[data-game="quick-pay"]')
    card.get_by_text(f"Stopped by the operator: {WHY}").wait_for()
    assert card.get_by_role("button").count() == 0
    assert player.locator(".operator-board").count() == 0
    operator.goto("/")
    operator.locator(".operator-board [data-step=allow]").click()
    operator.locator("input[name=reason]").fill("Repaired")
    operator.locator("dialog button[type=submit]").click()
    operator.locator(".operator-board").get_by_text("No game is stopped").wait_for()
    assert host.see(table)["stopped"] is None


def test_a_private_table_is_opened_in_the_dialog_and_not_listed(
    visitors: Visitors, house: House, host: Guest, size: str
) -> None:
    ann, bob = window(visitors, house, host, size), visitors(size)
    ann.goto("/")
    ann.locator('.game-card[data-game="classic"]').get_by_role("button", name="Table options").click()
    ann.get_by_role("radio", name="Link only").check()
    ann.locator("dialog").get_by_text("The lobby does not list the table.").wait_for()
    ann.get_by_role("button", name="Open the table and sit down").click()
    ann.get_by_text("Private table").wait_for()
    address = ann.url
    bob.goto("/")
    bob.locator(".game-card").first.wait_for()
    assert address.rpartition("/")[2] not in [one["id"] for one in Guest(house).get("/api/v1/tables")]
    bob.goto(address)
    bob.get_by_text("You are watching. Sit down at a free seat to play.").wait_for()


def test_nobody_but_operators_loads_the_menu(visitors: Visitors, host: Guest) -> None:
    table = host.open_table("classic")
    page = visitors()
    loaded: list[str] = []
    page.on("request", lambda request: loaded.append(request.url))
    open_table(page, table, "betting")
    assert not [url for url in loaded if "operator" in url]

"""A round that is interrupted: the page is loaded again, the server is killed, the network is slow or gone."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from tests.browser.accessibility import check_accessible
from tests.browser.at_table import (
    act,
    deal,
    guest_of,
    open_table,
    phase,
    put,
    show_table,
    sit,
    still,
    wait_for_balance,
    wait_for_number,
    wait_for_phase,
)
from tests.browser.conftest import Visitors
from tests.browser.house import House
from tests.patience import milliseconds, wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Page, WebSocketRoute

pytestmark = pytest.mark.slow

#: What Chromium writes when there is no network or no server; the page itself must write nothing.
_NO_NETWORK = r"net::ERR_|WebSocket connection to"
#: 16 against a 9; then a 3 and a 2; the dealer has 19.
_CARDS = "Ts 9h 6d Td 3c 2c"


def dealt(page: Page, house: House) -> str:
    """Bet $10 on seat 1 and get 16 against a 9; return the table's id."""
    table = open_table(page, house, "classic")
    sit(page, 1)
    put(page, 1, "Bet", 1000)
    house.stack(_CARDS)
    deal(page)
    assert phase(page) == "acting"
    return table


def cards(page: Page) -> list[str]:
    """The cards that the page shows, the dealer's and the player's, in any order."""
    return sorted(page.locator("[data-card]").evaluate_all("all => all.map((one) => one.dataset.card)"))


def finish(page: Page, house: House, table: str) -> None:
    """Hit 16 to 21 and win; page and server agree on cards, result and balance."""
    act(page, "hit")
    act(page, "hit")
    wait_for_phase(page, "done")
    view = guest_of(page, house).see(table)
    assert view["seats"][0]["hands"][0]["cards"] == ["Ts", "6d", "3c", "2c"]
    assert cards(page) == sorted(["Ts", "6d", "3c", "2c", "9h", "Td"])
    wait_for_balance(page, 101_000)


def test_the_page_is_loaded_again_in_mid_round(page: Page, house: House) -> None:
    table = dealt(page, house)
    before = cards(page)
    page.reload()
    wait_for_phase(page, "acting")
    assert cards(page) == before == sorted(["Ts", "6d", "9h", "back"])
    finish(page, house, table)


def test_the_page_is_loaded_again_while_chips_are_down(page: Page, house: House) -> None:
    """A bet that the server has is still there; the round can be dealt."""
    table = open_table(page, house, "classic")
    sit(page, 1)
    put(page, 1, "Bet", 1000)
    guest = guest_of(page, house)
    wait_until(lambda: guest.see(table)["seats"][0]["hands"], "the server has the bet")
    page.reload()
    page.locator('[data-spot="1:Bet"][data-cents="1000"]').wait_for()
    still(page)
    house.stack(_CARDS)
    deal(page)
    assert phase(page) == "acting"
    wait_for_balance(page, 99_000)


def test_the_server_is_killed_in_mid_round(page: Page, house: House, visitors: Visitors) -> None:
    """Nobody touches the page: it finds the server again by itself, and the round continues."""
    visitors.allow(_NO_NETWORK)
    table = dealt(page, house)
    house.kill()
    page.locator('hc-table[data-connection="lost"], hc-table[data-connection="connecting"]').wait_for()
    house.start()
    page.locator('hc-table[data-connection="open"]').wait_for(timeout=milliseconds(20))
    assert cards(page) == sorted(["Ts", "6d", "9h", "back"])
    finish(page, house, table)


def test_a_decision_made_while_the_server_is_away_is_made_once(page: Page, house: House, visitors: Visitors) -> None:
    visitors.allow(_NO_NETWORK)
    table = dealt(page, house)
    house.kill()
    page.locator('[data-action="hit"]').click()
    house.start()
    page.wait_for_function(
        "() => document.querySelectorAll('[data-card=\"3c\"]').length === 1", timeout=milliseconds(20)
    )
    still(page)
    assert guest_of(page, house).see(table)["seats"][0]["hands"][0]["cards"] == ["Ts", "6d", "3c"]


def test_the_network_is_gone_for_a_while(page: Page, house: House, visitors: Visitors) -> None:
    visitors.allow(_NO_NETWORK)
    table = dealt(page, house)
    page.context.set_offline(True)
    page.locator('hc-table:not([data-connection="open"])').wait_for()
    page.context.set_offline(False)
    page.locator('hc-table[data-connection="open"]').wait_for(timeout=milliseconds(20))
    finish(page, house, table)


def test_a_slow_network_is_enough(page: Page, house: House) -> None:
    """400 ms there and back, 50 kB a second: everything works, a little later."""
    protocol = page.context.new_cdp_session(page)
    protocol.send("Network.enable")
    slow = {"offline": False, "latency": 400, "downloadThroughput": 50_000, "uploadThroughput": 25_000}
    protocol.send("Network.emulateNetworkConditions", slow)
    page.set_default_timeout(milliseconds(30))
    finish(page, house, dealt(page, house))


def test_messages_that_come_late_and_in_lumps(page: Page, house: House) -> None:
    """A proxy holds every message back for a third of a second; clicks meanwhile do no harm."""

    def hold(socket: object) -> None:
        server = socket.connect_to_server()  # type: ignore[attr-defined]

        def later(message: str | bytes) -> None:
            page.wait_for_timeout(0)
            server.send(message)

        socket.on_message(later)  # type: ignore[attr-defined]
        server.on_message(lambda message: (time.sleep(0.3), socket.send(message)))  # type: ignore[attr-defined]

    page.route_web_socket("**/socket*", hold)
    table = dealt(page, house)
    before = page.locator('[data-action="hit"]')
    before.dblclick()
    wait_for_phase(page, "acting", "done")
    page.wait_for_function("() => document.querySelectorAll('[data-card=\"3c\"]').length === 1")
    still(page)
    hand = guest_of(page, house).see(table)["seats"][0]["hands"][0]["cards"]
    assert hand in (["Ts", "6d", "3c"], ["Ts", "6d", "3c", "2c"])


def test_no_bet_is_sent_before_the_seed_of_the_page_is_answered(page: Page, house: House) -> None:
    """However slow the network: otherwise others could have the shoe dealt without it."""
    sent: list[str] = []
    held: list[Callable[[], None]] = []

    def hold(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()

        def up(message: str | bytes) -> None:
            command = json.loads(message).get("command")
            sent.append(command["do"] if command else "ping")
            if sent[-1] == "add seed":
                held.append(lambda: server.send(message))
            else:
                server.send(message)

        socket.on_message(up)

    page.route_web_socket("**/socket*", hold)
    table = open_table(page, house, "classic")
    sit(page, 1)
    put(page, 1, "Bet", 1000)
    house.stack(_CARDS)
    page.locator('[data-command="deal"]').click()
    page.evaluate("() => 0")  # what the click has sent, has been sent
    assert [one for one in sent if one != "ping"] == ["sit", "add seed"]
    held[0]()
    wait_for_phase(page, "acting")
    assert [one for one in sent if one != "ping"] == ["sit", "add seed", "bet", "deal"]
    assert len(guest_of(page, house).see(table)["shoe"]["player_seeds"]) == 1


def test_a_seed_that_was_on_its_way_when_the_connection_broke_is_added_once(page: Page, house: House) -> None:
    seeds: list[str] = []

    def cut(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()

        def up(message: str | bytes) -> None:
            server.send(message)
            if "add seed" in str(message):
                seeds.append(str(message))
                if len(seeds) == 1:
                    socket.close(code=1012)  # the answer does not arrive

        socket.on_message(up)

    page.route_web_socket("**/socket*", cut)
    table = dealt(page, house)
    assert len(seeds) == 2
    assert seeds[0] == seeds[1]  # with the same id
    assert len(guest_of(page, house).see(table)["shoe"]["player_seeds"]) == 1
    assert page.locator(".message").inner_text() == ""
    finish(page, house, table)


def test_two_browsers_at_one_table(visitors: Visitors, house: House) -> None:
    """Each sees the other's name, bet, cards and turn; only the one who is asked can act."""
    ann, bob = visitors("desktop"), visitors("phone")
    table = open_table(ann, house, "classic")
    show_table(bob, table)
    sit(ann, 1)
    sit(bob, 3)
    names = [guest_of(page, house).get("/api/v1/me")["name"] for page in (ann, bob)]
    ann.locator('[data-seat="3"]').get_by_text(names[1]).wait_for()
    bob.locator('[data-seat="1"]').get_by_text(names[0]).wait_for()
    put(bob, 3, "Bet", 1000)
    put(ann, 1, "Bet", 1000)
    house.stack("Ts 9s 9h 6d Td Td 3c 2c")
    deal(ann)
    wait_for_phase(ann, "acting")
    wait_for_phase(bob, "acting")
    assert ann.locator('[data-action="stand"]:visible').count() == 1
    assert bob.locator('[data-action="stand"]:visible').count() == 0
    act(ann, "stand")
    bob.locator('[data-action="stand"]:visible').wait_for()
    act(bob, "stand")
    wait_for_phase(ann, "done")
    wait_for_phase(bob, "done")
    assert cards(ann) == cards(bob)
    for page, seat in ((ann, 1), (bob, 3)):
        net = page.locator(f'[data-seat="{seat}"] [data-result]').get_attribute("data-result")
        wait_for_balance(page, 100_000 + int(net or 0))


def test_a_watcher_sees_the_round_and_no_hidden_card(visitors: Visitors, house: House) -> None:
    ann, eve = visitors("desktop"), visitors("desktop")
    table = dealt(ann, house)
    show_table(eve, table)
    assert cards(eve) == sorted(["Ts", "6d", "9h", "back"])
    assert eve.locator("[data-action]:visible").count() == 0
    before = int(eve.locator("hc-table").get_attribute("data-number") or 0)
    act(ann, "stand")
    wait_for_number(eve, before)
    wait_for_phase(eve, "done")
    assert "Td" in cards(eve)


def test_a_notice_of_the_server_covers_nothing_and_is_said_once(page: Page, house: House) -> None:
    """It takes a line of its own above the title, and a balance that changes does not say it again."""
    open_table(page, house, "classic")
    words = "The server has lost the newest part of its logs, at least 3 entries. The operator has been told."
    said = page.evaluate(
        """async (notice) => {
          const { setBalance, setPerson, signedIn } = await import("/static/core/api.js");
          setPerson({ ...(await signedIn()), notice });
          const observer = new MutationObserver(() => {});
          observer.observe(document.body, { childList: true });
          const shown = document.querySelector(".server-notice");
          observer.observe(shown, { childList: true, characterData: true, subtree: true });
          for (const balance of [100, 200]) setBalance(balance);
          return observer.takeRecords().length;
        }""",
        words,
    )
    assert said == 0
    page.get_by_role("alert").filter(has_text="has lost the newest part").wait_for()
    boxes = [page.locator(name).bounding_box() for name in (".server-notice", ".title-words", ".header-menu")]
    notice, *below = (box for box in boxes if box is not None)
    assert len(below) == 2
    assert all(box["y"] >= notice["y"] + notice["height"] for box in below)
    check_accessible(page)

"""Past rounds and shoes in a browser: the history, replays by mouse and keys, and the check of a finished shoe."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from tests.browser.accessibility import check_accessible, check_focus, cut_off, listen, small_targets, wait_to_hear
from tests.browser.at_table import act, deal, guest_of, open_table, put, sit, wait_for_phase
from tests.browser.conftest import Visitors
from tests.browser.house import Guest, House
from tests.patience import milliseconds
from tests.server.plain_redeal import plain_problem

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.slow

#: More than a page of the history.
ROUNDS = 56
#: What a page draws at random is the same in every run, so that a failure repeats.
_KNOWN_RANDOM = """let drawn = 0;
crypto.getRandomValues = (bytes) => bytes.map(() => (drawn++ * 151) % 251);"""


class Past(NamedTuple):
    """Somebody with a history, and the table at which several seats played a few rounds."""

    guest: Guest
    few: str


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A server with fair shoes, because these tests check them."""
    found = House(tmp_path_factory.mktemp("house"), fair=True).start()
    yield found
    found.stop()


@pytest.fixture(scope="module")
def past(house: House) -> Past:
    """Many rounds at a table with one shoe for each, and a few at another one; everybody stands in most of them."""
    guest = Guest(house)
    many = guest.open_table("classic", {"shoe.procedure": "fresh each round"})
    guest.do(many, do="sit", seat=3)
    for _ in range(ROUNDS):
        play(guest, many, {3: {}})
    few = guest.open_table("double-up")
    for seat in (1, 2):
        guest.do(few, do="sit", seat=seat)
    guest.do(few, do="add seed", seed="sévën ♠")
    for _ in range(3):
        play(guest, few, {1: {"Bonus 16": 100}, 2: {}})
    return Past(guest, few)


def play(guest: Guest, table: str, bets: dict[int, dict[str, int]]) -> None:
    for seat, sides in bets.items():
        guest.do(table, do="bet", seat=seat, main=500, sides=sides)
    guest.do(table, do="deal")
    while (view := guest.see(table))["phase"] != "done":
        actions = [choice["action"] for choice in view["choices"]]
        action = next(one for one in ("stand", "no insurance", "no surrender") if one in actions)
        guest.do(table, do="act", seat=view["asked"], action=action)


def visit(visitors: Visitors, guest: Guest, house: House, size: str, address: str) -> Page:
    page = visitors(size)
    page.context.add_cookies([{"name": "holecard_session", "value": guest.cookie or "", "url": house.address}])
    page.goto(address)
    page.wait_for_load_state("networkidle")
    return page


# The history


def test_the_history_lists_all_rounds_and_compares_them(
    visitors: Visitors, past: Past, house: House, size: str
) -> None:
    page = visit(visitors, past.guest, house, size, "/history")
    page.locator(".plot svg").wait_for(timeout=milliseconds(60))
    check_accessible(page)
    assert cut_off(page) == []
    if size == "phone":
        assert small_targets(page) == []
    assert page.locator(".round").count() == 50
    page.get_by_role("button", name="Older rounds").click()
    page.locator(".round").nth(ROUNDS + 2).wait_for()
    assert page.locator(".round").count() == ROUNDS + 3
    assert page.get_by_role("button", name="Older rounds").is_hidden()
    told = past.guest.get("/api/v1/history/statistics")
    words = page.locator(".plot-words").inner_text()
    assert re.search(rf"over {ROUNDS + 3} rounds; expected .* and 95% of players would be between", words)
    results = page.locator(".wagers td:nth-of-type(3)").all_inner_texts()
    shown = sum(_cents(text.splitlines()[-1]) for text in results)  # on a phone, the column's name is above
    assert shown == told["net"]
    page.get_by_role("radio", name="Double-Up Blackjack").check()
    page.wait_for_function("() => document.querySelectorAll('.round').length === 3")
    assert page.locator(".wagers").count() == 1
    assert "over 3 rounds" in page.locator(".plot-words").inner_text()


def test_all_columns_of_the_statistics_fit_a_phone(visitors: Visitors, past: Past, house: House) -> None:
    page = visit(visitors, past.guest, house, "phone", "/history")
    page.locator(".plot svg").wait_for(timeout=milliseconds(60))
    rows = page.locator(".wagers tbody tr")
    assert rows.count() == 3
    for row in rows.all():
        cells = row.locator("td")
        assert [cell.inner_text().splitlines()[0] for cell in cells.all()] == [
            *("Settled", "Staked", "Result", "Expected", "Deviation", "z")
        ]
        boxes = [cell.bounding_box() for cell in cells.all()]
        assert all(box and box["x"] >= 0 and box["x"] + box["width"] <= 360 for box in boxes)
    panels = page.locator(".wagers-panel").all()
    assert all(panel.evaluate("one => one.scrollWidth <= one.clientWidth") for panel in panels)


def _cents(text: str) -> int:
    amount = float(re.sub(r"[^\d.]", "", text))
    return round(100 * amount) * (-1 if text.startswith("−") else 1)


def test_rounds_can_be_kept_as_files(visitors: Visitors, past: Past, house: House) -> None:
    page = visit(visitors, past.guest, house, "desktop", "/history")
    with page.expect_download() as waiting:
        page.get_by_role("link", name="CSV").click()
    assert waiting.value.suggested_filename == "rounds.csv"
    lines = waiting.value.path().read_text(encoding="utf-8").splitlines()
    assert len(lines) > ROUNDS


def test_somebody_without_rounds_is_invited(visitors: Visitors, size: str) -> None:
    page = visitors(size)
    page.goto("/history")
    page.get_by_role("link", name="Choose a game").wait_for()
    check_accessible(page)


# Replays


def steps_shown(page: Page) -> int:
    found = re.match(r"(\d+) / (\d+)", page.locator(".step-words").inner_text())
    assert found
    return int(found[1])


def test_a_round_is_replayed_by_keys(visitors: Visitors, past: Past, house: House, size: str) -> None:
    page = visit(visitors, past.guest, house, size, f"/history/{past.few}/2")
    page.locator("hc-felt").wait_for()
    check_accessible(page)
    assert cut_off(page) == []
    if size == "phone":
        assert small_targets(page) == []
    assert steps_shown(page) == 1
    assert "bet $5, Bonus 16 $1" in page.locator(".step-words").inner_text()
    for key, place in (("ArrowRight", 2), ("ArrowRight", 3), ("ArrowLeft", 2), ("Home", 1)):
        page.keyboard.press(key)
        assert steps_shown(page) == place
    listen(page)
    page.keyboard.press("End")
    steps = page.locator(".steps button").count()
    assert steps_shown(page) == steps
    assert page.locator(".steps button[aria-current=step]").inner_text() in page.locator(".step-words").inner_text()
    replay = past.guest.get(f"/api/v1/tables/{past.few}/rounds/2/replay")
    results = replay["frames"][-1]["view"]["results"]
    assert page.locator("#results-title + table tbody tr").count() == len(results)
    wait_to_hear(page, results[-1]["line"])


def test_a_replay_plays_by_itself_and_pauses(visitors: Visitors, past: Past, house: House) -> None:
    page = visit(visitors, past.guest, house, "desktop", f"/history/{past.few}/1")
    page.locator("hc-felt").wait_for()
    page.clock.install()  # the page's time passes when the test says so
    page.keyboard.press("Space")
    page.get_by_role("button", name="Pause").wait_for()
    while steps_shown(page) < 3:
        page.clock.run_for(100)
    page.get_by_role("button", name="Pause").click()
    shown = steps_shown(page)
    page.clock.run_for(60_000)
    assert steps_shown(page) == shown
    page.clock.resume()
    page.locator(".steps button").nth(5).click()
    assert steps_shown(page) == 6
    page.get_by_role("slider", name="Step").fill("0")
    assert steps_shown(page) == 1
    page.get_by_role("link", name="Round 2 ›").click()
    page.wait_for_url(f"**/history/{past.few}/2")
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Download record").click()
    assert "[[round]]" in waiting.value.path().read_text(encoding="utf-8")


def test_every_step_of_a_replay_shows_its_cards_on_the_felt(visitors: Visitors, past: Past, house: House) -> None:
    page = visit(visitors, past.guest, house, "desktop", f"/history/{past.few}/3?step=1000")
    page.locator("hc-felt").wait_for()
    view = past.guest.get(f"/api/v1/tables/{past.few}/rounds/3/replay")["frames"][-1]["view"]
    cards = len(view["dealer"]["cards"]) + sum(len(hand["cards"]) for seat in view["seats"] for hand in seat["hands"])
    assert page.locator("hc-felt .felt-cards .card-face").count() >= cards
    page.get_by_text("The table in words").click()
    assert page.locator(".plain-table .mini-card").count() == cards


def test_a_round_that_does_not_exist_says_so(visitors: Visitors, past: Past, house: House) -> None:
    visitors.allow("404")
    page = visit(visitors, past.guest, house, "desktop", f"/history/{past.few}/999")
    assert "has no finished round 999" in page.get_by_role("alert").first.inner_text()


# Fair shoes


def _with_suit(card: str) -> str:
    return card[0].replace("T", "10") + "♠♥♦♣"["shdc".index(card[1])]


def finished_shoe(past: Past) -> dict[str, Any]:
    shoe = next(shoe for shoe in past.guest.get("/api/v1/history/shoes") if shoe["ended"])
    found: dict[str, Any] = past.guest.get(f"/api/v1/tables/{shoe['table']}/shoes/{shoe['shoe']}")
    return found


def test_a_finished_shoe_is_checked_in_the_browser(visitors: Visitors, past: Past, house: House, size: str) -> None:
    page = visit(visitors, past.guest, house, size, "/fairness")
    check_accessible(page)
    assert page.get_by_text("still in play").count() == 1
    page.get_by_role("link", name="Check the shoe").first.click()
    page.wait_for_url("**/shoes/*")
    page.get_by_text("Every check passed").first.wait_for()
    check_accessible(page)
    check_focus(page)
    assert cut_off(page) == []
    assert page.locator(".check-lines .passed").count() == 7
    assert page.locator(".check-lines .failed, .check-lines .skipped").count() == 0


def test_a_changed_document_is_found_out_on_its_line(
    visitors: Visitors, past: Past, house: House, tmp_path: Path
) -> None:
    page = visit(visitors, past.guest, house, "desktop", "/fairness")
    shoe = finished_shoe(past)
    cards = shoe["rounds"][0]["cards"].split()
    forged = "As" if cards[2] != "As" else "Ks"
    shoe["rounds"][0]["cards"] = " ".join([*cards[:2], forged, *cards[3:]])
    page.get_by_label("Or paste its text").fill(json.dumps(shoe))
    page.get_by_role("button", name="Check", exact=True).click()
    page.get_by_text("This document is wrong").first.wait_for()
    wrong = page.locator(".check-lines .failed")
    assert wrong.count() == 1
    assert f"card 3 is {_with_suit(forged)}, but the seeds give {_with_suit(cards[2])}" in wrong.inner_text()
    page.get_by_label("Or paste its text").fill("{}")
    page.get_by_role("button", name="Check", exact=True).click()
    assert page.get_by_text("This is not the document of a finished shoe").is_visible()
    file = tmp_path / "shoe.json"
    file.write_text(json.dumps(finished_shoe(past)), encoding="utf-8")
    page.get_by_label("A file").set_input_files(file)
    page.get_by_text("Every check passed").first.wait_for()


def test_another_commitment_than_the_one_seen_is_found_out(visitors: Visitors, past: Past, house: House) -> None:
    """As if the server published another promise after the game than the table had shown before."""
    shoe = finished_shoe(past)
    page = visit(visitors, past.guest, house, "desktop", "/fairness")
    for commitment, words in (
        (shoe["commitment"], "before the first card"),
        ("0" * 64, "Another commitment was shown"),
    ):
        page.evaluate(
            """async ([id, commitment]) => {
              localStorage.removeItem("holecard.shoes");
              const { rememberCommitment } = await import("/static/fairness/seen.js");
              rememberCommitment({ id, commitment, player_seeds: [], open_for_seeds: true });
            }""",
            [shoe["shoe"], commitment],
        )
        page.get_by_label("Or paste its text").fill(json.dumps(shoe))
        page.get_by_role("button", name="Check", exact=True).click()
        page.locator(".seen").get_by_text(words).wait_for()
        is_right = commitment == shoe["commitment"]
        page.locator(".verdict.won" if is_right else ".verdict.lost").wait_for()


def test_the_page_adds_a_seed_to_every_shoe_and_finds_it_in_the_document(
    visitors: Visitors, house: House, size: str
) -> None:
    """Nobody opens a dialog. An own verifier deals the shoes again, and the page says whose seed was the last."""
    page = visitors(size)
    page.add_init_script(_KNOWN_RANDOM)
    table = open_table(page, house, "classic", {"shoe.procedure": "fresh each round"})
    guest = guest_of(page, house)
    sit(page, 1)
    put(page, 1, "Bet", 500)
    shoes = [play_in_page(page, guest, table) for _ in range(2)]
    kept = page.evaluate("() => JSON.parse(localStorage.getItem('holecard.shoes'))")
    for shoe in shoes:
        assert plain_problem(shoe) is None
        assert kept[shoe["shoe"]]["commitment"] == shoe["commitment"]
        assert kept[shoe["shoe"]]["early"] is True
        assert kept[shoe["shoe"]]["sent"] == shoe["player_seeds"]
        assert re.fullmatch("[0-9a-f]{32}", shoe["player_seeds"][0])
    page.goto(f"/tables/{table}/shoes/{shoes[1]['shoe']}")
    page.get_by_text("Every check passed").first.wait_for()
    words = page.locator('[data-seeds="last"]').inner_text()
    assert "Your seed is in it" in words
    assert shoes[1]["player_seeds"][0] in words
    check_accessible(page)
    assert cut_off(page) == []
    page.evaluate("() => localStorage.clear()")  # as another person's browser
    page.reload()
    page.locator('[data-seeds="others"]').get_by_text("No seed of this browser is in it").wait_for()


def play_in_page(page: Page, guest: Guest, table: str) -> dict[str, Any]:
    """Play a round with the page's buttons, with any cards; return the document of its shoe."""
    shoe = guest.see(table)["shoe"]["id"]
    deal(page)
    while (view := guest.see(table))["phase"] != "done":
        actions = [choice["action"] for choice in view["choices"]]
        act(page, next(one for one in ("stand", "no insurance", "no surrender") if one in actions))
    wait_for_phase(page, "done")
    document: dict[str, Any] = guest.get(f"/api/v1/tables/{table}/shoes/{shoe}")
    return document


def test_a_seed_after_your_own_is_pointed_out(visitors: Visitors, house: House) -> None:
    """The player who added it could have tried many, if the server works with that player."""
    page = visitors()
    page.add_init_script(_KNOWN_RANDOM)
    table = open_table(page, house, "classic", {"shoe.procedure": "fresh each round"})
    sit(page, 1)
    page.wait_for_function("() => (localStorage.getItem('holecard.shoes') ?? '').includes('sent')")
    put(page, 1, "Bet", 500)
    bob, guest = Guest(house), guest_of(page, house)
    shoe = guest.see(table)["shoe"]
    assert len(shoe["player_seeds"]) == 1
    bob.do(table, do="sit", seat=2)
    bob.do(table, do="add seed", seed="of Bob")
    bob.do(table, do="leave", seat=2)
    play_in_page(page, guest, table)
    page.goto(f"/tables/{table}/shoes/{shoe['id']}")
    page.locator('[data-seeds="followed"]').get_by_text("Others came after it").wait_for()
    assert page.locator(".facts").get_by_text("You", exact=True).count() == 1


def test_a_browser_at_the_table_keeps_the_commitment_until_the_shoe_is_revealed(
    visitors: Visitors, house: House, size: str
) -> None:
    guest = Guest(house)  # another one: the history of the first stays as long as it is
    table = guest.open_table("classic", {"shoe.procedure": "fresh each round"})
    guest.do(table, do="sit", seat=3)
    shoe = guest.see(table)["shoe"]
    page = visit(visitors, guest, house, size, f"/tables/{table}")
    page.wait_for_function("(id) => (localStorage.getItem('holecard.shoes') ?? '').includes(id)", arg=shoe["id"])
    play(guest, table, {3: {}})
    page.goto(f"/tables/{table}/shoes/{shoe['id']}")
    page.locator(".seen.passed").get_by_text("The same commitment was shown here before the first card").wait_for()
    page.get_by_text("Every check passed").first.wait_for()

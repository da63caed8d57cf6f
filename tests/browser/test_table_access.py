"""The table for people who cannot see it, who use only keys, or who enlarge it, in every phase of a round."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from holecard import Record, rules
from tests.browser.accessibility import check_accessible, check_focus, cut_off
from tests.browser.at_table import (
    act,
    bet_recorded,
    deal,
    guest_of,
    open_table,
    phase,
    put,
    show_table,
    sit,
    wait_for_balance,
    wait_for_phase,
)
from tests.browser.conftest import Visitors
from tests.browser.house import House
from tests.browser.recorded_rounds import GAMES, chosen

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

pytestmark = pytest.mark.slow

#: Collects everything that the live regions say.
_LISTEN = """() => {
  window.heard = [];
  const regions = document.querySelectorAll("[aria-live], [role=status], [role=alert]");
  for (const region of regions) {
    new MutationObserver((changes) => {
      for (const change of changes) for (const node of change.addedNodes) window.heard.push(node.textContent.trim());
    }).observe(region, { childList: true, subtree: true, characterData: true });
  }
}"""


def main_round(game: str) -> tuple[Record, str]:
    """The first of a game's chosen rounds, and the name of its main wager."""
    return next(iter(chosen(game).values())), rules(game).tables.stakes[0]


@pytest.mark.parametrize("game", GAMES)
def test_every_phase_is_accessible(page: Page, house: House, game: str) -> None:
    """Without bets, with bets, and while a hand is played; the tests of the games check the end."""
    record, main = main_round(game)
    open_table(page, house, game)
    check_accessible(page)
    bet_recorded(page, record, main, "mouse")
    check_accessible(page)
    check_focus(page)
    house.stack(" ".join(map(str, record.cards)))
    deal(page)
    check_accessible(page)
    check_focus(page)


@pytest.mark.parametrize("game", GAMES)
def test_the_table_can_be_enlarged(visitors: Visitors, house: House, game: str) -> None:
    """At 200% of 1440×900 nothing sticks out sideways, and every control can be scrolled to."""
    page = visitors("desktop", viewport={"width": 720, "height": 450}, device_scale_factor=2)
    record, main = main_round(game)
    open_table(page, house, game)
    assert cut_off(page) == []
    bet_recorded(page, record, main, "mouse")
    assert cut_off(page) == []
    house.stack(" ".join(map(str, record.cards)))
    deal(page)
    assert cut_off(page) == []
    for button in page.locator("[data-action]:visible, [data-command]:visible").all():
        button.scroll_into_view_if_needed()
        box = button.bounding_box()
        assert box is not None
        assert -1 <= box["y"] <= 451 - box["height"]


def test_cards_and_results_are_announced(page: Page, house: House) -> None:
    """16 against a 9, a 5 for 21, the dealer's 19: all of it is said, in words."""
    open_table(page, house, "classic")
    sit(page, 1)
    put(page, 1, "Bet", 1000)
    house.stack("Ts 9h 6d Td 5c")
    page.evaluate(_LISTEN)
    deal(page)
    act(page, "hit")
    wait_for_phase(page, "done")
    said = "\n".join(page.evaluate("window.heard"))
    for words in ("10 of spades, 6 of diamonds", "9 of hearts", "16", "5 of clubs", "10 of diamonds", "wins $10"):
        assert words in said, said
    assert "10 of diamonds" not in said.partition("5 of clubs")[0], "the hole card was announced before it was turned"
    words = page.locator("hc-table .unseen li").all_inner_texts()
    assert any("10 of spades, 6 of diamonds, 5 of clubs" in line for line in words), words


def test_why_an_action_is_refused_can_be_heard(page: Page, house: House) -> None:
    open_table(page, house, "classic")
    sit(page, 1)
    put(page, 1, "Bet", 1000)
    house.stack("Ts 9h 6d Td 5c")
    deal(page)
    refused = page.locator('[data-action="split"]')
    assert refused.get_attribute("aria-disabled") == "true"
    assert refused.get_attribute("aria-description")
    page.keyboard.press("p")
    page.get_by_role("alert").filter(has_text=refused.get_attribute("aria-description") or "?").wait_for()
    assert phase(page) == "acting"


def test_the_keys_are_listed(page: Page, house: House) -> None:
    open_table(page, house, "quick-pay")
    page.keyboard.press("?")
    dialog = page.locator("dialog[open]")
    dialog.wait_for()
    assert "Quick Pay" in dialog.inner_text()
    check_accessible(page)
    page.keyboard.press("Escape")
    assert page.locator("dialog[open]").count() == 0


def test_the_shoe_and_its_promise_are_shown(page: Page, house: House) -> None:
    """With the seed that the page has added, in silence; words of the player are in the next shoe's."""
    table = open_table(page, house, "classic", {"shoe.procedure": "fresh each round"})
    page.evaluate(_LISTEN)
    sit(page, 1)
    dialog = open_shoe(page)
    check_accessible(page)
    added = dialog.locator("[data-own-seed]:not([data-own-seed=''])").get_attribute("data-own-seed")
    assert guest_of(page, house).see(table)["shoe"]["player_seeds"] == [added]
    assert page.evaluate("() => window.heard") == []
    dialog.locator("input").fill("my own luck")
    page.keyboard.press("Enter")
    dialog.get_by_text("They are in your next seed").wait_for()
    page.keyboard.press("Escape")
    put(page, 1, "Bet", 1000)
    house.stack("Td 7c Th 9c")
    deal(page)
    act(page, "stand")
    wait_for_phase(page, "done")
    dialog = open_shoe(page)
    dialog.get_by_text(re.compile(r"^my own luck [0-9a-f]{32}$")).wait_for()


def open_shoe(page: Page) -> Locator:
    """Open the dialog about the shoe."""
    more = page.locator('.more-links[aria-expanded="false"]:visible')
    if more.count():
        more.click()
    page.locator("[data-shoe]").click()
    dialog = page.locator("dialog[open]")
    dialog.wait_for()
    return dialog


def test_somebody_who_comes_after_the_first_card_reads_that_the_shoe_has_no_own_seed(
    visitors: Visitors, house: House
) -> None:
    ann, bob = visitors(), visitors("phone")
    table = open_table(ann, house, "classic")
    sit(ann, 1)
    put(ann, 1, "Bet", 1000)
    house.stack("Td 7c Th 9c")
    deal(ann)
    act(ann, "stand")
    wait_for_phase(ann, "done")
    guest_of(bob, house)
    show_table(bob, table)
    sit(bob, 2)
    assert "Your seed joins with the next shoe." in bob.locator(".note").inner_text()
    assert "Your seed" not in ann.locator("hc-table").inner_text()
    assert open_shoe(bob).get_by_text("This shoe began without a seed of yours.").is_visible()


def test_a_chip_is_dragged_to_a_circle_and_taken_back(page: Page, house: House) -> None:
    open_table(page, house, "double-up")
    sit(page, 1)
    circle = page.locator('[data-spot="1:Bet"]')
    chip, target = page.locator('[data-chip="2500"]').bounding_box(), circle.bounding_box()
    assert chip is not None
    assert target is not None
    page.mouse.move(chip["x"] + chip["width"] / 2, chip["y"] + chip["height"] / 2)
    page.mouse.down()
    page.mouse.move(target["x"] + target["width"] / 2, target["y"] + target["height"] / 2, steps=8)
    page.mouse.up()
    page.locator('[data-spot="1:Bet"][data-cents="2500"]').wait_for()
    for command, cents in (("double", 5000), ("undo", 2500), ("clear", 0)):
        page.locator(f'[data-command="{command}"]').click()
        page.locator(f'[data-spot="1:Bet"][data-cents="{cents}"]').wait_for()


def test_the_same_bet_on_several_seats(page: Page, house: House) -> None:
    """One person at three seats with one bet for all: 20, 18 and 16 against 17. Then the same again."""
    open_table(page, house, "classic")
    for seat in (1, 3, 5):
        sit(page, seat)
    put(page, 3, "Bet", 1000)
    page.locator('[data-command="all"]').click()
    house.stack("Ts 9s 8s 7h Td 9d 8d Td")
    deal(page)
    for _ in range(3):
        act(page, "stand")
    wait_for_phase(page, "done")
    wait_for_balance(page, 101_000)
    house.stack("Th 9h 8h 7s Tc 9c 8c Ts")
    deal(page)
    assert phase(page) == "acting"
    wait_for_balance(page, 98_000)

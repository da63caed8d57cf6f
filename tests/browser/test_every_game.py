"""Each of the five games in a browser: every wager and every decision, at both sizes, by mouse and by keys alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from holecard import Record, rules
from tests.browser.accessibility import check_accessible, small_targets
from tests.browser.at_table import By, guest_of, in_dollars, play_recorded, wait_for_balance
from tests.browser.house import House
from tests.browser.recorded_rounds import GAMES, chosen

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.slow

CASES = [(game, name) for game in GAMES for name in chosen(game)]


@pytest.mark.parametrize("by", ["mouse", "keys"])
@pytest.mark.parametrize(("game", "name"), CASES, ids=[f"{game}-{name}" for game, name in CASES])
def test_a_recorded_round_is_played(page: Page, house: House, size: str, game: str, name: str, by: By) -> None:
    """The page shows what the record pays: each wager with its line, and the balance after it."""
    record = chosen(game)[name]
    table = play_recorded(page, house, record, rules(game).tables.stakes[0], by)
    person = guest_of(page, house)
    settled = [(one["seat"], one["hand"], one["wager"], one["net"]) for one in person.see(table)["results"]]
    assert settled == [(paid.seat, paid.hand, paid.wager, int(paid.net)) for paid in record.paid]
    check_shown(page, record)
    if by == "mouse":
        check_accessible(page)
        assert size != "phone" or small_targets(page) == []


def check_shown(page: Page, record: Record) -> None:
    """Compare what is visible with the record."""
    net = sum(int(paid.net) for paid in record.paid)
    wait_for_balance(page, 100_000 + net)
    assert in_dollars(100_000 + net) in page.locator("[data-balance]").first.inner_text()
    for seat in {paid.seat for paid in record.paid}:
        won = sum(int(paid.net) for paid in record.paid if paid.seat == seat)
        assert page.locator(f'[data-seat="{seat}"] [data-result]').get_attribute("data-result") == str(won)

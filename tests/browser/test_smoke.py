"""One round in a real browser, so that `make test` notices a page that does not work at all."""

from __future__ import annotations

from tests.browser.at_table import act, deal, open_table, put, sit, wait_for_balance, wait_for_phase
from tests.browser.conftest import Visitors
from tests.browser.house import House


def test_a_round_is_played_in_a_browser(visitors: Visitors, house: House) -> None:
    """18 against 17 on a phone: the page loads, deals, pays, and its console stays empty."""
    page = visitors("phone")
    open_table(page, house, "classic")
    sit(page, 4)
    put(page, 4, "Bet", 1000)
    house.stack("Ts 7h 8d Td")
    deal(page)
    act(page, "stand")
    wait_for_phase(page, "done")
    wait_for_balance(page, 101_000)

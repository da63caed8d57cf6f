"""What a person does at a table in a browser: sit, bet, deal and decide, by mouse or by keys alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal

from holecard import Record
from holecard.table.events import Act
from holecard.table.notation.moves import read_bet, read_play
from tests.browser.house import Guest, House

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

By = Literal["mouse", "keys"]
#: The keys of the actions.
KEYS = {
    "hit": "h",
    "stand": "s",
    "double": "d",
    "split": "p",
    "double up": "u",
    "quick pay": "q",
    "surrender": "r",
    "no surrender": "n",
    "insurance": "i",
    "no insurance": "n",
}


def guest_of(page: Page, house: House) -> Guest:
    """Return the person of a window, to ask the server as this person."""
    if not any(cookie.get("name") == "holecard_session" for cookie in page.context.cookies()):
        page.request.post(f"{house.address}/api/v1/guest")
    found = next(cookie for cookie in page.context.cookies() if cookie.get("name") == "holecard_session")
    return Guest(house, found["value"])


def open_table(page: Page, house: House, game: str, settings: Mapping[str, object] | None = None, **pace: int) -> str:
    """Open a new table for the person of a window, and show it; return its id."""
    table = guest_of(page, house).open_table(game, dict(settings or {}), **pace)
    show_table(page, table)
    return table


def show_table(page: Page, table: str) -> None:
    """Show a table and wait until it can be played at."""
    page.goto(f"/tables/{table}")
    page.locator("hc-table[data-phase]").wait_for()
    still(page)


def still(page: Page) -> None:
    """Wait until no card and no chip moves."""
    page.locator('hc-table[data-still="true"]').wait_for()


def phase(page: Page) -> str:
    """Return the phase of the round that the page shows."""
    return page.locator("hc-table").get_attribute("data-phase") or ""


def wait_for_phase(page: Page, *wanted: str) -> None:
    """Wait until the round is in one of these phases, and nothing moves."""
    page.locator(", ".join(f'hc-table[data-phase="{one}"][data-still="true"]' for one in wanted)).wait_for()


def wait_for_balance(page: Page, cents: int) -> None:
    """Wait until the page shows this balance, which comes in a message of its own after the results."""
    page.locator(f'[data-balance][data-cents="{cents}"]').first.wait_for()


def wait_for_number(page: Page, more_than: int) -> None:
    """Wait until the page shows a later entry of the log."""
    page.wait_for_function(
        "(least) => Number(document.querySelector('hc-table')?.dataset.number) > least", arg=more_than
    )
    still(page)


def number(page: Page) -> int:
    """Return the number of the entry that the page shows."""
    return int(page.locator("hc-table").get_attribute("data-number") or 0)


def press(page: Page, target: Locator, by: By) -> None:
    """Use a control: click it, or bring the focus to it by Tab and press the space bar."""
    if by == "mouse":
        target.click()
        return
    focus_by_tab(page, target)
    page.keyboard.press("Space")


def focus_by_tab(page: Page, target: Locator) -> None:
    """Press Tab until a control has the focus."""
    target.wait_for()
    for _ in range(200):
        if target.evaluate("(one) => one === document.activeElement"):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not reach {target}")


def sit(page: Page, seat: int, by: By = "mouse") -> None:
    """Take a seat."""
    press(page, page.locator(f'[data-sit="{seat}"]'), by)
    page.locator(f'[data-seat="{seat}"] [data-leave], [data-seat="{seat}"] .focus-seat').first.wait_for()
    still(page)


def show_seat(page: Page, seat: int, by: By = "mouse") -> None:
    """Bring one of several own seats to the front, where the screen is too small for all of them."""
    small = page.locator(f'[data-seat="{seat}"] .focus-seat')
    if small.count():
        press(page, small, by)
    page.locator(f'[data-spot^="{seat}:"]').first.wait_for()


def spot(page: Page, seat: int, wager: str) -> Locator:
    """Return the circle of a wager."""
    return page.locator(f'[data-spot="{seat}:{wager}"]')


def put(page: Page, seat: int, wager: str, cents: int, by: By = "mouse") -> None:
    """Put chips on a circle until this amount lies there, the largest first."""
    show_seat(page, seat, by)
    kinds = page.locator("[data-chip]").evaluate_all("all => all.map((one) => Number(one.dataset.chip))")
    circle = spot(page, seat, wager)
    first = int(circle.get_attribute("data-cents") or 0)
    for _ in range(100):
        # A chip may count for less or more where the wager has larger steps.
        left = first + cents - int(circle.get_attribute("data-cents") or 0)
        if left <= 0:
            break
        chip = max((kind for kind in kinds if kind <= left), default=min(kinds))
        if by == "mouse":
            page.locator(f'[data-chip="{chip}"]').click()
        else:
            page.keyboard.press(str(1 + kinds.index(chip)))
        press(page, circle, by)
    assert circle.get_attribute("data-cents") == str(first + cents), page.locator(".message").inner_text()


def deal(page: Page, by: By = "mouse") -> None:
    """Ask for the cards."""
    before = number(page)
    button = page.locator('[data-command="deal"]:not([aria-disabled="true"])')
    button.wait_for()
    if by == "mouse":
        button.click()
    else:
        page.keyboard.press("Enter")
    wait_for_number(page, before)
    page.locator('hc-table:not([data-phase="betting"])[data-still="true"]').wait_for()  # the bet is an entry, too


def act(page: Page, action: str, by: By = "mouse", amount: int | None = None) -> None:
    """Take an action, for an amount where there is a choice, and wait until the table has answered."""
    before = number(page)
    button = page.locator(f'[data-action="{action}"]:not([aria-disabled="true"])')
    button.wait_for()
    if amount is not None:
        choose_amount(page, action, amount, by)
    if by == "mouse":
        button.click()
    else:
        page.keyboard.press(KEYS[action])
    wait_for_number(page, before)


def choose_amount(page: Page, action: str, cents: int, by: By) -> None:
    """Lower the amount of an action, which is the highest at first."""
    less = page.locator(f'[data-less="{action}"]')
    for _ in range(100):
        shown = less.locator("xpath=following-sibling::output").inner_text() if less.count() else ""
        if not shown or shown == in_dollars(cents):
            return
        press(page, less, by)
    raise AssertionError(f"{action} cannot be set to {in_dollars(cents)}")


def in_dollars(cents: int) -> str:
    """Return an amount as the pages write it."""
    dollars, rest = divmod(abs(cents), 100)
    return f"{'−' if cents < 0 else ''}${dollars:,}" + (f".{rest:02}" if rest else "")


def place(page: Page, seat: int, sides: Mapping[str, int], by: By = "mouse") -> None:
    """Place wagers after the check, or none."""
    before = number(page)
    for name, cents in sides.items():
        put(page, seat, name, cents, by)
    command = page.locator(f'[data-command="{"place" if sides else "pass"}"]:not([aria-disabled="true"])')
    command.wait_for()
    if by == "mouse":
        command.click()
    else:
        page.keyboard.press("b" if sides else "n")
    wait_for_number(page, before)


def bet_recorded(page: Page, record: Record, main: str, by: By) -> None:
    """Sit down and bet as a recorded round says."""
    for bet in map(read_bet, record.bets):
        sit(page, bet.seat, by)
    for bet in map(read_bet, record.bets):
        put(page, bet.seat, main, int(bet.main), by)
        for name, stake in bet.sides.items():
            put(page, bet.seat, name, int(stake), by)


def decide_recorded(page: Page, words: str, by: By) -> None:
    """Take the next decision of a recorded round."""
    move = read_play(words)
    if isinstance(move, Act):
        act(page, move.action, by, None if move.amount is None else int(move.amount))
    else:
        place(page, move.seat, {name: int(stake) for name, stake in move.sides.items()}, by)


def play_recorded(page: Page, house: House, record: Record, main: str, by: By = "mouse") -> str:
    """Play a recorded round to its end at a new table; return the table's id."""
    assert record.game is not None
    table = open_table(page, house, record.game, dict(record.settings))
    bet_recorded(page, record, main, by)
    house.stack(" ".join(map(str, record.cards)))
    deal(page, by)
    for words in record.play:
        decide_recorded(page, words, by)
    wait_for_phase(page, "done")
    return table

"""The server of the browser tests deals the cards that a test chooses, also after it was killed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.browser.house import Guest, House

pytestmark = pytest.mark.slow


def test_the_chosen_cards_are_dealt(tmp_path: Path) -> None:
    """Two rounds of one shoe, the second with the server killed in between two cards."""
    house = House(tmp_path).start()
    try:
        guest = Guest(house)
        table = guest.open_table("classic")
        guest.do(table, do="sit", seat=1)
        house.stack("Ts 9s Th 9d")
        guest.do(table, do="bet", seat=1, main=1000)
        guest.do(table, do="deal")
        view = guest.see(table)
        assert (view["seats"][0]["hands"][0]["cards"], view["dealer"]["cards"]) == (["Ts", "Th"], ["9s", None])
        guest.do(table, do="act", seat=1, action="stand")
        assert guest.see(table)["dealer"]["cards"][:2] == ["9s", "9d"]

        house.stack("2s 9h 3s 9c 4s 5s 6s")
        guest.do(table, do="bet", seat=1, main=1000)
        guest.do(table, do="deal")
        guest.do(table, do="act", seat=1, action="hit")
        house.kill()
        house.start()
        guest.do(table, do="act", seat=1, action="hit")
        guest.do(table, do="act", seat=1, action="hit")
        assert guest.see(table)["seats"][0]["hands"][0]["cards"] == ["2s", "3s", "4s", "5s", "6s"]
    finally:
        house.stop()

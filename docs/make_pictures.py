"""Take one picture of each game's table for the README: the same cards, chips and size in every run.

`make pictures` runs it; it needs Chromium. Each game is played in a real browser, with the cards that
pictures/scenes.toml says.
"""

from __future__ import annotations

import base64
import sys
import tomllib
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from playwright.sync_api import sync_playwright

from holecard import rules
from tests.browser.at_table import act, deal, open_table, place, put, sit
from tests.browser.house import House
from tests.pages.programs import BROWSER_ARGUMENTS, chromium

if TYPE_CHECKING:
    from playwright.sync_api import Page

PICTURES = Path(__file__).parent / "pictures"
_WINDOW = {"width": 1440, "height": 900}
#: Pixels of the picture for each pixel of the page.
_SCALE = 0.6
_QUALITY = 82
_SEAT = 4
SCENES: dict[str, dict[str, Any]] = tomllib.loads((PICTURES / "scenes.toml").read_text(encoding="utf-8"))


def take(page: Page, house: House, game: str) -> bytes:
    """Play a game up to a decision, and return the picture of its table."""
    scene = SCENES[game]
    open_table(page, house, game)
    sit(page, _SEAT)
    put(page, _SEAT, rules(game).tables.stakes[0], 1000)
    for name, cents in scene.get("wagers", {}).items():
        put(page, _SEAT, name, cents)
    house.stack(scene["cards"])
    deal(page)
    if "late" in scene:
        place(page, _SEAT, scene["late"])
    for move in scene.get("moves", ()):
        act(page, move)
    page.mouse.move(0, 0)
    page.evaluate("document.activeElement?.blur?.()")
    # The bar that counts down and circles that glow would look different in every picture.
    page.locator(".timer").evaluate_all("(all) => all.forEach((one) => one.remove())")
    page.wait_for_timeout(300)
    page.evaluate("document.getAnimations().forEach((one) => one.cancel())")
    return _captured(page)


def _captured(page: Page) -> bytes:
    """Return the felt as a small WebP file."""
    box = page.locator("hc-felt").bounding_box()
    assert box is not None
    protocol = page.context.new_cdp_session(page)
    clip = {**box, "scale": _SCALE}
    asked = {"format": "webp", "quality": _QUALITY, "clip": clip}
    found: str = protocol.send("Page.captureScreenshot", asked)["data"]
    return base64.b64decode(found)


def main() -> None:
    """Write all pictures."""
    with TemporaryDirectory(prefix="holecard-") as folder, sync_playwright() as playwright:
        house = House(Path(folder)).start()
        browser = playwright.chromium.launch(executable_path=chromium(), args=BROWSER_ARGUMENTS)
        try:
            for game in sys.argv[1:] or SCENES:
                page = browser.new_page(viewport=_WINDOW, base_url=house.address, reduced_motion="reduce")
                picture = take(page, house, game)
                (PICTURES / f"{game}.webp").write_bytes(picture)
                print(f"docs/pictures/{game}.webp: {len(picture):,} bytes")
                page.context.close()
        finally:
            browser.close()
            house.stop()


if __name__ == "__main__":
    main()

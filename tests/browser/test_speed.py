"""How fast the table is there, how smoothly cards move, and that a thousand rounds leave nothing behind.

`make test-all ARGS="-k rounds_leave_nothing -n 0 -s"` with HOLECARD_ROUNDS=1000 plays the thousand.
"""

from __future__ import annotations

import itertools
import os
import statistics
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser.at_table import open_table, put, show_table, sit, wait_for_phase
from tests.browser.conftest import Visitors
from tests.browser.house import House
from tests.patience import milliseconds

if TYPE_CHECKING:
    from playwright.sync_api import CDPSession, Page

pytestmark = pytest.mark.slow

#: Rounds of the long game; more by HOLECARD_ROUNDS.
ROUNDS = int(os.environ.get("HOLECARD_ROUNDS", "150"))
#: Properties that the compositor can animate without laying the page out again. A filter dims a hand that is over.
CHEAP = {"transform", "translate", "rotate", "scale", "opacity", "filter"}
_OF_KEYFRAMES = {"offset", "computedOffset", "easing", "composite"}

#: Plays rounds by clicking buttons, as fast as the table answers: any legal action, no late wagers.
_PLAY = """async (rounds) => {
  const table = document.querySelector("hc-table");
  const find = (selector) => [...document.querySelectorAll(selector)].filter(
    (one) => one.checkVisibility() && one.getAttribute("aria-disabled") !== "true");
  const step = () => new Promise((next) => setTimeout(next));
  const between = () => table.dataset.phase === "done";
  let clicks = 0;
  const use = async (button) => {
    const {number} = table.dataset;
    button.click();
    clicks += 1;
    const start = performance.now();
    while (table.dataset.number === number || table.dataset.still !== "true") {
      await step();
      if (performance.now() - start > 60_000) throw new Error(`nothing happened after ${button.outerHTML}`);
    }
  };
  for (let round = 0; round < rounds; round += 1) {
    await use(find('[data-command="deal"]')[0]); // the same again
    while (!between()) {
      const actions = find("[data-action]");
      const pass = find('[data-command="pass"]')[0];
      const button = actions[clicks % 3 && actions.length > 1 ? 1 : 0] ?? pass;
      if (button) await use(button);
      else await step();
    }
  }
  return clicks;
}"""

#: Announcements leave ten seconds after they came.
_SILENT = """() => !document.querySelector(".unseen[aria-live] > p")"""


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A server as people start it, with money for a long game."""
    found = House(tmp_path_factory.mktemp("fair"), "--starting-money=100000000", fair=True).start()
    yield found
    found.stop()


class Memory:
    """What a page holds after its garbage was collected."""

    def __init__(self, page: Page) -> None:
        self._protocol: CDPSession = page.context.new_cdp_session(page)
        self._protocol.send("HeapProfiler.enable")

    def measure(self) -> dict[str, int]:
        for _ in range(3):
            self._protocol.send("HeapProfiler.collectGarbage")
        counters: dict[str, Any] = self._protocol.send("Memory.getDOMCounters")
        heap: dict[str, Any] = self._protocol.send("Runtime.getHeapUsage")
        return {"heap": int(heap["usedSize"]), "nodes": counters["nodes"], "listeners": counters["jsEventListeners"]}


@pytest.mark.parametrize("game", ["classic", "quick-pay"])
def test_rounds_leave_nothing_behind(visitors: Visitors, house: House, game: str) -> None:
    """No error in the console, and memory, nodes and listeners stay where they were."""
    page = visitors("desktop")
    open_table(page, house, game)
    sit(page, 1)
    put(page, 1, "Bet", 1000)
    memory = Memory(page)
    page.evaluate(_PLAY, max(20, ROUNDS // 4))
    page.wait_for_function(_SILENT, timeout=milliseconds(20))
    before, start = memory.measure(), time.perf_counter()
    clicks = page.evaluate(_PLAY, ROUNDS)
    seconds = time.perf_counter() - start
    page.wait_for_function(_SILENT, timeout=milliseconds(20))
    after = memory.measure()
    print(f"{game}: {ROUNDS} rounds, {clicks} clicks in {seconds:.1f} s; {before} → {after}")
    assert after["heap"] - before["heap"] < 800_000 + 200 * ROUNDS
    assert after["nodes"] - before["nodes"] < 300
    assert after["listeners"] - before["listeners"] < 100


@pytest.mark.clock
def test_the_table_is_there_within_a_second(visitors: Visitors, house: House) -> None:
    """The best of five visits, so that a busy machine does not decide."""
    page = visitors("desktop")
    table = open_table(page, house, "double-up")
    times = []
    for _ in range(5):
        show_table(page, table)
        times.append(page.evaluate("""() => performance.getEntriesByName("first-contentful-paint")[0].startTime"""))
    print("first paint:", [round(one) for one in times])
    assert min(times) < 1000


def test_what_moves_is_what_the_compositor_can_move(visitors: Visitors, house: House) -> None:
    moved, _ = dealt_with_motion(visitors, house)
    assert moved, "nothing moved"
    assert moved - CHEAP == set()


@pytest.mark.clock
def test_cards_move_smoothly(visitors: Visitors, house: House) -> None:
    _, gaps = dealt_with_motion(visitors, house)
    assert statistics.median(gaps) < 40


def dealt_with_motion(visitors: Visitors, house: House) -> tuple[set[str], list[float]]:
    """Deal a round; return the properties that were animated, and the milliseconds between two frames."""
    page = visitors("desktop", calm=False)
    open_table(page, house, "classic")
    sit(page, 1)
    put(page, 1, "Bet", 1000)
    page.evaluate("""() => {
      window.frames = [];
      window.moved = new Set();
      const ours = "hc-felt .card, hc-felt .stack";
      const { animate } = Element.prototype;
      Element.prototype.animate = function (frames, options) { // however few frames a busy machine shows
        for (const key of this.closest(ours) ? frames.flatMap(Object.keys) : []) window.moved.add(key);
        return animate.call(this, frames, options);
      };
      const look = (now) => {
        window.frames.push(now);
        const moving = (one) => one.effect?.target?.closest?.(ours);
        for (const one of document.getAnimations().filter(moving)) {
          for (const frame of one.effect?.getKeyframes?.() ?? []) {
            for (const key of Object.keys(frame)) window.moved.add(key);
          }
        }
        requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    }""")
    page.locator('[data-command="deal"]').click()
    wait_for_phase(page, "acting", "insurance", "done")
    frames = page.evaluate("window.frames")
    moved = set(page.evaluate("[...window.moved]")) - _OF_KEYFRAMES
    gaps = [later - one for one, later in itertools.pairwise(frames)]
    print(f"{len(gaps)} frames, median {statistics.median(gaps):.1f} ms, longest {max(gaps):.0f} ms")
    return moved, gaps

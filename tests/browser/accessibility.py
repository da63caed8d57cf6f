"""What a page must offer to people who cannot see it, who use only keys, or who need it larger."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from tests.pages.programs import package

if TYPE_CHECKING:
    from playwright.sync_api import Page

_RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]

#: What has the focus: its name for the failure, whether a ring is drawn, and whether it can be seen.
_FOCUSED = """async () => {
  await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
  const found = document.activeElement;
  if (!found || found === document.body) return null;
  const style = getComputedStyle(found);
  const box = found.getBoundingClientRect();
  const ringed = (one) => {
    const style = getComputedStyle(one);
    return (style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2) || style.boxShadow !== "none";
  };
  if (!found.dataset.probe) found.dataset.probe = String(window.probed = (window.probed ?? 0) + 1);
  return {
    key: found.dataset.probe,
    name: `${found.tagName.toLowerCase()} ${found.getAttribute("aria-label") ?? found.textContent.trim().slice(0, 40)}`,
    ring: ringed(found) || [...found.children].some(ringed),
    seen: box.width > 0 && box.height > 0 && box.bottom > 0 && box.top < innerHeight && box.right > 0
      && box.left < innerWidth && style.visibility !== "hidden",
  };
}"""

#: Controls that stick out of the window to the left or right, and how much wider than the window the page is.
_CUT_OFF = """() => {
  const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
  const controls = [...document.querySelectorAll("button, a[href], input, select, textarea, [role=button]")];
  const cut = controls.filter((one) => {
    const box = one.getBoundingClientRect();
    const scrolled = one.closest("[data-scrolls]");
    return box.width > 1 && box.height > 1 && one.checkVisibility({visibilityProperty: true, opacityProperty: true})
      && !scrolled && (box.left < -1 || box.right > innerWidth + 1);
  });
  return [...(wide > 1 ? [`the page is ${wide} px too wide`] : []),
    ...cut.map((one) => `cut off: ${one.outerHTML.slice(0, 120)}`)];
}"""

#: Not the button that leaves a seat: a larger one would lie on the circles, and somebody would leave who wants to bet.
_SMALL = """(least) => [...document.querySelectorAll(
  "button:not([data-leave]), [role=button], input, select, nav a")].filter((one) => {
  const box = one.getBoundingClientRect();
  const inside = box.width > 1 && box.height > 1 && one.checkVisibility({visibilityProperty: true});
  const label = one.closest("label")?.getBoundingClientRect();
  const size = Math.max(Math.min(box.width, box.height), label ? Math.min(label.width, label.height) : 0);
  return inside && size < least - 0.5;
}).map((one) => {
  const box = one.getBoundingClientRect();
  return `${Math.round(box.width)}x${Math.round(box.height)}: ${one.outerHTML.slice(0, 120)}`;
})"""


@cache
def _axe() -> str:
    return (package("axe-core") / "axe.min.js").read_text(encoding="utf-8")


def violations(page: Page) -> list[str]:
    """Return what axe-core finds wrong, one line per element."""
    page.evaluate(_axe())
    found: dict[str, Any] = page.evaluate(
        "(rules) => axe.run(document, {runOnly: {type: 'tag', values: rules}, resultTypes: ['violations']})", _RULES
    )
    return [
        f"{rule['impact']} {rule['id']}: {node['target']} {node['html'][:160]} {node.get('failureSummary', '')[:300]}"
        for rule in found["violations"]
        for node in rule["nodes"]
    ]


def cut_off(page: Page) -> list[str]:
    """Return what sticks out of the window, so that people would have to scroll sideways."""
    found: list[str] = page.evaluate(_CUT_OFF)
    return found


def small_targets(page: Page, least: int = 44) -> list[str]:
    """Return controls that are too small for a finger."""
    found: list[str] = page.evaluate(_SMALL, least)
    return found


def walk_by_tab(page: Page, most: int = 150) -> list[dict[str, Any]]:
    """Press Tab until the focus comes back; return every place it was at."""
    page.evaluate("document.activeElement?.blur?.()")
    found: list[dict[str, Any]] = []
    for _ in range(most):
        page.keyboard.press("Tab")
        place = page.evaluate(_FOCUSED)
        if place is None or any(place["key"] == one["key"] for one in found):
            break
        found.append(place)
    return found


def check_focus(page: Page) -> None:
    """Check that every place of the focus can be seen, and that none comes before its turn."""
    places = walk_by_tab(page)
    assert places, "nothing can have the focus"
    assert [f"no focus ring: {one['name']}" for one in places if not one["ring"]] == []
    assert [f"nobody can see the focus: {one['name']}" for one in places if not one["seen"]] == []
    assert page.locator("[tabindex]").evaluate_all("all => all.filter((one) => one.tabIndex > 0).length") == 0


def check_accessible(page: Page) -> None:
    """Check a page as it is now: axe-core, nothing cut off."""
    assert violations(page) == []
    assert cut_off(page) == []


def listen(page: Page) -> None:
    """Collect all words that appear on the page from now on: some of them go again after a few seconds."""
    page.evaluate(
        """() => {
  window.appeared = [];
  new MutationObserver((changes) => {
    for (const change of changes) for (const node of change.addedNodes) window.appeared.push(node.textContent);
  }).observe(document.body, { childList: true, subtree: true });
}"""
    )


def wait_to_hear(page: Page, words: str) -> None:
    """Wait until these words have appeared."""
    page.wait_for_function("(words) => window.appeared.some((one) => one.includes(words))", arg=words)

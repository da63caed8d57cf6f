"""The drawings of `holecard counting`: nothing leaves its field, and no line crosses the legend."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

import holecard
from holecard.advantage.counting_result import Counting
from holecard.report.counting import pictures

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def found() -> Counting:
    """A sample so small that its standard errors are large."""
    return holecard.counting("double-up", wagers="bonus 16", shoes=12)


def test_errors_stay_in_the_drawing(found: Counting) -> None:
    """Also that of the reading with the largest EV."""
    drawing = ElementTree.fromstring(pictures.wager_to_svg(found, found.wagers[0]))
    errors = [line for line in drawing.iter(f"{SVG}line") if line.get("class") == "error"]
    heights = [float(line.attrib[key]) for line in errors for key in ("y1", "y2")]
    assert len(errors) > 10
    assert pictures._TOP <= min(heights) <= max(heights) <= pictures._BOTTOM


def test_the_legend_is_below_the_drawing(found: Counting) -> None:
    """Each line has a name there, within the page."""
    drawing = ElementTree.fromstring(pictures.wager_to_svg(found, found.wagers[0]))
    texts = {text.text: float(text.attrib["y"]) for text in drawing.iter(f"{SVG}text")}
    names = ["perfect", *(one.count.name for one in found.wagers[0].gains[0].counts)]
    assert all(pictures._BOTTOM < texts[name] < pictures._HEIGHT for name in names)

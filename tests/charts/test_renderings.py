"""CSV, JSON, SVG and HTML show every cell in its place for every game, and are accessible."""

from __future__ import annotations

import csv
import io
import json
import re
from html.parser import HTMLParser
from itertools import pairwise
from typing import NamedTuple
from xml.etree import ElementTree

import pytest

from holecard import report
from holecard.charts.caption import Caption, caption
from holecard.charts.chart import Chart
from holecard.charts.layout import Layout
from holecard.charts.letters import ACTIONS
from holecard.exact.charts.best_chart import BestChart
from holecard.report.chart_page import to_page
from holecard.report.chart_svg import chart_to_svg
from holecard.report.palette import DARK, LIGHT, Scheme, css_class
from holecard.sheets.files.toml_writer import sheet_data
from holecard.sheets.read import from_data, rules
from tests.charts.charts import plain_chart, some_chart
from tests.random_play import sheets
from tests.selection import one_in

NAMES = list(sheets())
SVG = "{http://www.w3.org/2000/svg}"


def made(name: str) -> tuple[Chart, Caption]:
    sheet = sheets()[name]
    return some_chart(Layout.of(sheet.tables), 7), caption(sheet, ["It costs <0.1%> & no more."])


# CSV and JSON


def test_csv_has_a_line_for_each_hand() -> None:
    """Names of pairs contain a comma, so they are quoted."""
    lines = report.csv(plain_chart()).splitlines()
    assert lines[0] == "hand,2,3,4,5,6,7,8,9,T,A"
    assert lines[8] == "hard 11,DH,DH,DH,DH,DH,DH,DH,DH,H,H"
    assert lines[-1] == '"A,A",P,P,P,P,P,P,P,P,P,P'


@pytest.mark.parametrize("name", one_in(3, NAMES))
def test_csv_and_json_say_the_same_cells(name: str) -> None:
    """Each in its row and column."""
    chart, _ = made(name)
    header, *rows = csv.reader(io.StringIO(report.csv(chart)))
    data = json.loads(report.json(chart))
    assert [[entry["hand"], *entry["cells"].values()] for entry in data["rows"]] == rows
    assert all(list(entry["cells"]) == data["columns"] == header[1:] for entry in data["rows"])
    assert tuple(tuple(row[1:]) for row in rows) == chart.cells


def test_json_has_the_documented_keys() -> None:
    """In their order."""
    sheet = rules("quick-pay", {"decks": 8, "player.double": "hard 9-11"})
    best = BestChart(sheet, some_chart(Layout.of(sheet.tables), 1), -0.01, -0.009, 1e-13, searched="A note.")
    data = json.loads(report.json(best))
    assert list(data) == [
        *("version", "sheet", "game", "name", "decks", "settings", "ev", "house_edge", "error_bound", "optimum_ev"),
        *("cost", "plain_ev", "convention", "columns", "rows", "exceptions", "legend", "notes"),
    ]
    assert (data["ev"], data["house_edge"], data["cost"]) == (-0.01, 0.01, pytest.approx(0.001))
    assert (data["game"], data["name"], data["decks"]) == ("quick-pay", "Quick Pay Blackjack", 8)
    assert data["settings"] == {"shoe.decks": 8, "player.double": "hard 9-11"}
    assert data["legend"]["Q"] == "Quick Pay"
    assert set(data["legend"]) == set("HSDPQR-")
    assert data["notes"][-1] == "A note."


def test_the_caption_says_how_the_dealer_plays_soft_totals() -> None:
    """In words for people, and as the setting for programs."""
    said = {
        "6 decks · dealer hits soft 17": {},
        "6 decks · dealer stands on soft 17": {"dealer.soft_17": "stand"},
        "6 decks · dealer hits every soft total": {"dealer.soft": "hit all"},
        "6 decks · dealer draws 16 or less to hard 17": {"dealer.soft": "draw 16 to hard 17"},
        "6 decks · dealer draws soft 17 to hard 17": {"dealer.soft": "draw soft 17 to hard 17"},
    }
    for subtitle, settings in said.items():
        sheet = rules("classic", settings)
        assert caption(sheet).subtitle == subtitle


UNUSUAL: list[tuple[dict[str, object], str]] = [
    ({"dealer.ends_on": [16]}, "dealer's hand ends on 16"),
    ({"dealer.hole_card": "peek under aces"}, "peek under aces only"),
    ({"dealer.hole_card": "no peek"}, "no peek"),
    ({"dealer.hole_card": "face up", "insurance.pays": "none"}, "both dealer cards up"),
    ({"dealer.hole_card": "none"}, "no hole card"),
    ({"hole_card": "none", "natural_takes": "original"}, "no hole card · a late natural takes the original wager only"),
    ({"main.companion": {"name": "Second"}}, "a second wager, Second"),
    ({"player.double": "none"}, "no doubling"),
    ({"player.double": "hard 9-11"}, "double on hard 9-11"),
    ({"player.double_cards": "any number"}, "double on any number of cards"),
    ({"player.double_after_split": False}, "no double after split"),
    ({"player.double_stake": "up to equal"}, "double for less"),
    ({"player.split_hands": 1}, "no splitting"),
    ({"player.split_hands": 2}, "split to 2 hands"),
    ({"player.split_by": "rank"}, "pairs by rank"),
    ({"player.split_aces": "again"}, "resplit aces"),
    ({"player.split_aces": "never"}, "no splitting of aces"),
    ({"player.split_aces_get": "play on"}, "split aces play on"),
    ({"player.double_up": "9-20"}, "Double-Up on 9-20"),
    (
        {"double_up": "any", "double_up_after_split": False, "double_up_ties": "push"},
        "Double-Up on any two cards · no Double-Up after split · Double-Up ties push",
    ),
    ({"player.surrender": "late"}, "late surrender"),
    ({"player.surrender": "early", "settle.surrender": "push"}, "early surrender · surrender pushes"),
    ({"player.quick_pay": {"20": "1 to 1", "19": "push"}}, "Quick Pay on 19 and 20"),
    ({"player.charlie": 6, "settle.charlie": "2 to 1"}, "6-card charlie · charlie pays 2 to 1"),
    ({"settle.natural": "6 to 5"}, "natural pays 6 to 5"),
    ({"settle.two_naturals": "win"}, "two naturals win"),
    ({"settle.natural_v_21": "tie"}, "a dealer's 21 ties a natural"),
    ({"settle.ties": "lose"}, "ties lose"),
    ({"settle.twenty_one": "wins"}, "a player's 21 wins"),
    ({"settle.when_dealer_has": {"22": "push"}}, "push against a dealer's 22"),
    (
        {"settle.when_dealer_has": {"17": {"other": "push", "21": "win"}}},
        "push against a dealer's 17, but 21 wins",
    ),
]


@pytest.mark.parametrize(("settings", "words"), UNUSUAL, ids=[words for _, words in UNUSUAL])
def test_the_caption_states_every_unusual_rule_once(settings: dict[str, object], words: str) -> None:
    """This holds for rules of the sheet and for settings, so that two games never have the same caption."""
    changed = rules("classic", settings)
    unlisted = "" if "insurance.pays" not in settings else " · insurance.pays = none"
    assert caption(changed).subtitle == f"6 decks · dealer hits soft 17 · {words}{unlisted}"
    itself = from_data(sheet_data(changed), "mine")
    assert caption(itself).subtitle == f"6 decks · dealer hits soft 17 · {words}"


def test_a_setting_that_no_rule_states_is_listed_by_its_key() -> None:
    sheet = rules("push-22", {"main.max": "$50", "double_cards": "first two"})
    words = "resplit aces · push against a dealer's 22 · main.max = $50 · player.double_cards = first two"
    assert caption(sheet).subtitle == f"6 decks · dealer hits soft 17 · {words}"


# Drawings


def _dash(chart: Chart) -> str:
    """The legend explains the dash if the chart has pairs."""
    return "-" if "P" in chart.layout.letters else ""


class Mark(NamedTuple):
    """A drawn cell: its position, the class of its background, its letters and their class."""

    y: float
    x: float
    ground: str
    ink: str
    letters: str


def _marks(group: ElementTree.Element) -> list[Mark]:
    """The cells of a part, row by row; the letters follow each background."""
    left, top = map(float, re.findall(r"[\d.]+", group.attrib["transform"]))
    texts = [text for text in group.iter(f"{SVG}text") if text.attrib.get("class", "").startswith("cell ")]
    found = []
    for rect, text in zip(group.iter(f"{SVG}rect"), texts, strict=True):
        at = [float(rect.attrib[side]) for side in ("y", "x")]
        assert 0 < float(text.attrib["x"]) - at[1] < float(rect.attrib["width"])
        assert 0 < float(text.attrib["y"]) - at[0] < float(rect.attrib["height"])
        letters = "".join(text.itertext()).replace("–", "-")
        found.append(Mark(top + at[0], left + at[1], rect.attrib["class"], text.attrib["class"][5:], letters))
    return sorted(found)


@pytest.mark.parametrize("name", one_in(3, NAMES))
def test_the_drawing_holds_every_cell_in_its_place(name: str) -> None:
    """Block by block and row by row, on a background of the same class, and inside the picture."""
    chart, words = made(name)
    root = ElementTree.fromstring(chart_to_svg(chart, words))
    width, height = map(float, root.attrib["viewBox"].split()[2:])
    parts = [marks for group in root.iter(f"{SVG}g") if (marks := _marks(group))]
    legend = next(marks for marks in parts if len(marks) < len(chart.layout.columns))
    blocks = [[mark.letters for mark in marks] for marks in parts if marks is not legend]
    assert blocks == [
        [cell for row in chart.cells[block.first : block.end] for cell in row] for block in chart.layout.blocks
    ]
    assert {mark.letters for mark in legend} == {*chart.letters, *_dash(chart)}
    everything = [mark for marks in parts for mark in marks]
    assert all(mark.ground == mark.ink == css_class(mark.letters) for mark in everything)
    assert all(0 < mark.x < width - 34 and 0 < mark.y < height - 26 for mark in everything)
    for one, other in pairwise(sorted(everything)):
        assert abs(one.x - other.x) >= 34 or abs(one.y - other.y) >= 26


class Page(HTMLParser):
    """The tables of a page: their captions, headers and cells."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.rows: list[tuple[str, list[str]]] = []
        self.columns: list[str] = []
        self.legend: dict[str, str | None] = {}
        self.open: list[tuple[str, dict[str, str | None]]] = []
        self.words = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in ("meta",):
            self.open.append((tag, dict(attrs)))
        self.words = "" if tag in ("th", "td", "dt") else self.words

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """A self-closing tag opens nothing."""

    def handle_data(self, data: str) -> None:
        self.words += data

    def handle_endtag(self, tag: str) -> None:
        opened, attrs = self.open.pop()
        assert opened == tag
        if tag == "th" and attrs.get("scope") == "row":
            self.rows.append((self.words, []))
        elif tag == "th" and attrs.get("scope") == "col":
            self.columns.append(self.words)
        elif tag == "dt":
            self.legend[self.words.replace("–", "-")] = attrs.get("class")
        elif tag == "td" and attrs.get("class"):
            self.rows[-1][1].append(self.words)


@pytest.mark.parametrize("name", one_in(3, NAMES))
def test_the_page_is_made_of_tables_with_headers(name: str) -> None:
    """Every row has a header, and so does every column of every block."""
    chart, words = made(name)
    page = Page(to_page(chart, words))
    assert page.open == []
    assert [row for row, _ in page.rows] == [row.name for row in chart.layout.rows]
    assert [cells for _, cells in page.rows] == [[cell.replace("-", "–") for cell in row] for row in chart.cells]
    assert page.legend == {sign: css_class(sign) for sign in [*chart.letters, *_dash(chart)]}
    assert page.columns == [column.name for column in chart.layout.columns] * len(chart.layout.blocks)


@pytest.mark.parametrize("render", [chart_to_svg, to_page])
def test_words_are_escaped_and_notes_are_shown(render: object) -> None:
    """A sheet's name may contain any characters."""
    assert callable(render)
    text = render(plain_chart(), Caption("x", "<b>Rock & Roll</b>", 1, notes=("It costs <0.1%> & no more.",)))
    assert "<b>" not in text
    assert "&lt;b&gt;Rock &amp; Roll" in text
    assert "1 deck" in text
    assert "&lt;0.1%&gt; &amp; no more." in re.sub(r"</?(text|p)[^>]*>\s*", " ", text)


@pytest.mark.parametrize("render", [chart_to_svg, to_page])
def test_nothing_is_fetched(render: object) -> None:
    """No external fonts, pictures or scripts."""
    assert callable(render)
    text = render(*made("face-up")).replace("http://www.w3.org/2000/svg", "")
    assert not re.search(r"https?:|url\(|@import|<script|<link|<img|src=", text)


def test_a_long_name_shrinks_and_long_settings_wrap() -> None:
    """Nothing leaves the drawing on the right."""
    words = Caption("x", "A name " * 12, 6, settings=tuple((f"player.word_{n}", "said otherwise") for n in range(8)))
    root = ElementTree.fromstring(chart_to_svg(plain_chart(), words))
    width = float(root.attrib["viewBox"].split()[2])
    title = next(text for text in root.iter(f"{SVG}text") if text.text == words.name)
    size = float(re.findall(r"[\d.]+", title.attrib["style"])[0])
    assert 0.5 * size * len(words.name) < width - 96
    under = [text.text or "" for text in root.iter(f"{SVG}text") if "under" in text.attrib.get("class", "")]
    assert len(under) > 1
    assert " ".join(under) == words.subtitle
    assert max(map(len, under)) * 7.2 < width - 96


# Colors


def _luminance(color: str) -> float:
    """Relative luminance, as defined by the accessibility guidelines."""
    channels = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _contrast(one: str, other: str) -> float:
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("scheme", [LIGHT, DARK])
def test_every_ink_can_be_read_on_its_ground(scheme: Scheme) -> None:
    """The contrast is at least 4.5 to 1 for cells, labels and notes."""
    assert set(scheme.cells) == {*ACTIONS, "-"}
    for sign, tint in scheme.cells.items():
        assert _contrast(tint.ink, tint.ground) >= 4.5, sign
    assert _contrast(scheme.ink, scheme.page) >= 7
    assert _contrast(scheme.quiet, scheme.page) >= 4.5
    assert len({tint.ground for tint in scheme.cells.values()}) == len(scheme.cells)

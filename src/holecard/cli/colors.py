"""The tones of a document as a terminal's colors."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from holecard.charts.letters import AS_TOTAL
from holecard.report.document import QUIET, STRESSED, STRONG
from holecard.report.palette import DARK
from holecard.report.render.text import TextLine

_STYLES = {QUIET: "dim", STRONG: "bold", STRESSED: "italic"}
#: For terminals with sixteen colors.
_SIXTEEN = {
    "H": "black on green",
    "S": "black on white",
    "D": "black on yellow",
    "U": "black on bright_red",
    "P": "white on blue",
    "Q": "black on cyan",
    "R": "black on magenta",
}


def styled(line: TextLine, out: Console) -> Text:
    """Return a line with the colors that the terminal has."""
    text = Text()
    for span in line:
        text.append(span.text, _style(span.tone, out))
    if out.color_system is None or out.no_color:
        text.rstrip()
    return text


def _style(tone: str, out: Console) -> str:
    if not tone.startswith("cell "):
        return _STYLES.get(tone, "")
    letter = tone.removeprefix("cell ")
    if letter == AS_TOTAL:
        return "dim"
    if out.color_system == "standard":
        return _SIXTEEN[letter]
    tint = DARK.cells[letter]
    return f"{tint.ink} on {tint.ground}"

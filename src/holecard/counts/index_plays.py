"""Index plays: decisions that depend on the count, on top of a chart.

A file writes them as a player's card does:

    [plays]
    insurance = "take at 3"
    "16 v T"  = "stand at 0"           # at a count of 0 or above; below it, the chart decides
    "12 v 4"  = "hit below 0"
    "T,T v 5" = "split at 5"
    "16 v 9"  = "surrender at 0, stand at 4 of sevens"   # the later one first, where both apply

"Stand" and "hit" replace what a cell does in the end, and keep a surrender that comes before it; all other actions are
tried first, before those of the chart's cell.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from holecard.charts.chart_errors import cell_problem
from holecard.charts.layout import Layout, Row
from holecard.charts.letters import ACTIONS, AS_TOTAL, CLOSING
from holecard.errors import did_you_mean, shortly
from holecard.hands import total_of

INSURANCE_PLAY = "insurance"
_TAKE = "take"
_VALUES = "A23456789T"
_PLAY = re.compile(r"(?P<action>[a-z -]+?) (?P<side>at|below) (?P<index>[+-]?\d{1,4})(?: of (?P<count>.+))?")
_HAND = re.compile(r"(?:(?P<block>hard|soft) )?(?P<name>[0-9A-Z,]+) (?:v|vs|against) (?P<dealer>[0-9A-Z]+)", re.I)
_LETTERS = {str(action): letter for letter, action in ACTIONS.items()}


@dataclass(frozen=True)
class IndexPlay:
    """An action for one hand against one upcard, at an index or above, or below it."""

    hand: str
    """a row of a chart: "16", "soft 18" or "A,7", "T,T"; or "insurance" """
    upcard: str
    """a column of a chart; "" for insurance"""
    action: str
    """the action's name, or "take" for insurance"""
    index: int
    below: bool = False
    """whether the play applies below the index, instead of at it or above"""
    count: str | None = None
    """the side count that decides; None for the main count"""
    written: str = field(default="", compare=False, repr=False)
    """the hand as a file writes it, to find its line"""

    @property
    def title(self) -> str:
        """ "16 v T", "insurance"."""
        return f"{self.hand} v {self.upcard}" if self.upcard else self.hand

    def applies(self, count: int) -> bool:
        """Return whether the play is made at this count."""
        return count < self.index if self.below else count >= self.index

    def __str__(self) -> str:
        of = f" of {self.count}" if self.count else ""
        return f"{self.title}: {self.action} {'below' if self.below else 'at'} {self.index:+d}{of}"


def read_index_plays(given: object) -> tuple[tuple[IndexPlay, ...], list[tuple[str, str]]]:
    """Return the plays of a table of a file, and the problems: the key ("" for all) and what is wrong with it."""
    if not isinstance(given, Mapping):
        return (), [("", 'write hands and what to do, for example { "16 v T" = "stand at 0" }')]
    found: list[IndexPlay] = []
    problems: list[tuple[str, str]] = []
    first: dict[str, str] = {}
    for key, value in given.items():
        for play in _plays(key, value):
            if isinstance(play, str):
                problems.append((key, play))
            elif (other := first.setdefault(play.title, key)) != key:
                problems.append((key, f"this hand is written twice, also as {other!r}; write its plays in one line"))
                break
            else:
                found.append(play)
    return tuple(found), problems


def _plays(key: str, value: object) -> Iterator[IndexPlay | str]:
    """Yield the plays of one line, or what is wrong with it."""
    insurance = key.strip().lower() == INSURANCE_PLAY
    match = _HAND.fullmatch(" ".join(key.split()))
    if not insurance and not match:
        yield f"{shortly(key)} is not a hand; write '16 v T', 'A,7 v 2', '8,8 v T' or 'insurance'"
        return
    if not isinstance(value, str):
        yield f"{shortly(value)} is not a play; write 'stand at 0' or 'hit below -1'"
        return
    hand = INSURANCE_PLAY if match is None else _hand(match)
    upcard = "" if match is None else upcard_name(match["dealer"])
    actions = (_TAKE,) if insurance else tuple(_LETTERS)
    for words in value.split(","):
        play = _PLAY.fullmatch(" ".join(words.lower().split()))
        if not play:
            yield f"{shortly(words.strip())} is not a play; write '{actions[0]} at 0' or '{actions[0]} below -1'"
        elif play["action"] not in actions:
            yield f"unknown action {shortly(play['action'])}; {did_you_mean(play['action'], actions)}"
        else:
            below = play["side"] == "below"
            yield IndexPlay(hand, upcard, play["action"], int(play["index"]), below, play["count"], key)


def _hand(match: re.Match[str]) -> str:
    name = match["name"].upper().replace("10,", "T,").replace(",10", ",T")
    return f"{match['block'].lower()} {name}" if match["block"] else name


def cell_of(layout: Layout, play: IndexPlay) -> tuple[int, int] | str:
    """Return the row and column of a play in a game's chart, or why the game has none."""
    row, column = _row(layout, play.hand), _column(layout, play.upcard)
    if column is None:
        names = " ".join(column.name for column in layout.columns)
        return f"{play.upcard!r} is not a dealer's card of this game's chart; it can be {names}"
    if row is None:
        return (
            f"{play.hand!r} is not a hand that this game's chart decides; write a total, 'A,7', or a pair it can split"
        )
    letter = _LETTERS[play.action]
    if letter not in layout.rows[row].letters:
        return cell_problem(letter, layout.rows[row], layout) or f"this game does not offer {play.action} here"
    return row, column


def with_play(cell: str, play: IndexPlay) -> str:
    """Return a chart's cell as the play changes it.

    >>> with_play("RH", IndexPlay("16", "T", "stand", 0)), with_play("H", IndexPlay("10", "T", "double", 4))
    ('RS', 'DH')
    """
    letter = _LETTERS[play.action]
    if letter in CLOSING:
        return ("R" if cell.startswith("R") else "") + letter
    return letter + cell.replace(letter, "").replace(AS_TOTAL, "")


def _row(layout: Layout, hand: str) -> int | None:
    """Return the row of a hand: a pair that has its own row, or a total."""
    block, _, name = hand.rpartition(" ")
    if "," not in name:
        wanted: tuple[str | None, str] = (block or "hard", name)
        return _find(layout, lambda row: row.pair is None and (row.block, row.name) == wanted)
    values = [_VALUES.find(card) + 1 for card in name.replace("10", "T").split(",")]
    if len(values) != 2 or 0 in values:
        return None
    if values[0] == values[1]:
        return _find(layout, lambda row: row.pair == values[0])
    total, soft = total_of(values)
    return _find(layout, lambda row: row.pair is None and (row.total, row.soft) == (total, soft)) if soft else None


def _column(layout: Layout, dealer: str) -> int | None:
    wanted = upcard_name(dealer)
    return next((i for i, column in enumerate(layout.columns) if upcard_name(column.name) == wanted), None)


def upcard_name(text: str) -> str:
    """Return a dealer's card or total as plays name it: "T" for 10, "S14" for a soft 14."""
    return text.upper().replace("10", "T")


def _find(layout: Layout, fits: Callable[[Row], bool]) -> int | None:
    return next((i for i, row in enumerate(layout.rows) if fits(row)), None)

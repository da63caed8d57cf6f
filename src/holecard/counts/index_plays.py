"""Index plays: decisions that depend on the count, on top of a chart.

A file writes them as a player's card does:

    [plays]
    insurance = "take at 3"
    "16 v T"  = "stand at 0"           # at a count of 0 or above; below it, the chart decides
    "12 v 4"  = "hit below 0"
    "T,T v 5" = "split at 5"
    "16 v 9"  = "surrender at 0, stand at 4 of sevens"   # where both apply: surrender, else stand

"Stand" and "hit" replace what a cell does in the end. A surrender that comes before it stays: "stand at 0" for a 16
against a ten does not mean to stand where the chart surrenders. Two kinds of plays take a surrender back:

    "15 v T"  = "hit below 0"          # where the chart surrenders, and hits if that is not possible
    "8,8 v A" = "hit below -1"         # a pair that the chart surrenders

The first is a play below an index that does what the cell does without surrender: surrender is for high counts. The
second is any "stand" or "hit" for a pair, which has only two cards. All other actions are tried first, before those of
the chart's cell, and so before surrender.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from holecard.charts.chart_errors import cell_problem
from holecard.charts.layout import Layout
from holecard.charts.letters import ACTIONS, AS_TOTAL, CLOSING
from holecard.counts.count import is_whole
from holecard.errors import CountError, Problem, did_you_mean, shortly
from holecard.hands import total_of

INSURANCE_PLAY = "insurance"
_TAKE = "take"
_SURRENDER = "R"
_VALUES = "A23456789T"
_PLAY = re.compile(r"(?P<action>[a-z -]+?) (?P<side>at|below) (?P<index>[+-]?\d{1,4})(?: of (?P<count>.+))?")
_HAND = re.compile(r"(?P<hand>(?:(?:hard|soft) )?[0-9A-Z,]+) (?:v|vs|against) (?P<dealer>[0-9A-Z]+)", re.I)
#: The largest index, and the smallest with a minus sign.
_MOST_INDEX = 9_999
_LETTERS = {str(action): letter for letter, action in ACTIONS.items()}


@dataclass(frozen=True)
class IndexPlay:
    """An action for one hand against one upcard, at an index or above, or below it."""

    hand: str
    """a row of a chart: "16", "soft 18", "T,T"; or "insurance". "hard 16" and "A,7" become "16" and "soft 18" """
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

    def __post_init__(self) -> None:
        if isinstance(self.hand, str) and isinstance(self.upcard, str):
            object.__setattr__(self, "hand", hand_name(self.hand))
            object.__setattr__(self, "upcard", upcard_name(self.upcard))
        if problems := [Problem(*problem) for problem in _problems(self)]:
            raise CountError(f"the index play {self.title}", problems)

    @property
    def title(self) -> str:
        """ "16 v T", "insurance"."""
        return f"{self.hand} v {self.upcard}" if self.upcard else self.hand

    def applies(self, count: int) -> bool:
        """Return whether the play is made at this count."""
        return count < self.index if self.below else count >= self.index

    def __str__(self) -> str:
        of = f" of {self.count}" if self.count else ""
        return f"{self.title}: {self.action} {'below' if self.below else 'at'} {self.index}{of}"


def read_index_plays(given: object) -> tuple[tuple[IndexPlay, ...], list[tuple[str, str]]]:
    """Return the plays of a table of a file, and the problems: the key ("" for all) and what is wrong with it."""
    if not isinstance(given, Mapping):
        return (), [("", 'write hands and what to do, for example { "16 v T" = "stand at 0" }')]
    found: list[IndexPlay] = []
    problems: list[tuple[str, str]] = []
    for key, value in given.items():
        for play in _plays(key, value):
            if isinstance(play, str):
                problems.append((key, play))
            else:
                found.append(play)
    return tuple(found), problems


def written_twice(plays: Iterable[IndexPlay]) -> dict[str, str]:
    """Return the lines of a file for a hand that an earlier line has, too, each with that earlier line."""
    first: dict[str, str] = {}
    lines = [(play.written, first.setdefault(play.title, play.written)) for play in plays]
    return {line: earlier for line, earlier in lines if line != earlier}


def _problems(play: IndexPlay) -> Iterator[tuple[str, str]]:
    """Yield what is wrong with the values of a play: the field, and what it can be."""
    actions = (_TAKE,) if play.hand == INSURANCE_PLAY else tuple(_LETTERS)
    if not _is_text(play.hand) or not _is_text(play.upcard) or (play.hand == INSURANCE_PLAY) != (play.upcard == ""):
        yield "hand", "give a hand and the dealer's card, for example '16' and 'T'; or 'insurance' and ''"
    if not _is_text(play.action) or play.action not in actions:
        yield "action", f"unknown action {shortly(play.action)}; {did_you_mean(str(play.action), actions)}"
    if not is_whole(play.index, -_MOST_INDEX, _MOST_INDEX):
        yield "index", f"{shortly(play.index)} is not an index; give a whole number such as 0 or -1"
    if play.count is not None and not _is_text(play.count):
        yield "count", f"{shortly(play.count)} is not the name of a side count; give a name, or None for the main count"


def _is_text(given: object) -> bool:
    return isinstance(given, str)


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
    hand, upcard = (INSURANCE_PLAY, "") if match is None else (match["hand"], match["dealer"])
    actions = (_TAKE,) if insurance else tuple(_LETTERS)
    for words in value.split(","):
        play = _PLAY.fullmatch(" ".join(words.lower().split()))
        if not play:
            asked = next((name for name in actions if name in words.lower()), actions[0])
            yield f"{shortly(words.strip())} is not a play; write '{asked} at 0' or '{asked} below -1'"
        elif play["action"] not in actions:
            yield f"unknown action {shortly(play['action'])}; {did_you_mean(play['action'], actions)}"
        else:
            below = play["side"] == "below"
            yield IndexPlay(hand, upcard, play["action"], int(play["index"]), below, play["count"], key)


def hand_name(text: str) -> str:
    """Return a hand as plays name it; what is not a hand stays, and no game has it.

    >>> hand_name("hard 16"), hand_name("A,7"), hand_name("7,a"), hand_name("soft 18"), hand_name("10,10")
    ('16', 'soft 18', 'soft 18', 'soft 18', 'T,T')
    """
    if text.strip().lower() == INSURANCE_PLAY:
        return INSURANCE_PLAY
    block, _, name = " ".join(text.split()).rpartition(" ")
    block, name = block.lower(), name.upper()
    cards = name.replace("10", "T").split(",")
    values = [_VALUES.find(card) + 1 for card in cards]
    if len(cards) != 2 or 0 in values:
        return name if block in ("", "hard") else f"{block} {name}"
    if values[0] == values[1]:
        return ",".join(cards)
    total, soft = total_of(values)
    return f"soft {total}" if soft and block != "hard" else f"{block} {','.join(cards)}".strip()


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
    """Return a chart's cell as the play changes it; it depends on the hand, the action, and `below`.

    >>> with_play("RH", IndexPlay("16", "T", "stand", 0)), with_play("H", IndexPlay("10", "T", "double", 4))
    ('RS', 'DH')
    >>> with_play("RH", IndexPlay("15", "T", "hit", 0, below=True)), with_play("RP", IndexPlay("8,8", "A", "hit", 0))
    ('H', 'H')
    """
    letter = _LETTERS[play.action]
    if letter not in CLOSING:
        return letter + cell.replace(letter, "").replace(AS_TOTAL, "")
    taken_back = "," in play.hand or (play.below and cell == _SURRENDER + letter)
    return _SURRENDER + letter if cell.startswith(_SURRENDER) and not taken_back else letter


def _row(layout: Layout, hand: str) -> int | None:
    """Return the row of a hand: a pair that has its own row, or a total."""
    block, _, name = hand.rpartition(" ")
    wanted = (block or ("pairs" if "," in name else "hard"), name)
    return next((i for i, row in enumerate(layout.rows) if (row.block, row.name) == wanted), None)


def _column(layout: Layout, dealer: str) -> int | None:
    wanted = upcard_name(dealer)
    return next((i for i, column in enumerate(layout.columns) if upcard_name(column.name) == wanted), None)


def upcard_name(text: str) -> str:
    """Return a dealer's card or total as plays name it: "T" for 10, "S14" for a soft 14."""
    return text.upper().replace("10", "T")

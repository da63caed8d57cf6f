"""Write a counter as the text of a file that `read_count_player` reads back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import pairwise
from zlib import crc32

from holecard.counts.count import PER_CARDS, Count
from holecard.counts.count_player import CountPlayer
from holecard.counts.index_plays import IndexPlay
from holecard.counts.ramp import Ramp
from holecard.counts.read_count import count_of, known_counts
from holecard.deck import DECK, RANKS
from holecard.errors import CountError, Problem

#: Characters that a refusal shows of a text.
_MOST_SHOWN = 58


def count_player_text(player: CountPlayer) -> str:
    """Return the file of a player: the count, the bets, the plays, side wagers, side counts and the table."""
    lines = [*_main_count(player.count)]
    if not player.ramp.is_flat or player.ramp.bets[0] != 1:
        lines += ["", "[bets]", *_ramp(player.ramp)]
    if player.plays:
        lines += ["", "[plays]", *_plays(player.plays)]
    for one in player.wagers:
        by = [f"count = {_quoted(one.count)}"] if one.count else []
        lines += ["", f"[wagers.{_quoted(one.wager)}]", *by, *_ramp(one.ramp)]
    for count in player.side_counts:
        lines += ["", *_count(count, f"side.{_quoted(count.name)}")]
    table = {
        name: value
        for name in ("seats", "seat", "cut", "enter", "leave")
        if (value := getattr(player, name)) is not None and (name, value) != ("seat", 1)
    }
    if table:
        lines += ["", "[table]", *(f"{name} = {value}" for name, value in table.items())]
    return "\n".join(lines) + "\n"


def count_player_facts(player: CountPlayer) -> dict[str, str]:
    """Return what a player does in one line each, to compare with another player: long lines are shortened."""
    sides = [f"{one.wager} {_bets(one.ramp)}" + (f" by {one.count}" if one.count else "") for one in player.wagers]
    table = [f"{name} {value}" for name in ("seat", "enter", "leave") if (value := getattr(player, name)) is not None]
    return {
        "count": player.name,
        "tags": _short(_counted(player.count)),
        "bets": _short(_bets(player.ramp)),
        "index plays": _short(_line(_plays(player.plays)) or "none"),
        "bets on side wagers": _short("; ".join(sides) or "none"),
        "side counts": _short("; ".join(f"{one.name} {_counted(one)}" for one in player.side_counts) or "none"),
        "seat": _short(", ".join(table)),
    }


def _counted(count: Count) -> str:
    """Return the tags, ace first, and how they are used where that is not usual."""
    usual = {"kind": "true", "per": 52, "start": 0, "pivot": 0, "rounding": "down"}
    words = [f"{name} {given}" for name, value in usual.items() if (given := getattr(count, name)) != value]
    return ", ".join([" ".join(map(str, count.by_rank or count.tags)), *words])


def _bets(ramp: Ramp) -> str:
    return _line(_ramp(ramp)) if ramp.starts else f"{ramp.bets[0]} at every count"


def _line(lines: Iterable[str]) -> str:
    return ", ".join(filter(None, lines)).replace('"', "").replace(" = ", ": ")


def _short(text: str) -> str:
    """Return a text that a refusal shows in full; one that is too long ends with a number of its own."""
    if len(text) <= _MOST_SHOWN:
        return text
    return f"{text[: _MOST_SHOWN - 14]}... ({crc32(text.encode()):08x})"


def _main_count(count: Count) -> Iterator[str]:
    if count.name in known_counts() and count_of(count.name) == count:
        yield f"count = {_quoted(count.name)}"
    else:
        yield from _count(count, "count")


def _count(count: Count, section: str) -> Iterator[str]:
    yield f"[{section}]"
    yield f"name = {_quoted(count.name)}"
    yield f"kind = {_quoted(count.kind)}"
    if count.kind == "true":
        yield f"per = {_quoted(_per(count))}"
        yield f"centered = {'false' if count.balanced else 'true'}"
    else:
        yield f"start = {_number(count.start)}"
        yield f"pivot = {_number(count.pivot)}"
    yield f"rounding = {_quoted(count.rounding)}"
    yield ""
    yield f"[{section}.tags]"
    yield from _tags(count)


def _per(count: Count) -> str:
    for words, cards in PER_CARDS.items():
        if cards == count.per:
            return words
    what = f"a file cannot say 'per {count.per} cards'; use 52 for decks or 26 for half decks"
    raise CountError(f"the count {count.name!r}", [Problem("per", what)])


def _tags(count: Count) -> Iterator[str]:
    """Yield a line for each rank, or for each card of a rank whose suits have different tags."""
    if count.by_rank is not None:
        for rank, tag in zip(RANKS, count.by_rank, strict=True):
            yield f"{rank} = {_number(tag)}"
        return
    for card in DECK:
        yield f"{card!r} = {_number(count.tags[card])}"


def _ramp(ramp: Ramp) -> Iterator[str]:
    if not ramp.starts:
        yield f'"below 0" = {_number(ramp.bets[0])}'
        yield f'"0 and above" = {_number(ramp.bets[0])}'
        return
    yield f'"below {ramp.starts[0]}" = {_number(ramp.bets[0])}'
    for (low, end), bet in zip(pairwise(ramp.starts), ramp.bets[1:-1], strict=True):
        yield f'"{low}" = {_number(bet)}' if end == low + 1 else f'"{low} to {end - 1}" = {_number(bet)}'
    yield f'"{ramp.starts[-1]} and above" = {_number(ramp.bets[-1])}'


def _plays(plays: tuple[IndexPlay, ...]) -> Iterator[str]:
    by_hand: dict[str, list[str]] = {}
    for play in plays:
        of = f" of {play.count}" if play.count else ""
        words = f"{play.action} {'below' if play.below else 'at'} {play.index}{of}"
        by_hand.setdefault(play.title, []).append(words)
    for title, lines in by_hand.items():
        yield f"{_quoted(title)} = {_quoted(', '.join(lines))}"


def _number(value: Fraction) -> str:
    """Return a number as a decimal if that is exact, else as a text such as "1/3"."""
    if value.denominator == 1:
        return str(int(value))
    decimal = str(float(value))
    return decimal if Fraction(decimal) == value else _quoted(str(value))


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'

"""Write a count player as the text of a file that `read_count_player` reads back."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise

from holecard.counts.count import PER_CARDS, Count
from holecard.counts.count_player import CountPlayer
from holecard.counts.index_plays import IndexPlay
from holecard.counts.ramp import Ramp
from holecard.counts.read_count import count_of, known_counts
from holecard.deck import DECK, RANKS


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


def _main_count(count: Count) -> Iterator[str]:
    if count.name in known_counts() and count_of(count.name) == count:
        yield f"count = {_quoted(count.name)}"
    else:
        yield from _count(count, "count")


def _count(count: Count, section: str) -> Iterator[str]:
    yield f"[{section}]"
    yield f"name = {_quoted(count.name)}"
    yield f"kind = {_quoted(count.kind)}"
    yield f"per = {_quoted(next(words for words, cards in PER_CARDS.items() if cards == count.per))}"
    yield f"start = {_number(count.start)}"
    yield f"pivot = {_number(count.pivot)}"
    yield f"rounding = {_quoted(count.rounding)}"
    yield ""
    yield f"[{section}.tags]"
    yield from _tags(count)


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
    return str(int(value)) if value.denominator == 1 else str(float(value))


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'

"""`holecard analyze GAME --vary`: a grid of rules, and the edge of every wager at each of its points."""

from __future__ import annotations

import itertools
import math
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import typer

from holecard.cli.options import Point, follows, price, read_chart, say_if_compiling, shoe_of
from holecard.cli.printing.analysis_data import grid_data
from holecard.cli.printing.format import INDENT, bound, dollars_and, grid, percent, say, title
from holecard.cli.printing.house_tables import FOOTNOTE, MARK
from holecard.cli.printing.show import as_json, console
from holecard.cli.printing.show_wagers import in_dollars
from holecard.cli.progress import Counter
from holecard.errors import Refusal, SheetError
from holecard.exact.results import CDZ_CONVENTION, CHART_CONVENTION
from holecard.kernels.cache import mark_warm
from holecard.sheets.override import full_path, parse_setting
from holecard.sheets.read import rules
from holecard.sheets.schema import RuleSheet

_MOST_POINTS = 10_000
_EDGE_WIDTH, _GAP = 12, 3
_QUOTES, _BRACKETS = "\"'", (("[", "]"), ("{", "}"))


@dataclass(frozen=True, slots=True)
class Varied:
    """A word of the sheet, and the values it takes in turn, as written and as read."""

    word: str
    values: tuple[tuple[str, object], ...]

    @property
    def path(self) -> tuple[str, ...]:
        return tuple(part.lower() for part in full_path(self.word))


def read_varied(text: str) -> Varied:
    """ "decks=1,2,6,8" as a word and its values.

    >>> read_varied("dealer.soft_17=hit,stand").values
    (('hit', 'hit'), ('stand', 'stand'))
    """
    word, equals, values = text.partition("=")
    said = [value.strip() for value in values.split(",")]
    if not equals or not word.strip() or not all(said):
        raise Refusal(f"--vary {text!r}: write a word and its values with commas between, as in decks=1,2,6,8")
    for value in said:
        if _is_torn(value):
            raise Refusal(f"--vary {text!r}: a comma ends a value, so {value!r} is left torn; use --set for a list")
    if len(set(said)) < len(said):
        raise Refusal(f"--vary {text!r}: a value stands there twice")
    return Varied(word.strip(), tuple((value, parse_setting(f"{word}={value}")[1]) for value in said))


def _is_torn(value: str) -> bool:
    """It opens a quote or bracket that it does not close, or the other way round."""
    open_quotes = any(value.startswith(quote) != (value.endswith(quote) and len(value) > 1) for quote in _QUOTES)
    return open_quotes or any(value.count(left) != value.count(right) for left, right in _BRACKETS)


def compare_rules(
    game: str,
    settings: Sequence[str] | None,
    vary: Sequence[str],
    *,
    shoe: str | None,
    seen: str | None,
    strategy: Path | None,
    json: bool,
) -> None:
    """Print the grid; Ctrl-C ends it with the points that are done."""
    fixed = dict(parse_setting(text) for text in settings or ())
    varied = [read_varied(text) for text in vary]
    _refuse_clashes(game, fixed, varied, shoe)
    points = [(labels, sheet, shoe_of(sheet, shoe, seen)) for labels, sheet in _points(game, fixed, varied)]
    # What a chart may say depends on the rules, so it has to suit every point.
    charts = [None if strategy is None else read_chart(strategy, sheet) for _, sheet, _ in points]
    say_if_compiling("vary")
    done: list[Point] = []
    with Counter("analyzing", len(points)) as counter:
        for (labels, sheet, cards), chart in zip(points, charts, strict=True):
            done.append(price(labels, sheet, cards, chart))
            counter.advance()
    if not counter.interrupted:
        mark_warm("vary")
    words = [v.word for v in varied]
    convention, player = CDZ_CONVENTION if strategy is None else CHART_CONVENTION, follows(strategy)
    if json:
        complete = len(done) == len(points)
        as_json(grid_data(game, fixed, words, done, convention=convention, strategy=player, complete=complete))
    else:
        procedure = "A fresh shoe each round" if shoe is None and seen is None else _say_cards_out(shoe, seen)
        how = f"{procedure}. Strategy: {player}. Splits: {convention}."
        show_grid(points[0][1].name, how, fixed, words, done)
    if counter.interrupted:
        typer.echo(f"stopped: {len(done)} of {len(points)} are done", err=True)
        raise typer.Exit(130)


def _say_cards_out(shoe: str | None, seen: str | None) -> str:
    out = "" if seen is None else f", without {seen}"
    return f"Each round from {'full decks' if shoe is None else shoe}{out}"


def _refuse_clashes(game: str, fixed: Mapping[str, object], varied: Sequence[Varied], shoe: str | None) -> None:
    """Two ways to say one word would leave open which counts."""
    try:
        taken = {tuple(part.lower() for part in full_path(word)): f"--set {word}" for word in fixed}
        for varying in varied:
            if other := taken.get(varying.path):
                raise Refusal(f"--vary {varying.word}: {other} says the same word; say it once")
            if shoe is not None and varying.path == ("shoe", "decks"):
                raise Refusal(f"--vary {varying.word}: --shoe says which cards there are, whatever the number of decks")
            taken[varying.path] = f"--vary {varying.word}"
    except SheetError as error:
        raise SheetError(game, error.problems) from None
    points = math.prod(len(varying.values) for varying in varied)
    if points > _MOST_POINTS:
        raise Refusal(f"--vary asks for {points:,} games; at most {_MOST_POINTS:,} are compared at once")


def _points(
    game: str, fixed: Mapping[str, object], varied: Sequence[Varied]
) -> Iterator[tuple[tuple[str, ...], RuleSheet]]:
    """Every combination as written, and its sheet; the last word changes fastest."""
    for values in itertools.product(*(varying.values for varying in varied)):
        changes = {varying.word: value for varying, (_, value) in zip(varied, values, strict=True)}
        yield tuple(label for label, _ in values), rules(game, {**fixed, **changes})


def show_grid(name: str, how: str, fixed: Mapping[str, object], words: Sequence[str], done: Sequence[Point]) -> None:
    """A row for each point; many side wagers continue in a second grid."""
    out = console()
    settings = "".join(f", {word} = {value}" for word, value in fixed.items())
    title(out, f"{name}{settings}")
    say(
        out,
        "House edge: the main wager's per unit of initial stake, a side wager's per unit staked; dollars are what the "
        f"house keeps of a round. {how}{_say_error(done)}",
    )
    out.print()
    headings = [_heading(word, words) for word in words]
    names = ["", *dict.fromkeys(wager.name for point in done for wager in point.wagers)]
    house = {wager.name for point in done for wager in point.wagers if not wager.printed}
    beside = _edges_beside(out.width, headings, done)
    for start in range(0, len(names), beside):
        shown = names[start : start + beside]
        starred = [f"{name}{MARK}" if name in house else name for name in shown]
        edges = ["\n".join(textwrap.wrap(name, _EDGE_WIDTH)) or "house edge" for name in starred]
        grid(out, [*headings, *edges], [[*point.labels, *(_edge(point, name) for name in shown)] for point in done])
    if house:
        say(out, FOOTNOTE)
    for name, reason in dict.fromkeys(skipped for point in done for skipped in point.skipped):
        title(out, name, f"Not computed: {reason}.")
        out.print()


def _say_error(done: Sequence[Point]) -> str:
    """How far the main wager's edges may be off, all of them."""
    if not done:
        return ""
    return f" The exact edges of the main wager lie within {bound(max(point.error_bound for point in done))}."


def _heading(word: str, words: Sequence[str]) -> str:
    """The last part of a word where that tells it from the others, in lines as short as an edge."""
    last = word.rpartition(".")[2]
    alone = [other.rpartition(".")[2] for other in words].count(last) == 1
    spaced = (last if alone else word).replace("_", "_ ").replace(".", ". ")
    return "\n".join(line.replace("_ ", "_").replace(". ", ".") for line in textwrap.wrap(spaced, _EDGE_WIDTH))


def _edges_beside(width: int, headings: Sequence[str], done: Sequence[Point]) -> int:
    """How many columns of edges there is room for."""
    columns = zip(headings, *(point.labels for point in done), strict=True)
    taken = sum(max(len(line) for cell in column for line in cell.split("\n")) + _GAP for column in columns)
    return max(1, (width - INDENT - taken + _GAP) // (_EDGE_WIDTH + _GAP))


def _edge(point: Point, name: str) -> str:
    if not name:
        return percent(-point.ev, 5)
    wager = next((wager for wager in point.wagers if wager.name == name), None)
    if wager is None:
        return "-"
    return dollars_and(-wager.exact, 5) if in_dollars(wager) else percent(-wager.exact, 5)

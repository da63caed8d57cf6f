"""The compiled tables as labeled matrices, for people and for JSON; adjacent equal rows are merged."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from holecard.hands import DealerDraws, Mask
from holecard.odds import spell
from holecard.sheets.compile import dealer_finals
from holecard.sheets.tables import (
    BET,
    CHARLIE,
    COMPANION,
    DEALER_22,
    DEALER_BUST,
    DEALER_NATURAL,
    DOUBLE_UP,
    KINDS,
    NATURAL,
    SettlementRow,
    Tables,
)
from holecard.wagers.pay_table import HOUSE_TABLE, SideWager

_TOTALS = range(21, 3, -1)


class Matrix(NamedTuple):
    """A table with a title; every row begins with its label."""

    key: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def matrices(tables: Tables) -> tuple[Matrix, ...]:
    """Return all tables of a sheet."""
    return (
        *_dealer(tables.dealer_draws),
        *_settlement(tables),
        *_decisions(tables),
        *(_pay_table(wager) for wager in tables.wagers),
        *(_tax(wager) for wager in tables.wagers if wager.tax),
    )


def _dealer(draws: DealerDraws) -> Iterator[Matrix]:
    """Yield when the dealer draws; where some hands commit the dealer to a hard total, those hands and what follows."""
    yield _mask("dealer_draws", "The dealer draws", draws.usual, ("draws", "stands"))
    if any(map(any, draws.committing)):
        yield _mask("dealer_commits", "The dealer must go on to a hard total from", draws.committing, ("must", "-"))
        title = "The dealer draws after such a hand"
        yield _mask("dealer_draws_committed", title, draws.committed, ("draws", "stands"))


def _settlement(tables: Tables) -> Iterator[Matrix]:
    """Yield one matrix for each set of stakes with the same settlement."""
    columns = _dealer_columns(tables)
    alike: dict[tuple[tuple[str, ...], ...], list[str]] = {}
    for kind in _kinds_in_play(tables):
        players = _players(tables, kind)
        rows = _grouped([(_player_label(p), _cells(tables.settlement[kind][p], columns)) for p in players])
        alike.setdefault(rows, []).append(tables.stakes[kind])
    for rows, names in alike.items():
        title = f"{', '.join(names)} against the dealer's final hand (net per unit)"
        yield Matrix(f"settlement {', '.join(names)}", title, tuple(label for label, _ in columns), rows)


def _kinds_in_play(tables: Tables) -> list[int]:
    player = tables.sheet.player
    idle = set()
    if not tables.has_companion:
        idle.add(COMPANION)
    if player.double_up == "none":
        idle.add(DOUBLE_UP)
    return [kind for kind in range(KINDS) if kind not in idle]


def _players(tables: Tables, kind: int) -> list[int]:
    """Return the hands with this kind of stake: a natural is neither split nor doubled."""
    natural = [NATURAL] if kind in (BET, COMPANION) else []
    charlie = [CHARLIE] if tables.sheet.player.charlie else []
    return [*natural, *charlie, *_TOTALS]


def _player_label(player: int) -> str:
    return {NATURAL: "natural", CHARLIE: "charlie"}.get(player, str(player))


def _dealer_columns(tables: Tables) -> list[tuple[str, int]]:
    """Return the dealer's classes with labels; 22 has its own column only if it settles unlike other busts."""
    special = any(rows[p][DEALER_22].net != rows[p][DEALER_BUST].net for rows in tables.settlement for p in _TOTALS)
    labels = {DEALER_22: "22", DEALER_BUST: "23+" if special else "bust"}
    finals = [d for d in dealer_finals(tables.sheet) if special or d != DEALER_22]
    return [*((labels.get(d, str(d)), d) for d in finals), ("natural", DEALER_NATURAL)]


def _cells(row: SettlementRow, columns: Sequence[tuple[str, int]]) -> tuple[str, ...]:
    return tuple(spell(row[d].net) for _, d in columns)


def _decisions(tables: Tables) -> Iterator[Matrix]:
    player = tables.sheet.player
    yield _mask("may_double", "Doubling down", tables.may_double, ("may", "-"))
    if player.double_up != "none":
        yield _mask("may_double_up", "Double-Up on two cards", tables.may_double_up, ("may", "-"))
    kinds = [kind for kind in _kinds_in_play(tables) if kind <= COMPANION]
    names = tuple(tables.stakes[kind] for kind in kinds)
    if player.quick_pay:
        offers = [(str(t), row) for t, row in reversed(list(enumerate(tables.quick_pay))) if row is not None]
        rows = tuple((label, *(spell(row[kind].net) for kind in kinds)) for label, row in offers)
        yield Matrix("quick_pay", "Quick Pay on two cards", names, rows)
    if tables.surrenders != "none":
        cells = tuple(spell(tables.surrender[kind].net) for kind in kinds)
        yield Matrix("surrender", f"Surrender ({tables.surrenders})", names, (("first two cards", *cells),))
    aces = "play on" if tables.split_aces_play_on else "one card each"
    split = (
        ("any pair", f"by {player.split_by}", str(tables.split_hands)),
        ("aces", f"split {tables.split_aces}", aces),
    )
    yield Matrix("split", "Splitting", ("how", "hands"), split)


def _mask(key: str, title: str, mask: Mask, words: tuple[str, str]) -> Matrix:
    yes, no = words
    cells = [(str(t), tuple(yes if mask[t][soft] else no for soft in (0, 1))) for t in _TOTALS]
    # The lowest soft total is 12 (two aces).
    shown = [(label, (hard, soft if int(label) >= 12 else "")) for label, (hard, soft) in cells]
    return Matrix(key, title, ("hard", "soft"), _grouped(shown))


def _grouped(rows: Sequence[tuple[str, tuple[str, ...]]]) -> tuple[tuple[str, ...], ...]:
    """Merge adjacent totals with equal cells under one label: "4-16"."""
    grouped: list[tuple[str, str, tuple[str, ...]]] = []
    for label, cells in rows:
        if grouped and grouped[-1][2] == cells and label.isdigit() and grouped[-1][0].isdigit():
            grouped[-1] = (label, grouped[-1][1], cells)
        else:
            grouped.append((label, label, cells))
    return tuple((low if low == high else f"{low}-{high}", *cells) for low, high, cells in grouped)


def _pay_table(wager: SideWager) -> Matrix:
    house = "" if wager.printed else f" ({HOUSE_TABLE})"
    rows = tuple((line.name, str(line.pays)) for line in wager.lines)
    return Matrix(f"wager {wager.name}", f"{wager.name}{house}", ("pays",), rows)


def _tax(wager: SideWager) -> Matrix:
    rows = tuple((line.name, str(line.pays)) for line in wager.tax)
    return Matrix(f"tax {wager.name}", f"{wager.name}: tax", ("tax",), rows)

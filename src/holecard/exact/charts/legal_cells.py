"""Every legal cell of a row, the shortest one for each way of playing the row's hands.

There are many legal cells (RDH, DRH, DH …) and few ways of playing: a way is fixed by what the cell does in each
situation its hands can be in, because what is legal differs between situations and not within one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain, permutations

import numpy as np

from holecard.charts.layout import Layout, Row
from holecard.charts.letters import AS_TOTAL, CLOSING
from holecard.exact.main.prepared_game import ACE, PreparedGame
from holecard.kernels.exact.actions import Allowed

_OPEN = ""
"""A pair's cell that leaves the decision to the row of its total."""


def legal_cells(game: PreparedGame, layout: Layout) -> list[list[str]]:
    """Return [row] the cells, the shortest first."""
    return [_of_pair(game, row) if row.pair else _of_total(game, row) for row in layout.rows]


def _of_total(game: PreparedGame, row: Row) -> list[str]:
    """Return the cells of a total. Cells with different last letters count as different, since readers rely on it."""
    situations = _situations(game, row)
    return _shortest(
        {
            cell: (cell[-1], *(_done(cell, legal, "S") for legal in situations))
            for cell in _cells(row)
            if cell[-1] in CLOSING
        }
    )


def _of_pair(game: PreparedGame, row: Row) -> list[str]:
    """Return the cells of a pair.

    The first hand decides whether the pair is split; only then can another pair be made, which may have to be kept.
    """
    assert row.pair is not None
    kept = _legal(
        game.one_card_ace if game.gets_one_card(row.pair - 1) else game.split_hand,
        game.hands.two[row.pair - 1, row.pair - 1],
    )
    ways = {
        cell: (first := _done(cell, row.letters, _OPEN), _done(cell, kept, _OPEN) if first == "P" else _OPEN)
        for cell in _cells(row)
    }
    return [AS_TOTAL, *_shortest(ways)]


def _cells(row: Row) -> Iterator[str]:
    """Yield everything that may be written: letters in any order, a closing one last; a pair's cell may stay open."""
    others = [letter for letter in row.letters if letter not in CLOSING]
    orders = chain.from_iterable(permutations(others, length) for length in range(len(others) + 1))
    for letters in orders:
        for closing in ("", *(letter for letter in CLOSING if letter in row.letters)):
            if letters or closing:
                yield "".join(letters) + closing


def _situations(game: PreparedGame, row: Row) -> list[str]:
    """Return what may be done with the row's hands: with the first two cards, then each later set of legal letters."""
    hands = game.hands
    of_row = (hands.total == row.total) & (hands.soft == row.soft) & (hands.size >= 2)
    two, longer = (
        np.flatnonzero(of_row & (hands.size == 2)).tolist(),
        np.flatnonzero(of_row & (hands.size > 2)).tolist(),
    )
    later = {_legal(game.first_hand, hand) for hand in longer}
    if game.tables.split_hands > 1:
        later |= {_legal(game.split_hand, hand) for hand in (*two, *longer)}
        if game.gets_one_card(ACE):
            later |= {_legal(game.one_card_ace, hand) for hand in two if hands.cards[hand, ACE]}
    return [row.letters, *sorted(later)]


def _legal(allowed: Allowed, hand: int) -> str:
    may = {"H": allowed.hit, "D": allowed.double, "U": allowed.double_up}
    return "S" + "".join(letter for letter, mask in may.items() if mask[hand])


def _done(cell: str, legal: str, otherwise: str) -> str:
    return next((letter for letter in cell if letter in legal), otherwise)


def _shortest(ways: Mapping[str, tuple[str, ...]]) -> list[str]:
    """Return the shortest of the cells that are played the same way."""
    found: dict[tuple[str, ...], str] = {}
    for cell in sorted(ways, key=len):
        found.setdefault(ways[cell], cell)
    return list(found.values())

"""Every legal cell of a row, the shortest one for each way of playing the row's hands.

Legal cells are many (RDH, DRH, DH …) and ways of playing few: what a cell does is fixed by what it does in each
situation its hands can be in, because what is legal differs between situations and not within one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain, permutations

import numpy as np

from holecard.charts.layout import Layout, Row
from holecard.charts.letters import AS_TOTAL, CLOSING
from holecard.exact.main.prepared_game import ACE, Game
from holecard.kernels.exact.actions import Allowed

_OPEN = ""
"""What a pair's cell leaves to the row of its total."""


def legal_cells(game: Game, layout: Layout) -> list[list[str]]:
    """[row] cells, the shortest first."""
    return [_of_pair(game, row) if row.pair else _of_total(game, row) for row in layout.rows]


def _of_total(game: Game, row: Row) -> list[str]:
    """Cells told apart by their last letter too: it is what a reader does who comes to a cell nobody comes to."""
    situations = _situations(game, row)
    return _shortest(
        {
            cell: (cell[-1], *(_done(cell, legal, "S") for legal in situations))
            for cell in _cells(row)
            if cell[-1] in CLOSING
        }
    )


def _of_pair(game: Game, row: Row) -> list[str]:
    """The first hand decides whether the pair is split; only then is there another pair, which may have to be kept."""
    assert row.pair is not None
    kept = _legal(game.lone if game.is_lone(row.pair - 1) else game.after, game.hands.two[row.pair - 1, row.pair - 1])
    ways = {
        cell: (first := _done(cell, row.letters, _OPEN), _done(cell, kept, _OPEN) if first == "P" else _OPEN)
        for cell in _cells(row)
    }
    return [AS_TOTAL, *_shortest(ways)]


def _cells(row: Row) -> Iterator[str]:
    """Everything that may be written: letters in any order, a closing one last; a pair's cell may stay open."""
    others = [letter for letter in row.letters if letter not in CLOSING]
    orders = chain.from_iterable(permutations(others, length) for length in range(len(others) + 1))
    for letters in orders:
        for closing in ("", *(letter for letter in CLOSING if letter in row.letters)):
            if letters or closing:
                yield "".join(letters) + closing


def _situations(game: Game, row: Row) -> list[str]:
    """What may be done with the row's hands: with the first two cards, then each set of letters that comes later."""
    hands = game.hands
    of_row = (hands.total == row.total) & (hands.soft == row.soft) & (hands.size >= 2)
    two, longer = (
        np.flatnonzero(of_row & (hands.size == 2)).tolist(),
        np.flatnonzero(of_row & (hands.size > 2)).tolist(),
    )
    later = {_legal(game.before, hand) for hand in longer}
    if game.tables.split_hands > 1:
        later |= {_legal(game.after, hand) for hand in (*two, *longer)}
        if game.is_lone(ACE):
            later |= {_legal(game.lone, hand) for hand in two if hands.cards[hand, ACE]}
    return [row.letters, *sorted(later)]


def _legal(allowed: Allowed, hand: int) -> str:
    may = {"H": allowed.hit, "D": allowed.double, "U": allowed.double_up}
    return "S" + "".join(letter for letter, mask in may.items() if mask[hand])


def _done(cell: str, legal: str, otherwise: str) -> str:
    return next((letter for letter in cell if letter in legal), otherwise)


def _shortest(ways: Mapping[str, tuple[str, ...]]) -> list[str]:
    """Of cells that are played alike, the shortest."""
    found: dict[tuple[str, ...], str] = {}
    for cell in sorted(ways, key=len):
        found.setdefault(ways[cell], cell)
    return list(found.values())

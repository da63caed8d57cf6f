"""Effects of removal: how the EV of a wager changes when one card is taken out of the shoe.

The effect of a card is the difference of two exact analyses, EV(shoe without the card) - EV(shoe). If the wager's EV is
an average over all deals, a round from the shoe and a round after one unseen card has been burned are the same, so the
effects of all cards of the shoe sum to zero. With the main wager, the sum is positive: a player who knows which card is
gone can only play better. Insurance is conditioned on an ace up, which is then not among the cards that can be removed.

The effects alone give a quick estimate of the EV of any shoe. With N cards in the full shoe, p the share of a card in
it, q its share among the cards left and E its effect,

    EV = EV(full shoe) - (N - 1) · sum of (q - p) E

which is exact for a wager whose EV is linear in the shares. It is never reported. It takes most of the luck of a sample
out of the averages of exact values (`gains`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holecard.advantage.targets import Target
from holecard.kernels.arrays import Floats, Integers
from holecard.presentation import Brief
from holecard.sheets.schema import RuleSheet

_SUITS = 4


@dataclass(frozen=True, repr=False)
class RemovalEffects(Brief):
    """The effects on one wager of removing each card from one shoe."""

    cards: int
    """cards in the shoe"""
    ev: float
    """EV of the wager from this shoe"""
    effects: tuple[float, ...]
    """[card] change of the EV when one such card is removed; equal for cards that the wager does not distinguish"""
    counts: tuple[int, ...]
    """[card] cards that can be removed: those of the shoe, less the ace up for insurance"""

    @property
    def mean(self) -> float:
        """The average effect of all cards that can be removed."""
        return float(np.dot(self.effects, self.counts) / sum(self.counts))

    @property
    def centered(self) -> Floats:
        """[card] the effects less their mean over a deck."""
        effects: Floats = np.array(self.effects, np.float64)
        centered: Floats = effects - effects.mean()
        return centered


def removal_effects(
    sheet: RuleSheet, target: Target, *, half: bool = False, threads: int | None = None
) -> RemovalEffects | None:
    """Return the effects from the full shoe, or from half of each card; None where suits cannot be halved."""
    if half and target.by_suit and sheet.shoe.decks % 2:
        return None
    shoes, kind_of = _shoes_without(sheet, target, half=half)
    values = target.values(sheet, shoes, threads=threads)
    return None if np.isnan(values).any() else _effects(target, shoes[0], values, kind_of)


def _shoes_without(sheet: RuleSheet, target: Target, *, half: bool = False) -> tuple[Integers, Integers]:
    """Return [1 + kind, card] the shoe, then without a card of each kind, and [card] its kind."""
    decks = sheet.shoe.decks
    cards = np.arange(52)
    of_rank = 2 * decks if half else 4 * decks
    # Suits of a rank as even as can be: where a rank has an odd share of a suit, suits do not matter.
    shoe = (of_rank + cards % _SUITS) // _SUITS
    removed = cards if target.by_suit else cards // _SUITS * _SUITS + _SUITS - 1
    if target.kind != "side":
        removed = np.minimum(removed, 4 * 9 + _SUITS - 1)
    kinds, kind_of = np.unique(removed, return_inverse=True)
    shoes = np.tile(shoe, (1 + kinds.size, 1))
    shoes[1 + np.arange(kinds.size), kinds] -= 1
    return shoes, kind_of


def _effects(target: Target, shoe: Integers, values: Floats, kind_of: Integers) -> RemovalEffects:
    """Return the effects from `values` of the shoe and of the shoes without a card."""
    counts = shoe.copy()
    if target.kind == "insurance":
        counts[_SUITS - 1] -= 1
    return RemovalEffects(
        cards=int(shoe.sum()),
        ev=float(values[0]),
        effects=_floats((values[1:] - values[0])[kind_of]),
        counts=tuple(int(count) for count in counts),
    )


def linear_values(effects: RemovalEffects, shoes: NDArray[Any]) -> Floats:
    """Return [shoe] the estimates; `shoes` has 52 columns."""
    left = shoes.astype(np.float64)
    shares = left / np.maximum(left.sum(axis=1, keepdims=True), 1)
    found: Floats = effects.ev - (effects.cards - 1) * (shares - 1 / 52) @ effects.centered
    return found


def _floats(values: NDArray[Any]) -> tuple[float, ...]:
    return tuple(float(value) for value in values)

"""`sample_shoes`: the cards that have not been seen before rounds of shoes dealt down to a cut card."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from holecard.charts.named_strategies import BASIC
from holecard.errors import Refusal, check_whole, plural
from holecard.exact.strategies import StrategyLike, strategies_of
from holecard.kernels.cache import compiling
from holecard.kernels.dealt_down.listed_shoes import CARD_TYPES, list_shoes
from holecard.kernels.play.workspace import new_workspace
from holecard.sheets.read import RulesLike, rules
from holecard.simulation.compile.program import compile_program
from holecard.simulation.plays.fresh_shoes import seed_of
from holecard.simulation.procedures import procedure_of

#: The first card types are aces.
_ACES = 4


@dataclass(frozen=True, eq=False)
class ShoeSample:
    """Rounds of sampled shoes, as they were about to be dealt."""

    cards: NDArray[np.uint8]
    """[round, card] cards not seen: those in the shoe and those burned; a card is 4 * rank + suit"""
    out: NDArray[np.uint16]
    """[round] cards out of the shoe, the burned ones included; a cut card at c% stops rounds with c% or more out"""
    shoe: NDArray[np.uint32]
    """[round] number of the shoe, from 0"""
    round: NDArray[np.uint16]
    """[round] number of the round in its shoe, from 0"""

    def __len__(self) -> int:
        return len(self.out)

    def with_ace_up(self, seen: int, seed: int) -> ShoeSample:
        """Return the rounds when an ace is up and `seen` more cards are face up; these cards are drawn at random.

        Rounds with too few cards have none left, and rounds without an ace only miss the other cards.
        """
        random = np.random.default_rng(seed)
        aces = np.where(np.arange(CARD_TYPES) < _ACES, self.cards, 0)
        left = _drawn(self.cards - aces + _drawn(aces, 1, random), seen, random)
        return ShoeSample(left, self.out, self.shoe, self.round)


def _drawn(cards: NDArray[np.uint8], number: int, random: np.random.Generator) -> NDArray[np.uint8]:
    """Return [round, card] the cards left after this many have been drawn from each row."""
    left, rows = cards.copy(), np.arange(len(cards))
    for _ in range(number):
        ends = left.cumsum(axis=1, dtype=np.int64)
        picked = (random.random(len(left)) * ends[:, -1]).astype(np.int64)
        card = np.minimum((ends <= picked[:, None]).sum(axis=1), left.shape[1] - 1)
        left[rows, card] -= ends[:, -1] > 0
    return left


def sample_shoes(
    game: RulesLike,
    *,
    shoes: int,
    cut: int,
    seats: int = 1,
    seed: int = 1,
    strategy: StrategyLike = BASIC,
    every: int = 1,
    first: int = 0,
) -> ShoeSample:
    """Deal shoes down to a cut card at `cut` percent, all seats playing one strategy, and list every `every`-th round.

    The shoes are those of `simulate` without side wagers, with the same seed, numbered from `first`. Rounds of all
    numbers are listed equally often, so an average over the sample is an average over rounds. Because a shoe's rounds
    do not depend on its cut card, the rounds with fewer than c% of the cards out are those of a cut card at c%.
    """
    sheet = rules(game)
    for what, given, example in (
        ("shoes", shoes, "1_000"),
        ("cut", cut, "75"),
        ("seats", seats, "2"),
        ("seed", seed, "1"),
        ("every", every, "1"),
        ("first", first, "0"),
    ):
        check_whole(what, given, example)
    if shoes < 0 or every < 1 or first < 0:
        raise Refusal(
            f"cannot list {plural(shoes, 'shoe')} from number {first}, every {every} rounds; "
            "write 0 or more shoes, from 0 or above, every 1 or more rounds"
        )
    rule = procedure_of(sheet, f"cut:{cut}").rule
    assert rule is not None
    with compiling("sample") as compilation:
        players = strategies_of(sheet, strategy, seats)
        program = compile_program(sheet.tables, [players[0].chart], dealt_down=True)
        at, charts = program.offsets, np.zeros(seats, np.uint8)
        # A round takes at least two cards per seat and two for the dealer (one where there is no hole card).
        most = shoes * (-(-rule.cut // (2 * seats + 1) // every) + 1)
        cards = np.empty((most, CARD_TYPES), np.uint8)
        out, of_shoe, of_round = np.empty(most, np.uint16), np.empty(most, np.uint32), np.empty(most, np.uint16)
        key, number = np.uint64(seed_of(seed)), np.uint64(first)
        work = new_workspace(at, seats)
        n = list_shoes(program.lut, at, charts, key, number, shoes, every, rule, work, cards, out, of_shoe, of_round)
        compilation.finished = True
    return ShoeSample(cards[:n].copy(), out[:n].copy(), of_shoe[:n].copy(), of_round[:n].copy())

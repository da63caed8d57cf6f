"""Rounds per second of `Table`, heads-up with a fixed strategy, compared with Gymnasium's Blackjack-v1.

Both players draw to 17. Gymnasium deals from an infinite deck, offers hit and stand, and pays one number; `Table`
plays the whole game: a real shoe, insurance, peek, legality checks, accounts, and the reason for every payment.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import NamedTuple

import gymnasium

import holecard
from holecard.table.table import Table

BLOCK = 1_000
BLOCKS = 15


class Block(NamedTuple):
    """One block of rounds: seconds, rounds, and cards dealt."""

    seconds: float
    rounds: int
    cards: int


def table_player(game: str, seats: int = 1) -> Callable[[], Block]:
    """Return a function that plays a block of rounds at one table, with every seat drawing to 17."""
    table = holecard.Table(game, seed=1)
    bet = table.tables.main.low

    def play() -> Block:
        cards = 0
        start = time.thread_time()
        for _ in range(BLOCK):
            for seat in range(1, seats + 1):
                table.bet(bet, seat=seat)
            table.deal()
            while table.asked:
                _draw_to_17(table)
            cards += len(table.cards_dealt)
        return Block(time.thread_time() - start, BLOCK, cards)

    return play


def _draw_to_17(table: Table) -> None:
    state = table.state
    if state.phase == "insurance":
        table.act("no insurance")
    elif state.phase in ("after the check", "last call"):
        table.place()
    else:
        table.act("hit" if state.seats[state.turn].hands[state.hand].total < 17 else "stand")


def gymnasium_player() -> Callable[[], Block]:
    """Return a function that plays a block of rounds of Blackjack-v1, drawing to 17."""
    env = gymnasium.make("Blackjack-v1", natural=True)
    env.reset(seed=1)

    def play() -> Block:
        cards = 0
        start = time.thread_time()
        for _ in range(BLOCK):
            observation, _ = env.reset()
            done = False
            while not done:
                observation, _, done, _, _ = env.step(1 if observation[0] < 17 else 0)
            hands = env.unwrapped
            cards += len(hands.player) + len(hands.dealer)  # type: ignore[attr-defined]
        return Block(time.thread_time() - start, BLOCK, cards)

    return play


def alternate(*players: Callable[[], Block]) -> list[list[Block]]:
    """Run blocks of all players in turn, after one block each to warm up."""
    for player in players:
        player()
    blocks: list[list[Block]] = [[] for _ in players]
    for _ in range(BLOCKS):
        for player, found in zip(players, blocks, strict=True):
            found.append(player())
    return blocks


def rate(blocks: list[Block]) -> float:
    """Return the median rounds per second."""
    return statistics.median(block.rounds / block.seconds for block in blocks)


def cards_per_round(blocks: list[Block]) -> float:
    return sum(block.cards for block in blocks) / sum(block.rounds for block in blocks)


def against_gymnasium() -> None:
    """Compare with Gymnasium; the ratio should be at least 1."""
    ours, theirs = alternate(table_player("classic"), gymnasium_player())
    print("Heads-up, one seat drawing to 17 (alternating blocks, medians)")
    for name, blocks in (("holecard Table", ours), ("Gymnasium Blackjack-v1", theirs)):
        print(f"  {name:24} {rate(blocks):9,.0f} rounds/s   {cards_per_round(blocks):5.2f} cards/round")
    ratios = [a.rounds / a.seconds * b.seconds / b.rounds for a, b in zip(ours, theirs, strict=True)]
    low, high = min(ratios), max(ratios)
    print(f"  ratio                    {statistics.median(ratios):9.2f}   (blocks from {low:.2f} to {high:.2f})")


def every_game() -> None:
    """Compare every game with Gymnasium's."""
    names = holecard.games()
    theirs, *found = alternate(gymnasium_player(), *(table_player(name) for name in names))
    print("\nEvery game, main wager only, as a ratio to Gymnasium in the same run")
    for name, blocks in zip(names, found, strict=True):
        ratio = rate(blocks) / rate(theirs)
        print(f"  {name:24} {rate(blocks):9,.0f} rounds/s   {cards_per_round(blocks):5.2f} cards/round   {ratio:5.2f}")


def seats() -> None:
    """Measure how the cost grows with the number of seats."""
    counts = (1, 2, 4, 7)
    found = alternate(*(table_player("classic", count) for count in counts))
    print("\nSeats: hands per second, and the ratio to one seat")
    for count, blocks in zip(counts, found, strict=True):
        hands = rate(blocks) * count
        print(f"  {count} seats {hands:14,.0f} hands/s   {cards_per_round(blocks):5.2f} cards/round", end="")
        print(f"   {hands / rate(found[0]):5.2f}")

"""Shoes that are dealt down side by side are those that are dealt down one by one, to the last bit."""

from __future__ import annotations

from functools import cache

import pytest

import holecard
from holecard.charts.named_strategies import mimic_the_dealer, never_bust
from holecard.simulation.compile.program import compile_program
from holecard.simulation.plays.dealt_down_shoes import ShoeRounds
from holecard.simulation.procedures import procedure_of
from tests.selection import one_in, rounds
from tests.simulation.charts import splitting

GAMES = holecard.games(examples=True)
PROCEDURES = ["cut:75", "cut:100", "rounds:4", "rounds:70", "shuffler", "shuffler:0", "shuffler:13"]


@cache
def _play(
    game: str, seats: int, procedure: str, decks: int = 6, *, sides: bool = True, draws_out: bool = False
) -> ShoeRounds:
    sheet = holecard.rules(game, decks=decks)
    tables = sheet.tables
    charts = [splitting(tables), mimic_the_dealer(tables), never_bust(tables)]
    wagers = tables.wagers if sides else ()
    program = compile_program(tables, charts, wagers, draws_out=draws_out, dealt_down=True)
    rule = procedure_of(sheet, procedure).rule
    assert rule is not None
    return ShoeRounds(program, tuple(seat % 3 for seat in range(seats)), seed=21, rule=rule)


CASES = [
    (game, 1 + (place + 3 * number) % 7, procedure, (6, 1, 8)[(place + number) % 3])
    for number, game in enumerate(GAMES)
    for place, procedure in enumerate(PROCEDURES)
]


@pytest.mark.parametrize(("game", "seats", "procedure", "decks"), one_in(99, CASES))
def test_side_by_side_is_as_one_by_one(game: str, seats: int, procedure: str, decks: int) -> None:
    for sides, draws_out in ((True, False), (False, True)):
        play = _play(game, seats, procedure, decks, sides=sides, draws_out=draws_out)
        shoes = rounds(900)
        assert play.play(3, shoes) == play.play_one_by_one(3, shoes)


@pytest.mark.parametrize(("decks", "seats"), [(1, 1), (2, 2), (1, 5)])
def test_a_second_card_of_the_dealer_comes_after_the_last_of_a_shoe(decks: int, seats: int) -> None:
    """Without a hole card, the dealer's second card may be the first that is shuffled in."""
    play = _play("european", seats, "cut:100", decks)
    shoes = 2_000
    assert play.play(3, shoes) == play.play_one_by_one(3, shoes)


@pytest.mark.parametrize("chute", [0, 1, 5, 13])
def test_a_machine_that_runs_out_of_cards_is_reloaded_side_by_side(chute: int) -> None:
    """Some rounds of seven seats take almost all of one deck; with a full chute, some leave too few cards behind."""
    play = _play("classic", 7, f"shuffler:{chute}", decks=1)
    shoes = rounds(300)
    tally = play.play(3, shoes)
    assert tally == play.play_one_by_one(3, shoes)
    assert (tally["rounds"] < 1000 * shoes) == (chute == 13)


#: By procedure, for each game with and without side wagers and each of three numbers of seats: a million in all.
SHOES = {"cut:75": 12_000, "rounds:10": 15_500, "shuffler": 300}


@pytest.mark.slow
@pytest.mark.parametrize("sides", [True, False])
@pytest.mark.parametrize("game", holecard.games())
def test_a_million_shoes_are_as_one_by_one(game: str, sides: bool) -> None:
    """1,000,800 shoes in all, 26 million rounds: every count of every seat and wager is equal."""
    first = 0 if sides else 1_000_000
    for seats in (1, 4, 7):
        for procedure, shoes in SHOES.items():
            play = _play(game, seats, procedure, sides=sides)
            assert play.play(first, shoes) == play.play_one_by_one(first, shoes)

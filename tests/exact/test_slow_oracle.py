"""The slow oracle alone: cases computed by hand, published EVs, and runs without its caches."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from holecard.sheets.catalog import games
from holecard.sheets.read import rules
from tests.exact.slow_oracle import SlowGame, solve
from tests.exact.slow_states import Game, Seen, Start
from tests.exact.small_shoes import SHOES, is_enough
from tests.oracle import DOUBLE_UP, MAIN, SECOND
from tests.selection import one_in, quick

EVERY_SHEET = games(examples=True)
#: Eleven tens and an ace: a hand with the ace is a natural, and a split pair of tens may draw it.
ONE_ACE = {"A": 1, "T": 11}
#: No round can run out of these cards, and every card of a round can be written down.
TINY = {"A": 2, "8": 4, "T": 5}


def dealt(game: str | Path, shoe: dict[str, int], **settings: Any) -> Game:
    return solve(rules(game, settings), shoe)


def said(game: Game) -> tuple[object, ...]:
    return game.ev, game.average_stake, game.distribution


def start_of(game: Game, player: tuple[int, ...], dealer: tuple[int, ...]) -> Start:
    (found,) = [start for start in game.starts if (start.player, start.dealer) == (player, dealer)]
    return found


# By hand


def test_only_tens() -> None:
    """Twenty against twenty pushes; another card busts, and four split hands push as well."""
    game = dealt("classic", {"T": 14})
    assert said(game) == (0, 1, {0: 1})
    (start,) = game.starts
    assert (start.player, start.dealer, start.pair, start.best) == ((10, 10), (10,), "T", "stand")
    assert start.probability == 1
    assert start.worth == {"hit": -1, "stand": 0, "double": -2, "split": 0}


@pytest.mark.parametrize("hands", [1, 2, 3, 4, 5])
def test_only_eights(hands: int) -> None:
    """The dealer's sixteen draws an eight and busts, so every hand that stands wins and every pair is split."""
    game = dealt("classic", {"8": 16}, split_hands=hands)
    assert said(game) == (hands, hands, {hands: 1})


def test_only_eights_where_sixteen_ends_the_hand() -> None:
    """The dealer stops on two eights, so everything pushes."""
    game = dealt("double-up", {"8": 16})
    assert said(game) == (0, 1, {0: 1})
    assert start_of(game, (8, 8), (8,)).worth == {"hit": -1, "stand": 0, "double": -2, "double up": 0, "split": 0}


def test_only_tens_with_both_dealers_cards_up() -> None:
    """Ties lose: the dealer's two tens are visible, and no action helps."""
    game = dealt("face-up", {"T": 14})
    assert said(game) == (-1, 1, {-1: 1})
    assert start_of(game, (10, 10), (10, 10)).worth == {"hit": -1, "stand": -1, "split": -2}


def test_only_tens_cashed() -> None:
    """Quick Pay on twenty pays even money on one of two wagers: half a unit. Surrender loses the other wager."""
    game = dealt("quick-pay", {"T": 14})
    assert said(game) == (Fraction(1, 2), 1, {Fraction(1, 2): 1})
    worth = start_of(game, (10, 10), (10,)).worth
    assert (worth["quick pay"], worth["surrender"]) == (Fraction(1, 2), Fraction(-1, 2))
    assert worth["stand"] == 0


def test_only_twos_to_five_cards() -> None:
    """Three hands of five twos win at once."""
    game = dealt("five-card-charlie", {"2": 36})
    assert said(game) == (3, 3, {3: 1})


@pytest.mark.parametrize(("hands", "cards_to_hands"), [(1, 0), (2, 2), (3, 4), (4, 6)])
def test_one_ace(hands: int, cards_to_hands: int) -> None:
    """The player gets the ace with probability 2/12, the dealer with 2/12, and a split pair draws it among eight cards.

    A pair of tens split to n hands draws 2 (n - 1) of them: every ten makes another pair until there are n hands. The
    ace makes one hand 21, which is not a natural, and the others tie the dealer's 20.
    """
    game = dealt("classic", ONE_ACE, split_hands=hands)
    made = Fraction(cards_to_hands, 8)
    pushed = Fraction(8, 12) * (1 - made)
    expected = {
        Fraction(-1): Fraction(2, 12),
        Fraction(0): pushed,
        Fraction(1): Fraction(8, 12) * made,
        Fraction(3, 2): Fraction(2, 12),
    }
    assert game.distribution == {net: probability for net, probability in expected.items() if probability}
    assert game.ev == Fraction(1, 12) + Fraction(8, 12) * made
    assert game.average_stake == Fraction(4, 12) + Fraction(8, 12) * hands
    start = start_of(game, (10, 10), (10,))
    assert start.probability == Fraction(8, 12)
    assert start.worth["hit"] == Fraction(1 - 7, 8)
    assert start.worth["double"] == Fraction(2 - 14, 8)


@pytest.mark.parametrize(("takes", "lost"), [("all", 4), ("original", 1)])
@pytest.mark.parametrize("hole_card", ["no peek", "none"])
def test_one_ace_and_no_check(hole_card: str, takes: str, lost: int) -> None:
    """With a ten up the ace is one of nine cards: the dealer's second card, or one of six that four hands draw.

    The player splits without knowing, and a natural takes four wagers or one. With the ace up no action helps.
    """
    game = dealt("classic", ONE_ACE, hole_card=hole_card, natural_takes=takes)
    start = start_of(game, (10, 10), (10,))
    assert (start.probability, start.best) == (Fraction(9, 12), "split")
    assert start.worth["stand"] == Fraction(-1, 9)
    assert start.worth["split"] == Fraction(6 - lost, 9)
    assert start_of(game, (10, 10), (1,)).best == "stand"
    assert game.ev == Fraction(2, 12) * Fraction(3, 2) - Fraction(1, 12) + Fraction(6 - lost, 12)
    assert game.distribution[Fraction(-lost)] >= Fraction(1, 12)


def test_one_ace_surrendered_early() -> None:
    """Against the ace a natural is certain, so surrender saves half; against a ten its probability is 1/9."""
    game = dealt("classic", ONE_ACE, **{"player.surrender": "early"}, split_hands=1)
    against_ace, against_ten = start_of(game, (10, 10), (1,)), start_of(game, (10, 10), (10,))
    assert (against_ace.best, against_ten.best) == ("surrender", "stand")
    assert (against_ace.probability, against_ten.probability) == (Fraction(1, 12), Fraction(9, 12))
    assert against_ten.worth["stand"] == Fraction(-1, 9)
    assert against_ten.worth["hit"] == Fraction(-1 + 1 * 1 - 7, 9)
    assert against_ten.worth["surrender"] == Fraction(-1, 2)
    assert game.ev == Fraction(3, 12) - Fraction(1, 24) - Fraction(1, 12)


def test_pairs_by_rank() -> None:
    """Six tens and five kings: 50 of 110 two-card hands are pairs, and only these can draw the ace after a split."""
    game = dealt("classic", {"A": 1, "T": 6, "K": 5}, split_by="rank", split_hands=2)
    worth = {start.pair: start.worth for start in game.starts if start.player == (10, 10)}
    assert set(worth) == {"T", "K", ""}
    assert "split" not in worth[""]
    assert worth["T"]["split"] == worth["K"]["split"] == Fraction(2, 8)
    assert game.ev == Fraction(1, 12) + Fraction(8, 12) * Fraction(50, 110) * Fraction(2, 8)


def test_a_double_up_after_a_split_is_chosen_by_the_hand_it_would_be() -> None:
    """Split tens: a 21 with the ace is doubled up against a dealer who cannot have more than 20."""
    game = dealt("double-up", ONE_ACE, split_hands=2)
    start = start_of(game, (10, 10), (10,))
    assert start.worth["split"] == Fraction(2, 8) * 2
    assert game.distribution[Fraction(2)] == Fraction(8, 12) * Fraction(2, 8)
    assert game.average_stake == Fraction(4, 12) + Fraction(8, 12) * (2 + Fraction(2, 8))


# Published


SIX_DECKS = dict.fromkeys("A23456789TJQK", 24)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("player", "upcard", "published"),
    [
        ((6, 10), 10, {"stand": -0.540954439019, "hit": -0.534675562453}),
        ((4, 7), 6, {"double": 0.675853810625}),
    ],
)
def test_published_spots_with_six_decks(player: tuple[int, ...], upcard: int, published: dict[str, float]) -> None:
    """Soft 17 hit, no dealer's natural: twelve digits as published."""
    game = SlowGame(rules("classic"), SIX_DECKS)
    (belief,) = [b for b in game.first_decisions() if game._view(b[0].state) == ("", player, (upcard,))]
    game._best(belief)
    worth = {str(action): value for action, value in game.plan[player, (upcard,)].items()}
    for action, value in published.items():
        assert float(worth[action]) == pytest.approx(value, abs=1e-12)


# Consistency


@pytest.mark.parametrize("sheet", quick(EVERY_SHEET, "face-up"))
def test_the_round_is_the_sum_of_its_starting_hands(sheet: str | Path) -> None:
    """The EV of the played round is that of the best choice of each decision, plus the deals without a decision."""
    game = SlowGame(rules(sheet), SHOES["pairs"])
    found = game.solve()
    assert sum(found.distribution.values()) == 1
    assert sum(net * probability for net, probability in found.distribution.items()) == found.ev
    decided = sum(start.probability * start.worth[start.best] for start in found.starts)
    undecided: list[Seen] = [seen for seen in game._dealt(Seen(game.begun, game.full, 1)) if not seen.state.asked]
    assert decided + Fraction(game._played(tuple(undecided)), game.orders * game.unit) == found.ev
    assert all(start.worth[start.best] == max(start.worth.values()) for start in found.starts)


PLAIN: dict[str, tuple[str, dict[str, Any], dict[str, int]]] = {
    "classic": ("classic", {"split_hands": 2}, TINY),
    "three hands": ("classic", {"split_hands": 3}, {"8": 5, "T": 7}),
    "split aces again": ("classic", {"split_hands": 3, "split_aces": "again"}, {"A": 4, "9": 2, "T": 6}),
    "double-up, nobody looks": ("double-up", {"split_hands": 2, "hole_card": "no peek"}, TINY),
    "quick pay": ("quick-pay", {"split_hands": 2, "soft_17": "stand"}, TINY),
    "face up": ("face-up", {"two_naturals": "push"}, TINY),
    "early surrender": ("classic", {"split_hands": 2, "player.surrender": "early"}, TINY),
    "no hole card": ("classic", {"split_hands": 2, "hole_card": "none", "player.charlie": 3}, TINY),
    "pairs by rank": ("classic", {"split_hands": 2, "split_by": "rank"}, {"A": 1, "8": 2, "T": 4, "K": 4}),
}


@pytest.mark.parametrize("case", quick(PLAIN, "three hands", "no hole card", "face up"))
def test_nothing_remembered_and_every_card_dealt_by_the_engine(case: str) -> None:
    """Plain recursion over the engine gives the same result as the caches and the text of the sheet."""
    sheet, settings, shoe = PLAIN[case]
    game = rules(sheet, settings)
    plain = SlowGame(game, shoe, remember=False, engine_draws=True).solve()
    assert plain == SlowGame(game, shoe).solve()
    assert plain == SlowGame(game, shoe, engine_draws=True).solve()
    assert len(plain.distribution) > 3


@pytest.mark.parametrize(
    ("sheet", "settings"),
    one_in(
        3,
        [
            ("classic", {}),
            ("double-up", {}),
            ("double-up", {"hole_card": "none", "natural_takes": "all"}),
            ("double-up", {"hole_card": "peek under aces"}),
            ("quick-pay", {}),
            ("face-up", {"double_up": "any"}),
        ],
    ),
)
def test_standing_hands_have_the_ev_that_the_engine_pays(sheet: str, settings: dict[str, Any]) -> None:
    """The only EV computed without the engine, that of a split ace with a ten, agrees with the engine."""
    game = SlowGame(rules(sheet, settings), SHOES["pairs"])
    compared = 0
    for belief in game.first_decisions():
        game._best(belief)
    for (player, dealer), worth in game.plan.items():
        if len(player) == 2:
            assert game.stood(player, dealer, {MAIN, SECOND}) == worth["stand"]
            if "double up" in worth:
                assert game.stood(player, dealer, {MAIN, SECOND, DOUBLE_UP}) == worth["double up"]
            compared += 1
    assert compared > 30


# The shoes


@pytest.mark.parametrize("name", SHOES)
def test_small_shoes_are_enough_for_four_hands(name: str) -> None:
    """No round runs out of cards, and a smaller shoe would be noticed."""
    assert is_enough(SHOES[name], 4)
    assert not is_enough({"A": 3, "2": 10, "T": 3}, 4)


def test_a_shoe_that_runs_out_is_refused() -> None:
    """The oracle refuses rounds that cannot be finished."""
    with pytest.raises(AssertionError, match="larger shoe"):
        dealt("classic", {"2": 10})

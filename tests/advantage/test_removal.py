"""Effects of removal are differences of two analyses, and sum to zero where no decision is made."""

from __future__ import annotations

import numpy as np
import pytest

from holecard.advantage.card_classes import card_classes
from holecard.advantage.removal import removal_effects
from holecard.advantage.targets import Target, targets_of
from holecard.composition import full
from holecard.deck import DECK, card
from holecard.errors import Refusal
from holecard.exact.analysis import analyze
from holecard.exact.solved_game import main_ev
from holecard.sheets.read import rules

SIDE_BETS = "side-bets"


def test_the_effect_on_the_main_wager_is_the_difference_of_two_games() -> None:
    """For a small, a neutral and a large card, from six decks and from three."""
    sheet = rules("classic")
    (main,) = targets_of(sheet, ("main",))
    for half, decks in ((False, 6), (True, 3)):
        found = removal_effects(sheet, main, half=half)
        assert found is not None
        for name in ("5s", "8h", "Kc"):
            removed = main_ev(sheet, full(decks).without(name)) - main_ev(sheet, full(decks))
            assert found.effects[card(name)] == pytest.approx(removed, abs=1e-13)


def test_the_effect_on_side_wagers_and_insurance_is_the_difference_of_two_analyses() -> None:
    """Also for a card of which only one suit matters."""
    sheet = rules(SIDE_BETS)
    before, after = (analyze(sheet, full(4).without(cards)) for cards in ("", "Qh"))
    assert before.insurance is not None
    assert after.insurance is not None
    evs = {one.name: float(other.exact - one.exact) for one, other in zip(before.wagers, after.wagers, strict=True)}
    evs["insurance"] = float(after.insurance.overall - before.insurance.overall)
    for target in targets_of(sheet):
        if target.kind != "main":
            found = removal_effects(sheet, target)
            assert found is not None
            assert found.effects[card("Qh")] == pytest.approx(evs[target.name], abs=1e-12)


@pytest.mark.parametrize("game", ["double-up", "match-up", "upcard-luck-21", SIDE_BETS])
def test_effects_on_wagers_without_decisions_sum_to_zero(game: str) -> None:
    """A burned card that nobody has seen changes nothing: so its effects average to zero, whatever the wager is.

    A wager placed after the check is valued given that nobody has a natural, which a missing card changes.
    """
    sheet = rules(game)
    linear = [target for target in targets_of(sheet) if target.is_linear]
    assert linear
    for target in linear:
        for half in (False, True):
            found = removal_effects(sheet, target, half=half)
            assert found is not None
            assert found.mean == pytest.approx(0, abs=1e-12)


def test_a_player_who_knows_the_card_gains_from_it() -> None:
    """The main wager's effects average to more than zero, and more so from half a shoe."""
    sheet = rules("classic", {"shoe.decks": 2})
    (main,) = targets_of(sheet, ("main",))
    whole, half = (removal_effects(sheet, main, half=half) for half in (False, True))
    assert whole is not None
    assert half is not None
    assert 0 < whole.mean < half.mean


def test_half_of_an_odd_deck_exists_where_suits_do_not_matter() -> None:
    """Two cards of each rank are half a deck, but no suit can be halved."""
    sheet = rules(SIDE_BETS, {"shoe.decks": 1})
    (insurance, suits) = targets_of(sheet, ("insurance", "Royal Match"))
    found = removal_effects(sheet, insurance, half=True)
    assert found is not None
    # 8 tens among the 25 cards after the ace; without another ace, among 24.
    assert found.effects[0] == pytest.approx(3 * 8 / 24 - 3 * 8 / 25)
    assert removal_effects(sheet, suits, half=True) is None


def test_cards_with_equal_effects_have_one_name() -> None:
    """All tens together, unless one of them differs; by color, or card by card."""
    effects = np.zeros(52)
    assert [one.name for one in card_classes(effects.tolist())] == list("A23456789T")
    effects[[which for which in DECK if which.rank == 6 and which.is_red]] = 1.0
    effects[card("Qh")] = 1.0
    names = [one.name for one in card_classes(effects.tolist())]
    assert names == [*"A23456", "red 7", "black 7", "8", "9", "T", "J", "Qs", "Qh", "Qd", "Qc", "K"]
    assert sorted(which for one in card_classes(effects.tolist()) for which in one.cards) == list(range(52))


def test_wagers_are_found_in_any_capitals() -> None:
    """An unknown one is refused, with the nearest name."""
    sheet = rules("double-up")
    assert targets_of(sheet, ("bonus 16",)) == (Target("side", "Bonus 16"),)
    with pytest.raises(Refusal, match=r"has no wager 'Bonus 61'.*Bonus 16"):
        targets_of(sheet, ("Bonus 61",))

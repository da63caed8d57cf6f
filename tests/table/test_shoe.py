"""The shoe: cut card, burn, fresh shoes, the shuffling machine."""

from __future__ import annotations

from collections import Counter

import pytest

from holecard.deck import DECK
from holecard.sheets.sections import ShoeRules
from holecard.table.dealing.shoe import Shoe


def shoe(seed: int | None = 1, **words: object) -> Shoe:
    return Shoe(ShoeRules(**words), seed)


def test_a_shoe_deals_every_card_once_per_deck() -> None:
    """Including the burned cards."""
    two = shoe(decks=2, burn=0)
    assert Counter(two.draw(104)) == Counter(list(DECK) * 2)
    assert two.left == 0


def test_no_more_is_drawn_than_there_is() -> None:
    """The last cards are dealt, then none."""
    one = shoe(decks=1, burn=0)
    assert len(one.draw(50)) == 50
    assert len(one.draw(5)) == 2
    assert one.draw(1) == []


@pytest.mark.parametrize("burn", [0, 1, 5])
def test_cards_are_burned_after_each_shuffle(burn: int) -> None:
    """Unseen, and out of play until the next shuffle."""
    one = shoe(decks=1, burn=burn)
    assert one.left == 52 - burn
    one.discard(one.draw(one.left))
    one.shuffle()
    assert one.left == 52 - burn
    assert one.shuffles == 2


def test_the_cut_card_ends_the_shoe_between_rounds() -> None:
    """With 75% before it, the shoe is shuffled once 39 of 52 cards are dealt, not before."""
    one = shoe(decks=1, burn=0, cut_card=75)
    one.discard(one.draw(38))
    assert not one.past_cut_card
    assert one.prepare() is False
    assert one.left == 14
    one.discard(one.draw(1))
    assert one.past_cut_card
    assert one.prepare() is True
    assert one.left == 52


def test_burned_cards_lie_in_front_of_the_cut_card() -> None:
    """They count as dealt."""
    one = shoe(decks=1, burn=1, cut_card=50)
    one.draw(25)
    assert one.past_cut_card


@pytest.mark.parametrize("procedure", ["fresh each round", "continuous shuffler"])
def test_other_procedures_take_every_card_back_and_burn_none(procedure: str) -> None:
    """Each round is dealt from all the cards."""
    one = shoe(decks=1, procedure=procedure, burn=5)
    assert one.left == 52
    one.discard(one.draw(20))
    one.prepare()
    assert one.left == 52


def test_an_empty_shoe_is_restocked_from_the_discards() -> None:
    """Only discards come back; without discards there is nothing to deal."""
    one = shoe(decks=1, burn=0)
    drawn = one.draw(52)
    assert one.restock() is False
    one.discard(drawn[:10])
    assert one.restock() is True
    assert Counter(one.draw(52)) == Counter(drawn[:10])


def test_a_seed_deals_the_same_cards_and_no_seed_does_not() -> None:
    """Practice can be repeated; real play cannot, and has no seed."""
    assert shoe(7, decks=6).draw(100) == shoe(7, decks=6).draw(100)
    assert shoe(7, decks=6).draw(100) != shoe(8, decks=6).draw(100)
    assert shoe(None, decks=6).draw(100) != shoe(None, decks=6).draw(100)
    assert shoe(None).seed is None


def test_every_card_is_equally_likely_to_be_first() -> None:
    """In 26,000 shoes each card is first about 500 times: none deviates by more than five standard deviations (22)."""
    counts = Counter(shoe(seed, decks=1, burn=0).draw(1)[0] for seed in range(26_000))
    assert len(counts) == 52
    assert all(abs(number - 500) < 5 * 22.2 for number in counts.values())

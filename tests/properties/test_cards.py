"""Cards are conserved: no card is dealt more often than the decks allow, and none is lost."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holecard.deck import DECK, Card
from holecard.table.table import Table
from tests.properties.test_records import SMALL_CASES, SMALL_SHEETS
from tests.random_play import play_round, sheets
from tests.selection import examples, one_in

seeds = st.integers(0, 2**32)


@pytest.mark.parametrize("name", one_in(4, sheets()))
@given(seed=seeds)
def test_no_card_is_dealt_more_often_than_the_decks_allow(name: str, seed: int) -> None:
    """Between two shuffles a card is dealt at most once per deck."""
    sheet = sheets()[name]
    table = Table(sheet, seed=seed)
    rng = random.Random(seed)
    fallen: Counter[Card] = Counter()
    for _ in range(8):
        shuffles = table.shoe.shuffles
        play_round(table, rng)
        record = table.record()
        if table.shoe.shuffles != shuffles or sheet.shoe.procedure != "cut card":
            fallen.clear()
        if not record.reshuffled:
            fallen.update(record.cards)
        assert all(number <= sheet.shoe.decks for number in fallen.values())


@pytest.mark.parametrize(("name", "how"), SMALL_CASES)
@examples(5)
@given(seed=seeds)
def test_a_mid_round_reshuffle_brings_back_only_settled_cards(name: str, how: str, seed: int) -> None:
    """After a reshuffle, the cards still on the table and those dealt since are no more than one deck."""
    table = Table(SMALL_SHEETS[name, how], seed=seed)
    rng = random.Random(seed)
    for _ in range(2):
        play_round(table, rng, seats=7)
        record = table.record()
        if record.reshuffled:
            first = record.cards[: record.reshuffled[0]]
            assert max(Counter(first).values()) == 1
        everywhere = Counter([*table.shoe._stock, *table.shoe._discards, *table._dealt.out])
        assert everywhere == Counter(DECK)
        lying = Counter(table.state.dealer)
        since = Counter(record.cards[record.reshuffled[-1] :] if record.reshuffled else record.cards)
        assert max((lying | since).values()) == 1


@pytest.mark.parametrize("decks", [1, 2, 6, 8])
@pytest.mark.parametrize("procedure", ["cut card", "fresh each round", "continuous shuffler"])
def test_a_shoe_never_loses_or_gains_a_card(decks: int, procedure: str) -> None:
    """Stock, discards and the cards on the table are the same decks after any number of rounds."""
    table = Table(sheets()["classic"], seed=5, settings={"decks": decks, "procedure": procedure})
    rng = random.Random(decks)
    for _ in range(30):
        play_round(table, rng)
        everywhere = Counter([*table.shoe._stock, *table.shoe._discards, *table._dealt.out])
        assert everywhere == Counter(list(DECK) * decks)

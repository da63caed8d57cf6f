"""Small shoes that make rare events frequent: repeated pairs, soft hands, naturals, long hands, tens of all ranks."""

from __future__ import annotations

from collections.abc import Mapping

from tests.oracle import points

Shoe = Mapping[str, int]

SHOES: dict[str, Shoe] = {
    # Sevens and eights: pairs split to the limit, and stiff hands against stiff hands.
    "pairs": {"A": 3, "7": 4, "8": 4, "T": 8},
    # Aces with 4, 6 and 9: soft hands of every length, soft 17s for the dealer.
    "soft": {"A": 5, "4": 4, "6": 4, "9": 4, "T": 7},
    # Threes and fives: hands of five cards and more, doubles on 8 to 11.
    "long": {"A": 2, "3": 6, "5": 5, "T": 10},
    # Five aces and ten tens: naturals on both sides, aces split again.
    "naturals": {"A": 5, "6": 3, "9": 3, "T": 10},
    # A larger shoe of the same kind, where sums of probabilities that should be 0 are not quite 0 in floating point.
    "rich": {"A": 6, "6": 4, "9": 4, "T": 10},
    # Dealer hands that end on 16, hard and soft.
    "sixteens": {"A": 3, "5": 4, "6": 5, "8": 4, "T": 6},
    # Few ranks and many cards, for rounds of eight hands.
    "many": {"A": 2, "7": 8, "T": 22},
    "aces": {"A": 8, "9": 3, "T": 24},
    # Three ranks of ten, for pairs by rank.
    "courts": {"A": 3, "5": 4, "8": 3, "T": 5, "K": 4, "Q": 3},
}


def is_enough(shoe: Shoe, hands: int) -> bool:
    """Whether a round with this number of hands can never run out of these cards.

    A hand draws only with 20 points or less, the dealer only with 16 or less, and the last card drawn ends it. So the
    longest round uses the smallest cards that add up to 20 per hand and 16 for the dealer, plus one card for each of
    them.
    """
    smallest = sorted(points(rank) for rank, count in shoe.items() for _ in range(count))
    counted = cards = 0
    for pips in smallest:
        counted += pips
        cards += counted <= 20 * hands + 16
    return sum(shoe.values()) >= cards + hands + 1

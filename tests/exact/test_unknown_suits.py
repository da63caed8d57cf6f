"""Wagers that depend on suits, when some cards were seen without their suits."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

import holecard
from holecard.composition import Composition, composition, full
from holecard.exact.wagers.wager_values import skipped_wagers, wager_results

SIDE_BETS = Path(holecard.__file__).parent / "catalog" / "examples" / "side-bets.toml"
SUITS = "shdc"


def averaged(shoe: Composition, seen: str) -> list[tuple[Fraction, Composition]]:
    """Every assignment of suits with its probability: each card is any remaining card of its rank."""
    found = [(Fraction(1), shoe)]
    for rank in seen.split():
        longer = []
        for probability, left in found:
            assert left.suited is not None
            at = 4 * "A23456789TJQK".index(rank)
            of_rank = left.suited[at : at + 4]
            for suit, count in zip(SUITS, of_rank, strict=True):
                if count:
                    longer.append((probability * Fraction(count, sum(of_rank)), left.without(rank + suit)))
        found = longer
    return found


@pytest.mark.parametrize(("game", "seen"), [("match-up", "A A K"), (str(SIDE_BETS), "T Q"), ("upcard-luck-21", "7 A")])
def test_ranks_alone_are_averaged_over_their_suits(game: str, seen: str) -> None:
    """The same EV, as an exact fraction, as the average over all possible suits."""
    sheet = holecard.rules(game, decks=1)
    shoe = full(1)
    found = wager_results(sheet.tables, shoe.without(seen))
    cases = [(p, wager_results(sheet.tables, left)) for p, left in averaged(shoe, seen)]
    assert [one.name for one in found] == [one.name for one in cases[0][1]]
    assert skipped_wagers(sheet.tables, shoe.without(seen)) == ()
    for number, one in enumerate(found):
        assert one.exact == sum(p * results[number].exact for p, results in cases), one.name
        for line, same in enumerate(one.lines):
            wanted = sum(p * results[number].lines[line].probability for p, results in cases)
            assert same.probability == wanted == Fraction(same.combinations, one.combinations), (one.name, same.line)


def test_known_suits_among_unknown_ones() -> None:
    """A card seen with its suit is certainly removed, in any order of the list."""
    shoe = full(1)
    assert shoe.without("A Ks") == shoe.without("Ks A") == shoe.without("A").without("Ks")
    sheet = holecard.rules("match-up", decks=1)
    mixed = wager_results(sheet.tables, shoe.without("A Ks"))
    for number, one in enumerate(mixed):
        cases = [(p, wager_results(sheet.tables, left.without("Ks"))) for p, left in averaged(shoe, "A")]
        assert one.exact == sum(p * results[number].exact for p, results in cases)


def test_counts_of_ranks_alone_say_nothing_of_suits() -> None:
    """A shoe given by ranks has no suits to average over."""
    counts = " ".join(f"{rank}:4" for rank in "A23456789TJQK")
    sheet = holecard.rules("match-up")
    assert [why for _, why in skipped_wagers(sheet.tables, composition(counts))]

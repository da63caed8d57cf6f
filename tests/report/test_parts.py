"""The parts of results, rule sheets, tables and views print one short line each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from fractions import Fraction

import pytest

import holecard
from holecard.advantage.index_plays.index_search import IndexPlays, RankedPlay
from holecard.composition import full
from holecard.counts import CountPlayer, IndexPlay, Ramp, count_of
from tests.report.results import made
from tests.selection import quick

#: Text for people, chart layouts and sampled paths may be long.
LONGEST = 160


def parts(result: object) -> Iterator[object]:
    """Yield the values of a result's fields, and the first of each list of them."""
    for field in fields(result) if is_dataclass(result) else ():
        value = getattr(result, field.name)
        first = value[0] if isinstance(value, tuple) and value else value
        if type(first).__module__.startswith("holecard."):
            yield first


@pytest.mark.parametrize(
    "kind",
    quick(
        [
            "analysis",
            "comparison",
            "simulation",
            "luck-adjusted",
            "sweep",
            "verification",
            "house odds",
            "counting",
            "counting by decks and seats",
            "a counter's simulation",
        ],
        *("analysis", "simulation", "sweep"),
    ),
)
def test_a_part_prints_one_short_line(kind: str) -> None:
    """Also the parts of a part."""
    found = list(parts(made(kind)))
    found += [inner for part in found for inner in parts(part)]
    lines = [repr(part) for part in found]
    assert len(lines) > 2
    assert [line for line in lines if len(line) > LONGEST or "\n" in line or " object at " in line] == []


def test_a_count_and_a_counter_print_one_short_line() -> None:
    """With what they bet and play by."""
    hi_lo = count_of("hi-lo")
    assert repr(hi_lo) == "Count(hi-lo, a true count, tags -1 1 1 1 1 1 0 0 0 -1 -1 -1 -1, ace first)"
    player = CountPlayer(hi_lo, Ramp((2,), (Fraction(1), Fraction(8))), (IndexPlay("16", "T", "stand", 0),))
    assert repr(player) == "CountPlayer(hi-lo: bets 1 to 8, 1 play)"
    assert repr(CountPlayer(hi_lo)) == "CountPlayer(hi-lo: bets 1, 0 plays)"


def test_index_plays_print_the_best_one() -> None:
    """Every play and every gain in them is short, too."""
    play = RankedPlay(IndexPlay("16", "T", "stand", 0), "H", 0.1, 0.0123, 0.0456)
    plays = IndexPlays(count_of("hi-lo"), holecard.strategy("classic").chart, 6, 75, 117.0, 8, 1, (play,))
    assert repr(play) == "RankedPlay(16 v T: stand at 0, gain 0.0123 per 100 rounds)"
    assert repr(plays) == "IndexPlays(hi-lo, cut card at 75%, 1 play, the best 16 v T: stand at 0)"


def test_a_part_names_its_most_important_number() -> None:
    """As exact as the result states it."""
    analysis = made("analysis")
    assert isinstance(analysis, holecard.Analysis)
    assert repr(analysis.main) == "MainGame(house edge 0.6154% ± 4e-13 of Bet)"
    wager = analysis.wagers[0]
    assert repr(wager) == f"WagerResult({wager.name}: house edge {100 * wager.house_edge:.4f}% per unit staked)"
    hand = next(hand for hand in analysis.hands if hand.spot == "T,6 v T")
    assert repr(hand).startswith(f"StartingHand(T,6 v T: {hand.best.action} -0.5")


def test_a_shoe_prints_its_counts() -> None:
    """By rank, as they can be given."""
    assert repr(full(1)) == "Composition(52 cards: A:4 2:4 3:4 4:4 5:4 6:4 7:4 8:4 9:4 T:4 J:4 Q:4 K:4)"


def test_a_sheet_prints_as_its_rules() -> None:
    """Its `repr` names the game and the settings that changed it."""
    rules = holecard.rules("classic", decks=8)
    assert repr(rules) == "RuleSheet(classic: Classic Blackjack, shoe.decks = 8)"
    assert repr(rules.tables) == "Tables(classic: Classic Blackjack, shoe.decks = 8)"
    assert str(rules) == str(holecard.describe(rules))
    assert repr(holecard.rules("classic", DAS=False)).endswith("player.double_after_split = false)")


def test_a_table_and_a_view_print_what_is_on_the_table() -> None:
    """The hole card stays hidden."""
    table = holecard.Table("classic", seed=10)
    assert repr(table) == str(table) == "Table(Classic Blackjack: betting | no cards yet | no bets)"
    table.bet("$10")
    table.deal()
    up, hole = table.state.dealer
    assert f"acting | dealer {up} ?? | seat 1: " in repr(table)
    assert f"View(seat 1, acting | dealer {up} ?? | seat 1: " in repr(table.view())
    assert repr(table.view()).endswith(f"| {', '.join(choice.action for choice in table.legal())}?)")
    assert str(hole) not in repr(table) + repr(table.view())


def test_varied_settings_are_typed_in_rows() -> None:
    """A data frame sorts and plots them as numbers."""
    assert [row["decks"] for row in made("comparison").to_rows()] == [2, 6]
    assert [row["decks"] for row in made("sweep").to_rows()] == [6, 8, 6, 8]


def test_money_in_rows_is_in_dollars() -> None:
    """And the column says so."""
    first = made("bankroll").to_rows()[0]
    assert first["50% in dollars"] == 300.0
    assert [row["stake in dollars"] for row in made("replay").to_rows()] == [10.0, 5.0]


def test_one_of_a_kind_is_singular() -> None:
    """And a grid without settings names none."""
    same = holecard.compare("classic", {}, strategy="never bust")
    assert repr(same) == "RuleComparison(classic, 1 game: house edge 5.9568%)"
    one = holecard.verify("classic", "never bust", 1, replay=0)
    assert repr(one) == "Verification(classic, 1 round: nothing judged)"


def test_house_odds_take_one_number_of_decks() -> None:
    """As well as a list of them."""
    assert holecard.house_odds("quick-pay", 6) == made("house odds")


def test_a_short_typo_is_not_explained_by_an_unrelated_abbreviation() -> None:
    """Three letters, two of which occur somewhere in a word, are not a typo of that word."""
    with pytest.raises(holecard.SheetError) as refused:
        holecard.rules("classic", foo=1)
    assert "did you mean" not in str(refused.value)
    with pytest.raises(holecard.SheetError, match="did you mean 'DAS'"):
        holecard.rules("classic", dsa=True)

"""Pay lines that can never pay are found, with the reason; a line that some deal pays is not reported."""

from __future__ import annotations

import random
import time
from pathlib import Path

import pytest

from holecard.sheets.catalog import games
from holecard.sheets.checks.dead_lines import unreachable_lines, upcards_without_lines
from holecard.sheets.read import read_sheet, rules
from holecard.sheets.schema import RuleSheet
from holecard.wagers.dealer_hands import Finished
from holecard.wagers.sample_deals import card_sets, endings, recolored, values_left
from tests import oracle
from tests.selection import quick_where


def table(*lines: str, words: str = "", decks: int = 6, dealer: str = "") -> RuleSheet:
    """A classic table with one wager; a line is "hand", "hand | dealer's hand" or "| dealer's hand"."""
    parts = [line.partition("|") for line in lines]
    pay = ", ".join(
        "{ "
        + (f'hand = "{hand.strip()}", ' if hand.strip() else "")
        + (f'dealer = "{ends.strip()}", ' if ends else "")
        + 'pays = "1 to 1" }'
        for hand, _, ends in parts
    )
    return read_sheet(
        f'name = "T"\nextends = "classic"\n[shoe]\ndecks = {decks}\n[dealer]\n{dealer}\n'
        f'[[wager]]\nname = "W"\n{words}\nlines = [{pay}]'
    )


def found(sheet: RuleSheet) -> dict[str, str]:
    """The position in the wager and the reason of every finding."""
    problems = unreachable_lines(sheet)
    return {p.where.removeprefix("wager.W."): p.what.partition(", can never ")[2] for p in problems}


UPCARD = 'on = "two cards and upcard"'
FOUR = 'on = "all four cards"'
AFTER_CHECK = 'placed = "after the check"'


# Shipped sheets


@pytest.mark.parametrize(
    "game", quick_where(games(examples=True), lambda game: game not in ("quick-pay", "upcard-luck-21"))
)
def test_every_line_that_ships_can_pay(game: str | Path) -> None:
    """Every line of every sheet can pay, with every deck count the sheet offers."""
    sheet = rules(game)
    for decks in {sheet.shoe.decks, *sheet.shoe.decks_offered}:
        assert unreachable_lines(rules(game, decks=decks)) == []


@pytest.mark.clock
@pytest.mark.parametrize("game", games(examples=True))
def test_the_check_of_the_lines_takes_less_than_three_seconds(game: str | Path) -> None:
    sheet = rules(game)
    for decks in {sheet.shoe.decks, *sheet.shoe.decks_offered}:
        begin = time.process_time()
        unreachable_lines(rules(game, decks=decks))
        assert time.process_time() - begin < 3


def test_two_suited_matches_take_three_decks() -> None:
    """With two decks, the top line of a printed bonus is reported, and no other."""
    lost = [problem.where for problem in unreachable_lines(rules("match-up", decks=2))]
    assert lost == ["wager.Match Up.lines.0"]


# The cards


def test_a_hand_no_cards_make() -> None:
    """A pair never counts 5, and a straight has no pair."""
    assert found(table("pair hard 5", "20")) == {"lines.0": "pay: no two cards make it"}
    assert found(table("straight pair", "flush", words=UPCARD)) == {"lines.0": "pay: no three cards make it"}


@pytest.mark.parametrize(("decks", "missing"), [(1, True), (2, True), (3, False)])
def test_suited_trips_take_three_decks(decks: int, missing: bool) -> None:
    """No card is dealt more often than there are decks."""
    has = "1 deck has" if decks == 1 else f"{decks} decks have"
    reason = {"lines.0": f"pay: it needs more copies of one card than {has}"} if missing else {}
    assert found(table("suited trips", "trips", words=UPCARD, decks=decks)) == reason


def test_a_named_card_twice_takes_two_decks() -> None:
    """One deck cannot deal two aces of spades."""
    assert list(found(table("As As", decks=1))) == ["lines.0"]
    assert found(table("As As", decks=2)) == {}


# The upcard


def test_a_hand_that_needs_another_upcard() -> None:
    """Three aces are impossible with a 2 to 7 up."""
    sheet = table("A and A and A", "trips", words=f'{UPCARD}\nupcard = "2-7"')
    assert found(sheet) == {"lines.0": "pay: it never matches with 2 to 7 up"}


def test_odds_for_an_upcard_that_cannot_win() -> None:
    """One cell of a line with odds by upcard, not the whole line."""
    sheet = read_sheet(
        'name = "T"\nextends = "classic"\n[[wager]]\nname = "W"\nupcard = "2-7"\n'
        'lines = [{ dealer = "18", pays = { 2-6 = "6 to 1", 7 = "3 to 1", A = "3 to 1" } }]'
    )
    (problem,) = unreachable_lines(sheet)
    assert problem.where == "wager.W.lines.0"
    assert problem.what.endswith("can never pay with A up: the wager wins only with 2 to 7 up")


def test_odds_given_twice_for_an_upcard() -> None:
    """The first odds count."""
    sheet = read_sheet(
        'name = "T"\nextends = "classic"\n[[wager]]\nname = "W"\n'
        'lines = [{ dealer = "18", pays = { 2-6 = "6 to 1" } },'
        ' { name = "also", dealer = "18", pays = { 6-8 = "3 to 1" } }]'
    )
    (problem,) = unreachable_lines(sheet)
    assert problem.where == "wager.W.lines.1"
    assert "with 6 up: an earlier line always applies first: 'dealer 18'" in problem.what


# The dealer's hand


def test_totals_the_dealer_never_ends_on() -> None:
    """The dealer does not stop on 16 unless the sheet says so, and 16 and a ten are 26, the maximum."""
    never = "pay: the dealer's hand never ends like this"
    assert found(table("| 16", "| 26", "| 15")) == {"lines.0": never, "lines.2": never}
    assert found(table("| 16 in 2 cards", dealer="ends_on = [16]")) == {}
    assert found(table("| 12 in 3 cards", "| 12 in 2 cards", dealer="ends_on = [12]")) == {}


def test_a_two_card_17_depends_on_the_upcard_and_on_soft_17() -> None:
    """With 2 to 6 up it needs a six and an ace, on which the dealer must stand."""
    line, words = "| 17 in 2 cards", 'upcard = "2-6"'
    assert list(found(table(line, words=words, dealer='soft_17 = "hit"'))) == ["lines.0"]
    assert found(table(line, words=words, dealer='soft_17 = "stand"')) == {}


def test_a_dealer_who_hits_every_soft_total_still_has_naturals() -> None:
    """An ace and a ten end the hand; an ace and a nine do not, so a two-card 20 needs two tens."""
    dealer, words = 'soft = "hit all"', 'upcard = "A"'
    assert list(found(table("| 20 in 2 cards", "| natural", "| 21 in 4 cards", words=words, dealer=dealer))) == [
        "lines.0"
    ]


def test_a_dealer_who_draws_16_to_a_hard_17_stands_on_two_cards() -> None:
    """With an ace up, a two-card 17 to 20 is soft and stands; a three-card 20 must be hard, and 8-A-A is not."""
    dealer, words = 'soft = "draw 16 to hard 17"', 'upcard = "A"'
    lines = ["| 17 in 2 cards", "| 20 in 2 cards", "| 20 in 3 cards", "| 20 in 4 cards"]
    assert list(found(table(*lines, words=words, dealer=dealer))) == ["lines.2"]


def test_a_dealer_who_draws_soft_17_to_a_hard_17_stands_on_other_soft_totals() -> None:
    """With an ace up, a soft 17 is never final, a soft 18 of two or three cards is."""
    dealer, words = 'soft = "draw soft 17 to hard 17"', 'upcard = "A"'
    lines = ["| 17 in 2 cards", "| 18 in 2 cards", "| 18 in 3 cards", "| 17 in 3 cards"]
    assert list(found(table(*lines, words=words, dealer=dealer))) == ["lines.0"]


def test_the_longest_bust_of_one_deck() -> None:
    """2-2-2-2-3-A-A-A-A is a hard 15 in nine cards, and the tenth card busts it; no bust is longer."""
    assert found(table("| busts in 10 cards", decks=1)) == {}
    assert list(found(table("| busts in 11+ cards", decks=1))) == ["lines.0"]
    assert found(table("| busts in 11+ cards", decks=2)) == {}


def test_cards_the_player_holds_are_not_drawn_by_the_dealer() -> None:
    """That bust needs all four aces of a deck, so no player can have two of them."""
    never = "pay: the dealer's hand never ends like this"
    assert found(table("pair of aces | busts in 10 cards", decks=1)) == {"lines.0": never}
    assert found(table("pair of aces | busts in 10 cards", decks=2)) == {}


def test_a_hole_card_that_is_looked_at_counts() -> None:
    """Four kings in the first four cards leave the dealer on 20."""
    never = "pay: the dealer's hand never ends like this"
    assert found(table("K and K and K and K | 19", "four of a kind | 20", words=FOUR)) == {"lines.0": never}


# After the check


def test_naturals_are_out_after_the_check() -> None:
    """A natural is settled before the wager can be placed."""
    assert found(table("natural | 18", "20 | 18", "| natural", words=AFTER_CHECK)) == {
        "lines.0": "pay: a player with a natural cannot place this wager",
        "lines.2": "pay: the dealer has checked for a natural by then and does not have one",
    }


@pytest.mark.parametrize("upcard", ["T", "A"])
def test_a_dealer_has_no_natural_after_the_check(upcard: str) -> None:
    """A wager on the natural after the check can never win."""
    assert found(table("| natural", words=f'{AFTER_CHECK}\nupcard = "{upcard}"'))


# Earlier lines


def test_a_line_below_a_wider_one() -> None:
    """The first matching line pays, so the narrower line must come first."""
    assert found(table("pair", "suited pair")) == {"lines.1": "pay: an earlier line always applies first: 'pair'"}
    assert found(table("suited pair", "pair")) == {}


def test_a_line_below_several_that_cover_it() -> None:
    """Suited and unsuited cover everything; busts are covered by their numbers of cards."""
    assert list(found(table("suited", "unsuited", "pair"))) == ["lines.2"]
    assert list(found(table("| 17-21", "| 22-26", "| natural", "20"))) == ["lines.2", "lines.3"]
    assert list(found(table("| busts in 3 cards", "| busts in 4+ cards", "| busts"))) == ["lines.2"]


def test_a_line_covered_for_some_dealers_hands_only() -> None:
    """A 20 that pays more with a dealer's natural still pays without it."""
    assert found(table("20 | natural", "20")) == {}
    assert list(found(table("20 | natural", "20 | no natural", "suited 20"))) == ["lines.2"]


def test_named_cards_above_a_suited_hand() -> None:
    """Four named hands leave no suited ace and king; three leave one suit."""
    named = ["As Ks", "Ah Kh", "Ad Kd", "Ac Kc"]
    assert list(found(table(*named, "suited A and K"))) == ["lines.4"]
    assert found(table(*named[:3], "suited A and K")) == {}
    assert list(found(table("suited A and K", "As Ks"))) == ["lines.1"]


def test_matches_depend_on_who_holds_the_card() -> None:
    """A suited match leaves at most one unsuited match."""
    above = ["1 suited match and 1 unsuited match", "2 suited matches", "1 suited match"]
    assert found(table(*above, words=UPCARD)) == {}
    assert list(found(table("2 suited matches and 1 unsuited match", words=UPCARD))) == ["lines.0"]


# Alternative tables, and tax


def test_tables_by_decks_are_tried_with_their_own_decks() -> None:
    """The same line can never pay in the one-deck table only."""
    sheet = read_sheet(
        'name = "T"\nextends = "classic"\n[[wager]]\nname = "W"\ntable = "by decks"\n[wager.tables]\n'
        '1 = [{ hand = "suited pair", pays = "9 to 1" }]\n6 = [{ hand = "suited pair", pays = "9 to 1" }]'
    )
    assert list(found(sheet)) == ["tables.1.0"]


def test_tables_not_chosen_are_tried_too() -> None:
    """A house may choose the other table later."""
    sheet = read_sheet(
        'name = "T"\nextends = "classic"\n[[wager]]\nname = "W"\ntable = "A"\n[wager.tables]\n'
        'A = [{ hand = "pair", pays = "9 to 1" }]\nB = [{ hand = "pair total 7", pays = "9 to 1" }]'
    )
    assert list(found(sheet)) == ["tables.B.0"]


def test_tax_that_is_never_due() -> None:
    """A tax schedule is also read from the top."""
    sheet = read_sheet(
        'name = "T"\nextends = "classic"\n[[wager]]\nname = "W"\nstake = "token"\n'
        'tax = [{ hand = "20", tax = "$2" }, { hand = "suited 20", tax = "$5" }]\n'
        'lines = [{ hand = "natural", pays = "$40" }]'
    )
    assert found(sheet) == {"tax.1": "be due: an earlier line always applies first: '20'"}


def test_a_warning_names_the_line() -> None:
    """The message has the text of the line, its position and the reason."""
    (problem,) = unreachable_lines(table("pair", "suited pair"))
    assert str(problem) == (
        "wager.W.lines.1: this line, 'suited pair', can never pay: an earlier line always applies first: 'pair'"
    )


# The deals


@pytest.mark.parametrize("looks_at", [2, 3])
def test_one_deal_stands_for_all_that_differ_in_suits(looks_at: int) -> None:
    """With suits permuted, the few card sets become all card sets."""
    every = {tuple(sorted(cards)) for few in card_sets(looks_at, in_order=False) for cards in recolored(few)}
    # Multisets of 52 cards: 52 * 53 / 2 and 52 * 53 * 54 / 6.
    assert len(every) == {2: 1378, 3: 24804}[looks_at]


def test_deals_in_order_know_the_upcard() -> None:
    """Two unordered cards and any upcard: 1378 * 52."""
    every = {(*sorted(c[:2]), c[2]) for few in card_sets(3, in_order=True) for c in recolored(few)}
    assert len(every) == 1378 * 52


def test_endings_from_a_tiny_shoe() -> None:
    """Ten up with an ace, a five and a six left: a natural, or 15 and 16, which draw."""
    stands = rules("classic", {"soft_17": "stand"}).tables.dealer_draws
    left = (1, 0, 0, 0, 1, 1, 0, 0, 0, 0)
    assert endings(stands, (10,), left) == {
        Finished(21, 2, True),  # T A
        Finished(21, 3, False),  # T 5 6
        Finished(17, 3, False),  # T 6 A
        Finished(22, 4, False),  # T 5 A, which is 16, and the 6
    }


@pytest.mark.parametrize("soft", ["stand on 18", "hit all", "draw 16 to hard 17", "draw soft 17 to hard 17"])
def test_endings_by_plain_recursion(soft: str) -> None:
    """Every order of the cards of small shoes, of which some end otherwise than others."""
    sheet, ranks = rules("classic", {"dealer.soft": soft}), "A23456789T"

    def plain(hand: list[str], left: str) -> set[Finished]:
        if len(hand) > 1 and not oracle.draws(sheet, hand):
            return {Finished(oracle.total(hand), len(hand), oracle.is_natural(hand))}
        return {end for rank in set(left) for end in plain([*hand, rank], left.replace(rank, "", 1))}

    for seed in range(40):
        upcard, *left = random.Random(seed).choices("AAA24569T", k=7)
        counts = tuple(left.count(rank) for rank in ranks)
        found = endings(sheet.tables.dealer_draws, (ranks.index(upcard) + 1,), counts)
        assert found == plain([upcard], "".join(left)), (upcard, left)


def test_cards_left_are_counted_by_value() -> None:
    """One deck without an ace, a ten and a king; counts are capped at what a dealer can use."""
    assert values_left(1, (1, 10, 10)) == (3, 4, 4, 4, 4, 3, 3, 3, 2, 2)


def test_a_line_by_upcard_is_one_problem() -> None:
    """Whatever upcards it never pays with, and for whatever reasons."""
    odds = ", ".join(f'{upcard} = "9 to 1"' for upcard in "23456789TA")
    lines = f'[{{ dealer = "16", pays = {{ {odds} }} }}, {{ dealer = "18 in 2 cards", pays = {{ {odds} }} }}]'
    problems = unreachable_lines(
        read_sheet(f'name = "S"\nextends = "classic"\n[[wager]]\nname = "W"\nlines = {lines}\n')
    )
    assert [problem.where for problem in problems] == ["wager.W.lines.0", "wager.W.lines.1"]
    assert problems[0].what.endswith("can never pay: the dealer's hand never ends like this")
    assert problems[1].what.endswith("can never pay with 2 to 6 up: the dealer's hand never ends like this")


@pytest.mark.parametrize(
    ("words", "then"),
    [
        ('placed = "after the check"', "A, 7, 8, 9, T up, so that the wager is not offered"),
        ("", "A, 7, 8, 9, T up, so that the wager always loses"),
        ('upcard = "2-7"', "7 up, so that the wager always loses"),
        ('upcard = "2-6"', ""),
    ],
)
def test_upcards_that_a_pay_table_leaves_out_are_named(words: str, then: str) -> None:
    """A table by upcard without an odd for each of the wager's upcards."""
    text = f'{words}\nlines = [{{ dealer = "busts", pays = {{ "2-5" = "1 to 1", 6 = "2 to 1" }} }}]'
    problems = upcards_without_lines(read_sheet(f'name = "S"\nextends = "classic"\n[[wager]]\nname = "W"\n{text}\n'))
    assert [problem.what for problem in problems] == ([f"no line pays with {then} with these upcards"] if then else [])

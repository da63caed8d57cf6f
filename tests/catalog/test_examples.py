"""The example games are sheets only: each one loads, and its special rules show in the payouts.

Cards are dealt in the order player, upcard, player, hole card, then as drawn. The wager is $10 and a side wager $5
unless a test says otherwise.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import holecard
from holecard.sheets.catalog import games
from holecard.sheets.read import rules
from holecard.sheets.schema import RuleSheet
from holecard.table.state import State
from holecard.table.views import view
from tests.scripted_rounds import can, nets, play_cards, refused

SHEETS = {name: rules(name) for name in games(examples=True) if name not in games()}
README = Path(holecard.__file__).parent / "catalog" / "examples" / "README.md"


def round_of(name: str, cards: str, *play: str, **wishes: object) -> list[tuple[str, float]]:
    """The net result of each wager in a round with these cards and moves."""
    state = play_cards(SHEETS[name], cards, play, **wishes)  # type: ignore[arg-type]
    assert state.phase == "done"
    return nets(state)


def after(name: str, cards: str, *play: str, **wishes: object) -> State:
    """The state after these cards and moves."""
    return play_cards(SHEETS[name], cards, play, **wishes)  # type: ignore[arg-type]


def side(wager: str, cards: str, *play: str) -> float:
    """The net result of $5 on a wager of the side-bet table."""
    return dict(nets(after("side-bets", cards, *play, bets=f"$10, {wager} $5")))[wager]


# All of them

FEATURES: dict[str, Callable[[RuleSheet], bool]] = {
    "late surrender": lambda s: s.player.surrender == "late",
    "early surrender": lambda s: s.player.surrender == "early",
    "aces split again": lambda s: s.player.split_aces == "again",
    "split aces play on": lambda s: s.player.split_aces_get == "play on",
    "no hole card": lambda s: s.dealer.hole_card == "none",
    "both dealer cards up": lambda s: s.dealer.hole_card == "face up",
    "soft 17 hit": lambda s: s.dealer.soft_17 == "hit",
    "soft 17 stands": lambda s: s.dealer.soft_17 == "stand",
    "a dealer's 22 pushes": lambda s: s.settle.when_dealer_has.get("22") == "push",
    "ties lose": lambda s: s.settle.ties == "lose",
    "a natural pays 3 to 2": lambda s: s.settle.natural == "3 to 2",
    "a natural pays 6 to 5": lambda s: s.settle.natural == "6 to 5",
    "a natural pays 1 to 1": lambda s: s.settle.natural == "1 to 1",
    "double on 9 to 11": lambda s: s.player.double == "hard 9-11",
    "double on 10 and 11": lambda s: s.player.double == "hard 10-11",
    "double any number of cards": lambda s: s.player.double_cards == "any number",
    "no double after a split": lambda s: not s.player.double_after_split,
    "one split": lambda s: s.player.split_hands == 2,
    "two splits": lambda s: s.player.split_hands == 3,
    "three splits": lambda s: s.player.split_hands == 4,
    "pairs by rank": lambda s: s.player.split_by == "rank",
    "a charlie": lambda s: s.player.charlie is not None,
    "a single deck": lambda s: s.shoe.decks == 1,
    "side wagers": lambda s: len(s.wager) > 2,
}


@pytest.mark.parametrize("feature", FEATURES)
def test_every_common_rule_has_an_example(feature: str) -> None:
    """At least one example uses each common house rule."""
    assert any(FEATURES[feature](sheet) for sheet in SHEETS.values())


@pytest.mark.parametrize("name", SHEETS)
def test_an_example_introduces_itself(name: str) -> None:
    """It has a one-sentence summary and a source for its rules, and the README lists it."""
    sheet = SHEETS[name]
    assert sheet.name
    assert sheet.about.endswith(".")
    assert sheet.source
    assert f"]({name}.toml)" in README.read_text(encoding="utf-8")


# Double Exposure


def test_double_exposure_shows_both_dealer_cards() -> None:
    """The player sees the hole card before deciding."""
    assert list(map(str, view(after("double-exposure", "Th Td 8s 6c"), 1).dealer)) == ["Td", "6c"]


def test_double_exposure_ties_lose() -> None:
    """18 against 18 loses."""
    assert round_of("double-exposure", "Th Td 8s 8c", "stand") == [("Bet", -10)]


def test_double_exposure_two_naturals_win() -> None:
    """This is the only tie that the player wins, at even money."""
    assert round_of("double-exposure", "As Ad Kh Kc") == [("Bet", 10)]


def test_double_exposure_natural_pays_even_money() -> None:
    """$10 wins $10, not $15."""
    assert round_of("double-exposure", "As 9d Kh 7c") == [("Bet", 10)]


# Side bets


@pytest.mark.parametrize(
    ("cards", "net"),
    [
        ("5h 7h 6h Tc", 45),  # straight flush
        ("8h 8d 8c Tc", 45),  # three of a kind
        ("2s 4d 3h Tc", 45),  # straight
        ("2s 9s Ks Tc", 45),  # flush
        ("2s 9s Kd Tc", -5),
    ],
)
def test_twenty_one_plus_three(cards: str, net: float) -> None:
    """Every poker hand of the player's two cards and the upcard pays the same 9 to 1."""
    assert side("21+3", cards) == net


@pytest.mark.parametrize(
    ("cards", "net"),
    [
        ("9h 9h 9h Tc", 120),  # 12 + 12
        ("9h 9h 9d Tc", 80),  # 12 + 4
        ("9h 9h 3d Tc", 60),
        ("9s 9h 9d Tc", 40),  # 4 + 4
        ("9s 9h 3d Tc", 20),
        ("Ks Qh 3d Tc", -5),  # equal value, but not a match
    ],
)
def test_match_the_dealer(cards: str, net: float) -> None:
    """Each matching card is paid, and two of them add up."""
    assert side("Match the Dealer", cards) == net


@pytest.mark.parametrize(("cards", "net"), [("Ks 2d Qs Tc", 125), ("Ks 2d 9s Tc", 12.5), ("Ks 2d Qh Tc", -5)])
def test_royal_match(cards: str, net: float) -> None:
    """25 to 1 for king and queen of one suit, 5 to 2 for any other two of one suit."""
    assert side("Royal Match", cards) == net


@pytest.mark.parametrize(
    ("cards", "net"),
    [("8h 2c 8h Tc", 125), ("8h 2c 8d Tc", 60), ("8h 2c 8s Tc", 30), ("Kh 2c Qh Tc", -5)],
)
def test_perfect_pairs(cards: str, net: float) -> None:
    """25, 12 or 6 to 1 by suit and color; a king and a queen are not a pair."""
    assert side("Perfect Pairs", cards) == net


@pytest.mark.parametrize(
    ("cards", "net"),
    [
        ("Ks 2d Ks 5c", 95),  # matched
        ("Ks 2d Qs 5c", 45),  # suited
        ("As 2d 9s 5c", 45),
        ("Ks 2d Th 5c", 20),
        ("As 2d 9h 5c", 20),
        ("Ks 2d 9s 5c", -5),  # suited, but 19
    ],
)
def test_lucky_ladies_is_a_wager_on_twenty(cards: str, net: float) -> None:
    """19, 9 or 4 to 1 for a 20, hard or soft."""
    assert side("Lucky Ladies", cards) == net


def test_lucky_ladies_and_a_dealers_natural() -> None:
    """Two queens of hearts pay 1000 to 1 when the dealer has a natural, and 125 to 1 when not."""
    assert side("Lucky Ladies", "Qh Ad Qh Kc", "no insurance") == 5000
    assert side("Lucky Ladies", "Qh 9d Qh 8c", "stand") == 625


@pytest.mark.parametrize(
    ("drawn", "net"),
    [
        ("Th 6d 9s Tc Kh", 10),  # 6 T K
        ("Th 2d 9s 3c Ks Kh", 10),  # 2 3 K K
        ("Th 2d 9s 3c 4h 5s Kd", 20),  # 14, then the king
        ("Th 2d 9s 2c 3h 4s 4d Kd", 75),  # 15, then the king
        ("Th 2d 9s 2c 2h 3h 3s 3d Kd", 250),  # 15, then the king
        ("Th 2d 9s 2c 2h 2s 2d 2c 2h Kd", 1250),  # seven twos, then the king
        ("Th 6d 9s Tc 5h", -5),  # 21
    ],
)
def test_buster_blackjack(drawn: str, net: float) -> None:
    """The more cards in the dealer's bust, the more it pays."""
    assert side("Buster Blackjack", drawn, "stand") == net


def test_buster_blackjack_with_a_natural() -> None:
    """A natural is paid at once, and the dealer draws out for the wager: seven twos and a king pay 2000 to 1."""
    won = round_of("side-bets", "As 2d Kh 2c 2h 2s 2d 2c 2h Kd", bets="$10, Buster Blackjack $5")
    assert won == [("Bet", 15), ("Buster Blackjack", 10_000)]
    won = round_of("side-bets", "As 2d Kh 2c 2h 3h 3s 3d Kd", bets="$10, Buster Blackjack $5")
    assert won == [("Bet", 15), ("Buster Blackjack", 4000)]


def test_buster_blackjack_outlives_the_players_bust() -> None:
    """The hand loses; the side wager stays open."""
    won = round_of("side-bets", "Th 6d 6s Tc Kh 9d", "hit", bets="$10, Buster Blackjack $5")
    assert won == [("Bet", -10), ("Buster Blackjack", 10)]


# Push 22


def test_a_dealers_22_pushes() -> None:
    """20 and 21 push against 12 and a ten; 23 is still a bust."""
    assert round_of("push-22", "Th 6d Ks 6c Td", "stand") == [("Bet", 0)]
    assert round_of("push-22", "7h 6d 7s 6c 7d Td", "hit") == [("Bet", 0)]
    assert round_of("push-22", "Th 6d Ks 7c Td", "stand") == [("Bet", 10)]


def test_a_natural_does_not_wait_for_22() -> None:
    """It is paid 3 to 2; the dealer draws out for the wager on the 22, which pays 11 to 1."""
    won = round_of("push-22", "As 6d Kh 6c Td", bets="$10, Pushed by 22 $5")
    assert won == [("Bet", 15), ("Pushed by 22", 55)]


def test_push_22_doubles_three_cards_and_pushes_both_wagers() -> None:
    """2-3-5 is doubled; a bust with 25 pays both wagers, a 22 pushes both."""
    play = ("hit", "double")
    assert round_of("push-22", "2h 6d 3s Tc 5d Kh 9s", *play) == [("Bet", 10), ("Double", 10)]
    assert round_of("push-22", "2h 6d 3s Tc 5d Kh 6s", *play) == [("Bet", 0), ("Double", 0)]


# European


def test_european_natural_takes_all() -> None:
    """11 is doubled to 21 against a ten; the dealer then draws an ace and wins both wagers."""
    won = round_of("european", "6h Td 5s Kh As", "double")
    assert won == [("Bet", -10), ("Double", -10)]
    won = round_of("european", "6h Td 5s Kh As", "double", settings={"natural_takes": "original"})
    assert won == [("Bet", -10), ("Double", 0)]


def test_european_natural_waits_for_the_dealers_second_card() -> None:
    """A natural against a ten pushes if the dealer draws an ace, and otherwise wins 3 to 2."""
    assert round_of("european", "As Td Kh Ac") == [("Bet", 0)]
    assert round_of("european", "As Td Kh 7c") == [("Bet", 15)]


def test_european_doubles_on_hard_9_to_11_only() -> None:
    """Neither 8 nor soft 20 may be doubled."""
    assert "double" in can(after("european", "6h Td 3s"))
    assert "double" not in can(after("european", "6h Td 2s"))
    assert "double" not in can(after("european", "Ah 5d 9s"))


def test_european_splits_ranks_once() -> None:
    """Two kings are a pair, king and queen are not; a third king is not split again."""
    assert "split" in can(after("european", "Kh 5d Ks"))
    assert "split" not in can(after("european", "Kh 5d Qs"))
    assert "split" not in can(after("european", "Kh 5d Ks Kd", "split"))


def test_european_dealer_stands_on_soft_17() -> None:
    """18 beats six and ace."""
    assert round_of("european", "Th 6d 8s Ac", "stand") == [("Bet", 10)]


# Last Chance


def test_last_chance_surrenders_after_the_check() -> None:
    """Surrender loses half; against a dealer's natural it is too late."""
    assert round_of("last-chance", "Th 9d 6s Tc", "surrender") == [("Bet", -5)]
    assert round_of("last-chance", "Th Td 6s Ac") == [("Bet", -10)]


def test_last_chance_hits_split_aces() -> None:
    """A-5-4 and A-9 win as 20 against a bust."""
    won = round_of("last-chance", "As 6d Ah Tc 5d 4c 9h Kd", "split", "hit", "stand", "stand")
    assert won == [("Bet", 10), ("Split", 10)]


def test_last_chance_splits_aces_to_four_hands() -> None:
    """An ace on a split ace is split again, until there are four hands."""
    assert "split" in can(after("last-chance", "As 6d Ah Tc Ad", "split"))
    assert "split" in can(after("last-chance", "As 6d Ah Tc Ad Ac", "split", "split"))
    assert "split" not in can(after("last-chance", "As 6d Ah Tc Ad Ac As", "split", "split", "split"))


def test_last_chance_natural_pays_6_to_5() -> None:
    """$10 wins $12."""
    assert round_of("last-chance", "As 9d Kh 7c") == [("Bet", 12)]


# Five-Card Charlie


def test_five_cards_win_at_once() -> None:
    """2-3-4-5-2 is only 16, and beats a dealer's 20 before the hole card is turned; a bust with five cards loses."""
    assert round_of("five-card-charlie", "2h Td 3s Kc 4d 5h 2s", "hit", "hit", "hit") == [("Bet", 10)]
    assert round_of("five-card-charlie", "2h Td 3s Kc 4d 5h Ts", "hit", "hit", "hit") == [("Bet", -10)]


def test_a_doubled_charlie_wins_both_wagers() -> None:
    """2-2-3-4 is 11 and may be doubled; any fifth card that does not bust makes a Charlie."""
    won = round_of("five-card-charlie", "2h 6d 2s Tc 3d 4h 2d", "hit", "hit", "double")
    assert won == [("Bet", 10), ("Double", 10)]


def test_charlie_doubles_on_hard_10_and_11_only() -> None:
    """Not on 9, not on soft 20."""
    assert "double" in can(after("five-card-charlie", "5h 6d 5s Tc"))
    assert "double" not in can(after("five-card-charlie", "5h 6d 4s Tc"))
    assert "double" not in can(after("five-card-charlie", "Ah 6d 9s Tc"))


def test_charlie_splits_to_three_hands() -> None:
    """A third eight makes a third hand; a fourth eight does not make another."""
    assert "split" in can(after("five-card-charlie", "8h 6d 8s Tc 8c", "split"))
    assert "split" not in can(after("five-card-charlie", "8h 6d 8s Tc 8c 8d", "split", "split"))


# The Lone Deck


@pytest.mark.parametrize(
    ("cards", "over", "under"),
    [
        ("9s 2d 5h Tc", 5, -5),  # 14
        ("6s 2d 7h Tc", -5, -5),  # 13 loses both
        ("6s 2d 6h Tc", -5, 5),  # 12
        ("As 9d Th 7c", -5, 5),  # a natural counts 11 here
        ("As 2d Ah Tc", -5, 5),  # two aces count 2
    ],
)
def test_over_and_under_13(cards: str, over: float, under: float) -> None:
    """Aces count 1, and 13 itself loses both wagers."""
    won = dict(nets(after("lone-deck", cards, bets="$10, Over 13 $5, Under 13 $5")))
    assert (won["Over 13"], won["Under 13"]) == (over, under)


def test_lone_deck_has_no_double_after_a_split() -> None:
    """8-3 is 11, but it came from a split."""
    state = after("lone-deck", "8h 6d 8s Tc 3c", "split")
    assert "double" not in can(state)
    assert "splitting" in str(refused(state, "double"))


def test_lone_deck_hides_other_players_cards() -> None:
    """Seat 1 sees its own cards and none of seat 2's."""
    seats = view(after("lone-deck", "8h 5h 6d 9s 4s Tc", bets=["1: $10", "2: $10"]), 1).seats
    assert [None in seat.hands[0].cards for seat in seats] == [False, True]


# Early Bird


def test_early_surrender_comes_before_the_check() -> None:
    """It saves half even from a natural, under a ten and under an ace; a player who declines loses the whole wager."""
    assert round_of("early-bird", "Th Td 6s Ac", "surrender") == [("Bet", -5)]
    assert round_of("early-bird", "Th Ad 6s Kc", "no insurance", "surrender") == [("Bet", -5)]
    assert round_of("early-bird", "Th Td 6s Ac", "no surrender") == [("Bet", -10)]


def test_early_surrender_against_other_upcards() -> None:
    """Where the dealer does not check, it is ordinary surrender."""
    assert round_of("early-bird", "Th 9d 6s Tc", "surrender") == [("Bet", -5)]

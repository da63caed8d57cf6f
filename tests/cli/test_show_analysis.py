"""A hand-made analysis, printed for people and for programs: the position of every number is known."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from holecard.charts.chart import Chart
from holecard.charts.layout import Layout
from holecard.composition import Composition, composition, full
from holecard.exact.results import BEFORE_CHECK, BOTH_UP, CDZ_CONVENTION, IN_LOWEST_TERMS, ActionEV, StartingHand
from holecard.report.dealer_groups import by_dealer, followed
from holecard.report.numbers import bound, exact_decimal, percent, precise_dollars, probability, signed, whole
from holecard.sheets.read import rules
from tests.cli.made_analysis import FORTUNE, HANDS, HEDGE, LUCK, MAIN, F, line, made, printed
from tests.cli.shell import flat

# Figures


@pytest.mark.parametrize(
    ("net", "written"),
    [
        (F(-2), "-2"),
        (F(0), "0"),
        (F(3, 2), "1.5"),
        (F(3, 5), "0.6"),
        (F(-1, 8), "-0.125"),
        (F(-1, 100), "-0.01"),
        (F(5, 2), "2.5"),
        (F(1, 3), "1/3"),
        (F(-7, 6), "-7/6"),
    ],
)
def test_a_net_result_is_an_exact_decimal_or_a_fraction(net: Fraction, written: str) -> None:
    """They are keys of JSON, so they are never rounded."""
    assert exact_decimal(net) == written


def test_figures_never_look_like_something_they_are_not() -> None:
    """No minus zero, no probability rounded to zero, no error bound rounded down, no digits beyond the error."""
    assert percent(-1e-9) == "0.0000%"
    assert signed(-1e-9) == "0.000000"
    assert signed(0.5, 2) == "+0.50"
    assert precise_dollars(-0.25, 2) == "-$0.25"
    assert probability(1e-12) == "1.000e-12"
    assert probability(0) == "0.000000000"
    assert whole(123456789) == "123,456,789"
    assert whole(10**20) == "1.00000e+20"
    assert [bound(x) for x in (1.2e-13, 1e-4, 9.5e-5, 0.0)] == ["2e-13", "1e-4", "1e-4", "0"]


# The text


def test_the_heading_says_what_every_number_is_about() -> None:
    """Game, decks, procedure, strategy, split convention, unit, error."""
    out = flat(printed(made()))
    assert out.startswith("Classic Blackjack shoe 6 decks, 312 cards, a fresh shoe each round")
    assert "composition-dependent optimum" in out
    assert flat(CDZ_CONVENTION) in out
    assert "Per unit of initial stake (the Bet)." in out
    assert "exact to within 2e-13" in out


def test_the_heading_says_which_words_were_set() -> None:
    """The numbers cannot be mistaken for those of another table."""
    out = flat(printed(made(rules=rules("classic", decks=8), shoe=full(8))))
    assert "shoe.decks = 8" in out
    assert "8 decks, 416 cards" in out


@pytest.mark.parametrize(
    ("shoe", "words"),
    [
        (composition("A:2 2:3 T:9"), "14 cards before the round, suits unknown: A:2 2:3 T:9"),
        (full(6).without("As"), "311 cards before the round: A:23 2:24"),
    ],
)
def test_a_shoe_in_mid_deal_is_not_called_fresh(shoe: Composition, words: str) -> None:
    """The cards are listed."""
    out = flat(printed(made(shoe=shoe)))
    assert words in out
    assert "fresh" not in out.partition("Main game")[0]


def test_the_main_game_has_its_distribution() -> None:
    """-0.05 per unit with 1.25 units bet is 4% of the money; three eighths and a sixteenth of the rounds are won."""
    out = flat(printed(made()))
    assert "expected value -0.0500000000000" in out
    assert "house edge 5.000000%" in out
    assert "element of risk 4.000000%" in out
    assert "average stake 1.250000000" in out
    assert "standard deviation 1.25000000 the distribution is exact" in out
    rough = flat(printed(made(main=MAIN.with_net_results(standard_deviation_error=2.5e-5))))
    assert "standard deviation 1.25000000 within 3e-5; the distribution is exact" in rough
    assert "rounds won 43.7500% pushed 6.2500% lost 50.0000%" in out
    assert "1/3 0.062500000 +0.020833333" in out
    assert "Every probability is exact to within 1e-13." in out
    errors = (1e-13, 1e-13, 1e-13, 2.5e-9, 1e-13)
    estimated = flat(printed(made(main=MAIN.with_net_results(probability_errors=errors))))
    assert "0 0.062500000 0.000000000 exact 1/3 0.062500000 +0.020833333 3e-9" in estimated
    assert "all 1.000000000 -0.041666667" in out  # -0.25 - 0.375 + 0.0208… + 0.5625


def test_values_by_upcard_add_up_to_the_game() -> None:
    """0.5 x -0.25 + 0.25 x 0.5 = 0 for tens, 0.125 x -0.125 for the ace, and the rest without a decision."""
    ten, ace, none = by_dealer(made())
    assert (ten.dealer, ten.probability, ten.ev, ten.contribution) == ("T", 0.75, 0.0, 0.0)
    assert (ace.dealer, ace.probability, ace.ev) == ("A", 0.125, -0.125)
    assert none.dealer == "no decision"
    assert none.probability == 0.125
    assert ten.contribution + ace.contribution + none.contribution == pytest.approx(-0.05)


def drawing_to(total: int) -> Chart:
    """A chart that splits every pair, doubles nothing, and draws below a total."""
    layout = Layout.of(rules("classic").tables)
    return Chart.filled(layout, lambda row, _: "P" if row.pair else "H" if row.total < total else "S")


def test_a_charts_values_are_those_of_what_it_does() -> None:
    """Standing on sixteen costs 0.5 in half the rounds, whatever the best play is; the chart does not split tens."""
    chart = drawing_to(16)
    assert [followed(hand, chart).action for hand in HANDS] == ["stand", "split", "stand"]
    assert followed(HANDS[0], drawing_to(17)).action == "hit"
    assert by_dealer(made(chart=chart))[0].contribution == pytest.approx(0.5 * -0.5 + 0.25 * 0.5)
    out = flat(printed(made(chart=chart), hands=True))
    assert "T,6 0.500000 -0.25000 -0.50000* -1.50000 -" in out
    assert "* is what the chart does" in out
    assert made(chart=chart).to_dict(hands=True)["hands"][0]["action"] == "stand"


def test_a_chart_is_asked_for_early_surrender_first() -> None:
    """Before the check only the first letter counts; after it, surrender is no longer offered."""
    choices = (ActionEV("surrender", -0.5), ActionEV("hit", -0.6), ActionEV("stand", -0.7))
    hand = StartingHand((10, 6), (10,), 0.5, BEFORE_CHECK, choices)
    layout = Layout.of(rules("classic", {"player.surrender": "early"}).tables)
    gives_up = Chart.filled(layout, lambda row, _: "-" if row.pair else "RH" if "R" in row.letters else row.letters[0])
    assert followed(hand, gives_up).action == "surrender"
    assert followed(hand, drawing_to(17)).action == "hit"


def test_both_cards_up_are_gathered_by_their_total() -> None:
    """Hard totals first, then soft ones; 9,3 and 8,4 share one line."""
    stand = (ActionEV("stand", 0.5),)
    cards = ((1, 6), (9, 3), (8, 4), (10, 10))
    hands = tuple(StartingHand((10, 7), dealer, 0.25, BOTH_UP, stand) for dealer in cards)
    assert [group.dealer for group in by_dealer(made(hands=hands))] == ["12", "20", "soft 17", "no decision"]
    assert by_dealer(made(hands=hands))[0].probability == 0.5


def test_side_wagers_are_listed_line_by_line() -> None:
    """Line, odds, combinations, probability, return; edge, hit frequency, deviation and the exact fraction."""
    out = flat(printed(made()))
    assert "House edge 4.996290%; hit frequency 12.500000%; standard deviation 2.500000." in out
    assert "Exactly -202/4043." in out
    assert "One combination is a player's two cards; there are 40." in out
    assert "pair of aces 30 to 1 1 0.025000000 +0.750000000" in out
    assert "lost lose 35 0.875000000 -0.875000000" in out
    assert "all 40 1.000000000 +0.075000000" in out


def test_fixed_amounts_are_in_dollars_with_the_tax() -> None:
    """There is no edge in percent without a stake."""
    out = flat(printed(made(wagers=(FORTUNE,))))
    assert "EV -$0.250000 per round for the player" in out
    assert "tax takes combinations probability return" in out
    assert "hard 9-11 tax $5 10 0.250000000 -1.250000000" in out
    assert "standard deviation $3.5000" in out
    assert "The tax takes $1.250000 per round; the wager returns 80.0000% of it." in out  # $40 in 40 rounds
    assert "House edge" not in out.partition("Fortune")[2]


def test_a_house_table_is_marked_and_a_hedge_listed_by_upcard() -> None:
    """A house pay table is never shown as a printed one."""
    out = flat(printed(made(wagers=(HEDGE,))))
    assert "House table, not printed on the sheet. Per unit staked, after the check." in out
    assert "there are 1.00000e+20; --json prints every digit." in out
    out = flat(printed(made(wagers=(replace(HEDGE, counted=IN_LOWEST_TERMS),))))
    sentence = "Combinations are equally likely deals, reduced to lowest terms (1.00000e+20 in all; --json prints every"
    assert f"{sentence} digit)." in out
    assert "2 -0.055555556 -1/18 A -0.047619048 -1/21" in out
    assert "House table" not in flat(printed(made(wagers=(LUCK,))))


def test_a_wager_that_could_not_be_computed_says_why() -> None:
    """Nothing is left out silently."""
    assert "Suits Not computed: the shoe's suits are unknown." in flat(printed(made()))


def test_insurance_says_when_it_is_worth_taking() -> None:
    """With a pair of twos in this made-up shoe."""
    out = flat(printed(made()))
    assert "expected value -0.073955 = -23/311" in out
    assert "profitable sometimes with 2,2" in out
    assert "Insurance" not in flat(printed(made(insurance=None)))


def test_every_starting_hand_has_its_best_action_marked() -> None:
    """Only on request; upcards in chart order, with the ace last."""
    out = printed(made(), hands=True)
    assert "T,6 0.500000 -0.25000* -0.50000 -1.50000 -" in flat(out)
    assert "T,T 0.250000 -0.87500 +0.50000* - -" in flat(out)
    assert "8,8 0.125000 - -0.75000 - -0.12500*" in flat(out)
    assert out.index("Starting hands v T") < out.index("Starting hands v A")
    assert "given that the dealer has no blackjack" in flat(out)
    assert "Starting hands" not in printed(made())


@pytest.mark.parametrize("hands", [False, True])
def test_nothing_is_wider_than_80_columns(hands: bool) -> None:
    """Long line names wrap."""
    long = "one suited match, one unsuited match, and a name that no placard has room for"
    wager = replace(LUCK, lines=(line(long, "3 to 1", 3, 1, 40),))
    out = printed(made(wagers=(wager, FORTUNE, HEDGE)), hands=hands)
    assert max(map(len, out.splitlines())) <= 80
    assert all(word in out for word in long.split())


def test_what_looks_like_markup_is_printed_as_it_is() -> None:
    """A sheet's name may contain any characters."""
    assert "[/red] [bold]" in printed(made(rules=rules("classic", name="[/red] [bold]")))


# What favors the player


def test_advantages_of_the_player_come_first() -> None:
    """The main wager, insurance with some hands, a side wager, and one of its upcards."""
    gift = replace(HEDGE, exact=F(1, 20), by_upcard=((2, F(-1, 18)), (8, F(1, 8))))
    found = made(main=replace(MAIN, ev=0.01, error_bound=1e-9), wagers=(LUCK, gift))
    said = [
        "The main wager favors the player: house edge -1.0000%",
        "Insurance favors the player holding 2,2: house edge -2.0000%",
        "Hedge favors the player: house edge -5.0000%",
        "Hedge favors the player with 8 up: house edge -12.5000%",
    ]
    text = printed(found)
    assert [text.index(f"{sentence}.") for sentence in said] == sorted(text.index(sentence) for sentence in said)
    assert text.index(said[-1]) < text.index("Main game")
    data = found.to_dict()["favors_player"]
    assert [entry["text"] for entry in data] == said
    assert data[3] == {"wager": "Hedge", "when": "with 8 up", "ev": 0.125, "in_dollars": False, "text": said[3]}


def test_nothing_is_said_of_a_game_that_favors_the_house() -> None:
    """Nor where the error bound leaves the sign open."""
    house = made(insurance=None, main=replace(MAIN, ev=1e-10, error_bound=1e-9))
    assert "favors the player" not in printed(house)
    assert house.to_dict()["favors_player"] == []

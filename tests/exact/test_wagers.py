"""Every number about side wagers, compared with slow computations of small shoes and with arithmetic by hand."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from fractions import Fraction
from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

import holecard
from holecard.composition import Composition, composition, full
from holecard.deck import Card, cards
from holecard.errors import Refusal, plural
from holecard.exact.results import WagerResult
from holecard.exact.wagers.after_check import after_check_evs
from holecard.exact.wagers.wager_values import insurance, skipped_wagers, wager_results
from holecard.sheets.read import read_sheet, rules
from holecard.sheets.schema import RuleSheet
from holecard.sheets.tables import Tables
from holecard.table.state import State
from tests.exact.slow_wagers import LOST, Dealer, Slow, played, runs_out
from tests.selection import examples, one_in, quick_where

SHEETS = {name: rules(name) for name in holecard.games(examples=True)}
WAGERS = {name: sheet for name, sheet in SHEETS.items() if sheet.wager}

#: Together they pay every line of every wager.
SHOES = {
    "suited": "As As Js Qh Qh Kh Ks 3s 8s 8h 2d 2d 2d 3d 4d 5d 7c 9s",
    "low": "Ah Ah Ad 2s 2s 2c 2d 3d 3d 4s 5s 6c Ts",
    "long": "As Ah Ad Ac 2s 2h 2d 2c 3s 3h Ts Td",
    "tens": "Ts Th Js Qh Qh Kd Kd As Ac 9h 6s 6h 5s",
}


def small(text: str) -> Counter[Card]:
    return Counter(cards(text))


def shoe_of(held: Counter[Card]) -> Composition:
    return composition({str(card): number for card, number in held.items()})


def by_name(tables: Tables, shoe: Composition) -> dict[str, WagerResult]:
    return {result.name: result for result in wager_results(tables, shoe)}


def check_equal(found: WagerResult, slow: Slow) -> None:
    """Compare every number of a result with the slow computation."""
    probabilities = {came: number / slow.placed for came, number in slow.ways.items()}
    assert found.exact == slow.mean(slow.ways)
    by_line: dict[str, Fraction] = defaultdict(Fraction)
    by_tax: dict[str, Fraction] = defaultdict(Fraction)
    for (line, tax), probability in probabilities.items():
        by_line[line] += probability
        by_tax[tax] += probability
    *paying, losing = found.lines
    assert [line.probability for line in paying] == [by_line[line.line] for line in paying]
    assert losing.probability == by_line[LOST]
    assert [tax.probability for tax in found.taxes] == [by_tax[tax.line] for tax in found.taxes]
    for result in (*found.lines, *found.taxes):
        assert result.contribution == result.net * result.probability
        assert Fraction(result.combinations, found.combinations) == result.probability
    assert sum(line.combinations for line in found.lines) == found.combinations
    assert found.payouts - found.tax == found.exact
    assert found.hit_frequency == sum(probability for came, probability in probabilities.items() if slow.net(*came) > 0)
    square = sum(slow.net(*came) ** 2 * probability for came, probability in probabilities.items())
    assert found.standard_deviation == pytest.approx(sqrt(square - found.exact**2), rel=1e-12)
    assert dict(found.by_upcard) == (slow.by_upcard() if slow.wager.after_check else {})


def check_sheet(sheet: RuleSheet, held: Counter[Card]) -> None:
    found, dealer = wager_results(sheet.tables, shoe_of(held)), Dealer(sheet)
    assert [result.name for result in found] == [wager.name for wager in sheet.tables.wagers]
    for result, wager in zip(found, sheet.tables.wagers, strict=True):
        check_equal(result, Slow(dealer, wager, held))


# Every shipped wager


@pytest.mark.parametrize(
    ("name", "kind"),
    quick_where(
        [(name, kind) for name in WAGERS for kind in SHOES],
        # Most sheets with one shoe, each shoe with some sheets; double-up is quickest with the last one.
        lambda case: case[1] == ("tens" if case[0] == "double-up" else list(SHOES)[list(WAGERS).index(case[0]) % 4]),
    ),
)
def test_every_wager_of_every_sheet(name: str, kind: str) -> None:
    """Line by line, over all deals of a small shoe."""
    check_sheet(WAGERS[name], small(SHOES[kind]))


@pytest.mark.parametrize(
    ("name", "soft"),
    one_in(
        5,
        [
            (name, soft)
            for name in ("double-up", "quick-pay", "push-22")
            for soft in ("draw 16 to hard 17", "draw soft 17 to hard 17")
        ],
    ),
)
def test_wagers_on_a_dealer_who_draws_to_a_hard_17(name: str, soft: str) -> None:
    """The same cards in another order can end otherwise: every order of the dealer's cards counts for its own end."""
    check_sheet(rules(name, {"dealer.soft": soft}), small("As Ah Ac 4s 6s 6d 9s Ts Td Kd"))


def test_the_small_shoes_pay_every_line() -> None:
    """Otherwise the test above would prove little."""
    for sheet in WAGERS.values():
        paid: Counter[tuple[str, str]] = Counter()
        for text in SHOES.values():
            for result in wager_results(sheet.tables, shoe_of(small(text))):
                paid.update({(result.name, line.line): line.combinations for line in (*result.lines, *result.taxes)})
        assert {line: number for line, number in paid.items() if not number} == {}


@examples(13)
@given(st.lists(st.integers(0, 51), min_size=9, max_size=12), st.sampled_from(sorted(WAGERS)))
def test_any_small_shoe(numbers: list[int], name: str) -> None:
    """Unusual shoes: one suit, no aces, only tens; or a shoe the dealer could exhaust, which is refused."""
    sheet, held = WAGERS[name], Counter(map(Card, numbers))
    dealer = Dealer(sheet)
    if any(line.dealer for wager in sheet.tables.wagers for line in wager.lines) and runs_out(dealer, held):
        with pytest.raises(Refusal, match="too small"):
            wager_results(sheet.tables, shoe_of(held))
        return
    found = by_name(sheet.tables, shoe_of(held))
    for wager in sheet.tables.wagers:
        slow = Slow(dealer, wager, held)
        if slow.placed:
            check_equal(found[wager.name], slow)
        else:
            assert wager.name not in found


HOLE_CARDS = ["peek", "peek under aces", "no peek", "face up", "none"]


def stand(_state: State) -> str:
    return "stand"


def hit_once(state: State) -> str:
    hand = state.seats[state.turn].hands[state.hand]
    return "hit" if len(hand.cards) == 2 and hand.total < 17 else "stand"


@pytest.mark.parametrize(
    ("name", "decide"), one_in(5, [(name, decide) for name in WAGERS for decide in (stand, hit_once)])
)
def test_the_table_pays_the_same(name: str, decide: Callable[[State], str]) -> None:
    """Whatever the player does: to the cent, line by line, over every round from a small shoe."""
    check_played(WAGERS[name].tables, decide)


@pytest.mark.parametrize(
    ("hole_card", "decide"),
    one_in(5, [(hole, decide) for hole in HOLE_CARDS for decide in (stand, hit_once)]),
)
def test_the_hole_card_changes_nothing(hole_card: str, decide: Callable[[State], str]) -> None:
    """Visible, checked, hidden or not yet dealt: the dealer's final hands have the same probabilities."""
    check_played(sheet_with(DEALERS_HAND, f'hole_card = "{hole_card}"').tables, decide)


def check_played(tables: Tables, decide: Callable[[State], str]) -> None:
    held = small("As As Js Js 5d 5d 6s 6s 8c" if decide is stand else "As Js Js 5d 6s 6s 6s 9s 8c")
    paid = played(tables, held, decide)
    for result in wager_results(tables, shoe_of(held)):
        mine = paid[result.name]
        placed = sum(mine.values())
        stake = 1 if "dollars" in result.unit else 10
        taxes = sum((net * probability for (_, net), probability in paid[f"{result.name} tax"].items()), Fraction(0))
        won = sum((net * probability for (_, net), probability in mine.items()), Fraction(0))
        assert result.exact == (won + taxes) / placed / stake
        whys: dict[str, Fraction] = defaultdict(Fraction)
        for (why, _), probability in mine.items():
            whys[why] += probability / placed
        (wager,) = (wager for wager in tables.wagers if wager.name == result.name)
        for line, found in zip(wager.lines, result.lines, strict=False):
            assert found.probability == whys[str(line)], line.name


DEALERS_HAND = """
[[wager]]
name = "Hand"
lines = [
  { dealer = "natural", pays = "9 to 1" },
  { hand = "natural", dealer = "busts", pays = "8 to 1" },
  { dealer = "busts in 4+ cards", pays = "6 to 1" },
  { hand = "pair", pays = "3 to 1" },
  { dealer = "20", pays = "2 to 1" },
]
"""


# Wagers that no shipped sheet has


def sheet_with(wagers: str, dealer: str = 'hole_card = "peek"') -> RuleSheet:
    insured = '[insurance]\npays = "none"' if "face up" in dealer else ""
    return read_sheet(f'name = "T"\nextends = "classic"\n[dealer]\n{dealer}\n{insured}\n{wagers}')


ODD_WAGERS = {
    "poker hands with some upcards only": """
        on = "two cards and upcard"
        upcard = "2-7"
        lines = [{ hand = "pair", pays = "3 to 1" }, { hand = "suited", pays = "5 to 1" }]""",
    "four cards with some upcards only": """
        on = "all four cards"
        upcard = "A, T"
        lines = [{ hand = "two pair", pays = "9 to 1" }, { hand = "pair", pays = "push" }]""",
    "four cards and the dealer's hand": """
        on = "all four cards"
        lines = [
          { hand = "pair", dealer = "busts", pays = "3 to 1" },
          { hand = "suited", pays = "2 to 1" },
          { dealer = "20-21", pays = "1 to 1" },
          { hand = "pair", dealer = "17 in 3 cards", pays = "4 to 1" },
        ]""",
    "matches and the dealer's hand": """
        on = "two cards and upcard"
        lines = [
          { hand = "1 suited match", dealer = "busts in 3+ cards", pays = "20 to 1" },
          { hand = "1 unsuited match", dealer = "natural", pays = "30 to 1" },
          { hand = "1 unsuited match", pays = "3 to 1" },
          { dealer = "no natural in 4 cards", pays = { 6 = "2 to 1", "A" = "7 to 2" } },
        ]""",
    "odds by upcard, some without": """
        lines = [
          { hand = "natural", pays = { "2-6" = "5 to 1", T = "7 to 1" } },
          { hand = "hard 9-11", pays = "1 to 1" },
        ]""",
    "fixed payouts on a stake that is lost": """
        min = "$5"
        max = "$5"
        lines = [{ hand = "suited pair", pays = "$250" }, { hand = "pair", pays = "3 to 1" }]""",
    "a token with a tax and no dealer": """
        stake = "token"
        min = "$1"
        max = "$1"
        tax_upcard = "A, 5"
        tax = [{ hand = "suited", tax = "$3" }, { hand = "hard 12-20", tax = "$0.50" }]
        lines = [{ hand = "pair", pays = "$4" }]""",
    "a token on three cards": """
        on = "two cards and upcard"
        stake = "token"
        min = "$1"
        max = "$1"
        tax = [{ hand = "suited", tax = "$1" }, { hand = "pair", tax = "$2" }]
        lines = [{ hand = "trips", pays = "$100" }, { hand = "pair", dealer = "21", pays = "$7" }]""",
}


@pytest.mark.parametrize("dealer", one_in(3, ['hole_card = "face up"', 'hole_card = "peek"', 'hole_card = "none"']))
@pytest.mark.parametrize("kind", ODD_WAGERS)
def test_odd_wagers(kind: str, dealer: str) -> None:
    """Anything a sheet can express, whatever the dealer shows: the wager is placed before the deal."""
    if "four cards" in kind and "none" in dealer:
        return
    sheet = sheet_with(f'[[wager]]\nname = "W"\n{ODD_WAGERS[kind]}', dealer)
    for text in ("As As Jd Kd 5d 5h 6s 6s 6d 2c 8h", "5s 5s 5s 5h 6d 6d 7d 7c Ac Tc"):
        check_sheet(sheet, small(text))


@pytest.mark.slow
def test_matches_among_four_cards() -> None:
    """The only kind of hand that depends on who holds which card, with the hole card included: millions of deals."""
    wager = """
        [[wager]]
        name = "W"
        on = "all four cards"
        lines = [
          { hand = "1 suited match three of a kind", pays = "20 to 1" },
          { hand = "2 unsuited matches", pays = "9 to 1" },
          { hand = "suited", dealer = "busts", pays = "5 to 1" },
        ]"""
    check_sheet(sheet_with(wager), small("As As Ah Kd 5s 5h 5d 6s 9s 9d"))


def test_units() -> None:
    """Per unit staked; dollars for a token; dollars at the minimum stake where payouts are fixed."""
    (fixed,) = wager_results(
        sheet_with(f'[[wager]]\nname = "W"\n{ODD_WAGERS["fixed payouts on a stake that is lost"]}').tables, full(2)
    )
    fortune = by_name(SHEETS["upcard-luck-21"].tables, full(6))["Taxpayer's Fortune"]
    luck = by_name(SHEETS["upcard-luck-21"].tables, full(6))["Upcard Luck"]
    assert (luck.unit, luck.lines[-1].line, luck.lines[-1].net) == ("unit staked", "loses", -1)
    assert (fixed.unit, fixed.lines[-1].line, fixed.lines[-1].net) == ("round with $5 staked, in dollars", "loses", -5)
    assert [line.net for line in fixed.lines] == [250, 15, -5]
    assert (fortune.unit, fortune.lines[-1].line, fortune.lines[-1].net) == ("round, in dollars", "token kept", 0)
    assert [(tax.line, tax.pays, tax.net) for tax in fortune.taxes][:2] == [
        ("As Js", "$5", -5),
        ("suited 3 and 8", "$5", -5),
    ]


@pytest.mark.parametrize("decks", [1, 2, 6, 8])
def test_the_fortune_returns_about_80_percent_of_the_tax(decks: int) -> None:
    """As its ruling says; about 62% with the other reading."""
    for upcard, share, within in (("any", 0.80, 0.015), ("2-7", 0.62, 0.045)):
        tables = rules("upcard-luck-21", {"decks": decks, "wager.Taxpayer's Fortune.upcard": upcard}).tables
        fortune = by_name(tables, full(decks))["Taxpayer's Fortune"]
        assert fortune.return_of_tax is not None
        assert float(fortune.return_of_tax) == pytest.approx(share, abs=within)
        assert fortune.exact == fortune.payouts - fortune.tax


def test_house_tables_keep_what_their_rulings_say() -> None:
    """2-Card Bonus 5.0%, 4-Card Bonus 5.5%, each Hedge Bet 5 to 6% over all upcards and 2 to 12% with each."""
    bonuses = by_name(SHEETS["face-up"].tables, full(6))
    assert bonuses["2-Card Bonus"].exact == Fraction(-202, 4_043)
    assert bonuses["4-Card Bonus"].exact == Fraction(-3_518_014, 64_546_495)
    for hedge in wager_results(SHEETS["quick-pay"].tables, full(6)):
        assert 0.05 <= -hedge.exact <= 0.06
        assert len(hedge.by_upcard) == 10
        assert all(0.02 <= -value <= 0.121 for _, value in hedge.by_upcard)
        assert not hedge.printed


# A changed pay line


def test_a_line_that_pays_one_unit_more() -> None:
    """The EV of the wager rises by exactly the probability of that line, and nothing else changes."""
    before = by_name(SHEETS["side-bets"].tables, full(4))["Buster Blackjack"]
    sheet = rules("side-bets", {"wager.Buster Blackjack.lines.4.pays": "16 to 1"})
    after = by_name(sheet.tables, full(4))["Buster Blackjack"]
    assert after.exact - before.exact == before.lines[4].probability > 0
    assert [line.probability for line in after.lines] == [line.probability for line in before.lines]


def test_lines_in_another_order() -> None:
    """The first matching line pays: with all pairs on top, the colored ones never pay."""
    lines = '{ hand = "pair", pays = "6 to 1" }, { hand = "one color pair", pays = "12 to 1" }'
    (found,) = wager_results(sheet_with(f'[[wager]]\nname = "W"\nlines = [{lines}]').tables, full(6))
    assert [line.combinations for line in found.lines] == [13 * 24 * 23 // 2, 0, 312 * 311 // 2 - 13 * 24 * 23 // 2]


# What cannot be computed


def test_a_shoe_without_suits() -> None:
    """Wagers that depend on suits are left out and named; the others are still computed."""
    tables = SHEETS["side-bets"].tables
    by_rank = composition(" ".join(f"{rank}:16" for rank in "A23456789TJQK"))
    found, known = by_name(tables, by_rank), by_name(tables, full(4))
    assert list(found) == ["Buster Blackjack"]
    assert found["Buster Blackjack"] == known["Buster Blackjack"]
    skipped = skipped_wagers(tables, by_rank)
    assert [name for name, _ in skipped] == ["21+3", "Match the Dealer", "Royal Match", "Perfect Pairs", "Lucky Ladies"]
    assert all("suits" in why for _, why in skipped)
    assert skipped_wagers(tables, full(4)) == ()


def test_ranks_suffice_where_no_suit_is_asked_for() -> None:
    """Over and Under 13 use totals: ranks alone give the same result."""
    tables = SHEETS["lone-deck"].tables
    shoe = composition("A:3 2:4 5:4 9:1 T:7 K:2")
    assert [result.exact for result in wager_results(tables, shoe)] == [
        result.exact for result in wager_results(tables, composition("As:3 2s:4 5h:4 9s:1 Td:7 Ks:2"))
    ]


def test_a_wager_that_can_never_be_placed() -> None:
    """One ace and three tens: the hand with the ace is a natural, so the wager after the check is never offered."""
    tables, shoe = SHEETS["quick-pay"].tables, composition("As Ts Td Th")
    assert wager_results(tables, shoe) == ()
    assert after_check_evs(tables, shoe) == {}
    assert [name for name, _ in skipped_wagers(tables, shoe)] == ["Hedge 18", "Hedge 19", "Hedge 20", "Hedge 21"]
    assert all("placed" in why for _, why in skipped_wagers(tables, shoe))


@pytest.mark.parametrize("text", ["As", "As Ts 5d"])
def test_a_shoe_too_small_to_deal_from(text: str) -> None:
    """The minimum is four cards."""
    for compute in (wager_results, insurance, after_check_evs):
        with pytest.raises(Refusal, match=f"{plural(len(text.split()), 'card')} is too small"):
            compute(SHEETS["quick-pay"].tables, composition(text))


@pytest.mark.parametrize("text", ["2s:6 3s:2", "4s:4 Ts:2"])
def test_a_dealer_who_might_run_out_of_cards(text: str) -> None:
    """Twos and threes never reach seventeen; four fours do not if the player has both tens."""
    with pytest.raises(Refusal, match="could run out"):
        wager_results(SHEETS["push-22"].tables, composition(text))


def test_a_dealer_who_needs_the_last_card() -> None:
    """With one more five, four fours and the last card make 21."""
    check_sheet(SHEETS["push-22"], small("4s 4s 4s 4s Ts Ts 5s"))

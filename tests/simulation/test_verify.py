"""Exact and simulated numbers agree for every game; a wrong rule on either side is found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

import holecard
from holecard.charts.chart import Chart
from holecard.charts.named_strategies import mimic_the_dealer, never_bust
from holecard.errors import Refusal
from holecard.exact.charts.chart_cache import cached_best_chart
from holecard.exact.solved_game import main_ev
from holecard.sheets.tables import Tables
from holecard.simulation.claims import other_runs
from holecard.simulation.claims.round_claims import claims
from holecard.simulation.claims.shown_numbers import check_shown_numbers
from holecard.simulation.simulate import simulate
from holecard.simulation.statistics.agreement import judge
from holecard.simulation.statistics.comparisons import HistogramClaim
from holecard.simulation.statistics.estimates import shape
from holecard.simulation.verify import Verification, verify
from holecard.simulation.witness import plain_hands
from holecard.simulation.witness.replay import EVERY_ACTION
from tests.selection import one_in
from tests.simulation.charts import splitting
from tests.simulation.mutations import DOUBLES, broken, sheet_called

ROUNDS = 150_000
slow = pytest.mark.slow


def _verify(sheet: str, chart: Callable[[Tables], Chart], against: dict[str, object] | None = None) -> Verification:
    rules = holecard.rules(sheet)
    other = None if against is None else holecard.rules(sheet, against)
    return verify(rules, chart(rules.tables), ROUNDS, seed=20261115, against=other, replay=40)


#: Exact distributions of a chart that splits everything take seconds.
SPLITTING = [pytest.param(sheet, splitting, marks=slow) for sheet in holecard.games()]


@pytest.mark.parametrize(
    ("sheet", "chart"),
    [*one_in(20, ((sheet, mimic_the_dealer) for sheet in holecard.games(examples=True))), *SPLITTING],
)
def test_exact_and_sampled_agree(sheet: str, chart: Callable[[Tables], Chart]) -> None:
    found = _verify(sheet, chart)
    assert found.agrees, found.agreement.verdict + found.replay.verdict
    # As many by charts that try every action, and one with several seats.
    assert (found.replay.rounds, found.replay.tried) == (40, 40 + 1)
    names = {comparison.name.partition(", ")[0] for comparison in found.agreement.comparisons}
    offered = set() if found.exact.insurance is None else {"insurance"}
    assert names == {"main wager", "dealer", *offered, *(wager.name for wager in found.exact.wagers)}
    assert not found.left_out


@pytest.mark.slow
@pytest.mark.parametrize("sheet", ["face-up", "match-up"])
def test_exact_and_sampled_agree_where_every_soft_total_is_hit(sheet: str) -> None:
    """A drawn soft 21 takes another card, a natural does not: the dealer's final hands show it."""
    switched = holecard.rules(sheet, {"dealer.soft": "hit all"})
    found = verify(switched, mimic_the_dealer(switched.tables), 400_000, seed=5, replay=300)
    assert found.agrees, found.agreement.verdict + found.replay.verdict
    unswitched = verify(
        switched, mimic_the_dealer(switched.tables), 400_000, seed=5, against=holecard.rules(sheet), replay=0
    )
    assert "dealer" in {comparison.name for comparison in unswitched.agreement.differing}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sheet", "soft"), [("face-up", "draw 16 to hard 17"), ("match-up", "draw soft 17 to hard 17")]
)
def test_exact_and_sampled_agree_where_the_way_of_a_soft_total_matters(sheet: str, soft: str) -> None:
    """The soft totals of two sheets to the letter: every other reading is noticed in the dealer's final hands."""
    switched = holecard.rules(sheet, {"dealer.soft": soft})
    chart = mimic_the_dealer(switched.tables)
    found = verify(switched, chart, 400_000, seed=5, replay=300)
    assert found.agrees, found.agreement.verdict + found.replay.verdict
    for other in {"stand on 18", "hit all", "draw 16 to hard 17", "draw soft 17 to hard 17"} - {soft}:
        against = holecard.rules(sheet, {"dealer.soft": other})
        unlike = verify(switched, chart, 400_000, seed=5, against=against, replay=0)
        assert "dealer" in {comparison.name for comparison in unlike.agreement.differing}, other


@slow
def test_exact_and_sampled_agree_where_a_late_natural_spares_added_wagers() -> None:
    """No peek, original bets only: a doubled or split hand that busted first loses all its wagers."""
    switched = holecard.rules("double-up", {"dealer.hole_card": "no peek"})
    found = verify(switched, splitting(switched.tables), 400_000, seed=5, replay=300)
    assert found.agrees, found.agreement.verdict + found.replay.verdict


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sheet", "wrong", "where"),
    [
        ("classic", {"settle.natural": "7 to 5"}, "main wager"),
        ("classic", {"dealer.soft_17": "stand"}, "dealer"),
        ("classic", {"decks": 1}, "dealer"),
        ("classic", {"insurance.pays": "3 to 1"}, "insurance"),
        ("european", {"insurance.pays": "3 to 1"}, "insurance"),
        ("quick-pay", {"dealer.soft_17": "stand"}, "dealer"),
        ("upcard-luck-21", {"wager.Upcard Luck.table": "B"}, "Upcard Luck"),
        ("upcard-luck-21", {"wager.Taxpayer's Fortune.upcard": "2-7"}, "Taxpayer's Fortune"),
        ("face-up", {"settle.natural": "3 to 2"}, "main wager"),
    ],
)
def test_a_wrong_rule_is_found(sheet: str, wrong: dict[str, object], where: str) -> None:
    found = _verify(sheet, mimic_the_dealer, wrong)
    assert not found.agreement.agrees
    assert where in {comparison.name for comparison in found.agreement.differing}


@slow
def test_one_pay_line_off_by_one_is_found(tmp_path: Path) -> None:
    """The rarest line of a wager pays 501 instead of 500: no mean would show it."""
    source = Path("src/holecard/catalog/double-up.toml").read_text(encoding="utf-8")
    right = 'pays = "500 to 1"'
    assert source.count(right) == 1
    wrong = tmp_path / "wrong.toml"
    wrong.write_text(source.replace(right, 'pays = "501 to 1"'), encoding="utf-8")
    rules = holecard.rules("double-up")
    chart = splitting(rules.tables)
    found = verify(rules, chart, 400_000, seed=1, against=holecard.rules(str(wrong)), replay=0)
    assert {comparison.name for comparison in found.agreement.differing} == {"Bonus 16", "Bonus 16, one deck"}
    assert verify(rules, chart, 400_000, seed=1, replay=0).agrees


def _histograms(sheet: str) -> dict[str, HistogramClaim]:
    rules = holecard.rules(sheet)
    found = claims(
        holecard.analyze(rules, strategy=never_bust(rules.tables)),
        simulate(rules, "never bust", 20_000, seed=2, draws_out=True),
    )
    return {claim.what: claim for claim in found if isinstance(claim, HistogramClaim) and claim.name == "dealer"}


def test_the_dealers_cards_are_said_in_words() -> None:
    """Both sides use the same words, with the probabilities of six decks: 24 aces and 96 tens of 312."""
    found = _histograms("classic")
    for claim in found.values():
        assert claim.observed.keys() <= claim.exact.keys()
        assert sum(claim.exact.values()) == 1
    opening, ending = found["opening cards"].exact, found["finished hands"].exact
    assert opening["A up, T in the hole"] == opening["T up, A in the hole"] == Fraction(24 * 96, 312 * 311)
    assert opening["9 up, 9 in the hole"] == Fraction(24 * 23, 312 * 311)
    assert ending["natural"] == 2 * Fraction(24 * 96, 312 * 311)
    assert ending["20 in 2 cards"] == Fraction(96 * 95 + 2 * 24 * 24, 312 * 311)
    assert 0 < ending["bust in 12 or more cards"] < ending["17 in 6 cards"] < ending["bust in 3 cards"]
    european = _histograms("european")["opening cards"]
    assert european.exact["A up, T next"] == Fraction(24 * 96, 312 * 311)
    assert european.observed.keys() <= european.exact.keys()


@pytest.mark.slow
def test_a_wrong_dealer_shows_in_the_hand_that_is_too_frequent() -> None:
    """One side stands on an ace and a six, the other draws."""
    found = _verify("classic", never_bust, {"dealer.soft_17": "stand"}).agreement
    (said,) = [line for line in found.verdict.splitlines() if line.startswith("  dealer, finished hands: ")]
    assert "worst 17 in 2 cards: " in said


def test_the_strategy_is_called_by_its_name() -> None:
    """Although both sides follow its chart."""
    assert verify("classic", "never bust", 1000, replay=0).sampled.main.strategy == "never bust"


def test_rounds_by_another_chart_are_found() -> None:
    """Rounds of one chart, mathematics of another."""
    rules = holecard.rules("classic")
    sampled = simulate(rules, "never bust", ROUNDS, seed=2, draws_out=True)
    right, wrong = (holecard.analyze(rules, strategy=chart(rules.tables)) for chart in (never_bust, mimic_the_dealer))
    assert judge(claims(right, sampled)).agrees
    assert {found.name for found in judge(claims(wrong, sampled)).differing} == {"main wager"}


# Mistakes on both sides


@slow
def test_exact_and_simulated_agree_in_a_mistake_and_the_table_does_not() -> None:
    """All comparisons agree, but `verify` fails, with a record of the round that can be replayed."""
    with broken(DOUBLES):
        found = _verify("face-up", splitting)
    assert found.agreement.agrees
    assert not found.agrees
    one = found.replay.differences[0]
    assert any("by the rules" in line for line in one.lines)
    assert "simulated: seat 1 has a net result of" in found.replay.verdict
    record = holecard.read_record(one.record)
    assert holecard.replay(record)[-1].phase == "done"


@pytest.mark.slow
def test_what_the_chart_avoids_is_tried() -> None:
    """A chart that never doubles does not show that doubles are paid once; charts that try every action do."""
    with broken(DOUBLES):
        found = _verify("classic", never_bust)
    assert found.agreement.agrees
    assert not found.agrees
    assert {one.strategy.partition(", ")[0] for one in found.replay.differences} == {EVERY_ACTION}


@pytest.mark.slow
def test_a_mistake_of_the_exact_side_alone_is_found_by_trying_every_action() -> None:
    """For the chart that never doubles the exact mean is right; for the chart of every action it is not."""
    rules = holecard.rules("classic")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(other_runs, "main_ev", lambda sheet, strategy: main_ev(sheet, strategy=strategy) - 0.002)
        found = verify(rules, never_bust(rules.tables), 10_000, seed=3, replay=0)
    assert {one.what for one in found.agreement.differing} == {"mean, every action, luck-adjusted"}


@pytest.mark.slow
def test_how_many_rounds_were_replayed_is_said() -> None:
    """All rounds of a short run; none if none are requested; an invalid number is refused."""
    found = verify("classic", "never bust", 50, replay=2000).replay
    assert (found.rounds, found.tried) == (50, 100 + 50)
    assert found.verdict.startswith("50 of the rounds were replayed at the table, card by card, and 150 more")
    assert found.verdict.endswith(f", and {found.dealt_down} more from shoes dealt down: no difference.")
    none = verify("classic", "never bust", 1000, replay=0).replay
    assert none.verdict == "No round was replayed at the table."
    for wrong in (-1, True, 1.5):
        with pytest.raises(Refusal, match="is not a number of rounds"):
            verify("classic", "never bust", 1000, replay=wrong)  # type: ignore[arg-type]


@pytest.mark.slow
def test_seats_and_chosen_wagers_are_replayed() -> None:
    """Two seats, and only one side wager placed."""
    found = verify("match-up", "never bust", 2000, replay=60, seats=2, wagers=["Match Up"])
    assert found.replay.agrees
    assert found.left_out == ("3 Card Bonus",)


@slow
def test_the_classic_game_with_its_plus_8_cell_ten_times_too_large_is_found() -> None:
    """At 10^8 rounds, by the net results alone: the stated deviation is that of the wrong distribution."""
    rules = holecard.rules("classic")
    sampled = simulate(rules, rounds=10**8, seed=5, draws_out=True)
    exact = holecard.analyze(rules, strategy=cached_best_chart(rules).chart)
    eight = Fraction(8)
    probabilities = dict(exact.main.distribution)
    probabilities[Fraction(-1)] -= 9 * probabilities[eight]
    probabilities[eight] *= 10
    main = exact.main.with_net_results(
        distribution=tuple(probabilities.items()), standard_deviation=shape(probabilities).sd
    )
    wrong = replace(exact, main=main)
    found = judge(claims(wrong, sampled))
    assert [one.what for one in found.differing] == ["net results"]
    assert "worst 8: " in found.verdict
    assert judge(claims(exact, sampled)).agrees


@pytest.mark.slow
def test_a_deviation_that_is_not_its_distributions_is_found() -> None:
    """For the main wager and a side wager, among the numbers that follow from others."""
    found = verify("match-up", never_bust(holecard.rules("match-up").tables), 20_000, seed=3, replay=0)
    assert found.agrees
    exact = found.exact
    wide = replace(exact, main=exact.main.with_net_results(standard_deviation=exact.main.standard_deviation * 1.0001))
    (differs,) = check_shown_numbers(wide).differences
    assert differs.startswith("main wager, standard deviation: ")
    first, *rest = exact.wagers
    wide = replace(exact, wagers=(replace(first, standard_deviation=first.standard_deviation * 20), *rest))
    (differs,) = check_shown_numbers(wide).differences
    assert differs.startswith(f"{first.name}, standard deviation: ")


def test_a_deviation_that_rounds_do_not_have_is_found() -> None:
    """Where the whole distribution is wrong, its deviation is; the error comes from its fourth moment."""
    rules = holecard.rules("classic")
    exact = holecard.analyze(rules, strategy=never_bust(rules.tables))
    sampled = simulate(rules, "never bust", 2_000_000, seed=5, draws_out=True)
    one, two = Fraction(-1), Fraction(3, 2)
    probabilities = dict(exact.main.distribution)
    moved = {**probabilities, one: probabilities[one] - 0.002, two: probabilities[two] + 0.002}
    main = exact.main.with_net_results(distribution=tuple(moved.items()), standard_deviation=shape(moved).sd)
    differing = {found.what for found in judge(claims(replace(exact, main=main), sampled)).differing}
    assert differing == {"standard deviation", "net results"}
    assert judge(claims(exact, sampled)).agrees


@pytest.mark.slow
def test_the_referee_reads_the_words_of_a_line_itself(tmp_path: Path) -> None:
    """A total that every part of the program computes wrongly is still found."""
    sheet = tmp_path / "nines.toml"
    lines = '[[wager]]\nname = "Nines"\nlines = [{ hand = "total 9", pays = "3 to 1" }]\n'
    sheet.write_text(f'name = "Nines"\nextends = "classic"\n{lines}')
    found = verify(sheet, mimic_the_dealer(holecard.rules(sheet).tables), 20_000, replay=300)
    assert found.replay.agrees
    hand = holecard.rules(sheet).tables.wagers[0].lines[0].hand
    assert hand is not None
    blind = replace(hand, words=())
    for held, is_nine in (("4s 5d", True), ("7s 2d", True), ("8s Ad", False), ("4s 4d", False)):
        assert plain_hands.fits(blind, holecard.deck.cards(held)) == is_nine


@slow
@pytest.mark.parametrize("sheet", ["small", "match-up"])
def test_a_right_game_fails_as_seldom_as_the_level_says(sheet: str) -> None:
    """At a level of 5%, at most 2 plus four sd of 40 seeds: for all claims together, with few rounds and rare lines."""
    rules = sheet_called(sheet)
    chart = never_bust(rules.tables)
    seeds = range(40)
    failed = [not verify(rules, chart, 10_000, seed=seed, replay=0, level=0.05).agrees for seed in seeds]
    assert sum(failed) <= 2 + 4 * 2**0.5

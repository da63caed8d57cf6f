"""Gains from sampled rounds: what is gained follows from the EVs, errors from whole shoes, and luck gains nothing."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from holecard.advantage.counting_result import SampleMean
from holecard.advantage.gains import ValuedRounds, count_gain, cut_gains, reading_edges
from holecard.advantage.targets import targets_of
from holecard.composition import Composition
from holecard.counts import Count, count_of
from holecard.exact.wagers.wager_values import wager_result
from holecard.sheets.read import rules
from holecard.simulation.plays.shoe_sample import ShoeSample
from tests.exact.shoe_values.test_wager_shoes import shares_of_upcards

DECKS = 6
CUT = 75


def dealt(shoes: int, seed: int, per_shoe: int = 12) -> ShoeSample:
    """Shoes dealt in rounds of about five cards, of which some are listed."""
    random = np.random.default_rng(seed)
    whole = np.repeat(np.arange(52), DECKS)
    depths = np.linspace(1, 280, per_shoe).astype(int)
    cards = np.empty((shoes * per_shoe, 52), np.uint8)
    for shoe in range(shoes):
        order = random.permutation(whole)
        for number, depth in enumerate(depths):
            cards[shoe * per_shoe + number] = np.bincount(order[depth:], minlength=52)
    out = np.tile(depths, shoes).astype(np.uint16)
    shoe = np.repeat(np.arange(shoes), per_shoe).astype(np.uint32)
    return ShoeSample(cards, out, shoe, np.tile(np.arange(per_shoe), shoes).astype(np.uint16))


def by_tens(sample: ShoeSample) -> np.ndarray:
    """A wager that pays where tens are more than a third of the cards, as insurance does."""
    left = sample.cards.astype(np.float64)
    return 3 * left[:, 36:].sum(axis=1) / left.sum(axis=1) - 1


def valued(
    sample: ShoeSample, exact: np.ndarray, known: int | None = None, estimates: np.ndarray | None = None
) -> ValuedRounds:
    computed = np.arange(exact.size) < (exact.size if known is None else known)
    estimates = exact if estimates is None else estimates
    return ValuedRounds(sample, np.where(computed, exact, np.nan), estimates, np.ones(exact.size), computed, DECKS)


def test_a_perfect_player_gains_every_positive_ev() -> None:
    """Only rounds before the cut card count; each is one unit where it pays, and one or the spread with a spread."""
    sample = dealt(200, 1)
    evs = by_tens(sample)
    here = evs[sample.out < 312 * CUT // 100]
    found = cut_gains(valued(sample, evs), CUT, (), 8)
    assert found is not None
    assert found.rounds == here.size
    assert found.favorable.mean == pytest.approx(float((here > 0).mean()))
    assert found.gain.mean == pytest.approx(100 * float(np.maximum(here, 0).mean()))
    assert found.spread_gain is not None
    assert found.spread_gain.mean == pytest.approx(100 * float((np.where(here > 0, 8, 1) * here).mean()))


def test_errors_are_those_of_repeated_samples() -> None:
    """The spread of the gains of 60 samples is the error that each of them states, with and without estimates."""
    random = np.random.default_rng(3)
    for known in (None, 30 * 12):
        means, errors = [], []
        for seed in range(60):
            sample = dealt(60, 100 + seed)
            evs = by_tens(sample)
            rough = evs + random.normal(size=evs.size) * 0.01
            found = cut_gains(valued(sample, evs, known, rough), CUT, (), None)
            assert found is not None
            means.append(found.gain.mean)
            errors.append(found.gain.standard_error)
        assert np.std(means) == pytest.approx(np.mean(errors), rel=0.3)


def test_errors_do_not_vanish_where_no_round_was_seen_to_differ() -> None:
    """Estimates have the wrong sign in one round of forty; most samples of three shoes do not see any of them.

    The results of 100 samples are still within about one of the errors that they state.
    """
    sample = dealt(3000, 27, per_shoe=4)
    evs = by_tens(sample)
    low = evs - 0.015
    truth = cut_gains(valued(sample, evs), CUT, (), None)
    assert truth is not None
    favorable, gains, unseen = [], [], 0
    for first in range(0, 300, 3):
        computed = (sample.shoe >= first) & (sample.shoe < first + 3)
        rounds = ValuedRounds(sample, np.where(computed, evs, np.nan), low, np.ones(evs.size), computed, DECKS)
        found = cut_gains(rounds, CUT, (), None)
        assert found is not None
        assert found.favorable.standard_error > 0
        unseen += not ((evs > 0) != (low > 0))[computed & (sample.out < 312 * CUT // 100)].any()
        favorable.append((found.favorable.mean - truth.favorable.mean) / found.favorable.standard_error)
        gains.append((found.gain.mean - truth.gain.mean) / found.gain.standard_error)
    assert unseen > 50
    assert np.sqrt(np.mean(np.square(favorable))) < 1.5
    assert np.sqrt(np.mean(np.square(gains))) < 1.5


def test_what_is_known_of_all_rounds_has_no_more_error() -> None:
    """A player who bets by a count bets in the same rounds whatever the EVs are."""
    sample = dealt(200, 29)
    evs = by_tens(sample)
    some, every = (
        count_gain(valued(sample, evs, known).dealt_to(CUT), count_of("hi-lo"), False, None) for known in (1200, None)
    )
    assert some.bet_at == every.bet_at
    assert some.frequency.standard_error == pytest.approx(every.frequency.standard_error, rel=0.05)


def test_estimates_change_the_error_and_not_the_mean() -> None:
    """Half of the shoes have exact EVs; the others only estimates that are wrong on average."""
    sample = dealt(800, 5)
    evs = by_tens(sample)
    truth = cut_gains(valued(sample, evs), CUT, (), None)
    wrong = evs + 0.02 + np.random.default_rng(1).normal(size=evs.size) * 0.01
    found = cut_gains(valued(sample, evs, 400 * 12, wrong), CUT, (), None)
    alone = cut_gains(valued(sample, evs).only(np.arange(evs.size) < 400 * 12), CUT, (), None)
    assert truth is not None
    assert found is not None
    assert alone is not None
    assert abs(found.gain.mean - truth.gain.mean) < 4 * found.gain.standard_error
    assert found.gain.standard_error < alone.gain.standard_error


def test_a_perfect_player_never_gains_less_than_nothing() -> None:
    """Estimates are positive in one shoe of 100, whose EVs are negative; its difference alone is -1 of two shoes.

    The correction would lead to a frequency of 1% - 50%. The exact values alone have no positive EV.
    """
    sample = dealt(100, 33)
    evs = np.full(1200, -0.01)
    high = np.where(sample.shoe == 0, 0.02, -0.01)
    found = cut_gains(valued(sample, evs, 2 * 12, high), 100, (), 8)
    assert found is not None
    assert (found.favorable.mean, found.gain.mean) == (0, 0)
    assert found.spread_gain is not None
    assert found.spread_gain.mean == pytest.approx(-1)
    assert found.favorable.standard_error > 0.1, "what two shoes do not tell"


def test_a_count_that_sees_the_wager_gains_nearly_everything() -> None:
    """Tens against all other cards is what the wager is about; the gain is measured on shoes that chose no reading."""
    sample = dealt(400, 7)
    evs = by_tens(sample)
    tens = Count("tens", tuple(Fraction(-9 if card >= 36 else 4) for card in range(52)))
    found = cut_gains(valued(sample, evs), CUT, ((tens, False), (count_of("hi-lo"), False)), None)
    assert found is not None
    perfect, by_tens_count, by_hi_lo = found.gain.mean, found.counts[0].gain.mean, found.counts[1].gain.mean
    assert 0.97 * perfect < by_tens_count <= perfect + 1e-12
    assert 0.2 * perfect < by_hi_lo < 0.8 * perfect


def test_a_count_that_runs_against_the_wager_is_read_downward() -> None:
    """With all tags turned around, the same rounds are bet on."""
    sample = dealt(150, 9)
    rounds = valued(sample, by_tens(sample))
    tags = tuple(Fraction(-9 if card >= 36 else 4) for card in range(52))
    # Readings of the two counts are rounded to the same side.
    up = Count("up", tags, rounding="nearest")
    down = Count("down", tuple(-tag for tag in tags), rounding="nearest")
    one, other = count_gain(rounds, up, False, None), count_gain(rounds, down, True, None)
    assert other.and_below
    assert other.gain.mean == pytest.approx(one.gain.mean, rel=0.05)


def test_a_count_with_shuffled_tags_shows_no_gain() -> None:
    """Chosen by luck on one half of the shoes, its readings gain nothing on the other: never above its error."""
    sample = dealt(300, 11)
    evs = by_tens(sample)
    rounds = valued(sample, evs).dealt_to(CUT)
    perfect = cut_gains(valued(sample, evs), CUT, (), None)
    assert perfect is not None
    random = np.random.default_rng(2)
    ratios, gains = [], []
    hi_lo = np.array(count_of("hi-lo").tags)
    while len(gains) < 40:
        tags = random.permutation(hi_lo)
        # A shuffle that happens to count tens is another count, not a random one.
        if abs(np.corrcoef(tags.astype(float), np.arange(52) >= 36)[0, 1]) < 0.08:
            found = count_gain(rounds, Count("shuffled", tuple(tags)), False, None)
            gains.append(found.gain.mean)
            ratios.append(found.gain.mean / found.gain.standard_error if found.gain.standard_error else 0.0)
    assert np.mean(gains) < 0.05 * perfect.gain.mean
    assert max(ratios) < 4.5


def test_luck_in_choosing_a_reading_is_not_a_gain() -> None:
    """EVs without any relation to the cards, in 120 samples: gains are as often below zero as above it.

    The readings that were best in all shoes would gain, by luck.
    """
    random, lucky, ratios = np.random.default_rng(8), [], []
    tags = np.array(count_of("hi-lo").tags)
    for seed in range(120):
        sample = dealt(20, 200 + seed, per_shoe=4)
        rounds = valued(sample, random.normal(size=len(sample)))
        found = count_gain(rounds, Count("random", tuple(random.permutation(tags))), False, None)
        error = found.gain.standard_error
        ratios.append(found.gain.mean / error if error else 0.0)
        readings = rounds.readings(found.count)
        best = max(0.0, *(float(rounds.exact[readings >= at].sum()) for at in np.unique(readings)))
        lucky.append(best / len(sample) * 100 / error if error else 0.0)
    assert abs(np.mean(ratios)) < 3 / np.sqrt(len(ratios)) < np.mean(lucky) / 2


def test_a_reading_to_bet_at_is_one_that_occurs() -> None:
    """A running count of the ace of spades: 8, 6 or 3 of 26 cards left are three readings, and none is in between."""
    sample = dealt(90, 35, per_shoe=1)
    sample.cards[:] = 0
    sample.cards[:, 0] = np.tile([8, 6, 3], 30)
    sample.cards[:, 51] = 26 - sample.cards[:, 0]
    aces = Count("aces", tuple(Fraction(-(card == 0)) for card in range(52)), kind="running")
    seen = valued(sample, np.zeros(90)).readings(aces)
    low, middle, high = sorted(set(seen.tolist()), key=lambda reading: int(sample.cards[seen == reading][0, 0]))
    assert abs(middle - low) > 1 < abs(high - middle)
    for paying in ([high], [middle, high]):
        evs = np.where(np.isin(seen, paying), 0.1, -0.1)
        against = high < low
        assert count_gain(valued(sample, evs), aces, against, None).bet_at == paying[0]


def test_a_gain_has_a_reading() -> None:
    """Even shoes lose at each reading and odd ones win less: in one half, a reading pays, and in both together none.

    The bets of the other half are measured and lose, so there is a reading at which they are made.
    """
    rounds = valued(sample := dealt(200, 37), np.where(sample.shoe % 2 == 0, -0.02, 0.01))
    common = rounds.only(np.abs(rounds.readings(count_of("hi-lo"))) <= 1)
    found = count_gain(common, count_of("hi-lo"), False, None)
    assert found.gain.mean < 0 < found.frequency.mean
    assert found.bet_at is not None
    never = count_gain(valued(sample, np.full(len(sample), -0.01)), count_of("hi-lo"), False, None)
    assert never.bet_at is None
    assert (never.frequency.mean, never.gain.mean) == (0, 0)


def test_the_best_count_is_the_one_that_the_verdict_names() -> None:
    """The largest gain of those that are more than chance; the largest of all if none is."""
    gains = cut_gains(valued(sample := dealt(20, 39), by_tens(sample)), CUT, ((count_of("hi-lo"), False),), None)
    assert gains is not None
    one, lucky = (replace(gains.counts[0], gain=SampleMean(*gain)) for gain in ((0.2, 0.05), (0.3, 0.2)))
    assert replace(gains, counts=(lucky, one)).best_count is one
    assert replace(gains, counts=(lucky, replace(one, gain=SampleMean(0.2, 0.11)))).best_count is lucky
    assert replace(gains, counts=()).best_count is None


def test_the_ev_by_reading_is_the_average_of_its_rounds() -> None:
    sample = dealt(300, 13)
    evs = by_tens(sample)
    rounds = valued(sample, evs)
    edges = reading_edges(rounds, count_of("hi-lo"), CUT)
    here = rounds.dealt_to(CUT)
    readings = here.readings(count_of("hi-lo"))
    assert [edge.ends for edge in edges] == ["or less", *[""] * (len(edges) - 2), "or more"]
    assert [edge.reading for edge in edges] == list(range(edges[0].reading, edges[-1].reading + 1))
    readings = np.clip(readings, edges[0].reading, edges[-1].reading)
    assert sum(edge.frequency for edge in edges) == pytest.approx(1)
    for edge in edges:
        assert edge.ev.mean == pytest.approx(float(here.exact[readings == edge.reading].mean()))
        assert edge.frequency == pytest.approx(float((readings == edge.reading).mean()))


def test_rare_readings_are_taken_together() -> None:
    """Of a running count with steps of two, many readings have few exact EVs; no round is missing from the table."""
    sample = dealt(300, 31)
    evs = by_tens(sample)
    wide = Count("wide", tuple(Fraction(2 * tag) for tag in count_of("hi-lo").tags), kind="running")
    rounds = valued(sample, evs, known=25 * 12)
    edges = reading_edges(rounds, wide, CUT)
    here = rounds.dealt_to(CUT)
    readings = here.readings(wide)
    assert sum(edge.frequency for edge in edges) == pytest.approx(1)
    assert any(edge.up_to > edge.reading for edge in edges)
    assert [edge.ends for edge in edges] == ["or less", *[""] * (len(edges) - 2), "or more"]
    for edge in edges:
        low = readings.min() if edge.ends == "or less" else edge.reading
        high = readings.max() if edge.ends == "or more" else edge.up_to
        which = (readings >= low) & (readings <= high)
        assert which[here.computed].sum() >= 8
        assert edge.frequency == pytest.approx(float(which.mean()))
        assert edge.ev.mean == pytest.approx(float(by_tens(here.sample)[which].mean()))


def test_a_row_names_readings_that_occur() -> None:
    """A running count with steps of two skips every other reading: no row begins or ends with one of those."""
    sample = dealt(300, 31)
    wide = Count("wide", tuple(Fraction(2 * tag) for tag in count_of("hi-lo").tags), kind="running")
    edges = reading_edges(valued(sample, by_tens(sample)), wide, CUT)
    assert len(edges) > 10
    assert all(edge.reading % 2 == edge.up_to % 2 == 0 for edge in edges)


def test_frequencies_by_reading_are_of_the_rounds_in_which_a_wager_is_offered() -> None:
    """A wager that is never offered below a reading of zero has no rounds there."""
    sample = dealt(300, 5)
    rounds = valued(sample, by_tens(sample))
    readings = rounds.readings(count_of("hi-lo"))
    rounds = replace(rounds, offered=np.where(readings < 0, 0.25, 1.0))
    here = rounds.dealt_to(CUT)
    readings = here.readings(count_of("hi-lo"))
    low, high = (int((readings < 0).sum()), int((readings >= 0).sum()))
    edges = reading_edges(rounds, count_of("hi-lo"), CUT)
    assert sum(edge.frequency for edge in edges) == pytest.approx(1)
    assert sum(edge.frequency for edge in edges if edge.reading < 0) == pytest.approx(low / (low + 4 * high))


def test_rounds_with_too_few_cards_are_left_out_and_counted() -> None:
    """One of 300 rounds has no value, and all of its depth are left out, those that have a value, too."""
    sample = dealt(300, 17, per_shoe=1)
    sample.out[:] = np.arange(300)
    sample.cards[10] = sample.cards[11] = np.arange(52) < 4
    evs = by_tens(sample)
    evs[10] = np.nan
    evs[11] = 50.0
    found = cut_gains(valued(sample, evs, estimates=np.zeros(evs.size)), 100, (), None)
    assert found is not None
    assert (found.rounds, found.rounds_left_out) == (298, 2)
    others = np.delete(evs, [10, 11])
    assert found.gain.mean == pytest.approx(100 * float(np.maximum(others, 0).mean()))


def test_gains_without_many_of_the_last_rounds_are_not_known() -> None:
    """Of 12 rounds of a shoe, the last three have no value: unknown after them, and as before in front of them."""
    sample = dealt(20, 17)
    evs = by_tens(sample)
    without = np.where(sample.out > 200, np.nan, evs)
    assert cut_gains(valued(sample, without, estimates=np.zeros(evs.size)), 90, (), None) is None
    at_half, known = (cut_gains(valued(sample, one), 50, (), None) for one in (without, evs))
    assert known is not None
    assert at_half == known


def test_rounds_without_a_value_are_left_out_before_they_are_met() -> None:
    """Exact values of the first shoes only, in which no shoe was too small; later ones cannot be valued."""
    sample = dealt(40, 17)
    evs = by_tens(sample)
    too_small = (sample.out > 200) & (sample.shoe >= 20)
    rounds = valued(sample, evs, 20 * 12, np.where(too_small, np.nan, evs))
    assert cut_gains(rounds, 90, (), None) is None


def test_approximate_rounds_are_counted() -> None:
    sample = dealt(20, 17)
    few = sample.out > 150
    found = cut_gains(replace(valued(sample, by_tens(sample)), approximate=few), 75, (), None)
    assert found is not None
    assert found.rounds_approximated == int(few[sample.out < 234].sum()) > 0


# Wagers that are placed when the upcard is seen


def by_two_upcards(sample: ShoeSample) -> tuple[np.ndarray, np.ndarray]:
    """A wager that wants tens with one upcard and small cards with the other, and how often each is up."""
    left = sample.cards.astype(np.float64)
    tens = left[:, 36:].sum(axis=1) / left.sum(axis=1)
    return np.column_stack([3 * tens - 1, 0.8 - 3 * tens]), np.column_stack([tens, 1 - tens])


def test_a_perfect_player_looks_at_the_upcard() -> None:
    """A wager valued by the program, against a loop over shoes and upcards counted in integers."""
    wager = {"name": "W", "max": "$50", "placed": "after the check", "lines": [{"dealer": "20", "pays": "4.5 to 1"}]}
    sheet = rules("classic", {"wager": [wager]})
    target = targets_of(sheet, ("W",))[0]
    sample = dealt(2, 19, per_shoe=3)
    evs, shares = np.moveaxis(target.values_by_upcard(sheet, sample.cards), 1, 0)
    rounds = ValuedRounds(sample, evs, evs, shares, np.ones(len(evs), np.bool_), DECKS)
    found = cut_gains(rounds, 100, (), None)
    gains, favorable, placed = [], [], []
    for cards in sample.cards.astype(np.int64):
        shoe = Composition(tuple(cards.reshape(13, 4).sum(axis=1).tolist()))
        slow = dict(wager_result(sheet.tables, sheet.tables.wagers[0], shoe).by_upcard)
        seen = [(share, float(slow[v])) for v, share in enumerate(shares_of_upcards(cards), start=1) if v in slow]
        gains.append(sum(share * max(ev, 0) for share, ev in seen))
        favorable.append(sum(share for share, ev in seen if ev > 0))
        placed.append(sum(share for share, _ in seen))
    assert found is not None
    assert found.gain.mean == pytest.approx(100 * np.mean(gains))
    assert found.favorable.mean == pytest.approx(np.sum(favorable) / np.sum(placed))
    assert 0 < found.favorable.mean < 1
    blindly = target.values(sheet, sample.cards) * placed
    assert found.ev.mean == pytest.approx(blindly.sum() / np.sum(placed))
    assert found.gain.mean > 100 * np.maximum(blindly, 0).mean()


def test_a_count_player_has_a_reading_for_each_upcard() -> None:
    """The count sees the wager with both upcards, once upward and once downward."""
    sample = dealt(400, 21)
    evs, shares = by_two_upcards(sample)
    rounds = ValuedRounds(sample, evs, evs, shares, np.ones(len(evs), np.bool_), DECKS)
    tens = Count("tens", tuple(Fraction(-9 if card >= 36 else 4) for card in range(52)))
    found = cut_gains(rounds, CUT, ((tens, False),), None)
    assert found is not None
    count = found.counts[0]
    assert [(one.upcard, one.and_below) for one in count.by_upcard] == [(1, False), (2, True)]
    assert count.bet_at is None
    assert 0.95 * found.gain.mean < count.gain.mean <= found.gain.mean + 1e-12
    assert count.frequency.mean == pytest.approx(found.favorable.mean, rel=0.1)

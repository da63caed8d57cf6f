"""`simulate_count`: rounds by count, money, ruin, and runs that are cut in pieces."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from fractions import Fraction
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest

import holecard
from holecard.counts import CountPlayer, count_of, read_count_player
from holecard.counts.count import count_by_rank
from holecard.counts.ramp import Ramp
from holecard.errors import CountError, Refusal
from holecard.simulation.count_results import CountRow
from holecard.simulation.simulate_count import simulate_count
from holecard.simulation.statistics.estimates import estimate
from tests.selection import rounds

PLAIN = "never bust"
SPREAD = """
count = "hi-lo"
[bets]
"below 2" = 1
"2 and above" = 10
[table]
seats = 2
seat = 2
cut = 80
"""


def test_a_flat_bet_without_plays_is_a_plain_simulation() -> None:
    """The same shoes: net results by count add up to those that `simulate` counts."""
    plain = holecard.simulate("match-up", PLAIN, 20_000, procedure="cut:75", executor=1)
    counted = simulate_count("match-up", "hi-lo", 20_000, strategy=PLAIN, procedure="cut:75", executor=1)
    assert counted.rounds == plain.rounds
    assert counted.main.histogram == plain.main.histogram
    assert counted.main.won.ev == pytest.approx(plain.main.estimate.ev, abs=1e-12)
    assert counted.main.won.standard_error == pytest.approx(plain.main.estimate.standard_error, rel=1e-9)
    for wager, sample in zip(counted.wagers, plain.main.wagers, strict=True):
        placed = {net: count for net, count in sample.histogram.items() if count}
        assert wager.histogram == placed
        assert wager.won.ev == pytest.approx(sample.estimate.ev, abs=1e-12)
    assert sum(row.frequency for row in counted.main.rows) == pytest.approx(1)


def test_the_player_brings_seats_and_the_cut_card() -> None:
    found = simulate_count("classic", read_count_player(SPREAD), 5_000, strategy=PLAIN, executor=1)
    assert found.seats == 2
    assert "80%" in found.procedure
    assert simulate_count("classic", "hi-lo", 100, strategy=PLAIN, executor=1).procedure.count("75%") == 1


def test_high_counts_favor_the_player_and_bets_follow_them() -> None:
    """The edge rises with the count, and a spread wins where a flat bet loses; each by many standard errors."""
    chart = (Path(__file__).parents[1] / "published" / "six-decks-soft-17-hit.txt").as_posix()
    found = simulate_count("classic", read_count_player(SPREAD), rounds(20_000_000), strategy=chart)
    low, high = (estimate(_together(found.main.rows, wanted)) for wanted in (range(-99, -3), range(4, 99)))
    assert high.ev - low.ev > 4 * (high.standard_error + low.standard_error)
    flat = sum((net * count for row in found.main.rows for net, count in row.histogram.items()), Fraction(0))
    assert found.main.won.ev > float(flat / found.rounds)
    assert found.main.average_bet > 1


def _together(rows: tuple[CountRow, ...], readings: range) -> dict[Fraction, int]:
    found: dict[Fraction, int] = {}
    for row in rows:
        for net, count in row.histogram.items() if row.reading in readings else ():
            found[net] = found.get(net, 0) + count
    return found


def test_a_count_of_cards_that_play_alike_gains_nothing() -> None:
    """Tags that only tell tens from tens, which play alike: betting more at high counts wins no more per unit."""
    tags = (*[0] * 9, 1, -1, 1, -1)
    player = CountPlayer(count_by_rank("jacks", tags), Ramp((1,), (Fraction(1), Fraction(2))))
    found = simulate_count("classic", player, rounds(10_000_000), strategy=PLAIN)
    flat = simulate_count("classic", count_by_rank("jacks", tags), rounds(10_000_000), strategy=PLAIN)
    gain = found.main.won.ev - found.main.average_bet * flat.main.won.ev
    assert abs(gain) < 4 * found.main.won.standard_error


def test_a_player_who_waits_bets_only_at_high_counts() -> None:
    text = 'count = "hi-lo"\n[table]\nseats = 3\nenter = 2\nleave = 1'
    found = simulate_count("classic", read_count_player(text), 50_000, strategy=PLAIN, executor=1)
    played = {row.reading: sum(row.histogram.values()) for row in found.main.rows}
    assert all(not count for reading, count in played.items() if reading < 1)
    assert played[1] > 0
    assert found.main.played == sum(played.values()) < found.rounds / 4
    assert found.main.average_bet == pytest.approx(found.main.played / found.rounds)


@pytest.mark.slow
def test_processes_and_chunks_do_not_change_the_result() -> None:
    arguments: dict[str, Any] = {"strategy": PLAIN, "rounds": 30_000, "wagers": ()}
    whole = simulate_count("classic", SPREAD_PLAYER, executor=1, **arguments)
    with ProcessPoolExecutor(2, get_context("spawn")) as pool:
        assert simulate_count("classic", SPREAD_PLAYER, executor=pool, chunk=77, **arguments) == whole


SPREAD_PLAYER = read_count_player(SPREAD)


def test_a_run_is_resumed(tmp_path: Path) -> None:
    file = tmp_path / "run.json"
    arguments: dict[str, Any] = {"strategy": PLAIN, "wagers": (), "executor": 1}
    simulate_count("classic", SPREAD_PLAYER, 10_000, resume=file, **arguments)
    more = simulate_count("classic", SPREAD_PLAYER, 30_000, resume=file, **arguments)
    assert more == simulate_count("classic", SPREAD_PLAYER, 30_000, **arguments)
    with pytest.raises(Refusal, match="other"):
        simulate_count("classic", "zen", 30_000, resume=file, **arguments)


@pytest.mark.parametrize(
    ("other", "words"),
    [
        (
            SPREAD.replace("= 10", "= 12"),
            "bets: 'below 2: 1, 2 and above: 10' there, 'below 2: 1, 2 and above: 12' here",
        ),
        (SPREAD + '[plays]\n"16 v T" = "stand at 0"\n', "index plays: 'none' there, '16 v T: stand at 0' here"),
        (SPREAD + "enter = 1\n", "seat: 'seat 2' there, 'seat 2, enter 1' here"),
        (SPREAD.replace("seat = 2", "seat = 1"), "seat: 'seat 2' there, 'seat 1' here"),
        (SPREAD.replace("seats = 2", "seats = 3"), "seats: 2 there, 3 here"),
        (SPREAD.replace('"hi-lo"', '{ name = "hi-lo", tags = { A = 1, K = -1 } }'), "tags: '-1 1 1 1 1 1 0 0 0 -1"),
    ],
)
def test_a_changed_player_is_named_when_a_run_is_resumed(tmp_path: Path, other: str, words: str) -> None:
    file = tmp_path / "run.json"
    arguments: dict[str, Any] = {"strategy": PLAIN, "wagers": (), "executor": 1, "resume": file}
    simulate_count("classic", SPREAD_PLAYER, 1_000, **arguments)
    with pytest.raises(Refusal) as refused:
        simulate_count("classic", read_count_player(other), 1_000, **arguments)
    assert words in str(refused.value)
    assert "have changed since" not in str(refused.value)


def test_long_plays_that_differ_at_the_end_are_shown_differently(tmp_path: Path) -> None:
    file = tmp_path / "run.json"
    arguments: dict[str, Any] = {"strategy": PLAIN, "wagers": (), "executor": 1, "resume": file}
    text = 'count = "hi-lo"\n[plays]\n' + "\n".join(f'"16 v {card}" = "stand at 0"' for card in "3456789T")
    simulate_count("classic", read_count_player(text), 1_000, **arguments)
    with pytest.raises(Refusal, match="index plays") as refused:
        simulate_count("classic", read_count_player(text[:-2] + '1"'), 1_000, **arguments)
    there, _, here = str(refused.value).partition("index plays: ")[2].partition(" there, ")
    assert there != here.removesuffix(" here")


@pytest.mark.parametrize(
    ("game", "text", "bets", "insured"),
    [
        ("face-up", 'count = "zen"', "always 1 unit, no index plays", "Main wager, in units per round dealt"),
        (
            "classic",
            'count = "zen"',
            "always 1 unit, no index plays",
            "Main wager and insurance (never taken), in units",
        ),
        (
            "classic",
            'count = "zen"\n[bets]\n"below 0" = 2\n"0 and above" = 2\n[plays]\ninsurance = "take at 3"',
            "always 2 units, 1 index play",
            "Main wager and insurance, in units per round",
        ),
        (
            "classic",
            'count = "zen"\n[bets]\n"below 0" = 0\n"0 and above" = 0',
            "nothing, no index plays",
            "(never taken)",
        ),
        (
            "classic",
            'count = "zen"\n[bets]\n"below 0" = 0.5\n"0 and above" = 4',
            "0.5 to 4 units, no index",
            "(never taken)",
        ),
    ],
)
def test_bets_and_insurance_are_said_as_they_are(game: str, text: str, bets: str, insured: str) -> None:
    shown = str(simulate_count(game, read_count_player(text), 500, strategy=PLAIN, wagers=(), executor=1))
    assert bets in shown
    assert insured in " ".join(shown.split())
    assert ("insurance" in shown.lower()) == (game != "face-up")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"procedure": "fresh"}, "dealt down to a cut card"),
        ({"procedure": "shuffler"}, "dealt down to a cut card"),
        ({"procedure": "rounds:10"}, "dealt down to a cut card"),
        ({"procedure": "cut:101"}, "1% to 100%"),
        ({"seats": 8}, "seats"),
        ({"seats": 1}, "has seat 2"),
        ({"bankroll": 0}, "bankroll must be"),
        ({"wagers": ["Pairs"]}, "unknown side wager"),
        ({"wagers": "Pairs"}, "unknown side wager 'Pairs'"),
        ({"wagers": 5}, "names of wagers"),
        ({"seats": 2.0}, "seats must be a whole number such as 2, not 2.0"),
        ({"seed": "a"}, "seed must be a whole number"),
        ({"procedure": 75}, "unknown procedure 75"),
        ({"seats": 0}, "cannot deal to 0 seats; this table has 1 to 7"),
        ({"seats": -1}, "cannot deal to -1 seats"),
        ({"chunk": 0}, "chunk must be 1 or more, not 0; leave it out"),
        ({"chunk": -5}, "chunk must be 1 or more"),
        ({"chunk": 2.5}, "chunk must be a whole number"),
    ],
)
def test_refusals(arguments: dict[str, Any], words: str) -> None:
    with pytest.raises(Refusal, match=words):
        simulate_count("classic", SPREAD_PLAYER, 1000, strategy=PLAIN, executor=1, **arguments)


def test_bets_that_are_too_fine_for_the_sums_are_refused() -> None:
    player = CountPlayer(count_of("hi-lo"), Ramp((1,), (Fraction(1, 100), Fraction(10_000))))
    with pytest.raises(Refusal, match="steps of money"):
        simulate_count("match-up", player, 1000, strategy=PLAIN, executor=1)


def test_a_fixed_payout_is_placed_or_not() -> None:
    text = """count = "hi-lo"\n[wagers."Taxpayer's Fortune"]\n"below 0" = 0\n"0 and above" = 2"""
    with pytest.raises(Refusal, match="bet 0 or 1"):
        simulate_count("upcard-luck-21", read_count_player(text), 1000, strategy=PLAIN, executor=1)


def test_a_bad_file_names_its_lines() -> None:
    with pytest.raises(CountError, match="line 3"):
        simulate_count("classic", read_count_player('count = "hi-lo"\n[plays]\n"16 v T" = "surrender at 1"'), 1000)


def test_a_seat_without_seats_names_its_line() -> None:
    """The file does not say how many seats play, so that one does."""
    with pytest.raises(CountError, match=r"line 3, table.seat: .* has seat 3, but the table has 1 seat;"):
        simulate_count("classic", read_count_player('count = "hi-lo"\n[table]\nseat = 3'), 1000)


def test_insurance_by_a_side_count_is_not_called_refused() -> None:
    """Insured at a main count of 2, and else where the ratio of tens decides: the report names that count."""
    text = """
        count = "hi-lo"
        [plays]
        insurance = "take at 2, take at 1 of tens"
        [side.Tens]
        centered = true
        tags = { "A-9" = 1, T = -2 }
    """
    found = simulate_count("classic", read_count_player(text), 20_000, strategy=PLAIN, executor=1)
    taken = {row["reading"]: row["bet"] for row in found.to_dict()["insurance"]}
    assert {bet for reading, bet in taken.items() if reading >= 2} == {1.0}
    assert {bet for reading, bet in taken.items() if reading < 2} == {None}
    assert [row["bet"] for row in found.to_rows() if row["wager"] == "insurance"] == list(taken.values())
    shown = str(found).partition("Insurance by count")[2].splitlines()
    assert {line.split()[-1] for line in shown if line.strip().startswith("+2 ")} == {"yes"}
    assert {line.split("%")[-1].split("  ")[-1].strip() for line in shown if line.strip().startswith("-1 ")} == {
        "by Tens"
    }


def test_bets_whose_squares_would_overflow_are_refused_in_advance() -> None:
    text = 'count = "hi-lo"\n[bets]\n"below 1" = 580\n"1 and above" = 580.01'
    with pytest.raises(Refusal, match="units in steps of 1/100, sums may overflow after 85,") as refused:
        simulate_count("classic", read_count_player(text), 100_000_000, strategy=PLAIN, wagers=(), executor=1)
    assert "ask for at most that many, or use larger steps" in str(refused.value)


@pytest.mark.parametrize("game", ["side-bets", "match-up"])
def test_results_by_count_add_up_to_what_is_won(game: str) -> None:
    """The mean of every histogram, bets included, is what the shoes won: two ways of counting the same money.

    Insurance is taken often, side wagers pay odds with different denominators and follow a side count, and the player
    sits out many rounds.
    """
    sheet = holecard.rules(game)
    ramps = "".join(
        f'[wagers."{wager.name}"]\ncount = "aces"\n"below 0" = {place}\n"0 and above" = {place + 1}.5\n'
        for place, wager in enumerate(sheet.tables.wagers)
    )
    text = f"""
        count = "hi-lo"
        [bets]
        "below 1" = 1
        "1 and above" = 7.5
        [plays]
        insurance = "take at -1"
        {ramps}
        [side.aces]
        centered = true
        tags = {{ A = -1 }}
        [table]
        enter = 1
        leave = 0
    """
    found = simulate_count(game, read_count_player(text), 30_000, strategy=PLAIN, executor=1)
    assert len(found.wagers) == len(sheet.tables.wagers) > 1
    for bet in (found.main, found.total, *found.wagers):
        mean = sum(net * count for net, count in bet.histogram.items()) / found.rounds
        assert bet.won.ev == pytest.approx(float(mean), abs=1e-12)
        assert bet.won.ev != 0
        assert bet.standard_deviation == pytest.approx(estimate(bet.histogram).standard_deviation)
    assert {bet.count for bet in found.wagers} == {"aces"}
    assert found.total.won.ev == pytest.approx(found.main.won.ev + found.insurance_won.ev, abs=1e-12)
    assert sum(row.frequency for row in found.main.rows) == pytest.approx(1)
    assert 0.05 < found.main.played / found.rounds < 0.95


def test_a_cut_card_before_the_first_round_is_refused_with_its_line() -> None:
    player = read_count_player('count = "hi-lo"\n[table]\ncut = 1', "mine.toml")
    with pytest.raises(CountError, match="leaves no card for a round; place it deeper") as refused:
        simulate_count("lone-deck", player, 1_000, strategy=PLAIN, executor=1)
    assert refused.value.problems[0].line == 3


INSURED = 'count = "hi-lo"\n[bets]\n"below 1" = 1\n"1 and above" = 4\n[plays]\ninsurance = "take at 1"'


def test_the_main_wager_by_count_is_the_same_with_and_without_insurance() -> None:
    """The cards are the same, and insurance changes no play: it has its own table, and the total names both."""
    arguments: dict[str, Any] = {"strategy": PLAIN, "wagers": (), "executor": 1}
    insured = simulate_count("classic", read_count_player(INSURED), 30_000, **arguments)
    without = simulate_count("classic", read_count_player(INSURED.partition("[plays]")[0]), 30_000, **arguments)
    assert insured.main == without.main == replace(without.total, name="main")
    assert insured.insurance_won.ev != 0
    assert insured.insurance_won.ev == pytest.approx(insured.total.won.ev - without.total.won.ev, abs=1e-12)
    assert without.insurance_won.ev == without.insurance_won.standard_error == 0
    for one in (insured, without):
        main = [row for row in one.to_rows() if row["wager"] == "main"]
        assert [row["ev"] for row in main] == [row["ev"] for row in one.to_dict()["main"]["by_count"]]
        assert one.to_dict()["main"] == without.to_dict()["main"]
    tables = (str(one).partition("Main wager by count")[2].partition("Insurance by")[0] for one in (insured, without))
    shown, plain = tables
    assert shown == plain
    assert "Without insurance." in shown


def test_insurance_by_count_adds_up_to_what_it_won() -> None:
    """Insurance that is always taken, for half of a flat bet: its rows, per unit of insurance, are all that it won."""
    text = 'count = "hi-lo"\n[plays]\ninsurance = "take at -99"'
    found = simulate_count("classic", read_count_player(text), 30_000, strategy=PLAIN, wagers=(), executor=1)
    by_count = sum(row.frequency * row.estimate.ev for row in found.insurance)
    assert found.insurance_won.ev == pytest.approx(by_count / 2, abs=1e-12)


def _named(data: object, name: str) -> Iterator[dict[str, Any]]:
    """Yield all objects in JSON data that have a key."""
    if isinstance(data, dict):
        if name in data:
            yield data
        data = list(data.values())
    if isinstance(data, list):
        for one in data:
            yield from _named(one, name)


def test_one_object_has_one_standard_deviation() -> None:
    """That of a round dealt, wherever it stands: no other spread, such as that of shoes, has the name."""
    player = read_count_player(INSURED)
    found = simulate_count("match-up", player, 30_000, strategy=PLAIN, executor=1).to_dict()
    objects = list(_named(found, "won"))
    assert len(objects) == 2 + len(found["wagers"])
    for one in objects:
        assert one["won"]["standard_deviation"] == one["standard_deviation"]


def test_a_wager_that_certainly_loses_has_no_interval() -> None:
    """ "N0 none, 95% interval - or more" says nothing."""
    shown = str(simulate_count("match-up", read_count_player('count = "hi-lo"'), 5_000, strategy=PLAIN, executor=1))
    bonus = " ".join(shown[shown.index("\n3 Card Bonus") :].split())
    assert "N0 none rounds until the win equals its deviation" in bonus
    assert "SCORE 0 dollars per 100 rounds" in bonus

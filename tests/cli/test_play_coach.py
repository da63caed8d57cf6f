"""`holecard play --coach`: hints, what each decision cost, and the session split into house edge, play and luck."""

from __future__ import annotations

import re

import pytest

from holecard.coach.review import review
from holecard.coach.tally import SessionTally
from holecard.exact.evaluate import evaluate
from holecard.table.records.record import read_record
from tests.cli.shell import flat
from tests.cli.terminal import random_answers, run_here, sit
from tests.selection import one_in

#: Seed 3 deals J,4 against 5 with $10 on it: the EVs in cents.
VALUES = {choice.action: 1000 * choice.ev for choice in evaluate("classic", "J,4 v 5").choices}
WORDS = ", ".join(f"{action} {cents:.1f}¢" for action, cents in VALUES.items())
COST = VALUES["stand"] - VALUES["hit"]


def test_a_decision_is_judged_as_soon_as_it_is_made() -> None:
    """To stand with 14 against 5 is right, and to hit costs money."""
    shown, _ = sit("classic", ["10", "s", ""], seed=3, coached=True)
    assert f"Coach: stand is right ({WORDS})" in flat(shown)
    wrong, session = sit("classic", ["10", "h", "s", ""], seed=3, coached=True)
    assert f"Coach: hit cost {COST:.1f}¢: {WORDS}" in flat(wrong)
    assert session.coach is not None
    assert session.coach.tally.skill <= -COST


def test_a_hint_shows_every_action_and_decides_nothing() -> None:
    shown, session = sit("classic", ["10", "e", "s"], seed=3, coached=True)
    assert "[e] hint" in shown
    assert "Coach: stand -160.3¢, hit -320.9¢, double -641.7¢ exact, given that the dealer has no blackjack" in flat(
        shown
    )
    assert len(session.account.decisions) == 1
    without, _ = sit("classic", ["10", "e", "s"], seed=3)
    assert "hint" not in without
    assert "That key does nothing here" in without


def test_every_line_of_a_long_condition_is_indented() -> None:
    shown, session = sit("classic", ["10", "e", "s"], seed=3, coached=True)
    assert session.coach is not None
    lines = session.coach._indented("exact, " + "given that the dealer has no blackjack, " * 5)
    assert len(lines) > 1
    assert all(line.plain.startswith("  ") and len(line.plain) <= session.view.width for line in lines)
    assert "  exact, given" in shown


def test_a_hint_at_the_last_call_shows_what_wagers_cost() -> None:
    shown, _ = sit("quick-pay", ["10", "s", "e", ""], seed=3, coached=True)
    assert re.search(r"Hedge 18\*: costs \d+\.\d¢ per \$1", flat(shown))
    assert "* house table, not printed on the sheet" in flat(shown)


def test_help_about_wagers_says_what_each_costs() -> None:
    shown, _ = sit("match-up", ["?", "10", "0", "0"], coached=True)
    assert "Coach: what each wager costs on average" in flat(shown)
    assert re.search(r"Match Up: costs \d+\.\d¢ per \$1", flat(shown))


def test_the_summary_splits_the_result_and_lists_the_costly_decisions() -> None:
    shown, session = sit("classic", ["10", "h", "h", "h", "", "s", "", "s"], seed=3, coached=True)
    assert session.coach is not None
    sums = session.coach.tally
    assert sums.rounds == session.account.rounds
    assert sums.net == session.account.net
    assert sums.house + sums.skill + sums.luck == pytest.approx(sums.net)
    summary = flat(shown.partition("Session summary")[2])
    assert re.search(r"Coach: \S+ = house \S+, play \S+, luck \S+", summary)
    assert f"Decisions: {sums.right} of {sums.decisions} right" in summary
    assert f"Jc,4d v 5d: hit cost {COST:.1f}¢, best was stand" in summary
    assert "as in the" not in summary  # the comparison with the chart


@pytest.mark.parametrize("game", one_in(5, ["classic", "double-up", "face-up", "quick-pay", "upcard-luck-21"]))
def test_any_answers_are_judged_and_add_up_to_the_reviews_of_the_records(
    game: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("records")
    answers = (key if key != "x" else "e" for key in random_answers(5, 120))
    shown, session = sit(game, answers, seats=2, seed=4, record=folder, coached=True, bankroll="$100000")
    assert max(map(len, shown.splitlines())) <= 80
    assert session.coach is not None
    records = [read_record(path.read_text()) for path in sorted(folder.glob("*.toml"))]
    total = sum((review(record, [1, 2]).tally for record in records), SessionTally())
    counted = session.coach.tally
    assert counted.rounds == total.rounds == session.account.rounds
    assert (counted.net, counted.house) == pytest.approx((total.net, total.house))
    # A round that the player leaves stands by itself; nobody decided that.
    assert counted.decisions <= total.decisions
    assert counted.skill >= total.skill - 1e-6


def test_an_action_that_the_bankroll_cannot_pay_is_not_held_against_the_player() -> None:
    """With $10 in all, doubling is not possible, so that hitting is right where doubling would be better."""
    for seed in range(400):
        shown, _ = sit("classic", ["10", "h", ""], seed=seed, coached=True, bankroll="$10")
        if "double" not in shown and "Coach: hit is right (hit" in flat(shown):
            rich, _ = sit("classic", ["10", "h", ""], seed=seed, coached=True, bankroll="$500")
            if "Coach: hit cost" in flat(rich) and ": double" in flat(rich):
                return
    raise AssertionError("no such hand was dealt")


def test_the_coach_judges_people_only() -> None:
    found = run_here("classic", "--auto", "--coach")
    assert found.exit_code == 2
    assert "--coach judges your own decisions" in found.output

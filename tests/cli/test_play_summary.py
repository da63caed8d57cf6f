"""The summary at the end of a session: hands, money, speed, and the comparison with a chart."""

from __future__ import annotations

import re

import pytest

from holecard import analyze, rules
from holecard.charts.chart import Chart
from holecard.charts.named_strategies import never_bust
from holecard.cli.play.account import Account
from holecard.cli.play.summary import benchmark, summary_lines
from holecard.kernels import cache
from holecard.money import NO_MONEY, Money, signed_dollars
from holecard.table.events import Result
from tests.cli.terminal import sit, text_view


def test_the_summary_counts_hands_and_money() -> None:
    """Two rounds of $10; two hands are too few for a speed."""
    times = iter([0.0, 1800.0])
    shown, session = sit("classic", ["10", "s", "", "s"], seed=3, clock=lambda: next(times))
    account = session.account
    assert f"2 rounds, 2 hands: {account.won} won, {account.lost} lost, {account.pushed} pushed" in shown
    assert account.won + account.lost + account.pushed == 2
    assert (account.won - account.lost) * 1000 == account.net
    assert "hands per hour" not in shown
    assert [line.split() for line in shown.splitlines() if line.startswith("total")] == [
        ["total", "$20", signed_dollars(account.net)]
    ]


def test_speed_is_shown_after_ten_hands() -> None:
    """Ten hands in half an hour are twenty hands an hour."""
    view, account = text_view()[0], Account(1, Money("$500"))
    for hands in range(1, 11):
        account.enter([Result(1, 1, "Bet", Money("$10"), NO_MONEY, "")], 10)
        lines = [line.plain for line in summary_lines(view, rules("classic").tables, account, None, 1800.0)]
        assert ("Speed: 20 hands per hour" in lines) is (hands == 10)


@pytest.mark.parametrize("warm", [False, True])
def test_the_result_is_shown_before_kernels_are_compiled(warm: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits for the compiler to see what was won or lost."""
    monkeypatch.setattr(cache, "is_warm", lambda what: warm and what == "play")
    shown, session = sit("classic", ["10", "s"], seed=3)
    early = f"Total after 1 round: {signed_dollars(session.account.net)}\nThe comparison with the chart follows"
    assert (early in shown.partition("Session summary")[0]) is not warm


def test_the_summary_compares_decisions_and_result_with_a_chart() -> None:
    """Never bust hits hard 11 and less and soft 17 and less; a player who always stands differs on those."""
    answers = [answer for _ in range(12) for answer in ("10", "n", "s", "c")]
    shown, session = sit("classic", answers, seed=5, strategy="never bust")
    decisions = [decision for decision in session.account.decisions if decision.action == "stand"]
    totals = [re.findall(r"\((soft )?(\d+)\)", one.hand)[0] for one in decisions]
    small = [total for soft, total in totals if int(total) <= (17 if soft else 11)]
    assert small
    right, asked = len(session.account.decisions) - len(small), len(session.account.decisions)
    assert f"Decisions: {right} of {asked} as in never bust" in shown
    assert shown.count("you chose stand, the chart says hit") == min(len(small), 5)
    main = price("classic", chart=never_bust(rules("classic").tables))
    expected = Money.cents(round(main * session.account.wagers["Bet"].staked))
    assert any(line.split() == ["expected", signed_dollars(expected)] for line in shown.splitlines())


def price(game: str, chart: Chart) -> float:
    """Return the EV of a chart per unit of initial stake, from the analysis."""
    return analyze(game, strategy=chart, wagers=False).ev


def test_an_action_without_the_money_for_it_is_not_a_mistake() -> None:
    """The chart doubles 11; a seat that cannot pay for it and hits is right."""
    tables = rules("classic").tables
    doubles = Chart.filled(tables, lambda row, _: "DH" if "D" in row.letters else "S" if not row.pair else "-")
    seen = 0
    for seed in range(40):
        _, session = sit("classic", ["5", "n", "h", "s"], bankroll="$5", seed=seed)
        for decision in session.account.decisions:
            if decision.action == "hit":
                seen += 1
                assert doubles.act(decision.view) == "hit"
    assert seen > 10


def expected_result(game: str, stakes: dict[str, str], upcard: int) -> Money:
    """Return the expected result of one round with these wagers and the never-bust strategy."""
    sheet, account = rules(game), Account(1, Money("$500"))
    account.enter([Result(1, 0, name, Money(stake), NO_MONEY, "") for name, stake in stakes.items()], upcard)
    found = benchmark(sheet, account, never_bust(sheet.tables))
    assert found is not None
    assert found.left_out == ()
    return found.expected


def test_a_late_wager_is_expected_to_bring_its_ev_at_that_upcard() -> None:
    """And the companion counts as a part of the initial stake."""
    analysis = analyze("quick-pay", strategy=never_bust(rules("quick-pay").tables))
    hedge = dict(next(wager for wager in analysis.wagers if wager.name == "Hedge 18").by_upcard)[5]
    expected = expected_result("quick-pay", {"Bet": "$10", "Surrender or Play": "$10", "Hedge 18": "$50"}, upcard=5)
    assert expected == round(2000 * analysis.ev + 5000 * float(hedge))


def test_insurance_is_expected_to_bring_its_ev() -> None:
    """With an ace out of six decks 96 of 311 cards are tens, and 2 to 1 is paid: 3 * 96 / 311 - 1."""
    main = expected_result("classic", {"Bet": "$100"}, upcard=1)
    insured = expected_result("classic", {"Bet": "$100", "Insurance": "$50"}, upcard=1)
    assert abs(insured - main - 5000 * (3 * 96 / 311 - 1)) <= 1

"""A session with scripted answers: bets, decisions, money, and records."""

from __future__ import annotations

from pathlib import Path

import pytest

from holecard import games, read_record, replay
from holecard.cli.play import prompts
from holecard.cli.play.prompts import TerminalKeyboard
from tests.cli.shell import flat
from tests.cli.terminal import random_answers, sit
from tests.random_play import UPCARD_WAGERS
from tests.selection import one_in

STAND_ALWAYS = ["s"] * 12


@pytest.mark.parametrize(("game", "seats"), one_in(99, [(game, seats) for seats in (1, 3) for game in games()]))
def test_any_answers_are_accepted_and_lines_stay_within_80_columns(game: str, seats: int) -> None:
    """Whatever is pressed, the session ends with a summary that adds up."""
    for seed in range(2):
        shown, session = sit(game, random_answers(seed, 160), seats=seats, seed=seed)
        assert max(map(len, shown.splitlines())) <= 80
        assert session.account.rounds > 0
        assert "Session summary" in shown
        won = sum(session.account.owns(seat) - session.account.bankroll for seat in range(1, seats + 1))
        assert won == session.account.net == sum(entry.net for entry in session.account.wagers.values())


@pytest.mark.parametrize(
    "settings",
    one_in(
        3,
        [
            {"player.charlie": 5, "dealer.hole_card": "none", "player.double_cards": "any number"},
            {"player.surrender": "early", "dealer.hole_card": "no peek"},
            {"shoe.decks": 1, "shoe.procedure": "continuous shuffler", "table.seats": 3, "insurance.most": "all"},
        ],
    ),
)
def test_other_rules_are_dealt_as_well(settings: dict[str, object]) -> None:
    """Early surrender, no hole card, a Charlie: anything a sheet can say."""
    shown, session = sit("classic", random_answers(1, 200), seats=3, settings=settings)
    assert max(map(len, shown.splitlines())) <= 80
    assert session.account.rounds > 0


def test_side_wagers_show_their_limits_and_need_what_they_need() -> None:
    """A wager that requires another is only offered with it; the main wager limits some side wagers."""
    shown, session = sit("upcard-luck-21", ["20", "30", "20", "1"])
    assert "Upcard Luck ($1 to $20, wins only with 2 to 7 up, 0 for none)" in shown
    assert "Upcard Luck: $30 is more than the main wager; it can be at most $20" in flat(shown)
    assert "Taxpayer's Fortune ($1, a token that you keep, 0 for none)" in shown
    assert session.last[1].sides == {"Upcard Luck": 2000, "Taxpayer's Fortune": 100}
    without, _ = sit("upcard-luck-21", ["20", "0"])
    assert "Taxpayer's Fortune (" not in without


def test_a_bet_outside_the_limits_is_asked_for_again() -> None:
    shown, session = sit("match-up", ["3", "$", "4", "11", "2", "0"])
    assert "Bet: $3 is outside the limits" in shown
    assert "'$' is not an amount of money" in shown
    assert "Match Up: $11 is outside the limits" in shown
    assert (session.last[1].main, session.last[1].sides) == (400, {"Match Up": 200})


def test_enter_bets_the_same_again_at_every_seat() -> None:
    """Including side wagers; a seat that sat out sits out again."""
    answers = ["10", "1", "1", "0", "6", "0", "2", *STAND_ALWAYS[:2], "", *STAND_ALWAYS[:2], ""]
    shown, session = sit("match-up", answers, seats=3, seed=5)
    assert "Seat 2  Bet ($2 to $10 in steps of $2, 0 sits out)" in shown
    assert session.account.rounds == 3  # the third round is settled when the answers end
    assert {seat.number: seat.hands[0].stakes[0] for seat in session.table.state.seats} == {1: 1000, 3: 600}


def test_at_least_one_seat_must_bet() -> None:
    shown, session = sit("classic", ["0", "0", "5", "0", "s"], seats=2)
    assert "At least one seat must bet." in shown
    assert session.account.rounds == 1


def test_at_the_last_call_wagers_are_offered_with_their_odds_of_the_moment() -> None:
    """They are marked as a house table, can be placed one by one, and repeated with one key."""
    answers = ["10", "s", "?", "", "b", "2", "0", "x", "1", "0", "", "s", "a"]
    shown, session = sit("quick-pay", answers, seed=3)
    assert "Last call: the hole card is turned next." in shown
    assert "The dealer shows 5. Hedge 18 pays 13 to 2, Hedge 19 pays 7 to 1" in flat(shown)
    assert "(house table, not printed on the sheet)." in flat(shown)
    assert "Hedge 20 pays 15 to 2 ($1 to $100, 0 for none) [$0]: " in shown
    assert "[a]gain Hedge 18 $2, Hedge 20 $1" in shown
    assert session.account.rounds == 2
    assert session.account.wagers["Hedge 18"].staked == 400
    assert session.account.wagers["Hedge 20"].staked == 200
    assert "Hedge 18*" in shown
    assert "* house table, not printed on the sheet" in shown


def test_a_key_opens_late_wagers_while_the_hand_is_played() -> None:
    """The turn is kept; wagers added at the last call count too, and Enter passes."""
    answers = ["10", "?", "b", "2", "0", "0", "0", "s", "b", "3", "0", "0", "0"]
    shown, session = sit("quick-pay", answers, seed=3)
    assert "su[r]render  [b]et Hedge  [?] help" in shown
    assert (
        "[b]et Hedge: Hedge 18, Hedge 19, Hedge 20, Hedge 21; for seat 1 only, until the hole card is turned"
        in flat(shown)
    )
    assert "Hedge 18 pays 13 to 2 ($1 to $98 more on $2, 0 for none) [$0]: " in shown
    assert "[Enter] no more" in shown
    assert session.account.rounds == 1
    assert session.account.wagers["Hedge 18"].staked == 500
    assert session.account.wagers["Hedge 18"].settled == 1


def test_a_round_has_one_question_for_late_wagers_and_enter_passes() -> None:
    """It comes at the last call, not before the first decision."""
    shown, session = sit("quick-pay", ["10", "s", ""], seed=3)
    assert shown.count("Last call") == 1
    assert session.account.rounds == 1
    assert "Hedge 18" not in session.account.wagers


def test_a_seat_without_money_is_not_asked_for_late_wagers() -> None:
    """It has $10, and the two wagers use all of it: no key, no last call."""
    shown, session = sit("quick-pay", ["5", "b", "s"], bankroll="$10", seed=3)
    assert "[b]et" not in shown
    assert "Last call" not in shown
    assert "That key does nothing here" in shown
    assert session.account.rounds == 1


def test_late_wagers_beyond_the_bankroll_are_refused_and_asked_for_again() -> None:
    """With the key, the decision continues; at the last call the question is repeated."""
    answers = ["5", "b", "9", "0", "0", "0", "s", "b", "9", "0", "0", "0", ""]
    shown, session = sit("quick-pay", answers, bankroll="$15", seed=3)
    assert shown.count("seat 1 has $5 to wager, and this takes $9") == 2
    assert session.account.rounds == 1
    assert "Hedge 18" not in session.account.wagers


@pytest.mark.slow
def test_late_wagers_of_an_earlier_round_are_offered_again_with_their_upcards_only() -> None:
    """With another upcard the same again would be refused."""
    for seed in (2, 4):  # the same again is pressed where the upcard has changed
        shown, _ = sit("classic", random_answers(seed, 200), seed=seed, settings={"wager": UPCARD_WAGERS})
        assert "can be placed now" not in flat(shown)


def test_insurance_offers_half_the_wager() -> None:
    shown, session = sit("match-up", ["10", "0", "0", "i", "9", ""], seed=4)
    assert "[i]nsurance $1 to $5  [n]o insurance" in shown
    assert "Insurance for how much ($1 to $5) [$5]: " in shown
    assert "insurance: $9 is outside the limits" in shown
    assert session.account.wagers["Insurance"].staked == 500


def test_a_double_may_be_for_less_where_the_sheet_says_so() -> None:
    """The full amount is offered; the table states the range."""
    answers = ["10", "0", "0", "d", "11", "4"]
    shown, session = next(
        (shown, session)
        for shown, session in (sit("face-up", answers, seed=seed) for seed in range(200))
        if "Double" in session.account.wagers
    )
    assert "[d]ouble $1 to $10" in shown
    assert "Double for how much ($1 to $10) [$10]: " in shown
    assert "double: $11 is outside the limits" in shown
    assert session.account.wagers["Double"].staked == 400


def test_quick_pay_says_what_it_pays_on_this_total() -> None:
    """The help is built from the table's own cells, companion wager included."""
    shown, session = sit("quick-pay", ["10", "?", "k", ""], seed=5023)
    assert "quic[k] pay: Bet +$5 (Quick Pay on 19: pays 1 to 2)" in shown
    assert "Surrender or Play $0 (Quick Pay on 19: push)" in flat(shown)
    assert session.account.net == 500


def test_double_up_says_what_a_tie_and_a_16_do() -> None:
    shown, _ = sit("double-up", ["10", "0", "?"], seed=29)
    assert "double [u]p: add $10, no card, then stand; tie at 20: loses; dealer has 16: push" in flat(shown)


def test_what_cannot_be_paid_is_not_offered_and_the_reason_is_money() -> None:
    shown, _ = sit("classic", ["5", "d"], bankroll="$5", seed=3)
    assert "[d]ouble" not in shown
    assert "No double: seat 1 has only $0 left to wager." in shown


def test_leaving_in_mid_round_does_not_escape_a_bad_hand() -> None:
    """After a question every hand stands, the round is settled, and lost wagers stay lost."""
    shown, session = sit("match-up", ["10", "5", "5", "q", "q"], seed=5)
    assert "The round is not over: $10 is on the table." in shown
    assert "If you leave now, every hand stands and the round is settled." in shown
    assert session.table.phase == "done"
    assert session.account.rounds == 1
    assert session.account.wagers["Match Up"].net + session.account.wagers["3 Card Bonus"].net == -1000
    assert session.account.owns(1) == session.table.bankroll(1)


@pytest.mark.parametrize("key", ["", "x", "s"])
def test_any_other_key_keeps_playing(key: str) -> None:
    """The question about leaving does not act on the hand."""
    shown, session = sit("classic", ["5", "q", key, "s"], seed=3)
    assert shown.count("[h]it  [s]tand") == 2
    assert [decision.action for decision in session.account.decisions] == ["stand"]


def test_bets_that_were_not_dealt_go_back() -> None:
    """The second seat leaves before the deal."""
    shown, session = sit("classic", ["5", "q"], seats=2)
    assert "The round was not dealt: $5 goes back." in shown
    assert "No round was finished. Bankroll seat 1 $500, seat 2 $500." in shown
    assert session.account.rounds == 0


def test_players_without_money_can_buy_in_again() -> None:
    """The new money joins what is left, at the same table, and play continues."""
    lost, session = next(
        (shown, session)
        for shown, session in (sit("classic", ["5", *"ss", "2", "40", "5"], bankroll="$5", seed=s) for s in range(50))
        if "out of money" in shown and session.account.bankroll == 4500
    )
    assert "You are out of money: the smallest wager takes $5." in lost
    assert "Buy in for, or q to leave [$5]: " in lost
    assert session.account.owns(1) == session.table.bankroll(1)


def test_a_seat_without_money_sits_out_while_others_play() -> None:
    shown = next(
        shown
        for shown, _ in (sit("classic", ["5", "5", *"sss"], seats=2, bankroll="$5", seed=s) for s in range(50))
        if "sits out." in shown
    )
    assert "has $0 and sits out." in shown


def test_a_bet_that_can_no_longer_be_paid_is_asked_for_again() -> None:
    """The smallest wager is then offered."""
    shown = next(
        shown
        for shown, session in (sit("classic", ["7", "s", "s", ""], bankroll="$12", seed=s) for s in range(50))
        if session.account.rounds == 1 and session.account.owns(1) == 500
    )
    assert "seat 1 has $5 to wager, and this takes $7" in shown
    assert shown.rstrip().count("Bet ($5 to $500) [$5]: ") == 2


def test_every_round_is_saved_with_record(tmp_path: Path) -> None:
    shown, session = sit("quick-pay", ["5", "s", "", "", "s", ""], seed=3, record=tmp_path)
    assert session.account.rounds == 2
    for path in sorted(tmp_path.iterdir()):
        assert path.name in shown.replace("\n", "")
        assert replay(read_record(path.read_text(encoding="utf-8")))[-1].phase == "done"
    assert len(list(tmp_path.iterdir())) == 2


def test_a_record_that_cannot_be_written_does_not_end_the_session(tmp_path: Path) -> None:
    in_the_way = tmp_path / "file"
    in_the_way.write_text("", encoding="utf-8")
    shown, session = sit("classic", ["5", "s", "", "s"], seed=3, record=in_the_way)
    assert "The record cannot be written to" in shown
    assert session.account.rounds == 2


def test_the_conditions_of_a_wager_are_said_with_its_limits() -> None:
    """In the question that takes the stake, and in the rules."""
    shown, _ = sit("upcard-luck-21", ["?", "", "5", "1", "1"], seed=3)
    assert "Upcard Luck ($1 to $5, wins only with 2 to 7 up, 0 for none)" in flat(shown)
    assert "Upcard Luck: $1 to $500, at most the main wager, wins only with 2 to 7 up, before the deal." in flat(shown)
    assert "Tax with 2 to 7 up: As Js $5" in flat(shown)
    asked, _ = sit("face-up", ["5", "1", "1"], seed=3)
    assert "2-Card Bonus ($1 to $100, house table, not printed on the sheet, 0 for none)" in flat(asked)


def test_a_question_mark_shows_the_rules() -> None:
    """Before the first bet and after a round."""
    shown, _ = sit("quick-pay", ["?", "", "5", "s", "", "?", ""], seed=3)
    terms = "house table, not printed on the sheet, after the check, at any time until the hole card is turned"
    assert flat(shown).count(f"Hedge 18: $1 to $100, {terms}. Pay table: dealer 18:") == 2
    assert shown.count("Who wins: ") == 2


def test_keys_need_enter_where_single_keys_cannot_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prompts, "_SINGLE_KEYS", False)
    monkeypatch.setattr(TerminalKeyboard, "line", lambda _self, _redraw: "stand")
    assert TerminalKeyboard().key(lambda: None) == "s"

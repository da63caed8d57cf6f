"""`holecard evaluate`: one hand, every legal action in order of EV, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from holecard.kernels import cache
from tests.cli.shell import Shell, flat, read_json

DOCS = Path(__file__).parents[2] / "docs" / "json.md"
SIX_DECKS = "A:24 2:24 3:24 4:24 5:24 6:24 7:24 8:24 9:24 T:24 J:24 Q:24 K:24"


def test_every_legal_action_is_listed_best_first(shell: Shell) -> None:
    """The published values of sixteen against a ten; doubling is legal, surrender and insurance are not."""
    data = read_json(shell("evaluate", "classic", "T,6 v T", "--json"))
    assert [choice["action"] for choice in data["choices"]] == ["hit", "stand", "double"]
    values = {choice["action"]: choice["ev"] for choice in data["choices"]}
    assert values["hit"] == pytest.approx(-0.534675562453, abs=1e-12)
    assert values["stand"] == pytest.approx(-0.540954439019, abs=1e-12)
    assert data["given"] == "given that the dealer has no blackjack"
    assert data["insurance"] is None
    assert data["after_check"] == {}


def test_the_json_has_the_documented_keys_in_order(shell: Shell) -> None:
    """The keys are a stable interface."""
    data = read_json(shell("evaluate", "classic", "T,6 v A", "--set", "decks=8", "--json"))
    head = ["version", "sheet", "game", "decks", "convention", "spot", "given", "choices", "after_check", "insurance"]
    assert list(data) == [*head, "settings", "shoe", "error_bound"]
    assert data["decks"] == 8
    page = DOCS.read_text(encoding="utf-8").partition("## `holecard evaluate")[2]
    assert [key for key in data if f"`{key}`" not in page] == []


def test_the_text_marks_the_best_and_says_its_conditions(shell: Shell) -> None:
    """Twelve decimals, the split convention, and the conditions."""
    out = flat(shell("evaluate", "classic", "7,4 v 6").out)
    assert "7,4 v 6 EV per unit of initial stake, given that the dealer has no blackjack. exact to within " in out
    assert "double +0.675853810625 best" in out
    assert "a fresh shoe each round" in out
    assert "CDZ-" in out


def test_the_error_bound_is_shown(shell: Shell) -> None:
    """One digit in the text, rounded up, and the full number for programs; the known values are within it."""
    bound_in_json = read_json(shell("evaluate", "classic", "T,6 v T", "--json"))["error_bound"]
    assert 0 < bound_in_json < 1e-10
    line = next(line for line in shell("evaluate", "classic", "T,6 v T").out.splitlines() if "exact to within" in line)
    assert line.strip().startswith("exact to within ")
    assert bound_in_json <= float(line.split()[-1]) <= 2 * bound_in_json + 1e-18


@pytest.mark.parametrize(
    ("spot", "what"),
    [("T,6 v T", "evaluate"), ("8,8 v T", "evaluate-pair"), ("T,K v 6", "evaluate-pair"), ("4,4,4 v 9", "evaluate")],
)
def test_what_was_compiled_is_remembered(shell: Shell, monkeypatch: pytest.MonkeyPatch, spot: str, what: str) -> None:
    """A pair needs more kernels than another hand; a refused hand leaves no mark."""
    marked: list[str] = []
    monkeypatch.setattr(cache, "mark_warm", marked.append)
    monkeypatch.setattr(cache, "is_warm", lambda asked: asked != what)
    pairs = " and splits" if what == "evaluate-pair" else ""
    assert f"compiling the kernels for hands{pairs} (once, about " in shell("evaluate", "classic", spot).err
    assert marked == [what]
    assert shell("evaluate", "classic", "K,A v 6").code == 2
    assert marked == [what]


def test_the_text_fits_80_columns(shell: Shell) -> None:
    """With hedge bets, whose fractions are long."""
    out = shell("evaluate", "quick-pay", "T,6 v T").out
    assert max(map(len, out.splitlines())) <= 80


def test_surrender_quick_pay_and_hedge_bets_are_listed(shell: Shell) -> None:
    """Surrender loses half of the two wagers; Quick Pay on a twenty pays 1 to 1 on one of them."""
    data = read_json(shell("evaluate", "quick-pay", "T,6 v T", "--json"))
    values = {choice["action"]: choice["ev"] for choice in data["choices"]}
    assert values["surrender"] == -0.5
    assert set(values) == {"hit", "stand", "double", "surrender"}
    assert list(data["after_check"]) == ["Hedge 18", "Hedge 19", "Hedge 20", "Hedge 21"]
    assert all(hedge["ev"] < 0 for hedge in data["after_check"].values())
    twenty = read_json(shell("evaluate", "quick-pay", "T,T v 9", "--json"))
    assert {c["action"]: c["ev"] for c in twenty["choices"]}["quick pay"] == 0.5
    assert [c["ev"] for c in twenty["choices"]] == sorted((c["ev"] for c in twenty["choices"]), reverse=True)


def test_insurance_is_listed_with_an_ace_up(shell: Shell) -> None:
    """95 tens among 309 unseen cards pay 2 to 1: 3 x 95/309 - 1."""
    data = read_json(shell("evaluate", "classic", "T,6 v A", "--json"))
    assert data["insurance"] == {"ev": pytest.approx(-24 / 309), "exact": "-8/103"}
    assert "= -8/103" in shell("evaluate", "classic", "T,6 v A").out


def test_both_dealer_cards_can_be_given_where_both_are_up(shell: Shell) -> None:
    """A dealer's hard 20 beats 19, and also 20, because ties lose."""
    data = read_json(shell("evaluate", "face-up", "T,9 v T,T", "--json"))
    assert {c["action"]: c["ev"] for c in data["choices"]}["stand"] == pytest.approx(-1, abs=1e-12)
    assert data["given"] == "with both dealer cards face up, not a blackjack"


def test_seen_can_be_given_twice(shell: Shell) -> None:
    """All of the cards are removed, not only those of the last option."""
    asked = ("evaluate", "classic", "T,6 v T", "--json")
    once = read_json(shell(*asked, "--seen", "2,2,5"))
    assert read_json(shell(*asked, "--seen", "2,2", "--seen", "5")) == once


def test_cards_need_no_comma(shell: Shell) -> None:
    """T6 is T,6."""
    asked = ("--set", "decks=2", "--json")
    assert read_json(shell("evaluate", "classic", "T6 v T", *asked)) == read_json(
        shell("evaluate", "classic", "T,6 v T", *asked)
    )


def test_seen_cards_are_out(shell: Shell) -> None:
    """The same as a shoe without them, and not the same as a full shoe."""
    seen = read_json(shell("evaluate", "classic", "T,6 v T", "--seen", "2,2,5", "--json"))
    said = SIX_DECKS.replace("2:24", "2:22").replace("5:24", "5:23")
    shoe = read_json(shell("evaluate", "classic", "T,6 v T", "--shoe", said, "--json"))
    plain = read_json(shell("evaluate", "classic", "T,6 v T", "--json"))
    assert seen["choices"] == shoe["choices"]
    assert seen["choices"] != plain["choices"]
    assert seen["shoe"]["cards"] == 309


@pytest.mark.parametrize(
    ("spot", "options", "says"),
    [
        ("T,6", [], "cannot read 'T,6' as a hand"),
        ("T,6 v", [], "as a hand; write your cards"),
        ("Z,6 v T", [], "'Z' is not a card"),
        ("T v 6", [], "write at least two of your cards"),
        ("T,6 v T,7,8", [], "one dealer card, or two"),
        ("9,9 v T,7", [], "T,7"),
        ("A,T v 6", [], "blackjack"),
        ("K,A v 6", [], "blackjack"),
        ("T,6,9 v 5", [], "25"),
        ("A,A,A,A,A v 6", ["--set", "decks=1"], "A"),
        ("A,6 v T", ["--shoe", "2:9 3:9 6:9 T:9"], "A"),
        ("9,6 v 7", ["--shoe", "2:9 3:9 6:9 9:9"], "7"),
        ("T,6 v T", ["--shoe", "T:2 6:1"], "T"),
        ("T,6 v T", ["--seen", "Zs"], "'Zs' is not a card"),
        ("T,6 v T", ["--seen", " "], "seen: no card is named"),
        ("T,6 v T", ["--shoe", "A:-3"], "-3"),
        ("T,6 v T", ["--shoe", ""], "shoe: no card is named"),
        ("T,6 v T", ["--set", "natral=1"], "did you mean 'natural'"),
    ],
)
def test_an_impossible_hand_is_refused(shell: Shell, spot: str, options: list[str], says: str) -> None:
    """Exit code 2, nothing on standard output, and the message names the card or the setting."""
    ran = shell("evaluate", "classic", spot, *options)
    assert ran.code == 2
    assert ran.out == ""
    assert says in ran.err
    assert "Traceback" not in ran.err


@pytest.mark.parametrize(("spot", "says"), [("9,9 v T", "T"), ("9,9 v A,T", "blackjack"), ("9,9 v A,K", "blackjack")])
def test_where_both_cards_are_up_both_are_required(shell: Shell, spot: str, says: str) -> None:
    """A dealer's natural leaves nothing to decide."""
    ran = shell("evaluate", "face-up", spot)
    assert ran.code == 2
    assert says in ran.err


def test_an_unknown_game_is_refused_with_the_nearest_one(shell: Shell) -> None:
    """The message suggests a name."""
    ran = shell("evaluate", "duble-up", "T,6 v T")
    assert ran.code == 2
    assert "did you mean 'double-up'" in ran.err


def test_a_missing_game_is_bad_input(shell: Shell) -> None:
    """A hand needs rules."""
    ran = shell("evaluate", "T,6 v T")
    assert ran.code == 2
    assert "HAND" in ran.err

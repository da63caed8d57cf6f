"""`holecard bankroll`: text, JSON, the plot, refusals. See tests/simulation/test_bankroll.py for the numbers."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

import holecard
from holecard.kernels import cache
from holecard.simulation.bankroll import projection
from holecard.simulation.bankroll.bankroll_report import CONVENTION
from tests.cli.shell import Shell, flat, read_json
from tests.selection import quick

PAGE = Path(__file__).parents[2] / "docs" / "bankroll.md"
CHART = Path(__file__).parents[1] / "published" / "six-decks-soft-17-hit.txt"
ASKED = ["--bankroll", "$300", "--bet", "$10", "--hours", "2", "--paths", "500"]


# For people


@pytest.mark.parametrize("game", quick(holecard.games(), "double-up"))
def test_every_game_fits_80_columns(shell: Shell, game: str) -> None:
    """Nothing is cut off, and the convention is stated."""
    ran = shell("bankroll", game, *ASKED)
    assert ran.code == 0, ran.err
    assert max(map(len, ran.out.splitlines())) <= 80
    assert "…" not in ran.out
    assert CONVENTION in flat(ran.out)


@pytest.mark.slow
def test_a_large_bankroll_fits_too(shell: Shell) -> None:
    """Every column has amounts of eight digits."""
    ran = shell("bankroll", "classic", "--bankroll", "$12345678", "--bet", "$500", "--hours", "60", "--paths", "10")
    assert max(map(len, ran.out.splitlines())) <= 80
    assert "…" not in ran.out
    assert "$12,345,678" in ran.out


@pytest.mark.slow
def test_what_stands_where(shell: Shell) -> None:
    """The text has the numbers of the JSON."""
    data = read_json(shell("bankroll", "classic", *ASKED, "--json"))
    out = flat(shell("bankroll", "classic", *ASKED).out)
    assert "$300 at $10 per round 160 rounds: 2 hours of 80." in out
    assert f"ruined {100 * data['ruin']['probability']:.4f}% exact to within" in out
    assert f"sampled {100 * data['sampled']['ruined']:.4f}% of 500 paths; standard error" in out
    assert f"ahead {100 * data['end']['ahead']:.4f}% exact; {100 * data['sampled']['ahead']:.4f}% of the sampled" in out
    assert "playing forever certain" in out
    last = data["over_time"][-1]
    row = " ".join(f"${round(cents / 100)}" for cents in last["quantiles"].values())
    assert f"2 {row} {100 * last['ruined']:.4f}%" in out
    edge = data["until_the_edge_shows"]["edge_detectable"]
    assert f"loss distinct from luck {edge['rounds']:,} rounds {edge['hours']:,.0f} hours the 95% interval" in out


@pytest.mark.slow
def test_an_edge_for_the_player_is_described_as_one(shell: Shell) -> None:
    """Ruin is bounded, a gain can be distinguished from luck, and a loss becomes unlikely."""
    words = ["bankroll", "classic", *ASKED, "--set", "settle.natural=2 to 1"]
    data = read_json(shell(*words, "--json"))
    assert data["settings"] == {"settle.natural": "2 to 1"}
    assert data["ev"] > 0
    bounds = data["ruin"]["without_end"]
    assert 0 < bounds["low"] < bounds["high"] < 1
    assert data["ruin"]["probability"] < bounds["high"]
    out = flat(shell(*words).out)
    high, low = (f"{100 * bounds[end]:.4f}%" for end in ("high", "low"))
    assert f"playing forever {high} at most (Lundberg's bound), and at least {low}" in out
    assert "gain distinct from luck" in out
    assert "an overall loss has a probability below 5%" in out


@pytest.mark.slow
def test_both_wagers_of_a_companion_are_said(shell: Shell) -> None:
    """The total stake of a round, and the stake of each wager."""
    out = flat(shell("bankroll", "quick-pay", *ASKED).out)
    assert "$300 at $20 per round, $10 each on Bet and Surrender or Play" in out
    assert "less than $20 for the next bet" in out


@pytest.mark.slow
def test_a_tiny_probability_is_not_shown_as_zero(shell: Shell) -> None:
    """A probability below the error is shown as below it; a small but certain one is shown with its power of ten."""
    out = shell("bankroll", "classic", "--bankroll", "$5000", "--bet", "$10", "--hours", "1", "--paths", "10").out
    assert re.search(r"ruined +under \de-\d+%", out)
    out = shell("bankroll", "classic", "--bankroll", "$700", "--bet", "$10", "--hours", "1.5", "--paths", "10").out
    assert re.search(r"ruined +\d\.\d\de-0\d%", out)


# For programs


def keys_in(page: str) -> list[str]:
    return [
        key for row in re.findall(r"^\| (`.*?) \|", page, flags=re.MULTILINE) for key in re.findall(r"`(\w+)`", row)
    ]


def test_the_json_is_as_documented(shell: Shell) -> None:
    """Every key of every table, in its order."""
    data = read_json(shell("bankroll", "classic", *ASKED, "--json"))
    page = PAGE.read_text(encoding="utf-8").partition("## `holecard bankroll")[2].partition("## In Python")[0]
    main, ruin, sampled = page.partition("\n`ruin`:")[0], *page.partition("\n`ruin`:")[2].split("\n`sampled`:")
    assert list(data) == keys_in(main)
    assert list(data["ruin"]) == keys_in(ruin)
    assert list(data["sampled"]) == keys_in(sampled)
    for part in (data["end"], data["over_time"][0], data["until_the_edge_shows"], data["ruin"]["without_end"]):
        assert "{" + ", ".join(f'"{key}"' for key in part) + "}" in page
    assert '{"mean", "standard_error", "quantiles"}' in page
    assert list(data["sampled"]["drawdown"]) == ["mean", "standard_error", "quantiles"]
    assert list(data["sampled"]["over_time"][0]) == list(data["over_time"][0])
    assert list(data["over_time"][0]["quantiles"]) == re.findall(r'`"(\d+%)"`', page)
    assert list(data["until_the_edge_shows"]["edge_detectable"]) == ["rounds", "hours"]


@pytest.mark.slow
def test_the_json_adds_up(shell: Shell) -> None:
    """Money is in cents, hours follow from the rounds per hour, and both curves have the same points."""
    data = read_json(shell("bankroll", "quick-pay", *ASKED, "--json"))
    assert (data["bankroll"], data["bet"], data["stake"], data["rounds"], data["hours"]) == (30000, 1000, 2000, 160, 2)
    assert data["end"]["ahead"] + data["end"]["even"] + data["end"]["behind"] == pytest.approx(1)
    assert data["over_time"][-1]["ruined"] == data["ruin"]["probability"]
    assert data["ruin"]["without_end"] == {"low": 1.0, "high": 1.0}
    assert data["ruin"]["adjustment"] is None
    exact, sampled = data["over_time"], data["sampled"]["over_time"]
    assert [row["rounds"] for row in exact] == [row["rounds"] for row in sampled] == list(range(0, 161, 20))
    assert all(row["hours"] == row["rounds"] / 80 for row in exact)
    assert set(exact[0]["quantiles"].values()) == {30000}
    assert CONVENTION in data["convention"]


def test_the_same_seed_prints_the_same(shell: Shell) -> None:
    """To the last digit; another seed samples other paths and leaves exact values unchanged."""
    words = ["bankroll", "classic", *ASKED, "--json"]
    first, again, other = shell(*words), shell(*words), read_json(shell(*words, "--seed", "2"))
    assert first.out == again.out
    assert read_json(first)["sampled"]["drawdown"] != other["sampled"]["drawdown"]
    assert read_json(first)["over_time"] == other["over_time"]


@pytest.mark.parametrize("name", ["mimic the dealer", "never bust"])
def test_strategies_are_followed_by_name(shell: Shell, name: str) -> None:
    """They cost several percent."""
    data = read_json(shell("bankroll", "classic", *ASKED, "--strategy", name, "--json"))
    assert data["strategy"] == name
    assert -0.07 < data["ev"] < -0.03


@pytest.mark.slow
def test_optimal_is_not_the_best_chart(shell: Shell) -> None:
    """The published values of composition-dependent play, which is the default, and of total-dependent play."""
    data = read_json(shell("bankroll", "classic", *ASKED, "--strategy", "basic", "--json"))
    assert data["strategy"] == "the best total-dependent chart"
    assert data["ev"] == pytest.approx(-0.0061814880839, abs=5e-14)
    best = read_json(shell("bankroll", "classic", *ASKED, "--json"))
    assert best["strategy"] == "composition-dependent optimum"
    assert best["ev"] == pytest.approx(-0.0061538912292, abs=5e-14)
    assert read_json(shell("bankroll", "classic", *ASKED, "--strategy", "optimal", "--json")) == best


@pytest.mark.slow
def test_a_chart_is_followed_from_its_file(shell: Shell) -> None:
    """The published value of the standard chart."""
    data = read_json(shell("bankroll", "classic", *ASKED, "--strategy", str(CHART), "--json"))
    assert data["ev"] == pytest.approx(-0.0061814880839, abs=5e-14)
    assert data["strategy"] == f"the chart {CHART}"


# The plot


def test_the_plot_is_drawn(shell: Shell, tmp_path: Path) -> None:
    """In addition to the numbers, in text or JSON; the plot shows the settings."""
    file = tmp_path / "out.svg"
    words = ("bankroll", "classic", *ASKED, "--set", "decks=2", "--strategy", "never bust")
    data = read_json(shell(*words, "--plot", str(file), "--json"))
    root = ElementTree.parse(file).getroot()
    drawn = " ".join("".join(root.itertext()).split())
    assert "2 decks" in drawn
    assert f"{100 * data['ruin']['probability']:.2f}% ruined" in drawn
    assert "never bust" in drawn


def test_a_plot_that_cannot_be_written_is_refused(shell: Shell, tmp_path: Path) -> None:
    """An unknown format is refused before anything is computed; a missing folder is named."""
    ran = shell("bankroll", "classic", *ASKED, "--plot", "out.png")
    assert (ran.code, ran.out) == (2, "")
    assert "out.png: the plot is drawn as SVG; end its name in .svg" in ran.err
    ran = shell("bankroll", "classic", *ASKED, "--plot", str(tmp_path / "nowhere" / "out.svg"))
    assert (ran.code, ran.out) == (2, "")
    assert "out.svg: cannot be written: No such file or directory" in ran.err


# Refusals


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--bankroll", "$9"], "a bankroll of $9 does not cover one round, which takes $10"),
        (["--bankroll", "000"], "--bankroll: '000' is zero; write an amount above 0, in quotes if it has a $"),
        (["--bankroll", "-5"], "'-5' is not an amount of money"),
        (["--bet", "0"], "--bet: '0' is zero"),
        (["--bet", "-$10"], "'-$10' is not an amount of money"),
        (["--bet", "$1"], "Bet: $1 is outside the limits, $5 to $500"),
        (["--paths", "0"], "the number of paths must be 2 to 1,000,000, not 0"),
        (["--paths", "-3"], "the number of paths must be 2 to 1,000,000, not -3"),
        (["--hours", "0"], "hours must be more than 0, not 0"),
        (["--rounds-per-hour", "-80"], "rounds per hour must be 1 to 250,000, not -80"),
        (["--confidence", "0"], "confidence must be between 0 and 1"),
        (["--confidence", "1"], "confidence must be between 0 and 1 (0.95 for 95%)"),
        (["--seed", "-1"], "the seed must be a whole number"),
        (["--strategy", "mimick the dealer"], "a chart's file; did you mean 'mimic the dealer'?"),
        (["--strategy", "nowhere.txt"], "'nowhere.txt' is not a strategy's name"),
        (["--set", "natral=1"], "did you mean 'natural'"),
    ],
)
def test_bad_input_is_refused(shell: Shell, options: list[str], says: str) -> None:
    """Exit code 2, nothing on standard output, no traceback."""
    ran = shell("bankroll", "classic", *ASKED, *options)
    assert (ran.code, ran.out) == (2, "")
    assert says in flat(ran.err)
    assert "Traceback" not in ran.err


def test_an_unknown_game_is_refused_with_the_nearest_one(shell: Shell) -> None:
    """The message suggests a name."""
    ran = shell("bankroll", "clasic", *ASKED)
    assert ran.code == 2
    assert "did you mean 'classic'" in ran.err


def test_money_has_to_be_said(shell: Shell) -> None:
    """Neither the bankroll nor the bet has a default."""
    for missing in ("--bankroll", "--bet"):
        words = [word for word in ASKED if word != missing]
        words.pop(ASKED.index(missing))
        ran = shell("bankroll", "classic", *words)
        assert ran.code == 2
        assert missing in ran.err


def test_ctrl_c_ends_it(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    """The exit code is that of an interrupt, and nothing is printed."""

    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(projection, "bankroll", interrupted)
    ran = shell("bankroll", "classic", *ASKED)
    assert (ran.code, ran.out) == (130, "")


# Words


def test_the_help_has_examples(shell: Shell) -> None:
    """`holecard bankroll --help`, and the command is listed."""
    ran = shell("bankroll", "--help")
    assert ran.code == 0
    assert "Examples" in ran.out
    assert "holecard bankroll GAME --bankroll '$1000' --bet '$10'" in flat(ran.out.replace("│", " "))
    assert "bankroll" in shell("--help").out


@pytest.mark.parametrize("warm", [False, True])
def test_the_first_compilation_is_announced(shell: Shell, monkeypatch: pytest.MonkeyPatch, warm: bool) -> None:
    """On standard error, and only if something must be compiled."""
    monkeypatch.setattr(cache, "is_warm", lambda what: warm or what != "bankroll")
    ran = shell("bankroll", "classic", *ASKED, "--json")
    assert ran.code == 0
    assert ("compiling the kernels for bankrolls (once, about" in ran.err) is not warm


def test_the_page_has_the_limits_in_force() -> None:
    """They are the limits that a refusal names."""
    text = flat(PAGE.read_text(encoding="utf-8"))
    assert f"up to {projection.MOST_ROUNDS_AHEAD:,} rounds" in text
    assert f"2 to {projection.MOST_PATHS:,}" in text

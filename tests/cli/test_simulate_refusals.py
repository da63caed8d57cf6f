"""How `holecard simulate` reads a number of rounds, and what it refuses: clearly, early, and without changing files."""

from __future__ import annotations

from pathlib import Path

import pytest

from holecard.cli.arguments import read_rounds
from holecard.errors import Refusal
from holecard.simulation.simulate import MOST_ROUNDS
from tests.cli.shell import Shell, flat
from tests.selection import quick

ROOT = Path(__file__).parents[2]
CHART = ROOT / "tests" / "published" / "six-decks-soft-17-hit.txt"
PAGE = ROOT / "docs" / "simulation.md"
PLAIN = ("--strategy", "never bust")


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Do not wait five seconds for a cluster that does not exist."""
    monkeypatch.setattr("holecard.simulation.run.executors._ANSWER_SECONDS", 0.2)


@pytest.mark.parametrize(
    ("text", "rounds"),
    [
        ("1", 1),
        ("1000000", 10**6),
        ("1_000_000", 10**6),
        ("1,000,000", 10**6),
        ("1e9", 10**9),
        ("1E9", 10**9),
        ("10e6", 10**7),
        ("2.5e6", 2_500_000),
        ("10M", 10**7),
        ("1.5m", 1_500_000),
        ("3k", 3000),
        ("2G", 2 * 10**9),
        ("2B", 2 * 10**9),
        ("1T", 10**12),
        (" 7 ", 7),
        (str(MOST_ROUNDS), MOST_ROUNDS),
    ],
)
def test_rounds_are_read_as_people_write_them(text: str, rounds: int) -> None:
    """Exactly, whatever the size."""
    assert read_rounds(text) == rounds


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("1.5", "not a whole number"),
        ("1.0005k", "not a whole number"),
        ("many", "not a number of rounds"),
        ("", "not a number of rounds"),
        ("-5", "not a number of rounds"),
        ("1e-3", "not a number of rounds"),
        ("nan", "not a number of rounds"),
        ("inf", "not a number of rounds"),
        ("1e999999999", "not a number of rounds"),
        ("²", "not a number of rounds"),
        ("0", "between 1 and"),
        (str(MOST_ROUNDS + 1), "between 1 and 9,223,372,036,854,775,807 rounds"),
        ("1e300", "between 1 and"),
    ],
)
def test_rounds_that_cannot_be_played_are_refused(shell: Shell, text: str, says: str) -> None:
    """The message quotes the text; the exit code is 2."""
    ran = shell("simulate", "classic", "--rounds", text)
    assert (ran.code, ran.out) == (2, "")
    assert says in ran.err
    assert repr(text) in ran.err


def test_a_refusal_of_a_round_is_one() -> None:
    """From Python too."""
    with pytest.raises(Refusal, match="not a whole number"):
        read_rounds("0.5")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--strategy", "never burst"], "did you mean 'never bust'?"),
        (["--strategy", "nowhere.txt"], "'nowhere.txt' is not a strategy's name or a chart's file"),
        (["--strategy", str(PAGE)], "simulation.md"),
        ([*PLAIN, "--seats", "9"], "cannot deal to 9 seats; this table has 1 to 7"),
        ([*PLAIN, "--seats", "0"], "cannot deal to 0 seats"),
        ([*PLAIN, *PLAIN, "--seats", "3"], "2 strategies for 3 seats"),
        ([*PLAIN, "--level", "95"], "level must be between 0 and 1 (0.95 for 95%), not 95.0"),
        ([*PLAIN, "--seed", "-1"], "seed -1 does not fit in 64 bits"),
        ([*PLAIN, "--device", "cuda"], "no CUDA GPU found"),
        ([*PLAIN, "--device", "tpu"], "unknown device 'tpu'"),
        ([*PLAIN, "--executor", "treads:2"], "did you mean 'threads:2'?"),
        ([*PLAIN, "--executor", "threads:0"], "cannot start 0 threads"),
        ([*PLAIN, "--executor", "dask://127.0.0.1:1"], "no Dask scheduler answers at 127.0.0.1:1"),
        ([*PLAIN, "--resume", "nowhere/run.json"], "the resume file nowhere/run.json cannot be written"),
        ([*PLAIN, "--set", "decks=0"], "decks: 0 is not valid"),
        ([*PLAIN, "--procedure", "cut:0"], "the cut card must be at 1% to 100% of the shoe, not 0%"),
        ([*PLAIN, "--wager", "Lucky Ladies"], "unknown side wager 'Lucky Ladies'; this game has none"),
        ([*PLAIN, "--wager", "Luck", "--main-only"], "leave one of them out"),
    ],
)
def test_bad_input_is_refused(shell: Shell, words: list[str], says: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a clear message, exit code 2 and nothing on standard output."""
    monkeypatch.setattr("numba.cuda.is_available", lambda: False)
    ran = shell("simulate", "classic", "--rounds", "1000", *words)
    assert (ran.code, ran.out) == (2, "")
    assert says in flat(ran.err)
    assert "Traceback" not in ran.err


def test_a_chart_of_another_game_is_refused(shell: Shell) -> None:
    """Before anything is played."""
    ran = shell("simulate", "face-up", "--strategy", str(CHART), "--rounds", "1000")
    assert (ran.code, ran.out) == (2, "")
    assert str(CHART) in ran.err


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        (["--seed", "4"], "seed: 3 there, 4 here"),
        (["--strategy", "mimic the dealer"], "strategies"),
        (["--set", "decks=8"], "decks: 6 there, 8 here"),
    ],
)
def test_a_file_of_another_run_is_refused(shell: Shell, tmp_path: Path, changes: list[str], says: str) -> None:
    """The files are never merged; the old one is unchanged."""
    file = tmp_path / "run.json"
    asked = ["simulate", "classic", "--resume", str(file), "--rounds", "1000", "--seed", "3"]
    assert shell(*asked, *PLAIN).code == 0
    before = file.read_bytes()
    ran = shell(*asked, *(changes if "--strategy" in changes else [*PLAIN, *changes]))
    assert (ran.code, ran.out) == (2, "")
    assert says in ran.err
    assert file.read_bytes() == before


def test_a_file_that_is_not_a_resume_file_is_refused(shell: Shell) -> None:
    """And it is not overwritten."""
    text = CHART.read_bytes()
    ran = shell("simulate", "classic", *PLAIN, "--rounds", "1000", "--resume", str(CHART))
    assert ran.code == 2
    assert "is not a resume file" in ran.err
    assert CHART.read_bytes() == text


@pytest.mark.parametrize(
    ("words", "holds"),
    [
        (
            [],
            "already holds 2,000 rounds, but only 100 were requested; ask for 2,000 rounds or more, or name a new file",
        ),
        (
            ["--reduce-variance"],
            "already holds 2,000 rounds, but only 100 were requested; ask for 2,000 rounds or more",
        ),
        (
            ["--procedure", "rounds:7"],
            "already holds 286 shoes, but the 100 rounds requested need only 15; ask for 1,996 rounds or more",
        ),
    ],
    ids=["fresh", "without luck", "shoes"],
)
def test_fewer_rounds_than_a_file_holds_are_refused(shell: Shell, tmp_path: Path, words: list[str], holds: str) -> None:
    """The message states the lowest possible number (285 shoes of seven rounds are fewer than 1,996); the file is
    unchanged.
    """
    file = tmp_path / "run.json"
    asked = ("simulate", "classic", *PLAIN, *words, "--resume", str(file), "--rounds")
    assert shell(*asked, "2000").code == 0
    before = file.read_bytes()
    ran = shell(*asked, "100")
    assert (ran.code, ran.out) == (2, "")
    assert f"{file} {holds}" in ran.err
    least = holds.partition("ask for ")[2].split()[0].replace(",", "")
    assert shell(*asked, str(int(least) - 1)).code == 2
    assert shell(*asked, least).code == 0
    assert file.read_bytes() == before


def test_a_shoe_to_a_cut_card_has_as_many_rounds_as_it_has(shell: Shell, tmp_path: Path) -> None:
    """The stated minimum is correct, although shoes differ in their number of rounds."""
    asked = ("simulate", "classic", *PLAIN, "--procedure", "cut:75", "--resume", str(tmp_path / "run.json"), "--rounds")
    assert shell(*asked, "3000").code == 0
    refused = shell(*asked, "100").err
    least = int(refused.partition("ask for ")[2].split()[0].replace(",", ""))
    assert 2900 < least <= 3000
    assert shell(*asked, str(least)).code == 0
    assert shell(*asked, str(least - 1)).code == 2


# Before anything is computed


@pytest.mark.parametrize("command", quick(["simulate", "simulate --reduce-variance", "verify", "sweep"], "verify"))
@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--executor", "treads:2"), "did you mean 'threads:2'?"),
        (("--executor", "dask://127.0.0.1:1"), "no Dask scheduler answers"),
        (("--device", "tpu"), "device"),
        (("--seed", "-1"), "does not fit in 64 bits"),
    ],
    ids=["no executor", "no cluster", "device", "seed"],
)
def test_impossible_runs_are_refused_before_a_chart_is_computed(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, command: str, words: tuple[str, str], says: str
) -> None:
    """The chart would take seconds."""

    def looked_for(*_: object) -> None:
        raise AssertionError("a chart was looked for")

    monkeypatch.setattr("holecard.simulation.simulate.strategies_of", looked_for)
    monkeypatch.setattr("holecard.simulation.simulate_luck.strategies_of", looked_for)
    for place in ("verify", "sweep"):
        monkeypatch.setattr(f"holecard.simulation.{place}.strategy_of", looked_for)
    name, *option = command.split()
    ran = shell(name, "classic", *option, "--strategy", "basic", "--rounds", "1000", *words)
    assert (ran.code, ran.out) == (2, "")
    assert says in flat(ran.err)


@pytest.mark.parametrize("words", [("--procedure", "cut:0"), ("--wager", "Lucky Ladies"), ("--seats", "9")])
def test_impossible_deals_are_refused_as_early(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, words: tuple[str, str]
) -> None:
    """The exact analysis is not started."""
    monkeypatch.setattr("holecard.exact.strategies.strategy_of", lambda *_: pytest.fail("a chart was looked for"))
    assert shell("simulate", "classic", "--rounds", "1000", *words).code == 2


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--count", "hi-low"), "did you mean 'hi-lo'?"),
        (("--count", "hi-lo", "--reduce-variance"), "leave out --reduce-variance"),
        (("--count", "hi-lo", "--device", "cuda"), "leave out --device"),
        (("--count", "hi-lo", "--strategy", "basic", "--strategy", "never bust"), "leave out the second --strategy"),
        (("--count", "hi-lo", "--procedure", "fresh"), "dealt down to a cut card, as with 'cut:75', not 'fresh'"),
        (("--count", "hi-lo", "--procedure", "shuffler"), "dealt down to a cut card"),
        (("--count", "hi-lo", "--seats", "9"), "seats"),
        (("--count", "hi-lo", "--seats", "0"), "cannot deal to 0 seats; this table has 1 to 7"),
        (("--bankroll", "100"), "--bankroll goes with --count"),
    ],
)
def test_a_count_that_cannot_be_played_is_refused(shell: Shell, words: tuple[str, ...], said: str) -> None:
    refused = shell("simulate", "classic", *words)
    assert refused.code == 2
    assert said in flat(refused.err)


def test_a_count_file_names_the_line_that_is_wrong(shell: Shell, tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('count = "hi-lo"\n\n[bets]\n"below 1" = 1\n"3 and above" = 8\n', encoding="utf-8")
    refused = shell("simulate", "classic", "--count", str(file))
    assert refused.code == 2
    assert "line 5" in refused.err
    assert "no bet for counts 1 to 2" in flat(refused.err)


def test_a_hand_in_two_lines_of_a_count_file_names_both(shell: Shell, tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('count = "hi-lo"\n[plays]\n"16 v T" = "stand at 0"\n"hard 16 v 10" = "hit below 0"\n', "utf-8")
    refused = shell("simulate", "classic", "--count", str(file))
    assert refused.code == 2
    assert "line 4" in refused.err
    assert "also as '16 v T' in line 3" in flat(refused.err)


def test_a_resumed_run_names_the_bets_that_were_changed(shell: Shell, tmp_path: Path) -> None:
    file, run = tmp_path / "mine.toml", tmp_path / "run.json"
    asked = ("simulate", "classic", *PLAIN, "--rounds", "500", "--count", str(file), "--resume", str(run))
    file.write_text('count = "hi-lo"\n[bets]\n"below 1" = 1\n"1 and above" = 8\n', "utf-8")
    assert shell(*asked).code == 0
    file.write_text('count = "hi-lo"\n[bets]\n"below 1" = 1\n"1 and above" = 9\n', "utf-8")
    refused = shell(*asked)
    assert refused.code == 2
    assert "bets: 'below 1: 1, 1 and above: 8' there, 'below 1: 1, 1 and above: 9' here" in flat(refused.err)

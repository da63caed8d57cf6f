"""`holecard counting`: the options reach the computation, and bad input ends with 2."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from holecard.advantage import counting as computed
from holecard.advantage.compare_counting import DEFAULT_COMPARED_SHOES
from holecard.advantage.counting import DEFAULT_SHOES
from tests.cli.shell import Shell, flat, read_json

QUICK = ("counting", "double-up", "--wager", "Bonus 16", "--shoes", "4")


@pytest.mark.slow
def test_options_are_what_the_result_assumes(shell: Shell) -> None:
    found = read_json(
        shell(*QUICK, "--cut", "66", "--decks", "8", "--seats", "2", "--bet", "$50", "--pace", "60", "--json")
    )
    assert (found["cut"], found["decks"], found["seats"], found["bet"], found["pace"]) == (
        66,
        8,
        2,
        5000,
        60,
    )
    assert [one["cut"] for one in found["wagers"][0]["by_cut"]] == [50, 60, 66, 70, 75, 80, 90]


@pytest.mark.slow
def test_the_data_have_what_the_sentence_says(shell: Shell) -> None:
    """Dollars per hour, the best count and the words, as numbers and names; keys of rows are names."""
    (wager,) = read_json(shell(*QUICK, "--shoes", "60", "--json"))["wagers"]
    perfect, best = (wager["dollars_per_hour"][who] for who in ("perfect", "best_count"))
    assert f"only when it pays gains ${perfect['mean']:.2f} an hour" in wager["verdict"]
    assert f"a counter with the best {wager['best_count']} count ${best['mean']:.2f} an hour" in wager["verdict"]
    assert wager["verdict"].endswith(f", not including main bets; {wager['target_words']}.")
    assert 0 < best["standard_error"] < best["mean"]
    for options in ((), ("--decks", "2,6")):
        header = shell(*QUICK, *options, "--format", "csv").out.splitlines()[0].split(",")
        assert all(name.isidentifier() for name in header)
        assert {"unit", "rounds", "rounds_left_out"} <= set(header)


@pytest.mark.slow
@pytest.mark.usefixtures("small_samples")
def test_rounds_with_approximate_values_are_named(shell: Shell) -> None:
    """The last rounds of a single deck have too few cards for the longest round; six decks have enough."""
    one = ("counting", "classic", "--wager", "main", "--shoes", "4")
    alone = flat(shell(*one, "--decks", "1").out)
    assert "had too few cards for the longest round; their EVs are approximate." in alone
    both = flat(shell(*one, "--decks", "1,6").out)
    assert "with 1 deck of the sampled rounds, the last ones of a shoe" in both
    assert "with 6 decks of" not in both


@pytest.mark.slow
def test_a_page_is_written(shell: Shell, tmp_path: Path) -> None:
    file = tmp_path / "counting.html"
    assert shell(*QUICK, "--output", str(file)).code == 0
    assert "<svg" in file.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--cut", "130"), "the cut card must be at 1% to 100%"),
        (("--seats", "9"), "this table has 1 to 7"),
        (("--wager", "Bonis 16"), "did you mean 'Bonus 16'"),
        (("--count", "nothing"), "no count or file has this name"),
        (("--bet", "ten"), "'ten'"),
    ],
)
def test_bad_input_ends_with_two(shell: Shell, options: tuple[str, ...], words: str) -> None:
    ran = shell("counting", "double-up", "--shoes", "4", *options)
    assert (ran.code, ran.out) == (2, "")
    assert words in ran.err


def test_a_bad_count_file_names_its_line(shell: Shell, tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('count = "hi-lo"\n\n[plays]\n"16 v T" = "wave at 0"\n')
    ran = shell("counting", "double-up", "--count", str(file))
    assert ran.code == 2
    assert "line 4" in ran.err


@pytest.fixture
def small_samples(monkeypatch: pytest.MonkeyPatch) -> None:
    """Quick estimates from few shoes."""
    monkeypatch.setattr("holecard.advantage.counting.SAMPLED_SHOES", 200)


@pytest.mark.usefixtures("small_samples")
def test_several_decks_and_seats_are_compared(shell: Shell) -> None:
    """Lists and repeated options mean the same; one number is the report of one table."""
    found = read_json(shell(*QUICK, "--decks", "2,6", "--seats", "1", "--seats", "3", "--json"))
    assert (found["decks"], found["seats"], found["shoes"], found["complete"]) == ([2, 6], [1, 3], 4, True)
    (wager,) = found["wagers"]
    assert [(one["decks"], one["seats"]) for one in wager["tables"]] == [(2, 1), (2, 3), (6, 1), (6, 3)]
    alone = read_json(shell(*QUICK, "--decks", "2", "--seats", "3", "--json"))
    assert wager["tables"][1]["by_cut"] == alone["wagers"][0]["by_cut"]
    assert wager["tables"][1]["verdict"] == alone["wagers"][0]["verdict"]
    assert wager["tables"][1]["sheet"] == alone["sheet"]


@pytest.mark.usefixtures("small_samples")
def test_the_text_has_a_row_for_each_table(shell: Shell) -> None:
    ran = shell(*QUICK, "--decks", "2,6", "--seats", "1,3")
    assert ran.code == 0
    first_table = ran.out.split("Bonus 16\n")[1].split("\n\n")[0]
    assert [line.split()[:2] for line in first_table.splitlines()[3:]] == [
        ["2", "1"],
        ["2", "3"],
        ["6", "1"],
        ["6", "3"],
    ]
    assert "perfect $/hour" in ran.out


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--decks", "2,0"), "decks"),
        (("--decks", "2,x"), "--decks '2,x': write whole numbers"),
        (("--decks", "2,"), "write whole numbers"),
        (("--seats", "1,9"), "cannot deal to 9 seats; this table has 1 to 7"),
        (("--seats", "-1"), "write whole numbers"),
        (("--decks", "2,6", "--format", "svg"), "a comparison of tables has no drawing"),
    ],
)
def test_bad_numbers_of_decks_and_seats_end_with_two(shell: Shell, options: tuple[str, ...], words: str) -> None:
    ran = shell(*QUICK, *options)
    assert (ran.code, ran.out) == (2, "")
    assert words in ran.err


@pytest.mark.usefixtures("small_samples")
def test_ctrl_c_prints_the_tables_that_are_done(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    """The exit code is that of an interrupted command."""
    from holecard.advantage import compare_counting as module

    found = module.compare_counting("double-up", wagers=("Bonus 16",), decks=(2, 6), shoes=4)
    monkeypatch.setattr(module, "compare_counting", lambda *_, **__: replace(found, tables=found.tables[:1]))
    ran = shell(*QUICK, "--decks", "2,6")
    assert ran.code == 130
    assert "Stopped early: 1 of 2 tables are done." in ran.out
    assert "stopped early: 1 of 2 tables are done" in ran.err


def test_the_help_states_the_defaults(shell: Shell) -> None:
    words = flat(shell("counting", "--help").out.replace("│", ""))
    assert f"[default: {DEFAULT_SHOES}, or {DEFAULT_COMPARED_SHOES} for each table of a comparison]" in words


@pytest.mark.parametrize(
    ("progress", "words"), [([], "no value is kept"), ([(0, 2400), (1200, 2400)], "1,200 of 2,400 values are kept")]
)
def test_ctrl_c_says_what_is_kept(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, progress: list[tuple[int, int]], words: str
) -> None:
    def stopped(*_arguments: Any, on_progress: Callable[[int, int], None], **_options: Any) -> None:
        for done, whole in progress:
            on_progress(done, whole)
        raise KeyboardInterrupt

    monkeypatch.setattr(computed, "counting", stopped)
    assert shell(*QUICK) == (130, "", f"stopped: {words}; the same command continues\n")


@pytest.mark.parametrize(
    ("progress", "words"),
    [([], "no value is kept"), ([(0, 0, 240), (0, 120, 2400)], "120 of 2,400 values of the first table are kept")],
)
def test_ctrl_c_before_a_table_is_done_says_what_is_kept(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, progress: list[tuple[int, int, int]], words: str
) -> None:
    """As with a single table."""
    from holecard.advantage import compare_counting as module

    def stopped(*_arguments: Any, on_progress: Callable[[int, int, int], None], **_options: Any) -> None:
        for numbers in progress:
            on_progress(*numbers)
        raise KeyboardInterrupt

    monkeypatch.setattr(module, "compare_counting", stopped)
    assert shell(*QUICK, "--decks", "2,6") == (130, "", f"stopped: {words}; the same command continues\n")


def test_plays_that_the_game_lacks_end_with_two(shell: Shell, tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('count = "hi-lo"\n\n[plays]\n"22 v T" = "stand at 0"\n')
    ran = shell("counting", "double-up", "--count", str(file))
    assert ran.code == 2
    assert "line 4, plays.22 v T" in ran.err


def test_the_help_says_what_a_file_is_used_for(shell: Shell) -> None:
    assert "only the main count is used" in " ".join(shell("counting", "--help").out.replace("│", " ").split())

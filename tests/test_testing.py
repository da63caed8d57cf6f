"""`holecard.testing`, for authors of rule sheets."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from holecard.errors import RecordError, Refusal
from holecard.money import Money
from holecard.testing import check_round, play_script, recorded_rounds, scripted_table

ROUNDS = Path(__file__).parent / "rounds"


def test_a_script_names_seats_where_it_has_to() -> None:
    """Two seats, one of which doubles: 11 and a ten against a dealer's 20, 18 against it."""
    state = play_script("classic", "6s Th Kd 5s 8h Tc Jc", ["double", "seat 2: stand"], bets=["$10", "seat 2: $20"])
    assert [(result.seat, result.wager, str(result.net)) for result in state.results] == [
        (1, "Bet", "$10"),
        (1, "Double", "$10"),
        (2, "Bet", "-$20"),
    ]


@pytest.mark.parametrize(
    ("dealt", "play", "words"),
    [
        ("Ts 7d 9s Tc 5h", "stand", "5h is left over"),
        ("Ts 7d 9s Tc", ["stand", "hit"], "hit is left over"),
        ("Ts 7d 9s Tc", "split", "only two cards of one value can be split"),
        ("Ts 7d 9s Tc", "jump", "is not an action"),
    ],
)
def test_a_script_that_does_not_fit_the_round_is_refused(dealt: str, play: str | list[str], words: str) -> None:
    """Cards and moves are neither ignored nor invented."""
    with pytest.raises(Refusal, match=words):
        play_script("classic", dealt, play)


def test_a_scripted_table_deals_its_cards_and_then_others() -> None:
    """The script is dealt once; the next round comes from the rest of the shoe."""
    table = scripted_table("classic", "As 9d Ks 9c", bankroll="$100")
    table.bet("$10")
    table.deal()
    assert (table.net(), table.bankroll()) == (Money("$15"), Money("$115"))
    table.bet("$10")
    table.deal()
    assert len(table.cards_dealt) >= 4
    assert table.shoe.left <= 6 * 52 - 8


def test_no_shoe_deals_a_card_more_often_than_it_has_it() -> None:
    """One deck has one ace of spades."""
    with pytest.raises(Refusal, match="card 3: As cannot be dealt that many times from a shoe of 1 deck"):
        scripted_table("classic", "As 9d As", settings={"decks": 1})


def test_recorded_rounds_are_found_and_checked() -> None:
    """A file whose payments differ from the rules is refused, and named."""
    table = scripted_table("classic", "Ts 7d 9s Tc")
    table.bet("$10")
    table.deal()
    table.stand()
    text = str(table.record())
    assert check_round(text).results == table.results
    with pytest.raises(RecordError, match=r"the rules pay: .* \+\$10"):
        check_round(text.replace('net = "+$10"', 'net = "+$15"'))


def test_records_are_read_from_files(tmp_path: Path) -> None:
    """In a folder and its subfolders."""
    assert len(recorded_rounds(ROUNDS)) > 50
    file = tmp_path / "deep" / "round.toml"
    file.parent.mkdir()
    file.write_text('game = "classic"\nbets = ["seat 1: $10"]\ncards = "Ts 7d 9s Tc"\nplay = ["seat 1: hit"]\n')
    assert recorded_rounds(tmp_path) == [file]
    with pytest.raises(RecordError, match=r"round\.toml: the cards run out"):
        check_round(file)
    with pytest.raises(RecordError, match=r"round\.toml: the cards run out"):
        check_round(str(file))


def test_the_module_is_found_in_the_package() -> None:
    """After `import holecard` alone; so are the reports."""
    code = "import holecard; print(holecard.testing.check_round.__name__, holecard.report.write.__name__)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["check_round", "write"]

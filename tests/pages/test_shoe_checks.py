"""The browser's check of a shoe agrees with shoes that the server has dealt, and with the check in Python."""

from __future__ import annotations

import json
import random
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import holecard
from holecard.server.game.commands import AddSeed
from tests.pages.programs import ROOT, node
from tests.server.driven_table import BOB, DrivenTable
from tests.server.plain_redeal import plain_problem
from tests.server.test_redeal import _crowded, _dealt_out, cut_short_shoe, documents, plain, voided_shoe
from tests.server.test_verify_shoe import OLD_SHOE

CHECKER = ROOT / "tests" / "pages" / "check_shoes.js"
Document = dict[str, Any]


def outcomes(shoes: Sequence[Document], folder: Path) -> list[list[tuple[str, str, str | None]]]:
    """The lines of each document's check: what was checked, how it ended, and the problem."""
    file = folder / "shoes.jsonl"
    file.write_text("\n".join(map(json.dumps, shoes)), encoding="utf-8")
    done = subprocess.run([node(), str(CHECKER), str(file)], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    return [
        [(check, state, problem) for check, state, problem in json.loads(line)] for line in done.stdout.splitlines()
    ]


def failed(lines: list[tuple[str, str, str | None]]) -> list[tuple[str, str | None]]:
    return [(check, problem) for check, state, problem in lines if state != "passed"]


def test_shoes_of_every_game_pass(tmp_path: Path) -> None:
    shoes: list[Document] = []
    for game in holecard.games(examples=True):
        driven, rng = DrivenTable.open(game), random.Random(game)
        driven.do(AddSeed(seed="sévën ♠"), BOB)
        for _ in range(3):
            driven.play_round(rng)
        shoes += map(plain, documents(driven))
    for procedure in ("cut card", "fresh each round"):
        shoes.append(json.loads(voided_shoe(procedure)))
    for lines in outcomes(shoes, tmp_path):
        assert failed(lines) == []


def test_a_shoe_without_seeds_passes(tmp_path: Path) -> None:
    """Before pages added seeds by themselves, most shoes had none."""
    (lines,) = outcomes([json.loads(OLD_SHOE.read_text(encoding="utf-8"))], tmp_path)
    assert failed(lines) == []


@pytest.mark.slow
def test_shoes_that_run_out_in_mid_round_pass(tmp_path: Path) -> None:
    shoes = [plain(document) for seed in range(4) for document in _crowded(seed)]
    shoes.append(json.loads(_dealt_out()))
    assert any(dealt["restocked"] for shoe in shoes for dealt in shoe["rounds"])
    assert not shoes[-1]["cut_short"]
    for lines in outcomes(shoes, tmp_path):
        assert failed(lines) == []


def test_a_card_of_an_earlier_round_is_not_kept_out_of_the_shoe(tmp_path: Path) -> None:
    """Without it, the server could choose which cards come next."""
    shoe = next(plain(document) for seed in range(9) for document in _crowded(seed) if _restocks(plain(document)))
    restock = next(dealt for dealt in shoe["rounds"] if dealt["restocked"])["restocked"][0]
    kept = [card for card in restock["cards"].split() if card != shoe["burned"]]
    restock["cards"] = " ".join(kept)
    (lines,) = outcomes([shoe], tmp_path)
    assert ("round", "restockKept") in failed(lines)
    assert plain_problem(shoe) == "put back"


def test_each_change_of_a_card_is_found_in_its_round(tmp_path: Path) -> None:
    honest = json.loads(cut_short_shoe())
    changed: list[Document] = []
    expected: list[int] = []
    for round_number, dealt in enumerate(honest["rounds"]):
        cards = dealt["cards"].split()
        for place, card in enumerate(cards):
            other = json.loads(json.dumps(honest))
            swapped = [*cards[:place], "As" if card != "As" else "2s", *cards[place + 1 :]]
            other["rounds"][round_number]["cards"] = " ".join(swapped)
            changed.append(other)
            expected.append(5 + round_number)
    for shoe, place, lines in zip(changed, expected, outcomes(changed, tmp_path), strict=True):
        assert lines[place][1:] == ("failed", "card")
        assert all(state == "passed" for _, state, _ in lines[:place])
        assert all(state == "skipped" for _, state, _ in lines[place + 1 :])
        assert plain_problem(shoe) == "cards"


def test_random_changes_are_found_where_the_check_in_python_finds_them(tmp_path: Path) -> None:
    rng = random.Random(8)
    crowded = next(plain(document) for seed in range(9) for document in _crowded(seed) if _restocks(plain(document)))
    changed = [_tampered(crowded, rng) for _ in range(60)]
    for shoe, lines in zip(changed, outcomes(changed, tmp_path), strict=True):
        assert bool(failed(lines)) == (plain_problem(shoe) is not None or _other_rules(lines)), lines


def _restocks(shoe: Document) -> bool:
    return any(dealt["restocked"] for dealt in shoe["rounds"])


def _other_rules(lines: list[tuple[str, str, str | None]]) -> bool:
    """Whether the browser found what the plain check does not look at: settings, and the numbers of the rounds."""
    return any(problem in ("decks", "cutCard", "burnedCount", "number", "afterVoided") for _, problem in failed(lines))


def _tampered(shoe: Document, rng: random.Random) -> Document:
    """Change one thing at random; sometimes nothing."""
    other: Document = json.loads(json.dumps(shoe))
    dealt = rng.choice(other["rounds"])
    kind = rng.randrange(7)
    if kind == 0:
        other["rounds"].remove(dealt)
    elif kind == 1:
        dealt["cards"] = dealt["cards"][:-3]
    elif kind == 2:
        other["player_seeds"] = [*other["player_seeds"], "more"]
    elif kind == 3:
        other["cut_short"] = not other["cut_short"]
    elif kind == 4:
        dealt["restocked"] = []
    elif kind == 5:
        other["commitment"] = other["commitment"][::-1]
    return other

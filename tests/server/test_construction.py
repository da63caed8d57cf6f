"""The construction of a fair shoe: test vectors computed step by step, equal chances, and what the commitment binds."""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter
from math import sqrt
from pathlib import Path

import pytest

from holecard.server.fairness import construction
from holecard.server.fairness.construction import commitment, draw_number, shoe_key

SEED = bytes(range(32))
SHEET = "ab" * 32


def test_the_commitment_is_the_documented_hash() -> None:
    text = f"holecard-shoe-1\nshoe-7\n{SHEET}\n" + SEED.hex()
    assert commitment(SEED, "shoe-7", SHEET) == hashlib.sha256(text.encode()).hexdigest()


def test_the_key_covers_every_players_seed_as_a_netstring() -> None:
    context = f"holecard-shoe-1\nshoe-7\n{SHEET}\n".encode()
    message = context + b"5:lucky," + b"7:" + "sévën".encode() + b","
    assert shoe_key(SEED, "shoe-7", SHEET, ["lucky", "sévën"]) == hmac.new(SEED, message, "sha256").digest()


@pytest.mark.parametrize("others", [["a", "bc"], ["ab", "c"], ["abc"], [], ["a", "b", "c"]])
def test_two_lists_of_players_seeds_never_share_a_key(others: list[str]) -> None:
    assert (shoe_key(SEED, "s", SHEET, others) == shoe_key(SEED, "s", SHEET, ["a", "bc"])) == (others == ["a", "bc"])


def test_a_draw_is_the_documented_number() -> None:
    key = b"k" * 32
    for draw, left in ((0, 312), (5, 52), (311, 1)):
        block = hmac.new(key, f"draw {draw} attempt 0".encode(), "sha256").digest()
        assert draw_number(key, draw, left) == int.from_bytes(block[:8], "big") % left


def test_a_number_beyond_the_last_multiple_is_drawn_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """With 3 cards left, 2^64 - 1 is such a number; without the second attempt card 0 would come too often."""
    blocks = {b"draw 4 attempt 0": b"\xff" * 32, b"draw 4 attempt 1": bytes(7) + b"\x05" + bytes(24)}
    monkeypatch.setattr(construction.hmac, "digest", lambda _key, message, _name: blocks[message])
    assert draw_number(b"", 4, 3) == 5 % 3


def test_every_card_is_drawn_equally_often() -> None:
    """Chi-square with 51 degrees of freedom: mean 51, deviation sqrt(102); six deviations."""
    drawn = Counter(draw_number(hashlib.sha256(bytes([n % 256, n // 256])).digest(), 3, 52) for n in range(5200))
    chi_square = sum((drawn[card] - 100) ** 2 / 100 for card in range(52))
    assert abs(chi_square - 51) < 6 * sqrt(102)


def test_any_change_breaks_the_commitment() -> None:
    promised = commitment(SEED, "shoe-7", SHEET)
    assert commitment(bytes(32), "shoe-7", SHEET) != promised
    assert commitment(SEED, "shoe-8", SHEET) != promised
    assert commitment(SEED, "shoe-7", "ac" * 32) != promised


def test_without_the_systems_generator_nothing_is_dealt(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_size: int) -> bytes:
        raise OSError("no entropy")

    monkeypatch.setattr(construction.secrets, "token_bytes", broken)
    with pytest.raises(OSError, match="entropy"):
        construction.new_seed()


def test_the_documented_vectors_are_right() -> None:
    """Computed here step by step, with hashlib and hmac alone."""
    page = (Path(__file__).parents[2] / "docs" / "fairness.md").read_text()
    context = f"holecard-shoe-1\nshoe-7\n{SHEET}\n".encode()
    assert hashlib.sha256(context + SEED.hex().encode()).hexdigest() in page
    key = hmac.new(SEED, context + b"5:lucky,7:" + "sévën".encode() + b",", "sha256").digest()
    assert key.hex() in page
    left = sorted(f"{rank:02}{suit}" for rank in range(13) for suit in range(4) for _ in range(6))
    drawn = []
    for draw in range(12):
        number = int.from_bytes(hmac.new(key, f"draw {draw} attempt 0".encode(), "sha256").digest()[:8], "big")
        card = left.pop(number % len(left))
        drawn.append("A23456789TJQK"[int(card[:2])] + "shdc"[int(card[2])])
    assert " ".join(drawn) in page

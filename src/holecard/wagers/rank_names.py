"""Ranks in words, as placards print them: "sevens", "a three and an eight", "3 and 8"."""

from __future__ import annotations

from collections import Counter

from holecard.deck import RANKS

PLURALS = ["aces", "twos", "threes", "fours", "fives", "sixes", "sevens", "eights", "nines"]
PLURALS += ["tens", "jacks", "queens", "kings"]
SINGULARS = [*(word.removesuffix("s") for word in PLURALS)]
SINGULARS[5] = "six"
COUNTED = {"two": 2, "three": 3, "four": 4, "2": 2, "3": 3, "4": 4}
_COUNTS = {2: "two", 3: "three", 4: "four"}


def index_of_rank(word: str) -> int:
    """Return the index in `RANKS` of "seven", "sevens", "7", "7s" or "7's"."""
    for words in (PLURALS, SINGULARS):
        if word in words:
            return words.index(word)
    return RANKS.index(word.removesuffix("s").removesuffix("'").upper().replace("10", "T"))


def with_and(ranks: list[int]) -> str:
    """Return ranks as a sheet writes them: "3 and 8"."""
    return " and ".join(RANKS[rank].replace("T", "10") for rank in ranks)


def ranks_named(ranks: list[int]) -> str:
    """Return ranks in words: "a three and an eight", "three sevens"."""
    named = []
    for rank, times in Counter(ranks).items():
        article = "an" if SINGULARS[rank][0] in "ae" else "a"
        named.append(f"{article} {SINGULARS[rank]}" if times == 1 else f"{_COUNTS.get(times, times)} {PLURALS[rank]}")
    return " and ".join(named)

"""Refusals of phrases that could be read in two ways, each with a spelling for either reading.

Bare numbers up to 10 are ranks on one placard ("3-8 suited", "7 7 7") and totals on another; a comma means "and" to one
reader and "or" to the next. The sheet takes neither.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import NoReturn

from holecard.deck import RANKS
from holecard.errors import Unreadable

PLURALS = ["aces", "twos", "threes", "fours", "fives", "sixes", "sevens", "eights", "nines"]
PLURALS += ["tens", "jacks", "queens", "kings"]
_SINGULARS = [*(word.removesuffix("s") for word in PLURALS)]
_SINGULARS[5] = "six"
_COUNTS = {2: "two", 3: "three", 4: "four"}
_RANK = re.compile(r"10|[2-9tjqka]", re.IGNORECASE)
_MOST = 21


def refuse_commas(text: str) -> None:
    """Refuse a comma in a hand, which may mean "and" or "or"."""
    if "," not in text:
        return
    parts = [" ".join(part.split()) for part in text.split(",")]
    if span := _consecutive(parts):
        raise Unreadable(f"{text!r}: a hand is written without commas; write {span!r}")
    between = " and " if all("match" in part.lower() for part in parts) else " "
    raise Unreadable(
        f"{text!r}: a comma can mean 'and' or 'or'; write {between.join(filter(None, parts))!r} where all of it must "
        "hold, or one line for each hand where one is enough"
    )


def _consecutive(parts: list[str]) -> str:
    """ "hard 9", "10", "11" as the range that was meant; empty where it is something else."""
    first = re.fullmatch(r"((?:(?:hard|soft|total) )?)(\d\d?)", parts[0].lower(), re.ASCII)
    if not first or not all(re.fullmatch(r"\d\d?", part, re.ASCII) for part in parts[1:]):
        return ""
    low, *others = int(first[2]), *map(int, parts[1:])
    if others != list(range(low + 1, low + 1 + len(others))):
        return ""
    kind = first[1] or ("total " if others[-1:] and others[-1] < 11 else "")
    return f"{kind}{low}-{others[-1]}"


def refuse_run(whole: str, start: int, match: re.Match[str], looks_at: int) -> NoReturn:
    """Refuse numbers that may be ranks or totals; `match` holds them after the word for a total, if there is one."""
    kind, run = match[1], match[2]
    numbers = [int(number) for number in re.findall(r"\d+", run)]
    low, high = min(numbers), max(numbers)
    if kind is not None or (10 < high <= _MOST and len(numbers) > 1):
        span = f"{kind} {low}-{high}" if kind else f"{low}-{high}"
        raise Unreadable(f"{whole!r}: a hand has one total; write a range such as {span!r}, or one line for each total")
    digits = "".join(map(str, numbers))
    if high > _MOST and len(digits) == looks_at and not {"0", "1"} & set(digits):
        ranks = [RANKS.index(digit) for digit in digits]
        spelled = _instead(whole, start, match[0], _with_and(ranks))
        raise Unreadable(f"{whole!r}: no hand totals {run}; write {spelled!r} for {_say_ranks(ranks)}")
    if not 2 <= low <= high <= _MOST:
        raise Unreadable(f"{whole!r}: {run!r} is not a total; totals run from 2 to {_MOST}")
    span, amount = (f"{low}", f"of {low}") if low == high else (f"{low}-{high}", f"from {low} to {high}")
    by_total = f"{_instead(whole, start, match[0], f'total {span}')!r} for a total {amount}"
    by_rank = _by_rank(whole, start, match[0], [number - 1 for number in numbers], looks_at)
    raise Unreadable(f"{whole!r}: {run!r} can mean ranks or a total; write {by_rank}, or {by_total}")


def _by_rank(whole: str, start: int, run: str, ranks: list[int], looks_at: int) -> str:
    """How to write the numbers as ranks."""
    if len(ranks) == 1 and re.search(r"\bpair $", whole[:start]):
        spelled = f"{whole[:start]}of {PLURALS[ranks[0]]}{whole[start + len(run) :]}"
        return f"{spelled!r} for {_say_ranks(ranks * 2)}"
    if len(ranks) == looks_at:
        return f"{_instead(whole, start, run, _with_and(ranks))!r} for {_say_ranks(ranks)}"
    example = (ranks + ranks[-1:] * looks_at)[:looks_at]
    every = "both cards" if looks_at == 2 else f"all {_COUNTS[looks_at]} cards"
    return f"the ranks of {every}, as in {_instead(whole, start, run, _with_and(example))!r}"


def refuse_ranks(whole: str, start: int, run: str) -> NoReturn:
    """Refuse ranks that are written without "and", such as "K-Q" or "AJ"."""
    ranks = _ranks_in(run)
    spelled = _instead(whole, start, run, _with_and(ranks))
    raise Unreadable(f"{whole!r}: ranks are written with 'and' between them; write {spelled!r} for {_say_ranks(ranks)}")


def refuse_and_or(whole: str, word: str) -> None:
    """Refuse "and" and "or" between whole hands: a placard's "pairs and naturals" means either of them."""
    if word == "or":
        raise Unreadable(f"{whole!r}: a line names one hand; write one line for each hand, with the same odds")
    if word in ("and", "&", "+"):
        raise Unreadable(
            f"{whole!r}: 'and' stands between ranks ('3 and 8') and between matches only; write words side by side "
            "where all of them must hold ('suited pair'), or one line for each hand where one is enough"
        )


def _instead(whole: str, start: int, run: str, words: str) -> str:
    """The phrase with other words in place of `run`."""
    return f"{whole[:start]}{words}{whole[start + len(run) :]}"


def _ranks_in(run: str) -> list[int]:
    return [RANKS.index(rank.upper().replace("10", "T")) for rank in _RANK.findall(run)]


def _with_and(ranks: list[int]) -> str:
    return " and ".join(RANKS[rank].replace("T", "10") for rank in ranks)


def _say_ranks(ranks: list[int]) -> str:
    """ "a three and an eight", "three sevens"."""
    said = []
    for rank, times in Counter(ranks).items():
        article = "an" if _SINGULARS[rank][0] in "ae" else "a"
        said.append(f"{article} {_SINGULARS[rank]}" if times == 1 else f"{_COUNTS.get(times, times)} {PLURALS[rank]}")
    return " and ".join(said)

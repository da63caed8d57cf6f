"""Refusals of phrases that could be read in two ways, each with a spelling for either reading.

Bare numbers up to 10 are ranks on one placard ("3-8 suited", "7 7 7") and totals on another; a comma means "and" to one
reader and "or" to the next. A sheet accepts neither. Every spelling that a refusal offers can be read.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from typing import NoReturn, TypeAlias

from holecard.deck import RANKS
from holecard.errors import Unreadable

#: Whether a phrase can be read. Refusals offer no other spellings.
Reads: TypeAlias = Callable[[str], bool]

PLURALS = ["aces", "twos", "threes", "fours", "fives", "sixes", "sevens", "eights", "nines"]
PLURALS += ["tens", "jacks", "queens", "kings"]
_SINGULARS = [*(word.removesuffix("s") for word in PLURALS)]
_SINGULARS[5] = "six"
_EXAMPLES = "a total such as 'hard 9-11', ranks such as '3 and 8', or words such as 'suited pair'"
_COUNTS = {2: "two", 3: "three", 4: "four"}
_RANK = re.compile(r"10|[2-9tjqka]", re.IGNORECASE)
_MOST = 21
_COUNTED = {"two": 2, "three": 3, "four": 4, "2": 2, "3": 3, "4": 4}
#: What placards print, as a pattern, and how a sheet writes it.
_PLACARD_WORDS: dict[str, Callable[[re.Match[str]], list[str]]] = {
    r"\b([234]) of a kind\b": lambda match: [{"2": "pair", "3": "three of a kind", "4": "four of a kind"}[match[1]]],
    r"\b(?:2|two) pairs?\b(?! of)": lambda _: ["two pair"],
    r"\b([0-2]) match(?:es)?\b": lambda match: _kinds_of_match(match),
    r"\b(\d\d?) (?:to|through|thru) (\d\d?)\b": lambda match: _range(match),
    rf"\b({'|'.join(_COUNTED)}) ({'|'.join(PLURALS)})\b": lambda match: _ranks_in_words(match),
}


def refuse_commas(text: str, reads: Reads) -> None:
    """Refuse a comma in a hand, which can mean "and" or "or"."""
    if "," not in text:
        return
    parts = [" ".join(part.split()) for part in text.split(",")]
    span = _consecutive(parts)
    if span and reads(span):
        raise Unreadable(f"{text!r}: a hand is written without commas; write {span!r}")
    between = " and " if all("match" in part.lower() for part in parts) else " "
    together = between.join(filter(None, parts))
    all_of_it = f"{together!r} if all of it must match, or " if reads(together) else ""
    raise Unreadable(
        f"{text!r}: a comma can mean 'and' or 'or'; write {all_of_it}one line for each hand if any of them pays"
    )


def refuse_placard_words(text: str, reads: Reads) -> None:
    """Refuse what placards print and a sheet writes in other words, with these words."""
    whole = " ".join(text.lower().split())
    if " or " in f" {whole} ":
        raise Unreadable(f"{whole!r}: a line names one hand; write one line for each hand, with the same odds")
    for pattern, instead in _PLACARD_WORDS.items():
        for match in re.finditer(pattern, whole):
            spellings = [f"{whole[: match.start()]}{words}{whole[match.end() :]}" for words in instead(match)]
            known = [repr(spelled) for spelled in spellings if reads(spelled)]
            if known:
                raise Unreadable(f"{whole!r}: {match[0]!r} is not a hand; write {' or '.join(known)}")


def _ranks_in_words(match: re.Match[str]) -> list[str]:
    """Read "three sevens" as ranks, or as a pair."""
    number, rank = _COUNTED[match[1]], PLURALS.index(match[2])
    return [_with_and([rank] * number), f"pair of {match[2]}" if number == 2 else ""]


def _range(match: re.Match[str]) -> list[str]:
    """Read "9 to 11" as a range of totals."""
    span = f"{match[1]}-{match[2]}"
    return [span] if int(match[2]) > 10 else [f"total {span}"]


def _kinds_of_match(match: re.Match[str]) -> list[str]:
    number = match[1]
    ending = "match" if number == "1" else "matches"
    mixed = ["1 suited match and 1 unsuited match"] if number == "2" else []
    return [f"{number} suited {ending}", f"{number} unsuited {ending}", *mixed]


def _consecutive(parts: list[str]) -> str:
    """Read "hard 9", "10", "11" as the range that was meant; return "" if it is something else."""
    first = re.fullmatch(r"((?:(?:hard|soft|total) )?)(\d\d?)", parts[0].lower(), re.ASCII)
    if not first or not all(re.fullmatch(r"\d\d?", part, re.ASCII) for part in parts[1:]):
        return ""
    low, *others = int(first[2]), *map(int, parts[1:])
    if others != list(range(low + 1, low + 1 + len(others))):
        return ""
    kind = first[1] or ("total " if others[-1:] and others[-1] < 11 else "")
    return f"{kind}{low}-{others[-1]}"


def refuse_run(whole: str, start: int, match: re.Match[str], looks_at: int, reads: Reads) -> NoReturn:
    """Refuse numbers that can be ranks or totals; `match` holds them after the word for a total, if there is one."""
    kind, run = match[1], match[2]
    numbers = [int(number) for number in re.findall(r"\d+", run)]
    low, high = min(numbers), max(numbers)
    if kind is not None or (10 < high <= _MOST and len(numbers) > 1):
        span = f"{kind} {low}-{high}" if kind else f"{low}-{high}"
        as_range = f"a range such as {span!r}, or " if reads(span) else ""
        raise Unreadable(f"{whole!r}: a hand has one total; write {as_range}one line for each total")
    digits = "".join(map(str, numbers))
    if high > _MOST and len(digits) == looks_at and not {"0", "1"} & set(digits):
        ranks = [RANKS.index(digit) for digit in digits]
        spelled = _instead(whole, start, match[0], _with_and(ranks))
        if reads(spelled):
            raise Unreadable(f"{whole!r}: no hand totals {run}; write {spelled!r} for {_ranks_named(ranks)}")
    if not 2 <= low <= high <= _MOST:
        raise Unreadable(f"{whole!r}: {run!r} is not a total; totals run from 2 to {_MOST}")
    span, amount = (f"{low}", f"of {low}") if low == high else (f"{low}-{high}", f"from {low} to {high}")
    total = _instead(whole, start, match[0], f"total {span}")
    by_total = [f"{total!r} for a total {amount}"] if reads(total) else []
    by_rank = _by_rank(whole, start, match[0], [number - 1 for number in numbers], looks_at, reads)
    if not by_rank and not by_total:
        raise Unreadable(f"{whole!r}: {run!r} is not a hand; write {_EXAMPLES}")
    raise Unreadable(f"{whole!r}: {run!r} can mean ranks or a total; write {', or '.join([*by_rank, *by_total])}")


def _by_rank(whole: str, start: int, run: str, ranks: list[int], looks_at: int, reads: Reads) -> list[str]:
    """Return the numbers written as ranks, if they can be."""
    if len(ranks) == 1 and re.search(r"\bpair $", whole[:start]):
        spelled = f"{whole[:start]}of {PLURALS[ranks[0]]}{whole[start + len(run) :]}"
        return [f"{spelled!r} for {_ranks_named(ranks * 2)}"] if reads(spelled) else []
    example = (ranks + ranks[-1:] * looks_at)[:looks_at]
    spelled = _instead(whole, start, run, _with_and(example))
    if not reads(spelled):
        return []
    if len(ranks) == looks_at:
        return [f"{spelled!r} for {_ranks_named(ranks)}"]
    every = "both cards" if looks_at == 2 else f"all {_COUNTS[looks_at]} cards"
    return [f"the ranks of {every}, as in {spelled!r}"]


def refuse_ranks(whole: str, start: int, run: str, looks_at: int, reads: Reads) -> NoReturn:
    """Refuse ranks that are written without "and", such as "K-Q" or "AJ"."""
    spelled = _by_rank(whole, start, run, _ranks_in(run), looks_at, reads)
    raise Unreadable(f"{whole!r}: ranks are written with 'and' between them; write {(spelled or [_EXAMPLES])[0]}")


def refuse_and(whole: str, word: str) -> None:
    """Refuse "and" between whole hands: a placard's "pairs and naturals" means either of them."""
    if word in ("and", "&", "+"):
        raise Unreadable(
            f"{whole!r}: 'and' stands only between ranks ('3 and 8') and between matches; write words side by side "
            "if all of them must match ('suited pair'), or one line for each hand if any of them pays"
        )


def _instead(whole: str, start: int, run: str, words: str) -> str:
    """Return the phrase with other words in place of `run`."""
    return f"{whole[:start]}{words}{whole[start + len(run) :]}"


def _ranks_in(run: str) -> list[int]:
    return [RANKS.index(rank.upper().replace("10", "T")) for rank in _RANK.findall(run)]


def _with_and(ranks: list[int]) -> str:
    return " and ".join(RANKS[rank].replace("T", "10") for rank in ranks)


def _ranks_named(ranks: list[int]) -> str:
    """Return ranks in words: "a three and an eight", "three sevens"."""
    named = []
    for rank, times in Counter(ranks).items():
        article = "an" if _SINGULARS[rank][0] in "ae" else "a"
        named.append(f"{article} {_SINGULARS[rank]}" if times == 1 else f"{_COUNTS.get(times, times)} {PLURALS[rank]}")
    return " and ".join(named)

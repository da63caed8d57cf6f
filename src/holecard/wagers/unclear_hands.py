"""Refusals of phrases that could be read in two ways, each with a spelling for either reading.

Bare numbers up to 10 are ranks on one placard ("3-8 suited", "7 7 7") and totals on another; a comma means "and" to one
reader and "or" to the next. A sheet accepts neither. Every spelling that a refusal offers can be read.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NoReturn, TypeAlias

from holecard.deck import RANKS
from holecard.errors import Unreadable, part_of
from holecard.wagers.rank_names import PLURALS, ranks_named, with_and

#: Whether a phrase can be read. Refusals offer no other spellings.
Reads: TypeAlias = Callable[[str], bool]

_EXAMPLES = "a total such as 'hard 9-11', ranks such as '3 and 8', or words such as 'suited pair'"
_COUNTS = {2: "two", 3: "three", 4: "four"}
_RANK = re.compile(r"10|[2-9tjqka]", re.IGNORECASE)
_LISTED = re.compile(r"\b(?:\d\d?|[tjqka])(?:\s*,\s*(?:\d\d?|[tjqka]))+\b", re.IGNORECASE | re.ASCII)
_MOST = 21


def refuse_listed_ranks(text: str, looks_at: int, reads: Reads) -> None:
    """Refuse ranks or totals with commas between: "6, 7, 8" can be three ranks, or any of three totals."""
    match = _LISTED.search(text)
    if not match:
        return
    ranks, span = _ranks_in(match[0]), _consecutive([" ".join(part.split()) for part in text.split(",")])
    by_rank = _instead(text, match.start(), match[0], with_and(ranks))
    if reads(by_rank):
        or_total = f", or {span!r} for any of these totals" if span and reads(span) else ""
        raise Unreadable(
            f"{text!r}: a hand is written without commas; write {by_rank!r} for {ranks_named(ranks)}{or_total}"
        )
    if not span or not reads(span):
        return
    are_ranks = span.startswith("total") and len(ranks) > 2
    names = f"; as ranks it names {len(ranks)} cards, but this wager looks at {looks_at}" if are_ranks else ""
    raise Unreadable(f"{text!r}: a hand is written without commas; write {span!r} for any of these totals{names}")


def refuse_commas(text: str, reads: Reads) -> None:
    """Refuse a comma in a hand, which can mean "and" or "or"."""
    if "," not in text:
        return
    parts = [" ".join(part.split()) for part in text.split(",")]
    between = " and " if all("match" in part.lower() for part in parts) else " "
    together = between.join(filter(None, parts))
    all_of_it = f"{together!r} if all of it must match, or " if reads(together) else ""
    raise Unreadable(
        f"{text!r}: a comma can mean 'and' or 'or'; write {all_of_it}one line for each hand if any of them pays"
    )


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
        spelled = _instead(whole, start, match[0], with_and(ranks))
        if reads(spelled):
            raise Unreadable(f"{whole!r}: no hand totals {run}; write {spelled!r} for {ranks_named(ranks)}")
    if not 2 <= low <= high <= _MOST:
        raise Unreadable(f"{part_of(whole, run)} is not a total; totals run from 2 to {_MOST}")
    span, amount = (f"{low}", f"of {low}") if low == high else (f"{low}-{high}", f"from {low} to {high}")
    total = _instead(whole, start, match[0], f"total {span}")
    by_total = [f"{total!r} for a total {amount}"] if reads(total) else []
    by_rank = _by_rank(whole, start, match[0], [number - 1 for number in numbers], looks_at, reads)
    if not by_rank and not by_total:
        raise Unreadable(f"{part_of(whole, run)} is not a hand; write {_EXAMPLES}")
    raise Unreadable(f"{part_of(whole, run)} can mean ranks or a total; write {', or '.join([*by_rank, *by_total])}")


def _by_rank(whole: str, start: int, run: str, ranks: list[int], looks_at: int, reads: Reads) -> list[str]:
    """Return the numbers written as ranks, if they can be."""
    if len(ranks) == 1 and re.search(r"\bpair $", whole[:start]):
        spelled = f"{whole[:start]}of {PLURALS[ranks[0]]}{whole[start + len(run) :]}"
        return [f"{spelled!r} for {ranks_named(ranks * 2)}"] if reads(spelled) else []
    example = (ranks + ranks[-1:] * looks_at)[:looks_at]
    spelled = _instead(whole, start, run, with_and(example))
    if not reads(spelled):
        return []
    if len(ranks) == looks_at:
        return [f"{spelled!r} for {ranks_named(ranks)}"]
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

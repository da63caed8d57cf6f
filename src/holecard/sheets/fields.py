"""The types of values in a sheet: odds, money, totals, upcards and names. Each value is checked when it is read."""

from __future__ import annotations

import re
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema

from holecard.deck import RANKS, value_name, value_of
from holecard.errors import Unreadable, part_of
from holecard.hands import totals
from holecard.money import dollars, money
from holecard.odds import payable, spell
from holecard.wagers.rank_names import PLURALS, SINGULARS, index_of_rank


class SheetSection(BaseModel):
    """A section of a sheet: frozen, and without unknown keys."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=False)


def none_if_written(value: object) -> object:
    """Return None for "none", because TOML has no null value."""
    return None if value == "none" else value


class FrozenTable(dict[str, Any]):
    """A table in a sheet that cannot be changed and can be hashed."""

    def _refuse(self, *_: object, **__: object) -> Any:
        raise TypeError("a sheet cannot be changed; use rules(sheet, settings) to make another one")

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse

    def __hash__(self) -> int:  # type: ignore[override]  # a dict has none because it can change
        return hash(frozenset(self.items()))

    def __reduce__(self) -> tuple[type[FrozenTable], tuple[dict[str, Any]]]:
        return FrozenTable, (dict(self),)


Frozen = AfterValidator(FrozenTable)


def _odds(text: str) -> str:
    return spell(payable(text))


def _odds_or_none(text: str) -> str:
    if text == "none":
        return text
    try:
        return _odds(text)
    except Unreadable as refused:
        raise Unreadable(f"{refused}, or 'none'") from None


def _money(amount: object) -> str:
    if not isinstance(amount, str | int):
        raise Unreadable(f"{amount!r} is not an amount of money; write '$5' or '$2.50'")
    return dollars(money(amount))


def _pays(text: str) -> str:
    return _money(text) if text.lstrip().startswith("$") else _odds(text)


def _totals(text: str) -> str:
    return totals(text).text


def upcards(text: str) -> frozenset[int]:
    """Return the card values that a phrase names: "any", "2-7", "A, T".

    >>> sorted(upcards("2-4, A"))
    [1, 2, 3, 4]
    """
    if text.strip().lower() == "any":
        return frozenset(range(1, 11))
    found: set[int] = set()
    for part in text.split(","):
        low, dash, high = part.partition("-")
        first, last = (_upcard(word, text) for word in (low, high if dash else low))
        if first > last:
            raise Unreadable(f"{part.strip()!r}: write the lower upcard first; an ace is written alone, as in '2-7, A'")
        found.update(range(first, last + 1))
    return frozenset(found)


def _upcard(word: str, whole: str) -> int:
    """Return the value of one upcard, which is written as a rank without a suit; T is every ten-value card."""
    rank = word.strip()
    if rank.lower() == "any":
        raise Unreadable(f"{whole!r}: write 'any' alone, because it is every upcard")
    if _RANK.fullmatch(rank):
        if rank.upper() in _TENS:
            raise Unreadable(f"{part_of(whole, rank)} is not an upcard of its own; write {_EVERY_TEN}")
        return value_of(rank)
    if _RANK.fullmatch(rank[:-1]) and rank[-1:].lower() in "shdc♠♥♦♣":
        alone = _EVERY_TEN if rank[:-1].upper() in _TENS else repr(rank[:-1])
        raise Unreadable(f"{whole!r}: an upcard is a rank without a suit; write {alone}")
    if spelled := _in_sheet_words(rank.lower()) or _in_sheet_words(whole.strip().lower()):
        raise Unreadable(f"{part_of(whole, rank)} is not written like this; write {spelled}")
    missing = part_of(whole, rank) if rank else f"{whole!r}: nothing"
    raise Unreadable(f"{missing} is not an upcard; write 'any', ranks such as '7' or 'A, T', or '2-7'")


def _in_sheet_words(words: str) -> str:
    """Return how a sheet writes "ace", "tens", "2 to 7" or "A or T"; empty for anything else."""
    if words in (*SINGULARS, *PLURALS):
        rank = index_of_rank(words)
        return _EVERY_TEN if RANKS[rank] in _TENS else repr(value_name(min(10, 1 + rank)))
    if words in ("all", "every", "every upcard", "any upcard"):
        return "'any'"
    if re.fullmatch(r"(?:any |every )?(?:tens?|faces?|face cards?|pictures?|picture cards?|ten[ -]values?)", words):
        return _EVERY_TEN
    if words in ("1", "11"):
        return "'A'"
    listed = re.sub(r" ?(?:\bor\b|\band\b|[/&;+]) ?(?!$)", ", ", words)
    spelled = re.sub(r"(?<=[\dtj]) ?(?:to|through|thru|[–—−]) ?(?=[\dt])", "-", listed)
    return repr(spelled.upper()) if spelled != words and _LISTED.fullmatch(spelled) else ""


def _upcards(text: str) -> str:
    upcards(text)
    return text


def _named(name: str, pattern: str, *examples: str) -> WithJsonSchema:
    """Return the name of a type in editors and docs/sheets.md."""
    return WithJsonSchema({"title": name, "type": "string", "pattern": pattern, "examples": list(examples)})


#: Ranks with the value of a ten, which no wager can tell from a ten.
_TENS = ("J", "Q", "K")
_LISTED = re.compile(r"(?:10|[2-9ta])(?:(?:, |-)(?:10|[2-9ta]))*", re.ASCII)
_EVERY_TEN = "'T' for every ten-value card"
_RANK = re.compile(r"10|[2-9TJQKA]", re.IGNORECASE | re.ASCII)
_ODDS = r"\d+(\.\d+)? ?(to|:) ?\d+|push|lose|lose half|even money|win"
_TOTAL = r"((hard|soft) )?\d+(-\d+)?"

OddsText = Annotated[str, AfterValidator(_odds), _named("odds", rf"^({_ODDS})$", "3 to 2", "push", "lose half")]
OddsOrNone = Annotated[
    str, AfterValidator(_odds_or_none), _named('odds or `"none"`', rf"^({_ODDS}|none)$", "2 to 1", "none")
]
MoneyText = Annotated[
    str,
    BeforeValidator(_money),
    WithJsonSchema({"title": "money", "type": ["string", "integer"], "examples": ["$5", "$2.50", 10]}),
]
PaysText = Annotated[
    str,
    AfterValidator(_pays),
    _named("odds or money", rf"^({_ODDS}|\$[\d,]+(\.\d\d?)?)$", "4 to 1", "$40"),
]
TotalsText = Annotated[
    str, AfterValidator(_totals), _named("totals", rf"^(any|none|{_TOTAL}(, ?{_TOTAL})*)$", "any", "hard 9-11")
]
UpcardsText = Annotated[
    str,
    AfterValidator(_upcards),
    _named("upcards", r"^(any|(10|[2-9TA])([, -]+(10|[2-9TA]))*)$", "any", "2-7", "A, T"),
]
#: Not blank, and without a dollar sign, because records write wagers as "Pairs $5".
Name = Annotated[str, Field(min_length=1, pattern=r"^[^$]*[^$\s][^$]*$")]
#: A name, or an empty string; not blanks alone.
NameOrNothing = Annotated[str, Field(pattern=r"^(|.*\S.*)$")]
Decks = Annotated[int, Field(strict=True, ge=1, le=16)]

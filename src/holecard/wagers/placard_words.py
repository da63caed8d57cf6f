"""Refusals of words that placards print and a sheet writes in another way, or cannot say.

`_SPELLINGS` has the words of a sheet for those of a placard, and `_CANNOT` what a line cannot say, with the nearest
thing that it can. Every spelling that a refusal offers can be read; settings are quoted as in a sheet, with ".
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeAlias

from holecard.deck import RANKS
from holecard.errors import LIMITS_PAGE, Unreadable, part_of
from holecard.wagers.dealer_hands import dealer_words
from holecard.wagers.rank_names import COUNTED, PLURALS, SINGULARS, index_of_rank, with_and

#: Why a phrase cannot be read; empty if it can.
WhyNot: TypeAlias = Callable[[str], str]
_Spell: TypeAlias = Callable[[re.Match[str]], list[str]]

_MOST = 21
#: In the refusal of a phrase that is read, for another number of cards.
_TOO_FEW = "this wager looks at"
_SUITS = ("spades", "hearts", "diamonds", "clubs")
_RANK_WORD = rf"(?:{'|'.join([*PLURALS, *SINGULARS])})"
_RANK_SIGN = r"(?:10|[2-9tjqka])'?s"
_RANK = r"(?:10|[2-9tjqka])"
_CARD_WORD = rf"(?:{_RANK_WORD}|{_RANK_SIGN}|{_RANK}) of (?:{'|'.join(_SUITS)})"
_COUNT_WORD = rf"(?:{'|'.join(COUNTED)}|triple|trips?(?: of)?|pair of|a)"
_COUNT_OF = {"triple": 3, "trip": 3, "trips": 3, "trip of": 3, "trips of": 3, "pair of": 2, "a": 1, **COUNTED}
_SMALL = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_LARGE = ("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen")
_NUMBERS = {word: 2 + place for place, word in enumerate((*_SMALL, *_LARGE, "twenty"))}
_NUMBERS |= {"twenty one": _MOST, "twenty-one": _MOST}
_LARGE_WORDS = "|".join(("twenty[ -]one", "twenty", *_LARGE))
_ONE = r"(?:1|one|an?)"
_BOTH_MATCHES = "1 suited match and 1 unsuited match"
#: The setting of a wager that looks at this many cards.
ON = {2: "two cards", 3: "two cards and upcard", 4: "all four cards"}
_MORE = r"(?:more|higher|better|above|up|over|greater)\b"
_LESS = r"(?:less|lower|fewer|under|below)\b"
_TWO_COLORS = re.compile(
    r"\b(?:mixed(?: colou?rs?)?|(?:two|2|different|both) colou?rs?|red[ /-](?:and )?black|black[ /-](?:and )?red)\b ?"
)


def _totals(low: int, high: int) -> _Spell:
    """Return the spelling of a range whose open end a match names: its number, moved by `low` or `high`."""

    def spell(match: re.Match[str]) -> list[str]:
        said = int(match[1])
        first, last = (said + low, _MOST) if low >= 0 else (2, said + high)
        marked = re.search(r"\b(?:hard|soft|total) $", match.string[: match.start()])
        span = f"{first}" if first == last else f"{first}-{last}"
        return [span if marked or last > 10 else f"total {span}"]

    return spell


def _range(match: re.Match[str]) -> list[str]:
    """Read "9 to 11" as a range of totals."""
    span = f"{match[1]}-{match[2]}"
    return [span] if int(match[2]) > 10 else [f"total {span}"]


def _ranks_in_words(match: re.Match[str]) -> list[str]:
    """Read "three sevens" and "triple 7s" as ranks, or as a pair."""
    number, rank = _COUNT_OF[match[1]], index_of_rank(match[2])
    return [with_and([rank] * number), *([f"pair of {PLURALS[rank]}"] if number == 2 else [])]


def _pair_in_words(match: re.Match[str]) -> list[str]:
    """Read "pair of 7" and "aces" as a pair of that rank, or as three cards of it."""
    rank = index_of_rank(match[1])
    return [f"pair of {PLURALS[rank]}", *([] if "pair" in match[0] else [with_and([rank] * 3)])]


def _rank_words(match: re.Match[str]) -> list[str]:
    """Read "ace and king" as ranks."""
    return [with_and([index_of_rank(word) for word in re.findall(_RANK_WORD, match[0])])]


def _cards_in_words(match: re.Match[str]) -> list[str]:
    """Read "two queens of hearts" and "ace of spades and jack of spades" as cards."""
    named = []
    pattern = rf"(?:({_COUNT_WORD}) )?({_RANK_WORD}|{_RANK_SIGN}|{_RANK}) of ({'|'.join(_SUITS)})"
    for count, rank, suit in re.findall(pattern, match[0]):
        number = _COUNT_OF.get(count, 2 if rank in PLURALS else 1)
        named += [f"{RANKS[index_of_rank(rank)]}{suit[0]}"] * number
    return [" ".join(named)]


def _suit_signs(match: re.Match[str]) -> list[str]:
    """Read "Q♥ Q♥" as cards."""
    cards = re.findall(rf"({_RANK})([♠♥♦♣])", match[0])
    return [" ".join(f"{rank.upper()}{'shdc'['♠♥♦♣'.index(suit)]}" for rank, suit in cards)]


def _two_of_a_suit(match: re.Match[str]) -> list[str]:
    """Read "king and queen of hearts" as cards."""
    return [" ".join(f"{RANKS[index_of_rank(rank)]}{match[3][0]}" for rank in match.groups()[:2])]


def _matches(match: re.Match[str]) -> list[str]:
    """Read "two suited matches", "2 matches" and "suited match" as matches with the upcard."""
    number = {"one": "1", "a": "1", "two": "2", "both": "2", "no": "0"}.get(match[1] or "", match[1])
    if number == "0" and not match[2]:
        return ["0 suited matches and 0 unsuited matches"]
    kinds = [match[2]] if match[2] else ["suited", "unsuited"]
    numbers = [number] if number else ["1"] if not match[2] and not match[0].endswith("es") else ["1", "2"]
    found = [f"{n} {kind} {'match' if n == '1' else 'matches'}" for n in numbers for kind in kinds]
    return [*found, _BOTH_MATCHES] if number == "2" and not match[2] else found


def _says(words: str) -> _Spell:
    return lambda _: [words]


def _number_word(match: re.Match[str]) -> list[str]:
    return [str(_NUMBERS[match[0]])]


#: What placards print, as a pattern, and how a sheet writes it.
_SPELLINGS: dict[str, _Spell] = {
    r"\b(\d\d?) ?[–—−] ?(\d\d?)\b": lambda match: [f"{match[1]}-{match[2]}"],
    rf"\b({_RANK}|{_RANK_WORD}) (?:and|&) ({_RANK}|{_RANK_WORD}) of ({'|'.join(_SUITS)})\b": _two_of_a_suit,
    r"\b(?:\d|[a-z]{2,})(?:-[a-z]+)+\b": lambda match: [match[0].replace("-", " ")],
    rf"(?<=\bhard |\bsoft )(?:{'|'.join(_SMALL)})\b|\b(?:{_LARGE_WORDS})\b": _number_word,
    r"\bblack jack\b|\bbj\b": _says("natural"),
    r"\bquads\b": _says("four of a kind"),
    r"\beasy match\b": _says("suited"),
    r"\beverything\b": _says("any"),
    r"\b(?:an?|one|1) (?=(?:suited |unsuited )?(?:pair|natural|blackjack|flush|straight)\b(?! of))": _says(""),
    r"(?<=\w )pairs\b(?! of)": _says("pair"),
    r"\bperfect(?= (?:pair|match))": _says("suited"),
    r"\bmatched(?= 20)": _says("suited pair"),
    r"\b([234]) of a kind\b": lambda match: [{"2": "pair", "3": "three of a kind", "4": "four of a kind"}[match[1]]],
    r"\b(?:2|two) pairs?\b(?! of)": _says("two pair"),
    rf"\b{_ONE} suited(?: match)?(?: and |, | ?[&+] ?){_ONE} unsuited(?: match(?:es)?)?\b": _says(_BOTH_MATCHES),
    rf"\b{_ONE} unsuited(?: match)?(?: and |, | ?[&+] ?){_ONE} suited(?: match(?:es)?)?\b": _says(_BOTH_MATCHES),
    r"(?<!\d )(?<!suited )\b(?:([0-2]|one|two|both|no|a) )?(?:((?:un)?suited) )?match(?:es)?\b": _matches,
    r"\b(?:between )?(\d\d?) (?:to|through|thru) (\d\d?)\b": _range,
    r"\bbetween (\d\d?) and (\d\d?)\b": _range,
    r"\b(hard|soft) total(?: of)? (?=\d)": lambda match: [f"{match[1]} "],
    rf"\b(\d\d?) ?(?:\+(?! ?[\dtjqka]\b)|(?:or|and) {_MORE}|(?:plus|up)\b)": _totals(0, 0),
    r"(?:\b(?:at least|minimum)|>=|≥) ?(\d\d?)\b": _totals(0, 0),
    r"(?:\b(?:over|above|more than|greater than)|>) ?(\d\d?)\b": _totals(1, 0),
    rf"\b(\d\d?) (?:or|and) {_LESS}": _totals(-1, 0),
    r"(?:\b(?:at most|up to)|<=|≤) ?(\d\d?)\b": _totals(-1, 0),
    r"(?:\b(?:under|below|less than)|<) ?(\d\d?)\b": _totals(-1, -1),
    r"\b(\d\d?(?: ?- ?\d\d?)?) (hard|soft)\b": lambda match: [f"{match[2]} {match[1]}"],
    rf"\b(?:{_COUNT_WORD} )?{_CARD_WORD}(?:(?: and | |, | ?& ?)(?:{_COUNT_WORD} )?{_CARD_WORD})*": _cards_in_words,
    rf"\b{_RANK}[♠♥♦♣](?: ?{_RANK}[♠♥♦♣])*": _suit_signs,
    rf"\b({_COUNT_WORD}) ({'|'.join(PLURALS)}|{_RANK_SIGN})(?!\w)": _ranks_in_words,
    rf"\b(triple|trips?) ({_RANK})\b": _ranks_in_words,
    rf"\b(?:an? )?{_RANK_WORD}(?:(?: and | ?& ?|, | plus |[ /-])(?:an? )?{_RANK_WORD})+\b": _rank_words,
    rf"\bpair (?:of )?({'|'.join([*PLURALS, *SINGULARS])}|{_RANK_SIGN})(?!\w)": _pair_in_words,
    rf"\bpair of ({_RANK})\b(?! kind)": _pair_in_words,
    rf"(?<!of )\b({'|'.join(PLURALS)})\b": _pair_in_words,
    r"\b(?:exactly|sums?(?: of| to)?|totals|total of|totall?ing) (\d\d?)\b": lambda match: [f"total {match[1]}"],
    r"\b(?:all |both )?(?:same|single) colou?r\b|\b(?:all|both) one colou?r\b|\bcolou?red\b": _says("one color"),
    r"\b(?:all |both )?(?:of )?(?:the |a )?(?:same|one|single) suits?\b|\bmatching suits?\b": _says("suited"),
    r"\b(?:all |both |three |3 |four |4 )+(?:cards )?(?=(?:un)?suited\b(?! match))": _says(""),
    r"\b(?:off[ -]?suit(?:ed)?|(?:not |non[ -]?)suited|(?:mixed|different) suits?)\b": _says("unsuited"),
    r"\bmini royal(?: flush)?\b": _says("suited Q and K and A"),
    r"\broyal match\b": _says("suited K and Q"),
    r"\b(?:any )?other ": _says(""),
}
_NO_UPCARD = (
    'a `hand` does not name the upcard: the upcards of a wager are set with `upcard = "7"`, odds that depend on it '
    'with `pays = { 7 = "5 to 1" }`'
)
#: What a line cannot say, as a pattern, and what comes nearest.
_CANNOT: dict[str, str] = {
    r"^(?:(?:any|every)thing else|(?:(?:any|all|every) )?others?(?: hands?)?|(?:all )?the rest|else)$": "only the "
    "first line that matches pays; write 'any' as the last line",
    rf"\bor {_MORE}": "a line names one hand; write one line for each hand, the highest first",
    r"\b(?:face|picture|court|paint)(?: cards?|s)?\b": "a line names ranks, and face cards are three; write one line "
    "for each hand, such as 'K and Q' or 'pair of kings'",
    r"\bup[ -]?card\b": _NO_UPCARD,
    r"\bdealer": f'{_NO_UPCARD}; the dealer\'s finished hand is written apart, as in `dealer = "18"`',
    r"\bbust": "a `hand` looks at the first cards; the dealer's finished hand is written apart, as in "
    '`dealer = "busts"`',
}
#: The same, for what the page about the limits of sheets lists.
_LIMITS: dict[str, str] = {
    r"\b(?:in|of|with) \d\+? cards\b|\b(?:\d|five|six|seven)[ -]cards?\b": "a line cannot ask how many "
    "cards the player draws, because a `hand` looks at the first cards only",
    rf"\b{_CARD_WORD}\b|^{_RANK}[shdc]$": "a line names all the cards that the wager looks at ('Qh Qh'); it cannot "
    "ask for one of them",
    r"\b(?:spade|heart|diamond|club)s?\b": "a line cannot ask for one suit; 'suited' is all cards of any suit, and "
    "single cards are named in full ('Qh Qh')",
    r"\b(?:red|black)\b": "a line cannot ask for red or for black; 'one color' is all cards of either color",
    r"\b(?:no|not|non|without|except)\b": "a line cannot say what a hand is not; put the other hands on lines above "
    "it, because only the first line that matches pays",
    r"\b(?:full house|royal flush|five of a kind)\b": "this takes five cards, and a wager looks at four at most",
    rf"\b{_RANK_WORD}\b": "a line names the ranks of all the cards that the wager looks at ('A and K'), or a pair "
    "('pair of aces'); it cannot ask for one of them",
}


def refuse_placard_words(text: str, looks_at: int, why_not: WhyNot) -> None:
    """Refuse what placards print and a sheet writes in other words, with these words, or says that it cannot."""
    whole = " ".join(text.lower().split())
    if _TOO_FEW in why_not(whole):
        return
    if re.search(rf" or (?!{_MORE}|{_LESS})", f"{whole} "):
        raise Unreadable(f"{whole!r}: a line names one hand; write one line for each hand, with the same odds")
    _refuse_whose_cards(whole, looks_at, why_not)
    _refuse_dealer(whole)
    if not re.search(r"\bup[ -]?card\b|\bdealer", whole):
        _refuse_two_colors(whole, why_not)
        _refuse_spellings(whole, why_not)
    for pattern, why in (_CANNOT | _LIMITS).items():
        if re.search(pattern, whole):
            see = f"; see {LIMITS_PAGE}" if pattern in _LIMITS else ""
            raise Unreadable(f"{whole!r}: {why}{see}")


def _refuse_whose_cards(whole: str, looks_at: int, why_not: WhyNot) -> None:
    """Refuse "player pair" and "3-card straight": a hand is about all cards that the wager looks at."""
    match = re.match(rf"(?:player(?:'?s)?|your|own) (?:hand )?|({'|'.join(COUNTED)})[ -]cards? ", whole)
    if not match:
        return
    cards, rest = COUNTED[match[1]] if match[1] else 2, whole[match.end() :]
    why = why_not(rest)
    if cards == looks_at and not why:
        these = "the player's two cards" if cards == 2 else f"{cards} cards"
        raise Unreadable(f"{whole!r}: this wager looks at {these}; write {rest!r}")
    if cards != looks_at and (not why or f'set `on = "{ON[cards]}"`' in why):
        which = f"{cards} cards" if match[1] else "the player's two alone"
        what = f'this wager looks at {looks_at} cards together; for {which} set `on = "{ON[cards]}"`'
        raise Unreadable(f"{whole!r}: {what}, and write {rest!r}")


def _refuse_dealer(whole: str) -> None:
    """Refuse "dealer busts": the dealer's finished hand has its own key."""
    match = re.match(r"dealer(?:'s)?(?: hand)? ", whole)
    if match and (words := dealer_words(whole[match.end() :])):
        raise Unreadable(f'{whole!r}: the dealer\'s finished hand is written apart; write `dealer = "{words}"`')


def _refuse_two_colors(whole: str, why_not: WhyNot) -> None:
    """Refuse "mixed pair": two colors are what a line above leaves over."""
    if not (match := _TWO_COLORS.search(whole)) or re.match(r"suits?\b", whole[match.end() :]):
        return
    rest = f"{whole[: match.start()]}{whole[match.end() :]}".strip()
    above, rest = f"one color {rest}".strip(), rest or "any"
    if why_not(rest) or why_not(above):
        return
    raise Unreadable(
        f"{whole!r}: a line cannot ask for two colors, but only the first line that matches pays: "
        f"write {rest!r} below a line for {above!r}"
    )


def _refuse_spellings(whole: str, why_not: WhyNot) -> None:
    rewritten = whole
    for pattern, spell in _SPELLINGS.items():
        for match in re.finditer(pattern, whole):
            spellings = [_instead(match, words) for words in spell(match)]
            known = [repr(spelled) for spelled in spellings if spelled and not why_not(spelled)]
            if known:
                said = part_of(whole, match[0] if spell(match)[0] else whole)
                raise Unreadable(f"{said} is not written like this; write {' or '.join(known)}")
        rewritten = re.sub(pattern, lambda match: spell(match)[0], rewritten)  # noqa: B023 - called at once
    if rewritten == whole:
        return
    why = why_not(rewritten)
    if not why:
        raise Unreadable(f"{whole!r} is not written like this; write {rewritten!r}")
    if _TOO_FEW in why:
        raise Unreadable(f"{whole!r}: in a sheet's words, {why.replace(repr(rewritten.lower()), repr(rewritten))}")


def _instead(match: re.Match[str], words: str) -> str:
    """Return the phrase with other words in place of the match."""
    return " ".join(f"{match.string[: match.start()]}{words}{match.string[match.end() :]}".split())

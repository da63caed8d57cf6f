"""Named hands: the phrases a pay line uses for cards, such as "suited hard 11" or "straight flush".

All words of a phrase must match the cards that the wager looks at: the player's first two, then the upcard, then the
hole card.

    As Js               exactly these cards, in any order
    3 and 8             exactly these ranks, in any order; 7 and 7 and 7
    total 9-11          the cards' total, an ace counting 11 if possible
    hard 9-11, soft 18  the same without or with an ace that counts 11
    20, 18-20           a total, too: "total" can be left out if the highest number is above 10
    natural             an ace and a ten-value card; blackjack means the same
    suited, unsuited    all of one suit, or not
    one color           all red or all black
    pair                at least two of one rank; two pair; three or four of a kind
    pair of aces        two cards of that rank (aces, twos, … tens, jacks, queens, kings)
    straight, flush     over all the cards; an ace is high or low, never in the middle
    2 suited matches    how many of the player's two cards have the upcard's rank and suit (exactly 2)
    1 unsuited match    … its rank in another suit; 1 suited match and 1 unsuited match
    any                 every hand

Phrases with two possible meanings are refused (see `unclear_hands`): "3-8" (two ranks or a range of totals), "7 7 7",
and commas, which mean "or" everywhere else in a sheet.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple, TypeAlias

from holecard.deck import RANKS, Card, card
from holecard.errors import Unreadable, did_you_mean, part_of
from holecard.hands import Totals, count, is_natural, totals
from holecard.wagers.placard_words import ON, refuse_placard_words
from holecard.wagers.rank_names import PLURALS
from holecard.wagers.unclear_hands import (
    Reads,
    refuse_and,
    refuse_commas,
    refuse_listed_ranks,
    refuse_ranks,
    refuse_run,
)

Cards: TypeAlias = tuple[Card, ...]
Predicate: TypeAlias = Callable[[Cards], bool]


def _suited(cards: Cards) -> bool:
    return len({c & 3 for c in cards}) == 1


def _one_color(cards: Cards) -> bool:
    return len({c.is_red for c in cards}) == 1


def _straight(cards: Cards) -> bool:
    low = {c >> 2 for c in cards}
    high = {rank or 13 for rank in low}
    return len(low) == len(cards) and any(max(run) - min(run) == len(cards) - 1 for run in (low, high))


def _groups(cards: Cards) -> list[int]:
    return sorted(Counter(c >> 2 for c in cards).values(), reverse=True)


def _of_a_kind(at_least: int, cards: Cards) -> bool:
    return _groups(cards)[0] >= at_least


def _two_pair(cards: Cards) -> bool:
    return _groups(cards)[:2] == [2, 2]


def _unsuited(cards: Cards) -> bool:
    return not _suited(cards)


def _any(_cards: Cards) -> bool:
    return True


def _these_cards(wanted: list[Card], cards: Cards) -> bool:
    return sorted(cards) == wanted


def _these_ranks(wanted: list[int], cards: Cards) -> bool:
    return sorted(c >> 2 for c in cards) == wanted


def _total_among(wanted: Totals, cards: Cards) -> bool:
    return count(cards) in wanted


def _pair_of(rank: int, cards: Cards) -> bool:
    return sum(c >> 2 == rank for c in cards) >= 2


def _matches(number: int, suited: bool, cards: Cards) -> bool:
    upcard = cards[2]
    return number == sum(c >> 2 == upcard >> 2 and (c == upcard) == suited for c in cards[:2])


class Plain(NamedTuple):
    """A word without parameters: its test, the fewest cards it makes sense for, and its meaning."""

    holds: Predicate
    needs: int
    means: str


_PLAIN: dict[str, Plain] = {
    "four of a kind": Plain(partial(_of_a_kind, 4), 4, "four cards of one rank"),
    "three of a kind": Plain(partial(_of_a_kind, 3), 3, "at least three cards of one rank"),
    "two pair": Plain(_two_pair, 4, "two cards of one rank and two of another"),
    "one color": Plain(_one_color, 2, "all red or all black"),
    "straight": Plain(_straight, 3, "ranks in a row, an ace high or low"),
    "flush": Plain(_suited, 3, "all of one suit"),
    "trips": Plain(partial(_of_a_kind, 3), 3, "at least three cards of one rank"),
    "unsuited": Plain(_unsuited, 2, "not all of one suit"),
    "suited": Plain(_suited, 2, "all of one suit"),
    "natural": Plain(is_natural, 2, "an ace and a ten-value card"),
    "pair": Plain(partial(_of_a_kind, 2), 2, "at least two cards of one rank"),
    "any": Plain(_any, 0, "any cards"),
}
#: Suggestions for a word that does not exist.
_HINTS = ("straight flush", *_PLAIN, "hard 9-11", "soft 18", "total 9-11")
_PLAIN |= {"one colour": _PLAIN["one color"], "blackjack": _PLAIN["natural"]}
_CARD = r"(?:10|[2-9tjqka])[shdc]"
_RANK = r"(?:10|[2-9tjqka])"
_CARDS = re.compile(rf"{_CARD}(?:\s+{_CARD})+\b")
_RANKS = re.compile(rf"{_RANK}(?:\s+and\s+{_RANK})+\b")
_LOOSE_RANKS = re.compile(rf"{_RANK}(?:\s*[-/&+]?\s*{_RANK})+\b")
_MATCH = re.compile(r"([0-2])\s+(suited|unsuited)\s+match(?:es)?\b")
_PAIR_OF = re.compile(rf"pair of ({'|'.join(PLURALS)})\b")
_NUMBER = r"\d+\b(?!\s+(?:un)?suited\s+match)"
#: Adjacent numbers, such as "9-11" and "7 7 7", with the word for a total if there is one.
_RUN = re.compile(rf"(?:(hard|soft|total)\s+)?({_NUMBER}(?:\s*[-/&+]?\s*{_NUMBER})*)", re.ASCII)
#: What separates two words: a blank, or "and" between matches.
_AFTER = re.compile(r"(?:(?<=match)|(?<=matches)) and (?=[0-2] (?:un)?suited match)| ?")
_ONE_TOTAL = re.compile(r"(\d+)(?:\s*-\s*(\d+))?$", re.ASCII)
#: Numbers up to this one are ranks as well.
_HIGHEST_RANK = 10
_TIMES = {0: "neither of your two cards has", 1: "exactly one of your two cards has", 2: "both of your cards have"}


class Word(NamedTuple):
    """One word of a phrase, such as "suited" or "hard 11", with its test and its meaning."""

    text: str
    holds: Predicate
    means: str


@dataclass(frozen=True, slots=True)
class NamedHand:
    """A phrase of the sheet, for a wager that looks at this many cards, and the words that must all hold of them."""

    text: str
    looks_at: int
    words: tuple[Word, ...] = field(compare=False)  # they follow from the text

    def fits(self, cards: Cards) -> bool:
        return all(word.holds(cards) for word in self.words)

    @property
    def means(self) -> str:
        """The phrase in plain words: "all of one suit, and a hard total of 11"."""
        return ", and ".join(dict.fromkeys(word.means for word in self.words))


def named_hand(text: str, looks_at: int) -> NamedHand:
    """Read a phrase for a wager that looks at 2, 3 or 4 cards.

    >>> from holecard.deck import cards
    >>> named_hand("suited hard 11", 2).fits(cards("3s 8s"))
    True
    >>> named_hand("suited hard 11", 2).means
    'all of one suit, and a hard total of 11'
    """

    def why_not(spelled: str) -> str:
        try:
            _words(spelled, looks_at)
        except Unreadable as refused:
            return str(refused)
        return ""

    def reads(spelled: str) -> bool:
        return not why_not(spelled)

    if not reads(text):
        refuse_listed_ranks(text, looks_at, reads)
        refuse_placard_words(text, looks_at, why_not)
        refuse_commas(text, reads)
    return NamedHand(text, looks_at, _words(text, looks_at, reads))


def _words(text: str, looks_at: int, reads: Reads | None = None) -> tuple[Word, ...]:
    """Return the words of a phrase; a refusal offers other spellings only where `reads` can check them."""
    whole = " ".join(text.lower().split())
    words: list[Word] = []
    start = 0
    while start < len(whole):
        word = _read_word(whole, start, looks_at, reads)
        words.append(word)
        start = _AFTER.match(whole, start + len(word.text)).end()  # type: ignore[union-attr]  # it also matches nothing
    if not words:
        raise Unreadable("a line needs a hand, such as 'suited pair' or 'hard 9-11'")
    if sum(_says_total(word) for word in words) > 1:
        raise Unreadable(f"{text!r} names two totals; a hand has one: write a range, or one line for each total")
    for number, word in enumerate(words):
        if any(word.means == other.means for other in words[:number]):
            raise Unreadable(f"{text!r} says {word.means!r} twice; leave {word.text!r} out")
    return tuple(words)


def _read_word(whole: str, start: int, looks_at: int, reads: Reads | None) -> Word:
    rest = whole[start:]
    if match := _PAIR_OF.match(rest):
        which = "both cards are" if looks_at == 2 else "at least two cards are"
        return Word(match[0], partial(_pair_of, PLURALS.index(match[1])), f"{which} {match[1]}")
    if match := _CARDS.match(rest):
        wanted = sorted(card(word) for word in match[0].split())
        _needs_exactly(len(wanted), looks_at, whole)
        return Word(match[0], partial(_these_cards, wanted), f"exactly the cards {' '.join(map(str, wanted))}")
    if match := _RANKS.match(rest):
        ranks = sorted(RANKS.index(r.strip().upper().replace("10", "T")) for r in match[0].split("and"))
        _needs_exactly(len(ranks), looks_at, whole)
        return Word(match[0], partial(_these_ranks, ranks), f"exactly the ranks {' '.join(RANKS[r] for r in ranks)}")
    if match := _MATCH.match(rest):
        _needs_at_least(3, looks_at, "matching the upcard", whole)
        return _match(match)
    for word, plain in _PLAIN.items():
        if re.match(rf"{word}\b", rest):
            _needs_at_least(plain.needs, looks_at, f"{word!r}", whole)
            if plain.holds is is_natural:
                _needs_two(word, looks_at, whole)
            return Word(word, plain.holds, plain.means)
    if match := _RUN.match(rest):
        return _total(match, whole, start, looks_at, reads)
    if (match := _LOOSE_RANKS.match(rest)) and reads:
        refuse_ranks(whole, start, match[0], looks_at, reads)
    word = rest.split()[0]
    refuse_and(whole, word)
    raise Unreadable(f"{part_of(whole, word)} is not a word for a hand; {did_you_mean(word, _HINTS)}")


def _match(match: re.Match[str]) -> Word:
    number, suited = int(match[1]), match[2] == "suited"
    where = "and suit" if suited else "in another suit"
    return Word(match[0], partial(_matches, number, suited), f"{_TIMES[number]} the upcard's rank {where}")


def _total(match: re.Match[str], whole: str, start: int, looks_at: int, reads: Reads | None) -> Word:
    """Return a total, which is marked as one or has a number that is not a rank."""
    kind, run = match[1], match[2]
    one = _ONE_TOTAL.match(run)
    highest = max(int(number) for number in re.findall(r"\d+", run))
    if one is None or (kind is None and not _HIGHEST_RANK < highest <= 21):
        if reads is None:
            raise Unreadable(f"{run!r} can mean ranks or a total")
        refuse_run(whole, start, match, looks_at, reads)
    low, high = int(one[1]), int(one[2] or one[1])
    if not 2 <= low <= high <= 21:
        raise Unreadable(f"{part_of(whole, run)} is not a total; totals run from 2 to 21, the lower one first")
    wanted = totals(run if kind in (None, "total") else match[0])
    amount = f"of {low}" if low == high else f"from {low} to {high}"
    means = f"a {kind} total {amount}" if kind in ("hard", "soft") else f"a total {amount}, hard or soft"
    return Word(match[0], partial(_total_among, wanted), means)


def _says_total(word: Word) -> bool:
    return isinstance(word.holds, partial) and word.holds.func is _total_among


def _needs_exactly(cards: int, looks_at: int, whole: str) -> None:
    if cards != looks_at:
        raise Unreadable(f"{whole!r} names {cards} cards, but {_looks(looks_at, cards)}")


def _needs_at_least(cards: int, looks_at: int, what: str, whole: str) -> None:
    if looks_at < cards:
        raise Unreadable(f"{whole!r}: {what} needs at least {cards} cards, but {_looks(looks_at, cards)}")


def _needs_two(word: str, looks_at: int, whole: str) -> None:
    if looks_at > 2:
        raise Unreadable(f"{whole!r}: a {word} has two cards, but {_looks(looks_at, 2)}")


def _looks(looks_at: int, wanted: int) -> str:
    """Return how many cards a wager looks at, and the setting for the number that is wanted."""
    setting = f'; set `on = "{ON[wanted]}"`' if wanted in ON else ""
    return f"this wager looks at {looks_at}{setting}"

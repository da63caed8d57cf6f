"""Odds as a sheet writes them, as exact fractions of the stake.

"3 to 2" is a net win of 3/2 of the stake, "push" is 0, "lose" is -1, "lose half" is -1/2. The first number may have up
to nine decimals ("1.5 to 1"). In lowest terms both numbers stay below `TOO_LARGE`, so that all odds
that can be read can also be written in whole numbers and read back.
"""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache

from holecard.errors import Unreadable

WIN, PUSH, LOSE = Fraction(1), Fraction(0), Fraction(-1)
_WORDS = {
    "push": PUSH,
    "lose": LOSE,
    "lose half": Fraction(-1, 2),
    "even money": WIN,
    "win": WIN,
}
_NUMBERS = {"one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8"}
_NUMBERS |= {"nine": "9", "ten": "10"}
#: What placards print, as patterns, and the odds that are meant.
_PLACARD_WORDS = {
    r"evens?|even odds": "even money",
    r"wins": "win",
    r"loses?|loss|lose all": "lose",
    r"loses? (?:1/2|a half|half|one half)": "lose half",
    r"push(?:es)?|ties?|stand[ -]?off": "push",
}
#: Nine digits before and nine behind the point make eighteen.
TOO_LARGE = 10**18
#: The most that odds may pay, the most parts of the stake they may divide it into, and the most that all odds of the
#: main wager may together (their least common denominator): every sum of net results then fits 64 bits exactly.
HIGHEST_ODDS, FINEST, FINEST_TOGETHER = 1_000_000, 10**9, 10**11
_FOR = re.compile(r"(\d{1,18}(?:\.\d{1,9})?)\s*for\s*(\d{1,18})$", re.ASCII)
#: "5", "5x", "5-1", "5/1".
_BARE = re.compile(r"(\d{1,18}(?:\.\d{1,9})?)(?:\s*(?:x|times)|\s*[-/]\s*([1-9]\d{0,17}))?$", re.ASCII)
_ODDS = re.compile(r"(\d{1,18}(?:\.\d{1,9})?)\s*(?:to|:)\s*(\d{1,18})$", re.ASCII)


@lru_cache(maxsize=1024)  # a sheet's tables ask for the same few thousands of times
def odds(text: str) -> Fraction:
    """Return the net win per unit staked.

    >>> odds("3 to 2"), odds("6:5"), odds("push"), odds("lose half")
    (Fraction(3, 2), Fraction(6, 5), Fraction(0, 1), Fraction(-1, 2))
    """
    words = " ".join(text.strip().lower().split())
    if words in _WORDS:
        return _WORDS[words]
    match = _ODDS.match(words)
    if not match or int(match[2]) == 0:
        raise Unreadable(_not_odds(text, words))
    net = Fraction(match[1]) / int(match[2])
    if max(net.numerator, net.denominator) >= TOO_LARGE:
        raise Unreadable(
            f"{text!r}: these odds have more than 18 digits in lowest terms; write '3 to 2' or '1.3333 to 1'"
        )
    return net


def _not_odds(text: str, words: str) -> str:
    """Return why a text is not odds, with the odds that it probably means."""
    plain = _plain(words)
    if match := _FOR.match(plain):
        returned, staked = Fraction(match[1]), int(match[2])
        net = returned / staked - 1 if staked else None
        if net is not None and (net > 0 or net in _WORDS.values()):
            return f"{text!r} includes the stake, which odds leave out; write {spell(net)!r}"
    if match := _BARE.match(plain):
        return f"{text!r} is a number, not odds; write '{match[1]} to {match[2] or 1}'"
    if words.startswith("$"):
        return f"{text!r} is an amount of money, but odds are needed here; write them as in '3 to 2'"
    if plain in _WORDS or ((match := _ODDS.match(plain)) and int(match[2])):
        return f"{text!r} is not written like this; write {plain!r}"
    return f"{text!r} is not odds; write '3 to 2', 'push', 'lose', 'lose half' or 'even money'"


def _plain(words: str) -> str:
    """Return words of placards as odds are written: "1,000-to-1", "five to one", "evens", "pushes"."""
    plain = re.sub(r"(?<=\d),(?=\d{3}\b)", "", words)
    plain = re.sub(r"[-–—](?=to\b|for\b)|(?<=to|or)[-–—]", " ", plain)
    for word, number in _NUMBERS.items():
        plain = re.sub(rf"\b{word}\b", number, plain)
    plain = re.sub(r"^pays? |^(?=\.\d)| odds$", lambda match: "" if match[0] else "0", plain)
    return next((odds for pattern, odds in _PLACARD_WORDS.items() if re.fullmatch(pattern, plain)), plain)


def payable(text: str) -> Fraction:
    """Return the net win per unit staked, if it is within the limits.

    >>> payable("1.3333 to 1")
    Fraction(13333, 10000)
    """
    net = odds(text)
    if net > HIGHEST_ODDS:
        raise Unreadable(f"{text!r} pays too much; odds are at most {HIGHEST_ODDS:,} to 1")
    if net.denominator > FINEST:
        raise Unreadable(f"{text!r} has too large a denominator; in lowest terms it must be at most {FINEST:,}")
    return net


def spell(net: Fraction) -> str:
    """Return odds as a sheet writes them; `odds` reads back everything it has read before.

    >>> spell(Fraction(3, 2)), spell(Fraction(0)), spell(Fraction(-1, 2))
    ('3 to 2', 'push', 'lose half')
    """
    if net > 0:
        return f"{net.numerator} to {net.denominator}"
    for word, value in _WORDS.items():
        if value == net:
            return word
    return f"lose {-net}"

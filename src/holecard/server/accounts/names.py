"""Names of accounts: in one form, without characters that nobody sees."""

from __future__ import annotations

import unicodedata

SHORTEST_NAME = 2
LONGEST_NAME = 30
#: Controls, marks that turn the direction of text, zero-width characters, and what has no meaning.
_UNSEEN = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
#: Letters and marks that show nothing: joiners, Hangul fillers, a blank Braille cell, variation selectors.
_BLANKS = {
    *"\u034f\u115f\u1160\u17b4\u17b5\u2800",
    *map(chr, (*range(0x180B, 0x1810), *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))),
}


def proper_name(text: str) -> str:
    """Return a name in its normal form (NFKC, single spaces); raise ValueError where it cannot be one."""
    if any(unicodedata.category(sign) in _UNSEEN or sign in _BLANKS for sign in text):
        raise ValueError("a name has no control characters, and none that are invisible or turn the text around")
    name = " ".join(unicodedata.normalize("NFKC", text).split())
    if not SHORTEST_NAME <= len(name) <= LONGEST_NAME or len(folded_name(name)) > LONGEST_NAME:
        raise ValueError(f"a name has {SHORTEST_NAME} to {LONGEST_NAME} characters")
    if any(sign in _BLANKS for sign in name) or not any(unicodedata.category(sign)[0] in "LN" for sign in name):
        raise ValueError("a name has at least one letter or digit")
    return name


def folded_name(name: str) -> str:
    """Return what two names have in common that count as the same: their letters, whatever their case."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    return " ".join(folded.split())

"""Names of accounts: in one form, without characters that nobody sees, and not those of the house."""

from __future__ import annotations

import unicodedata

from holecard.server.errors import ServerRefusal

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


# Reserved names

#: Nobody's name begins or ends with these, nor does one of its words: people would take it for the house's.
_WORDS_OF_THE_HOUSE = ("operator", "admin", "administrator", "moderator", "holecard")
#: Nobody's whole name is one of these.
_NAMES_OF_THE_HOUSE = (
    *("dealer", "the dealer", "croupier", "house", "the house", "bank", "the bank", "server", "system", "support"),
    "former player",
)
#: How the names of guests begin, which the server gives.
_GUEST = "guest"
#: By Latin letter, the letters, digits and signs that look like it; all that look like "l" or "i" count as "l".
_LOOK_ALIKES = {
    "a": "\u0430\u03b1\u1d00@4",
    "b": "\u0432\u03b2\u0299\u044c",
    "c": "\u0441\u1d04",
    "d": "\u0501\u1d05\u0111",
    "e": "\u0435\u03b5\u1d073",
    "g": "\u0261\u0262",
    "h": "\u04bb\u043d\u029c\u0570\u0127\u0397",
    "k": "\u043a\u03ba\u1d0b",
    "l": "i1|!\u0131\u0456\u03b9\u04cf\u026a\u029f\u0142",
    "m": "\u043c\u1d0d",
    "n": "\u043f\u0578\u03b7\u0274\u039d",
    "o": "0\u043e\u03bf\u0585\u03c3\u1d0f\u00f8",
    "p": "\u0440\u03c1\u1d18",
    "r": "\u0433\u0280",
    "s": "5$\u0455\ua731",
    "t": "7+\u0442\u03c4\u1d1b",
    "u": "\u03c5\u057d\u1d1c",
    "y": "\u0443\u03b3\u04af\u028f\u03a5",
}
_LATIN = str.maketrans({alike: letter for letter, alikes in _LOOK_ALIKES.items() for alike in alikes})
#: Two letters that together look like one.
_PAIRS = (("rn", "m"), ("vv", "w"), ("cl", "d"))
_RESERVED = "people would take this name for the house's; choose another one"


class NameReserved(ServerRefusal):
    """This name would be taken for the house's, or for that of a guest."""

    code = "name reserved"
    status = 409


def refuse_reserved(name: str) -> None:
    """Refuse a name that belongs to the house or to guests, also where it is written with letters that look alike."""
    words = looks_like(name).split()
    whole = "".join(words)
    if whole.startswith(_GUEST):
        raise NameReserved("names that begin with 'Guest' are given by the server; choose another one")
    for reserved in map(looks_like, _WORDS_OF_THE_HOUSE):
        if any(word.startswith(reserved) or word.endswith(reserved) for word in (*words, whole)):
            raise NameReserved(_RESERVED)
    if whole in {looks_like(reserved).replace(" ", "") for reserved in _NAMES_OF_THE_HOUSE}:
        raise NameReserved(_RESERVED)


def looks_like(name: str) -> str:
    """Return the lower-case Latin letters that a name looks like; whatever separates its words is one space."""
    folded = unicodedata.normalize("NFKC", name).translate(_LATIN).casefold()
    plain = "".join(sign for sign in unicodedata.normalize("NFKD", folded) if not unicodedata.combining(sign))
    letters = plain.translate(_LATIN)
    for pair, letter in _PAIRS:
        letters = letters.replace(pair, letter)
    return " ".join("".join(sign if sign.isalnum() else " " for sign in letters).split())

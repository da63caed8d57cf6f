"""Read what the cloth prints and what the pay dialog says.

The cloth prints what differs from an ordinary game; where it is silent, the game is ordinary (`ORDINARY`). The dialog
repeats all that the cloth prints, and adds limits, insurance, the second wager, and every condition of a side wager.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from holecard.wagers.pay_table import SideWager
from tests.readback import words
from tests.readback.compiled_facts import Facts
from tests.readback.said_results import cells_said, dealer_draws_on_said, dealer_draws_said
from tests.readback.said_wagers import EVERY_UPCARD, PaidLine, asks, paid
from tests.readback.words import MONEY, ODDS

ORDINARY: Facts = {
    "hole card": "peek",
    "ties": "pushes",
    "two naturals": Fraction(0),
    "natural ties 21": False,
    "doubles": frozenset(hand for hand in words.hands("any") if hand[0] < 21),
    "double cards": "first two",
    "double after split": True,
    "double for less": False,
    "doubles up": frozenset(),
    "double up after split": True,
    "split hands": 4,
    "pairs by rank": False,
    "split aces": "once",
    "split aces play on": False,
    "quick pay": frozenset(),
    "surrender": "none",
    "charlie": None,
    "companion": None,
    "insurance": None,
    "rounding": "down",
    "spares added": False,
}
_PEEKS = {"peek": frozenset({1, 10}), "face up": frozenset({1, 10}), "peek under aces": frozenset({1})}
_PLAIN: dict[str, Facts] = {
    "Both dealer cards face up": {"hole card": "face up"},
    "No hole card": {"hole card": "none"},
    "Dealer does not peek": {"hole card": "no peek"},
    "Dealer peeks under aces only": {"hole card": "peek under aces"},
    "Dealer's blackjack takes every wager": {"spares added": False},
    "Dealer's blackjack takes original wagers only": {"spares added": True},
    "Dealer must hit soft 17": {"draws to 17": frozenset({17})},
    "Dealer must stand on all 17s": {"draws to 17": frozenset()},
    "Dealer must hit soft 17 to 21": {"draws to 17": frozenset(range(17, 22))},
    "Dealer must draw a two-card 16 or less to a hard 17": {
        "draws to 17": frozenset(),
        "to hard 17 from": "two-card 16",
    },
    "Dealer must draw soft 17 to a hard 17": {"draws to 17": frozenset({17}), "to hard 17 from": "soft 17"},
    "A player's 21 beats a dealer's 21": {"twenty one wins": True},
    "Blackjack against a dealer's drawn 21: push": {"natural ties 21": True, "natural v 21": "pushes"},
    "Blackjack against a dealer's drawn 21: dealer wins": {"natural ties 21": True, "natural v 21": "loses"},
    "Blackjack against a dealer's drawn 21: player wins 1 to 1": {"natural ties 21": True, "natural v 21": "wins"},
    "Two blackjacks: push": {"two naturals": Fraction(0)},
    "Two blackjacks: dealer wins": {"two naturals": Fraction(-1)},
    "Dealer wins all ties": {"ties": "loses", "two naturals": Fraction(-1)},
    "No Double-Up after a split": {"double up after split": False},
    "No doubling": {"doubles": frozenset()},
    "Double with any number of cards": {"double cards": "any number"},
    "No double after a split": {"double after split": False},
    "Double for less": {"double for less": True},
    "No splitting": {"split hands": 1},
    "Split only equal ranks": {"pairs by rank": True},
    "Aces may not be split": {"split aces": "never"},
    "Aces may be split again": {"split aces": "again"},
    "Split aces play on": {"split aces play on": True},
    "Payouts are rounded up to whole cents": {"rounding": "up"},
    "Payouts are rounded to the nearest cent": {"rounding": "nearest"},
}
_AGAINST = {"pushes": "pushes", "beats": "loses", "loses to": "wins"}
_RESULT = rf"(?:wins(?: {ODDS})?|pays {ODDS}|pushes|loses(?: half| \d+/\d+)?)"


def rules_printed(promises: Iterable[str]) -> Facts:
    """Return the rules of a game whose cloth prints these promises; each must be one that is known here."""
    facts = dict(ORDINARY)
    for promise in promises:
        more = _PLAIN.get(promise) or _with_values(promise, facts)
        assert more is not None, f"nobody can read: {promise}"
        facts |= more
    facts["peeks under"] = _PEEKS.get(str(facts["hole card"]), frozenset())
    if facts["natural ties 21"]:
        assert facts.pop("natural v 21") == facts["ties"]
    return _completed(facts)


def _with_values(promise: str, facts: Facts) -> Facts | None:
    """Return what a promise with numbers or names says, given the earlier ones."""
    for pattern, read in _READERS:
        if match := re.fullmatch(pattern, promise):
            return read(match, facts)
    return None


def _ruled(match: re.Match[str], facts: Facts) -> Facts:
    ends = facts.get("ends on", ())
    assert isinstance(ends, tuple)
    stops = {"ends on": (*ends, int(match[2]))} if match[1] == "Dealer stops on" else {}
    earlier = facts.get("spared", ())
    assert isinstance(earlier, tuple)
    spared = {"spared": (*earlier, "and charlie" in match[0])}
    return {f"ruled {match[2]}": (match[4], _AGAINST[match[3]]), **stops, **spared}


def _stops(match: re.Match[str], facts: Facts) -> Facts:
    ends = facts.get("ends on", ())
    assert isinstance(ends, tuple)
    return {"ends on": (*ends, int(match[1]))}


def _double_up(match: re.Match[str], _: Facts) -> Facts:
    hands = words.hands("any" if match[1] == "any two cards" else match[2])
    assert bool(match[3]) == ((21, True) in hands), "a blackjack is excepted where it could be meant"
    return {"doubles up": hands}


def _quick_pay(match: re.Match[str], facts: Facts) -> Facts:
    known = facts["quick pay"]
    assert isinstance(known, frozenset)
    offers = [offer.split(" ", 1) for offer in match[1].split(", ")]
    found: Facts = {f"quick pay {total}": (words.net(verb),) for total, verb in offers}
    return found | {"quick pay": known | {int(total) for total, _ in offers}}


def _surrender(match: re.Match[str], _: Facts) -> Facts:
    pays = [Fraction(-1, 2)] if not match[2] else [words.net(verb) for verb in match.group(4, 6) if verb]
    names = match.group(3, 5) if match[2] else ()
    return {"surrender": match[1].lower(), "surrender pays": tuple(pays), "surrendered": names}


def _charlie(match: re.Match[str], _: Facts) -> Facts:
    return {"charlie": words.number(match[1]), "charlie pays": words.odds(match[2]) if match[2] else Fraction(1)}


def _companion(match: re.Match[str], _: Facts) -> Facts:
    every = [words.net(match[2])] * 3 if match[2] else [words.net(match[place]) for place in (3, 4, 5)]
    cashed = {"companion quick pay": words.net(match[6])} if match[6] else {}
    return {"companion": match[1], "companion naturals": tuple(every), **cashed}


_READERS: list[tuple[str, Any]] = [
    (rf"Blackjack pays ({ODDS})", lambda match, _: {"natural pays": words.odds(match[1])}),
    (r"Dealer stops on (\d+)", _stops),
    (
        r"(Dealer stops on|Dealer's) (\d+)(?: and)? (pushes|beats|loses to) all but blackjack(?: and charlie)?"
        r"(?:; 21 (wins|pushes|loses))?",
        _ruled,
    ),
    (
        r"(Player|Dealer) wins (other )?ties( below 21)?",
        lambda match, _: {"ties": "wins" if match[1] == "Player" else "loses", "which ties": match.group(2, 3)},
    ),
    (rf"Two blackjacks: player wins ({ODDS})", lambda match, _: {"two naturals": words.odds(match[1])}),
    (r"Double-Up on (any two cards|a two-card (.+?))( except a blackjack)?", _double_up),
    (
        r"Double-Up (wins|pushes|loses) (other )?ties( below 21)?",
        lambda match, _: {"double up ties": match[1], "which double up ties": match.group(2, 3)},
    ),
    (r"Quick Pay: (.+)", _quick_pay),
    (rf"(.+)-card charlie (?:wins|pays ({ODDS}))", _charlie),
    (rf"(Late|Early) surrender(: (.+?) ({_RESULT})(?:, (.+) ({_RESULT}))?)?", _surrender),
    (rf"Insurance pays ({ODDS})( up to the whole wager)?", lambda match, _: {
        "insurance": words.odds(match[1]), "insured": Fraction(1) if match[2] else Fraction(1, 2)}),
    (r"Double only on (.+)", lambda match, _: {"doubles": frozenset(h for h in words.hands(match[1]) if h[0] < 21)}),
    (r"Split to at most (\w+) hands", lambda match, _: {"split hands": words.number(match[1])}),
    (
        rf"(.+): (?:every blackjack ({_RESULT})|blackjack ({_RESULT}), dealer's blackjack ({_RESULT}), "
        rf"blackjack against blackjack ({_RESULT}))(?:, Quick Pay ({_RESULT}))?",
        _companion,
    ),
]  # fmt: skip


def _completed(facts: Facts) -> Facts:
    """Return the facts with what follows from several promises together."""
    assert {*facts.get("spared", ())} <= {facts["charlie"] is not None}, "charlies are spared where there are some"  # type: ignore[misc]
    ruled = any(name.startswith("ruled ") for name in facts)
    below_21 = bool(facts.get("twenty one wins"))
    for which in ("which ties", "which double up ties"):
        said = facts.get(which, (ruled, below_21))
        assert tuple(map(bool, said)) == (ruled, below_21), f"{which} are decided otherwise"  # type: ignore[arg-type]
    facts.setdefault("double up ties", facts["ties"])
    totals = facts["quick pay"]
    assert isinstance(totals, frozenset)
    second = facts.pop("companion quick pay", None)
    for total in totals if second is not None else ():
        facts[f"quick pay {total}"] = (*facts[f"quick pay {total}"], second)  # type: ignore[misc]
    facts["dealer draws"], facts["dealer draws on"] = dealer_draws_said(facts), dealer_draws_on_said(facts)
    return facts | {f"pays: {name}": net for name, net in cells_said(facts)}


# The dialog


def dialog_main(notes: Sequence[str]) -> Facts:
    """Return what the dialog says of the main game."""
    first, *others = notes
    stake = re.fullmatch(rf"(.+): {_LIMITS}", first)
    assert stake, first
    facts: Facts = {"main name": stake[1], "main wager": words.limits(*stake.group(2, 3, 4, 5))}
    insured = [match for note in others if (match := _INSURED.fullmatch(note))]
    about_second = [note for note in others if _SECOND.match(note)]
    promises = [note for note in others if note not in about_second and not _INSURED.fullmatch(note)]
    printed = rules_printed(promises)
    if insured:
        share = {"half": Fraction(1, 2), "all": Fraction(1)}[insured[0][2]]
        assert share == printed["insured"]
        terms = (printed["insurance"], words.cents(insured[0][1]), share, words.cents(insured[0][4]))
        facts |= {"insurance": terms, "main name": insured[0][3]}
    else:
        assert printed["insurance"] is None
    names = (stake[1], printed["companion"])
    assert printed.get("surrendered", ()) in ((), names), "surrender names the wagers"
    _compare_second(about_second, printed, names)
    return printed | facts


_LIMITS = rf"(?:({MONEY}) to ({MONEY})(?: in steps of ({MONEY}))?|exactly ({MONEY}))"
_INSURED = re.compile(rf"Insurance, when an ace is up: ({MONEY}) to (half|all) of (.+), in steps of ({MONEY})\.")
_SECOND = re.compile(
    rf"(.+): always equal to (?P<main>.+), and settled like it except as follows\.|"
    rf"(.+) ({_RESULT}) if (only you have|only the dealer has|you and the dealer have|you surrender|you take)\b.*\."
)


def _compare_second(notes: Sequence[str], printed: Facts, names: tuple[str, object]) -> None:
    """Check what is said twice of the second wager."""
    if not notes:
        assert printed["companion"] is None
        return
    first, *others = [match for note in notes if (match := _SECOND.fullmatch(note))]
    assert (first["main"], first[1]) == names
    assert {match[3] for match in others} == {names[1]}
    said = {match[5]: words.net(match[4]) for match in others}
    naturals = tuple(said[when] for when in ("only you have", "only the dealer has", "you and the dealer have"))
    assert naturals == printed["companion naturals"]
    if "you surrender" in said:
        assert printed["surrender pays"][1] == said["you surrender"]  # type: ignore[index]
    if "you take" in said:
        totals = printed["quick pay"]
        assert isinstance(totals, frozenset)
        assert {printed[f"quick pay {total}"][1] for total in totals} == {said["you take"]}  # type: ignore[index]


_PLACED = {
    "Placed before the deal.": "before the deal",
    "Placed after the dealer's check and before anybody acts, if neither you nor the dealer has a blackjack.": (
        "after the check"
    ),
    "Placed at any time from the dealer's check until the hole card is turned, if neither you nor the dealer has a "
    "blackjack.": "until the hole card is turned",
}
_LOOKS = {
    "Hands are those of your first two cards.": 2,
    "Hands are those of your first two cards and the upcard.": 3,
    "Hands are those of your first two cards and both of the dealer's.": 4,
}
_SETTLED = {
    "Settled right after the deal.": "deal",
    "Settled right after the deal if it is decided by then, else when the dealer's hand is finished.": "when decided",
    "Settled when the dealer's hand is finished.": "end",
}


_SHOWS = re.compile(
    r"(?:The dealer must show (.+); with any other upcard (it loses|nothing is won)|Offered only when the dealer shows "
    r"(.+))\."
)


def dialog_wager(notes: Iterable[str], main: str) -> Facts:
    """Return the conditions of a side wager next to a main wager, under the names of `said_wagers`."""
    facts: Facts = {"needs": None, "upcards": EVERY_UPCARD, "token": False, "house table": False, "looks at": None}
    facts |= {"otherwise": None, "first line": False}
    for note in notes:
        if note in _PLACED:
            facts["placed"] = _PLACED[note]
        elif note in _LOOKS:
            facts["looks at"] = _LOOKS[note]
        elif note in _SETTLED:
            facts["settled"] = _SETTLED[note]
        elif match := re.fullmatch(rf"Stake: {_LIMITS}(, at most as much as {re.escape(main)})?\.", note):
            facts |= {"limits": words.limits(*match.group(1, 2, 3, 4)), "at most main": bool(match[5])}
        elif match := re.fullmatch(r"Only together with (.+)\.", note):
            facts["needs"] = match[1]
        elif match := _SHOWS.fullmatch(note):
            facts |= {"upcards": words.upcards(match[1] or match[3]), "otherwise": match[2]}
        elif match := re.fullmatch(r"A tax is due when the dealer shows (.+), by your first two cards\.", note):
            facts["tax upcards"] = words.upcards(match[1])
        elif note == "The stake is a token that you keep.":
            facts["token"] = True
        elif note == "House table, not printed on the sheet.":
            facts["house table"] = True
        else:
            assert note == "Only the first line that matches pays.", f"nobody can read: {note}"
            facts["first line"] = True
    return facts


def dialog_only(wager: SideWager, lines: int) -> Facts:
    """Return what the dialog of a wager with this number of lines says in addition to `compiled_wager_facts`."""
    loses = "nothing is won" if wager.token else "it loses"
    every = wager.after_check or wager.winning_upcards == EVERY_UPCARD
    return {"otherwise": None if every else loses, "first line": lines > 1}


def notes_of(name: str, names: Sequence[str], notes: Iterable[str]) -> list[str]:
    """Return the notes of a block that hold for one of its wagers; others begin with the names they hold for."""
    held = []
    for note in notes:
        prefix, colon, rest = note.partition(": ")
        listed = prefix.split(", ")
        if colon and all(one in names for one in listed):
            if name in listed:
                held.append(rest)
        else:
            held.append(note)
    return held


def dialog_lines(wager: str, block: Mapping[str, Any]) -> dict[int, list[PaidLine]]:
    """Return the lines of a wager for each upcard, first line first."""
    found: dict[int, list[PaidLine]] = {value: [] for value in EVERY_UPCARD}
    for title, *cells in block["rows"]:
        if block["head"]:
            if not title.startswith(f"{wager}: "):
                continue
            pays = dict(zip(block["head"][1:], cells, strict=True))
            title = title.removeprefix(f"{wager}: ")
        elif re.match(r"(10|\w): ", cells[0]):
            pays = dict(part.split(": ") for part in cells[0].split(", "))
        else:
            pays = {"any upcard": cells[0]}
        for upcard, text in pays.items():
            for value in words.upcards(upcard):
                if text != "–":
                    found[value].append((asks(title), paid(text.replace(":", " to "))))
    return found


def dialog_taxes(block: Mapping[str, Any] | None) -> dict[int, list[PaidLine]]:
    """Return the tax lines, for every upcard alike."""
    rows = block["rows"] if block else []
    lines = [(asks(hand), paid(tax)) for hands, tax in rows for hand in hands.split(" · ")]
    return {value: list(lines) for value in EVERY_UPCARD}

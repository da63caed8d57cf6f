"""Read the sentences of `rules` back: what a player who knows only these sentences would play by.

Each pattern below is one form of sentence. A sentence that no pattern matches is an error, as is a fact said twice in
two ways: then a description cannot grow a sentence that nobody compares with the tables.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from fractions import Fraction

from tests.readback import words
from tests.readback.compiled_facts import Facts
from tests.readback.words import DOES, MONEY, ODDS

_PATTERNS: list[tuple[re.Pattern[str], Callable[[Said, re.Match[str]], None]]] = []


class Said:
    """What has been read so far."""

    def __init__(self) -> None:
        self.facts: Facts = {}

    def note(self, **facts: object) -> None:
        """Add facts; a fact said before must be the same."""
        for name, value in facts.items():
            name = name.replace("_", " ")
            assert self.facts.get(name, value) == value, f"{name}: {self.facts[name]!r} and {value!r}"
            self.facts[name] = value


def says(pattern: str) -> Callable[[Callable[[Said, re.Match[str]], None]], None]:
    """Register a reader for a form of sentence."""

    def register(reader: Callable[[Said, re.Match[str]], None]) -> None:
        _PATTERNS.append((re.compile(pattern), reader))

    return register


def read_sentences(sentences: Iterable[str]) -> Facts:
    """Return everything that the sentences state."""
    said = Said()
    for sentence in sentences:
        readers = [(match, reader) for pattern, reader in _PATTERNS if (match := pattern.fullmatch(sentence))]
        assert len(readers) == 1, f"{len(readers)} readers for: {sentence}"
        match, reader = readers[0]
        reader(said, match)
    return said.facts


# Cards and the shoe


@says(r"(\w+) decks? of 52 cards, for (?:up to )?(\w+) seats?\.")
def _decks(said: Said, match: re.Match[str]) -> None:
    said.note(decks=words.number(match[1]), seats=words.number(match[2]), face_down=False)


@says(r"(The printed sheet is|Not a number of decks of the printed sheet, which is) dealt with ([\d, or]+) decks?\.")
def _offered(said: Said, match: re.Match[str]) -> None:
    said.note(decks_offered=(tuple(map(int, words.listed(match[2]))), match[1] == "The printed sheet is"))


@says(
    r"The cut card is behind (\d+)% of the cards; when it comes out, the round is played to its end and the cards are "
    r"shuffled\."
)
def _cut_card(said: Said, match: re.Match[str]) -> None:
    said.note(shuffled="cut card", cut_card=int(match[1]))


@says(r"After each shuffle (\w+) cards? (?:is|are) burned\.")
def _burned(said: Said, match: re.Match[str]) -> None:
    said.note(burned=words.number(match[1]))


@says(r"All cards are shuffled before every round\.")
def _fresh(said: Said, _: re.Match[str]) -> None:
    said.note(shuffled="fresh each round")


@says(r"A continuous shuffler takes back the cards of each round\.")
def _continuous(said: Said, _: re.Match[str]) -> None:
    said.note(shuffled="continuous shuffler")


@says(r"Players' cards are dealt face down; others see a hand when it is settled, and a pair when it is split\.")
def _face_down(said: Said, _: re.Match[str]) -> None:
    said.facts["face down"] = True


@says(r"Players' cards are dealt face up\.")
def _face_up(said: Said, _: re.Match[str]) -> None:
    said.note(face_down=False)


# Wagers


@says(rf"(.+): (?:({MONEY}) to ({MONEY}) in steps of ({MONEY})|exactly ({MONEY}))\.")
def _main(said: Said, match: re.Match[str]) -> None:
    said.note(main_name=match[1], main_wager=words.limits(match[2], match[3], match[4], match[5]))


@says(r"(.+): a second wager, always equal to (.+)\. Once the hand is played, both are one wager\.")
def _companion(said: Said, match: re.Match[str]) -> None:
    said.note(companion=match[1], main_name=match[2])


@says(r"There is no insurance\.")
def _no_insurance(said: Said, _: re.Match[str]) -> None:
    said.note(insurance=None)


@says(
    rf"Insurance, when an ace is up: at least ({MONEY}) and at most (half|all) of (.+), in steps of ({MONEY}); "
    rf"pays ({ODDS}) if the dealer has a natural\."
)
def _insured(said: Said, match: re.Match[str]) -> None:
    share = {"half": Fraction(1, 2), "all": Fraction(1)}[match[2]]
    said.note(main_name=match[3])
    said.note(insurance=(words.odds(match[5]), words.cents(match[1]), share, words.cents(match[4])))


@says(r"Side wagers can be placed only together with (.+)\.")
def _side_wagers(said: Said, match: re.Match[str]) -> None:
    said.note(main_name=match[1])


@says(
    r"Payouts are rounded (?:(down) to whole cents, in the house's|(up) to whole cents, in the player's|"
    r"to the (nearest) cent, half a cent in the player's) favor\."
)
def _rounding(said: Said, match: re.Match[str]) -> None:
    said.note(rounding=match[1] or match[2] or match[3])


# The dealer


@says(
    r"One card up, one down; with an ace or a ten up, the dealer checks for a natural "
    r"(before anybody acts|after surrender and before any other action)\."
)
def _peek(said: Said, match: re.Match[str]) -> None:
    said.note(hole_card="peek", peeks_under=frozenset({1, 10}), surrender_first=match[1].startswith("after"))


@says(
    r"One card up, one down; with an ace up, but not with a ten, the dealer checks for a natural "
    r"(before anybody acts|after surrender and before any other action)\."
)
def _peek_under_aces(said: Said, match: re.Match[str]) -> None:
    first = match[1].startswith("after")
    said.note(hole_card="peek under aces", peeks_under=frozenset({1}), surrender_first=first)


@says(r"One card up, one down; the dealer does not check for a natural before the players have acted\.")
def _no_peek(said: Said, _: re.Match[str]) -> None:
    said.note(hole_card="no peek", peeks_under=frozenset())


@says(r"Both cards are dealt face up; a dealer's natural ends the round at once\.")
def _both_up(said: Said, _: re.Match[str]) -> None:
    said.note(hole_card="face up", peeks_under=frozenset({1, 10}))


@says(r"One card up; the second card is dealt after the players have acted\.")
def _no_hole_card(said: Said, _: re.Match[str]) -> None:
    said.note(hole_card="none", peeks_under=frozenset())


@says(r"Draws to 17 and (hits|stands on) soft 17\.")
def _soft_17(said: Said, match: re.Match[str]) -> None:
    said.note(draws_to_17=frozenset({17} if match[1] == "hits" else ()))


@says(r"Draws to a hard 17 and hits every soft total, including soft 21; a natural is never hit\.")
def _every_soft(said: Said, _: re.Match[str]) -> None:
    said.note(draws_to_17=frozenset(range(17, 22)))


@says(
    r"Stands on two cards that total 17 or more, hard or soft\. Draws two cards that total 16 or less to a hard 17 or "
    r"more, and on the way hits every soft total, including soft 21\."
)
def _from_16(said: Said, _: re.Match[str]) -> None:
    said.note(draws_to_17=frozenset(), to_hard_17_from="two-card 16")


@says(
    r"Draws to 17 and hits soft 17; from a soft 17, draws to a hard 17 or more and on the way hits every soft total, "
    r"including soft 21\. Stands on any other soft 18 or more\."
)
def _from_soft_17(said: Said, _: re.Match[str]) -> None:
    said.note(draws_to_17=frozenset({17}), to_hard_17_from="soft 17")


@says(r"The hand ends as soon as it totals (\d+), hard or soft, even with two cards\.")
def _ends(said: Said, match: re.Match[str]) -> None:
    said.facts["ends on"] = (*_known(said, "ends on"), int(match[1]))


@says(
    r"A natural found after the players have acted takes (every wager on the hand(?: except (.+))?|"
    r"the original wager only); "
    r"a busted hand has already lost\."
)
def _natural_takes(said: Said, match: re.Match[str]) -> None:
    said.note(spares_added=match[1] == "the original wager only")
    said.facts["companion spared"] = bool(match[2]) if match[1].startswith("every") else None
    if match[2]:
        said.note(companion=match[2])


@says(r"Completes the hand for (.+) even when every other wager is settled\.")
def _completes(said: Said, match: re.Match[str]) -> None:
    said.note(completes_for=words.listed(match[1]))


@says(r"Wagers decided by the deal are settled first, from the dealer's right to left; play starts at the left\.")
def _from_right(said: Said, _: re.Match[str]) -> None:
    said.note(bonuses_from_right=True)


# Decisions


@says(r"Hit or stand; a hand of 21 takes no card\.")
def _hit(said: Said, _: re.Match[str]) -> None:
    _true_of_every_game(said)


@says(r"There is no doubling down\.")
def _no_double(said: Said, _: re.Match[str]) -> None:
    said.note(doubles=frozenset())


@says(
    r"Double down on (?:(any two cards|any hand)|(a two-card|a total of) ([^;:]+?)( with any number of cards)?)"
    rf"(?:, (also|but not) after a split)?, for (an equal wager|any amount up to the wager, in steps of ({MONEY})): "
    r"one more card\.(?: Exact values and simulations assume the full amount\.)?"
)
def _double(said: Said, match: re.Match[str]) -> None:
    named = words.hands(match[3] or "any")
    said.note(
        doubles=frozenset(hand for hand in named if hand[0] < 21),
        double_cards="any number" if match[1] == "any hand" or match[4] else "first two",
        double_after_split=match[5] != "but not",
        double_for_less=match[6] != "an equal wager",
    )
    if match[7]:
        said.note(double_step=words.cents(match[7]))


@says(r"There is no splitting\.")
def _no_split(said: Said, _: re.Match[str]) -> None:
    said.note(split_hands=1)


@says(r"Split a pair, two cards of equal (value|rank) \(a king and a ten are (not )?a pair\), to at most (\w+) hands\.")
def _split(said: Said, match: re.Match[str]) -> None:
    said.note(pairs_by_rank=bool(match[2]), split_hands=words.number(match[3]))
    said.note(pairs_by_rank=match[1] == "rank")


@says(r"Aces (?:are split (once)|may be split (again)); (each gets only one card|they are played like any hand)\.")
def _aces(said: Said, match: re.Match[str]) -> None:
    said.note(split_aces=match[1] or match[2], split_aces_play_on=match[3] == "they are played like any hand")


@says(r"Aces may not be split\.")
def _aces_never(said: Said, _: re.Match[str]) -> None:
    said.note(split_aces="never")


@says(
    r"Double-Up on (any two cards|a two-card (.+?)) except a natural"
    r"(?:, (also|but not) after a split(, including split aces)?)?: "
    r"a second, equal wager, and the hand stands\."
)
def _double_up(said: Said, match: re.Match[str]) -> None:
    said.note(doubles_up=words.hands(match[2] or "any"), double_up_after_split=match[3] != "but not")
    said.note(double_up_on_split_aces=bool(match[4]))


@says(rf"Quick Pay, on the first two cards: (.+) on (.+?)(?:; (.+) ({DOES}))?\.")
def _quick_pay(said: Said, match: re.Match[str]) -> None:
    said.note(main_name=match[2])
    offers = re.findall(rf"(\d\d) ({DOES})(?:, | and |$)", match[1])
    said.note(quick_pay=frozenset(int(total) for total, _ in offers))
    second = (words.net(match[4]),) if match[3] else ()
    if match[3]:
        said.note(companion=match[3])
    for total, verb in offers:
        said.note(**{f"quick pay {total}": (words.net(verb), *second)})


_WHEN = {
    "after": "after the check",
    "unless": "hole card seen",
    "before": "before the check",
    "even": "whatever the hole card is",
}


@says(r"There is no surrender\.")
def _no_surrender(said: Said, _: re.Match[str]) -> None:
    said.note(surrender="none")


@says(
    r"Surrender the first two cards, (after the dealer has checked for a natural|unless the dealer has a natural|"
    r"before the dealer checks for a natural|even if the dealer then has a natural): "
    rf"(.+?) ({DOES})(?:, (.+) ({DOES}))?\."
)
def _surrender(said: Said, match: re.Match[str]) -> None:
    said.note(main_name=match[2], surrender="late" if match[1].startswith(("after", "unless")) else "early")
    said.note(surrender_when=_WHEN[match[1].split()[0]])
    if match[4]:
        said.note(companion=match[4])
    second = (words.net(match[5]),) if match[4] else ()
    said.note(surrender_pays=(words.net(match[3]), *second))


@says(rf"A hand of (\w+) cards without a bust pays ({ODDS})(, unless the dealer has a natural)?\.")
def _charlie(said: Said, match: re.Match[str]) -> None:
    said.note(charlie=words.number(match[1]), charlie_pays=words.odds(match[2]), charlie_loses_late=bool(match[3]))


# Who wins


@says(
    r"Aces count 1 or 11; tens, jacks, queens and kings count 10\.|"
    r"The higher total wins 1 to 1; a busted hand loses, whatever the dealer does\.|"
    r"If the dealer busts, every hand that has not busted wins 1 to 1\.|"
    r"A natural \(blackjack\) is an ace and a ten-value card as the first two cards, never after a split\."
)
def _always(said: Said, _: re.Match[str]) -> None:
    _true_of_every_game(said)


def _true_of_every_game(said: Said) -> None:
    said.facts["true of every game"] = (*_known(said, "true of every game"), 1)


@says(rf"A natural pays ({ODDS}) and (ties|beats) a drawn 21\.")
def _natural(said: Said, match: re.Match[str]) -> None:
    said.note(natural_pays=words.odds(match[1]), natural_ties_21=match[2] == "ties")


@says(
    r"A dealer's natural (ends the round and )?takes the (.+?) of every hand"
    r"(?: except (a natural)?(?: and )?(a surrendered hand)?)?\."
)
def _dealers_natural(said: Said, match: re.Match[str]) -> None:
    said.note(main_name=match[2], natural_ends_round=bool(match[1]), natural_spares=bool(match[3]))
    said.note(surrender_spared=bool(match[4]))


@says(r"Two naturals push, and so do other ties( except at 21)?\.")
def _all_push(said: Said, match: re.Match[str]) -> None:
    said.note(two_naturals=Fraction(0), ties="pushes", ties_at_21=not match[1])


@says(rf"The player ({DOES}) if both have a natural, and (wins|pushes|loses) all other ties( except at 21)?\.")
def _ties(said: Said, match: re.Match[str]) -> None:
    said.note(two_naturals=words.net(match[1]), ties=match[2], ties_at_21=not match[3])


@says(r"A Double-Up wager (wins|pushes|loses) a tie( except at 21)?\.")
def _double_up_ties(said: Said, match: re.Match[str]) -> None:
    said.note(double_up_ties=match[1], double_up_ties_at_21=not match[2])


@says(r"A player's 21 wins against every hand except a natural\.")
def _twenty_one(said: Said, _: re.Match[str]) -> None:
    said.note(twenty_one_wins=True)


@says(
    r"A dealer's (\d+): (naturals tie it|naturals(?: and charlies)? are paid)(, charlies are paid)?"
    r"(?:, a player's 21 (wins|pushes|loses))?, every other live wager (wins|pushes|loses)\."
)
def _ruled(said: Said, match: re.Match[str]) -> None:
    said.note(**{f"ruled {match[1]}": (match[4], match[5])})
    said.note(**{f"natural ties {match[1]}": match[2] == "naturals tie it"})
    said.note(**{f"charlie paid against {match[1]}": "charlies" in match[2] or bool(match[3])})


@says(rf"(.+?) ({DOES}) with a player's natural, ({DOES}) against a dealer's natural and ({DOES}) when both have one\.")
def _companion_naturals(said: Said, match: re.Match[str]) -> None:
    said.note(companion=match[1])
    said.note(companion_naturals=tuple(words.net(match[place]) for place in (2, 3, 4)))


def _known(said: Said, name: str) -> tuple[int, ...]:
    known = said.facts.get(name, ())
    assert isinstance(known, tuple)
    return known

"""How every pay line was interpreted, with a deal that pays it and one that just misses it.

The compiled wager decides both deals, as at the table. The miss differs from the paying deal in one of the player's
cards or in how the dealer's hand ends; it fails one word of the line, or an earlier line pays first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import permutations

from holecard.deck import DECK, VALUES, Card
from holecard.sheets.checks.dead_lines import PayTable, fitting_cards, pay_tables
from holecard.sheets.schema import RuleSheet
from holecard.wagers.dealer_hands import Finished
from holecard.wagers.named_hands import Cards
from holecard.wagers.pay_table import EVERY_UPCARD, Line, SideWager, format_upcards
from holecard.wagers.sample_deals import card_sets, finished_hands, values_left

_LOOKS = {
    2: "your first two cards",
    3: "your first two cards and the upcard",
    4: "your first two cards and the dealer's",
}
#: An ace last, as in a strategy chart.
_UPCARDS = (*range(2, 11), 1)
#: Player's hands to show with lines that look only at the dealer's hand.
_ANY_HANDS = tuple((DECK[4 * 8], DECK[4 * rank + 1]) for rank in range(6, 2, -1))
#: The number of deals tried for a line that no single card decides.
_TRIALS = 3000


@dataclass(frozen=True, slots=True)
class SampleDeal:
    """The player's two cards and the dealer's, upcard first; `finished` if the wager depends on the final hand."""

    own: Cards
    dealer: Cards
    finished: Finished | None = None


@dataclass(frozen=True, slots=True)
class Reading:
    """One line of a pay table or tax schedule, and how it was interpreted."""

    wager: str
    table: str
    """The name of the pay table, "tax" for a tax schedule; empty if there is only one table."""
    line: str
    terms: str
    """ "pays 5 to 1", "tax $2"."""
    means: str
    pays: str
    """A deal that pays the line; empty if there is none."""
    misses: str
    """A deal that just misses the line; empty if every deal pays it."""
    why: str
    """Why that deal misses, and what it pays instead."""
    printed: bool = True
    """False for a house table."""


def line_readings(sheet: RuleSheet) -> list[Reading]:
    """Return every line of every pay table and tax schedule, in the order of the sheet."""
    return [
        _reading(wager.name, table, number)
        for wager in sheet.wager
        for table in pay_tables(sheet, wager)
        for number in range(len(table.words))
    ]


def _reading(wager: str, table: PayTable, number: int) -> Reading:
    numbers = frozenset(i for i, written in enumerate(table.written) if written == number)
    line = table.wager.lines[min(numbers)]
    search = Search(table, numbers)
    pays = search.paying()
    misses = search.missing(pays) if pays else None
    return Reading(
        wager=wager,
        table=table.where.removeprefix(f"wager.{wager}.").removeprefix("tables.").removeprefix("lines"),
        line=table.words[number],
        terms=_terms(table, numbers),
        means=_means(table.wager, line, numbers),
        pays=search.describe(pays) if pays else "",
        misses=search.describe(misses) if misses else "",
        why=search.why(misses) if misses else "",
        printed=table.wager.printed,
    )


def _terms(table: PayTable, numbers: frozenset[int]) -> str:
    odds = [str(table.wager.lines[i].pays) for i in sorted(numbers)]
    if table.verb != "pay":
        return f"tax {odds[0]}"
    if len(numbers) > 1:
        return "pays by upcard"
    return "push" if odds[0] == "push" else f"pays {odds[0]}"


def _means(wager: SideWager, line: Line, numbers: frozenset[int]) -> str:
    parts = [f"{_LOOKS[wager.looks_at]}: {line.hand.means}"] if line.hand else []
    if line.dealer:
        parts.append(line.dealer.means)
    upcards = wager.upcards & frozenset(up for i in numbers for up in wager.lines[i].upcards)
    if upcards != EVERY_UPCARD:
        parts.append(f"with {format_upcards(upcards)} up")
    return "; ".join(parts)


class Search:
    """Search for deals that pay, or just miss, one written line, which is compiled to the lines `numbers`."""

    def __init__(self, table: PayTable, numbers: frozenset[int]) -> None:
        self.tables, self.decks, self.wager = table.tables, table.decks, table.wager
        self.words, self.written, self.verb = table.words, table.written, table.verb
        self.numbers = numbers
        self.line = self.wager.lines[min(numbers)]
        self.to_the_end = any(line.dealer for line in self.wager.lines)
        self.by_cards = any(line.hand for line in self.wager.lines)

    # Deals that pay

    def paying(self) -> SampleDeal | None:
        """Return the first deal found that pays the line."""
        return next((deal for deal in self._deals() if self._paid(deal) in self.numbers), None)

    def _deals(self) -> Iterator[SampleDeal]:
        in_order = any(line.hand and "match" in line.hand.text.lower() for line in self.wager.lines)
        for number in sorted(self.numbers):
            looks_at = self.wager.looks_at if self.by_cards else 0
            for cards in fitting_cards(self.wager, number, looks_at=looks_at, in_order=in_order):
                if any(_always_pays(above, cards) for above in self.wager.lines[:number]):
                    continue
                orders = [cards] if in_order or len(cards) < 3 else list(dict.fromkeys(permutations(cards)))
                for order in orders or [()]:
                    for own in [order[:2]] if order else _ANY_HANDS:
                        yield from self._dealt(own, order[2:])

    def _dealt(self, own: Cards, dealers: Cards) -> Iterator[SampleDeal]:
        """Yield deals with every upcard and every final dealer's hand, as far as the wager depends on them."""
        upcards = [dealers] if dealers else [(self._card(up, own),) for up in _UPCARDS if up in self._upcards()]
        for seen in upcards:
            if not self.to_the_end:
                yield SampleDeal(own, seen)
            else:
                yield from self._finished(own, seen, fitting=True)

    def _finished(self, own: Cards, seen: Cards, *, fitting: bool = False) -> Iterator[SampleDeal]:
        """Yield every final dealer's hand, or those that the line asks for."""
        removed = (*own, *seen)
        if max(Counter(removed).values()) > self.decks:
            return
        values = tuple(VALUES[card] for card in removed)
        hands = finished_hands(self.tables.dealer_draws, values[2:], values_left(self.decks, values))
        for finished, hand in sorted(hands.items(), key=lambda item: (item[0].cards, item[0].total)):
            if fitting and self.line.dealer and not self.line.dealer.fits(finished):
                continue
            cards = list(seen)
            for value in hand[len(seen) :]:
                cards.append(self._card(value, (*own, *cards)))
            yield SampleDeal(own, tuple(cards), finished)

    def _upcards(self) -> frozenset[int]:
        return self.wager.upcards & frozenset(up for i in self.numbers for up in self.wager.lines[i].upcards)

    def _card(self, value: int, removed: Cards) -> Card:
        """Return a card of this value that is still in the shoe, in the suit used least."""
        suits = Counter(card.suit for card in removed)
        ranks = range(9, 13) if value == 10 else (value - 1,)
        left = [DECK[4 * rank + suit] for rank in ranks for suit in range(4)]
        return min((card for card in left if removed.count(card) < self.decks), key=lambda card: suits[card.suit])

    # Which line a deal pays

    def _paid(self, deal: SampleDeal) -> int | None:
        """Return the compiled line that pays, None if none does, -1 if the deal or the wager is impossible."""
        if max(Counter((*deal.own, *deal.dealer)).values()) > self.decks:
            return -1
        own_natural = sorted(VALUES[card] for card in deal.own) == [1, 10]
        if self.wager.after_check and (own_natural or (deal.finished is not None and self._seen_natural(deal))):
            return -1
        cards = (*deal.own, *deal.dealer[:2])
        found = self.wager.final_line(cards, deal.finished) if deal.finished else self.wager.decided_line(cards)
        return next((i for i, line in enumerate(self.wager.lines) if line is found), None)

    def _seen_natural(self, deal: SampleDeal) -> bool:
        looked = self.tables.hole_card == "face up" or VALUES[deal.dealer[0]] in self.tables.peeks_under
        return looked and deal.finished is not None and deal.finished.natural

    # Deals that miss

    def missing(self, pays: SampleDeal) -> SampleDeal | None:
        """Return the deal most similar to the paying one that misses, failing as few words of the line as possible."""
        misses = [
            (self._failed(deal), distance, number, deal)
            for number, (distance, deal) in enumerate(self._neighbors(pays))
            if self._paid(deal) not in (*self.numbers, -1)
        ]
        if misses:
            return min(misses, key=lambda miss: (max(len(miss[0]), 1), miss[1], miss[2]))[3]
        return next((deal for deal in self._any_deals(pays) if self._paid(deal) not in (*self.numbers, -1)), None)

    def _neighbors(self, pays: SampleDeal) -> Iterator[tuple[int, SampleDeal]]:
        if self.line.hand:
            yield from self._other_cards(pays)
        if self.line.dealer:
            yield from self._other_ends(pays)

    def _other_cards(self, pays: SampleDeal) -> Iterator[tuple[int, SampleDeal]]:
        """Exchange one card that the wager looks at; a dealer's card only if the final hand does not depend on it."""
        looked_at = 2 if self.to_the_end else self.wager.looks_at
        cards = (*pays.own, *pays.dealer)
        for place in reversed(range(looked_at)):
            for card in DECK:
                if card != cards[place]:
                    changed = (*cards[:place], card, *cards[place + 1 :])
                    distance = 2 * abs(card.rank - cards[place].rank) + (card.suit != cards[place].suit)
                    yield distance, replace(pays, own=changed[:2], dealer=changed[2:])

    def _other_ends(self, pays: SampleDeal) -> Iterator[tuple[int, SampleDeal]]:
        assert pays.finished is not None
        for deal in self._finished(pays.own, pays.dealer[: max(1, self.wager.looks_at - 2)]):
            assert deal.finished is not None
            cards = abs(deal.finished.cards - pays.finished.cards)
            yield 2 * cards + 2 * abs(deal.finished.total - pays.finished.total), deal

    def _any_deals(self, pays: SampleDeal) -> Iterator[SampleDeal]:
        """Yield deals for a line that no similar deal misses: other cards, then upcards that cannot win."""
        for number, cards in enumerate(card_sets(self.wager.looks_at, in_order=True) if self.by_cards else ()):
            if number > _TRIALS:
                break
            dealer = (*cards[2:], *pays.dealer[len(cards) - 2 :]) if not self.to_the_end else pays.dealer
            yield replace(pays, own=cards[:2], dealer=dealer)
        for upcard in _UPCARDS:
            if upcard not in self._upcards() and not self.to_the_end:
                yield replace(pays, dealer=(self._card(upcard, pays.own), *pays.dealer[1:]))

    def _failed(self, deal: SampleDeal) -> list[str]:
        """Return the words of the line that do not match."""
        looked_at = (*deal.own, *deal.dealer)[: self.wager.looks_at]
        hand = self.line.hand
        failed = [_as_written(word.text, hand.text) for word in hand.words if not word.holds(looked_at)] if hand else []
        if self.line.dealer and deal.finished and not self.line.dealer.fits(deal.finished):
            failed.append(f"dealer {self.line.dealer.text}")
        if VALUES[deal.dealer[0]] not in self._upcards():
            failed.append(f"{format_upcards(self._upcards())} up")
        return failed

    # Text

    def describe(self, deal: SampleDeal) -> str:
        """Return the cards that matter: "3s 8s", "3s 8s v 7h", "dealer 7h 4c 7d"."""
        own = " ".join(map(str, deal.own))
        dealer = " ".join(map(str, deal.dealer))
        if not self.by_cards:
            return f"dealer {dealer}"
        by_upcard = any(self.wager.upcards & line.upcards != EVERY_UPCARD for line in self.wager.lines)
        if self.to_the_end or self.wager.looks_at > 2 or by_upcard:
            shown = dealer if self.to_the_end else " ".join(map(str, deal.dealer[: max(1, self.wager.looks_at - 2)]))
            return f"{own} v {shown}"
        return own

    def why(self, deal: SampleDeal) -> str:
        """Return what does not match, and what the deal pays instead."""
        paid = self._paid(deal)
        instead = f"{self.words[self.written[paid]]!r}" if paid is not None else ""
        if failed := self._failed(deal):
            nothing = "nothing is paid" if self.verb == "pay" else "no tax is due"
            then = (f"{instead} pays" if self.verb == "pay" else f"{instead} is due") if instead else nothing
            return f"not {', not '.join(repr(word) for word in failed)}: {then}"
        return f"{instead} is above it and pays first"


def _always_pays(line: Line, cards: Cards) -> bool:
    """Return whether the line matches these cards whatever else is dealt."""
    return line.dealer is None and line.upcards == EVERY_UPCARD and (line.hand is None or line.hand.fits(cards))


def _as_written(word: str, phrase: str) -> str:
    """Return a word, which was parsed in lower case, with the capitals of the phrase."""
    at = phrase.lower().find(word)
    return phrase[at : at + len(word)] if at >= 0 else word

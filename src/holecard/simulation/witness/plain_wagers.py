"""The side wagers of a sheet, read a second time and compared with the compiled ones: terms, lines, taxes, hands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product
from random import Random

from holecard.deck import DECK
from holecard.simulation.witness.plain_sheet import SheetWords
from holecard.simulation.witness.plain_words import (
    PlainCard,
    dealer_ending,
    hand_holds,
    plain_cents,
    plain_odds,
    plain_upcards,
)
from holecard.wagers.dealer_hands import DealerHand, Finished
from holecard.wagers.named_hands import NamedHand
from holecard.wagers.pay_table import Line, SideWager

_LOOKED_AT = {"two cards": 2, "two cards and upcard": 3, "all four cards": 4}
#: Deals on which the two readings of a named hand are compared, where there are too many to try all.
_DEALS = 1500
_FINISHED = [(total, cards) for total in range(12, 27) for cards in range(2, 13)]


def wager_cells(wager: SheetWords, compiled: SideWager, sheet: SheetWords) -> Iterator[tuple[str, object, object]]:
    """Yield (cell, what the sheet says, what the compiled wager says)."""
    name, looks_at = wager["name"], _LOOKED_AT[wager["on"]]
    yield f"{name}, name", name, compiled.name
    yield f"{name}, cards looked at", looks_at, compiled.looks_at
    limits = tuple(plain_cents(wager[key]) for key in ("min", "max", "step"))
    yield f"{name}, limits in cents", limits, (compiled.limits.low, compiled.limits.high, compiled.limits.step)
    yield f"{name}, at most the main wager", wager["at_most"] == "the main wager", compiled.at_most_main
    yield f"{name}, needs", wager["needs"], compiled.needs
    yield f"{name}, placed after the check", wager["placed"] != "before the deal", compiled.after_check
    late = wager["placed"] == "until the hole card is turned"
    yield f"{name}, open until the hole card is turned", late, compiled.until_turned
    yield f"{name}, settled at the end", wager["settled"] == "end of round", compiled.settled_at_end
    yield f"{name}, upcards", plain_upcards(wager["upcard"]), set(compiled.upcards)
    offered = _offered(wager, sheet, [])
    yield f"{name}, upcards with which it is offered", offered, set(compiled.offered_upcards)
    yield f"{name}, a token", wager["stake"] == "token", compiled.token
    yield f"{name}, printed", wager["table_from"] == "printed", compiled.printed
    yield f"{name}, upcards of the tax", plain_upcards(wager["tax_upcard"]), set(compiled.tax_upcards)
    yield from _taxes(wager, compiled)
    lines = list(lines_in_force(wager, sheet))
    yield f"{name}, number of lines", len(lines), len(compiled.lines)
    for (title, line, pays, values), found in zip(lines, compiled.lines, strict=False):
        where = f"{name}, {title}"
        yield f"{where}, name", title, found.name
        yield f"{where}, upcards", values, set(found.upcards)
        yield f"{where}, pays", _pays(pays), (found.pays.fixed, found.pays.odds)
        yield from _hand_cells(where, line.get("hand"), found.hand, looks_at)
        yield from _dealer_cells(where, line.get("dealer"), found.dealer)


def _offered(wager: SheetWords, sheet: SheetWords, needing: list[str]) -> set[int]:
    """Return the upcards with which a wager can be placed: after the check, those on which it can win.

    A wager that it needs must be open, too; two wagers may need each other.
    """
    if wager["placed"] == "before the deal":
        return set(range(1, 11))
    lines = [(line, values) for _, line, _, values in lines_in_force(wager, sheet)]
    open_ = {up for line, values in lines if _without_natural(line.get("dealer")) for up in values}
    open_ &= plain_upcards(wager["upcard"])
    for other in sheet["wager"]:
        if other["name"] == wager["needs"] and other["name"] not in needing:
            open_ &= _offered(other, sheet, [*needing, other["name"]])
    return open_


def _without_natural(words: str | None) -> bool:
    """Return whether a line can pay once the dealer has checked and has no natural."""
    return words is None or dealer_ending(words).natural is not True


def _taxes(wager: SheetWords, compiled: SideWager) -> Iterator[tuple[str, object, object]]:
    yield f"{wager['name']}, number of taxes", len(wager["tax"]), len(compiled.tax)
    for line, found in zip(wager["tax"], compiled.tax, strict=False):
        where = f"{wager['name']}, tax on {line['hand']}"
        yield f"{where}, name", line["hand"], found.name
        yield f"{where}, due in cents", (plain_cents(line["tax"]), True), (found.pays.fixed, _is_plain(found))
        yield from _hand_cells(where, line["hand"], found.hand, 2)


def _is_plain(tax: Line) -> bool:
    """Return whether a tax depends on nothing but the hand."""
    return tax.dealer is None and len(tax.upcards) == 10


def lines_in_force(wager: SheetWords, sheet: SheetWords) -> Iterator[tuple[str, SheetWords, str, set[int]]]:
    """Yield (title, line, what it pays, upcards), one for each upcard where the odds depend on it."""
    lines, decks = wager["lines"], str(sheet["shoe"]["decks"])
    if wager["tables"]:
        rule = {"hit": "H17", "stand": "S17"}[sheet["dealer"]["soft_17"]]
        own = f"{decks} {rule}" if f"{decks} {rule}" in wager["tables"] else decks
        lines = wager["tables"][{"by decks": decks, "by decks and soft 17": own}.get(wager["table"], wager["table"])]
    for line in lines:
        asked = [line.get("hand"), f"dealer {line['dealer']}" if line.get("dealer") else None]
        title = line.get("name") or " and ".join(filter(None, asked))
        if isinstance(line["pays"], dict):
            for key, pays in line["pays"].items():
                for value in sorted(plain_upcards(key)):
                    yield f"{title} with {'A23456789T'[value - 1]} up", line, pays, {value}
        else:
            yield title, line, line["pays"], set(range(1, 11))


def _pays(words: str) -> tuple[object, object]:
    """Return (fixed amount in cents, odds); a line has one of them."""
    return (plain_cents(words), plain_odds("push")) if words.strip().startswith("$") else (None, plain_odds(words))


def _hand_cells(
    where: str, words: str | None, compiled: NamedHand | None, looks_at: int
) -> Iterator[tuple[str, object, object]]:
    """Compare the hands that both readings accept."""
    yield f"{where}, asks for a hand", words is not None, compiled is not None
    if words is None or compiled is None:
        return
    for deal in varied_deals(looks_at):
        holds = hand_holds(words, deal)
        if holds != compiled.fits(tuple(DECK[4 * rank + suit] for rank, suit in deal)):
            shown = " ".join("A23456789TJQK"[rank] + "shdc"[suit] for rank, suit in deal)
            yield f"{where}, {words!r} with {shown}", holds, not holds
            return
    yield f"{where}, {words!r}", True, True


def _dealer_cells(where: str, words: str | None, compiled: DealerHand | None) -> Iterator[tuple[str, object, object]]:
    yield f"{where}, asks for a dealer's hand", words is not None, compiled is not None
    if words is None or compiled is None:
        return
    asked = dealer_ending(words)
    for total, cards in _FINISHED:
        fits = compiled.fits(Finished(total, cards, (total, cards) == (21, 2)))
        if asked.holds(total, cards) != fits:
            yield f"{where}, {words!r} with {total} in {cards} cards", not fits, fits
            return
    yield f"{where}, {words!r}", True, True


@cache
def varied_deals(cards: int) -> Sequence[tuple[PlainCard, ...]]:
    """Return deals: all of two cards, and of more some in which ranks and suits are often equal or near each other."""
    deck = list(product(range(13), range(4)))
    if cards == 2:
        return [(one, two) for one in deck for two in deck if one <= two]
    chance = Random(cards)
    return [_deal(chance, cards) for _ in range(_DEALS)]


def _deal(chance: Random, cards: int) -> tuple[PlainCard, ...]:
    rank, suit = chance.randrange(13), chance.randrange(4)
    near = [(rank + step) % 13 for step in (-2, -1, 0, 0, 1, 2)] + [chance.randrange(13)]
    suits = [suit, suit, suit, 3 - suit, chance.randrange(4)]
    only_suit = chance.random() < 0.3
    return tuple((chance.choice(near), suit if only_suit else chance.choice(suits)) for _ in range(cards))

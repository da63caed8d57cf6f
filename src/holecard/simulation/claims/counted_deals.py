"""The first four cards, counted again one deal after another: starting hands, naturals, and lines of side wagers.

The exact analysis and the simulation share how they look a line up. The lines here are read from the sheet a second
time, and every deal that such a line needs is tried.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import combinations_with_replacement, product
from typing import TypeAlias

import numpy as np

from holecard.exact.results import Analysis, WagerResult
from holecard.payoffs.made_hands import hand_bits_of
from holecard.payoffs.wager_terms import BY_VALUE, wager_terms
from holecard.sheets.checks.dead_lines import unreachable_lines
from holecard.sheets.tables import BET, COMPANION, DEALER_NATURAL, NATURAL, Tables
from holecard.simulation.witness.plain_sheet import SheetWords, plain_sheet
from holecard.simulation.witness.plain_wagers import lines_in_force, varied_deals
from holecard.simulation.witness.plain_words import PlainCard, hand_holds, plain_upcards

_ANY_TOTAL = 17
#: How many of the first cards decide, where that is few enough to try every deal.
_CARDS = {"two cards": 2, "two cards and upcard": 3}
_NAMED_CARD = re.compile(r"\b(?:10|[2-9tjqka])[shdc]\b", re.IGNORECASE)
_HEART, _DIAMOND = 1, 2
_DECK = [(rank, suit) for rank in range(13) for suit in range(4)]

#: Numbers of lines, in the order of the pay table: those that one deal can be paid by, as the dealer's hand decides.
_Open: TypeAlias = tuple[int, ...]


def first_deals(exact: Analysis) -> Iterator[tuple[tuple[int, ...], float]]:
    """Yield the player's two cards, the upcard and the second card of the dealer by value, and their probability."""
    left, cards = list(exact.shoe.values), exact.shoe.total
    whole = float(cards * (cards - 1) * (cards - 2) * (cards - 3))
    for deal in product(range(1, 11), repeat=4):
        ways, used = 1, [0] * 11
        for value in deal:
            ways *= left[value - 1] - used[value]
            used[value] += 1
        if ways > 0:
            yield deal, ways / whole


def _is_natural(one: int, two: int) -> bool:
    return {one, two} == {1, 10}


def ends_at_once(tables: Tables, deal: tuple[int, ...]) -> bool:
    """Return whether a round ends before a decision: the player or a dealer who has looked has a natural."""
    known = deal[2] in tables.peeks_under and _is_natural(deal[2], deal[3])
    return known or _is_natural(deal[0], deal[1])


def _needs_no_decision(tables: Tables, deal: tuple[int, ...]) -> bool:
    """Return whether a player decides nothing; early surrender comes before the dealer looks."""
    return _is_natural(deal[0], deal[1]) if tables.surrenders == "early" else ends_at_once(tables, deal)


def starting_hands(exact: Analysis) -> dict[tuple[int, ...], float]:
    """Return the probability of each starting hand with a decision: the player's cards in order, and what is shown."""
    both, tables = exact.rules.tables.hole_card == "face up", exact.rules.tables
    found: dict[tuple[int, ...], float] = {}
    for deal, probability in first_deals(exact):
        if not _needs_no_decision(tables, deal):
            shown = (*sorted(deal[:2]), *(sorted(deal[2:]) if both else deal[2:3]))
            found[shown] = found.get(shown, 0.0) + probability
    return found


def ev_before_decisions(exact: Analysis) -> float:
    """Return what rounds without a decision contribute to the EV, where a natural does not wait for the dealer."""
    tables = exact.rules.tables
    kinds = (BET, COMPANION) if tables.has_companion else (BET,)
    total = 0.0
    for deal, probability in first_deals(exact):
        if _needs_no_decision(tables, deal):
            player = NATURAL if _is_natural(deal[0], deal[1]) else _ANY_TOTAL
            dealer = DEALER_NATURAL if _is_natural(deal[2], deal[3]) else _ANY_TOTAL
            total += (
                probability * float(sum(tables.settlement[kind][player][dealer].net for kind in kinds)) / len(kinds)
            )
    return total


# Lines of side wagers


def plain_lines(exact: Analysis) -> Iterator[tuple[str, float, float]]:
    """Yield (lines, probability as shown, probability over all deals) of wagers that are placed before the deal.

    Lines that can be paid for the same first cards, depending on the dealer's hand, are counted together. Lines that
    never pay are compared with what `check` says.
    """
    words = plain_sheet(exact.rules)
    by_name = {wager["name"]: wager for wager in words["wager"]}
    for result in exact.wagers:
        wager = by_name[result.name]
        if not all(line.probability for line in result.lines[:-1]):
            yield f"{result.name}, lines that never pay", 1.0, float(_has_dead_lines(exact, result.name))
        if wager["on"] in _CARDS and wager["placed"] == "before the deal":
            yield from _counted_lines(result, wager, words)
    yield from _looked_up(exact)


def _has_dead_lines(exact: Analysis, name: str) -> bool:
    return any(problem.where.startswith(f"wager.{name}.") for problem in unreachable_lines(exact.rules))


def _counted_lines(result: WagerResult, wager: SheetWords, words: SheetWords) -> Iterator[tuple[str, float, float]]:
    ways = _ways(wager, words)
    whole = sum(ways.values())
    for together in _joined(ways):
        titles = " or ".join(result.lines[number].line for number in sorted(together))
        counted = sum(number for lines, number in ways.items() if together.issuperset(lines)) / whole
        yield f"{result.name}, {titles}", sum(float(result.lines[n].probability) for n in together), counted


def _joined(ways: Counter[_Open]) -> list[set[int]]:
    """Return sets of lines, such that every deal is paid by lines of one set."""
    sets: list[set[int]] = []
    for lines in ways:
        touched = [one for one in sets if not one.isdisjoint(lines)]
        sets = [one for one in sets if one.isdisjoint(lines)] + [set(lines).union(*touched)]
    return sets


def _ways(wager: SheetWords, words: SheetWords) -> Counter[_Open]:
    """Return in how many ways, in order, the first cards open each choice of lines; the last number stands for none."""
    decks, wins = words["shoe"]["decks"], plain_upcards(wager["upcard"])
    lines = [
        (line.get("hand"), line.get("dealer") is None, values) for _, line, _, values in lines_in_force(wager, words)
    ]
    by_upcard = _CARDS[wager["on"]] == 3 or len(wins) < 10 or any(len(values) < 10 for _, _, values in lines)
    found: Counter[_Open] = Counter()
    named = any(_NAMED_CARD.search(hand or "") for hand, _, _ in lines)
    for one, two, alike in _pairs(named=named):
        upcards = _cards_left_with(two, named=named) if by_upcard else [(one, 1)]
        for upcard, same in upcards:
            pairs = decks * (decks - (one == two)) * alike * same
            left = decks - (upcard == one) - (upcard == two)
            cards = (one, two, upcard) if _CARDS[wager["on"]] == 3 else (one, two)
            value = min(upcard[0] + 1, 10)
            is_open = _open(lines, cards, value if by_upcard else None) if value in wins or not by_upcard else ()
            found[is_open or (len(lines),)] += pairs * (left if by_upcard else 1)
    return found


def _pairs(*, named: bool) -> Iterator[tuple[PlainCard, PlainCard, int]]:
    """Yield two cards, and how many ordered pairs are like them: the first suit matters only if a line names cards."""
    if named:
        yield from ((one, two, 1 if one == two else 2) for one, two in combinations_with_replacement(_DECK, 2))
    else:
        yield from ((one, two, 4 * same) for one in _DECK[::4] for two, same in _cards_left_with(one, named=False))


def _cards_left_with(other: PlainCard, *, named: bool) -> list[tuple[PlainCard, int]]:
    """Return cards to deal with another card, and how many are like each; the first card is a spade.

    With a black card, a diamond is like a heart, unless a line names cards.
    """
    if named or other[1] in (_HEART, _DIAMOND):
        return [(card, 1) for card in _DECK]
    return [(card, 1 + (card[1] == _HEART)) for card in _DECK if card[1] != _DIAMOND]


def _open(lines: list[tuple[str | None, bool, set[int]]], cards: tuple[PlainCard, ...], value: int | None) -> _Open:
    """Return the lines that these cards can be paid by: the first that needs nothing of the dealer ends them."""
    found: list[int] = []
    for number, (hand, is_certain, values) in enumerate(lines):
        if (value is None or value in values) and (hand is None or hand_holds(hand, cards)):
            found.append(number)
            if is_certain:
                return tuple(found)
    return (*found, len(lines))


def _looked_up(exact: Analysis) -> Iterator[tuple[str, float, float]]:
    """Yield (hand, wrong deals, 0) for every named hand, looked up as the simulation and the analysis do.

    The deals are chosen so that rare hands are among them.
    """
    for wager in exact.rules.tables.wagers:
        terms = wager_terms(wager)
        query = terms.card_query(BY_VALUE)
        deals = varied_deals(query.size)
        made = hand_bits_of(query, np.array([[4 * rank + suit for rank, suit in deal] for deal in deals], np.int16).T)
        for place, hand in enumerate((*query.hands, *query.own)):
            size = query.size if place < len(query.hands) else 2
            wrong = sum(
                bool(bits >> place & 1) != hand_holds(hand, deal[:size])
                for bits, deal in zip(made.tolist(), deals, strict=True)
            )
            yield f"{wager.name}, {hand!r}, deals looked up wrongly", float(wrong), 0.0

"""The best possible EV of a wager on the dealer's final hand, over all cards seen: `python -m bench.late_best GAME`.

The program looks at three tables for each number of decks: one hand that is not split, one seat that splits as often as
allowed, and seven such seats. Players may draw to any hand below 21, however foolish that is, and may bust.

*One hand* is a full enumeration: every hand that can be drawn, against every upcard. This is the maximum.

*Splits* is a search for the cards with the best EV. It adds, removes, or exchanges one card at a time, as long as the
cards can be dealt as hands of the table. The result can happen, but nothing proves that it is the maximum.

*The bound* holds for every set S of cards that h hands can show. Apart from its last card, a hand counts at most 20
(with aces as 1), so S has at most h cards of any kind and other cards of at most 20 h points. For a dealer hand, let V
be 1 or 0 if the hand is finished, and otherwise

    V(hand) = max over such S of  Σ over values v of  n(v) / n · V(hand + v)

with n(v) cards of the value v and n cards in total, without the cards of S and of the hand. S is chosen again for every
hand. Choosing it only once cannot be better, so no S gives the wager a higher probability than V of the upcard. The
maximum itself is bounded from above: cards may be divided, and the h cards of any kind may all be the best one.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement

import numpy as np
from numpy.typing import NDArray

from bench.late_wagers import Payoffs
from holecard.deck import value_name
from holecard.exact.main.dealer_multisets import Multiset, finished_by, multiset, plus, total
from holecard.hands import NATURAL_UPCARDS
from holecard.kernels.arrays import Floats
from holecard.kernels.jit import kernel
from holecard.sheets.override import parse_setting
from holecard.sheets.read import rules
from holecard.sheets.tables import Tables

VALUES = range(1, 11)
MOST_POINTS = 20


@dataclass(frozen=True)
class Best:
    """The highest EV found: the wager, the upcard, and the other cards seen."""

    ev: float
    wager: str
    upcard: int
    hands: tuple[tuple[int, ...], ...]

    def __str__(self) -> str:
        cards = " | ".join("".join(map(value_name, hand)) for hand in self.hands)
        return f"{100 * self.ev:+.2f}%  {self.wager} v {value_name(self.upcard)}  {cards}"


def shoe_without(decks: int, upcard: int) -> Multiset:
    """Return the cards without the upcard, [value - 1]."""
    return tuple((16 if v == 10 else 4) * decks - (v == upcard) for v in VALUES)


# One hand


def drawn_hands(most: Multiset) -> set[Multiset]:
    """Return every hand that can be drawn, including busts; a natural is not played."""
    starts = (multiset(pair) for pair in combinations_with_replacement(VALUES, 2) if pair != (1, 10))
    found, level = set[Multiset](), {hand for hand in starts if fits(hand, most)}
    while level:
        found |= level
        open_ = [hand for hand in level if total(hand)[0] < 21]
        level = {longer for hand in open_ for v in VALUES if fits(longer := plus(hand, v), most)}
    return found


def fits(cards: Iterable[int], most: Multiset) -> bool:
    return all(number <= limit for number, limit in zip(cards, most, strict=True))


def best_hand(payoffs: Payoffs, decks: int) -> Best:
    """Find the best hand by enumeration."""
    found = []
    for upcard in VALUES:
        shoe = shoe_without(decks, upcard)
        hands = sorted(drawn_hands(shoe))
        evs = payoffs.evs(upcard - 1, np.array(shoe, float)[:, None] - np.array(hands, float).T)
        wager, which = np.unravel_index(int(evs.argmax()), evs.shape)
        found.append(Best(float(evs.max()), payoffs.names[wager], upcard, (cards_of(hands[which]),)))
    return max(found, key=lambda best: best.ev)


def cards_of(hand: Multiset) -> tuple[int, ...]:
    return tuple(v for v in VALUES for _ in range(hand[v - 1]))


# Split hands


def dealt_as(cards: Multiset, seats: int, most_hands: int) -> tuple[tuple[int, ...], ...] | None:
    """Return hands of a table that show these cards, or None if none was found: pairs, split as often as allowed.

    A hand is the split card, other cards that keep it below 21, and one last card. Aces are not split here, because
    each would get only one card.
    """
    for starts in _starts(cards, seats, most_hands):
        hands = _pack(cards, starts)
        if hands is not None:
            return hands
    return None


def _starts(cards: Multiset, seats: int, most_hands: int) -> Iterator[list[int]]:
    """Yield the first cards of the hands: some seats split a value fully, the others play one hand each."""
    groups = [v for v in VALUES[1:] for _ in range(cards[v - 1] // most_hands)]
    for splitting in range(min(seats, len(groups)), -1, -1):
        for shift in range(len(groups) - splitting + 1):
            starts = [v for v in groups[shift : shift + splitting] for _ in range(most_hands)]
            rest = sorted((Counter(cards_of(cards)) - Counter(starts)).elements(), reverse=True)
            if len(rest) >= 2 * (seats - splitting) + len(starts):
                yield starts + rest[: seats - splitting]


def _pack(cards: Multiset, starts: Sequence[int]) -> tuple[tuple[int, ...], ...] | None:
    """Distribute the cards: the largest come last and may bust a hand; the others go where they just fit."""
    rest = sorted((Counter(cards_of(cards)) - Counter(starts)).elements(), reverse=True)
    if len(rest) < len(starts):
        return None
    last, body = rest[: len(starts)], rest[len(starts) :]
    hands = [[start] for start in starts]
    for card in body:
        open_ = [hand for hand in hands if sum(hand) + card <= MOST_POINTS]
        if not open_:
            return None
        max(open_, key=sum).append(card)
    dealt = [(*_aces_last(hand), card) for hand, card in zip(sorted(hands, key=sum), last, strict=True)]
    return tuple(dealt) if all(map(_playable, dealt)) else None


def _aces_last(hand: Sequence[int]) -> list[int]:
    return [hand[0], *sorted(hand[1:], reverse=True)]


def _playable(hand: Sequence[int]) -> bool:
    """Whether every card after the first two was drawn to a total below 21."""
    return all(total(multiset(tuple(hand[:size])))[0] < 21 for size in range(2, len(hand)))


def certain(payoffs: Payoffs, decks: int, seats: int, most_hands: int) -> Best | None:
    """Return a situation that wins the highest odds for certain, or None.

    All cards except two have been seen. The dealer must draw after the first of the two and finish with both.
    """
    cells = [(wager, upcard) for wager in range(len(payoffs.names)) for upcard in VALUES]
    pays = {cell: payoffs.pays[cell[0], :, cell[1] - 1].max() for cell in cells}
    wager, upcard = max(cells, key=lambda cell: pays[cell])
    totals = {c for c, paid in zip(payoffs.endings.classes, payoffs.pays[wager, :, upcard - 1], strict=True) if paid}
    for pair in combinations_with_replacement(range(2, 10), 2):
        if upcard + sum(pair) in totals and upcard + max(pair) < 17 and upcard > 1:
            left = multiset(pair)
            seen = tuple(all_ - two for all_, two in zip(shoe_without(decks, upcard), left, strict=True))
            hands = dealt_as(seen, seats, most_hands)
            if hands is not None:
                return Best(pays[wager, upcard] - 1, payoffs.names[wager], upcard, hands)
    return None


def best_splits(payoffs: Payoffs, decks: int, seats: int, most_hands: int) -> Best:
    """Find the best cards by a search, unless the highest odds can be won for certain."""
    if sure := certain(payoffs, decks, seats, most_hands):
        return sure
    found = []
    for upcard in VALUES:
        for wager in range(len(payoffs.names)):
            ev, cards = _climb(payoffs, decks, upcard, wager, seats, most_hands)
            hands = dealt_as(cards, seats, most_hands)
            if hands is not None:
                found.append(Best(ev, payoffs.names[wager], upcard, hands))
    return max(found, key=lambda best: best.ev)


def _climb(
    payoffs: Payoffs, decks: int, upcard: int, wager: int, seats: int, most_hands: int
) -> tuple[float, Multiset]:
    """Change one card at a time, from every start that has pairs to split, until no change that can be dealt helps."""
    shoe = shoe_without(decks, upcard)
    best: tuple[float, Multiset] = (-1.0, shoe)
    for begin in _begins(shoe, seats, most_hands):
        ev, cards = -1.0, begin
        while True:
            near = sorted({c for c in _neighbors(cards) if fits(c, shoe) and sum(shoe) - sum(c) > 12} | {cards})
            evs = payoffs.evs(upcard - 1, np.array(shoe, float)[:, None] - np.array(near, float).T)[wager]
            better = [i for i in np.argsort(-evs, kind="stable") if evs[i] > ev + 1e-12]
            step = next((i for i in better if dealt_as(near[i], seats, most_hands)), None)
            if step is None:
                break
            ev, cards = float(evs[step]), near[step]
        best = max(best, (ev, cards))
    return best


def _begins(shoe: Multiset, seats: int, most_hands: int) -> Iterator[Multiset]:
    """Yield starting points: pairs of one value or of several, with a second card on every hand."""
    hands = seats * most_hands
    for first in VALUES[1:]:
        cards = [0] * 10
        left = hands
        for v in (*range(first, 11), *range(2, first)):
            groups = min(left // most_hands, shoe[v - 1] // most_hands)
            cards[v - 1] += groups * most_hands
            left -= groups * most_hands
        second = hands
        for v in (*range(10, 0, -1),):
            more = min(second, shoe[v - 1] - cards[v - 1])
            cards[v - 1] += more
            second -= more
        if left == 0 and second == 0:
            yield tuple(cards)


def _neighbors(cards: Multiset) -> Iterator[Multiset]:
    """Yield the cards with one card added, removed, or exchanged."""
    for out in range(-1, 10):
        if out >= 0 and not cards[out]:
            continue
        for new in range(-1, 10):
            changed = list(cards)
            if out >= 0:
                changed[out] -= 1
            if new >= 0:
                changed[new] += 1
            yield tuple(changed)


# The bound


def bound(payoffs: Payoffs, tables: Tables, decks: int, hands: int) -> tuple[float, str, int]:
    """Return an upper bound for the EV of any wager, whatever cards `hands` hands show: EV, wager, upcard."""
    found = []
    for upcard in VALUES:
        order, children, ends, held = _dealer_tree(tables, upcard)
        shoe = np.array(shoe_without(decks, upcard), float)
        looked = upcard in tables.peeks_under & NATURAL_UPCARDS
        natural = 10 - upcard if looked else -1
        for number, name in enumerate(payoffs.names):
            pays = payoffs.pays[number, :, upcard - 1]
            odds = pays.max()
            wins = np.array(
                [odds > 0 and any(pays[i] for i, c in enumerate(payoffs.endings.classes) if c == e) for e in range(32)]
            )
            probability = _from_above(order, children, ends, held, wins, shoe, hands, natural)
            found.append((probability * odds - 1, name, upcard))
    return max(found)


def _dealer_tree(tables: Tables, upcard: int) -> tuple[NDArray[np.int64], ...]:
    """Return the unfinished hands, longest first, where each card leads (-1: finished), the totals, and the cards."""
    hands = [multiset((upcard,))]
    seen = set(hands)
    for hand in hands:
        for v in VALUES:
            longer = plus(hand, v)
            if finished_by(tables.dealer_draws, hand, v) is None and longer not in seen:
                seen.add(longer)
                hands.append(longer)
    number = {hand: index for index, hand in enumerate(hands)}
    children = [[number.get(plus(hand, v), -1) for v in VALUES] for hand in hands]
    ends = [[0 if plus(h, v) in number else min(total(plus(h, v))[0], 31) for v in VALUES] for h in hands]
    held = np.array(hands, np.int64)
    held[:, upcard - 1] -= 1
    order = np.argsort(-held.sum(axis=1), kind="stable")
    return order, np.array(children), np.array(ends), held


@kernel
def _from_above(
    order: NDArray[np.int64],
    children: NDArray[np.int64],
    ends: NDArray[np.int64],
    held: NDArray[np.int64],
    wins: NDArray[np.bool_],
    shoe: Floats,
    hands: int,
    natural: int,
) -> float:
    """Return V of the upcard; `natural` is the value, from 0, that the hole card cannot have, or -1."""
    values = np.zeros(order.size)
    after = np.zeros(10)
    left = np.zeros(10)
    for hand in order:
        first = held[hand].sum() == 0
        for v in range(10):
            left[v] = max(shoe[v] - held[hand, v], 0.0)
            child = children[hand, v]
            after[v] = values[child] if child >= 0 else 1.0 if wins[ends[hand, v]] else 0.0
            if first and v == natural:
                left[v] = 0.0
        low, high = 0.0, 1.0
        for _ in range(50):
            middle = 0.5 * (low + high)
            if _reaches(left, after, hands, middle):
                low = middle
            else:
                high = middle
        values[hand] = high
    return float(values[order[-1]])


@kernel
def _reaches(left: Floats, after: Floats, hands: int, average: float) -> bool:
    """Whether removing cards can raise the average of `after` over the remaining cards above `average`."""
    surplus = 0.0
    most = 0.0
    for v in range(10):
        surplus += left[v] * (after[v] - average)
        if left[v] > 0.0:
            most = max(most, average - after[v])
    surplus += hands * most
    points = 20.0 * hands
    done = np.zeros(10, np.bool_)
    while points > 0.0:
        best, rate = -1, 0.0
        for v in range(10):
            gain = (average - after[v]) / (v + 1)
            if not done[v] and left[v] > 0.0 and gain > rate:
                best, rate = v, gain
        if best < 0:
            break
        done[best] = True
        cards = min(left[best], points / (best + 1))
        surplus += cards * (average - after[best])
        points -= cards * (best + 1)
    return bool(surplus > 0.0)


def main() -> None:
    """Print the best EV found and its upper bound for each number of decks."""
    parser = argparse.ArgumentParser(prog="python -m bench.late_best", description=__doc__.splitlines()[0])
    parser.add_argument("game")
    parser.add_argument("--set", action="append", default=[], type=parse_setting, help="a setting, as in soft_17=stand")
    options = parser.parse_args()
    settings = dict(options.set)
    for decks in rules(options.game, settings).shoe.decks_offered:
        tables = rules(options.game, {**settings, "shoe.decks": decks}).tables
        payoffs = Payoffs(tables)
        print(f"{decks} decks, one hand, maximum:        {best_hand(payoffs, decks)}", flush=True)
        for seats in (1, 7):
            found = best_splits(payoffs, decks, seats, tables.split_hands)
            ev, wager, upcard = bound(payoffs, tables, decks, seats * tables.split_hands)
            print(f"{decks} decks, {seats} seats with splits, found:  {found}", flush=True)
            print(f"{decks} decks, {seats} seats with splits, bound:  {100 * ev:+.2f}%  {wager} v {value_name(upcard)}")
        ev, wager, upcard = bound(payoffs, tables, decks, 1)
        print(f"{decks} decks, one hand, the same bound:  {100 * ev:+.2f}%  {wager} v {value_name(upcard)}")


if __name__ == "__main__":
    main()

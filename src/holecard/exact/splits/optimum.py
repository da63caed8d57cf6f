"""The true optimum after splits, where a pair makes at most two hands: every decision may use all the cards seen.

The first hand is played out before the second is dealt to. Draws are exchangeable, so the value of a hand that stands,
given the cards seen at that moment, stays its expected value whatever is drawn later. So the second hand maximizes its
own value given all cards seen, and the first maximizes its own value plus what the second is worth given the cards the
first has taken: a recursion over the cards seen and the hand in play, in which the finished hand's total drops out.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from holecard.errors import Refusal
from holecard.exact.main.batches import share_out
from holecard.exact.main.dealer_multisets import Multiset, plus
from holecard.exact.main.dealer_outcomes import DealerEndings, endings_of
from holecard.exact.main.prepared_game import Game
from holecard.kernels.exact.actions import Allowed
from holecard.kernels.exact.split_optimum import BUSTED, SplitHand, SplitPays, best_split, number_seen
from holecard.kernels.exact.split_pair import SplitRows

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

MOST_HANDS = 2
_RANKS = 10
#: Bits of a rank's field in the code of a multiset, one of them left empty: two hands have at most 42 aces, 21 twos, …
_BITS = np.array([7, 6, 5, 5, 5, 5, 5, 5, 5, 5])
_SHIFTS = np.concatenate([[0], np.cumsum(_BITS)[:-1]]).astype(np.uint64)
_MOST_OF_RANK = 2 ** (_BITS - 1) - 1
#: More multisets than any pair leads to (340,659, aces that play on), as `number_seen` needs it.
_MOST_SEEN = 2**20


def refuse_many_hands(game: Game) -> None:
    """The cards seen are too many to be listed where a pair can make three hands."""
    most = max(game.most_hands(rank) for rank in range(_RANKS))
    if most > MOST_HANDS:
        raise Refusal(
            "the optimum after splits is computed where a pair makes at most two hands; "
            f"this game allows {most}: set split_hands to 2"
        )


def optimal_split_values(game: Game, counts: Floats, threads: int = 1) -> dict[int, Floats]:
    """By rank of the pair: [start] U of splitting it, both hands played by all the cards seen."""
    refuse_many_hands(game)
    endings = endings_of(game)
    rows = _Rows.of(game, endings)
    ranks = [rank for rank in range(_RANKS) if game.most_hands(rank) > 1 and counts[rank] >= 2]
    starts = list(range(len(game.dealer.shown)))
    found = {}
    for rank in ranks:
        pair = _SplitPair.of(game, counts, rank)

        def against(start: int, pair: _SplitPair = pair) -> float:
            return pair.value(endings, rows, start)

        found[rank] = np.array(share_out(against, starts, threads))
    return found


@dataclass(frozen=True)
class _Rows:
    """The rows that hands made by splitting are paid by; a row that is twice another is not kept."""

    worth: Floats
    """[row, ending]"""
    kept: Integers
    """[row of the game] its row here"""
    times: Floats
    """[row of the game] how many times that row it is"""

    @classmethod
    def of(cls, game: Game, endings: DealerEndings) -> _Rows:
        every = game.rows.rows[:, list(endings.classes)]
        rows: list[Floats] = []
        kept, times = np.zeros(len(every), np.int64), np.ones(len(every))
        for number in _rows_used(game):
            for factor in (1.0, 2.0):
                alike = [at for at, row in enumerate(rows) if (every[number] == factor * row).all()]
                if alike:
                    kept[number], times[number] = alike[0], factor
                    break
            else:
                kept[number] = len(rows)
                rows.append(every[number])
        return cls(np.array(rows), kept, times)

    def pays(self, of_hands: SplitRows, hands: Integers, *, doubles_later: bool) -> SplitPays:
        """What some hands are paid; `doubles_later` where hands of three cards may be doubled."""
        plain, doubled, up = (rows[hands] for rows in (of_hands.plain, of_hands.doubled, of_hands.doubled_up))
        best = self.worth.max(axis=1)[self.kept] * self.times
        most = np.maximum(best[plain], best[doubled]) if doubles_later else best[plain]
        return SplitPays(
            plain=self.kept[plain],
            doubled=self.kept[doubled],
            doubled_up=self.kept[up],
            plain_times=self.times[plain],
            doubled_times=self.times[doubled],
            doubled_up_times=self.times[up],
            bust=of_hands.bust,
            doubled_bust=of_hands.doubled_bust,
            most=max(0.0, float(most.max())),
        )


def _rows_used(game: Game) -> list[int]:
    """The game's rows, plain ones first, so that doubled ones can be found among them."""
    after, held = game.after, game.hands.size >= 2
    used: list[int] = []
    for rows in (game.original, game.added):
        used += np.unique(rows.plain[held]).tolist()
    for rows in (game.original, game.added):
        used += np.unique(rows.doubled[held]).tolist() if after.double.any() else []
        used += np.unique(rows.doubled_up[after.double_up | game.lone.double_up]).tolist()
    return list(dict.fromkeys(used))


@dataclass(frozen=True)
class _SplitPair:
    """A pair that is split: every hand it can lead to, and every set of cards then seen."""

    game: Game
    counts: Floats
    rank: int
    hand: SplitHand
    numbers: Integers
    """[hand] its number among the player's hands"""
    end_cards: Floats
    """[end, rank]"""
    seen: NDArray[np.int32]
    """[block, hand, lane] number of the cards seen, as `number_seen` gives it"""
    seen_cards: Floats
    """[rank, seen]"""

    @classmethod
    def of(cls, game: Game, counts: Floats, rank: int) -> _SplitPair:
        allowed = game.lone if game.is_lone(rank) else game.after
        hand, numbers, ends = _hands(game, allowed, counts, rank)
        limits = np.uint64(1) << (_SHIFTS + _BITS.astype(np.uint64) - np.uint64(1))
        bits = limits.sum(dtype=np.uint64)
        shoe = _codes(np.minimum(counts, _MOST_OF_RANK)[None, :])[0] + bits
        pairs = len(ends) * len(hand.cards)
        most = min(_MOST_SEEN, 2 ** (2 * pairs).bit_length())
        seen, codes = number_seen(_codes(ends), _codes(hand.cards), np.array([shoe, bits]), most)
        fields = (codes[None, :] >> _SHIFTS[:, None]) & _MOST_OF_RANK.astype(np.uint64)[:, None]
        return cls(game, counts, rank, hand, numbers, ends, seen, fields.astype(np.float64))

    def value(self, endings: DealerEndings, rows: _Rows, start: int) -> float:
        """U of splitting against one start."""
        dealer = self.game.dealer.starts
        left = self.counts - dealer.cards[start]
        worth = rows.worth @ endings.chances(start, left[:, None] - self.seen_cards)
        later = bool((self.hand.double & (self.hand.size > 2)).any())
        pays = (
            rows.pays(self.game.original, self.numbers, doubles_later=later),
            rows.pays(self.game.added, self.numbers, doubles_later=later),
        )
        natural = int(dealer.natural[start])
        return best_split(left, self.rank, natural, self.hand, pays, self.end_cards, self.seen, worth)


def _hands(game: Game, allowed: Allowed, counts: Floats, rank: int) -> tuple[SplitHand, Integers, Floats]:
    """The hands one card of the pair leads to, their numbers among all, and [end, rank] what they can end with.

    Hands the shoe has not the cards for are left out, as if they were bust: the card that leads there is never drawn.
    """
    hands = game.hands
    available: Multiset = tuple(counts.astype(int).tolist())
    available = (*available[:rank], available[rank] - 1, *available[rank + 1 :])
    lone = hands.number[plus((0,) * _RANKS, rank + 1)]
    fits: NDArray[np.bool_] = np.all(hands.cards <= np.array(available), axis=1)
    numbers = _reached(hands.longer, allowed.hit | allowed.double, fits, lone)
    local = {number: at for at, number in enumerate(numbers)}
    ends: dict[Multiset, int] = {}
    longer = np.full((len(numbers), _RANKS), BUSTED, np.int64)
    ended = np.zeros((len(numbers), _RANKS), np.int64)
    stands = np.full(len(numbers), -1, np.int64)
    for at, number in enumerate(numbers):
        cards: Multiset = tuple(hands.cards[number].astype(int).tolist())
        if number != lone:
            stands[at] = ends.setdefault(cards, len(ends))
        if number == lone or allowed.hit[number] or allowed.double[number]:
            for drawn in range(_RANKS):
                longer[at, drawn] = local.get(int(hands.longer[number, drawn]), BUSTED)
                if number != lone and cards[drawn] < available[drawn]:
                    ended[at, drawn] = ends.setdefault(plus(cards, drawn + 1), len(ends))
    which = np.array(numbers)
    safe = (hands.longer[which] >= 0).sum(axis=1)
    hand = SplitHand(
        cards=np.ascontiguousarray(hands.cards[which]),
        size=hands.size[which].astype(np.float64),
        longer=longer,
        safe=safe,
        safe_held=np.array([hands.cards[number, :ranks].sum() for number, ranks in zip(numbers, safe, strict=True)]),
        ended=ended,
        ends=stands,
        hit=allowed.hit[which] | (which == lone),
        double=allowed.double[which],
        double_up=allowed.double_up[which],
    )
    return hand, which, np.array(list(ends), np.float64)


def _reached(longer: Integers, draws: NDArray[np.bool_], fits: NDArray[np.bool_], lone: int) -> list[int]:
    """Numbers of the hands that can be made of a lone card, ascending."""
    found, waiting = {lone}, [lone]
    while waiting:
        for then in longer[waiting.pop()].tolist():
            if then >= 0 and fits[then] and then not in found:
                found.add(then)
                if draws[then]:
                    waiting.append(then)
    return sorted(found)


def _codes(cards: Floats) -> NDArray[np.uint64]:
    """[multiset] one number each, a field for every rank."""
    codes: NDArray[np.uint64] = (cards.astype(np.uint64) << _SHIFTS).sum(axis=1, dtype=np.uint64)
    return codes

"""EV of splitting under optimal play, where a pair makes at most two hands: every decision may use all the cards seen.

The first hand is played out before the second gets a card. Draws are exchangeable, so the EV of a hand that stands,
given the cards seen at that moment, stays its expected value whatever is drawn later. So the second hand maximizes its
own EV given all cards seen, and the first maximizes its own EV plus the EV of the second given the cards that the first
has taken: a recursion over the cards seen and the hand in play, in which the finished hand's total drops out.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from holecard.errors import Refusal
from holecard.exact.main.batches import map_threads
from holecard.exact.main.dealer_multisets import Multiset, plus
from holecard.exact.main.dealer_outcomes import DealerOutcomes, dealer_outcomes
from holecard.exact.main.dealer_tree import N_VALUES
from holecard.exact.main.prepared_game import PreparedGame
from holecard.kernels.arrays import Flags, Floats, Int32s, Integers, UInt64s
from holecard.kernels.exact.actions import BUSTED, Allowed
from holecard.kernels.exact.split_batch import SplitRows
from holecard.kernels.exact.split_optimum import SplitHand, SplitPays, best_split, number_seen

MOST_SPLIT_HANDS = 2
#: Bits of a value's field in the code of a multiset, one of them empty: two hands have at most 42 aces, 21 twos, …
_BITS = np.array([7, 6, 5, 5, 5, 5, 5, 5, 5, 5])
_SHIFTS = np.concatenate([[0], np.cumsum(_BITS)[:-1]]).astype(np.uint64)
_MOST_OF_VALUE = 2 ** (_BITS - 1) - 1
#: A power of two above the multisets of any pair (340,659, for aces that play on), as `number_seen` needs it.
_MOST_SEEN = 2**20


def refuse_many_hands(game: PreparedGame) -> None:
    """Refuse rules by which a pair can make three hands: the cards seen would be too many to list."""
    most = max(game.most_hands(v) for v in range(N_VALUES))
    if most > MOST_SPLIT_HANDS:
        raise Refusal(
            "the optimum after splits is computed where a pair makes at most two hands; "
            f"this game allows {most}: set split_hands to 2"
        )


def optimal_split_evs(game: PreparedGame, counts: Floats, threads: int = 1) -> dict[int, Floats]:
    """Return, by v of the pair, [start] U of splitting it, both hands played by all the cards seen."""
    refuse_many_hands(game)
    outcomes = dealer_outcomes(game)
    rows = _Rows.of(game, outcomes)
    pairs = [v for v in range(N_VALUES) if game.most_hands(v) > 1 and counts[v] >= 2]
    starts = list(range(len(game.dealer.shown)))
    found = {}
    for v in pairs:
        pair = _SplitPair.of(game, counts, v)

        def against(start: int, pair: _SplitPair = pair) -> float:
            return pair.ev(outcomes, rows, start)

        found[v] = np.array(map_threads(against, starts, threads))
    return found


@dataclass(frozen=True)
class _Rows:
    """The payoff rows of hands made by splitting; a row that is twice another is not kept."""

    payoffs: Floats
    """[row, outcome]"""
    kept: Integers
    """[row of the game] its row here"""
    times: Floats
    """[row of the game] the factor of that row"""

    @classmethod
    def of(cls, game: PreparedGame, outcomes: DealerOutcomes) -> _Rows:
        every = game.rows.rows[:, list(outcomes.classes)]
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
        """Return the payoffs of some hands; `doubles_later` where hands of three cards may be doubled."""
        plain, doubled, up = (rows[hands] for rows in (of_hands.plain, of_hands.doubled, of_hands.doubled_up))
        best = self.payoffs.max(axis=1)[self.kept] * self.times
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


def _rows_used(game: PreparedGame) -> list[int]:
    """Return the game's rows, plain ones first, so that doubled ones can be found among them."""
    after, held = game.split_hand, game.hands.size >= 2
    used: list[int] = []
    for rows in (game.original, game.added):
        used += np.unique(rows.plain[held]).tolist()
    for rows in (game.original, game.added):
        used += np.unique(rows.doubled[held]).tolist() if after.double.any() else []
        used += np.unique(rows.doubled_up[after.double_up | game.one_card_ace.double_up]).tolist()
    return list(dict.fromkeys(used))


@dataclass(frozen=True)
class _SplitPair:
    """A pair that is split: every hand it can lead to, and every set of cards then seen."""

    game: PreparedGame
    counts: Floats
    card: int
    """v of the pair"""
    hand: SplitHand
    numbers: Integers
    """[hand] its number among the player's hands"""
    end_cards: Floats
    """[end, v]"""
    seen: Int32s
    """[block, hand, lane] number of the cards seen, from `number_seen`"""
    seen_cards: Floats
    """[v, seen]"""

    @classmethod
    def of(cls, game: PreparedGame, counts: Floats, v: int) -> _SplitPair:
        allowed = game.one_card_ace if game.gets_one_card(v) else game.split_hand
        hand, numbers, ends = _hands(game, allowed, counts, v)
        limits = np.uint64(1) << (_SHIFTS + _BITS.astype(np.uint64) - np.uint64(1))
        bits = limits.sum(dtype=np.uint64)
        shoe = _codes(np.minimum(counts, _MOST_OF_VALUE)[None, :])[0] + bits
        pairs = len(ends) * len(hand.cards)
        most = min(_MOST_SEEN, 2 ** (2 * pairs).bit_length())
        seen, codes = number_seen(_codes(ends), _codes(hand.cards), np.array([shoe, bits]), most)
        fields = (codes[None, :] >> _SHIFTS[:, None]) & _MOST_OF_VALUE.astype(np.uint64)[:, None]
        return cls(game, counts, v, hand, numbers, ends, seen, fields.astype(np.float64))

    def ev(self, outcomes: DealerOutcomes, rows: _Rows, start: int) -> float:
        """Return U of splitting against one start."""
        dealer = self.game.dealer.starts
        left = self.counts - dealer.cards[start]
        stand_ev = rows.payoffs @ outcomes.probabilities(start, left[:, None] - self.seen_cards)
        later = bool((self.hand.double & (self.hand.size > 2)).any())
        pays = (
            rows.pays(self.game.original, self.numbers, doubles_later=later),
            rows.pays(self.game.added, self.numbers, doubles_later=later),
        )
        natural = int(dealer.natural[start])
        return best_split(left, self.card, natural, self.hand, pays, self.end_cards, self.seen, stand_ev)


def _hands(game: PreparedGame, allowed: Allowed, counts: Floats, v: int) -> tuple[SplitHand, Integers, Floats]:
    """Return the hands that one card of the pair leads to, their numbers among all, and [end, v] their ends.

    Hands that the shoe does not have the cards for are left out, as if they were bust: the card that leads there is
    never drawn.
    """
    hands = game.hands
    available: Multiset = tuple(counts.astype(int).tolist())
    available = (*available[:v], available[v] - 1, *available[v + 1 :])
    single = hands.number[plus((0,) * N_VALUES, v + 1)]
    fits: Flags = np.all(hands.cards <= np.array(available), axis=1)
    numbers = _reached(hands.longer, allowed.hit | allowed.double, fits, single)
    local = {number: at for at, number in enumerate(numbers)}
    ends: dict[Multiset, int] = {}
    longer = np.full((len(numbers), N_VALUES), BUSTED, np.int64)
    ended = np.zeros((len(numbers), N_VALUES), np.int64)
    stands = np.full(len(numbers), -1, np.int64)
    for at, number in enumerate(numbers):
        cards: Multiset = tuple(hands.cards[number].astype(int).tolist())
        if number != single:
            stands[at] = ends.setdefault(cards, len(ends))
        if number == single or allowed.hit[number] or allowed.double[number]:
            for drawn in range(N_VALUES):
                longer[at, drawn] = local.get(int(hands.longer[number, drawn]), BUSTED)
                if number != single and cards[drawn] < available[drawn]:
                    ended[at, drawn] = ends.setdefault(plus(cards, drawn + 1), len(ends))
    which = np.array(numbers)
    safe = (hands.longer[which] >= 0).sum(axis=1)
    hand = SplitHand(
        cards=np.ascontiguousarray(hands.cards[which]),
        size=hands.size[which].astype(np.float64),
        longer=longer,
        safe=safe,
        safe_held=np.array([hands.cards[number, :values].sum() for number, values in zip(numbers, safe, strict=True)]),
        ended=ended,
        ends=stands,
        hit=allowed.hit[which] | (which == single),
        double=allowed.double[which],
        double_up=allowed.double_up[which],
    )
    return hand, which, np.array(list(ends), np.float64)


def _reached(longer: Integers, draws: Flags, fits: Flags, single: int) -> list[int]:
    """Return the numbers of the hands that can be made of a single card, ascending."""
    found, waiting = {single}, [single]
    while waiting:
        for then in longer[waiting.pop()].tolist():
            if then >= 0 and fits[then] and then not in found:
                found.add(then)
                if draws[then]:
                    waiting.append(then)
    return sorted(found)


def _codes(cards: Floats) -> UInt64s:
    """Return [multiset] one number each, with a field for every value."""
    codes: UInt64s = (cards.astype(np.uint64) << _SHIFTS).sum(axis=1, dtype=np.uint64)
    return codes

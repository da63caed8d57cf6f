"""What standing, doubling and wagers on the dealer's hand are worth, by trying every card that the dealer can draw.

The meaning is that of the words of the sheet. Slow and short: no table, no kernel, and no sharing between hands. It
takes long against small upcards, to which the dealer draws many cards.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from holecard.deck import Card
from holecard.sheets.tables import BET, COMPANION
from holecard.simulation.witness.plain_hands import counts, dealer_class, dealer_draws, player_class, value
from holecard.simulation.witness.plain_sheet import SheetWords
from holecard.simulation.witness.plain_tables import net_result
from holecard.simulation.witness.plain_wagers import lines_in_force
from holecard.simulation.witness.plain_words import dealer_ending, plain_odds

_NO_CHARLIE = 99


class PlainSpot:
    """A hand against cards with which a natural is known or impossible; one that a split made has its first stake."""

    def __init__(self, words: SheetWords, dealer: Sequence[Card], seen: Sequence[Card]) -> None:
        """Take the dealer's cards that are face up, and all cards seen, these and those of the hand included."""
        self.words, self.dealer = words, tuple(dealer)
        left = [4 * words["shoe"]["decks"]] * 9 + [16 * words["shoe"]["decks"]]
        for card in seen:
            left[value(card) - 1] -= 1
        self.left = tuple(left)

    def stand(self, cards: Sequence[Card], added: int | None = None) -> float:
        """Return the EV of standing, per unit of initial stake; `added` is a kind of stake that equals the first."""
        return self._stand(cards, added, self.left)

    def double(self, cards: Sequence[Card], added: int | None) -> float:
        """Return the EV of taking one card, with as much staked again unless nothing is added."""
        return sum(
            probability * self._stand([*cards, Card(4 * card - 4)], added, left)
            for card, probability, left in _draws(self.left)
        )

    def next_cards(self) -> Iterator[tuple[int, float]]:
        """Yield each value that can come next, and its probability."""
        return ((card, probability) for card, probability, _ in _draws(self.left))

    def _stand(self, cards: Sequence[Card], added: int | None, left: tuple[int, ...]) -> float:
        player = player_class(cards, True, self.words["player"]["charlie"] or _NO_CHARLIE)
        finishes: dict[int, float] = {}
        for hand, probability in self._finishes(self.dealer, left):
            finishes[dealer_class(hand)] = finishes.get(dealer_class(hand), 0.0) + probability
        return sum(probability * self._net(player, dealer, added) for dealer, probability in finishes.items())

    def _net(self, player: int, dealer: int, added: int | None) -> float:
        kinds = [BET] if self.words["main"]["companion"] is None else [BET, COMPANION]
        net = sum((net_result(self.words, kind, player, dealer) for kind in kinds), Fraction(0)) / len(kinds)
        return float(net if added is None else net + net_result(self.words, added, player, dealer))

    def side_wager(self, wager: SheetWords) -> float:
        """Return the EV of a wager on the dealer's hand, per unit staked."""
        upcard = value(self.dealer[0])
        lines = [line for line in lines_in_force(wager, self.words) if upcard in line[3]]
        total = 0.0
        for hand, probability in self._finishes(self.dealer, self.left):
            ending = counts(hand)[0], len(hand)
            paid = (pays for _, line, pays, _ in lines if dealer_ending(line["dealer"]).holds(*ending))
            total += probability * float(next(map(plain_odds, paid), Fraction(-1)))
        return total

    def _finishes(self, hand: tuple[Card, ...], left: tuple[int, ...]) -> Iterator[tuple[tuple[Card, ...], float]]:
        """Yield the dealer's hand and its probability, for every way in which the dealer can finish."""
        if not (len(hand) < 2 or dealer_draws(self.words["dealer"], hand)):
            yield hand, 1.0
            return
        for card, probability, fewer in _draws(left):
            for finished, then in self._finishes((*hand, Card(4 * card - 4)), fewer):
                yield finished, probability * then


def _draws(left: tuple[int, ...]) -> Iterator[tuple[int, float, tuple[int, ...]]]:
    """Yield each value that can come, its probability, and what is left then."""
    cards = sum(left)
    for place, number in enumerate(left):
        if number:
            yield place + 1, number / cards, (*left[:place], number - 1, *left[place + 1 :])

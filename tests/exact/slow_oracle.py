"""A slow and exact solution of the main game: every deal from a small shoe, played through the engine.

Nothing here is estimated or rounded, and no numeric code is shared with the fast mathematics. States come from
`advance` and choices from `legal`; the dealer's hand and the payoffs come from the text of the sheet (`tests.oracle`).

Probabilities are counts of shoe orders. A shoe of N cards has N! orders; if the first k cards can be dealt in w ways,
w * (N - k)! orders agree with them. Sums of these integers, divided by N!, are the Fractions that this module returns.

The player's knowledge is a *belief*: all states that look the same from the seat, each with its number of ways. They
differ only in the hole card, so the hole card never affects a decision. After the dealer has checked, the states with a
natural have ended and are no longer in the belief.

Convention CDZ-:
- without a split, every decision is the best one for the hand's own cards and the visible dealer cards;
- a hand made by splitting does what would be best for the same cards without a split, among its legal actions; another
  pair is split again whenever this is legal;
- splitting is then one of the choices of the first decision. Among equal choices, the first of `ORDER` is taken.
No one insures or places a side wager.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import factorial

from holecard.deck import RANKS, VALUES
from holecard.sheets.read import RulesLike, rules
from holecard.table.advance import advance, start
from holecard.table.events import Act, Action, Bet, Deal, NoMoreBets
from holecard.table.state import Hand, State
from tests.exact.slow_states import (
    Belief,
    Cents,
    Counts,
    Game,
    Outcomes,
    Seen,
    Start,
    Values,
    Worth,
    actions_of,
    all_move_on,
    denominator_of,
    first_best,
    hand_of,
    in_sight,
    kinds_of,
    less,
    move_on,
    orders_of,
    staked_by,
    sum_of,
    texts_of,
    values_of,
    without_limits,
)
from tests.oracle import DOUBLE_UP, KINDS, MAIN, SECOND, Finished, as_drawn, draws, is_natural, total, wins

#: A dealer's bust with more than 22; sheets do not distinguish these.
BUST = 23


@dataclass(eq=False)
class Moment:
    """A state that waits for a card or has ended, shared by all states with the same future."""

    state: State
    net: Cents
    """The total payoff of all finished hands, by the dealer's final hand."""
    after: dict[int, Moment] = field(default_factory=dict)


def solve(game: RulesLike, shoe: Mapping[str, int]) -> Game:
    """Solve a sheet dealt from a small shoe, which is given as counts by rank."""
    return SlowGame(game, shoe).solve()


class SlowGame:
    """One seat, one shoe.

    `remember=False` computes everything again each time, and `engine_draws=True` lets the engine deal the dealer's
    cards. Both are much slower and must not change any result.
    """

    def __init__(
        self, game: RulesLike, shoe: Mapping[str, int], *, remember: bool = True, engine_draws: bool = False
    ) -> None:
        self.sheet = without_limits(rules(game))
        self.remember, self.engine_draws = remember, engine_draws
        self.cards, self.full = kinds_of(self.sheet, shoe)
        self.orders = factorial(sum(self.full))
        opened = advance(start(self.sheet), Bet(1, denominator_of(self.sheet)))
        self.stakes = opened.seats[0].hands[0].stakes
        self.unit = sum(self.stakes)
        self.begun = advance(opened, NoMoreBets())
        totals = (*self.sheet.dealer.ends_on, 17, 18, 19, 20, 21, 22, BUST)
        self.finals = (*map(Finished, totals), Finished(21, natural=True))
        self.plan: dict[tuple[Values, Values], Worth] = {}
        self.first: dict[tuple[str, Values, Values], Start] = {}
        self._bests: dict[object, int] = {}
        self._moments: dict[object, Moment] = {}
        self._outcomes: dict[object, Outcomes] = {}
        self._rows: dict[object, Cents] = {}
        self._drawn: dict[object, dict[Finished, int]] = {}

    def solve(self) -> Game:
        """Compute the EVs of hands without a split, then of splits, then of the whole round."""
        beliefs = self.first_decisions()
        for belief in beliefs:
            if going_on := self._going_on(belief):
                self._best(going_on)
        for belief in beliefs:
            self.first[self._view(belief[0].state)] = self._start(belief)
        outcomes = self.play(self.begun, self.full)
        assert sum(outcomes.values()) == self.orders
        nets: Counter[int] = Counter()
        for (net, _), orders in outcomes.items():
            nets[net] += orders
        staked = sum(orders * stake for (_, stake), orders in outcomes.items())
        return Game(
            ev=Fraction(sum_of(outcomes), self.orders * self.unit),
            average_stake=Fraction(staked, self.orders * self.unit),
            distribution={Fraction(net, self.unit): Fraction(nets[net], self.orders) for net in sorted(nets)},
            starts=tuple(self.first.values()),
        )

    # Dealing

    def first_decisions(self) -> list[Belief]:
        """Every first decision, as the seat sees it."""
        views: dict[object, dict[object, Seen]] = {}
        for seen in self._dealt(Seen(self.begun, self.full, 1)):
            if seen.state.asked:
                alike = views.setdefault(self._view(seen.state), {})
                key = (self._key(seen.state), seen.left)
                alike[key] = seen._replace(ways=seen.ways + (alike[key].ways if key in alike else 0))
        return [tuple(alike.values()) for alike in views.values()]

    def _dealt(self, seen: Seen) -> Iterator[Seen]:
        if seen.state.phase != "dealing":
            yield seen
            return
        for kind, count in enumerate(seen.left):
            if count:
                yield from self._dealt(self._with_card(seen, kind))

    def _with_card(self, seen: Seen, kind: int) -> Seen:
        return Seen(move_on(seen.state, Deal(self.cards[kind])), less(seen.left, kind), seen.ways * seen.left[kind])

    def _view(self, state: State) -> tuple[str, Values, Values]:
        """The rank of a pair, the seat's values, and the values of the visible dealer cards."""
        hand = hand_of(state)
        first, second = (RANKS[c.rank] for c in hand.cards)
        return first if first == second else "", values_of(hand.cards), in_sight(state)

    # EVs of decisions

    def _best(self, belief: Belief) -> int:
        """The best play without a split: cents, summed over all orders."""
        if not self.remember:
            return self._find_best(belief)
        key = tuple((self._key(seen.state), seen.left, seen.ways) for seen in belief)
        if key not in self._bests:
            self._bests[key] = self._find_best(belief)
        return self._bests[key]

    def _find_best(self, belief: Belief) -> int:
        state = belief[0].state
        if state.phase in ("dealer", "done"):
            return self._played(belief)
        if state.queue:
            return sum(map(self._best, self._next_beliefs(belief)))
        found = {action: self._best(all_move_on(belief, action)) for action in actions_of(state) if action != "split"}
        orders = orders_of(belief) * self.unit
        worth: Worth = {action: Fraction(cents, orders) for action, cents in found.items()}
        place = (values_of(hand_of(state).cards), in_sight(state))
        assert self.plan.setdefault(place, worth) == worth, f"{place}: the same cards are worth different things"
        return max(found.values())

    def _next_beliefs(self, belief: Belief) -> Iterator[Belief]:
        """The belief after each card that the seat may get."""
        for kind in range(len(self.cards)):
            if after := tuple(self._with_card(seen, kind) for seen in belief if seen.left[kind]):
                yield after

    def _played(self, belief: Belief) -> int:
        return sum(seen.ways * sum_of(self.play(seen.state, seen.left)) for seen in belief)

    def _going_on(self, belief: Belief) -> Belief:
        """The belief when the seat is to act: states with a natural that the dealer has found have ended."""
        if belief[0].state.phase == "early surrender":
            belief = all_move_on(belief, "no surrender")
        return tuple(seen for seen in belief if seen.state.phase == "acting")

    def _start(self, belief: Belief) -> Start:
        """A first decision and all its choices. Before the check, each choice includes the dealer's naturals."""
        pair, player, dealer = self._view(belief[0].state)
        cents: dict[Action, int] = {}
        naturals = 0
        if belief[0].state.phase == "early surrender":
            cents["surrender"] = self._played(all_move_on(belief, "surrender"))
            over = (seen for seen in all_move_on(belief, "no surrender") if seen.state.phase == "done")
            naturals = self._played(tuple(over))
        if going_on := self._going_on(belief):
            for action in actions_of(going_on[0].state):
                after = all_move_on(going_on, action)
                cents[action] = naturals + (self._played(after) if action == "split" else self._best(after))
        else:
            cents["no surrender"] = naturals
        orders = orders_of(belief)
        worth = {action: Fraction(value, orders * self.unit) for action, value in cents.items()}
        return Start(player, dealer, pair, Fraction(orders, self.orders), worth, first_best(worth, worth))

    # The policy

    def choose(self, state: State) -> Action:
        """The action of the policy."""
        hand, actions = hand_of(state), actions_of(state)
        place = (values_of(hand.cards), in_sight(state))
        if hand.from_split:
            return "split" if "split" in actions else first_best(self._as_unsplit(*place), actions)
        if len(hand.cards) > 2:
            return first_best(self.plan[place], actions)
        first = self.first[self._view(state)]
        if state.phase == "early surrender":
            return "surrender" if first.best == "surrender" else "no surrender"
        return first_best(first.worth, actions)

    def _as_unsplit(self, player: Values, dealer: Values) -> Worth:
        """An ace and a ten are not a natural after a split, but always one as a starting hand, so this is computed
        separately.
        """
        if player != (1, 10):
            return self.plan[player, dealer]
        return {
            "stand": self.stood(player, dealer, {MAIN, SECOND}),
            "double up": self.stood(player, dealer, {MAIN, SECOND, DOUBLE_UP}),
        }

    def stood(self, player: Values, dealer: Values, kinds: set[str]) -> Fraction:
        """EV of standing on two cards that are not a natural, with these stakes, by the text of the sheet."""
        stakes = [stake if kind in kinds else 0 for kind, stake in zip(KINDS, self.stakes, strict=True)]
        if DOUBLE_UP in kinds:
            stakes[KINDS.index(DOUBLE_UP)] = self.unit
        row = self._row(Finished(total(texts_of(player))), tuple(stakes))
        cents = orders = 0
        for cards, ways, left in self._holes(dealer, self._without(*player, *dealer)):
            for final, agree in self._draw_out(cards, left).items():
                cents += ways * agree * row[self.finals.index(final)]
                orders += ways * agree
        return Fraction(cents, orders * self.unit)

    def _without(self, *out: int) -> Counts:
        """The remaining cards without cards of these values; which tens are removed does not affect totals."""
        left = self.full
        for value in out:
            left = less(left, next(k for k, c in enumerate(self.cards) if VALUES[c] == value and left[k]))
        return left

    def _holes(self, dealer: Values, left: Counts) -> Iterator[tuple[Values, int, Counts]]:
        """The possible first two cards of the dealer; after the check they are not a natural."""
        dealt = self.sheet.dealer.hole_card
        if dealt in ("none", "face up"):
            yield dealer, 1, left
            return
        looked_under = {"peek": (1, 10), "peek under aces": (1,), "no peek": ()}[dealt]
        for kind, count in enumerate(left):
            cards = (*dealer, VALUES[self.cards[kind]])
            if count and not (dealer[0] in looked_under and is_natural(texts_of(cards))):
                yield cards, count, less(left, kind)

    # Playing by the policy

    def play(self, state: State, left: Counts) -> Outcomes:
        """The result of the rest of the round, over all orders of the remaining cards."""
        return self._play(self._moment(state), left)

    def _play(self, moment: Moment, left: Counts) -> Outcomes:
        if moment.state.phase == "done":
            return {(moment.net[0], staked_by(moment.state)): factorial(sum(left))}
        if not self.remember:
            return self._find_outcomes(moment, left)
        key = (moment, left)
        if key not in self._outcomes:
            self._outcomes[key] = self._find_outcomes(moment, left)
        return self._outcomes[key]

    def _find_outcomes(self, moment: Moment, left: Counts) -> Outcomes:
        outcomes: Counter[tuple[int, int]] = Counter()
        if moment.state.phase == "dealer" and not self.engine_draws:
            staked = staked_by(moment.state)
            for final, orders in self._draw_out(values_of(moment.state.dealer), left).items():
                outcomes[moment.net[self.finals.index(final)], staked] += orders
            return outcomes
        assert any(left), "the round runs out of cards; take a larger shoe"
        for kind, count in enumerate(left):
            if count:
                for outcome, orders in self._play(self._after(moment, kind), less(left, kind)).items():
                    outcomes[outcome] += count * orders
        return outcomes

    def _after(self, moment: Moment, kind: int) -> Moment:
        """The state after a card, with all decisions up to the next card taken."""
        if kind not in moment.after or not self.remember:
            moment.after[kind] = self._moment(move_on(moment.state, Deal(self.cards[kind])))
        return moment.after[kind]

    def _moment(self, state: State) -> Moment:
        while state.asked:
            state = move_on(state, Act(1, self.choose(state)))
        if not self.remember:
            return Moment(state, self._net(state))
        key = self._key(state)
        if key not in self._moments:
            self._moments[key] = Moment(state, self._net(state))
        return self._moments[key]

    def _key(self, state: State) -> object:
        """Everything that the rest of the round depends on.

        Drawn cards are unordered, and finished hands are represented by their payoffs. An unfinished hand keeps its
        first card, because a split ace is not played like a drawn one.
        """
        if state.phase == "done":
            return "done", self._net(state)[0], staked_by(state)
        hands = state.seats[0].hands
        playing = tuple(
            (hand.cards[:1] if hand.from_split else (), tuple(sorted(hand.cards)), hand.stakes, hand.doubled)
            for hand in hands
            if hand.status == "playing"
        )
        dealer: tuple[int, ...] = state.dealer
        if state.phase == "dealer":
            dealer = as_drawn(self.sheet, (VALUES[card] for card in dealer))
        return state.phase, len(state.queue), dealer, len(hands), playing, self._net(state), staked_by(state)

    # The dealer's hand and the payoffs, by the text of the sheet

    def _net(self, state: State) -> Cents:
        """The settled result, and the payoffs of standing hands by the dealer's final hand."""
        settled = (sum(result.net for result in state.results),) * len(self.finals)
        rows = [self._row_of(hand) for hand in state.seats[0].hands if hand.status == "standing"]
        return tuple(map(sum, zip(settled, *rows, strict=True))) if rows else settled

    def _row_of(self, hand: Hand) -> Cents:
        if hand not in self._rows:
            cards, charlie = [str(c) for c in hand.cards], self.sheet.player.charlie
            natural = is_natural(cards) and not hand.from_split
            finished = Finished(total(cards), natural, charlie is not None and len(cards) >= charlie)
            self._rows[hand] = self._row(finished, hand.stakes)
        return self._rows[hand]

    def _row(self, hand: Finished, stakes: tuple[int, ...]) -> Cents:
        """The payoff of a finished hand against each final hand of the dealer."""
        staked = [(kind, stake) for kind, stake in zip(KINDS, stakes, strict=True) if stake]
        won = [sum(int(stake) * wins(self.sheet, kind, hand, final) for kind, stake in staked) for final in self.finals]
        assert all(net == int(net) for net in won)
        return tuple(map(int, won))

    def _draw_out(self, dealer: Values, left: Counts) -> dict[Finished, int]:
        """Count the orders of the remaining cards by the dealer's final hand."""
        if not self.remember:
            return self._find_finals(dealer, left)
        key = (as_drawn(self.sheet, dealer), left)
        if key not in self._drawn:
            self._drawn[key] = self._find_finals(dealer, left)
        return self._drawn[key]

    def _find_finals(self, dealer: Values, left: Counts) -> dict[Finished, int]:
        hand = texts_of(dealer)
        if len(hand) > 1 and not draws(self.sheet, hand):
            return {Finished(min(total(hand), BUST), is_natural(hand)): factorial(sum(left))}
        assert any(left), "the round runs out of cards; take a larger shoe"
        finals: Counter[Finished] = Counter()
        for kind, count in enumerate(left):
            if count:
                for final, orders in self._draw_out((*dealer, VALUES[self.cards[kind]]), less(left, kind)).items():
                    finals[final] += count * orders
        return finals

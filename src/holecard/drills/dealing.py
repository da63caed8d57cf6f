"""Cards with suits for a spot, and the round in which it comes up: the table says what may be done."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from random import Random

from holecard.deck import RANKS, SUITS, VALUES, Card, card, value_of
from holecard.drills.spots import DrillSpot
from holecard.errors import Refusal
from holecard.hands import NATURAL_UPCARDS, total_of
from holecard.money import Money, net_win
from holecard.sheets.tables import Tables
from holecard.table.advance import advance, start
from holecard.table.events import Act, Bet, Deal, NoMoreBets, Place
from holecard.table.legal import offered
from holecard.table.notation.spot import Spot
from holecard.table.state import State

_TENS = "TJQK"


def deal_spot(tables: Tables, asked: DrillSpot, random: Random) -> State:
    """Return a round in which seat 1 is asked what the spot asks, with suits, ranks of tens and order drawn."""
    where = asked.spot
    seen = _Cards(tables, random)
    dealer = seen.draw(_shuffled(where.dealer, random))
    order = where.player if where.after_split else _order(where.player, random)
    player = seen.draw(order, by_rank=tables.pairs_by_rank)
    partner = seen.partner(player[0], tables) if where.after_split else None
    first_two = player[:2] if partner is None else [player[0], partner]
    rest = list(player[2:] if partner is None else player[1:])
    hole = dealer[1:] or ([seen.hole(dealer[0])] if tables.hole_card != "none" else [])
    state = advance(advance(start(tables), Bet(1, _stake(tables))), NoMoreBets())
    for dealt in (first_two[0], dealer[0], first_two[1], *hole):
        state = advance(state, Deal(dealt))
    return _play_to(state, asked, rest)


def _play_to(state: State, asked: DrillSpot, rest: list[Card]) -> State:
    """Return the round at the question: earlier ones are declined, a pair is split, and other hands are hit."""
    is_split = False
    while rest or state.queue or not _asks(state, asked):
        if state.queue and rest:
            state = advance(state, Deal(rest.pop(0)))
        elif state.phase == "insurance":
            state = advance(state, Act(1, "no insurance"))
        elif state.phase == "early surrender":
            state = advance(state, Act(1, "no surrender"))
        elif state.phase == "after the check":
            state = advance(state, Place(1))
        elif state.phase == "acting" and rest and not state.queue:
            act = "split" if asked.spot.after_split and not is_split else "hit"
            is_split = is_split or act == "split"
            state = advance(state, Act(1, act))
        else:
            raise Refusal(f"{asked.key}: this game does not ask that")
    return state


def _asks(state: State, asked: DrillSpot) -> bool:
    """Return whether the round has come to the question."""
    if asked.asked == "wager":
        return any(wager.name == asked.wager for wager in offered(state, 1))
    return state.phase == ("acting" if asked.asked == "action" else asked.asked)


class _Cards:
    """Draws cards of given ranks or values, at most as many of each as the decks hold."""

    def __init__(self, tables: Tables, random: Random) -> None:
        self._left = dict.fromkeys(range(52), tables.sheet.shoe.decks)
        self._random = random

    def draw(self, names: Sequence[str], *, by_rank: bool = False) -> list[Card]:
        """Return a card for each name; "T" is any ten, and where ranks count, two of them in a pair are alike."""
        tens = self._random.choice(_TENS) if by_rank and list(names) == ["T", "T"] else _TENS
        return [self._one(tens if name[0] == "T" else name[0]) for name in names]

    def partner(self, of: Card, tables: Tables) -> Card:
        """Return the other card of a split pair."""
        rank = RANKS[of.rank]
        return self._one(rank if tables.pairs_by_rank or of.value < 10 else _TENS)

    def hole(self, upcard: Card) -> Card:
        """Return a hole card that makes no blackjack; nothing that is asked depends on it."""
        natural = 11 - VALUES[upcard] if VALUES[upcard] in NATURAL_UPCARDS else 0
        return self._one("".join(rank for rank in RANKS if value_of(rank) != natural))

    def _one(self, ranks: str) -> Card:
        free = [card(rank + suit) for rank in ranks for suit in SUITS]
        free = [one for one in free if self._left[one]]
        if not free:
            raise Refusal(f"the shoe holds no more {ranks}")
        drawn = self._random.choice(free)
        self._left[drawn] -= 1
        return drawn


def _shuffled(names: tuple[str, ...], random: Random) -> list[str]:
    return random.sample(names, len(names))


def _order(names: tuple[str, ...], random: Random) -> tuple[str, ...]:
    """Return the cards in an order in which they can be dealt: 21 takes no card, so no part of the hand has it."""
    if len(names) == 2:
        return tuple(_shuffled(names, random))
    orders = [order for order in sorted(set(permutations(names))) if _can_be_dealt(order)]
    return random.choice(orders)


def _can_be_dealt(order: tuple[str, ...]) -> bool:
    values = [value_of(name) for name in order]
    return all(total_of(values[:size])[0] < 21 for size in range(2, len(values)))


def _stake(tables: Tables) -> Money:
    """Return a main wager that can be insured, where the game has insurance."""
    low, high, step = tables.main.low, tables.main.high, tables.main.step
    stake = low
    while tables.insurance is not None and _insurable(tables, stake) < tables.insurance_low and stake < high:
        stake = min(stake + step, high)
    return stake


def _insurable(tables: Tables, stake: Money) -> Money:
    most = net_win(stake, tables.insurance_share)
    return most - most % tables.insurance_step


def spot_of_cards(asked: DrillSpot, player: Sequence[Card], dealer: Sequence[Card]) -> Spot:
    """Return the spot of the cards that were dealt, for `evaluate`."""
    return Spot(tuple(map(str, player)), tuple(map(str, dealer)), asked.spot.after_split)

"""Players act, hand by hand."""

from __future__ import annotations

from collections.abc import Callable

from holecard.deck import VALUES, Card
from holecard.hands import add, count
from holecard.money import NO_MONEY, Money
from holecard.sheets.tables import ANY_DEALER, DOUBLE, DOUBLE_UP, KINDS, SPLIT
from holecard.table.actions import options
from holecard.table.events import Act, Action, CardDealt
from holecard.table.late_wagers import last_call
from holecard.table.round import Round
from holecard.table.settling import pay_hand, pay_row
from holecard.table.state import Hand


def act(round_: Round, move: Act) -> None:
    """Carry out a legal action of the current hand."""
    _ACTIONS[move.action](round_, move)


def next_hand(round_: Round, first_seat: int, first_hand: int) -> None:
    """Turn to the next hand, from this one on, that can decide or gets a card; after the last one end the acting."""
    for index in range(first_seat, len(round_.seats)):
        seat = round_.seats[index]
        for number in range(first_hand if index == first_seat else 0, len(seat.hands)):
            hand = seat.hands[number]
            if hand.status != "playing":
                continue
            round_.phase, round_.turn, round_.hand = "acting", index, number
            if len(hand.cards) == 1:
                round_.await_card()
                return
            round_.options = options(round_.tables, round_.dealer[0], hand, len(seat.hands))
            if round_.options != _ONLY_STAND:
                return
            round_.mark(index, number, "standing")
    round_.options = ()
    last_call(round_)


def after_card(round_: Round, card: Card) -> None:
    """Add a card to the current hand, which may end it."""
    hand = round_.current
    total, soft = add(hand.total, hand.soft, VALUES[card])
    cards = (*hand.cards, card)
    over = hand.doubled or len(cards) >= round_.tables.charlie
    status = "standing" if over else hand.status
    round_.replace_current(Hand(cards, total, soft, hand.stakes, status, hand.from_split, hand.doubled))
    if round_.tells:
        round_.events.append(CardDealt(round_.seats[round_.turn].number, round_.hand + 1, card))
    if total > 21 or (len(cards) >= round_.tables.charlie and _charlie_is_paid_now(round_)):
        _settle_now(round_)
    next_hand(round_, round_.turn, round_.hand)


def surrender_hand(round_: Round) -> None:
    """Surrender the first two cards of the seat whose turn it is."""
    round_.pay(pay_row(round_.tables, round_.seats[round_.turn], 0, round_.tables.surrender))
    round_.mark(round_.turn, 0, "settled")


def _charlie_is_paid_now(round_: Round) -> bool:
    return round_.tables.charlie_is_final and not round_.natural_possible


def _settle_now(round_: Round) -> None:
    """Settle the current hand, whose result does not depend on the dealer."""
    round_.pay(pay_hand(round_.tables, round_.seats[round_.turn], round_.hand, ANY_DEALER))
    round_.mark(round_.turn, round_.hand, "settled")


def _hit(round_: Round, _move: Act) -> None:
    round_.await_card()


def _stand(round_: Round, _move: Act) -> None:
    round_.mark(round_.turn, round_.hand, "standing")
    next_hand(round_, round_.turn, round_.hand + 1)


def _double(round_: Round, move: Act) -> None:
    hand = round_.current
    stakes = _add_stake(hand, DOUBLE, move.amount or hand.wagered)
    round_.replace_current(hand._replace(stakes=stakes, doubled=True))
    round_.await_card()


def _double_up(round_: Round, _move: Act) -> None:
    hand = round_.current
    round_.replace_current(hand._replace(stakes=_add_stake(hand, DOUBLE_UP, hand.wagered), status="standing"))
    next_hand(round_, round_.turn, round_.hand + 1)


def _split(round_: Round, _move: Act) -> None:
    """Move the second card to a new hand with an equal wager; each hand gets its card when its turn comes."""
    hand = round_.current
    first, second = hand.cards
    added = tuple(hand.wagered if kind == SPLIT else NO_MONEY for kind in range(KINDS))
    round_.replace_current(_one_card(first, hand.stakes), _one_card(second, added))
    round_.await_card()


def _quick_pay(round_: Round, _move: Act) -> None:
    row = round_.tables.quick_pay[round_.current.total]
    assert row is not None
    round_.pay(pay_row(round_.tables, round_.seats[round_.turn], 0, row))
    round_.mark(round_.turn, 0, "settled")
    next_hand(round_, round_.turn + 1, 0)


def _surrender(round_: Round, _move: Act) -> None:
    surrender_hand(round_)
    next_hand(round_, round_.turn + 1, 0)


_ACTIONS: dict[Action, Callable[[Round, Act], None]] = {
    Action.HIT: _hit,
    Action.STAND: _stand,
    Action.DOUBLE: _double,
    Action.DOUBLE_UP: _double_up,
    Action.SPLIT: _split,
    Action.QUICK_PAY: _quick_pay,
    Action.SURRENDER: _surrender,
}


#: The options of a hand that has nothing to decide.
_ONLY_STAND = (Action.STAND,)


def _add_stake(hand: Hand, kind: int, amount: Money) -> tuple[Money, ...]:
    return tuple(stake + amount if k == kind else stake for k, stake in enumerate(hand.stakes))


def _one_card(card: Card, stakes: tuple[Money, ...]) -> Hand:
    return Hand((card,), *count((card,)), stakes, from_split=True)

"""The compiled sheet: small tables that the table engine, the exact analysis and the simulation all read.

Classes of finished hands, which index the settlement tables:

    player  0..21 its total (two cards or more), 22 bust, 23 natural, 24 charlie
    dealer  0..21 its total, 22 a bust with exactly 22, 23 any other bust, 24 natural

Kinds of stakes on one hand, which can settle differently:

    BET        the main wager
    COMPANION  the second main wager, equal to the first
    SPLIT      the wager that a split added
    DOUBLE     the wager that doubling added
    DOUBLE_UP  the second wager of a hand that must then stand
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Self, TypeAlias

from holecard.hands import DealerDraws, Mask, is_natural_total
from holecard.wagers.dealer_hands import Finished
from holecard.wagers.pay_table import Limits, SideWager

if TYPE_CHECKING:
    from holecard.deck import Card
    from holecard.money import Money, Rounding
    from holecard.sheets.schema import RuleSheet

BUST, NATURAL, CHARLIE = 22, 23, 24
DEALER_22, DEALER_BUST, DEALER_NATURAL = 22, 23, 24
CLASSES = 25
#: A dealer class to look up where all of them settle the same way.
ANY_DEALER = 17

BET, COMPANION, SPLIT, DOUBLE, DOUBLE_UP = range(5)
KINDS = 5
ADDED_STAKES = ("Split", "Double", "Double-Up")

HoleCard: TypeAlias = Literal["peek", "peek under aces", "no peek", "face up", "none"]


class SettlementCell(NamedTuple):
    """The net win of one stake per unit staked, and the reason in words."""

    net: Fraction
    why: str


SettlementRow: TypeAlias = tuple[SettlementCell, ...]


@dataclass(frozen=True, slots=True, repr=False)
class Tables:
    """All rules of a game. Masks are [total][soft], with totals 0..21."""

    sheet: RuleSheet
    stakes: tuple[str, ...]
    """[kind] name of the stake"""
    dealer_draws: DealerDraws
    settlement: tuple[tuple[SettlementRow, ...], ...]
    """[kind][player class][dealer class]; combinations that cannot occur are filled in, too"""
    surrender: SettlementRow
    """[kind]"""
    quick_pay: tuple[SettlementRow | None, ...]
    """[total][kind]; None where the total has no Quick Pay"""
    natural_is_final: bool
    """whether a natural is paid the same against every hand except a dealer's natural, and is settled at once"""
    charlie_is_final: bool
    actions: tuple[str, ...]
    """every action that a hand can ever take in this game"""
    may_double: Mask
    may_double_up: Mask
    double_cards: int
    """the most cards of a hand that may be doubled"""
    double_after_split: bool
    double_for_less: bool
    double_up_after_split: bool
    surrenders: Literal["none", "late", "early"]
    early_surrender_upcards: frozenset[int]
    """values of upcards with which surrender is offered before the dealer checks for a natural"""
    split_hands: int
    split_key: tuple[int, ...]
    """[card] two cards with equal keys are a pair"""
    split_aces: Literal["once", "again", "never"]
    split_aces_play_on: bool
    charlie: int
    """number of cards of a charlie; 99: no charlie"""
    hole_card: HoleCard
    peeks_under: frozenset[int]
    """values of upcards with which a dealer's natural is known before the players act"""
    insurance: Fraction | None
    insurance_low: Money
    insurance_step: Money
    insurance_share: Fraction
    main: Limits
    has_companion: bool
    wagers: tuple[SideWager, ...]
    early_wagers: tuple[int, ...]
    """indices of the wagers placed before the deal"""
    check_wagers: tuple[int, ...]
    """indices of the wagers placed after the dealer has checked for a natural, at once or later"""
    late_wagers: tuple[int, ...]
    """those of the check wagers that may be placed at any time until the hole card is turned"""
    bonuses_from_right: bool
    seats: int
    decks: int
    players_cards_down: bool
    rounding: Rounding

    def __repr__(self) -> str:
        return f"Tables({self.sheet.label})"

    def __hash__(self) -> int:
        return hash(self.sheet)  # equal tables have equal sheets, whose hash is cached

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, _memo: dict[int, Any]) -> Self:
        return self  # nothing in it can change

    @property
    def insured_natural_is_even_money(self) -> bool:
        """Whether a natural with the largest insurance wins exactly the main wager, whatever the dealer has."""
        if self.insurance is None or not self.natural_is_final:
            return False
        kinds = (BET, COMPANION) if self.has_companion else (BET,)
        nets = [sum(self.settlement[kind][NATURAL][end].net for kind in kinds) for end in (DEALER_NATURAL, DEALER_BUST)]
        share = self.insurance_share
        return nets[0] + share * self.insurance == nets[1] - share == 1

    @property
    def pairs_by_rank(self) -> bool:
        """Whether a king and a ten are not a pair."""
        ten, king = 4 * 9, 4 * 12
        return self.split_key[ten] != self.split_key[king]

    def wager_index(self, name: str) -> int | None:
        """Return the index of a side wager by its name, in any capitals; None if there is none."""
        wanted = name.strip().lower()
        return next((i for i, wager in enumerate(self.wagers) if wager.name.lower() == wanted), None)


def dealer_class(hand: Finished) -> int:
    """Return the class of a dealer's finished hand."""
    if hand.natural:
        return DEALER_NATURAL
    return hand.total if hand.total <= DEALER_22 else DEALER_BUST


def finished_hand(cards: tuple[Card, ...], total: int) -> Finished:
    """Return the dealer's cards as far as wagers can ask about them."""
    return Finished(total, len(cards), is_natural_total(total, len(cards)))

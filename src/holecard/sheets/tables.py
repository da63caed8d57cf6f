"""A sheet compiled: small arrays that the table, the mathematics and the simulation read alike.

Classes of finished hands, which index the settlement:

    player  0..21 its total (two cards or more), 22 bust, 23 natural, 24 charlie
    dealer  0..21 its total, 22 a bust with exactly 22, 23 any other bust, 24 natural

Kinds of stake, money on one hand that may settle differently:

    BET the main wager, COMPANION its equal second, SPLIT what a split added, DOUBLE what doubling added,
    DOUBLE_UP the second wager of a hand that must stand
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Self, TypeAlias

from holecard.hands import is_natural_total
from holecard.wagers.dealer_hands import Finished
from holecard.wagers.pay_table import Limits, SideWager

if TYPE_CHECKING:
    from holecard.deck import Card
    from holecard.money import Money, Rounding
    from holecard.sheets.schema import RuleSheet

BUST, NATURAL, CHARLIE = 22, 23, 24
DEALER_22, DEALER_BUST, DEALER_NATURAL = 22, 23, 24
CLASSES = 25
#: A dealer's class that stands for all of them, where they settle alike.
ANY_DEALER = 17

BET, COMPANION, SPLIT, DOUBLE, DOUBLE_UP = range(5)
KINDS = 5
ADDED_STAKES = ("Split", "Double", "Double-Up")

HoleCard: TypeAlias = Literal["peek", "peek under aces", "no peek", "face up", "none"]


class SettlementCell(NamedTuple):
    """What one stake wins, net, per unit staked, and why, in words."""

    net: Fraction
    why: str


SettlementRow: TypeAlias = tuple[SettlementCell, ...]
Mask: TypeAlias = tuple[tuple[bool, bool], ...]


@dataclass(frozen=True, slots=True)
class Tables:
    """Everything a round needs to know. Masks are [total][soft], totals 0..21."""

    sheet: RuleSheet
    stakes: tuple[str, ...]
    """Name of each kind of stake, [kind]."""
    dealer_draws: Mask
    settlement: tuple[tuple[SettlementRow, ...], ...]
    """[kind][player class][dealer class]; an unreachable pair has the cell it would have."""
    surrender: SettlementRow
    """[kind]"""
    quick_pay: tuple[SettlementRow | None, ...]
    """[total][kind], None where the total cannot be cashed."""
    natural_is_final: bool
    """A natural is paid alike against every hand but a dealer's natural, so it need not wait."""
    charlie_is_final: bool
    actions: tuple[str, ...]
    """What a hand may do in this game at some time."""
    may_double: Mask
    may_double_up: Mask
    double_cards: int
    """The most cards of a hand that may be doubled."""
    double_after_split: bool
    double_for_less: bool
    double_up_after_split: bool
    surrenders: Literal["none", "late", "early"]
    early_surrender_upcards: frozenset[int]
    """Upcard values with which surrender is asked before the dealer looks for a natural."""
    split_hands: int
    split_key: tuple[int, ...]
    """[card] what two cards must share to be a pair."""
    split_aces: Literal["once", "again", "never"]
    split_aces_play_on: bool
    charlie: int
    """Cards of a charlie; 99 where there is none."""
    hole_card: HoleCard
    peeks_under: frozenset[int]
    """Upcard values with which a dealer's natural is known before the players act: looked for, or face up."""
    insurance: Fraction | None
    insurance_low: Money
    insurance_step: Money
    insurance_share: Fraction
    main: Limits
    has_companion: bool
    wagers: tuple[SideWager, ...]
    early_wagers: tuple[int, ...]
    """Indices of the wagers placed before the deal."""
    check_wagers: tuple[int, ...]
    """Indices of the wagers placed after the check, at once or later."""
    late_wagers: tuple[int, ...]
    """Those of the check wagers that may be placed at any time until the hole card is turned."""
    bonuses_from_right: bool
    seats: int
    decks: int
    players_cards_down: bool
    rounding: Rounding

    def __hash__(self) -> int:
        return hash(self.sheet)  # equal tables have equal sheets, whose hash is cached

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, _memo: dict[int, Any]) -> Self:
        return self  # nothing in it can change

    @property
    def pairs_by_rank(self) -> bool:
        """Whether a king and a ten are not a pair."""
        ten, king = 4 * 9, 4 * 12
        return self.split_key[ten] != self.split_key[king]

    def wager_index(self, name: str) -> int | None:
        """The place of a side wager by its name, however it is capitalised."""
        wanted = name.strip().lower()
        return next((i for i, wager in enumerate(self.wagers) if wager.name.lower() == wanted), None)


def dealer_class(hand: Finished) -> int:
    """The settlement column of a dealer's finished hand."""
    if hand.natural:
        return DEALER_NATURAL
    return hand.total if hand.total <= DEALER_22 else DEALER_BUST


def finished_hand(cards: tuple[Card, ...], total: int) -> Finished:
    """What wagers may ask of the dealer's cards."""
    return Finished(total, len(cards), is_natural_total(total, len(cards)))

"""Compile a sheet into tables. What is legal and what is paid is read only from these tables."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from fractions import Fraction
from math import gcd

from holecard.deck import DECK, VALUES, value_name
from holecard.hands import NATURAL_UPCARDS, DealerDraws, Mask, totals
from holecard.money import Money, money
from holecard.odds import odds
from holecard.sheets.fields import upcards
from holecard.sheets.schema import RuleSheet
from holecard.sheets.settlement import quick_paid, settlement_cell, surrendered
from holecard.sheets.tables import (
    ADDED_STAKES,
    CHARLIE,
    CLASSES,
    DEALER_22,
    DEALER_BUST,
    KINDS,
    NATURAL,
    HoleCard,
    SettlementRow,
    Tables,
)
from holecard.sheets.wager_schema import BY_DECKS, BY_DECKS_AND_SOFT_17, SOFT_17, PayLine, Wager
from holecard.wagers.dealer_hands import dealer_hand
from holecard.wagers.named_hands import named_hand
from holecard.wagers.pay_table import EVERY_UPCARD, Limits, Line, Payout, SideWager

CARDS_LOOKED_AT = {"two cards": 2, "two cards and upcard": 3, "all four cards": 4}
#: More cards than any hand has.
_NEVER = 99
#: Soft totals on which some dealers stand.
_HIGH_SOFTS = range(17, 22)
_NO_TOTALS: Mask = ((False, False),) * 22


def compile_sheet(sheet: RuleSheet) -> Tables:
    """Return every rule of the sheet as a table or a plain value."""
    player, settle = sheet.player, sheet.settle
    settlement = tuple(
        tuple(tuple(settlement_cell(sheet, kind, p, d) for d in range(CLASSES)) for p in range(CLASSES))
        for kind in range(KINDS)
    )
    wagers = _with_needs([compile_wager(wager, sheet) for wager in sheet.wager])
    finals = dealer_finals(sheet)
    return Tables(
        sheet=sheet,
        stakes=(
            sheet.main.name,
            sheet.main.companion.name if sheet.main.companion else "",
            *ADDED_STAKES,
        ),
        dealer_draws=dealer_draws(sheet),
        settlement=settlement,
        surrender=tuple(surrendered(sheet, kind) for kind in range(KINDS)),
        quick_pay=_quick_pay(sheet),
        natural_is_final=_is_constant(settlement, NATURAL, finals),
        charlie_is_final=_is_constant(settlement, CHARLIE, finals),
        actions=tuple(_actions(sheet)),
        may_double=_mask(player.double, highest=20),
        may_double_up=_mask(player.double_up, highest=21),
        double_cards=2 if player.double_cards == "first two" else _NEVER,
        double_after_split=player.double_after_split,
        double_for_less=player.double_stake == "up to equal",
        double_up_after_split=player.double_up_after_split,
        surrenders=player.surrender,
        early_surrender_upcards=NATURAL_UPCARDS if player.surrender == "early" else frozenset(),
        split_hands=player.split_hands,
        split_key=VALUES if player.split_by == "value" else tuple(card.rank for card in DECK),
        split_aces=player.split_aces,
        split_aces_play_on=player.split_aces_get == "play on",
        charlie=player.charlie or _NEVER,
        hole_card=sheet.dealer.hole_card,
        peeks_under=_peeks_under(sheet.dealer.hole_card),
        insurance=None if sheet.insurance.pays == "none" else odds(sheet.insurance.pays),
        insurance_low=money(sheet.insurance.min),
        insurance_step=insurance_step(sheet),
        insurance_share=Fraction(1, 2) if sheet.insurance.most == "half" else Fraction(1),
        main=Limits(money(sheet.main.min), money(sheet.main.max), money(sheet.main.step)),
        has_companion=sheet.main.companion is not None,
        wagers=wagers,
        early_wagers=tuple(i for i, wager in enumerate(wagers) if not wager.after_check),
        check_wagers=tuple(i for i, wager in enumerate(wagers) if wager.after_check),
        late_wagers=tuple(i for i, wager in enumerate(wagers) if wager.until_turned),
        bonuses_from_right=sheet.table.bonuses_from == "right",
        seats=sheet.table.seats,
        decks=sheet.shoe.decks,
        players_cards_down=sheet.shoe.decks in sheet.shoe.face_down_with,
        rounding=settle.rounding,
    )


def _actions(sheet: RuleSheet) -> Iterator[str]:
    """Yield the actions that a hand can ever have in this game."""
    player = sheet.player
    yield from ("hit", "stand")
    offered = {
        "double": any(map(any, _mask(player.double, highest=20))),
        "split": player.split_hands > 1,
        "double up": player.double_up != "none",
        "quick pay": bool(player.quick_pay),
        "surrender": player.surrender != "none",
    }
    yield from (action for action, is_offered in offered.items() if is_offered)


def dealer_draws(sheet: RuleSheet) -> DealerDraws:
    """Return when the dealer draws."""
    dealer = sheet.dealer

    def mask(hit: Collection[int]) -> Mask:
        """Return the mask of a dealer who hits totals below 17 and these soft ones."""
        below = [total < 17 and total not in dealer.ends_on for total in range(22)]
        return tuple((draws, draws or total in hit) for total, draws in enumerate(below))

    usual = mask({17} if dealer.soft_17 == "hit" else ())
    to_hard_17 = mask(_HIGH_SOFTS)
    match dealer.soft:
        case "stand on 18":
            return DealerDraws(usual, _NO_TOTALS, usual)
        case "hit all":
            return DealerDraws(to_hard_17, _NO_TOTALS, to_hard_17)
        case "draw 16 to hard 17":
            # Two cards that are drawn to total 16 or less, and every longer hand began with such a two.
            return DealerDraws(mask(()), to_hard_17, to_hard_17)
        case "draw soft 17 to hard 17":
            # A soft 18 or more is drawn to only after a soft 17.
            through_17 = tuple((False, total in _HIGH_SOFTS) for total in range(22))
            return DealerDraws(usual, through_17, to_hard_17)


def dealer_finals(sheet: RuleSheet) -> tuple[int, ...]:
    """Return the classes in which a dealer's hand can end, except a natural."""
    return (*sorted(sheet.dealer.ends_on), 17, 18, 19, 20, 21, DEALER_22, DEALER_BUST)


def _is_constant(settlement: tuple[tuple[SettlementRow, ...], ...], player: int, finals: tuple[int, ...]) -> bool:
    return all(len({rows[player][d].net for d in finals}) == 1 for rows in settlement)


def _mask(words: str, highest: int) -> Mask:
    allowed = totals(words)
    return tuple(((t, False) in allowed and t <= highest, (t, True) in allowed and t <= highest) for t in range(22))


def _quick_pay(sheet: RuleSheet) -> tuple[SettlementRow | None, ...]:
    offers = sheet.player.quick_pay
    return tuple(
        tuple(quick_paid(sheet, kind, t, offers[str(t)]) for kind in range(KINDS)) if str(t) in offers else None
        for t in range(22)
    )


def _peeks_under(hole_card: HoleCard) -> frozenset[int]:
    seen_by_all = {"peek": NATURAL_UPCARDS, "face up": NATURAL_UPCARDS, "peek under aces": frozenset({1})}
    return seen_by_all.get(hole_card, frozenset())


def insurance_step(sheet: RuleSheet) -> Money:
    """Return the chip insurance is placed in: the main wager's step, or less where its own minimum needs less."""
    return Money.cents(gcd(money(sheet.main.step), money(sheet.insurance.min)))


def pay_lines(wager: Wager, sheet: RuleSheet) -> tuple[PayLine, ...]:
    """Return the pay lines in force: the only ones, or those of the table in force."""
    return wager.tables[table_in_force(wager, sheet)] if wager.tables else wager.lines


def table_in_force(wager: Wager, sheet: RuleSheet) -> str:
    """Return the name of the pay table in force; "6" is for each soft 17 rule without a table such as "6 S17"."""
    decks = str(sheet.shoe.decks)
    if wager.table == BY_DECKS:
        return decks
    if wager.table == BY_DECKS_AND_SOFT_17:
        own = f"{decks} {SOFT_17[sheet.dealer.soft_17]}"
        return own if own in wager.tables else decks
    return wager.table


def _with_needs(wagers: list[SideWager]) -> tuple[SideWager, ...]:
    """Return the wagers, each closed with the upcards with which a wager that it needs is not offered."""
    by_name = {wager.name: wager for wager in wagers}

    def needed(wager: SideWager, above: tuple[str, ...] = ()) -> Iterator[SideWager]:
        if wager.needs and wager.needs not in above:  # two wagers may need each other
            yield by_name[wager.needs]
            yield from needed(by_name[wager.needs], (*above, wager.needs))

    return tuple(
        replace(wager, needs_upcards=EVERY_UPCARD.intersection(*(other.offered_upcards for other in needed(wager))))
        for wager in wagers
    )


def compile_wager(wager: Wager, sheet: RuleSheet) -> SideWager:
    """Return a side wager with its phrases parsed."""
    looks_at = CARDS_LOOKED_AT[wager.on]
    limits = Limits(money(wager.min), money(wager.max), money(wager.step))
    return SideWager(
        name=wager.name,
        looks_at=looks_at,
        lines=tuple(line for words in pay_lines(wager, sheet) for line in _lines(words, looks_at)),
        limits=limits,
        at_most_main=wager.at_most == "the main wager",
        needs=wager.needs,
        after_check=wager.placed != "before the deal",
        until_turned=wager.placed == "until the hole card is turned",
        settled_at_end=wager.settled == "end of round",
        upcards=upcards(wager.upcard),
        token=wager.stake == "token",
        tax=tuple(
            Line(name=line.hand, pays=Payout(fixed=money(line.tax)), hand=named_hand(line.hand, 2))
            for line in wager.tax
        ),
        tax_upcards=upcards(wager.tax_upcard),
        printed=wager.table_from == "printed",
    )


def _lines(words: PayLine, looks_at: int) -> list[Line]:
    """Return one line, or one for each upcard if the odds depend on it."""
    hand = named_hand(words.hand, looks_at) if words.hand is not None else None
    dealer = dealer_hand(words.dealer) if words.dealer is not None else None
    name = words.title
    if isinstance(words.pays, str):
        return [Line(name, payout(words.pays), hand, dealer, EVERY_UPCARD)]
    return [
        Line(f"{name} with {value_name(value)} up", payout(pays), hand, dealer, frozenset({value}))
        for key, pays in words.pays.items()
        for value in sorted(upcards(key))
    ]


def payout(words: str) -> Payout:
    """Return odds, or a fixed amount if written with a dollar sign."""
    return Payout(fixed=money(words)) if words.startswith("$") else Payout(odds=odds(words))

"""What a compiled sheet does, as plain facts by name, taken from its tables alone.

`said_rules` and `said_felt` read the same facts from words. Results of wagers are net wins per unit staked. Only cells
that can occur are facts: a settlement table also fills in combinations that no round can reach.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import product
from typing import TypeAlias

from holecard.hands import DealerDraws, total_of
from holecard.sheets.schema import RuleSheet
from holecard.sheets.tables import (
    BET,
    BUST,
    CHARLIE,
    COMPANION,
    DEALER_22,
    DEALER_BUST,
    DEALER_NATURAL,
    DOUBLE,
    DOUBLE_UP,
    NATURAL,
    SPLIT,
    Tables,
)
from holecard.wagers.pay_table import Limits

Facts: TypeAlias = dict[str, object]
#: Every hand of two cards or more, as (total, soft); a natural is not among them.
HANDS = [*((total, False) for total in range(4, 22)), *((total, True) for total in range(12, 22))]
#: Values of cards that make dealer's hands in every order, soft ones too.
TRIED = (1, 2, 4, 5, 6, 10)
STAKES = {BET: "bet", COMPANION: "companion", SPLIT: "split", DOUBLE: "double", DOUBLE_UP: "double up"}
ROWS = {BUST: "bust", NATURAL: "natural", CHARLIE: "charlie"}
COLUMNS = {DEALER_22: "22", DEALER_BUST: "other bust", DEALER_NATURAL: "natural"}


def main_facts(sheet: RuleSheet) -> Facts:
    """Return every rule of the main game."""
    tables = sheet.tables
    return {
        "decks": tables.decks,
        "main name": tables.stakes[BET],
        "seats": tables.seats,
        "face down": tables.players_cards_down,
        "main wager": limits(tables.main),
        "companion": tables.stakes[COMPANION] if tables.has_companion else None,
        "rounding": tables.rounding,
        "hole card": tables.hole_card,
        "peeks under": tables.peeks_under,
        "dealer draws": _dealer_draws(tables),
        "dealer draws on": _dealer_draws_on(tables.dealer_draws),
        "natural ends round": tables.hole_card in ("peek", "face up"),
        "natural spares": tables.settlement[BET][NATURAL][DEALER_NATURAL].net > -1,
        "surrender spared": tables.surrenders == "early",
        "surrender when": _surrender_when(tables),
        "surrender first": tables.surrenders == "early" if tables.hole_card.startswith("peek") else None,
        "companion spared": _companion_spared(tables),
        "bonuses from right": tables.bonuses_from_right,
        "completes for": tuple(wager.name for wager in tables.wagers if wager.on_dealers_hand),
        **_insurance(tables),
        **_shuffling(sheet),
        **_decisions(tables),
        **{f"pays: {cell}": net for cell, net in settlement(tables)},
    }


def limits(stakes: Limits) -> tuple[int, int, int | None]:
    """Return the lowest and highest stake and the step; a stake that is exact has no step."""
    return stakes.low, stakes.high, stakes.step if stakes.low != stakes.high else None


def _shuffling(sheet: RuleSheet) -> Facts:
    """Return what the shoe reads from the sheet itself."""
    shoe = sheet.shoe
    with_cut_card = shoe.procedure == "cut card"
    return {
        "shuffled": shoe.procedure,
        "cut card": shoe.cut_card if with_cut_card else None,
        "burned": shoe.burn if with_cut_card else 0,
        "decks offered": (tuple(sorted({*shoe.decks_offered})), shoe.decks in shoe.decks_offered)
        if shoe.decks_offered
        else None,
    }


def _dealer_draws(tables: Tables) -> frozenset[tuple[int, bool]]:
    """Return the two-card hands, not naturals, with which the dealer draws."""
    return frozenset((total, soft) for total, soft in HANDS if tables.dealer_draws.usual[total][soft])


@cache
def _dealer_draws_on(draws: DealerDraws) -> frozenset[tuple[int, ...]]:
    """Return the hands of three and four of the `TRIED` values, in the order dealt, to which the dealer draws."""
    found: set[tuple[int, ...]] = set()
    two = [values for values in product(TRIED, repeat=2) if total_of(values) != (21, True)]
    level = [(values, draws.usual) for values in two]
    while level:
        longer = []
        for values, mask in level:
            total, soft = total_of(values)
            if total <= 21 and mask[total][soft]:
                found |= {values} if len(values) > 2 else set()
                after = draws.after(total, soft, len(values))
                longer += [((*values, value), after) for value in TRIED if len(values) < 4]
        level = longer
    return frozenset(found)


def _surrender_when(tables: Tables) -> str | None:
    late = "hole card seen" if tables.hole_card == "face up" else "after the check"
    early = "before the check" if tables.peeks_under == {1, 10} else "whatever the hole card is"
    return {"none": None, "late": late, "early": early}[tables.surrenders]


def _companion_spared(tables: Tables) -> bool | None:
    """Return whether a late natural spares the second wager, where it takes those added to the first."""
    against = [tables.settlement[kind][20][DEALER_NATURAL].net for kind in (SPLIT, COMPANION)]
    said = tables.hole_card not in ("peek", "face up") and against[0] < 0
    return tables.has_companion and against[1] > -1 if said else None


def _insurance(tables: Tables) -> Facts:
    if tables.insurance is None:
        return {"insurance": None}
    return {"insurance": (tables.insurance, tables.insurance_low, tables.insurance_share, tables.insurance_step)}


def _decisions(tables: Tables) -> Facts:
    found: Facts = {
        "doubles": _mask(tables.may_double, 20),
        "doubles up": _mask(tables.may_double_up, 21),
        "split hands": tables.split_hands,
        "charlie": tables.charlie if "charlie" in _rows(tables).values() else None,
        "surrender": tables.surrenders,
        "quick pay": frozenset(total for total in range(22) if tables.quick_pay[total]),
    }
    if found["charlie"]:
        found["charlie loses late"] = tables.peeks_under != {1, 10}
    if found["doubles"]:
        found["double cards"] = "first two" if tables.double_cards == 2 else "any number"
        found["double after split"] = tables.double_after_split or tables.split_hands == 1
        found["double for less"] = tables.double_for_less
        if tables.double_for_less:
            found["double step"] = tables.main.step
    if found["doubles up"]:
        after_split = tables.double_up_after_split and tables.split_hands > 1
        found["double up after split"] = after_split or tables.split_hands == 1
        found["double up on split aces"] = after_split and tables.split_aces != "never"
    if tables.split_hands > 1:
        found["pairs by rank"] = tables.pairs_by_rank
        found["split aces"] = tables.split_aces if tables.split_hands > 2 or tables.split_aces != "again" else "once"
        if tables.split_aces != "never":
            found["split aces play on"] = tables.split_aces_play_on
    kinds = _first_kinds(tables)
    if tables.surrenders != "none":
        found["surrender pays"] = tuple(tables.surrender[kind].net for kind in kinds)
    for total, row in enumerate(tables.quick_pay):
        if row:
            found[f"quick pay {total}"] = tuple(row[kind].net for kind in kinds)
    return found


def _mask(mask: tuple[tuple[bool, bool], ...], highest: int) -> frozenset[tuple[int, bool]]:
    return frozenset((total, soft) for total, soft in HANDS if total <= highest and mask[total][soft])


def _first_kinds(tables: Tables) -> list[int]:
    return [BET, COMPANION] if tables.has_companion else [BET]


def _kinds(tables: Tables) -> list[int]:
    offered = {
        COMPANION: tables.has_companion,
        SPLIT: tables.split_hands > 1,
        DOUBLE: any(map(any, tables.may_double)),
        DOUBLE_UP: any(map(any, tables.may_double_up)),
    }
    return [BET, *(kind for kind, is_offered in offered.items() if is_offered)]


def _rows(tables: Tables) -> dict[int, str]:
    rows = {**{total: str(total) for total in range(4, 22)}, **ROWS}
    if tables.charlie > 22:
        del rows[CHARLIE]
    return rows


def finals(tables: Tables) -> list[int]:
    """Return the totals, up to 21, on which the dealer's hand can end."""
    return [total for total in range(12, 22) if not all(tables.dealer_draws.usual[total])]


def settlement(tables: Tables) -> Iterator[tuple[str, Fraction]]:
    """Yield every cell that can occur: "double, 20 v 16"."""
    columns = {**{total: str(total) for total in finals(tables)}, **COLUMNS}
    checked = tables.hole_card in ("peek", "face up")
    for kind in _kinds(tables):
        first = kind in (BET, COMPANION)
        for row, name in _rows(tables).items():
            if (row == NATURAL and not first) or (row == CHARLIE and kind == DOUBLE_UP) or row == BUST:
                continue
            for column, against in columns.items():
                # A dealer who always checks shows a natural before anything is doubled, split, or drawn.
                if column == DEALER_NATURAL and checked and (not first or row == CHARLIE):
                    continue
                yield f"{STAKES[kind]}, {name} v {against}", tables.settlement[kind][row][column].net


def compare(said: Facts, compiled: Facts, where: str) -> None:
    """Check that everything compiled is said, and nothing else of the same name."""
    wrong = {name: (said.get(name), fact) for name, fact in compiled.items() if said.get(name) != fact}
    assert not wrong, f"said and compiled differ, {where}: {wrong}"

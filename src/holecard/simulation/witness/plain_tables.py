"""Every cell of the compiled tables, worked out a second time from the words of the sheet, and compared.

The tables decide what is legal and what is paid, and everything else reads them. So a mistake of the compiler is in the
exact numbers, in the simulation, at the table and in the referee at once, and no comparison of these shows it. This
reading shares no code with the compiler: it takes the settings from `plain_sheet` and their meaning from `plain_words`,
and says for each cell what the sheet says and what the tables say.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import gcd
from typing import NamedTuple

from holecard.deck import Card
from holecard.errors import Refusal, plural
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
from holecard.simulation.witness.plain_hands import counts, dealer_draws, is_natural, value
from holecard.simulation.witness.plain_sheet import SheetWords, plain_sheet
from holecard.simulation.witness.plain_wagers import wager_cells
from holecard.simulation.witness.plain_words import plain_cents, plain_odds, plain_totals

_KINDS = {BET: "Bet", COMPANION: "Companion", SPLIT: "Split", DOUBLE: "Double", DOUBLE_UP: "Double-Up"}
_PLAYER = {BUST: "bust", NATURAL: "natural", CHARLIE: "charlie"}
_DEALER = {DEALER_22: "22", DEALER_BUST: "bust", DEALER_NATURAL: "natural"}
#: Hard and soft totals that hands have.
_TOTALS = [(total, False) for total in range(4, 22)] + [(total, True) for total in range(12, 22)]
_MANY = 99


class CellDifference(NamedTuple):
    """A cell of the compiled tables that is not what the sheet says."""

    cell: str
    sheet: str
    tables: str

    def __str__(self) -> str:
        return f"{self.cell}: the sheet says {self.sheet}, the tables say {self.tables}"


class SheetReading(NamedTuple):
    """The second reading of a sheet: how many cells were compared, and those that differ."""

    cells: int
    differences: tuple[CellDifference, ...]

    @property
    def agrees(self) -> bool:
        """Whether the tables say what the sheet says."""
        return not self.differences

    @property
    def verdict(self) -> str:
        """The verdict as text; differences follow line by line."""
        if self.agrees:
            return (
                f"The sheet was read a second time and compared with {self.cells:,} cells of its tables: no difference."
            )
        first = f"Read a second time, the sheet differs from its tables in {plural(len(self.differences), 'place')}:"
        return "\n".join([first, *(f"  {line}" for line in self.differences)])


def read_again(sheet: RuleSheet, tables: Tables | None = None) -> SheetReading:
    """Read the sheet a second time and compare every cell of its tables, or of other tables."""
    compared, differences = 0, []
    try:
        for cell, by_sheet, by_tables in _cells(plain_sheet(sheet), tables or sheet.tables):
            compared += 1
            if by_sheet != by_tables:
                differences.append(CellDifference(cell, _said(by_sheet), _said(by_tables)))
    except Refusal as unread:
        differences.append(CellDifference("the sheet", "something else", f"nothing to compare with it: {unread}"))
    return SheetReading(compared, tuple(differences))


def _said(value: object) -> str:
    if isinstance(value, Fraction):
        return f"a net win of {value}"
    if isinstance(value, bool) or value is None:
        return {True: "yes", False: "no", None: "none"}[value]
    return ", ".join(map(str, sorted(value, key=str))) or "none" if isinstance(value, set | frozenset) else str(value)


def _cells(words: SheetWords, tables: Tables) -> Iterator[tuple[str, object, object]]:
    """Yield (cell, what the sheet says, what the tables say)."""
    yield from _settlement(words, tables)
    yield from _dealer(words, tables)
    yield from _decisions(words, tables)
    yield from _wagers_and_seats(words, tables)
    yield from _shoe(words, tables)
    yield "number of side wagers", len(words["wager"]), len(tables.wagers)
    for wager, compiled in zip(words["wager"], tables.wagers, strict=False):
        yield from wager_cells(wager, compiled, words)


# Who wins


def _settlement(words: SheetWords, tables: Tables) -> Iterator[tuple[str, object, object]]:
    finals = [*range(12, 22), DEALER_22, DEALER_BUST, DEALER_NATURAL]
    companion = words["main"]["companion"]
    for kind, name in _KINDS.items():
        if kind == COMPANION and companion is None:
            continue
        players = [*range(4, 22), BUST]
        players += [NATURAL] if kind in (BET, COMPANION) else []
        players += [CHARLIE] if words["player"]["charlie"] else []
        for player in players:
            for dealer in finals:
                cell = f"{name}, {_PLAYER.get(player, player)} against {_DEALER.get(dealer, dealer)}"
                yield cell, net_result(words, kind, player, dealer), tables.settlement[kind][player][dealer].net
        lost = companion["surrender"] if kind == COMPANION else words["settle"]["surrender"]
        yield f"{name}, surrendered", plain_odds(lost), tables.surrender[kind].net
        for total in range(22):
            pays = words["player"]["quick_pay"].get(str(total))
            row = tables.quick_pay[total]
            terms = companion["quick_pay"] if kind == COMPANION and pays is not None else pays
            offered = None if row is None else row[kind].net
            yield f"{name}, Quick Pay on {total}", None if terms is None else plain_odds(terms), offered
    ends = [*words["dealer"]["ends_on"], *range(17, 22), DEALER_22, DEALER_BUST]
    naturals = {net_result(words, BET, NATURAL, dealer) for dealer in ends}
    yield "a natural is settled at once", len(naturals) == 1, tables.natural_is_final
    yield "a charlie is settled at once", True, tables.charlie_is_final


def net_result(words: SheetWords, kind: int, player: int, dealer: int) -> Fraction:
    """Return the net win of one unit, by the rules in the order in which they take precedence."""
    settle, companion = words["settle"], words["main"]["companion"] if kind == COMPANION else None
    rule = settle["when_dealer_has"].get(str(dealer))
    if player == BUST:
        return Fraction(-1)
    if player == NATURAL and dealer == DEALER_NATURAL:
        if companion is not None:
            return plain_odds(companion["two_naturals"])
        return plain_odds(settle["natural"] if settle["two_naturals"] == "win" else settle["two_naturals"])
    if dealer == DEALER_NATURAL:
        if companion is not None:
            return plain_odds(companion["dealer_natural"])
        is_added = kind in (SPLIT, DOUBLE, DOUBLE_UP)
        return plain_odds("push" if is_added and words["dealer"]["natural_takes"] == "original" else "lose")
    if player == NATURAL:
        if companion is not None:
            return plain_odds(companion["natural"])
        is_tie = dealer == 21 and settle["natural_v_21"] == "tie"
        return plain_odds(settle["ties"] if is_tie else settle["natural"])
    if player == CHARLIE:
        return plain_odds(settle["charlie"])
    if isinstance(rule, dict):
        return plain_odds(rule.get("21") or rule["other"] if player == 21 else rule["other"])
    if rule is not None:
        return plain_odds(rule)
    if dealer in (DEALER_22, DEALER_BUST) or (player == 21 and settle["twenty_one"] == "wins"):
        return plain_odds("win")
    if player == dealer:
        return plain_odds(settle["double_up_ties"] if kind == DOUBLE_UP else settle["ties"])
    return plain_odds("win" if player > dealer else "lose")


# How the dealer and the players play


def _dealer(words: SheetWords, tables: Tables) -> Iterator[tuple[str, object, object]]:
    dealer = words["dealer"]
    for hand in _dealer_hands(dealer):
        total, soft = counts(hand)
        before = counts(hand[:-1])
        mask = tables.dealer_draws.usual if len(hand) == 2 else tables.dealer_draws.after(*before, len(hand) - 1)
        if total <= 21 and not is_natural(hand):
            name = "-".join("A23456789T"[value(card) - 1] for card in hand)
            yield f"the dealer draws to {name}", dealer_draws(dealer, hand), mask[total][soft]
    peeks = {"peek": {1, 10}, "face up": {1, 10}, "peek under aces": {1}, "no peek": set(), "none": set()}
    yield "the hole card", dealer["hole_card"], tables.hole_card
    yield "upcards with which a natural is known at once", peeks[dealer["hole_card"]], set(tables.peeks_under)


def _dealer_hands(words: SheetWords) -> Iterator[list[Card]]:
    """Yield dealer's hands by value, in the order dealt, with every way in which a total can come about."""
    cards = [Card(4 * number) for number in range(10)]
    hands, seen = [[one, two] for one in cards for two in cards], set()
    while hands:
        hand = hands.pop()
        yield hand
        # How a hand goes on can depend on its total, on its first total, and on whether it was a soft 17.
        was = [counts(hand[:number]) for number in range(2, len(hand) + 1)]
        way = was[-1], was[0][0] <= 16, (17, True) in was
        if dealer_draws(words, hand) and way not in seen:
            seen.add(way)
            hands += [[*hand, card] for card in cards]


def _decisions(words: SheetWords, tables: Tables) -> Iterator[tuple[str, object, object]]:
    player = words["player"]
    for name, mask, highest in (("double", tables.may_double, 20), ("double_up", tables.may_double_up, 21)):
        allowed = plain_totals(player[name])
        for total, soft in _TOTALS:
            cell = f"{name.replace('_', ' ')} on {'soft' if soft else 'hard'} {total}"
            yield cell, (total, soft) in allowed and total <= highest, mask[total][soft]
    ranks = range(13)
    for one in ranks:
        pairs = {two for two in ranks if tables.split_key[4 * one] == tables.split_key[4 * two + 1]}
        alike = {two for two in ranks if (two == one if player["split_by"] == "rank" else min(two, 9) == min(one, 9))}
        yield f"ranks that pair with rank {'A23456789TJQK'[one]}", alike, pairs
    early = player["surrender"] == "early"
    offered = {"hit", "stand"}
    offered |= {"double"} if any(total <= 20 for total, _ in plain_totals(player["double"])) else set()
    offered |= {"split"} if player["split_hands"] > 1 else set()
    offered |= {"double up"} if plain_totals(player["double_up"]) else set()
    offered |= {"quick pay"} if player["quick_pay"] else set()
    offered |= {"surrender"} if player["surrender"] != "none" else set()
    yield "actions", offered, set(tables.actions)
    yield "most cards of a double", 2 if player["double_cards"] == "first two" else _MANY, tables.double_cards
    yield "double after split", player["double_after_split"], tables.double_after_split
    yield "double for less", player["double_stake"] == "up to equal", tables.double_for_less
    yield "Double-Up after split", player["double_up_after_split"], tables.double_up_after_split
    yield "surrender", player["surrender"], tables.surrenders
    yield "upcards of early surrender", {1, 10} if early else set(), set(tables.early_surrender_upcards)
    yield "most hands", player["split_hands"], tables.split_hands
    yield "split aces", player["split_aces"], tables.split_aces
    yield "split aces play on", player["split_aces_get"] == "play on", tables.split_aces_play_on
    yield "cards of a charlie", player["charlie"] or _MANY, tables.charlie


# What is staked


def _wagers_and_seats(words: SheetWords, tables: Tables) -> Iterator[tuple[str, object, object]]:
    main, insurance = words["main"], words["insurance"]
    companion = main["companion"]
    names = (main["name"], companion["name"] if companion else "", "Split", "Double", "Double-Up")
    yield "names of the stakes", names, tables.stakes
    yield "a companion", companion is not None, tables.has_companion
    limits = tuple(plain_cents(main[key]) for key in ("min", "max", "step"))
    yield "limits of the main wager in cents", limits, (tables.main.low, tables.main.high, tables.main.step)
    pays = None if insurance["pays"] == "none" else plain_odds(insurance["pays"])
    yield "insurance pays", pays, tables.insurance
    yield "insurance, smallest in cents", plain_cents(insurance["min"]), tables.insurance_low
    step = gcd(plain_cents(main["step"]), plain_cents(insurance["min"]))
    yield "insurance, step in cents", step, tables.insurance_step
    share = {"half": Fraction(1, 2), "all": Fraction(1)}[insurance["most"]]
    yield "insurance, largest share of the main wager", share, tables.insurance_share
    yield "even money", _is_even_money(words), tables.insured_natural_is_even_money
    placed = [wager["placed"] for wager in words["wager"]]
    for name, fits, indices in (
        ("before the deal", ("before the deal",), tables.early_wagers),
        ("after the check", ("after the check", "until the hole card is turned"), tables.check_wagers),
        ("until the hole card is turned", ("until the hole card is turned",), tables.late_wagers),
    ):
        yield f"wagers placed {name}", tuple(i for i, when in enumerate(placed) if when in fits), indices
    yield "bonuses from the right", words["table"]["bonuses_from"] == "right", tables.bonuses_from_right
    yield "seats", words["table"]["seats"], tables.seats
    yield "rounding", words["settle"]["rounding"], tables.rounding


def _is_even_money(words: SheetWords) -> bool:
    """Return whether a natural with the most insurance wins exactly the main wager, whatever the dealer has."""
    insurance = words["insurance"]
    if insurance["pays"] == "none":
        return False
    kinds = [BET] if words["main"]["companion"] is None else [BET, COMPANION]
    share = {"half": Fraction(1, 2), "all": Fraction(1)}[insurance["most"]]
    insured = {
        sum(net_result(words, kind, NATURAL, dealer) for kind in kinds) - share
        for dealer in [*words["dealer"]["ends_on"], *range(17, 22), DEALER_22, DEALER_BUST]
    }
    lost = sum(net_result(words, kind, NATURAL, DEALER_NATURAL) for kind in kinds)
    return insured | {lost + share * plain_odds(insurance["pays"])} == {Fraction(1)}


def _shoe(words: SheetWords, tables: Tables) -> Iterator[tuple[str, object, object]]:
    shoe, read = words["shoe"], tables.sheet.shoe
    yield "decks", shoe["decks"], tables.decks
    yield "players' cards face down", shoe["decks"] in shoe["face_down_with"], tables.players_cards_down
    for key in ("decks", "procedure", "cut_card", "burn"):
        yield f"shoe.{key}", shoe[key], getattr(read, key)

"""`verify` goes red whatever is broken: code that exact and simulation share, that all share, or the table's own.

Each mutation breaks one place, as an editor's slip would; the compiled tables stay right, for they are the rules. Exact
numbers are left out where the replay has to find it alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import holecard
from holecard.exact import dealer as exact_dealer
from holecard.exact import dealer_odds, game, multisets, pay_terms, stakes, wagers
from holecard.sheets.read import read_text
from holecard.sheets.schema import RuleSheet
from holecard.sheets.tables import DOUBLE, DOUBLE_UP, NATURAL, SPLIT
from holecard.simulation import nodes, program, results
from holecard.simulation.replay import played_again
from holecard.simulation.strategies import Strategy
from holecard.simulation.witness import Difference
from holecard.strategy.named import mimic_the_dealer
from holecard.table import acting, options, settling
from holecard.table import dealer as table_dealer
from holecard.table import round as table_round
from holecard.wagers.dealer_hands import DealerHand, Finished
from holecard.wagers.pay_table import Line, SideWager

Patch = Callable[[pytest.MonkeyPatch], None]

#: A sheet of one's own that has every rule.
OWN = """
name    = "Everything"
extends = "classic"
[shoe]
decks = 2
[dealer]
soft_17 = "hit"
[main]
min = "$10"
max = "$100"
step = "$10"
[main.companion]
name = "Second"
natural = "push"
dealer_natural = "push"
two_naturals = "push"
surrender = "lose"
quick_pay = "push"
[player]
double_up = "any"
double_up_after_split = true
surrender = "late"
charlie = 5
quick_pay = { 20 = "1 to 1", 19 = "1 to 2" }
split_aces = "once"
[settle]
natural = "6 to 5"
surrender = "push"
charlie = "2 to 1"
double_up_ties = "lose"
when_dealer_has = { 17 = "push" }
[[wager]]
name = "Twos and Threes"
on = "two cards and upcard"
min = "$5"
max = "$100"
lines = [
  { hand = "suited trips", pays = "100 to 1" },
  { hand = "straight flush", pays = "40 to 1" },
  { hand = "trips", pays = "30 to 1" },
  { hand = "straight", pays = "10 to 1" },
  { hand = "suited", pays = "5 to 1" },
  { hand = "pair", pays = "2 to 1" },
]
[[wager]]
name = "Long Dealer"
on = "two cards"
min = "$5"
max = "$100"
lines = [
  { hand = "pair", dealer = "busts", pays = "7 to 1" },
  { hand = "suited", dealer = "17-21 in 4+ cards", pays = "6 to 1" },
  { dealer = "busts in 5+ cards", pays = "9 to 1" },
]
[[wager]]
name = "Box"
needs = "Long Dealer"
stake = "token"
min = "$1"
max = "$1"
tax = [{ hand = "natural", tax = "$2" }, { hand = "20", tax = "$1" }]
lines = [{ hand = "suited natural", dealer = "busts", pays = "$50" }]
"""


def own() -> RuleSheet:
    return read_text(OWN)


@pytest.fixture(autouse=True)
def _fresh(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Nothing that was worked out before a patch, or under one, is kept."""

    def forget() -> None:
        pay_terms.terms_of.cache_clear()
        exact_dealer._dealer.cache_clear()
        dealer_odds.drawing.cache_clear()
        dealer_odds._unfinished.cache_clear()
        multisets.total.cache_clear()
        game._READY.clear()

    forget()
    yield
    monkeypatch.undo()
    forget()


def differences(sheet: RuleSheet, count: int = 1600) -> Iterator[Difference]:
    """Of the replay alone: what an exact side that is wrong in the same way cannot show."""
    player = Strategy("mimic the dealer", mimic_the_dealer(sheet.tables))
    for _, found in played_again(sheet, [player], 7, 50_000, sheet.tables.wagers, count):
        if found is not None:
            yield found


# What exact and simulation share


def doubles_paid_once(patch: pytest.MonkeyPatch) -> None:
    _worths(patch, lambda on: np.where(np.arange(6)[:, None] % 3 == 1, _plain(on), on))


def doubles_up_paid_once(patch: pytest.MonkeyPatch) -> None:
    _worths(patch, lambda on: np.where(np.arange(6)[:, None] % 3 == 2, _plain(on), on))


def split_hand_staked_twice(patch: pytest.MonkeyPatch) -> None:
    _worths(patch, lambda on: on * np.where(np.arange(6)[:, None] >= 3, 2, 1))


def split_hand_not_staked(patch: pytest.MonkeyPatch) -> None:
    _worths(patch, lambda on: on * np.where(np.arange(6)[:, None] >= 3, 0, 1))


def companion_forgotten(patch: pytest.MonkeyPatch) -> None:
    def original(tables: Any) -> Any:
        found = real_worths(tables)
        return found - _nets(tables)[1][None] * 0.5 * np.array([1, 1, 1, 0, 0, 0])[:, None, None]

    real_worths = stakes.worths
    _everywhere(patch, "worths", original)


def _plain(on: Any) -> Any:
    return np.repeat(on[::3], 3, axis=0)


def _nets(tables: Any) -> Any:
    return np.array([[[float(cell.net) for cell in row] for row in rows] for rows in tables.settlement])


def _worths(patch: pytest.MonkeyPatch, change: Callable[[Any], Any]) -> None:
    """Other stakes lie on the hands."""

    def worths(tables: Any) -> Any:
        units = 2 if tables.has_companion else 1
        original = np.array([1, tables.has_companion, 0, 0, 0]) / units
        kinds = np.eye(5)
        raised = [np.zeros(5), kinds[DOUBLE], kinds[DOUBLE_UP]]
        on = np.array([first + more for first in (original, kinds[SPLIT]) for more in raised])
        return np.tensordot(change(on), _nets(tables), axes=1)

    _everywhere(patch, "worths", worths)


def _everywhere(patch: pytest.MonkeyPatch, name: str, new: object) -> None:
    """In every module that has it by this name."""
    for module in (stakes, program, nodes, game):
        if hasattr(module, name):
            patch.setattr(module, name, new)


def wrong_dealer_total(patch: pytest.MonkeyPatch) -> None:
    """An 18 is settled as a 19."""
    real = stakes.worths

    def worths(tables: Any) -> Any:
        found = real(tables).copy()
        found[:, :, 18] = found[:, :, 19]
        return found

    _everywhere(patch, "worths", worths)


def natural_paid_even(patch: pytest.MonkeyPatch) -> None:
    real = stakes.worths

    def worths(tables: Any) -> Any:
        found = real(tables).copy()
        found[:, NATURAL] = np.where(found[:, NATURAL] > 0, 1.0, found[:, NATURAL])
        return found

    _everywhere(patch, "worths", worths)


def push_taken(patch: pytest.MonkeyPatch) -> None:
    real = stakes.worths

    def worths(tables: Any) -> Any:
        found = real(tables).copy()
        found[:, 20, 20] = -1.0
        return found

    _everywhere(patch, "worths", worths)


def surrender_loses_all(patch: pytest.MonkeyPatch) -> None:
    real = stakes.row_worth

    def row_worth(tables: Any, row: Any) -> Fraction:
        return Fraction(-1) if row is tables.surrender else real(tables, row)

    _everywhere(patch, "row_worth", row_worth)


def quick_pay_of_the_wrong_total(patch: pytest.MonkeyPatch) -> None:
    """A 19 is cashed as a 20."""
    real = stakes.row_worth

    def row_worth(tables: Any, row: Any) -> Fraction:
        return real(tables, tables.quick_pay[20] if row is tables.quick_pay[19] else row)

    _everywhere(patch, "row_worth", row_worth)


def last_line_paid(patch: pytest.MonkeyPatch) -> None:
    real = pay_terms.Terms._settling

    def settling_(terms: pay_terms.Terms, made: int, upcard: int, looked: bool) -> pay_terms.Settling:
        backwards = list(terms._lines())[::-1]
        patch.setattr(pay_terms.Terms, "_lines", lambda _terms: backwards)
        found = real(terms, made, upcard, looked)
        patch.setattr(pay_terms.Terms, "_lines", lambda self: range(len(self.wager.lines)))
        return found

    patch.setattr(pay_terms.Terms, "_settling", settling_)


def tax_not_taken(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(wagers.Money, "taxed", lambda _money, _number: Fraction(0))


def tax_never_due(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(pay_terms.Terms, "_tax", lambda _terms, _made, _upcard: None)


def odds_for_one(patch: pytest.MonkeyPatch) -> None:
    """ "5 to 1" is paid as 5 for 1."""
    real = wagers.Money.paid
    patch.setattr(wagers.Money, "paid", lambda self, number: real(self, number) - (0 if number is None else self.stake))


def one_hand_too_few(patch: pytest.MonkeyPatch) -> None:
    real = game.most_hands
    for module in (game, program):
        patch.setattr(module, "most_hands", lambda tables, rank: max(real(tables, rank) - 1, 2))


def mask_misread(patch: pytest.MonkeyPatch) -> None:
    """A soft 17 is looked up as a hard one, by the mathematics and the kernels."""
    real, real_finished = program._dealers_hand, multisets.finished

    def hard(draws: Any) -> Any:
        return tuple((one[0], one[0]) for one in draws)

    patch.setattr(
        program,
        "_dealers_hand",
        lambda tables, total, soft: real(replace(tables, dealer_draws=hard(tables.dealer_draws)), total, soft),
    )
    for module in (multisets, exact_dealer, dealer_odds):
        patch.setattr(module, "finished", lambda draws, hand: real_finished(hard(draws), hand))


def charlie_ignored(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(nodes, "player_class", lambda _tables, hand: NATURAL if hand.natural else min(hand.total, 22))


def insurance_pays_even(patch: pytest.MonkeyPatch) -> None:
    real = results.insured

    def insured(rules: Any, tally: Any, level: float) -> Any:
        found = real(rules, tally, level)
        if found is None:
            return None
        return replace(found, histogram={min(net, Fraction(1)): count for net, count in found.histogram.items()})

    from holecard.simulation import simulate, witness

    for module in (results, simulate, witness):
        patch.setattr(module, "insured", insured)


SHARED = [
    (doubles_paid_once, ["classic", "double-up", "own"]),
    (doubles_up_paid_once, ["double-up", "own"]),
    (split_hand_staked_twice, ["classic", "face-up", "own"]),
    (split_hand_not_staked, ["match-up", "own"]),
    (companion_forgotten, ["quick-pay", "own"]),
    (wrong_dealer_total, ["classic", "face-up", "own"]),
    (natural_paid_even, ["classic", "quick-pay", "own"]),
    (push_taken, ["classic", "own"]),
    (surrender_loses_all, ["quick-pay", "own"]),
    (quick_pay_of_the_wrong_total, ["quick-pay", "own"]),
    (last_line_paid, ["match-up", "face-up", "upcard-luck-21", "own"]),
    (tax_not_taken, ["upcard-luck-21", "own"]),
    (tax_never_due, ["upcard-luck-21", "own"]),
    (odds_for_one, ["double-up", "own"]),
    (one_hand_too_few, ["classic", "own"]),
    (mask_misread, ["classic", "double-up", "own"]),
    (charlie_ignored, ["own"]),
    (insurance_pays_even, ["classic", "own"]),
]


# What the table shares with them


def hard_and_soft_confused(patch: pytest.MonkeyPatch) -> None:
    """May be doubled: read from the wrong column, by the table and the kernels."""
    real = options.may_double
    patch.setattr(options, "may_double", lambda tables, hand: real(tables, hand._replace(soft=not hand.soft)))


def split_aces_hit(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(options, "is_split_ace", lambda _tables, _hand: False)


def one_more_hand(patch: pytest.MonkeyPatch) -> None:
    real, real_most = options.may_split, game.most_hands
    patch.setattr(options, "may_split", lambda tables, hand, hands: real(tables, hand, hands - 1))
    for module in (game, program):
        patch.setattr(module, "most_hands", lambda tables, rank: real_most(tables, rank) + (rank != 0))


def twenty_one_is_a_natural(patch: pytest.MonkeyPatch) -> None:
    """Every 21 is paid as one."""
    real = nodes.player_class
    for module in (nodes, settling):
        patch.setattr(module, "player_class", lambda tables, hand: NATURAL if hand.total == 21 else real(tables, hand))


def wrong_upcards_pay(patch: pytest.MonkeyPatch) -> None:
    """Lines pay with any upcard: the table, the mathematics and the kernels ask the same method."""
    patch.setattr(Line, "can_pay", lambda self, _upcard, looked_at: self.hand is None or self.hand.fits(looked_at))
    real = SideWager.hopes
    patch.setattr(SideWager, "hopes", lambda self, cards: real(replace(self, upcards=frozenset(range(1, 11))), cards))


def card_counts_of_dealers_ignored(patch: pytest.MonkeyPatch) -> None:
    """ "16 in 3 cards" is any 16."""

    def fits(self: DealerHand, hand: Finished) -> bool:
        return self.low <= hand.total <= self.high and self.natural in (None, hand.natural)

    patch.setattr(DealerHand, "fits", fits)


SHARED_BY_ALL = [
    (hard_and_soft_confused, ["face-up"]),
    (split_aces_hit, ["classic", "own"]),
    (one_more_hand, ["classic", "own"]),
    (twenty_one_is_a_natural, ["classic", "own"]),
    (wrong_upcards_pay, ["upcard-luck-21"]),
    (card_counts_of_dealers_ignored, ["double-up", "own"]),
]


# The table's own


def table_rounds_up(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(settling, "net_win", lambda stake, result, _rounding: int(stake * result) + 1)


def table_doubles_for_half(patch: pytest.MonkeyPatch) -> None:
    real = acting._add_stake
    patch.setattr(acting, "_add_stake", lambda hand, kind, amount: real(hand, kind, amount // 2))


def table_dealer_stands(patch: pytest.MonkeyPatch) -> None:
    real = table_dealer._draws
    patch.setattr(table_dealer, "_draws", lambda round_: real(round_) and round_.dealer_total != 16)


def table_insures_even(patch: pytest.MonkeyPatch) -> None:
    real = settling.insurance_result
    for module in (settling, table_round):
        patch.setattr(
            module,
            "insurance_result",
            lambda tables, seat, dealers_natural: real(replace(tables, insurance=Fraction(1)), seat, dealers_natural),
        )


def table_pays_the_last_line(patch: pytest.MonkeyPatch) -> None:
    real = SideWager.hopes
    patch.setattr(SideWager, "hopes", lambda self, cards: real(self, cards)[::-1])


OF_THE_TABLE = [
    (table_rounds_up, ["classic", "own"]),
    (table_doubles_for_half, ["classic", "own"]),
    (table_dealer_stands, ["classic", "own"]),
    (table_insures_even, ["classic", "own"]),
    (table_pays_the_last_line, ["match-up", "own"]),
]


def _cases(mutations: list[tuple[Patch, list[str]]]) -> list[Any]:
    return [
        pytest.param(mutation, sheet, id=f"{mutation.__name__}-{sheet}")
        for mutation, sheets in mutations
        for sheet in sheets
    ]


@pytest.mark.parametrize(("mutation", "sheet"), [*_cases(SHARED), *_cases(SHARED_BY_ALL), *_cases(OF_THE_TABLE)])
def test_a_mutation_is_found_by_the_replay_alone(mutation: Patch, sheet: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = own() if sheet == "own" else holecard.rules(sheet)
    mutation(monkeypatch)
    found = next(differences(rules), None)
    assert found is not None
    assert found.words


@pytest.mark.parametrize("sheet", [*holecard.games(), "own"])
def test_a_right_game_is_replayed_without_a_difference(sheet: str) -> None:
    assert list(differences(own() if sheet == "own" else holecard.rules(sheet), 300)) == []

"""Deliberate mistakes: small edits of functions, while the compiled tables, which are the rules, stay right.

An edit changes a function in place, so that every module that uses it makes the same mistake.
"""

from __future__ import annotations

import inspect
import sys
import textwrap
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any, NamedTuple

import pytest

import holecard
from holecard import hands, money
from holecard.exact.main import dealer_multisets, prepared_game
from holecard.payoffs import split_limits, stakes, wager_payoffs, wager_terms
from holecard.sheets.read import read_sheet
from holecard.sheets.schema import RuleSheet
from holecard.simulation import results
from holecard.simulation.compile import program
from holecard.table import actions, legal, player, settling, state
from holecard.table import dealer as table_dealer
from holecard.wagers import named_hands
from holecard.wagers.dealer_hands import DealerHand
from holecard.wagers.pay_table import Limits, Line, SideWager

#: A custom sheet that has every rule.
EVERYTHING = """
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
#: A custom sheet that is quick to compute.
SMALL = """
name    = "Small"
extends = "classic"
[shoe]
decks = 1
[player]
split_hands = 2
[settle]
natural = "1.3333 to 1"
when_dealer_has = { 17 = "push" }
[[wager]]
name  = "Pairs"
lines = [
  { hand = "suited K and Q", pays = "30 to 1" },
  { hand = "pair of aces",   pays = "20 to 1" },
  { hand = "pair",           pays = "8 to 1" },
  { hand = "suited",         pays = "1 to 1" },
]
"""


@cache
def sheet_called(name: str) -> RuleSheet:
    """A shipped game, or "small" or "everything"; compiled before anything is broken."""
    texts = {"small": SMALL, "everything": EVERYTHING}
    sheet = read_sheet(texts[name]) if name in texts else holecard.rules(name)
    assert sheet.tables
    return sheet


class Edit(NamedTuple):
    """A function, a text in its source, and the replacement."""

    function: Callable[..., Any]
    old: str
    new: str


class Mutation(NamedTuple):
    """One mistake: an edit, or the same mistake in two places that two programs could share."""

    name: str
    edits: tuple[Edit, ...]

    def __str__(self) -> str:
        return self.name.replace(" ", "-")


@contextmanager
def broken(mutation: Mutation) -> Iterator[None]:
    """Make the mistake; clear cached results before and after it."""
    with pytest.MonkeyPatch.context() as patch:
        for edit in mutation.edits:
            _rewrite(patch, edit)
        forget()
        yield
    forget()


def forget() -> None:
    """Empty every cache of the package except those of the sheets, which are read before anything is broken."""
    for name, module in list(sys.modules.items()):
        if name.startswith("holecard.") and not name.startswith(("holecard.sheets", "holecard.kernels")):
            for kept in vars(module).values():
                if hasattr(kept, "cache_clear"):
                    kept.cache_clear()
    prepared_game._KEPT.clear()


def source_to_edit(edit: Edit) -> str:
    """Return the source of the function; it must contain the text to replace once."""
    source = textwrap.dedent(inspect.getsource(edit.function))
    count = source.count(edit.old)
    assert count == 1, f"{edit.function.__qualname__} has {edit.old!r} {count} times"
    return source


def _rewrite(patch: pytest.MonkeyPatch, edit: Edit) -> None:
    function, source = inspect.unwrap(edit.function), source_to_edit(edit)
    made: dict[str, Any] = {}
    text = "from __future__ import annotations\n" + source.replace(edit.old, edit.new)
    exec(compile(text, function.__code__.co_filename, "exec"), function.__globals__, made)
    edited = inspect.unwrap(made[function.__name__])  # the source begins with the decorator
    patch.setattr(function, "__code__", getattr(edited, "fget", edited).__code__)


def mutation(name: str, *edits: tuple[Callable[..., Any], str, str]) -> Mutation:
    return Mutation(name, tuple(Edit(*edit) for edit in edits))


def getter(owner: type, name: str) -> Callable[..., Any]:
    """Return the function of a property, to be edited."""
    found = vars(owner)[name].fget
    assert found is not None
    return found  # type: ignore[no-any-return]


_NO_STAKE = "np.zeros(KINDS, np.int64)"

# Shared by exact and simulation

DOUBLES = mutation(
    "doubles are paid once", (stakes._stakes_on, "kinds[DOUBLE], kinds[DOUBLE_UP]", f"{_NO_STAKE}, kinds[DOUBLE_UP]")
)
DOUBLES_UP = mutation(
    "Double-Ups are paid once", (stakes._stakes_on, "kinds[DOUBLE], kinds[DOUBLE_UP]", f"kinds[DOUBLE], {_NO_STAKE}")
)
SPLIT_TWICE = mutation("a split hand is staked twice", (stakes._stakes_on, "kinds[SPLIT])", "2 * kinds[SPLIT])"))
SPLIT_FREE = mutation("a split hand is not staked", (stakes._stakes_on, "kinds[SPLIT])", "0 * kinds[SPLIT])"))
COMPANION = mutation(
    "the companion is forgotten", (stakes._stakes_on, "[BET, COMPANION] if tables.has_companion else [BET]", "[BET]")
)
_EIGHTEEN_AS_NINETEEN = ("for cell in row]", "for cell in (*row[:18], row[19], *row[19:])]")
DEALER_TOTAL = mutation(
    "a settlement row is read for the wrong dealer total",
    (stakes.hand_payoffs, *_EIGHTEEN_AS_NINETEEN),
    (stakes.hand_payoffs_in_parts, *_EIGHTEEN_AS_NINETEEN),
)
EVEN_NATURAL = mutation(
    "naturals are paid even money",
    (stakes.hand_payoffs, "float(cell.net)", "min(float(cell.net), 1.0)"),
    (
        stakes.hand_payoffs_in_parts,
        "cell.net.numerator * (scale // cell.net.denominator)",
        "min(cell.net.numerator * (scale // cell.net.denominator), scale)",
    ),
)
PUSH_LOST = mutation(
    "pushes are lost",
    (stakes.hand_payoffs, "float(cell.net)", "float(cell.net or -1)"),
    (stakes.hand_payoffs_in_parts, "[[cell.net.numerator", "[[(cell.net or Fraction(-1)).numerator"),
)
SURRENDER = mutation(
    "surrender loses everything",
    (stakes.initial_stakes_payoff, "return sum(", "return Fraction(-1) if row is tables.surrender else sum("),
)
QUICK_PAY = mutation(
    "a 19 is cashed as a 20",
    (
        stakes.initial_stakes_payoff,
        "kinds = ",
        "row = tables.quick_pay[20] if row is tables.quick_pay[19] else row; kinds = ",
    ),
)
LAST_LINE = mutation(
    "the last fitting line is paid",
    (wager_terms.WagerTerms._resolve, "for number in self._lines():", "for number in reversed(self._lines()):"),
)
TAX_NOT_TAKEN = mutation(
    "the tax is not taken", (wager_payoffs.WagerPayoffs.taxed, "if number is None else", "if True else")
)
TAX_NOT_DUE = mutation("other upcards are taxed", (wager_terms.WagerTerms._tax, "if is_due and", "if not is_due and"))
FOR_ONE = mutation(
    "5 to 1 is paid as 5 for 1",
    (wager_payoffs.WagerPayoffs.paid, "self.stake * pays.odds", "self.stake * (pays.odds - 1)"),
)
FEWER_HANDS = mutation(
    "a pair becomes one hand too few",
    (split_limits.most_hands, "return tables.split_hands\n", "return max(tables.split_hands - 1, 2)\n"),
)
MASK = mutation(
    "the dealer's drawing mask is read for hard hands only",
    (dealer_multisets.finished, "draws[count][soft]", "draws[count][False]"),
    (program._dealer_hand, "mask[total][soft]", "mask[total][False]"),
)
INSURANCE = mutation(
    "insurance pays even money", (results.insurance_sample, "{pays: naturals", "{Fraction(1): naturals")
)

# Shared with the table

OTHER_DOUBLES = mutation("hard and soft doubles are confused", (actions._double, "[hand.soft]", "[not hand.soft]"))
ACES_HIT = mutation(
    "split aces may be hit", (actions._is_split_ace, "not tables.split_aces_play_on", "tables.split_aces_play_on")
)
SPLIT_ONCE = mutation("only one split is allowed", (actions._split, "hands >= tables.split_hands", "hands >= 2"))
DOUBLE_THREE = mutation("any number of cards may be doubled", (actions._double, "> tables.double_cards", "> 99"))
HIT_TWENTY_ONE = mutation("a 21 may be hit", (actions._hit, "hand.total >= 21", "hand.total >= 22"))
QUICK_PAY_OPEN = mutation(
    "Quick Pay is always open", (actions._quick_pay, "tables.quick_pay[hand.total] is None", "hand.total <= 17")
)
EVERY_21 = mutation("every 21 is a natural", (state.player_class, "if hand.natural:", "if hand.total == 21:"))
NO_CHARLIE = mutation("a charlie is ignored", (state.player_class, ">= tables.charlie", "> 99"))
SOFT_ACE = mutation("an ace with ten counts 1", (hands.add, "total <= 10", "total <= 9"))
SOFT_BUST = mutation("a soft 22 is alive", (hands.add, "total > 21 and soft", "total > 22 and soft"))
ANY_UPCARD = mutation(
    "lines pay with any upcard",
    (Line.can_pay, "upcard in self.upcards", "upcard"),
    (SideWager.live_lines, "upcard not in self.upcards", "not upcard"),
)
ONE_CARD_LESS = mutation(
    "the dealer's third card is not counted", (DealerHand.fits, "<= hand.cards <=", "<= max(hand.cards - 1, 2) <=")
)
ANY_WORD = mutation("one word of a hand is enough", (named_hands.NamedHand.fits, "all(", "any("))
GAP = mutation("a straight may have a gap", (named_hands._straight, "== len(cards) - 1", "<= len(cards)"))
TWO_SUITS = mutation("suited is two suits", (named_hands._suited, "== 1", "<= 2"))
OF_A_KIND = mutation("pairs need a third card", (named_hands._of_a_kind, ">= at_least", "> at_least"))
OTHER_RANK = mutation("a pair of aces is a pair of twos", (named_hands._pair_of, "== rank", "== rank + 1"))
OTHER_SUIT = mutation("matches are confused", (named_hands._matches, "== suited", "!= suited"))
OTHER_TOTALS = mutation(
    "hard and soft totals are confused",
    (hands.Totals.__contains__, "self.soft if soft else self.hard", "self.hard if soft else self.soft"),
)

# Only in the table

ONE_CENT = mutation(
    "a cent too much is paid", (money.net_win, "(Money, product // unit)", "(Money, product // unit + 1)")
)
ROUNDED_UP = mutation(
    "cents are rounded up", (money.net_win, "(Money, product // unit)", "(Money, -(-product // unit))")
)
NEEDS_IGNORED = mutation(
    "a wager is taken without the one it needs", (legal._refuse_sides, "and wager.needs and", "and False and")
)
MORE_THAN_MAIN = mutation(
    "a side wager may exceed the main wager", (legal._refuse_sum, "wager.at_most_main and", "False and")
)
NO_LIMITS = mutation("limits are ignored", (Limits.allows, "self.low <= stake <= self.high", "stake > 0"))
HALF_DOUBLE = mutation("doubles are for half", (player._add_stake, "stake + amount", "stake + amount // 2"))
STANDS_ON_16 = mutation("the dealer stands on 16", (table_dealer._draws, "total < 22", "total not in (16, 22)"))
INSURES_EVEN = mutation(
    "insurance is paid even money",
    (settling.insurance_result, "tables.insurance, tables.rounding", "1, tables.rounding"),
)
TABLE_LAST_LINE = mutation(
    "the last line is paid", (SideWager.live_lines, "in self.lines if", "in self.lines[::-1] if")
)

TWICE_INSURED = mutation(
    "insurance for the whole wager", (legal.insurance_choice, "net_win(main_wager(seat), share)", "main_wager(seat)")
)
IN_TWO_STEPS = mutation(
    "limits hold for each step",
    (legal._refuse_sum, "wager.limits.allows(already + stake)", "wager.limits.allows(stake)"),
)
DOUBLE_MORE = mutation(
    "a double for more", (legal._amounts, "hand.wagered), hand.wagered,", "hand.wagered), hand.wagered * 2,")
)
FIRST_SEATS = mutation(
    "the last seat's wagers stay", (settling._settle_sides, "if side.open:", "if side.open and seat.number < 3:")
)

#: Each with the sheets that it affects, the quickest first.
EVERY = [
    (DOUBLES, ["small", "classic", "double-up", "everything"]),
    (DOUBLES_UP, ["double-up", "everything"]),
    (SPLIT_TWICE, ["small", "classic", "face-up", "everything"]),
    (SPLIT_FREE, ["small", "match-up", "everything"]),
    (COMPANION, ["quick-pay", "everything"]),
    (DEALER_TOTAL, ["small", "classic", "face-up", "everything"]),
    (EVEN_NATURAL, ["small", "classic", "quick-pay", "everything"]),
    (PUSH_LOST, ["small", "classic", "everything"]),
    (SURRENDER, ["quick-pay", "everything"]),
    (QUICK_PAY, ["quick-pay", "everything"]),
    (LAST_LINE, ["small", "match-up", "face-up", "upcard-luck-21", "everything"]),
    (TAX_NOT_TAKEN, ["upcard-luck-21", "everything"]),
    (TAX_NOT_DUE, ["upcard-luck-21"]),
    (FOR_ONE, ["small", "double-up", "everything"]),
    (FEWER_HANDS, ["classic", "everything"]),
    (MASK, ["small", "classic", "double-up", "everything"]),
    (INSURANCE, ["classic", "everything"]),
    (OTHER_DOUBLES, ["face-up"]),
    (ACES_HIT, ["small", "classic", "everything"]),
    (SPLIT_ONCE, ["classic", "everything"]),
    (DOUBLE_THREE, ["small", "classic", "everything"]),
    (HIT_TWENTY_ONE, ["small", "classic", "everything"]),
    (QUICK_PAY_OPEN, ["everything"]),
    (EVERY_21, ["small", "classic", "everything"]),
    (NO_CHARLIE, ["everything"]),
    (SOFT_ACE, ["small", "classic", "everything"]),
    (SOFT_BUST, ["small", "classic", "everything"]),
    (ANY_UPCARD, ["upcard-luck-21"]),
    (ONE_CARD_LESS, ["double-up", "everything"]),
    (ANY_WORD, ["small", "upcard-luck-21", "face-up", "everything"]),
    (GAP, ["everything", "match-up", "face-up"]),
    (TWO_SUITS, ["small", "match-up", "everything"]),
    (OF_A_KIND, ["small", "face-up", "everything"]),
    (OTHER_RANK, ["small", "face-up"]),
    (OTHER_SUIT, ["match-up"]),
    (OTHER_TOTALS, ["upcard-luck-21"]),
    (ONE_CENT, ["small", "classic", "everything"]),
    (ROUNDED_UP, ["small"]),
    (NEEDS_IGNORED, ["upcard-luck-21", "everything"]),
    (MORE_THAN_MAIN, ["upcard-luck-21"]),
    (NO_LIMITS, ["small", "match-up"]),
    (HALF_DOUBLE, ["small", "classic", "everything"]),
    (STANDS_ON_16, ["small", "classic", "everything"]),
    (INSURES_EVEN, ["classic", "everything"]),
    (TABLE_LAST_LINE, ["small", "match-up", "everything"]),
    (TWICE_INSURED, ["small", "classic"]),
    (IN_TWO_STEPS, ["quick-pay"]),
    (DOUBLE_MORE, ["face-up"]),
    (FIRST_SEATS, ["double-up", "everything"]),
]

"""Deliberate mistakes between the words of a sheet and its tables: compiler, settlement, odds, money and pay lines."""

from __future__ import annotations

from holecard import hands, money, odds
from holecard.sheets import compile as compiling
from holecard.sheets import fields, inherit, settlement
from holecard.wagers import dealer_hands, named_hands
from tests.simulation.mutations import EVERYTHING, SMALL, Mutation, mutation

#: A sheet with the rules that no shipped sheet uses.
RARE = """
name    = "Rare"
extends = "classic"
[dealer]
ends_on = [16]
hole_card = "no peek"
natural_takes = "original"
[main]
min = "$2.50"
max = "$100"
step = "$2.50"
[player]
double = "hard 9-14, soft 16-18"
double_cards = "any number"
double_stake = "up to equal"
split_by = "rank"
split_aces = "again"
split_aces_get = "play on"
surrender = "early"
charlie = 6
[insurance]
most = "all"
pays = "5 to 2"
[settle]
natural = "1.5 to 1"
two_naturals = "win"
charlie = "3 to 2"
twenty_one = "wins"
when_dealer_has = { 22 = { 21 = "win", other = "push" }, 16 = { 21 = "win", other = "push" } }
rounding = "nearest"
[[wager]]
name = "Box"
stake = "token"
needs = "Front"
tax_upcard = "2-7"
min = "$1"
max = "$1"
tax = [{ hand = "suited natural", tax = "$2.50" }, { hand = "18-20", tax = "$1" }]
lines = [{ hand = "natural", dealer = "busts in 5+ cards", pays = "$1,050" }]
[[wager]]
name = "Front"
on = "two cards and upcard"
max = "$25"
step = "$1.50"
table_from = "house"
table = "by decks"
[wager.tables]
6 = [
  { hand = "suited trips", pays = "90 to 1" },
  { hand = "one color 21", pays = "9 to 1" },
  { hand = "hard 9-11", pays = "2 to 1" },
]
8 = [{ hand = "suited trips", pays = "80 to 1" }]
"""
#: Late wagers need a dealer who looks at the hole card.
LATE = """
name    = "Late"
extends = "classic"
[settle]
natural_v_21 = "tie"
[[wager]]
name = "Late"
placed = "until the hole card is turned"
settled = "end of round"
upcard = "2-7, A"
at_most = "the main wager"
lines = [{ dealer = "busts in 4+ cards", pays = { "2-6" = "3 to 1", "7" = "4 to 1", A = "9 to 1" } }]
"""
NO_NATURAL = """
name = "No natural"
extends = "classic"
[[wager]]
name = "No"
lines = [{ dealer = "no natural", pays = "1 to 9" }]
"""
CHILD = """
name = "Child"
extends = "match-up"
[[wager]]
name = "Match Up"
max = "$5"
"""
GRANDCHILD = """
name = "Grandchild"
extends = "quick-pay"
[settle]
natural = "3 to 2"
"""
LETTER = """
name = "To the letter"
extends = "face-up"
[dealer]
soft = "draw 16 to hard 17"
"""
SHEETS = {
    "letter": LETTER,
    "late": LATE,
    "rare": RARE,
    "small": SMALL,
    "everything": EVERYTHING,
    "no natural": NO_NATURAL,
    "child": CHILD,
    "grandchild": GRANDCHILD,
}

#: Each with a sheet that it affects.
COMPILER: list[tuple[Mutation, str]] = [
    (
        mutation("ties win", (settlement._compare, "_OUTCOMES[ties]", "WIN if kind == 0 else _OUTCOMES[ties]")),
        "classic",
    ),
    (mutation("ties are lost", (settlement._compare, "_OUTCOMES[ties]", "LOSE")), "classic"),
    (mutation("double-up ties push", (settlement._compare, "settle.double_up_ties if", "settle.ties if")), "double-up"),
    (
        mutation(
            "two naturals pay 3 to 2",
            (settlement._two_naturals, 'if outcome == "win" else', 'if outcome == "push" else'),
        ),
        "classic",
    ),
    (
        mutation(
            "the companion loses to two naturals", (settlement._two_naturals, "odds(companion.two_naturals)", "LOSE")
        ),
        "quick-pay",
    ),
    (
        mutation(
            "a natural pays 1 to 1",
            (settlement._natural, 'return odds(sheet.settle.natural), "natural"', 'return WIN, "natural"'),
        ),
        "classic",
    ),
    (mutation("a natural beats a drawn 21", (settlement._natural, "dealer == 21", "dealer == 22")), "late"),
    (
        mutation("added wagers are lost to a natural", (settlement._against_natural, '== "original"', '== "some"')),
        "rare",
    ),
    (
        mutation(
            "the companion is lost to a natural",
            (settlement._against_natural, "odds(companion.dealer_natural)", "LOSE"),
        ),
        "quick-pay",
    ),
    (mutation("surrender is free", (settlement.surrendered, "odds(terms)", "PUSH")), "everything"),
    (
        mutation("the companion is paid for Quick Pay", (settlement.quick_paid, "terms = companion.quick_pay", "pass")),
        "quick-pay",
    ),
    (mutation("a charlie pays 1 to 1", (settlement._decide, "odds(sheet.settle.charlie)", "WIN")), "rare"),
    (mutation("22 does not push", (settlement._decide, ".get(str(dealer))", ".get(str(min(dealer, 21)))")), "rare"),
    (
        mutation("21 does not win against 16", (settlement._ruled_by_dealers_total, "player == 21", "player == 20")),
        "rare",
    ),
    (mutation("21 is compared", (settlement._decide, '== "wins"', '== "won"')), "rare"),
    (mutation("the dealer stands on 16", (compiling.dealer_draws, "total < 17", "total < 16")), "classic"),
    (
        mutation(
            "a drawn soft 18 stands",
            (compiling.dealer_draws, "DealerDraws(mask(()), to_hard_17,", "DealerDraws(mask(()), _NO_TOTALS,"),
        ),
        "letter",
    ),
    (mutation("the dealer stands on soft 17", (compiling.dealer_draws, '== "hit" else', '== "stand" else')), "classic"),
    (
        mutation(
            "the dealer's hand does not end",
            (compiling.dealer_draws, "and total not in dealer.ends_on", ""),
        ),
        "double-up",
    ),
    (
        mutation("insurance pays 1 to 1", (compiling.compile_sheet, "odds(sheet.insurance.pays)", "Fraction(1)")),
        "classic",
    ),
    (
        mutation("insurance is for the whole wager", (compiling.compile_sheet, '== "half" else', '== "all" else')),
        "classic",
    ),
    (mutation("chips of insurance", (compiling.insurance_step, "gcd(", "max(")), "rare"),
    (
        mutation("one hand less", (compiling.compile_sheet, "=player.split_hands,", "=player.split_hands - 1,")),
        "classic",
    ),
    (mutation("tens of all ranks pair", (compiling.compile_sheet, 'player.split_by == "value"', "True")), "rare"),
    (mutation("split aces stop", (compiling.compile_sheet, '== "play on"', '== "one card"')), "classic"),
    (
        mutation("doubles after splits are refused", (compiling.compile_sheet, "=player.double_after_split", "=False")),
        "classic",
    ),
    (mutation("doubles of three cards", (compiling.compile_sheet, '== "first two"', '== "any number"')), "classic"),
    (mutation("no double for less", (compiling.compile_sheet, '== "up to equal"', '== "equal"')), "rare"),
    (
        mutation(
            "no early surrender under tens",
            (compiling.compile_sheet, "NATURAL_UPCARDS if player", "frozenset({1}) if player"),
        ),
        "rare",
    ),
    (
        mutation(
            "a peek under aces only", (compiling._peeks_under, '{"peek": NATURAL_UPCARDS', '{"peek": frozenset({1})')
        ),
        "classic",
    ),
    (mutation("a natural does not wait", (compiling._is_constant, "== 1 for", ">= 1 for")), "late"),
    (
        mutation(
            "20 may not be doubled",
            (compiling._mask, "(t, False) in allowed and t <= highest", "(t, False) in allowed and t < highest"),
        ),
        "classic",
    ),
    (
        mutation(
            "players' cards are dealt face up", (compiling.compile_sheet, "sheet.shoe.decks in sheet", "0 in sheet")
        ),
        "lone-deck",
    ),
    (
        mutation(
            "the table of another deck",
            (compiling.table_in_force, "decks = str(sheet.shoe.decks)", "decks = str(sheet.shoe.decks + 2)"),
        ),
        "rare",
    ),
    (
        mutation(
            "the table of the other soft 17",
            (compiling.table_in_force, "own if own in wager.tables else decks", "f'{decks} S17'"),
        ),
        "quick-pay",
    ),
    (mutation("the needed wager is forgotten", (compiling.compile_wager, "needs=wager.needs", "needs=None")), "rare"),
    (
        mutation(
            "the largest wager is the smallest", (compiling.compile_wager, "money(wager.max)", "money(wager.min)")
        ),
        "rare",
    ),
    (mutation("the main wager does not limit it", (compiling.compile_wager, '== "the main wager"', '== "it"')), "late"),
    (mutation("a token is lost", (compiling.compile_wager, '== "token"', '== "wager"')), "rare"),
    (
        mutation(
            "other upcards are taxed", (compiling.compile_wager, "upcards(wager.tax_upcard)", "upcards(wager.upcard)")
        ),
        "rare",
    ),
    (mutation("wins with every upcard", (compiling.compile_wager, "upcards(wager.upcard)", 'upcards("any")')), "late"),
    (mutation("settled too early", (compiling.compile_wager, '== "end of round"', '== "end"')), "late"),
    (mutation("a house table is called printed", (compiling.compile_wager, '== "printed"', '!= ""')), "rare"),
    (
        mutation(
            "the tax is a tenth", (compiling.compile_wager, "fixed=money(line.tax)", "fixed=money(line.tax) // 10")
        ),
        "rare",
    ),
    (
        mutation(
            "the last line is left out",
            (compiling.compile_wager, "in pay_lines(wager, sheet)", "in pay_lines(wager, sheet)[:-1]"),
        ),
        "rare",
    ),
    (
        mutation(
            "odds of the lowest upcard",
            (compiling._lines, "payout(pays), hand", "payout(next(iter(words.pays.values()))), hand"),
        ),
        "late",
    ),
    (
        mutation(
            "odds to one more",
            (odds.odds, "Fraction(match[1]) / int(match[2])", "Fraction(match[1]) / (int(match[2]) + 1)"),
        ),
        "classic",
    ),
    (mutation("decimals are dropped", (odds.odds, "Fraction(match[1])", "Fraction(int(float(match[1])))")), "rare"),
    (mutation("cents are dropped", (money._read, '(match[3] or "")', '""')), "rare"),
    (
        mutation("thousands are dropped", (money._read, 'match[2].replace(",", "")', 'match[2].partition(",")[0]')),
        "rare",
    ),
    (mutation("the last upcard is left out", (fields.upcards, "last + 1", "last + (last == first)")), "late"),
    (
        mutation(
            "the last total is left out",
            (hands.totals, "soft.update(range(low, high + 1))", "soft.update(range(low, high))"),
        ),
        "rare",
    ),
    (mutation("hard means soft, too", (hands.totals, 'kind != "hard"', "True")), "rare"),
    (mutation("5+ cards are 5", (dealer_hands._card_range, "_MOST_CARDS if", "fewest if")), "late"),
    (mutation("a bust is 22", (dealer_hands._ending, "return _BUSTS", "return (22, 22)")), "late"),
    (
        mutation(
            "no natural is a natural", (dealer_hands.dealer_hand, 'not match["ending"].startswith("no ")', "True")
        ),
        "no natural",
    ),
    (mutation("the first word counts", (named_hands._words, "return tuple(words)", "return tuple(words[:1])")), "rare"),
    (
        mutation("a wager keeps what it had", (inherit._changed, "overlay(", "(lambda old, new: overlay(new, old))(")),
        "child",
    ),
    (mutation("sections are replaced", (inherit.overlay, "overlay(old, value)", "value")), "grandchild"),
]

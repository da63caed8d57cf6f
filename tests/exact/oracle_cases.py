"""Games and small shoes for the slow oracle: every sheet, unusual rules, and random rules."""

from __future__ import annotations

import random
from typing import Any, TypeAlias

from holecard.errors import SheetError
from holecard.sheets.catalog import games
from holecard.sheets.read import rules
from holecard.sheets.schema import RuleSheet

EVERY_SHEET = games(examples=True)

Case: TypeAlias = tuple[str, dict[str, Any], str]

CORNERS: dict[str, Case] = {
    "soft 17 stands": ("classic", {"soft_17": "stand"}, "naturals"),
    "every soft total is hit": ("classic", {"dealer.soft": "hit all"}, "naturals"),
    "every soft total is hit, no hole card": ("classic", {"dealer.soft": "hit all", "hole_card": "none"}, "rich"),
    "every soft total is hit, face up": ("face-up", {"dealer.soft": "hit all"}, "naturals"),
    "every soft total is hit, ends on 16": ("double-up", {"dealer.soft": "hit all", "split_hands": 2}, "naturals"),
    "16 is drawn to hard 17": ("classic", {"dealer.soft": "draw 16 to hard 17"}, "naturals"),
    "16 is drawn to hard 17, no hole card": (
        "classic",
        {"dealer.soft": "draw 16 to hard 17", "hole_card": "none"},
        "rich",
    ),
    "16 is drawn to hard 17, face up": ("face-up", {"dealer.soft": "draw 16 to hard 17"}, "naturals"),
    "16 is drawn to hard 17, ends on 12": (
        "classic",
        {"dealer.soft": "draw 16 to hard 17", "ends_on": [12]},
        "naturals",
    ),
    "soft 17 is drawn to hard 17": ("classic", {"dealer.soft": "draw soft 17 to hard 17"}, "naturals"),
    "soft 17 is drawn to hard 17, no hole card": (
        "classic",
        {"dealer.soft": "draw soft 17 to hard 17", "hole_card": "none"},
        "rich",
    ),
    "soft 17 is drawn to hard 17, face up": ("face-up", {"dealer.soft": "draw soft 17 to hard 17"}, "naturals"),
    "soft 17 is drawn to hard 17, ends on 16": (
        "double-up",
        {"dealer.soft": "draw soft 17 to hard 17", "split_hands": 2},
        "naturals",
    ),
    "ends on 14": ("classic", {"ends_on": [14]}, "pairs"),
    "ends on 15 and 16": ("classic", {"ends_on": [15, 16], "soft_17": "stand"}, "rich"),
    "ends on anything": ("classic", {"ends_on": [12, 13, 14, 15, 16]}, "pairs"),
    "ends on 16, nobody looks": ("double-up", {"hole_card": "no peek", "natural_takes": "all"}, "pairs"),
    # The hole card
    "no hole card": ("classic", {"hole_card": "none"}, "naturals"),
    "no hole card, original": ("classic", {"hole_card": "none", "natural_takes": "original"}, "naturals"),
    "no peek": ("classic", {"hole_card": "no peek"}, "pairs"),
    "no peek, original": ("classic", {"hole_card": "no peek", "natural_takes": "original"}, "pairs"),
    "peek under aces": ("classic", {"hole_card": "peek under aces"}, "naturals"),
    "peek under aces, original": (
        "classic",
        {"hole_card": "peek under aces", "natural_takes": "original", "split_aces": "again"},
        "naturals",
    ),
    "face up": ("classic", {"hole_card": "face up", "insurance.pays": "none"}, "naturals"),
    "face up, surrender": (
        "classic",
        {"hole_card": "face up", "insurance.pays": "none", "player.surrender": "late"},
        "pairs",
    ),
    # Surrender
    "late surrender": ("classic", {"player.surrender": "late"}, "pairs"),
    "late surrender, ties lose": ("classic", {"player.surrender": "late", "ties": "lose"}, "pairs"),
    "early surrender": ("classic", {"player.surrender": "early"}, "pairs"),
    "early surrender, naturals": ("classic", {"player.surrender": "early"}, "naturals"),
    "early surrender, no hole card": ("classic", {"player.surrender": "early", "hole_card": "none"}, "pairs"),
    "early surrender, no peek, original": (
        "classic",
        {"player.surrender": "early", "hole_card": "no peek", "natural_takes": "original"},
        "naturals",
    ),
    "early surrender, peek under aces": (
        "classic",
        {"player.surrender": "early", "hole_card": "peek under aces"},
        "naturals",
    ),
    # Splits
    "no splits": ("classic", {"split_hands": 1}, "pairs"),
    "two hands": ("classic", {"split_hands": 2}, "pairs"),
    "three hands": ("classic", {"split_hands": 3}, "pairs"),
    "five hands": ("classic", {"split_hands": 5}, "many"),
    "eight hands": ("classic", {"split_hands": 8}, "many"),
    "eight hands of aces": (
        "classic",
        {"split_hands": 8, "split_aces": "again", "split_aces_get": "play on"},
        "aces",
    ),
    "aces again": ("classic", {"split_aces": "again"}, "naturals"),
    "aces play on": ("classic", {"split_aces_get": "play on"}, "naturals"),
    "aces again, play on": ("classic", {"split_aces": "again", "split_aces_get": "play on"}, "naturals"),
    "aces never": ("classic", {"split_aces": "never"}, "naturals"),
    "by rank, two hands": ("classic", {"split_by": "rank", "split_hands": 2}, "courts"),
    "by rank, tens of one rank": ("classic", {"split_by": "rank", "split_hands": 2}, "rich"),
    "by rank, no hole card": ("classic", {"split_by": "rank", "split_hands": 2, "hole_card": "none"}, "courts"),
    # Doubles
    "no doubles": ("classic", {"double": "none"}, "pairs"),
    "doubles on hard 9-11": ("classic", {"double": "hard 9-11"}, "naturals"),
    "doubles on soft hands": ("classic", {"double": "soft 13-18, 10-11"}, "naturals"),
    "no double after a split": ("classic", {"double_after_split": False}, "pairs"),
    "doubles at any time": ("classic", {"double_cards": "any number", "split_hands": 2}, "long"),
    "doubles at any time, not after a split": (
        "classic",
        {"double_cards": "any number", "double_after_split": False, "split_hands": 2},
        "long",
    ),
    "doubles for less": ("classic", {"double_stake": "up to equal"}, "pairs"),
    # Double-Up
    "double-up, no peek": ("classic", {"double_up": "any", "hole_card": "no peek"}, "naturals"),
    "double-up, no hole card, original": (
        "classic",
        {"double_up": "any", "hole_card": "none", "natural_takes": "original", "split_aces": "again"},
        "naturals",
    ),
    "double-up only before a split": ("double-up", {"double_up_after_split": False}, "pairs"),
    "double-up on some totals": ("double-up", {"double_up": "hard 15-20, soft 18"}, "naturals"),
    "double-up ties push": ("double-up", {"double_up_ties": "push"}, "pairs"),
    "double-up, aces play on": ("double-up", {"split_aces_get": "play on"}, "naturals"),
    "double-up, 6 to 5": ("double-up", {"settle.natural": "6 to 5"}, "naturals"),
    # Charlies
    "four-card charlie": ("classic", {"player.charlie": 4, "split_hands": 2}, "long"),
    "three-card charlie": ("classic", {"player.charlie": 3}, "pairs"),
    "charlie pays double, no hole card": (
        "classic",
        {"player.charlie": 3, "settle.charlie": "2 to 1", "hole_card": "none"},
        "pairs",
    ),
    "charlie, original, no peek": (
        "classic",
        {"player.charlie": 3, "hole_card": "no peek", "natural_takes": "original"},
        "naturals",
    ),
    # Payoffs
    "naturals tie 21": ("classic", {"natural_v_21": "tie"}, "naturals"),
    "naturals tie 21, ties lose": ("classic", {"natural_v_21": "tie", "ties": "lose"}, "naturals"),
    "two naturals win": ("classic", {"two_naturals": "win"}, "naturals"),
    "two naturals lose": ("classic", {"two_naturals": "lose"}, "naturals"),
    "odd odds": ("classic", {"settle.natural": "7 to 3"}, "naturals"),
    "fine odds": ("classic", {"settle.natural": "1.3333 to 1", "split_hands": 2}, "naturals"),
    "fine odds, face up": ("face-up", {"settle.natural": "1.0101 to 1"}, "naturals"),
    "fine odds of a charlie": (
        "classic",
        {"player.charlie": 3, "settle.charlie": "7 to 9999", "settle.natural": "18 to 13", "split_hands": 2},
        "pairs",
    ),
    "21 wins": ("classic", {"twenty_one": "wins"}, "pairs"),
    "21 wins, face up": ("face-up", {"twenty_one": "wins"}, "pairs"),
    "ties win": ("classic", {"ties": "win"}, "pairs"),
    "22 pushes": ("classic", {"when_dealer_has": {"22": "push"}}, "pairs"),
    "22 beats all, 18 pushes all but 21": (
        "classic",
        {"when_dealer_has": {"22": "lose", "18": {"21": "win", "other": "push"}}},
        "pairs",
    ),
    # Two wagers
    "quick pay with one wager": ("quick-pay", {"main.companion": "none"}, "pairs"),
    "quick pay of many totals": (
        "quick-pay",
        {"player.quick_pay": {"15": "1 to 7", "17": "push", "20": "2 to 1"}},
        "pairs",
    ),
    "fine odds of many kinds": (
        "quick-pay",
        {
            "player.quick_pay": {"18": "1 to 7", "19": "5 to 13", "20": "99 to 100"},
            "settle.natural": "11 to 9",
            "main.companion.natural": "1 to 11",
        },
        "pairs",
    ),
    "a companion with its own odds": (
        "quick-pay",
        {
            "main.companion.natural": "1 to 2",
            "main.companion.dealer_natural": "lose",
            "main.companion.two_naturals": "3 to 1",
            "main.companion.surrender": "lose half",
            "main.companion.quick_pay": "1 to 3",
        },
        "naturals",
    ),
    "a companion without a look": (
        "quick-pay",
        {
            "player.surrender": "none",
            "player.quick_pay": {},
            "hole_card": "none",
            "main.companion.dealer_natural": "push",
            "wager": [],
        },
        "naturals",
    ),
    "a companion without a look, original": (
        "quick-pay",
        {
            "player.surrender": "early",
            "player.quick_pay": {},
            "hole_card": "no peek",
            "natural_takes": "original",
            "main.companion.dealer_natural": "lose half",
            "wager": [],
        },
        "pairs",
    ),
    "Face Up, two naturals push, soft 17 stands": (
        "face-up",
        {"two_naturals": "push", "soft_17": "stand"},
        "naturals",
    ),
    "Face Up, naturals tie 21": ("face-up", {"natural_v_21": "tie", "settle.natural": "3 to 2"}, "naturals"),
}
LONG_CORNERS: dict[str, Case] = {
    "four hands, soft": ("classic", {}, "soft"),
    "every soft total is hit, soft": ("classic", {"dealer.soft": "hit all", "split_hands": 2}, "soft"),
    "16 is drawn to hard 17, soft": ("classic", {"dealer.soft": "draw 16 to hard 17", "split_hands": 2}, "soft"),
    "soft 17 is drawn to hard 17, soft": (
        "classic",
        {"dealer.soft": "draw soft 17 to hard 17", "split_hands": 2},
        "soft",
    ),
    "by rank, four hands": ("classic", {"split_by": "rank"}, "courts"),
    "doubles at any time, long": ("classic", {"double_cards": "any number"}, "long"),
    "five-card charlie, long": ("classic", {"player.charlie": 5}, "long"),
    "three hands, ends on 16": ("double-up", {"split_hands": 3}, "sixteens"),
}

#: Settings for random rules, so that combinations are tested that no one chose.
WORDS: dict[str, list[Any]] = {
    "dealer.soft_17": ["hit", "stand"],
    "dealer.soft": ["stand on 18", "stand on 18", "hit all", "draw 16 to hard 17", "draw soft 17 to hard 17"],
    "dealer.ends_on": [[], [], [], [16], [12, 15], [13, 14]],
    "dealer.hole_card": ["peek", "peek", "peek under aces", "no peek", "face up", "none"],
    "dealer.natural_takes": ["all", "original"],
    "player.double": ["any", "any", "none", "hard 9-11", "soft 12-19, 10-11"],
    "player.double_cards": ["first two", "any number"],
    "player.double_after_split": [True, False],
    "player.split_hands": [1, 2, 2, 3, 4],
    "player.split_by": ["value", "rank"],
    "player.split_aces": ["once", "again", "never"],
    "player.split_aces_get": ["one card", "play on"],
    "player.double_up": ["none", "none", "any", "hard 12-20"],
    "player.double_up_after_split": [True, False],
    "player.surrender": ["none", "late", "early"],
    "player.quick_pay": [{}, {}, {"18": "push", "20": "1 to 1"}, {"16": "lose half"}],
    "player.charlie": [None, None, 3, 4, 5],
    "insurance.pays": ["none"],
    "settle.natural": ["3 to 2", "6 to 5", "1 to 1"],
    "settle.two_naturals": ["push", "win", "lose"],
    "settle.natural_v_21": ["win", "tie"],
    "settle.ties": ["push", "push", "lose", "win"],
    "settle.double_up_ties": ["lose", "push", "win"],
    "settle.twenty_one": ["compare", "compare", "wins"],
    "settle.charlie": ["1 to 1", "2 to 1"],
    "settle.surrender": ["lose half", "push"],
    "settle.when_dealer_has": [{}, {}, {"22": "push"}, {"17": "push"}, {"18": {"21": "win", "other": "lose"}}],
    "main.companion": [None, None, {"name": "Second"}, {"name": "Second", "dealer_natural": "lose half"}],
}


def kept_cases() -> dict[str, tuple[RuleSheet, str]]:
    """Return the games whose results are kept as data, by name, each with its shoe."""
    found = {f"{name}, {shoe}": (rules(name), shoe) for name in EVERY_SHEET for shoe in ("pairs", "naturals")}
    return found | {name: (rules(sheet, settings), shoe) for name, (sheet, settings, shoe) in CORNERS.items()}


def rules_at_random(seed: int) -> tuple[RuleSheet, str]:
    """Draw random rules until they form a valid sheet, and a shoe for it."""
    dice = random.Random(seed)
    while True:
        settings = {word: dice.choice(choices) for word, choices in WORDS.items()}
        try:
            game = rules("classic", settings)
        except SheetError:
            continue
        shoe = dice.choice(["pairs", "naturals", "courts"])
        return (two_hands(game) if shoe == "courts" else game), shoe


def two_hands(game: RuleSheet) -> RuleSheet:
    """Return the game with at most two hands after a split."""
    return game if game.player.split_hands <= 2 else rules(game, {"split_hands": 2})

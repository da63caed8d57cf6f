"""Sheets whose words are read back: every shipped sheet, every switch of every ruling, and settings drawn at random."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

from holecard.errors import SheetError
from holecard.sheets.catalog import games
from holecard.sheets.descriptions.describe import settings_of_switch
from holecard.sheets.override import parse_setting
from holecard.sheets.read import rules
from holecard.sheets.schema import RuleSheet
from tests.selection import quick_where

EVERY_SHEET = games(examples=True)
AT_RANDOM = 300

#: Values that random settings take; each drawn sheet sets a few of them. A value may be refused for a sheet.
SETTINGS: dict[str, list[Any]] = {
    "shoe.decks": [1, 2, 3, 6, 8, 16],
    "shoe.procedure": ["cut card", "fresh each round", "continuous shuffler"],
    "shoe.cut_card": [50, 90],
    "shoe.burn": [0, 1, 3],
    "shoe.decks_offered": [[], [8, 1], [6, 6], [1]],
    "shoe.face_down_with": [[], [1, 2], [6, 8]],
    "table.seats": [1, 2, 5, 7],
    "table.bonuses_from": ["left", "right"],
    "dealer.soft_17": ["hit", "stand"],
    "dealer.soft": ["stand on 18", "hit all", "draw 16 to hard 17", "draw soft 17 to hard 17"],
    "dealer.ends_on": [[], [16], [12, 15], [13, 14], [16, 16]],
    "dealer.hole_card": ["peek", "peek under aces", "no peek", "face up", "none"],
    "dealer.natural_takes": ["all", "original"],
    "main.name": ["Bet", "Ante"],
    "main.min": ["$2", "$7.50", "$10"],
    "main.max": ["$10", "$250", "$1,000"],
    "main.step": ["$0.50", "$1", "$2"],
    "main.companion": ["none", {"name": "Second"}],
    "main.companion.natural": ["push", "6 to 5"],
    "main.companion.dealer_natural": ["push", "lose half", "lose"],
    "main.companion.two_naturals": ["push", "1 to 1", "lose"],
    "main.companion.surrender": ["push", "lose"],
    "main.companion.quick_pay": ["push", "1 to 4"],
    "player.double": ["any", "none", "hard 9-11", "10-11", "soft 12-19, 10-11"],
    "player.double_cards": ["first two", "any number"],
    "player.double_after_split": [True, False],
    "player.double_stake": ["equal", "up to equal"],
    "player.split_hands": [1, 2, 3, 4, 8],
    "player.split_by": ["value", "rank"],
    "player.split_aces": ["once", "again", "never"],
    "player.split_aces_get": ["one card", "play on"],
    "player.double_up": ["none", "any", "hard 12-20", "17-21"],
    "player.double_up_after_split": [True, False],
    "player.surrender": ["none", "late", "early"],
    "player.quick_pay": [{}, {"18": "push", "20": "1 to 1"}, {"16": "lose half"}, {"12": "lose", "19": "3 to 4"}],
    "player.charlie": [3, 5, 7],
    "insurance.pays": ["none", "2 to 1", "5 to 2"],
    "insurance.min": ["$0.50", "$1", "$3"],
    "insurance.most": ["half", "all"],
    "settle.natural": ["3 to 2", "6 to 5", "1 to 1", "2 to 1", "1.23457 to 1", "100000 to 1"],
    "settle.two_naturals": ["push", "win", "lose"],
    "settle.natural_v_21": ["win", "tie"],
    "settle.ties": ["push", "lose", "win"],
    "settle.double_up_ties": ["lose", "push", "win"],
    "settle.twenty_one": ["compare", "wins"],
    "settle.charlie": ["1 to 1", "2 to 1", "3 to 2"],
    "settle.surrender": ["lose half", "push", "lose"],
    "settle.when_dealer_has": [
        {},
        {"22": "push"},
        {"17": "push"},
        {"22": "lose", "18": "push"},
        {"18": {"21": "win", "other": "lose"}},
        {"22": {"21": "win", "other": "push"}},
        {"21": "win"},
    ],
    "settle.rounding": ["down", "nearest", "up"],
}
#: Side wagers that random sheets add, each with values to draw from.
WAGER: dict[str, list[Any]] = {
    "on": ["two cards", "two cards and upcard", "all four cards"],
    "placed": ["before the deal", "before the deal", "after the check", "until the hole card is turned"],
    "settled": ["when decided", "end of round"],
    "upcard": ["any", "any", "2-7", "A", "2-6, T", "7-9"],
    "min": ["$1", "$2.50", "$5"],
    "max": ["$5", "$100"],
    "step": ["$0.50", "$1", "$2.50"],
    "at_most": ["the maximum", "the main wager"],
    "table_from": ["printed", "house"],
    "lines": [
        [{"hand": "suited pair", "pays": "25 to 1"}, {"hand": "pair", "pays": "6 to 1"}],
        [{"name": "the best", "hand": "suited natural", "pays": "5 to 2"}, {"hand": "hard 9-11", "pays": "push"}],
        [{"dealer": "busts in 5+ cards", "pays": "9 to 1"}, {"dealer": "busts", "pays": "1 to 2"}],
        [{"hand": "pair", "dealer": "17-21", "pays": "7 to 1"}],
        [{"dealer": "18", "pays": {"2-6": "7 to 1", "A, T": "13 to 2"}}, {"dealer": "19", "pays": "5 to 1"}],
        [{"dealer": "busts", "pays": {"2-3": "1 to 1", "4-6": "3 to 4"}}],
        [{"hand": "suited", "pays": "$40"}, {"dealer": "busts", "pays": "lose half"}],
    ],
}
_TOKEN: dict[str, Any] = {
    "name": "Box",
    "stake": "token",
    "min": "$1",
    "max": "$1",
}
_TAX = [{"hand": "natural", "tax": "$2"}, {"hand": "18-20", "tax": "$1.50"}]
_TOKEN_LINES: list[list[dict[str, Any]]] = [
    [{"hand": "suited natural", "dealer": "busts", "pays": "$50"}],
    [{"hand": "natural", "dealer": "busts", "pays": "50 to 1"}],
    [{"hand": "natural", "dealer": "busts", "pays": {"2-4": "100 to 1", "5-6": "80 to 1"}}],
]


_BY_RULES: dict[str, Any] = {
    "name": "By Rules",
    "table": "by decks and soft 17",
    "tables": {
        "6": [{"dealer": "18", "pays": "5 to 1"}],
        "8 S17": [{"dealer": "18", "pays": {"2-6": "6 to 1", "A, T": "7 to 1"}}, {"dealer": "19", "pays": "push"}],
    },
}
_LATE: dict[str, Any] = {"name": "Late", "placed": "after the check", "lines": [{"dealer": "busts", "pays": "2 to 1"}]}
_SECOND: dict[str, Any] = {"main.companion": {"name": "Second", "surrender": "lose half"}}
_LATE_NATURAL: dict[str, Any] = {"insurance.pays": "none", "dealer.hole_card": "none", "player.surrender": "early"}
#: Settings that matter, or are said in other words, only together with others; `make test` reads each of them.
TOGETHER: dict[str, tuple[str, dict[str, Any]]] = {
    "surrender with both cards up": ("face-up", {"player.surrender": "late"}),
    "a second wager and a late natural": ("classic", {**_SECOND, **_LATE_NATURAL}),
    "a second wager that a late natural takes": (
        "classic",
        {**_SECOND, **_LATE_NATURAL, "main.companion.dealer_natural": "lose"},
    ),
    "surrender before a check under aces": (
        "classic",
        {"dealer.hole_card": "peek under aces", "player.surrender": "early", "player.charlie": 5},
    ),
    "a 21 that wins, and ties that do not": (
        "double-up",
        {
            "settle.twenty_one": "wins",
            "settle.ties": "lose",
            "settle.two_naturals": "lose",
            "player.charlie": 7,
            "dealer.ends_on": [],
            "settle.when_dealer_has": {},
        },
    ),
    "ties with a total that decides": (
        "double-up",
        {"settle.ties": "lose", "settle.two_naturals": "lose", "settle.double_up_ties": "push", "player.charlie": 7},
    ),
    "two hands at most": ("classic", {"player.split_hands": 2, "player.split_aces": "again"}),
    "aces never split, and Double-Up": ("double-up", {"player.split_aces": "never", "player.double_up": "17-21"}),
    "no even money": ("classic", {"settle.natural": "6 to 5", "shoe.burn": 1}),
    "even money": ("classic", {"settle.natural": "2 to 1", "insurance.pays": "1 to 1", "insurance.most": "all"}),
    "a shoe without a cut card": (
        "upcard-luck-21",
        {"shoe.procedure": "fresh each round", "shoe.decks_offered": [8, 1, 2], "settle.rounding": "up"},
    ),
    "totals that end the hand": ("classic", {"dealer.ends_on": [15, 12], "player.double_stake": "up to equal"}),
    "tables by the rules": (
        "classic",
        {"shoe.decks": 8, "dealer.soft_17": "stand", "wager": [_BY_RULES, _BY_RULES | {"name": "One", "table": "6"}]},
    ),
    "wagers that an upcard decides": (
        "classic",
        {
            "wager": [
                {"name": "Low", "upcard": "2-6", "at_most": "the main wager", "lines": WAGER["lines"][0]},
                {"name": "Low at the End", "upcard": "2-6", "settled": "end of round", "lines": WAGER["lines"][1]},
                _LATE,
                {**_LATE, "name": "Later", "placed": "until the hole card is turned", "lines": WAGER["lines"][4]},
                _TOKEN | {"upcard": "T", "lines": _TOKEN_LINES[0], "tax": _TAX, "tax_upcard": "2-4"},
            ]
        },
    ),
}


def _switches() -> list[tuple[str, str]]:
    """Return every sheet with each other reading that its rulings name, as written after --set."""
    return [(game, switch) for game in EVERY_SHEET for ruling in rules(game).ruling for switch in ruling.switches]


#: What each sheet to read is called.
NAMES = [
    *EVERY_SHEET,
    *(f"{game} --set {switch}" for game, switch in _switches()),
    *TOGETHER,
    *(f"random {seed}" for seed in range(AT_RANDOM)),
]
#: The same for `parametrize`; `make test` reads one in twelve of the random ones.
CASES = quick_where(NAMES, lambda name: not name.startswith("random ") or int(name.split()[1]) % 12 == 0)


@cache
def sheet_named(name: str) -> RuleSheet:
    """Return a sheet to read by its name."""
    if name in TOGETHER:
        return rules(*TOGETHER[name])
    game, _, switch = name.partition(" --set ")
    if switch:
        return rules(game, dict(map(parse_setting, settings_of_switch(switch))))
    return at_random(int(name.removeprefix("random "))) if name.startswith("random ") else rules(name)


def at_random(seed: int) -> RuleSheet:
    """Return a shipped sheet with a few settings, some with new side wagers, drawn until they can be dealt."""
    dice = random.Random(seed)
    while True:
        game = rules(dice.choice(EVERY_SHEET))
        settings = {name: dice.choice(SETTINGS[name]) for name in dice.sample(sorted(SETTINGS), dice.randint(1, 8))}
        if dice.random() < 0.5:
            settings["wager"] = list(_wagers_at_random(dice))
        try:
            return rules(game, settings)
        except SheetError:
            continue


def _wagers_at_random(dice: random.Random) -> list[dict[str, Any]]:
    """Return one to three new side wagers; a later one may need the first, or be a token with a tax."""
    drawn = [
        {"name": f"Side {letter}", **{key: dice.choice(values) for key, values in WAGER.items() if dice.random() < 0.6}}
        for letter in "ABC"[: dice.randint(1, 3)]
    ]
    for wager in drawn:
        wager.setdefault("lines", WAGER["lines"][0])
    if len(drawn) > 1 and dice.random() < 0.5:
        drawn[1]["needs"] = "Side A"
    if dice.random() < 0.4:
        lines = dice.choice(_TOKEN_LINES)
        drawn.append(_TOKEN | {"lines": lines, "tax": _TAX, "tax_upcard": dice.choice(["any", "2-7", "A, T"])})
    return drawn

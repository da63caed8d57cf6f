"""Legal sheets that print more than most: many wagers, long names, long pay tables, odds by upcard with gaps."""

from __future__ import annotations

from typing import Any

from holecard.sheets.read import from_data
from holecard.sheets.schema import RuleSheet


def by_upcard(name: str, *lines: tuple[str, dict[str, str]], **more: object) -> dict[str, Any]:
    return {"name": name, "lines": [{"dealer": dealer, "pays": pays} for dealer, pays in lines], **more}


def sheet(*wagers: dict[str, Any], **sections: dict[str, Any]) -> RuleSheet:
    return from_data({"name": "Unusual", "wager": list(wagers), **sections}, "a test")


LOW = by_upcard("Low", ("17", {"2-4": "6 to 1", "6": "1.23457 to 1"}))
HIGH = by_upcard("High", ("20", {"9": "6 to 1", "T": "7 to 1"}), ("21", {"A": "100000 to 1"}), table_from="house")
MIXED = {
    "name": "Mixed",
    "lines": [{"dealer": "18", "pays": {"9": "6 to 1", "T": "7 to 1"}}, {"dealer": "19", "pays": "7 to 1"}],
}
TWENTY_LINES = {
    "name": "A Wager with a Rather Long Name and Twenty Lines",
    "upcard": "2-4, 9, A",
    "lines": [
        *({"hand": f"suited {rank} and {rank}", "pays": "25 to 1"} for rank in "AKQJT98765432"),
        *({"hand": f"{rank} and {rank}", "pays": "5 to 1"} for rank in "AKQJT98"),
    ],
}
NAMED = {
    "name": "Named",
    "needs": "Low",
    "at_most": "the main wager",
    "min": "$2",
    "max": "$10",
    "step": "$2",
    "lines": [{"hand": "pair", "name": "two alike", "pays": "5 to 1"}],
}
TOKEN = {
    "name": "Token",
    "stake": "token",
    "min": "$1",
    "max": "$1",
    "upcard": "T",
    "tax_upcard": "A, 2-4",
    "tax": [{"hand": "pair", "tax": "$2"}, {"hand": "20", "tax": "$2"}, {"hand": "natural", "tax": "$5"}],
    "lines": [{"hand": "natural", "dealer": "busts in 5+ cards", "pays": "$100"}],
}
BOX = {
    "name": "Box",
    "stake": "token",
    "min": "$1",
    "max": "$1",
    "tax_upcard": "2-7",
    "tax": [{"hand": "natural", "tax": "$2"}, {"hand": "18-20", "tax": "$1.50"}],
    "lines": [{"hand": "natural", "dealer": "busts", "pays": {"2-4": "100 to 1", "5-6": "80 to 1"}}],
}
_MANY_RULES: dict[str, dict[str, Any]] = {
    "dealer": {"hole_card": "no peek", "soft": "hit all", "ends_on": [15, 16]},
    "player": {
        "double": "hard 9-11, soft 13-18",
        "double_cards": "any number",
        "double_after_split": False,
        "split_hands": 3,
        "split_by": "rank",
        "split_aces_get": "play on",
        "surrender": "early",
        "charlie": 6,
        "double_up": "hard 9-11, soft 13-19, 18, 19, 20",
        "double_up_after_split": False,
    },
    "insurance": {"most": "all"},
    "settle": {
        "natural": "1.23457 to 1",
        "ties": "lose",
        "twenty_one": "wins",
        "charlie": "2 to 1",
        "rounding": "up",
        "when_dealer_has": {"22": {"21": "win", "other": "push"}},
    },
}
UNUSUAL: dict[str, RuleSheet] = {
    "other upcards": sheet(LOW, HIGH),
    "one line by upcard": sheet(HIGH, MIXED),
    "twenty lines": sheet(TWENTY_LINES),
    "pays and taxes by upcard": sheet(BOX),
    "six wagers": sheet(TWENTY_LINES, LOW, HIGH, MIXED, NAMED, TOKEN),
    "many rules": sheet(LOW, **_MANY_RULES),
    "all of it": sheet(TWENTY_LINES, LOW, HIGH, MIXED, NAMED, TOKEN, **_MANY_RULES),
}

"""Game features that people look for among the keys of a sheet: where they are, or that a sheet cannot say them yet.

`docs/limits-of-sheets.md` has the same list in more words.
"""

from __future__ import annotations

import re

LIMITS_PAGE = "docs/limits-of-sheets.md"

#: Keys that people write, as patterns, and the setting that says it.
_SAID_BY = {
    r"push_?(?:on_?)?(?:dealer_?)?22|dealer_?(?:pushes_?(?:on_?)?)?22(?:_pushes)?": "settle.when_dealer_has = "
    '{ 22 = "push" }',
    r"(?:\d|two|three|four|five|six|seven)_?card_?charlie": "player.charlie = 5",
    r"(?:blackjack|bj|natural)_?(?:pays|payout|odds)": 'settle.natural = "3 to 2"',
    r"re_?split_?aces": 'player.split_aces = "again"',
    r"re_?splits?|max_?(?:hands|splits)|split_?(?:to|limit|max)": "player.split_hands = 4",
    r"(?:dealer_?)?(?:wins|loses|pushes)_?(?:on_?)?ties|tie": 'settle.ties = "lose"',
    r"penetration|cut": "shoe.cut_card = 75",
    r"deck|number_?of_?decks": "shoe.decks = 6",
    r"peek|peeks|enhc|no_?hole_?card": 'dealer.hole_card = "none"',
    r"obo|original_?bets?_?only": 'dealer.natural_takes = "original"',
}
#: Keys that people write, as patterns, and what a sheet cannot say.
_CANNOT = {
    r"free_?(?:double|split|bet|resplit)s?(?:_.*)?": "stakes that the house puts up (free doubles and splits)",
    r"(?:re_?double|double_?(?:again|twice|more|again_times)|double_?double)s?(?:_.*)?": "doubling a hand again",
    r"(?:triple|quadruple)(?:_?down)?(?:_.*)?|double_?(?:multiple|times|by)": "raising by more than the wager",
    r"(?:double_?(?:down_?)?)?rescue|surrender_?(?:after|a)_?(?:double|split)(?:_.*)?|forfeit": "surrender after a "
    "double or a split",
    r"surrender_?(?:upcards?|any_?time|with|v|vs|against)(?:_.*)?": "surrender with some upcards only, or at any time",
    r"(?:card_?)?switch(?:_.*)?|swap(?:_.*)?|exchange(?:_.*)?": "exchanging cards between two hands",
    r"bonus(?:es)?(?:_?(?:21|hands?|payouts?|pays))?|(?:21|twenty_?one)_?bonus(?:es)?|(?:super_?)?bonus_.*|678|777"
    r"|(?:\d|five|six|seven)_?card_?21(?:_.*)?|suited_?(?:natural|blackjack)(?:_.*)?": "payouts of the main wager "
    "by the cards of the final hand",
    r"jokers?|wild(?:_?cards?)?": "jokers and wild cards",
    r"no_?(?:tens|10s?)|removed?(?:_.*)?|(?:without_?)?ranks|deck_?(?:size|cards)": "decks with ranks taken out",
    r"infinite(?:_?decks?)?": "infinitely many decks",
    r"obbo|bb_?(?:plus_?|\+)1|busted_?bets?(?:_.*)?": "busted bets apart from others when a late natural takes them",
    r"zap|burn_?cards?|mulligan|discards?|replace(?:_.*)?|redraw(?:_.*)?": "cards that are thrown away and drawn again",
    r"multipliers?|random(?:_.*)?|dice": "random odds",
    r"progressive|jackpots?": "jackpots that grow from round to round",
    r"must_?hit|hit_?on|forced_?hit": "totals that players must hit",
    r"split_?(?:pairs|only|non_?pairs|tens|unlike)(?:_.*)?": "which pairs may be split",
    r"(?:dealer_?)?(?:most|max)_?cards": "a limit on the dealer's cards",
}


def feature_asked_for(key: str) -> str:
    """Return where a game feature is set, or that a sheet cannot say it; empty for any other word."""
    word = re.sub(r"[-\s]+", "_", key.strip().lower())
    for pattern, setting in _SAID_BY.items():
        if re.fullmatch(pattern, word):
            return f"write {setting}"
    for pattern, feature in _CANNOT.items():
        if re.fullmatch(pattern, word):
            return f"a sheet cannot say this yet: {feature}; see {LIMITS_PAGE}"
    return ""

"""Game features that people look for among the keys of a sheet: where they are, or that a sheet cannot say them yet.

`docs/limits-of-sheets.md` has the same list in more words.
"""

from __future__ import annotations

import re

from holecard.errors import LIMITS_PAGE

_NUMBERS = ("three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven")
#: Keys that people write, as patterns, and the setting that says it; N is the number in the key. A key is looked for
#: with its section before it, too: `peek` in [dealer] is `dealer_peek`.
_SAID_BY = {
    r"push_?(?:on_?)?(?:dealer_?)?22|dealer_?(?:pushes_?(?:on_?)?)?22(?:_pushes)?": "settle.when_dealer_has = "
    '{ 22 = "push" }',
    rf"(?P<number>\d+|{'|'.join(_NUMBERS)})_?cards?_?(?:charlie|trick)": "player.charlie = N",
    r"(?:blackjack|bj|natural)s?_?(?:pays?|payout|odds)|blackjacks?|bj": 'settle.natural = "3 to 2"',
    r"re_?split_?aces": 'player.split_aces = "again"',
    r"(?:hit|play|draw_?to)_?split_?aces": 'player.split_aces_get = "play on"',
    r"re_?splits?|splits|max_?(?:hands|splits)|split_?(?:to|limit|max)": "player.split_hands = 4",
    r"split_?(?:any|unlike|mixed)(?:_?tens|_?10s?)?|(?:unlike|mixed)_?(?:tens|10s?)": 'player.split_by = "value"',
    r"double_?(?:down)?|double_?(?:down_?)?(?:on|totals|only|with|hard|\d+.*)(?:_.*)?": 'player.double = "hard 9-11"',
    r"(?P<word>hit|stand)s?_?(?:on_?)?soft_?17": 'dealer.soft_17 = "WORD"',
    r"double_?(?:down_?)?any(?:_.*)?": 'player.double = "any"',
    r"stands?_?on_?(?:soft_?)?(?:18|19|20)|soft_?(?:18|19|20|21)": 'dealer.soft = "stand on 18"',
    r"hits?_?(?:on_?)?soft_?(?:18|19|20|21)": 'dealer.soft = "hit all"',
    r"(?:max_?|number_?of_?)?players|number_?of_?seats": "table.seats = 7",
    r"csm|shuffler|continuous(?:_?shuffler)?": 'shoe.procedure = "continuous shuffler"',
    r"no_?insurance": 'insurance.pays = "none"',
    r"insurance_?(?:pays?|odds|payout)": 'insurance.pays = "2 to 1"',
    r"insurance_?(?:max|limit|most)|half_?insurance": 'insurance.most = "half"',
    r"(?:dealer_?)?(?:face_?up|both_?up|exposed?)|double_?exposure": 'dealer.hole_card = "face up"',
    r"double_?(?:down_?)?for_?less": 'player.double_stake = "up to equal"',
    r"(?P<word>late|early)_?surrender": 'player.surrender = "WORD"',
    r"dealer_?(?:loses|lose)_?(?:on_?)?ties|(?:player_?)?wins?_?(?:on_?)?ties|ties_?wins?": 'settle.ties = "win"',
    r"(?:dealer_?|player_?)?push(?:es)?_?(?:on_?)?ties|ties_?push": 'settle.ties = "push"',
    r"dealer_?wins?_?(?:on_?)?ties|(?:player_?)?loses?_?(?:on_?)?ties|ties_?loses?|tie": 'settle.ties = "lose"',
    r"penetration|cut": "shoe.cut_card = 75",
    r"burn_?cards?|burn(?:ed|t|s)(?:_?cards?)?": "shoe.burn = 1",
    r"deck|(?:number_?of|num|n)_?decks|decks_?(?:count|number)": "shoe.decks = 6",
    r"(?:dealer_?)?peeks?": 'dealer.hole_card = "peek"',
    r"(?:dealer_?)?(?:no|does_?not)_?peeks?": 'dealer.hole_card = "no peek"',
    r"(?:dealer_?)?(?:enhc|no_?hole_?card)": 'dealer.hole_card = "none"',
    r"obo|original_?bets?_?only": 'dealer.natural_takes = "original"',
    r"dealer_?(?P<word>hit|stand)s?_?(?:on_?)?soft_?17": 'dealer.soft_17 = "WORD"',
    r"dealer_?(?:must_?hit|hits?_?on|hits|must_?draw|draws?_?to|stands?_?on|stands)": 'dealer.soft_17 = "hit" or '
    '"stand", and dealer.soft for other soft totals',
    r"(?:table_?)?min(?:imum)?_?(?:bet|wager)|(?:bet|table)_?min(?:imum)?": 'main.min = "$5"',
    r"(?:table_?)?max(?:imum)?_?(?:bet|wager)|(?:bet|table)_?max(?:imum)?": 'main.max = "$500"',
    r"side_?(?:bet|wager)s?": "a [[wager]] with a name and lines for each side wager",
}
#: Keys that people write, as patterns, and what a sheet cannot say.
_CANNOT = {
    r"free_?(?:double|split|bet|resplit)s?(?:_.*)?": "stakes that the house puts up (free doubles and splits)",
    r"(?:re_?double|double_?(?:again|twice|more|again_times)|double_?double)s?(?:_.*)?": "doubling a hand again",
    r"(?:triple|quadruple)(?:_?down)?(?:_.*)?|double_?(?:multiple|times|by|attack)": "raising by more than the wager",
    r"(?:double_?(?:down_?)?)?rescue|surrender_?(?:after|a)_?(?:double|split)(?:_.*)?|forfeit": "surrender after a "
    "double or a split",
    r"surrender_?(?:upcards?|any_?time|with|on|v|vs|against|only|aces?|tens?|10)(?:_.*)?": "surrender with some "
    "upcards only, or at any time",
    r"(?:card_?|blackjack_?)?switch(?:_.*)?|swap(?:_.*)?|exchange(?:_.*)?": "exchanging cards between two hands",
    r"bonus(?:es)?(?:_?(?:21|hands?|payouts?|pays))?|(?:21|twenty_?one)_?bonus(?:es)?|(?:super_?)?bonus_.*|678|777"
    r"|(?:\d|five|six|seven)_?card_?21(?:_.*)?|suited_?(?:natural|blackjack)(?:_.*)?": "payouts of the main wager "
    "by the cards of the final hand",
    r"jokers?|wild(?:_?cards?)?": "jokers and wild cards",
    r"spanish(?:_?(?:21|decks?|shoe))?|no_?(?:tens|10s?)|removed?(?:_.*)?|(?:without_?)?ranks"
    r"|deck_?(?:size|cards)": "decks with ranks taken out",
    r"infinite(?:_?decks?)?": "infinitely many decks",
    r"obbo|bb_?(?:plus_?|\+)1|busted_?bets?(?:_.*)?": "busted bets apart from others when a late natural takes them",
    r"zap(?:pit)?|mulligan|draw_?again|discards?|replace(?:_.*)?|redraw(?:_.*)?": "cards that are "
    "thrown away and drawn again",
    r"(?:.*_)?multipliers?|lightning(?:_.*)?|random(?:_.*)?|dice": "random odds",
    r"progressive|jackpots?": "jackpots that grow from round to round",
    r"must_?(?:hit|stand)(?:_.*)?|hit_?on|forced_?hit|hit_?(?:hard_?)?1\d": "totals that players must hit",
    r"(?:no_?|must_?)split(?:_.*)?|split_?(?:pairs|only|non_?pairs|tens)(?:_.*)?": "which pairs may be split",
    r"(?:dealer_?)?(?:most|max)_?cards|dealer_?(?:charlie|trick)|five_?card_?dealer": "a limit on the dealer's cards",
}


def feature_asked_for(key: str, section: str = "") -> str:
    """Return where a game feature is set, or that a sheet cannot say it; empty for any other word.

    >>> feature_asked_for("seven_card_charlie"), feature_asked_for("loses_ties", "dealer")
    ('write player.charlie = 7', 'write settle.ties = "win"')
    """
    word = re.sub(r"[-\s]+", "_", key.strip().lower())
    words = (f"{section}_{word}", word) if section else (word,)
    return next(filter(None, map(_said_by, words)), "") or _cannot(word)


def _said_by(word: str) -> str:
    for pattern, setting in _SAID_BY.items():
        if found := re.fullmatch(pattern, word):
            return f"write {_with_words_of(found, setting)}"
    return ""


def _with_words_of(found: re.Match[str], setting: str) -> str:
    """Return the setting with the number or the word of the key."""
    words = found.groupdict()
    if number := words.get("number"):
        return setting.replace("N", str(_NUMBERS.index(number) + 3) if number in _NUMBERS else number)
    return setting.replace("WORD", words.get("word") or "")


def _cannot(word: str) -> str:
    for pattern, feature in _CANNOT.items():
        if re.fullmatch(pattern, word):
            return f"a sheet cannot say this yet: {feature}; see {LIMITS_PAGE}"
    return ""

"""Contradictory rules: a sheet, and the key, the reason and the line of its refusal."""

from __future__ import annotations

LINES = 'lines = [{ hand = "pair", pays = "5 to 1" }]'
ON_DEALER = 'lines = [{ dealer = "18", pays = "5 to 1" }]'


def wager(*words: str, name: str = "Pairs") -> str:
    return "\n".join(["[[wager]]", f'name = "{name}"', *words])


CONTRADICTIONS = {
    "a dealer who hits every soft total but 17": (
        '[dealer]\nsoft_17 = "stand"\nsoft = "hit all"',
        "dealer.soft",
        "hits soft 17; write soft_17 = 'hit', or soft = 'stand on 18'",
        4,
    ),
    "a dealer who draws 16 to a hard 17 and stands on soft 17": (
        '[dealer]\nsoft_17 = "stand"\nsoft = "draw 16 to hard 17"',
        "dealer.soft",
        "also hits a soft 17 on the way; write soft_17 = 'hit', or soft = 'stand on 18'",
        4,
    ),
    "a dealer who draws soft 17 to a hard 17 and stands on it": (
        '[dealer]\nsoft_17 = "stand"\nsoft = "draw soft 17 to hard 17"',
        "dealer.soft",
        "does not stand on it; write soft_17 = 'hit', or soft = 'stand on 18'",
        4,
    ),
    "a double on a 21": (
        '[player]\ndouble = "9-11, 20-21"',
        "player.double",
        "a 21 takes no more cards, so it cannot be doubled; end the totals at 20",
        3,
    ),
    "an insurance that nobody can afford": (
        '[insurance]\nmin = "$300"',
        "insurance.min",
        "nobody can insure: the smallest insurance, $300, is more than half of the largest Bet, $500; write less",
        3,
    ),
    "a 21 that wins, and pushes": (
        '[settle]\ntwenty_one = "wins"\nwhen_dealer_has = { 22 = "push" }',
        "settle.when_dealer_has.22",
        "with twenty_one = 'wins' a player's 21 wins, but with this rule its result is push; "
        "write 22 = { 21 = 'win', other = 'push' } or twenty_one = 'compare'",
        4,
    ),
    "a 21 that wins, and loses": (
        '[settle]\ntwenty_one = "wins"\nwhen_dealer_has = { 18 = { 21 = "lose", other = "win" } }',
        "settle.when_dealer_has.18",
        "its result is lose; write 18 = { 21 = 'win', other = 'win' } or twenty_one = 'compare'",
        4,
    ),
    "a natural that ties what a 21 beats": (
        '[settle]\ntwenty_one = "wins"\nnatural_v_21 = "tie"\nties = "lose"',
        "settle.natural_v_21",
        "against a dealer's 21 a natural would lose and a player's other 21 would win; write natural_v_21 = 'win'",
        4,
    ),
    "a natural that ties where every other hand wins": (
        '[settle]\nnatural_v_21 = "tie"\nwhen_dealer_has = { 21 = "win" }',
        "settle.natural_v_21",
        "against a dealer's 21 a natural would push and a player's other 21 would win",
        3,
    ),
    "a wager placed in sight of both dealer's cards": (
        '[insurance]\npays = "none"\n[dealer]\nhole_card = "face up"\n'
        + wager(ON_DEALER, 'placed = "after the check"'),
        "wager.0.placed",
        "could bet on a sure win; write placed = 'before the deal'",
        9,
    ),
    "insurance with both cards up": (
        '[dealer]\nhole_card = "face up"\n[insurance]\npays = "2 to 1"',
        "insurance.pays",
        "nothing to insure against if the hole card is face up",
        5,
    ),
    "odds too fine together": (
        '[settle]\nnatural = "9999 to 9998"\ncharlie = "2 to 9997"\n[player]\nquick_pay = { 19 = "1 to 9999" }',
        "player.quick_pay.19",
        "too large a common denominator: 999,400,109,994; it can be at most 100,000,000,000",
        6,
    ),
    "late surrender without a look": (
        '[dealer]\nhole_card = "none"\n[player]\nsurrender = "late"',
        "player.surrender",
        "this dealer does not always check",
        5,
    ),
    "late surrender without a peek": (
        '[dealer]\nhole_card = "no peek"\n[player]\nsurrender = "late"',
        "player.surrender",
        "this dealer does not always check",
        5,
    ),
    "early surrender with both cards up": (
        '[insurance]\npays = "none"\n[dealer]\nhole_card = "face up"\n[player]\nsurrender = "early"',
        "player.surrender",
        "early and late surrender are the same; write 'late'",
        7,
    ),
    "a dealer's total that is never final": (
        '[settle]\nwhen_dealer_has = { 16 = "push" }',
        "settle.when_dealer_has.16",
        "never ends on 16; write 17, 18, 19, 20, 21, 22",
        3,
    ),
    "aces split again in a game without splits": (
        '[player]\nsplit_hands = 1\nsplit_aces = "again"',
        "player.split_aces",
        "allows no split",
        4,
    ),
    "a smallest wager of nothing": ('[main]\nmin = "$0"', "main.min", "at least one cent", 3),
    "a step of nothing": ('[main]\nstep = "$0"', "main.min", "at least one cent", 2),
    "a largest wager less than the smallest": (
        '[main]\nmin = "$50"\nmax = "$20"',
        "main.max",
        "the largest wager, $20, is less than the smallest, $50",
        4,
    ),
    "steps that miss the largest wager": (
        '[main]\nmin = "$5"\nmax = "$100"\nstep = "$10"',
        "main.step",
        "steps of $10 from $5 do not reach $100",
        5,
    ),
    "a side wager's limits": (wager(LINES, 'min = "$5"', 'max = "$2"'), "wager.0.max", "less than the smallest", 6),
    "two wagers of one name": (
        wager(LINES) + "\n" + wager(LINES, name="pairs"),
        "wager.1.name",
        "two wagers have the name 'pairs'",
        6,
    ),
    "a wager called like the main wager": (
        wager(LINES, name="bet"),
        "wager.0.name",
        "two wagers have the name 'bet'",
        3,
    ),
    "a wager called like insurance": (wager(LINES, name="Insurance"), "wager.0.name", "is reserved", 3),
    "a wager called like a double": (wager(LINES, name="Double"), "wager.0.name", "is reserved", 3),
    "a need that is no wager": (
        wager(LINES) + "\n" + wager(LINES, 'needs = "Pars"', name="More"),
        "wager.1.needs",
        "no other side wager named 'Pars'; did you mean 'Pairs'?",
        8,
    ),
    "a need of itself": (wager(LINES, 'needs = "Pairs"'), "wager.0.needs", "no other side wager named 'Pairs'", 5),
    "a need placed at another time": (
        wager(LINES) + "\n" + wager(ON_DEALER, 'placed = "after the check"', 'needs = "Pairs"', name="More"),
        "wager.1.needs",
        "placed at another time",
        9,
    ),
    "four cards without a hole card": (
        '[dealer]\nhole_card = "none"\n' + wager(LINES, 'on = "all four cards"'),
        "wager.0.on",
        "no second card when the players act",
        7,
    ),
    "a wager that a hand given up would miss": (
        '[player]\nsurrender = "early"\n' + wager(ON_DEALER, 'placed = "after the check"'),
        "wager.0.placed",
        "a hand that is surrendered early is over before the check; write player.surrender = 'late'",
        7,
    ),
    "a token after the check": (
        wager(ON_DEALER, 'placed = "after the check"', 'stake = "token"'),
        "wager.0.stake",
        "a token must be placed before the deal",
        6,
    ),
    "a tax without a token": (
        wager(LINES, 'tax = [{ hand = "20", tax = "$1" }]'),
        "wager.0.tax",
        "only a token can have a tax",
        5,
    ),
    "no pay table": (wager(), "wager.0.lines", "write either one pay table", 2),
    "two kinds of pay table": (
        wager(LINES, 'tables = { A = [{ hand = "pair", pays = "5 to 1" }] }', 'table = "A"'),
        "wager.0.lines",
        "write either one pay table",
        4,
    ),
    "a table that is not there": (
        wager('tables = { A = [{ hand = "pair", pays = "5 to 1" }] }', 'table = "B"'),
        "wager.0.table",
        "there is no table named 'B'",
        5,
    ),
    "a deck count without a table": (
        wager('tables = { 1 = [{ hand = "pair", pays = "5 to 1" }] }', 'table = "by decks"'),
        "wager.0.tables",
        "has pay tables for 1 decks, but not for 6; change the number of decks, add a table, or choose one of them",
        4,
    ),
    "a soft 17 rule without a table": (
        wager('tables = { "6 S17" = [{ hand = "pair", pays = "5 to 1" }] }', 'table = "by decks and soft 17"'),
        "wager.0.tables",
        "has pay tables for 6 decks, but not for 6 with H17; change the number of decks, add a table, or choose one",
        4,
    ),
    "a line without a hand": (wager('lines = [{ pays = "5 to 1" }]'), "wager.0.lines.0", "a line needs a `hand`", 4),
    "a line with an unknown hand": (
        wager('lines = [{ hand = "any", pays = "1 to 1" }, { hand = "suitd pair", pays = "5 to 1" }]'),
        "wager.0.lines.1.hand",
        "'suitd' is not a word for a hand; did you mean 'suited'?",
        4,
    ),
    "a hand of more cards than are looked at": (
        wager('lines = [{ hand = "straight", pays = "5 to 1" }]'),
        "wager.0.lines.0.hand",
        "needs at least 3 cards, but this wager looks at 2",
        4,
    ),
    "an unknown dealer's hand": (
        wager('lines = [{ dealer = "18 or so", pays = "5 to 1" }]'),
        "wager.0.lines.0.dealer",
        "is not a dealer's hand",
        4,
    ),
    "an unknown upcard among the odds": (
        wager('lines = [{ hand = "pair", pays = { 2 = "5 to 1", X = "4 to 1" } }]'),
        "wager.0.lines.0.pays.X",
        "'X' is not an upcard",
        4,
    ),
    "an unknown hand in a tax": (
        wager(LINES, 'stake = "token"', 'tax = [{ hand = "twenty", tax = "$1" }]'),
        "wager.0.tax.0.hand",
        "'twenty' is not a word for a hand",
        6,
    ),
    "cashing a hand without a check": (
        '[dealer]\nhole_card = "no peek"\n[player]\nquick_pay = { 20 = "1 to 1" }',
        "player.quick_pay",
        "this dealer does not always check",
        5,
    ),
    "late surrender with a look under aces only": (
        '[dealer]\nhole_card = "peek under aces"\n[player]\nsurrender = "late"',
        "player.surrender",
        "this dealer does not always check",
        5,
    ),
    "a surrender that wins": (
        '[settle]\nsurrender = "2 to 1"',
        "settle.surrender",
        "a surrendered hand would win with '2 to 1'; write 'lose half' or 'push'",
        3,
    ),
    "a surrender that wins with its companion": (
        '[main.companion]\nname = "Second"\nsurrender = "push"\n[settle]\nsurrender = "1 to 2"',
        "settle.surrender",
        "would win with '1 to 2' with 'push'",
        6,
    ),
    "a losing charlie": (
        '[player]\ncharlie = 5\n[settle]\ncharlie = "lose"',
        "settle.charlie",
        "'lose' pays nothing; write odds such as '1 to 1'",
        5,
    ),
    "a dealer's total that has busted and is alive": (
        wager('lines = [{ dealer = "17-30", pays = "5 to 1" }]'),
        "wager.0.lines.0.dealer",
        "write '17-21', or 'busts'",
        4,
    ),
    "ranks or totals": (
        wager('lines = [{ hand = "3-8 suited", pays = "5 to 1" }]'),
        "wager.0.lines.0.hand",
        "write '3 and 8 suited' for a three and an eight, or 'total 3-8 suited' for a total from 3 to 8",
        4,
    ),
    "ranks or totals in a tax": (
        wager('stake = "token"', LINES, 'tax = [{ hand = "9", tax = "$2" }]'),
        "wager.0.tax.0.hand",
        "or 'total 9' for a total of 9",
        6,
    ),
    "an upcard among the odds with a suit": (
        wager('lines = [{ hand = "pair", pays = { 7h = "4 to 1" } }]'),
        "wager.0.lines.0.pays.7h",
        "a rank without a suit; write '7'",
        4,
    ),
    "a natural that pays nothing": ('[settle]\nnatural = "lose"', "settle.natural", "pays nothing", 3),
    "insurance that pays nothing": ('[insurance]\npays = "push"', "insurance.pays", "pays nothing", 3),
    "insurance for nothing": ('[insurance]\nmin = "$0"', "insurance.min", "at least one cent", 3),
    "a main wager named like another": ('[main]\nname = "Insurance"', "main.name", "is reserved", 3),
    "a companion named like the main wager": (
        '[main]\nname = "Bet"\n[main.companion]\nname = "bet"',
        "main.companion.name",
        "two wagers have the name",
        5,
    ),
    "two lines of one name": (
        wager('lines = [{ hand = "pair", pays = "5 to 1" }, { hand = "pair", pays = "6 to 1" }]'),
        "wager.0.lines.1",
        "two lines have the name 'pair'",
        4,
    ),
    "an upcard with two prices": (
        wager('lines = [{ dealer = "18", pays = { 2-7 = "3 to 1", 3 = "9 to 1" } }]'),
        "wager.0.lines.0.pays.3",
        "there are two odds for 3",
        4,
    ),
    "no upcard with a price": (
        wager('lines = [{ dealer = "18", pays = {} }]'),
        "wager.0.lines.0.pays",
        "write odds for at least one upcard",
        4,
    ),
    "an empty pay table": (
        wager('table = "A"', 'tables = { A = [{ hand = "pair", pays = "5 to 1" }], B = [] }'),
        "wager.0.tables.B",
        "at least one line",
        5,
    ),
    "dealer's totals upside down": (
        wager('lines = [{ dealer = "21-16", pays = "5 to 1" }]'),
        "wager.0.lines.0.dealer",
        "the lower total first",
        4,
    ),
    "a choice among one table": (wager(LINES, 'table = "A"'), "wager.0.table", "there is only one pay table", 5),
    "a bet on cards already seen": (
        wager('placed = "after the check"', LINES),
        "wager.0.placed",
        "are visible by then",
        4,
    ),
    "a wager that needs itself": (wager(LINES, 'needs = "Pairs"'), "wager.0.needs", "this game has no other", 5),
    "an unknown hand in a table that is not in force": (
        wager(
            'table = "A"',
            "[wager.tables]",
            'A = [{ hand = "pair", pays = "5 to 1" }]',
            'B = [{ hand = "pairs", pays = "5 to 1" }]',
        ),
        "wager.0.tables.B.0.hand",
        "did you mean 'pair'?",
        7,
    ),
}

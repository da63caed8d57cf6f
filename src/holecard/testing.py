"""Tools for people who write rule sheets: rounds with known cards, and recorded rounds to compare with.

A round by hand says which cards are dealt, in order, and what the players do:

    >>> from holecard.testing import play_script
    >>> state = play_script("classic", "Th 6d 9s Tc 8h", "stand")
    >>> for result in state.results:
    ...     print(result)
    seat 1 hand 1 Bet $10: +$10 (dealer busts: pays 1 to 1)

A table with a scripted shoe deals the cards it was given, and plays as any table does:

    >>> from holecard.testing import scripted_table
    >>> table = scripted_table("double-up", "Ts 7d 9s Tc")
    >>> table.bet("$10")
    >>> table.deal()
    >>> table.double_up()
    >>> table.net()
    Money("$20")

A recorded round is a small text file, such as `table.record()` writes. `check_round` replays it and compares every
wager that was settled, so one file for each paragraph of a rule sheet makes a test:

    >>> from holecard.testing import check_round
    >>> check_round(str(table.record())).phase
    'done'

    @pytest.mark.parametrize("file", recorded_rounds("my_rounds"), ids=str)
    def test_the_sheet_pays_what_the_record_says(file):
        check_round(file)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from holecard.deck import Card, CardsLike, cards
from holecard.errors import RecordError, Refusal, plural
from holecard.money import MoneyLike
from holecard.sheets.files.text_file import read_text_file
from holecard.sheets.read import RulesLike, rules
from holecard.sheets.schema import RuleSheet
from holecard.table.advance import advance, start
from holecard.table.dealing.shoe import Shoe
from holecard.table.events import Deal, NoMoreBets
from holecard.table.notation.moves import read_bet, read_play
from holecard.table.records.record import read_record, replay
from holecard.table.state import State
from holecard.table.table import Table

__all__ = ["ScriptedShoe", "check_round", "play_script", "recorded_rounds", "scripted_table"]


class ScriptedShoe(Shoe):
    """A shoe whose next cards are known; after them it deals at random from what is left."""

    def __init__(self, sheet: RuleSheet, next_cards: CardsLike) -> None:
        self.script: list[Card] = []
        super().__init__(sheet.shoe.model_copy(update={"burn": 0}))
        self.script += cards(next_cards)
        for number, card in enumerate(self.script, start=1):
            if self.script[:number].count(card) > sheet.shoe.decks:
                decks = plural(sheet.shoe.decks, "deck")
                raise Refusal(f"card {number}: {card} cannot be dealt that many times from a shoe of {decks}")

    def draw(self, wanted: int) -> list[Card]:
        """Draw the next cards of the script, then others."""
        drawn, self.script = self.script[:wanted], self.script[wanted:]
        for card in drawn:
            self._stock.remove(card)
        return drawn + super().draw(wanted - len(drawn))


def scripted_table(
    game: RulesLike,
    next_cards: CardsLike,
    *,
    bankroll: MoneyLike | None = None,
    settings: Mapping[str, object] | None = None,
) -> Table:
    """Return a table that deals these cards first: one to each seat, the upcard, one to each seat, the hole card, …"""
    table = Table(game, bankroll=bankroll, settings=settings)
    table.shoe = ScriptedShoe(table.rules, next_cards)
    return table


def play_script(
    game: RulesLike,
    dealt: CardsLike,
    play: str | Iterable[str] = (),
    *,
    bets: str | Iterable[str] = "$10",
    settings: Mapping[str, object] | None = None,
) -> State:
    """Return the state after exactly these cards and moves; refuse cards or moves that are left over.

    Moves are written as in a record: "hit", "double $7", "place Hedge 18 $5", "pass". The seat that is asked makes them
    unless one is named: "seat 2: stand". Bets are seat 1's unless a seat is named: "$10, Bonus 16 $5" or "seat 2: $10".
    """
    state = start(rules(game, settings).tables)
    for words in [bets] if isinstance(bets, str) else bets:
        state = advance(state, read_bet(_with_seat(words, 1)))
    state = advance(state, NoMoreBets())
    stock = list(cards(dealt))
    moves = [play] if isinstance(play, str) else list(play)
    while True:
        if state.wants_card and stock:
            state = advance(state, Deal(stock.pop(0)))
        elif state.asked and moves:
            state = advance(state, read_play(_with_seat(moves.pop(0), state.asked.number)))
        else:
            break
    if stock or moves:
        left = " ".join(map(str, stock)) or "; ".join(moves)
        raise RecordError(f"the script is longer than the round: {left} is left over at {state!r}")
    return state


def _with_seat(words: str, seat: int) -> str:
    return words if words.startswith("seat ") else f"seat {seat}: {words}"


def recorded_rounds(folder: str | Path) -> list[Path]:
    """Return the files of recorded rounds in a folder and its subfolders, in order."""
    return sorted(Path(folder).rglob("*.toml"))


def check_round(record: str | Path) -> State:
    """Replay a recorded round, given as a file or as its text, and return its last state.

    Raises RecordError where the rules refuse a move, need other cards, or pay something else than the record says.
    """
    if isinstance(record, Path) or (record.endswith(".toml") and "\n" not in record):
        return replay(read_record(read_text_file(Path(record)), str(record)))[-1]
    return replay(read_record(record))[-1]

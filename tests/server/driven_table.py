"""A table without a database, driven by random commands: entries, transfers and balances kept in lists."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field

import holecard
from holecard.errors import Refusal
from holecard.server.game.commands import DealNow, PlaceBet, PlaceWagers, Sit, TableCommand, TakeAction
from holecard.server.game.decide import Actor, Dealer, NewEntries, SecretShoe
from holecard.server.game.entries import TableEntry, TableOpened, read_entry, write_entry
from holecard.server.game.folded_table import FoldedTable
from holecard.server.host.loader import sheet_hash
from holecard.server.money.transfers import TableMoney, Transfer
from holecard.sheets.schema import RuleSheet
from holecard.table.legal import legal, offered
from tests.selection import rounds

ANN, BOB = Actor("ann", "Ann"), Actor("bob", "Bob")
TABLE = "t1"


@dataclass
class DrivenTable:
    """A table, its log, and every transfer."""

    sheet: RuleSheet
    table: FoldedTable
    money: TableMoney = field(default_factory=lambda: TableMoney(TABLE))
    log: list[TableEntry] = field(default_factory=list)
    transfers: list[tuple[Transfer, ...]] = field(default_factory=list)
    balances: Counter[str] = field(default_factory=Counter)
    secret: SecretShoe | None = None
    now: int = 1_000

    @classmethod
    def open(cls, game: str, chips: int = 0, **settings: object) -> DrivenTable:
        """Return a table at which Ann has seat 1 and Bob seat 3; they play with its own chips, if there are any."""
        sheet = holecard.rules(game, settings)
        opened = TableOpened(game=game, sheet=sheet_hash(sheet), title=sheet.name, by=ANN.user, chips=chips)
        driven = cls(sheet, FoldedTable(opened, sheet, 0), log=[opened])
        driven.add(Dealer(driven.table, None, driven.now).commit())
        driven.do(Sit(seat=1), ANN)
        driven.do(Sit(seat=3), BOB)
        return driven

    @property
    def dealer(self) -> Dealer:
        """Who decides at this table now."""
        return Dealer(self.table, self.secret, self.now)

    def do(self, command: TableCommand, actor: Actor) -> None:
        """Carry out a command; to decide changes nothing yet.

        Of the commands in long runs, `make test` compares the table before and after one in five.
        """
        if len(self.log) % (6 - rounds(5)):
            self.add(self.dealer.decide(command, actor))
            return
        before = repr(everything(self.table))
        decision = self.dealer.decide(command, actor)
        assert repr(everything(self.table)) == before
        self.add(decision)

    def add(self, decision: NewEntries) -> None:
        """Append a decision's entries, each written and read again."""
        for secret in decision.new_shoes:
            self.secret = secret
        for made in decision.entries:
            entry = read_entry(write_entry(made))
            self.log.append(entry)
            self.table.apply(entry, self.now)
            if made is decision.entries[0] and decision.after is not None:
                one, other = everything(self.table), everything(decision.after)
                assert [name for name in one if one[name] != other[name]] == []
            moved = self.money.transfers(self.table, entry)
            self.transfers.append(moved)
            for transfer in moved:
                self.balances[transfer.source] -= transfer.amount
                self.balances[transfer.target] += transfer.amount

    def play_round(self, rng: random.Random) -> None:
        """Play one round with random bets and decisions."""
        for actor, seat in ((ANN, 1), (BOB, 3)):
            self.do(random_bet(self.table, seat, rng), actor)
        self.do(DealNow(), ANN)
        while self.table.state.phase != "done":
            command = random_decision(self.table, rng)
            self.do(command, ANN if command.seat == 1 else BOB)

    def refolded(self) -> FoldedTable:
        """Return the table folded from the log once more."""
        opened = self.log[0]
        assert isinstance(opened, TableOpened)
        table = FoldedTable(opened, self.sheet, 0)
        for entry in self.log[1:]:
            table.apply(entry, self.now)
        return table


def everything(table: FoldedTable) -> dict[str, object]:
    """Return all that a table knows, so that two of them can be compared."""
    found = dict(vars(table))
    shoe, dealt = found.pop("shoe"), found.pop("_dealt")
    found["_state"] = table.state
    found["shoe"] = None if shoe is None else (shoe.id, shoe.commitment, shoe.player_seeds, vars(shoe.cards))
    found["dealt"] = (dealt.cards, dealt.out, dealt.reshuffled, dealt.misdealt, vars(dealt.shoe))
    found["round"] = dealt.round.freeze()
    return found


def random_bet(table: FoldedTable, seat: int, rng: random.Random) -> PlaceBet:
    """Return a bet with random side wagers; without them where they need each other."""
    main = int(table.tables.main.low) * rng.choice((1, 2))
    wagers = [wager for wager in offered(table.next_state) if rng.random() < 0.7]
    names = {wager.name for wager in wagers}
    sides = {wager.name: int(wager.limits.low) for wager in wagers if wager.needs is None or wager.needs in names}
    bet = PlaceBet(seat=seat, main=main, sides=sides)
    try:
        Dealer(table, None, 0).decide(bet, Actor(table.seats[seat].user, ""))
    except Refusal:
        return PlaceBet(seat=seat, main=main)
    return bet


def random_decision(table: FoldedTable, rng: random.Random) -> TakeAction | PlaceWagers:
    """Return a random answer of the seat that is asked."""
    asked = table.state.asked
    assert asked is not None
    choices = legal(table.state)
    if not choices:
        wagers = [wager for wager in offered(table.state, asked.number) if rng.random() < 0.3]
        return PlaceWagers(seat=asked.number, sides={wager.name: int(wager.limits.low) for wager in wagers[:1]})
    choice = rng.choice(choices)
    return TakeAction(
        seat=asked.number, action=str(choice.action), amount=None if choice.high is None else int(choice.high)
    )

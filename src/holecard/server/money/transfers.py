"""Which transfers an entry of a table's log causes. They follow from the log alone, so that balances can be rebuilt.

    stake     player → held      a bet, a double, a split, insurance, a later wager; and the most tax it may cost
    return    held → player      the part of a stake that comes back
    win       house → player     what a wager wins
    lose      held → house       what a wager loses, and tax
    void      held → player      a bet that is withdrawn, a stake of a voided round, tax that was not due
              house → player     what a wager of a voided round has lost before
    grant     bank → player      play money for a new account, and for a buy-in
    forfeit   player → bank      what a deleted account had
    close     house → bank       what the table won or lost

A table with changed rules has chips of its own, so that nobody takes away what such rules pay. There, `chips` stands in
the place of `player`, one account for each person and table, and

    grant     bank → chips       when somebody sits down who has too little there for a bet
    close     chips → bank       what is left at the end

When a round is voided, its players get back all that they have lost in it, and keep what they have won.
Accounts of players, of their chips and of what is held never go below zero; the house's account of a table may.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal, NamedTuple, TypeAlias

from holecard.errors import Refusal
from holecard.money import NO_MONEY, Money, sum_of
from holecard.server.game.entries import RoundVoided, SeatTaken, TableClosed, TableEntry, TableOpened
from holecard.server.game.folded_table import FoldedTable
from holecard.sheets.tables import Tables
from holecard.table.events import Result
from holecard.table.state import Seat

TransferKind: TypeAlias = Literal["stake", "return", "win", "lose", "void", "grant", "forfeit", "close"]
BANK = "bank"
#: How the accounts of chips begin.
CHIPS = "chips:"
#: The most that a bet can take: ten million dollars, and a companion.
_HIGHEST_BET = 2_000_000_000


class Transfer(NamedTuple):
    """Money that moves from one account to another."""

    kind: TransferKind
    source: str
    target: str
    amount: Money
    about: str = ""


def player_account(user: str) -> str:
    """Return the account of a user's free money."""
    return f"player:{user}"


def chips_account(table: str, user: str) -> str:
    """Return the account of a user's chips at a table that has its own."""
    return f"{CHIPS}{table}:{user}"


def account_at(table: str, opened: TableOpened, user: str) -> str:
    """Return the account that a user plays with at a table."""
    return chips_account(table, user) if opened.chips else player_account(user)


def chips_for(tables: Tables, starting_money: int) -> int:
    """Return what everybody gets at a table with its own chips: enough for a bet, where anybody could place it."""
    return max(starting_money, min(smallest_bet(tables), _HIGHEST_BET))


def smallest_bet(tables: Tables) -> int:
    """Return what the smallest main bet takes, in cents; where it has a companion, both."""
    return int(tables.main.low) * (2 if tables.has_companion else 1)


def held_account(table: str, seat: int) -> str:
    """Return the account of what a seat has on a table."""
    return f"held:{table}:{seat}"


def house_account(table: str) -> str:
    """Return the account of what the house has won and lost at a table."""
    return f"house:{table}"


def may_be_negative(account: str) -> bool:
    """Return whether an account may go below zero: those of the house and the bank."""
    return not account.startswith(("player:", CHIPS, "held:"))


class SeatMoney(NamedTuple):
    """What a seat has on the table, and whose it is."""

    user: str
    stakes: Money
    tax: Money
    """The most tax that its wagers may still cost."""


def seat_money(table: FoldedTable) -> dict[int, SeatMoney]:
    """Return what every seat in the round has on the table."""
    if table.state.phase == "done":
        return {}
    return {
        seat.number: SeatMoney(table.player_of(seat.number), table.staked(seat.number), _most_tax(table.tables, seat))
        for seat in table.state.seats
    }


def _most_tax(tables: Tables, seat: Seat) -> Money:
    """Return the most tax that a seat's wagers may cost before they are settled; the deal decides it."""
    if seat.first_two:
        return NO_MONEY
    taxed = [tables.wagers[side.wager] for side in seat.sides if tables.wagers[side.wager].tax]
    return sum_of(max(line.pays.fixed or NO_MONEY for line in wager.tax) for wager in taxed)


class TableMoney:
    """What is held for every seat of a table, and who has how many of its chips.

    `transfers` turns each entry into the transfers it causes.
    """

    def __init__(self, table_id: str, house: int = 0, chips: Mapping[str, int] | None = None) -> None:
        self.table_id = table_id
        self.held: dict[int, Money] = {}
        self.house = Money.cents(house)
        self._chips = {user: Money.cents(cents) for user, cents in (chips or {}).items()}
        self._users: dict[int, str] = {}

    def transfers(self, table: FoldedTable, entry: TableEntry) -> tuple[Transfer, ...]:
        """Return the transfers of the entry that the table has just applied."""
        made = tuple(transfer for transfer in self._transfers(table, entry) if transfer.amount)
        for transfer in made:
            self._post(transfer)
        return made

    def copy(self) -> TableMoney:
        """Return a copy that can be changed."""
        copied = TableMoney(self.table_id)
        copied.held, copied.house, copied._users = dict(self.held), self.house, dict(self._users)
        copied._chips = dict(self._chips)
        return copied

    @property
    def chips(self) -> dict[str, int]:
        """What users have of the table's own chips, in cents, without those who have none."""
        return {user: int(left) for user, left in sorted(self._chips.items()) if left}

    def _transfers(self, table: FoldedTable, entry: TableEntry) -> Iterator[Transfer]:
        now = seat_money(table)
        for seat, money in now.items():
            self._users[seat] = money.user
        settled: dict[int, list[Result]] = {}
        for result in table.new_results:
            settled.setdefault(result.seat, []).append(result)
        for seat in sorted({*self.held, *now, *settled}):
            results = settled.get(seat, [])
            needed = now[seat].stakes + now[seat].tax if seat in now else NO_MONEY
            yield from self._of_seat(table, seat, results, needed)
        if isinstance(entry, RoundVoided):
            yield from self._give_back(table)
        if isinstance(entry, SeatTaken) and table.opened.chips:
            yield from self._hand_out(table, entry.user)
        if isinstance(entry, TableClosed):
            yield from self._close()

    def _of_seat(self, table: FoldedTable, seat: int, results: list[Result], needed: Money) -> Iterator[Transfer]:
        """Stake what is missing, settle, and release what is no longer needed."""
        player, held = account_at(self.table_id, table.opened, self._users[seat]), held_account(self.table_id, seat)
        house = house_account(self.table_id)
        before = self.held.get(seat, NO_MONEY)
        taken = sum_of(max(result.stake, -result.net) for result in results)
        after = before - taken
        if after < needed:
            yield Transfer("stake", player, held, needed - after)
        for result in results:
            lost = max(-result.net, NO_MONEY)
            about = f"{result.wager}: {result.line}"
            yield Transfer("lose", held, house, Money.cents(lost), about)
            yield Transfer("return", held, player, Money.cents(max(result.stake - lost, 0)), about)
            yield Transfer("win", house, player, Money.cents(max(result.net, 0)), about)
        if after > needed:
            yield Transfer("void", held, player, after - needed)

    def _give_back(self, table: FoldedTable) -> Iterator[Transfer]:
        """Give back what was lost in a round that is voided."""
        for result in table.state.results:
            if result.net < 0:
                player = account_at(self.table_id, table.opened, table.player_of(result.seat))
                about = f"{result.wager}: {result.line}"
                yield Transfer("void", house_account(self.table_id), player, Money.cents(-result.net), about)

    def _hand_out(self, table: FoldedTable, user: str) -> Iterator[Transfer]:
        """Give chips to somebody who sits down with too few for a bet; stakes at this table count."""
        held = sum_of(money for seat, money in self.held.items() if self._users[seat] == user)
        owned = self._chips.get(user, NO_MONEY) + held
        if owned < smallest_bet(table.tables):
            account = chips_account(self.table_id, user)
            yield Transfer("grant", BANK, account, Money.cents(table.opened.chips - owned), "chips of this table")

    def _close(self) -> Iterator[Transfer]:
        for user, left in self.chips.items():
            yield Transfer("close", chips_account(self.table_id, user), BANK, Money.cents(left))
        if self.house > 0:
            yield Transfer("close", house_account(self.table_id), BANK, self.house)
        elif self.house < 0:
            yield Transfer("close", BANK, house_account(self.table_id), -self.house)

    def _post(self, transfer: Transfer) -> None:
        house = house_account(self.table_id)
        for account, amount in ((transfer.source, -transfer.amount), (transfer.target, transfer.amount)):
            if account == house:
                self.house += amount
            elif account.startswith(CHIPS):
                user = account.rpartition(":")[2]
                self._chips[user] = self._chips.get(user, NO_MONEY) + amount
            elif account.startswith("held:"):
                seat = int(account.rpartition(":")[2])
                left = self.held.get(seat, NO_MONEY) + amount
                if left < 0:
                    raise Refusal(f"{account} would hold {left}")
                self.held[seat] = left
                if not left:
                    del self.held[seat]

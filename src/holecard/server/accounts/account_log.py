"""The entries of an account's log: its name, its role, the play money that it was given, and its end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from holecard.errors import Refusal
from holecard.money import Money
from holecard.server.accounts.names import folded_name
from holecard.server.errors import NotAllowed
from holecard.server.money.transfers import BANK, Transfer, player_account
from holecard.server.store.chain import FIRST_HASH, LogRow, entry_hash

Role: TypeAlias = Literal["guest", "player", "operator"]
#: New money is given to people who own less than this part of the starting money, or less than a bet.
_TENTH = 10
#: What people are called whose account was deleted.
FORMER_PLAYER = "former player"


class _Entry(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class AccountOpened(_Entry):
    """An account was created, with play money from the bank."""

    kind: Literal["opened"] = "opened"
    name: str
    role: Role
    cents: Annotated[int, Field(ge=0)]


class GuestNamed(_Entry):
    """A guest got a name and a password, and is a player from now on."""

    kind: Literal["guest named"] = "guest named"
    name: str


class RoleGiven(_Entry):
    """An operator was appointed or dismissed, by somebody who can open the database."""

    kind: Literal["role given"] = "role given"
    role: Literal["player", "operator"]


class BoughtIn(_Entry):
    """The bank gave new play money to somebody who had lost almost all of it.

    Entries of older versions have neither `held` nor `below`: stakes did not count, and the bound was a tenth.
    """

    kind: Literal["bought in"] = "bought in"
    had: Annotated[int, Field(ge=0)]
    """Free money before, in cents."""
    held: Annotated[int, Field(ge=0)] = 0
    """Stakes on tables, in cents."""
    below: Annotated[int, Field(ge=0)] | None = None
    """New money was given to people who owned less than this, in cents."""
    cents: Annotated[int, Field(gt=0)]


class AccountDeleted(_Entry):
    """The account was deleted by its owner; nobody signs in to it any more, and its name is not shown."""

    kind: Literal["deleted"] = "deleted"


class MoneyReturned(_Entry):
    """What a deleted account had went back to the bank; again, where a hand was still played then."""

    kind: Literal["money returned"] = "money returned"
    cents: Annotated[int, Field(gt=0)]


AccountEntry: TypeAlias = AccountOpened | GuestNamed | RoleGiven | BoughtIn | AccountDeleted | MoneyReturned
_ADAPTER: TypeAdapter[AccountEntry] = TypeAdapter(Annotated[AccountEntry, Field(discriminator="kind")])


@dataclass(frozen=True, slots=True)
class FoldedAccount:
    """What the entries of an account's log make of it."""

    name: str
    role: Role
    opened_at: int
    deleted_at: int | None = None

    def after(self, entry: AccountEntry, at: int) -> FoldedAccount:
        """Return the account after the next entry, written at a time in milliseconds."""
        if (self.deleted_at is not None) != isinstance(entry, MoneyReturned):
            raise NotAllowed(
                "this account was deleted"
                if self.deleted_at is not None
                else "only a deleted account returns its money"
            )
        match entry:
            case AccountOpened():
                raise Refusal("an account is opened once, by the first entry of its log")
            case GuestNamed():
                if self.role != "guest":
                    raise NotAllowed("only a guest can be given a name")
                return FoldedAccount(entry.name, "player", self.opened_at)
            case RoleGiven():
                if self.role == "guest":
                    raise NotAllowed(f"{self.name!r} is a guest without a password; an operator needs an account")
                return FoldedAccount(self.name, entry.role, self.opened_at)
            case BoughtIn():
                owned = entry.had + entry.held
                after = owned + entry.cents
                if owned >= (buy_in_below(after) if entry.below is None else min(entry.below, after)):
                    raise NotAllowed("new money is given to people who own less than a tenth of it, or less than a bet")
                return self
            case AccountDeleted():
                return FoldedAccount(FORMER_PLAYER, "guest", self.opened_at, at)
            case MoneyReturned():
                return self


def buy_in_below(starting_money: int, smallest_bet: int = 0) -> int:
    """Return below which money the bank gives what is missing to the starting money, in whole cents.

    A tenth of the starting money, or the price of the smallest bet where that is more: nobody is too poor to bet and
    too rich for new money. Beyond the starting money nothing is missing.
    """
    return min(starting_money, max(-(-starting_money // _TENTH), smallest_bet))


def account_stream(user: str) -> str:
    """Return the name of an account's stream."""
    return f"account:{user}"


def name_key(user: str, account: FoldedAccount) -> str:
    """Return what no two accounts have in common: their folded name, or, of a deleted one, what no name can be."""
    # Longer than a name may be; the name itself is free again.
    return folded_name(account.name) if account.deleted_at is None else f"deleted account {user}"


def first_state(row: LogRow) -> FoldedAccount:
    """Return the account that the first entry of a log opens."""
    entry = read_account_entry(row.body)
    if not isinstance(entry, AccountOpened):
        raise Refusal("the first entry does not open the account")
    return FoldedAccount(entry.name, entry.role, row.at)


def fold_account(rows: list[LogRow]) -> FoldedAccount:
    """Return an account as its log leaves it."""
    account = first_state(rows[0])
    for row in rows[1:]:
        account = account.after(read_account_entry(row.body), row.at)
    return account


def account_transfers(user: str, entry: AccountEntry) -> tuple[Transfer, ...]:
    """Return the transfers of an entry: the money of a new account, of a buy-in, or of an account that was deleted."""
    if isinstance(entry, MoneyReturned):
        return (Transfer("forfeit", player_account(user), BANK, Money.cents(entry.cents), "a deleted account"),)
    if not isinstance(entry, AccountOpened | BoughtIn) or not entry.cents:
        return ()
    about = "a new account" if isinstance(entry, AccountOpened) else "a buy-in"
    return (Transfer("grant", BANK, player_account(user), Money.cents(entry.cents), about),)


def account_row(
    user: str, entry: AccountEntry, at: int, last: LogRow | None = None, command: tuple[str, str] | None = None
) -> LogRow:
    """Return the row of an account's log that follows the last one; `command`: an id of the user's, and its body."""
    stream, body = account_stream(user), entry.model_dump_json()
    sequence, before = (1, FIRST_HASH) if last is None else (last.sequence + 1, last.hash)
    actor, command_id, request = (None, None, None) if command is None else (user, *command)
    found = entry_hash(before, stream, sequence, at, body, (actor, command_id, request))
    return LogRow(stream, sequence, at, body, actor, command_id, request, found)


def read_account_entry(text: str) -> AccountEntry:
    """Return the entry that `account_row` wrote."""
    return _ADAPTER.validate_json(text)

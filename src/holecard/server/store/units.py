"""What one command appends: log entries, transfers and rows that follow from them; and the statements for it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, Executable, Select, String, Table, and_, bindparam, case, cast, delete, func, select

from holecard.errors import plural
from holecard.server.errors import NotEnoughMoney, SequenceTakenError, ServerRefusal, TooMany, TooMuchMoney
from holecard.server.money.returns import Returned, Returns, Settled, WagerKey, add_up
from holecard.server.money.transfers import Transfer, player_account
from holecard.server.store import schema
from holecard.server.store.chain import LogRow
from holecard.server.store.many_rows import ManyRows, PostgresStatement, Rows, run_together
from holecard.server.store.posting import Balances, Posting, balance_changes


class Limit(NamedTuple):
    """How many rows of something one user may have; they are counted in the transaction that adds one."""

    user: str
    rows: Select[Any]
    most: int
    words: str
    """Why one more is refused: "you hold {}; leave one first"."""
    noun: str
    """What is counted: "seat"."""


class Owned(NamedTuple):
    """What a user must have when a unit is written, in cents; else it is decided again."""

    user: str
    free: int
    held: int
    """Stakes on tables."""


class FinishedRound(NamedTuple):
    """A round that has ended: its row, and who played it. The row gets what each of them has then."""

    row: Mapping[str, Any]
    players: Mapping[int, str]
    """User by seat."""
    accounts: Mapping[int, str]
    """What each seat plays with: the account of its user, or of the user's chips at the table."""


class Unit(NamedTuple):
    """What is appended together. `transfers` are those of each entry, in order."""

    rows: tuple[LogRow, ...]
    transfers: tuple[tuple[Transfer, ...], ...] = ()
    table: Mapping[str, Any] | None = None
    """The row of `tables`, as it is after these entries."""
    inserts: tuple[tuple[Table, Mapping[str, Any]], ...] = ()
    """Other new rows: seeds, users, seats taken, who played a round."""
    freed: tuple[tuple[str, int], ...] = ()
    """Seats that are free now, by table and number."""
    finished: FinishedRound | None = None
    settled: tuple[Settled, ...] = ()
    """What the rounds that ended add to the returns of their wagers."""
    limits: tuple[Limit, ...] = ()
    changes: tuple[Executable, ...] = ()
    """Other rows that change, such as a user's name, and the sessions that end with it."""
    owned: Owned | None = None


class UnitsRefusedError(Exception):
    """Some units of a group cannot be written; the others can, in a new transaction. Never leaves the store."""

    def __init__(self, refused: Mapping[int, Exception]) -> None:
        super().__init__()
        self.refused = refused
        """Why, by the `id` of the unit."""


def _change_table(dialect: Any) -> Any:
    made = dialect.insert(schema.tables)
    fresh = {name: made.excluded[name] for name in ("sequence", "deadline", "closed", "seats")}
    fresh["checkpoint"] = func.coalesce(made.excluded.checkpoint, schema.tables.c.checkpoint)
    return made.on_conflict_do_update(index_elements=["id"], set_=fresh)


def _add_returns(dialect: Any) -> Any:
    made = dialect.insert(schema.returns)
    sums = {name: schema.returns.c[name] + made.excluded[name] for name in ("rounds", "staked", "squares", "net")}
    old, new = schema.returns.c.largest, made.excluded.largest
    largest = {"largest": case((old > new, old), else_=new)}
    return made.on_conflict_do_update(index_elements=["game", "sheet", "wager"], set_={**sums, **largest})


def _change_sitter(dialect: Any) -> Any:
    made = dialect.insert(schema.sitters)
    return made.on_conflict_do_update(index_elements=["table", "seat"], set_={"user": made.excluded.user})


def _add_shoe_players(dialect: Any) -> Any:
    made = dialect.insert(schema.shoe_players)
    latest = {name: made.excluded[name] for name in ("last_round", "at")}
    return made.on_conflict_do_update(index_elements=["user", "table", "shoe"], set_=latest)


def _insert_into(table: Table) -> ManyRows:
    return ManyRows(lambda dialect: dialect.insert(table))


_CHANGE_TABLE = ManyRows(_change_table)
_ADD_RETURNS = ManyRows(_add_returns)
_INSERT = {table: _insert_into(table) for table in schema.metadata.sorted_tables}
#: Many tables have the same sheet; it is stored with the first of them.
_INSERT[schema.sheets] = ManyRows(lambda dialect: dialect.insert(schema.sheets).on_conflict_do_nothing())
#: A seat has one person after the other.
_INSERT[schema.sitters] = ManyRows(_change_sitter)
#: A row for all rounds that somebody plays from a shoe.
_INSERT[schema.shoe_players] = ManyRows(_add_shoe_players)
_FREE_SEAT = delete(schema.seats).where(
    and_(schema.seats.c.table == bindparam("at"), schema.seats.c.seat == bindparam("number"))
)
_NOTIFY = PostgresStatement(
    "SELECT pg_notify('holecard', (new ->> 0) || ' ' || (new ->> 1)) {rows}", "stream", "sequence"
)


def write_units(connection: Connection, units: Sequence[Unit], known: set[str]) -> Balances:
    """Write units, and return the balances that they have changed; `known` accounts have a balance already.

    Where money or a limit does not allow some of them, raise UnitsRefusedError, which names them all.
    """
    # Everybody writes in the same order, so that two processes never wait for each other.
    ordered = sorted(units, key=lambda unit: unit.rows[0][:2])
    _lock_users(connection, ordered)
    if freed := [{"at": table_id, "number": seat} for unit in ordered for table_id, seat in unit.freed]:
        connection.execute(_FREE_SEAT, freed)
    for change in (change for unit in ordered for change in unit.changes):
        connection.execute(change)
    moved = [row for unit in ordered for row in transfer_rows(unit.rows, unit.transfers)]
    new: list[tuple[ManyRows, Rows]] = [(_INSERT[table], rows) for table, rows in _other_rows(ordered).items()]
    new.append((_INSERT[schema.log], [row._asdict() for unit in ordered for row in unit.rows]))
    new.append((_INSERT[schema.transfers], moved))
    new.append((_CHANGE_TABLE, [unit.table for unit in ordered if unit.table is not None]))
    run_together(connection, new)
    # Before the money: a unit that a limit refuses takes none from the others.
    _check_limits(connection, units)
    balances, rounds, changed = _post(connection, ordered, known)
    last = balance_changes(connection, changed)
    last.append((_INSERT[schema.rounds], rounds))
    # Last, because every process that deals the same game waits for these rows.
    last.append((_ADD_RETURNS, _return_rows(ordered)))
    if connection.dialect.name == "postgresql":
        last.append((_NOTIFY, [unit.rows[-1]._asdict() for unit in ordered]))
    run_together(connection, last)
    return balances


def _lock_users(connection: Connection, units: Sequence[Unit]) -> None:
    """Let nobody else count the rows of these users before the end of the transaction; SQLite has one writer anyway."""
    users = sorted({limit.user for unit in units for limit in unit.limits})
    if users:
        rows = select(schema.users.c.id).where(schema.users.c.id.in_(users)).order_by(schema.users.c.id)
        connection.execute(rows.with_for_update())


def _check_limits(connection: Connection, units: Sequence[Unit]) -> None:
    """Refuse the units that came last where users have too many rows after all of them."""
    asked = [(unit, limit, (limit.user, limit.noun)) for unit in units for limit in unit.limits]
    added = Counter(key for _, _, key in asked)
    found: dict[tuple[str, str], int] = {}
    words: dict[tuple[str, str], str] = {}
    refused: dict[int, ServerRefusal] = {}
    for unit, limit, key in reversed(asked):
        if key not in found:
            counted = select(func.count()).select_from(limit.rows.subquery())
            found[key] = connection.execute(counted).scalar_one()
            held = max(limit.most, found[key] - added[key])
            words[key] = limit.words.format(plural(held, limit.noun))
        if found[key] > limit.most:
            found[key] -= 1
            refused[id(unit)] = TooMany(words[key])
    if refused:
        raise UnitsRefusedError(refused)


def _other_rows(units: Sequence[Unit]) -> dict[Table, list[Mapping[str, Any]]]:
    found: dict[Table, list[Mapping[str, Any]]] = {}
    for unit in units:
        for table, row in unit.inserts:
            found.setdefault(table, []).append(row)
    return found


def _return_rows(units: Sequence[Unit]) -> list[dict[str, Any]]:
    """Return what to add to each wager, in the order of their keys so that two processes never wait for each other."""
    returns: Returns = {}
    for unit in units:
        add_up(unit.settled, returns)
    return [_return_row(key, returns[key]) for key in sorted(returns)]


def _return_row(key: WagerKey, returned: Returned) -> dict[str, Any]:
    numbers = {"rounds": returned.rounds, "staked": returned.staked, "squares": float(returned.squares)}
    return {**key._asdict(), **numbers, "net": returned.net, "largest": returned.largest}


def transfer_rows(rows: Sequence[LogRow], transfers: Sequence[Sequence[Transfer]]) -> list[dict[str, Any]]:
    """Return the rows of `transfers` for entries, each with the transfers that it causes."""
    return [
        {
            "stream": row.stream,
            "sequence": row.sequence,
            "place": place,
            "kind": transfer.kind,
            "source": transfer.source,
            "target": transfer.target,
            "amount": int(transfer.amount),
            "about": transfer.about,
        }
        for row, moved in zip(rows, transfers, strict=True)
        for place, transfer in enumerate(moved)
    ]


def _post(
    connection: Connection, units: Sequence[Unit], known: set[str]
) -> tuple[Balances, list[dict[str, Any]], dict[str, int]]:
    """Post one unit after the other; return the balances, the rows of finished rounds, and what changed balances."""
    accounts = {account for unit in units for account in _accounts(unit)}
    if not accounts:
        return {}, [], {}
    posting = Posting(connection, accounts, known)
    rounds = []
    refused: dict[int, Exception] = {}
    for unit in units:
        if unit.owned is not None and not _still_has(connection, unit.owned, posting.balances):
            refused[id(unit)] = SequenceTakenError()
            continue
        try:
            posting.post(transfer for moved in unit.transfers for transfer in moved)
        except (NotEnoughMoney, TooMuchMoney) as error:
            refused[id(unit)] = error
            continue
        if unit.finished is not None:
            left = {seat: posting.balances[account] for seat, account in unit.finished.accounts.items()}
            rounds.append({**unit.finished.row, "balances": json.dumps(left)})
    if refused:
        raise UnitsRefusedError(refused)
    return posting.balances, rounds, posting.changes


def held_by(user: str) -> Select[Any]:
    """Return the query for what all seats of a user have on tables together, in cents."""
    sitter, amount = schema.sitters.c, schema.balances.c.amount
    account = "held:" + sitter.table + ":" + cast(sitter.seat, String)
    held = select(func.coalesce(func.sum(amount), 0).label("held")).select_from(schema.sitters)
    return held.join(schema.balances, schema.balances.c.account == account).where(sitter.user == user)


def _still_has(connection: Connection, owned: Owned, balances: Balances) -> bool:
    """Return whether a user has what a unit was decided by.

    The account is locked: until the end of this transaction nobody moves money between it and a seat. Units of accounts
    come first, so nothing else of this transaction has changed what is held.
    """
    held = int(connection.execute(held_by(owned.user)).scalar_one())
    return (balances[player_account(owned.user)], held) == (owned.free, owned.held)


def _accounts(unit: Unit) -> Iterator[str]:
    """Yield the accounts that a unit changes, and those of the players whose round it finishes."""
    for transfer in (transfer for moved in unit.transfers for transfer in moved):
        yield transfer.source
        yield transfer.target
    if unit.finished is not None:
        yield from unit.finished.accounts.values()

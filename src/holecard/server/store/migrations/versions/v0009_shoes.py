"""Where each shoe begins and ends in its log, who played from it, and what each round settled for each person.

Rows are made from the logs and the records, some thousands at a time. All of it is one transaction: an update that was
interrupted has changed nothing, and begins again.
"""

import json
from collections.abc import Iterator
from typing import Any

import sqlalchemy as sa
import structlog
from alembic import op

from holecard.errors import Refusal
from holecard.server.money.returns import settled_by_seat
from holecard.sheets.read import from_data
from holecard.table.notation.moves import read_bet
from holecard.table.records.record import read_record

revision = "0009"
down_revision = "0008"

_PAGE = 5_000
_log = structlog.get_logger("holecard.server")
_ENTRIES = sa.text(
    "SELECT sequence, body FROM log WHERE stream = :stream AND sequence > :after ORDER BY sequence LIMIT :page"
)
_ROUNDS = sa.text(
    'SELECT "table", number, at, sheet, record, players FROM rounds'
    ' WHERE ("table", number) > (:table, :number) ORDER BY "table", number LIMIT :page'
)
_ENDS = sa.text('SELECT sequence FROM rounds WHERE "table" = :table')
_PLAYED_SHOES = sa.text(
    'INSERT INTO shoe_players ("user", "table", shoe, first_round, last_round, at)'
    ' SELECT played."user", played."table", rounds.shoe, min(played.number), max(played.number), max(played.at)'
    " FROM old_round_players AS played"
    ' JOIN rounds ON rounds."table" = played."table" AND rounds.number = played.number'
    ' GROUP BY played."user", played."table", rounds.shoe'
)


def upgrade() -> None:
    """Create the tables and fill them. Nobody may play meanwhile."""
    shoes, revealed = _create_tables()
    connection = op.get_bind()
    tables = connection.execute(sa.text("SELECT id FROM tables ORDER BY opened_at, id")).scalars().all()
    for number, table_id in enumerate(tables, start=1):
        rows = _readable(_shoe_rows(connection, table_id), table_id)
        _insert(connection, shoes, [row for row in rows if "start" in row])
        _insert(connection, revealed, [row for row in rows if "start" not in row])
        if number % 1000 == 0 or number == len(tables):
            _log.info("the database is updated", shoes_of_tables=number, of=len(tables))
    connection.execute(_PLAYED_SHOES)
    _fill_round_players(connection)
    op.drop_table("old_round_players")
    op.create_index("round_players_by_time", "round_players", ["user", "at", "number", "table"])
    op.create_index("round_players_by_sheet", "round_players", ["user", "sheet", "at", "number", "table"])


def _create_tables() -> tuple[sa.Table, sa.Table]:
    """Create the tables; return those of shoes, and of shoes that have ended."""
    shoes = op.create_table(
        "shoe_starts",
        sa.Column("shoe", sa.String(40), primary_key=True),
        sa.Column("table", sa.String(40), nullable=False),
        sa.Column("sequence", sa.Integer, nullable=False),
        sa.Column("start", sa.Text),
    )
    op.create_index("shoe_starts_by_table", "shoe_starts", ["table", "sequence"])
    revealed = op.create_table(
        "revealed_shoes",
        sa.Column("shoe", sa.String(40), primary_key=True),
        sa.Column("table", sa.String(40), nullable=False),
        sa.Column("sequence", sa.Integer, nullable=False),
    )
    op.create_table(
        "shoe_players",
        sa.Column("user", sa.String(40), primary_key=True),
        sa.Column("table", sa.String(40), primary_key=True),
        sa.Column("shoe", sa.String(40), primary_key=True),
        sa.Column("first_round", sa.Integer, nullable=False),
        sa.Column("last_round", sa.Integer, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
    )
    op.create_index("shoe_players_by_time", "shoe_players", ["user", "at"])
    op.drop_index("round_players_by_time", "round_players")
    op.rename_table("round_players", "old_round_players")
    return shoes, revealed


def _readable(rows: Iterator[dict[str, Any]], table_id: str) -> list[dict[str, Any]]:
    """Return rows up to the first entry that cannot be read; the audit names it, and the server starts without it."""
    found = []
    try:
        for row in rows:
            found.append(row)
    except (ValueError, KeyError, TypeError, Refusal) as error:
        _log.error("the log of a table is damaged", table=table_id, error=type(error).__name__)
    return found


def _shoe_rows(connection: sa.Connection, table_id: str) -> Iterator[dict[str, Any]]:
    """Yield a row for each shoe that begins and for each that ends, without dealing the rounds again."""
    ends = set(connection.execute(_ENDS, {"table": table_id}).scalars())
    seats: dict[int, tuple[str, str]] = {}
    players: dict[int, str] = {}
    bets: set[int] = set()
    rounds, is_dealt = 0, False
    for sequence, body in _bodies(connection, f"table:{table_id}"):
        entry = json.loads(body)
        place = {"shoe": entry.get("shoe"), "table": table_id, "sequence": sequence}
        match entry["kind"]:
            case "seat taken":
                seats[entry["seat"]] = (entry["user"], entry["name"])
                players[entry["seat"]] = entry["user"]
            case "seat left":
                seats.pop(entry["seat"], None)
                bets.discard(entry["seat"])
            case "bet withdrawn":
                bets.discard(entry["seat"])
            case "moved" if entry["move"] == "no more bets":
                rounds, is_dealt, bets = rounds + 1, True, set()
            case "moved" if not is_dealt:
                bets.add(read_bet(entry["move"]).seat)
            case "shoe committed":
                found = {
                    "rounds": rounds,
                    "seats": dict(sorted(seats.items())),
                    "players": dict(sorted(players.items())),
                }
                yield {**place, "start": None if bets else _json(found)}
            case "shoe revealed":
                yield place
        if sequence in ends or entry["kind"] == "round voided":
            is_dealt = False


def _bodies(connection: sa.Connection, stream: str) -> Iterator[tuple[int, str]]:
    """Yield the entries of a log with their numbers."""
    after = 0
    while rows := connection.execute(_ENTRIES, {"stream": stream, "after": after, "page": _PAGE}).all():
        yield from map(tuple, rows)
        after = rows[-1].sequence
        if after % 100_000 < _PAGE and after >= _PAGE:
            _log.info("the database is updated", log=stream, entries=after)


def _fill_round_players(connection: sa.Connection) -> None:
    """Make the rows of who played which round again, with the sheet and what was settled."""
    played = op.create_table(
        "round_players",
        sa.Column("user", sa.String(40), primary_key=True),
        sa.Column("table", sa.String(40), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("sheet", sa.String(64), nullable=False),
        sa.Column("wagers", sa.Text, nullable=False),
    )
    companions: dict[str, bool] = {}
    place, done = {"table": "", "number": 0}, 0
    while rounds := connection.execute(_ROUNDS, {**place, "page": _PAGE}).mappings().all():
        _insert(connection, played, [row for found in rounds for row in _player_rows(connection, found, companions)])
        place, done = {name: rounds[-1][name] for name in place}, done + len(rounds)
        _log.info("the database is updated", rounds=done)


def _player_rows(
    connection: sa.Connection, found: sa.RowMapping, companions: dict[str, bool]
) -> Iterator[dict[str, Any]]:
    """Yield a row for each person who played a round."""
    sheet = found["sheet"]
    if sheet not in companions:
        content = connection.execute(sa.text("SELECT content FROM sheets WHERE hash = :hash"), {"hash": sheet})
        companions[sheet] = from_data(json.loads(content.scalar_one()), "the stored sheet").tables.has_companion
    players = {int(seat): user for seat, user in json.loads(found["players"]).items()}
    try:
        record = read_record(found["record"])
        wagers = list(settled_by_seat(map(read_bet, record.bets), record.paid, has_companion=companions[sheet]))
    except Refusal:  # a damaged record, which the audit names
        wagers = []
    for user in sorted(set(players.values())):
        own = [list(one) for one in wagers if players.get(one.seat) == user]
        same = {name: found[name] for name in ("table", "number", "at", "sheet")}
        yield {"user": user, **same, "wagers": json.dumps(own, separators=(",", ":"))}


def _json(found: object) -> str:
    return json.dumps(found, separators=(",", ":"), ensure_ascii=False)


def _insert(connection: sa.Connection, table: sa.Table, rows: list[dict[str, Any]]) -> None:
    for first in range(0, len(rows), _PAGE):
        connection.execute(sa.insert(table), rows[first : first + _PAGE])

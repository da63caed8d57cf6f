"""The database's tables. The log and the ledger only ever grow; `balances`, `tables`, `rounds` and `returns`
follow from them."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    false,
)

metadata = MetaData()

#: Rule sheets by the SHA-256 of their content, so that a log can be folded after a sheet's file has changed.
sheets = Table(
    "sheets", metadata, Column("hash", String(64), primary_key=True), Column("content", Text, nullable=False)
)

#: Every stream's entries. A stream is a table ("table:…"), an account ("account:…") or the operators' orders.
log = Table(
    "log",
    metadata,
    Column("stream", String(80), primary_key=True),
    Column("sequence", Integer, primary_key=True, autoincrement=False),
    Column("at", BigInteger, nullable=False),
    Column("body", Text, nullable=False),
    Column("actor", String(40)),
    Column("command", String(64)),
    Column("request", String(64)),
    Column("hash", String(64), nullable=False),
    UniqueConstraint("actor", "command", name="one_effect_per_command"),
)

#: Double entry: each transfer takes its amount from one account and gives it to another.
transfers = Table(
    "transfers",
    metadata,
    Column("stream", String(80), primary_key=True),
    Column("sequence", Integer, primary_key=True, autoincrement=False),
    Column("place", Integer, primary_key=True, autoincrement=False),
    Column("kind", String(10), nullable=False),
    Column("source", String(80), nullable=False),
    Column("target", String(80), nullable=False),
    Column("amount", BigInteger, nullable=False),
    Column("about", Text, nullable=False),
    CheckConstraint("amount > 0", name="transfers_are_positive"),
)

balances = Table(
    "balances",
    metadata,
    Column("account", String(80), primary_key=True),
    Column("amount", BigInteger, nullable=False),
    CheckConstraint(
        "amount >= 0 OR NOT (account LIKE 'player:%' OR account LIKE 'chips:%' OR account LIKE 'held:%')",
        name="no_overdraft",
    ),
)

#: One row per table for the lobby and the clock; rewritten with every entry.
tables = Table(
    "tables",
    metadata,
    Column("id", String(40), primary_key=True),
    Column("game", String(200), nullable=False),
    Column("title", String(200), nullable=False),
    Column("sheet", String(64), ForeignKey("sheets.hash"), nullable=False),
    Column("opened_by", String(40), nullable=False),
    Column("opened_at", BigInteger, nullable=False),
    Column("sequence", Integer, nullable=False),
    Column("deadline", BigInteger),
    Column("closed", Boolean, nullable=False),
    Column("places", Integer, nullable=False),
    Column("seats", Text, nullable=False),
    Column("checkpoint", Text),
    #: Whether the lobby leaves it out; the id of such a table is known to those who have its link.
    Column("private", Boolean, nullable=False, server_default=false()),
)
Index("tables_by_deadline", tables.c.closed, tables.c.deadline)

#: Who sits where now, so that the seats of a user can be counted over all tables.
seats = Table(
    "seats",
    metadata,
    Column("table", String(40), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("user", String(40), nullable=False),
)
Index("seats_by_user", seats.c.user)

#: Who took each seat of an open table last. What is held for it is this person's, also after leaving it in a round.
#: Tables with their own chips are left out: what is held there is nobody's money.
sitters = Table(
    "sitters",
    metadata,
    Column("table", String(40), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("user", String(40), nullable=False),
)
Index("sitters_by_user", sitters.c.user)

#: What the wagers of a sheet return in theory, computed once per sheet.
theories = Table(
    "theories", metadata, Column("sheet", String(64), primary_key=True), Column("content", Text, nullable=False)
)

#: What every wager has staked and won since the first round, in cents; rounds of all processes are added here.
returns = Table(
    "returns",
    metadata,
    Column("game", String(200), primary_key=True),
    Column("sheet", String(64), primary_key=True),
    Column("wager", String(100), primary_key=True),
    Column("rounds", BigInteger, nullable=False),
    Column("staked", BigInteger, nullable=False),
    Column("squares", Double, nullable=False),
    Column("net", BigInteger, nullable=False),
    Column("largest", BigInteger, nullable=False),
)

#: Secret until the shoe is revealed in the log.
shoe_seeds = Table(
    "shoe_seeds",
    metadata,
    Column("shoe", String(40), primary_key=True),
    Column("table", String(40), nullable=False),
    Column("seed", LargeBinary, nullable=False),
)

#: Finished rounds, as records that replay.
rounds = Table(
    "rounds",
    metadata,
    Column("table", String(40), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("sequence", Integer, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("shoe", String(40), nullable=False),
    Column("sheet", String(64), nullable=False),
    Column("version", String(20), nullable=False),
    Column("record", Text, nullable=False),
    Column("players", Text, nullable=False),
    #: By seat, the free money of its player after the round, in cents; rounds of older versions have none.
    Column("balances", Text),
)

round_players = Table(
    "round_players",
    metadata,
    Column("user", String(40), primary_key=True),
    Column("table", String(40), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("at", BigInteger, nullable=False),
    Column("sheet", String(64), nullable=False),
    #: What was settled for this person: a list of seat, wager, stake and net, as JSON.
    Column("wagers", Text, nullable=False),
)
_played = round_players.c
Index("round_players_by_time", _played.user, _played.at, _played.number, _played.table)
Index("round_players_by_sheet", _played.user, _played.sheet, _played.at, _played.number, _played.table)

#: Where in its table's log each shoe begins, so that its rounds are read without the entries before.
shoe_starts = Table(
    "shoe_starts",
    metadata,
    Column("shoe", String(40), primary_key=True),
    Column("table", String(40), nullable=False),
    #: The number of the entry that commits the table to it.
    Column("sequence", Integer, nullable=False),
    #: What the entries before left, as JSON; null where bets lay on the table, so that a fold begins further back.
    Column("start", Text),
)
Index("shoe_starts_by_table", shoe_starts.c.table, shoe_starts.c.sequence)

#: Shoes that have ended, so that their seeds are public, and the number of the entry that says so.
revealed_shoes = Table(
    "revealed_shoes",
    metadata,
    Column("shoe", String(40), primary_key=True),
    Column("table", String(40), nullable=False),
    Column("sequence", Integer, nullable=False),
)

#: Who has played which rounds of a shoe, with the time of the last.
shoe_players = Table(
    "shoe_players",
    metadata,
    Column("user", String(40), primary_key=True),
    Column("table", String(40), primary_key=True),
    Column("shoe", String(40), primary_key=True),
    Column("first_round", Integer, nullable=False),
    Column("last_round", Integer, nullable=False),
    Column("at", BigInteger, nullable=False),
)
Index("shoe_players_by_time", shoe_players.c.user, shoe_players.c.at)

users = Table(
    "users",
    metadata,
    Column("id", String(40), primary_key=True),
    Column("name", String(40), nullable=False),
    Column("folded_name", String(40), nullable=False, unique=True),
    Column("password", String(200)),
    Column("role", String(10), nullable=False),
    Column("created_at", BigInteger, nullable=False),
    #: Null while the account exists; the row of one that was deleted has no name and no password.
    Column("deleted_at", BigInteger),
)
Index("users_by_deletion", users.c.deleted_at)

sessions = Table(
    "sessions",
    metadata,
    Column("token", String(64), primary_key=True),
    Column("user", String(40), ForeignKey("users.id"), nullable=False),
    Column("expires_at", BigInteger, nullable=False),
    #: Null for sessions that began before it was kept.
    Column("created_at", BigInteger),
    #: To the hour, so that a message costs no write.
    Column("used_at", BigInteger, nullable=False, server_default="0"),
    #: The family of the browser, such as "Firefox"; null for other programs.
    Column("browser", String(20)),
)
Index("sessions_by_user", sessions.c.user)

#: Requests for a guest or an account, by the hash of the secret id that the client made; kept for some minutes.
arrivals = Table(
    "arrivals",
    metadata,
    Column("key", String(64), primary_key=True),
    Column("user", String(40), nullable=False),
    Column("at", BigInteger, nullable=False),
)

#: Failed sign-ins by name and by address; the wait doubles with each.
sign_ins = Table(
    "sign_ins",
    metadata,
    Column("key", String(80), primary_key=True),
    Column("failures", Integer, nullable=False),
    Column("locked_until", BigInteger, nullable=False),
)

#: Computations that wait, run or have ended; dropped after a day.
jobs = Table(
    "jobs",
    metadata,
    Column("id", String(40), primary_key=True),
    Column("user", String(40), nullable=False),
    Column("what", String(20), nullable=False),
    Column("request", Text),
    Column("state", String(10), nullable=False),
    Column("stage", String(100)),
    Column("share", Double, nullable=False),
    Column("runner", String(16)),
    Column("begun_at", BigInteger, nullable=False),
    Column("started_at", BigInteger),
    Column("seen_at", BigInteger),
    Column("ended_at", BigInteger),
    Column("result", Text),
    Column("code", String(40)),
    Column("message", Text),
)
Index("jobs_by_state", jobs.c.state)
Index("jobs_by_user", jobs.c.user)

#: What people have learned in drills: a document for each person and rule sheet.
drills = Table(
    "drills",
    metadata,
    Column("user", String(40), primary_key=True),
    Column("sheet", String(64), primary_key=True),
    Column("answered", Integer, nullable=False),
    Column("document", Text, nullable=False),
    Column("changed_at", BigInteger, nullable=False),
)

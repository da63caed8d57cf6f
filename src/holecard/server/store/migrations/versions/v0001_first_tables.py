"""The first tables: log, ledger, tables, rounds, accounts."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Create every table. A migration spells its columns out: the schema of today may look different tomorrow."""
    op.create_table(
        "sheets", sa.Column("hash", sa.String(64), primary_key=True), sa.Column("content", sa.Text, nullable=False)
    )
    op.create_table(
        "log",
        sa.Column("stream", sa.String(80), primary_key=True),
        sa.Column("sequence", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("actor", sa.String(40)),
        sa.Column("command", sa.String(64)),
        sa.Column("request", sa.String(64)),
        sa.Column("hash", sa.String(64), nullable=False),
        sa.UniqueConstraint("actor", "command", name="one_effect_per_command"),
    )
    op.create_table(
        "transfers",
        sa.Column("stream", sa.String(80), primary_key=True),
        sa.Column("sequence", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("place", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("kind", sa.String(10), nullable=False),
        sa.Column("source", sa.String(80), nullable=False),
        sa.Column("target", sa.String(80), nullable=False),
        sa.Column("amount", sa.BigInteger, nullable=False),
        sa.Column("about", sa.Text, nullable=False),
        sa.CheckConstraint("amount > 0", name="transfers_are_positive"),
    )
    op.create_index("transfers_by_source", "transfers", ["source"])
    op.create_index("transfers_by_target", "transfers", ["target"])
    op.create_table(
        "balances",
        sa.Column("account", sa.String(80), primary_key=True),
        sa.Column("amount", sa.BigInteger, nullable=False),
        sa.CheckConstraint(
            "amount >= 0 OR NOT (account LIKE 'player:%' OR account LIKE 'held:%')", name="no_overdraft"
        ),
    )
    op.create_table(
        "tables",
        sa.Column("id", sa.String(40), primary_key=True),
        sa.Column("game", sa.String(200), nullable=False),
        sa.Column("title", sa.String(200), nullable=False),
        sa.Column("sheet", sa.String(64), sa.ForeignKey("sheets.hash"), nullable=False),
        sa.Column("opened_by", sa.String(40), nullable=False),
        sa.Column("opened_at", sa.BigInteger, nullable=False),
        sa.Column("sequence", sa.Integer, nullable=False),
        sa.Column("deadline", sa.BigInteger),
        sa.Column("closed", sa.Boolean, nullable=False),
        sa.Column("places", sa.Integer, nullable=False),
        sa.Column("seats", sa.Text, nullable=False),
        sa.Column("checkpoint", sa.Text),
    )
    op.create_index("tables_by_deadline", "tables", ["closed", "deadline"])
    op.create_table(
        "seats",
        sa.Column("table", sa.String(40), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("user", sa.String(40), nullable=False),
    )
    op.create_index("seats_by_user", "seats", ["user"])
    op.create_table(
        "theories", sa.Column("sheet", sa.String(64), primary_key=True), sa.Column("content", sa.Text, nullable=False)
    )
    op.create_table(
        "shoe_seeds",
        sa.Column("shoe", sa.String(40), primary_key=True),
        sa.Column("table", sa.String(40), nullable=False),
        sa.Column("seed", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "rounds",
        sa.Column("table", sa.String(40), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("sequence", sa.Integer, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("shoe", sa.String(40), nullable=False),
        sa.Column("sheet", sa.String(64), nullable=False),
        sa.Column("version", sa.String(20), nullable=False),
        sa.Column("record", sa.Text, nullable=False),
        sa.Column("players", sa.Text, nullable=False),
    )
    op.create_table(
        "round_players",
        sa.Column("user", sa.String(40), primary_key=True),
        sa.Column("table", sa.String(40), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("at", sa.BigInteger, nullable=False),
    )
    op.create_index("round_players_by_time", "round_players", ["user", "at"])
    op.create_table(
        "users",
        sa.Column("id", sa.String(40), primary_key=True),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("folded_name", sa.String(40), nullable=False, unique=True),
        sa.Column("password", sa.String(200)),
        sa.Column("role", sa.String(10), nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "sessions",
        sa.Column("token", sa.String(64), primary_key=True),
        sa.Column("user", sa.String(40), sa.ForeignKey("users.id"), nullable=False),
        sa.Column("expires_at", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "sign_ins",
        sa.Column("key", sa.String(80), primary_key=True),
        sa.Column("failures", sa.Integer, nullable=False),
        sa.Column("locked_until", sa.BigInteger, nullable=False),
    )

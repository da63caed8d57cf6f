"""When sessions began and were used, accounts that were deleted, and ids of requests for new accounts."""

import time

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    """Add the columns and the table; sessions that exist count as used now, so that none of them ends at once."""
    op.add_column("users", sa.Column("deleted_at", sa.BigInteger))
    op.create_index("users_by_deletion", "users", ["deleted_at"])
    op.add_column("sessions", sa.Column("created_at", sa.BigInteger))
    op.add_column("sessions", sa.Column("used_at", sa.BigInteger, nullable=False, server_default="0"))
    op.add_column("sessions", sa.Column("browser", sa.String(20)))
    sessions = sa.table("sessions", sa.column("used_at", sa.BigInteger))
    op.execute(sessions.update().values(used_at=time.time_ns() // 1_000_000))
    op.create_table(
        "arrivals",
        sa.Column("key", sa.String(64), primary_key=True),
        sa.Column("user", sa.String(40), nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
    )

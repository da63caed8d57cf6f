"""Computations of designers, which every process of the server can show and cancel."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Create the table of jobs."""
    op.create_table(
        "jobs",
        sa.Column("id", sa.String(40), primary_key=True),
        sa.Column("user", sa.String(40), nullable=False),
        sa.Column("what", sa.String(20), nullable=False),
        sa.Column("request", sa.Text),
        sa.Column("state", sa.String(10), nullable=False),
        sa.Column("stage", sa.String(100)),
        sa.Column("share", sa.Double, nullable=False),
        sa.Column("runner", sa.String(16)),
        sa.Column("begun_at", sa.BigInteger, nullable=False),
        sa.Column("started_at", sa.BigInteger),
        sa.Column("seen_at", sa.BigInteger),
        sa.Column("ended_at", sa.BigInteger),
        sa.Column("result", sa.Text),
        sa.Column("code", sa.String(40)),
        sa.Column("message", sa.Text),
    )
    op.create_index("jobs_by_state", "jobs", ["state"])
    op.create_index("jobs_by_user", "jobs", ["user"])

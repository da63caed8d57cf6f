"""What people have learned in drills, for each rule sheet."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Create the table of drills."""
    op.create_table(
        "drills",
        sa.Column("user", sa.String(40), primary_key=True),
        sa.Column("sheet", sa.String(64), primary_key=True),
        sa.Column("answered", sa.Integer, nullable=False),
        sa.Column("document", sa.Text, nullable=False),
        sa.Column("changed_at", sa.BigInteger, nullable=False),
    )

"""Private tables, which the lobby leaves out."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    """Add the column; all tables so far are public."""
    column = sa.Column("private", sa.Boolean, nullable=False, server_default=sa.false())
    op.add_column("tables", column)

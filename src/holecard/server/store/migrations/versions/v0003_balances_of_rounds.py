"""Balances of rounds: what each player has after a round."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Add the column; older rounds have no balances."""
    op.add_column("rounds", sa.Column("balances", sa.Text))

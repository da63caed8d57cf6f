"""Theories that know how fixed payouts depend on the stake."""

from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Forget the theories: they say now what does not depend on the stake, and are computed again."""
    op.execute("DELETE FROM theories")

"""An index of sessions by user: a guest who takes a name ends all sessions of that guest."""

from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Create the index."""
    op.create_index("sessions_by_user", "sessions", ["user"], if_not_exists=True)

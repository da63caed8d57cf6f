"""No indexes of transfers by account: nothing reads them, and every transfer would have to write them."""

from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Drop the indexes."""
    for name in ("transfers_by_source", "transfers_by_target"):
        op.drop_index(name, "transfers", if_exists=True)

"""Who took each seat last, so that a buy-in counts what is held for a person's seats."""

import json

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Create the table, and fill it with the last person of each seat from the logs of open tables."""
    made = op.create_table(
        "sitters",
        sa.Column("table", sa.String(40), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("user", sa.String(40), nullable=False),
    )
    op.create_index("sitters_by_user", "sitters", ["user"])
    query = (
        "SELECT stream, body FROM log JOIN tables ON stream = 'table:' || tables.id "
        """WHERE NOT tables.closed AND body LIKE '{"kind":"seat taken"%' ORDER BY stream, log.sequence"""
    )
    last: dict[tuple[str, int], str] = {}
    for stream, body in op.get_bind().exec_driver_sql(query):
        entry = json.loads(body)
        last[stream.removeprefix("table:"), entry["seat"]] = entry["user"]
    if last:
        op.bulk_insert(made, [{"table": table, "seat": seat, "user": user} for (table, seat), user in last.items()])

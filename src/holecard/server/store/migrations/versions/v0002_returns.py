"""What every wager has returned, in a table; it is filled from the logs of all tables."""

import json

import sqlalchemy as sa
from alembic import op

from holecard.server.game.entries import TableOpened, read_entry
from holecard.server.game.folded_table import FoldedTable
from holecard.server.money.returns import Returns, add_up, settled
from holecard.sheets.read import from_data
from holecard.sheets.schema import RuleSheet

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Create the table, and add up the rounds that are stored. Nobody may play meanwhile."""
    op.execute("DELETE FROM theories")  # they have one more number now, and are computed again
    made = op.create_table(
        "returns",
        sa.Column("game", sa.String(200), primary_key=True),
        sa.Column("sheet", sa.String(64), primary_key=True),
        sa.Column("wager", sa.String(100), primary_key=True),
        sa.Column("rounds", sa.BigInteger, nullable=False),
        sa.Column("staked", sa.BigInteger, nullable=False),
        sa.Column("squares", sa.Double, nullable=False),
        sa.Column("net", sa.BigInteger, nullable=False),
        sa.Column("largest", sa.BigInteger, nullable=False),
    )
    rows = [
        {
            **key._asdict(),
            "rounds": returned.rounds,
            "staked": returned.staked,
            "squares": float(returned.squares),
            "net": returned.net,
            "largest": returned.largest,
        }
        for key, returned in _stored_returns(op.get_bind()).items()
    ]
    if rows:
        op.bulk_insert(made, rows)


def _stored_returns(connection: sa.Connection) -> Returns:
    """Return what the rounds in the logs add up to; one log is in memory at a time."""
    returns: Returns = {}
    sheets: dict[str, RuleSheet] = {}
    entries = sa.text("SELECT at, body FROM log WHERE stream = :stream ORDER BY sequence")
    for table_id, sheet in connection.execute(sa.text("SELECT id, sheet FROM tables")).all():
        if sheet not in sheets:
            content = connection.execute(sa.text("SELECT content FROM sheets WHERE hash = :hash"), {"hash": sheet})
            sheets[sheet] = from_data(json.loads(content.scalar_one()), "the stored sheet")
        rows = iter(connection.execute(entries, {"stream": f"table:{table_id}"}).all())
        first = next(rows)
        opened = read_entry(first.body)
        assert isinstance(opened, TableOpened)
        table = FoldedTable(opened, sheets[sheet], first.at)
        for row in rows:
            table.apply(read_entry(row.body), row.at)
            if table.has_just_finished:
                add_up(settled(table), returns)
    return returns

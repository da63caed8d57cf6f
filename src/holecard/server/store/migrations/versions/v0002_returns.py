"""What every wager has returned, in a table; it is filled from the records of all rounds."""

import json

import sqlalchemy as sa
from alembic import op

from holecard.server.money.returns import Returns, add_up, settlements
from holecard.sheets.read import from_data
from holecard.sheets.tables import Tables
from holecard.table.notation.moves import read_bet
from holecard.table.records.record import read_record

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Create the table, and count the rounds that are stored. Nobody may play meanwhile."""
    made = op.create_table(
        "returns",
        sa.Column("game", sa.String(200), primary_key=True),
        sa.Column("sheet", sa.String(64), primary_key=True),
        sa.Column("wager", sa.String(100), primary_key=True),
        sa.Column("rounds", sa.BigInteger, nullable=False),
        sa.Column("staked", sa.BigInteger, nullable=False),
        sa.Column("squares", sa.Double, nullable=False),
        sa.Column("net", sa.BigInteger, nullable=False),
    )
    rows = [
        {
            **key._asdict(),
            "rounds": returned.rounds,
            "staked": returned.staked,
            "squares": float(returned.squares),
            "net": returned.net,
        }
        for key, returned in _stored_returns(op.get_bind()).items()
    ]
    if rows:
        op.bulk_insert(made, rows)


def _stored_returns(connection: sa.Connection) -> Returns:
    """Return what the stored rounds add up to, read table by table."""
    returns: Returns = {}
    sheets = {row.hash: row.content for row in connection.execute(sa.text("SELECT hash, content FROM sheets"))}
    compiled: dict[str, Tables] = {}
    records = sa.text('SELECT record FROM rounds WHERE "table" = :id ORDER BY number')
    for table in connection.execute(sa.text("SELECT id, game, sheet FROM tables")).all():
        for (text,) in connection.execute(records, {"id": table.id}):
            if table.sheet not in compiled:
                compiled[table.sheet] = from_data(json.loads(sheets[table.sheet]), "the stored sheet").tables
            record = read_record(text)
            bets = map(read_bet, record.bets)
            add_up(settlements(table.game, table.sheet, compiled[table.sheet], bets, record.paid), returns)
    return returns

"""Chips of a table, which never go below zero either."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"

_NO_OVERDRAFT = "amount >= 0 OR NOT (account LIKE 'player:%' OR account LIKE 'chips:%' OR account LIKE 'held:%')"


def upgrade() -> None:
    """Put the accounts of chips under the constraint of balances; SQLite can only make the table again."""
    if op.get_bind().dialect.name != "sqlite":
        op.drop_constraint("no_overdraft", "balances")
        op.create_check_constraint("no_overdraft", "balances", sa.text(_NO_OVERDRAFT))
        return
    op.rename_table("balances", "old_balances")
    op.create_table(
        "balances",
        sa.Column("account", sa.String(80), primary_key=True),
        sa.Column("amount", sa.BigInteger, nullable=False),
        sa.CheckConstraint(_NO_OVERDRAFT, name="no_overdraft"),
    )
    op.execute("INSERT INTO balances SELECT account, amount FROM old_balances")
    op.drop_table("old_balances")

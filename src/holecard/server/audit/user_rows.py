"""Compare the rows of users with their accounts' logs. Passwords and sessions follow from nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from holecard.server.accounts.account_log import FoldedAccount, name_key


def check_users(stored: Iterable[Mapping[str, Any]], accounts: Mapping[str, FoldedAccount | None]) -> Iterator[str]:
    """Yield what does not follow from the accounts' logs; an account is None where its log is broken."""
    kept = {row["id"]: row for row in stored}
    for user, account in sorted(accounts.items()):
        row = kept.pop(user, None)
        if row is None:
            yield f"account:{user}: the user is missing"
        elif account is not None:
            yield from _differences(user, row, account)
    for user in sorted(kept):
        yield f"account:{user}: it has no log, and a row in `users`"


def _differences(user: str, row: Mapping[str, Any], account: FoldedAccount) -> Iterator[str]:
    due = {
        "name": account.name,
        "folded_name": name_key(user, account),
        "role": account.role,
        "created_at": account.opened_at,
        "deleted_at": account.deleted_at,
    }
    for column, value in due.items():
        if row[column] != value:
            yield f"account:{user}: its {column} is {row[column]!r}, and should be {value!r}"
    if (row["password"] is None) != (account.role == "guest"):
        yield f"account:{user}: a guest has no password, and everybody else has one"

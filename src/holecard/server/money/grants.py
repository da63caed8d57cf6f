"""The entries of an account's log: the play money that it was given."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from holecard.money import Money
from holecard.server.money.transfers import BANK, Transfer, player_account


class Granted(BaseModel):
    """The bank gave play money to an account."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: Literal["granted"] = "granted"
    cents: Annotated[int, Field(ge=0)]
    reason: str


def write_grant(grant: Granted) -> str:
    """Return a grant as one line of JSON."""
    return grant.model_dump_json()


def read_grant(text: str) -> Granted:
    """Return the grant that `write_grant` wrote."""
    return Granted.model_validate_json(text)


def grant_transfers(user: str, grant: Granted) -> tuple[Transfer, ...]:
    """Return the transfers of a grant."""
    if not grant.cents:
        return ()
    return (Transfer("grant", BANK, player_account(user), Money.cents(grant.cents), grant.reason),)

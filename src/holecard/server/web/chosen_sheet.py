"""The rule sheet that a request names: a game, and settings in the query that change it."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Query
from pydantic import Field

from holecard.server.web.identity import Service, SignedIn
from holecard.server.web.messages import PrintableText
from holecard.sheets.override import parse_setting
from holecard.sheets.schema import RuleSheet

_SettingTexts = Annotated[
    list[Annotated[PrintableText, Field(max_length=240)]] | None,
    Query(alias="set", max_length=40, description="A setting that changes the sheet, such as `shoe.decks=8`."),
]


async def chosen_sheet(name: str, service: Service, _user: SignedIn, settings: _SettingTexts = None) -> RuleSheet:
    """Return the sheet of a game with the settings of the query; refuse what is not valid.

    A sheet takes some milliseconds to read, so who asks for too much is refused before it is read.
    """
    return service.games.sheet(name, dict(parse_setting(text) for text in settings or ()))


ChosenSheet = Annotated[RuleSheet, Depends(chosen_sheet)]

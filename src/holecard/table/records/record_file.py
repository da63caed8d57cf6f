"""Reading a record's file: every key is known and has the right type, or a refusal says what to write.

Each key is declared once; its description says what to write. Whether the values fit together is checked when the
record is replayed.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, time
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, PlainValidator, ValidationError
from pydantic_core import ErrorDetails

from holecard.deck import Card, cards
from holecard.errors import RecordError, Unreadable, did_you_mean, shortly
from holecard.money import Money
from holecard.sheets.files.toml_data import read_toml
from holecard.table.events import Result
from holecard.table.notation.moves import read_amount, read_net
from holecard.table.records.round_origin import RoundOrigin

_MOST_BITS = 3000


def _read_cards(words: object) -> tuple[Card, ...]:
    if not isinstance(words, str):
        raise Unreadable(f"{shortly(words)} is not valid; write {RecordFile.model_fields['cards'].description}")
    return cards(words)


class _Words(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid")


class Paid(_Words):
    """An entry of `paid`."""

    seat: int = Field(ge=1, description="a whole number from 1")
    hand: int = Field(0, ge=0, description="a whole number: 1 for the first hand, 0 for a wager that has none")
    wager: str = Field(description="the wager's name in quotes")
    stake: Annotated[int, BeforeValidator(read_amount)] = Field(description="dollars in quotes, such as '$10'")
    net: Annotated[int, BeforeValidator(read_net)] = Field(description="'+$15', '-$10' or '$0'")
    line: str = Field(description="the rule that paid it, in quotes")

    def result(self) -> Result:
        """Return the entry as a result."""
        return Result(self.seat, self.hand, self.wager, Money.cents(self.stake), Money.cents(self.net), self.line)


class ShoeSoFar(_Words):
    """How far the shoe of a practice table was dealt before the round."""

    shoe: int = Field(ge=1, description="a whole number from 1: which full shoe of the table it is")
    drawn: int = Field(ge=0, description="a whole number: the cards drawn from it, burned ones included")


class RecordFile(_Words):
    """A record as it is written."""

    about: str = Field("", description="a text in quotes")
    game: str | None = Field(None, description="a game's name in quotes, such as 'classic'")
    settings: dict[str, Any] = Field({}, description="a table, such as { 'shoe.decks' = 8 }")
    seed: int | None = Field(None, description="a whole number")
    shoe: ShoeSoFar | None = Field(None, description="a table, such as { shoe = 1, drawn = 37 }")
    sheet: dict[str, Any] = Field({}, min_length=1, description="a rule sheet as a section, [sheet]")
    bets: list[str] = Field(description="a list, such as ['seat 1: $10']")
    cards: Annotated[tuple[Card, ...], PlainValidator(_read_cards)] = Field(
        description="the cards in one text, such as '9h 6d 9s Th'"
    )
    reshuffled: list[int] = Field([], description="a list of whole numbers, such as [20]")
    misdeal: bool = Field(False, description="true or false")
    play: list[str] = Field([], description="a list, such as ['seat 1: hit', 'seat 1: stand']")
    paid: list[Paid] = Field(
        [],
        description="a list, such as [{ seat = 1, hand = 1, wager = 'Bet', stake = '$10', net = '$0', line = '...' }]",
    )


_Seat = Annotated[str, Field(pattern="^[1-9][0-9]?$")]


class RoundEntry(RecordFile):
    """A `[[round]]` of a server: a record, and where it was dealt."""

    table: str = Field(min_length=1, description="the table's id in quotes")
    number: int = Field(ge=1, description="a whole number from 1: which round of the table it is")
    at: int = Field(ge=0, description="a whole number: milliseconds since 1970")
    shoe_id: str = Field(description="the shoe's id in quotes")
    sheet_hash: str = Field(pattern="^[0-9a-f]{64}$", description="the SHA-256 of the sheet in quotes, 64 digits")
    version: str = Field(description="a version of Holecard in quotes")
    seats: dict[_Seat, str] = Field({}, description="a table, such as { 1 = 'you', 2 = 'other' }")
    balances: dict[_Seat, int] = Field({}, description="a table of cents by seat, such as { 1 = 101500 }")

    def origin(self) -> RoundOrigin:
        """Return where the round was dealt."""
        place = (self.table, self.number, self.at, self.shoe_id, self.sheet_hash, self.version)
        return RoundOrigin(*place, _by_seat(self.seats), _by_seat(self.balances))


_T = TypeVar("_T")


def _by_seat(table: Mapping[str, _T]) -> dict[int, _T]:
    return {int(seat): value for seat, value in table.items()}


_Model = TypeVar("_Model", bound=RecordFile)


def read_file(text: str) -> RecordFile:
    """Read the file's keys; a refusal names the key but not the file."""
    return read_keys(read_toml(text), RecordFile)


def read_keys(data: object, model: type[_Model]) -> _Model:
    """Read the keys of a record; a refusal names the key."""
    _refuse_oddities(data, ())
    try:
        return model.model_validate(data)
    except ValidationError as error:
        # A key that is spelled wrong is missing too: the spelling is the better hint.
        findings = sorted(error.errors(), key=lambda finding: finding["type"] != "extra_forbidden")
        raise RecordError(_sentence(findings[0], model)) from None


def _refuse_oddities(value: object, place: tuple[str, ...]) -> None:
    """Refuse dates and endless numbers, which TOML allows and a record never has."""
    where = ".".join(place)
    if isinstance(value, date | time):
        raise RecordError(f"{where}: {value} is a date or a time; a record has none, so put it in quotes")
    if isinstance(value, int) and value.bit_length() > _MOST_BITS:
        raise RecordError(f"{where}: the number is too long; no number in a record has a thousand digits")
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in inside:
        _refuse_oddities(item, (*place, str(key)))


def _sentence(finding: ErrorDetails, whole: type[RecordFile]) -> str:
    """Return pydantic's finding in our words."""
    kind, loc, given = finding["type"], finding["loc"], finding["input"]
    if not loc:
        return f"{shortly(given)} is not a record; write a table with its keys"
    model = _model_at(loc, whole)
    where, word = ".".join(map(str, loc)), str(loc[-1])
    inside = f"{'.'.join(map(str, loc[:-1]))}: " if len(loc) > 1 else ""
    if kind == "extra_forbidden":
        return f"{inside}unknown key {shortly(word)}; {did_you_mean(word, model.model_fields)}"
    if kind == "value_error":
        return f"{where}: {finding['msg'].removeprefix('Value error, ')}"
    key = str(loc[0]) if model is whole else word
    write = model.model_fields[key].description
    if kind == "missing":
        return f"{inside}{word!r} is missing; write {write}"
    return f"{where}: {shortly(given)} is not valid; write {write}"


def _model_at(loc: tuple[str | int, ...], whole: type[RecordFile]) -> type[_Words]:
    """Return the section that a key belongs to."""
    if loc[0] == "paid" and len(loc) > 2:
        return Paid
    return ShoeSoFar if loc[0] == "shoe" and len(loc) > 1 else whole

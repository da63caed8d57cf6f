"""The schema of a rule sheet: every setting is declared once, with its type, default and meaning.

The sections are in `sections` and `wager_schema`. The reader, the JSON Schema for editors, `docs/sheets.md` and the
error messages are all generated from these fields.
"""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple, Self

from pydantic import Field, PrivateAttr

from holecard.sheets.fields import Name, SheetSection
from holecard.sheets.sections import (
    DealerRules,
    InsuranceRules,
    MainWager,
    PlayerRules,
    Ruling,
    SettleRules,
    ShoeRules,
    TableRules,
)
from holecard.sheets.wager_schema import Wager

if TYPE_CHECKING:
    from holecard.sheets.tables import Tables


class Written(NamedTuple):
    """A sheet as it was written: its text, the folder of the sheets it may extend, and settings in their order."""

    text: str = ""
    folder: Path | None = None
    settings: tuple[tuple[str, object], ...] = ()
    """(full path, value); a path can be set again later, after others that it changes"""


class RuleSheet(SheetSection):
    """One game: everything that is needed to deal it."""

    name: Name = Field(description="Name of the game.")
    about: str = Field("", description="One sentence for the list of games.")
    source: str = Field("", description="Source of the printed rules.")
    extends: str | None = Field(
        None, description="The sheet that this one changes: a game's name, or a file in the same folder."
    )
    without: tuple[str, ...] | Literal["all"] = Field(
        (), description="Names of the side wagers of the extended sheet that this game does not offer; or 'all'."
    )
    table: TableRules = Field(TableRules(), description="The seats and the cloth.")
    shoe: ShoeRules = Field(ShoeRules(), description="The decks and how they are shuffled.")
    dealer: DealerRules = Field(DealerRules(), description="How the dealer plays.")
    main: MainWager = Field(MainWager(), description="The main wager.")
    player: PlayerRules = Field(PlayerRules(), description="The decisions that a player may make.")
    insurance: InsuranceRules = Field(InsuranceRules(), description="The insurance wager.")
    settle: SettleRules = Field(SettleRules(), description="Who wins and what it pays.")
    wager: Annotated[tuple[Wager, ...], Field(max_length=50)] = Field(
        (), description="The side wagers, in addition to those of the extended sheet."
    )
    ruling: tuple[Ruling, ...] = Field((), description="How unclear points of the printed rules are read.")

    _origin: tuple[str, dict[str, object]] = PrivateAttr(("", {}))
    _written: Written = PrivateAttr(Written())

    @property
    def origin(self) -> tuple[str, dict[str, object]]:
        """The name or file that the sheet was read from, and the settings that changed it."""
        return self._origin

    @property
    def written(self) -> Written:
        """The text that the sheet was read from, for a second reading; without a text for a sheet made from data."""
        return self._written

    @property
    def label(self) -> str:
        """The game as it was asked for, its name, and the settings that changed it, in one line."""
        from holecard.sheets.descriptions.phrases import plain_value

        asked, settings = self._origin
        names = f"{asked}: {self.name}" if asked and asked != self.name else self.name
        return names + "".join(f", {key} = {plain_value(value)}" for key, value in settings.items())

    def __repr__(self) -> str:
        return f"RuleSheet({self.label})"

    def __str__(self) -> str:
        """The rules in sentences, as `holecard rules` prints them."""
        from holecard.sheets.descriptions.describe import describe

        return str(describe(self))

    @cached_property
    def tables(self) -> Tables:
        """The compiled sheet; compiled on first use."""
        from holecard.sheets.compile import compile_sheet

        return compile_sheet(self)

    # A sheet is a value: its data alone decide equality. Where it was read from, what was left out of the sheet it
    # extends, and the compiled tables do not.

    @cached_property
    def content(self) -> str:
        """Everything the game says beyond the defaults, as one line of JSON; equal for equal sheets.

        A setting added to the language later, with a default, leaves the content of existing sheets unchanged.
        """
        import json

        data = self.model_dump(mode="json", by_alias=True, exclude_defaults=True, exclude={"extends", "without"})
        return json.dumps(data, separators=(",", ":"))

    @cached_property
    def sha256(self) -> str:
        """The SHA-256 of the content in hexadecimal: equal for equal sheets, in every process and version of Python."""
        import hashlib  # loads OpenSSL, which most commands can do without

        return hashlib.sha256(self.content.encode()).hexdigest()

    @property
    def hash(self) -> str:
        """The first 16 digits of the SHA-256."""
        return self.sha256[:16]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, RuleSheet):
            return NotImplemented
        return self is other or self.content == other.content

    def __hash__(self) -> int:
        return hash(self.content)  # a string keeps its hash

    def __copy__(self) -> Self:
        return self._without_caches(super().__copy__())

    def __deepcopy__(self, memo: dict[int, Any] | None = None) -> Self:
        return super(RuleSheet, self.__copy__()).__deepcopy__(memo)

    def __getstate__(self) -> dict[Any, Any]:
        state = super().__getstate__()
        return {**state, "__dict__": {name: state["__dict__"][name] for name in type(self).model_fields}}

    def _without_caches(self, copied: Self) -> Self:
        """Drop what was computed from the data: `model_copy` changes the data of a copy."""
        for name in copied.__dict__.keys() - type(self).model_fields.keys():
            del copied.__dict__[name]
        copied._written = Written()
        return copied

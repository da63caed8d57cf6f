"""What a sheet can say. Every word is declared once, here, with its type, default and meaning.

The reader, the JSON Schema for editors, `docs/sheets.md` and the refusals are all made from these fields.
"""

from __future__ import annotations

import hashlib
import json
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self

from pydantic import BeforeValidator, Field, PrivateAttr

from holecard.sheets.fields import (
    Decks,
    Frozen,
    MoneyWord,
    Name,
    OddsOrNone,
    OddsWord,
    SheetSection,
    TotalsWord,
    none_if_said,
)
from holecard.sheets.wager_schema import Wager

if TYPE_CHECKING:
    from holecard.sheets.tables import Tables

WinPushLose = Literal["win", "push", "lose"]


class ShoeRules(SheetSection):
    """[shoe]: the cards and how they are kept."""

    decks: Decks = Field(6, description="How many decks of 52 cards are used.")
    decks_offered: tuple[Decks, ...] = Field(
        (), description="The deck counts the printed sheet offers; empty: any. Another count is played, and said so."
    )
    procedure: Literal["cut card", "fresh each round", "continuous shuffler"] = Field(
        "cut card",
        description="How cards come back: shuffled when the cut card is reached, "
        "a full shuffled shoe for every round, or a machine that takes the cards of each round back at once.",
    )
    cut_card: Annotated[int, Field(strict=True, ge=10, le=100)] = Field(
        75, description="Percent of the shoe in front of the cut card; only the cut card procedure uses it."
    )
    burn: Annotated[int, Field(strict=True, ge=0, le=10)] = Field(
        1, description="Cards burned, unseen, after each shuffle; only the cut card procedure burns."
    )
    face_down_with: tuple[Decks, ...] = Field(
        (), description="Deck counts with which players' cards are dealt face down: other seats see them when settled."
    )


class DealerRules(SheetSection):
    """[dealer]: how the dealer plays."""

    soft_17: Literal["hit", "stand"] = Field("hit", description="What the dealer does with a soft 17.")
    soft: Literal["stand on 18", "hit all"] = Field(
        "stand on 18",
        description="What the dealer does with soft totals above 17: stands on soft 18 and more, or takes a card on "
        "every soft total, a drawn soft 21 included (hit all), until the hand is hard; a natural is never hit.",
    )
    ends_on: tuple[Annotated[int, Field(strict=True, ge=12, le=16)], ...] = Field(
        (), description="Totals below 17, hard or soft, on which the dealer's hand is over the moment it has them."
    )
    hole_card: Literal["peek", "peek under aces", "no peek", "face up", "none"] = Field(
        "peek",
        description="The second card: face down and checked for a natural under an ace or a ten (peek), only under an "
        "ace, never checked before the players act (no peek), dealt face up, or taken after the players (none).",
    )
    natural_takes: Literal["all", "original"] = Field(
        "all",
        description="What a dealer's natural takes from a hand that was split or doubled before it was known: "
        "all wagers, or the original one only.",
    )


class Companion(SheetSection):
    """[main.companion]: a second main wager, equal to the first, that joins it once the hand is played."""

    name: Name = Field(description="What the second wager is called on the table.")
    natural: OddsWord = Field("push", description="What it does when only the player has a natural.")
    dealer_natural: OddsWord = Field("push", description="What it does when only the dealer has a natural.")
    two_naturals: OddsWord = Field("push", description="What it does when both have a natural.")
    surrender: OddsWord = Field("lose", description="What it does when the hand is surrendered.")
    quick_pay: OddsWord = Field("push", description="What it does when the hand takes Quick Pay.")


class MainWager(SheetSection):
    """[main]: the main wager."""

    name: Name = Field("Bet", description="What the main wager is called on the table.")
    min: MoneyWord = Field("$5", description="The smallest main wager.")
    max: MoneyWord = Field("$500", description="The largest main wager.")
    step: MoneyWord = Field("$1", description="Wagers go up from the smallest in steps of this.")
    companion: Annotated[Companion | None, BeforeValidator(none_if_said)] = Field(
        None, description="A second wager, equal to the first, that every player must place; 'none': there is none."
    )


class PlayerRules(SheetSection):
    """[player]: what a player may do."""

    double: TotalsWord = Field(
        "any", description="Totals on which a player may double down; 21 takes no more cards, whatever is said here."
    )
    double_cards: Literal["first two", "any number"] = Field(
        "first two", description="Whether only a two-card hand may be doubled."
    )
    double_after_split: bool = Field(True, strict=True, description="Whether a hand made by splitting may be doubled.")
    double_stake: Literal["equal", "up to equal"] = Field(
        "equal",
        description="Whether the added wager must equal the hand's wager or may be less, in steps of the main wager.",
    )
    split_hands: Annotated[int, Field(strict=True, ge=1, le=8)] = Field(
        4, description="How many hands a player may have by splitting; 1: no splitting."
    )
    split_by: Literal["value", "rank"] = Field(
        "value", description="Whether a pair is two cards of one value (K and T) or of one rank."
    )
    split_aces: Literal["once", "again", "never"] = Field(
        "once", description="Whether aces may be split once, as often as other pairs, or not at all."
    )
    split_aces_get: Literal["one card", "play on"] = Field(
        "one card", description="Whether each split ace gets one card only or is played like any hand."
    )
    double_up: TotalsWord = Field(
        "none",
        description="Two-card totals on which a player may add a second, equal wager and must then stand; "
        "never on a natural.",
    )
    double_up_after_split: bool = Field(
        True, strict=True, description="Whether Double-Up is open to hands made by splitting, split aces included."
    )
    surrender: Literal["none", "late", "early"] = Field(
        "none",
        description="Giving up the first two cards after the dealer has looked for a natural (late) or before (early).",
    )
    quick_pay: Annotated[dict[Annotated[str, Field(pattern=r"^(1[2-9]|20)$")], OddsWord], Frozen] = Field(
        {},
        validate_default=True,
        description="First-two-card totals that may be cashed at once, and what the main wager is paid.",
    )
    charlie: Annotated[int, Field(strict=True, ge=3, le=11)] | None = Field(
        None,
        description="A hand of this many cards without a bust wins, at once unless the dealer may have a natural.",
    )


class InsuranceRules(SheetSection):
    """[insurance]: the wager on a natural under an ace."""

    pays: OddsOrNone = Field("2 to 1", description="What insurance pays; 'none': it is not offered.")
    min: MoneyWord = Field("$1", description="The smallest insurance.")
    most: Literal["half", "all"] = Field(
        "half",
        description="The largest insurance: half or all of the main wager, rounded down to the steps main wagers go "
        "in, or smaller ones where `min` needs them.",
    )


class WhenDealerHas(SheetSection):
    """[settle.when_dealer_has.N]: what every live wager does against this final dealer total."""

    other: WinPushLose = Field(description="What every hand does that is not named beside it.")
    twenty_one: WinPushLose | None = Field(None, alias="21", description="What a player's 21 does; a natural is paid.")


class SettleRules(SheetSection):
    """[settle]: who wins and what it pays. What is not said here is won by the higher total, 1 to 1."""

    natural: OddsWord = Field("3 to 2", description="What a player's natural pays.")
    two_naturals: WinPushLose = Field("push", description="What a natural does against a dealer's natural.")
    natural_v_21: Literal["win", "tie"] = Field(
        "win", description="Whether a natural beats a dealer's drawn 21 or ties it."
    )
    ties: WinPushLose = Field("push", description="What equal totals do.")
    double_up_ties: WinPushLose = Field("lose", description="What equal totals do to a Double-Up wager.")
    twenty_one: Literal["compare", "wins"] = Field(
        "compare",
        description="Whether a player's 21 is compared like any total or wins against every dealer's hand but a "
        "natural, a 21 included.",
    )
    charlie: OddsWord = Field("1 to 1", description="What a charlie pays.")
    surrender: OddsWord = Field("lose half", description="What a surrendered main wager does.")
    when_dealer_has: Annotated[
        dict[Annotated[str, Field(pattern="^(1[2-9]|2[0-2])$")], WinPushLose | WhenDealerHas], Frozen
    ] = Field(
        {},
        validate_default=True,
        description="Final dealer totals (17 to 22, or one the dealer ends on) that settle every live wager by "
        "themselves: one word for all, or a table with a word for a player's 21 and one for the others.",
    )
    rounding: Literal["down", "nearest", "up"] = Field(
        "down", description="What happens to fractions of a cent; down is in the house's favour."
    )


class TableRules(SheetSection):
    """[table]: the seats."""

    seats: Annotated[int, Field(strict=True, ge=1, le=7)] = Field(7, description="How many seats the table has.")
    bonuses_from: Literal["left", "right"] = Field(
        "left", description="From which of the dealer's sides wagers decided by the deal are settled."
    )


class Ruling(SheetSection):
    """[[ruling]]: a place where the printed sheet is open, and how it is read here."""

    on: str = Field(description="What the ruling is about.")
    reading: str = Field(description="How the sheet is read.")
    why: str = Field("", description="The reason for the reading.")
    switch: str | tuple[str, ...] = Field(
        "",
        description="The setting that chooses the other reading, as written after --set, or a list where there are "
        "several other readings; settings that go together have ' --set ' between them.",
    )

    @property
    def switches(self) -> tuple[str, ...]:
        """One for each other reading."""
        every = (self.switch,) if isinstance(self.switch, str) else self.switch
        return tuple(filter(None, every))


class RuleSheet(SheetSection):
    """One game, as on the placard: everything that is needed to deal it."""

    name: Name = Field(description="What the game is called.")
    about: str = Field("", description="One sentence for the list of games.")
    source: str = Field("", description="Where the printed rules come from.")
    extends: str | None = Field(None, description="The sheet this one is a list of differences from.")
    without: tuple[str, ...] | Literal["all"] = Field(
        (), description="Side wagers of the extended sheet that this game does not offer, by name; or all of them."
    )
    table: TableRules = Field(TableRules(), description="The seats.")
    shoe: ShoeRules = Field(ShoeRules(), description="The cards and how they are kept.")
    dealer: DealerRules = Field(DealerRules(), description="How the dealer plays.")
    main: MainWager = Field(MainWager(), description="The main wager.")
    player: PlayerRules = Field(PlayerRules(), description="What a player may do.")
    insurance: InsuranceRules = Field(InsuranceRules(), description="The wager on a natural under an ace.")
    settle: SettleRules = Field(SettleRules(), description="Who wins and what it pays.")
    wager: Annotated[tuple[Wager, ...], Field(max_length=50)] = Field(
        (), description="The side wagers, beside those of the extended sheet."
    )
    ruling: tuple[Ruling, ...] = Field((), description="How open points of the printed sheet are read.")

    _origin: tuple[str, dict[str, object]] = PrivateAttr(("", {}))

    @property
    def origin(self) -> tuple[str, dict[str, object]]:
        """The name or file the sheet was read from, and the settings laid over it."""
        return self._origin

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
        data = self.model_dump(mode="json", by_alias=True, exclude_defaults=True, exclude={"extends", "without"})
        return json.dumps(data, separators=(",", ":"))

    @cached_property
    def hash(self) -> str:
        """The content as 16 hexadecimal digits: equal for equal sheets, in every process and version of Python."""
        return hashlib.sha256(self.content.encode()).hexdigest()[:16]

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
        return copied

"""The sections of a rule sheet: shoe, dealer, main wager, player, insurance, settlement, table, and rulings."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from holecard.sheets.fields import (
    Decks,
    Frozen,
    MoneyText,
    Name,
    OddsOrNone,
    OddsText,
    SheetSection,
    TotalsText,
    none_if_written,
)

WinPushLose = Literal["win", "push", "lose"]


class ShoeRules(SheetSection):
    """[shoe]: the decks and how they are shuffled."""

    decks: Decks = Field(6, description="Number of decks of 52 cards.")
    decks_offered: tuple[Decks, ...] = Field(
        (),
        description="The numbers of decks that the printed sheet offers; empty: any. Other numbers can be played, "
        "and the description of the game says so.",
    )
    procedure: Literal["cut card", "fresh each round", "continuous shuffler"] = Field(
        "cut card",
        description="When cards are shuffled: when the cut card comes out, before every round, or continuously by a "
        "machine that takes back the cards of each round.",
    )
    cut_card: Annotated[int, Field(strict=True, ge=10, le=100)] = Field(
        75, description="Percentage of the shoe dealt before the cut card; only for the cut card procedure."
    )
    burn: Annotated[int, Field(strict=True, ge=0, le=10)] = Field(
        1, description="Number of cards burned unseen after each shuffle; only for the cut card procedure."
    )
    face_down_with: tuple[Decks, ...] = Field(
        (),
        description="Numbers of decks for which players' cards are dealt face down: other seats see them when the "
        "hand is settled.",
    )


class DealerRules(SheetSection):
    """[dealer]: how the dealer plays."""

    soft_17: Literal["hit", "stand"] = Field(
        "hit", description="Whether the dealer hits or stands on soft 17, unless `soft` says more."
    )
    soft: Literal["stand on 18", "hit all", "draw 16 to hard 17", "draw soft 17 to hard 17"] = Field(
        "stand on 18",
        description="Soft totals above 17: the dealer stands on soft 18 or more (stand on 18), or hits every soft "
        "total, including a drawn soft 21, until the hand is hard (hit all). By the way the hand came about: two cards "
        "of 17 or more stand, soft or hard, and two of 16 or less are drawn to a hard 17 or more (draw 16 to hard 17); "
        "or a soft 17, once reached, is drawn to a hard 17 or more, and any other soft 18 or more stands (draw soft 17 "
        "to hard 17). A natural is never hit.",
    )
    ends_on: tuple[Annotated[int, Field(strict=True, ge=12, le=16)], ...] = Field(
        (),
        description="Totals below 17, hard or soft, on which the dealer's hand ends as soon as it reaches one of them.",
    )
    hole_card: Literal["peek", "peek under aces", "no peek", "face up", "none"] = Field(
        "peek",
        description="The dealer's second card: face down and checked for a natural under an ace or a ten (peek) or "
        "under an ace only, face down and not checked before the players act (no peek), dealt face up, or dealt "
        "after the players have acted (none).",
    )
    natural_takes: Literal["all", "original"] = Field(
        "all",
        description="What a hand that was split or doubled loses to a dealer's natural found later: all wagers, or "
        "only the original one.",
    )


class Companion(SheetSection):
    """[main.companion]: a second main wager, equal to the first; once the hand is played, both are one wager."""

    name: Name = Field(description="Name of the second wager on the table.")
    natural: OddsText = Field("push", description="Its result when only the player has a natural.")
    dealer_natural: OddsText = Field("push", description="Its result when only the dealer has a natural.")
    two_naturals: OddsText = Field("push", description="Its result when both have a natural.")
    surrender: OddsText = Field("lose", description="Its result when the hand is surrendered.")
    quick_pay: OddsText = Field("push", description="Its result when the hand takes Quick Pay.")


class MainWager(SheetSection):
    """[main]: the main wager."""

    name: Name = Field("Bet", description="Name of the main wager on the table.")
    min: MoneyText = Field("$5", description="The smallest main wager.")
    max: MoneyText = Field("$500", description="The largest main wager.")
    step: MoneyText = Field("$1", description="Wagers increase from the smallest in steps of this amount.")
    companion: Annotated[Companion | None, BeforeValidator(none_if_written)] = Field(
        None, description="A second wager, equal to the first, that every player must place; 'none' removes it."
    )


class PlayerRules(SheetSection):
    """[player]: the decisions that a player may make."""

    double: TotalsText = Field(
        "any", description="Totals on which a player may double down; a 21 never takes another card."
    )
    double_cards: Literal["first two", "any number"] = Field(
        "first two", description="Whether only two-card hands or hands of any number of cards may be doubled."
    )
    double_after_split: bool = Field(True, strict=True, description="Whether a hand may be doubled after a split.")
    double_stake: Literal["equal", "up to equal"] = Field(
        "equal",
        description="Whether the added wager must equal the hand's wager or may be less, in the main wager's steps.",
    )
    split_hands: Annotated[int, Field(strict=True, ge=1, le=8)] = Field(
        4, description="The most hands a player may have after splits; 1: no splitting."
    )
    split_by: Literal["value", "rank"] = Field(
        "value", description="Whether a pair is two cards of equal value (such as K and T) or of equal rank."
    )
    split_aces: Literal["once", "again", "never"] = Field(
        "once", description="Whether aces may be split once, again like other pairs, or never."
    )
    split_aces_get: Literal["one card", "play on"] = Field(
        "one card", description="Whether each split ace gets only one card or is played like any hand."
    )
    double_up: TotalsText = Field(
        "none",
        description="Two-card totals on which a player may add a second, equal wager and must then stand; "
        "never on a natural.",
    )
    double_up_after_split: bool = Field(
        True, strict=True, description="Whether Double-Up is allowed after a split, including split aces."
    )
    surrender: Literal["none", "late", "early"] = Field(
        "none",
        description="Surrendering the first two cards after the dealer has checked for a natural (late) or before "
        "(early).",
    )
    quick_pay: Annotated[dict[Annotated[str, Field(pattern=r"^(1[2-9]|20)$")], OddsText], Frozen] = Field(
        {},
        validate_default=True,
        description="Two-card totals that may be cashed at once, and what each pays on the main wager.",
    )
    charlie: Annotated[int, Field(strict=True, ge=3, le=11)] | None = Field(
        None,
        description="A hand of this many cards without a bust wins, at once unless the dealer can still have a "
        "natural.",
    )


class InsuranceRules(SheetSection):
    """[insurance]: the wager that the dealer has a natural when an ace is up."""

    pays: OddsOrNone = Field("2 to 1", description="What insurance pays; 'none': not offered.")
    min: MoneyText = Field("$1", description="The smallest insurance.")
    most: Literal["half", "all"] = Field(
        "half",
        description="The largest insurance: half or all of the main wager, rounded down to the main wager's step, or "
        "to a smaller step if `min` requires it.",
    )


class WhenDealerHas(SheetSection):
    """[settle.when_dealer_has.N]: the result of every live wager against this final dealer total."""

    other: WinPushLose = Field(description="The result of all other hands.")
    twenty_one: WinPushLose | None = Field(
        None, alias="21", description="The result of a player's 21; a natural is paid."
    )


class SettleRules(SheetSection):
    """[settle]: who wins and what it pays. In all other cases the higher total wins 1 to 1."""

    natural: OddsText = Field("3 to 2", description="What a player's natural pays.")
    two_naturals: WinPushLose = Field("push", description="The result of a natural against a dealer's natural.")
    natural_v_21: Literal["win", "tie"] = Field(
        "win", description="Whether a natural beats a dealer's drawn 21 or ties it."
    )
    ties: WinPushLose = Field("push", description="The result of equal totals.")
    double_up_ties: WinPushLose = Field("lose", description="The result of a Double-Up wager at equal totals.")
    twenty_one: Literal["compare", "wins"] = Field(
        "compare",
        description="Whether a player's 21 is compared like any total, or wins against every dealer's hand except a "
        "natural, including a 21.",
    )
    charlie: OddsText = Field("1 to 1", description="What a charlie pays.")
    surrender: OddsText = Field("lose half", description="The result of a surrendered main wager.")
    when_dealer_has: Annotated[
        dict[Annotated[str, Field(pattern="^(1[2-9]|2[0-2])$")], WinPushLose | WhenDealerHas], Frozen
    ] = Field(
        {},
        validate_default=True,
        description="Final dealer totals (17 to 22, or a total in `dealer.ends_on`) that alone decide every live "
        "wager: one result for all hands, or a table with a result for a player's 21 and one for other hands.",
    )
    rounding: Literal["down", "nearest", "up"] = Field(
        "down", description="How fractions of a cent are rounded; down favors the house."
    )


#: The colors that a table's cloth can have.
Cloth = Literal["green", "blue", "red", "purple", "gold", "teal", "brown", "black"]


class TableRules(SheetSection):
    """[table]: the seats and the cloth."""

    seats: Annotated[int, Field(strict=True, ge=1, le=7)] = Field(7, description="Number of seats at the table.")
    bonuses_from: Literal["left", "right"] = Field(
        "left", description="The dealer's side from which wagers decided by the deal are settled."
    )
    cloth: Cloth = Field("green", description="The color of the cloth. It is only for the eye and changes no rule.")


class Ruling(SheetSection):
    """[[ruling]]: a point on which the printed rules are unclear, and how they are read here."""

    on: str = Field(description="What the ruling is about.")
    reading: str = Field(description="How the printed rules are read.")
    why: str = Field("", description="The reason for the reading.")
    switch: str | tuple[str, ...] = Field(
        "",
        description="The setting that chooses the other reading, as written after --set; a list if there are several "
        "other readings. Settings that belong together have ' --set ' between them.",
    )
    inherit: bool = Field(
        False,
        strict=True,
        description="Whether the games that extend this sheet have the ruling, too, unless they rule on it themselves "
        "or change a setting that its switches name.",
    )

    @property
    def switches(self) -> tuple[str, ...]:
        """The settings of each other reading."""
        every = (self.switch,) if isinstance(self.switch, str) else self.switch
        return tuple(filter(None, every))

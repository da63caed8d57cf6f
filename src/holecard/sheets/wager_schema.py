"""The schema of a side wager: [[wager]], its pay lines and its tax lines."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from holecard.sheets.fields import (
    Frozen,
    MoneyText,
    Name,
    NameOrNothing,
    OddsText,
    PaysText,
    SheetSection,
    UpcardsText,
)

#: The longest printed pay tables have about twenty lines.
MOST_LINES = 100
#: Values of `table` with which the rules of the game choose the table, and how its name says the soft 17 rule.
BY_DECKS, BY_DECKS_AND_SOFT_17 = "by decks", "by decks and soft 17"
SOFT_17 = {"hit": "H17", "stand": "S17"}


class PayLine(SheetSection):
    """One line of a pay table; it pays if `hand`, `dealer` or both match."""

    hand: str | None = Field(
        None, description="A named hand among the cards that the wager looks at (see Named hands)."
    )
    dealer: str | None = Field(
        None, description="The dealer's finished hand: '18', '16 in 3 cards', 'busts in 5+ cards'."
    )
    pays: PaysText | Annotated[dict[str, OddsText], Frozen] = Field(
        description="Odds on the stake, a fixed amount such as '$40', or a table of odds for each upcard."
    )
    name: NameOrNothing = Field("", description="Name of the line; if left out, the hand.")

    @property
    def asks_for(self) -> str:
        """The hand, the dealer's hand or both."""
        dealer = f"dealer {self.dealer}" if self.dealer else None
        return " and ".join(part for part in (self.hand, dealer) if part)

    @property
    def title(self) -> str:
        """The name of the line, or what it asks for."""
        return self.name or self.asks_for


class TaxLine(SheetSection):
    """One line of a tax schedule: the player pays the tax if the first two cards match."""

    hand: str = Field(description="A named hand among the player's first two cards.")
    tax: MoneyText = Field(description="The tax due.")


class Wager(SheetSection):
    """[[wager]]: a side wager."""

    name: Name = Field(description="Name of the wager on the table.")
    on: Literal["two cards", "two cards and upcard", "all four cards"] = Field(
        "two cards",
        description="The cards that its named hands look at: the player's first two, alone or with the dealer's.",
    )
    placed: Literal["before the deal", "after the check", "until the hole card is turned"] = Field(
        "before the deal",
        description="When it is placed: with the main wager; after the dealer has checked for a natural and neither "
        "the player nor the dealer has one, before anybody acts; or at any time from then until the hole card is "
        "turned.",
    )
    settled: Literal["when decided", "end of round"] = Field(
        "when decided", description="Whether it is settled as soon as its cards are seen, or at the end of the round."
    )
    upcard: UpcardsText = Field(
        "any",
        description="Upcards with which it can win; with any other it loses at once, or is not offered if it is placed "
        "after the check.",
    )
    min: MoneyText = Field("$1", description="The smallest stake.")
    max: MoneyText = Field("$100", description="The largest stake.")
    step: MoneyText = Field("$1", description="Stakes increase from the smallest in steps of this amount.")
    at_most: Literal["the maximum", "the main wager"] = Field(
        "the maximum", description="Whether the stake must not exceed the main wager either."
    )
    needs: str | None = Field(None, description="Another side wager that must be placed, too.")
    stake: Literal["wager", "token"] = Field(
        "wager", description="Whether the stake is lost if no line pays, or is a token that the player keeps."
    )
    tax: tuple[TaxLine, ...] = Field((), description="What a player with a token pays, by the first two cards.")
    tax_upcard: UpcardsText = Field("any", description="Upcards with which the tax is due.")
    lines: Annotated[tuple[PayLine, ...], Field(max_length=MOST_LINES)] = Field(
        (), description="The pay table, highest line first; only the first line that matches pays."
    )
    tables: Annotated[dict[str, Annotated[tuple[PayLine, ...], Field(max_length=MOST_LINES)]], Frozen] = Field(
        {},
        validate_default=True,
        description="Several pay tables by name, instead of `lines`; with table = 'by decks', by number of decks; with "
        "table = 'by decks and soft 17', '6 H17' and '6 S17' are for six decks and a dealer who hits or stands on "
        "soft 17, and '6' is for the one without a table of its own.",
    )
    table: str = Field(
        "",
        description="Which of the `tables` is used; 'by decks': the one for the number of decks; 'by decks and soft "
        "17': the one for the number of decks and the dealer's soft 17 rule.",
    )
    table_from: Literal["printed", "house"] = Field(
        "printed", description="Whether the printed rules contain the pay table, or it is a house table of our own."
    )

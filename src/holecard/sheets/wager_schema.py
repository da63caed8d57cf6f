"""What a sheet can say about a side wager: [[wager]] and its lines."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from holecard.sheets.fields import (
    Frozen,
    MoneyWord,
    Name,
    NameOrNothing,
    OddsWord,
    PaysWord,
    SheetSection,
    UpcardsWord,
)

#: The longest printed pay tables have about twenty lines.
MOST_LINES = 100


class PayLine(SheetSection):
    """One line of a pay table: `hand`, `dealer` or both must fit."""

    hand: str | None = Field(None, description="A named hand among the cards the wager looks at (see Named hands).")
    dealer: str | None = Field(
        None, description="The dealer's finished hand: '18', '16 in 3 cards', 'busts in 5+ cards'."
    )
    pays: PaysWord | Annotated[dict[str, OddsWord], Frozen] = Field(
        description="Odds on the stake, a fixed amount such as '$40', or a table of odds by upcard."
    )
    name: NameOrNothing = Field("", description="What the placard calls the line; made from the hand when left out.")

    @property
    def title(self) -> str:
        """What the placard calls the line."""
        dealer = f"dealer {self.dealer}" if self.dealer else None
        return self.name or " and ".join(part for part in (self.hand, dealer) if part)


class TaxLine(SheetSection):
    """One line of a tax schedule: paid by the player when the first two cards fit."""

    hand: str = Field(description="A named hand among the player's first two cards.")
    tax: MoneyWord = Field(description="The tax due.")


class Wager(SheetSection):
    """[[wager]]: a wager beside the main one."""

    name: Name = Field(description="What the wager is called on the table.")
    on: Literal["two cards", "two cards and upcard", "all four cards"] = Field(
        "two cards", description="The cards its named hands look at: the player's first two, with the dealer's."
    )
    placed: Literal["before the deal", "after the check", "until the hole card is turned"] = Field(
        "before the deal",
        description="When it is placed: with the main wager; once it is known that neither the player nor the "
        "dealer has a natural, before anybody acts; or at any time from then until the dealer turns the hole card.",
    )
    settled: Literal["when decided", "end of round"] = Field(
        "when decided", description="Whether it is settled as soon as its cards are seen or waits for the end."
    )
    upcard: UpcardsWord = Field("any", description="Upcards with which it can win; with another it loses at once.")
    min: MoneyWord = Field("$1", description="The smallest stake.")
    max: MoneyWord = Field("$100", description="The largest stake.")
    step: MoneyWord = Field("$1", description="Stakes go up from the smallest in steps of this.")
    at_most: Literal["the maximum", "the main wager"] = Field(
        "the maximum", description="Whether the main wager limits it too."
    )
    needs: str | None = Field(None, description="Another side wager that must be placed with it.")
    stake: Literal["wager", "token"] = Field(
        "wager", description="Whether the stake is lost when nothing pays, or is a token that stays the player's."
    )
    tax: tuple[TaxLine, ...] = Field((), description="What a token obliges the player to pay, by first two cards.")
    tax_upcard: UpcardsWord = Field("any", description="Upcards with which the tax is due.")
    lines: Annotated[tuple[PayLine, ...], Field(max_length=MOST_LINES)] = Field(
        (), description="The pay table, highest line first; the first that fits pays."
    )
    tables: Annotated[dict[str, Annotated[tuple[PayLine, ...], Field(max_length=MOST_LINES)]], Frozen] = Field(
        {},
        validate_default=True,
        description="Several pay tables by name, instead of `lines`; named by deck counts with table = 'by decks'.",
    )
    table: str = Field("", description="Which of the `tables` is used; 'by decks' takes the one named like the shoe.")
    table_from: Literal["printed", "house"] = Field(
        "printed", description="Whether the pay table is printed on the sheet or a house table of our own."
    )

"""`holecard house-odds`: pay tables by upcard for wagers on the dealer's final hand, ready to paste into a sheet."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Annotated

import typer

from holecard.cli.arguments import GameArgument, SettingsOption, sheet
from holecard.cli.output import FormatOption, JsonOption, OutputOption, deliver
from holecard.errors import Unreadable

_MOST_DECKS = 16


def house_odds(
    game: GameArgument,
    settings: SettingsOption = None,
    edge: Annotated[str, typer.Option(metavar="PERCENT", help="The target house edge over all upcards.")] = "5%",
    within: Annotated[str, typer.Option(metavar="PERCENT", help="How far the edge may be from the target.")] = "0.75%",
    decks: Annotated[
        str | None,
        typer.Option(
            metavar="N,N,…", help="Make odds for these numbers of decks.", show_default="those the sheet offers"
        ),
    ] = None,
    step: Annotated[str, typer.Option(metavar="ODDS", help="Odds are multiples of this: 1/2, 1, 0.1.")] = "1/2",
    json: JsonOption = False,
    format_: FormatOption = None,
    output: OutputOption = None,
) -> None:
    """Make house odds by upcard for wagers on the dealer's final hand, placed after the check for blackjack.

    No odds favor a player who knows the first two cards and the upcard, whatever the cards are. Within that limit, each
    upcard gets the odds whose edge is closest to the target, as does the total over all upcards. Everything is computed
    exactly. The output is TOML with the figures as comments: paste it into a sheet to replace the lines of the wager.

    \b
    Examples:
      holecard house-odds GAME
      holecard house-odds GAME --decks 4 --edge 6%
      holecard house-odds GAME --set soft_17=stand --step 1/10 --json
    """
    rules = sheet(game, settings)
    from holecard.exact.wagers.house_odds import OddsTarget  # loads numba, so only now
    from holecard.exact.wagers.house_odds import house_odds as make_odds

    target = OddsTarget(_share(edge, "--edge"), _share(within, "--within"), _step(step))
    found = make_odds(rules, _decks(decks), target)
    deliver(found, json=json, format=format_, output=output)


def _share(text: str, option: str) -> Fraction:
    """Read "5%" or "0.05"."""
    match = re.fullmatch(r"\s*(\d{1,3}(?:\.\d{1,9})?)\s*(%?)\s*", text)
    if not match:
        raise Unreadable(f"{option} {text!r} is not a percentage; write 5% or 0.05")
    return Fraction(match[1]) / (100 if match[2] else 1)


def _step(text: str) -> Fraction:
    if not re.fullmatch(r"\d{1,3}(?:\.\d{1,4}|/\d{1,4})?", text.strip()) or re.search(r"/0+$", text.strip()):
        raise Unreadable(f"--step {text!r} is not a step of odds; write 1/2, 1 or 0.1")
    return Fraction(text.strip())


def _decks(text: str | None) -> tuple[int, ...] | None:
    if text is None:
        return None
    words = [word for word in re.split(r"[\s,]+", text) if word]
    if not words or not all(re.fullmatch(r"\d{1,3}", word) and 1 <= int(word) <= _MOST_DECKS for word in words):
        raise Unreadable(f"--decks {text!r}: write numbers of decks from 1 to {_MOST_DECKS}, such as 1,2,6,8")
    return tuple(dict.fromkeys(map(int, words)))

"""`holecard house-odds`: pay tables by upcard for wagers on the dealer's final hand, ready to paste into a sheet."""

from __future__ import annotations

import re
from typing import Annotated

import typer

from holecard.cli.arguments import GameArgument, SettingsOption, sheet
from holecard.cli.output import FormatOption, JsonOption, OutputOption, deliver
from holecard.errors import Unreadable


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
    from holecard.exact.wagers.house_odds import house_odds as make_odds  # loads numba, so only now
    from holecard.exact.wagers.odds_target import OddsTarget, share_of, step_of

    target = OddsTarget(share_of(edge, "--edge"), share_of(within, "--within"), step_of(step, "--step"))
    found = make_odds(rules, _decks(decks), target)
    deliver(found, json=json, format=format_, output=output)


def _decks(text: str | None) -> tuple[int, ...] | None:
    if text is None:
        return None
    from holecard.exact.wagers.odds_target import MOST_DECKS

    words = [word for word in re.split(r"[\s,]+", text) if word]
    if not words or not all(re.fullmatch(r"\d{1,3}", word) and 1 <= int(word) <= MOST_DECKS for word in words):
        raise Unreadable(f"--decks {text!r}: write numbers of decks from 1 to {MOST_DECKS}, such as 1,2,6,8")
    return tuple(dict.fromkeys(map(int, words)))

"""`holecard evaluate`: one hand, every legal action with its EV, best first."""

from __future__ import annotations

from typing import Annotated

import typer

from holecard.cli.arguments import GameArgument, SeenOption, SettingsOption, ShoeOption, sheet
from holecard.cli.output import FormatOption, JsonOption, OutputOption, deliver
from holecard.table.notation.spot import spot as read_spot


def evaluate(
    game: GameArgument,
    spot: Annotated[
        str, typer.Argument(metavar="HAND", help="Your cards, v, and the dealer's face-up cards, such as 'T,6 v T'.")
    ],
    settings: SettingsOption = None,
    shoe: ShoeOption = None,
    seen: SeenOption = None,
    json: JsonOption = False,
    format_: FormatOption = None,
    output: OutputOption = None,
) -> None:
    """Compute the EV of every legal action for one hand, best first.

    The cards of the hand and of the dealer are removed from the shoe; list other cards that are out with --seen. After
    a split, write the card that the hand started with first: the other card of the pair is then removed, too.

    Wagers on the dealer's final hand that can be placed now are evaluated, too. If they can be placed until the hole
    card is turned over, HAND can be any hand, even a busted one; list the cards of other hands and seats with --seen.

    \b
    Examples:
      holecard evaluate GAME 'T,6 v T'
      holecard evaluate GAME 'A,7 v 9' --seen '2,2,5'
      holecard evaluate GAME '8,3 v 6 after split' --set decks=2
      holecard evaluate GAME-WITH-BOTH-CARDS-UP '9,9 v T,7'
      holecard evaluate GAME-WITH-LATE-WAGERS 'T,6,2,9 v T' --seen 'T,7,8,3'
    """
    rules = sheet(game, settings)
    where = read_spot(spot)
    from holecard.exact.evaluate import evaluate as evaluate_hand  # loads numba, so only now

    deliver(evaluate_hand(rules, where, shoe, seen=seen), json=json, format=format_, output=output)

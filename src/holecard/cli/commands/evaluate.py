"""`holecard evaluate`: one spot, every legal action with its value, best first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from holecard.cli.arguments import Json, Settings, sheet
from holecard.cli.options import Seen, Shoe, say_if_compiling, shoe_of
from holecard.cli.printing.analysis_data import spot_data
from holecard.cli.printing.format import bound, facts, fraction, say, signed, title
from holecard.cli.printing.house_tables import FOOTNOTE, any_marked, mark
from holecard.cli.printing.show import as_json, console
from holecard.cli.printing.show_analysis import heading
from holecard.deck import value_of
from holecard.exact.results import CDZ_CONVENTION
from holecard.kernels.cache import mark_warm
from holecard.table.notation.spot import Spot
from holecard.table.notation.spot import spot as read_spot

if TYPE_CHECKING:
    from holecard.composition import Composition
    from holecard.exact.evaluate import Evaluation
    from holecard.sheets.schema import RuleSheet

_PLACED = "EV per unit staked, given no dealer's natural (blackjack) and the cards of this hand and of --seen."


def evaluate(
    spot: Annotated[str, typer.Argument(help="Your cards, v, and the dealer's, such as 'T,6 v T'.")],
    game: Annotated[str, typer.Option(help="A game's name (see `holecard games`) or a rule sheet's file.")],
    settings: Settings = None,
    shoe: Shoe = None,
    seen: Seen = None,
    json: Json = False,
) -> None:
    """Reckon every legal action in one spot, best first.

    The spot's own cards are taken out of the shoe; say others that are out with --seen. After a split, write the card
    the hand began with first: the pair's other card is then taken out as well.

    Wagers on the dealer's final hand that can be placed now are evaluated too. Where they can be placed until the hole
    card is turned, that is any hand at any moment, a busted one too: name the cards of other hands and seats with
    --seen.

    \b
    Examples:
      holecard evaluate 'T,6 v T' --game GAME
      holecard evaluate 'A,7 v 9' --game GAME --seen '2,2,5'
      holecard evaluate '8,3 v 6 after split' --game GAME --set decks=2
      holecard evaluate '9,9 v T,7' --game GAME-WITH-BOTH-CARDS-UP
      holecard evaluate 'T,6,2,9 v T' --game GAME-WITH-LATE-WAGERS --seen 'T,7,8,3'
    """
    rules = sheet(game, settings)
    where = read_spot(spot)
    cards = shoe_of(rules, shoe, seen)
    asked = _what(where)
    say_if_compiling(asked)
    from holecard.exact.evaluate import evaluate as reckon  # numba loads here, and only where it is needed

    found = reckon(where, rules, cards)
    mark_warm(asked)
    if json:
        as_json(spot_data(game, rules, cards, found, CDZ_CONVENTION))
    else:
        show_spot(rules, cards, found)


def _what(where: Spot) -> str:
    """A pair may be split, which takes kernels that no other hand does."""
    pair = len(where.player) == 2 and len({value_of(card) for card in where.player}) == 1
    return "evaluate-pair" if pair else "evaluate"


def show_spot(rules: RuleSheet, shoe: Composition, found: Evaluation) -> None:
    """The spot, for people."""
    out = console()
    heading(out, rules, shoe, [("splits", CDZ_CONVENTION)])
    if found.choices:
        title(out, found.spot, f"Value per unit of initial stake, {found.given}.")
        say(out, f"exact within {bound(found.error_bound)}")
        facts(out, [(c.action, signed(c.ev, 12), "" if n else "best") for n, c in enumerate(found.choices)])
    else:
        title(out, found.spot, "The hand is bust: there is nothing to decide but other wagers.")
        out.print()
    if found.insurance is not None:
        title(out, "Insurance", "Value per unit of insurance, before the dealer looks for a natural.")
        facts(out, [("insurance", signed(found.insurance, 12), f"= {fraction(found.insurance)}")])
    if found.after_check:
        title(out, "Wagers that can be placed now", _PLACED)
        facts(
            out,
            [
                (f"{name}{mark(name, rules.tables)}", signed(value, 12), f"= {fraction(value)}")
                for name, value in found.after_check
            ],
        )
        if any_marked((name for name, _ in found.after_check), rules.tables):
            say(out, FOOTNOTE)

"""One hand against the dealer's cards: every legal action with its EV, and the wagers that can be placed then."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from holecard.exact.evaluate import Evaluation
from holecard.exact.results import CDZ_CONVENTION
from holecard.report.document import QUIET, Block, Document, Heading, Paragraph, facts
from holecard.report.exact.analysis_data import choices_data, exact_ev
from holecard.report.house_tables import FOOTNOTE, any_marked, is_printed, mark
from holecard.report.numbers import bound, fraction, signed
from holecard.report.sheet import identity, origin, settings, settings_text, shoe_data, shoe_text, title_and_facts

_PLACED = "EV per unit staked, given that the dealer has no blackjack, and given the cards of this hand and of --seen."


def summary(found: Evaluation) -> str:
    """Return a line such as `Evaluation(classic, T,6 v T: hit -0.539826)`."""
    best = f"{found.best.action} {signed(found.best.ev)}" if found.choices else "bust"
    return f"Evaluation({origin(found.rules)}, {found.spot}: {best})"


def data(found: Evaluation) -> dict[str, Any]:
    """Return the data of `holecard evaluate --json`."""
    tables = found.rules.tables
    return {
        **identity(found.rules),
        "decks": found.rules.shoe.decks,
        "convention": CDZ_CONVENTION,
        "spot": found.spot,
        "given": found.given,
        "choices": choices_data(found.choices),
        "after_check": {
            name: {**exact_ev(value), "printed": is_printed(name, tables)} for name, value in found.after_check
        },
        "insurance": None if found.insurance is None else exact_ev(found.insurance),
        "settings": settings(found.rules),
        "shoe": shoe_data(found.shoe),
        "error_bound": found.error_bound,
    }


def rows(found: Evaluation) -> list[dict[str, Any]]:
    """Return one row for each action, best first."""
    game = origin(found.rules)
    return [{"game": game, "spot": found.spot, "action": c.action, "ev": c.ev} for c in found.choices]


def document(found: Evaluation) -> Document:
    """Return the actions, best first, then insurance and other wagers."""
    return Document(f"{found.rules.name}: {found.spot}", tuple(_blocks(found)))


def _blocks(found: Evaluation) -> Iterator[Block]:
    rules = found.rules
    yield from title_and_facts(
        rules,
        ("shoe", shoe_text(rules, found.shoe)),
        ("settings", settings_text(rules)),
        ("splits", CDZ_CONVENTION),
    )
    if found.choices:
        yield Heading(found.spot, f"EV per unit of initial stake, {found.given}.")
        yield Paragraph(f"exact to within {bound(found.error_bound)}", QUIET)
        yield facts([(c.action, signed(c.ev, 12), "" if n else "best") for n, c in enumerate(found.choices)])
    else:
        yield Heading(found.spot, "The hand has busted. Only other wagers can still be placed.")
    if found.insurance is not None:
        yield Heading("Insurance", "EV per unit of insurance, before the dealer checks for blackjack.")
        yield facts([("insurance", signed(found.insurance, 12), f"= {fraction(found.insurance)}")])
    if found.after_check:
        yield Heading("Wagers that can be placed now", _PLACED)
        yield facts(
            [
                (f"{name}{mark(name, rules.tables)}", signed(value, 12), f"= {fraction(value)}")
                for name, value in found.after_check
            ]
        )
        if any_marked((name for name, _ in found.after_check), rules.tables):
            yield Paragraph(FOOTNOTE, QUIET)

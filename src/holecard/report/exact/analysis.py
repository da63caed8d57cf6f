"""An analysis on paper: what it is based on, the main game, the dealer's card, insurance and side wagers.

Numbers are followed by their unit, condition and error wherever these are not in the headings.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from holecard.errors import plural
from holecard.exact.results import Analysis, InsuranceResult, MainGame, StartingHand
from holecard.report.dealer_groups import NO_DECISION, by_dealer, followed, place
from holecard.report.document import (
    QUIET,
    STRONG,
    Block,
    Document,
    Heading,
    Paragraph,
    Span,
    Words,
    facts,
    table,
)
from holecard.report.exact.analysis_data import data, rows
from holecard.report.exact.side_wagers import side_wager
from holecard.report.numbers import bound, cards_text, exact_decimal, fraction, percent, probability, signed
from holecard.report.sheet import origin, settings_text, shoe_text, title_and_facts
from holecard.table.events import Action

__all__ = ["data", "document", "rows", "summary"]

_CHOSEN = "*"
#: A probability with a smaller error differs from the exact one by rounding alone.
_EXACT = 1e-10
_NOT_EXACT = "Each probability is exact to within its error; some splits to three or more hands are estimated."


def summary(found: Analysis) -> str:
    """Return a line such as `Analysis(classic, 6 decks: house edge 0.6154% ± 3e-13)`."""
    edge = f"house edge {percent(found.main.house_edge)} ± {bound(found.main.error_bound)}"
    return f"Analysis({origin(found.rules)}, {plural(found.rules.shoe.decks, 'deck')}: {edge})"


def document(found: Analysis, *, hands: bool = False) -> Document:
    """Return the whole analysis as a document; `hands` adds every starting hand."""
    return Document(f"{found.rules.name}: analysis", tuple(_blocks(found, hands)))


def _blocks(found: Analysis, hands: bool) -> Iterator[Block]:
    yield from title_and_facts(
        found.rules,
        ("shoe", shoe_text(found.rules, found.shoe)),
        ("settings", settings_text(found.rules)),
        ("strategy", found.strategy),
        ("splits", found.convention),
    )
    yield from _favors(found)
    yield from _main_game(found.main)
    yield from _distribution(found.main)
    yield from _by_dealer(found)
    if found.insurance is not None:
        yield from _insurance(found.insurance, hands=hands)
    for wager in found.wagers:
        yield from side_wager(wager)
    for name, reason in found.skipped:
        yield Heading(name, f"Not computed: {reason}.")
    if hands:
        yield from _hands(found)
    else:
        yield Paragraph("--hands adds every starting hand with the EV of each action.", QUIET, indent=0)


def _favors(found: Analysis) -> Iterator[Block]:
    """Warn first of everything that costs the house money."""
    from holecard.exact.favorable_wagers import favorable_wagers  # loads numba, which an analysis has loaded already

    for favor in favorable_wagers(found):
        yield Paragraph(f"{favor}.", STRONG, indent=0, wrap=False)


def _main_game(main: MainGame) -> Iterator[Block]:
    yield Heading("Main game", f"Per unit of initial stake ({main.unit}).")
    yield facts(
        [
            ("expected value", f"{main.ev:+.13f}", f"exact to within {bound(main.error_bound)}"),
            ("house edge", percent(main.house_edge, 6), ""),
            *_gain(main),
            ("element of risk", percent(main.element_of_risk, 6), "of all money bet"),
            ("average stake", f"{main.average_stake:.9f}", "at the end of a round, with doubles and splits"),
            ("standard deviation", f"{main.standard_deviation:.8f}", _spread_note(main)),
            ("rounds won", percent(main.win), ""),
            ("pushed", percent(main.push), ""),
            ("lost", percent(main.loss), ""),
        ]
    )


def _gain(main: MainGame) -> list[tuple[str, str, str]]:
    """Return what optimal play after splits adds to CDZ-, the play that the numbers below describe."""
    if main.fixed_ev is None:
        return []
    return [
        ("gain over CDZ-", f"{main.ev - main.fixed_ev:.3e}", "from using all cards seen after a split"),
        ("EV under CDZ-", f"{main.fixed_ev:+.13f}", "below, to the net results: CDZ- play"),
    ]


def _spread_note(main: MainGame) -> str:
    """Return the error of the standard deviation, if it has one, and whether the distribution is exact."""
    error = main.standard_deviation_error
    whole = f"the distribution is {main.distribution_method}"
    return f"within {bound(error)}; {whole}" if error else whole


def _distribution(main: MainGame) -> Iterator[Block]:
    exact = max(main.probability_errors) < _EXACT
    note = f"Every probability is exact to within {bound(max(main.probability_errors))}." if exact else _NOT_EXACT
    if main.fixed_ev is not None:
        note = f"Of CDZ- play. {note}"
    yield Heading("Net result of a round", note)
    lines = [
        (exact_decimal(net), probability(p), signed(net * p, 9), *(() if exact else (_error(error),)))
        for (net, p), error in zip(main.distribution, main.probability_errors, strict=True)
    ]
    share, mean = sum(p for _, p in main.distribution), sum(net * p for net, p in main.distribution)
    headings = ("units", "probability", "contribution", *(() if exact else ("within",)))
    yield table(headings, lines, ("all", probability(share), signed(mean, 9), *(() if exact else ("",))))


def _error(error: float) -> str:
    return "exact" if error < _EXACT else bound(error)


def _by_dealer(found: Analysis) -> Iterator[Block]:
    both = any(len(hand.dealer) > 1 for hand in found.hands)
    groups = by_dealer(found)
    note = "EV given that the dealer shows this and the player has a decision; "
    note += f"{NO_DECISION}: a natural (blackjack) ended the round."
    yield Heading("By the dealer's two cards" if both else "By upcard", note)
    lines = [(g.dealer, probability(g.probability, 6), signed(g.ev), signed(g.contribution, 9)) for g in groups]
    whole = probability(sum(g.probability for g in groups), 6)
    total = ("all", whole, signed(found.main.ev), signed(found.main.ev, 9))
    yield table(("dealer", "rounds", "EV", "contribution"), lines, total)


def _insurance(insurance: InsuranceResult, *, hands: bool) -> Iterator[Block]:
    yield Heading("Insurance", "Per unit of insurance, with an ace up, before the dealer checks for a natural.")
    yield facts(
        [
            ("expected value", signed(insurance.overall), f"= {fraction(insurance.overall)}, over all starting hands"),
            ("profitable", *_profitable(insurance)),
        ]
    )
    if hands:
        lines = [(cards_text(hand), signed(value, 9), str(value)) for hand, value in insurance.by_hand]
        yield table(("hand", "EV", "exactly"), lines)


def _profitable(insurance: InsuranceResult) -> tuple[str, str]:
    taken = [cards_text(hand) for hand, value in insurance.by_hand if value > 0]
    if not taken:
        return "never", "with any starting hand"
    if len(taken) == len(insurance.by_hand):
        return "always", "with every starting hand"
    return "sometimes", f"with {' '.join(taken)}"


def _hands(found: Analysis) -> Iterator[Block]:
    """Yield one table for each card or pair of cards the dealer shows."""
    legal = {choice.action for hand in found.hands for choice in hand.choices}
    actions = [action for action in Action if action in legal]
    groups: dict[tuple[tuple[int, ...], str], list[StartingHand]] = {}
    for hand in sorted(found.hands, key=lambda hand: place(hand.dealer)):
        groups.setdefault((hand.dealer, hand.given), []).append(hand)
    marked = f"{_CHOSEN} is {'the best' if found.chart is None else 'what the chart does'}"
    for (dealer, given), held in groups.items():
        yield Heading(f"Starting hands v {cards_text(dealer)}", f"EV per unit of initial stake, {given}; {marked}.")
        # A mark or a blank follows each EV, so a gap of one is enough.
        headings = ("hand", "rounds", *(f"{action} " for action in actions))
        yield table(headings, [_hand_row(found, hand, actions) for hand in held], gap=1)


def _hand_row(found: Analysis, hand: StartingHand, actions: Sequence[str]) -> list[Words]:
    values = {choice.action: choice.ev for choice in hand.choices}
    done = followed(hand, found.chart).action
    cells: list[Words] = [hand.spot.partition(" v ")[0], probability(hand.probability, 6)]
    for action in actions:
        if action not in values:
            cells.append("- ")
        elif action == done:
            cells.append((Span(f"{signed(values[action], 5)}{_CHOSEN}", STRONG),))
        else:
            cells.append(f"{signed(values[action], 5)} ")
    return cells

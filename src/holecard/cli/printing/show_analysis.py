"""An analysis on paper: what it is an analysis of, the main game, and what the dealer's card makes of it.

Numbers are followed by their unit, conditioning and error wherever these are not in the headings.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import get_args

from rich.console import Console
from rich.text import Text

from holecard.charts.chart import Chart
from holecard.cli.printing.dealer_groups import NO_DECISION, by_dealer, followed, place
from holecard.cli.printing.format import (
    bound,
    chance,
    exact_decimal,
    facts,
    fraction,
    grid,
    percent,
    say_cards,
    signed,
    title,
)
from holecard.cli.printing.show import console
from holecard.cli.printing.show_wagers import show_wager
from holecard.composition import Composition, full
from holecard.exact.results import Analysis, InsuranceResult, MainGame, StartingHand
from holecard.sheets.schema import RuleSheet
from holecard.table.events import Action

MARK = "*"


def show_analysis(found: Analysis, chart: Chart | None = None, *, hands: bool = False) -> None:
    """Everything, for people; `chart` is the one it priced, `hands` adds every starting hand."""
    out = console()
    heading(out, found.rules, found.shoe, [("strategy", found.strategy), ("splits", found.convention)])
    _favors(out, found)
    _main_game(out, found.main)
    _distribution(out, found.main)
    _by_dealer(out, found, chart)
    if found.insurance is not None:
        _insurance(out, found.insurance, hands=hands)
    for wager in found.wagers:
        show_wager(out, wager)
    for name, reason in found.skipped:
        title(out, name, f"Not computed: {reason}.")
        out.print()
    if hands:
        _hands(out, found.hands, chart)
    else:
        out.print(Text("--hands prints every starting hand with the value of each action.", style="dim"))


def _favors(out: Console, found: Analysis) -> None:
    """Say first what costs the house money."""
    from holecard.exact.favorable_wagers import favorable_wagers  # it loads numba, which an analysis has loaded already

    said = [Text(f"{favor}.", style="bold") for favor in favorable_wagers(found)]
    for text in said:
        out.print(text, soft_wrap=True)
    if said:
        out.print()


def heading(out: Console, rules: RuleSheet, shoe: Composition, notes: Iterable[tuple[str, str]]) -> None:
    """Game, shoe and settings, and the notes below them."""
    out.print(Text(rules.name, style="bold"))
    settings = ", ".join(f"{word} = {value}" for word, value in rules.origin[1].items())
    lines = [("shoe", _say_shoe(rules, shoe)), ("settings", settings), *notes]
    facts(out, [(name, words) for name, words in lines if words])


def _say_shoe(rules: RuleSheet, shoe: Composition) -> str:
    decks = rules.shoe.decks
    if shoe == full(decks):
        return f"{decks} {'deck' if decks == 1 else 'decks'}, {shoe.total} cards, a fresh shoe each round"
    suits = "" if shoe.suited is not None else ", suits unknown"
    return f"{shoe.total} cards before the round{suits}: {shoe}"


def _main_game(out: Console, main: MainGame) -> None:
    title(out, "Main game", f"Per unit of initial stake ({main.unit}).")
    facts(
        out,
        [
            ("expected value", f"{main.ev:+.13f}", f"the exact mean lies within {bound(main.error_bound)}"),
            ("house edge", percent(main.house_edge, 6), ""),
            *_gain(main),
            ("element of risk", percent(main.element_of_risk, 6), "of all money bet"),
            ("average stake", f"{main.average_stake:.9f}", "at the end of a round, doubles and splits included"),
            ("standard deviation", f"{main.standard_deviation:.8f}", _say_spread(main)),
            ("rounds won", percent(main.win), ""),
            ("pushed", percent(main.push), ""),
            ("lost", percent(main.loss), ""),
        ],
    )


def _gain(main: MainGame) -> list[tuple[str, str, str]]:
    """What optimal play after splits adds to CDZ-, the play that everything below is about."""
    if main.fixed_ev is None:
        return []
    return [
        ("gain over CDZ-", f"{main.ev - main.fixed_ev:.3e}", "from using all cards seen after a split"),
        ("EV under CDZ-", f"{main.fixed_ev:+.13f}", "below, to the net results: CDZ- play"),
    ]


#: A probability with a smaller error is off by rounding alone.
_EXACT = 1e-10
_NOT_EXACT = (
    "Each probability lies within its error of the exact one; some splits to three hands or more are estimated."
)


def _say_spread(main: MainGame) -> str:
    """How the standard deviation was found, and how far it may be off where it may be."""
    return (
        f"within {bound(main.standard_deviation_error)}: {main.distribution_method}"
        if main.standard_deviation_error
        else main.distribution_method
    )


def _distribution(out: Console, main: MainGame) -> None:
    exact = max(main.probability_errors) < _EXACT
    remark = f"Every probability is exact to {bound(max(main.probability_errors))}." if exact else _NOT_EXACT
    if main.fixed_ev is not None:
        remark = f"Of CDZ- play. {remark}"
    title(out, "Net result of a round", remark)
    rows = [
        (exact_decimal(net), chance(p), signed(net * p, 9), *(() if exact else (_say_error(error),)))
        for (net, p), error in zip(main.distribution, main.probability_errors, strict=True)
    ]
    sums = (sum(p for _, p in main.distribution), sum(net * p for net, p in main.distribution))
    heads = ("units", "chance", "chance x units", *(() if exact else ("within",)))
    grid(out, heads, rows, ("all", chance(sums[0]), signed(sums[1], 9), *(() if exact else ("",))))


def _say_error(error: float) -> str:
    return "exact" if error < _EXACT else bound(error)


def _by_dealer(out: Console, found: Analysis, chart: Chart | None) -> None:
    both = any(len(hand.dealer) > 1 for hand in found.hands)
    groups = by_dealer(found, chart)
    remark = "Value given that the dealer shows this and there is a hand to decide; "
    remark += f"{NO_DECISION}: a natural ended the round."
    title(out, "By the dealer's two cards" if both else "By upcard", remark)
    rows = [(g.dealer, chance(g.chance, 6), signed(g.value), signed(g.contribution, 9)) for g in groups]
    whole = ("all", chance(sum(g.chance for g in groups), 6), signed(found.main.ev), signed(found.main.ev, 9))
    grid(out, ("dealer", "rounds", "value", "contribution"), rows, whole)


def _insurance(out: Console, insurance: InsuranceResult, *, hands: bool) -> None:
    title(out, "Insurance", "Per unit of insurance, an ace up, before the dealer looks for a natural.")
    facts(
        out,
        [
            ("expected value", signed(insurance.overall), f"= {fraction(insurance.overall)}, over all starting hands"),
            ("worth taking", *_worth_insuring(insurance)),
        ],
    )
    if hands:
        rows = [(say_cards(hand), signed(value, 9), str(value)) for hand, value in insurance.by_hand]
        grid(out, ("hand", "value", "exactly"), rows)


def _worth_insuring(insurance: InsuranceResult) -> tuple[str, str]:
    taken = [say_cards(hand) for hand, value in insurance.by_hand if value > 0]
    if not taken:
        return "never", "with any starting hand"
    if len(taken) == len(insurance.by_hand):
        return "always", "with every starting hand"
    return "sometimes", f"with {' '.join(taken)}"


def _hands(out: Console, hands: Sequence[StartingHand], chart: Chart | None) -> None:
    """One grid for each card or pair of cards the dealer shows."""
    legal = {choice.action for hand in hands for choice in hand.choices}
    actions = [action for action in get_args(Action) if action in legal]
    groups: dict[tuple[tuple[int, ...], str], list[StartingHand]] = {}
    for hand in sorted(hands, key=lambda hand: place(hand.dealer)):
        groups.setdefault((hand.dealer, hand.given), []).append(hand)
    marked = f"{MARK} is {'the best' if chart is None else 'what the chart does'}"
    for (dealer, given), held in groups.items():
        title(out, f"Starting hands v {say_cards(dealer)}", f"Value per unit of initial stake, {given}; {marked}.")
        # A mark or a blank follows each value, so that a gap of one is enough.
        headers = ("hand", "rounds", *(f"{action} " for action in actions))
        grid(out, headers, [_hand_row(hand, actions, chart) for hand in held], gap=1)


def _hand_row(hand: StartingHand, actions: Sequence[str], chart: Chart | None) -> list[str | Text]:
    values = {choice.action: choice.ev for choice in hand.choices}
    done = followed(hand, chart).action
    cells: list[str | Text] = [hand.spot.partition(" v ")[0], chance(hand.probability, 6)]
    for action in actions:
        if action not in values:
            cells.append("- ")
        elif action == done:
            cells.append(Text(f"{signed(values[action], 5)}{MARK}", style="bold"))
        else:
            cells.append(f"{signed(values[action], 5)} ")
    return cells

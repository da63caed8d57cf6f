"""One decision: the keys of the legal actions, their explanations, and why another key is refused."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from rich.text import Text

from holecard.cli.play.coaching import HINT_KEY, TerminalCoach
from holecard.cli.play.explain import asked_hand, explain
from holecard.cli.play.late_bets import LATE_KEY, ask_during_turn, offer, open_to
from holecard.cli.play.prompts import Prompts
from holecard.cli.play.screen.hands import format_dealer, format_hand
from holecard.cli.play.screen.table_view import WARNING
from holecard.money import NO_MONEY, Money, dollars
from holecard.table.events import NOTHING, Act, Action, Choice
from holecard.table.legal import legal, why_not
from holecard.table.table import Table

_DOLLAR = 100

#: How each action is offered; its key is in brackets.
OFFERS: dict[Action, str] = {
    Action.HIT: "[h]it",
    Action.STAND: "[s]tand",
    Action.DOUBLE: "[d]ouble",
    Action.SPLIT: "s[p]lit",
    Action.DOUBLE_UP: "double [u]p",
    Action.QUICK_PAY: "quic[k] pay",
    Action.SURRENDER: "su[r]render",
    Action.NO_SURRENDER: "[n]o surrender",
    Action.INSURANCE: "[i]nsurance",
    Action.NO_INSURANCE: "[n]o insurance",
}


def key_of(action: Action) -> str:
    """Return the key in the brackets."""
    offer = OFFERS[action]
    return offer[offer.index("[") + 1]


def decide(
    prompts: Prompts,
    table: Table,
    note: Callable[[Action, Money | None], list[Text]],
    last_late: Mapping[str, Money] = NOTHING,
    coach: TerminalCoach | None = None,
) -> list[Text]:
    """Ask the seat whose turn it is for one key; return help, a message if it did not act, or what `note` says.

    `note` gets the action and its amount before it is carried out. `last_late` are the wagers that the seat placed
    after the check in an earlier round, to offer them again.
    """
    choices = table.legal()
    if [choice.action for choice in choices] == ["no insurance"]:
        table.act("no insurance")
        return []
    pressed = prompts.key(question(table, choices, has_coach=coach is not None))
    if pressed == HINT_KEY and coach is not None:
        return coach.hint()
    if pressed == "?":
        return [*(_explained(table, choice) for choice in choices), *_late_explained(table)]
    if pressed == LATE_KEY and _late(table):
        return ask_during_turn(prompts, table, last_late)
    choice = next((choice for choice in choices if key_of(choice.action) == pressed), None)
    if choice is None:
        return [Text(_why_not(table, pressed), WARNING)]
    amount = _amount(prompts, table, choice)
    said = note(choice.action, amount)
    table.act(choice.action, amount)
    return said


def question(table: Table, choices: tuple[Choice, ...], *, has_coach: bool = False) -> Text:
    """Return the hand and the keys: "Seat 1: 16 against 10   [h]it  [s]tand  …"."""
    seat, hand = asked_hand(table)
    number = f" hand {table.view(seat.number).hand}" if len(seat.hands) > 1 else ""
    against = format_dealer(table.view()).removeprefix("shows ")
    late = [offered] if (offered := _late(table)) else []
    hint = [f"[{HINT_KEY}] hint"] if has_coach else []
    keys = "  ".join([*map(_offer, choices), *late, *hint, "[?] help", "[q]uit"])
    asked = f"Seat {seat.number}{number}: {format_hand(seat, hand)} against {against}"
    return Text.assemble((asked, "bold"), "\n", (keys, "bold cyan"))


def _late(table: Table) -> str:
    """Return the key for wagers that can be placed while the hand is played; empty if there are none."""
    return offer(table, table.asked) if table.asked is not None else ""


def _offer(choice: Choice) -> str:
    return OFFERS[choice.action] if choice.low is None else f"{OFFERS[choice.action]} {_range(choice)}"


def _range(choice: Choice) -> str:
    low, high = choice.low or NO_MONEY, choice.high or NO_MONEY
    if low == high:
        return dollars(low)
    steps = "" if choice.step == _DOLLAR else f" in steps of {dollars(choice.step or 1)}"
    return f"{dollars(low)} to {dollars(high)}{steps}"


def _why_not(table: Table, pressed: str) -> str:
    """Return why the key is refused: the rule against its action, or the lack of money."""
    action = next((action for action in OFFERS if key_of(action) == pressed), None)
    seat = table.asked
    if action is None or seat is None:
        return "That key does nothing here; press ? for an explanation of each option."
    if any(choice.action == action for choice in legal(table.state)):
        return f"No {action}: seat {seat} has only {dollars(_free(table, seat))} left to wager."
    return f"No {why_not(table.state, Act(seat, action))}."


def _free(table: Table, seat: int) -> Money:
    """Return what a seat can still wager."""
    return (table.bankroll(seat) or NO_MONEY) - table.at_risk(seat)


def _amount(prompts: Prompts, table: Table, choice: Choice) -> Money | None:
    """Return the stake if it can be chosen; the default is the most that the seat can pay."""
    if choice.low is None or choice.high is None:
        return None
    free = _free(table, choice.seat)

    def refuse(amount: Money) -> str | None:
        reason = why_not(table.state, Act(choice.seat, choice.action, amount))
        too_much = reason is None and table.bankroll(choice.seat) is not None and amount > free
        return f"seat {choice.seat} has {dollars(free)} to wager" if too_much else reason

    return prompts.money(f"{choice.action.capitalize()} for how much ({_range(choice)})", choice.high, refuse)


def _late_explained(table: Table) -> list[Text]:
    if not (offered := _late(table)):
        return []
    names = ", ".join(wager.name for wager in open_to(table, table.asked or 0))
    terms = f"{names}; for seat {table.asked} only, until the hole card is turned"
    return [Text.assemble((f"{offered}: ", "bold cyan"), terms)]


def _explained(table: Table, choice: Choice) -> Text:
    return Text.assemble((f"{OFFERS[choice.action]}: ", "bold cyan"), explain(table, choice))

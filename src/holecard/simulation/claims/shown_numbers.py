"""Numbers that `analyze` shows and that follow from others: each is worked out again from what rounds compare.

The net results of the main wager and the lines of every side wager are compared with simulated rounds. Shares, edges,
contributions and deviations are sums of these. Insurance, and rounds that end before a decision, are counted again
over the first four cards. These comparisons involve no chance, so a correct game never fails them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import comb, gcd, isclose, prod, sqrt
from typing import Any, NamedTuple, TypeAlias

from holecard.deck import value_name
from holecard.exact.results import Analysis
from holecard.simulation.claims.counted_deals import (
    ends_at_once,
    ev_before_decisions,
    first_deals,
    plain_lines,
    starting_hands,
)
from holecard.simulation.claims.decision_numbers import decision_numbers
from holecard.simulation.claims.round_claims import largest_margin, wager_probabilities
from holecard.simulation.claims.sampled_numbers import sampled_numbers
from holecard.simulation.results import Simulation
from holecard.simulation.witness.plain_words import plain_cents, plain_odds

#: Allowed for sums of floats.
_ROUNDING = 1e-9
#: What one combination is: sets of cards, each as the cards dealt before and the number of its cards.
_SETS_OF_CARDS = {
    "the player's two cards": [(0, 2)],
    "the player's two cards and the upcard": [(0, 2), (2, 1)],
    "three cards, in any seats": [(0, 3)],
    "four cards, in any seats": [(0, 4)],
    "the player's two cards, the upcard and the hole card": [(0, 2), (2, 1), (3, 1)],
}
_NO_DECISION = "no decision"

#: A number's name, the number as shown, and the number worked out again.
_Shown: TypeAlias = tuple[str, float, float]


class NumberCheck(NamedTuple):
    """The result of comparing numbers that must be equal."""

    what: str
    """the numbers in words: "shown numbers, worked out again from others," """
    compared: int
    differences: tuple[str, ...] = ()
    """each difference as text"""

    @property
    def agrees(self) -> bool:
        """Whether nothing differs."""
        return not self.differences

    @property
    def verdict(self) -> str:
        """The verdict as text; differences follow line by line."""
        if self.agrees:
            return f"{self.compared:,} {self.what} agree."
        first = f"{len(self.differences):,} of {self.compared:,} {self.what} differ:"
        return "\n".join([first, *(f"  {line}" for line in self.differences)])


def check_shown_numbers(exact: Analysis, sampled: Simulation | None = None) -> NumberCheck:
    """Work out again what follows from other numbers of an analysis, and of a run."""
    found: list[_Shown] = []
    differences: list[str] = []
    try:
        found.extend(_shown(exact))
        found.extend(sampled_numbers(sampled) if sampled is not None else ())
    except Exception as error:  # any failure is a finding about these numbers
        differences.append(f"the numbers could not be worked out again: {type(error).__name__}: {error}")
    differences += (
        f"{name}: {shown:.12g} is shown, and {again:.12g} follows from the other numbers"
        for name, shown, again in found
        if not isclose(shown, again, rel_tol=_ROUNDING, abs_tol=_ROUNDING)
    )
    return NumberCheck("shown numbers, worked out again from others,", len(found), tuple(differences))


def _shown(exact: Analysis) -> Iterator[_Shown]:
    data = exact.to_dict(hands=True)
    yield from _main(data["main"])
    largest = largest_margin(exact)
    for net, error in data["main"]["probability_errors"].items():
        beyond = max(error - largest, 0.0)
        yield f"main wager, stated error of the probability of {net} beyond what is allowed", beyond, 0.0
    yield from _hands(exact, data)
    yield from _insurance(exact, data)
    for name, wager in data["wagers"].items():
        yield from _wager(exact, name, wager)
    yield from _favors_player(data)
    yield from plain_lines(exact)
    yield from decision_numbers(exact)


def _main(main: Mapping[str, Any]) -> Iterator[_Shown]:
    results = {Fraction(net): probability for net, probability in main["distribution"].items()}
    mean = sum(float(net) * probability for net, probability in results.items())
    square = sum(float(net) ** 2 * probability for net, probability in results.items())
    yield "main wager, sum of all probabilities", sum(results.values()), 1.0
    ev = main["ev"] if main["fixed_ev"] is None else main["fixed_ev"]
    yield "main wager, EV", ev, mean
    yield "main wager, house edge", main["house_edge"], -main["ev"]
    yield "main wager, element of risk", main["element_of_risk"], -ev / main["average_stake"]
    yield "main wager, standard deviation", main["standard_deviation"], sqrt(max(square - mean**2, 0.0))
    signs: dict[int, float] = {1: 0.0, 0: 0.0, -1: 0.0}
    for net, probability in results.items():
        signs[(net > 0) - (net < 0)] += probability
    for shown, sign in (("win", 1), ("push", 0), ("loss", -1)):
        yield f"main wager, {shown}", main[shown], signs[sign]


def _favors_player(data: Mapping[str, Any]) -> Iterator[_Shown]:
    """Check that every EV above zero is repeated; insurance by hand only where it does not favor every hand."""
    main, insurance = data["main"], data["insurance"] or {"ev": 0.0, "by_hand": {}}
    evs = [main["ev"] if main["ev"] > main["error_bound"] else 0.0, insurance["ev"]]
    evs += [value["ev"] for value in insurance["by_hand"].values() if insurance["ev"] <= 0]
    for wager in data["wagers"].values():
        evs += [wager["ev"], *(value["ev"] for value in wager["by_upcard"].values())]
    shown = sorted(favor["ev"] for favor in data["favors_player"])
    again = sorted(ev for ev in evs if ev > 0)
    yield "wagers that favor the player", len(shown), len(again)
    yield from (("a wager that favors the player, EV", *pair) for pair in zip(shown, again, strict=False))


# The first cards


def _hands(exact: Analysis, data: Mapping[str, Any]) -> Iterator[_Shown]:
    """Check the probability of every starting hand, and the groups by the dealer's card."""
    groups, tables = data["main"]["by_dealer"], exact.rules.tables
    dealt = starting_hands(exact)
    for hand in exact.hands:
        if not tables.pairs_by_rank:
            yield f"{hand.spot}, probability", hand.probability, dealt.get((*sorted(hand.player), *hand.dealer), 0.0)
    for shown in data["hands"]:
        evs = [choice["ev"] for choice in shown["choices"]]
        yield f"{shown['spot']}, best choice first", evs[0], max(evs)
    chosen = {
        shown["spot"]: next(choice["ev"] for choice in shown["choices"] if choice["action"] == shown["action"])
        for shown in data["hands"]
    }
    yield "by dealer's card, sum of probabilities", sum(group["probability"] for group in groups.values()), 1.0
    yield (
        "by dealer's card, sum of contributions",
        sum(group["contribution"] for group in groups.values()),
        exact.main.ev,
    )
    dealers: dict[str, float] = {}
    for (_, _, *shown), probability in dealt.items():
        dealers[_dealer(shown)] = dealers.get(_dealer(shown), 0.0) + probability
    won: dict[str, float] = {}
    for hand, shown in zip(exact.hands, data["hands"], strict=True):
        name = _dealer(hand.dealer)
        won[name] = won.get(name, 0.0) + shown["probability"] * chosen[shown["spot"]]
    for name, group in groups.items():
        yield f"dealer's {name}, contribution", group["contribution"], group["probability"] * group["ev"]
        if name != _NO_DECISION:
            yield f"dealer's {name}, probability", group["probability"], dealers[name]
            yield f"dealer's {name}, contribution of its hands", group["contribution"], won[name]
    if tables.natural_is_final:
        yield "rounds without a decision, probability", groups[_NO_DECISION]["probability"], 1 - sum(dealt.values())
        yield "rounds without a decision, EV", groups[_NO_DECISION]["contribution"], ev_before_decisions(exact)


def _dealer(shown: Sequence[int]) -> str:
    """Return what the dealer shows: an upcard, or the total of both cards."""
    if len(shown) == 1:
        return value_name(shown[0])
    is_soft = 1 in shown
    return f"{'soft ' if is_soft else ''}{sum(shown) + 10 * is_soft}"


# Insurance and side wagers


def _insurance(exact: Analysis, data: Mapping[str, Any]) -> Iterator[_Shown]:
    shown, pays = data["insurance"], exact.rules.tables.insurance
    if shown is None or pays is None:
        return
    tens, cards, wins = exact.shoe.values[9], exact.shoe.total, float(pays)
    yield "insurance, EV", shown["ev"], tens / (cards - 1) * (wins + 1) - 1
    yield "insurance, as a fraction", float(Fraction(shown["exact"])), shown["ev"]
    for hand, value in shown["by_hand"].items():
        left = tens - hand.replace("10", "T").count("T")
        yield f"insurance with {hand}", value["ev"], left / (cards - 3) * (wins + 1) - 1
        yield f"insurance with {hand}, as a fraction", float(Fraction(value["exact"])), value["ev"]


def _wager(exact: Analysis, name: str, wager: Mapping[str, Any]) -> Iterator[_Shown]:
    probabilities = {net: float(probability) for net, probability in wager_probabilities(exact, name).items()}
    mean = sum(float(net) * probability for net, probability in probabilities.items())
    square = sum(float(net) ** 2 * probability for net, probability in probabilities.items())
    lines, taxes = wager["lines"], wager["taxes"]
    yield f"{name}, EV", wager["ev"], mean
    yield f"{name}, EV as a fraction", float(Fraction(wager["exact"])), wager["ev"]
    yield f"{name}, house edge", wager["house_edge"], -mean
    yield f"{name}, sum of all lines", sum(line["probability"] for line in lines), 1.0
    yield f"{name}, sum of returns", sum(line["return"] for line in (*lines, *taxes)), mean
    yield f"{name}, standard deviation", wager["standard_deviation"], sqrt(max(square - mean**2, 0.0))
    wins = sum(probability for net, probability in probabilities.items() if net > 0)
    yield f"{name}, hit frequency", wager["hit_frequency"], wins
    counted = [int(line["combinations"]) for line in (*lines, *taxes)]
    sets = _SETS_OF_CARDS.get(next(result.counted for result in exact.wagers if result.name == name))
    if sets is None:
        yield f"{name}, common divisor of all combinations", gcd(int(wager["combinations"]), *counted), 1
    else:
        yield f"{name}, combinations", int(wager["combinations"]), prod(comb(exact.shoe.total - a, b) for a, b in sets)
    for line in lines:
        net = 0.0 if line["pays"] == "nothing" else _net(line["pays"])
        yield f"{name}, {line['line']}, return", line["return"], net * line["probability"]
        share = int(line["combinations"]) / int(wager["combinations"])
        yield f"{name}, {line['line']}, combinations", share, line["probability"]
    for line in taxes:
        share = int(line["combinations"]) / int(wager["combinations"])
        yield f"{name}, tax on {line['line']}, combinations", share, line["probability"]
        yield f"{name}, tax on {line['line']}, return", line["return"], -_net(line["pays"]) * line["probability"]
    if taxes:
        paid, taken = (sum(line["return"] for line in some) for some in (lines, taxes))
        if taken:
            yield f"{name}, return of tax", wager["return_of_tax"], paid / -taken
    yield from _by_upcard(exact, name, wager)


def _net(pays: str) -> float:
    """Return what a line pays, per unit staked or in dollars."""
    return plain_cents(pays) / 100 if pays.startswith("$") else float(plain_odds(pays))


def _by_upcard(exact: Analysis, name: str, wager: Mapping[str, Any]) -> Iterator[_Shown]:
    """Check the EV with each upcard of a wager that is placed after the check."""
    if not wager["by_upcard"]:
        return
    upcards: dict[str, float] = {}
    for deal, probability in first_deals(exact):
        if not ends_at_once(exact.rules.tables, deal):
            upcard = value_name(deal[2])
            upcards[upcard] = upcards.get(upcard, 0.0) + probability
    evs = {upcard: shown["ev"] for upcard, shown in wager["by_upcard"].items()}
    asked = sum(upcards[upcard] for upcard in evs)
    yield f"{name}, EV over all upcards", sum(evs[upcard] * upcards[upcard] for upcard in evs) / asked, wager["ev"]
    for upcard, ev in evs.items():
        own = [line for line in wager["lines"] if line["line"].endswith(f" with {upcard} up")]
        if len(own) * len(evs) == len(wager["lines"]) - 1:
            returned = sum((_net(line["pays"]) + 1) * line["probability"] for line in own) * asked / upcards[upcard]
            yield f"{name}, EV with {upcard} up", ev, returned - 1

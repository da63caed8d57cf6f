"""What the sentences of `rules` say together: when the dealer draws, and what every hand wins against every other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import cache
from itertools import product

from tests.readback import words
from tests.readback.compiled_facts import COLUMNS, HANDS, TRIED, Facts
from tests.readback.said_rules import read_sentences

_OUTCOMES = {"wins": Fraction(1), "pushes": Fraction(0), "loses": Fraction(-1)}


def main_facts_said(sentences: Iterable[str]) -> Facts:
    """Return the facts of the main game under the names of `compiled_facts.main_facts`."""
    said = read_sentences(sentences)
    rules = {"bonuses from right": False, "completes for": (), "companion": None, "charlie": None, **said}
    rules |= {name: rules.get(name, none) for name, none in _WHERE_SILENT.items()}
    assert len(rules["true of every game"]) == 5, "a sentence is missing that is true of every game"  # type: ignore[arg-type]
    for ties in {"ties", "double up ties"} & rules.keys():
        wins_21 = rules.get("twenty one wins") and rules[ties] != "wins"
        assert rules[f"{ties} at 21"] == (not wins_21), f"{ties} at 21, and a 21 that wins"
    rules |= {"dealer draws": dealer_draws_said(rules), "dealer draws on": dealer_draws_on_said(rules)}
    return rules | {f"pays: {name}": net for name, net in cells_said(rules)}


_WHERE_SILENT: dict[str, object] = {"doubles up": frozenset(), "quick pay": frozenset(), "cut card": None, "burned": 0}


def dealer_draws_on_said(rules: Mapping[str, object]) -> frozenset[tuple[int, ...]]:
    """Return the hands of three and four cards, by value in the order dealt, to which the dealer draws."""
    return _drawn_to(dealer_draws_said(rules), rules.get("ends on", ()), rules.get("to hard 17 from"))


@cache
def _drawn_to(draws: frozenset[tuple[int, bool]], ends: object, start: object) -> frozenset[tuple[int, ...]]:
    assert isinstance(ends, tuple)

    def takes_a_card(values: tuple[int, ...]) -> bool:
        so_far = [words.total(values[:size]) for size in range(2, len(values) + 1)]
        (first, _), (total, soft) = so_far[0], so_far[-1]
        if len(values) == 2:
            return total != 21 and (total, soft) in draws
        starts = {None: False, "two-card 16": first <= 16, "soft 17": (17, True) in so_far}
        return (total, soft) in draws or (soft and total not in ends and starts[start])

    hands = [values for size in (3, 4) for values in product(TRIED, repeat=size)]
    return frozenset(
        values for values in hands if all(takes_a_card(values[:size]) for size in range(2, len(values) + 1))
    )


def dealer_draws_said(rules: Mapping[str, object]) -> frozenset[tuple[int, bool]]:
    """Return the two-card hands with which the dealer draws."""
    softs, ends = rules["draws to 17"], rules.get("ends on", ())
    assert isinstance(softs, frozenset)
    assert isinstance(ends, tuple)
    return frozenset(
        (total, soft) for total, soft in HANDS if total not in ends and (total < 17 or (soft and total in softs))
    )


def cells_said(rules: Mapping[str, object]) -> list[tuple[str, Fraction]]:
    """Return what every stake wins with every hand against every final hand of the dealer."""
    draws = dealer_draws_said(rules)
    finals = [str(total) for total in range(12, 22) if not {(total, False), (total, True)} <= draws]
    added = {"split": rules["split hands"] != 1, "double": rules["doubles"], "double up": rules["doubles up"]}
    stakes = ["bet", *["companion"] * bool(rules["companion"]), *(name for name, offered in added.items() if offered)]
    checked = rules["hole card"] in ("peek", "face up")
    cells = []
    for stake in stakes:
        first = stake in ("bet", "companion")
        hands = [*map(str, range(4, 22)), *["natural"] * first]
        hands += ["charlie"] * (rules["charlie"] is not None and stake != "double up")
        for hand in hands:
            for dealer in (*finals, *COLUMNS.values()):
                if dealer == "natural" and checked and (not first or hand == "charlie"):
                    continue
                cells.append((f"{stake}, {hand} v {dealer}", _won(rules, stake, hand, dealer)))
    return cells


def _won(rules: Mapping[str, object], stake: str, hand: str, dealer: str) -> Fraction:
    """Return what a live hand wins."""
    naturals = rules.get("companion naturals") if stake == "companion" else None
    if dealer == "natural":
        return _against_natural(rules, stake, hand, naturals)
    if hand == "natural":
        if naturals:
            return naturals[0]  # type: ignore[index, no-any-return]
        tied = rules.get(f"natural ties {dealer}")
        return _OUTCOMES[str(rules["ties"])] if tied else _fraction(rules["natural pays"])
    ruled = rules.get(f"ruled {dealer}")
    if hand == "charlie" and (not ruled or rules.get(f"charlie paid against {dealer}", True)):
        return _fraction(rules["charlie pays"])
    if ruled:
        twenty_one, other = ruled  # type: ignore[misc]
        return _OUTCOMES[twenty_one if hand == "21" and twenty_one else other]
    if "bust" in dealer or dealer == "22" or (hand == "21" and rules.get("twenty one wins")):
        return Fraction(1)
    if int(hand) != int(dealer):
        return Fraction(1 if int(hand) > int(dealer) else -1)
    return _OUTCOMES[str(rules["double up ties" if stake == "double up" else "ties"])]


def _against_natural(rules: Mapping[str, object], stake: str, hand: str, naturals: object) -> Fraction:
    if naturals:
        return naturals[2 if hand == "natural" else 1]  # type: ignore[index, no-any-return]
    if hand == "natural":
        return _fraction(rules["two naturals"])
    spared = stake not in ("bet", "companion") and rules["spares added"]
    return Fraction(0 if spared else -1)


def _fraction(value: object) -> Fraction:
    assert isinstance(value, Fraction)
    return value

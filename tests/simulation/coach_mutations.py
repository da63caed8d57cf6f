"""Deliberate mistakes in what the coach shows: hands, hands after a split, wagers, and the review of a round."""

from __future__ import annotations

from holecard.coach import advice, hand_values, player_view, review, wager_values
from tests.simulation.mutations import Mutation, getter, mutation

#: Each with a sheet that it affects.
COACH: list[tuple[Mutation, str]] = [
    (mutation("half the stake", (advice._ranked, "value.ev * stake", "value.ev * stake / 2")), "classic"),
    (
        mutation(
            "the companion is not staked",
            (player_view.known_hand, "(BET, COMPANION, SPLIT)", "(BET, SPLIT)"),
        ),
        "quick-pay",
    ),
    (
        mutation(
            "other hands of the seat are not seen",
            (player_view.known_hand, "if place != number", "if place < 0"),
        ),
        "classic",
    ),
    (
        mutation(
            "doubling after hitting is standing", (hand_values._later, "evs.double[number, 0]", "evs.hit[number, 0]")
        ),
        "classic",
    ),
    (
        mutation(
            "a Double-Up wins once",
            (hand_values._later, "stand_evs.doubled_up[number, 0]", "stand_evs.plain[number, 0]"),
        ),
        "double-up",
    ),
    (
        mutation(
            "a wager's EV has the other sign",
            (wager_values.early_values, "WagerValue(wager.name, float(exact)", "WagerValue(wager.name, -float(exact)"),
        ),
        "match-up",
    ),
    (
        mutation("fixed amounts are cents", (wager_values.early_cents, "100 if", "1 if")),
        "upcard-luck-21",
    ),
    (
        mutation(
            "late wagers are worth nothing",
            (wager_values.late_values, "float(evs[wager.name]),\n            _per", "0.0,\n            _per"),
        ),
        "quick-pay",
    ),
    (mutation("a decision costs its EV", (review._judged, "else missed * per_unit", "else ev * per_unit")), "classic"),
    (
        mutation("the house has one of two wagers", (review._placed_early, "* main_wagers(tables)", "* 1")),
        "quick-pay",
    ),
    (mutation("skill is luck", (getter(review.Review, "luck"), "- self.skill", "")), "classic"),
    (mutation("skill wins", (review.review, "0.0 - sum(", "0.0 + sum(")), "classic"),
]

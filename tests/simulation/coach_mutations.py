"""Deliberate mistakes in what the coach and `evaluate` show: hands, splits, wagers, and the review of a round."""

from __future__ import annotations

from holecard.coach import advice, hand_values, player_view, review, tally, wager_values
from holecard.exact import evaluate, even_money, favorable_wagers
from holecard.exact.wagers import after_check
from holecard.payoffs import made_hands
from holecard.report.exact import analysis_data, evaluation
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
    (
        mutation(
            "no natural is known in the coach", (hand_values._no_natural, "1.0 if natural < 0 else", "1.0 if True else")
        ),
        "classic",
    ),
    (
        mutation("a pair makes a hand more", (hand_values._later, "- (hand.hands - 1)", "- (hand.hands - 2)")),
        "classic",
    ),
    (
        mutation(
            "a natural takes nothing",
            (hand_values._first_two, "against = (1 - no_natural) *", "against = 0 *"),
        ),
        "classic",
    ),
    (
        mutation(
            "early surrender loses everything",
            (hand_values._first_two, "None if isnan(early) else early", "None if isnan(early) else 2 * early"),
        ),
        "early-bird",
    ),
    (mutation("insurance without own tens", (advice._insurance, " - sum(VALUES", " - 0 * sum(VALUES")), "classic"),
    (mutation("cents are dimes", (advice._insurance, "100 * ev", "10 * ev")), "classic"),
    (
        mutation(
            "all of the wager is insured", (advice._insured, "insured.ev * most / int(hand.stake)", "insured.ev * 1")
        ),
        "classic",
    ),
    (
        mutation(
            "other seats are not seen", (player_view.known_hand, "other.number != seat for", "other.number < 0 for")
        ),
        "classic",
    ),
    (mutation("late wagers win", (review._late, "expected = for_late(", "expected = -for_late(")), "quick-pay"),
    (mutation("all hands of a round are two", (review.review, "hands=sum(", "hands=1 + sum(")), "classic"),
    (
        mutation(
            "side wagers are not staked",
            (review.review, "for result in results),\n        net", "for result in results[:1]),\n        net"),
        ),
        "match-up",
    ),
    (
        mutation(
            "every decision is right", (getter(review.Review, "tally"), "sum(decision.is_right for", "sum(True for")
        ),
        "classic",
    ),
    (
        mutation("the first round's house", (tally.SessionTally.__add__, "self.house + other.house", "self.house")),
        "classic",
    ),
    (
        mutation("one card is doubled", (hand_values._one_card, "stand_evs.plain[then", "stand_evs.doubled[then")),
        "face-up",
    ),
]

#: In what `evaluate` and `analyze` show, the same.
EVALUATED: list[tuple[Mutation, str]] = [
    (
        mutation("the hole card is one of more", (evaluate._no_natural, "(left.sum() - 1)", "left.sum()")),
        "classic",
    ),
    (
        mutation("insurance by any hand", (evaluate._insurance, "dict(found.by_hand).get(hand)", "found.overall")),
        "classic",
    ),
    (
        mutation(
            "even money wins more", (even_money.insured_natural, "EVEN_MONEY, certain", "EVEN_MONEY, certain + 0.5")
        ),
        "classic",
    ),
    (
        mutation("split again to one hand more", (evaluate._later, "game.most_hands(v) - 1", "game.most_hands(v)")),
        "classic",
    ),
    (
        mutation(
            "the last choice is better",
            (analysis_data.choices_data, '"ev": choice.ev}', '"ev": choice.ev + 0.01 * (choice is choices[-1])}'),
        ),
        "classic",
    ),
    (
        mutation(
            "insurance has the other sign", (evaluation.data, "exact_ev(found.insurance)", "exact_ev(-found.insurance)")
        ),
        "classic",
    ),
    (
        mutation(
            "frequent endings are more frequent",
            (after_check._values, "ways[begun[:1]][outcome] += number", "ways[begun[:1]][outcome] += found * number"),
        ),
        "quick-pay",
    ),
    (
        mutation(
            "a wager that loses favors the player",
            (favorable_wagers._main, "main.ev > main.error_bound", "main.ev < main.error_bound"),
        ),
        "classic",
    ),
    (
        mutation(
            "straights are suits",
            (
                made_hands._alike,
                "if depends_on_suits(word) else _by_ranks",
                'if depends_on_suits(word) or word == "four of a kind" else _by_ranks',
            ),
        ),
        "face-up",
    ),
]

"""The data of `holecard counting`: nested for JSON, flat for CSV."""

from __future__ import annotations

from typing import Any

from holecard.advantage.counting_result import CountGain, Counting, CountingPlan, CutGains, SampleMean, WagerCounting
from holecard.advantage.index_plays.index_search import BEST_PLAYS, IndexPlays
from holecard.advantage.removal import RemovalEffects
from holecard.advantage.tags import FittedCount
from holecard.advantage.verdict import hourly, hourly_gains, target_words
from holecard.counts import Count, count_player_text
from holecard.deck import DECK
from holecard.report.sheet import identity, origin, settings


def counting_data(found: Counting) -> dict[str, Any]:
    """Return everything that was found; money in cents, gains in units (or dollars) per 100 rounds."""
    plan = found.plan
    return {
        **identity(found.rules),
        "decks": found.rules.shoe.decks,
        "settings": settings(found.rules),
        "seats": plan.seats,
        **plan_data(plan),
        "verdict": found.verdict,
        "wagers": [_wager(wager, plan) for wager in found.wagers],
        "index_plays": None if found.index_plays is None else _plays(found.index_plays),
    }


def plan_data(plan: CountingPlan) -> dict[str, Any]:
    """Return what is assumed of the table and the player, but for the seats."""
    return {
        "cut": plan.cut,
        "count": plan.count.name,
        "spread": plan.spread,
        "asked_spread": plan.spread if plan.asked_spread is None else plan.asked_spread,
        "bet": int(plan.bet),
        "asked_bet": int(plan.bet if plan.asked_bet is None else plan.asked_bet),
        "pace": plan.pace,
        "shoes": plan.shoes,
        "seed": plan.seed,
    }


def verdict_data(wager: WagerCounting, plan: CountingPlan) -> dict[str, Any]:
    """Return the sentence about a wager, and what it says as data."""
    gains = wager.at_cut(plan.cut)
    best = None if gains is None else gains.best_count
    perfect, counter = (None, None) if gains is None else hourly_gains(gains, wager.target, wager.stake, plan)
    return {
        "stake": int(wager.stake),
        "best_count": None if best is None else best.count.name,
        "dollars_per_hour": {
            "perfect": None if perfect is None else mean_data(perfect),
            "best_count": None if counter is None else mean_data(counter),
            "flat": None if gains is None else _hourly_data(gains.flat_gain, wager, plan),
            "over_flat": None if best is None else _hourly_data(best.over_flat, wager, plan),
        },
        "target_words": None if gains is None else target_words(gains, wager.target, wager.stake, plan),
        "verdict": wager.verdict,
    }


def _hourly_data(found: SampleMean | None, wager: WagerCounting, plan: CountingPlan) -> dict[str, Any] | None:
    """Return a gain per 100 rounds as dollars per hour."""
    if found is None:
        return None
    factor = hourly(SampleMean(1.0, 0.0), wager.target, wager.stake, plan)
    return mean_data(SampleMean(factor * found.mean, factor * found.standard_error))


def wager_rows(found: Counting) -> list[dict[str, Any]]:
    """Return a row for each wager, cut card and player: perfect, or by a count."""
    rows: list[dict[str, Any]] = []
    for wager in found.wagers:
        for one in wager.gains:
            start = {
                "game": origin(found.rules),
                "wager": wager.target.name,
                "unit": wager.target.unit,
                "decks": found.rules.shoe.decks,
                "seats": found.plan.seats,
                "cut": one.cut,
                "rounds": one.rounds,
                "rounds_approximated": one.rounds_approximated,
                "rounds_left_out": one.rounds_left_out,
                **mean_columns("ev", one.ev),
            }
            perfect = _row(one.favorable, one.gain, one.spread_gain)
            rows.append({**start, "player": "perfect", **perfect, "bet_at": None, "and_below": None})
            for count in one.counts:
                gains = _row(count.frequency, count.gain, count.spread_gain)
                bets = {"bet_at": count.bet_at, "and_below": None if count.bet_at is None else count.and_below}
                rows.append({**start, "player": count.count.name, **gains, **bets})
    return rows


def _row(frequency: SampleMean, gain: SampleMean, spread: SampleMean | None) -> dict[str, Any]:
    return {
        **mean_columns("frequency", frequency),
        **mean_columns("gain", gain),
        **mean_columns("spread_gain", spread),
    }


def mean_columns(name: str, found: SampleMean | None) -> dict[str, float | None]:
    """Return a number and its standard error as two columns."""
    mean, error = (None, None) if found is None else (found.mean, found.standard_error)
    return {name: mean, f"{name}_standard_error": error}


def _wager(wager: WagerCounting, plan: CountingPlan) -> dict[str, Any]:
    return {
        "name": wager.target.name,
        "kind": wager.target.kind,
        "unit": wager.target.unit,
        "given": wager.target.given,
        **verdict_data(wager, plan),
        "effects_of_removal": {
            "full_shoe": _effects(wager.full_shoe),
            "half_shoe": None if wager.half_shoe is None else _effects(wager.half_shoe),
        },
        "best_counts": [_fitted(one) for one in (wager.level_one, wager.level_two) if one is not None],
        "known_counts": [_fitted(one) for one in wager.known],
        "by_cut": [cut_data(one) for one in wager.gains],
        "by_reading": {
            "count": None if wager.count is None else wager.count.name,
            "readings": [
                {
                    "reading": edge.reading,
                    "up_to": edge.up_to,
                    "ends": edge.ends or None,
                    "frequency": edge.frequency,
                    "ev": mean_data(edge.ev),
                }
                for edge in wager.by_reading
            ],
        },
    }


def _effects(found: RemovalEffects) -> dict[str, Any]:
    return {
        "cards": found.cards,
        "ev": found.ev,
        "mean": found.mean,
        "by_card": {repr(card): found.effects[card] for card in DECK},
    }


def _fitted(found: FittedCount) -> dict[str, Any]:
    return {"count": found.count.name, "correlation": found.correlation, "tags": _tags(found.count)}


def _tags(count: Count) -> dict[str, float]:
    return {repr(card): float(count.tags[card]) for card in DECK}


def cut_data(one: CutGains) -> dict[str, Any]:
    """Return the gains with one cut card."""
    return {
        "cut": one.cut,
        "rounds": one.rounds,
        "rounds_approximated": one.rounds_approximated,
        "rounds_left_out": one.rounds_left_out,
        "ev": mean_data(one.ev),
        "favorable": mean_data(one.favorable),
        "perfect_gain": mean_data(one.gain),
        "perfect_spread_gain": None if one.spread_gain is None else mean_data(one.spread_gain),
        "counts": [_count(count) for count in one.counts],
        "flat_gain": None if one.flat_gain is None else mean_data(one.flat_gain),
    }


def _count(found: CountGain) -> dict[str, Any]:
    return {
        "count": found.count.name,
        "bet_at": found.bet_at,
        "and_below": None if found.bet_at is None else found.and_below,
        "by_upcard": [
            {"upcard": one.upcard, "bet_at": one.bet_at, "and_below": one.and_below} for one in found.by_upcard
        ],
        "frequency": mean_data(found.frequency),
        "gain": mean_data(found.gain),
        "spread_gain": None if found.spread_gain is None else mean_data(found.spread_gain),
        "over_flat": None if found.over_flat is None else mean_data(found.over_flat),
    }


def _plays(found: IndexPlays) -> dict[str, Any]:
    return {
        "count": found.count.name,
        "cut": found.cut,
        "cards_seen": found.cards_seen,
        "spread": found.spread,
        "large_bet_from": found.large_bet_from,
        "plays": [
            {
                "hand": one.play.hand,
                "upcard": one.play.upcard,
                "action": one.play.action,
                "index": one.play.index,
                "below": one.play.below,
                "instead_of": one.instead_of,
                "even_at": one.even_at,
                "gain": one.gain,
                "spread_gain": one.spread_gain,
            }
            for one in found.plays
        ],
        "file": count_player_text(found.player(BEST_PLAYS)),
    }


def mean_data(found: SampleMean) -> dict[str, float]:
    """Return a number and its standard error."""
    return {"mean": found.mean, "standard_error": found.standard_error}

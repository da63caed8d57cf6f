"""A verdict in one sentence: what a counter gains in an hour, and whether that makes the wager a target.

Words and amounts have one basis: the largest bet in the rounds in which it pays, and nothing in other rounds. For the
main wager, the result of betting one unit in all other rounds is added. The words depend on what the best of the
counters gains per 100 rounds, in units of that bet; a gain below `_TRIFLE` of the unit per hour is never a target. A
gain counts if it is more than two standard errors. Where flat betting wins already, the words are about what counting
adds to it: the same bets win without a count. The limits are on the page docs/counting.md; the tests compare the two.
"""

from __future__ import annotations

from holecard.advantage.counting_result import CountGain, CountingPlan, CutGains, SampleMean, WagerCounting
from holecard.advantage.index_plays.index_search import BEST_PLAYS, IndexPlays
from holecard.advantage.targets import Target
from holecard.counts.index_plays import INSURANCE_PLAY
from holecard.money import Money, dollars

#: The words for a gain of at least this many units per 100 rounds.
TARGET_WORDS = (
    (1.0, "an easy target"),
    (0.3, "a practical target"),
    (0.1, "a target for patient counters"),
    (0.0, "not a practical target"),
)
#: Gains per hour below this share of a unit of the main wager are too small to matter.
_TRIFLE = 0.05


def wager_verdict(target: Target, stake: Money, gains: CutGains | None, plan: CountingPlan) -> str:
    """Return the sentence about one wager; `stake` is the largest bet, with that on a companion."""
    name = target_title(target)
    if gains is None:
        return (
            f"{name}: unknown with the cut card at {plan.cut}%, because too many of the last rounds have too few "
            "cards to be valued; a cut card that is not as deep has results."
        )
    where = f"with the cut card at {plan.cut}%"
    if not gains.gain.is_gain:
        return f"{name}: no gain was found {where}, even for perfect play; {TARGET_WORDS[-1][1]}."
    perfect, best = hourly(gains.gain, target, stake, plan), gaining_count(gains)
    if gains.flat_gain is not None and gains.flat_betting_wins:
        return (
            f"{name}: flat betting wins already, {_flat(gains, target)} or "
            f"{_amount(hourly(gains.flat_gain, target, stake, plan))} an hour for a player who "
            f"{_action(target, stake)} in every round; a perfect player who does so only when it pays gains "
            f"{_amount(perfect)} an hour, and {_added(gains, target, stake, plan)}, "
            f"{where}{_played_on(gains, target, plan)}{_main_bets(target)}; beyond flat betting, "
            f"{target_words(gains, target, stake, plan)}."
        )
    sentence = (
        f"{name}: a perfect player who {_action(target, stake)} only when it pays gains {_amount(perfect)} an hour"
    )
    if best is None:
        sentence += ", and no linear count gains"
    else:
        counted = hourly(best.gain, target, stake, plan)
        sentence += f", a counter with {_count_name(best)} {_amount(counted)} an hour"
        if best.gain.mean < gains.gain.mean / 2:
            sentence += " (a count that is not linear may take more)"
    notes = _played_on(gains, target, plan) + _main_bets(target)
    return f"{sentence}, {where}{notes}; {target_words(gains, target, stake, plan)}."


def _flat(gains: CutGains, target: Target) -> str:
    """Return what a bet in every round wins, where the wager is offered."""
    if target.in_dollars:
        return f"{_amount(gains.ev.mean)} each time"
    chart = gains.flat_gain.mean / 100 if target.kind == "main" and gains.flat_gain is not None else gains.ev.mean
    return f"{chart:.2%} of every bet"


def _added(gains: CutGains, target: Target, stake: Money, plan: CountingPlan) -> str:
    """Return what the best count adds to flat betting."""
    best = gaining_count(gains)
    if best is None or best.over_flat is None or not best.over_flat.is_gain:
        return "no linear count adds to that"
    return f"counting with {_count_name(best)} adds {_amount(hourly(best.over_flat, target, stake, plan))} an hour"


def _main_bets(target: Target) -> str:
    """Return what a gain from another wager than the main wager leaves out."""
    return "" if target.kind == "main" else ", not including main bets"


def _action(target: Target, stake: Money) -> str:
    if target.in_dollars:
        return "places it"
    if target.equal_bets == 1:
        return f"bets {dollars(stake)}"
    return f"bets {dollars(stake)}, {dollars(int(stake) // target.equal_bets)} each on {target.unit},"


def _played_on(gains: CutGains, target: Target, plan: CountingPlan) -> str:
    """Return what the spread adds to a sentence about the main wager: one unit in all other rounds."""
    if gains.spread_gain is None:
        return ""
    unit = _unit(target, plan)
    results = [f"a perfect player {_result(hourly(gains.spread_gain, target, unit, plan))}"]
    if (counter := _spreading_count(gains, target, plan)) is not None:
        results.append(f"a counter with {counter[0]} {_result(counter[1])}")
    return f" (with {dollars(unit)} in all other rounds, {' and '.join(results)})"


def _unit(target: Target, plan: CountingPlan) -> Money:
    """Return one unit of the main wager, with that on a companion."""
    return Money.cents(int(plan.bet) * target.equal_bets)


def _spreading_count(gains: CutGains, target: Target, plan: CountingPlan) -> tuple[str, float] | None:
    """Return the name and the dollars per hour of the plan's counter, who bets in every round."""
    unit = _unit(target, plan)
    for one in gains.counts:
        if one.spread_gain is not None:
            return _count_name(one), hourly(one.spread_gain, target, unit, plan)
    return None


def game_verdict(name: str, wagers: tuple[WagerCounting, ...], plan: CountingPlan, plays: IndexPlays | None) -> str:
    """Return the sentence about the whole game: its most exposed wager, and what it assumes."""
    exposed = []
    for wager in wagers:
        gains = wager.at_cut(plan.cut)
        best = None if gains is None else gaining_count(gains)
        if gains is not None and best is not None and (taken := _taken(gains, best)) is not None:
            exposed.append((hourly(taken, wager.target, wager.stake, plan), _count_name(best), wager))
    name = f"{name}{_favored(wagers, plan)}"
    seats = "1 seat" if plan.seats == 1 else f"{plan.seats} seats"
    assumed = f"{plan.pace} rounds an hour, {seats}, cut card at {plan.cut}%"
    unknown = [target_title(one.target, inside=True) for one in wagers if one.at_cut(plan.cut) is None]
    if unknown:
        assumed += f"; unknown: {', '.join(unknown)}"
    if not exposed:
        if len(unknown) == len(wagers):
            return f"{name}: it is not known what a count gains ({assumed})."
        return f"{name}: no linear count gains from any wager ({assumed})."
    gain, count, wager = max(exposed, key=lambda each: each[0])
    main = next((one for one in wagers if one.target.kind == "main"), None)
    if wager.target.kind == "insurance" and (lost := _main_loss(main, plan)) > gain:
        others = [each for each in exposed if each[2] is not wager]
        if not others:
            return (
                f"{name}: no linear count gains from any wager but insurance, and the main bets that insurance needs "
                f"lose {_amount(lost)} an hour, more than the {_amount(gain)} that it gains ({assumed})."
                f"{_plays(plays, main, plan)}"
            )
        gain, count, wager = max(others, key=lambda each: each[0])
    return (
        f"{name}: a count takes most from {target_title(wager.target, inside=True)}, {_amount(gain)} an hour "
        f"{_more(wager, plan)}with {count}, {_bets(wager)} only when it pays{_main_bets(wager.target)} ({assumed})."
        f"{_plays(plays, main, plan)}"
    )


def _taken(gains: CutGains, best: CountGain) -> SampleMean | None:
    """Return what counting takes: all gains, or those beyond flat betting where that wins; None for nothing."""
    if not gains.flat_betting_wins:
        return best.gain
    return best.over_flat if best.over_flat is not None and best.over_flat.is_gain else None


def _favored(wagers: tuple[WagerCounting, ...], plan: CountingPlan) -> str:
    """Return which wagers win with flat bets, after the name of the game."""
    found = [one for one in wagers if (gains := one.at_cut(plan.cut)) is not None and gains.flat_betting_wins]
    if not found:
        return ""
    names = " and ".join(target_title(one.target, inside=True) for one in found)
    return f", in which flat bets on {names} win without a count"


def _more(wager: WagerCounting, plan: CountingPlan) -> str:
    gains = wager.at_cut(plan.cut)
    return "more than flat betting, " if gains is not None and gains.flat_betting_wins else ""


def _main_loss(main: WagerCounting | None, plan: CountingPlan) -> float:
    """Return what the plan's counter loses in an hour with main bets in every round; 0 where it is not known."""
    gains = None if main is None else main.at_cut(plan.cut)
    counter = None if main is None or gains is None else _spreading_count(gains, main.target, plan)
    return 0.0 if counter is None else -counter[1]


def _bets(wager: WagerCounting) -> str:
    """Return what is bet, after the name of a count."""
    if wager.target.in_dollars:
        return "placed"
    if wager.target.kind == "insurance":
        return f"on top of a main bet, {dollars(wager.stake)} bet"
    together = "" if wager.target.equal_bets == 1 else f" on {wager.target.unit} together"
    return f"{dollars(wager.stake)} bet{together}"


def _plays(plays: IndexPlays | None, main: WagerCounting | None, plan: CountingPlan) -> str:
    """Return what the best index plays of the plan's count add to the main wager."""
    if plays is None or main is None or all(one.play.hand == INSURANCE_PLAY for one in plays.plays):
        return ""
    best = plays.plays[:BEST_PLAYS]
    unit = int(plan.bet) * main.target.equal_bets / 100
    gain = sum(one.spread_gain for one in best) * unit * plan.pace / 100
    among = ", insurance among them," if any(one.play.hand == INSURANCE_PLAY for one in best) else ""
    added = f"the {len(best)} best index plays{among} add" if len(best) > 1 else "the best index play adds"
    who = f"a counter who bets 1 to {plan.spread} units"
    return f" For {plays.count.name}, {added} {_amount(gain)} an hour for {who}."


def gaining_count(gains: CutGains) -> CountGain | None:
    """Return the counter who gains most, if that is more than chance and a perfect player gains, too."""
    best = gains.best_count
    return best if best is not None and best.gain.is_gain and gains.gain.is_gain else None


def target_words(gains: CutGains, target: Target, stake: Money, plan: CountingPlan) -> str:
    """Return what the best counter's gain means for a house; beyond flat betting, where that wins."""
    best = gaining_count(gains)
    taken = None if best is None else _taken(gains, best)
    if taken is None or hourly(taken, target, stake, plan) < _TRIFLE * int(plan.bet) / 100:
        return TARGET_WORDS[-1][1]
    units = taken.mean / (int(stake) / 100) if target.in_dollars else taken.mean
    return next(words for least, words in TARGET_WORDS if units >= least or not least)


def target_title(target: Target, *, inside: bool = False) -> str:
    """Return a wager's name at the beginning of a sentence, or inside one."""
    if target.kind == "main":
        return "the main wager" if inside else "Main wager"
    return target.name if inside or target.kind == "side" else target.name.capitalize()


def hourly_gains(
    gains: CutGains, target: Target, stake: Money, plan: CountingPlan
) -> tuple[SampleMean, SampleMean | None]:
    """Return dollars per hour of a perfect player and of the best counter, if any count gains."""
    best, factor = gaining_count(gains), hourly(SampleMean(1.0, 0.0), target, stake, plan)
    perfect = SampleMean(gains.gain.mean * factor, gains.gain.standard_error * factor)
    return perfect, None if best is None else SampleMean(best.gain.mean * factor, best.gain.standard_error * factor)


def hourly(gain: SampleMean, target: Target, stake: Money, plan: CountingPlan) -> float:
    """Return a gain per 100 rounds as dollars per hour."""
    unit = 1.0 if target.in_dollars else int(stake) / 100
    return gain.mean * unit * plan.pace / 100


def _count_name(one: CountGain) -> str:
    name = one.count.name
    return f"the best {name} count" if name.startswith("level ") else name


def _result(amount: float) -> str:
    return f"gains {_amount(amount)} an hour" if amount >= 0 else f"loses {_amount(-amount)} an hour"


def _amount(amount: float) -> str:
    return f"${amount:,.2f}"

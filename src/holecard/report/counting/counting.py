"""`holecard counting` as a document, data and rows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from holecard.advantage.card_classes import card_classes
from holecard.advantage.counting import CUTS
from holecard.advantage.counting_result import (
    CountGain,
    Counting,
    CutGains,
    ReadingEdge,
    SampleMean,
    WagerCounting,
)
from holecard.advantage.index_plays.index_search import BEST_PLAYS
from holecard.advantage.verdict import target_title
from holecard.deck import value_name
from holecard.errors import plural
from holecard.report.counting.bets import bets_text, limits_text, rough_errors, sample_text, stake_text, unit_text
from holecard.report.counting.counting_data import counting_data, wager_rows
from holecard.report.counting.pictures import wager_to_svg, wagers_to_svg
from holecard.report.document import Block, Document, Figure, Heading, Paragraph, facts, table
from holecard.report.numbers import UNKNOWN, decimals, known, percent, precise_dollars, signed, signed_whole
from holecard.report.sheet import origin, settings_text, title_and_facts


def summary(found: Counting) -> str:
    """Return a line such as `Counting(classic, cut card at 75%: main 0.28, insurance 0.04 per 100 rounds)`."""
    parts = []
    for wager in found.wagers[:4]:
        at = wager.at_cut(found.plan.cut)
        parts.append(f"{wager.target.name} {known(at.gain.mean, 2) if at else 'unknown'}")
    return f"Counting({origin(found.rules)}, cut card at {found.plan.cut}%: {', '.join(parts)} per 100 rounds)"


def svg(found: Counting) -> str:
    """Return the drawing of the only wager, or those of all wagers, one below the other."""
    return wagers_to_svg(found)


def data(found: Counting) -> dict[str, Any]:
    """Return the data of `holecard counting --json`."""
    return counting_data(found)


def rows(found: Counting) -> list[dict[str, Any]]:
    """Return one row for each wager, cut card and player."""
    return wager_rows(found)


def document(found: Counting) -> Document:
    """Return verdicts, then each wager, then the index plays."""
    return Document(f"{found.rules.name}: counting", tuple(_blocks(found)))


def _blocks(found: Counting) -> Iterator[Block]:
    plan = found.plan
    yield from title_and_facts(
        found.rules,
        ("shoe", f"{plural(found.rules.shoe.decks, 'deck')}, cut card at {plan.cut}%"),
        ("settings", settings_text(found.rules)),
        ("seats", str(plan.seats)),
        ("count", plan.count.name),
        ("bets", bets_text(found.rules, plan)),
        ("limits", limits_text(found.rules, plan)),
        ("sample", sample_text(found.wagers, plan)),
    )
    yield Heading("Verdict", "Hourly gains at the bets and the pace above.")
    yield Paragraph(found.verdict)
    for wager in found.wagers:
        yield Paragraph(wager.verdict)
    yield from rough_errors(found.wagers, plan)
    for wager in found.wagers:
        yield from _wager(found, wager)
    yield from _index_plays(found)


def _wager(found: Counting, wager: WagerCounting) -> Iterator[Block]:
    target = wager.target
    given = f", {target.given}" if target.given else ""
    places = f"From the full shoe, EV {wager_ev(wager, wager.full_shoe.ev)}"
    half = f"; from half of each card, {wager_ev(wager, wager.half_shoe.ev)}" if wager.half_shoe is not None else ""
    stake = stake_text(found.rules, wager, found.plan)
    yield Heading(target_title(target), f"Per {unit_text(target)}{given}. {places}{half}.{stake}")
    yield from _effects(wager)
    yield from _correlations(wager)
    yield from _gains(found, wager)
    yield from _readings(found, wager)
    yield Figure(wager_to_svg(found, wager))


def _effects(wager: WagerCounting) -> Iterator[Block]:
    """Yield the effects of removal, next to the best tags."""
    full, half = wager.full_shoe, wager.half_shoe
    yield Paragraph(
        "Change of the EV when one card is removed (the tags of the best linear count), and the best whole-number "
        "tags:",
        tone="quiet",
    )
    levels = [("level 1", wager.level_one), ("level 2", wager.level_two)]
    lines = []
    for one in card_classes(full.effects):
        card = one.cards[0]
        lines.append(
            (
                one.name,
                _change(wager, full.effects[card]),
                "-" if half is None else _change(wager, half.effects[card]),
                *("-" if fitted is None else signed_whole(int(fitted.count.tags[card])) for _, fitted in levels),
            )
        )
    mean = ("mean", _change(wager, full.mean), "-" if half is None else _change(wager, half.mean))
    yield table(("card", "full shoe", "half shoe", "level 1", "level 2"), lines, (*mean, "", ""))
    if not wager.target.is_linear:
        why = "a player who knows the missing card plays better"
        if wager.target.kind != "main":
            why = "the wager is not placed in every round"
        yield Paragraph(f"The mean need not be zero, because {why}.", tone="quiet")


def _correlations(wager: WagerCounting) -> Iterator[Block]:
    fitted = [("best of level 1", wager.level_one), ("best of level 2", wager.level_two)]
    lines = [(name, f"{one.correlation:.3f}") for name, one in fitted if one is not None]
    lines += [(one.count.name, f"{one.correlation:.3f}") for one in wager.known]
    yield Paragraph("Betting correlation: of tags with effects of removal, over the cards of a deck.", tone="quiet")
    yield table(("count", "correlation"), lines)


def _gains(found: Counting, wager: WagerCounting) -> Iterator[Block]:
    """Yield the gains by cut card."""
    yield from _unknown_cuts(found, wager)
    if not wager.gains:
        return
    unit = "dollars" if wager.target.in_dollars else "units"
    pays = "it pays with the upcard" if wager.target.sees_upcard else "it pays"
    yield Paragraph(
        f"Gain in {unit} per 100 rounds, one unit bet where {pays} and nothing elsewhere, with standard errors:",
        tone="quiet",
    )
    names = [one.count.name for one in wager.gains[0].counts]
    lines = [
        (
            f"{one.cut}%",
            percent(one.favorable.mean, 2),
            gain_text(one.gain),
            *(gain_text(count.gain) for count in one.counts),
        )
        for one in wager.gains
    ]
    yield table(("cut card", "favorable", "perfect", *names), lines, gap=2, repeat=1)
    if wager.target.kind == "main":
        yield Paragraph(
            "Net result in units per 100 rounds with the spread, one unit in all other rounds:", tone="quiet"
        )
        spread = [(f"{one.cut}%", *(gain_text(gain) for gain in _spread(one))) for one in wager.gains]
        yield table(("cut card", "perfect", *names), spread, gap=2, repeat=1)
    yield from _small_shoes(wager.gains[-1])


def _unknown_cuts(found: Counting, wager: WagerCounting) -> Iterator[Block]:
    """Yield which cut cards have no gains."""
    known_cuts = {one.cut for one in wager.gains}
    unknown = [f"{cut}%" for cut in sorted({*CUTS, found.plan.cut}) if cut not in known_cuts]
    if unknown:
        yield Paragraph(
            f"Gains are not known with a cut card at {', '.join(unknown)}: too many rounds have too few cards.",
            tone="quiet",
        )


def _small_shoes(deepest: CutGains) -> Iterator[Block]:
    """Yield how many rounds had too few cards for the longest round."""
    cases = (
        (deepest.rounds_approximated, "too few cards for the longest round; their EVs are approximate"),
        (deepest.rounds_left_out, "too few cards for any value and were left out"),
    )
    sampled = deepest.rounds + deepest.rounds_left_out
    for number, had in cases:
        if number:
            words = f"With the cut card at {deepest.cut}%, {number:,} of {plural(sampled, 'sampled round')} had {had}."
            yield Paragraph(words, tone="quiet")


def _spread(one: CutGains) -> list[SampleMean]:
    found = [one.spread_gain, *(count.spread_gain for count in one.counts)]
    return [gain for gain in found if gain is not None]


def _readings(found: Counting, wager: WagerCounting) -> Iterator[Block]:
    """Yield the EV by count."""
    if wager.count is None or wager.at_cut(found.plan.cut) is None:
        return
    if not wager.by_reading:
        yield Paragraph("Too few rounds were sampled for EVs by count.", tone="quiet")
        return
    gains = wager.at_cut(found.plan.cut)
    at = next((one for one in (gains.counts if gains else ()) if one.count == wager.count), None)
    whatever = " EVs of a bet whatever the upcard is:" if wager.target.sees_upcard else ""
    yield Paragraph(
        f"By {wager.count.name}, cut card at {found.plan.cut}%: {_betting_rule(at)}.{whatever}", tone="quiet"
    )
    lines = [
        (
            _reading(edge),
            percent(edge.frequency, 2),
            wager_ev(wager, edge.ev.mean),
            wager_ev(wager, edge.ev.standard_error),
        )
        for edge in wager.by_reading
    ]
    yield table(("reading", "rounds", "EV", "standard error"), lines)


def _betting_rule(at: CountGain | None) -> str:
    """Return where a counter bets."""
    if at is not None and not at.gain.is_gain:
        at = None
    if at is not None and at.by_upcard:
        bets = (f"{value_name(one.upcard)} at {_from(one.bet_at, one.and_below)}" for one in at.by_upcard)
        return f"bets pay with the upcard {', '.join(bets)}"
    if at is None or at.bet_at is None:
        return "no reading pays by more than chance"
    return f"bets pay at {_from(at.bet_at, at.and_below)}"


def _from(reading: int, and_below: bool) -> str:
    return f"{signed_whole(reading)} and {'below' if and_below else 'above'}"


def _reading(edge: ReadingEdge) -> str:
    if edge.up_to != edge.reading:
        return f"{signed_whole(edge.reading)} to {signed_whole(edge.up_to)}"
    return f"{signed_whole(edge.reading)} {edge.ends}".strip()


def _index_plays(found: Counting) -> Iterator[Block]:
    plays = found.index_plays
    if plays is None:
        return
    start = "the large bet is never made"
    if plays.large_bet_from is not None:
        start = f"{plural(plays.spread, 'unit')} from {signed_whole(plays.large_bet_from)} on"
    # A running count has another one at each number of cards seen.
    has_even_at = plays.count.kind == "true"
    even_at = f"'Even at' is for {plays.cards_seen:.0f} cards seen. " if has_even_at else ""
    yield Heading(
        f"Index plays for {plays.count.name}",
        f"From exact EVs in the expected shoe of each count, for a cut card at {plays.cut}%; {start}. "
        f"{even_at}Gains in units per 100 rounds over the best chart, with bets of one unit and with the spread.",
    )
    lines = [
        (
            one.play.title,
            f"{one.play.action} {'below' if one.play.below else 'at'} {signed_whole(one.play.index)}",
            one.instead_of or "-",
            *((UNKNOWN if one.even_at is None else signed(one.even_at, 2),) if has_even_at else ()),
            f"{one.gain:.4f}",
            f"{one.spread_gain:.4f}",
        )
        for one in plays.plays[:BEST_PLAYS]
    ]
    columns = ("hand", "play", "chart", *(("even at",) if has_even_at else ()), "flat", f"1 to {plays.spread}")
    yield table(columns, lines)
    if not any(wager.target.kind == "main" for wager in found.wagers):
        return
    total = sum(one.spread_gain for one in plays.plays)
    shown = sum(one.spread_gain for one in plays.plays[:BEST_PLAYS])
    yield facts(
        [
            (
                f"these {min(BEST_PLAYS, len(plays.plays))}",
                f"{shown:.4f}",
                f"of {total:.4f} that all {len(plays.plays)} gain",
            ),
        ]
    )


def wager_ev(wager: WagerCounting, ev: float) -> str:
    """Return an EV in percent of the stake, or in dollars."""
    return precise_dollars(ev, 4) if wager.target.in_dollars else percent(ev)


def _change(wager: WagerCounting, change: float) -> str:
    return precise_dollars(change, 5) if wager.target.in_dollars else f"{signed(100 * change, 4)}%"


def gain_text(found: SampleMean) -> str:
    """Return a gain with its standard error."""
    error = found.standard_error
    places = min(decimals(error) - 1, 5) if error > 0 else 2  # one digit of the error fits the page
    return mean_text(found, places)


def mean_text(found: SampleMean, places: int) -> str:
    """Return a number with its standard error; zero has no sign."""
    return f"{known(round(found.mean, places) + 0.0, places)} ± {known(found.standard_error, places)}"

"""`counting`: what a counter can take from a game, wager by wager."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TypeAlias

import numpy as np

from holecard.advantage.counting_result import Counting, CountingPlan, CutGains, WagerCounting
from holecard.advantage.gains import ValuedRounds, cut_gains, reading_edges
from holecard.advantage.index_plays.index_search import IndexPlays, index_plays
from holecard.advantage.removal import RemovalEffects, linear_values, removal_effects
from holecard.advantage.shoe_values import OnValues, SamplePlan, shoe_values
from holecard.advantage.tags import FittedCount, best_tags, betting_correlation, known_correlations
from holecard.advantage.targets import CHART_TARGET, Target, targets_of, with_needed
from holecard.advantage.verdict import game_verdict, wager_verdict
from holecard.counts import Count, count_player_of
from holecard.counts.index_plays import INSURANCE_PLAY
from holecard.counts.read_count import CountLike
from holecard.errors import Refusal, check_whole, plural
from holecard.exact.shoe_values import offered_insurance_values
from holecard.exact.shoe_values.small_shoes import smallest_multiples
from holecard.kernels.arrays import Floats
from holecard.kernels.cache import compiling
from holecard.money import MoneyLike, money
from holecard.sheets.read import RulesLike, rules
from holecard.sheets.schema import RuleSheet
from holecard.simulation.plays.fresh_shoes import seed_of
from holecard.simulation.plays.shoe_sample import ShoeSample
from holecard.simulation.procedures import refuse_without_cut_card
from holecard.simulation.simulate import check_device, wager_names

#: Called with the number of values that are known, and of all.
OnCounting: TypeAlias = Callable[[int, int], None]
CUTS = (50, 60, 70, 75, 80, 90)
DEFAULT_SHOES = 700
#: Shoes with exact EVs of side wagers and insurance, and with quick estimates of the main wager.
SAMPLED_SHOES = 20_000
_BY_CHART = Target("chart", CHART_TARGET)
#: Arguments that are whole numbers, with an example of each.
_WHOLE = {"cut": "75", "seats": "2", "spread": "8", "pace": "80", "shoes": "700", "seed": "1"}
_MOST_SPREAD, _MOST_PACE, _MOST_SHOES = 1000, 10_000, 10_000_000


def counting(
    game: RulesLike,
    *,
    count: CountLike | None = None,
    wagers: str | Sequence[str] = (),
    cut: int | None = None,
    decks: int | None = None,
    seats: int = 1,
    spread: int = 8,
    bet: MoneyLike = "$25",
    pace: int = 80,
    shoes: int = DEFAULT_SHOES,
    seed: int = 1,
    threads: int | None = None,
    device: str = "cpu",
    plays: bool = True,
    on_progress: OnCounting | None = None,
) -> Counting:
    """Return what a counter can take from a game: from the main wager, insurance and every side wager, or some of them.

    `count` is the count of the player of the main wager: a name, a file or a `Count`; hi-lo unless given. Of a file
    with bets and plays, only the main count is used. One that is given is also tried on all other wagers. A counter
    plays by the best chart of a full shoe. `cut` is the cut card in percent, the sheet's unless given; gains are
    computed for others, too. `shoes` is the number of sampled shoes with EVs of the main wager. They are kept on
    disk, so that a run that was interrupted continues. `on_progress` is called with the number of EVs known and of all.
    `bet` is one unit; where the table's limits do not allow it or the `spread`, the nearest that they allow are used.
    Without `plays`, index plays are not searched.
    """
    check_device(device)
    sheet = rules(game) if decks is None else rules(game, {"shoe.decks": decks})
    player = count_player_of("hi-lo" if count is None else count)
    player.check(sheet)
    own = player.count
    asked = CountingPlan(own, _cut(sheet, cut), seats, spread, money(bet), pace, shoes, seed)
    _refuse(sheet, asked, threads)
    plan = asked.within_limits(sheet)
    targets = tuple(_as_placed(sheet, plan, target) for target in targets_of(sheet, wager_names(wagers)))
    with compiling("counting") as compilation:
        work = _Work(sheet, plan, targets, count is not None, threads, device, on_progress)
        found = tuple(work.wager(target) for target in targets)
        best_plays = _index_plays(sheet, plan, targets) if plays else None
        compilation.finished = True
    return Counting(sheet, plan, found, best_plays, game_verdict(sheet.name, found, plan, best_plays))


class _Work:
    """One call of `counting`: the sample that all wagers share, and how far the values are."""

    def __init__(
        self,
        sheet: RuleSheet,
        plan: CountingPlan,
        targets: tuple[Target, ...],
        count_is_given: bool,
        threads: int | None,
        device: str,
        on_progress: OnCounting | None,
    ) -> None:
        self.sheet, self.plan, self.count_is_given = sheet, plan, count_is_given
        self.threads, self.device, self.on_progress = threads, device, on_progress
        self.cuts = tuple(sorted({*CUTS, plan.cut}))
        self.sampled = SamplePlan(sheet, max(self.cuts), plan.seats, plan.seed)
        self.sample: ShoeSample = self.sampled.sample(max(SAMPLED_SHOES, plan.shoes))
        kinds = [target.kind for target in targets]
        #: Values of side wagers take moments. They do not count as progress where there are slow ones.
        self.counts_side = "main" not in kinds
        slow = 2 * self._rounds(_BY_CHART)
        self.done, self.all = 0, kinds.count("side") * len(self.sample) if self.counts_side else slow

    def wager(self, target: Target) -> WagerCounting:
        """Return everything about one wager."""
        full = removal_effects(self.sheet, target, threads=self.threads)
        if full is None:
            raise Refusal(f"{target.name} cannot be computed from a full shoe")
        level_one, level_two = (best_tags(full.effects, level, f"level {level}") for level in (1, 2))
        rounds = self._valued(target, full)
        counted = self._valued(_BY_CHART, full) if target.kind == "main" else rounds
        counts = self._counts(target, full, level_one, level_two)
        spread = self.plan.spread if target.kind == "main" else None
        gains = [cut_gains(rounds, cut, counts, spread, counted) for cut in self.cuts]
        found = tuple(one for one in gains if one is not None)
        stake = self.plan.stake(self.sheet, target)
        at_cut = next((one for one in found if one.cut == self.plan.cut), None)
        shown = _shown(target, counts, at_cut)
        return WagerCounting(
            target=target,
            stake=stake,
            full_shoe=full,
            half_shoe=removal_effects(self.sheet, target, half=True, threads=self.threads),
            level_one=level_one,
            level_two=level_two,
            known=self._known(full),
            gains=found,
            count=shown,
            by_reading=() if shown is None or at_cut is None else reading_edges(counted, shown, self.plan.cut),
            verdict=wager_verdict(target, stake, at_cut, self.plan),
        )

    def _rounds(self, target: Target) -> int:
        """Return how many rounds of the main wager get exact EVs, or approximate ones where their shoe is small."""
        return int(np.searchsorted(self.sample.shoe, self.plan.shoes)) if target.kind in ("main", "chart") else 0

    def _valued(self, target: Target, full: RemovalEffects) -> ValuedRounds:
        if target.kind == "insurance":
            return self._insured(target)
        return self._on_the_side(target) if target.kind == "side" else self._on_the_main(target, full)

    def _on_the_main(self, target: Target, full: RemovalEffects) -> ValuedRounds:
        """Return EVs of the first shoes, and estimates of all."""
        cards, number = self.sample.cards, self._rounds(target)
        every: Floats = np.full(len(cards), np.nan)
        every[:number] = self._values(target, number, self._advance)
        multiples, estimates = smallest_multiples(self.sheet, cards), linear_values(full, cards)
        estimates[multiples == 0] = np.nan
        always, computed = np.ones(len(cards)), np.arange(len(cards)) < number
        return ValuedRounds(self.sample, every, estimates, always, computed, self.sheet.shoe.decks, multiples > 1)

    def _on_the_side(self, target: Target) -> ValuedRounds:
        """Return exact EVs of all rounds; they take moments."""
        values = self._values(target, len(self.sample), self._advance if self.counts_side else None)
        evs, offered = (values[:, 0], values[:, 1]) if target.sees_upcard else (values, np.ones(len(values)))
        every = np.ones(len(values), np.bool_)
        return ValuedRounds(self.sample, evs, evs, offered, every, self.sheet.shoe.decks)

    def _values(self, target: Target, rounds: int, on_values: OnValues | None) -> Floats:
        return shoe_values(
            self.sampled,
            target,
            self.sample,
            rounds,
            threads=self.threads,
            device=self.device,
            on_values=on_values,
        )

    def _insured(self, target: Target) -> ValuedRounds:
        """Return the rounds as they are when insurance is offered: players see their first cards, and often all."""
        seats = 1 if self.sheet.tables.players_cards_down else self.plan.seats
        offered = self.sample.with_ace_up(2 * seats, self.plan.seed)
        share = target.offered(self.sample.cards)
        values = offered_insurance_values(self.sheet, offered.cards)
        exact = np.where(share == 0, 0.0, values)  # never offered: nothing to gain
        return ValuedRounds(offered, exact, exact, share, np.ones(len(share), np.bool_), self.sheet.shoe.decks)

    def _advance(self, values: int) -> None:
        self.done += values
        if self.on_progress is not None:
            self.on_progress(self.done, self.all)

    def _counts(
        self, target: Target, full: RemovalEffects, *fitted: FittedCount | None
    ) -> tuple[tuple[Count, bool], ...]:
        """Return the counts that are tried on a wager, each once, and whether they run against it."""
        asked = [self.plan.count] if target.kind == "main" or self.count_is_given else []
        asked += [one.count for one in fitted if one is not None]
        by_tags: dict[tuple[Fraction, ...], Count] = {}
        for count in asked:
            by_tags.setdefault(count.tags, count)
        return tuple((count, betting_correlation(count.tags, full.effects) < 0) for count in by_tags.values())

    def _known(self, full: RemovalEffects) -> tuple[FittedCount, ...]:
        known, own = known_correlations(full.effects), self.plan.count
        if any(one.count.tags == own.tags for one in known):
            return known
        return (*known, FittedCount(own, betting_correlation(own.tags, full.effects)))


def _as_placed(sheet: RuleSheet, plan: CountingPlan, target: Target) -> Target:
    """Return a wager with the bets that it needs; insurance and side wagers also need a main bet, which is left out."""
    return with_needed(sheet, target, plan.stake(sheet, target)) if target.kind == "side" else target


def _cut(sheet: RuleSheet, cut: int | None) -> int:
    """Return the cut card in percent; refuse sheets without one, unless it is given."""
    if cut is None:
        refuse_without_cut_card(sheet)
    return sheet.shoe.cut_card if cut is None else cut


def _shown(target: Target, counts: tuple[tuple[Count, bool], ...], at_cut: CutGains | None) -> Count | None:
    """Return the count whose readings are shown: the player's for the main wager, else the one that gains most."""
    if target.kind == "main" or at_cut is None or not at_cut.counts:
        return counts[0][0] if counts else None
    best = at_cut.best_count
    return None if best is None else best.count


def _index_plays(sheet: RuleSheet, plan: CountingPlan, targets: tuple[Target, ...]) -> IndexPlays | None:
    """Return the plays of the main wager and insurance, or only insurance; None where neither was asked for."""
    kinds = {target.kind for target in targets}
    if not kinds & {"main", "insurance"}:
        return None
    found = index_plays(sheet, plan.count, cut=plan.cut, spread=plan.spread)
    if "main" in kinds:
        return found
    return replace(found, plays=tuple(one for one in found.plays if one.play.hand == INSURANCE_PLAY))


def check_seats(sheet: RuleSheet, seats: int) -> None:
    """Refuse more seats than the table has."""
    if not 1 <= seats <= sheet.tables.seats:
        raise Refusal(f"cannot deal to {plural(seats, 'seat')}; this table has 1 to {sheet.tables.seats}")


def check_cut(sheet: RuleSheet, seats: int, cut: int) -> None:
    """Refuse a cut card that always comes out in the first round: nothing has been counted then."""
    if not 1 <= cut <= 100:
        raise Refusal(f"the cut card must be at 1% to 100% of the shoe, not {cut}%; for example 75")
    cards, first_round = 52 * sheet.shoe.decks, sheet.shoe.burn + 2 * seats + 2
    if cards * cut // 100 <= first_round:
        decks, least = plural(sheet.shoe.decks, "deck"), -(-100 * (first_round + 1) // cards)
        raise Refusal(
            f"a cut card at {cut}% of {decks} comes out in the first round, when nothing has been counted yet; "
            f"write {least} or more"
        )


def _refuse(sheet: RuleSheet, plan: CountingPlan, threads: int | None) -> None:
    """Refuse a table or a player that cannot be, before anything is computed."""
    for what, example in _WHOLE.items():
        check_whole(what, getattr(plan, what), example)
    seed_of(plan.seed)
    if threads is not None:
        check_whole("threads", threads, "2")
        if threads < 1:
            raise Refusal(f"threads must be 1 or more, not {threads}")
    check_seats(sheet, plan.seats)
    check_cut(sheet, plan.seats, plan.cut)
    if not 1 <= plan.spread <= _MOST_SPREAD:
        raise Refusal(f"a spread of 1 to {plan.spread} is not valid; write a number from 1 to {_MOST_SPREAD:,}")
    if not 1 <= plan.pace <= _MOST_PACE:
        raise Refusal(f"{plan.pace} rounds per hour are not valid; write a number from 1 to {_MOST_PACE:,}")
    if plan.bet <= 0:
        raise Refusal("the bet must be more than $0; for example $25")
    if not 2 <= plan.shoes <= _MOST_SHOES:
        raise Refusal(f"cannot sample {plural(plan.shoes, 'shoe')}; write a number from 2 to {_MOST_SHOES:,}")

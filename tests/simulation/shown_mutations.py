"""Deliberate mistakes in numbers that are shown: by results, reports, distributions, luck and dealt-down shoes."""

from __future__ import annotations

from holecard.exact import analysis, evaluate
from holecard.exact.charts import best_chart
from holecard.exact.distribution import round_distribution, split_distribution
from holecard.exact.main import policy, solve
from holecard.exact.results import MainGame, WagerResult
from holecard.exact.wagers import wager_values
from holecard.payoffs import made_hands, wager_terms
from holecard.report import dealer_groups
from holecard.report.exact import analysis_data
from holecard.report.exact import strategy as strategy_data
from holecard.report.simulated import estimates as report_estimates
from holecard.report.simulated import simulation
from holecard.simulation import count_results, luck_results, procedures
from holecard.simulation import results as simulated
from holecard.simulation.compile import counter_tables
from holecard.simulation.statistics import estimates
from tests.simulation.mutations import Mutation, getter, mutation

counting = counter_tables._Compiling

#: Each with a sheet that it affects.
SHOWN: list[tuple[Mutation, str]] = [
    (mutation("pushes are won", (getter(MainGame, "win"), "net > 0", "net >= 0")), "classic"),
    (mutation("pushes are lost", (getter(MainGame, "loss"), "net < 0", "net <= 0")), "classic"),
    (mutation("wins are pushes", (getter(MainGame, "push"), "net == 0", "net == 1")), "classic"),
    (mutation("risk of the wrong stake", (getter(MainGame, "element_of_risk"), "/ self", "* self")), "classic"),
    (mutation("an edge for the player", (getter(MainGame, "house_edge"), "-self.ev", "self.ev")), "classic"),
    (
        mutation("an edge of a wager", (analysis_data._wager, '"house_edge": -wager.ev', '"house_edge": wager.ev')),
        "match-up",
    ),
    (mutation("a wider deviation", (analysis._net_results, "sqrt(variance)", "sqrt(variance) * 1.00001")), "classic"),
    (mutation("insurance without own cards", (wager_values.insurance, "hand.count(10)", "0")), "classic"),
    (
        mutation("insurance pays one less", (wager_values.insurance, "1 + tables.insurance", "0 + tables.insurance")),
        "classic",
    ),
    (
        mutation("returns without a sign", (wager_values._result, "net * probability)", "abs(net) * probability)")),
        "match-up",
    ),
    (
        mutation("pushes are hits", (wager_values._result, "payoffs.net(outcome) > 0", "payoffs.net(outcome) >= -1")),
        "match-up",
    ),
    (
        mutation("one upcard for all", (wager_values._by_upcard, "by_upcard[upcard])) for", "by_upcard[6])) for")),
        "quick-pay",
    ),
    (
        mutation(
            "a tax that is returned", (getter(WagerResult, "return_of_tax"), "self.payouts / self.tax", "self.tax")
        ),
        "upcard-luck-21",
    ),
    (mutation("win and loss are exchanged", (analysis_data._main, '"win": main.win', '"win": main.loss')), "classic"),
    (
        mutation(
            "a line's return is its chance",
            (analysis_data._line, "float(line.contribution)", "float(line.probability)"),
        ),
        "match-up",
    ),
    (
        mutation("hands of a dealer's card", (dealer_groups._group, "hand.probability * followed", "followed")),
        "classic",
    ),
    (
        mutation(
            "the worst choice is followed",
            (dealer_groups.followed, "legal[chart.choose(", "hand.choices[-1] or legal[chart.choose("),
        ),
        "classic",
    ),
    (
        mutation("a chart that costs nothing", (getter(best_chart.BestChart, "cost"), "return ", "return 0 * ")),
        "small",
    ),
    (
        mutation(
            "larger stated errors",
            (round_distribution._RoundSum.run, "left_out.get(net, 0.0)", "2e3 * left_out.get(net, 0.0) + 1e-6"),
        ),
        "classic",
    ),
    (
        mutation(
            "naturals are not known", (round_distribution._RoundSum._add_initial, "if known:", "if known and False:")
        ),
        "classic",
    ),
    (
        mutation(
            "doubles are staked once",
            (
                round_distribution._RoundSum._stand,
                "self.reach.stands_doubled, 2.0",
                "self.reach.stands_doubled, 1.0",
            ),
        ),
        "classic",
    ),
    (
        mutation("split hands have a unit each", (split_distribution._SplitSum._stakes, "(plain + more)", "plain")),
        "classic",
    ),
    (mutation("closed hands pair again", (split_distribution._SplitSum._unseen, "(-1) ** more", "1")), "classic"),
    (
        mutation(
            "the luck is halved",
            (luck_results._result, "ADJUSTED, units.fine, step", "ADJUSTED, units.fine, step * Fraction(9, 10)"),
        ),
        "classic",
    ),
    (
        mutation("the cut card is too deep", (procedures._cut_card, "* percent // 100", "* (percent + 3) // 100")),
        "classic",
    ),
    (
        mutation("no card is burned", (procedures._cut_card, "DealingRule(sheet.shoe.burn,", "DealingRule(0,")),
        "classic",
    ),
    (
        mutation(
            "optimal play never splits", (policy._best, "ev > best + TIE", "(ev > best + TIE) & (action != 'split')")
        ),
        "classic",
    ),
    (
        mutation("optimal play never surrenders", (policy._best, "ACTION_ORDER[1:]", "ACTION_ORDER[1:-1]")),
        "last-chance",
    ),
    (
        mutation("split aces are hit", (solve.solve, "stand_evs, game.one_card_ace,", "stand_evs, game.split_hand,")),
        "classic",
    ),
    (
        mutation(
            "a hand and a dealer's hand never pay",
            (
                wager_terms.WagerTerms._resolve,
                "& ~hand_bits == 0 and",
                "& ~hand_bits == 0 and not (self.wager.lines[number].hand and self.wager.lines[number].dealer) and",
            ),
        ),
        "side-bets",
    ),
    (mutation("named cards are ranks", (made_hands._alike, "return _by_cards", "return _by_ranks")), "side-bets"),
    (
        mutation(
            "groups with each other's names",
            (dealer_groups.by_dealer, "gathered[soft, order, name]", "gathered[sorted(gathered)[order % 10]]"),
        ),
        "classic",
    ),
    (
        mutation(
            "early surrender knows more",
            (analysis._starting_hand, "probability if before_check", "0.5 * probability if before_check"),
        ),
        "early-bird",
    ),
    (
        mutation("doubles after a split are halved", (evaluate._later, "double[hand, 0]", "double[hand, 0] / 2")),
        "classic",
    ),
    (
        mutation(
            "the edge of another game", (getter(best_chart.BestChart, "house_edge"), "self.ev", "self.optimum_ev")
        ),
        "classic",
    ),
    (
        mutation(
            "the chart's EV is that of the best play", (strategy_data.data, '"ev": found.ev', '"ev": found.optimum_ev')
        ),
        "classic",
    ),
    (
        mutation("a chart costs twice as much", (strategy_data.data, '"cost": found.cost', '"cost": 2 * found.cost')),
        "small",
    ),
    (mutation("splits are not counted", (simulated._staked, ' + int(tally["stakes"][seat])', "")), "classic"),
]

#: In what a run of fresh shoes shows.
SAMPLED: list[Mutation] = [
    mutation(
        "an interval twice as wide", (estimates._estimate, "z_quantile(level) * se", "2 * z_quantile(level) * se")
    ),
    mutation(
        "a deviation of half the rounds",
        (estimates._estimate, "squared_error * rounds", "squared_error * (rounds // 2)"),
    ),
    mutation("errors twice as large", (estimates.estimate, "variance / rounds", "4 * variance / rounds")),
    mutation("pushes include losses", (estimates.outcomes, "rounds - wins - losses", "rounds - wins")),
    mutation("the deviation is more certain", (estimates.sd_se, "rounds - 1)) / rounds", "rounds - 1)) / rounds / 4")),
    mutation("wins are losses", (simulation._seat, "seat.outcomes.wins", "seat.outcomes.losses")),
    mutation(
        "an edge of the other sign",
        (report_estimates.estimate_data, '"house_edge": -found.ev', '"house_edge": found.ev'),
    ),
    mutation(
        "a stake for every round",
        (getter(simulated.SeatResult, "average_stake"), "self.staked / rounds", "self.staked / (rounds + 1)"),
    ),
]

#: In what a player who counts bets, insures and is shown by reading.
COUNTED: list[tuple[Mutation, str]] = [
    (mutation("bets one reading late", (counting._bets, "ramp.bet(reading)", "ramp.bet(reading - 1)")), "classic"),
    (mutation("insures one reading late", (counting._insures, "applies(reading)", "applies(reading - 1)")), "classic"),
    (mutation("half decks", (counter_tables.reading_terms, "52 * count.per", "104 * count.per")), "classic"),
    (
        mutation("up for down", (counter_tables.reading_terms, "0.5 * (count.rounding", "1 - 0.5 * (count.rounding")),
        "push-22",
    ),
    (mutation("insurance pays once", (getter(counting, "_insured"), "share * pays", "share")), "classic"),
    (mutation("all of the bet is insured", (getter(counting, "_insured"), "-share,", "-1,")), "classic"),
    (
        mutation(
            "readings are shifted",
            (counter_tables.CompiledCount.readings, "tuple(range(", "tuple(1 + n for n in range("),
        ),
        "classic",
    ),
    (
        mutation(
            "insurance wins when it loses", (count_results.insurance_rows, "offered[place, 0]", "offered[place, 1]")
        ),
        "classic",
    ),
    (
        mutation(
            "sat out is played", (count_results._on_main, "argwhere(counted[1, place])", "argwhere(counted[0, place])")
        ),
        "classic",
    ),
    (mutation("insured rounds are not", (count_results.total_bet, " + compiled.insurance[insured]", "")), "classic"),
    (mutation("all wagers are the first", (count_results.side_bets, "begin += len(table.cells)", "pass")), "match-up"),
    (
        mutation(
            "wagers by another count's bets",
            (count_results.side_bets, "for cell, net in enumerate(nets)", "for cell, net in enumerate(nets[1:])"),
        ),
        "match-up",
    ),
    (
        mutation("sums of the first side wager", (count_results.side_bets, "SIDE_SUMS + number,", "SIDE_SUMS,")),
        "match-up",
    ),
    (mutation("sums of main wagers only", (count_results.total_bet, "TOTAL_SUM,", "MAIN_SUM,")), "classic"),
]

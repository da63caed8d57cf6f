"""`holecard simulate --reduce-variance`: the mean with the luck of the cards taken out, beside the raw one."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from holecard.cli.commands.simulate import Playing, end_early, say_strategy
from holecard.cli.printing.format import facts, say, signed, title
from holecard.cli.printing.show import as_json, console
from holecard.cli.printing.show_simulation import NO_ROUND, UNKNOWN, decimals, error, heading, house_edge, unit_of
from holecard.errors import Refusal
from holecard.kernels.cache import mark_warm
from holecard.sheets.schema import RuleSheet

if TYPE_CHECKING:
    from holecard.simulation.plays.luck_adjusted import LuckResult, LuckSimulation
    from holecard.simulation.statistics.estimates import Estimate
    from holecard.exact.strategies import StrategyLike

#: With fewer rounds a standard error is itself hardly known, and neither is what is measured by it.


def simulate_without_luck(
    game: str,
    rules: RuleSheet,
    players: Sequence[StrategyLike],
    said: Sequence[str],
    rounds: int,
    seed: int,
    *,
    executor: str | None,
    level: float,
    resume: Path | None,
    json: bool,
) -> None:
    """Play one seat from fresh shoes, and show both estimates."""
    from holecard.simulation.plays.luck_adjusted import simulate_luck  # numba loads here, and only where it is needed

    with Playing(rounds) as playing:
        found = simulate_luck(
            rules,
            players[0],
            rounds,
            seed,
            executor=executor,
            level=level,
            resume=resume,
            on_progress=lambda found: playing.show(found, found.result.reduced),
        )
    if found.rounds:
        mark_warm("luck")
    found = replace(found, strategy=say_strategy(said[0], players[0], found.strategy))
    if json:
        as_json(_data(game, found))
    else:
        _show(found)
        playing.say_pace(found)
    end_early(found)


def refuse_beside_luck(players: int, **given: object) -> None:
    """What cannot be asked for together with --reduce-variance."""
    if players > 1:
        raise Refusal("--reduce-variance plays one seat; give one --strategy")
    for option, value in given.items():
        if value:
            said = option.replace("_", "-")
            raise Refusal(f"--reduce-variance plays the main wager of one seat from fresh shoes; leave out --{said}")


def _data(game: str, found: LuckSimulation) -> dict[str, Any]:
    return {
        "game": game,
        "decks": found.rules.shoe.decks,
        "procedure": found.procedure,
        "strategy": found.strategy,
        "seed": found.seed,
        "rounds": found.rounds,
        "asked": found.asked,
        "complete": found.complete,
        **found.result.to_data(),
        "settings": dict(found.rules.origin[1]),
    }


def _show(found: LuckSimulation) -> None:
    out, result = console(), found.result
    heading(out, found, [("strategy", found.strategy)])
    if not found.rounds:
        say(out, NO_ROUND, "")
        return
    title(out, "Main wager", unit_of(found.rules))
    facts(
        out,
        [
            ("as it fell", *_mean(result.raw)),
            ("without luck", *_mean(result.reduced)),
            _house_edge(result.reduced),
            ("gained", *_gain(result)),
            ("mean luck", *_mean(result.luck)),
        ],
    )
    say(out, f"Mean luck must be 0 if the cards are dealt fairly: {_say_luck(result)}.")


def _mean(found: Estimate) -> tuple[str, str]:
    places = decimals(found.se)
    return signed(found.mean, places), error(found.se, places)


def _house_edge(found: Estimate) -> tuple[str, str, str]:
    name, edge, interval = house_edge(found)
    return name, edge, f"without luck; {interval}" if interval else "without luck"


def _gain(result: LuckResult) -> tuple[str, str]:
    if math.isnan(result.gain):
        return UNKNOWN, f"{_few(result)} not tell"
    return f"{result.gain:,.{0 if result.gain >= 10 else 1}f}", "times fewer rounds for the same error"


def _say_luck(result: LuckResult) -> str:
    if math.isnan(result.luck_in_errors):
        return f"{_few(result)} not tell"
    return f"it is {abs(result.luck_in_errors):.1f} standard errors off"


def _few(result: LuckResult) -> str:
    return "one round does" if result.raw.rounds == 1 else "so few rounds do"

"""Arguments and options that several commands share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from holecard.cli.completion import complete_charts, complete_games, complete_settings, complete_strategies

if TYPE_CHECKING:
    from holecard.sheets.schema import RuleSheet

STRATEGIES = (
    "basic (the best total-dependent chart), 'basic with exceptions', 'mimic the dealer', 'never bust', "
    "or the file of a chart"
)

GameArgument: TypeAlias = Annotated[
    str,
    typer.Argument(
        help="The name of a game (see `holecard games`), or the file of a rule sheet.", autocompletion=complete_games
    ),
]
SettingsOption: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="KEY=VALUE",
        help="Change a setting of the sheet; can be repeated.",
        autocompletion=complete_settings,
    ),
]
VaryOption: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--vary",
        metavar="KEY=A,B,…",
        help="Compare these values of a setting; can be repeated. A value with a comma needs quotes.",
        autocompletion=complete_settings,
    ),
]
ShoeOption: TypeAlias = Annotated[
    str | None,
    typer.Option("--shoe", metavar="COUNTS", help="The cards that a round is dealt from, such as 'A:20 2:24 T:90'."),
]
SeenOption: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--seen", metavar="CARDS", help="Cards already out of the shoe, such as '2,2,5'; can be repeated."),
]
StrategyOption: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--strategy",
        metavar="NAME|FILE",
        help=f"The player's strategy: optimal (the best play for the exact cards), {STRATEGIES}.",
        show_default="optimal",
        autocompletion=complete_strategies,
    ),
]
RoundsOption: TypeAlias = Annotated[
    str, typer.Option("--rounds", metavar="NUMBER", help="How many rounds to play: 1000000, 1e9 or 10M.")
]
SeedOption: TypeAlias = Annotated[int, typer.Option("--seed", help="The same seed deals the same rounds.")]
ExecutorOption: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--executor",
        metavar="WHERE",
        help="Where the rounds are played: threads:2, or a Dask cluster, dask://host:port.",
        show_default="one thread per core",
    ),
]
OneStrategyOption: TypeAlias = Annotated[
    str,
    typer.Option(
        "--strategy",
        metavar="NAME|FILE",
        help=f"The player's strategy: {STRATEGIES}.",
        autocompletion=complete_charts,
    ),
]
DeviceOption: TypeAlias = Annotated[
    str, typer.Option("--device", metavar="cpu|cuda", help="Play on the CPU or the GPU.")
]


def settings_of(texts: list[str] | None) -> dict[str, object]:
    """Return the settings that were given with --set."""
    from holecard.sheets.override import parse_setting

    return dict(parse_setting(text) for text in texts or ())


def sheet(game: str, settings: list[str] | None) -> RuleSheet:
    """Return the chosen sheet with its settings."""
    from holecard.sheets.read import rules

    return rules(game, settings_of(settings))


def read_rounds(text: str) -> int:
    """Return a number of rounds as people write it.

    >>> read_rounds("1_000_000"), read_rounds("2.5e6"), read_rounds("10M")
    (1000000, 2500000, 10000000)
    """
    import re
    from fractions import Fraction

    from holecard.errors import Refusal, shortly

    thousands = {"": 0, "k": 1, "m": 2, "g": 3, "b": 3, "t": 4}
    most = 2**63 - 1
    form = r"(?P<number>\d{1,40}(\.\d{1,40})?(e\+?\d{1,3})?)(?P<unit>[kmgbt]?)"
    written = re.fullmatch(form, text.strip().lower().replace("_", "").replace(",", ""))
    if written is None:
        raise Refusal(f"--rounds: {shortly(text)} is not a number of rounds; write 1000000, 1e9 or 10M")
    number = Fraction(written["number"]) * 1000 ** thousands[written["unit"]]
    if number.denominator != 1:
        raise Refusal(f"--rounds: {shortly(text)} is not a whole number; write 1000000, 1e9 or 10M")
    if not 1 <= number <= most:
        raise Refusal(f"--rounds: {shortly(text)} is out of range; play between 1 and {most:,} rounds")
    return int(number)

"""What to play: as given on the command line, and asked for where no game was named."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from rich.text import Text

from holecard.cli.play.betting import smallest_wager
from holecard.cli.play.prompts import Prompts
from holecard.errors import Refusal, WagerRefused, did_you_mean
from holecard.money import Money, dollars, money
from holecard.sheets.catalog import games
from holecard.sheets.read import rules
from holecard.sheets.tables import Tables
from holecard.table.table import Table

_BANKROLL = "$500"


@dataclass(frozen=True, slots=True)
class PlayRequest:
    """What was asked for; None was not given. The bankroll is for each seat."""

    game: str | None
    seats: int | None
    bankroll: str | None
    seed: int | None
    settings: Mapping[str, object]

    def table(self) -> Table:
        """Return the table, once a game is known; refuse seats or a bankroll that do not fit it."""
        assert self.game is not None
        sheet = rules(self.game, self.settings)
        if self.seats is not None and not 1 <= self.seats <= sheet.table.seats:
            raise WagerRefused(f"--seats {self.seats}: this table has 1 to {sheet.table.seats} seats")
        bankroll = money(_BANKROLL if self.bankroll is None else self.bankroll)
        if reason := too_small(sheet.tables, bankroll):
            raise WagerRefused(f"a bankroll of {dollars(bankroll)}: {reason}")
        return Table(sheet, bankroll=bankroll, seed=self.seed)


def too_small(tables: Tables, bankroll: Money) -> str | None:
    """Return why a bankroll is not enough, or None."""
    smallest = smallest_wager(tables)
    return None if bankroll >= smallest else f"the smallest wager takes {dollars(smallest)}"


def complete(prompts: Prompts | None, request: PlayRequest) -> PlayRequest:
    """Return the request with what was not given, asked for if no game was named."""
    if request.game is not None:
        return request
    if prompts is None:
        raise Refusal(f"name the game to play: {', '.join(games())}, or a rule sheet's file")
    game = ask_game(prompts)
    sheet = rules(game, request.settings)
    seats = ask_seats(prompts, sheet.table.seats) if request.seats is None else request.seats
    bankroll = ask_bankroll(prompts, sheet.tables) if request.bankroll is None else request.bankroll
    return replace(request, game=game, seats=seats, bankroll=bankroll)


def ask_game(prompts: Prompts) -> str:
    """Return one of the games, chosen by number or name."""
    names = games()
    _show_games(prompts, names)
    while True:
        answer = prompts.line("Which game (number or name)", "1")
        if found := _find(answer, names):
            return found
        prompts.refused(f"No game is called {answer!r}; {did_you_mean(answer, names)}")


def _show_games(prompts: Prompts, names: tuple[str, ...]) -> None:
    rows = []
    for number, name in enumerate(names, start=1):
        sheet = rules(name)
        rows.append([Text(str(number)), Text(name, "bold"), Text(f"{sheet.name}. {sheet.about}")])
    prompts.view.show(prompts.view.columns(rows, right=(0,)))


def _find(answer: str, names: tuple[str, ...]) -> str | None:
    """Return the game with this number, this name, or a name or title that begins like this."""
    if answer.isdecimal():
        return names[int(answer) - 1] if 1 <= int(answer) <= len(names) else None
    wanted = answer.lower()
    if wanted in names:
        return wanted
    near = [name for name in names if name.startswith(wanted) or rules(name).name.lower().startswith(wanted)]
    return near[0] if len(near) == 1 else None


def ask_seats(prompts: Prompts, most: int) -> int:
    """Return how many seats the person plays."""
    while True:
        answer = prompts.line(f"How many seats do you play (1 to {most})", "1")
        if answer.isdecimal() and 1 <= int(answer) <= most:
            return int(answer)
        prompts.refused(f"Type a number from 1 to {most}.")


def ask_bankroll(prompts: Prompts, tables: Tables) -> str:
    """Return what each seat begins with."""
    amount = prompts.money("Bankroll for each seat", money(_BANKROLL), lambda amount: too_small(tables, amount))
    return dollars(amount)

"""A round as a small TOML file that replays to the cent.

    game  = "classic"
    bets  = ["seat 1: $10"]
    cards = "9h 6d 9s Th 5c"
    play  = ["seat 1: stand"]
    paid  = [{ seat = 1, hand = 1, wager = "Bet", stake = "$10", net = "-$10", line = "21 beats 18: loses" }]

The cards are in the order they were dealt; `reshuffled` says after how many of them the discards were shuffled in
mid-round, and `misdeal` that there were none left to shuffle. `settings` lists what was changed on the sheet; a sheet
that does not come with Holecard, or whose changes TOML cannot express, is written into the record in full, as
`[sheet]`. `seed` is the seed of a practice table, and `shoe` how far it was dealt before the round if that was not the
first: the cards must be those that the seed deals. Without `paid`, nothing is compared with what the rules pay.
A server's file has a `[[round]]` for each round, with where it was dealt: see `rounds_file`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from holecard.deck import Card
from holecard.errors import RecordError, Refusal, SheetError, did_you_mean, shortly
from holecard.money import dollars, signed_dollars
from holecard.sheets.catalog import games, is_game
from holecard.sheets.files.toml_data import read_toml
from holecard.sheets.files.toml_writer import sheet_data, toml_sections, toml_value
from holecard.sheets.read import from_data, rules
from holecard.sheets.schema import RuleSheet
from holecard.table.advance import advance, start
from holecard.table.dealing.shoe import ShoePosition
from holecard.table.events import Act, Bet, Move, NoMoreBets, Place, Result
from holecard.table.notation.moves import format_move, read_bet, read_play
from holecard.table.records.record_checks import check_seed, check_sheet
from holecard.table.records.record_file import RecordFile, read_file
from holecard.table.records.recorded_cards import RecordedCards
from holecard.table.records.round_origin import RoundOrigin
from holecard.table.state import State


@dataclass(frozen=True, slots=True)
class Record:
    """What happened in a round, in words."""

    game: str | None
    settings: Mapping[str, object]
    sheet: Mapping[str, Any]
    bets: tuple[str, ...]
    cards: tuple[Card, ...]
    play: tuple[str, ...]
    paid: tuple[Result, ...]
    reshuffled: tuple[int, ...] = ()
    misdeal: bool = False
    about: str = ""
    seed: int | None = None
    position: ShoePosition | None = None
    """How far a seeded shoe had been dealt; None: the round is the table's first."""
    origin: RoundOrigin | None = None
    """Where a server dealt the round; None: it does not say."""
    path: str = field(default="the record", compare=False)

    @classmethod
    def of(
        cls,
        sheet: RuleSheet,
        moves: Iterable[Move],
        cards_dealt: Sequence[Card],
        results: tuple[Result, ...],
        reshuffled: Sequence[int] = (),
        misdeal: bool = False,
        about: str = "",
        seed: int | None = None,
        position: ShoePosition | None = None,
    ) -> Record:
        """Return the record of a finished round."""
        moves = list(moves)
        named = _by_name(sheet)
        game, settings = named or (None, {})
        # A seat may change its bet before the deal: the last bet counts.
        bets = {move.seat: format_move(move) for move in moves if isinstance(move, Bet)}
        return cls(
            game=game,
            settings=settings,
            sheet={} if named else sheet_data(sheet),
            bets=tuple(bets[seat] for seat in sorted(bets)),
            cards=tuple(cards_dealt),
            play=tuple(format_move(move) for move in moves if isinstance(move, Act | Place)),
            paid=results,
            reshuffled=tuple(reshuffled),
            misdeal=misdeal,
            about=about,
            seed=seed,
            position=position,
        )

    def __hash__(self) -> int:
        return hash((self.game, self.bets, self.cards, self.play, self.paid, self.seed))

    @property
    def rules(self) -> RuleSheet:
        """The sheet of the round."""
        self._refuse_two_sheets()
        try:
            return _rules(self.game, json.dumps(self.settings), json.dumps(self.sheet))
        except SheetError as error:
            place = "sheet" if self.game is None else "settings"
            problems = "; ".join(f"{place}: {problem}" for problem in error.problems)
            raise RecordError(f"{self.path}: {problems}") from None

    def _refuse_two_sheets(self) -> None:
        """Refuse a record without a game, or with two."""
        if self.game is None and not self.sheet:
            raise RecordError(f"{self.path}: it does not name a game; write game = 'classic' or add a [sheet]")
        if self.game is not None and self.sheet:
            raise RecordError(f"{self.path}: it has both a game and a [sheet]; take one of them out")
        if self.game is not None and not is_game(self.game):
            hint = did_you_mean(self.game, games(examples=True))
            raise RecordError(f"{self.path}: game: no game is called {shortly(self.game)}; {hint}")
        if self.sheet and self.settings:
            raise RecordError(f"{self.path}: settings change a game; write the change into the [sheet] itself")
        if "extends" in self.sheet:
            raise RecordError(f"{self.path}: sheet.extends: a record's sheet is whole; write game and settings instead")

    def __str__(self) -> str:
        return self.text()

    def text(self, section: str = "") -> str:
        """Return the record as TOML; `section` is the table that it is written into, with a dot at the end."""
        head: dict[str, object] = {
            "about": self.about or None,
            "game": self.game,
            "settings": dict(self.settings) or None,
            "seed": self.seed,
            "shoe": None if self.position is None else self.position._asdict(),
        }
        lines = [f"{key:5} = {toml_value(value)}" for key, value in head.items() if value is not None]
        lines.append(_list("bets", self.bets))
        lines.append(f'cards = "{" ".join(map(str, self.cards))}"')
        if self.reshuffled:
            lines.append(f"reshuffled = {toml_value(self.reshuffled)}")
        if self.misdeal:
            lines.append("misdeal = true")
        lines.append(_list("play", self.play))
        lines.append(_list("paid", [_paid_data(result) for result in self.paid]))
        text = "\n".join(lines) + "\n"
        return text + f"\n{toml_sections({'sheet': dict(self.sheet)}, section)}\n" if self.sheet else text


@lru_cache(64)
def _rules(game: str | None, settings: str, sheet: str) -> RuleSheet:
    """Return a sheet by what a record says of it; the records of one file often say the same."""
    return rules(game, json.loads(settings)) if game is not None else from_data(json.loads(sheet), "the record's sheet")


def _by_name(sheet: RuleSheet) -> tuple[str, Mapping[str, object]] | None:
    """Return the game and settings that make this sheet, as TOML writes them; None if it must be written in full."""
    name, settings = sheet.origin
    if not is_game(name):
        return None
    try:
        written = _written(name, f"settings = {toml_value(settings)}", sheet.content)
    except (TypeError, Refusal):
        return None
    return None if written is None else (name, written)


@lru_cache(256)
def _written(name: str, settings: str, content: str) -> Mapping[str, object] | None:
    """Return settings as TOML reads them; None if they do not make the game into a sheet with this content."""
    written: Mapping[str, object] = read_toml(settings)["settings"]
    return written if rules(name, written).content == content else None


def _paid_data(result: Result) -> dict[str, object]:
    return {**result._asdict(), "stake": dollars(result.stake), "net": signed_dollars(result.net)}


def _list(key: str, values: Sequence[object]) -> str:
    if not values:
        return f"{key:5} = []"
    if len(values) == 1:
        return f"{key:5} = [{toml_value(values[0])}]"
    inside = "".join(f"  {toml_value(value)},\n" for value in values)
    return f"{key:5} = [\n{inside}]"


def read_record(text: str, path: str = "the record") -> Record:
    """Read a record; `replay` checks it."""
    if not isinstance(text, str):
        raise RecordError(f"{shortly(text)} is not a record; give the text of one")
    try:
        file = read_file(text)
    except Refusal as refused:
        raise RecordError(f"{path}: {refused}") from None
    return record_of(file, path)


def record_of(file: RecordFile, path: str, origin: RoundOrigin | None = None) -> Record:
    """Return the record that a file's keys describe."""
    return Record(
        game=file.game,
        settings=file.settings,
        sheet=file.sheet,
        bets=tuple(file.bets),
        cards=file.cards,
        play=tuple(file.play),
        paid=tuple(entry.result() for entry in file.paid),
        reshuffled=tuple(file.reshuffled),
        misdeal=file.misdeal,
        about=file.about,
        seed=file.seed,
        position=None if file.shoe is None else ShoePosition(file.shoe.shoe, file.shoe.drawn),
        origin=origin,
        path=path,
    )


# Replaying


def replay(record: Record) -> list[State]:
    """Return every state of the round, the last one done; refuse a record that does not fit the rules."""
    if not isinstance(record, Record):
        raise RecordError(f"{shortly(record)} is not a record; read one with read_record")
    check_sheet(record)
    tables = record.rules.tables
    shoe = RecordedCards(record, tables.decks)
    states = [start(tables)]
    _place_bets(states, record)
    play = iter(enumerate(record.play, start=1))
    while states[-1].phase != "done":
        if states[-1].wants_card:
            states.append(advance(states[-1], shoe.draw(states[-1])))
        else:
            number, words = next(play, (0, ""))
            if not number:
                raise RecordError(f"{record.path}: the play is incomplete; it ends at {states[-1]!r}")
            with _at(f"play {number} ({shortly(words)})", record):
                states.append(advance(states[-1], read_play(words)))
    shoe.close()
    if more := [words for _, words in play]:
        raise RecordError(f"{record.path}: the round is over, but play is left: {'; '.join(more)}")
    _compare(record, states[-1].results)
    check_seed(record)
    return states


@contextmanager
def _at(where: str, record: Record) -> Iterator[None]:
    """Name the record and the place in it in every refusal."""
    try:
        yield
    except Refusal as refused:
        raise RecordError(f"{record.path}: {where}: {refused}") from None


def _place_bets(states: list[State], record: Record) -> None:
    seats: set[int] = set()
    for number, words in enumerate(record.bets, start=1):
        with _at(f"bet {number}", record):
            bet = read_bet(words)
            if bet.seat in seats:
                raise RecordError(f"seat {bet.seat} has bet already; write one bet for each seat")
            seats.add(bet.seat)
            states.append(advance(states[-1], bet))
    with _at("bets", record):
        states.append(advance(states[-1], NoMoreBets()))


def _compare(record: Record, results: tuple[Result, ...]) -> None:
    """Compare what the record says was paid with what the rules pay, if it says so."""
    if not record.paid:
        return
    for said, right in zip(record.paid, results, strict=False):
        if said != right:
            raise RecordError(f"{record.path}: the record says: {said}; the rules pay: {right}")
    if len(record.paid) != len(results):
        raise RecordError(f"{record.path}: the record settles {len(record.paid)} wagers, the rules {len(results)}")

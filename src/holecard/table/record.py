"""A round as a small TOML file that replays to the cent.

    game  = "classic"
    bets  = ["seat 1: $10"]
    cards = "9h 6d 9s Th 5c"
    play  = ["seat 1: stand"]
    paid  = [{ seat = 1, hand = 1, wager = "Bet", stake = "$10", net = "-$10", line = "21 beats 18: loses" }]

The cards stand in the order they fell; `reshuffled` says after how many of them the discards were shuffled in
mid-round, and `misdeal` that there were none left to shuffle. `settings` lists what was changed on the sheet; a sheet
that does not come with holecard is written into the record whole, as `[sheet]`.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, get_args

from holecard.cards import Card, cards
from holecard.errors import RecordError, Refusal, did_you_mean
from holecard.money import cents, dollars, signed
from holecard.sheets.read import games, read_text, rules
from holecard.sheets.schema import RuleSheet
from holecard.sheets.write import sheet_data, toml_sections, toml_value
from holecard.table.events import Act, Action, Bet, Deal, Misdeal, Move, NoMoreBets, Place, Result
from holecard.table.round import advance, start
from holecard.table.state import State

_ACTIONS: tuple[Action, ...] = get_args(Action)
_KEYS = ("about", "game", "settings", "sheet", "bets", "cards", "reshuffled", "misdeal", "play", "paid")
_SEAT = re.compile(r"seat (\d+): (.+)$")
_STAKES = re.compile(r"(.+?) (\$\d[\d,]*(?:\.\d\d?)?)(?:, |$)")
_STAKE = re.compile(r"(?:(.+?)\s+)?(\$[\d,.]+)$")


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
    path: str = field(default="the record", compare=False)

    @classmethod
    def of(
        cls,
        sheet: RuleSheet,
        moves: Iterable[Move],
        fallen: Sequence[Card],
        results: tuple[Result, ...],
        reshuffled: Sequence[int] = (),
        misdeal: bool = False,
        about: str = "",
    ) -> Record:
        """The record of a finished round."""
        moves = list(moves)
        name, settings = sheet.origin
        known = name in games()
        # A seat may change its bet before the cards fall: the last word counts.
        bets = {move.seat: say(move) for move in moves if isinstance(move, Bet)}
        return cls(
            game=name if known else None,
            settings=settings if known else {},
            sheet={} if known else sheet_data(sheet),
            bets=tuple(bets[seat] for seat in sorted(bets)),
            cards=tuple(fallen),
            play=tuple(say(move) for move in moves if isinstance(move, Act | Place)),
            paid=results,
            reshuffled=tuple(reshuffled),
            misdeal=misdeal,
            about=about,
        )

    @property
    def rules(self) -> RuleSheet:
        """The sheet the round was played by."""
        if self.game is not None:
            return rules(self.game, self.settings)
        return read_text(toml_sections(self.sheet), self.path)

    def __str__(self) -> str:
        head: dict[str, object] = {"about": self.about} if self.about else {}
        if self.game is not None:
            head["game"] = self.game
        if self.settings:
            head["settings"] = dict(self.settings)
        lines = [f"{key:5} = {toml_value(value)}" for key, value in head.items()]
        lines.append(_list("bets", self.bets))
        lines.append(f'cards = "{" ".join(map(str, self.cards))}"')
        if self.reshuffled:
            lines.append(f"reshuffled = {toml_value(self.reshuffled)}")
        if self.misdeal:
            lines.append("misdeal = true")
        lines.append(_list("play", self.play))
        lines.append(_list("paid", [_paid_data(result) for result in self.paid]))
        text = "\n".join(lines) + "\n"
        return text + f"\n{toml_sections({'sheet': dict(self.sheet)})}\n" if self.sheet else text


def read_record(text: str, path: str = "the record") -> Record:
    """Read a record; `replay` checks it."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise RecordError(f"{path}: this is not TOML: {error}") from None
    for key in data:
        if key not in _KEYS:
            raise RecordError(f"{path}: unknown word {key!r}; {did_you_mean(key, _KEYS)}")
    try:
        return Record(
            game=None if data.get("game") is None else str(data["game"]),
            settings=data.get("settings", {}),
            sheet=data.get("sheet", {}),
            bets=tuple(data["bets"]),
            cards=cards(data["cards"]),
            play=tuple(data.get("play", ())),
            paid=tuple(_paid(entry) for entry in data.get("paid", ())),
            reshuffled=tuple(data.get("reshuffled", ())),
            misdeal=bool(data.get("misdeal", False)),
            about=str(data.get("about", "")),
            path=path,
        )
    except KeyError as missing:
        raise RecordError(f"{path}: {missing} is missing") from None
    except (Refusal, TypeError, AttributeError) as error:
        raise RecordError(f"{path}: {error}") from None


def replay(record: Record) -> list[State]:
    """Every state of the round, the last one done; refuses a record that does not add up."""
    if record.game is None and not record.sheet:
        raise RecordError(f"{record.path}: it names no game; say game = 'classic' or give a [sheet]")
    tables = record.rules.tables
    _count_cards(record, tables.decks)
    states = [start(tables)]
    fallen = iter(record.cards)
    play = iter(enumerate(record.play, start=1))
    for number, bet in enumerate(record.bets, start=1):
        _step(states, _read(bet, _read_bet, record), f"bet {number}", record)
    _step(states, NoMoreBets(), "dealing", record)
    while states[-1].phase != "done":
        if states[-1].wants_card:
            card = next(fallen, None)
            move: Move = Misdeal() if card is None and record.misdeal else _card(card, states[-1], record)
            _step(states, move, "dealing", record)
        else:
            number, words = next(play, (0, ""))
            if not number:
                raise RecordError(f"{record.path}: the play ends too early at {states[-1]}")
            _step(states, _read(words, _read_play, record), f"play {number} ({words})", record)
    if left := [str(card) for card in fallen]:
        raise RecordError(f"{record.path}: the round is over, but cards are left: {' '.join(left)}")
    if more := [words for _, words in play]:
        raise RecordError(f"{record.path}: the round is over, but play is left: {'; '.join(more)}")
    _compare(record, states[-1].results)
    return states


def _card(card: Card | None, state: State, record: Record) -> Deal:
    if card is None:
        raise RecordError(f"{record.path}: the cards run out; one more is needed at {state}")
    return Deal(card)


def _step(states: list[State], move: Move, where: str, record: Record) -> None:
    try:
        states.append(advance(states[-1], move))
    except Refusal as refused:
        raise RecordError(f"{record.path}: {where}: {refused}") from None


def _count_cards(record: Record, decks: int) -> None:
    most = decks * (1 + len(record.reshuffled))
    for card, number in Counter(record.cards).items():
        if number > most:
            raise RecordError(f"{record.path}: {card} fell {number} times, which {decks} deck(s) cannot do")


def _compare(record: Record, results: tuple[Result, ...]) -> None:
    """What the record says was paid must be what the rules pay; a record without it is accepted."""
    if not record.paid:
        return
    for said, right in zip(record.paid, results, strict=False):
        if said != right:
            raise RecordError(f"{record.path}: the record says: {said}; the rules pay: {right}")
    if len(record.paid) != len(results):
        raise RecordError(f"{record.path}: the record settles {len(record.paid)} wagers, the rules {len(results)}")


# Moves in words


def say(move: Bet | Act | Place) -> str:
    """A move as a record writes it: "seat 1: $10, Pairs $5", "seat 2: double $7", "seat 1: pass"."""
    if isinstance(move, Bet):
        words = ", ".join([dollars(move.main), *_stakes(move.sides)])
    elif isinstance(move, Place):
        words = "place " + ", ".join(_stakes(move.sides)) if _stakes(move.sides) else "pass"
    else:
        words = move.action if move.amount is None else f"{move.action} {dollars(move.amount)}"
    return f"seat {move.seat}: {words}"


def _stakes(sides: Mapping[str, int]) -> list[str]:
    return [f"{name} {dollars(stake)}" for name, stake in sides.items() if stake]


def _read(words: object, reader: Any, record: Record) -> Move:
    match = _SEAT.match(words) if isinstance(words, str) else None
    if not match:
        raise RecordError(f"{record.path}: {words!r} is no move; write 'seat 1: hit' or 'seat 1: $10'")
    try:
        move: Move = reader(int(match[1]), match[2])
    except Refusal as refused:
        raise RecordError(f"{record.path}: {words!r}: {refused}") from None
    return move


def _read_bet(seat: int, words: str) -> Bet:
    main, _, sides = words.partition(", ")
    return Bet(seat, cents(main), _read_stakes(sides))


def _read_play(seat: int, words: str) -> Act | Place:
    if words == "pass":
        return Place(seat, {})
    if words.startswith("place "):
        return Place(seat, _read_stakes(words.removeprefix("place ")))
    match = _STAKE.match(words)
    action, amount = (match[1], cents(match[2])) if match and match[1] else (words, None)
    for known in _ACTIONS:
        if known == action:
            return Act(seat, known, amount)
    raise RecordError(f"{action!r} is no action; {did_you_mean(action, _ACTIONS)}")


def _read_stakes(words: str) -> dict[str, int]:
    stakes = {match[1]: cents(match[2]) for match in _STAKES.finditer(words)}
    if words and ", ".join(_stakes(stakes)) != words:
        raise RecordError(f"{words!r} are no wagers; write names and amounts, as in 'Pairs $5, Any 20 $2.50'")
    return stakes


# Results in words


def _paid_data(result: Result) -> dict[str, object]:
    return {**result._asdict(), "stake": dollars(result.stake), "net": signed(result.net)}


def _paid(entry: Mapping[str, Any]) -> Result:
    net = str(entry["net"])
    sign = -1 if net.startswith("-") else 1
    return Result(
        seat=int(entry["seat"]),
        hand=int(entry.get("hand", 0)),
        wager=str(entry["wager"]),
        stake=cents(entry["stake"]),
        net=sign * cents(net.lstrip("+-")),
        line=str(entry["line"]),
    )


def _list(key: str, values: Sequence[object]) -> str:
    if not values:
        return f"{key:5} = []"
    if len(values) == 1:
        return f"{key:5} = [{toml_value(values[0])}]"
    inside = "".join(f"  {toml_value(value)},\n" for value in values)
    return f"{key:5} = [\n{inside}]"

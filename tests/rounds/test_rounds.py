"""Every paragraph of the five printed sheets and every ruling on them has a recorded round. README.md is the index.

What is paid was worked out by hand. The last tests read the sheets wrongly on purpose: some round must then fail.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from holecard import Record, RecordError, Refusal, State, Tables, games, read_record, replay, rules, view
from holecard.sheets.descriptions.describe import settings_of_switch
from holecard.sheets.override import parse_setting
from holecard.sheets.sections import Ruling
from tests.rounds.readings import PRINTED, WRONG
from tests.selection import one_in

HERE = Path(__file__).parent
FILES = sorted(str(path.relative_to(HERE)) for path in HERE.glob("*/*.toml"))


@dataclass(frozen=True, slots=True)
class Round:
    """A file of this folder."""

    record: Record
    refusal: str
    refused: str
    seen: list[dict[str, Any]]

    def with_setting(self, setting: str) -> Round:
        """The same round on a sheet that says something else."""
        laid_over = dict(parse_setting(part) for part in setting.split(" & "))
        return replace(self, record=replace(self.record, settings={**self.record.settings, **laid_over}))

    def check(self) -> None:
        """Replay; an AssertionError or RecordError says what is not as it should be."""
        if self.refusal:
            self._check_refusal()
            return
        assert self.record.paid, "a round says what was paid"
        states = replay(self.record)
        self._check_wagers(states[-1].tables)
        self._check_totals(states[-1])
        for sight in self.seen:
            assert _seen(states, sight) == sight["cards"], sight

    def _check_refusal(self) -> None:
        assert not self.record.paid, "a refused move pays nothing"
        met = _refusal(self.record)
        assert type(met).__name__ == self.refusal, met
        assert self.refused in str(met)

    def _check_wagers(self, tables: Tables) -> None:
        """Every wager placed is settled once, with its stake."""
        settled = Counter((paid.seat, paid.wager, paid.stake) for paid in self.record.paid)
        for words in self.record.bets:
            seat, main, sides = _wagers(words)
            assert settled[seat, tables.stakes[0], main] == 1, words
            assert all(settled[seat, name, stake] == 1 for name, stake in sides.items()), words
        added = Counter[tuple[int, str]]()
        for words in self.record.play:
            if " place " in words:
                seat, _, sides = _wagers(words.replace(" place ", " $0, "))
                added.update({(seat, name): stake for name, stake in sides.items()})
        assert all(settled[seat, name, stake] == 1 for (seat, name), stake in added.items())

    def _check_totals(self, end: State) -> None:
        written, counted = Counter[int](), Counter[int]()
        for paid in self.record.paid:
            written[paid.seat] += paid.net
        for result in end.results:
            counted[result.seat] += result.net
        assert written == counted


def _wagers(words: str) -> tuple[int, int, dict[str, int]]:
    """Seat, main wager and side wagers of a bet, in cents."""
    seat, _, rest = words.removeprefix("seat ").partition(": ")
    main, *sides = rest.split(", ")
    pairs = [side.rpartition(" ") for side in sides]
    return int(seat), _cents(main), {name: _cents(stake) for name, _, stake in pairs}


def _cents(words: str) -> int:
    return round(100 * float(words.lstrip("$").replace(",", "")))


def _refusal(record: Record) -> BaseException | None:
    """What stopped the last bet or move; None when nothing did."""
    try:
        replay(record)
    except RecordError as error:
        stopped = error
    else:
        return None
    if not isinstance(stopped.__context__, Refusal):
        return stopped
    last = f"play {len(record.play)} " if record.play else f"bet {len(record.bets)}:"
    assert last in str(stopped), "not the last move was refused"
    return stopped.__context__


def _seen(states: list[State], sight: dict[str, Any]) -> str:
    first = next(state for state in states if state.phase == "acting" and not state.queue)
    seen = view({"first decision": first, "end": states[-1]}[sight["when"]], sight["by"])
    hand = seen.dealer
    if sight["seat"]:
        hand = next(seat for seat in seen.seats if seat.number == sight["seat"]).hands[0].cards
    return " ".join("??" if card is None else str(card) for card in hand)


def read(file: str) -> Round:
    """A round, its own words taken off the record."""
    text = (HERE / file).read_text(encoding="utf-8")
    own = re.search(r"^(refusal|refused|seen) = ", text, re.MULTILINE)
    end = own.start() if own else len(text)
    words = tomllib.loads(text[end:])
    record = read_record(text[:end], file)
    return Round(record, words.get("refusal", ""), words.get("refused", ""), words.get("seen", []))


@cache
def index() -> dict[tuple[str, str, str], list[str]]:
    """(folder, "Printed" or "Ruling", name) and its files, as README.md lists them."""
    found: dict[tuple[str, str, str], list[str]] = {}
    folder = kind = ""
    for line in (HERE / "README.md").read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            folder = line.removeprefix("## ")
        elif match := re.match(r"\| (.+?) \| (.+) \|$", line):
            if match[2] == "Rounds":
                kind = match[1]
            else:
                found[folder, kind, match[1]] = re.findall(r"\]\((.+?)\)", match[2])
    return found


def own_rulings(game: str) -> list[Ruling]:
    """The rulings of a sheet, without those it inherits from the base game."""
    base = [] if game == "classic" else rules("classic").ruling
    return [ruling for ruling in rules(game).ruling if ruling not in base]


def folder_of(game: str) -> str:
    """The base game's rulings are those of all games."""
    return "all-games" if game == "classic" else game


def fails(played: Round) -> bool:
    """Whether the round no longer comes out as written."""
    try:
        played.check()
    except (AssertionError, RecordError):
        return True
    return False


@pytest.mark.parametrize("file", FILES)
def test_round(file: str) -> None:
    """The round replays, and every wager is paid as worked out by hand or refused as it should be."""
    read(file).check()


def test_index_lists_every_round_and_nothing_else() -> None:
    """README.md and the folder hold the same files."""
    assert {file for files in index().values() for file in files} == set(FILES)


@pytest.mark.parametrize("game", PRINTED)
def test_every_printed_paragraph_has_a_round(game: str) -> None:
    """The index goes through a sheet in its own order, and no paragraph is without a round."""
    rows = {name: files for (folder, kind, name), files in index().items() if (folder, kind) == (game, "Printed")}
    assert tuple(rows) == PRINTED[game]
    assert all(rows.values())


@pytest.mark.parametrize("game", games())
def test_every_ruling_has_a_round(game: str) -> None:
    """So does every ruling of a sheet."""
    folder = folder_of(game)
    rows = {name: files for (f, kind, name), files in index().items() if (f, kind) == (folder, "Ruling")}
    assert set(rows) == {ruling.on for ruling in own_rulings(game)}
    assert all(rows.values())


@pytest.mark.parametrize("file", FILES)
def test_round_opens_with_what_it_shows(file: str) -> None:
    """The comment on top names the paragraphs and rulings under which the index lists the round."""
    text = (HERE / file).read_text(encoding="utf-8")
    named = [
        (kind, name)
        for kind, names in re.findall(r"^# (Printed|Ruling): (.+)$", text, re.M)
        for name in names.split("; ")
    ]
    listed = [(kind, name) for (_, kind, name), files in index().items() if file in files]
    assert sorted(named) == sorted(listed)
    assert read(file).record.about


@pytest.mark.parametrize(
    ("game", "on", "switch"),
    [(game, ruling.on, switch) for game in games() for ruling in own_rulings(game) for switch in ruling.switches],
)
def test_the_other_reading_fails_a_round_of_its_ruling(game: str, on: str, switch: str) -> None:
    """Where a ruling has a switch, some round under it comes out differently with the switch thrown."""
    files = index()[folder_of(game), "Ruling", on]
    switched = dict(map(parse_setting, settings_of_switch(switch)))
    every = [read(file) for file in files]
    default = [played for played in every if not switched.keys() & played.record.settings.keys()]
    assert any(fails(played.with_setting(" & ".join(settings_of_switch(switch)))) for played in default)
    assert any(switched.items() <= played.record.settings.items() for played in every), "so read there is a round too"


@pytest.mark.parametrize(
    ("folder", "setting", "slug"),
    one_in(3, [(folder, *pair) for folder, readings in WRONG.items() for pair in readings.items()]),
)
def test_a_wrong_reading_fails(folder: str, setting: str, slug: str) -> None:
    """A sheet that says something else does not get through its folder."""
    played = read(f"{folder}/{slug}.toml")
    assert not fails(played)
    assert fails(played.with_setting(setting))


@pytest.mark.parametrize("game", ["face-up", "match-up"])
def test_the_rounds_of_each_reading_of_soft_totals_fail_in_every_other(game: str) -> None:
    """Four readings, of which three are offered in each game: some round tells each of them from each other."""
    readings = ["stand on 18", "hit all", "draw 16 to hard 17", "draw soft 17 to hard 17"]
    rounds: dict[str, list[Round]] = {}
    for file in index()[game, "Ruling", "Soft totals"]:
        played = read(file)
        if "dealer.soft_17" not in played.record.settings:
            rounds.setdefault(str(played.record.settings.get("dealer.soft", readings[0])), []).append(played)
    assert len(rounds) == 3
    for reading, every in rounds.items():
        for other in readings:
            failed = [played for played in every if fails(played.with_setting(f"dealer.soft={other}"))]
            assert bool(failed) == (other != reading), (reading, other)


def test_a_wrong_amount_is_noticed() -> None:
    """A cent more than the rules pay, and the record is refused."""
    played = read("all-games/natural-is-two-cards.toml")
    first, *others = played.record.paid
    played = replace(played, record=replace(played.record, paid=(first._replace(net=first.net + 1), *others)))
    with pytest.raises(RecordError, match=r"the record says: .*the rules pay: "):
        played.check()


def test_a_missing_payment_is_noticed() -> None:
    """A wager left out of the list is not overlooked."""
    played = read("double-up/double-up-ties.toml")
    played = replace(played, record=replace(played.record, paid=played.record.paid[:1]))
    with pytest.raises(RecordError, match="settles 1 wagers, the rules 2"):
        played.check()


def test_a_wrong_refusal_is_noticed() -> None:
    """The kind of a refusal and its words both count, and so does the move it stops."""
    played = read("face-up/double-not-on-hard-12.toml")
    assert fails(replace(played, refusal="WagerRefused"))
    assert fails(replace(played, refused="13 cannot be doubled"))
    assert fails(replace(played, record=replace(played.record, play=(*played.record.play, "seat 1: stand"))))


def test_a_wrong_sight_is_noticed() -> None:
    """A card that is hidden cannot be claimed to be seen."""
    played = read("upcard-luck-21/face-down-with-one-deck.toml")
    assert fails(replace(played, seen=[{"when": "first decision", "by": 2, "seat": 1, "cards": "Ts 6h"}]))

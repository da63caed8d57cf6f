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
from holecard.sheets.override import parse_setting

HERE = Path(__file__).parent
FILES = sorted(str(path.relative_to(HERE)) for path in HERE.glob("*/*.toml"))

#: The paragraphs of each sheet, in the order they are printed, by names of our own.
PRINTED: dict[str, tuple[str, ...]] = {
    "upcard-luck-21": (
        "Opening: main wager",
        "Opening: side wager",
        "Deal",
        "Upcard outside 2 to 7",
        "Winning hands",
        *(f"Pay table {name}" for name in "ABC"),
        "Pay line: A-J of spades",
        "Pay line: 3-8 suited",
        "Pay line: suited 11",
        "Pay line: natural",
        "Pay line: 9, 10 or 11",
        "Pay line: 18, 19 or 20",
        "Footnote: aces",
        "Top prize",
        "Play after the side wager",
        "Note: side wager's limit",
        "Fortune: who may place it",
        "Tax line: A-J of spades",
        "Tax line: 3-8 suited",
        "Tax line: suited 11",
        "Tax line: natural",
        "Tax line: 9, 10 or 11",
        "Tax line: 20",
        "Tax line: 18 or 19",
        "Fortune: the dollar in the box",
        "Fortune: tax kept after a loss",
        "Fortune condition",
        "Fortune payouts: 1 deck",
        *(f"Fortune payouts: {decks} decks" for decks in (2, 6, 8)),
        "Soft 17",
    ),
    "double-up": (
        "Opening",
        "Standard doubles and splits",
        "Options on two cards",
        "Double-Up 1: stand",
        "Double-Up 2: win",
        "Double-Up 3: lose",
        "Double-Up 4: tie",
        "Decks",
        "Soft 17",
        "Surrender",
        "Natural's price",
        "21's price",
        "Dealer's natural",
        "End 16",
        "End 16: naturals",
        "End 16: 21s",
        "End 16: all other bets",
        "Bonus 16",
        "Bonus 16: example",
        "Bonus 16: independent, placed before the deal",
        "Bonus 16: settled last",
        "Bonus 16: hand complete",
        *(f"Bonus 16 line: {cards} cards" for cards in ("2", "3", "4", "5", "6", "7+")),
    ),
    "quick-pay": (
        "Decks",
        "Quick Pay option",
        "Equal wagers",
        "Naturals: both",
        "Naturals: player",
        "Naturals: dealer",
        "Choices: surrender",
        "Choices: play",
        "Quick Pay resolution",
        *(f"Quick Pay line: {total}" for total in (20, 19, 18)),
        "Combined wager",
        "Dealer's 17",
        "Soft 17",
        "Doubling",
        "Four hands",
        "Aces split once",
        "One card on split aces",
        "Hedge: optional wagers",
        "Hedge: when",
        "Hedge: a final total of 18 to 21",
        "Hedge: odds by upcard",
    ),
    "face-up": (
        "Exception 1: both cards",
        "Exception 2: ties",
        "2-Card Bonus",
        "4-Card Bonus",
        "1 Decks",
        "2 Wagers",
        "2 Independence",
        "3 Dealing",
        "4 Bonuses first",
        "4 Choices",
        "Double: totals and amount",
        "Double: one card",
        "Split: once",
        "Split: a card each",
        "Split: hits",
        "Split: bust",
        "Split: doubling",
        "Hit",
        "Stay",
        "5 Adding up",
        "5 Drawing",
        "5 Bust",
        "6 Comparing",
        "6 Higher hand",
        "6 Tie",
    ),
    "match-up": (
        "Object",
        "Match Up: either card",
        "3 Card Bonus: cards",
        "No bearing",
        "Main limits",
        "Bonus limits",
        *(f"Rule {number}" for number in range(1, 14)),
        *(f"Rule 13{letter}" for letter in "abcde"),
        *(f"Rule {number}" for number in range(14, 18)),
        *(f"3 Card line: {hand}" for hand in ("straight flush", "trips", "straight", "flush")),
        "Match Up line: 2 suited",
        "Match Up line: 1 suited, 1 unsuited",
        "Match Up line: 1 suited",
        "Match Up line: 2 unsuited",
        "Match Up line: 1 unsuited",
        "Irregularities",
    ),
}

#: What is ruled for every game, or follows from the print, and so is no [[ruling]] of a sheet.
ALSO_RULED: dict[str, tuple[str, ...]] = {
    "all-games": ("Original bets only",),
    "upcard-luck-21": ("Lines in order", "At most the main wager", "Fortune needs Upcard Luck"),
    "double-up": ("No surrender, no insurance",),
    "quick-pay": ("Doubling and splitting",),
}

#: Readings that are wrong, or not the default, and a round of the folder that each makes fail.
WRONG: dict[str, dict[str, str]] = {
    "all-games": {
        "settle.natural=6 to 5": "natural-is-two-cards",
        "settle.rounding=up": "rounding-down-to-the-cent",
        "player.split_by=rank": "pair-by-value",
        "player.double=9-11": "base-double-any-two-cards",
        "player.double_after_split=false": "base-double-after-split",
        "player.split_hands=3": "base-split-to-four-hands",
        "player.split_hands=5": "base-no-fifth-hand",
        "player.split_aces=again": "base-aces-once-one-card",
        "player.split_aces_get=play on": "base-aces-once-one-card",
        "player.surrender=late": "base-no-surrender",
        "insurance.pays=3 to 1": "base-insurance-pays-2-to-1",
        "insurance.most=all": "base-insurance-at-most-half",
        "dealer.hole_card=no peek": "peek-under-an-ace",
        "dealer.hole_card=peek under aces": "peek-under-a-ten",
    },
    "upcard-luck-21": {
        "dealer.soft_17=stand": "dealer-hits-soft-17",
        "shoe.face_down_with=[]": "face-down-with-one-deck",
        "shoe.face_down_with=[1, 2, 6, 8]": "face-up-from-a-shoe",
        "wager.Upcard Luck.table=B": "pay-table-a",
        "wager.Upcard Luck.table=C": "pay-table-a",
        "wager.Upcard Luck.upcard=2-6": "upcard-2-and-7-are-in",
        "wager.Upcard Luck.upcard=3-7": "pay-line-18-19-20",
        "wager.Upcard Luck.upcard=2-8": "upcard-8-loses",
        "wager.Upcard Luck.at_most=the maximum": "side-wager-above-main",
        "wager.Upcard Luck.settled=end of round": "settled-before-play",
        "wager.Taxpayer's Fortune.upcard=2-7": "fortune-with-upcard-8",
        "wager.Taxpayer's Fortune.tax_upcard=any": "tax-needs-upcard-2-to-7",
        "wager.Taxpayer's Fortune.max=$2": "fortune-token-is-one-dollar",
        "wager.Taxpayer's Fortune.table='6'": "fortune-5-cards-with-1-deck",
    },
    "double-up": {
        "dealer.soft_17=stand": "soft-17-is-hit",
        "dealer.ends_on=[] & settle.when_dealer_has={}": "end-16-two-cards-hard",
        "dealer.natural_takes=all": "dealers-natural-double-up-pushes",
        "player.double_up=9-11": "opening-any-two-cards",
        "player.double_up_after_split=false": "split-aces-double-up",
        "player.surrender=late": "no-surrender",
        "player.split_hands=3": "split-to-four-hands",
        "player.split_aces=again": "split-aces-once",
        "player.split_aces_get=play on": "split-aces-take-no-card",
        "insurance.pays=2 to 1": "no-insurance",
        "settle.natural=6 to 5": "natural-3-to-2",
        "settle.twenty_one=wins": "drawn-21-ties-21",
        "settle.double_up_ties=push": "double-up-ties",
        "settle.ties=lose": "tie-without-double-up",
        "settle.two_naturals=win": "two-naturals-push",
        "settle.when_dealer_has={}": "end-16-low-hand-pushes",
        "settle.when_dealer_has={ 16 = 'push' }": "end-16-21-wins",
    },
    "quick-pay": {
        "dealer.soft_17=stand": "soft-17-is-hit",
        "main.companion.natural=1 to 1": "players-natural",
        "main.companion.dealer_natural=lose": "dealers-natural",
        "main.companion.two_naturals=lose": "two-naturals-push-both",
        "main.companion.surrender=push": "surrender",
        "main.companion.quick_pay=1 to 1": "quick-pay-hard-20",
        "player.surrender=none": "surrender",
        "player.quick_pay={ 20 = '1 to 1', 19 = '1 to 1', 18 = 'push' }": "quick-pay-hard-19",
        "player.quick_pay={ 20 = '1 to 1', 19 = '1 to 2' }": "quick-pay-hard-18",
        "player.quick_pay={ 20 = '1 to 1', 19 = '1 to 2', 18 = 'push', 17 = 'push' }": "quick-pay-not-with-17",
        "player.double=9-11": "double-any-two-cards",
        "player.double_after_split=false": "double-after-split",
        "player.split_hands=3": "split-to-four-hands",
        "player.split_aces=again": "aces-are-not-split-again",
        "player.split_aces_get=play on": "split-aces-get-one-card",
        "insurance.pays=2 to 1": "no-insurance",
        "settle.natural=3 to 2": "players-natural",
        "settle.surrender=lose half": "surrender",
        "settle.when_dealer_has={}": "dealers-17-pushes-a-double",
        "settle.when_dealer_has={ 17 = { 21 = 'win', other = 'push' } }": "dealers-17-pushes-21",
        "wager.Hedge 18.placed=before the deal": "hedge-not-before-the-deal",
    },
    "face-up": {
        "dealer.hole_card=peek": "both-dealer-cards-seen",
        "dealer.soft_17=stand": "dealer-hits-soft-17",
        "player.double=any": "double-not-on-hard-12",
        "player.double_after_split=false": "split-then-double",
        "player.double_stake=equal": "double-for-less",
        "player.split_hands=4": "split-once",
        "player.split_aces_get=one card": "split-aces-play-on",
        "player.surrender=late": "no-surrender",
        "settle.natural=3 to 2": "natural-pays-even-money",
        "settle.natural_v_21=tie": "natural-beats-a-drawn-21",
        "settle.two_naturals=push": "two-naturals-lose",
        "settle.ties=push": "ties-lose",
        "wager.2-Card Bonus.settled=end of round": "bonuses-settled-first",
    },
    "match-up": {
        "dealer.soft_17=stand": "rule-14-soft-17-four-cards",
        "dealer.hole_card=no peek": "rule-11-peek-under-a-ten",
        "main.step=$1": "main-wager-of-3-refused",
        "player.double=9-11": "rule-13c-double-any-two",
        "player.double_after_split=false": "rule-13d-double-after-split",
        "player.split_by=rank": "rule-13d-any-two-tens",
        "player.split_hands=3": "rule-13d-split-to-four-hands",
        "player.split_hands=5": "rule-13d-no-fifth-hand",
        "player.split_aces=again": "rule-13d-aces-once",
        "player.split_aces_get=play on": "rule-13d-aces-get-one-card",
        "player.surrender=late": "rule-13e-no-surrender",
        "insurance.min=$2": "rule-10-insurance-of-a-dollar-on-two",
        "insurance.most=all": "rule-10-insurance-above-half",
        "settle.natural=6 to 5": "rule-17-natural-3-to-2",
        "settle.natural_v_21=tie": "rule-9-natural-outranks-21",
        "settle.ties=lose": "rule-16-higher-total-wins",
        "table.bonuses_from=left": "rule-7-right-to-left",
        "wager.Match Up.max=$20": "bonus-wager-of-11-refused",
        "wager.Match Up.at_most=the main wager": "bonus-wagers-1-to-10",
        "wager.Match Up.settled=end of round": "rule-8-bonuses-before-insurance",
    },
}


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
        for words in self.record.play:
            if " place " in words:
                seat, _, sides = _wagers(words.replace(" place ", " $0, "))
                assert all(settled[seat, name, stake] == 1 for name, stake in sides.items()), words

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
    """So does every ruling of a sheet, and what is ruled beside them."""
    folder = folder_of(game)
    rows = {name: files for (f, kind, name), files in index().items() if (f, kind) == (folder, "Ruling")}
    assert set(rows) == {ruling.on for ruling in rules(game).ruling} | set(ALSO_RULED.get(folder, ()))
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
    [(game, ruling.on, ruling.switch) for game in games() for ruling in rules(game).ruling if ruling.switch],
)
def test_the_other_reading_fails_a_round_of_its_ruling(game: str, on: str, switch: str) -> None:
    """Where a ruling has a switch, some round under it comes out differently with the switch thrown."""
    files = index()[folder_of(game), "Ruling", on]
    path, _ = parse_setting(switch)
    default = [played for file in files if path not in (played := read(file)).record.settings]
    assert any(fails(played.with_setting(switch)) for played in default)
    assert any(path in read(file).record.settings for file in files), "the switched reading has a round too"


@pytest.mark.parametrize(
    ("folder", "setting", "slug"), [(folder, *pair) for folder, readings in WRONG.items() for pair in readings.items()]
)
def test_a_wrong_reading_fails(folder: str, setting: str, slug: str) -> None:
    """A sheet that says something else does not get through its folder."""
    played = read(f"{folder}/{slug}.toml")
    assert not fails(played)
    assert fails(played.with_setting(setting))


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

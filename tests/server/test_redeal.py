"""A finished shoe is dealt again: an honest one as it is, and every change of its document is found."""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from itertools import count
from typing import Any

import pytest

import holecard
from holecard.deck import DECK, cards
from holecard.server.fairness.construction import commitment, draw_number, shoe_key
from holecard.server.fairness.redeal import redeal
from holecard.server.fairness.shoe_document import ShoeDocument
from holecard.server.game import decide
from holecard.server.game.commands import AddSeed, DealNow, Sit
from holecard.server.game.decide import SecretShoe
from holecard.server.game.entries import TableOpened
from holecard.server.game.folded_table import FoldedTable
from holecard.server.host.finished_shoes import ShoeCollector
from tests.selection import quick
from tests.server.driven_table import ANN, BOB, DrivenTable, random_bet, random_decision
from tests.server.plain_redeal import plain_problem

GAMES = holecard.games(examples=True)
Document = dict[str, Any]


def documents(driven: DrivenTable) -> list[ShoeDocument]:
    """The finished shoes of a table, which is closed."""
    if driven.table.closed is None:
        driven.add(driven.dealer.close("the test is over"))
    opened, *entries = driven.log
    assert isinstance(opened, TableOpened)
    table, collector = FoldedTable(opened, driven.sheet, 0), ShoeCollector()
    found = [collector.apply(table, entry, 0) for entry in entries]
    return [document for document in found if document is not None]


def play(driven: DrivenTable, rng: random.Random, *, decisions: int = 1000) -> None:
    """Play a round with everybody who sits, or only the first decisions of it."""
    users = {"ann": ANN, "bob": BOB}
    for seat, sitter in sorted(driven.table.seats.items()):
        driven.do(random_bet(driven.table, seat, rng), users[sitter.user])
    driven.do(DealNow(), ANN)
    while driven.table.state.phase != "done" and decisions:
        command = random_decision(driven.table, rng)
        driven.do(command, users[driven.table.seats[command.seat].user])
        decisions -= 1


def plain(document: ShoeDocument) -> Document:
    """The document as a client gets it."""
    found: Document = json.loads(document.model_dump_json())
    return found


def problems(document: Document) -> tuple[str, ...]:
    return redeal(ShoeDocument.model_validate_json(json.dumps(document))).problems


@contextmanager
def known_seeds() -> Iterator[None]:
    """Make the ids of shoes s1, s2, s3 and so on, with one seed, so that a document is the same in every run."""
    numbers = count(1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(decide, "new_secret", lambda _table: SecretShoe(f"s{next(numbers)}", bytes(31) + b"\7"))
        yield


@cache
@known_seeds()
def cut_short_shoe() -> str:
    """Three rounds of a shoe whose table was closed then."""
    driven, rng = DrivenTable.open("classic"), random.Random(4)
    driven.do(AddSeed(seed="lucky"), ANN)
    for _ in range(3):
        driven.play_round(rng)
    return documents(driven)[0].model_dump_json()


@cache
@known_seeds()
def _dealt_out() -> str:
    """A shoe of one deck that was dealt to its end, seven seats with a restock in mid-round."""
    for seed in range(100):
        found = next((one for one in _crowded(seed, cut_card=90) if any(dealt.restocked for dealt in one.rounds)), None)
        if found is not None and not found.cut_short:
            return found.model_dump_json()
    raise AssertionError("no shoe of a hundred ran out in mid-round")


@known_seeds()
def _crowded(seed: int, cut_card: int = 100) -> list[ShoeDocument]:
    """Shoes of one deck, for seven seats: they run out in mid-round."""
    driven = DrivenTable.open("classic", **{"shoe.decks": 1, "shoe.cut_card": cut_card})
    for seat in (2, 4, 5, 6, 7):
        driven.do(Sit(seat=seat), ANN)
    rng = random.Random(seed)
    for _ in range(6):
        play(driven, rng)
    return documents(driven)


@cache
@known_seeds()
def voided_shoe(procedure: str = "cut card") -> str:
    """A shoe whose last round was voided after two decisions."""
    for seed in range(100):
        driven, rng = DrivenTable.open("classic", **{"shoe.procedure": procedure}), random.Random(seed)
        driven.play_round(rng)
        play(driven, rng, decisions=2)
        if driven.table.state.phase != "done":
            driven.add(driven.dealer.void("the test wants it"))
            return documents(driven)[-2].model_dump_json()
    raise AssertionError("no round of a hundred needs three decisions")


# Honest shoes


@pytest.mark.parametrize("game", quick(GAMES, "classic", "quick-pay", "face-up"))
def test_an_honest_shoe_is_dealt_again_by_rules_and_by_hand(game: str) -> None:
    driven, rng = DrivenTable.open(game), random.Random(1)
    driven.do(AddSeed(seed="sévën"), BOB)
    for _ in range(5):
        driven.play_round(rng)
    found = documents(driven)
    assert sum(len(document.rounds) for document in found) == 5
    for document in found:
        again = redeal(document)
        assert (again.problems, again.rounds) == ((), len(document.rounds))
        assert plain_problem(plain(document)) is None
    assert found[-1].cut_short
    assert found[0].player_seeds == ("sévën",)


def test_an_honest_shoe_that_runs_out_in_mid_round_is_not_called_forged() -> None:
    restocks = 0
    for seed in range(6):
        for document in _crowded(seed):
            assert redeal(document).problems == ()
            assert plain_problem(plain(document)) is None
            restocks += sum(len(dealt.restocked) for dealt in document.rounds)
    assert restocks > 3


@pytest.mark.parametrize(("procedure", "rounds"), [("cut card", 2), ("fresh each round", 1)])
def test_a_voided_round_is_dealt_again_as_far_as_it_went(procedure: str, rounds: int) -> None:
    document = json.loads(voided_shoe(procedure))
    assert len(document["rounds"]) == rounds
    last = document["rounds"][-1]
    assert last["voided"]
    assert not last["paid"]
    assert len(last["play"]) == 2
    assert document["cut_short"]
    assert problems(document) == ()
    assert plain_problem(document) is None


def test_each_round_of_a_fresh_shoe_has_its_own_document() -> None:
    driven, rng = DrivenTable.open("classic", **{"shoe.procedure": "fresh each round"}), random.Random(3)
    for _ in range(3):
        driven.play_round(rng)
    found = documents(driven)
    assert [(len(document.rounds), document.cut_short) for document in found] == [(1, False)] * 3 + [(0, True)]
    for document in found:
        assert redeal(document).problems == ()
        assert plain_problem(plain(document)) is None


# Forged ones


def _leaves(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inside in items:
        yield from _leaves(inside, (*path, key))
    if not isinstance(value, dict | list):
        yield path


def _other(value: Any) -> Any:
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    words = str(value).split(" ")
    # Another card, amount or digit: what is found should be the meaning, and not the spelling.
    swapped = {"hit": "stand", "stand": "hit", "no": "yes"}
    last = words[-1]
    return " ".join([*words[:-1], swapped.get(last) or (last[:-1] + ("5" if last[-1:] != "5" else "6"))])


@pytest.mark.parametrize("made", [cut_short_shoe, _dealt_out], ids=["cut short", "dealt out"])
def test_every_single_change_of_a_document_is_found(made: Callable[[], str]) -> None:
    """Numbers, texts and flags become others; members of lists are left out. Each kind: its first and its last."""
    assert problems(json.loads(made())) == ()
    kinds: dict[tuple[str, ...], list[tuple[str | int, ...]]] = {}
    for path in _leaves(json.loads(made())):
        kinds.setdefault(tuple(part for part in path if isinstance(part, str)), []).append(path)
    assert len(kinds) > 15
    for path in [path for paths in kinds.values() for path in {paths[0], paths[-1]}]:
        document, inside = _inside(made(), path)
        inside[path[-1]] = _other(inside[path[-1]])
        assert problems(document), path
        if isinstance(path[-1], int):
            document, inside = _inside(made(), path)
            del inside[path[-1]]
            assert problems(document), f"{path} left out"


def _inside(text: str, path: tuple[str | int, ...]) -> tuple[Document, Any]:
    """The document, and what in it holds the value at a path."""
    document = json.loads(text)
    inside = document
    for part in path[:-1]:
        inside = inside[part]
    return document, inside


def _rounds(change: Callable[[list[Document]], object]) -> Callable[[Document], object]:
    return lambda document: change(document["rounds"])


def _steered(document: Document) -> None:
    """Choose the cards of the first round: put the card that is wanted back so often that the draw gives it."""
    key = shoe_key(bytes.fromhex(document["seed"]), document["shoe"], document["sheet"], document["player_seeds"])
    stock = sorted(DECK * document["decks"])
    stock.pop(draw_number(key, 0, len(stock)))
    first = document["rounds"][0]
    wanted = cards(first["cards"])[::-1]
    restocked = []
    for draw, card in enumerate(wanted):
        for more in range(4000):
            fuller = sorted([*stock, *[card] * more])
            if fuller[number := draw_number(key, draw + 1, len(fuller))] == card:
                break
        restocked += [{"after": draw, "cards": " ".join([str(card)] * more)}] if more else []
        fuller.pop(number)
        stock = fuller
    first["cards"], first["restocked"] = " ".join(map(str, wanted)), restocked


def _other_rules(document: Document) -> None:
    document["rules"] = json.dumps({**json.loads(document["rules"]), "settle": {"natural": "6 to 5"}})


def _other_sheet(document: Document) -> None:
    _other_rules(document)
    document["sheet"] = hashlib.sha256(document["rules"].encode()).hexdigest()


def _promised_rules(rules: str) -> Callable[[Document], None]:
    """Rules that were promised as they are, whatever they are."""

    def change(document: Document) -> None:
        document["rules"], document["sheet"] = rules, hashlib.sha256(rules.encode()).hexdigest()
        document["commitment"] = commitment(bytes.fromhex(document["seed"]), document["shoe"], document["sheet"])

    return change


def _appended(document: Document) -> None:
    last = document["rounds"][-1]
    document["rounds"].append({**last, "number": last["number"] + 1})


def _finished(document: Document) -> None:
    document["rounds"][-1]["voided"] = False


#: Which document, what is done to it, and what is said.
FORGERIES: dict[str, tuple[Callable[[], str], Callable[[Document], object], str]] = {
    "all decisions dropped": (
        cut_short_shoe,
        _rounds(lambda rounds: [dealt.update(play=[]) for dealt in rounds]),
        "should be dealt, and the document has",
    ),
    "every round called voided": (
        cut_short_shoe,
        _rounds(lambda rounds: [dealt.update(voided=True, paid=[]) for dealt in rounds]),
        "it was played to its end, so it was not voided",
    ),
    "a round without bets": (cut_short_shoe, _rounds(lambda rounds: rounds[0].update(bets=[])), "round 1: bets: "),
    "one bet twice": (
        cut_short_shoe,
        _rounds(lambda rounds: rounds[0].update(bets=rounds[0]["bets"][:1] * 2)),
        "round 1: bet 2: seat 1 has bet already",
    ),
    "last rounds dropped, not cut short": (
        _dealt_out,
        lambda document: document["rounds"].pop(),
        "the shoe is not dealt to its end",
    ),
    "first round dropped": (cut_short_shoe, _rounds(lambda rounds: rounds.pop(0)), "round 2: bets: draw 2 of the shoe"),
    "a round in the middle dropped": (cut_short_shoe, _rounds(lambda rounds: rounds.pop(1)), "its number should be 2"),
    "not cut short": (cut_short_shoe, lambda document: document.update(cut_short=False), "not dealt to its end"),
    "cut short": (_dealt_out, lambda document: document.update(cut_short=True), "it was not cut short"),
    "no rounds and not cut short": (
        cut_short_shoe,
        lambda document: document.update(rounds=[], burned="", cut_short=False),
        "not dealt to its end",
    ),
    "burned cards without rounds": (
        cut_short_shoe,
        lambda document: document.update(rounds=[]),
        "0 cards should be dealt",
    ),
    "burned cards left out": (
        cut_short_shoe,
        lambda document: document.update(burned=""),
        "1 card should be dealt",
    ),
    "numbers changed": (
        cut_short_shoe,
        _rounds(lambda rounds: [dealt.update(number=7) for dealt in rounds]),
        "round 7: its number should be 8",
    ),
    "a round with number 0": (
        cut_short_shoe,
        _rounds(lambda rounds: [dealt.update(number=number) for number, dealt in enumerate(rounds)]),
        "round 0: its number should be 1",
    ),
    "cards chosen with invented restocks": (cut_short_shoe, _steered, "of the shoe deals"),
    "one deck": (cut_short_shoe, lambda document: document.update(decks=1), "decks: the rules have 6, not 1"),
    "a million decks": (cut_short_shoe, lambda document: document.update(decks=10**6), "decks: the rules have 6"),
    "fewer decks than none": (cut_short_shoe, lambda document: document.update(decks=-1), "decks: the rules have 6"),
    "another cut card": (
        cut_short_shoe,
        lambda document: document.update(cut_card=9),
        "the rules put it after 234 cards",
    ),
    "other rules": (cut_short_shoe, _other_rules, "the rules are not the ones that were promised"),
    "other rules and their hash": (cut_short_shoe, _other_sheet, "the seed is not the one that was promised"),
    "rules that are not JSON": (cut_short_shoe, _promised_rules("["), "the rules are not a JSON object"),
    "rules that are nested deeply": (cut_short_shoe, _promised_rules("[" * 100_000), "the rules are not a JSON object"),
    "rules that are not a sheet": (cut_short_shoe, _promised_rules('{"name": 3}'), "the rules:"),
    "seed with spaces": (
        cut_short_shoe,
        lambda document: document.update(seed=" ".join(document["seed"])),
        "the seed is not written in hexadecimal",
    ),
    "another construction": (
        cut_short_shoe,
        lambda document: document.update(construction="mine"),
        "'mine' is not known",
    ),
    "player seeds dropped": (cut_short_shoe, lambda document: document.update(player_seeds=[]), "of the shoe deals"),
    "a round after the end": (_dealt_out, _appended, "the round before was the last of this shoe"),
    "a round after a voided one": (voided_shoe, _appended, "the round before was voided"),
    "a voided round called finished": (voided_shoe, _finished, "the play is incomplete, and the round was not voided"),
    "a voided round that pays": (
        voided_shoe,
        _rounds(lambda rounds: rounds[-1].update(paid=rounds[0]["paid"])),
        "so it was not voided",
    ),
    "a decision more than was made": (
        cut_short_shoe,
        _rounds(lambda rounds: rounds[0]["play"].append("seat 1: hit")),
        "('seat 1: hit'): ",
    ),
    "a decision nobody knows": (
        cut_short_shoe,
        _rounds(lambda rounds: rounds[0].update(play=["seat 1: cheat"])),
        "round 1: play 1 ('seat 1: cheat'): 'cheat' is not an action",
    ),
    "a card more than was dealt": (
        cut_short_shoe,
        _rounds(lambda rounds: rounds[0].update(cards=rounds[0]["cards"] + " As")),
        "should be dealt, and the document has",
    ),
    "a wager that was not settled": (
        cut_short_shoe,
        _rounds(lambda rounds: rounds[0]["paid"].append(rounds[0]["paid"][0])),
        "wagers, the rules",
    ),
    "restocks left out": (
        _dealt_out,
        _rounds(lambda rounds: [dealt.update(restocked=[]) for dealt in rounds]),
        "put back into the shoe: ",
    ),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forged_shoe_is_named(name: str) -> None:
    made, change, says = FORGERIES[name]
    document = json.loads(made())
    change(document)
    found = problems(document)
    assert found
    assert says in found[0]


def test_nothing_in_a_document_shows_that_its_last_rounds_were_dropped() -> None:
    """As docs/fairness.md says: the players know how many rounds were dealt from a shoe that was cut short."""
    document = json.loads(_dealt_out())
    document["rounds"].pop()
    document["cut_short"] = True
    assert problems(document) == ()

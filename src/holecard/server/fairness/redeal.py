"""Deal a finished shoe again, by its rules and from its revealed seed, and name the first thing that differs.

The document is not trusted: the rules must have the promised hash; decks, cut card, burned cards, cards that are put
back, results and the end of the shoe are computed from rules, seeds, bets and decisions, and compared.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from typing import NamedTuple

from holecard.deck import Card
from holecard.errors import Refusal, plural, shortly
from holecard.server.fairness.construction import NAME, SEED_BYTES, commitment, shoe_key
from holecard.server.fairness.shoe_document import (
    Restock,
    ShoeDocument,
    ShoeRound,
    cut_card_place,
    restocks_since,
    settled_wagers,
)
from holecard.server.fairness.shoes import FairShoe
from holecard.sheets.read import from_data
from holecard.sheets.schema import RuleSheet
from holecard.table.advance import start
from holecard.table.dealing.dealt_round import DealtRound
from holecard.table.events import Act, Bet, NoMoreBets, Place
from holecard.table.legal import refusal
from holecard.table.notation.moves import read_bet, read_play


class Redealt(NamedTuple):
    """What was dealt again, and what differs."""

    rounds: int
    """Rounds that are as the document says."""
    cards: int
    """Cards that were drawn, burned ones included."""
    problems: tuple[str, ...]


def redeal(document: ShoeDocument) -> Redealt:
    """Deal a shoe again; compare every card, every wager, and where the shoe ends."""
    if problems := tuple(_broken_promises(document)):
        return Redealt(0, 0, problems)
    try:
        again = _Redeal(document, _sheet(document.rules))
    except Refusal as refused:
        return Redealt(0, 0, (str(refused),))
    try:
        again.deal()
    except Refusal as refused:
        problems = (str(refused),)
    return Redealt(again.rounds, again.shoe.drawn, problems)


def _broken_promises(document: ShoeDocument) -> Iterator[str]:
    """Compare seed and rules with what was published before the first card."""
    if document.construction != NAME:
        yield f"the construction {shortly(document.construction)} is not known; this version checks {NAME!r}"
        return
    if not re.fullmatch(f"[0-9a-f]{{{2 * SEED_BYTES}}}", document.seed):
        yield f"the seed is not written in hexadecimal, as {2 * SEED_BYTES} digits and small letters"
        return
    if commitment(bytes.fromhex(document.seed), document.shoe, document.sheet) != document.commitment:
        yield "the seed is not the one that was promised: its hash with shoe and sheet is not the commitment"
    if hashlib.sha256(document.rules.encode()).hexdigest() != document.sheet:
        yield "the rules are not the ones that were promised: their hash is not that of the sheet"


@lru_cache(8)
def _sheet(rules: str) -> RuleSheet:
    """Return the sheet that the rules define."""
    try:
        data = json.loads(rules)
    except (ValueError, RecursionError):
        data = None
    if not isinstance(data, dict):
        raise Refusal("the rules are not a JSON object")
    return from_data(data, "the rules")


class _Redeal:
    """A shoe that is dealt again; the first thing that differs is raised as a refusal."""

    def __init__(self, document: ShoeDocument, sheet: RuleSheet) -> None:
        key = shoe_key(bytes.fromhex(document.seed), document.shoe, document.sheet, document.player_seeds)
        self.document = document
        self.shoe = FairShoe(sheet.shoe, key)
        self.rounds = 0
        self._empty = start(sheet.tables)

    def deal(self) -> None:
        """Deal all rounds, and check that the shoe ends where it should."""
        self._check_settings()
        with _at("burned cards"):
            burned = self.shoe.burn() if self.document.rounds else []
            _compare(self.document.burned.split(), burned, 0)
        before: ShoeRound | None = None
        for said in self.document.rounds:
            with _at(f"round {said.number}"):
                self._check_follows(before, said)
                self._round(said)
            self.rounds += 1
            before = said
        is_over = before is not None and not before.voided and self.shoe.is_over
        if is_over and self.document.cut_short:
            raise Refusal("cut_short: the shoe was dealt to its end, so it was not cut short")
        if not is_over and not self.document.cut_short:
            raise Refusal("cut_short: the shoe is not dealt to its end: it was cut short, or rounds are missing")

    def _check_settings(self) -> None:
        document, settings = self.document, self.shoe.settings
        if document.decks != settings.decks:
            raise Refusal(f"decks: the rules have {settings.decks}, not {document.decks}")
        if document.cut_card != (place := cut_card_place(settings)):
            raise Refusal(f"cut_card: the rules put it after {place} cards, not {document.cut_card}")

    def _check_follows(self, before: ShoeRound | None, said: ShoeRound) -> None:
        """Check that a round may follow the one before."""
        number = max(said.number, 1) if before is None else before.number + 1
        if said.number != number:
            raise Refusal(f"its number should be {number}: rounds are missing, or were added")
        if before is not None and before.voided:
            raise Refusal("the round before was voided, which ends a shoe")
        if before is not None and self.shoe.is_over:
            raise Refusal("the round before was the last of this shoe")

    def _round(self, said: ShoeRound) -> None:
        first = self.shoe.drawn
        dealt = DealtRound(self.shoe, self._empty, tells=False)
        cards = said.cards.split()
        for place, move in _moves(said):
            with _at(place):
                if refused := refusal(dealt.round.freeze(), move):
                    raise refused
                dealt.apply(move)
                _compare(cards[: len(dealt.cards)], dealt.cards, first)
        _compare(cards, dealt.cards, first)
        if said.restocked != (restocked := restocks_since(self.shoe, first)):
            raise Refusal(f"put back into the shoe: {_words(restocked)}, not {_words(said.restocked)}")
        _check_result(said, dealt)
        self.shoe.discard(dealt.out)


def _moves(said: ShoeRound) -> Iterator[tuple[str, Bet | NoMoreBets | Act | Place]]:
    """Yield the moves of a round, each with its place in the document."""
    bets: dict[int, Bet] = {}
    for number, words in enumerate(said.bets, start=1):
        with _at(f"bet {number}"):
            bet = read_bet(words)
            if bet.seat in bets:
                raise Refusal(f"seat {bet.seat} has bet already")
            bets[bet.seat] = bet
        yield f"bet {number}", bet
    yield "bets", NoMoreBets()
    for number, words in enumerate(said.play, start=1):
        place = f"play {number} ({shortly(words)})"
        with _at(place):
            move = read_play(words)
        yield place, move


def _check_result(said: ShoeRound, dealt: DealtRound) -> None:
    """Compare how a round ended, and what it paid."""
    is_done = dealt.round.phase == "done"
    if said.voided:
        if is_done or said.paid:
            raise Refusal("it was played to its end, so it was not voided")
        return
    if not is_done:
        raise Refusal("the play is incomplete, and the round was not voided")
    results = settled_wagers(dealt.round.results)
    for one, right in zip(said.paid, results, strict=False):
        if one != right:
            raise Refusal(f"the document says: {one}; the rules pay: {right}")
    if len(said.paid) != len(results):
        raise Refusal(f"the document settles {len(said.paid)} wagers, the rules {len(results)}")


def _compare(said: Sequence[str], dealt: Sequence[Card], first: int) -> None:
    """Compare cards with those that were drawn, of which the first was this draw of the shoe, from 0."""
    for draw, (one, card) in enumerate(zip(said, dealt, strict=False), start=first + 1):
        if one != str(card):
            raise Refusal(f"draw {draw} of the shoe deals {card}, and the table dealt {shortly(one)}")
    if len(said) != len(dealt):
        raise Refusal(f"{plural(len(dealt), 'card')} should be dealt, and the document has {len(said)}")


def _words(restocks: tuple[Restock, ...]) -> str:
    found = "; ".join(f"{shortly(one.cards)} after {one.after} cards" for one in restocks)
    return found or "nothing"


@contextmanager
def _at(place: str) -> Iterator[None]:
    """Name the place in every refusal."""
    try:
        yield
    except Refusal as refused:
        raise Refusal(f"{place}: {refused}") from None

"""Two rounds with the same public history and other hidden cards: every answer of the server has the same bytes.

Not only frames: refusals, tables over HTTP, the coach, balances and the lobby. The hole card and all undealt cards
differ.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest
from fastapi.testclient import TestClient

import holecard
from holecard.deck import DECK, Card, cards
from holecard.server.fairness.shoes import LoggedShoe
from holecard.server.settings import ServerSettings
from holecard.server.web.app import create_app
from tests.selection import quick, rounds
from tests.server.compute_here import compute_here
from tests.server.fake_clock import FakeClock
from tests.server.test_crashes import GAMES
from tests.server.test_web import Person

#: The card dealt sixth: seats 1 and 3, the upcard, seats 1 and 3, the hole card.
_HOLE = 5
_TENS = frozenset("TJQK")


class Answered(NamedTuple):
    """What everybody was sent between two moves, and how many cards had been drawn."""

    is_revealed: bool
    drawn: int
    sent: tuple[str, ...]


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    database = f"sqlite+aiosqlite:///{tmp_path_factory.mktemp('hidden')}/holecard.db"
    roomy = {"messages_per_second": 10_000, "message_burst": 100_000, "guest_burst": 1_000, "skip_returns": True}
    settings = ServerSettings.model_validate({"database": database, **roomy})
    with TestClient(create_app(settings, FakeClock())) as found:
        compute_here(found)
        yield found


class Round:
    """A round of two players, one spectator, and a shoe in a given order."""

    def __init__(self, client: TestClient, game: str) -> None:
        self.client = client
        self.people = [Person(client) for _ in range(3)]
        self.ann, self.bob, self.carl = self.people
        self.table = self.ann.open(game)
        self.names = {self.table: "TABLE"}
        for number, person in enumerate(self.people):
            self.names[person.get("/api/v1/me").json()["name"]] = f"PERSON {number}"
        self.ann.command(self.table, do="sit", seat=1)
        self.bob.command(self.table, do="sit", seat=3)
        shoe = self.look(self.ann)["shoe"]
        self.names |= {shoe["id"]: "SHOE", shoe["commitment"]: "COMMITMENT"}

    def look(self, person: Person) -> dict[str, Any]:
        found: dict[str, Any] = person.get(f"/api/v1/tables/{self.table}").json()["view"]
        return found

    def play(self, main: int) -> list[Answered]:
        """Play a round; return what was sent after each move."""
        for person, seat in ((self.ann, 1), (self.bob, 3)):
            assert person.command(self.table, do="bet", seat=seat, main=main).status_code == 200
        assert self.ann.command(self.table, do="deal").status_code == 200
        rng, found = random.Random(1), [self.everything()]
        while (asked := (view := self.look(self.ann))["asked"]) is not None:
            person = self.ann if asked == 1 else self.bob
            choices = view["choices"] if asked == 1 else self.look(person)["choices"]
            moves = [one["action"] for one in choices if one["action"] not in ("surrender", "double", "quick pay")]
            move = {"do": "act", "action": rng.choice(moves)} if moves else {"do": "place"}
            if move.get("action") == "insurance":
                move["amount"] = next(one["low"] for one in choices if one["action"] == "insurance")
            assert person.command(self.table, seat=asked, **move).status_code == 200
            found.append(self.everything())
        return found

    def everything(self) -> Answered:
        """Return all that the server answers now, to everybody."""
        sent = [person.get(f"/api/v1/tables/{self.table}") for person in self.people]
        view = sent[0].json()["view"]
        sent += [person.get("/api/v1/me") for person in self.people]
        sent += [person.get(f"/api/v1/tables/{self.table}/coach") for person in self.people]
        sent += [self.ann.get("/api/v1/history"), self.bob.get(f"/api/v1/tables/{self.table}/shoes/{self.shoe}")]
        refused = [
            self.ann.command(self.table, do="act", seat=1, action="fly"),
            self.ann.command(self.table, do="act", seat=1, action="double", amount=1),
            self.ann.command(self.table, do="add seed", seed="late"),
            self.ann.command(self.table, do="place", seat=1, sides={"No Such Wager": 100}),
            self.bob.command(self.table, do="act", seat=3, action="insurance", amount=10**8),
            self.carl.command(self.table, do="sit", seat=3),
        ]
        if view["phase"] != "done":
            refused.append(self.ann.command(self.table, do="close"))
            assert all(answer.status_code >= 400 for answer in refused)
        hidden = None in view["dealer"]["cards"] or len(view["dealer"]["cards"]) == 2
        texts = [f"{answer.status_code} {answer.text}" for answer in (*sent, *refused)]
        for name, plain in self.names.items():
            texts = [text.replace(name, plain) for text in texts]
        return Answered(view["phase"] == "done" or not hidden, self.hosted.table.shoe.cards.drawn, tuple(texts))

    @property
    def shoe(self) -> str:
        return next(name for name, plain in self.names.items() if plain == "SHOE")

    @property
    def hosted(self) -> Any:
        host = self.client.app.state.services.host  # type: ignore[attr-defined]
        return next(one for one in host.tables if one.id == self.table)


def is_blackjack(up: Card, hole: Card) -> bool:
    ranks = {str(up)[0], str(hole)[0]}
    return "A" in ranks and bool(ranks & _TENS)


def with_other_hidden_cards(order: list[Card], hidden: list[int], burned: int, rng: random.Random) -> list[Card]:
    """Return a shoe with the hidden cards in another order; the dealer has no blackjack, as before."""
    up = order[burned + 2]
    while True:
        places = rng.sample(hidden, len(hidden))
        changed = list(order)
        for place, other in zip(hidden, places, strict=True):
            changed[place] = order[other]
        hole = burned + _HOLE
        if hole not in hidden or (changed[hole] != order[hole] and not is_blackjack(up, changed[hole])):
            return changed


@pytest.mark.parametrize("game", quick(GAMES, "match-up"))
def test_every_answer_has_the_same_bytes_whatever_the_hidden_cards(
    client: TestClient, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    sheet = holecard.rules(game)
    order: list[Card] = []
    monkeypatch.setattr(LoggedShoe, "_fair_index", lambda shoe, _key: shoe._stock.index(order[shoe.drawn]))
    burned = sheet.shoe.burn if sheet.shoe.procedure == "cut card" else 0
    rng = random.Random(game)
    # Ann 9 and 3, Bob 8 and 4, the dealer a 6 and a hidden card; small cards follow, so that there is something to ask.
    first = [*cards("9s 8d 6h 3c 4s 5d 2s 2h 3d 2c")]
    rest = list(DECK * sheet.shoe.decks)
    for card in first:
        rest.remove(card)
    rng.shuffle(rest)
    order[:] = [*rest[:burned], *first, *rest[burned:]]
    main = int(sheet.tables.main.low)
    expected = Round(client, game).play(main)
    open_ = [answered for answered in expected if not answered.is_revealed]
    assert len(open_) >= 2
    public = open_[-1].drawn
    dealer = json.loads(open_[0].sent[0].removeprefix("200 "))["view"]["dealer"]["cards"]
    hidden = [*([burned + _HOLE] if None in dealer else []), *range(public, len(order))]
    assert (burned + _HOLE in hidden) is (sheet.tables.hole_card == "peek")
    for _ in range(rounds(2)):
        order[:] = with_other_hidden_cards(order, hidden, burned, rng)
        found = Round(client, game).play(main)
        assert found[: len(open_)] == open_
        assert found[-1] != expected[-1]

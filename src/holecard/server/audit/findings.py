"""What an audit has checked, and what is wrong."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, field
from typing import NamedTuple

from holecard import __version__
from holecard.errors import plural
from holecard.money import Money, dollars


class LogHead(NamedTuple):
    """The end of a log: how many entries it has, and the hash of the last one."""

    entries: int
    hash: str


@dataclass(slots=True)
class Audit:
    """What was checked, and what is wrong."""

    streams: int = 0
    entries: int = 0
    transfers: int = 0
    shoes: int = 0
    money: int = 0
    """What all players have, in cents: free money and stakes on tables; chips are not money."""
    heads: dict[str, LogHead] = field(default_factory=dict)
    """The end of every log that is intact."""
    problems: list[str] = field(default_factory=list)
    shown_problems: list[str] = field(default_factory=list)
    """The same without cards of rounds that are not over, for operators who may sit at a table."""

    def say(self, words: str, secret: str = "") -> None:
        """Add a problem; `secret` is what nobody may read who plays."""
        self.problems.append(f"{words}: {secret}" if secret else words)
        self.shown_problems.append(words)

    @property
    def is_clean(self) -> bool:
        """Whether nothing is wrong."""
        return not self.problems

    @property
    def head(self) -> str:
        """The SHA-256 over the last hashes of all logs, each as a line "log hash", sorted."""
        lines = (f"{stream} {head.hash}\n" for stream, head in sorted(self.heads.items()))
        return hashlib.sha256("".join(lines).encode()).hexdigest()

    def __str__(self) -> str:
        verdict = "nothing is wrong" if self.is_clean else plural(len(self.problems), "problem")
        return (
            f"{plural(self.streams, 'log')}, {self.entries:,} entries, "
            f"{plural(self.transfers, 'transfer')}, {plural(self.shoes, 'finished shoe')}, "
            f"{cents_in_dollars(self.money)} of players' money: {verdict}."
        )

    def to_json(self) -> str:
        """Return what was checked, for programs."""
        found = asdict(self)
        del found["shown_problems"]
        found["heads"] = {stream: head._asdict() for stream, head in sorted(self.heads.items())}
        return json.dumps({"version": __version__, "clean": self.is_clean, "head": self.head, **found})


def cents_in_dollars(cents: int) -> str:
    """Return an amount in words."""
    return dollars(Money.cents(cents))

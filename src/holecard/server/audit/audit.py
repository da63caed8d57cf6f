"""Check a whole database: hash chains, folds, transfers, balances, returns, and every finished shoe.

Each stream's log is read from its first entry. The first entry that does not follow from the one before is named, and
the rest of its stream is not looked at: nothing after a broken link can be trusted.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field

from holecard import __version__
from holecard.errors import Refusal, plural
from holecard.money import Money, dollars
from holecard.server.audit.streams import AccountFold, StreamFold, TableFold
from holecard.server.money.returns import Returned, Returns, Settled, add_up
from holecard.server.money.transfers import Transfer, may_be_negative
from holecard.server.store.chain import FIRST_HASH, LogRow, is_linked
from holecard.server.store.read import StoreReader


@dataclass(slots=True)
class Audit:
    """What was checked, and what is wrong."""

    streams: int = 0
    entries: int = 0
    transfers: int = 0
    shoes: int = 0
    money: int = 0
    """What all players have, in cents: free money and stakes on tables."""
    problems: list[str] = field(default_factory=list)

    @property
    def is_clean(self) -> bool:
        """Whether nothing is wrong."""
        return not self.problems

    def __str__(self) -> str:
        verdict = "nothing is wrong" if self.is_clean else plural(len(self.problems), "problem")
        return (
            f"{plural(self.streams, 'log')}, {self.entries:,} entries, "
            f"{plural(self.transfers, 'transfer')}, {plural(self.shoes, 'finished shoe')}, "
            f"{_words(self.money)} of players' money: {verdict}."
        )

    def to_json(self) -> str:
        """Return what was checked, for programs."""
        return json.dumps({"version": __version__, "clean": self.is_clean, **asdict(self)})


@dataclass(slots=True)
class _Due:
    """What the logs make of balances and returns."""

    balances: Counter[str] = field(default_factory=Counter)
    returns: Returns = field(default_factory=dict)

    def add(self, transfers: Iterable[Transfer], settlements: Iterable[Settled]) -> None:
        """Add what one entry causes."""
        for transfer in transfers:
            self.balances[transfer.source] -= transfer.amount
            self.balances[transfer.target] += transfer.amount
        add_up(settlements, self.returns)


async def audit(reader: StoreReader, on_progress: Callable[[int, int], None] | None = None) -> Audit:
    """Check everything in a database."""
    found, due = Audit(), _Due()
    streams = await reader.streams()
    for number, stream in enumerate(streams, start=1):
        await _check_stream(reader, stream, found, due)
        if on_progress is not None:
            on_progress(number, len(streams))
    await _check_balances(reader, due.balances, found)
    await _check_returns(reader, due.returns, found)
    found.streams = len(streams)
    return found


async def _check_stream(reader: StoreReader, stream: str, found: Audit, due: _Due) -> None:
    """Follow one stream from its first entry, and add what follows from it to what is due."""
    stored, checkpoint = await reader.transfers(stream), await reader.checkpoint(stream.partition(":")[2])
    before, fold = FIRST_HASH, None
    for number, row in enumerate(await reader.entries(stream), start=1):
        problem = _broken_link(row, number, before)
        if problem is None:
            try:
                fold = fold or await _fold_of(reader, row)
                made, settlements = fold.apply(row), fold.settled()
            except (Refusal, ValueError, KeyError) as error:
                problem = f"it does not follow from the entries before it: {error}"
        if problem is not None:
            found.problems.append(f"{stream}, entry {number}: {problem}")
            return
        if (kept := stored.pop(row.sequence, [])) != list(made):
            found.problems.append(f"{stream}, entry {number}: its transfers should be {made}, and are {kept}")
        before = row.hash
        found.entries += 1
        found.transfers += len(made)
        due.add(made, settlements)
    found.problems.extend(f"{stream}: transfers without an entry, number {number}" for number in sorted(stored))
    if isinstance(fold, TableFold):
        found.shoes += len(fold.finished_shoes)
        found.problems.extend(f"{stream}: {problem}" for problem in fold.shoe_problems())
        if problem := fold.checkpoint_problem(checkpoint):
            found.problems.append(f"{stream}: {problem}")


def _broken_link(row: LogRow, number: int, before: str) -> str | None:
    if row.sequence != number:
        return f"its number is {row.sequence}, so an entry is missing"
    if not is_linked(row, before):
        return "its hash is not that of its content and of the entry before it"
    return None


async def _fold_of(reader: StoreReader, row: LogRow) -> StreamFold:
    kind, _, name = row.stream.partition(":")
    return await TableFold.begin(reader, name, row) if kind == "table" else AccountFold(name)


async def _check_balances(reader: StoreReader, expected: Counter[str], found: Audit) -> None:
    stored = await reader.balances()
    for account in sorted({*stored, *expected}):
        kept, due = stored.get(account, 0), expected.get(account, 0)
        if kept != due:
            words = f"{_words(kept)} is stored, and the log makes it {_words(due)}"
            found.problems.append(f"balance of {account}: {words}")
        if kept < 0 and not may_be_negative(account):
            found.problems.append(f"balance of {account}: {_words(kept)} is an overdraft")
        if not may_be_negative(account):
            found.money += kept
    if total := sum(stored.values()):
        found.problems.append(f"all balances together are {_words(total)} and should be $0")


async def _check_returns(reader: StoreReader, expected: Returns, found: Audit) -> None:
    stored = await reader.returns()
    for key in sorted({*stored, *expected}):
        kept, due = stored.get(key, Returned()), expected.get(key, Returned())
        if not _is_same(kept, due):
            words = f"{_return_words(kept)} are stored, and the logs make it {_return_words(due)}"
            found.problems.append(f"returns of {key.game}, sheet {key.sheet[:12]}, wager {key.wager}: {words}")


def _is_same(kept: Returned, due: Returned) -> bool:
    """Return whether stored returns are those of the logs; every addition of squares may have rounded once."""
    rounding = due.squares * due.rounds * 2.0**-52
    numbers = ((one.rounds, one.staked, one.net, one.largest) for one in (kept, due))
    return len(set(numbers)) == 1 and abs(kept.squares - due.squares) <= rounding


def _return_words(returned: Returned) -> str:
    parts = f"{plural(returned.rounds, 'wager')}, {_words(returned.staked)} staked, {_words(returned.net)} won"
    return f"{parts}, squares {returned.squares:.15g}, largest stake {_words(returned.largest)}"


def _words(cents: int) -> str:
    return dollars(Money.cents(cents))

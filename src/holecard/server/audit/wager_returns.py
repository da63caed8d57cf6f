"""Compare what is stored of the returns of wagers with what the logs add up to."""

from __future__ import annotations

from collections.abc import Iterator

from holecard.errors import plural
from holecard.server.audit.findings import cents_in_dollars
from holecard.server.money.returns import Returned, Returns


def check_returns(stored: Returns, due: Returns) -> Iterator[str]:
    """Yield the wagers whose returns are not those of the logs."""
    for key in sorted({*stored, *due}):
        kept, expected = stored.get(key, Returned()), due.get(key, Returned())
        if (key in stored) != (key in due) or not _is_same(kept, expected):
            words = f"{_words(kept)} are stored, and the logs make it {_words(expected)}"
            yield f"returns of {key.game}, sheet {key.sheet[:12]}, wager {key.wager}: {words}"


def _is_same(kept: Returned, due: Returned) -> bool:
    """Return whether stored returns are those of the logs; every addition of squares may have rounded once."""
    rounding = due.squares * due.rounds * 2.0**-52
    numbers = ((one.rounds, one.staked, one.net, one.largest) for one in (kept, due))
    return len(set(numbers)) == 1 and abs(kept.squares - due.squares) <= rounding


def _words(returned: Returned) -> str:
    staked, won = cents_in_dollars(returned.staked), cents_in_dollars(returned.net)
    parts = f"{plural(returned.rounds, 'wager')}, {staked} staked, {won} won"
    return f"{parts}, squares {returned.squares:.15g}, largest stake {cents_in_dollars(returned.largest)}"

"""Read what the wagers of all processes have returned, for the metrics; a database that hangs delays nobody."""

from __future__ import annotations

import asyncio

from holecard.server.errors import Unavailable
from holecard.server.money.returns import Returns
from holecard.server.store.read import StoreReader

#: Sheets whose returns are compared; settings make new sheets, and there is no end to them.
_MOST_SHEETS = 100
#: Seconds to wait for the database.
_PATIENCE = 2.0


class StoredReturns:
    """Reads the returns, once for all who ask at the same time."""

    def __init__(self, reader: StoreReader, most_sheets: int = _MOST_SHEETS, patience: float = _PATIENCE) -> None:
        self._reader = reader
        self._most_sheets = most_sheets
        self._patience = patience
        self._reading: asyncio.Task[Returns | None] | None = None

    async def now(self) -> Returns | None:
        """Return the returns of the sheets with the most staked; None while the database does not answer."""
        if self._reading is None or self._reading.done():
            self._reading = asyncio.create_task(self._read(), name="returns")
        reading = self._reading
        # A query that is canceled in the middle leaves its connection open, so a late one is read to its end.
        done, _ = await asyncio.wait([reading], timeout=self._patience)
        return reading.result() if done else None

    async def stop(self) -> None:
        """Let a query end; cancel it where the database keeps it waiting."""
        if self._reading is not None:
            _, late = await asyncio.wait([self._reading], timeout=self._patience)
            for one in late:
                one.cancel()
            await asyncio.gather(self._reading, return_exceptions=True)

    async def _read(self) -> Returns | None:
        try:
            return await self._reader.returns(self._most_sheets)
        except Unavailable:
            return None

"""Documents of finished shoes, made one at a time and kept: a shoe that has ended never changes.

To make one, the whole log of its table is folded, which takes seconds at a table with thousands of rounds.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict

from holecard.errors import shortly
from holecard.server.errors import NotFound
from holecard.server.host.finished_shoes import shoe_document
from holecard.server.host.hosted_table import HostedTable, stream_of
from holecard.server.host.loader import damage_in_plain_words
from holecard.server.store.chain import LogRow
from holecard.server.store.read import StoreReader
from holecard.sheets.schema import RuleSheet

#: Bytes of documents that are kept; the one that was not asked for longest goes first.
_KEPT_BYTES = 20_000_000


class KeptShoes:
    """The documents that were asked for last, as JSON."""

    def __init__(self, reader: StoreReader) -> None:
        self._reader = reader
        self._texts: OrderedDict[tuple[str, str], bytes] = OrderedDict()
        self._making = asyncio.Lock()

    async def text(self, hosted: HostedTable, shoe: str) -> bytes:
        """Return a shoe of a table that has ended; one that has not is not found."""
        key = (hosted.id, shoe)
        if key not in self._texts:
            if not await self._reader.was_revealed(stream_of(hosted.id), shoe):
                raise NotFound(f"no finished shoe is called {shortly(shoe)}; a shoe is public when it has ended")
            async with self._making:
                if key not in self._texts:
                    await self._make(hosted, shoe)
                return self._texts[key]
        self._texts.move_to_end(key)
        return self._texts[key]

    async def _make(self, hosted: HostedTable, shoe: str) -> None:
        """Make a document in a thread, so that other tables do not wait."""
        rows = await self._reader.entries(stream_of(hosted.id))
        with damage_in_plain_words(hosted.id):
            made = await asyncio.to_thread(_json, rows, hosted.table.sheet, shoe)
        self._keep((hosted.id, shoe), made)

    def _keep(self, key: tuple[str, str], text: bytes) -> None:
        self._texts[key] = text
        while len(self._texts) > 1 and sum(map(len, self._texts.values())) > _KEPT_BYTES:
            self._texts.popitem(last=False)


def _json(rows: list[LogRow], sheet: RuleSheet, shoe: str) -> bytes:
    return shoe_document(rows, sheet, shoe).model_dump_json().encode()

"""Documents of finished shoes, made when somebody asks and kept: a shoe that has ended never changes."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Sequence
from weakref import WeakValueDictionary

from holecard.errors import shortly
from holecard.server.errors import NotFound
from holecard.server.fairness.shoe_document import ShoeDocument
from holecard.server.game.entries import read_entry
from holecard.server.game.folded_table import FoldedTable
from holecard.server.host.finished_shoes import ShoeCollector
from holecard.server.host.from_shoe import fold_from_shoe
from holecard.server.host.loader import Loader, first_entry
from holecard.server.store.chain import LogRow
from holecard.server.store.read import StoreReader

#: Bytes of documents that are kept; the one that was not asked for longest goes first.
_KEPT_BYTES = 20_000_000


class KeptShoes:
    """The documents that were asked for last, as JSON."""

    def __init__(self, reader: StoreReader, loader: Loader) -> None:
        self._reader = reader
        self._loader = loader
        self._texts: OrderedDict[tuple[str, str], bytes] = OrderedDict()
        self._bytes = 0
        self._making: WeakValueDictionary[tuple[str, str], asyncio.Lock] = WeakValueDictionary()

    async def text(self, table_id: str, shoe: str) -> bytes:
        """Return a shoe of a table that has ended; one that has not is not found."""
        key = (table_id, shoe)
        if key not in self._texts:
            # Those who ask for one shoe together wait for one document; other shoes do not wait for it.
            async with self._making.setdefault(key, asyncio.Lock()):
                if key not in self._texts:
                    self._keep(key, await self._make(table_id, shoe))
                return self._texts[key]
        self._texts.move_to_end(key)
        return self._texts[key]

    async def _make(self, table_id: str, shoe: str) -> bytes:
        _, opened = await first_entry(self._reader, table_id)
        place = await self._reader.finished_shoe(table_id, shoe)
        if place is None:
            raise NotFound(f"no finished shoe is called {shortly(shoe)}; a shoe is public when it has ended")
        sheet = await self._loader.sheet(opened.sheet)
        document = await fold_from_shoe(
            self._reader, table_id, sheet, lambda table: _OneShoe(table, shoe), begins=place.first, until=place.last
        )
        return document.model_dump_json().encode()

    def _keep(self, key: tuple[str, str], text: bytes) -> None:
        self._bytes += len(text)
        self._texts[key] = text
        while len(self._texts) > 1 and self._bytes > _KEPT_BYTES:
            self._bytes -= len(self._texts.popitem(last=False)[1])


class _OneShoe:
    """Folds a log up to the entry that reveals a shoe."""

    def __init__(self, table: FoldedTable, shoe: str) -> None:
        self._table = table
        self._collector = ShoeCollector(shoe)
        self._found: ShoeDocument | None = None

    def add(self, rows: Sequence[LogRow]) -> None:
        """Fold the next rows."""
        for row in rows:
            self._found = self._collector.apply(self._table, read_entry(row.body), row.at) or self._found

    def result(self) -> ShoeDocument:
        """Return the document."""
        if self._found is None:
            raise LookupError("these entries do not reveal the shoe")
        return self._found

"""Progress with drills in the database: a document for each person and rule sheet."""

from __future__ import annotations

from sqlalchemy import delete, insert, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncEngine

from holecard.errors import OutOfTurn
from holecard.server.store import schema
from holecard.server.store.database import reading, to_the_end, writing

#: Rule sheets for which one person's progress is kept; the one used least recently is dropped.
_KEPT = 100
_drills = schema.drills.c


class DrillStore:
    """Writes and reads progress."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    @to_the_end
    async def read(self, user: str, sheet: str) -> str | None:
        """Return the document, or None where there is none."""
        query = select(_drills.document).where(_drills.user == user, _drills.sheet == sheet)
        async with reading(self._engine) as connection:
            found: str | None = (await connection.execute(query)).scalar_one_or_none()
        return found

    @to_the_end
    async def write(self, user: str, sheet: str, answered: int, document: str, now: int) -> None:
        """Write the document after answer number `answered`; refuse it if another answer was written first."""
        own = (_drills.user == user, _drills.sheet == sheet)
        changes = {"answered": answered + 1, "document": document, "changed_at": now}
        try:
            async with writing(self._engine) as connection:
                changed = update(schema.drills).where(*own, _drills.answered == answered).values(**changes)
                if (await connection.execute(changed)).rowcount:
                    return
                # Where there is a row with another number, this violates the key.
                await connection.execute(insert(schema.drills), [{"user": user, "sheet": sheet, **changes}])
                newest = select(_drills.sheet).where(_drills.user == user).order_by(_drills.changed_at.desc())
                old = delete(schema.drills).where(_drills.user == user, _drills.sheet.not_in(newest.limit(_KEPT)))
                await connection.execute(old)
        except IntegrityError:
            raise OutOfTurn("this question was answered in another window; ask for the next one") from None

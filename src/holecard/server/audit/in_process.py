"""Run the audit in a separate process, so that the tables of the server do not wait for it."""

from __future__ import annotations

import asyncio
from multiprocessing.connection import Connection

from holecard.errors import Refusal
from holecard.server.audit.audit import Audit, audit
from holecard.server.errors import ServerRefusal, Unavailable
from holecard.server.jobs.process import answer_of
from holecard.server.store.database import connect, shown
from holecard.server.store.head_file import head_file, in_words, missing_entries, read_head
from holecard.server.store.migrate import check_version
from holecard.server.store.one_moment import one_moment

#: Seconds that a page waits for an audit.
_LONGEST = 300


async def audit_in_process(database: str) -> Audit:
    """Check everything in a database, as it is at one moment."""
    try:
        (found,) = await answer_of(_send_audit, (database,), _LONGEST)
    except TimeoutError:
        raise ServerRefusal(
            f"the audit takes longer than {_LONGEST} seconds; run `holecard audit` at the server"
        ) from None
    except EOFError:
        raise Unavailable("the audit ended before its result; run `holecard audit` at the server") from None
    assert isinstance(found, Audit)
    return found


def _send_audit(database: str, out: Connection) -> None:
    out.send((asyncio.run(audit_here(database)),))
    out.close()


async def audit_here(database: str) -> Audit:
    """Check everything in a database, as it is at one moment, in this process."""
    engine = connect(database, waits=True)
    try:
        await check_version(engine)
        # Read first: while a server runs, the database grows, and the head follows it.
        file = head_file(engine.url)
        head = None if file is None else read_head(file)
        async with one_moment(engine) as reader:
            found = await audit(reader)
            if file is not None and head is not None and (lost := await missing_entries(reader, head)):
                found.say(in_words(lost, file))
            return found
    except Unavailable:
        raise Refusal(
            f"{shown(database)} cannot be read; is it the database of a Holecard server, and may you write in its "
            "folder? SQLite keeps files next to it"
        ) from None
    finally:
        await engine.dispose()

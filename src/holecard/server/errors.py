"""What the server refuses, each with a code that a client can rely on and a sentence for people.

Refusals of the rules (`holecard.errors`) keep their words; `code_of` gives them their codes.
"""

from __future__ import annotations

from holecard.errors import IllegalMove, OutOfTurn, Refusal, SheetError, WagerRefused


class ServerRefusal(Refusal):
    """Something the server refuses, whatever the rules say."""

    code = "refused"
    status = 400


class NotAllowed(ServerRefusal):
    """This user may not do this."""

    code = "not allowed"
    status = 403


class WrongHost(ServerRefusal):
    """The server is not known by this name: only this machine can reach it."""

    code = "wrong host"
    status = 421


class NotSignedIn(ServerRefusal):
    """This needs a session."""

    code = "not signed in"
    status = 401


class SessionEnded(NotSignedIn):
    """The session has ended, so its cookie is of no use any more."""


class WrongPassword(ServerRefusal):
    """The password of the account is another one; the session stays."""

    code = "wrong password"
    status = 403


class NotFound(ServerRefusal):
    """There is no such table, round or job, or this user may not know of it."""

    code = "not found"
    status = 404


class NotEnoughMoney(ServerRefusal):
    """The player's account does not cover this."""

    code = "not enough money"
    status = 409


class TooMuchMoney(ServerRefusal):
    """The chips of this table are more than a bet may be placed with: changed rules have paid trillions."""

    code = "too much money"
    status = 409


class GameIsStopped(ServerRefusal):
    """Operators have stopped the game: no new tables and no new bets until they allow it again."""

    code = "game stopped"
    status = 409


class CommandReused(ServerRefusal):
    """The command's id was used for another command."""

    code = "command id reused"
    status = 409


class TooMany(ServerRefusal):
    """A limit of the server: requests, tables, seats, jobs, sign-ins."""

    code = "too many"
    status = 429


class TooLarge(ServerRefusal):
    """A message or sheet beyond the size that is read."""

    code = "too large"
    status = 413


class NotOffered(ServerRefusal):
    """Something that this server cannot do as it is installed, such as Parquet files."""

    code = "not offered"
    status = 406


class UnreadableMessage(ServerRefusal):
    """A message that is not one of the protocol's."""

    code = "unreadable"
    status = 422


class Unavailable(ServerRefusal):
    """The server cannot store anything now, so it takes no bets."""

    code = "unavailable"
    status = 503


class Damaged(ServerRefusal):
    """The log of this table cannot be read, so nobody can play at it; `holecard audit` says where."""

    code = "damaged"
    status = 500


class GeneratorFailed(Unavailable):
    """The operating system's random generator failed, so no shoe can be dealt."""


class ServerClosing(Unavailable):
    """The server is closing: rounds end, and nothing new begins."""

    code = "closing"


class SequenceTakenError(Exception):
    """Another command was appended first; read the log again and decide again. Never leaves the server."""


_RULES = ((WagerRefused, "wager refused"), (OutOfTurn, "out of turn"), (IllegalMove, "illegal move"))


def code_of(error: Refusal) -> str:
    """Return the code of a refusal."""
    if isinstance(error, ServerRefusal):
        return error.code
    if isinstance(error, SheetError):
        return "sheet refused"
    return next((code for kind, code in _RULES if isinstance(error, kind)), "refused")


def status_of(error: Refusal) -> int:
    """Return the HTTP status of a refusal."""
    return error.status if isinstance(error, ServerRefusal) else 422 if isinstance(error, SheetError) else 409

"""What people do with their own account: change the password, see where they are signed in, end sessions, delete it."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, ConfigDict

from holecard.server.web.identity import COOKIE, Service, SignedIn, client_address
from holecard.server.web.messages import DeleteAccount, NewPassword
from holecard.server.web.refusals import SIGNED_IN, refusals

router = APIRouter(prefix="/api/v1", tags=["accounts"], responses=SIGNED_IN)


@router.post("/account/password", status_code=204)
async def change_password(body: NewPassword, request: Request, service: Service, user: SignedIn) -> None:
    """Change your password; all your other sessions end. Wrong passwords count as failed sign-ins."""
    token, address = request.cookies[COOKIE], client_address(request)
    await service.accounts.change_password(user, body.old, body.new, token, address)
    service.account_changed(user.id)


@router.post("/account/delete", status_code=204)
async def delete_account(
    body: DeleteAccount, request: Request, response: Response, service: Service, user: SignedIn
) -> None:
    """Delete your account: seats and money go back, your name is not shown any more, and your rounds stay."""
    await service.deletion.delete(user, body.password, client_address(request))
    service.account_changed(user.id)
    response.delete_cookie(COOKIE)


# Sessions


class SessionInfo(BaseModel):
    """A browser or a program in which you are signed in."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    id: str
    """What the session is called here; nobody can sign in with it."""
    this: bool
    """Whether it is the session that sends this request."""
    created_at: int | None
    """When it began, in milliseconds since 1970; null if an older version of the server began it."""
    used_at: int
    """When it was used last, in milliseconds since 1970; to the hour."""
    browser: str | None
    """The family of the browser, such as `Firefox`; null for other programs."""


@router.get("/sessions")
async def list_sessions(request: Request, service: Service, user: SignedIn) -> list[SessionInfo]:
    """Return where you are signed in: this session first, then the one that was used last."""
    found = await service.accounts.sessions.of_user(user.id, request.cookies[COOKIE])
    return [
        SessionInfo(id=one.id, this=one.is_this, created_at=one.created_at, used_at=one.used_at, browser=one.browser)
        for one in found
    ]


@router.delete("/sessions", status_code=204)
async def end_other_sessions(request: Request, service: Service, user: SignedIn) -> None:
    """End all your sessions but this one."""
    await service.accounts.sessions.end_others(user.id, request.cookies[COOKIE])
    service.account_changed(user.id)


@router.delete("/sessions/{session_id}", status_code=204, responses=refusals(404))
async def end_session(session_id: str, service: Service, user: SignedIn) -> None:
    """End one of your sessions."""
    await service.accounts.sessions.end_listed(user.id, session_id)
    service.account_changed(user.id)

"""Play as a guest, register, sign in, sign out, and who am I."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from holecard.server.accounts.accounts import User
from holecard.server.web.identity import COOKIE, Service, SignedIn, check_origin, set_session
from holecard.server.web.messages import Credentials, Person
from holecard.server.web.refusals import refusals
from holecard.server.web.services import Services
from holecard.server.web.table_info import person

router = APIRouter(prefix="/api/v1", tags=["accounts"], responses=refusals(403, 422, 429, 503))


@router.post("/guest", status_code=201)
async def play_as_guest(request: Request, response: Response, service: Service) -> Person:
    """Begin a session as a guest with play money."""
    _new_arrival(request, service)
    return await _begin(await service.accounts.guest(), response, service)


@router.post("/accounts", status_code=201, responses=refusals(401, 409))
async def register_account(credentials: Credentials, request: Request, response: Response, service: Service) -> Person:
    """Create an account and begin a session; a guest keeps the money and seats."""
    _new_arrival(request, service)
    token = request.cookies.get(COOKIE)
    if token:
        user = await service.accounts.user_of(token)
        named = await service.accounts.name_guest(user, credentials.name, credentials.password)
        return await person(service, named)
    return await _begin(await service.accounts.register(credentials.name, credentials.password), response, service)


@router.post("/sign-in", responses=refusals(401))
async def sign_in(credentials: Credentials, request: Request, response: Response, service: Service) -> Person:
    """Begin a session with a name and a password."""
    check_origin(request, service.settings)
    address = request.client.host if request.client else ""
    user = await service.accounts.sign_in(credentials.name, credentials.password, address)
    return await _begin(user, response, service)


@router.post("/sign-out", status_code=204, responses=refusals(401))
async def sign_out(request: Request, response: Response, service: Service, _user: SignedIn) -> None:
    """End this session."""
    await service.accounts.end_session(request.cookies[COOKIE])
    for socket in tuple(service.sockets):
        socket.wake()
    response.delete_cookie(COOKIE)


@router.get("/me", responses=refusals(401))
async def who_am_i(service: Service, user: SignedIn) -> Person:
    """Return who you are and what you have."""
    return await person(service, user)


async def _begin(user: User, response: Response, service: Services) -> Person:
    set_session(response, await service.accounts.begin_session(user), service.settings)
    return await person(service, user)


def _new_arrival(request: Request, service: Services) -> None:
    check_origin(request, service.settings)
    service.rates.take(f"address {request.client.host if request.client else ''}")

"""Play as a guest, register, sign in, sign out, take new play money, and who am I."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from holecard.server.accounts.sessions import User, browser_family
from holecard.server.errors import NotSignedIn
from holecard.server.web.identity import (
    COOKIE,
    Service,
    SignedIn,
    check_origin,
    client_address,
    session_of,
    set_session,
    user_of,
)
from holecard.server.web.messages import BuyIn, Credentials, NewAccount, NewGuest, Person, Visitor
from holecard.server.web.refusals import refusals
from holecard.server.web.services import Services
from holecard.server.web.table_info import person

router = APIRouter(prefix="/api/v1", tags=["accounts"], responses=refusals(403, 422, 429, 503))


@router.post("/guest", status_code=201, responses=refusals(409))
async def play_as_guest(request: Request, response: Response, service: Service, body: NewGuest | None = None) -> Person:
    """Begin a session as a guest with play money; the same id creates one guest."""
    check_origin(request, service.settings)
    _new_arrival(request, service)
    found = await service.accounts.guest(None if body is None else body.id)
    return await _begin(found, request, response, service)


@router.post("/accounts", status_code=201, responses=refusals(409))
async def register_account(body: NewAccount, request: Request, response: Response, service: Service) -> Person:
    """Create an account and begin a session; a guest keeps the money and seats, and gets a new session."""
    check_origin(request, service.settings)
    try:
        guest: User | None = await session_of(request)
    except NotSignedIn:  # an old cookie counts as none
        guest = None
    if guest is None:
        _new_arrival(request, service)
    else:
        service.rates.take(guest.id)  # nobody new arrives, whatever others at this address do
    made = await service.accounts.register(body.name, body.password, request=body.id, guest=guest)
    if guest is not None:
        service.account_changed(guest.id)
    return await _begin(made, request, response, service)


@router.post("/sign-in", responses=refusals(401))
async def sign_in(credentials: Credentials, request: Request, response: Response, service: Service) -> Person:
    """Begin a session with a name and a password."""
    check_origin(request, service.settings)
    address = client_address(request)
    service.rates.take(f"address {address}")
    user = await service.accounts.sign_in(credentials.name, credentials.password, address)
    return await _begin(user, request, response, service)


@router.post("/sign-out", status_code=204, responses=refusals(401))
async def sign_out(request: Request, response: Response, service: Service, user: SignedIn) -> None:
    """End this session."""
    await service.accounts.sessions.end(request.cookies[COOKIE])
    service.account_changed(user.id)
    response.delete_cookie(COOKIE)


@router.post("/buy-in", responses=refusals(401, 409))
async def buy_in(service: Service, user: SignedIn, body: BuyIn | None = None) -> Person:
    """Take new play money, if what you own is below `buy_in_below`: as much as is missing to that of a new account."""
    await service.accounts.buy_in(user, None if body is None else body.id)
    for socket in tuple(service.sockets):
        socket.tell_balance(user.id)
    return await person(service, user)


@router.get("/me", responses=refusals(401))
async def who_am_i(service: Service, user: SignedIn) -> Person:
    """Return who you are and what you have."""
    return await person(service, user)


@router.get("/visitor")
async def who_visits(request: Request, service: Service) -> Visitor:
    """Return who you are, or null without a session: pages ask this first, and `GET /api/v1/me` would refuse."""
    try:
        return Visitor(person=await person(service, await user_of(request)))
    except NotSignedIn:
        return Visitor(person=None)


async def _begin(user: User, request: Request, response: Response, service: Services) -> Person:
    browser = browser_family(request.headers.get("user-agent", ""))
    set_session(request, response, await service.accounts.sessions.begin(user, browser), service.settings)
    return await person(service, user)


def _new_arrival(request: Request, service: Services) -> None:
    service.rates.take(f"address {client_address(request)}")
    service.arrivals.take(client_address(request))

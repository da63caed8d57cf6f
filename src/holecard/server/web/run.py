"""Run the server until a signal stops it: print the address, open the browser, let rounds end."""

from __future__ import annotations

import asyncio
import errno
import gc
import logging
import os
import socket
import sys
import webbrowser
from collections.abc import Callable
from types import FrameType

import structlog
import uvicorn
from fastapi import FastAPI

from holecard.errors import Refusal
from holecard.server.settings import ServerSettings
from holecard.server.store.migrate import open_database
from holecard.server.store.sqlite_file import one_server
from holecard.server.web.accepting import Acceptor, WatchedHttp, WatchedSocket, raise_file_limit
from holecard.server.web.app import create_app
from holecard.server.web.services import Services

#: Seconds that a thread runs while another one waits.
_SWITCH = 0.002
#: Seconds that requests get to end after all rounds have.
_LAST_ANSWERS = 3
#: How often the web server looks around.
_TICKS_PER_SECOND = 10


class GracefulServer(uvicorn.Server):
    """A server that lets rounds end at the first signal, and ends at once at the second."""

    _closing: asyncio.Task[None] | None = None
    _acceptor: Acceptor | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start the application, and then accept connections."""
        await super().startup(sockets=[])
        for listening in sockets or []:
            self._acceptor = Acceptor(listening, self.config, self.server_state, self.lifespan.state)

    async def on_tick(self, counter: int) -> bool:
        """Close, once a second, what takes too long."""
        if counter % _TICKS_PER_SECOND == 0:
            self._services.open_connections.end_those_that_take_too_long()
        return await super().on_tick(counter)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Accept no more connections, and let requests end."""
        if self._acceptor is not None:
            await self._acceptor.stop()
        await super().shutdown(sockets)

    @property
    def _services(self) -> Services:
        found: Services = self.config.app.state.services  # type: ignore[union-attr]
        return found

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:  # noqa: ARG002
        """Begin to close, or end."""
        if self._closing is None and self.started:
            self._closing = asyncio.get_running_loop().create_task(self._close(), name="closing")
        else:
            self.should_exit = self.force_exit = True

    async def _close(self) -> None:
        try:
            await self._services.begin_to_close()
        finally:
            self.should_exit = True


#: Connections that wait until they are accepted; a browser may come before the database is open.
_BACKLOG = 2048
#: Ports that are tried where the next free one is wanted.
_TRIED = 50


def listen(settings: ServerSettings) -> socket.socket:
    """Return a socket that listens on the address and port, or on the next free port where that is wanted."""
    tried = _TRIED if settings.next_port and settings.port else 1
    ports = range(settings.port, min(settings.port + tried, 65536))
    for port in ports:
        try:
            return _listen(settings.host, port)
        except OSError as error:
            if error.errno != errno.EADDRINUSE or port == ports[-1]:
                advice = "; choose another one with --port" if error.errno == errno.EADDRINUSE else ""
                raise Refusal(f"cannot listen on {settings.host} port {port}: {error.strerror}{advice}") from None
    raise AssertionError("there is always a port")


def _listen(host: str, port: int) -> socket.socket:
    found = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM)
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        found.bind((host, port))
        found.listen(_BACKLOG)
    except OSError:
        found.close()
        raise
    return found


def configured(app: FastAPI, settings: ServerSettings) -> uvicorn.Config:
    """Return how the web server serves the application."""
    return uvicorn.Config(
        app,
        log_level="error",  # its warnings are about requests that nobody can read, one line for each
        access_log=False,
        http=WatchedHttp,
        ws=WatchedSocket,
        ws_max_size=4 * settings.largest_message,
        ws_per_message_deflate=False,  # frames are small, and compressing each costs more than it saves
        timeout_graceful_shutdown=_LAST_ANSWERS,
    )


def serve(settings: ServerSettings, *, open_browser: bool = False, say: Callable[[str], None] = print) -> None:
    """Serve until Ctrl-C or a signal ends it."""
    set_up_logs()
    raise_file_limit()
    with one_server(settings.database):
        _serve(settings, open_browser, say)


def _serve(settings: ServerSettings, open_browser: bool, say: Callable[[str], None]) -> None:
    asyncio.run(_try_database(settings.database))
    listening = listen(settings)
    address = f"http://{_shown(settings.host)}:{listening.getsockname()[1]}/"
    config = configured(create_app(settings), settings)
    server = GracefulServer(config)
    say(f"Holecard is at {address}  (Ctrl-C ends it)")
    if not settings.is_local and settings.secure_cookies == "auto":
        say("Sessions work over HTTPS only. On a network that you trust, without HTTPS: --secure-cookies off")
    if open_browser and _has_browser():
        webbrowser.open(address)
    # What is loaded now stays; looking through it for garbage would delay decisions.
    gc.freeze()
    gc.set_threshold(100_000, 20, 50)
    # A commit waits for the interpreter when it has ended; by default, up to 5 ms.
    sys.setswitchinterval(_SWITCH)
    with asyncio.Runner(loop_factory=config.get_loop_factory()) as runner:  # uvloop, where it is installed
        runner.run(server.serve(sockets=[listening]))
    # A terminal has shown ^C on this line.
    say("\nHolecard has ended." if sys.stdout.isatty() else "Holecard has ended.")


async def _try_database(url: str) -> None:
    """Open the database and close it again, so that one that cannot be used is refused in plain words."""
    engine = await open_database(url)
    await engine.dispose()


def set_up_logs() -> None:
    """Write logs as JSON lines to the error stream; where somebody watches, in color, and only what needs attention."""
    shown: structlog.types.Processor = structlog.processors.JSONRenderer()
    level = logging.INFO
    if sys.stderr.isatty():
        shown, level = structlog.dev.ConsoleRenderer(), logging.WARNING
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            shown,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=lambda *_: structlog.PrintLogger(sys.stderr),  # as it is then: a stream may have been replaced
        cache_logger_on_first_use=False,
    )


def _shown(host: str) -> str:
    if host in ("0.0.0.0", "::", "127.0.0.1", "::1"):
        return "localhost"
    return f"[{host}]" if ":" in host else host


def _has_browser() -> bool:
    if sys.platform.startswith("linux") and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return False
    try:
        webbrowser.get()
    except webbrowser.Error:
        return False
    return True

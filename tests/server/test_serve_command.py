"""`holecard serve`: every setting can be given as an option and as an environment variable."""

from __future__ import annotations

import signal
import socket
import sys
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from holecard.errors import Refusal
from holecard.server.settings import ServerSettings
from holecard.server.web import run
from tests.cli.shell import Shell, shell
from tests.patience import patient
from tests.server.real_server import real_server

__all__ = ["shell"]


class Started:
    """What `holecard serve` was started with."""

    settings: ServerSettings | None = None
    options: dict[str, Any]

    def __call__(self, settings: ServerSettings, **options: Any) -> None:
        self.settings, self.options = settings, options


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> Started:
    found = Started()
    monkeypatch.setattr(run, "serve", found)
    for name in ServerSettings.model_fields:
        monkeypatch.delenv(f"HOLECARD_{name.upper()}", raising=False)
    return found


def other_value(name: str, folder: Path) -> tuple[str, Any]:
    """Another value of a setting than its default: as text, and as it should arrive."""
    if name == "database":
        return "postgresql+asyncpg://ann@db/cards", "postgresql+asyncpg://ann@db/cards"
    if name == "games":
        return str(folder), folder
    if name == "origins":
        return "https://cards.example.org", ("https://cards.example.org",)
    if name == "secure_cookies":
        return "off", "off"
    default = ServerSettings.model_fields[name].default
    if isinstance(default, bool):
        return "1", not default
    return (str(default + 1), default + 1) if isinstance(default, int) else ("0.0.0.0", "0.0.0.0")


def test_without_options_the_defaults_hold(shell: Shell, started: Started) -> None:
    assert shell("serve").code == 0
    assert started.settings == ServerSettings()
    assert started.settings is not None
    assert started.settings.database == "sqlite+aiosqlite:///holecard.db"
    assert started.options["open_browser"] is True


@pytest.mark.parametrize("name", ServerSettings.model_fields)
def test_every_setting_is_an_option(shell: Shell, started: Started, tmp_path: Path, name: str) -> None:
    text, value = other_value(name, tmp_path)
    words = [f"--{name.replace('_', '-')}", *([] if isinstance(value, bool) else [text])]
    assert shell("serve", *words, "--no-open").code == 0
    assert started.settings == ServerSettings.model_validate({name: value})
    assert started.settings != ServerSettings()
    assert started.options["open_browser"] is False


@pytest.mark.parametrize("name", ServerSettings.model_fields)
def test_every_setting_is_an_environment_variable(
    shell: Shell, started: Started, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    text, value = other_value(name, tmp_path)
    monkeypatch.setenv(f"HOLECARD_{name.upper()}", text)
    assert shell("serve").code == 0
    assert started.settings == ServerSettings.model_validate({name: value})


def test_an_option_wins_over_a_variable(shell: Shell, started: Started, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOLECARD_PORT", "9000")
    monkeypatch.setenv("HOLECARD_ORIGINS", "https://a.example https://b.example")
    assert shell("serve", "--port", "9001").code == 0
    assert started.settings is not None
    assert started.settings.port == 9001
    assert started.settings.origins == ("https://a.example", "https://b.example")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--port", "70000"), "65535"),
        (("--session-days", "0"), "1"),
        (("--games", "nowhere"), "nowhere is not a folder"),
        (("--speed", "9"), "No such option"),
    ],
)
def test_bad_options_are_refused(shell: Shell, started: Started, words: tuple[str, ...], says: str) -> None:
    ran = shell("serve", *words)
    assert ran.code == 2
    assert says in ran.err
    assert started.settings is None


@pytest.mark.parametrize("words", ["serve", "audit", "backup copy.db", "operator ann", "close-tables", "verify-shoe x"])
def test_without_the_extra_the_commands_say_what_to_install(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, words: str
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, "fastapi", None)
    ran = shell(*words.split())
    assert ran.code == 2
    assert "pip install '.[server]'" in ran.err
    assert list(tmp_path.iterdir()) == []


def test_a_port_that_is_taken_is_refused_or_the_next_one_is_used() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with pytest.raises(Refusal, match=f"port {port}: .*; choose another one with --port"):
            run.listen(ServerSettings(port=port))
        with run.listen(ServerSettings(port=port, next_port=True)) as found:
            assert port < found.getsockname()[1] <= port + 50


def test_an_address_that_is_not_of_this_machine_is_refused_at_once() -> None:
    with pytest.raises(Refusal, match=r"cannot listen on 192\.0\.2\.1 port 8021") as refused:
        run.listen(ServerSettings(host="192.0.2.1", next_port=True))
    assert "--port" not in str(refused.value)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="needs signals of POSIX")
def test_ctrl_c_ends_the_server_with_one_plain_line(tmp_path: Path) -> None:
    with real_server(str(tmp_path / "holecard.db")) as (address, process):
        urllib.request.urlopen(address).close()  # from here on, a worker process starts, too
        process.send_signal(signal.SIGINT)
        rest, _ = process.communicate(timeout=patient(30))
        assert (rest, process.returncode) == ("Holecard has ended.\n", 0)

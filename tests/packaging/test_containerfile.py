"""The Containerfile has what a server needs. No image is built here; the test reads the text."""

from __future__ import annotations

import json
import re
from pathlib import Path

from holecard.cli.app import _Commands
from holecard.server.settings import ServerSettings

ROOT = Path(__file__).parents[2]
TEXT = re.sub(r"\\\n\s*", "", (ROOT / "Containerfile").read_text(encoding="utf-8"))
LINES = [line.split(maxsplit=1) for line in TEXT.splitlines() if line and not line.startswith("#")]


def values(instruction: str) -> list[str]:
    return [rest for word, rest in LINES if word == instruction]


def test_every_line_is_an_instruction() -> None:
    known = "FROM ENV WORKDIR COPY RUN USER VOLUME EXPOSE HEALTHCHECK STOPSIGNAL CMD"
    assert {word for word, _ in LINES} <= set(known.split())


def test_it_starts_from_a_small_python_that_holecard_supports() -> None:
    (image,) = values("FROM")
    found = re.fullmatch(r"python:3\.(\d+)-slim", image)
    assert found is not None
    assert int(found[1]) >= 11


def test_dependencies_come_from_the_lock_file() -> None:
    installs = [line for line in values("RUN") if "pip install" in line]
    assert installs == [
        "pip install --require-hashes -r requirements/play.txt",
        "pip install --no-deps --no-build-isolation .",
    ]
    lock = (ROOT / "requirements" / "play.txt").read_text(encoding="utf-8")
    assert all(f"\n{name}==" in lock for name in ("fastapi", "uvicorn", "asyncpg", "aiosqlite", "hatchling"))


def test_what_is_copied_exists_and_is_sent_to_the_builder() -> None:
    ignore = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    for line in values("COPY"):
        for source in line.split()[:-1]:
            assert (ROOT / source).exists(), source
            assert f"!{source}" in ignore


def test_it_does_not_run_as_root() -> None:
    order = [word for word, _ in LINES]
    assert values("USER") == ["holecard"]
    assert order.index("USER") > max(n for n, word in enumerate(order) if word == "RUN")
    assert order.index("USER") < order.index("CMD")
    assert any("useradd" in line and "holecard" in line for line in values("RUN"))


def test_the_database_is_in_the_volume() -> None:
    (volume,) = values("VOLUME")
    (variables,) = values("ENV")
    assert f"HOLECARD_DATABASE={volume}/holecard.db" in variables
    assert any("--owner holecard" in line and line.endswith(volume) for line in values("RUN"))
    settings = {name.upper() for name in ServerSettings.model_fields}
    assert set(re.findall(r"HOLECARD_(\w+)=", variables)) <= settings


def test_it_serves_to_the_network_on_the_exposed_port() -> None:
    (command,) = [json.loads(line) for line in values("CMD")]
    assert command[:2] == ["holecard", "serve"]
    assert command[command.index("--host") + 1] == "0.0.0.0"
    known = {option for parameter in _Commands()["serve"].params for option in parameter.opts}
    assert {word for word in command if word.startswith("--")} <= known
    assert values("EXPOSE") == [str(ServerSettings().port)]


def test_the_health_check_asks_whether_bets_are_taken() -> None:
    (check,) = values("HEALTHCHECK")
    words = json.loads(check.partition("CMD ")[2])
    assert words[:2] == ["python", "-c"]
    compile(words[2], "health check", "exec")
    assert f"http://127.0.0.1:{ServerSettings().port}/readyz" in words[2]

"""Try an installed copy of holecard: `make wheel` and `make lowest` run this with the copy's own Python.

    python smoke.py REPOSITORY

It is a script and not a test, because it must not see the working tree: it runs in an empty folder and imports only the
standard library. Each check prints one line; the first failure ends it with a message.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import tomllib
from importlib import metadata, resources
from importlib.util import find_spec
from pathlib import Path
from textwrap import dedent

SHEETS = "catalog"
PAGES = "server/pages"


def main(repository: Path) -> None:
    """Run all checks."""
    with tempfile.TemporaryDirectory() as empty:
        check_version(empty)
        check_files(repository)
        check_games(empty)
        check_house_edge(repository, empty)
        check_round(empty)
        if find_spec("gymnasium"):
            check_gym(empty)
        if find_spec("distributed"):
            check_cluster(empty)
        if find_spec("uvicorn"):
            check_server(repository, empty)


def check_version(folder: str) -> None:
    """The command and the package metadata have the same version."""
    version = metadata.version("holecard")
    for option in ("--version", "-V"):
        said = holecard(folder, option).strip()
        expect(said == f"holecard {version}", f"holecard {option} prints {said!r}, and the metadata has {version}")
    done(f"version {version}")


def check_files(repository: Path) -> None:
    """Every sheet and example, every file of the pages, and the marker for type checkers, are installed."""
    installed = Path(str(resources.files("holecard")))
    expect(not installed.is_relative_to(repository / "src"), f"holecard is imported from the working tree: {installed}")
    expect((installed / "py.typed").exists(), "py.typed is not installed")
    for folder in (SHEETS, PAGES):
        wanted = files(repository / "src" / "holecard" / folder)
        missing = wanted - files(installed / folder)
        expect(bool(wanted) and not missing, f"not installed: {sorted(missing)}")
        done(f"{len(wanted)} files of {folder}/")


def check_games(folder: str) -> None:
    """Every game that is listed has a description."""
    games = [entry["game"] for entry in json.loads(holecard(folder, "games", "--json"))["games"]]
    expect("classic" in games, f"holecard games lists {games}")
    for game in games[:2]:
        expect("Bet" in holecard(folder, "rules", game), f"holecard rules {game} says nothing about the bet")
    done(f"{len(games)} games")


def check_house_edge(repository: Path, folder: str) -> None:
    """The base game has its published expected value, to every published digit."""
    values = tomllib.loads((repository / "tests/published/main_game.toml").read_text(encoding="utf-8"))["value"]
    published = next(value["published"] for value in values if value.get("settings") == {"shoe.decks": 6})
    ev = json.loads(holecard(folder, "analyze", "classic", "--json"))["main"]["ev"]
    digits = len(published.partition(".")[2])
    expect(abs(ev - float(published)) <= 0.5 * 10.0**-digits, f"EV of classic is {ev}, and {published} is published")
    done(f"EV of classic {published}")


def check_round(folder: str) -> None:
    """A round is dealt to its end without a terminal."""
    shown = holecard(folder, "play", "classic", "--auto", "--rounds", "1", "--seed", "6")
    expect("Dealer" in shown, f"holecard play --auto shows no dealer:\n{shown}")
    done("a round at the table")


def check_gym(folder: str) -> None:
    """An environment deals an episode to its end (extra `gym`)."""
    python(
        folder,
        """
        import gymnasium, holecard.gym
        env = gymnasium.make("holecard/classic-v0")
        _, info = env.reset(seed=1)
        over = False
        while not over:
            _, _, over, _, info = env.step(int(info["action_mask"].argmax()))
        """,
    )
    done(f"an episode with gymnasium {metadata.version('gymnasium')}")


def check_cluster(folder: str) -> None:
    """Workers of a Dask cluster play the same rounds as threads (extra `cluster`)."""
    python(
        folder,
        """
        from distributed import LocalCluster
        import holecard
        if __name__ == "__main__":
            run = ("classic", "never bust", 20_000)
            with LocalCluster(n_workers=1, processes=False, protocol="tcp", dashboard_address=None) as cluster:
                address = cluster.scheduler_address.replace("tcp://", "dask://")
                there = holecard.simulate(*run, seed=1, executor=address)
            assert there.main == holecard.simulate(*run, seed=1).main
        """,
    )
    done(f"a run on a cluster with distributed {metadata.version('distributed')}")


def check_server(repository: Path, folder: str) -> None:
    """A round is played over the network, with the client of the documentation (extra `server`)."""
    command = [str(Path(sys.executable).parent / "holecard"), "serve", "--no-open", "--port", "0", "--skip-returns"]
    server = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, encoding="utf-8")
    try:
        assert server.stdout is not None
        said = server.stdout.readline()
        expect("http://" in said, f"holecard serve says {said!r}")
        address = next(word for word in said.split() if word.startswith("http://")).rstrip("/")
        client = [sys.executable, str(repository / "docs" / "table_client.py"), address]
        played = subprocess.run(client, cwd=folder, capture_output=True, encoding="utf-8", timeout=600, check=False)
        expect(played.returncode == 0, f"the client could not play a round:\n{played.stderr}")
    finally:
        server.terminate()
        server.wait(60)
    expect(server.returncode == 0, f"holecard serve ended with {server.returncode}")
    done(f"a round over the network with fastapi {metadata.version('fastapi')}, uvicorn {metadata.version('uvicorn')}")


def python(folder: str, script: str) -> None:
    """Run a script with the Python of the installed copy."""
    command = [sys.executable, "-c", dedent(script)]
    ran = subprocess.run(command, cwd=folder, capture_output=True, encoding="utf-8", check=False)
    expect(ran.returncode == 0, f"this script ended with {ran.returncode}:\n{dedent(script)}{ran.stderr}")


def holecard(folder: str, *words: str) -> str:
    """The output of the installed command."""
    command = [str(Path(sys.executable).parent / "holecard"), *words]
    ran = subprocess.run(command, cwd=folder, capture_output=True, encoding="utf-8", check=False)
    expect(ran.returncode == 0, f"{' '.join(command)} ended with {ran.returncode}:\n{ran.stdout}{ran.stderr}")
    return ran.stdout


def files(folder: Path) -> set[str]:
    """The files in a folder and below it, as relative paths."""
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def expect(holds: bool, otherwise: str) -> None:
    """End the script with a message where a check does not hold."""
    if not holds:
        sys.exit(f"the installed copy is broken: {otherwise}")


def done(what: str) -> None:
    """Report a check that holds."""
    print(f"  ok: {what}")


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())

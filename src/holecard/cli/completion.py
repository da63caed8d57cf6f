"""Completion of games, settings and strategies in the shell."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

_NO_SECTION = ("name", "about", "source", "extends", "without", "wager", "ruling")


def complete_games(incomplete: str) -> list[str]:
    """Return games by name, and rule sheets in this folder."""
    from holecard.sheets.catalog import games

    return [*_begin(games(examples=True), incomplete), *_files(incomplete, ".toml")]


def complete_strategies(incomplete: str) -> list[str]:
    """Return the strategies by name, optimal play among them, and text files in this folder."""
    from holecard.exact.strategies import NAMES

    return [*_begin(NAMES, incomplete), *_files(incomplete, ".txt")]


def complete_charts(incomplete: str) -> list[str]:
    """Return the strategies that rounds can be played by, and text files in this folder."""
    from holecard.exact.strategies import CHART_NAMES

    return [*_begin(CHART_NAMES, incomplete), *_files(incomplete, ".txt")]


def complete_kinds(incomplete: str) -> list[str]:
    """Return the kinds of drill questions."""
    from holecard.drills.kinds import TITLES

    return _begin([kind.replace(" ", "-") for kind in TITLES], incomplete)


def complete_settings(incomplete: str) -> list[str]:
    """Return the settings by path, and their values where the sheet's language lists them."""
    key, equals, value = incomplete.partition("=")
    if not equals:
        return [f"{path}=" for path, _ in _settings() if path.startswith(key) or path.partition(".")[2].startswith(key)]
    kinds = dict(_settings()) | {path.partition(".")[2]: kind for path, kind in _settings()}
    *done, last = value.split(",")
    before = "".join(f"{one}," for one in done)
    return [f"{key}={before}{word}" for word in _values(kinds.get(key)) if word.startswith(last)]


def _settings() -> Iterator[tuple[str, Any]]:
    from holecard.sheets.schema import RuleSheet

    for section, field in RuleSheet.model_fields.items():
        inside = getattr(field.annotation, "model_fields", None)
        if inside is not None and section not in _NO_SECTION:
            for name, word in inside.items():
                yield f"{section}.{name}", word.annotation


def _values(kind: Any) -> list[str]:
    """Return the words of a literal type, or of those inside a union."""
    if get_origin(kind) is Literal:
        return [str(word).lower() if isinstance(word, bool) else str(word) for word in get_args(kind)]
    if kind is bool:
        return ["true", "false"]
    return [word for part in get_args(kind) for word in _values(part)]


def _begin(names: Iterable[str], incomplete: str) -> list[str]:
    return [name for name in names if name.startswith(incomplete.lower())]


def _files(incomplete: str, suffix: str) -> list[str]:
    start = Path(incomplete)
    folder = start if incomplete.endswith("/") else start.parent
    try:
        found = sorted(path for path in folder.iterdir() if str(path).startswith(incomplete or "."))
    except OSError:
        return []
    if not incomplete:
        found = sorted(folder.iterdir())
    return [str(path) for path in found if path.suffix == suffix]

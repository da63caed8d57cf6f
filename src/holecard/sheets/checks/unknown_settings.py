"""Settings whose values are not valid, and the checks that have to wait until they are."""

from __future__ import annotations

from collections.abc import Iterable

from holecard.sheets.files.toml_lines import KeyPath

#: What is wrong, and where.
Contradiction = tuple[KeyPath, str]


class UnknownSettings:
    """The paths of settings that are not valid, so that nobody knows what they will be."""

    def __init__(self, paths: Iterable[KeyPath] = (), sections: Iterable[KeyPath] = ()) -> None:
        """`sections` have a key that is unknown, so that it may stand for any other one."""
        self._paths, sections = tuple(paths), tuple(sections)
        every = (*self._paths, *sections)
        # What a single pay line says beyond its place in the table matters to that line alone.
        self._of_wagers = tuple(path for path in every if path[:1] == ("wager",) and len(path) <= 4)
        named = {tuple(part for part in path if isinstance(part, str)) for path in every}
        self._without_numbers = named if ("wager",) in self._paths else named - {("wager",)}

    def among(self, keys: Iterable[str], wager: int | None = None) -> bool:
        """Return whether one of the keys is unknown: "dealer.soft", "wager.name" of any wager, ".name" of this one."""
        return any(self._is_unknown(key, wager) for key in keys)

    def _is_unknown(self, key: str, wager: int | None) -> bool:
        section, *rest = key.split(".")
        if section or wager is None:
            return any(_overlap((section, *rest), unknown) for unknown in self._without_numbers)
        return any(_overlap(("wager", wager, *rest), unknown) for unknown in self._of_wagers)

    def covers(self, path: KeyPath) -> bool:
        """Return whether a path lies in an unknown setting, or one of them lies in it."""
        return any(_overlap(path, unknown) for unknown in self._paths)


def _overlap(one: KeyPath, other: KeyPath) -> bool:
    return one[: len(other)] == other or other[: len(one)] == one


#: No setting is unknown.
NONE_UNKNOWN = UnknownSettings()

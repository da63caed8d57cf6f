"""The base classes of results and their parts, which let them print themselves.

A result holds numbers. How they are written is the business of `holecard.report`, which is imported when a result is
first printed, so that computing one loads nothing of it.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, ClassVar


class Brief:
    """A part of a result that shows itself as one line."""

    __slots__ = ()

    def __repr__(self) -> str:
        """One line: what it is, and its most important number."""
        return str(import_module("holecard.report.parts").summary(self))


class Presented:
    """A result that shows itself as text, HTML and plain data, all of them made by `holecard.report`."""

    __slots__ = ()

    #: The module of `holecard.report` that writes this kind of result.
    _report: ClassVar[str]

    def __repr__(self) -> str:
        """One line: what it is, and its most important number."""
        return str(import_module("holecard.report").summary(self))

    def __str__(self) -> str:
        """What the command prints, in 80 columns and without color."""
        return str(import_module("holecard.report").text(self)).removesuffix("\n")

    def to_dict(self, **options: Any) -> dict[str, Any]:
        """Return the object that the command prints with `--json`; see docs/json.md."""
        data: dict[str, Any] = import_module("holecard.report").data(self, **options)
        return data

    def to_rows(self) -> list[dict[str, Any]]:
        """Return flat rows for a data frame: `pandas.DataFrame(result.to_rows())`; CSV files have the same columns."""
        rows: list[dict[str, Any]] = import_module("holecard.report").rows(self)
        return rows

    def _repr_html_(self) -> str:
        """Return the result in a notebook."""
        return str(import_module("holecard.report").html(self, page=False))


class Drawn(Presented):
    """A result that also has a drawing."""

    __slots__ = ()

    def _repr_svg_(self) -> str:
        """Return the drawing in a notebook."""
        return str(import_module("holecard.report").svg(self))

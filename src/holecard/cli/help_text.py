"""Commands whose `--help` fits any width: paragraphs are unwrapped, flags have no type, defaults no parentheses."""

from __future__ import annotations

import inspect
from typing import Any

from typer.core import TyperCommand, TyperGroup, TyperOption


class HelpMixin:
    """Tidies the help text and the options of a command."""

    help: str | None

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        if text := attributes.get("help"):
            self.help = unwrapped(text)

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the parameters, with tidy types and defaults."""
        found: list[Any] = super().get_params(ctx)  # type: ignore[misc]
        for param in found:
            if isinstance(param, TyperOption):
                _tidy(param)
        return found


class PlainCommand(HelpMixin, TyperCommand):
    """A command with tidy help."""


class PlainGroup(HelpMixin, TyperGroup):
    """A group with tidy help."""


def unwrapped(text: str) -> str:
    r"""Join the lines of each paragraph; a paragraph that begins with a backspace keeps its lines.

    >>> unwrapped("One\ntwo.\n\nThree\nfour.\n\n\b\nExamples:\n  one")
    'One two.\n\nThree four.\n\n\x08\nExamples:\n  one'
    """
    paragraphs = inspect.cleandoc(text).split("\n\n")
    return "\n\n".join(one if one.startswith("\b") else one.replace("\n", " ") for one in paragraphs)


def _tidy(option: TyperOption) -> None:
    """Typer writes the type of a flag as <bool>, as if it took a value, and described defaults in parentheses."""
    if option.is_flag and option.metavar is None:
        option.metavar = ""
    if isinstance(option.show_default, str):
        # The backslash keeps rich from reading the bracket as markup; importing rich for it would take 12 ms.
        option.help = f"{option.help or ''} [dim]\\[default: {option.show_default}][/dim]".strip()
        option.show_default = False

"""One command with a sub-command for each thing to ask of a sheet."""

from __future__ import annotations


def run() -> None:
    """Start typer."""

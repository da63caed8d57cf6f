"""The command line: the same words as the Python API."""

from __future__ import annotations


def main() -> None:
    """The `holecard` command."""
    from holecard.cli.app import run

    run()

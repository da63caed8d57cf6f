"""Fixtures of the command tests."""

from tests.cli.shell import shell

__all__ = ["shell"]

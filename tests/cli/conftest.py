"""What the tests of the commands share."""

from tests.cli.shell import shell

__all__ = ["shell"]

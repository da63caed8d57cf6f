"""What the tests of reports share."""

from tests.cli.shell import shell

__all__ = ["shell"]

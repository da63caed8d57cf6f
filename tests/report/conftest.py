"""What the tests of reports share."""

from tests.analyzed_once import analyzed_once
from tests.cli.shell import shell

__all__ = ["analyzed_once", "shell"]

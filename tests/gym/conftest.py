"""A fixture of all tests in this folder."""

from tests.analyzed_once import analyzed_once

__all__ = ["analyzed_once"]

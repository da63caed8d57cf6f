"""`python -m holecard` is the `holecard` command."""

from holecard.cli import program

program()

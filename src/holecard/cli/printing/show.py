"""The two ways out of a command: a rich console for people, JSON for programs."""

from __future__ import annotations

import json
import sys

import typer
from rich.console import Console


def console() -> Console:
    """At most 100 columns, so that sentences stay readable; without a terminal, 80."""
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="replace")
    out = Console(highlight=False, markup=False, emoji=False)
    out.width = min(out.width, 100)
    return out


def as_json(data: object) -> None:
    """Stable JSON: keys in the order they are documented."""
    typer.echo(json.dumps(data, indent=2, ensure_ascii=False))

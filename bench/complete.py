"""The complete analysis of a game, as a job to measure: `analyze` alone leaves the net results until they are read."""

from __future__ import annotations

from typing import Any

import holecard
from holecard.exact.results import Analysis


def complete_analysis(sheet: Any, **options: Any) -> Analysis:
    """Return the analysis of a game with its net results computed."""
    found = holecard.analyze(sheet, **options)
    found.main.net_results.value  # noqa: B018  # reading it computes it
    return found

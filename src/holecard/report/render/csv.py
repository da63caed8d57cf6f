"""Rows as CSV: a line of column names, then a line for each row; a column that a row does not have is empty."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import Any


def to_csv(rows: Sequence[dict[str, Any]]) -> str:
    """Return the rows with every column that any of them has, in order of first appearance."""
    out = io.StringIO()
    columns = list(dict.fromkeys(column for row in rows for column in row))
    writer = csv.DictWriter(out, columns, restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()

"""Write the tables of docs/server.md: the settings from `ServerSettings`, and the metrics from their registry.

Run it with `make docs`; a test fails if the page differs from what this script writes.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from annotated_types import Ge, Le
from prometheus_client.metrics import MetricWrapperBase
from pydantic.fields import FieldInfo

from docs.generated_blocks import with_blocks
from holecard.server.operation.metrics import Metrics
from holecard.server.settings import ServerSettings

PAGE = Path(__file__).parent / "server.md"


def page() -> str:
    """Return the page with its tables as they are now."""
    return with_blocks(
        PAGE, {"settings": lambda: "\n".join(_settings()), "metrics": lambda: "\n".join(_metrics(Metrics()))}
    )


def _settings() -> Iterator[str]:
    yield "| option | environment variable | default | meaning |\n|---|---|---|---|"
    for name, field in ServerSettings.model_fields.items():
        option, variable = f"`--{name.replace('_', '-')}`", f"`HOLECARD_{name.upper()}`"
        yield f"| {option} | {variable} | {_default(field)} | {field.description}{_bounds(field)} |"


def _default(field: FieldInfo) -> str:
    default = field.get_default()
    if isinstance(default, bool):
        return "on" if default else "off"
    return f"`{default}`" if default not in (None, ()) else ""


def _bounds(field: FieldInfo) -> str:
    low = next((bound.ge for bound in field.metadata if isinstance(bound, Ge)), None)
    high = next((bound.le for bound in field.metadata if isinstance(bound, Le)), None)
    if low is None:
        return ""
    return f" (at least {low})" if high is None else f" ({low} to {high})"


def _metrics(metrics: Metrics) -> Iterator[str]:
    yield "| name | kind | labels | meaning |\n|---|---|---|---|"
    for metric in vars(metrics).values():
        if isinstance(metric, MetricWrapperBase):
            (family,) = metric.describe()
            name = f"{family.name}_total" if family.type == "counter" else family.name
            labels = ", ".join(f"`{label}`" for label in metric._labelnames)
            yield f"| `{name}` | {family.type} | {labels} | {family.documentation} |"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")

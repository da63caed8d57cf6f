"""Look up sections of the schema: the section at a path, and its keys."""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

from pydantic import BaseModel
from pydantic.fields import FieldInfo


def fields_of(model: type[BaseModel]) -> list[str]:
    """Return the keys of a section as a sheet writes them."""
    return [field.alias or name for name, field in model.model_fields.items()]


def model_at(root: type[BaseModel], path: tuple[str | int, ...]) -> type[BaseModel] | None:
    """Return the section at a path, through lists and tables; None if there is none."""
    model: type[BaseModel] | None = root
    for part in path:
        if model is None:
            return None
        field = next((f for name, f in model.model_fields.items() if part in (name, f.alias)), None)
        if field is not None:
            model = inner_model(field)
    return model


def inner_model(field: FieldInfo) -> type[BaseModel] | None:
    """Return the section inside a field's type, if any: in an option, a list or a table."""
    return next(_models_in(field.annotation), None)


def _models_in(kind: object) -> Iterator[type[BaseModel]]:
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        yield kind
    for inner in get_args(kind):
        yield from _models_in(inner)

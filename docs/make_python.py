"""Write the reference part of docs/python.md from the signatures and docstrings of the public names.

Run it with `make docs`; a test fails if the page differs from what this script writes.
"""

from __future__ import annotations

import enum
import inspect
import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import holecard
import holecard.counts
import holecard.testing
from holecard.presentation import Presented

PAGE = Path(__file__).parent / "python.md"
MARK = "<!-- Everything below is written by docs/make_python.py; run `make docs` after a change. -->"
#: Functions in the order in which people look for them; the page lists every other name after them.
QUESTIONS = {
    "Games": ("games", "rules", "describe", "check"),
    "Exact numbers": ("analyze", "evaluate", "strategy", "compare", "house_odds"),
    "The coach": ("advise", "review"),
    "Simulation": (
        "simulate",
        "simulate_luck",
        "simulate_count",
        "verify",
        "sweep",
        "bankroll",
        "counting",
        "compare_counting",
    ),
    "The table": ("Table", "start", "advance", "legal", "why_not", "view", "read_record", "replay"),
    "Cards and money": ("card", "cards", "spot", "Card", "Spot", "Money", "Action"),
}


def page() -> str:
    """Return the page with the reference as it is now."""
    introduction = PAGE.read_text(encoding="utf-8").partition(MARK)[0]
    return f"{introduction}{MARK}\n\n{reference()}"


def reference() -> str:
    """Return the reference of every public name."""
    listed = {name for names in QUESTIONS.values() for name in names}
    others = [name for name in holecard.__all__ if name not in listed]
    values = {name: getattr(holecard, name) for name in others}
    results = [name for name in others if _is(values[name], Presented)]
    refusals = [name for name in others if _is(values[name], Exception)]
    rest = [name for name in others if name not in results and name not in refusals]
    sections = {**QUESTIONS, "Results": results, "Events and other values": rest, "Exceptions": refusals}
    parts = [f"## {title}\n\n" + "\n".join(map(_entry, names)) for title, names in sections.items()]
    parts.append(_module("Counts and counters", holecard.counts))
    parts.append(_module("Tests of a sheet", holecard.testing))
    return "\n".join(["# Reference", "", *parts])


def _module(title: str, module: ModuleType) -> str:
    """Return the reference of a module that the package does not import."""
    entries = "\n".join(_entry(name, module) for name in module.__all__)
    return f"## {title}: `{module.__name__}`\n\n{inspect.getdoc(module)}\n\n{entries}"


def _is(value: object, kind: type) -> bool:
    return isinstance(value, type) and issubclass(value, kind)


def _entry(name: str, owner: object = holecard) -> str:
    value = getattr(owner, name)
    lines = [f"### `{name}`", ""]
    if callable(value) and not _is(value, Exception) and not _is(value, enum.Enum):
        lines += ["```text", f"{_signature(name, value)}", "```", ""]
    lines += [_docs(value), ""]
    if isinstance(value, type) and (members := list(_members(value))):
        lines += [*members, ""]
    return "\n".join(lines)


def _signature(name: str, value: Any) -> str:
    """Return the call, one parameter per line where it is long."""
    made_by_holecard = isinstance(value, type) and not hasattr(value, "_fields") and value.__init__ is object.__init__
    if _is(value, Presented) or made_by_holecard:
        return name
    try:
        signature = inspect.signature(value)
    except ValueError:  # a type written in C
        return name
    parts, kind = [], None
    for parameter in signature.parameters.values():
        if parameter.name.startswith("_"):
            continue
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY and kind is not parameter.kind:
            parts.append("*")
        parts.append(_parameter(parameter))
        kind = parameter.kind
    short = f"{name}({', '.join(parts)})"
    return short if len(short) <= 100 else f"{name}(\n" + "".join(f"    {part},\n" for part in parts) + ")"


def _parameter(parameter: inspect.Parameter) -> str:
    """Return a parameter with its default; the types are in the docstrings, where they matter."""
    star = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}.get(parameter.kind, "")
    if parameter.default is inspect.Parameter.empty:
        return f"{star}{parameter.name}"
    default = parameter.default
    written = f"{default:_}" if isinstance(default, int) and not isinstance(default, bool) else repr(default)
    return f"{star}{parameter.name}={written if not callable(default) else '...'}"


def _docs(value: object) -> str:
    """Return the docstring as paragraphs, with examples as code."""
    text = inspect.getdoc(value) or ""
    if text.startswith(f"{getattr(value, '__name__', '')}("):  # a dataclass or tuple without a docstring
        return ""
    prose, examples = text.partition(">>> ")[0::2]
    paragraphs = [" ".join(part.split()) for part in re.split(r"\n\s*\n", prose) if part.strip()]
    code = [f"```pycon\n>>> {examples.rstrip()}\n```"] if examples else []
    return "\n\n".join([*paragraphs, *code])


def _members(value: type) -> Iterator[str]:
    """Yield the values of an enum, or the fields, properties and methods of a class with the first sentence of each."""
    if issubclass(value, enum.Enum):
        yield "Values: " + ", ".join(f"`{member.name}` ({member.value!r})" for member in value) + "."
        return
    names = [field.name for field in fields(value)] if is_dataclass(value) else getattr(value, "_fields", ())
    if names := [name for name in names if not name.startswith("_")]:
        yield "Fields: " + ", ".join(f"`{name}`" for name in names) + "."
    for name, member in sorted(_own(value).items()):
        if isinstance(member, property) or inspect.isfunction(member) or isinstance(member, classmethod):
            call = "" if isinstance(member, property) else "()"
            said = (inspect.getdoc(getattr(member, "__func__", member)) or "").split("\n\n")[0]
            yield f"- `{name}{call}`" + (f": {' '.join(said.split())}" if said else "")


def _own(value: type) -> dict[str, object]:
    """Return the public members that the class and its bases in this package define; results share theirs."""
    found: dict[str, object] = {}
    for kind in reversed(value.__mro__):
        if kind is not Presented and kind.__module__.startswith("holecard."):
            found |= {name: member for name, member in vars(kind).items() if not name.startswith(("_", "model_"))}
    return found


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")

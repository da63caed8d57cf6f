"""Docstrings of functions and methods start with a verb: "Return ..." or what a procedure does.

Properties, classes and special methods may start with a noun, as is the custom in Python. The test reads the first
word. It cannot know every noun, but it knows articles, question words, plurals, quotations, and numbers.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src"
NOT_VERBS = """
    A All An Any As At Both By Each Either Else Every Everything Except False For From How If In It Its JSON No Nobody
    None Not Nothing On One Only So Several That The They This Three TOML True Two Up What When Where Whether Which
    Who Why With Without
"""
#: Docstrings that typer prints as the help of the whole command.
HELP = frozenset({"_options"})


def starts_with_verb(docstring: str) -> bool:
    """Return whether the first word can be a verb in the imperative."""
    word = docstring.split()[0].rstrip(",;:.")
    is_plural = word.endswith("s") and not word.endswith("ss")
    return word[:1].isupper() and word not in NOT_VERBS.split() and not is_plural


def wrong_docstrings(source: str) -> Iterator[tuple[int, str]]:
    """Yield line and first line of each docstring of a function that does not start with a verb."""
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        is_property = any("property" in ast.unparse(decorator) for decorator in node.decorator_list)
        is_special = node.name.startswith("__") and node.name.endswith("__")
        docstring = ast.get_docstring(node)
        if docstring is None or is_property or is_special or node.name in HELP:
            continue
        if not starts_with_verb(docstring):
            yield node.lineno, docstring.splitlines()[0]


def test_docstrings_of_functions_start_with_a_verb() -> None:
    found = [
        f"{path.relative_to(SOURCE)}:{line}: {text}"
        for path in sorted(SOURCE.rglob("*.py"))
        for line, text in wrong_docstrings(path.read_text(encoding="utf-8"))
    ]
    assert found == []


@pytest.mark.parametrize(
    "docstring", ["The total.", "Whether it wins.", "Cards by rank.", '"5%" or "0.05".', "1 or 0."]
)
def test_a_noun_phrase_is_found(docstring: str) -> None:
    source = f"def f():\n    '''{docstring}'''\n"
    assert list(wrong_docstrings(source)) == [(1, docstring)]


@pytest.mark.parametrize(
    "source",
    [
        "def f():\n    '''Return the total.'''\n",
        "def f():\n    '''Pass the turn.'''\n",
        "@property\ndef f(self):\n    '''The total.'''\n",
        "@cached_property\ndef f(self):\n    '''The total.'''\n",
        "def __len__(self):\n    '''The number of cards.'''\n",
        "class F:\n    '''A hand.'''\n",
        "def f(): pass\n",
    ],
)
def test_other_docstrings_are_left_alone(source: str) -> None:
    assert not list(wrong_docstrings(source))

"""What is wrong with a message, a request or a file, in our own words; pydantic finds it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from holecard.errors import plural, shortly

#: Which characters a text may have, in words.
_CHARACTERS = {
    r"^[A-Za-z0-9_.:-]+$": "only letters, digits and _ . : - are allowed",
    r"^[^\x00-\x1f\x7f]*$": "control characters are not allowed",
}
#: The parts of a request.
_SOURCES = (["body"], ["query"], ["path"], ["header"], ["cookie"])
#: What pydantic calls the types of a setting's value; none of them is a part of the place.
_BRANCHES = ("constrained-str", "str", "constrained-int", "int", "bool", "list[constrained-int]", "list[int]")
_LONGEST_PLACE = 100
_Problem = Mapping[str, Any]


def first_problem(problems: Sequence[Any], whole: str = "the message") -> str:
    """Return the first of the problems that pydantic lists: where it is, what is wrong, what would be right."""
    problem: _Problem = problems[0]
    kind, location = problem["type"], [str(part) for part in problem["loc"]]
    if kind == "json_invalid":
        location = []  # the number of a character
    branch = next((place for place, part in enumerate(location) if part in _BRANCHES), None)
    if branch is not None:
        location = location[:branch]
        kind = "no branch" if kind == "string_type" else kind
    sentence = _SENTENCES.get(kind)
    words = "this value is not allowed here" if sentence is None else sentence(problem)
    return f"{_place(location) or whole}: {words}"


def _place(location: Sequence[str]) -> str:
    parts = [part for part in (location[1:] if location[:1] in _SOURCES else location) if part != "[key]"]
    # A letter that nobody sees, or half of one, is shown by its number.
    return ".".join(part if part.isprintable() else ascii(part)[1:-1] for part in parts)[:_LONGEST_PLACE]


# One function per kind of problem. Texts are not repeated: a password may be among them.


def _needs(what: str) -> Callable[[_Problem], str]:
    return lambda _problem: f"{what} is needed here"


def _needs_instead(what: str) -> Callable[[_Problem], str]:
    return lambda problem: f"{what} is needed here, not {shortly(problem.get('input'))}"


def _bound(words: str, name: str) -> Callable[[_Problem], str]:
    return lambda problem: f"{words} {problem['ctx'][name]:,} is allowed, not {shortly(problem.get('input'))}"


def _length(words: str, name: str, noun: str) -> Callable[[_Problem], str]:
    def sentence(problem: _Problem) -> str:
        number = problem["ctx"][name]
        return f"{words} {plural(number, noun)} {'is' if number == 1 else 'are'} allowed"

    return sentence


def _characters(problem: _Problem) -> str:
    return _CHARACTERS.get(problem["ctx"]["pattern"], "some of these characters are not allowed here")


def _choice(problem: _Problem) -> str:
    return f"{problem['ctx']['expected']} is needed here, not {shortly(problem.get('input'))}"


def _unknown_kind(problem: _Problem) -> str:
    context = problem["ctx"]
    kind = str(context["discriminator"]).strip("'")
    return f"`{kind}` is one of {context['expected_tags']}, not {shortly(context['tag'])}"


def _no_kind(problem: _Problem) -> str:
    kind = str(problem["ctx"]["discriminator"]).strip("'")
    return f"`{kind}` is missing; it says what kind of object this is"


def _own_words(problem: _Problem) -> str:
    return str(problem["ctx"]["error"])


_SENTENCES: dict[str, Callable[[_Problem], str]] = {
    "missing": lambda _problem: "this is missing",
    "extra_forbidden": lambda _problem: "there is no such field; leave it out",
    "json_invalid": lambda _problem: "this is not JSON",
    "json_type": lambda _problem: "this is not JSON",
    "union_tag_invalid": _unknown_kind,
    "union_tag_not_found": _no_kind,
    "literal_error": _choice,
    "enum": _choice,
    **dict.fromkeys(("model_type", "model_attributes_type", "dict_type", "dataclass_type"), _needs("an object")),
    **dict.fromkeys(("list_type", "tuple_type"), _needs("a list")),
    **dict.fromkeys(("string_type", "string_sub_type"), _needs("text")),
    "string_unicode": _needs("text in UTF-8"),
    "no branch": _needs("text, a whole number, true or false, or a list of whole numbers"),
    "none_required": _needs("null"),
    **dict.fromkeys(("bool_type", "bool_parsing"), _needs_instead("true or false")),
    **dict.fromkeys(("int_type", "int_parsing", "int_from_float"), _needs_instead("a whole number")),
    "int_parsing_size": _needs("a whole number with fewer digits"),
    **dict.fromkeys(("float_type", "float_parsing", "finite_number"), _needs_instead("a number")),
    "greater_than_equal": _bound("at least", "ge"),
    "less_than_equal": _bound("at most", "le"),
    "string_too_short": _length("at least", "min_length", "character"),
    "string_too_long": _length("at most", "max_length", "character"),
    "too_short": _length("at least", "min_length", "value"),
    "too_long": _length("at most", "max_length", "value"),
    "string_pattern_mismatch": _characters,
    "value_error": _own_words,
}

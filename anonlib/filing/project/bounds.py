"""The text of a project as plain values, bounded before anything is made of it, and the checks its parts share."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Any, NoReturn, TypeVar

from anonlib.basics import checks
from anonlib.basics.errors import InputError
from anonlib.reading.sources import Limits

MOST_BYTES = 50_000_000
"""The largest text of a project, in bytes."""
MOST_PARTS = 1_000_000
"""Most lists, mappings, texts and numbers in it, all levels counted."""
MOST_COLUMNS = Limits.columns
_DEEPEST = 16  # a step's hierarchy with a mapping is 11 deep
_LARGEST = 1e15  # below it floats tell whole numbers apart
_OTHER = "Choose a file saved with “Save project”."
WRONG = "The project’s file is damaged: "
T = TypeVar("T")


def document_of(text: str | bytes) -> dict[str, Any]:
    """The document that a project's text holds, within bounds.

    Parameters
    ----------
    text : str | bytes
        JSON, as text or in UTF-8.

    Returns
    -------
    dict
        Of plain values: no number is larger than 10^15 in size, no text has characters that cannot be written, and no
        mapping named anything twice.

    Raises
    ------
    InputError
        When it is no JSON, or larger, deeper or stranger than a project is.
    """
    if len(text) > MOST_BYTES:
        raise InputError(
            f"This is no project: it is larger than {MOST_BYTES // 1_000_000} MB. {_OTHER}", code="project-too-large"
        )
    try:
        document = json.loads(text, object_pairs_hook=_each_once, parse_constant=_no_number)
    except InputError as error:
        raise error
    except (ValueError, RecursionError):
        raise InputError(f"This is no project: it is no valid JSON. {_OTHER}", code="file-not-of-this-kind") from None
    if not isinstance(document, dict):
        raise InputError(f"This JSON is no project. {_OTHER}", code="file-not-of-this-kind")
    _refuse_beyond_bounds(document)
    return document


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    named = dict(pairs)
    if len(named) < len(pairs):
        raise InputError(f"{WRONG}something in it, such as a column, is named twice. {_OTHER}", code="project-damaged")
    return named


def _no_number(_: str) -> NoReturn:
    raise InputError(f"{WRONG}it has a number that is none. {_OTHER}", code="project-damaged")


def _refuse_beyond_bounds(document: dict[str, Any]) -> None:
    parts, level = 1, 0
    here: list[Any] = [document]
    while here:  # level by level, since a walk that calls itself ends where the nesting is deep
        level += 1
        if level > _DEEPEST:
            raise InputError(
                f"{WRONG}it is nested more deeply than a project is. {_OTHER}", code="file-nested-too-deeply"
            )
        below: list[Any] = []
        for value in here:
            if isinstance(value, dict):
                _refuse_unwritable(value)
                below += value.values()
            elif isinstance(value, list):
                below += value
            elif isinstance(value, str):
                _refuse_unwritable((value,))
            elif isinstance(value, int | float) and not abs(value) <= _LARGEST:
                raise InputError(f"{WRONG}it has a number beyond 10 to the 15th. {_OTHER}", code="project-damaged")
        parts += len(below)
        if parts > MOST_PARTS:
            raise InputError(
                f"This project names more than its {MOST_PARTS:,} values and settings can be. Make its hierarchies "
                "and mappings of fewer values.",
                code="project-too-large",
            )
        here = below


def _refuse_unwritable(texts: Iterable[str]) -> None:
    for text in texts:
        if not text.isascii():
            checks.text(text, f"{WRONG}a text in it")


# ---- checks of its parts: ``what`` is the subject of the sentence ----


def damaged(what: str) -> InputError:
    """The error that names what is wrong."""
    return InputError(f"{WRONG}{what}. {_OTHER}", code="project-damaged")


def optional(value: Any, read: Callable[[Any, str], T], what: str) -> T | None:
    """None, or what is read of the value."""
    return None if value is None else read(value, what)


def mapping(value: Any, what: str) -> dict[str, Any]:
    """A mapping from names of columns, no more than a file has."""
    if not isinstance(value, dict):
        raise damaged(f"{what} must be names with values")
    if len(value) > MOST_COLUMNS:
        raise damaged(f"{what} name {len(value):,} columns; a file has at most {MOST_COLUMNS:,}")
    return value


def listed(value: Any, what: str, most: int = MOST_COLUMNS) -> list[Any]:
    """A list, no longer than it can be."""
    if not isinstance(value, list):
        raise damaged(f"{what} must be a list")
    if len(value) > most:
        raise damaged(f"{what} are {len(value):,}; there can be at most {most:,}")
    return value


def text(value: Any, what: str) -> str:
    """A text."""
    return checks.text(value, WRONG + what)


def texts(value: Any, what: str) -> tuple[str, ...]:
    """Several texts, each once."""
    items = tuple(text(item, what) for item in listed(value, what))
    if len(set(items)) < len(items):
        raise damaged(f"{what} name something twice")
    return items


def count(value: Any, what: str) -> int:
    """A whole number, 0 or more."""
    return checks.whole(value, WRONG + what, 0)


def flag(value: Any, what: str) -> bool:
    """True or false."""
    if not isinstance(value, bool):
        raise damaged(f"{what} must be true or false")
    return value


def digest(value: Any, what: str) -> str:
    """A SHA-256 as 64 hexadecimal digits."""
    digits = text(value, what)
    if len(digits) != 64 or not set(digits) <= set("0123456789abcdef"):
        raise damaged(f"{what} must be 64 hexadecimal digits")
    return digits

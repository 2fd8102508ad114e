"""Evidence as JSON: written, and read back within bounds."""

from __future__ import annotations

import json
from dataclasses import asdict, fields, is_dataclass
from types import NoneType, UnionType
from typing import Any, Literal, get_args, get_origin, get_type_hints

import numpy as np

from anonlib.basics.errors import InputError
from anonlib.filing.case import ReleaseCase
from anonlib.filing.evidence.evidence import Evidence
from anonlib.filing.evidence.table import CAME_LATER

FORMAT, FORMAT_VERSION = "anonscope-evidence", 2
MOST_BYTES = 50_000_000
_OF_A_TABLE = (
    "file", "population", "areas", "missing", "undecided", "unknowable", "harmless", "columns", "steps", "records_kept",
    "information_kept", "recoding", "released", "why_no_file", "values_recoded", "texts_looked_at", "levels",
    "may_be_blank", "ids", "left", "lost", "held_beside",
)  # fmt: skip
"""What version 2 of the format holds of each table."""
_WHERE_ANY = ("left_for_value",)
"""What a table has where there is any."""
_DAMAGED = "This is no evidence of a release, or it is damaged: choose the JSON that was saved with the report."


def to_json(evidence: Evidence) -> str:
    """The evidence as text that :func:`from_json` reads.

    Parameters
    ----------
    evidence : Evidence
        What was gathered.

    Returns
    -------
    str
    """
    plain = {**_without_nan(asdict(evidence)), "case": evidence.case.to_dict()}
    plain["tables"] = [
        {n: value for n, value in table.items() if value or n not in _WHERE_ANY} for table in plain["tables"]
    ]
    document = {"format": FORMAT, "version": FORMAT_VERSION, **plain}
    return json.dumps(document, indent=1, ensure_ascii=False, default=_plain)


def _without_nan(value: Any) -> Any:
    """Plain values with None in the place of what is no number, which JSON does not have."""
    match value:
        case dict():
            return {name: _without_nan(item) for name, item in value.items()}
        case list() | tuple():
            return [_without_nan(item) for item in value]
        case float() if value != value:
            return None
    return value


def _plain(value: Any) -> Any:
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(type(value).__name__)


def from_json(text: str | bytes) -> Evidence:
    """The evidence of a text.

    Parameters
    ----------
    text : str | bytes
        What :func:`to_json` wrote.

    Returns
    -------
    Evidence

    Raises
    ------
    InputError
        When it is none, damaged, of a newer version, or of another number of tables than one.
    """
    if len(text) > MOST_BYTES:
        raise InputError(_DAMAGED, code="evidence-damaged")
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        raise InputError(_DAMAGED, code="evidence-damaged") from None
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise InputError(_DAMAGED, code="evidence-damaged")
    evidence = _read(Evidence, _of_this_version(document))
    if len(evidence.tables) != 1:
        raise InputError(
            f"This evidence holds {len(evidence.tables):,} tables; this version reads one. Check the file with the "
            "version that saved the evidence.",
            code="tables-of-other-number",
        )
    return evidence


def _of_this_version(document: dict[str, Any]) -> dict[str, Any]:
    """What a document holds, as in this version of the format. Raises InputError where its own is not known."""
    version = document.get("version")
    plain = {name: value for name, value in document.items() if name not in ("format", "version")}
    if version == 1:
        return _with_tables(plain)
    if version != FORMAT_VERSION:
        raise InputError(
            "This evidence was saved by another version of Anonscope. Check the file with that version.",
            code="version-unknown",
        )
    return plain


def _with_tables(plain: dict[str, Any]) -> dict[str, Any]:
    """What version 1 of the format held, which had what concerns its table beside what concerns the case."""
    table = {name: plain[name] for name in _OF_A_TABLE if name in plain}
    of_the_case = {name: value for name, value in plain.items() if name not in _OF_A_TABLE}
    return {**of_the_case, "tables": [table]}


def _read(kind: Any, value: Any) -> Any:
    """A value of a type: a dataclass, a tuple, an optional or a plain one. Raises InputError for any other."""
    origin, parts = get_origin(kind), get_args(kind)
    if origin is UnionType:
        return (
            None if value is None and NoneType in parts else _read(next(p for p in parts if p is not NoneType), value)
        )
    if origin is tuple and isinstance(value, list):
        if parts[-1] is Ellipsis:
            return tuple(_read(parts[0], item) for item in value)
        if len(parts) == len(value):
            return tuple(_read(part, item) for part, item in zip(parts, value, strict=True))
    elif kind is ReleaseCase:
        return ReleaseCase.from_dict(value)
    elif is_dataclass(kind) and isinstance(value, dict):
        hints = get_type_hints(kind)
        needed = {field.name for field in fields(kind) if field.metadata != CAME_LATER}
        if needed <= set(value) <= set(hints):
            return kind(**{name: _read(hints[name], item) for name, item in value.items()})  # type: ignore[operator]
    elif origin is Literal and value in parts:
        return value
    elif kind is float and value is None:
        return float("nan")
    elif kind is float and type(value) is int:
        return float(value)
    elif isinstance(kind, type) and type(value) is kind:
        return value
    raise InputError(_DAMAGED, code="evidence-damaged")

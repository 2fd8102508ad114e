"""What a dictionary says of the columns of a file, as plain values of a saved project."""

from __future__ import annotations

from typing import Any

from anonlib.columns.dictionaries import MOST_COLUMNS, MOST_LABELS
from anonlib.filing.project.bounds import damaged, flag, listed, mapping, text, texts
from anonlib.reading.sources import LONGEST_TITLE, MEASURES, Described

_TEXTS = ("title", "unit", "measure", "format")


def described_to_dict(described: Described) -> dict[str, Any]:
    """What is known of a column, as plain values for JSON; what is not known is left out."""
    plain: dict[str, Any] = {name: value for name in _TEXTS if (value := getattr(described, name))}
    if described.labels:
        plain["labels"] = [list(pair) for pair in described.labels]
    if described.missing:
        plain["missing"] = list(described.missing)
    if described.identifies:
        plain["identifies"] = True
    return {"name": described.name, **plain}


def described(value: Any) -> tuple[Described, ...]:
    """What is known of the columns. Raises InputError when something is wrong."""
    what = "what a dictionary says of the columns"
    found = tuple(_one(each, what) for each in listed(value, what, MOST_COLUMNS))
    if sum(len(each.labels) for each in found) > MOST_LABELS:
        raise damaged(f"{what} names more than {MOST_LABELS:,} codes")
    return found


def _one(value: Any, what: str) -> Described:
    given = mapping(value, what)
    texts_of = {name: text(given.get(name, ""), what) for name in _TEXTS}
    if texts_of["measure"] not in ("", *MEASURES) or len(texts_of["title"]) > LONGEST_TITLE:
        raise damaged(f"{what} has a level of measurement or a title that no dictionary has")
    pairs = [listed(pair, what, 2) for pair in listed(given.get("labels", []), what, MOST_LABELS)]
    if any(len(pair) != 2 for pair in pairs):
        raise damaged(f"{what} must have a label for each code")
    return Described(
        text(given.get("name"), what),
        labels=tuple((text(code, what), text(label, what)) for code, label in pairs),
        missing=texts(given.get("missing", []), what),
        identifies=flag(given.get("identifies", False), what),
        **texts_of,
    )

"""What a dictionary says of the columns of a file, as plain values of a saved project."""

from __future__ import annotations

from typing import Any

from anonlib.filing.project.bounds import damaged, flag, listed, mapping, text, texts
from anonlib.reading.sources import LONGEST_TITLE, MEASURES, Described

_MOST_COLUMNS, _MOST_LABELS = 20_000, 250_000
_TEXTS = ("title", "unit", "measure", "format")


def described_to_dict(described: Described) -> dict[str, Any]:
    """What is known of a column, as plain values for JSON; what is not known is left out."""
    plain: dict[str, Any] = {name: value for name in _TEXTS if (value := getattr(described, name))}
    if described.labels:
        plain["labels"] = dict(described.labels)
    if described.missing:
        plain["missing"] = list(described.missing)
    if described.identifies:
        plain["identifies"] = True
    return {"name": described.name, **plain}


def described(value: Any) -> tuple[Described, ...]:
    """What is known of the columns. Raises InputError when something is wrong."""
    what = "what a dictionary says of the columns"
    found = tuple(_one(each, what) for each in listed(value, what, _MOST_COLUMNS))
    if sum(len(each.labels) for each in found) > _MOST_LABELS:
        raise damaged(f"{what} names more than {_MOST_LABELS:,} codes")
    return found


def _one(value: Any, what: str) -> Described:
    given = mapping(value, what)
    texts_of = {name: text(given.get(name, ""), what) for name in _TEXTS}
    if texts_of["measure"] not in ("", *MEASURES) or len(texts_of["title"]) > LONGEST_TITLE:
        raise damaged(f"{what} has a level of measurement or a title that no dictionary has")
    labels = mapping(given.get("labels", {}), what)
    return Described(
        text(given.get("name"), what),
        labels=tuple((code, text(label, what)) for code, label in labels.items()),
        missing=texts(given.get("missing", []), what),
        identifies=flag(given.get("identifies", False), what),
        **texts_of,
    )

"""Saved projects as plain values: with another part of their table, and as version 2 of the format had them."""

from __future__ import annotations

import json
from typing import Any

from anonlib.filing.project import Project

OF_A_TABLE = (
    "file", "roles", "missing", "population", "population_columns", "areas", "unknowable", "recipe", "variants",
    "hierarchies", "orders", "earlier_releases",
)  # fmt: skip
"""What a saved project holds of each of its tables."""


def with_table(document: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """The document of a project with other parts of its one table."""
    (table,) = document["tables"]
    return {**document, "tables": [{**table, **changes}]}


def of_version_2(document: dict[str, Any]) -> dict[str, Any]:
    """The document as version 2 of the format had it, with the parts of the table beside those of the case."""
    (table,) = document["tables"]
    assert set(table) == set(OF_A_TABLE)
    flat = {name: value for name, value in document.items() if name != "tables"}
    return {**flat, **table, "version": 2}


def read(document: dict[str, Any]) -> Project:
    """The project of a document."""
    return Project.from_json(json.dumps(document))

"""Which rows are of one person: chosen by one click, where the file has a column that says so."""

from __future__ import annotations

from collections.abc import Sequence

from anonlib.columns.roles import Role, Suggestion
from anonlib.dataset import Dataset
from ui.kit import glossary
from ui.session import decide, keep
from ui.session.names import titled

_EACH_ROW = ""
_REPEAT = 0.02  # different values to a record, from which a column may say whose row it is


def show(data: Dataset, suggestions: Sequence[Suggestion]) -> None:
    """The column that says whose row it is, those first that look so."""
    likely = [s.column for s in suggestions if _likely(s, data.n_records)]
    offered = [_EACH_ROW, *likely, *(s.column for s in suggestions if s.column not in likely and s.distinct > 1)]
    keep.select(
        "person-id", "Whose row it is (person id)", offered, data.person_id or _EACH_ROW, take=_take,
        format_func=lambda name: titled(name) if name else "Each row is one person",
        help=glossary.linked(
            "A column with one value a person, such as a patient number: then persons are counted and not rows, and "
            "it leaves as a number drawn at random. By the number of a household, households are counted, with their "
            "members as rows."
            if data.tables is None
            else "The keys between the tables say it: change these above.",
            "person id",
        ),
        disabled=data.tables is not None,
    )  # fmt: skip


def _likely(suggested: Suggestion, n_records: int) -> bool:
    if suggested.role in (Role.PERSON_ID, Role.IDENTIFIER):
        return suggested.distinct > 1
    return suggested.role is Role.OTHER and suggested.distinct > _REPEAT * n_records


def _take(column: str) -> None:
    decide.set_person_id(column or None)

"""Numbers that may be dates by their range: what the other columns of the file say to it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from anonlib.columns.identifiers import KINDS, kind_of_name
from anonlib.columns.roles.columns import Column
from anonlib.columns.roles.drafts import Draft
from anonlib.columns.roles.known_outside import asked_of
from anonlib.columns.roles.reasons import looks_numbered, may_be_dates
from anonlib.columns.roles.role import Role
from anonlib.reading.records import Records
from anonlib.values.dates import lies_beside, numbered_days, read_dates


def numbers_as_dates(drafts: list[Draft], columns: list[Column]) -> list[Draft]:
    """Numbers without a telling name are dates where they lie in the years of another column's dates; else it is asked.

    Numbers of which the name says what they are, and codes of a known system, are left as they are; so are those that
    are no number twice, unless another column's dates say that they are dates.
    """
    beside = {
        column.spread.column: days for column, drafted in zip(columns, drafts, strict=True)
        if drafted.kind is not None and drafted.kind.group == "date" and (days := _days(column)) is not None
    }  # fmt: skip
    return [_as_dates(drafted, column, beside) for drafted, column in zip(drafts, columns, strict=True)]


def numbers_are_dates(held: Records, name: str) -> bool:
    """Whether numbers in a column are dates, since its name says so or they lie in the years of another column's dates.

    Parameters
    ----------
    held : Records
        The records; few other columns are looked at, and only where the numbers may be dates by their range.
    name : str
        The column's name.

    Returns
    -------
    bool
    """
    if kind_of_name(name) is not None:
        return _says_date(name)
    key = ("numbers are dates", name)
    if key not in held.remembered:
        held.remembered[key] = _lie_beside_dates(held, name)
    return held.remembered[key]


def _lie_beside_dates(held: Records, name: str) -> bool:
    texts = [str(text).strip() for text in held.profile(name).texts]
    numbered = numbered_days(texts)
    if numbered is None or not numbered.may_be_dates:
        return False
    others = (
        read_dates(held.profile(other).texts, numbers=_says_date(other)) for other in held.columns if other != name
    )
    return any(other.are_dates and lies_beside(numbered.days, other.days) for other in others)


def _says_date(name: str) -> bool:
    named = kind_of_name(name)
    return named is not None and named.group == "date"


def _as_dates(drafted: Draft, column: Column, beside: dict[str, np.ndarray]) -> Draft:
    numbered = column.evidence.numbered
    if numbered is None or column.named is not None or column.system is not None or column.constant:
        return drafted
    name = next((name for name, days in beside.items() if lies_beside(numbered.days, days)), "")
    if name:
        kind = KINDS["event_date"]
        return Draft(Role.QUASI_IDENTIFIER, kind, (looks_numbered(numbered, name), *drafted.reasons), asked_of(kind))
    if drafted.role is Role.IDENTIFIER:
        return replace(drafted, reasons=(*drafted.reasons, may_be_dates(numbered.form)))
    if drafted.role is not Role.OTHER:
        return drafted
    return replace(drafted, asked=may_be_dates(numbered.form), in_doubt=KINDS["event_date"])


def _days(column: Column) -> np.ndarray | None:
    """The days of a column of dates, of months their first; None where it tells none."""
    seen = column.evidence
    if seen.dates is not None and seen.dates.share > 0:
        return seen.dates.days
    if seen.numbered is not None:
        return seen.numbered.days
    if seen.numbers is not None and seen.whole and len(seen.numbers):
        return (seen.numbers - 1970).astype("datetime64[Y]").astype("datetime64[D]")  # years, by the name
    return None

"""What anybody may be shown of the columns of a release, no value that few share; and what they are recognised as."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np

from anonlib.basics.errors import InputError
from anonlib.columns.codes import CodeSystem
from anonlib.columns.identifiers import name_tokens
from anonlib.columns.roles.columns import Column, look
from anonlib.dataset import Dataset
from anonlib.filing.evidence import Evidence
from anonlib.filing.project import Opened
from anonlib.reading.records.profile import Profile, profile_of
from anonlib.reading.sources import Described
from anonlib.release.codebook import counts_that_leave
from anonlib.release.files.rows import neutralise
from anonlib.values.cells import to_ranges


@dataclass(frozen=True, eq=False)
class ListedColumn:
    """A column of a release with the values of it that may be listed.

    Attributes
    ----------
    name : str
        Its name in the data set.
    header : str
        Its name in the CSV.
    kind : Literal["person", "text", "undecided", "values"]
        "person" of the numbers of persons, "text" of free texts, "undecided" where nobody gave it a role, else
        "values".
    described : Described
        What the file or a dictionary says of it.
    looks : Column
        What its name and its values say that it is.
    labels : tuple[str, ...], default ()
        The values that enough records (persons) share, in its order; of kind "values" alone.
    texts : tuple[str, ...], default ()
        The same as they stand in the CSV.
    has_others : bool, default True
        Whether it has values that are not listed.
    has_blanks : bool, default False
        Whether enough have no value.
    """

    name: str
    header: str
    kind: Literal["person", "text", "undecided", "values"]
    described: Described
    looks: Column = field(repr=False)
    labels: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    has_others: bool = True
    has_blanks: bool = False

    @property
    def system(self) -> CodeSystem | None:
        """Whose codes its values are, where they are codes of a system that is known."""
        return self.looks.system if self.kind == "values" else None

    @property
    def title(self) -> str:
        """What it is, in words; its name where that is not known."""
        return self.described.title or self.header


def least_shared(evidence: Evidence) -> int:
    """How many records (persons) must share a value for anybody to read it."""
    return max(2, evidence.k)


def listed_columns(opened: Opened, evidence: Evidence) -> tuple[ListedColumn, ...]:
    """The columns of a release with the values that enough share; with no values where no file leaves.

    Parameters
    ----------
    opened : Opened
        The project on its files. Only what leaves is looked at.
    evidence : Evidence
        As gathered of it.
    """
    released = opened.applied.released.in_codes()
    columns = [
        _column(released, name, header, name in evidence.texts_looked_at)
        for name, header in zip(released.columns, neutralise(released.columns), strict=True)
    ]
    if evidence.released is None:
        return tuple(columns)
    least = least_shared(evidence)
    return tuple(_with_values(column, released, least) if column.kind == "values" else column for column in columns)


def _column(released: Dataset, name: str, header: str, is_text: bool) -> ListedColumn:
    """A column without its values."""
    described = released.described.get(name)
    looks = look(name, _profile(released, name), described)
    kind: Literal["person", "text", "undecided", "values"] = "values"
    if name == released.person_id:
        kind = "person"
    elif name not in released.roles:
        kind = "undecided"
    elif is_text or looks.evidence.long_text:
        kind = "text"
    return ListedColumn(name, header, kind, described or Described(name), looks)


def _profile(released: Dataset, name: str) -> Profile:
    try:
        return profile_of(counts_that_leave(released, name))
    except InputError:  # an engine has too many of them to be fetched
        return released.held.profile(name)


def _with_values(column: ListedColumn, released: Dataset, least: int) -> ListedColumn:
    """A column with the values that so many share; not with one whose text in the CSV another value has, too."""
    if released.person_id in released.withheld:  # how many persons share a value is not in what leaves
        return column
    try:
        values, sizes, blanks = _sizes(released, column.name)
    except InputError:  # an engine has too many of them to be fetched
        return column
    texts = neutralise(values)
    written = Counter(texts)
    shared = [i for i in range(len(values)) if sizes[i] >= least and written[texts[i]] == 1]
    return replace(
        column,
        labels=tuple(str(values[i]) for i in shared),
        texts=tuple(texts[i] for i in shared),
        has_others=len(shared) < len(values),
        has_blanks=blanks >= least,
    )


def _sizes(released: Dataset, name: str) -> tuple[np.ndarray, list[int], int]:
    """The values that occur, the records (persons) that have each, and how many have none at all."""
    counts = counts_that_leave(released, name)
    counts_records = released.weight not in released.columns and not released.has_several_rows
    if counts_records or name == released.weight:  # a weight says how many persons a row is of
        return counts.values, counts.records.tolist(), counts.missing
    classes = released.with_missing("category").classes([name])
    persons: Counter[str | None] = Counter()
    for value, number in zip(classes.column(name), classes.counts.tolist(), strict=True):
        for value_of_row in _values_of(value):
            persons[value_of_row] += number
    return counts.values, [persons[value] for value in counts.values], persons[None]


def _values_of(value: str | None) -> Iterable[str | None]:
    """The values of a person's rows, or the one value of a class."""
    return getattr(value, "members", (value,))


MOST_CODES = 100
"""Codes of one system that are named."""
SYSTEMS = {
    "icd-10": "ICD-10",
    "icd-9-cm": "ICD-9-CM",
    "icd-9-cm-procedures": "ICD-9-CM",
    "atc": "ATC",
    "loinc": "LOINC",
    "snomed-ct": "SNOMED-CT",
    "icpc-2": "ICPC-2",
    "ops": "OPS",
}
"""By the key of a code system that is recognised, its name in the list of the HealthData@EU platform."""
_SEARCHED = ("demographic", "stay", "sensitive", "date", "place")  # groups of kinds that a catalogue is searched by
_YEARS = frozenset("year years yr yrs y a jahr jahre jahren ans annees anos anni jaar jaren".split())
_NO_YEARS = frozenset(
    "month months mo mn mos week weeks wk day days hour hours minute minutes monat monate monaten woche wochen tag "
    "tage tagen stunde stunden mois semaine semaines jour jours mes meses semana semanas dia dias maand maanden "
    "weken dagen ridagemn".split()
)
_OLDEST = 130  # years
_MOSTLY = 0.5  # of the labels must be ages; others are such as “*”


def typical_ages(columns: Sequence[ListedColumn]) -> tuple[int | None, int | None]:
    """The lowest and the highest age in whole years, by the listed values of the one column of ages.

    Parameters
    ----------
    columns : Sequence[ListedColumn]
        Those that leave.

    Returns
    -------
    tuple of int or None
        None where no column, or more than one, is recognised as ages in years, or where the end is open, as ``90+``.
    """
    ages = [column for column in columns if column.kind == "values" and _is_in_years(column)]
    if len(ages) != 1 or not ages[0].labels:
        return None, None
    ranges = to_ranges(ages[0].labels)
    fits = ranges.fits
    if ranges.of != "numbers" or fits.mean() < _MOSTLY:
        return None, None
    first = np.where(ranges.holds_low, np.floor(ranges.low), np.floor(ranges.low) + 1)[fits]
    last = np.where(ranges.holds_high, np.floor(ranges.high), np.ceil(ranges.high) - 1)[fits]
    low, high = float(first.min()), float(last.max())
    if low > high or not all(0 <= end <= _OLDEST for end in (low, high) if math.isfinite(end)):
        return None, None
    return (int(low) if math.isfinite(low) else None), (int(high) if math.isfinite(high) else None)


def _is_in_years(column: ListedColumn) -> bool:
    named = column.looks.named
    if named is None or named.key != "age":
        return False
    words = {*name_tokens(column.name), *name_tokens(column.described.title)}
    unit = {*name_tokens(column.described.unit)}
    return not words & _NO_YEARS and (not unit or bool(unit & _YEARS))


def code_systems(columns: Sequence[ListedColumn]) -> tuple[str, ...]:
    """The names of the systems whose codes leave, each once; of those alone that the platform's list has."""
    keys = [column.system.key for column in columns if column.system is not None]
    return tuple(dict.fromkeys(SYSTEMS[key] for key in keys if key in SYSTEMS))


def code_values(columns: Sequence[ListedColumn]) -> tuple[str, ...]:
    """The codes that are listed, system by system, such as ``ICD-10: I10, I50``; the first of many."""
    by_system: dict[str, list[str]] = {}
    for column in columns:
        if column.system is not None and column.system.key in SYSTEMS and column.labels:
            fits = column.system.fits(column.labels)
            codes = [text for text, fit in zip(column.texts, fits, strict=True) if fit]
            by_system.setdefault(SYSTEMS[column.system.key], []).extend(codes)
    some = {system: list(dict.fromkeys(codes))[:MOST_CODES] for system, codes in by_system.items() if codes}
    return tuple(f"{system}: {', '.join(codes)}" for system, codes in some.items())


def contents(columns: Sequence[ListedColumn]) -> tuple[str, ...]:
    """What the columns are by their names, such as ``ages`` and ``diagnoses``, each once."""
    kinds = [column.looks.named for column in columns if column.kind == "values"]
    return tuple(dict.fromkeys(kind.label for kind in kinds if kind is not None and kind.group in _SEARCHED))

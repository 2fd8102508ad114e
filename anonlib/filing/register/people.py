"""Who is in a release: keyed digests of ids, by which the same persons are found in other files."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from anonlib.basics import words
from anonlib.basics.errors import InputError
from anonlib.columns.roles import Role
from anonlib.dataset import Dataset
from anonlib.filing.project import Opened
from anonlib.filing.register.folder import RegisterKey
from anonlib.reading.records import ValueCounts
from anonlib.reading.records.names import unused_name
from anonlib.values.ids import count_up, normalised

NEARLY_UNIQUE = 0.95
"""An identifier says who is who where at least this share of its cells with a value are different ones."""
MOST_IDS = 5_000_000
"""Most different ids that are looked at: 20 seconds, and 40 MB in the register."""


@dataclass(frozen=True)
class FoundBy:
    """By which column persons are found again.

    Attributes
    ----------
    column : str
        Its name in the original.
    role : str
        ``person_id`` or ``identifier``.
    of_release : bool
        Whether they are the persons of the release; else all of the original.
    counts_up : bool
        Whether its ids are numbers that count up, which other files may have for other persons.
    persons : int
        How many they are.
    """

    column: str
    role: str
    of_release: bool
    counts_up: bool
    persons: int


@dataclass(frozen=True, eq=False)
class PersonSet:
    """The persons that one column names.

    Attributes
    ----------
    found_by : FoundBy
        Which column.
    digests : np.ndarray
        uint64, little-endian, ascending, each once: their ids under the register's key.
    """

    found_by: FoundBy
    digests: np.ndarray

    def shared_with(self, digests: np.ndarray) -> int:
        """How many of the persons are among others."""
        return len(np.intersect1d(self.digests, digests, assume_unique=True))


@dataclass(frozen=True, eq=False)
class PersonsOfRelease:
    """The persons of a release, as far as they can be found again.

    Attributes
    ----------
    sets : tuple[PersonSet, ...], default ()
        One a column that says who is who; empty where the file alone is known again.
    not_by : tuple[str, ...], default ()
        Why others that could say so were not looked at, in sentences.
    key_id : str, default ""
        Names the key of the digests.
    """

    sets: tuple[PersonSet, ...] = ()
    not_by: tuple[str, ...] = ()
    key_id: str = ""


def people_of(opened: Opened, key: RegisterKey) -> PersonsOfRelease:
    """The persons of a release under a key.

    They are named by the person id, and by each identifier that names the same persons as it does; where there is no
    person id, by each identifier that is nearly unique. Each column is a set of its own.

    Parameters
    ----------
    opened : Opened
        The project on its file.
    key : RegisterKey
        The register's.

    Returns
    -------
    PersonsOfRelease
    """
    original, released = opened.data, opened.applied.released
    return original.once(
        ("people of a register", key.id, original.key, released.key), lambda: _people_of(original, released, key)
    )


def _people_of(original: Dataset, released: Dataset, key: RegisterKey) -> PersonsOfRelease:
    sets, not_by = list[PersonSet](), list[str]()
    for column in _naming(original):
        try:
            if (persons := _person_set(original, released, column, key)) is not None:
                sets.append(persons)
        except InputError:
            not_by.append(
                f"“{column}” has more different values than are looked at, so persons are not found again by it."
            )
    return PersonsOfRelease(tuple(sets), tuple(not_by), key.id)


def _naming(original: Dataset) -> list[str]:
    """The columns that may say who is who, the person id first."""
    identifiers, person = original.identifiers, original.person_id
    if person is None:
        return identifiers
    rows_are_persons = original.tables is not None and original.tables.rows_are_persons
    return [
        *([] if rows_are_persons else [person]),
        *(name for name in identifiers if original.held.tell_the_same(person, name)),
    ]


def _person_set(original: Dataset, released: Dataset, column: str, key: RegisterKey) -> PersonSet | None:
    """None where the column does not say who is who, or nobody is left. Raises InputError where there are too many."""
    if original.person_id is None and not _is_nearly_unique(original.held.counts_of(column)):
        return None
    counts, of_release = _counts_in_release(original, released, column)
    texts = counts.values[counts.records > 0]
    if len(texts) > MOST_IDS:
        raise InputError(f"“{column}” has more than {MOST_IDS:,} different values.", code="too-many-values")
    ids = {plain for text in texts if (plain := normalised(text))}
    digests = key.digests(ids)
    role = Role.PERSON_ID if column == original.person_id else Role.IDENTIFIER
    return PersonSet(FoundBy(column, str(role), of_release, count_up(ids), len(digests)), digests) if ids else None


def _is_nearly_unique(counts: ValueCounts) -> bool:
    with_value = int(counts.records.sum())
    return with_value > 0 and int((counts.records > 0).sum()) >= NEARLY_UNIQUE * with_value


def _counts_in_release(original: Dataset, released: Dataset, column: str) -> tuple[ValueCounts, bool]:
    """How often ids occur in the records of the release; of the original where it is not known which these are."""
    name = unused_name(column, released.held.columns)
    try:
        return released.held.with_columns_of(original.held, {column: name}).counts_of(name), True
    except InputError:
        return original.held.counts_of(column), False


def found_again(sets: Collection[FoundBy], not_by: Collection[str] = ()) -> str:
    """How the persons of a release are found in other files, in sentences."""
    if not sets:
        return " ".join(["No persons are kept: the release is found again by its file alone.", *not_by])
    columns = words.listed([f"“{by.column}” ({by.persons:,})" for by in sets], most=len(sets))
    parts = [f"Its persons are found again by {columns}."]
    if not all(by.of_release for by in sets):
        parts.append("They are all of the original: which of them are in the release is not known.")
    if any(by.counts_up for by in sets):
        parts.append("Ids that count up may be those of other persons in another file.")
    return " ".join([*parts, *not_by])

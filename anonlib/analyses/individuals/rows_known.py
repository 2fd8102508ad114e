"""How many persons are alone or in too small a company, by how many of their rows somebody knows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import perm

import numpy as np

from anonlib.basics import checks
from anonlib.basics.errors import InputError
from anonlib.counting.privacy_models import ALL, ONE, VALUES, CodedPersons, RowsKnown

ASKED: tuple[RowsKnown, ...] = (ONE, 2, 3, VALUES, ALL)
MOST_CHOICES = 3_000_000
"""Most ways, in every order, to choose so many rows of each person that are looked at: some seconds of work."""


@dataclass(frozen=True)
class ByRows:
    """Persons by what is known of their rows.

    Attributes
    ----------
    rows : RowsKnown
        What is known of them.
    alone, below_k : int | None
        Persons of whom something can be known that is true of nobody else, or of fewer than k; None where there are too
        many ways to choose the rows that are known (:data:`MOST_CHOICES`).
    smallest : int | None
        Of how few the rarest thing is true; None as these.
    n_persons : int
        All persons.
    """

    rows: RowsKnown
    alone: int | None
    below_k: int | None
    smallest: int | None
    n_persons: int

    @property
    def is_counted(self) -> bool:
        """Whether it was looked at."""
        return self.below_k is not None


def by_rows(
    persons: CodedPersons, columns: Sequence[str], k: int, rows_known: Sequence[RowsKnown] = ASKED
) -> tuple[ByRows, ...]:
    """Persons alone and below k, for each knowledge of their rows.

    Parameters
    ----------
    persons : CodedPersons
        Those who are counted, with the columns.
    columns : Sequence[str]
        The columns that are known of each known row.
    k : int
        The fewest persons of whom what is known should be true, 1 or more.
    rows_known : Sequence[RowsKnown], default ASKED
        What may be known. Of so many rows all of a person's where these are fewer.

    Returns
    -------
    tuple of ByRows
        One for each knowledge. More rows known are never more persons; the values of each column lie beside.

    Raises
    ------
    InputError
        When no column is known, or one is not there.
    """
    k = checks.whole(k, "k", 1)
    if not columns:
        raise InputError(
            "No column is known, so nobody can be found by one. Choose one at least.", code="no-column-known"
        )
    for name in columns:
        if name not in persons.codes:
            raise InputError(
                f"There is no column named “{name}” among those that are looked at.", code="column-unknown", column=name
            )
    return tuple(_by(persons, tuple(columns), k, rows) for rows in rows_known)


def _by(persons: CodedPersons, columns: tuple[str, ...], k: int, rows: RowsKnown) -> ByRows:
    if isinstance(rows, int) and n_choices(persons, rows) > MOST_CHOICES:
        return ByRows(rows, None, None, None, persons.n_records)
    sizes = persons.peers(columns, rows).least_sizes()
    return ByRows(
        rows, int(persons.counts[sizes < 2].sum()), int(persons.counts[sizes < k].sum()),
        int(sizes.min(initial=persons.n_records)), persons.n_records,
    )  # fmt: skip


def n_choices(persons: CodedPersons, rows: int) -> int:
    """The ways, in every order, to choose so many rows of a person; persons who have just the same rows count once."""
    numbers, profiles = np.unique(persons.n_rows, return_counts=True)
    return sum(perm(n, rows) * profile for n, profile in zip(numbers.tolist(), profiles.tolist(), strict=True))

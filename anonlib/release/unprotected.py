"""Columns that leave although k does not count them, and whom they tell apart.

At the end is how many share what is known while nobody has decided yet what is known: both ends that it can come to.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass

import numpy as np

from anonlib.columns.free_text import is_text
from anonlib.columns.roles import Role, undecided
from anonlib.counting.classes import ClassTable
from anonlib.counting.privacy_models import ONE, Coded, KAnonymity, RowsKnown, violation
from anonlib.dataset import Dataset

MOST_BELOW_K = 0.03  # share of the records that a column may put below k and still not be named


@dataclass(frozen=True)
class NotCounted:
    """A released column that k does not count, and what it does once somebody knows it after all.

    Attributes
    ----------
    column : str
        Its name.
    role : Role | None
        Role or None “Other”; “Weight” where its numbers tell rows apart as those of a survey do; None where nobody has
        decided.
    below : int
        How many records (persons, summed weights) are then in groups below k: by the column alone, or beyond those that
        the quasi-identifiers have there. Of a weight: those of rows whose number fewer than k rows have.
    n_records : int
        All of them.
    """

    column: str
    role: Role | None
    below: int
    n_records: int

    @property
    def breaks_k(self) -> bool:
        """Whether it puts more than 3% into groups below k."""
        return self.below > MOST_BELOW_K * self.n_records

    @property
    def if_of_a_survey(self) -> str:
        """What to do with a weight that may be a survey's, in a sentence; "" of any other column."""
        if self.role is not Role.WEIGHT:
            return ""
        return (
            f"Most rows have a number in {self.column} that few others have, as the weights of a survey are. There "
            f"each row is one person: give {self.column} the role Neither, so that rows are counted, and round or drop "
            "it. If it counts persons, say that nobody outside can know it."
        )


def not_counted(
    released: Dataset, k: int, rows: Sequence[RowsKnown] = (ONE,), unknowable: Container[str] = ()
) -> tuple[NotCounted, ...]:
    """What released columns that k does not count do once somebody knows one of them, the worst first.

    A file-level k says something only of an attacker who knows the quasi-identifiers and nothing else that leaves: the
    choice of quasi-identifiers is the risk assessment. Sensitive columns are not looked at here: what leaves of these
    is counted with all that leaves (:mod:`anonlib.release.uniqueness_of_release`). A missing value is a value.

    The numbers of a weight are looked at row by row, whether it leaves or not: where more than half of the rows have
    one that fewer than k rows have, it may be the weight of a survey, by which k says nothing of the rows.

    Parameters
    ----------
    released : Dataset
        What leaves.
    k : int
        The smallest group that is accepted, 1 or more.
    rows : Sequence[RowsKnown], default (ONE,)
        What may be known of the rows of a person, where persons have several; the worst counts.
    unknowable : Container[str], default ()
        Columns that nobody outside can know, which are left aside.

    References
    ----------
    El Emam (2013); ISO/IEC 27559:2022, 7.3.2.
    """
    known = tuple(released.quasi_identifiers)
    looked_at = open_columns(released, unknowable)
    coded = released.coded([*known, *looked_at])
    n, uncounted = coded.n_records, []
    counted = {
        rows_known: violation(coded, KAnonymity(columns=known, least=k, rows=rows_known)).records for rows_known in rows
    }
    for name in looked_at:
        alone, together = (
            [violation(coded, KAnonymity(columns=columns, least=k, rows=rows_known)).records for rows_known in rows]
            for columns in ((name,), (*known, name))
        )
        beyond = [with_it - counted[rows_known] for with_it, rows_known in zip(together, rows, strict=True)]
        uncounted.append(NotCounted(name, released.roles.get(name), max(*alone, *beyond), n))
    if released.weight is not None and released.weight not in unknowable:
        uncounted += _of_weight(released, released.weight, k)
    return tuple(sorted(uncounted, key=lambda column: -column.below))


def _of_weight(released: Dataset, weight: str, k: int) -> list[NotCounted]:
    """The weight, where its numbers tell most rows apart."""
    rows = ClassTable.from_records(released.held, [weight])
    rare = rows.counts < k
    if rows.counts[rare].sum() <= rows.n_records / 2:
        return []
    persons, values = released.with_missing("category").classes([weight]), set(rows.column(weight)[rare])
    is_rare = np.array([value in values for value in persons.column(weight)], dtype=bool)
    return [NotCounted(weight, Role.WEIGHT, int(persons.counts[is_rare].sum()), persons.n_records)]


def open_columns(released: Dataset, unknowable: Container[str] = ()) -> list[str]:
    """The columns that leave, are neither known nor sensitive, and that somebody outside may know after all."""
    return [
        name for name in uncounted(released)
        if name not in unknowable and released.roles.get(name) != Role.SENSITIVE
    ]  # fmt: skip


def uncounted(released: Dataset) -> list[str]:
    """The columns that leave although no role protects them: sensitive, other or without a role."""
    return [name for name in released.columns if released.roles.get(name) in (None, Role.SENSITIVE, Role.OTHER)]


@dataclass(frozen=True)
class Sizes:
    """How many share the values of some columns.

    Attributes
    ----------
    columns : tuple[str, ...]
        What is taken to be known.
    k : int
        The smallest class; 0 without records.
    alone, below : int
        Records (persons, summed weights) alone, and in classes below the k that is asked for.
    n_records : int
        All of them.
    """

    columns: tuple[str, ...]
    k: int
    alone: int
    below: int
    n_records: int

    @property
    def share_alone(self) -> float:
        """Of all, in [0, 1]."""
        return self.alone / self.n_records if self.n_records else 0.0


@dataclass(frozen=True)
class BothEnds:
    """What is true if every undecided column is known too, and if none is.

    Attributes
    ----------
    undecided : tuple[str, ...]
        Columns without a role that somebody could know.
    aside : tuple[str, ...]
        Other columns without a role: texts, which nobody knows word for word, and what nobody outside can know.
    k_wanted : int
        The smallest class that is asked for.
    all_known : Sizes
        The undecided columns beside those decided as known. No decision can come to less.
    decided : Sizes | None
        The columns decided as known alone; None where there is none. No decision can come to more.
    rows : tuple[RowsKnown, ...], default ()
        What is taken to be known of the rows of a person, of which the worst counts; () where every person has one.
    """

    undecided: tuple[str, ...]
    aside: tuple[str, ...]
    k_wanted: int
    all_known: Sizes
    decided: Sizes | None
    rows: tuple[RowsKnown, ...] = ()


def both_ends(
    data: Dataset, k: int, rows: Sequence[RowsKnown] = (ONE,), unknowable: Container[str] = ()
) -> BothEnds | None:
    """Count who shares what is known, with all undecided columns and without them.

    Parameters
    ----------
    data : Dataset
        With the roles that are decided. A column without one is undecided.
    k : int
        The smallest class that is asked for, 1 or more.
    rows : Sequence[RowsKnown], default (ONE,)
        What may be known of the rows of a person, where persons have several; the worst counts.
    unknowable : Container[str], default ()
        Columns that nobody outside can know.

    Returns
    -------
    BothEnds or None
        None where every column that somebody could know is decided.

    Notes
    -----
    A missing value is a value. One who knows more columns has no more peers, so that the two ends hold whatever the
    decisions will be.
    """
    without = undecided(data.columns, data.roles)
    aside = tuple(name for name in without if name in unknowable or is_text(data.held, name))
    left = tuple(name for name in without if name not in aside)
    if not left:
        return None
    known = tuple(data.quasi_identifiers)
    coded = data.coded([*known, *left])
    return BothEnds(
        left, aside, k, _sizes(coded, (*known, *left), k, rows), _sizes(coded, known, k, rows) if known else None,
        tuple(rows) if data.has_several_rows else (),
    )  # fmt: skip


def _sizes(coded: Coded, columns: tuple[str, ...], k: int, rows: Sequence[RowsKnown]) -> Sizes:
    least = np.min([coded.peers(columns, rows_known).least_sizes() for rows_known in rows], axis=0)
    is_counted = coded.counts > 0
    alone, below = (int(coded.counts[is_counted & (least < size)].sum()) for size in (2, k))
    return Sizes(columns, int(least[is_counted].min()) if is_counted.any() else 0, alone, below, coded.n_records)

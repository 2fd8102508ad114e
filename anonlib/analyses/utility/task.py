"""What is to be predicted, from what, and which records are held back when."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from anonlib.analyses.utility.alongside import Alongside, Recoded
from anonlib.basics.errors import InputError
from anonlib.basics.words import count
from anonlib.coarsening.hierarchies import TOP
from anonlib.counting.classes.rows_of_persons import person_of_row

MOST_VALUES = 20
MOST_RECORDS = 50_000
FEWEST_RECORDS = 50


@dataclass(frozen=True, eq=False)
class Task:
    """A column to predict, and the records that take part.

    Attributes
    ----------
    both : Alongside
        Original and release.
    name : str
        The column to predict.
    columns : tuple[str, ...]
        Those to predict it from.
    target : int64 array
        Per record of the original the code of its value, 0 up; -1 where it has none.
    n_values : int
        Values that are distinguished.
    is_recoded : bool
        Whether the release has other labels for them.
    part : int64 array
        Per record of the original the part that it is held back in; -1 where it takes no part.
    in_release : bool array
        Per record of the original, whether it takes part and is in the release with its value.
    """

    both: Alongside
    name: str
    columns: tuple[str, ...]
    target: np.ndarray
    n_values: int
    is_recoded: bool
    part: np.ndarray
    in_release: np.ndarray

    @property
    def takes_part(self) -> np.ndarray:
        """bool, per record of the original."""
        return self.part >= 0

    @property
    def n_known(self) -> int:
        """Records of the original with a known target."""
        return int((self.target >= 0).sum())

    @classmethod
    def of(
        cls,
        both: Alongside,
        name: str,
        columns: Sequence[str] | None,
        parts: int,
        seed: int,
        most: int | None = None,
    ) -> Task:
        """The task, on about ``most`` records where there are more; on 50,000 where left out.

        Raises
        ------
        InputError
            When the column cannot be predicted from these, with the way out.
        """
        _check_leaves(both, name)
        chosen = _chosen(both, name, columns)
        column = both.column(name)
        target, is_recoded = _target(column, both.before(name), name)
        n_values = int(target.max(initial=-1)) + 1
        _check_target(name, n_values, int((target >= 0).sum()), parts)
        person_id = both.original.person_id
        n = both.original.n_records
        person = np.arange(n) if person_id is None else person_of_row(both.original.records[person_id])
        part = parts_of(person, target, parts, MOST_RECORDS if most is None else most, np.random.default_rng(seed))
        in_release = np.zeros(n, dtype=bool)
        in_release[both.rows] = ~column.blank[both.after(name)]
        in_release &= part >= 0
        for held_back in range(parts):
            left = int((in_release & (part != held_back)).sum())
            if left < FEWEST_RECORDS // 2 or not (part == held_back).any():
                raise InputError(
                    f"Too few records with a value of “{name}” are in the release to learn from: leave out fewer, or "
                    "choose another column to predict.",
                    code="too-few-records",
                    column=name,
                )
        return cls(both, name, chosen, target, n_values, is_recoded, part, in_release)


def can_be_predicted(both: Alongside) -> tuple[str, ...]:
    """The columns that a task can be about, in the file's order: they leave, with 2 to 20 labels.

    None where the records stay in a database: models learn from records in memory.

    Parameters
    ----------
    both : Alongside
        Original and release.

    Returns
    -------
    tuple of str
    """
    if not both.in_memory:
        return ()
    labels = {name: both.released.held.values(name) for name in both.leaving}
    return tuple(
        name for name, column_labels in labels.items() if 2 <= int((column_labels != TOP).sum()) <= MOST_VALUES
    )


def parts_of(person: np.ndarray, target: np.ndarray, parts: int, most: int, rng: np.random.Generator) -> np.ndarray:
    """Draw records into parts: all of a person in one, and the values of the target alike in each.

    Parameters
    ----------
    person, target : np.ndarray
        Per record the number of its person, 0 up, and the code of its value; -1 takes no part.
    parts : int
        How many.
    most : int
        Records above which about so many are drawn, persons whole.
    rng : np.random.Generator
        Draws.

    Returns
    -------
    int64 array
        Per record its part; -1 for what takes no part.
    """
    known = np.flatnonzero(target >= 0)
    part = np.full(len(target), -1, dtype=np.int64)
    if not len(known):
        return part
    persons, first, place = np.unique(person[known], return_index=True, return_inverse=True)
    value = target[known][first]  # of a person whose rows differ, that of the first
    by_lot = rng.permutation(len(persons))
    order = by_lot[np.argsort(value[by_lot], kind="stable")]  # by value, and by lot within
    if len(known) > most:
        taken = np.floor(np.arange(len(order) + 1) * (most / len(known)))
        order = order[np.diff(taken) > 0]
    of_person = np.full(len(persons), -1, dtype=np.int64)
    of_person[order] = np.arange(len(order)) % parts
    part[known] = of_person[place]
    return part


def _target(column: Recoded, values: np.ndarray, name: str) -> tuple[np.ndarray, bool]:
    """Per record of the original the code of what is predicted, and whether that is recoded.

    It is the release's label of the value, and the value itself where the release has none of it.
    """
    if not column.has_one_label_each:
        raise InputError(
            f"“{name}” has mixed coarseness, so that one value has several labels in the release: choose another "
            "column to predict, or recode it as a whole.",
            code="column-recoded-part-by-part",
            column=name,
        )
    n_labels = len(column.labels)
    missing = len(column.values)
    label = column.label_of[values]
    known = np.where(label < 0, n_labels + 1 + values, label)
    nothing = (label >= 0) & column.blank[label] | (values == missing) & (label < 0)
    target = np.full(len(values), -1, dtype=np.int64)
    target[~nothing] = np.unique(known[~nothing], return_inverse=True)[1]
    place = {value: i for i, value in enumerate(column.labels.tolist())}
    same = np.array([*(place.get(value, -1) for value in column.values.tolist()), n_labels], dtype=np.int64)
    known_labels = (column.label_of >= 0) & ~column.blank[column.label_of]
    return target, bool((known_labels & (column.label_of != same)).any())


def _check_leaves(both: Alongside, name: str) -> None:
    original = both.original
    if name not in original.columns:
        raise InputError(f"There is no column “{name}” to predict.", code="column-unknown", column=name)
    if name in (original.person_id, original.weight):
        raise InputError(
            f"“{name}” is what persons are counted by: choose a column that says something of them.",
            code="column-counts-persons",
            column=name,
        )
    if name not in both.leaving:
        raise InputError(
            f"“{name}” is not in the release, so nothing can be learnt about it: choose one that is.",
            code="column-not-released",
            column=name,
        )


def _chosen(both: Alongside, name: str, columns: Sequence[str] | None) -> tuple[str, ...]:
    candidates = both.leaving if columns is None else tuple(columns)
    for other in candidates:
        if other != name and other not in both.leaving:
            raise InputError(
                f"“{other}” is not in the release, so nothing can be predicted from it: leave it away.",
                code="column-not-released",
            )
    chosen = tuple(other for other in both.leaving if other in candidates and other != name)
    if not chosen:
        raise InputError(
            f"Choose at least one other column of the release to predict “{name}” from.",
            code="choice-missing",
            column=name,
        )
    return chosen


def _check_target(name: str, n_values: int, n_records: int, parts: int) -> None:
    if n_values > MOST_VALUES:
        raise InputError(
            f"“{name}” has {count(n_values, 'values')}, too many to tell apart: recode it into at most {MOST_VALUES} "
            "groups, or choose another column to predict.",
            code="too-many-values",
            column=name,
        )
    if n_values < 2:
        raise InputError(
            f"“{name}” has the same value for all, so there is nothing to predict: choose another column.",
            code="column-of-one-value",
            column=name,
        )
    if n_records < max(FEWEST_RECORDS, 2 * parts):
        raise InputError(
            f"Only {count(n_records, 'records')} have a value of “{name}”, too few to learn from and to test on: it "
            f"takes {FEWEST_RECORDS}.",
            code="too-few-records",
            column=name,
        )

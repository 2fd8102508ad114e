"""A population table through the same cells as the data: who of it would have which labels.

Steps that recode single cells make labels of several levels, which stand side by side. A person of the population has
the labels that the data's records with the same values have. Others have those of the class that covers their values
and lies below all others that do: a finer part takes who fits into it. Where none lies below all others, a person is
counted nowhere, so that no class has more people than it may.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from anonlib.counting.classes import ClassTable
from anonlib.counting.classes.coding import group

_LEFT_OUT, _NONE_OR_SEVERAL = -1, -2  # for the place of some levels
LabelsAt = Callable[[str, np.ndarray], np.ndarray]
"""The labels of distinct values of a column on each of its levels, levels x (values + 1), those of missing last."""


@dataclass(frozen=True, eq=False)
class CellsOfData:
    """What a step did to data: per class of it whether it stays, and by column the level of its cell.

    Attributes
    ----------
    classes : ClassTable
        The classes of the data by all columns that the step counts by.
    kept : np.ndarray
        bool, a class each.
    levels : Mapping[str, np.ndarray]
        By column that the step recodes, int, a class each.
    """

    classes: ClassTable
    kept: np.ndarray
    levels: Mapping[str, np.ndarray]


def levels_alike(cells: CellsOfData, people: ClassTable, labels_at: LabelsAt) -> dict[str, np.ndarray]:
    """By column that is recoded, the level of each class of people, so that they are in the classes of the data.

    Parameters
    ----------
    cells : CellsOfData
        What was done to the data.
    people : ClassTable
        The classes of the population, missing values among them, by columns that the data's classes have too.
    labels_at : LabelsAt
        The labels of a column on its levels.

    Returns
    -------
    dict
        By column of the people's classes that is recoded, int, a class each; 0 for who is counted nowhere, whose values
        are no class of the release as they are.
    """
    columns = [_Column.of(name, cells, people, labels_at) for name in people.attributes]
    of_data = np.column_stack([column.level for column in columns])
    pattern, first = group(of_data, [len(column.label) for column in columns])
    rows_of, pattern = of_data[first], np.where(cells.kept, pattern, _LEFT_OUT)
    lowest = np.full((len(people.counts), len(columns)), np.iinfo(np.int64).max)
    covered = np.zeros((len(rows_of), len(people.counts)), dtype=bool)
    for i, levels in enumerate(rows_of):
        covered[i] = _covered(columns, levels, pattern == i)
        lowest[covered[i]] = np.minimum(lowest[covered[i]], levels)
    chosen = np.zeros_like(lowest)
    for hit, levels in zip(covered, rows_of, strict=True):
        chosen[hit & (lowest == levels).all(axis=1)] = levels
    of_same_values = _patterns_of_same_values(columns, pattern)
    chosen[of_same_values >= 0] = rows_of[of_same_values[of_same_values >= 0]]
    chosen[of_same_values == _LEFT_OUT] = 0
    return {name: chosen[:, j] for j, name in enumerate(people.attributes) if name in cells.levels}


@dataclass(frozen=True, eq=False)
class _Column:
    """A column of data and people.

    Attributes
    ----------
    level, of_data : np.ndarray
        int, a class of the data each: the level of its cell, and its value.
    of_people : np.ndarray
        int, a class of people each: its value.
    label : np.ndarray
        int, levels x values: which label a value has.
    """

    level: np.ndarray
    of_data: np.ndarray
    of_people: np.ndarray
    label: np.ndarray

    @classmethod
    def of(cls, name: str, cells: CellsOfData, people: ClassTable, labels_at: LabelsAt) -> _Column:
        place, mine = cells.classes.attributes.index(name), people.attributes.index(name)
        texts = [table.categories[j] for table, j in ((cells.classes, place), (people, mine))]
        values = dict.fromkeys(text for table_texts in texts for text in table_texts if text is not None)
        number = {text: i for i, text in enumerate(values)} | {None: len(values)}
        of_data, of_people = (np.array([number[text] for text in table_texts], dtype=np.int64) for table_texts in texts)
        distinct = np.array([*values, None], dtype=object)
        labels = labels_at(name, distinct[:-1]) if name in cells.levels else distinct[None, :]
        codes, _ = pd.factorize(labels.ravel(), use_na_sentinel=False)
        return cls(
            cells.levels.get(name, np.zeros(len(cells.kept), dtype=np.int64)).astype(np.int64),
            of_data[cells.classes.codes[:, place]],
            of_people[people.codes[:, mine]],
            codes.reshape(labels.shape),
        )


def _covered(columns: Sequence[_Column], levels: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """bool, a class of people each: on these levels it has the labels of one of some classes of the data."""
    labels = [column.label[level] for column, level in zip(columns, levels, strict=True)]
    both = [
        np.append(label[column.of_data[rows]], label[column.of_people])
        for column, label in zip(columns, labels, strict=True)
    ]
    ids, _ = group(np.column_stack(both), [int(codes.max(initial=0)) + 1 for codes in both])
    n_data = int(rows.sum())
    return np.isin(ids[n_data:], ids[:n_data])


def _patterns_of_same_values(columns: Sequence[_Column], pattern: np.ndarray) -> np.ndarray:
    """int, a class of people each: the levels of the data's classes with the same values, where these have one."""
    both = [np.append(column.of_data, column.of_people) for column in columns]
    ids, _ = group(np.column_stack(both), [int(codes.max(initial=0)) + 1 for codes in both])
    n_data, n = len(pattern), int(ids.max(initial=-1)) + 1
    least, most = np.full(n, np.iinfo(np.int64).max), np.full(n, np.iinfo(np.int64).min)
    np.minimum.at(least, ids[:n_data], pattern)
    np.maximum.at(most, ids[:n_data], pattern)
    return np.where(least == most, least, _NONE_OR_SEVERAL)[ids[n_data:]]

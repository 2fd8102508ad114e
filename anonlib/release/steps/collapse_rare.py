"""The step that puts together the values of a column that few persons have."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pandas as pd

from anonlib.basics import checks
from anonlib.basics.errors import InputError
from anonlib.coarsening.hierarchies import OTHER, Hierarchy, Holders, all_into, merged_rare
from anonlib.coarsening.recoding import NOTHING, Recoding, named
from anonlib.counting.classes.rows_of_persons import ValueSet
from anonlib.dataset import Dataset
from anonlib.reading.records import Labels
from anonlib.release.steps.of_cells import listed
from anonlib.release.steps.recode import has_blank_label, recoding_from_dict, recoding_to_dict
from anonlib.release.steps.step import (
    LabelsBy,
    OfOneColumn,
    ReachableLevel,
    Scope,
    Stage,
    Step,
    Unseen,
    after,
    along,
    check_column,
)

OR = " or "
"""Between the labels of a level that are one, since values of both are put together."""


@dataclass(frozen=True, eq=False)
class MergeRare(OfOneColumn, Step):
    """Put together the values of a column that fewer than k records (persons) have.

    Which these are is found again from the data that the step is applied to, and a missing value is none of them. The
    label that they get is left to fewer than k only where the whole column is: else one more value joins them.

    Attributes
    ----------
    column : str
        Its name.
    k : int
        How many records (persons) must have each value, 2 or more.
    other : str
        The label of values put together, where there is no hierarchy.
    hierarchy : Hierarchy, optional
        Values are put together at the first of its levels where they reach k, those that it has near first.
    reason : str
        Why.
    level : Recoding, optional
        All values are released as coarse as this, such as in bands of ten; what is put together is one all the same,
        with all bands that it is in. None: values that many have stay as they are.
    """

    column: str
    k: int
    other: str = OTHER
    hierarchy: Hierarchy | None = None
    reason: str = ""
    level: Recoding | None = field(default=None, repr=False)
    kind = "merge_rare"
    stage = Stage.COLUMNS
    gives_way_to = Scope.COLUMN

    @property
    def labels_by(self) -> LabelsBy:
        return "rule" if self.hierarchy is None else "value"

    def __post_init__(self) -> None:
        checks.text(self.column, "The name of the column")
        checks.text(self.reason, "The reason")
        object.__setattr__(self, "k", checks.whole(self.k, "k", 2))
        if not checks.text(self.other, "The label").strip():
            raise InputError("Give the values that are put together a label, such as “other”.", code="label-missing")

    def describe(self) -> str:
        where = f"into “{self.other}”" if self.hierarchy is None else "along its hierarchy"
        if self.level is not None:
            how = self.level.describe()
            return f"Recode {self.column}: {how}; rare values together, those that fewer than {self.k} have, {where}"
        return f"Put rare values of {self.column} together: those that fewer than {self.k} have, {where}"

    def apply(self, dataset: Dataset) -> Dataset:
        check_column(dataset, self.column)
        if self.column in (dataset.person_id, dataset.weight):
            raise InputError(
                f"“{self.column}” is what persons are counted by and cannot be merged. Drop it instead.",
                code="column-counts-persons",
                column=self.column,
            )
        values = dataset.held.values(self.column)
        labels = Labels.as_they_come(values, self.labels(dataset))
        return dataset.recoded(self.column, labels, self._prepared)

    @property
    def _prepared(self) -> str:
        """Names the step among what was done to the data, which decides the order of released rows.

        The same for the step that is read from its saved form, and without a level as earlier versions wrote it.
        """
        saved = self if self.hierarchy is None else replace(self, hierarchy=self.hierarchy.as_saved)
        return repr(saved) if self.level is None else f"{saved!r}{self.level!r}"

    def labels(self, dataset: Dataset) -> np.ndarray:
        """What each value of the column becomes. A blank label is a missing one.

        Parameters
        ----------
        dataset : Dataset
            The data that the step is applied to.

        Returns
        -------
        np.ndarray
        """
        values = dataset.held.values(self.column)
        levels = (self.hierarchy or all_into(self.other)).on(values, self.column)
        merged = merged_rare(levels, holders_of(dataset, self.column, values), self.k)
        return merged if self.level is None else _joined(merged, Hierarchy((self.level,)).on(values).label(1))

    def labels_of(self, column: str, values: np.ndarray, before: Dataset | None = None) -> np.ndarray | None:
        # What few have is found in the data. A value that is not in these has no label.
        if before is None:
            return None
        label_of = dict(zip(before.held.values(self.column).tolist(), self.labels(before).tolist(), strict=True))
        return np.array([*(label_of.get(value) for value in values), None], dtype=object)[:-1]

    def levels(self, column: str, ways: Sequence[ReachableLevel]) -> list[ReachableLevel]:
        if self.level is not None:
            level = Hierarchy((self.level,))
            return [after(way, self.level.describe(), lambda labels: _on(level, labels)) for way in ways]
        if self.hierarchy is not None:
            return [coarser for way in ways for coarser in along(way, self.hierarchy, column)]
        together = np.full(len(ways[0].labels), self.other, dtype=object)
        return [*ways, ReachableLevel("rare values together", together, is_whole=False)]

    def can_blank(self, column: str) -> bool:
        levels = () if self.hierarchy is None else self.hierarchy.recodings
        return any(has_blank_label(level) for level in (*levels, self.level) if level is not None)

    def value_tables(self, before: Dataset, after: Dataset) -> list[tuple[str, pd.DataFrame]]:
        counts = before.held.counts_of(self.column)
        table = pd.DataFrame(
            {"value": counts.values, "released as": self.labels(before), "records": counts.records}, dtype=object
        )
        return [(self.column, table[table["records"] > 0].reset_index(drop=True).astype({"records": np.int64}))]

    def unseen(self, before: Dataset) -> tuple[Unseen, ...]:
        """None: what is rare is found in the data itself, and a hierarchy that does not cover them is refused.

        Parameters
        ----------
        before : Dataset
            The data as the steps before leave them.

        Returns
        -------
        tuple[Unseen, ...]
        """
        return ()

    @property
    def n_named(self) -> int:
        along = 0 if self.hierarchy is None else self.hierarchy.n_named
        return along if self.level is None else along + named(self.level)

    def without_named(self, may_tell: Callable[[str], bool]) -> MergeRare:
        if may_tell(self.column) or not self.n_named:
            return self
        return replace(self, hierarchy=Hierarchy((NOTHING,)), level=None)

    @property
    def emptied(self) -> tuple[str, ...]:
        return (self.column,) if self.hierarchy is not None and NOTHING in self.hierarchy.recodings else ()

    def apply_to_population(self, population: Dataset, alongside: Dataset | None = None) -> Dataset:
        """Which values are rare depends on the file: of people it is not known what they would be released as.

        Parameters
        ----------
        population : Dataset
            The population table.
        alongside : Dataset, optional
            The data that the step is applied to, where they are at hand.

        Returns
        -------
        Dataset
        """
        if self.column not in population.columns:
            return population
        raise InputError(
            "A population table cannot be recoded by which values are rare in the file.",
            code="population-not-recodable",
        )

    def to_dict(self) -> dict[str, Any]:
        levels = None if self.hierarchy is None else [recoding_to_dict(level) for level in self.hierarchy.recodings]
        return {
            "kind": self.kind, "column": self.column, "k": self.k, "other": self.other, "levels": levels,
            "reason": self.reason, **({} if self.level is None else {"level": recoding_to_dict(self.level)}),
        }  # fmt: skip

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> MergeRare:
        levels = values.get("levels")
        ways = None if levels is None else listed(levels, "levels of a hierarchy")
        hierarchy = None if ways is None else Hierarchy(tuple(recoding_from_dict(level) for level in ways))
        level = values.get("level")  # which no step had that an earlier version wrote
        return cls(
            values["column"], values["k"], values.get("other", OTHER), hierarchy, values.get("reason", ""),
            None if level is None else recoding_from_dict(level),
        )  # fmt: skip


def _on(level: Hierarchy, labels: np.ndarray) -> np.ndarray:
    """Labels on the one level of a hierarchy; the last one, which is missing, stays so."""
    return np.append(level.on(labels[:-1]).label(1), [None])


def _joined(merged: np.ndarray, coarse: np.ndarray) -> np.ndarray:
    """Labels of values that are one where they are so on either of two levels, named by the coarse ones that join.

    Parameters
    ----------
    merged, coarse : np.ndarray
        object arrays, one item a value.

    Returns
    -------
    np.ndarray
        object array; None where all that join are missing.
    """
    onto = {label: label for label in coarse.tolist()}

    def last(label: str | None) -> str | None:
        while onto[label] != label:
            label = onto[label]
        return label

    first = dict[str | None, str | None]()
    for fine, label in zip(merged.tolist(), coarse.tolist(), strict=True):
        onto[last(label)] = last(first.setdefault(fine, label))
    joining = dict[str | None, list[str]]()
    for label in onto:
        joining.setdefault(last(label), []).extend([] if label is None else [label])
    labels = np.empty(len(coarse), dtype=object)
    labels[:] = [OR.join(joining[last(label)]) or None for label in coarse.tolist()]
    return labels


def holders_of(dataset: Dataset, column: str, values: np.ndarray) -> Holders:
    """Who has each value: persons, where they are counted, else records.

    Parameters
    ----------
    dataset : Dataset
        The data.
    column : str
        One of its columns.
    values : np.ndarray
        The distinct values of the column.

    Returns
    -------
    Holders
    """
    classes = dataset.with_counted().with_missing("category").classes([column])
    place = {value: i for i, value in enumerate(values.tolist())}
    pairs: list[tuple[int, int]] = []
    for group, value in enumerate(classes.column(column).tolist()):
        members = value.members if isinstance(value, ValueSet) else () if value is None else (value,)
        pairs += [(place[member], group) for member in members]
    pair_array = np.array(pairs, dtype=np.intp).reshape(-1, 2)
    return Holders(pair_array[:, 0], pair_array[:, 1], classes.counts)

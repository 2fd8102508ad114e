"""The step that puts together the values of a column that few persons have."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from anonlib.basics import checks
from anonlib.basics.errors import InputError
from anonlib.coarsening.hierarchies import OTHER, Hierarchy, Holders, all_into, merged_rare
from anonlib.coarsening.recoding import NOTHING
from anonlib.counting.classes.persons import ValueSet
from anonlib.dataset import Dataset
from anonlib.reading.records import Labels
from anonlib.release.steps.demands import listed
from anonlib.release.steps.recode import recoding_from_dict, recoding_to_dict
from anonlib.release.steps.step import OfOneColumn, Scope, Stage, Step, Unseen, check_column


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
    """

    column: str
    k: int
    other: str = OTHER
    hierarchy: Hierarchy | None = None
    reason: str = ""
    kind = "merge_rare"
    stage = Stage.COLUMNS
    gives_way_to = Scope.COLUMN

    def __post_init__(self) -> None:
        checks.text(self.column, "The name of the column")
        checks.text(self.reason, "The reason")
        object.__setattr__(self, "k", checks.whole(self.k, "k", 2))
        if not checks.text(self.other, "The label").strip():
            raise InputError("Give the values that are put together a label, such as “other”.", code="label-missing")

    def describe(self) -> str:
        where = f"into “{self.other}”" if self.hierarchy is None else "along its hierarchy"
        return f"Merge values of {self.column} that fewer than {self.k} have {where}"

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
        return dataset.recoded(self.column, labels, repr(self))

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
        return merged_rare(levels, _holders(dataset, self.column, values), self.k)

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
        return 0 if self.hierarchy is None else self.hierarchy.n_named

    def without_named(self, may_tell: Callable[[str], bool]) -> MergeRare:
        if may_tell(self.column) or not self.n_named:
            return self
        return replace(self, hierarchy=Hierarchy((NOTHING,)))

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
            "reason": self.reason,
        }  # fmt: skip

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> MergeRare:
        levels = values.get("levels")
        ways = None if levels is None else listed(levels, "levels of a hierarchy")
        hierarchy = None if ways is None else Hierarchy(tuple(recoding_from_dict(level) for level in ways))
        return cls(values["column"], values["k"], values.get("other", OTHER), hierarchy, values.get("reason", ""))


def _holders(dataset: Dataset, column: str, values: np.ndarray) -> Holders:
    """Who has each value: persons, where they are counted, else records."""
    classes = dataset.with_counted().with_missing("category").classes([column])
    place = {value: i for i, value in enumerate(values.tolist())}
    pairs: list[tuple[int, int]] = []
    for group, value in enumerate(classes.column(column).tolist()):
        members = value.members if isinstance(value, ValueSet) else () if value is None else (value,)
        pairs += [(place[member], group) for member in members]
    found = np.array(pairs, dtype=np.intp).reshape(-1, 2)
    return Holders(found[:, 0], found[:, 1], classes.counts)

"""What steps share that recode single cells, only as many as guarantees take."""

from __future__ import annotations

from collections.abc import Collection
from typing import cast

import pandas as pd

from anonlib.basics.errors import InputError
from anonlib.basics.words import count
from anonlib.counting.classes import ClassTable
from anonlib.counting.guarantees import Guarantee, columns_of
from anonlib.dataset import Dataset
from anonlib.reading.records.names import unused_name
from anonlib.release.steps.demands import guarantee_in_words
from anonlib.release.steps.step import Step, check_column

_MOST_LISTED = 4  # columns named one by one


class OfCells:
    """What a step says of itself that recodes cells of some columns so that its field ``guarantees`` holds.

    It has ``column_weights``: how much columns matter, 0 to 3; those that are not named have 1.
    """

    guarantees: tuple[Guarantee, ...]
    column_weights: tuple[tuple[str, float], ...]

    @property
    def recodes(self) -> tuple[str, ...]:
        raise NotImplementedError

    @property
    def known(self) -> set[str]:
        """The columns that guarantees take to be known."""
        return {name for guarantee in self.guarantees for name in guarantee.columns}

    @property
    def columns(self) -> tuple[str, ...]:
        return columns_of(self.guarantees)

    def without(self, columns: Collection[str]) -> Step | None:
        """Nothing where a column whose cells it recodes, or without any one that it counts by, is decided again."""
        return None if set(self.recodes or self.known) & set(columns) else cast(Step, self)

    # ---- in words ----

    @property
    def named(self) -> str:
        """The columns whose cells it recodes; how many where they are many."""
        return ", ".join(self.recodes) if len(self.recodes) <= _MOST_LISTED else count(len(self.recodes), "columns")

    @property
    def asked_in_words(self) -> str:
        """Its guarantees, behind a colon."""
        called = "these" if len(self.recodes) > _MOST_LISTED else ""
        return ": " + "; ".join(self._asked(each, called) for each in self.guarantees)

    def _asked(self, guarantee: Guarantee, columns: str) -> str:
        """A guarantee in words; the columns that are recoded, where it is of just these, as they are called."""
        in_full = guarantee_in_words(guarantee)
        if not columns or set(guarantee.columns) != set(self.recodes):
            return in_full
        return in_full.replace(", ".join(guarantee.columns), columns)

    @property
    def weights_in_words(self) -> str:
        """Its weights in brackets; empty where there are none."""
        weights = ", ".join(f"{name} {weight:g}" for name, weight in self.column_weights)
        return f" (weights: {weights})" if weights else ""

    # ---- what it did ----

    def value_tables(self, before: Dataset, after: Dataset) -> list[tuple[str, pd.DataFrame]]:
        """As of every step; one value can have several labels."""
        old = {name: unused_name(f"{name} before", before.held.columns) for name in self.recodes}
        both = after.with_columns_of(before, old)
        tables = []
        for name in self.recodes:
            counted = ClassTable.from_records(both.held, [old[name], name]).to_frame("records")
            counted.columns = pd.Index(["value", "released as", "records"])
            tables.append((name, counted))
        return tables

    def counted_classes(self, dataset: Dataset) -> ClassTable:
        """The classes of the columns that guarantees name.

        Raises InputError where a column to recode is what persons are counted by, and where there are no records.
        """
        for name in self.recodes:
            if name in (dataset.person_id, dataset.weight):
                raise InputError(f"“{name}” is what persons are counted by and cannot be generalized. Drop it instead.")
        classes = classes_of(dataset, self.guarantees)
        if not classes.n_records:
            raise InputError("There are no records to generalize.")
        return classes


def classes_of(dataset: Dataset, guarantees: tuple[Guarantee, ...]) -> ClassTable:
    """The classes of the columns that guarantees name; a missing value is a value of its own."""
    names = columns_of(guarantees)
    for name in names:
        check_column(dataset, name)
    # In the file's order, as the search has them: which of two columns is split first depends on it.
    return dataset.with_missing("category").classes([name for name in dataset.columns if name in names])

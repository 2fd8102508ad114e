"""What steps share that recode single cells, only as many as guarantees take."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

import numpy as np
import pandas as pd

from anonlib.basics.errors import InputError
from anonlib.basics.words import count
from anonlib.counting.classes import ClassTable
from anonlib.counting.privacy_models import KAnonymity, PrivacyModel, columns_of
from anonlib.dataset import Dataset
from anonlib.reading.records import CellLabels
from anonlib.reading.records.names import unused_name
from anonlib.release.steps.demands import guarantee_in_words
from anonlib.release.steps.of_population import CellsOfData, levels_alike
from anonlib.release.steps.step import Step, check_column

_MOST_LISTED = 4  # columns named one by one
_COLUMNS = "\0"  # where those of several guarantees are to stand


class OfCells:
    """What a step says of itself that recodes cells of some columns so that its field ``guarantees`` holds.

    It has ``column_weights``: how much columns matter, 0 to 3; those that are not named have 1.
    """

    guarantees: tuple[PrivacyModel, ...]
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
        """Its guarantees, behind a colon, without those that others imply."""
        asked = [each for each in self.guarantees if not any(_is_implied(each, other) for other in self.guarantees)]
        beside = _with_one_more(asked)
        texts = [self._asked(each) for each in asked if each not in beside]
        for like, names in _grouped(beside).items():
            text = guarantee_in_words(replace(like, columns=(_COLUMNS,)))
            texts.append(text.replace(_COLUMNS, f"{self._called(beside[like].columns)} and any one of {names}"))
        return ": " + _named_once("; ".join(texts), {self._called(each.columns) for each in asked})

    def _asked(self, guarantee: PrivacyModel) -> str:
        """A guarantee in words, its columns as they are called."""
        return guarantee_in_words(guarantee).replace(", ".join(guarantee.columns), self._called(guarantee.columns))

    def _called(self, columns: tuple[str, ...]) -> str:
        """Columns by name; many by which of those that are recoded they are not."""
        left = [name for name in self.recodes if name not in columns]
        beyond = [name for name in columns if name not in self.recodes]
        if len(self.recodes) <= _MOST_LISTED or len(left) + len(beyond) >= len(columns):
            return ", ".join(columns)
        return "these" + (f" but {', '.join(left)}" if left else "") + (f" with {', '.join(beyond)}" if beyond else "")

    @property
    def weights_in_words(self) -> str:
        """Its weights in brackets; empty where there are none."""
        weights = ", ".join(f"{name} {weight:g}" for name, weight in self.column_weights)
        return f" (weights: {weights})" if weights else ""

    # ---- what it does ----

    def labels_of(self, column: str, values: np.ndarray, before: Dataset | None = None) -> None:
        """None: it recodes cell by cell."""

    def cells_of(self, dataset: Dataset) -> CellsOfData:
        """What becomes of the classes of a data set of which each record counts; InputError where nothing does."""
        raise NotImplementedError

    def labels_at(self, name: str, values: np.ndarray) -> np.ndarray:
        """The labels of distinct values of a column on each level, levels x (values + 1); those of missing last."""
        raise NotImplementedError

    def labelled(self, dataset: Dataset, prepared: str) -> Dataset:
        """The data set, of which each record counts, with the labels that its classes get, without those left out."""
        found = self.cells_of(dataset)
        cells = {name: self._cells(dataset, name, level) for name, level in found.levels.items()}
        return dataset.labelled(found.classes, found.kept, prepared, cells)

    def labelled_alike(self, population: Dataset, alongside: Dataset, prepared: str) -> Dataset:
        """A population table with the labels that its people would have in the release of the data.

        Raises
        ------
        InputError
            Where the table has none of the columns that are recoded.
        """
        found = self.cells_of(alongside.with_counted())
        names = [name for name in found.classes.attributes if name in population.columns and name in self.known]
        if not set(names) & found.levels.keys():
            raise InputError(
                "The population table has none of the columns that are recoded.", code="population-lacks-columns"
            )
        people = population.with_missing("category").classes(names)
        levels = levels_alike(found, people, self.labels_at)
        cells = {name: self._cells(population, name, level) for name, level in levels.items()}
        return population.labelled(people, np.ones(len(people.counts), dtype=bool), prepared, cells)

    def _cells(self, dataset: Dataset, name: str, level: np.ndarray) -> CellLabels:
        values = dataset.held.values(name)
        return CellLabels(values, level, self.labels_at(name, values))

    # ---- what it did ----

    def value_tables(self, before: Dataset, after: Dataset) -> list[tuple[str, pd.DataFrame]]:
        """As of every step; one value can have several labels."""
        return cells_before_and_after(self.recodes, before, after)

    def counted_classes(self, dataset: Dataset) -> ClassTable:
        """The classes of the columns that guarantees name.

        Raises
        ------
        InputError
            Where a column to recode is what persons are counted by, and where there are no records.
        """
        for name in self.recodes:
            if name in (dataset.person_id, dataset.weight):
                raise InputError(
                    f"“{name}” is what persons are counted by and cannot be generalized. Drop it instead.",
                    code="column-counts-persons",
                    column=name,
                )
        classes = classes_of(dataset, self.guarantees)
        if not classes.n_records:
            raise InputError("There are no records to generalize.", code="no-records")
        return classes


def cells_before_and_after(names: Sequence[str], before: Dataset, after: Dataset) -> list[tuple[str, pd.DataFrame]]:
    """As :meth:`Step.value_tables`, counted on the records; one value can have several labels."""
    old = {name: unused_name(f"{name} before", before.held.columns) for name in names}
    both = after.with_columns_of(before, old)
    tables = []
    for name in names:
        counted = ClassTable.from_records(both.held, [old[name], name]).to_frame("records")
        counted.columns = pd.Index(["value", "released as", "records"])
        tables.append((name, counted))
    return tables


def classes_of(dataset: Dataset, guarantees: tuple[PrivacyModel, ...]) -> ClassTable:
    """The classes of the columns that guarantees name; a missing value is a value of its own."""
    names = columns_of(guarantees)
    for name in names:
        check_column(dataset, name)
    # In the file's order, as the search has them: which of two columns is split first depends on it.
    return dataset.with_missing("category").classes([name for name in dataset.columns if name in names])


def _named_once(text: str, called: Collection[str]) -> str:
    """The text with what many columns are called where they come first, and “the same” after."""
    for columns in sorted((each for each in called if " but " in each or " with " in each), key=len, reverse=True):
        first = text.find(columns) + len(columns)
        text = text[:first] + text[first:].replace(columns, "the same")
    return text


def _is_implied(guarantee: PrivacyModel, other: PrivacyModel) -> bool:
    """Whether as many of the same columns are asked for by another one, for as many records or more."""
    if guarantee == other or not isinstance(guarantee, KAnonymity) or not isinstance(other, KAnonymity):
        return False
    return replace(guarantee, least=other.least, share=other.share) == other and (
        guarantee.least <= other.least and guarantee.share >= other.share
    )


def _with_one_more(guarantees: Sequence[PrivacyModel]) -> dict[PrivacyModel, KAnonymity]:
    """Of how many share columns those that are of the columns of another one and one more, each with that other one."""
    shared = [each for each in guarantees if isinstance(each, KAnonymity)]
    return {
        each: base
        for each in shared
        for base in shared
        if len(base.columns) > _MOST_LISTED and each.columns[:-1] == base.columns
    }


def _grouped(beside: Mapping[PrivacyModel, KAnonymity]) -> dict[PrivacyModel, str]:
    """The first of those that differ in the one more column alone, with all these columns."""
    alike = dict[tuple[Any, ...], list[PrivacyModel]]()
    for each, base in beside.items():
        alike.setdefault((replace(each, columns=()), base), []).append(each)
    return {several[0]: ", ".join(each.columns[-1] for each in several) for several in alike.values()}

"""The steps a recipe is made of. Each is a frozen value that turns one data set into another.

A new kind of step is a frozen dataclass of :class:`Step` with its own ``kind``, what the class leaves open and, where
it replaces values, ``recodes`` and ``value_tables``; it is named in ``recipe.STEP_KINDS``, and has a form in
``ui/step_builder.py``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, ClassVar, Protocol

import numpy as np
import pandas as pd

from anonlib import checks
from anonlib.dataset import Dataset
from anonlib.errors import InputError
from anonlib.recoding import DateUnit, Intervals, Mask, Recoding, ValueMap, label_of_missing, untouched
from anonlib.values import Values

_RECODINGS: dict[str, Any] = {"intervals": Intervals, "mask": Mask, "mapping": ValueMap, "date": DateUnit}


class Step(Protocol):
    """One change to the original, with the reason an officer gives for it."""

    kind: ClassVar[str]

    @property
    def reason(self) -> str: ...

    def describe(self) -> str:
        """The step in words, without its reason."""

    def apply(self, dataset: Dataset) -> Dataset:
        """The data set after the step. Raises InputError when the step does not fit the data."""

    def apply_to_population(self, population: Dataset) -> Dataset:
        """The same change to a population table, so that both stay comparable."""

    @property
    def recodes(self) -> tuple[str, ...]:
        """The columns whose values the step replaces."""
        return ()

    def value_tables(self, before: Dataset, after: Dataset) -> list[tuple[str, pd.DataFrame]]:
        """By column that the step recodes, what its values became: ``value``, ``released as``, ``records``.

        One row a pair that occurs, missing as None. ``after`` is what :meth:`apply` made of ``before``.
        """
        return []

    def not_recoded(self, before: Dataset) -> int:
        """Distinct values that the step's way of recoding does not apply to, left as they are."""
        return 0

    def to_dict(self) -> dict[str, Any]:
        """The step as plain values for JSON."""

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Step: ...


@dataclass(frozen=True)
class DropColumns(Step):
    """Leave columns out."""

    columns: tuple[str, ...]
    reason: str = ""
    kind: ClassVar[str] = "drop_columns"

    def __post_init__(self) -> None:
        if isinstance(self.columns, str) or not self.columns:
            raise InputError("Name at least one column to drop, in a list.")
        columns = tuple(checks.text(column, "The name of a column") for column in self.columns)
        object.__setattr__(self, "columns", columns)
        checks.text(self.reason, "The reason")

    def describe(self) -> str:
        return "Drop " + ", ".join(self.columns)

    def apply(self, dataset: Dataset) -> Dataset:
        for column in self.columns:
            check_column(dataset, column)
        return dataset.without_columns(self.columns)

    def apply_to_population(self, population: Dataset) -> Dataset:
        present = [column for column in self.columns if column in population.columns]
        return population.without_columns(present)

    def to_dict(self) -> dict[str, Any]:
        return {"kind": self.kind, "columns": list(self.columns), "reason": self.reason}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> DropColumns:
        if not isinstance(values["columns"], list):
            raise InputError("The columns to drop must be a list.")
        return cls(tuple(values["columns"]), values.get("reason", ""))


@dataclass(frozen=True)
class Recode(Step):
    """Replace the values of a column by coarser labels."""

    column: str
    recoding: Recoding
    reason: str = ""
    kind: ClassVar[str] = "recode"

    def __post_init__(self) -> None:
        checks.text(self.column, "The name of the column")
        checks.text(self.reason, "The reason")

    def describe(self) -> str:
        return f"Recode {self.column}: {self.recoding.describe()}"

    def apply(self, dataset: Dataset) -> Dataset:
        check_column(dataset, self.column)
        frame = dataset.records
        if self.column in (dataset.person_id, dataset.weight):
            raise InputError(f"“{self.column}” is what persons are counted by and cannot be recoded. Drop it instead.")
        values = frame[self.column].cat.categories
        if len(values) and untouched(self.recoding, values).all():
            what = {Intervals: "number", DateUnit: "date"}.get(type(self.recoding), "value the recoding names")
            raise InputError(
                f"No value of “{self.column}” is a {what}, so this recoding changes nothing. Choose another."
            )
        return dataset.with_frame(frame.assign(**{self.column: self.recoded(frame[self.column])}), repr(self))

    def labels(self, values: Values) -> np.ndarray:
        """What each value is released as. A blank label is a missing one, as it is when the file is read again."""
        labels = self.recoding.labels(values)
        blank = [label is not None and not label.strip() for label in labels]
        labels[blank] = None
        return labels

    def recoded(self, column: pd.Series) -> pd.Categorical:
        """The column's labels, in the order of the values they come from."""
        given = column.cat.codes.to_numpy()
        missing = label_of_missing(self.recoding) if (given < 0).any() else None
        codes, distinct = pd.factorize(np.append(self.labels(column.cat.categories), [missing]), use_na_sentinel=True)
        new_codes = codes[given]  # -1, missing, is the last one
        return pd.Categorical.from_codes(new_codes, categories=pd.Index(distinct, dtype=object))

    def value_table(self, dataset: Dataset) -> pd.DataFrame:
        """What each value becomes: ``value``, ``released as`` and ``records``, one row a value that occurs.

        Missing values, where they get a label, are the last row, with None as ``value``.
        """
        check_column(dataset, self.column)
        column = dataset.records[self.column]
        values = column.cat.categories
        codes = column.cat.codes.to_numpy()
        records = np.bincount(codes[codes >= 0], minlength=len(values))
        table = pd.DataFrame({"value": values, "released as": self.labels(values), "records": records})
        label = label_of_missing(self.recoding)
        if label is not None:
            table.loc[len(table)] = [None, label, int((codes < 0).sum())]
        return table[table["records"] > 0].reset_index(drop=True)

    @property
    def recodes(self) -> tuple[str, ...]:
        return (self.column,)

    def value_tables(self, before: Dataset, after: Dataset) -> list[tuple[str, pd.DataFrame]]:
        return [(self.column, self.value_table(before))]

    def not_recoded(self, before: Dataset) -> int:
        return int(untouched(self.recoding, before.records[self.column].cat.categories).sum())

    def apply_to_population(self, population: Dataset) -> Dataset:
        return self.apply(population) if self.column in population.columns else population

    def to_dict(self) -> dict[str, Any]:
        recoding = recoding_to_dict(self.recoding)
        return {"kind": self.kind, "column": self.column, "recoding": recoding, "reason": self.reason}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Recode:
        return cls(values["column"], recoding_from_dict(values["recoding"]), values.get("reason", ""))


@dataclass(frozen=True)
class Suppress(Step):
    """Leave out every record (every person) in a class of quasi-identifiers smaller than k."""

    k: int
    reason: str = ""
    kind: ClassVar[str] = "suppress"

    def __post_init__(self) -> None:
        object.__setattr__(self, "k", checks.whole(self.k, "k", 1))
        checks.text(self.reason, "The reason")

    def describe(self) -> str:
        return f"Suppress records in classes below {self.k}"

    def apply(self, dataset: Dataset) -> Dataset:
        kept = dataset.classes(dataset.quasi_identifiers).size_of_record >= self.k
        return keep_records(dataset, kept, repr(self))

    def apply_to_population(self, population: Dataset) -> Dataset:
        return population

    def to_dict(self) -> dict[str, Any]:
        return {"kind": self.kind, "k": self.k, "reason": self.reason}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Suppress:
        return cls(values["k"], values.get("reason", ""))


def keep_records(dataset: Dataset, kept: np.ndarray, what: str) -> Dataset:
    """The data set with the records kept (bool, per record); values that no longer occur are forgotten."""
    frame = dataset.records.loc[kept].reset_index(drop=True)
    tidy = pd.DataFrame({name: frame[name].cat.remove_unused_categories() for name in frame.columns}, index=frame.index)
    return dataset.with_frame(tidy, what)


def recoding_to_dict(recoding: Recoding) -> dict[str, Any]:
    """A way of recoding as plain values for JSON."""
    name = next(name for name, way in _RECODINGS.items() if isinstance(recoding, way))
    return {"kind": name, **asdict(recoding)}


def recoding_from_dict(values: Mapping[str, Any]) -> Recoding:
    fields = dict(values)
    way = _RECODINGS[fields.pop("kind")]
    if "labels_of" in fields:
        fields["labels_of"] = tuple(tuple(pair) for pair in fields["labels_of"])
    return way(**fields)


def check_column(dataset: Dataset, column: str) -> None:
    """Raises InputError when a step names a column that is not there."""
    if column not in dataset.columns:
        raise InputError(f"There is no column “{column}” here: an earlier step dropped it, or this file has none.")

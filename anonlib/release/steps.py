"""The steps a recipe is made of. Each is a frozen value that turns one data set into another.

A new kind of step is a frozen dataclass of :class:`Step` with its own ``kind``, what the class leaves open and, where
it replaces values, ``recodes`` and ``value_tables``; it is named in ``recipe.STEP_KINDS``, and has a form in
``pages/release/release/step_builder.py``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, ClassVar, Literal, Protocol, cast, get_args

import numpy as np
import pandas as pd

from anonlib import checks
from anonlib.dataset import Dataset
from anonlib.errors import InputError
from anonlib.hierarchies import TOP
from anonlib.recoding import DateUnit, Intervals, Mask, Recoding, ValueMap, label_of_missing, untouched
from anonlib.values import Values

_RECODINGS: dict[str, Any] = {"intervals": Intervals, "mask": Mask, "mapping": ValueMap, "date": DateUnit}


Decision = Literal["nearest", "star", "leave_out", "keep"]
"""What becomes of values that a recoding does not cover: the label of the nearest value that it does, ``*``, their
records left out, or released as they are."""
Others = Literal["ask", "nearest", "star", "leave_out"]
OTHERS: tuple[Others, ...] = get_args(Others)
_OF_OTHERS: dict[Others, str] = {
    "ask": "",
    "nearest": "; other values to the nearest",
    "star": f"; other values to {TOP}",
    "leave_out": "; records with other values left out",
}


@dataclass(frozen=True)
class Unseen:
    """Values of a column that a step does not cover and did not know.

    Attributes
    ----------
    column : its name.
    values : the distinct values, in the column's order.
    records : how many records have one.
    """

    column: str
    values: tuple[str, ...]
    records: int


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
        """Distinct values that the step's way of recoding does not apply to, left as they are knowingly."""
        return 0

    def unseen(self, before: Dataset) -> tuple[Unseen, ...]:
        """Values that the step does not cover, that were not there when it was made and that nobody decided on."""
        return ()

    def decisions(self, unseen: Unseen) -> tuple[Decision, ...]:
        """What can become of these values."""
        return ()

    def decided(self, unseen: Unseen, decision: Decision) -> Step:
        """The step with a decision on these values."""
        return self

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
    """Replace the values of a column by coarser labels.

    ``kept`` are values that the recoding does not cover and that are released as they are, since they were there when
    the step was made (:meth:`knowing`) or somebody decided so. ``others`` says what becomes of further ones, such as
    those of next year's file: the label of the nearest value that is covered, ``*``, or their records left out. With
    "ask", and where no value is nearest, they stay as they are, :meth:`unseen` names them, and no file leaves.
    """

    column: str
    recoding: Recoding
    reason: str = ""
    others: Others = "ask"
    kept: tuple[str, ...] = ()
    kind: ClassVar[str] = "recode"

    def __post_init__(self) -> None:
        checks.text(self.column, "The name of the column")
        checks.text(self.reason, "The reason")
        if self.others not in OTHERS:
            raise InputError("What becomes of values that a step does not know is one of: " + ", ".join(OTHERS) + ".")
        object.__setattr__(self, "kept", tuple(checks.text(value, "Each value kept") for value in self.kept))

    def knowing(self, dataset: Dataset) -> Recode:
        """The step made for this data: values there that the recoding does not cover are kept as they are."""
        check_column(dataset, self.column)
        values = dataset.records[self.column].cat.categories
        return replace(self, kept=tuple(values[untouched(self.recoding, values)]))

    def describe(self) -> str:
        return f"Recode {self.column}: {self.recoding.describe()}" + _OF_OTHERS[self.others]

    def apply(self, dataset: Dataset) -> Dataset:
        check_column(dataset, self.column)
        frame = dataset.records
        if self.column in (dataset.person_id, dataset.weight):
            raise InputError(f"“{self.column}” is what persons are counted by and cannot be recoded. Drop it instead.")
        column = frame[self.column]
        values = column.cat.categories
        if self.others == "ask" and len(values) and untouched(self.recoding, values).all():
            what = {Intervals: "number", DateUnit: "date"}.get(type(self.recoding), "value the recoding names")
            raise InputError(
                f"No value of “{self.column}” is a {what}, so this recoding changes nothing. Choose another."
            )
        after = dataset.with_frame(frame.assign(**{self.column: self.recoded(column)}), repr(self))
        gone = self._left_out(values)
        return keep_records(after, ~np.append(gone, False)[column.cat.codes], "") if gone.any() else after

    def labels(self, values: Values) -> np.ndarray:
        """What each value is released as. A blank label is a missing one, as it is when the file is read again."""
        labels = self.recoding.labels(values)
        others = np.flatnonzero(self._others(values)) if self.others != "ask" else np.zeros(0, dtype=np.intp)
        if self.others == "nearest" and isinstance(self.recoding, ValueMap):
            label_of = dict(self.recoding.labels_of)
            for i, nearest in zip(others, self._nearest(np.asarray(values, dtype=object)[others]), strict=True):
                labels[i] = labels[i] if nearest is None else label_of[nearest]
        elif self.others in ("star", "leave_out"):
            labels[others] = TOP if self.others == "star" else None
        blank = [label is not None and not label.strip() for label in labels]
        labels[blank] = None
        return labels

    def _others(self, values: Values) -> np.ndarray:
        """bool per value: the recoding does not cover it and it is not kept knowingly."""
        others = untouched(self.recoding, values)
        kept = set(self.kept)
        return others & np.array([value not in kept for value in values], dtype=bool) if others.any() else others

    def _left_out(self, values: Values) -> np.ndarray:
        return self._others(values) if self.others == "leave_out" else np.zeros(len(values), dtype=bool)

    def recoded(self, column: pd.Series) -> pd.Categorical:
        """The column's labels, in the order of the values they come from."""
        given = column.cat.codes.to_numpy()
        missing = label_of_missing(self.recoding) if (given < 0).any() else None
        codes, distinct = pd.factorize(np.append(self.labels(column.cat.categories), [missing]), use_na_sentinel=True)
        new_codes = codes[given]  # -1, missing, is the last one
        return pd.Categorical.from_codes(new_codes, categories=pd.Index(distinct, dtype=object))

    def value_table(self, dataset: Dataset) -> pd.DataFrame:
        """What each value becomes: ``value``, ``released as`` and ``records``, one row a value that occurs.

        Missing values, where they get a label, are the last row, with None as ``value``. Values whose records the step
        leaves out have no row.
        """
        check_column(dataset, self.column)
        column = dataset.records[self.column]
        values = column.cat.categories
        codes = column.cat.codes.to_numpy()
        records = np.bincount(codes[codes >= 0], minlength=len(values))
        records[self._left_out(values)] = 0
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
        if not self.kept:
            return 0
        values = before.records[self.column].cat.categories
        return int((untouched(self.recoding, values) & np.isin(values, self.kept)).sum())

    def unseen(self, before: Dataset) -> tuple[Unseen, ...]:
        if self.others in ("star", "leave_out"):
            return ()
        column = before.records[self.column]
        values = column.cat.categories
        undecided = self._others(values)
        if self.others == "nearest":
            undecided[undecided] = [nearest is None for nearest in self._nearest(values[undecided])]
        return unseen_in(column, undecided)

    def _nearest(self, values: Values) -> list[str | None]:
        return self.recoding.nearest(values) if isinstance(self.recoding, ValueMap) else [None] * len(values)

    def decisions(self, unseen: Unseen) -> tuple[Decision, ...]:
        some = self.others == "ask" and any(nearest is not None for nearest in self._nearest(unseen.values))
        return ("nearest", "star", "leave_out", "keep") if some else ("star", "leave_out", "keep")

    def decided(self, unseen: Unseen, decision: Decision) -> Recode:
        if decision == "keep":
            return replace(self, kept=(*self.kept, *unseen.values))
        return replace(self, others=cast(Others, decision))

    def apply_to_population(self, population: Dataset) -> Dataset:
        """People with values that no record had are not in the groups at the ends, as in no figure of the search."""
        if self.column not in population.columns:
            return population
        recoding = self.recoding
        closed = replace(recoding, beyond=False) if isinstance(recoding, ValueMap) else recoding
        others: Others = "ask" if self.others == "leave_out" else self.others
        return replace(self, recoding=closed, others=others).apply(population)

    def to_dict(self) -> dict[str, Any]:
        return {
            "kind": self.kind, "column": self.column, "recoding": recoding_to_dict(self.recoding),
            "others": self.others, "kept": list(self.kept), "reason": self.reason,
        }  # fmt: skip

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Recode:
        recoding, kept = recoding_from_dict(values["recoding"]), values.get("kept", [])
        if not isinstance(kept, list):
            raise InputError("The values that are kept must be a list.")
        return cls(values["column"], recoding, values.get("reason", ""), values.get("others", "ask"), tuple(kept))


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


def unseen_in(column: pd.Series, unseen: np.ndarray) -> tuple[Unseen, ...]:
    """These values of a column (bool, a value each), with their records; nothing where there are none."""
    values, codes = column.cat.categories, column.cat.codes.to_numpy()
    records = np.bincount(codes[codes >= 0], minlength=len(values))
    found = unseen & (records > 0)
    return (Unseen(str(column.name), tuple(values[found]), int(records[found].sum())),) if found.any() else ()


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

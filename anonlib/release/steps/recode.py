"""The step that replaces the values of a column by coarser labels, each value alike."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Literal, cast, get_args

import numpy as np
import pandas as pd

from anonlib.basics import checks
from anonlib.basics.errors import InputError
from anonlib.coarsening.hierarchies import TOP
from anonlib.coarsening.recoding import (
    NOTHING,
    CodeGroup,
    DateUnit,
    Intervals,
    Mask,
    Recoding,
    Redaction,
    Rounding,
    ValueMap,
    label_of_missing,
    named,
    untouched,
)
from anonlib.dataset import Dataset
from anonlib.reading.records import Labels
from anonlib.release.steps.step import (
    Decision,
    LabelsBy,
    OfOneColumn,
    ReachableLevel,
    Scope,
    Stage,
    Step,
    Unseen,
    check_column,
    unseen_in,
)
from anonlib.values.cells import Values

_RECODINGS: dict[str, Any] = {
    "intervals": Intervals,
    "mask": Mask,
    "mapping": ValueMap,
    "date": DateUnit,
    "round": Rounding,
    "code": CodeGroup,
    "redact": Redaction,
}

Others = Literal["ask", "nearest", "star", "leave_out"]
OTHERS: tuple[Others, ...] = get_args(Others)
_OF_OTHERS: dict[Others, str] = {
    "ask": "",
    "nearest": "; other values to the nearest",
    "star": f"; other values to {TOP}",
    "leave_out": "; records with other values left out",
}


@dataclass(frozen=True, eq=False)
class Recode(OfOneColumn, Step):
    """Replace the values of a column by coarser labels.

    Where persons are counted, a missing cell gives way to the other rows of its person: it gets the label of missing
    values only where they have no value, or that label too.

    Attributes
    ----------
    column : str
        Its name.
    recoding : Recoding
        From values to labels.
    reason : str
        Why.
    others : Others, default "ask"
        "ask", "nearest", "star" or "leave_out" What becomes of values that the recoding does not cover, such as those
        of next year's file: the label of the nearest value that is covered, ``*``, or their records left out. With
        "ask", and where no value is nearest, they stay as they are, :meth:`unseen` names them, and no file leaves.
    kept : tuple[str, ...], default ()
        Values that the recoding does not cover and that are released as they are, since the step was made
        knowing them (:meth:`knowing`) or somebody decided so.
    """

    column: str
    recoding: Recoding
    reason: str = ""
    others: Others = "ask"
    kept: tuple[str, ...] = ()
    kind = "recode"
    stage = Stage.COLUMNS
    gives_way_to = Scope.COLUMN

    @property
    def labels_by(self) -> LabelsBy:
        return "text" if isinstance(self.recoding, Redaction) else "rule"

    def __post_init__(self) -> None:
        checks.text(self.column, "The name of the column")
        checks.text(self.reason, "The reason")
        if self.others not in OTHERS:
            raise InputError(
                "What becomes of values that a step does not know is one of: " + ", ".join(OTHERS) + ".",
                code="choice-unknown",
            )
        object.__setattr__(self, "kept", tuple(checks.text(value, "Each value kept") for value in self.kept))

    def knowing(self, dataset: Dataset) -> Recode:
        """The step made for this data: values there that the recoding does not cover are kept as they are.

        Parameters
        ----------
        dataset : Dataset
            The data that the step is applied to.

        Returns
        -------
        Recode
        """
        check_column(dataset, self.column)
        if self.others in ("star", "leave_out") and not dataset.may_be_named(self.column):
            return self  # what is kept would not be saved, and the same step would then do something else
        values = dataset.held.values(self.column)
        return replace(self, kept=tuple(values[untouched(self.recoding, values)]))

    def describe(self) -> str:
        return f"Recode {self.column}: {self.recoding.describe()}" + _OF_OTHERS[self.others]

    def apply(self, dataset: Dataset) -> Dataset:
        check_column(dataset, self.column)
        if self.column in (dataset.person_id, dataset.weight):
            raise InputError(
                f"“{self.column}” is what persons are counted by and cannot be recoded. Drop it instead.",
                code="column-counts-persons",
                column=self.column,
            )
        values = dataset.held.values(self.column)
        if self.others == "ask" and len(values) and untouched(self.recoding, values).all():
            what = {Intervals: "number", Rounding: "number", DateUnit: "date", CodeGroup: "code of that system"}.get(
                type(self.recoding), "value the recoding names"
            )
            raise InputError(
                f"No value of “{self.column}” is a {what}, so this recoding changes nothing. Choose another.",
                code="values-unreadable",
                column=self.column,
            )
        return self._recoded(dataset)

    def _recoded(self, dataset: Dataset) -> Dataset:
        values = dataset.held.values(self.column)
        gone = self._left_out(values)
        missing = label_of_missing(self.recoding) if dataset.held.counts_of(self.column).missing else None
        labels = Labels.as_they_come(values, self._labels_in(dataset, values), gone if gone.any() else None, missing)
        return dataset.recoded(self.column, labels, repr(self))

    def labels(self, values: Values) -> np.ndarray:
        """What each value is released as. A blank label is a missing one, as it is when the file is read again.

        Parameters
        ----------
        values : Values
            The distinct values of the column.

        Returns
        -------
        np.ndarray
        """
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

    def labels_of(self, column: str, values: np.ndarray, before: Dataset | None = None) -> np.ndarray:
        is_missing = np.array([value is None for value in values], dtype=bool)
        labels = np.full(len(values), label_of_missing(self.recoding), dtype=object)
        if not is_missing.all():
            labels[~is_missing] = self.labels(values[~is_missing])
        return labels

    @property
    def label_name(self) -> str:
        return self.recoding.describe()

    def levels(self, column: str, ways: Sequence[ReachableLevel]) -> list[ReachableLevel]:
        # Texts take long to read again, and every other text is a redacted one.
        return list(ways) if self.labels_by == "text" else super().levels(column, ways)

    def can_blank(self, column: str) -> bool:
        return has_blank_label(self.recoding)

    @property
    def for_anybody(self) -> str:
        return self.describe() if self.labels_by == "text" else ""

    def _labels_in(self, dataset: Dataset, values: Values) -> np.ndarray:
        """As :meth:`labels` of all values of the column; texts, which take long, are read once."""
        if not isinstance(self.recoding, Redaction):
            return self.labels(values)
        remembered, key = dataset.held.remembered, (self.column, self.recoding)
        if key not in remembered:
            remembered[key] = self.labels(values)
        return remembered[key]

    def _others(self, values: Values) -> np.ndarray:
        """bool per value: the recoding does not cover it and it is not kept knowingly."""
        others = untouched(self.recoding, values)
        kept = set(self.kept)
        return others & np.array([value not in kept for value in values], dtype=bool) if others.any() else others

    def _left_out(self, values: Values) -> np.ndarray:
        return self._others(values) if self.others == "leave_out" else np.zeros(len(values), dtype=bool)

    def value_table(self, dataset: Dataset) -> pd.DataFrame:
        """What each value becomes: ``value``, ``released as`` and ``records``, one row a value that occurs.

        Missing values, where they get a label, are the last row, with None as ``value``. Values whose records the step
        leaves out have no row.

        Parameters
        ----------
        dataset : Dataset
            The data that the step is applied to.

        Returns
        -------
        pd.DataFrame
        """
        check_column(dataset, self.column)
        return self._value_table(dataset, None)

    def _value_table(self, before: Dataset, after: Dataset | None) -> pd.DataFrame:
        """As :meth:`value_table`, where what became of the data set is at hand."""
        counts = before.held.counts_of(self.column)
        stay = np.where(self._left_out(counts.values), 0, counts.records)
        labels = self._labels_in(before, counts.values)
        table = pd.DataFrame({"value": counts.values, "released as": labels, "records": stay}, dtype=object)
        label = label_of_missing(self.recoding)
        if label is not None and counts.missing:
            left = (after or self._recoded(before)).held.counts_of(self.column).missing
            blank = int(stay[[label is None for label in labels]].sum())  # these became missing, others had been
            table.loc[len(table)] = [None, label, counts.missing - (left - blank)]
        return table[table["records"] > 0].reset_index(drop=True).astype({"records": np.int64})

    def value_tables(self, before: Dataset, after: Dataset) -> list[tuple[str, pd.DataFrame]]:
        return [(self.column, self._value_table(before, after))]

    def not_recoded(self, before: Dataset) -> int:
        if not self.kept:
            return 0
        values = before.held.values(self.column)
        return int((untouched(self.recoding, values) & np.isin(values, self.kept)).sum())

    def unseen(self, before: Dataset) -> tuple[Unseen, ...]:
        if self.others in ("star", "leave_out"):
            return ()
        counts = before.held.counts_of(self.column)
        values = counts.values
        undecided = self._others(values)
        if self.others == "nearest":
            undecided[undecided] = [nearest is None for nearest in self._nearest(values[undecided])]
        return unseen_in(self.column, counts, undecided)

    def _nearest(self, values: Values) -> list[str | None]:
        return self.recoding.nearest(values) if isinstance(self.recoding, ValueMap) else [None] * len(values)

    def decisions(self, unseen: Unseen) -> tuple[Decision, ...]:
        some = self.others == "ask" and any(nearest is not None for nearest in self._nearest(unseen.values))
        return ("nearest", "star", "leave_out", "keep") if some else ("star", "leave_out", "keep")

    def decided_before(self, dataset: Dataset) -> tuple[tuple[Unseen, Decision], ...]:
        if self.others == "ask" or self.column not in dataset.columns:
            return ()
        counts = dataset.held.counts_of(self.column)
        unknown = [value for new in replace(self, others="ask").unseen(dataset) for value in new.values]
        undecided = [value for new in self.unseen(dataset) for value in new.values]
        decided = np.isin(counts.values, unknown) & ~np.isin(counts.values, undecided)
        return tuple((new, self.others) for new in unseen_in(self.column, counts, decided))

    def decided(self, unseen: Unseen, decision: Decision) -> Recode:
        if decision == "keep":
            return replace(self, kept=(*self.kept, *unseen.values))
        return replace(self, others=cast(Others, decision))

    @property
    def n_named(self) -> int:
        return named(self.recoding) + len(self.kept)

    def without_named(self, may_tell: Callable[[str], bool]) -> Recode:
        if may_tell(self.column) or not self.n_named:
            return self
        if named(self.recoding):
            return replace(self, recoding=NOTHING, others="ask", kept=())
        return replace(self, kept=())

    @property
    def emptied(self) -> tuple[str, ...]:
        return (self.column,) if self.recoding == NOTHING else ()

    def apply_to_population(self, population: Dataset, alongside: Dataset | None = None) -> Dataset:
        """People with values that no record had are not in the groups at the ends, as in no figure of the search.

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
            raise InputError("The values that are kept must be a list.", code="not-a-list")
        return cls(values["column"], recoding, values.get("reason", ""), values.get("others", "ask"), tuple(kept))


def has_blank_label(recoding: Recoding) -> bool:
    """Whether a way of recoding can leave a value without a label."""
    match recoding:
        case ValueMap():
            labels = [*(label for _, label in recoding.labels_of), recoding.otherwise]
            return any(label is not None and not label.strip() for label in labels)
        case Mask():
            return not recoding.fill
    return False


def recoding_to_dict(recoding: Recoding) -> dict[str, Any]:
    """A way of recoding as plain values for JSON."""
    name = next(name for name, way in _RECODINGS.items() if isinstance(recoding, way))
    return {"kind": name, **{field.name: getattr(recoding, field.name) for field in fields(recoding)}}


def recoding_from_dict(values: Mapping[str, Any]) -> Recoding:
    """The way of recoding of such values; what is raised is as in :meth:`Step.from_dict`."""
    fields = dict(values)
    way = _RECODINGS[fields.pop("kind")]
    if "labels_of" in fields:
        fields["labels_of"] = tuple(tuple(pair) for pair in fields["labels_of"])
    if isinstance(fields.get("kinds"), list):
        fields["kinds"] = tuple(fields["kinds"])
    return way(**fields)

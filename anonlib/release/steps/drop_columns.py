"""The step that drops columns."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any

from anonlib.basics import checks
from anonlib.basics.errors import InputError
from anonlib.dataset import Dataset
from anonlib.release.steps.step import Scope, Stage, Step, check_column


@dataclass(frozen=True, eq=False)
class DropColumns(Step):
    """Leave columns out.

    Attributes
    ----------
    dropped : tuple[str, ...]
        The columns, one at least.
    reason : str
        Why.
    """

    dropped: tuple[str, ...]
    reason: str = ""
    kind = "drop_columns"
    stage = Stage.COLUMNS
    gives_way_to = Scope.REGIONS
    recodes = ()

    def __post_init__(self) -> None:
        if isinstance(self.dropped, str) or not self.dropped:
            raise InputError("Name at least one column to drop, in a list.", code="choice-missing")
        dropped = tuple(checks.text(column, "The name of a column") for column in self.dropped)
        object.__setattr__(self, "dropped", dropped)
        checks.text(self.reason, "The reason")

    @property
    def columns(self) -> tuple[str, ...]:
        return self.dropped

    @property
    def drops(self) -> tuple[str, ...]:
        return self.dropped

    def describe(self) -> str:
        return f"Drop {', '.join(self.dropped)}"

    def apply(self, dataset: Dataset) -> Dataset:
        for column in self.dropped:
            check_column(dataset, column)
        return dataset.without_columns(self.dropped)

    def apply_to_population(self, population: Dataset, alongside: Dataset | None = None) -> Dataset:
        present = [column for column in self.dropped if column in population.columns]
        return population.without_columns(present)

    def without(self, columns: Collection[str]) -> Step | None:
        left = tuple(column for column in self.dropped if column not in columns)
        return self if left == self.dropped else replace(self, dropped=left) if left else None

    def follows(self, earlier: Step) -> bool:
        """Also each step that counts by one of the columns.

        Parameters
        ----------
        earlier : Step
            The other step.

        Returns
        -------
        bool
        """
        return super().follows(earlier) or not {*earlier.columns}.isdisjoint(self.columns)

    def to_dict(self) -> dict[str, Any]:
        return {"kind": self.kind, "columns": list(self.dropped), "reason": self.reason}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> DropColumns:
        if not isinstance(values["columns"], list):
            raise InputError("The columns to drop must be a list.", code="not-a-list")
        return cls(tuple(values["columns"]), values.get("reason", ""))

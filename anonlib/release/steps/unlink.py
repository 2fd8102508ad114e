"""The step that lets rows leave without telling which are of one person."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from anonlib.basics import checks
from anonlib.basics.errors import InputError
from anonlib.dataset import Dataset
from anonlib.release.steps.step import Scope, Stage, Step, check_column


@dataclass(frozen=True, eq=False)
class Unlink(Step):
    """Let rows leave without the person id, so that it does not tell which rows are of one person.

    What is counted stays counted of persons. What takes several rows of a person can then not be analysed, such as
    whether somebody came again, or what changed.

    Attributes
    ----------
    column : str
        The column of person ids.
    reason : str
        Why.
    """

    column: str
    reason: str = ""
    kind = "unlink"
    stage = Stage.COLUMNS
    gives_way_to = Scope.REGIONS
    recodes = ()

    def __post_init__(self) -> None:
        checks.text(self.column, "The name of the column")
        checks.text(self.reason, "The reason")

    @property
    def columns(self) -> tuple[str, ...]:
        return (self.column,)

    @property
    def drops(self) -> tuple[str, ...]:
        return (self.column,)

    @property
    def for_anybody(self) -> str:
        return self.describe()

    @property
    def note(self) -> str:
        """Nothing: that the column is not there is seen."""
        return ""

    def describe(self) -> str:
        return f"Leave without {self.column}, so that rows are not linked to persons"

    def apply(self, dataset: Dataset) -> Dataset:
        check_column(dataset, self.column)
        if self.column != dataset.person_id:
            raise InputError(
                f"“{self.column}” is not the person id. Drop it instead, or give it that role.",
                code="column-counts-persons",
                column=self.column,
            )
        if dataset.tables is not None and dataset.tables.has_lists:
            raise InputError(
                f"Lists in cells hold the items of a row together, whether “{self.column}” leaves or not. Drop the "
                "lists first, or let the ids leave as numbers.",
                code="lists-need-ids",
                column=self.column,
            )
        return dataset.without_columns([self.column])

    def apply_to_population(self, population: Dataset, alongside: Dataset | None = None) -> Dataset:
        return population

    def without(self, columns: Collection[str]) -> Step | None:
        return None if self.column in columns else self

    def to_dict(self) -> dict[str, Any]:
        return {"kind": self.kind, "column": self.column, "reason": self.reason}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Unlink:
        return cls(values["column"], values.get("reason", ""))

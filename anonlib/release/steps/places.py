"""The step that replaces places by the region they are in."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from anonlib.basics import checks, words
from anonlib.basics.errors import InputError
from anonlib.coarsening.recoding import NOTHING
from anonlib.dataset import Dataset
from anonlib.reading.records import Labels
from anonlib.release.steps.recode import Recode
from anonlib.release.steps.step import OfOneColumn, Scope, Stage, Step, Unseen, check_column
from anonlib.values.cells import Values, natural_order

Regions = tuple[tuple[str, tuple[str, ...]], ...]
"""The label of each region, and the ids of the areas in it."""


@dataclass(frozen=True, eq=False)
class AggregatePlaces(OfOneColumn, Step):
    """Replace the areas that a column names by the regions they are in.

    Records whose place is missing or in no region are left out, since nobody can say in which region they are. Where
    persons have several rows, a row that names no place stays if another row of the person is in a region: who knows
    a person knows all of their rows.

    Attributes
    ----------
    column : str
        The name of the column.
    regions : Regions
        The label of each region, each once, and the ids of the areas in it, one at least
        and each in one region only.
    reason : str
        Why.
    """

    column: str
    regions: Regions
    reason: str = ""
    kind = "aggregate_places"
    stage = Stage.PLACES
    gives_way_to = Scope.REGIONS
    labels_by = "rule"
    label_name = "regions"

    def __post_init__(self) -> None:
        checks.text(self.column, "The name of the column")
        checks.text(self.reason, "The reason")
        regions = tuple(_region(label, areas) for label, areas in self.regions)
        if not regions:
            raise InputError("Name at least one region, with the areas in it.", code="choice-missing")
        if len({label for label, _ in regions}) < len(regions):
            raise InputError("Two regions have one label. Give each region a label of its own.", code="label-twice")
        areas = [area for _, members in regions for area in members]
        if len(set(areas)) < len(areas):
            raise InputError(
                "An area is named twice among the regions. Put each area into one region, once.", code="area-twice"
            )
        object.__setattr__(self, "regions", regions)

    def describe(self) -> str:
        regions = words.count(len(self.regions), "regions")
        return f"Aggregate the places in {self.column} to {regions}, and leave out records in no region"

    def apply(self, dataset: Dataset) -> Dataset:
        check_column(dataset, self.column)
        if self.column in (dataset.person_id, dataset.weight):
            raise InputError(
                f"“{self.column}” is what persons are counted by and names no place.",
                code="column-counts-persons",
                column=self.column,
            )
        counts = dataset.held.counts_of(self.column)
        labels = self.labels(counts.values)
        nowhere = np.array([label is None for label in labels], dtype=bool)
        if counts.n_records and not counts.records[~nowhere].any():
            raise InputError(
                f"No value of “{self.column}” is an area of these regions. Choose regions of the areas that it names.",
                code="areas-not-in-records",
                column=self.column,
            )
        occurring = pd.unique(labels[~nowhere & (counts.records > 0)])
        order = occurring[natural_order(occurring)]
        regions = Labels(counts.values, labels, order, nowhere, needs_value=True)
        return dataset.recoded(self.column, regions, self._prepared)

    def labels(self, values: Values) -> np.ndarray:
        """The region that each value is in, None for what is no area of any."""
        labels = np.empty(len(values), dtype=object)
        labels[:] = [self._region_of.get(value) for value in values]
        return labels

    def labels_of(self, column: str, values: np.ndarray, before: Dataset | None = None) -> np.ndarray:
        return self.labels(values)

    def can_blank(self, column: str) -> bool:
        """Never: a record that names no area of a region is left out."""
        return False

    def value_tables(self, before: Dataset, after: Dataset) -> list[tuple[str, pd.DataFrame]]:
        """The areas that occur and are in a region, each with its region and its records."""
        counts = before.held.counts_of(self.column)
        rows = zip(counts.values, self.labels(counts.values), counts.records.tolist(), strict=True)
        counted = [(value, label, n) for value, label, n in rows if n and label is not None]
        return [(self.column, pd.DataFrame(counted, columns=["value", "released as", "records"]))]

    def unseen(self, before: Dataset) -> tuple[Unseen, ...]:
        """None: what is in no region is left out."""
        return ()

    @property
    def n_named(self) -> int:
        return sum(len(areas) for _, areas in self.regions)

    def without_named(self, may_tell: Callable[[str], bool]) -> Step:
        return self if may_tell(self.column) else Recode(self.column, NOTHING, self.reason)

    def apply_to_population(self, population: Dataset, alongside: Dataset | None = None) -> Dataset:
        return self.apply(population) if self.column in population.columns else population

    def to_dict(self) -> dict[str, Any]:
        regions = [{"label": label, "areas": list(areas)} for label, areas in self.regions]
        return {"kind": self.kind, "column": self.column, "regions": regions, "reason": self.reason}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> AggregatePlaces:
        regions = values["regions"]
        if not isinstance(regions, list) or not all(isinstance(region, dict) for region in regions):
            raise InputError("The regions must be a list, each with its label and its areas.", code="not-a-list")
        pairs = tuple((region.get("label"), region.get("areas")) for region in regions)
        return cls(values["column"], pairs, values.get("reason", ""))  # checked there

    @cached_property
    def _region_of(self) -> dict[str, str]:
        return {area: label for label, areas in self.regions for area in areas}

    @cached_property
    def _prepared(self) -> str:
        return f"{self.kind} {hashlib.sha256(repr(self).encode()).hexdigest()}"


def _region(label: Any, areas: Any) -> tuple[str, tuple[str, ...]]:
    if not checks.text(label, "The label of a region").strip():
        raise InputError("A region has no label. Give each region one.", code="label-missing")
    if not isinstance(areas, list | tuple) or not areas:
        raise InputError("Each region needs a list of at least one area.", code="region-is-empty")
    return label, tuple(checks.text(area, "The id of an area") for area in areas)
